//! Events and routines of MySQL and MariaDB, and what runners outside say of themselves.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use super::grants::{Privileges, account_matches};
use super::job_rows::{EventRow, JobRows, ParameterRow, RoutineRow, TriggerRow, ViewRow};
use super::mode::in_default_mode;
use crate::catalog::AskTable;
use crate::catalog::heartbeat::{self, seconds};
use crate::dialect::Dialect;
use crate::retention::{
    Evidence, Grants, Hidden, Job, Parameter, Record, Routine, RoutineKind, Runs, Schedule, Scheduler, Stop, StopKind,
    TableGrant, TableTrigger, Task, View, unit_of_time,
};
use crate::schema::{Timing, Trigger};

/// How far a local clock can be ahead of UTC anywhere.
const FARTHEST: Duration = Duration::from_secs(14 * 60 * 60);

/// What the role may see of jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct JobSight {
    /// The events of the database.
    pub(super) events: bool,
    /// The events of every other database.
    pub(super) elsewhere: bool,
    /// All accounts, so that one that is not seen is not there.
    pub(super) accounts: bool,
    /// All routines with their bodies, so that one that is not seen is not there.
    pub(super) routines: bool,
}

/// The tables that jobs may work on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted<'a> {
    pub(super) namespace: &'a str,
    pub(super) tables: &'a [AskTable],
    /// Whether names that differ in letter case are the same.
    pub(super) folds: bool,
}

/// Makes evidence of the rows.
pub(super) fn assemble(rows: &JobRows, sight: JobSight, user: &str, wanted: Wanted<'_>) -> Evidence {
    let mut hidden = rows.failures.clone();
    // An event that cannot run removes nothing, seen or not.
    if !rows.is_asleep() {
        hidden.splice(0..0, unseen_events(sight, user, wanted.namespace));
    }
    let events = rows.events.iter().map(|event| job(event, rows, sight, wanted));
    let jobs = events.chain(rows.heartbeats.iter().map(heartbeat::job)).collect();
    let ahead = rows
        .events
        .iter()
        .map(|event| match (event.ahead, event.zone.as_deref()) {
            (Some(ahead), _) => seconds(ahead),
            (None, Some("UTC" | "+00:00")) => Duration::ZERO,
            (None, _) => FARTHEST,
        });
    Evidence {
        looked: true,
        jobs,
        routines: rows
            .routines
            .iter()
            .map(|row| routine(row, &rows.parameters, sight))
            .collect(),
        hidden,
        grants: grants(rows, wanted),
        refused: BTreeMap::new(),
        local_ahead: ahead.max().unwrap_or_default(),
        folds_names: wanted.folds,
        views: rows.views.iter().map(view).collect(),
        triggers: rows.triggers.iter().map(trigger).collect(),
        sees_routines: sight.routines && rows.failures.is_empty(),
        asleep: rows.is_asleep().then(never_runs),
        no_scheduler: None,
    }
}

/// Says which events the role does not see.
fn unseen_events(sight: JobSight, user: &str, namespace: &str) -> Option<Hidden> {
    let database = Dialect::MariaDb.facts().quote(namespace);
    match sight {
        JobSight { events: false, .. } => Some(Hidden {
            reason: format!(
                "The user {user} lacks the EVENT privilege, and the server shows events only to those who have it."
            ),
            help: format!("Run GRANT EVENT ON {database}.* for this user."),
        }),
        JobSight { elsewhere: false, .. } => Some(Hidden {
            reason: format!(
                "The user {user} lacks the EVENT privilege on other databases, whose events may work on this one too."
            ),
            help: "Run GRANT EVENT ON *.* for this user.".to_owned(),
        }),
        _ => None,
    }
}

fn never_runs() -> Stop {
    Stop {
        kind: StopKind::Disabled,
        reason: "event_scheduler is DISABLED, so that no event ever runs".to_owned(),
        help: "Start the server with event_scheduler = ON in its configuration.".to_owned(),
    }
}

fn view(row: &ViewRow) -> View {
    View {
        namespace: Some(row.schema.clone()),
        name: row.name.clone(),
        definition: row.definition.clone(),
        instead: None,
    }
}

fn trigger(row: &TriggerRow) -> TableTrigger {
    TableTrigger {
        namespace: Some(row.schema.clone()),
        table: row.table.clone(),
        trigger: Trigger {
            name: row.name.clone(),
            timing: match row.timing.as_str() {
                "BEFORE" => Timing::Before,
                _ => Timing::After,
            },
            events: row.event.split(',').map(|event| event.trim().to_owned()).collect(),
            per_row: true,
            enabled: true,
            condition: None,
            body: Some(in_default_mode(&row.body, &row.mode)),
            function: None,
            partition: None,
            failure: None,
        },
    }
}

/// Returns the privileges of an account, with those that everybody has; nothing where they are not known.
fn privileges(rows: &JobRows, account: &str) -> Option<Privileges> {
    let mine = rows
        .privileges
        .as_ref()?
        .iter()
        .filter(|row| account_matches(&row.grantee, account));
    Some(Privileges::of_rows(mine))
}

/// What the accounts that jobs run as may do with the wanted tables.
fn grants(rows: &JobRows, wanted: Wanted<'_>) -> Vec<Grants> {
    let events = rows.events.iter().map(|row| (&row.definer, row.definer_known));
    let routines = rows.routines.iter().map(|row| (&row.definer, row.definer_known));
    let accounts: BTreeSet<&String> = events
        .chain(routines)
        .filter(|(_, known)| *known == Some(1))
        .filter_map(|(definer, _)| definer.as_ref())
        .collect();
    let of_account = |account: &String| {
        let privileges = privileges(rows, account)?;
        let grant = |table: &AskTable| {
            let may = |privilege| privileges.may(privilege, wanted.namespace, &table.name, wanted.folds);
            let grant = TableGrant {
                delete: may("DELETE") && may("SELECT"),
                truncate: may("DROP"),
                drop: may("DROP"),
                rows_hidden: false,
            };
            (table.name.clone(), grant)
        };
        Some(Grants {
            role: account.clone(),
            tables: wanted.tables.iter().map(grant).collect(),
        })
    };
    accounts.into_iter().filter_map(of_account).collect()
}

fn routine(row: &RoutineRow, parameters: &[ParameterRow], sight: JobSight) -> Routine {
    let is_gone = sight.accounts && row.definer_known == Some(0);
    let gone = row.definer.as_ref().filter(|_| is_gone);
    let mut own: Vec<&ParameterRow> = parameters
        .iter()
        .filter(|p| p.schema == row.schema && p.routine == row.name)
        .collect();
    own.sort_by_key(|p| p.position);
    Routine {
        kind: match row.kind.eq_ignore_ascii_case("PROCEDURE") {
            true => RoutineKind::Procedure,
            false => RoutineKind::Function,
        },
        namespace: row.schema.clone(),
        name: row.name.clone(),
        language: "sql".to_owned(),
        parameters: own
            .into_iter()
            .map(|p| Parameter {
                name: p.name.clone().unwrap_or_default(),
                default: None,
            })
            .collect(),
        body: row.body.as_ref().map(|body| in_default_mode(body, &row.mode)),
        definer: row.definer.clone(),
        path: None,
        fails: gone.map(|definer| format!("the definer `{definer}` of `{}` does not exist", row.name)),
        ..Routine::default()
    }
}

fn job(event: &EventRow, rows: &JobRows, sight: JobSight, wanted: Wanted<'_>) -> Job {
    let every = interval(event);
    let schedule = match every {
        _ if event.kind.eq_ignore_ascii_case("ONE TIME") => Schedule::Once,
        Some(every) => Schedule::Every(every),
        None => Schedule::Unknown,
    };
    // It counts from whichever came last: making it, or its own beginning.
    let since = [event.made_ago, event.starts_ago]
        .into_iter()
        .flatten()
        .reduce(f64::min);
    Job {
        name: event.name.clone(),
        scheduler: Scheduler::Events,
        role: event.definer.clone(),
        task: Task::Statements {
            sql: in_default_mode(event.definition.as_deref().unwrap_or_default(), &event.mode),
            path: vec![event.schema.clone()],
        },
        schedule,
        stops: stops(event, rows, every, sight, wanted),
        runs: Runs {
            record: Record::LastTime,
            recorded: u64::from(event.ran_ago.is_some()),
            last_started: event.ran_ago.map(seconds),
            exists_for: since.map(seconds),
            ..Runs::default()
        },
    }
}

/// Reads `1` `DAY`, `'1:30'` `HOUR_MINUTE`.
fn interval(event: &EventRow) -> Option<Duration> {
    unit_of_time(event.value.as_deref()?, event.field.as_deref()?)
}

fn stops(event: &EventRow, rows: &JobRows, every: Option<Duration>, sight: JobSight, wanted: Wanted<'_>) -> Vec<Stop> {
    /// An event that begins tomorrow has been made today.
    const SOON: f64 = 2.0 * 24.0 * 60.0 * 60.0;
    let mut stops = Vec::new();
    let mut stop = |kind, reason: String, help: &str| {
        stops.push(Stop {
            kind,
            reason,
            help: help.to_owned(),
        });
    };
    match rows.scheduler.as_deref().map(str::to_ascii_uppercase).as_deref() {
        Some("ON" | "1") => {}
        Some("DISABLED") => {
            let never = never_runs();
            stop(never.kind, never.reason, &never.help);
        }
        _ => stop(
            StopKind::Disabled,
            "event_scheduler is OFF, so that no event runs".to_owned(),
            "Run SET GLOBAL event_scheduler = ON, and write it into the server's configuration: the command alone is \
             forgotten at the next start.",
        ),
    }
    match event.status.to_ascii_uppercase().as_str() {
        "ENABLED" => {}
        "DISABLED" => stop(
            StopKind::Disabled,
            "the event is DISABLED".to_owned(),
            "Run ALTER EVENT … ENABLE.",
        ),
        status => stop(
            StopKind::Disabled,
            format!("the event is {status}, which is what a replica makes of its primary's events"),
            "After a fail-over run ALTER EVENT … ENABLE on the new primary.",
        ),
    }
    if event.ends_ago.is_some_and(|ago| ago > 0.0) {
        stop(
            StopKind::Disabled,
            "its end has passed".to_owned(),
            "Give it a later end, or none.",
        );
    }
    let wait = event.starts_ago.map_or(0.0, |ago| -ago);
    if wait > SOON.max(every.map_or(0.0, |e| e.as_secs_f64())) {
        let days = seconds(wait).as_secs() / (24 * 60 * 60);
        stop(
            StopKind::Disabled,
            format!("its first run is {days} days ahead"),
            "Let it start now: ALTER EVENT … ON SCHEDULE EVERY 1 DAY.",
        );
    }
    if sight.accounts && event.definer_known == Some(0) {
        let definer = event.definer.as_deref().unwrap_or_default();
        stop(
            StopKind::Failing,
            format!("its definer `{definer}` does not exist, so that each run fails"),
            "Make the event anew with a definer that exists.",
        );
    } else if let Some(definer) = &event.definer
        && event.definer_known == Some(1)
        && privileges(rows, definer).is_some_and(|p| !p.sees_events(&event.schema, wanted.folds))
    {
        stop(
            StopKind::Failing,
            format!(
                "its definer `{definer}` has no EVENT privilege of its own on `{}`, so that each run fails",
                event.schema
            ),
            "Grant EVENT on that database to the account itself; the scheduler takes no role.",
        );
    }
    stops
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: JobSight = JobSight {
        events: true,
        elsewhere: true,
        accounts: true,
        routines: true,
    };

    fn evidence(rows: &JobRows, sight: JobSight) -> Evidence {
        let tables = [AskTable {
            name: "L".to_owned(),
            indexes: Vec::new(),
        }];
        let wanted = Wanted {
            namespace: "ledger",
            tables: &tables,
            folds: false,
        };
        assemble(rows, sight, "reader@%", wanted)
    }

    fn rows(event: &serde_json::Value, scheduler: &str) -> JobRows {
        let mut rows = JobRows::default();
        let state = serde_json::json!({ "state": scheduler });
        rows.add("scheduler", &state.to_string());
        rows.add("event", &event.to_string());
        rows
    }

    fn event() -> serde_json::Value {
        serde_json::json!({
            "schema": "ledger", "name": "purge", "definer": "app@%", "definition": "DELETE FROM L",
            "type": "RECURRING", "value": "1", "field": "DAY", "status": "ENABLED", "starts_ago": 10, "ends_ago": null,
            "ran_ago": 5, "made_ago": 10, "zone": "SYSTEM", "ahead": 0, "definer_known": 1
        })
    }

    fn reasons(change: impl FnOnce(&mut serde_json::Value), scheduler: &str) -> String {
        let mut event = event();
        change(&mut event);
        let evidence = evidence(&rows(&event, scheduler), ALL);
        assert_eq!(evidence.hidden, []);
        let stops = evidence.jobs[0].stops.iter().map(|s| s.reason.clone());
        stops.collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn an_enabled_event_of_a_running_scheduler_runs() {
        assert_eq!(reasons(|_| {}, "ON"), "");
        let evidence = evidence(&rows(&event(), "ON"), ALL);
        assert_eq!(evidence.jobs[0].schedule, Schedule::Every(Duration::from_secs(86_400)));
    }

    #[test]
    fn each_reason_not_to_run_is_named() {
        for (key, value, words) in [
            ("status", serde_json::json!("DISABLED"), "is DISABLED"),
            ("status", serde_json::json!("SLAVESIDE_DISABLED"), "replica"),
            ("ends_ago", serde_json::json!(60), "end has passed"),
            ("starts_ago", serde_json::json!(-864_000), "10 days ahead"),
            ("definer_known", serde_json::json!(0), "does not exist"),
        ] {
            let said = reasons(|event| event[key] = value, "ON");
            assert!(said.contains(words), "{said}");
        }
        assert!(reasons(|_| {}, "OFF").contains("event_scheduler is OFF"));
        assert!(reasons(|_| {}, "DISABLED").contains("event_scheduler is DISABLED"));
        assert_eq!(
            reasons(|event| event["starts_ago"] = serde_json::json!(-3600), "ON"),
            ""
        );
    }

    #[test]
    fn without_the_privilege_events_are_hidden_and_not_missing() {
        let none = JobRows::default();
        let hidden = |sight| evidence(&none, sight).hidden.into_iter().next().unwrap().reason;
        assert!(hidden(JobSight { events: false, ..ALL }).contains("lacks the EVENT privilege, and"));
        assert!(
            hidden(JobSight {
                elsewhere: false,
                ..ALL
            })
            .contains("on other databases")
        );
        assert_eq!(evidence(&none, ALL).hidden, []);
    }

    #[test]
    fn a_scheduler_that_never_starts_hides_nothing() {
        let mut rows = JobRows::default();
        rows.add("scheduler", r#"{"state": "DISABLED"}"#);
        let evidence = evidence(&rows, JobSight { events: false, ..ALL });
        assert_eq!(evidence.hidden, []);
        assert!(evidence.asleep.unwrap().help.contains("event_scheduler = ON"));
    }

    #[test]
    fn what_an_account_may_do_is_told_by_its_own_privileges() {
        let with = |privileges: &[(&str, serde_json::Value)]| {
            let mut rows = rows(&event(), "ON");
            rows.privileges = Some(Vec::new());
            for (grantee, place) in privileges {
                for privilege in ["SELECT", "DELETE", "EVENT"] {
                    let mut row = place.clone();
                    row["grantee"] = (*grantee).into();
                    row["privilege"] = privilege.into();
                    rows.add("privilege", &row.to_string());
                }
            }
            let evidence = evidence(&rows, ALL);
            (evidence.grants[0].tables["L"].delete, evidence.jobs[0].stops.is_empty())
        };
        let ledger = serde_json::json!({ "schema": "ledger" });
        assert_eq!(with(&[]), (false, false));
        assert_eq!(with(&[("'app'@'%'", serde_json::json!({}))]), (true, true));
        assert_eq!(with(&[("'app'@'%'", ledger.clone())]), (true, true));
        assert_eq!(with(&[("'other'@'%'", ledger.clone())]), (false, false));
        assert_eq!(
            with(&[("'app'@'%'", serde_json::json!({ "schema": "other" }))]),
            (false, false)
        );
        assert_eq!(with(&[("''@'%'", ledger)]), (true, true));
        let table = serde_json::json!({ "schema": "ledger", "table": "L" });
        assert_eq!(with(&[("'app'@'%'", table)]), (true, false));
        // Without sight of accounts nothing follows.
        assert_eq!(evidence(&rows(&event(), "ON"), ALL).grants, []);
    }

    #[test]
    fn a_routine_whose_definer_is_gone_fails() {
        let mut rows = JobRows::default();
        rows.add(
            "routine",
            r#"{"schema": "ledger", "name": "purge", "body": "DELETE FROM \"L\"", "mode": "ANSI_QUOTES",
                "definer": "gone@%", "definer_known": 0}"#,
        );
        let routine = evidence(&rows, ALL).routines.remove(0);
        assert_eq!(routine.body.as_deref(), Some("DELETE FROM `L`"));
        assert!(routine.fails.unwrap().contains("gone@%"));
        let blind = JobSight { accounts: false, ..ALL };
        assert_eq!(evidence(&rows, blind).routines[0].fails, None);
    }
}
