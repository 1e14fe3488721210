//! Why a trimming run ended early. No text here holds a database URL or a password.

use std::time::Duration;

use sqlx::mysql::MySqlDatabaseError;

use crate::migrate::DriverError;
use crate::text::Text;

/// A trimming run that ended early. Batches that were finished before stay removed.
#[derive(Debug, thiserror::Error)]
pub enum TrimError {
    /// The driver does not understand the URL. The driver's own message would repeat it.
    #[error("the database URL cannot be used: the driver does not understand it")]
    Url,
    /// The database could not be reached, or refused the login.
    #[error("the database cannot be reached: {0}")]
    Unreachable(#[source] DriverError),
    /// A pooler hands the session to other clients as well.
    #[error("a pooler before the server shares its sessions between clients, and a trimming run needs one of its own")]
    SharedSession,
    /// Another run is trimming the same ledger.
    #[error("another run is trimming `{}`", .table.terminal())]
    Busy {
        /// The ledger.
        table: Text,
    },
    /// A lock of somebody else stood in the way for too long.
    #[error("a lock of another session stood in the way for {} s", .waited.as_secs_f64())]
    Locked {
        /// How long this run waited for it.
        waited: Duration,
    },
    /// The retention column has no index that could be used, and the table is big.
    #[error("no index leads with `{}`, and the table has more than {} rows: each batch would read all of it", .column.terminal(), .rows)]
    NoIndex {
        /// The retention column.
        column: Text,
        /// How many rows make a table big.
        rows: u64,
    },
    /// The database's clock cannot be right, or this machine's cannot.
    #[error("the database's clock is {} s ahead of this machine's", .ahead.as_secs())]
    Clock {
        /// By how much.
        ahead: Duration,
    },
    /// A statement succeeded, and its rows are still there.
    #[error("the database says that rows were removed, but they are still there")]
    Kept,
    /// A statement did not end in time.
    #[error("the database did not answer within {} s", .waited.as_secs_f64())]
    Silent {
        /// How long it was waited for.
        waited: Duration,
    },
    /// The database refused a step.
    #[error("cannot {doing}: {source}")]
    Database {
        /// What was to be done.
        doing: &'static str,
        /// What the database said.
        source: DriverError,
    },
}

impl TrimError {
    /// Returns what to do next, in the imperative.
    pub fn help(&self) -> &'static str {
        match self {
            Self::Url => {
                "write it as postgres://user:password@host:port/database, and percent-encode special characters"
            }
            Self::Unreachable(_) => "check host, port, user and password, and that the server is up",
            Self::SharedSession => "connect to the server itself, or through a pooler in session mode",
            Self::Busy { .. } => "wait for the other run to end; it removes the same rows",
            Self::Locked { .. } => "find the session that holds the lock, or raise --lock-timeout, then run again",
            Self::NoIndex { .. } => "create an index on the column, or accept the cost with --allow-scan",
            Self::Clock { .. } => {
                "put the clock right first: a clock that runs ahead makes rows look older than they are"
            }
            Self::Kept => "look for a trigger, rule or policy that keeps rows from being deleted",
            Self::Silent { .. } => "make --batch smaller, or raise --statement-timeout, then run again",
            Self::Database { .. } => "resolve what the database reports, then run again; removed rows stay removed",
        }
    }

    /// Returns the exit code: 1 where trimming would not be safe, 2 for usage, 4 where the database stood in the way.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Url | Self::SharedSession => 2,
            Self::NoIndex { .. } | Self::Clock { .. } => 1,
            _ => 4,
        }
    }

    /// Returns a function that wraps the database's refusal of a step.
    pub(super) fn doing(doing: &'static str) -> impl FnOnce(sqlx::Error) -> Self {
        move |error| Self::Database {
            doing,
            source: DriverError::from(&error),
        }
    }
}

/// Returns whether a server gave up waiting for a lock, or ended a deadlock by giving up this statement.
pub(super) fn is_lock_conflict(error: &sqlx::Error) -> bool {
    let sqlx::Error::Database(reply) = error else {
        return false;
    };
    if let Some(reply) = reply.try_downcast_ref::<MySqlDatabaseError>() {
        const LOCK_WAIT_TIMEOUT: u16 = 1205;
        const DEADLOCK: u16 = 1213;
        return matches!(reply.number(), LOCK_WAIT_TIMEOUT | DEADLOCK);
    }
    // PostgreSQL: lock_not_available, deadlock_detected.
    matches!(reply.code().as_deref(), Some("55P03" | "40P01"))
}

/// Returns whether another connection to the SQLite file stands in the way.
pub(super) fn is_sqlite_busy(error: &sqlx::Error) -> bool {
    const BUSY: u32 = 5;
    const LOCKED: u32 = 6;
    let sqlx::Error::Database(reply) = error else {
        return false;
    };
    // The low byte is the primary code; the rest refines it.
    let code = reply.code().and_then(|code| code.parse::<u32>().ok());
    code.is_some_and(|code| matches!(code & 0xff, BUSY | LOCKED))
}
