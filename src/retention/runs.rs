//! Whether a job that should run does run, from what its scheduler recorded.

use std::time::Duration;

use super::judge::Case;
use super::model::{Job, Record, Scheduler};
use super::verdict::{Basis, Gap, Issue, Kind};
use crate::finding::Severity;
use crate::spec::print_duration;

const HOUR: Duration = Duration::from_secs(60 * 60);

/// How old the last good run of a runner outside the database may be; nothing tells its schedule.
const OUTSIDE: Duration = Duration::from_secs(48 * 60 * 60);

/// Says what is recorded of a job's runs.
pub(super) fn describe_runs(job: &Job) -> String {
    let runs = &job.runs;
    match (&runs.record, runs.last_success, runs.last_started) {
        (Record::None(reason), ..) => reason.clone(),
        _ if job.scheduler == Scheduler::Trigger => "runs with each write".to_owned(),
        (Record::LastTime, _, Some(age)) => format!("last started {} ago", round(age)),
        (Record::LastTime, _, None) => "not started yet".to_owned(),
        (Record::Kept, Some(age), _) if runs.failed_in_a_row == 0 => format!("last good run {} ago", round(age)),
        (Record::Kept, Some(age), _) => {
            format!(
                "failed {} times since the last good run {} ago",
                runs.failed_in_a_row,
                round(age)
            )
        }
        (Record::Kept, None, Some(age)) => format!("no good run; last started {} ago", round(age)),
        (Record::Kept, None, None) => "no run is recorded".to_owned(),
    }
}

/// Writes an age as people want to know it: `90s`, `5h`, `12d`.
pub fn round(age: Duration) -> String {
    const MINUTE: u64 = 60;
    let seconds = age.as_secs();
    let unit = match seconds {
        0..=119 => 1,
        120..=7_199 => MINUTE,
        7_200..=172_799 => 60 * MINUTE,
        _ => 24 * 60 * MINUTE,
    };
    let whole = Duration::from_secs(seconds / unit * unit);
    if unit == 24 * 60 * MINUTE {
        format!("{}d", seconds / unit)
    } else if seconds == 0 {
        "0s".to_owned()
    } else {
        print_duration(whole)
    }
}

/// Judges what is recorded of a job's runs, given how far apart they should be at most.
pub(super) fn judge_runs(case: &mut Case<'_>, gap: Option<Duration>) {
    let job = case.job;
    let runs = &job.runs;
    if job.scheduler == Scheduler::Trigger && runs.record == Record::Kept {
        return;
    }
    let limit = patience(gap);
    match &runs.record {
        Record::None(reason) => unclear(case, reason),
        Record::LastTime => match runs.last_started {
            None if runs.exists_for.is_some_and(|age| age > limit) => {
                failing(case, Severity::Error, "it has never run")
            }
            None => {}
            Some(age) if age > limit => failing(case, Severity::Error, &too_old(age, "run")),
            Some(_) => {}
        },
        Record::Kept => judge_history(case, limit),
    }
}

/// How long a job may be silent before something is wrong, given how far apart its runs should be at most.
pub(super) fn patience(gap: Option<Duration>) -> Duration {
    match gap {
        // Two turns may be lost to a restart; a third is none too many.
        Some(gap) => gap.saturating_mul(5) / 2 + HOUR,
        None => OUTSIDE,
    }
}

fn judge_history(case: &mut Case<'_>, limit: Duration) {
    let runs = &case.job.runs;
    if runs.recorded == 0 {
        unclear(
            case,
            "no run of it is recorded: it may be new, its scheduler may not run, or its history was deleted",
        );
        return;
    }
    let said = runs
        .message
        .as_ref()
        // Further lines hold details, values of rows among them.
        .map(|m| format!(": {}", super::statement::shorten(m.lines().next().unwrap_or_default())))
        .unwrap_or_default();
    match (runs.last_success, runs.failed_in_a_row) {
        (None, 0) => {
            // It runs for the first time, or hangs.
            match runs.last_started {
                Some(age) if age > limit => failing(case, Severity::Error, &too_old(age, "start")),
                _ => unclear(case, "its first run has not ended yet"),
            }
        }
        (None, failed) => failing(case, Severity::Error, &format!("{} failed{said}", last(failed))),
        (Some(age), 0) if age > limit => failing(case, Severity::Error, &too_old(age, "good run")),
        (Some(_), 0) => {}
        (Some(age), failed) => {
            let severity = if age > limit {
                Severity::Error
            } else {
                Severity::Warning
            };
            failing(case, severity, &format!("{} failed{said}", last(failed)));
        }
    }
}

fn last(failed: u64) -> String {
    if failed == 1 {
        "the last run".to_owned()
    } else {
        format!("the last {failed} runs")
    }
}

fn too_old(age: Duration, what: &str) -> String {
    format!("its last {what} was {} ago", round(age))
}

fn failing(case: &mut Case<'_>, severity: Severity, why: &str) {
    let issue = case.issue(Kind::Failing, severity, Basis::Retention);
    case.issues.push(Issue {
        found: Some(why.to_owned()),
        message: format!("the job `{}` does not get its work done: {why}", case.job.name),
        help: "Read what the scheduler logged about it, run it by hand as its role, and mend what it says.".to_owned(),
        ..issue
    });
}

fn unclear(case: &mut Case<'_>, why: &str) {
    let gap = Gap {
        job: Some(case.job.name.clone()),
        reason: format!("Whether the job `{}` runs cannot be told: {why}.", case.job.name),
        help: "Check again after its next turn, or let the job keep its row of `ledger_retention`.".to_owned(),
    };
    case.gaps.push((gap, false));
}
