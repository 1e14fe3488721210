//! How a column stores times.

use super::Dialect;
use crate::schema::DataType;

/// How a column stores times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeKind {
    /// As an instant: `timestamptz`, MySQL's `timestamp`.
    Instant,
    /// As date and time in UTC: `timestamp`, `datetime`.
    Utc,
    /// As text (SQLite).
    Text,
}

impl TimeKind {
    /// Returns how a type stores times; nothing if it does not tell an instant for certain. `says_utc` tells that the
    /// spec wants a time without a zone, which is in UTC then.
    pub fn of(dialect: Dialect, ty: &DataType, says_utc: bool) -> Option<Self> {
        match (dialect, ty) {
            (Dialect::Postgres, DataType::Timestamp { zoned: true, .. }) => Some(Self::Instant),
            (Dialect::Postgres, DataType::Timestamp { zoned: false, .. }) if says_utc => Some(Self::Utc),
            (Dialect::MySql | Dialect::MariaDb, DataType::Timestamp { .. }) => Some(Self::Instant),
            (Dialect::MySql | Dialect::MariaDb, DataType::DateTime { .. }) => Some(Self::Utc),
            (
                Dialect::Sqlite,
                DataType::Integer
                | DataType::BigInt
                | DataType::SmallInt
                | DataType::TinyInt
                | DataType::MediumInt
                | DataType::Real
                | DataType::Double
                | DataType::Numeric { .. }
                | DataType::Bytes,
            ) => None,
            (Dialect::Sqlite, _) => Some(Self::Text),
            _ => None,
        }
    }
}
