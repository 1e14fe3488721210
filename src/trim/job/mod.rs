//! The job that trims a ledger regularly, for the scheduler at hand. Built from the spec alone.
//!
//! | scheduler | what runs | can be applied |
//! |---|---|---|
//! | pg_cron | one bounded `DELETE` a minute, inside the server | yes |
//! | MySQL or MariaDB event | the same | yes |
//! | Kubernetes, systemd | `seadrift retention trim`, which checks first and leaves evidence | no, printed only |
//!
//! A job inside the server is blind: it goes on removing rows when the guard is gone. The checker has to look after it.

mod apply;
mod mysql_event;
mod pg_cron;
mod unit;

use std::time::Duration;

pub use apply::{Applied, ApplyError, apply};

use super::Policy;

/// What runs jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheduler {
    /// The extension `pg_cron` of PostgreSQL.
    PgCron,
    /// The event scheduler of MySQL and MariaDB.
    MySqlEvent,
    /// A Kubernetes `CronJob`.
    Kubernetes,
    /// A systemd timer with its service.
    Systemd,
}

/// A job to be set up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// Which rows of which table go.
    pub policy: Policy,
    /// The service whose ledger it is.
    pub service: String,
    /// The namespace of the table, where one is known.
    pub namespace: Option<String>,
    /// How often it runs.
    pub every: Every,
    /// The most rows that one run removes, for jobs inside a server.
    pub batch: u32,
    /// Whether the column holds an instant (`timestamptz`), not a date and time in UTC.
    pub instant: bool,
}

/// How often a job runs: a divisor of an hour or of a day, so that every scheduler can say it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Every {
    /// Every so many minutes, a divisor of 60 below it.
    Minutes(u32),
    /// Every so many hours, a divisor of 24.
    Hours(u32),
}

impl Every {
    /// Takes a duration for an interval, if schedulers can say it.
    pub fn of(duration: Duration) -> Option<Self> {
        let seconds = duration.as_secs();
        if seconds == 0 || !seconds.is_multiple_of(60) {
            return None;
        }
        match u32::try_from(seconds / 60).ok()? {
            minutes @ 1..60 if 60 % minutes == 0 => Some(Self::Minutes(minutes)),
            minutes if minutes % 60 == 0 && minutes / 60 <= 24 && 24 % (minutes / 60) == 0 => {
                Some(Self::Hours(minutes / 60))
            }
            _ => None,
        }
    }

    /// The five fields of cron.
    fn cron(self) -> String {
        match self {
            Self::Minutes(1) => "* * * * *".to_owned(),
            Self::Minutes(n) => format!("*/{n} * * * *"),
            Self::Hours(1) => "17 * * * *".to_owned(),
            Self::Hours(24) => "17 3 * * *".to_owned(),
            Self::Hours(n) => format!("17 */{n} * * *"),
        }
    }

    /// The calendar of systemd.
    fn calendar(self) -> String {
        match self {
            Self::Minutes(1) => "*-*-* *:*:00".to_owned(),
            Self::Minutes(n) => format!("*-*-* *:0/{n}:00"),
            Self::Hours(1) => "*-*-* *:17:00".to_owned(),
            Self::Hours(24) => "*-*-* 03:17:00".to_owned(),
            Self::Hours(n) => format!("*-*-* 0/{n}:17:00"),
        }
    }

    /// The interval of an event.
    fn event(self) -> String {
        match self {
            Self::Minutes(n) => format!("{n} MINUTE"),
            Self::Hours(n) => format!("{n} HOUR"),
        }
    }

    fn seconds(self) -> u64 {
        match self {
            Self::Minutes(n) => u64::from(n) * 60,
            Self::Hours(n) => u64::from(n) * 3600,
        }
    }
}

impl Job {
    /// Renders what the scheduler is to be given: SQL, a manifest, or units.
    pub fn render(&self, scheduler: Scheduler) -> String {
        match scheduler {
            Scheduler::PgCron => pg_cron::render(self),
            Scheduler::MySqlEvent => mysql_event::render(self),
            Scheduler::Kubernetes => unit::kubernetes(self),
            Scheduler::Systemd => unit::systemd(self),
        }
    }

    /// The horizon in the largest unit of fixed length: a day is not one where the clock is put forward.
    fn interval(&self) -> (u64, &'static str) {
        match self.policy.horizon.as_secs() {
            s if s.is_multiple_of(3600) => (s / 3600, "hour"),
            s if s.is_multiple_of(60) => (s / 60, "minute"),
            s => (s, "second"),
        }
    }
}

/// Writes text as an SQL string.
fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::trim) fn job() -> Job {
        let minutes = |n: u64| Duration::from_secs(n * 60);
        Job {
            policy: Policy {
                table: "ProcessedIntegrationEvents".to_owned(),
                column: "ProcessedOnUtc".to_owned(),
                event_id: "EventId".to_owned(),
                horizon: minutes(14 * 24 * 60),
                staleness: minutes(168 * 60),
                skew: minutes(5),
                future: minutes(5),
                confirmed: true,
            },
            service: "notification".to_owned(),
            namespace: Some("public".to_owned()),
            every: Every::Minutes(1),
            batch: 10_000,
            instant: true,
        }
    }

    #[test]
    fn an_interval_divides_an_hour_or_a_day() {
        let of = |minutes: u64| Every::of(Duration::from_secs(minutes * 60));
        for (minutes, every) in [
            (1, Some(Every::Minutes(1))),
            (15, Some(Every::Minutes(15))),
            (60, Some(Every::Hours(1))),
            (360, Some(Every::Hours(6))),
            (1440, Some(Every::Hours(24))),
            (0, None),
            (7, None),
            (90, None),
            (300, None),
            (2880, None),
        ] {
            assert_eq!(of(minutes), every, "{minutes}");
        }
        assert_eq!(Every::of(Duration::from_secs(90)), None);
    }
}
