//! One connection, made safe: read-only, with limits, and with the meaning of its SQL pinned down.

use std::future::Future;
use std::time::Duration;

use sqlx::mysql::{MySqlConnectOptions, MySqlConnection, MySqlRow};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, Row};
use tokio::time::timeout;

use super::failure;
use crate::catalog::passing::is_passing;
use crate::catalog::{Error, Limits};
use crate::config::DatabaseUrl;
use crate::dialect::Dialect;

/// What keeps the server from cutting an answer short without a word: fewer rows, a refused join, or the warning lost
/// that says that a table's rows are missing. `max_join_size` turns the second off, so it comes before it.
const WHOLE_ANSWERS: &str = "sql_select_limit = 18446744073709551615, max_join_size = 18446744073709551615, \
                             sql_big_selects = 1, max_error_count = 65535, group_concat_max_len = 1048576";

/// Who answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Identity {
    /// The version as the server prints it.
    pub(super) version: String,
    pub(super) dialect: Dialect,
    /// Major and minor version.
    pub(super) release: (u32, u32),
    /// What new sessions start with, so what the services run with unless they say otherwise.
    pub(super) sql_mode: String,
}

impl Identity {
    /// Reads a version; nothing if it is not supported.
    pub(super) fn parse(version: &str, sql_mode: &str) -> Option<Self> {
        let lower = version.to_ascii_lowercase();
        // Servers that speak the protocol with a catalog of their own.
        if ["tidb", "vitess", "oceanbase", "singlestore", "doris", "starrocks"]
            .iter()
            .any(|s| lower.contains(s))
        {
            return None;
        }
        let mariadb = lower.contains("mariadb");
        // Some servers and proxies put this before the version for the sake of old replicas.
        let numbers = version.strip_prefix("5.5.5-").filter(|_| mariadb).unwrap_or(version);
        let mut numbers = numbers.split(|c: char| !c.is_ascii_digit()).map(str::parse::<u32>);
        let release = (numbers.next()?.ok()?, numbers.next()?.ok()?);
        let (dialect, oldest) = if mariadb {
            (Dialect::MariaDb, (10, 5))
        } else {
            (Dialect::MySql, (8, 0))
        };
        (release >= oldest).then(|| Self {
            version: version.to_owned(),
            dialect,
            release,
            sql_mode: sql_mode.to_owned(),
        })
    }

    pub(super) fn is_mariadb(&self) -> bool {
        self.dialect == Dialect::MariaDb
    }
}

/// A connection that counts its statements and gives each a deadline.
pub(super) struct Session {
    pub(super) connection: MySqlConnection,
    pub(super) deadline: Duration,
    pub(super) queries: u32,
}

/// Reads the URL, and takes back what the driver would do to the session by itself.
pub(super) fn options(url: &DatabaseUrl) -> Result<MySqlConnectOptions, Error> {
    let options: MySqlConnectOptions = url.expose().parse().map_err(|error| failure::connecting(&error))?;
    Ok(options
        .charset("utf8mb4")
        .collation("utf8mb4_general_ci")
        .timezone(None)
        .pipes_as_concat(false)
        .no_engine_substitution(false)
        .disable_statement_logging())
}

impl Session {
    /// Connects and logs in.
    pub(super) async fn open(options: &MySqlConnectOptions, limits: &Limits) -> Result<Self, Error> {
        let connection = timeout(limits.connect, options.connect())
            .await
            .map_err(|_| failure::WORDS.silent(limits.connect))?
            .map_err(|error| failure::connecting(&error).passing(is_passing(&error)))?;
        Ok(Self {
            connection,
            // The server's own limit should strike first, since it says why.
            deadline: limits.statement + Duration::from_secs(2),
            queries: 0,
        })
    }

    /// Asks who answers.
    pub(super) async fn identify(&mut self) -> Result<Identity, Error> {
        let rows = self.read(include_str!("queries/server.sql").to_owned(), &[]).await?;
        let row = rows.first().ok_or_else(|| failure::unsupported("unknown"))?;
        let version: String = text(row, "version")?;
        let sql_mode: String = text(row, "sql_mode")?;
        Identity::parse(&version, &sql_mode).ok_or_else(|| failure::unsupported(&version))
    }

    /// Makes the session read-only and gives its SQL one meaning, whatever the server's settings are.
    pub(super) async fn secure(&mut self, identity: &Identity, limits: &Limits) -> Result<(), Error> {
        let lock = limits.lock.as_millis().div_ceil(1000).max(1);
        let (read_only, limit) = if identity.is_mariadb() {
            (
                "tx_read_only",
                format!("max_statement_time = {:.3}", limits.statement.as_secs_f64()),
            )
        } else {
            let limit = limits.statement.as_millis().max(1);
            ("transaction_read_only", format!("max_execution_time = {limit}"))
        };
        self.run(format!(
            "SET SESSION sql_mode = 'STRICT_TRANS_TABLES', {read_only} = 1, lock_wait_timeout = {lock}, {limit}, \
             sql_quote_show_create = 1, {WHOLE_ANSWERS}"
        ))
        .await?;
        self.run("START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY".to_owned())
            .await
    }

    /// Returns the lines of `SHOW GRANTS`: those of the user and of its active roles.
    pub(super) async fn grants(&mut self) -> Result<Vec<String>, Error> {
        let rows = self.show("SHOW GRANTS").await?;
        rows.iter()
            .map(|row| row.try_get(0).map_err(|error| failure::querying(&error)))
            .collect()
    }

    /// Returns the warnings of the last statement as numbers and texts.
    pub(super) async fn warnings(&mut self) -> Result<Vec<(u16, String)>, Error> {
        let rows = self.show("SHOW WARNINGS").await?;
        rows.iter()
            .map(|row| {
                // The text protocol sends numbers as digits.
                let number: String = row
                    .try_get_unchecked("Code")
                    .map_err(|error| failure::querying(&error))?;
                Ok((number.parse().unwrap_or_default(), text(row, "Message")?))
            })
            .collect()
    }

    /// Sends a query with bound values.
    pub(super) async fn read(&mut self, sql: String, values: &[&str]) -> Result<Vec<MySqlRow>, Error> {
        let mut query = sqlx::query(AssertSqlSafe(sql));
        for value in values {
            query = query.bind(*value);
        }
        self.queries += 1;
        within(self.deadline, query.fetch_all(&mut self.connection)).await
    }

    /// Says goodbye. A server that does not answer is left alone.
    pub(super) async fn close(self) {
        let _ = timeout(Duration::from_secs(1), self.connection.close()).await;
    }

    async fn run(&mut self, sql: String) -> Result<(), Error> {
        self.queries += 1;
        let statement = sqlx::raw_sql(AssertSqlSafe(sql));
        within(self.deadline, statement.execute(&mut self.connection))
            .await
            .map(|_| ())
    }

    /// Sends a statement that cannot be prepared everywhere.
    pub(super) async fn show(&mut self, sql: &'static str) -> Result<Vec<MySqlRow>, Error> {
        self.queries += 1;
        within(self.deadline, sqlx::raw_sql(sql).fetch_all(&mut self.connection)).await
    }
}

/// Reads a text of a row.
pub(super) fn text(row: &MySqlRow, name: &str) -> Result<String, Error> {
    row.try_get(name).map_err(|error| failure::querying(&error))
}

async fn within<T>(deadline: Duration, work: impl Future<Output = Result<T, sqlx::Error>>) -> Result<T, Error> {
    timeout(deadline, work)
        .await
        .map_err(|_| failure::slow())?
        .map_err(|error| failure::querying(&error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_are_told_by_their_version() {
        for (version, known) in [
            ("10.11.19-MariaDB-0+deb12u1", Some((Dialect::MariaDb, (10, 11)))),
            ("5.5.5-10.6.12-MariaDB-log", Some((Dialect::MariaDb, (10, 6)))),
            ("11.4.2-MariaDB", Some((Dialect::MariaDb, (11, 4)))),
            ("10.4.34-MariaDB", None),
            ("8.0.36", Some((Dialect::MySql, (8, 0)))),
            ("8.4.0-commercial", Some((Dialect::MySql, (8, 4)))),
            ("9.1.0", Some((Dialect::MySql, (9, 1)))),
            ("5.7.44-log", None),
            ("8.0.11-TiDB-v7.5.0", None),
            ("nonsense", None),
        ] {
            let identity = Identity::parse(version, "");
            assert_eq!(identity.map(|i| (i.dialect, i.release)), known, "{version}");
        }
    }
}
