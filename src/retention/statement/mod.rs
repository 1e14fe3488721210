//! What a job's SQL removes, read with a parser and never run.
//!
//! [`read`] answers with the rows that are removed and with the stretches that are not understood. A stretch that is
//! not understood is never taken for harmless: what it could do is judged by whoever asks.

mod block;
mod call;
mod chunks;
mod condition;
mod delete;
mod flow;
mod function;
mod kinds;
mod line;
mod order;
mod single;
mod subquery;
mod swap;
mod text;
mod units;
mod value;
mod view;
mod words;

use std::collections::BTreeMap;

use sqlparser::ast::ObjectName;
use sqlparser::dialect::{
    Dialect as Grammar, MySqlDialect as MySqlGrammar, PostgreSqlDialect as PostgresGrammar,
    SQLiteDialect as SqliteGrammar,
};

use super::model::{Routine, Span, View};
use crate::dialect::Dialect;
pub(crate) use line::Store;

/// A text longer than this is no job that a person wrote.
const LONGEST: usize = 100_000;

/// What is known around a text of SQL.
#[derive(Clone, Debug)]
pub(crate) struct Setting<'a> {
    /// The server's language.
    pub(crate) dialect: Dialect,
    /// The namespaces in which bare names are looked up.
    pub(crate) path: &'a [String],
    /// What can be called.
    pub(crate) routines: &'a [Routine],
    /// Columns that tell a row from all others by themselves.
    pub(crate) identity: &'a [String],
    /// The column that holds the age.
    pub(crate) age: &'a str,
    /// How that column is kept.
    pub(crate) store: Store,
    /// The table's columns; empty where they are not known.
    pub(crate) columns: &'a [String],
    /// Those of them that are never NULL.
    pub(crate) required: &'a [String],
    /// Views through which rows may be deleted.
    pub(crate) views: &'a [View],
    /// Whether every routine that exists is among those that can be called.
    pub(crate) sees_routines: bool,
    /// Whether `NEW` and `OLD` stand for a row of the table itself.
    pub(crate) own_row: bool,
}

/// What a text of SQL does, as far as it is understood.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Reading {
    /// What it removes.
    pub(crate) removals: Vec<Removal>,
    /// Stretches that are not understood.
    pub(crate) unread: Vec<Unread>,
    /// Calls of routines that do not exist.
    pub(crate) missing: Vec<String>,
    /// Calls of the maintenance of `pg_partman`.
    pub(crate) maintains: Vec<Maintenance>,
}

/// A call of the maintenance of `pg_partman`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Maintenance {
    /// For which tables.
    pub(crate) of: Maintained,
    /// The role it happens as, if a routine has its own.
    pub(crate) role: Option<String>,
    /// Whether it happens only under a condition that is not understood.
    pub(crate) conditional: bool,
}

/// The tables that a call of the maintenance is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Maintained {
    /// All for which it is automatic.
    All,
    /// This one.
    Table(String),
    /// Some table; the call does not tell which.
    Unknown,
}

/// One way in which rows are removed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Removal {
    /// The table.
    pub(crate) table: TableName,
    /// Which rows.
    pub(crate) rows: Rows,
    /// Tests beside the age, all of which must hold.
    pub(crate) filters: Vec<Filter>,
    /// Rows older than this are left behind.
    pub(crate) ceiling: Option<Span>,
    /// Whether it happens only under a condition that is not understood.
    pub(crate) conditional: bool,
    /// The routine in which it happens.
    pub(crate) via: Option<String>,
    /// The role it happens as, if a routine has its own.
    pub(crate) role: Option<String>,
    /// By what kind of statement.
    pub(crate) means: Means,
    /// Why each attempt fails, as a clause.
    pub(crate) fails: Option<String>,
    /// Roles that may not call the routine in which it happens.
    pub(crate) closed_to: Vec<String>,
}

/// A kind of statement that removes rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Means {
    /// `DELETE`.
    Delete,
    /// `TRUNCATE`.
    Truncate,
    /// `TRUNCATE … CASCADE`, of the table and of all that reference it.
    Cascade,
    /// `DROP TABLE`.
    Drop,
    /// An empty table takes its name.
    Replace,
}

/// A table as a statement names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TableName {
    /// The namespace, where it is written.
    pub(crate) namespace: Option<String>,
    /// The name as the server stores it.
    pub(crate) name: String,
    /// The namespaces in which a bare name is looked up.
    pub(crate) path: Vec<String>,
}

/// Which rows are removed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Rows {
    /// Those above an age.
    Older(Age),
    /// Those below an age: the comparison is the wrong way round.
    Younger(Age),
    /// All of them.
    All,
    /// Some, by tests that have nothing to do with time.
    Some,
    /// Those from before or after a time that never changes; the test.
    Fixed(String),
    /// None; why, as a clause.
    Nothing(String),
    /// Not understood; the test.
    Unknown(String),
}

/// An age by a column.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Age {
    /// The column.
    pub(crate) column: String,
    /// The age.
    pub(crate) span: Span,
    /// Whether the column is compared with a local clock.
    pub(crate) local: bool,
}

/// A test beside the age.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Filter {
    /// Its text, for people.
    pub(crate) text: String,
    /// The whole of it, with columns and constants only; absent where it is no condition of one row.
    pub(crate) sql: Option<String>,
    /// Whether it spares these rows instead of picking them.
    pub(crate) excludes: bool,
}

/// A stretch of SQL that is not understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unread {
    /// Why, as a clause: `it builds SQL while it runs`.
    pub(crate) why: String,
    /// Its text, shortened.
    pub(crate) text: String,
    /// Whether the text names what it touches; otherwise it may touch anything.
    pub(crate) names_all: bool,
    /// The whole text in lower case, to look for names in.
    pub(crate) haystack: String,
}

/// Reads a job's SQL.
pub(crate) fn read(sql: &str, setting: &Setting<'_>) -> Reading {
    let mut reader = block::Reader::new(setting);
    reader.run(sql, &BTreeMap::new());
    reader.hang_up();
    reader.finish();
    reader.reading
}

fn grammar(dialect: Dialect) -> &'static dyn Grammar {
    match dialect {
        Dialect::Postgres => &PostgresGrammar {},
        Dialect::MySql | Dialect::MariaDb => &MySqlGrammar {},
        Dialect::Sqlite => &SqliteGrammar {},
    }
}

/// Returns the last part of a name, without folding.
fn last_name(name: &ObjectName) -> Option<String> {
    name.0.last()?.as_ident().map(|ident| ident.value.clone())
}

/// Cuts a text to what fits into a message, and before anything that may be a password.
pub(crate) fn shorten(text: &str) -> String {
    const MOST: usize = 120;
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some(at) = text.to_ascii_lowercase().find("passw") {
        return format!("{}…", text[..at].chars().take(MOST).collect::<String>());
    }
    match text.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}

#[cfg(test)]
mod tests;
