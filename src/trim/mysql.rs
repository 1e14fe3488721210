//! MySQL and MariaDB: `DELETE … ORDER BY … LIMIT`, between two times.

use chrono::{DateTime, NaiveDateTime, Utc};
use sqlx::mysql::{MySqlArguments, MySqlConnectOptions, MySqlConnection, MySqlRow};
use sqlx::query::Query;
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _, MySql, Row as _};

use super::error::{TrimError, is_lock_conflict};
use super::plan::{Plan, Walk};
use super::run::Mode;
use super::session::{BIG, Batch, EPOCH, Value, connect, within};
use crate::catalog::Limits;
use crate::config::DatabaseUrl;
use crate::dialect::Dialect;

/// How often a batch is tried that meets somebody else's lock.
const ATTEMPTS: u32 = 3;

/// A session that lives as long as its lock.
pub(super) struct MySqlSession {
    connection: MySqlConnection,
    limits: Limits,
    /// The database's name, if it is known.
    namespace: Option<String>,
    /// The table's qualified, quoted name.
    table: String,
    column: String,
    walk: Walk,
    pub(super) cutoff: DateTime<Utc>,
    /// The time up to which everything is gone.
    low: DateTime<Utc>,
}

impl MySqlSession {
    pub(super) async fn open(url: &DatabaseUrl, plan: &Plan, limits: Limits, mode: Mode) -> Result<Self, TrimError> {
        let options = url
            .expose()
            .parse::<MySqlConnectOptions>()
            .map_err(|_| TrimError::Url)?
            .charset("utf8mb4")
            .disable_statement_logging();
        let connection = connect(limits, options.connect()).await?;
        let facts = Dialect::MySql.facts();
        let prefix = plan
            .namespace
            .as_deref()
            .map_or_else(String::new, |name| facts.quote(name) + ".");
        let mut session = Self {
            connection,
            limits,
            namespace: plan.namespace.clone(),
            table: format!("{prefix}{}", facts.quote(&plan.table)),
            column: facts.quote(&plan.column),
            walk: plan.walk,
            cutoff: EPOCH,
            low: EPOCH,
        };
        session.prepare(plan.dialect, mode).await?;
        Ok(session)
    }

    async fn prepare(&mut self, dialect: Dialect, mode: Mode) -> Result<(), TrimError> {
        let seconds = self.limits.lock.as_millis().div_ceil(1000).max(1);
        let access = if mode == Mode::Count { "READ ONLY" } else { "READ WRITE" };
        let mut statements = vec![
            format!("SET SESSION innodb_lock_wait_timeout = {seconds}, lock_wait_timeout = {seconds}"),
            // `timestamp` columns are read and compared in the session's zone.
            "SET SESSION time_zone = '+00:00'".to_owned(),
            format!("SET SESSION TRANSACTION {access}"),
        ];
        if dialect == Dialect::MariaDb {
            let limit = self.limits.statement.as_secs_f64();
            statements.push(format!("SET SESSION max_statement_time = {limit:.3}"));
        }
        if !self.logs_statements().await? {
            // Gaps between rows stay free for inserts.
            statements.push("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED".to_owned());
        }
        for statement in statements {
            let set = sqlx::raw_sql(AssertSqlSafe(statement)).execute(&mut self.connection);
            within(self.limits, set)
                .await?
                .map_err(TrimError::doing("set up the session"))?;
        }
        Ok(())
    }

    /// Returns whether the binary log holds statements, which it refuses to at any but the strictest isolation.
    async fn logs_statements(&mut self) -> Result<bool, TrimError> {
        let rows = sqlx::query("SHOW VARIABLES WHERE Variable_name IN ('log_bin', 'binlog_format')")
            .fetch_all(&mut self.connection);
        let rows = within(self.limits, rows)
            .await?
            .map_err(TrimError::doing("read the server's settings"))?;
        let says = |name: &str, value: &str| {
            rows.iter().any(|row| {
                let get = |n: usize| row.try_get::<String, _>(n).unwrap_or_default();
                get(0).eq_ignore_ascii_case(name) && get(1).eq_ignore_ascii_case(value)
            })
        };
        Ok(says("log_bin", "ON") && says("binlog_format", "STATEMENT"))
    }

    async fn row(
        &mut self,
        query: Query<'_, MySql, MySqlArguments>,
    ) -> Result<Result<Option<MySqlRow>, sqlx::Error>, TrimError> {
        within(self.limits, query.fetch_optional(&mut self.connection)).await
    }

    pub(super) async fn try_lock(&mut self) -> Result<bool, TrimError> {
        // A lock's name may have 64 characters, and is the server's, not the database's.
        let query = sqlx::query(
            "SELECT CAST(coalesce(GET_LOCK(concat('seadrift trim ', sha1(concat(lower(DATABASE()), ' ', lower(?)))), 0), 0) \
             AS SIGNED)",
        )
        .bind(self.table.clone());
        let held = self.row(query).await?.and_then(|row| integer(row.as_ref()));
        Ok(held.map_err(TrimError::doing("take the lock of trimming runs"))? == 1)
    }

    pub(super) async fn now(&mut self) -> Result<DateTime<Utc>, TrimError> {
        let row = self.row(sqlx::query("SELECT UTC_TIMESTAMP(6)")).await?;
        let now = row.and_then(|row| time(row.as_ref()));
        now.and_then(|now| now.ok_or(sqlx::Error::RowNotFound))
            .map_err(TrimError::doing("read the clock"))
    }

    pub(super) async fn is_big(&mut self) -> Result<bool, TrimError> {
        let some = BIG + 1;
        let sql = format!(
            "SELECT CAST(count(*) AS SIGNED) FROM (SELECT 1 FROM {} LIMIT {some}) AS some_rows",
            self.table
        );
        let count = self.row(sqlx::query(AssertSqlSafe(sql))).await?;
        let count = count.and_then(|row| integer(row.as_ref()));
        Ok(count
            .map_err(TrimError::doing("estimate the table's size"))?
            .unsigned_abs()
            > BIG)
    }

    fn order(&self) -> String {
        match self.walk {
            Walk::ByTime => format!("ORDER BY {}", self.column),
            Walk::ByPlace => String::new(),
        }
    }

    /// Reads the time of a row that is to go, after so many others.
    async fn time_after(&mut self, others: u32) -> Result<Option<DateTime<Utc>>, TrimError> {
        let (table, column, order) = (&self.table, &self.column, self.order());
        let sql = format!(
            "SELECT CAST({column} AS DATETIME(6)) FROM {table} WHERE {column} >= ? AND {column} < ? {order} LIMIT 1 \
             OFFSET {others}"
        );
        let query = sqlx::query(AssertSqlSafe(sql))
            .bind(self.low.naive_utc())
            .bind(self.cutoff.naive_utc());
        let row = self.row(query).await?;
        row.and_then(|row| time(row.as_ref()))
            .map_err(TrimError::doing("look for rows to remove"))
    }

    pub(super) async fn next(&mut self) -> Result<Option<DateTime<Utc>>, TrimError> {
        self.time_after(0).await
    }

    pub(super) async fn count(&mut self) -> Result<u64, TrimError> {
        let (table, column) = (&self.table, &self.column);
        let sql = format!("SELECT CAST(count(*) AS SIGNED) FROM {table} WHERE {column} >= ? AND {column} < ?");
        let query = sqlx::query(AssertSqlSafe(sql))
            .bind(self.low.naive_utc())
            .bind(self.cutoff.naive_utc());
        let count = self.row(query).await?.and_then(|row| integer(row.as_ref()));
        let count = count.map_err(TrimError::doing("count the rows to remove"))?;
        Ok(u64::try_from(count).unwrap_or(0))
    }

    pub(super) async fn remove(&mut self, limit: u32) -> Result<Batch, TrimError> {
        // Nothing tells afterwards which rows a statement removed, so its end is found first.
        let end = match self.walk {
            Walk::ByTime => self.time_after(limit - 1).await?,
            Walk::ByPlace => None,
        };
        let deleted = self.delete(limit, end).await?;
        self.low = end.unwrap_or(self.low);
        let mut last = false;
        if deleted < u64::from(limit) {
            last = self.next().await?.is_none();
            if !last && deleted == 0 {
                return Err(TrimError::Kept);
            }
        }
        Ok(Batch {
            deleted,
            through: end,
            last,
            skipped: false,
        })
    }

    async fn delete(&mut self, limit: u32, end: Option<DateTime<Utc>>) -> Result<u64, TrimError> {
        let (table, column, order) = (&self.table, &self.column, self.order());
        let upper = if end.is_some() { "<=" } else { "<" };
        let sql = format!("DELETE FROM {table} WHERE {column} >= ? AND {column} {upper} ? {order} LIMIT {limit}");
        for _ in 0..ATTEMPTS {
            let query = sqlx::query(AssertSqlSafe(sql.clone()))
                .bind(self.low.naive_utc())
                .bind(end.unwrap_or(self.cutoff).naive_utc());
            match within(self.limits, query.execute(&mut self.connection)).await? {
                Ok(done) => return Ok(done.rows_affected()),
                Err(error) if is_lock_conflict(&error) => {}
                Err(error) => return Err(TrimError::doing("remove rows")(error)),
            }
        }
        Err(TrimError::Locked {
            waited: self.limits.lock * ATTEMPTS,
        })
    }

    pub(super) async fn has_table(&mut self, name: &str) -> Result<bool, TrimError> {
        let query = sqlx::query(
            "SELECT CAST(count(*) AS SIGNED) FROM information_schema.tables \
             WHERE table_schema = coalesce(?, DATABASE()) AND table_name = ?",
        )
        .bind(self.namespace.clone())
        .bind(name);
        let found = self.row(query).await?.and_then(|row| integer(row.as_ref()));
        Ok(found.map_err(TrimError::doing("look for the table of evidence"))? > 0)
    }

    pub(super) async fn execute(&mut self, sql: &str, values: &[Value]) -> Result<u64, TrimError> {
        let mut query = sqlx::query(AssertSqlSafe(sql.to_owned()));
        for value in values {
            query = match value {
                Value::Integer(value) => query.bind(*value),
                Value::Text(value) => query.bind(value.clone()),
                Value::Time(value) => query.bind(value.naive_utc()),
            };
        }
        within(self.limits, query.execute(&mut self.connection))
            .await?
            .map(|done| done.rows_affected())
            .map_err(TrimError::doing("write the evidence into ledger_retention"))
    }

    pub(super) async fn close(self) {
        // The server frees the lock with the session, so a failure to say goodbye changes nothing.
        self.connection.close().await.ok();
    }
}

fn integer(row: Option<&MySqlRow>) -> Result<i64, sqlx::Error> {
    row.ok_or(sqlx::Error::RowNotFound)?.try_get(0)
}

fn time(row: Option<&MySqlRow>) -> Result<Option<DateTime<Utc>>, sqlx::Error> {
    let time: Option<NaiveDateTime> = row.map(|row| row.try_get(0)).transpose()?;
    Ok(time.map(|time| time.and_utc()))
}
