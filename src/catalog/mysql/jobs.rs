//! Events and routines of MySQL and MariaDB, and what runners outside say of themselves.

use serde::Deserialize;
use std::time::Duration;

use super::session::{Identity, Session, text};
use crate::catalog::Error;
use crate::catalog::heartbeat::{self, HeartbeatRow, seconds};
use crate::dialect::Dialect;
use crate::retention::{
    Evidence, Hidden, Job, Parameter, Record, Routine, Runs, Schedule, Scheduler, Stop, StopKind, Task, unit_of_time,
};

/// How far a local clock can be ahead of UTC anywhere.
const FARTHEST: Duration = Duration::from_secs(14 * 60 * 60);

/// What came back, verbatim.
#[derive(Clone, Debug, Default)]
pub(super) struct JobRows {
    events: Vec<EventRow>,
    scheduler: Option<String>,
    routines: Vec<RoutineRow>,
    parameters: Vec<ParameterRow>,
    heartbeats: Vec<HeartbeatRow>,
    /// What went wrong, in our own words.
    failures: Vec<Hidden>,
}

#[derive(Clone, Debug, Deserialize)]
struct EventRow {
    schema: String,
    name: String,
    definer: Option<String>,
    definition: Option<String>,
    #[serde(rename = "type")]
    kind: String,
    value: Option<String>,
    field: Option<String>,
    status: String,
    starts_ago: Option<f64>,
    ends_ago: Option<f64>,
    ran_ago: Option<f64>,
    made_ago: Option<f64>,
    zone: Option<String>,
    ahead: Option<f64>,
    definer_known: Option<u8>,
}

#[derive(Clone, Debug, Deserialize)]
struct RoutineRow {
    schema: String,
    name: String,
    body: Option<String>,
    definer: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
struct ParameterRow {
    schema: String,
    routine: String,
    position: u32,
    name: Option<String>,
}

/// Asks for events, routines and the rows of runners. Whatever goes wrong is no reason to lose the catalog.
pub(super) async fn read(session: &mut Session, identity: &Identity, namespace: &str) -> JobRows {
    let mut rows = JobRows::default();
    let mut has_heartbeat = false;
    match session
        .read(include_str!("queries/events.sql").to_owned(), &[namespace])
        .await
    {
        Ok(answer) => {
            for row in &answer {
                has_heartbeat |= rows.push(row).unwrap_or_default();
            }
        }
        Err(error) => rows.failures.push(failed("The events of the server", &error)),
    }
    let routines = include_str!("queries/routines.sql").to_owned();
    match session.read(routines, &[namespace, namespace]).await {
        Ok(answer) => answer.iter().for_each(|row| {
            let _ = rows.push(row);
        }),
        Err(error) => rows.failures.push(failed("The routines of the database", &error)),
    }
    if has_heartbeat {
        match session.read(heartbeats(identity.dialect, namespace), &[]).await {
            Ok(answer) => answer.iter().for_each(|row| {
                let _ = rows.push(row);
            }),
            Err(_) => rows.failures.push(heartbeat::hidden()),
        }
    }
    rows
}

/// The namespace is a name and cannot be bound, so it is quoted.
fn heartbeats(dialect: Dialect, namespace: &str) -> String {
    let facts = dialect.facts();
    format!(
        "SELECT 'heartbeat' AS kind, CAST(JSON_OBJECT('ledger', ledger, 'horizon_seconds', horizon_seconds, \
         'started_ago', TIMESTAMPDIFF(SECOND, last_started_utc, utc_timestamp()), \
         'finished_ago', TIMESTAMPDIFF(SECOND, last_finished_utc, utc_timestamp()), \
         'last_deleted', last_deleted, 'last_error', last_error, 'runner', runner) AS CHAR) AS fact \
         FROM {}.{} ORDER BY ledger LIMIT 1000",
        facts.quote(namespace),
        facts.quote(heartbeat::TABLE)
    )
}

fn failed(what: &str, error: &Error) -> Hidden {
    Hidden {
        reason: format!("{what} could not be read: {}", error.reason),
        help: error.help.clone(),
    }
}

impl JobRows {
    /// Adds one row; answers whether it says that there is a table of runners.
    fn push(&mut self, row: &sqlx::mysql::MySqlRow) -> Option<bool> {
        let (kind, fact) = (text(row, "kind").ok()?, text(row, "fact").ok()?);
        self.add(&kind, &fact)
    }

    fn add(&mut self, kind: &str, fact: &str) -> Option<bool> {
        match kind {
            "event" => match serde_json::from_str(fact) {
                Ok(event) => self.events.push(event),
                Err(_) => self.failures.push(Hidden {
                    reason: "An event was described in a form that this program does not know.".to_owned(),
                    help: "Report it with the server's version.".to_owned(),
                }),
            },
            "scheduler" => {
                let value: serde_json::Value = serde_json::from_str(fact).ok()?;
                self.scheduler = value["state"].as_str().map(str::to_owned);
            }
            "routine" => self.routines.push(serde_json::from_str(fact).ok()?),
            "parameter" => self.parameters.push(serde_json::from_str(fact).ok()?),
            "heartbeat" => self.heartbeats.push(serde_json::from_str(fact).ok()?),
            "heartbeat_columns" => {
                let value: serde_json::Value = serde_json::from_str(fact).ok()?;
                return value["columns"].as_f64().map(|columns| columns > 0.0);
            }
            _ => {}
        }
        Some(false)
    }
}

/// What the role may see of jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct JobSight {
    /// The events of the database.
    pub(super) events: bool,
    /// All accounts, so that one that is not seen is not there.
    pub(super) accounts: bool,
}

/// Makes evidence of the rows.
pub(super) fn assemble(rows: &JobRows, sight: JobSight, user: &str, namespace: &str) -> Evidence {
    let mut hidden = rows.failures.clone();
    if !sight.events {
        let database = Dialect::MariaDb.facts().quote(namespace);
        hidden.insert(
            0,
            Hidden {
                reason: format!(
                    "The user {user} lacks the EVENT privilege, and the server shows events only to those who have it."
                ),
                help: format!("Run GRANT EVENT ON {database}.* for this user."),
            },
        );
    }
    let events = rows
        .events
        .iter()
        .map(|event| job(event, rows.scheduler.as_deref(), sight));
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
        routines: rows.routines.iter().map(|row| routine(row, &rows.parameters)).collect(),
        hidden,
        local_ahead: ahead.max().unwrap_or_default(),
        ..Evidence::default()
    }
}

fn routine(row: &RoutineRow, parameters: &[ParameterRow]) -> Routine {
    let mut own: Vec<&ParameterRow> = parameters
        .iter()
        .filter(|p| p.schema == row.schema && p.routine == row.name)
        .collect();
    own.sort_by_key(|p| p.position);
    Routine {
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
        body: row.body.clone(),
        definer: row.definer.clone(),
        path: None,
    }
}

fn job(event: &EventRow, scheduler: Option<&str>, sight: JobSight) -> Job {
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
            sql: event.definition.clone().unwrap_or_default(),
            path: vec![event.schema.clone()],
        },
        schedule,
        stops: stops(event, scheduler, every, sight),
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

fn stops(event: &EventRow, scheduler: Option<&str>, every: Option<Duration>, sight: JobSight) -> Vec<Stop> {
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
    match scheduler.map(str::to_ascii_uppercase).as_deref() {
        Some("ON" | "1") => {}
        Some("DISABLED") => stop(
            StopKind::Disabled,
            "event_scheduler is DISABLED, so that no event ever runs".to_owned(),
            "Start the server with event_scheduler = ON in its configuration.",
        ),
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
    }
    stops
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: JobSight = JobSight {
        events: true,
        accounts: true,
    };

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
        let evidence = assemble(&rows(&event, scheduler), ALL, "u", "ledger");
        assert_eq!(evidence.hidden, []);
        let stops = evidence.jobs[0].stops.iter().map(|s| s.reason.clone());
        stops.collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn an_enabled_event_of_a_running_scheduler_runs() {
        assert_eq!(reasons(|_| {}, "ON"), "");
        let evidence = assemble(&rows(&event(), "ON"), ALL, "u", "ledger");
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
        let evidence = assemble(
            &JobRows::default(),
            JobSight { events: false, ..ALL },
            "reader@%",
            "ledger",
        );
        assert!(evidence.hidden[0].reason.contains("EVENT privilege"));
    }
}
