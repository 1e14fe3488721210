//! One connection that removes rows, whatever the database.

use std::time::Duration;

use chrono::{DateTime, Utc};

use super::error::TrimError;
use super::mysql::MySqlSession;
use super::plan::Plan;
use super::postgres::PostgresSession;
use super::run::Mode;
use super::sqlite::SqliteSession;
use crate::catalog::Limits;
use crate::config::{DatabaseUrl, Scheme};

/// How much longer than the server's own limits an answer is waited for before the connection is given up.
const GRACE: Duration = Duration::from_secs(3);

/// A table with more rows than this is not walked without an index unless the user says so.
pub(super) const BIG: u64 = 100_000;

/// The time before which no row was recorded: earlier ones stand for "not known" (`-infinity`, `0001-01-01`).
pub(super) const EPOCH: DateTime<Utc> = DateTime::UNIX_EPOCH;

/// What one batch did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Batch {
    /// How many rows are gone.
    pub(super) deleted: u64,
    /// The youngest time among them.
    pub(super) through: Option<DateTime<Utc>>,
    /// Whether no row is left to be removed by this run.
    pub(super) last: bool,
    /// Whether rows were passed over, since somebody else holds locks on them.
    pub(super) skipped: bool,
}

/// A value that a statement takes.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Integer(i64),
    Text(Option<String>),
    Time(DateTime<Utc>),
}

/// A session on one of the databases.
pub(super) enum Session {
    Postgres(Box<PostgresSession>),
    MySql(Box<MySqlSession>),
    Sqlite(Box<SqliteSession>),
}

/// Calls a method of whichever session it is.
macro_rules! each {
    ($session:expr, $method:ident($($argument:expr),*)) => {
        match $session {
            Session::Postgres(session) => session.$method($($argument),*).await,
            Session::MySql(session) => session.$method($($argument),*).await,
            Session::Sqlite(session) => session.$method($($argument),*).await,
        }
    };
}

impl Session {
    pub(super) async fn open(url: &DatabaseUrl, plan: &Plan, limits: Limits, mode: Mode) -> Result<Self, TrimError> {
        Ok(match url.scheme() {
            Scheme::Postgres => Self::Postgres(Box::new(PostgresSession::open(url, plan, limits, mode).await?)),
            Scheme::MySql => Self::MySql(Box::new(MySqlSession::open(url, plan, limits, mode).await?)),
            Scheme::Sqlite => Self::Sqlite(Box::new(SqliteSession::open(url, plan, limits, mode).await?)),
        })
    }

    /// Tries to become the only run that trims this ledger. The lock ends with the session.
    pub(super) async fn try_lock(&mut self) -> Result<bool, TrimError> {
        each!(self, try_lock())
    }

    /// Returns the time by the database's clock.
    pub(super) async fn now(&mut self) -> Result<DateTime<Utc>, TrimError> {
        each!(self, now())
    }

    /// Sets the time before which rows go.
    pub(super) fn set_cutoff(&mut self, cutoff: DateTime<Utc>) {
        match self {
            Self::Postgres(session) => session.cutoff = cutoff,
            Self::MySql(session) => session.cutoff = cutoff,
            Self::Sqlite(session) => session.cutoff = cutoff,
        }
    }

    /// Returns whether the table has more than [`BIG`] rows.
    pub(super) async fn is_big(&mut self) -> Result<bool, TrimError> {
        each!(self, is_big())
    }

    /// Returns the time of a row that this run has yet to remove: the oldest, if there is an index.
    pub(super) async fn next(&mut self) -> Result<Option<DateTime<Utc>>, TrimError> {
        each!(self, next())
    }

    /// Removes at most so many rows in a transaction of their own.
    pub(super) async fn remove(&mut self, limit: u32) -> Result<Batch, TrimError> {
        each!(self, remove(limit))
    }

    /// Counts the rows that a run would remove.
    pub(super) async fn count(&mut self) -> Result<u64, TrimError> {
        each!(self, count())
    }

    /// Returns whether a table of this name is in the ledger's namespace, as far as the role can see.
    pub(super) async fn has_table(&mut self, name: &str) -> Result<bool, TrimError> {
        each!(self, has_table(name))
    }

    /// Executes a statement with `?` for each value, and returns how many rows it touched.
    pub(super) async fn execute(&mut self, sql: &str, values: &[Value]) -> Result<u64, TrimError> {
        each!(self, execute(sql, values))
    }

    /// Ends the session, and with it its lock.
    pub(super) async fn close(self) {
        match self {
            Self::Postgres(session) => session.close().await,
            Self::MySql(session) => session.close().await,
            Self::Sqlite(session) => session.close().await,
        }
    }
}

/// Waits for an answer, a little longer than the server itself was told to work on it.
pub(super) async fn within<T>(
    limits: Limits,
    answer: impl Future<Output = Result<T, sqlx::Error>>,
) -> Result<Result<T, sqlx::Error>, TrimError> {
    let waited = limits.statement.max(limits.lock) + GRACE;
    tokio::time::timeout(waited, answer)
        .await
        .map_err(|_| TrimError::Silent { waited })
}

/// Connects within the limit.
pub(super) async fn connect<T>(
    limits: Limits,
    connect: impl Future<Output = Result<T, sqlx::Error>>,
) -> Result<T, TrimError> {
    use crate::migrate::DriverError;
    match tokio::time::timeout(limits.connect, connect).await {
        Ok(Ok(connection)) => Ok(connection),
        Ok(Err(error)) => Err(TrimError::Unreachable(DriverError::from(&error))),
        Err(_) => Err(TrimError::Silent { waited: limits.connect }),
    }
}
