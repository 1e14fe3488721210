//! Columns as a live database has them.

use super::{Check, DataType, DefaultExpr};

/// A column of an observed table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// The exact name.
    pub name: String,
    /// The type, parsed and as the server spells it.
    pub ty: NativeType,
    /// Whether NULL can be stored.
    pub nullable: bool,
    /// What else but the column's own NOT NULL keeps NULL out, where that is so.
    pub not_null_by: Option<NotNullBy>,
    /// A constraint that keeps NULL out of new rows, but was not held against older ones (`NOT VALID`), by name.
    pub not_null_unproved: Option<String>,
    /// The default in normal form; absent for none and for `DEFAULT NULL`.
    pub default: Option<DefaultExpr>,
    /// The default as the server prints it, for people.
    pub default_text: Option<String>,
    /// How the value is computed, for generated columns.
    pub generated: Option<Generated>,
    /// Whether the server numbers the rows by itself.
    pub identity: Option<Identity>,
    /// An `ON UPDATE` expression (MySQL), as the server prints it.
    pub on_update: Option<String>,
    /// The collation, for text columns.
    pub collation: Option<Collation>,
    /// Whether `SELECT *` leaves the column out.
    pub invisible: bool,
    /// A conflict clause of the column's NOT NULL (SQLite): `REPLACE`, `IGNORE`.
    pub not_null_conflict: Option<String>,
    /// A list of values that the type itself allows (enum types).
    pub allowed_values: Option<Vec<String>>,
}

impl Column {
    /// Makes a column that is NOT NULL and has no peculiarities.
    pub fn plain(name: &str, ty: NativeType) -> Self {
        Self {
            name: name.to_owned(),
            ty,
            nullable: false,
            not_null_by: None,
            not_null_unproved: None,
            default: None,
            default_text: None,
            generated: None,
            identity: None,
            on_update: None,
            collation: None,
            invisible: false,
            not_null_conflict: None,
            allowed_values: None,
        }
    }

    /// Returns whether the column can hold NULL, whatever keeps it out.
    pub fn takes_null(&self) -> bool {
        self.nullable && self.not_null_by.is_none()
    }

    /// Returns whether a new row without a value is refused, whatever older rows hold.
    pub fn refuses_null(&self) -> bool {
        !self.takes_null() || self.not_null_unproved.is_some()
    }
}

/// A type as a server has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NativeType {
    /// The server's own spelling, for people: `character varying(160)`, `int(10) unsigned`.
    pub spelling: String,
    /// The parsed type; of a domain, the innermost base type.
    pub data: DataType,
    /// Whether an integer refuses negative numbers (MySQL).
    pub unsigned: bool,
    /// MySQL's display width, where one is printed: `tinyint(1)` has 1.
    pub width: Option<u32>,
    /// The domains that wrap the type, outermost first (PostgreSQL).
    pub domains: Vec<Domain>,
}

/// A domain: a type with a name and constraints of its own (PostgreSQL).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Domain {
    /// Its name, qualified where it is in another namespace.
    pub name: String,
    /// Whether it is NOT NULL.
    pub not_null: bool,
    /// Its checks, which speak of the value as [`Domain::VALUE`].
    pub checks: Vec<Check>,
}

impl Domain {
    /// The name under which a domain's checks speak of the value.
    pub const VALUE: &str = "value";

    /// Makes a domain without constraints.
    pub fn plain(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            not_null: false,
            checks: Vec::new(),
        }
    }
}

impl NativeType {
    /// Makes a native type without peculiarities, spelled as the model spells it.
    pub fn plain(data: DataType) -> Self {
        Self {
            spelling: data.to_string(),
            data,
            unsigned: false,
            width: None,
            domains: Vec::new(),
        }
    }
}

/// What keeps NULL out of a column beside its own NOT NULL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotNullBy {
    /// A validated check constraint, by name.
    Check(String),
    /// A domain that is NOT NULL, or has a validated check that refuses NULL, by name.
    Domain(String),
    /// The column is the table's row number (SQLite `INTEGER PRIMARY KEY`).
    RowNumber,
}

/// A generated column's expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generated {
    /// The expression as the server prints it.
    pub sql: String,
    /// Whether the value is stored; otherwise it is computed on each read.
    pub stored: bool,
    /// The columns it reads, where known.
    pub reads: Vec<String>,
}

/// How the server numbers rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Identity {
    /// `GENERATED ALWAYS AS IDENTITY`: a given value is refused.
    Always,
    /// `GENERATED BY DEFAULT AS IDENTITY`.
    ByDefault,
    /// `AUTO_INCREMENT`, SQLite's row number, `serial`.
    Auto,
}

/// A collation and what it means for equality.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Collation {
    /// The collation's name as the server has it.
    pub name: String,
    /// The character set (MySQL).
    pub charset: Option<String>,
    /// Whether the column names a collation of its own instead of the table's or database's.
    pub explicit: bool,
    /// Which texts are equal.
    pub equality: Equality,
    /// Whether trailing blanks are ignored when texts are compared.
    pub pads: bool,
    /// Whether every Unicode character can be stored.
    pub full_unicode: bool,
}

/// Which texts a collation takes for equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Equality {
    /// Only equal bytes (but see [`Collation::pads`]).
    Bytes,
    /// Texts of canonically equal characters; letter case and accents count.
    CaseSensitive,
    /// Letter case (and perhaps accents) do not count.
    CaseInsensitive,
    /// Not known to this program.
    Unknown,
}
