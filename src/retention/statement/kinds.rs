//! What becomes of a comparison of two kinds of values: a time with a number, a text with a time.

use super::line::{Line, Store};
use super::value::Value;
use crate::dialect::Dialect;
use crate::retention::span::{DAY, SECOND};

/// What a comparison of different kinds comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The column's value is always the smaller one.
    Smaller,
    /// The column's value is always the greater one.
    Greater,
    /// The server refuses it.
    Error,
    /// It depends on the rows.
    Open,
}

/// What the column is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Other {
    /// A number that counts in this unit since some beginning.
    Count(i64),
    /// Such a number as a text.
    Digits(i64),
    /// A plain number.
    Number,
    /// A time, or its text.
    Time,
}

/// Tells what comparing a column with another value comes to; nothing if both are of one kind.
pub(super) fn outcome(dialect: Dialect, column: &Line, other: &Value) -> Option<Outcome> {
    if column.column != 1 || column.now != 0 {
        return None;
    }
    let other = match other {
        Value::Number(_) => Other::Number,
        Value::Line(line) if line.column != 0 => return None,
        Value::Line(line) => match (line.unit, line.store) {
            (Some(unit), Store::Number) => Other::Count(unit),
            (Some(unit), Store::Text) => Other::Digits(unit),
            (None, _) if line.now == 0 => return None,
            // The date of PostgreSQL has a unit, and is a time.
            (None, _) | (Some(_), Store::Time | Store::Any | Store::Mixed) => Other::Time,
        },
        _ => return None,
    };
    match dialect {
        Dialect::Postgres => postgres(column, other),
        Dialect::MySql | Dialect::MariaDb => mysql(column, other),
        Dialect::Sqlite => sqlite(column, other),
    }
}

/// PostgreSQL has no operator for different kinds.
fn postgres(column: &Line, other: Other) -> Option<Outcome> {
    if column.unit.is_some() {
        return None;
    }
    match (column.store, other) {
        (Store::Time, Other::Count(_) | Other::Number) | (Store::Text, _) | (Store::Number, Other::Time) => {
            Some(Outcome::Error)
        }
        _ => None,
    }
}

/// MySQL makes numbers of both: `20261130201500` of a time, the year of a text.
fn mysql(column: &Line, other: Other) -> Option<Outcome> {
    if column.unit.is_some() {
        return None;
    }
    match (column.store, other) {
        // Microseconds since 1970 are more than the digits of a time.
        (Store::Time, Other::Count(unit)) if unit >= SECOND / 1000 => Some(Outcome::Greater),
        (Store::Text, Other::Count(_)) => Some(Outcome::Smaller),
        (Store::Time | Store::Text, Other::Count(_) | Other::Number) | (Store::Number, Other::Time) => {
            Some(Outcome::Open)
        }
        _ => None,
    }
}

/// SQLite compares a text column as text, and sorts every number before every text where no column decides.
fn sqlite(column: &Line, other: Other) -> Option<Outcome> {
    match (column.unit, column.store, other) {
        // `2026-11-30` beside `2461345.3`, the days since the year −4713.
        (None, Store::Text, Other::Count(DAY) | Other::Digits(DAY)) => Some(Outcome::Smaller),
        // `2026-11-30` beside `1796068337`, the seconds since 1970.
        (None, Store::Text, Other::Count(unit) | Other::Digits(unit)) if unit <= SECOND => Some(Outcome::Greater),
        (None, Store::Text | Store::Mixed, Other::Count(_) | Other::Digits(_) | Other::Number)
        | (None, Store::Number, Other::Time) => Some(Outcome::Open),
        (Some(_), Store::Text, Other::Count(_) | Other::Number) => Some(Outcome::Greater),
        (Some(_), Store::Number, Other::Digits(_)) => Some(Outcome::Smaller),
        _ => None,
    }
}
