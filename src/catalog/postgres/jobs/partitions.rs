//! Jobs that remove whole partitions: those of `pg_partman` and the retention policies of TimescaleDB.
//!
//! Both are read by column name, since columns come and go between versions.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::Value;

use super::assemble::View;
use super::rows::ExtensionRows;
use crate::dialect::Dialect;
use crate::retention::{
    Caller, Fate, Job, Record, Runs, Schedule, Scheduler, Span, Stop, StopKind, Task, parse_interval,
};

/// The name under which the background worker of pg_partman has its settings.
pub(super) const WORKER: &str = "pg_partman_bgw";

impl View<'_> {
    /// The tables that pg_partman keeps.
    pub(super) fn partitions(&self) -> Vec<Job> {
        let space = self.schedulers.extensions.get("pg_partman");
        let Some((space, rows)) = space.zip(self.rows.partitions.as_ref()) else {
            return Vec::new();
        };
        rows.rows
            .iter()
            .filter_map(|row| self.partman_job(space, row, rows))
            .collect()
    }

    fn partman_job(&self, space: &str, row: &BTreeMap<String, Value>, rows: &ExtensionRows) -> Option<Job> {
        let text = |name: &str| row.get(name).and_then(plain);
        let flag = |name: &str| row.get(name).and_then(Value::as_bool);
        let (namespace, table) = split_name(&text("parent_table")?);
        let after = text("retention").map(|text| (text.clone(), parse_interval_of(&text)));
        let fate = match (text("retention_schema"), flag("retention_keep_table")) {
            (Some(space), _) => Fate::Moved(space),
            (None, Some(true)) => Fate::Detached,
            (None, _) => Fate::Dropped,
        };
        let mut stops = Vec::new();
        if flag("undo_in_progress") == Some(true) {
            stops.push(Stop {
                kind: StopKind::Disabled,
                reason: "its partitioning is being undone (undo_in_progress)".to_owned(),
                help: "Finish the undoing, or set undo_in_progress to false.".to_owned(),
            });
        }
        let last = text("maintenance_last_run").and_then(|at| age(&at, rows));
        Some(Job {
            name: format!("{space}.part_config"),
            scheduler: Scheduler::PgPartman,
            role: None,
            task: Task::Partitions {
                namespace,
                table,
                column: text("control"),
                after,
                width: text("partition_interval").and_then(|text| parse_interval_of(&text)),
                fate,
                caller: Caller::Others(
                    "Nothing in this database calls run_maintenance: no background worker of pg_partman serves it, and no \
                     job of pg_cron was seen that does. A scheduler outside is possible."
                        .to_owned(),
                ),
                only_by_name: text("automatic_maintenance").as_deref() == Some("off"),
            },
            schedule: Schedule::Unknown,
            stops,
            runs: Runs {
                last_success: last,
                recorded: u64::from(last.is_some()),
                ..Runs::default()
            },
        })
    }

    /// The background worker of pg_partman, if it serves this database. Its settings are there only once it is loaded.
    pub(super) fn partition_worker(&self) -> Option<Job> {
        let space = self.schedulers.extensions.get("pg_partman")?;
        let setting = |name: &str| self.schedulers.settings.get(&format!("{WORKER}.{name}"));
        let databases = setting("dbname")?;
        if !databases.split(',').any(|name| name.trim() == self.schedulers.database) {
            return None;
        }
        let role = setting("role")?;
        let known = self.rows.called.roles.iter().find(|row| row.name == *role);
        let mut stops = Vec::new();
        if known.is_some_and(|role| !role.exists) {
            stops.push(Stop {
                kind: StopKind::Failing,
                reason: format!("its role {role} does not exist, so that each run fails"),
                help: format!("Set {WORKER}.role to a role that exists."),
            });
        }
        let every = setting("interval").and_then(|seconds| seconds.parse().ok());
        Some(Job {
            name: WORKER.to_owned(),
            scheduler: Scheduler::PgPartman,
            role: Some(role.clone()),
            task: Task::Statements {
                sql: format!("SELECT {}.run_maintenance()", Dialect::Postgres.facts().quote(space)),
                path: Vec::new(),
            },
            schedule: every.map_or(Schedule::Unknown, |seconds| {
                Schedule::Every(Duration::from_secs(seconds))
            }),
            stops,
            runs: Runs {
                record: Record::None("the background worker keeps no record of its runs".to_owned()),
                ..Runs::default()
            },
        })
    }

    /// The retention policies of TimescaleDB.
    pub(super) fn policies(&self) -> Vec<Job> {
        let Some(policies) = &self.rows.policies else {
            return Vec::new();
        };
        let is_retention =
            |row: &&BTreeMap<String, Value>| row.get("proc_name").and_then(Value::as_str) == Some("policy_retention");
        policies
            .rows
            .iter()
            .filter(is_retention)
            .filter_map(|row| self.policy(row, policies))
            .collect()
    }

    fn policy(&self, row: &BTreeMap<String, Value>, rows: &ExtensionRows) -> Option<Job> {
        let text = |name: &str| row.get(name).and_then(plain);
        let config = |name: &str| row.get("config").and_then(|config| config.get(name)).and_then(plain);
        let after = match (config("drop_after"), config("drop_created_before")) {
            (Some(age), _) => (age.clone(), parse_interval_of(&age)),
            // Rows may be younger than the chunk that holds them.
            (None, Some(age)) => (format!("{age} by the time at which they were made"), None),
            (None, None) => return None,
        };
        let runs = self.rows.policy_runs.iter().flat_map(|r| &r.rows);
        let stats = runs.clone().find(|stats| stats.get("job_id") == row.get("job_id"));
        let stat = |name: &str| stats.and_then(|s| s.get(name)).and_then(plain);
        let mut stops = Vec::new();
        if row.get("scheduled").and_then(Value::as_bool) == Some(false) {
            stops.push(Stop {
                kind: StopKind::Disabled,
                reason: "it is not scheduled".to_owned(),
                help: "Run alter_job(…, scheduled => true).".to_owned(),
            });
        }
        if text("next_start").is_some_and(|next| next.contains("infinity")) {
            stops.push(Stop {
                kind: StopKind::Disabled,
                reason: "its next start is never".to_owned(),
                help: "Run alter_job(…, next_start => now()).".to_owned(),
            });
        }
        let failed = stat("last_run_status").is_some_and(|status| status.eq_ignore_ascii_case("failed"));
        let every = text("schedule_interval")
            .as_deref()
            .and_then(parse_interval)
            .map(longest);
        Some(Job {
            name: text("application_name").unwrap_or_else(|| "retention policy".to_owned()),
            scheduler: Scheduler::Timescale,
            role: text("owner"),
            task: Task::Partitions {
                namespace: text("hypertable_schema"),
                table: text("hypertable_name")?,
                column: None,
                after: Some(after),
                width: None,
                fate: Fate::Dropped,
                caller: Caller::Itself,
                only_by_name: false,
            },
            schedule: every.map_or(Schedule::Unknown, Schedule::Every),
            stops,
            runs: Runs {
                recorded: u64::from(stats.is_some()),
                last_started: stat("last_run_started_at").and_then(|at| age(&at, rows)),
                last_success: stat("last_successful_finish").and_then(|at| age(&at, rows)),
                failed_in_a_row: u64::from(failed),
                ..Runs::default()
            },
        })
    }
}

fn longest(span: Span) -> Duration {
    Duration::from_micros(u64::try_from(span.most).unwrap_or_default())
}

/// An integer is a number of the partition key's own units, which nothing here tells.
fn parse_interval_of(text: &str) -> Option<Span> {
    let number = text.trim().parse::<f64>().is_ok();
    if number { None } else { parse_interval(text) }
}

fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// Returns how long ago a time was.
fn age(at: &str, rows: &ExtensionRows) -> Option<Duration> {
    let at = chrono::DateTime::parse_from_rfc3339(at).ok()?;
    (rows.now - at.to_utc()).to_std().ok()
}

/// Splits `public.ProcessedIntegrationEvents`, which is not quoted.
fn split_name(name: &str) -> (Option<String>, String) {
    match name.split_once('.') {
        Some((space, table)) => (Some(space.to_owned()), table.to_owned()),
        None => (None, name.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::assemble::assemble;
    use super::super::assemble::tests::rows;
    use super::*;

    fn partman(row: Value) -> Job {
        let mut rows = rows(json!({ "extensions": { "pg_partman": "partman" } }), Value::Null);
        rows.partitions =
            Some(serde_json::from_value(json!({ "rows": [row], "now": "2026-03-01T00:00:00+00:00" })).unwrap());
        assemble(&rows).jobs.remove(0)
    }

    /// The first row is one of 4.7.2 that was read from a server. Of 5.x there was no server: the second has the columns
    /// that its source creates (5.1), with those of later releases.
    #[test]
    fn both_generations_of_pg_partman_are_read_by_name() {
        let old = partman(json!({
            "parent_table": "public.L", "control": "At", "partition_type": "native", "partition_interval": "1 day",
            "retention": "30 days", "retention_schema": null, "retention_keep_table": true,
            "automatic_maintenance": "on", "undo_in_progress": false
        }));
        assert_eq!(old.name, "partman.part_config");
        let Task::Partitions {
            after,
            width,
            fate,
            only_by_name,
            ..
        } = &old.task
        else {
            panic!("partitions");
        };
        assert_eq!(after, &Some(("30 days".to_owned(), Some(Span::days(30)))));
        assert_eq!((width, fate), (&Some(Span::days(1)), &Fate::Detached));
        assert!(!only_by_name);
        let new = partman(json!({
            "parent_table": "public.L", "control": "At", "partition_type": "range", "partition_interval": "1 mon",
            "retention": "30 days", "retention_keep_table": false, "automatic_maintenance": "off",
            "maintenance_last_run": "2026-02-28T12:00:00+00:00", "time_encoder": null, "time_decoder": null,
            "maintenance_order": null, "retention_keep_publication": false, "date_trunc_interval": null,
            "default_table": true, "retention_schema": null, "undo_in_progress": true, "maintenance_role": null,
            "async_partitioning_in_progress": null, "detach_before_drop": false, "infinite_time_partitions": true
        }));
        assert_eq!(new.stops[0].kind, StopKind::Disabled);
        assert_eq!(new.runs.last_success, Some(Duration::from_secs(12 * 60 * 60)));
        let Task::Partitions { fate, only_by_name, .. } = &new.task else {
            panic!("partitions");
        };
        assert_eq!((fate, *only_by_name), (&Fate::Dropped, true));
    }

    #[test]
    fn the_background_worker_is_a_job_of_the_databases_that_it_serves() {
        let worker = |databases: &str, role: &str| {
            let settings = json!({ "pg_partman_bgw.dbname": databases, "pg_partman_bgw.role": role,
                "pg_partman_bgw.interval": "3600" });
            let extensions = json!({ "pg_partman": "partman" });
            let rows = rows(json!({ "extensions": extensions, "settings": settings }), Value::Null);
            assemble(&rows).jobs.pop()
        };
        let job = worker("other, app", "owner").unwrap();
        assert_eq!(job.schedule, Schedule::Every(Duration::from_secs(3600)));
        assert_eq!((job.role.as_deref(), job.stops.len()), (Some("owner"), 0));
        assert!(matches!(&job.task, Task::Statements { sql, .. } if sql == "SELECT \"partman\".run_maintenance()"));
        assert_eq!(worker("other", "owner"), None);
        assert_eq!(worker("app", "gone").unwrap().stops[0].kind, StopKind::Failing);
    }

    #[test]
    fn a_policy_of_timescaledb_drops_chunks() {
        let mut rows = rows(json!({ "extensions": { "timescaledb": "public" } }), Value::Null);
        let now = "2026-03-01T00:00:00+00:00";
        rows.policies = Some(
            serde_json::from_value(json!({ "now": now, "rows": [
                { "job_id": 1000, "proc_name": "policy_compression", "scheduled": true },
                { "job_id": 1001, "application_name": "Retention Policy [1001]", "proc_name": "policy_retention",
                  "schedule_interval": "1 day", "scheduled": false, "config": { "drop_after": "30 days" },
                  "hypertable_schema": "public", "hypertable_name": "L", "owner": "app" }
            ]}))
            .unwrap(),
        );
        rows.policy_runs = Some(
            serde_json::from_value(json!({ "now": now, "rows": [
                { "job_id": 1001, "last_run_status": "Failed", "last_successful_finish": "2026-02-27T00:00:00+00:00" }
            ]}))
            .unwrap(),
        );
        let jobs = assemble(&rows).jobs;
        assert_eq!(jobs.len(), 1);
        assert_eq!(jobs[0].stops[0].reason, "it is not scheduled");
        assert_eq!(jobs[0].runs.failed_in_a_row, 1);
        assert_eq!(jobs[0].runs.last_success, Some(Duration::from_secs(2 * 24 * 60 * 60)));
        let Task::Partitions { after, .. } = &jobs[0].task else {
            panic!("partitions");
        };
        assert_eq!(after, &Some(("30 days".to_owned(), Some(Span::days(30)))));
    }

    #[test]
    fn chunks_that_go_by_the_time_of_their_making_tell_no_age() {
        let mut rows = rows(json!({ "extensions": { "timescaledb": "public" } }), Value::Null);
        rows.policies = Some(
            serde_json::from_value(json!({ "now": "2026-03-01T00:00:00+00:00", "rows": [
                { "job_id": 1, "proc_name": "policy_retention", "schedule_interval": "1 day", "scheduled": true,
                  "config": { "drop_created_before": "30 days" }, "hypertable_schema": "public", "hypertable_name": "L" }
            ]}))
            .unwrap(),
        );
        let jobs = assemble(&rows).jobs;
        assert!(
            matches!(
                &jobs[0].task,
                Task::Partitions {
                    after: Some((_, None)),
                    ..
                }
            ),
            "{jobs:?}"
        );
    }
}
