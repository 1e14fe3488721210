//! Pure facts about each database: how types are spelled, what fits into what, which names are equal, what a
//! default means. No connection, no query, no spec file.
//!
//! [`Facts`] is a short list of questions; rules ask them instead of matching on [`Dialect`].

mod around;
mod condition;
mod conjunction;
mod fresh;
pub(crate) mod mysql;
pub(crate) mod postgres;
pub(crate) mod sqlite;
mod time;

use std::fmt;

pub use time::TimeKind;

use serde::{Deserialize, Serialize};

pub use conjunction::Condition;
pub use fresh::is_fresh;

use crate::schema::{Collation, Column, DataType, DefaultExpr, Identity, Literal, NativeType};
use crate::spec::DesiredType;

/// A database's language and type rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Dialect {
    /// PostgreSQL.
    Postgres,
    /// MySQL.
    MySql,
    /// MariaDB.
    MariaDb,
    /// SQLite.
    Sqlite,
}

impl Dialect {
    /// All dialects, in the order in which they are listed.
    pub const ALL: [Self; 4] = [Self::Postgres, Self::MySql, Self::MariaDb, Self::Sqlite];

    /// Returns the name that specs and results use: `postgres`, `mysql`, `mariadb`, `sqlite`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Postgres => "postgres",
            Self::MySql => "mysql",
            Self::MariaDb => "mariadb",
            Self::Sqlite => "sqlite",
        }
    }

    /// Returns the name that people use: `PostgreSQL`.
    pub fn title(self) -> &'static str {
        match self {
            Self::Postgres => "PostgreSQL",
            Self::MySql => "MySQL",
            Self::MariaDb => "MariaDB",
            Self::Sqlite => "SQLite",
        }
    }

    /// Returns the facts of this database.
    pub fn facts(self) -> &'static dyn Facts {
        match self {
            Self::Postgres => &postgres::Postgres,
            Self::MySql => &mysql::MySql { mariadb: false },
            Self::MariaDb => &mysql::MySql { mariadb: true },
            Self::Sqlite => &sqlite::Sqlite,
        }
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// How an observed type serves a desired one: an empty list is a perfect fit.
pub type Fit = Vec<Misfit>;

/// One way in which an observed type differs from the desired one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// What differs.
    pub aspect: TypeAspect,
    /// How far.
    pub degree: Degree,
    /// What follows for a service, as a sentence: "Values longer than 100 characters are refused."
    pub impact: String,
}

/// What of a type differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeAspect {
    /// The type itself.
    Type,
    /// The length of a text or byte type.
    Length,
    /// The precision or scale of a number or time.
    Precision,
}

/// How far a type is from the desired one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Degree {
    /// Worth a line; nothing follows from it.
    Note,
    /// Everything the spec promises still fits; more does as well.
    Wider,
    /// Values the spec promises are refused or damaged.
    Narrower,
    /// Another type.
    Unrelated,
    /// Another type in which one value has several stored forms, so that equal values are not equal: on an event's
    /// identity the same event is recorded twice.
    Ambiguous,
}

/// The questions a dialect answers. All answers are pure.
pub trait Facts: Sync {
    /// How does a column's type serve the desired one? Asks for the column, since collations decide whether a
    /// text is a safe store for a UUID.
    fn fit(&self, desired: &DesiredType, column: &Column) -> Fit;

    /// Which native type do migrations make for a desired type? This is what a clean database has.
    fn native_type(&self, desired: &DesiredType) -> NativeType;

    /// Which collation does a column of this type have in a clean database? None for types without one.
    fn usual_collation(&self, desired: &DesiredType) -> Option<Collation>;

    /// Which collation holds texts apart that differ in any byte? The usual one, where that does.
    fn exact_collation(&self, desired: &DesiredType) -> Option<Collation> {
        self.usual_collation(desired)
    }

    /// The normal form of a default expression as a person or this server writes it, in a column of the given
    /// type. None for `NULL`, which is the same as no default.
    fn default_expr(&self, sql: &str, ty: &NativeType) -> Option<DefaultExpr>;

    /// The normal form of a constant from a spec, in a column of the given type.
    fn literal(&self, value: &Literal, ty: &NativeType) -> Literal;

    /// The normal form of any other SQL expression (predicates, checks, index and generation expressions), with
    /// noise removed: casts that the server adds, superfluous parentheses, quotes and white space.
    fn expression(&self, sql: &str) -> String;

    /// The conditions that a predicate joins by AND, in any order. One that is not understood is one condition.
    fn conditions(&self, sql: &str) -> Vec<Condition>;

    /// Is an expression that reads no column one value for every row, and surely not NULL?
    fn is_constant(&self, sql: &str) -> bool;

    /// Are two table names the same to this server? `lower_case_table_names` aside, which the catalog folds.
    fn same_table_name(&self, a: &str, b: &str) -> bool;

    /// Are two column or index names the same to this server?
    fn same_name(&self, a: &str, b: &str) -> bool;

    /// The name as this server stores it: cut at its limit.
    fn stored_name<'a>(&self, name: &'a str) -> &'a str;

    /// A name written as an identifier for this server, quoted. For text that people read, never executed.
    fn quote(&self, name: &str) -> String;

    /// What does a unique key over this expression do to keys that are equal or different in the column it reads?
    /// The column's type can decide: `lower(x)` is harmless over a UUID and merges texts.
    fn key_effect(&self, sql: &str, column: &Column) -> KeyEffect;

    /// Is an expression a condition, which has no more results than true, false and NULL?
    fn is_condition(&self, sql: &str) -> bool;

    /// The text that an expression of constants comes to, if that is known without a server.
    fn constant_text(&self, sql: &str) -> Option<String>;

    /// How does a default that is made of the present time differ from it for certain? The expression is in normal form.
    fn departure(&self, _sql: &str) -> Option<Departure> {
        None
    }

    /// The normal form of a predicate over these columns: constants that are compared with a column are values of its type.
    fn predicate(&self, sql: &str, _columns: &[Column]) -> String {
        self.expression(sql)
    }

    /// Whether lengths and precisions of declared types are enforced.
    fn enforces_lengths(&self) -> bool;

    /// Whether the catalog may print `?` for a character that a column holds.
    fn catalog_loses(&self, _c: char) -> bool {
        false
    }

    /// Does a check let this row in? None if that depends on values that are not known, or is not understood.
    fn admits(&self, check: &str, row: &Row<'_>) -> Option<bool>;

    /// Whether a check keeps NULL out of columns and does nothing else (`"Outcome" IS NOT NULL`).
    fn only_keeps_null_out(&self, check: &str) -> bool;

    /// How a column keeps its values, where the declared type does not say it: `NUMERIC affinity`.
    fn kept_as(&self, _ty: &NativeType) -> Option<String> {
        None
    }

    /// Whether a trigger may delete rows of the table that it is on; otherwise the insert that fires it fails.
    fn lets_triggers_touch_their_table(&self) -> bool {
        true
    }

    /// How this server numbers rows by itself where the spec leaves the choice.
    fn usual_identity(&self) -> Identity {
        Identity::Auto
    }

    /// Whether an index can be built without blocking writes (`CREATE INDEX CONCURRENTLY`).
    fn builds_concurrently(&self) -> bool {
        false
    }

    /// The namespace that is checked when the user names none; `None` where the URL's database is the namespace.
    fn default_namespace(&self) -> Option<&'static str>;
}

/// How a time that is made of the present one is another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Departure {
    /// It is that of a zone other than UTC.
    Local,
    /// It is moved by a length of time.
    Moved,
    /// A part of it is lost: the day, or the time of day.
    Part,
}

/// A row of which one value is known at most.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// The table's columns.
    pub columns: &'a [Column],
    /// The column of which something is known, and what.
    pub known: Option<(&'a Column, Given<'a>)>,
}

/// What is known of a value.
#[derive(Clone, Copy, Debug)]
pub enum Given<'a> {
    /// It is NULL.
    Null,
    /// It is this text, as the column's type reads it.
    Text(&'a str),
    /// It is a text with more in it than blanks.
    Words,
    /// It is a whole number from `-most - 1` to `most`.
    Whole {
        /// The greatest number.
        most: i64,
    },
    /// It is a text of so many characters, whatever they are, each of so many bytes.
    Letters {
        /// The number of characters.
        count: u32,
        /// The number of bytes of each.
        width: u32,
    },
}

/// What an expression over one column does to the column's equality when it is a unique key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyEffect {
    /// Equal stays equal and different stays different (`lower(uuid)`).
    Faithful,
    /// Texts that differ only in letter case become equal (`lower(x)`): faithful for a UUID, a merge for other texts.
    MergesCase,
    /// Texts that differ only in dashes become equal (`replace(x, '-', '')`): faithful for a UUID, a merge for other texts.
    MergesDashes,
    /// Some different values become equal (`left(x, 8)`).
    Merges(String),
    /// Some values become NULL and are not held apart (`nullif(x, '')`, `CASE …`).
    Forgets(String),
    /// Not known to this program.
    Unknown,
}

/// Returns whether a desired type holds text of unlimited or limited length.
pub fn is_text(data: &DataType) -> bool {
    matches!(
        data,
        DataType::Char(_)
            | DataType::Varchar(_)
            | DataType::TinyText
            | DataType::Text
            | DataType::MediumText
            | DataType::LongText
    )
}
