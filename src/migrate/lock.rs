//! One migration run at a time.
//!
//! | database | lock | held by |
//! |---|---|---|
//! | PostgreSQL | `pg_try_advisory_lock`, per database and namespace | a session of its own |
//! | MySQL, MariaDB | `GET_LOCK`, with the database in its name since locks are per server | a session of its own |
//! | SQLite | `BEGIN IMMEDIATE`: the whole run is one transaction | the run itself |
//!
//! All three are polled. A session that waits inside `pg_advisory_lock` holds a snapshot, for which
//! `CREATE INDEX CONCURRENTLY` in the other run would wait for ever. The lock of a crashed run ends with
//! its session. Behind a pooler that hands its sessions around (PgBouncer in transaction mode) an advisory lock protects
//! nothing, and what is set in a session meets others: `connect.rs` refuses it.

use std::time::{Duration, Instant};

use sea_orm::{
    ConnectionTrait, DatabaseConnection, DatabaseExecutor, DatabaseTransaction, DbBackend, DbErr,
    SqliteTransactionMode, Statement, TransactionOptions, TransactionTrait,
};

use super::connect::{Access, close, open};
use super::error::{MigrateError, driver_error, sqlite_code};
use super::{Event, Options, Progress};
use crate::config::{DatabaseUrl, Scheme};

/// How long a run sleeps between two tries.
const POLL: Duration = Duration::from_millis(100);

/// A session that no other run disturbs.
pub(super) struct LockedSession {
    work: Work,
    /// Kept open for as long as the lock is needed.
    lock: Option<DatabaseConnection>,
}

enum Work {
    Connection(DatabaseConnection),
    Transaction(DatabaseTransaction),
}

impl LockedSession {
    /// Opens a session and waits for the lock.
    pub(super) async fn acquire(
        url: &DatabaseUrl,
        options: &Options,
        access: Access,
        progress: Progress<'_>,
    ) -> Result<Self, MigrateError> {
        let first = open(url, options, access).await?;
        if url.scheme() == Scheme::Sqlite {
            let transaction = poll(options, progress, async || begin_immediate(&first).await).await?;
            wait_for_readers(&transaction, options).await?;
            return Ok(Self {
                work: Work::Transaction(transaction),
                lock: Some(first),
            });
        }
        poll(options, progress, async || try_advisory_lock(&first).await).await?;
        let work = open(url, options, access).await?;
        Ok(Self {
            work: Work::Connection(work),
            lock: Some(first),
        })
    }

    /// Returns the session for statements.
    pub(super) fn executor(&self) -> DatabaseExecutor<'_> {
        match &self.work {
            Work::Connection(connection) => connection.into(),
            Work::Transaction(transaction) => transaction.into(),
        }
    }

    /// Returns the namespace in which the session works.
    pub(super) async fn namespace(&self) -> Result<Option<String>, MigrateError> {
        match &self.work {
            Work::Connection(connection) => super::connect::current_namespace(connection).await,
            Work::Transaction(_) => Ok(None),
        }
    }

    /// Keeps what was done, if all went well, and gives the lock back.
    ///
    /// On SQLite an error undoes the whole run; the other databases keep each finished migration.
    pub(super) async fn finish<T>(self, result: Result<T, MigrateError>) -> Result<T, MigrateError> {
        let ended = match self.work {
            Work::Transaction(transaction) if result.is_ok() => transaction.commit().await,
            Work::Transaction(transaction) => transaction.rollback().await,
            Work::Connection(connection) => {
                close(connection).await;
                Ok(())
            }
        };
        if let Some(lock) = self.lock {
            // The server frees the lock with the session, so a failure to say goodbye changes nothing.
            close(lock).await;
        }
        let value = result?;
        ended.map_err(MigrateError::doing("end the run"))?;
        Ok(value)
    }
}

async fn poll<T>(
    options: &Options,
    progress: Progress<'_>,
    mut attempt: impl AsyncFnMut() -> Result<Option<T>, DbErr>,
) -> Result<T, MigrateError> {
    let start = Instant::now();
    let mut said = false;
    loop {
        if let Some(held) = attempt()
            .await
            .map_err(MigrateError::doing("take the migration lock"))?
        {
            return Ok(held);
        }
        let waited = start.elapsed();
        if waited >= options.lock_timeout {
            return Err(MigrateError::Locked { waited });
        }
        if !said {
            progress(Event::Waiting {
                at_most: options.lock_timeout,
            });
            said = true;
        }
        tokio::time::sleep(POLL).await;
    }
}

/// Names the lock after what the run changes: two services in one namespace share a table name.
async fn try_advisory_lock(db: &DatabaseConnection) -> Result<Option<()>, DbErr> {
    let backend = db.get_database_backend();
    let sql = match backend {
        DbBackend::Postgres => {
            "SELECT pg_try_advisory_lock(hashtextextended('seadrift migrate ' || current_schema(), 0)) AS held"
        }
        // A lock's name may have 64 characters, a database's as well.
        _ => "SELECT coalesce(GET_LOCK(concat('seadrift migrate ', sha1(lower(DATABASE()))), 0), 0) = 1 AS held",
    };
    let row = db.query_one_raw(Statement::from_string(backend, sql)).await?;
    let row = row.ok_or_else(|| DbErr::Custom("the server did not answer".to_owned()))?;
    Ok(row.try_get::<bool>("", "held")?.then_some(()))
}

async fn begin_immediate(db: &DatabaseConnection) -> Result<Option<DatabaseTransaction>, DbErr> {
    let options = TransactionOptions {
        sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate),
        ..TransactionOptions::default()
    };
    match db.begin_with_options(options).await {
        Ok(transaction) => Ok(Some(transaction)),
        Err(error) => match driver_error(&error).and_then(sqlite_code) {
            Some(SQLITE_BUSY | SQLITE_LOCKED) => Ok(None),
            _ => Err(error),
        },
    }
}

const SQLITE_BUSY: u32 = 5;
const SQLITE_LOCKED: u32 = 6;

/// Lets the commit wait for readers as long as the run was willing to wait for writers.
async fn wait_for_readers(transaction: &DatabaseTransaction, options: &Options) -> Result<(), MigrateError> {
    let limit = options.lock_timeout.as_millis().min(i32::MAX as u128);
    transaction
        .execute_unprepared(&format!("PRAGMA busy_timeout = {limit}"))
        .await
        .map(drop)
        .map_err(MigrateError::doing("set the lock timeout"))
}
