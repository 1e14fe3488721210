//! What the queries about jobs brought back, verbatim. Field names are those of `queries/*.sql`.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use crate::catalog::heartbeat::HeartbeatRow;
use crate::catalog::postgres::rows::list;
use crate::retention::Hidden;

/// Everything about jobs.
#[derive(Clone, Debug, Default)]
pub(in crate::catalog::postgres) struct JobRows {
    pub(super) schedulers: Option<SchedulersRow>,
    /// Whether the library of pg_cron is loaded, where settings do not tell.
    pub(super) probe: Probe,
    pub(super) cron: Option<CronRow>,
    /// Whether the jobs of pg_cron were read through a connection to another database.
    pub(super) elsewhere: bool,
    /// Settings of pg_cron, as that connection saw them.
    pub(super) cron_settings: BTreeMap<String, String>,
    pub(super) called: CalledRow,
    pub(super) partitions: Option<ExtensionRows>,
    pub(super) policies: Option<ExtensionRows>,
    pub(super) policy_runs: Option<ExtensionRows>,
    pub(super) heartbeats: Vec<HeartbeatRow>,
    pub(super) hidden: Vec<Hidden>,
}

/// An answer about a library that settings do not give.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Probe {
    #[default]
    NotAsked,
    /// The setting is not known: the library is not loaded.
    Absent,
    /// The setting is there, and hidden from this role.
    Present,
}

#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct SchedulersRow {
    /// Extension, then its namespace.
    #[serde(deserialize_with = "map")]
    pub(super) extensions: BTreeMap<String, String>,
    #[serde(deserialize_with = "map")]
    pub(super) settings: BTreeMap<String, String>,
    pub(super) zone: Option<String>,
    pub(super) sees_settings: bool,
    pub(super) started: String,
    pub(super) database: String,
    /// Qualified table, then `all`, `own` or `hidden`.
    #[serde(deserialize_with = "map")]
    pub(super) tables: BTreeMap<String, String>,
}

#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct CronRow {
    pub(super) jobs: Vec<CronJobRow>,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct CronJobRow {
    pub(super) id: i64,
    pub(super) name: Option<String>,
    pub(super) schedule: String,
    pub(super) command: String,
    pub(super) node: String,
    pub(super) port: i64,
    pub(super) database: String,
    pub(super) role: String,
    pub(super) active: bool,
    pub(super) runs: CronRunsRow,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct CronRunsRow {
    pub(super) recorded: u64,
    pub(super) started_ago: Option<f64>,
    pub(super) succeeded_ago: Option<f64>,
    pub(super) failed_in_a_row: u64,
    pub(super) empty_in_a_row: u64,
    pub(super) message: Option<String>,
}

/// What jobs may call, and who they run as.
#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct CalledRow {
    pub(super) routines: Vec<RoutineRow>,
    pub(super) roles: Vec<RoleRow>,
    #[serde(deserialize_with = "list", default)]
    pub(super) views: Vec<ViewRow>,
    /// Tables whose deletions are published and cannot be told apart.
    #[serde(deserialize_with = "list", default)]
    pub(super) undeletable: Vec<String>,
    #[serde(deserialize_with = "list", default)]
    pub(super) triggers: Vec<TriggerRow>,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct ViewRow {
    pub(super) namespace: String,
    pub(super) name: String,
    pub(super) definition: Option<String>,
    pub(super) instead: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct TriggerRow {
    pub(super) namespace: String,
    pub(super) table: String,
    pub(super) name: String,
    pub(super) function: String,
    pub(super) body: String,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct RoutineRow {
    pub(super) namespace: String,
    pub(super) name: String,
    pub(super) language: String,
    pub(super) body: Option<String>,
    /// `function`, `procedure` or `trigger`.
    pub(super) kind: String,
    pub(super) reads_only: bool,
    #[serde(deserialize_with = "list")]
    pub(super) closed_to: Vec<String>,
    pub(super) definer: Option<String>,
    #[serde(deserialize_with = "list")]
    pub(super) settings: Vec<String>,
    #[serde(deserialize_with = "list")]
    pub(super) parameters: Vec<ParameterRow>,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct ParameterRow {
    pub(super) name: Option<String>,
    pub(super) default: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct RoleRow {
    pub(super) name: String,
    pub(super) exists: bool,
    pub(super) can_login: Option<bool>,
    pub(super) superuser: Option<bool>,
    /// Whether its transactions begin as read-only ones.
    #[serde(default)]
    pub(super) read_only: Option<bool>,
    pub(super) path: Option<String>,
    #[serde(deserialize_with = "map")]
    pub(super) tables: BTreeMap<String, GrantRow>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
pub(super) struct GrantRow {
    pub(super) delete: bool,
    pub(super) truncate: bool,
    pub(super) drop: bool,
    pub(super) rows_hidden: bool,
}

/// Rows of a relation of an extension, by column name.
#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct ExtensionRows {
    pub(super) rows: Vec<BTreeMap<String, Value>>,
    pub(super) now: chrono::DateTime<chrono::Utc>,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct HeartbeatRows {
    pub(super) rows: Vec<HeartbeatRow>,
}

/// An aggregate over no row is null.
fn map<'de, D, T>(deserializer: D) -> Result<BTreeMap<String, T>, D::Error>
where
    D: serde::Deserializer<'de>,
    T: Deserialize<'de>,
{
    Ok(Option::<BTreeMap<String, T>>::deserialize(deserializer)?.unwrap_or_default())
}
