//! Rows to evidence. Pure.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::Value;

use super::rows::{CronJobRow, ExtensionRows, JobRows, Probe, RoleRow, RoutineRow, SchedulersRow};
use crate::catalog::heartbeat::{self, seconds};
use crate::retention::{
    Caller, Evidence, Fate, Grants, Hidden, Job, Parameter, Record, Routine, Runs, Schedule, Scheduler, Span, Stop,
    StopKind, TableGrant, Task, parse_interval,
};

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
    evidence.jobs.extend(view.policies());
    evidence.jobs.extend(rows.heartbeats.iter().map(heartbeat::job));
    evidence.routines = rows.called.routines.iter().map(routine).collect();
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
struct View<'a> {
    rows: &'a JobRows,
    schedulers: &'a SchedulersRow,
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
        let sight = |table: &str| self.schedulers.tables.get(table).map(String::as_str);
        if self.is_here() {
            match sight("cron.job") {
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
        let record = if runs.recorded > 0 {
            Record::Kept
        } else if self.setting("cron.log_run") == Some("off") {
            Record::None("cron.log_run is off, so that runs leave no record".to_owned())
        } else if !is_local(&row.node) && !background {
            Record::None(format!(
                "it connects to the host {}, which may be another server",
                row.node
            ))
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
            _ => {}
        }
        stops
    }

    /// The tables that pg_partman keeps.
    fn partitions(&self) -> Vec<Job> {
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
        if text("automatic_maintenance").as_deref() == Some("off") {
            stops.push(Stop {
                kind: StopKind::Disabled,
                reason: "automatic_maintenance is off, so that run_maintenance() passes the table over".to_owned(),
                help: format!("Set automatic_maintenance to 'on' in {space}.part_config."),
            });
        }
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
                caller: self.maintenance_caller(last),
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

    /// What calls the maintenance, beside jobs of pg_cron.
    fn maintenance_caller(&self, last: Option<Duration>) -> Caller {
        /// A maintenance that ran within this time has a caller, whoever it is.
        const RECENT: Duration = Duration::from_secs(48 * 60 * 60);
        if last.is_some_and(|age| age <= RECENT) {
            return Caller::Seen("it ran within the last two days".to_owned());
        }
        let libraries = self.schedulers.settings.get("shared_preload_libraries");
        let databases = self.schedulers.settings.get("pg_partman_bgw.dbname");
        let served = |list: &String| list.split(',').any(|name| name.trim() == self.schedulers.database);
        if libraries.is_some_and(|l| l.contains("pg_partman_bgw")) && databases.is_some_and(served) {
            return Caller::Seen("the background worker of pg_partman serves this database".to_owned());
        }
        Caller::Unseen(
            "Nothing in this database calls run_maintenance: no background worker of pg_partman serves it, and no job of \
             pg_cron was seen that does. A scheduler outside is possible."
                .to_owned(),
        )
    }

    /// The retention policies of TimescaleDB.
    fn policies(&self) -> Vec<Job> {
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
        let config = row.get("config");
        let after = config
            .and_then(|c| c.get("drop_after").or_else(|| c.get("drop_created_before")))
            .and_then(plain)?;
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
                after: Some((after.clone(), parse_interval_of(&after))),
                width: None,
                fate: Fate::Dropped,
                caller: Caller::Seen("TimescaleDB runs its policies itself".to_owned()),
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
mod tests {
    use serde_json::json;

    use super::super::rows::{CalledRow, CronRow};
    use super::*;

    fn rows(schedulers: Value, jobs: Value) -> JobRows {
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
                routines: Vec::new(),
                roles: serde_json::from_value(json!([
                    { "name": "owner", "exists": true, "can_login": true, "superuser": false, "path": null, "tables": null },
                    { "name": "gone", "exists": false, "can_login": null, "superuser": null, "path": null, "tables": null },
                    { "name": "closed", "exists": true, "can_login": false, "superuser": false,
                      "path": "\"$user\", \"Ledger\", PUBLIC", "tables": null }
                ]))
                .unwrap(),
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
            (json!({ "tables": { "cron.job": "own" } }), "only its own jobs"),
            (json!({ "tables": { "cron.job": "hidden" } }), "may not read cron.job"),
            (json!({ "extensions": {} }), "whose jobs live in the database app"),
        ] {
            let evidence = assemble(&rows(schedulers, Value::Null));
            assert!(evidence.hidden[0].reason.contains(words), "{:?}", evidence.hidden);
        }
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

    fn partman(row: Value) -> Job {
        let mut rows = rows(json!({ "extensions": { "pg_partman": "partman" } }), Value::Null);
        rows.partitions =
            Some(serde_json::from_value(json!({ "rows": [row], "now": "2026-03-01T00:00:00+00:00" })).unwrap());
        assemble(&rows).jobs.remove(0)
    }

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
            caller,
            ..
        } = &old.task
        else {
            panic!("partitions");
        };
        assert_eq!(after, &Some(("30 days".to_owned(), Some(Span::days(30)))));
        assert_eq!((width, fate), (&Some(Span::days(1)), &Fate::Detached));
        assert!(matches!(caller, Caller::Unseen(_)));
        let new = partman(json!({
            "parent_table": "public.L", "control": "At", "partition_type": "range", "partition_interval": "1 mon",
            "retention": "30 days", "retention_keep_table": false, "automatic_maintenance": "off",
            "maintenance_last_run": "2026-02-28T12:00:00+00:00", "time_encoder": null
        }));
        assert_eq!(new.stops[0].kind, StopKind::Disabled);
        assert_eq!(new.runs.last_success, Some(Duration::from_secs(12 * 60 * 60)));
        let Task::Partitions { fate, caller, .. } = &new.task else {
            panic!("partitions");
        };
        assert_eq!(fate, &Fate::Dropped);
        assert!(matches!(caller, Caller::Seen(_)));
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
    }
}
