//! What came back from `information_schema`, verbatim. Each row is a kind and a JSON object.

use serde::Deserialize;

/// The session and the server.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Session {
    pub(super) user: String,
    pub(super) role: Option<String>,
    pub(super) database: Option<String>,
    pub(super) transaction_read_only: u8,
    /// Whether no setting cuts rows or warnings off.
    pub(super) whole_answers: u8,
    pub(super) lock_wait_timeout: u64,
    pub(super) statement_limit: f64,
    pub(super) sql_mode: String,
    pub(super) lower_case_table_names: u8,
    pub(super) read_only: u8,
    pub(super) now: String,
    pub(super) now_unix: f64,
    pub(super) now_days: i64,
    pub(super) now_seconds: i64,
    pub(super) now_year: i64,
}

/// A name that the role can see.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(super) struct Name {
    pub(super) namespace: Option<String>,
    pub(super) name: String,
}

/// A wanted table, or what stands under its name.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct TableRow {
    pub(super) name: String,
    pub(super) kind: String,
    pub(super) engine: Option<String>,
    pub(super) collation: Option<String>,
    pub(super) comment: Option<String>,
}

/// A column.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct ColumnRow {
    pub(super) table: String,
    pub(super) name: String,
    pub(super) default: Option<String>,
    pub(super) nullable: String,
    #[serde(rename = "type")]
    pub(super) ty: String,
    pub(super) charset: Option<String>,
    pub(super) collation: Option<String>,
    pub(super) extra: Option<String>,
    pub(super) generation: Option<String>,
}

/// One part of an index.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct IndexRow {
    pub(super) table: String,
    pub(super) name: String,
    pub(super) non_unique: u8,
    pub(super) position: u32,
    pub(super) column: Option<String>,
    pub(super) expression: Option<String>,
    pub(super) prefix: Option<u32>,
    pub(super) order: Option<String>,
    pub(super) method: String,
    pub(super) ignored: String,
}

/// One column of a foreign key.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct ReferenceRow {
    pub(super) table: String,
    pub(super) name: String,
    pub(super) position: u32,
    pub(super) column: String,
    pub(super) referenced_namespace: Option<String>,
    pub(super) referenced_table: String,
    pub(super) referenced_column: Option<String>,
}

/// What a foreign key does.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct ActionRow {
    pub(super) table: String,
    pub(super) name: String,
    pub(super) on_delete: String,
}

/// A check constraint.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct CheckRow {
    pub(super) table: String,
    pub(super) name: String,
    pub(super) sql: String,
    pub(super) level: Option<String>,
    pub(super) enforced: String,
}

/// A trigger.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct TriggerRow {
    pub(super) table: String,
    pub(super) name: String,
    pub(super) timing: String,
    pub(super) event: String,
    pub(super) body: Option<String>,
    #[serde(default)]
    pub(super) mode: String,
    pub(super) definer: Option<String>,
    pub(super) definer_known: Option<u8>,
}

/// A partition or subpartition.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct PartitionRow {
    pub(super) table: String,
    pub(super) name: String,
    pub(super) position: Option<u32>,
    pub(super) method: Option<String>,
    pub(super) expression: Option<String>,
    pub(super) description: Option<String>,
}

/// A view.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct ViewRow {
    pub(super) table: String,
    pub(super) updatable: String,
    pub(super) definition: Option<String>,
}

/// All rows of one catalog.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    pub(super) session: Option<Session>,
    pub(super) namespaces: Vec<Name>,
    pub(super) own: Vec<Name>,
    pub(super) elsewhere: Vec<Name>,
    pub(super) tables: Vec<TableRow>,
    pub(super) columns: Vec<ColumnRow>,
    pub(super) indexes: Vec<IndexRow>,
    pub(super) references: Vec<ReferenceRow>,
    pub(super) actions: Vec<ActionRow>,
    pub(super) checks: Vec<CheckRow>,
    pub(super) triggers: Vec<TriggerRow>,
    pub(super) partitions: Vec<PartitionRow>,
    pub(super) views: Vec<ViewRow>,
    /// What stands around the triggers, where it could be read.
    pub(super) around: Option<super::triggers::Around>,
}

impl Rows {
    /// Adds one row.
    pub(super) fn push(&mut self, kind: &str, fact: &str) -> Result<(), serde_json::Error> {
        match kind {
            "session" => self.session = Some(serde_json::from_str(fact)?),
            "namespace" => self.namespaces.push(serde_json::from_str(fact)?),
            "own" => self.own.push(serde_json::from_str(fact)?),
            "elsewhere" => self.elsewhere.push(serde_json::from_str(fact)?),
            "table" => self.tables.push(serde_json::from_str(fact)?),
            "column" => self.columns.push(serde_json::from_str(fact)?),
            "index" => self.indexes.push(serde_json::from_str(fact)?),
            "reference" => self.references.push(serde_json::from_str(fact)?),
            "action" => self.actions.push(serde_json::from_str(fact)?),
            "check" => self.checks.push(serde_json::from_str(fact)?),
            "trigger" => self.triggers.push(serde_json::from_str(fact)?),
            "partition" => self.partitions.push(serde_json::from_str(fact)?),
            "view" => self.views.push(serde_json::from_str(fact)?),
            other => return Err(serde::de::Error::custom(format!("no such kind of row: {other}"))),
        }
        Ok(())
    }
}
