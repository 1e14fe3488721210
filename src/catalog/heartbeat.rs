//! The table `ledger_retention`: what a runner outside the database says of its own runs, one row per ledger.

use std::time::Duration;

use serde::Deserialize;

use crate::retention::{Hidden, Job, Record, Runs, Schedule, Scheduler, Task};

/// The table's name; it stands beside the ledgers.
pub const TABLE: &str = "ledger_retention";

/// One row. Ages are seconds before the moment of reading, by the database's clock.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(super) struct HeartbeatRow {
    pub(super) ledger: String,
    pub(super) horizon_seconds: Option<f64>,
    pub(super) started_ago: Option<f64>,
    pub(super) finished_ago: Option<f64>,
    pub(super) last_deleted: Option<f64>,
    pub(super) last_error: Option<String>,
    pub(super) runner: Option<String>,
}

/// Makes a job of a row.
pub(super) fn job(row: &HeartbeatRow) -> Job {
    let failed = row.last_error.as_ref().is_some_and(|error| !error.trim().is_empty());
    let has_run = row.started_ago.is_some() || row.finished_ago.is_some();
    Job {
        name: TABLE.to_owned(),
        scheduler: Scheduler::Outside,
        role: None,
        task: Task::Declared {
            table: row.ledger.clone(),
            horizon: row.horizon_seconds.map(seconds),
        },
        schedule: Schedule::Unknown,
        stops: Vec::new(),
        runs: Runs {
            record: Record::Kept,
            recorded: u64::from(has_run),
            last_started: row.started_ago.map(seconds),
            last_success: row.finished_ago.map(seconds),
            failed_in_a_row: u64::from(failed),
            empty_in_a_row: u64::from(has_run && row.last_deleted == Some(0.0)),
            message: row.last_error.clone().filter(|_| failed),
            exists_for: None,
        },
    }
}

/// Says that the table is there and may not be read.
pub(super) fn hidden() -> Hidden {
    Hidden {
        reason: format!(
            "The table `{TABLE}`, in which runners outside the database keep their record, cannot be read."
        ),
        help: format!("Run GRANT SELECT ON {TABLE} for the checking role."),
    }
}

/// Turns seconds into a duration; clocks that go backwards give nothing.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "cut to what fits"
)]
pub(super) fn seconds(number: f64) -> Duration {
    if number.is_finite() && number > 0.0 {
        Duration::from_secs(number as u64)
    } else {
        Duration::ZERO
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_a_failed_run_and_its_absence_a_good_one() {
        let row = HeartbeatRow {
            ledger: "L".to_owned(),
            horizon_seconds: Some(1_209_600.0),
            started_ago: Some(70.0),
            finished_ago: Some(60.5),
            last_deleted: Some(3.0),
            last_error: None,
            runner: Some("k8s".to_owned()),
        };
        let good = job(&row);
        assert_eq!(good.runs.last_success, Some(Duration::from_secs(60)));
        assert_eq!((good.runs.recorded, good.runs.failed_in_a_row), (1, 0));
        let bad = job(&HeartbeatRow {
            last_error: Some("deadlock".to_owned()),
            ..row.clone()
        });
        assert_eq!(bad.runs.failed_in_a_row, 1);
        let never = job(&HeartbeatRow {
            started_ago: None,
            finished_ago: None,
            ..row
        });
        assert_eq!(never.runs.recorded, 0);
    }
}
