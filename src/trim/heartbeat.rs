//! The evidence that a run leaves in `ledger_retention`, where that table exists.
//!
//! | when | what |
//! |---|---|
//! | before the first row goes | the numbers, the admission floor, `last_started_utc`, `runner` |
//! | at the end, however it came | `last_finished_utc`, `last_deleted`, `trimmed_through_utc`, no error |
//! | after a failure | `last_error`, `last_deleted`; `last_finished_utc` stays as it was |
//!
//! The floor is written first, so that at no moment a row is gone whose event is above it: a row recorded before the
//! cut-off holds an event that happened at most a clock's error and the future dating later. Neither watermark moves back.

use std::time::Duration;

use chrono::{DateTime, Utc};

use super::error::TrimError;
use super::plan::Plan;
use super::session::{Session, Value};
use crate::dialect::Dialect;
use crate::text::Terminal;

const TABLE: &str = "ledger_retention";

/// The length of the column `runner`.
const RUNNER: usize = 120;

/// The longest error that is kept.
const ERROR: usize = 1000;

/// Writes the evidence of one run.
#[derive(Clone, Debug)]
pub(super) struct Evidence {
    /// The table's qualified, quoted name.
    table: String,
    /// The clock of the database, in the form that the table stores.
    now: &'static str,
    ledger: String,
}

impl Evidence {
    /// Finds the table; nothing if there is none, or none that the role can see.
    pub(super) async fn find(session: &mut Session, plan: &Plan) -> Result<Option<Self>, TrimError> {
        if !session.has_table(TABLE).await? {
            return Ok(None);
        }
        let facts = plan.dialect.facts();
        let prefix = plan
            .namespace
            .as_deref()
            .map_or_else(String::new, |name| facts.quote(name) + ".");
        Ok(Some(Self {
            table: format!("{prefix}{}", facts.quote(TABLE)),
            now: match plan.dialect {
                Dialect::Postgres => "clock_timestamp()",
                Dialect::MySql | Dialect::MariaDb => "UTC_TIMESTAMP(6)",
                Dialect::Sqlite => "strftime('%Y-%m-%dT%H:%M:%f000+00:00', 'now')",
            },
            ledger: plan.table.clone(),
        }))
    }

    /// Writes that a run begins.
    pub(super) async fn begin(
        &self,
        session: &mut Session,
        plan: &Plan,
        cutoff: DateTime<Utc>,
    ) -> Result<(), TrimError> {
        let (table, now) = (&self.table, self.now);
        let policy = &plan.policy;
        let seconds = |duration: Duration| Value::Integer(i64::try_from(duration.as_secs()).unwrap_or(i64::MAX));
        let floor = Value::Time(cutoff + policy.skew + policy.future);
        let numbers = [seconds(policy.horizon), seconds(policy.staleness), seconds(policy.skew)];
        let runner = Value::Text(Some(shorten(&plan.runner, RUNNER)));
        let ledger = Value::Text(Some(self.ledger.clone()));

        let mut values = numbers.to_vec();
        values.extend([
            floor.clone(),
            floor.clone(),
            floor.clone(),
            runner.clone(),
            ledger.clone(),
        ]);
        // MySQL assigns from left to right: what depends on the old floor comes before the new one.
        let update = format!(
            "UPDATE {table} SET horizon_seconds = ?, staleness_seconds = ?, skew_seconds = ?, \
             floor_advanced_utc = CASE WHEN admission_floor_utc < ? THEN {now} ELSE floor_advanced_utc END, \
             admission_floor_utc = CASE WHEN admission_floor_utc < ? THEN ? ELSE admission_floor_utc END, \
             last_started_utc = {now}, runner = ? WHERE ledger = ?"
        );
        if session.execute(&update, &values).await? > 0 {
            return Ok(());
        }
        let mut values = numbers.to_vec();
        values.extend([floor, runner, ledger]);
        let insert = format!(
            "INSERT INTO {table} (horizon_seconds, staleness_seconds, skew_seconds, floor_advanced_utc, \
             admission_floor_utc, last_started_utc, runner, ledger) VALUES (?, ?, ?, {now}, ?, {now}, ?, ?)"
        );
        session.execute(&insert, &values).await.map(drop)
    }

    /// Writes that a run came to its end. `through` is the time before which every row is gone.
    pub(super) async fn finish(
        &self,
        session: &mut Session,
        deleted: u64,
        through: Option<DateTime<Utc>>,
    ) -> Result<(), TrimError> {
        let mut values = vec![Value::Integer(i64::try_from(deleted).unwrap_or(i64::MAX))];
        let watermark = match through {
            Some(through) => {
                values.extend([Value::Time(through), Value::Time(through)]);
                "trimmed_through_utc = CASE WHEN trimmed_through_utc < ? THEN ? ELSE trimmed_through_utc END,"
            }
            None => "",
        };
        values.push(Value::Text(Some(self.ledger.clone())));
        let sql = format!(
            "UPDATE {} SET last_deleted = ?, {watermark} last_error = NULL, last_finished_utc = {} WHERE ledger = ?",
            self.table, self.now
        );
        session.execute(&sql, &values).await.map(drop)
    }

    /// Writes why a run failed.
    pub(super) async fn fail(&self, session: &mut Session, deleted: u64, error: &TrimError) -> Result<(), TrimError> {
        let error = shorten(&Terminal(&error.to_string()).to_string(), ERROR);
        let values = [
            Value::Integer(i64::try_from(deleted).unwrap_or(i64::MAX)),
            Value::Text(Some(error)),
            Value::Text(Some(self.ledger.clone())),
        ];
        let sql = format!(
            "UPDATE {} SET last_deleted = ?, last_error = ? WHERE ledger = ?",
            self.table
        );
        session.execute(&sql, &values).await.map(drop)
    }
}

fn shorten(text: &str, length: usize) -> String {
    text.chars().take(length).collect()
}
