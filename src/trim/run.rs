//! A run from its lock to its evidence.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use chrono::{DateTime, TimeDelta, Utc};

use super::error::TrimError;
use super::heartbeat::Evidence;
use super::plan::{Plan, Walk};
use super::session::{BIG, Batch, Session};
use crate::catalog::Limits;
use crate::config::DatabaseUrl;
use crate::dialect::Dialect;
use crate::text::Text;

/// How long a run sleeps between two tries for the lock, and how often a pause looks whether to stop.
const POLL: Duration = Duration::from_millis(100);

/// Whether rows are removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// They are counted; the session refuses to write.
    Count,
    /// They are removed.
    Remove,
}

/// How fast a run goes, and how far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// The most rows of one batch.
    pub batch: u32,
    /// How long to rest between two batches.
    pub pause: Duration,
    /// The most rows of the run.
    pub max_rows: Option<u64>,
    /// The time after which no further batch is begun.
    pub max_time: Option<Duration>,
}

/// A wish to stop after the batch at hand; shared between the run and whoever hears the wish.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Asks the run to stop.
    pub fn ask(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Returns whether somebody asked.
    pub fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What a run is doing, for people who wait for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// Another run holds the lock.
    Waiting {
        /// How long this run waits at most.
        at_most: Duration,
    },
    /// The first batch comes.
    Started {
        /// Rows recorded before this time go.
        cutoff: DateTime<Utc>,
        /// The time of a row that goes first; nothing if there is none.
        first: Option<DateTime<Utc>>,
    },
    /// A batch was removed.
    Batch {
        /// How many rows the run has removed so far.
        deleted: u64,
        /// The youngest time among those of the batch, where the database tells.
        through: Option<DateTime<Utc>>,
    },
}

/// Receives the events of a run.
pub type Progress<'a> = &'a mut dyn FnMut(Event);

/// What a run came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Rows recorded before this time were to go.
    pub cutoff: DateTime<Utc>,
    /// How many rows are gone.
    pub deleted: u64,
    /// Why the run ended.
    pub ended: Ended,
    /// What became of the evidence.
    pub heartbeat: Heartbeat,
}

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// No row was left to remove.
    Done,
    /// Rows are left, and somebody else holds locks on them.
    Locked,
    /// Rows are left: the run was asked to stop.
    Stopped,
    /// Rows are left: the limit of rows was reached.
    MaxRows,
    /// Rows are left: the limit of time was reached.
    MaxTime,
}

/// What became of the evidence of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heartbeat {
    /// It is in `ledger_retention`.
    Written,
    /// There is no such table, or none that the role can see.
    NoTable,
}

/// A run that has its session, its lock and its cut-off, and has not removed anything yet.
pub struct Run {
    session: Session,
    url: DatabaseUrl,
    plan: Plan,
    limits: Limits,
    cutoff: DateTime<Utc>,
}

/// Opens a session, takes the lock of trimming runs and computes the cut-off from the database's clock.
///
/// # Errors
///
/// The database cannot be reached, another run is at work, the table is big and has no index for the walk (unless
/// `allow_scan`), or a clock cannot be right.
pub async fn open(
    url: &DatabaseUrl,
    plan: Plan,
    limits: Limits,
    mode: Mode,
    allow_scan: bool,
    progress: Progress<'_>,
) -> Result<Run, TrimError> {
    let mut session = Session::open(url, &plan, limits, mode).await?;
    if mode == Mode::Remove {
        lock(&mut session, &plan, limits, progress).await?;
    }
    if plan.walk == Walk::ByPlace && !allow_scan && session.is_big().await? {
        return Err(TrimError::NoIndex {
            column: Text::new(&plan.column),
            rows: BIG,
        });
    }
    let now = session.now().await?;
    refuse_fast_clock(now, plan.policy.skew)?;
    let horizon = TimeDelta::from_std(plan.policy.horizon).unwrap_or(TimeDelta::MAX);
    let cutoff = now.checked_sub_signed(horizon).unwrap_or(DateTime::UNIX_EPOCH);
    session.set_cutoff(cutoff);
    Ok(Run {
        session,
        url: url.clone(),
        plan,
        limits,
        cutoff,
    })
}

async fn lock(session: &mut Session, plan: &Plan, limits: Limits, progress: Progress<'_>) -> Result<(), TrimError> {
    let start = Instant::now();
    let mut said = false;
    while !session.try_lock().await? {
        if start.elapsed() >= limits.lock {
            return Err(TrimError::Busy {
                table: Text::new(&plan.table),
            });
        }
        if !said {
            progress(Event::Waiting { at_most: limits.lock });
            said = true;
        }
        tokio::time::sleep(POLL).await;
    }
    Ok(())
}

/// Two clocks that are right within the bound differ by no more than twice the bound. This machine's clock decides
/// about nothing else, and one that is behind the database's only keeps rows from going.
fn refuse_fast_clock(now: DateTime<Utc>, skew: Duration) -> Result<(), TrimError> {
    let ahead = (now - Utc::now()).to_std().unwrap_or_default();
    if ahead > 2 * skew + Duration::from_secs(1) {
        return Err(TrimError::Clock { ahead });
    }
    Ok(())
}

impl Run {
    /// Returns the time before which rows go; one recorded at it stays.
    pub fn cutoff(&self) -> DateTime<Utc> {
        self.cutoff
    }

    /// Counts the rows that would go.
    ///
    /// # Errors
    ///
    /// The database stands in the way.
    pub async fn count(mut self) -> Result<u64, TrimError> {
        let count = self.session.count().await;
        self.session.close().await;
        count
    }

    /// Removes the rows, batch by batch, and leaves the evidence.
    ///
    /// # Errors
    ///
    /// The database stands in the way. Batches that were finished before stay removed, and the reason is left in
    /// `ledger_retention`, through a session of its own if need be.
    pub async fn trim(mut self, pace: &Pace, stop: &Stop, progress: Progress<'_>) -> Result<Outcome, TrimError> {
        let evidence = Evidence::find(&mut self.session, &self.plan).await?;
        if let Some(evidence) = &evidence {
            evidence.begin(&mut self.session, &self.plan, self.cutoff).await?;
        }
        let mut deleted = 0;
        let removed = self.remove(pace, stop, &mut deleted, progress).await;
        let ended = match (removed, &evidence) {
            (Ok((ended, through)), Some(evidence)) => {
                evidence.finish(&mut self.session, deleted, through).await?;
                ended
            }
            (Ok((ended, _)), None) => ended,
            (Err(error), evidence) => {
                if let Some(evidence) = evidence {
                    self.leave_error(evidence, deleted, &error).await;
                }
                return Err(error);
            }
        };
        self.session.close().await;
        Ok(Outcome {
            cutoff: self.cutoff,
            deleted,
            ended,
            heartbeat: match evidence {
                Some(_) => Heartbeat::Written,
                None => Heartbeat::NoTable,
            },
        })
    }

    /// Removes until there is a reason to end; returns it with the time before which every row is gone, if that is known.
    async fn remove(
        &mut self,
        pace: &Pace,
        stop: &Stop,
        deleted: &mut u64,
        progress: Progress<'_>,
    ) -> Result<(Ended, Option<DateTime<Utc>>), TrimError> {
        let start = Instant::now();
        let first = self.session.next().await?;
        progress(Event::Started {
            cutoff: self.cutoff,
            first,
        });
        if first.is_none() {
            return Ok((Ended::Done, Some(self.cutoff)));
        }
        let mut skipped = false;
        let mut reached = None;
        loop {
            let left = pace.max_rows.map_or(u64::MAX, |most| most.saturating_sub(*deleted));
            let reason = match pace.max_time {
                _ if stop.is_asked() => Some(Ended::Stopped),
                _ if left == 0 => Some(Ended::MaxRows),
                Some(most) if start.elapsed() >= most => Some(Ended::MaxTime),
                _ => None,
            };
            if let Some(reason) = reason {
                // A limit that is met by the very last row is no reason to come back.
                let done = self.session.next().await?.is_none() && !skipped;
                let through = if done {
                    Some(self.cutoff)
                } else {
                    reached.filter(|_| !skipped)
                };
                return Ok((if done { Ended::Done } else { reason }, through));
            }
            let limit = u32::try_from(left).unwrap_or(u32::MAX).min(pace.batch).max(1);
            let batch: Batch = self.session.remove(limit).await?;
            *deleted += batch.deleted;
            skipped |= batch.skipped;
            // Texts of several forms are not in the order of their times.
            if self.plan.walk == Walk::ByTime && self.plan.dialect != Dialect::Sqlite {
                reached = batch.through.or(reached);
            }
            progress(Event::Batch {
                deleted: *deleted,
                through: batch.through,
            });
            if batch.last {
                return Ok(match skipped {
                    true => (Ended::Locked, None),
                    false => (Ended::Done, Some(self.cutoff)),
                });
            }
            rest(pace.pause, stop).await;
        }
    }

    /// Leaves the reason of a failure. The session may be what failed, so a second one is tried; if that fails too,
    /// there is no place left for the reason but the caller's.
    async fn leave_error(mut self, evidence: &Evidence, deleted: u64, error: &TrimError) {
        if evidence.fail(&mut self.session, deleted, error).await.is_ok() {
            self.session.close().await;
            return;
        }
        if let Ok(mut second) = Session::open(&self.url, &self.plan, self.limits, Mode::Remove).await {
            let _ = evidence.fail(&mut second, deleted, error).await;
            second.close().await;
        }
    }
}

/// Rests, unless somebody asks to stop.
async fn rest(pause: Duration, stop: &Stop) {
    let end = Instant::now() + pause;
    while !stop.is_asked() {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return;
        }
        tokio::time::sleep(left.min(POLL)).await;
    }
}
