//! The questions about events and what they touch, and what came back, verbatim.

use serde::Deserialize;

use super::grants::{PrivilegeRow, question};
use super::session::{Identity, Session, text};
use crate::catalog::Error;
use crate::catalog::heartbeat::{self, HeartbeatRow};
use crate::dialect::Dialect;
use crate::retention::Hidden;

/// What came back, verbatim.
#[derive(Clone, Debug, Default)]
pub(super) struct JobRows {
    pub(super) events: Vec<EventRow>,
    pub(super) scheduler: Option<String>,
    pub(super) routines: Vec<RoutineRow>,
    pub(super) parameters: Vec<ParameterRow>,
    pub(super) views: Vec<ViewRow>,
    pub(super) triggers: Vec<TriggerRow>,
    /// Those of the accounts that jobs run as; nothing unless they were read.
    pub(super) privileges: Option<Vec<PrivilegeRow>>,
    pub(super) heartbeats: Vec<HeartbeatRow>,
    /// What went wrong, in our own words.
    pub(super) failures: Vec<Hidden>,
    has_heartbeat: bool,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct EventRow {
    pub(super) schema: String,
    pub(super) name: String,
    pub(super) definer: Option<String>,
    pub(super) definition: Option<String>,
    #[serde(default)]
    pub(super) mode: String,
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) value: Option<String>,
    pub(super) field: Option<String>,
    pub(super) status: String,
    pub(super) starts_ago: Option<f64>,
    pub(super) ends_ago: Option<f64>,
    pub(super) ran_ago: Option<f64>,
    pub(super) made_ago: Option<f64>,
    pub(super) zone: Option<String>,
    pub(super) ahead: Option<f64>,
    pub(super) definer_known: Option<u8>,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct RoutineRow {
    pub(super) schema: String,
    pub(super) name: String,
    /// `FUNCTION` or `PROCEDURE`.
    #[serde(rename = "type", default)]
    pub(super) kind: String,
    pub(super) body: Option<String>,
    pub(super) mode: String,
    pub(super) definer: Option<String>,
    pub(super) definer_known: Option<u8>,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct ParameterRow {
    pub(super) schema: String,
    pub(super) routine: String,
    pub(super) position: u32,
    pub(super) name: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct ViewRow {
    pub(super) schema: String,
    pub(super) name: String,
    pub(super) definition: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct TriggerRow {
    pub(super) schema: String,
    pub(super) table: String,
    pub(super) name: String,
    pub(super) timing: String,
    pub(super) event: String,
    pub(super) mode: String,
    pub(super) body: String,
}

/// Asks for events, what they call and touch, and the rows of runners. Whatever goes wrong is no reason to lose the
/// catalog. `accounts` says whether the role sees all accounts, so that it can be told what those of jobs may do.
pub(super) async fn read(session: &mut Session, identity: &Identity, namespace: &str, accounts: bool) -> JobRows {
    let mut rows = JobRows::default();
    let scheduler = include_str!("queries/scheduler.sql").to_owned();
    rows.ask(session, scheduler, &[namespace], "The state of the event scheduler")
        .await;
    // A scheduler that was switched off at the start does not even show its events, and none of them runs.
    if !rows.is_asleep() {
        let events = include_str!("queries/events.sql").to_owned();
        rows.ask(session, events, &[], "The events of the server").await;
    }
    let routines = include_str!("queries/routines.sql").to_owned();
    rows.ask(session, routines, &[], "The routines of the server").await;
    rows.surroundings(session, namespace).await;
    if accounts && identity.is_mariadb() {
        rows.privileges(session).await;
    }
    if rows.has_heartbeat {
        match session.read(heartbeats(identity.dialect, namespace), &[]).await {
            Ok(answer) => rows.extend(&answer),
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

/// Returns as many placeholders as there are values.
fn placeholders(values: &[String]) -> String {
    vec!["?"; values.len()].join(", ")
}

impl JobRows {
    /// Returns whether no event can ever run.
    pub(super) fn is_asleep(&self) -> bool {
        self.scheduler
            .as_deref()
            .is_some_and(|state| state.eq_ignore_ascii_case("DISABLED"))
    }

    async fn ask(&mut self, session: &mut Session, sql: String, values: &[&str], what: &str) {
        match session.read(sql, values).await {
            Ok(answer) => self.extend(&answer),
            Err(error) => self.failures.push(failed(what, &error)),
        }
    }

    /// Asks for views that jobs may delete through, and for triggers that delete.
    async fn surroundings(&mut self, session: &mut Session, namespace: &str) {
        let mut schemas: Vec<String> = self.events.iter().map(|event| event.schema.clone()).collect();
        schemas.push(namespace.to_owned());
        schemas.sort();
        schemas.dedup();
        let sql = include_str!("queries/job_surroundings.sql").replace("{schemas}", &placeholders(&schemas));
        let values: Vec<&str> = schemas.iter().map(String::as_str).chain([namespace]).collect();
        self.ask(session, sql, &values, "The views and triggers around the jobs")
            .await;
    }

    /// Asks what the accounts may do that jobs run as.
    async fn privileges(&mut self, session: &mut Session) {
        let definers = self.events.iter().map(|event| &event.definer);
        let definers = definers
            .chain(self.routines.iter().map(|routine| &routine.definer))
            .flatten();
        let Some((sql, users)) = question(definers.map(String::as_str)) else {
            return;
        };
        let values: Vec<&str> = users.iter().map(String::as_str).collect();
        match session.read(sql, &values).await {
            Ok(answer) => {
                self.privileges = Some(Vec::new());
                self.extend(&answer);
            }
            Err(error) => self
                .failures
                .push(failed("The privileges of the jobs' accounts", &error)),
        }
    }

    fn extend(&mut self, answer: &[sqlx::mysql::MySqlRow]) {
        for row in answer {
            if let (Ok(kind), Ok(fact)) = (text(row, "kind"), text(row, "fact")) {
                self.add(&kind, &fact);
            }
        }
    }

    /// Adds one row; what cannot be read is left out, but for events.
    pub(super) fn add(&mut self, kind: &str, fact: &str) -> Option<()> {
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
            "view" => self.views.push(serde_json::from_str(fact).ok()?),
            "trigger" => self.triggers.push(serde_json::from_str(fact).ok()?),
            "privilege" => self.privileges.as_mut()?.push(serde_json::from_str(fact).ok()?),
            "heartbeat" => self.heartbeats.push(serde_json::from_str(fact).ok()?),
            "heartbeat_columns" => {
                let value: serde_json::Value = serde_json::from_str(fact).ok()?;
                self.has_heartbeat = value["columns"].as_f64().is_some_and(|columns| columns > 0.0);
            }
            _ => {}
        }
        Some(())
    }
}
