//! PostgreSQL: batches by a range of time where an index gives its end, by `ctid` otherwise.
//!
//! By time, the end of a batch is looked up first, and one plain `DELETE` removes what is before it: no list of places
//! is made or sorted, and no row is sent back to find out how far it went. More rows of one time than fit into a batch
//! are taken by `ctid`, as are all rows of a table that is walked by place.
//!
//! A batch first tries to take its rows without locking them beforehand, which writes nothing but the deletions. If
//! somebody holds a lock on one of them for longer than the lock timeout, the same batch is taken again by `ctid` with
//! `FOR UPDATE SKIP LOCKED`: that writes each row twice, and passes over those that are locked.

use chrono::{DateTime, Utc};
use sqlx::postgres::{PgArguments, PgConnectOptions, PgConnection, PgRow};
use sqlx::query::Query;
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _, Postgres, Row as _};

use super::error::{TrimError, is_lock_conflict};
use super::plan::{Plan, Walk};
use super::run::Mode;
use super::session::{BIG, Batch, EPOCH, Value, connect, within};
use crate::catalog::{Limits, is_session_shared};
use crate::config::DatabaseUrl;
use crate::dialect::{Dialect, TimeKind};

/// A session that lives as long as its lock.
pub(super) struct PostgresSession {
    connection: PgConnection,
    limits: Limits,
    /// The namespace, quoted, with its dot.
    prefix: String,
    /// The table's qualified, quoted name.
    table: String,
    column: String,
    time: TimeKind,
    walk: Walk,
    pub(super) cutoff: DateTime<Utc>,
    /// The time up to which everything is gone (by time).
    low: DateTime<Utc>,
    /// The place up to which everything is gone (by place).
    place: String,
    /// Whether a transaction is over before it is on disk.
    relaxed: bool,
}

/// Whether a batch waits for rows that somebody has locked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Locked {
    Wait,
    Skip,
}

impl PostgresSession {
    pub(super) async fn open(url: &DatabaseUrl, plan: &Plan, limits: Limits, mode: Mode) -> Result<Self, TrimError> {
        let options = url
            .expose()
            .parse::<PgConnectOptions>()
            .map_err(|_| TrimError::Url)?
            .application_name(concat!("seadrift trim ", env!("CARGO_PKG_VERSION")))
            // Poolers refuse this parameter.
            .extra_float_digits(None)
            .disable_statement_logging();
        let mut connection = connect(limits, options.connect()).await?;
        let is_shared = is_session_shared(&mut connection, &options, limits.connect / 2);
        if connect(limits, is_shared).await? {
            return Err(TrimError::SharedSession);
        }
        let facts = Dialect::Postgres.facts();
        let prefix = plan
            .namespace
            .as_deref()
            .map_or_else(String::new, |name| facts.quote(name) + ".");
        let mut session = Self {
            connection,
            limits,
            table: format!("{prefix}{}", facts.quote(&plan.table)),
            prefix,
            column: facts.quote(&plan.column),
            time: plan.time,
            walk: plan.walk,
            cutoff: EPOCH,
            low: EPOCH,
            place: "(0,0)".to_owned(),
            relaxed: false,
        };
        session.prepare(mode).await?;
        Ok(session)
    }

    /// Pins down what the statements mean and how they are planned.
    async fn prepare(&mut self, mode: Mode) -> Result<(), TrimError> {
        let by_time = if self.walk == Walk::ByTime { "off" } else { "on" };
        let settings = [
            ("search_path", String::new()),
            ("timezone", "UTC".to_owned()),
            ("lock_timeout", format!("{}ms", self.limits.lock.as_millis())),
            ("statement_timeout", format!("{}ms", self.limits.statement.as_millis())),
            ("idle_in_transaction_session_timeout", "60s".to_owned()),
            ("default_transaction_isolation", "read committed".to_owned()),
            (
                "default_transaction_read_only",
                if mode == Mode::Count { "on" } else { "off" }.to_owned(),
            ),
            // A policy that hides rows would make the run blind; better it fails.
            ("row_security", "off".to_owned()),
            // Statistics lag behind a table that is being trimmed, and would suggest to read all of it.
            ("enable_seqscan", by_time.to_owned()),
            ("enable_bitmapscan", by_time.to_owned()),
            // Each batch is planned for its own times.
            ("plan_cache_mode", "force_custom_plan".to_owned()),
            ("synchronize_seqscans", "off".to_owned()),
        ];
        let calls: Vec<String> = (0..settings.len())
            .map(|i| format!("set_config(${}, ${}, false)", 2 * i + 1, 2 * i + 2))
            .collect();
        let mut query = sqlx::query(AssertSqlSafe(format!("SELECT {}", calls.join(", "))));
        for (name, value) in settings {
            query = query.bind(name).bind(value);
        }
        within(self.limits, query.execute(&mut self.connection))
            .await?
            .map_err(TrimError::doing("set up the session"))?;
        Ok(())
    }

    async fn row(&mut self, query: Query<'_, Postgres, PgArguments>) -> Result<Result<PgRow, sqlx::Error>, TrimError> {
        within(self.limits, query.fetch_one(&mut self.connection)).await
    }

    pub(super) async fn try_lock(&mut self) -> Result<bool, TrimError> {
        let name = format!("seadrift trim {}", self.table);
        let query = sqlx::query("SELECT pg_try_advisory_lock(hashtextextended($1, 0))").bind(name);
        let held = self.row(query).await?.and_then(|row| row.try_get(0));
        held.map_err(TrimError::doing("take the lock of trimming runs"))
    }

    pub(super) async fn now(&mut self) -> Result<DateTime<Utc>, TrimError> {
        let now = self.row(sqlx::query("SELECT clock_timestamp()")).await?;
        now.and_then(|row| row.try_get(0))
            .map_err(TrimError::doing("read the clock"))
    }

    pub(super) async fn is_big(&mut self) -> Result<bool, TrimError> {
        let sql = format!(
            "SELECT count(*) > {BIG} FROM (SELECT FROM {} LIMIT {BIG} + 1) AS few",
            self.table
        );
        let big = self.row(sqlx::query(AssertSqlSafe(sql))).await?;
        big.and_then(|row| row.try_get(0))
            .map_err(TrimError::doing("estimate the table's size"))
    }

    /// Writes the n-th value, an instant, in the type of the column, so that its index can be used.
    fn instant(&self, n: u8) -> String {
        match self.time {
            TimeKind::Utc => format!("(${n} AT TIME ZONE 'UTC')"),
            TimeKind::Instant | TimeKind::Text => format!("${n}"),
        }
    }

    /// Reads an expression of the column's type as an instant.
    fn as_instant(&self, sql: &str) -> String {
        match self.time {
            TimeKind::Utc => format!("({sql}) AT TIME ZONE 'UTC'"),
            TimeKind::Instant | TimeKind::Text => sql.to_owned(),
        }
    }

    /// Which rows are to go, the ones before the remembered boundary left out: `$1` and `$2` bound the time, `$3` the
    /// place.
    fn condition(&self) -> String {
        let (column, low, cutoff) = (&self.column, self.instant(1), self.instant(2));
        let place = match self.walk {
            Walk::ByTime => "$3::text IS NOT NULL",
            Walk::ByPlace => "ctid > $3::text::tid",
        };
        format!("{column} >= {low} AND {column} < {cutoff} AND {place}")
    }

    fn bounded(&self, sql: String) -> Query<'static, Postgres, PgArguments> {
        sqlx::query(AssertSqlSafe(sql))
            .bind(self.low)
            .bind(self.cutoff)
            .bind(self.place.clone())
    }

    pub(super) async fn next(&mut self) -> Result<Option<DateTime<Utc>>, TrimError> {
        self.time_after(0).await
    }

    /// Reads the time of a row that is to go, after so many others.
    async fn time_after(&mut self, others: u32) -> Result<Option<DateTime<Utc>>, TrimError> {
        let sql = format!(
            "SELECT {} FROM ONLY {} WHERE {} {} LIMIT 1 OFFSET {others}",
            self.as_instant(&self.column),
            self.table,
            self.condition(),
            self.order(),
        );
        let query = self.bounded(sql);
        let row = within(self.limits, query.fetch_optional(&mut self.connection)).await?;
        row.and_then(|row| row.map(|row| row.try_get(0)).transpose())
            .map_err(TrimError::doing("look for rows to remove"))
    }

    pub(super) async fn count(&mut self) -> Result<u64, TrimError> {
        let sql = format!("SELECT count(*) FROM {} WHERE {}", self.table, self.condition());
        let query = self.bounded(sql);
        let count = self.row(query).await?.and_then(|row| row.try_get::<i64, _>(0));
        let count = count.map_err(TrimError::doing("count the rows to remove"))?;
        Ok(u64::try_from(count).unwrap_or(0))
    }

    /// Says whether a transaction is over only when it is on disk. Batches need not be: what a crash brings back, the next
    /// run removes, and whoever writes beside the run waits less for the disk. The evidence is on disk, and with it all
    /// that came before.
    async fn relax(&mut self, relaxed: bool) -> Result<(), TrimError> {
        if self.relaxed == relaxed {
            return Ok(());
        }
        let sql = match relaxed {
            true => "SET synchronous_commit = off",
            false => "RESET synchronous_commit",
        };
        let set = within(self.limits, sqlx::query(sql).execute(&mut self.connection)).await?;
        set.map_err(TrimError::doing("set up the session"))?;
        self.relaxed = relaxed;
        Ok(())
    }

    pub(super) async fn remove(&mut self, limit: u32) -> Result<Batch, TrimError> {
        self.relax(true).await?;
        let before = self.low;
        let batch = self.remove_batch(limit).await?;
        // A batch that is not full has removed all that was there, unless something made the server pass over rows.
        if batch.deleted < u64::from(limit) && !batch.skipped && self.has_left_behind(before).await? {
            return Err(TrimError::Kept);
        }
        Ok(batch)
    }

    async fn remove_batch(&mut self, limit: u32) -> Result<Batch, TrimError> {
        let end = match self.walk {
            Walk::ByTime => self.time_after(limit).await?.filter(|end| *end > self.low),
            Walk::ByPlace => None,
        };
        let Some(end) = end else {
            return self.remove_by_place(limit, Locked::Wait).await;
        };
        match self.remove_before(end).await? {
            Ok(0) => self.remove_by_place(limit, Locked::Wait).await,
            Ok(deleted) => Ok(Batch {
                deleted,
                through: Some(end),
                ..Batch::default()
            }),
            Err(error) if is_lock_conflict(&error) => self.remove_by_place(limit, Locked::Skip).await,
            Err(error) => Err(TrimError::doing("remove rows")(error)),
        }
    }

    /// Returns whether a row is still there in the part that the last batch was to remove.
    async fn has_left_behind(&mut self, before: DateTime<Utc>) -> Result<bool, TrimError> {
        let (column, low, high) = (&self.column, self.instant(1), self.instant(2));
        let (high_value, place) = match self.walk {
            Walk::ByTime => (self.low, "$3::text IS NOT NULL"),
            Walk::ByPlace => (self.cutoff, "ctid <= $3::text::tid"),
        };
        let sql = format!(
            "SELECT EXISTS (SELECT FROM ONLY {} WHERE {column} >= {low} AND {column} < {high} AND {place})",
            self.table
        );
        let query = sqlx::query(AssertSqlSafe(sql))
            .bind(before)
            .bind(high_value)
            .bind(self.place.clone());
        let left = self.row(query).await?.and_then(|row| row.try_get(0));
        left.map_err(TrimError::doing("look whether rows were kept"))
    }

    /// Removes the rows before a time. None goes if they all have that same time, or if something keeps them.
    async fn remove_before(&mut self, end: DateTime<Utc>) -> Result<Result<u64, sqlx::Error>, TrimError> {
        let sql = format!("DELETE FROM ONLY {} WHERE {}", self.table, self.condition());
        let query = sqlx::query(AssertSqlSafe(sql))
            .bind(self.low)
            .bind(end)
            .bind(self.place.clone());
        let done = within(self.limits, query.execute(&mut self.connection)).await?;
        if done.as_ref().is_ok_and(|done| done.rows_affected() > 0) {
            self.low = end;
        }
        Ok(done.map(|done| done.rows_affected()))
    }

    /// Removes at most so many rows, one by one by their places.
    async fn remove_by_place(&mut self, limit: u32, mut locked: Locked) -> Result<Batch, TrimError> {
        let mut removed = self.delete(limit, locked).await?;
        if locked == Locked::Wait && removed.as_ref().is_err_and(is_lock_conflict) {
            locked = Locked::Skip;
            removed = self.delete(limit, locked).await?;
        }
        let skipped = locked == Locked::Skip;
        let read = |row: PgRow| Ok((row.try_get::<i64, _>(0)?, row.try_get(1)?, row.try_get(2)?));
        let (deleted, through, place): (_, Option<DateTime<Utc>>, Option<String>) =
            removed.and_then(read).map_err(TrimError::doing("remove rows"))?;
        let deleted = u64::try_from(deleted).unwrap_or(0);
        match self.walk {
            Walk::ByTime => self.low = through.unwrap_or(self.low),
            Walk::ByPlace => self.place = place.unwrap_or(std::mem::take(&mut self.place)),
        }
        let mut last = false;
        if deleted < u64::from(limit) {
            last = self.next().await?.is_none();
            match (last, deleted, skipped) {
                // What is left is locked by somebody else.
                (false, _, true) => last = true,
                (false, 0, false) => return Err(TrimError::Kept),
                _ => {}
            }
        }
        Ok(Batch {
            deleted,
            through,
            last,
            skipped,
        })
    }

    async fn delete(&mut self, limit: u32, locked: Locked) -> Result<Result<PgRow, sqlx::Error>, TrimError> {
        let (table, condition, order) = (&self.table, self.condition(), self.order());
        let lock = if locked == Locked::Skip {
            "FOR UPDATE SKIP LOCKED"
        } else {
            ""
        };
        let place = match self.walk {
            Walk::ByTime => "NULL",
            Walk::ByPlace => "max(place)",
        };
        // The outer condition is for a row that was changed between being found and being removed.
        let sql = format!(
            "WITH gone AS (DELETE FROM ONLY {table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ONLY {table} \
             WHERE {condition} {order} LIMIT $4 {lock})) AND {condition} RETURNING {column} AS recorded, ctid AS place) \
             SELECT count(*), {through}, {place}::text FROM gone",
            column = self.column,
            through = self.as_instant("max(recorded)"),
        );
        let query = self.bounded(sql).bind(i64::from(limit));
        self.row(query).await
    }

    /// A scan by place is in order by itself; sorting would read the whole table for each batch.
    fn order(&self) -> String {
        match self.walk {
            Walk::ByTime => format!("ORDER BY {}", self.column),
            Walk::ByPlace => String::new(),
        }
    }

    pub(super) async fn has_table(&mut self, name: &str) -> Result<bool, TrimError> {
        let name = format!("{}{}", self.prefix, Dialect::Postgres.facts().quote(name));
        let query = sqlx::query("SELECT to_regclass($1) IS NOT NULL").bind(name);
        let found = self.row(query).await?.and_then(|row| row.try_get(0));
        found.map_err(TrimError::doing("look for the table of evidence"))
    }

    pub(super) async fn execute(&mut self, sql: &str, values: &[Value]) -> Result<u64, TrimError> {
        self.relax(false).await?;
        let mut numbered = String::with_capacity(sql.len() + values.len());
        let mut number = 0;
        for part in sql.split_inclusive('?') {
            number += 1;
            match part.strip_suffix('?') {
                Some(part) => numbered.push_str(&format!("{part}${number}")),
                None => numbered.push_str(part),
            }
        }
        let mut query = sqlx::query(AssertSqlSafe(numbered));
        for value in values {
            query = match value {
                Value::Integer(value) => query.bind(*value),
                Value::Text(value) => query.bind(value.clone()),
                Value::Time(value) => query.bind(*value),
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
