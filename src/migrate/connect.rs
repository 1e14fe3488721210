//! Connections for migrations: one session each, which lives until it is closed.

use std::time::Duration;

use sea_orm::sqlx::{
    self, AssertSqlSafe, ConnectOptions as _, Connection as _, Executor as _,
    mysql::{MySqlConnectOptions, MySqlPoolOptions},
    pool::PoolOptions,
    postgres::{PgConnectOptions, PgPoolOptions},
    sqlite::{SqliteConnectOptions, SqlitePoolOptions},
};
use sea_orm::{
    ConnectionTrait, DatabaseConnection, DbBackend, SqlxMySqlConnector, SqlxPostgresConnector, SqlxSqliteConnector,
    Statement,
};

use super::Options;
use super::error::{MigrateError, sqlite_code};
use crate::catalog::{self, is_session_shared};
use crate::config::{DatabaseUrl, Scheme};
use crate::text::Text;

/// What a session is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    /// Reading; the session refuses to write.
    Read,
    /// Writing to a database that exists.
    Write,
    /// Writing; a missing SQLite file is created.
    Create,
}

/// How long a server may take to say goodbye.
const GOODBYE: Duration = Duration::from_secs(1);

/// How long SQLite itself waits for a lock before the caller is asked again.
pub(super) const SQLITE_PATIENCE: Duration = Duration::from_millis(100);

/// Opens a session, and checks that it has a database and a namespace to work in.
pub(super) async fn open(
    url: &DatabaseUrl,
    options: &Options,
    access: Access,
) -> Result<DatabaseConnection, MigrateError> {
    if options.namespace.is_some() {
        refuse_namespace(url.scheme())?;
    }
    let opened = async {
        match url.scheme() {
            Scheme::Postgres => open_postgres(url, options, access).await,
            Scheme::MySql => open_mysql(url, options, access).await,
            Scheme::Sqlite => open_sqlite(url, options, access).await,
        }
    };
    // Each connection has its own limit; this one is for what is asked in them.
    let limit = options.connect_timeout.saturating_mul(3);
    match tokio::time::timeout(limit, opened).await {
        Ok(opened) => opened,
        Err(_) => Err(silent(url, limit)),
    }
}

/// Ends a session. A server that does not say goodbye is left alone.
pub(super) async fn close(db: DatabaseConnection) {
    let _ = tokio::time::timeout(GOODBYE, db.close()).await;
}

/// The server has said nothing for so long.
pub(super) fn silent(url: &DatabaseUrl, limit: Duration) -> MigrateError {
    MigrateError::Unreachable(catalog::explain_silence(url, limit))
}

fn refuse_namespace(scheme: Scheme) -> Result<(), MigrateError> {
    let dialect = match scheme {
        Scheme::Postgres => return Ok(()),
        Scheme::MySql => "MySQL and MariaDB",
        Scheme::Sqlite => "SQLite",
    };
    Err(MigrateError::NamespaceUnsupported { dialect })
}

async fn open_postgres(
    url: &DatabaseUrl,
    options: &Options,
    access: Access,
) -> Result<DatabaseConnection, MigrateError> {
    let driver: PgConnectOptions = url.expose().parse().map_err(|_| MigrateError::Url)?;
    let driver = driver
        .application_name("seadrift migrate")
        // Poolers refuse this parameter.
        .extra_float_digits(None)
        .disable_statement_logging();
    // A pool hides why it cannot connect behind its timeout; a first connection of its own says it.
    let mut first = within(url, options, driver.connect()).await?;
    let is_shared = is_session_shared(&mut first, &driver, options.connect_timeout / 2);
    if within(url, options, is_shared).await? {
        return Err(MigrateError::SharedSession);
    }
    first.close().await.ok();

    let path = options.namespace.as_deref().map(quote_postgres_name);
    let lock_timeout = format!("{}ms", options.lock_timeout.as_millis().max(1));
    let read_only = if access == Access::Read { "on" } else { "off" };
    let pool = one_session(PgPoolOptions::new(), options)
        // Set by statement: connection poolers refuse most parameters at startup.
        .after_connect(move |session, _| {
            let (path, lock_timeout) = (path.clone(), lock_timeout.clone());
            Box::pin(async move {
                sqlx::query(
                    "SELECT set_config('search_path', coalesce($1, current_setting('search_path')), false), \
                     set_config('lock_timeout', $2, false), set_config('default_transaction_read_only', $3, false), \
                     (SELECT set_config(name, '0', false) FROM pg_catalog.pg_settings WHERE name = 'idle_session_timeout')",
                )
                .bind(path)
                .bind(lock_timeout)
                .bind(read_only)
                .execute(session)
                .await
                .map(drop)
            })
        })
        .connect_with(driver);
    let db = SqlxPostgresConnector::from_sqlx_postgres_pool(within(url, options, pool).await?);
    if current_namespace(&db).await?.is_none() {
        let namespace = options.namespace.as_deref().map(Text::new);
        return Err(MigrateError::NamespaceMissing { namespace });
    }
    Ok(db)
}

async fn open_mysql(url: &DatabaseUrl, options: &Options, access: Access) -> Result<DatabaseConnection, MigrateError> {
    let driver: MySqlConnectOptions = url.expose().parse().map_err(|_| MigrateError::Url)?;
    let driver = driver.disable_statement_logging();
    within(url, options, driver.connect()).await?.close().await.ok();

    let access_mode = if access == Access::Read {
        "READ ONLY"
    } else {
        "READ WRITE"
    };
    // Each is a message of its own: nothing here sends two statements in one.
    let setup = [
        format!(
            "SET SESSION lock_wait_timeout = {}",
            options.lock_timeout.as_secs().max(1)
        ),
        format!("SET SESSION TRANSACTION {access_mode}"),
    ];
    let pool = one_session(MySqlPoolOptions::new(), options)
        .after_connect(move |session, _| {
            let setup = setup.clone();
            Box::pin(async move {
                for statement in setup {
                    (&mut *session).execute(AssertSqlSafe(statement)).await?;
                }
                Ok(())
            })
        })
        .connect_with(driver);
    Ok(SqlxMySqlConnector::from_sqlx_mysql_pool(
        within(url, options, pool).await?,
    ))
}

async fn open_sqlite(url: &DatabaseUrl, options: &Options, access: Access) -> Result<DatabaseConnection, MigrateError> {
    let driver: SqliteConnectOptions = url.expose().parse().map_err(|_| MigrateError::Url)?;
    let mut driver = driver.disable_statement_logging().busy_timeout(SQLITE_PATIENCE);
    driver = match access {
        Access::Read => driver.read_only(true).create_if_missing(false),
        Access::Write => driver.create_if_missing(false),
        // A mode that the URL names is a decision about the file, and stands.
        Access::Create if names_mode(url) => driver,
        Access::Create => driver.create_if_missing(true),
    };
    let pool = one_session(SqlitePoolOptions::new(), options)
        .connect_with(driver)
        .await
        .map_err(|error| unopened(url, error))?;
    // SQLite looks into a file only when it is asked for something. A lock is for later steps, which wait for it.
    if let Err(error) = sqlx::query("PRAGMA schema_version").fetch_one(&pool).await
        && sqlite_code(&error) == Some(NOT_A_DATABASE)
    {
        return Err(unreachable(url, error));
    }
    Ok(SqlxSqliteConnector::from_sqlx_sqlite_pool(pool))
}

/// A pool of one session, which lives until it is closed.
fn one_session<D: sqlx::Database>(pool: PoolOptions<D>, options: &Options) -> PoolOptions<D> {
    pool.max_connections(1)
        .min_connections(1)
        .idle_timeout(None)
        .max_lifetime(None)
        .acquire_timeout(options.connect_timeout)
}

/// SQLite's result code for a file that is not there or cannot be opened.
const CANNOT_OPEN: u32 = 14;
/// SQLite's result code for a file that is no database.
const NOT_A_DATABASE: u32 = 26;

fn unopened(url: &DatabaseUrl, error: sqlx::Error) -> MigrateError {
    let driver = url.expose().parse::<SqliteConnectOptions>();
    let is_absent = driver.is_ok_and(|driver| !driver.get_filename().exists());
    if is_absent && sqlite_code(&error) == Some(CANNOT_OPEN) {
        return MigrateError::NoFile;
    }
    unreachable(url, error)
}

fn unreachable(url: &DatabaseUrl, error: sqlx::Error) -> MigrateError {
    MigrateError::Unreachable(catalog::explain_opening(url, error))
}

fn names_mode(url: &DatabaseUrl) -> bool {
    let query = url.expose().split_once('?').map_or("", |(_, query)| query);
    query.split('&').any(|pair| pair.starts_with("mode="))
}

async fn within<T>(
    url: &DatabaseUrl,
    options: &Options,
    connect: impl Future<Output = Result<T, sqlx::Error>>,
) -> Result<T, MigrateError> {
    match tokio::time::timeout(options.connect_timeout, connect).await {
        Ok(Ok(session)) => Ok(session),
        Ok(Err(error)) => Err(unreachable(url, error)),
        Err(_) => Err(silent(url, options.connect_timeout)),
    }
}

/// Returns the namespace in which new tables would be created; none outside PostgreSQL.
pub(super) async fn current_namespace(db: &DatabaseConnection) -> Result<Option<String>, MigrateError> {
    match db.get_database_backend() {
        DbBackend::Postgres => scalar(db, "SELECT current_schema()::text AS value").await,
        _ => Ok(None),
    }
}

async fn scalar(db: &DatabaseConnection, sql: &'static str) -> Result<Option<String>, MigrateError> {
    let failed = || MigrateError::doing("ask the session where it is");
    let row = db
        .query_one_raw(Statement::from_string(db.get_database_backend(), sql))
        .await
        .map_err(failed())?;
    match row {
        Some(row) => row.try_get::<Option<String>>("", "value").map_err(failed()),
        None => Ok(None),
    }
}

fn quote_postgres_name(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_namespace_is_one_quoted_name() {
        assert_eq!(quote_postgres_name("a,b\"c"), "\"a,b\"\"c\"");
    }

    #[test]
    fn a_mode_in_the_url_is_seen() {
        for (text, named) in [
            ("sqlite://a.db?mode=rw", true),
            ("sqlite://a.db?cache=shared&mode=ro", true),
            ("sqlite://mode=rw", false),
            ("sqlite://a.db", false),
        ] {
            assert_eq!(names_mode(&DatabaseUrl::parse(text).unwrap()), named, "{text}");
        }
    }

    #[tokio::test]
    async fn a_namespace_is_refused_where_there_is_none() {
        let options = Options {
            namespace: Some("audit".to_owned()),
            ..Options::default()
        };
        for text in ["sqlite://a.db", "mysql://u@127.0.0.1:1/d"] {
            let error = open(&DatabaseUrl::parse(text).unwrap(), &options, Access::Read)
                .await
                .unwrap_err();
            assert!(matches!(error, MigrateError::NamespaceUnsupported { .. }), "{text}");
        }
    }

    #[tokio::test]
    async fn a_refused_connection_is_said_at_once() {
        let url = DatabaseUrl::parse("postgres://u:Sup3rS3cret@127.0.0.1:1/d").unwrap();
        let error = open(&url, &Options::default(), Access::Read).await.unwrap_err();
        let MigrateError::Unreachable(reason) = &error else {
            panic!("{error:?}")
        };
        assert!(reason.reason.contains("accepts connections"), "{reason}");
        assert!(!format!("{error} {error:?}").contains("Sup3rS3cret"));
    }
}
