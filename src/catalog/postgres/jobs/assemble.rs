//! Rows to evidence. Pure.

use std::time::Duration;

use super::rows::{CronJobRow, JobRows, Probe, RoleRow, RoutineRow, SchedulersRow, TriggerRow, ViewRow};
use crate::catalog::heartbeat::{self, seconds};
use crate::retention::{
    Evidence, Grants, Hidden, Job, Parameter, Record, Routine, RoutineKind, Runs, Schedule, Scheduler, Stop, StopKind,
    TableGrant, TableTrigger, Task, View as ObservedView,
};
use crate::schema::{Timing, Trigger};

/// How far a local clock can be ahead of UTC anywhere.
const FARTHEST: Duration = Duration::from_secs(14 * 60 * 60);

/// Makes evidence of what the queries brought back.
pub(in crate::catalog::postgres) fn assemble(rows: &JobRows) -> Evidence {
    let mut evidence = Evidence {
        looked: true,
        hidden: rows.hidden.clone(),
        ..Evidence::default()
    };
    let Some(schedulers) = &rows.schedulers else {
        return evidence;
    };
    let view = View { rows, schedulers };
    let cron = rows.cron.iter().flat_map(|cron| &cron.jobs);
    evidence.jobs.extend(cron.map(|job| view.cron_job(job)));
    evidence.jobs.extend(view.partitions());
    evidence.jobs.extend(view.partition_worker());
    evidence.jobs.extend(view.policies());
    evidence.jobs.extend(rows.heartbeats.iter().map(heartbeat::job));
    evidence.routines = rows.called.routines.iter().map(routine).collect();
    evidence.views = rows.called.views.iter().map(observed_view).collect();
    evidence.triggers = rows.called.triggers.iter().map(trigger).collect();
    let refused = rows.called.undeletable.iter().map(|table| {
        let why = "the server refuses them, because they are published and the table has no replica identity";
        (table.clone(), why.to_owned())
    });
    evidence.refused = refused.collect();
    evidence.grants = rows.called.roles.iter().filter(|r| r.exists).map(grants).collect();
    evidence.hidden.extend(view.hidden());
    let utc = ["utc", "etc/utc", "gmt", "etc/gmt", "zulu", "universal"];
    let zone = schedulers.zone.as_deref().unwrap_or_default().to_lowercase();
    evidence.local_ahead = if utc.contains(&zone.as_str()) {
        Duration::ZERO
    } else {
        FARTHEST
    };
    evidence
}

/// The rows, and what the server says of its schedulers.
pub(super) struct View<'a> {
    pub(super) rows: &'a JobRows,
    pub(super) schedulers: &'a SchedulersRow,
}

/// Whether the library of pg_cron is loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Loaded {
    Yes,
    No,
    Unknown,
}

impl View<'_> {
    fn setting(&self, name: &str) -> Option<&str> {
        self.rows.cron_settings.get(name).map(String::as_str)
    }

    fn is_here(&self) -> bool {
        self.schedulers.extensions.contains_key("pg_cron")
    }

    fn loaded(&self) -> Loaded {
        if self.rows.cron_settings.keys().any(|name| name.starts_with("cron.")) {
            return Loaded::Yes;
        }
        match (self.schedulers.sees_settings, self.rows.probe) {
            (true, _) | (_, Probe::Absent) => Loaded::No,
            (false, Probe::Present) => Loaded::Yes,
            (false, Probe::NotAsked) => Loaded::Unknown,
        }
    }

    /// Places where a job may be and that were not seen.
    fn hidden(&self) -> Vec<Hidden> {
        let mut hidden = Vec::new();
        let mut add = |reason: String, help: &str| {
            hidden.push(Hidden {
                reason,
                help: help.to_owned(),
            });
        };
        let tables = &self.schedulers.tables;
        if self.is_here() || self.rows.elsewhere {
            match tables.get("cron.job").map(String::as_str) {
                Some("own") => add(
                    "Row security lets this role see only its own jobs in cron.job.".to_owned(),
                    "Check with a role that has BYPASSRLS, or with the one that the job runs as.",
                ),
                Some("all") => {}
                _ => add(
                    "This role may not read cron.job, the jobs of pg_cron.".to_owned(),
                    "Run GRANT USAGE ON SCHEMA cron and GRANT SELECT ON cron.job, cron.job_run_details for the checking \
                     role, which also needs BYPASSRLS to see the jobs of others.",
                ),
            }
        } else if self.rows.cron.is_none() && self.loaded() != Loaded::No {
            let place = match self.setting("cron.database_name") {
                Some(name) => format!("the database {name}"),
                None => "another database".to_owned(),
            };
            add(
                format!(
                    "The server loads pg_cron, whose jobs live in {place}: one of them may work on the database {}.",
                    self.schedulers.database
                ),
                "Name the database of pg_cron with --scheduler-url.",
            );
        }
        let filtered = |(name, sight): &(&String, &String)| *sight == "own" && !name.starts_with("cron.");
        for (name, _) in tables.iter().filter(filtered) {
            add(
                format!("Row security lets this role see only some of the rows of {name}."),
                "Check with the table's owner, or with a role that has BYPASSRLS.",
            );
        }
        if let Some(space) = self.schedulers.extensions.get("pg_partman")
            && self.rows.partitions.is_none()
        {
            add(
                format!("This role may not read {space}.part_config, the settings of pg_partman."),
                "Grant USAGE on its schema and SELECT on the table to the checking role.",
            );
        }
        if self.schedulers.extensions.contains_key("timescaledb") && self.rows.policies.is_none() {
            add(
                "This role may not read timescaledb_information.jobs, the policies of TimescaleDB.".to_owned(),
                "Grant SELECT on the view to the checking role.",
            );
        }
        hidden
    }

    fn cron_job(&self, row: &CronJobRow) -> Job {
        let role = self.rows.called.roles.iter().find(|r| r.name == row.role);
        let name = match &row.name {
            Some(name) => name.clone(),
            None => format!("job {}", row.id),
        };
        Job {
            name,
            scheduler: Scheduler::PgCron,
            role: Some(row.role.clone()),
            task: Task::Statements {
                sql: row.command.clone(),
                path: search_path(role.and_then(|r| r.path.as_deref()), &row.role),
            },
            schedule: Schedule::Cron(row.schedule.clone()),
            stops: self.cron_stops(row, role),
            runs: self.cron_runs(row),
        }
    }

    fn cron_runs(&self, row: &CronJobRow) -> Runs {
        let runs = &row.runs;
        let background = self.setting("cron.use_background_workers") == Some("on");
        let record = if !is_local(&row.node) && !background && runs.failed_in_a_row == 0 {
            Record::None(format!(
                "it connects to the host {}, which may be another server",
                row.node
            ))
        } else if runs.recorded == 0 && self.setting("cron.log_run") == Some("off") {
            Record::None("cron.log_run is off, so that runs leave no record".to_owned())
        } else {
            Record::Kept
        };
        Runs {
            record,
            recorded: runs.recorded,
            last_started: runs.started_ago.map(seconds),
            last_success: runs.succeeded_ago.map(seconds),
            failed_in_a_row: runs.failed_in_a_row,
            empty_in_a_row: runs.empty_in_a_row,
            message: runs.message.clone(),
            exists_for: None,
        }
    }

    fn cron_stops(&self, row: &CronJobRow, role: Option<&RoleRow>) -> Vec<Stop> {
        let mut stops = Vec::new();
        let mut stop = |kind, reason: String, help: &str| {
            stops.push(Stop {
                kind,
                reason,
                help: help.to_owned(),
            });
        };
        let here = &self.schedulers.database;
        if row.database != *here {
            let reason = format!("it runs in the database {} and not in {here}", row.database);
            stop(
                StopKind::Elsewhere,
                reason,
                "Schedule it with cron.schedule_in_database.",
            );
        }
        let background = self.setting("cron.use_background_workers") == Some("on");
        let port = self.schedulers.settings.get("port").and_then(|p| p.parse::<i64>().ok());
        if !background && port.is_some_and(|port| port != row.port) {
            let reason = format!("it connects to port {} of {}, another server", row.port, row.node);
            stop(
                StopKind::Elsewhere,
                reason,
                "Set its nodename and nodeport to this server.",
            );
        }
        if !row.active {
            let help = "Run cron.alter_job(…, active := true), or drop it.";
            stop(StopKind::Disabled, "it is not active".to_owned(), help);
        }
        if self.setting("cron.launch_active_jobs") == Some("off") {
            let reason = "cron.launch_active_jobs is off, so that no job starts".to_owned();
            stop(StopKind::Disabled, reason, "Set it to on.");
        }
        if self.loaded() == Loaded::No {
            let reason = "the library of pg_cron is not loaded, so that no job starts".to_owned();
            let help = "Add pg_cron to shared_preload_libraries and restart the server.";
            stop(StopKind::Disabled, reason, help);
        } else if let Some(home) = self.setting("cron.database_name").filter(|_| !self.rows.elsewhere)
            && home != here
        {
            let reason = format!("pg_cron reads its jobs from the database {home} and not from {here}");
            stop(
                StopKind::Disabled,
                reason,
                "Schedule the job there, with cron.schedule_in_database.",
            );
        }
        match role {
            Some(role) if !role.exists => {
                let reason = format!("its role {} does not exist, so that each run fails", row.role);
                stop(StopKind::Failing, reason, "Let it run as a role that exists.");
            }
            Some(role) if role.can_login == Some(false) => {
                let reason = format!("its role {} may not log in, so that each run fails", row.role);
                stop(
                    StopKind::Failing,
                    reason,
                    "Run ALTER ROLE … LOGIN, or let it run as another role.",
                );
            }
            Some(role) if role.superuser == Some(true) && self.setting("cron.enable_superuser_jobs") == Some("off") => {
                let reason = format!(
                    "its role {} is a superuser, and cron.enable_superuser_jobs is off",
                    row.role
                );
                stop(StopKind::Failing, reason, "Let it run as a role that is no superuser.");
            }
            // A job that speaks of it may choose for itself.
            Some(role) if role.read_only == Some(true) && !row.command.to_lowercase().contains("read") => {
                let reason = format!(
                    "the transactions of its role {} are read-only (default_transaction_read_only)",
                    row.role
                );
                let help = "Reset the setting for the role, or let the job run as another role.";
                stop(StopKind::Failing, reason, help);
            }
            _ => {}
        }
        stops
    }
}

/// Returns whether a host is certainly the server's own.
fn is_local(node: &str) -> bool {
    let node = node.trim();
    node.is_empty() || node.starts_with('/') || node.starts_with("127.") || matches!(node, "localhost" | "::1")
}

/// Reads a `search_path`: `"$user", public` where none is set.
fn search_path(setting: Option<&str>, role: &str) -> Vec<String> {
    let setting = setting.unwrap_or("\"$user\", public");
    let names = setting.split(',').map(str::trim).filter(|name| !name.is_empty());
    names
        .map(|name| match name.strip_prefix('"').and_then(|n| n.strip_suffix('"')) {
            Some("$user") => role.to_owned(),
            Some(quoted) => quoted.replace("\"\"", "\""),
            None if name == "$user" => role.to_owned(),
            None => name.to_lowercase(),
        })
        .collect()
}

fn routine(row: &RoutineRow) -> Routine {
    let path = row.settings.iter().find_map(|s| s.strip_prefix("search_path="));
    Routine {
        namespace: row.namespace.clone(),
        name: row.name.clone(),
        language: row.language.clone(),
        parameters: row
            .parameters
            .iter()
            .map(|p| Parameter {
                name: p.name.clone().unwrap_or_default(),
                default: p.default.clone(),
            })
            .collect(),
        body: row.body.as_deref().map(standard_body),
        definer: row.definer.clone(),
        path: path.map(|path| search_path(Some(path), row.definer.as_deref().unwrap_or_default())),
        fails: None,
        kind: match row.kind.as_str() {
            "procedure" => RoutineKind::Procedure,
            "trigger" => RoutineKind::Trigger,
            _ => RoutineKind::Function,
        },
        reads_only: row.reads_only,
        closed_to: row.closed_to.clone(),
    }
}

fn observed_view(row: &ViewRow) -> ObservedView {
    ObservedView {
        namespace: Some(row.namespace.clone()),
        name: row.name.clone(),
        definition: row.definition.clone(),
        instead: row.instead.clone(),
    }
}

fn trigger(row: &TriggerRow) -> TableTrigger {
    TableTrigger {
        namespace: Some(row.namespace.clone()),
        table: row.table.clone(),
        trigger: Trigger {
            name: row.name.clone(),
            // When it fires does not matter to another table.
            timing: Timing::After,
            events: Vec::new(),
            per_row: true,
            enabled: true,
            condition: None,
            body: Some(row.body.clone()),
            function: Some(row.function.clone()),
            partition: None,
            failure: None,
        },
    }
}

/// A body in standard SQL is printed with the whole definition; what counts begins behind the head.
fn standard_body(body: &str) -> String {
    if !body.trim_start().starts_with("CREATE ") {
        return body.to_owned();
    }
    let start = ["BEGIN ATOMIC", "\nRETURN "].iter().find_map(|head| body.find(head));
    start.map_or_else(|| body.to_owned(), |at| body[at..].to_owned())
}

fn grants(role: &RoleRow) -> Grants {
    let tables = role.tables.iter().map(|(name, grant)| {
        let grant = TableGrant {
            delete: grant.delete,
            truncate: grant.truncate,
            drop: grant.drop,
            rows_hidden: grant.rows_hidden,
        };
        (name.clone(), grant)
    });
    Grants {
        role: role.name.clone(),
        tables: tables.collect(),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use serde_json::{Value, json};

    use super::super::rows::{CalledRow, CronRow};
    use super::*;

    pub(in crate::catalog::postgres::jobs) fn rows(schedulers: Value, jobs: Value) -> JobRows {
        let mut whole = json!({
            "extensions": { "pg_cron": "pg_catalog" }, "zone": "UTC", "sees_settings": true, "started": "x",
            "database": "app", "tables": { "cron.job": "all", "cron.job_run_details": "all" },
            "settings": { "port": "5432", "cron.database_name": "app", "cron.log_run": "on" }
        });
        for (key, value) in schedulers.as_object().unwrap() {
            whole[key] = value.clone();
        }
        let schedulers: SchedulersRow = serde_json::from_value(whole).unwrap();
        JobRows {
            cron_settings: schedulers.settings.clone(),
            schedulers: Some(schedulers),
            cron: jobs.is_array().then(|| CronRow {
                jobs: serde_json::from_value(jobs).unwrap(),
            }),
            called: CalledRow {
                roles: serde_json::from_value(json!([
                    { "name": "owner", "exists": true, "can_login": true, "superuser": false, "path": null, "tables": null },
                    { "name": "gone", "exists": false, "can_login": null, "superuser": null, "path": null, "tables": null },
                    { "name": "closed", "exists": true, "can_login": false, "superuser": false,
                      "path": "\"$user\", \"Ledger\", PUBLIC", "tables": null }
                ]))
                .unwrap(),
                ..CalledRow::default()
            },
            ..JobRows::default()
        }
    }

    fn job(changes: Value) -> Value {
        let mut job = json!({
            "id": 1, "name": "purge", "schedule": "0 3 * * *", "command": "DELETE FROM t", "node": "localhost",
            "port": 5432, "database": "app", "role": "owner", "active": true,
            "runs": { "recorded": 1, "started_ago": 10.0, "succeeded_ago": 9.0, "failed_in_a_row": 0,
                "empty_in_a_row": 0, "message": "DELETE 1" }
        });
        for (key, value) in changes.as_object().unwrap() {
            job[key] = value.clone();
        }
        json!([job])
    }

    fn reasons(schedulers: Value, changes: Value) -> String {
        let evidence = assemble(&rows(schedulers, job(changes)));
        let stops = evidence.jobs[0].stops.iter().map(|s| s.reason.clone());
        stops.collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn a_job_of_this_database_and_server_runs() {
        assert_eq!(reasons(json!({}), json!({})), "");
        let evidence = assemble(&rows(json!({}), job(json!({}))));
        assert_eq!(evidence.hidden, []);
        let roles: Vec<&str> = evidence.grants.iter().map(|g| g.role.as_str()).collect();
        assert_eq!(roles, ["owner", "closed"]);
    }

    /// There was no server of pg_cron 1.5 or newer: the row has the columns that its source creates, which are those of
    /// 1.4 with a name of type text, and a schedule of seconds, which 1.4 does not take.
    #[test]
    fn a_job_of_pg_cron_1_5_may_run_every_few_seconds() {
        let changes = json!({ "name": "a name of more than sixty-three characters, which the type name would have cut",
            "schedule": "30 seconds" });
        let evidence = assemble(&rows(
            json!({ "settings": { "port": "5432", "cron.database_name": "app", "cron.log_run": "on",
                "cron.launch_active_jobs": "on", "cron.timezone": "GMT" } }),
            job(changes),
        ));
        assert_eq!(evidence.jobs[0].stops, []);
        assert!(evidence.jobs[0].name.ends_with("would have cut"));
        assert_eq!(evidence.jobs[0].schedule, Schedule::Cron("30 seconds".to_owned()));
        let off =
            json!({ "settings": { "port": "5432", "cron.database_name": "app", "cron.launch_active_jobs": "off" } });
        assert!(reasons(off, json!({})).contains("launch_active_jobs"));
    }

    #[test]
    fn each_reason_not_to_run_is_named() {
        for (changes, words) in [
            (json!({ "active": false }), "not active"),
            (json!({ "database": "other" }), "in the database other"),
            (json!({ "port": 6543 }), "port 6543"),
            (json!({ "role": "gone" }), "does not exist"),
            (json!({ "role": "closed" }), "may not log in"),
        ] {
            let said = reasons(json!({}), changes);
            assert!(said.contains(words), "{said}");
        }
        let settings = json!({ "settings": { "port": "5432" } });
        assert!(reasons(settings, json!({})).contains("not loaded"));
        let settings = json!({ "settings": { "port": "5432", "cron.database_name": "postgres" } });
        assert!(reasons(settings, json!({})).contains("the database postgres"));
    }

    #[test]
    fn what_may_not_be_seen_is_hidden() {
        for (schedulers, words) in [
            (json!({ "tables": { "cron.job": "hidden" } }), "may not read cron.job"),
            (json!({ "extensions": {} }), "whose jobs live in the database app"),
            (
                json!({ "tables": { "cron.job": "all", "public.ledger_retention": "own" } }),
                "only some of the rows of public.ledger_retention",
            ),
        ] {
            let evidence = assemble(&rows(schedulers, Value::Null));
            assert!(evidence.hidden[0].reason.contains(words), "{:?}", evidence.hidden);
        }
        let elsewhere = JobRows {
            elsewhere: true,
            ..rows(json!({ "extensions": {}, "tables": { "cron.job": "own" } }), json!([]))
        };
        let hidden = assemble(&elsewhere).hidden;
        assert!(hidden[0].reason.contains("only its own jobs"), "{hidden:?}");
        let nothing = json!({ "extensions": {}, "settings": { "port": "5432" } });
        assert_eq!(assemble(&rows(nothing, Value::Null)).hidden, []);
    }

    #[test]
    fn a_plain_role_tells_a_loaded_library_from_an_absent_one() {
        let plain = json!({ "extensions": {}, "settings": { "port": "5432" }, "sees_settings": false });
        for (probe, hidden) in [(Probe::Absent, 0), (Probe::Present, 1), (Probe::NotAsked, 1)] {
            let rows = JobRows {
                probe,
                ..rows(plain.clone(), Value::Null)
            };
            assert_eq!(assemble(&rows).hidden.len(), hidden, "{probe:?}");
        }
    }

    #[test]
    fn a_search_path_is_read_as_the_server_does() {
        assert_eq!(search_path(None, "app"), ["app", "public"]);
        let evidence = assemble(&rows(json!({}), job(json!({ "role": "closed" }))));
        let Task::Statements { path, .. } = &evidence.jobs[0].task else {
            panic!("a job of pg_cron runs statements");
        };
        assert_eq!(path, &["closed", "Ledger", "public"]);
    }
}
