//! The meaning of a spec file.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use crate::dialect::Dialect;
use crate::schema::{DataType, DefaultExpr, Identity, Literal};
use crate::yaml::{At, Position};

/// A fact of a spec: silent, stated, or open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted<T> {
    /// The spec does not speak of it; anything is right.
    Silent,
    /// The spec states it.
    Is(T),
    /// The spec knows that it does not know; the guess, where the file holds one. Never a failure, always listed.
    Unconfirmed(Option<T>),
}

impl<T> Wanted<T> {
    /// Returns the stated value, if it is stated and confirmed.
    pub fn stated(&self) -> Option<&T> {
        match self {
            Self::Is(value) => Some(value),
            Self::Silent | Self::Unconfirmed(_) => None,
        }
    }

    /// Returns the stated or guessed value.
    pub fn guess(&self) -> Option<&T> {
        match self {
            Self::Is(value) | Self::Unconfirmed(Some(value)) => Some(value),
            Self::Silent | Self::Unconfirmed(None) => None,
        }
    }

    /// Returns whether the fact is open.
    pub fn is_unconfirmed(&self) -> bool {
        matches!(self, Self::Unconfirmed(_))
    }
}

/// One spec file, resolved. Independent of any dialect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    /// Path of the file as the user named it, with forward slashes.
    pub file: String,
    /// The file's text, for snippets.
    pub text: Arc<str>,
    /// The service's name.
    pub service: At<String>,
    /// One sentence on what the spec describes.
    pub summary: Option<String>,
    /// Who owns the tables.
    pub owner: Option<String>,
    /// Documents the facts come from.
    pub sources: Vec<Source>,
    /// The tables in file order.
    pub tables: Vec<TableSpec>,
}

/// A document that facts of a spec come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Its title.
    pub title: String,
    /// When it was last reviewed, `YYYY-MM-DD`.
    pub reviewed: Option<String>,
}

/// What a table is for; decides what drift in it costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// One row per consumed event.
    Ledger,
    /// Events waiting to be sent.
    Outbox,
    /// A read model fed by events.
    Projection,
    /// An audit trail.
    Audit,
    /// Nothing special.
    #[default]
    Plain,
}

/// Whether a service writes the table today.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Status {
    /// It does.
    #[default]
    Implemented,
    /// The table is modelled, and expected to hold no rows.
    Unused,
}

/// A table that a spec asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableSpec {
    /// Its exact name.
    pub name: At<String>,
    /// Whether the table as a whole is confirmed; an unconfirmed one never fails.
    pub confirmed: bool,
    /// What it is for.
    pub role: Role,
    /// Whether it is in use.
    pub status: Status,
    /// Where the key `columns` is written; extra columns are reported there.
    pub columns_at: Position,
    /// The columns in file order.
    pub columns: Vec<ColumnSpec>,
    /// The primary key's columns in order, where it is written.
    pub primary_key: At<Wanted<Vec<String>>>,
    /// Where the key `indexes` is written (else the table's name); extra indexes are reported there.
    pub indexes_at: Position,
    /// The indexes in file order.
    pub indexes: Vec<IndexSpec>,
    /// The check constraints in file order.
    pub checks: Vec<CheckSpec>,
    /// What makes it a ledger.
    pub ledger: Option<LedgerSpec>,
    /// What its retention must be.
    pub retention: Option<RetentionSpec>,
}

impl TableSpec {
    /// Returns the column of this name, exactly.
    pub fn column(&self, name: &str) -> Option<&ColumnSpec> {
        self.columns.iter().find(|c| c.name.value == name)
    }

    /// Returns the name of the column that identifies an event, if the table is a ledger.
    pub fn event_id(&self) -> Option<&str> {
        self.ledger.as_ref().map(|l| l.event_id.value.as_str())
    }

    /// Returns whether losing or doubling a row of this table loses or doubles an event.
    pub fn is_ledger(&self) -> bool {
        self.role == Role::Ledger
    }
}

/// A column that a spec asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnSpec {
    /// Its exact name.
    pub name: At<String>,
    /// Whether the column's existence is confirmed. `confirmed: false` also makes each of its facts unconfirmed.
    pub confirmed: bool,
    /// Its type.
    pub ty: At<Wanted<TypeSpec>>,
    /// Whether NULL can be stored.
    pub nullable: At<Wanted<bool>>,
    /// Its default.
    pub default: At<Wanted<DefaultSpec>>,
    /// Whether the server numbers rows by it; stated `None` is never written, silence means "not numbered".
    pub identity: At<Wanted<Identity>>,
    /// The expression of a generated column.
    pub generated: At<Wanted<String>>,
    /// The collation's exact name.
    pub collation: At<Wanted<String>>,
    /// Which texts are different keys.
    pub compare: At<Wanted<CompareSpec>>,
    /// The values that may be stored.
    pub values: At<Wanted<Vec<String>>>,
}

/// Which values of a text column are different keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompareSpec {
    /// Texts that differ in letter case are different.
    CaseSensitive,
    /// Texts that differ in any byte are different.
    Bytes,
}

/// A type with its pins per database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeSpec {
    /// The type on every database that is not pinned; absent where only pins are written.
    pub any: Option<DataType>,
    /// Exact types: keys are `Dialect::Postgres`, `MySql`, `MariaDb`, `Sqlite`. `mysql` holds for MariaDB too,
    /// unless `mariadb` is written.
    pub pins: BTreeMap<Dialect, DataType>,
}

/// The type wanted on one database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DesiredType {
    /// The type.
    pub data: DataType,
    /// Whether the spec pins this very type instead of leaving the choice of storage to the dialect.
    pub pinned: bool,
}

impl TypeSpec {
    /// Returns the type wanted on a database, or nothing if the spec does not speak of it.
    pub fn on(&self, dialect: Dialect) -> Option<DesiredType> {
        let fallback = (dialect == Dialect::MariaDb).then_some(Dialect::MySql);
        let pin = self
            .pins
            .get(&dialect)
            .or_else(|| fallback.and_then(|d| self.pins.get(&d)));
        match pin {
            Some(data) => Some(DesiredType {
                data: data.clone(),
                pinned: true,
            }),
            None => self.any.clone().map(|data| DesiredType { data, pinned: false }),
        }
    }
}

impl DesiredType {
    /// Makes a desired type whose storage the dialect chooses.
    pub fn unpinned(data: DataType) -> Self {
        Self { data, pinned: false }
    }
}

/// A default that a spec asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DefaultSpec {
    /// No default.
    None,
    /// A constant, as written: text, number or truth value.
    Value(Literal),
    /// An expression, as written.
    Sql(String),
}

/// An index that a spec asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexSpec {
    /// Its exact name.
    pub name: At<String>,
    /// Whether it is confirmed.
    pub confirmed: bool,
    /// Its key parts in order, and where they are written.
    pub key: At<Vec<KeyPartSpec>>,
    /// Whether duplicates are refused.
    pub unique: At<bool>,
    /// Its predicate, as written.
    pub predicate: Option<At<String>>,
    /// Columns that are only carried along, if the spec speaks of them.
    pub include: Option<At<Vec<String>>>,
    /// Whether NULLs are distinct, if the spec speaks of it.
    pub nulls_distinct: Option<At<bool>>,
}

impl IndexSpec {
    /// Returns the key's plain columns, or nothing if a part is an expression.
    pub fn columns(&self) -> Option<Vec<&str>> {
        self.key
            .value
            .iter()
            .map(|part| match &part.expr {
                KeyExprSpec::Column(name) => Some(name.as_str()),
                KeyExprSpec::Sql(_) => None,
            })
            .collect()
    }
}

/// One part of a wanted index key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyPartSpec {
    /// The column or expression.
    pub expr: KeyExprSpec,
    /// The order, if the spec speaks of it.
    pub descending: Option<bool>,
}

/// What a wanted index part is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyExprSpec {
    /// A column by name.
    Column(String),
    /// An expression, as written.
    Sql(String),
}

/// A check constraint that a spec asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckSpec {
    /// Its exact name.
    pub name: At<String>,
    /// Whether it is confirmed.
    pub confirmed: bool,
    /// The expression, as written.
    pub sql: At<String>,
}

/// What makes a table a ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LedgerSpec {
    /// The column that identifies an event.
    pub event_id: At<String>,
    /// The column with the time of recording.
    pub recorded_at: Option<At<String>>,
    /// How old an event may be; zero means that the guard is off.
    pub staleness_window: Option<At<Duration>>,
    /// Bound on each clock's error.
    pub clock_skew: Option<At<Duration>>,
    /// How far in the future an event may be dated.
    pub future_dating: Option<At<Duration>>,
    /// Whether the windows are confirmed; what follows from unconfirmed ones never fails.
    pub confirmed: bool,
}

/// What a table's retention must be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RetentionSpec {
    /// Where the block is written.
    pub at: Position,
    /// Age at which rows are removed.
    pub horizon: At<Duration>,
    /// The column that holds the age.
    pub column: At<String>,
    /// Whether the numbers are confirmed.
    pub confirmed: bool,
}

impl DefaultSpec {
    /// Returns the default in the form that a report prints.
    pub fn print(&self) -> String {
        match self {
            Self::None => "no default".to_owned(),
            Self::Value(literal) => DefaultExpr::Literal(literal.clone()).to_string(),
            Self::Sql(sql) => sql.clone(),
        }
    }
}
