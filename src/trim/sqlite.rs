//! SQLite: batches by row number, each under the file's write lock.
//!
//! Times are text of several forms, so a text only bounds the search; each row's own time is read before the row goes,
//! within the same transaction.

use chrono::{DateTime, Utc};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteRow};
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _, Row as _};

use super::error::{TrimError, is_sqlite_busy};
use super::plan::{Plan, Walk};
use super::run::Mode;
use super::session::{BIG, Batch, EPOCH, Value, connect, within};
use super::stored_time;
use crate::catalog::Limits;
use crate::config::DatabaseUrl;
use crate::dialect::Dialect;

/// How many rows are looked at together where none is removed.
const PAGE: u32 = 10_000;

/// The text that begins the times which can be a row's; see [`EPOCH`].
const EARLIEST: &str = "1970-01-01";

/// One connection to the file.
pub(super) struct SqliteSession {
    connection: SqliteConnection,
    limits: Limits,
    table: String,
    column: String,
    row_number: &'static str,
    walk: Walk,
    pub(super) cutoff: DateTime<Utc>,
    /// The text and row number of the row that was looked at last.
    place: (String, i64),
}

/// A row that could have to go.
struct Candidate {
    text: String,
    number: i64,
    /// Its time, if that is before the cut-off and can be one at all.
    due: Option<DateTime<Utc>>,
}

impl SqliteSession {
    pub(super) async fn open(url: &DatabaseUrl, plan: &Plan, limits: Limits, mode: Mode) -> Result<Self, TrimError> {
        let options = url
            .expose()
            .parse::<SqliteConnectOptions>()
            .map_err(|_| TrimError::Url)?
            .create_if_missing(false)
            .busy_timeout(limits.lock)
            .disable_statement_logging();
        let options = match mode {
            Mode::Count => options.read_only(true),
            Mode::Remove => options,
        };
        let connection = connect(limits, options.connect()).await?;
        let facts = Dialect::Sqlite.facts();
        Ok(Self {
            connection,
            limits,
            table: facts.quote(&plan.table),
            column: facts.quote(&plan.column),
            row_number: plan.row_number.unwrap_or("_rowid_"),
            walk: plan.walk,
            cutoff: EPOCH,
            place: (EARLIEST.to_owned(), i64::MIN),
        })
    }

    /// Runs take turns by the file's own lock, so there is none to take beforehand.
    pub(super) async fn try_lock(&mut self) -> Result<bool, TrimError> {
        Ok(true)
    }

    async fn text(&mut self, sql: &'static str, doing: &'static str) -> Result<String, TrimError> {
        let row = within(self.limits, sqlx::query(sql).fetch_one(&mut self.connection)).await?;
        row.and_then(|row| row.try_get(0)).map_err(TrimError::doing(doing))
    }

    pub(super) async fn now(&mut self) -> Result<DateTime<Utc>, TrimError> {
        let doing = "read the clock";
        let text = self.text("SELECT strftime('%Y-%m-%d %H:%M:%f', 'now')", doing).await?;
        stored_time::parse(&text).ok_or_else(|| TrimError::doing(doing)(sqlx::Error::RowNotFound))
    }

    pub(super) async fn is_big(&mut self) -> Result<bool, TrimError> {
        let sql = format!("SELECT count(*) FROM (SELECT 1 FROM {} LIMIT {})", self.table, BIG + 1);
        let row = within(
            self.limits,
            sqlx::query(AssertSqlSafe(sql)).fetch_one(&mut self.connection),
        )
        .await?;
        let count: i64 = row
            .and_then(|row| row.try_get(0))
            .map_err(TrimError::doing("estimate the table's size"))?;
        Ok(count.unsigned_abs() > BIG)
    }

    /// Reads the rows behind a place that could have to go, in the order of the walk.
    async fn page(&mut self, place: &(String, i64), limit: u32) -> Result<Vec<Candidate>, TrimError> {
        let (column, number) = (&self.column, self.row_number);
        let (low, behind, order) = match self.walk {
            Walk::ByTime => (
                place.0.as_str(),
                format!("({column} > ?1 OR {number} > ?3)"),
                format!("{column}, {number}"),
            ),
            Walk::ByPlace => (EARLIEST, format!("{number} > ?3"), number.to_owned()),
        };
        let sql = format!(
            "SELECT {number}, {column} FROM {table} WHERE {column} >= ?1 AND {column} < ?2 AND {behind} \
             ORDER BY {order} LIMIT {limit}",
            table = self.table
        );
        let query = sqlx::query(AssertSqlSafe(sql))
            .bind(low.to_owned())
            .bind(stored_time::text_above(self.cutoff))
            .bind(place.1);
        let rows = within(self.limits, query.fetch_all(&mut self.connection)).await?;
        let rows = rows.map_err(TrimError::doing("look for rows to remove"))?;
        rows.iter().map(|row| self.candidate(row)).collect()
    }

    fn candidate(&self, row: &SqliteRow) -> Result<Candidate, TrimError> {
        let number = row.try_get(0).map_err(TrimError::doing("read a row number"))?;
        let text: String = row
            .try_get_unchecked(1)
            .map_err(TrimError::doing("read a row's time"))?;
        let time = stored_time::parse(&text);
        Ok(Candidate {
            due: time.filter(|time| *time >= EPOCH && *time < self.cutoff),
            text,
            number,
        })
    }

    /// Walks on without removing anything, until `stop` says that enough was seen.
    async fn look(&mut self, mut stop: impl FnMut(DateTime<Utc>) -> bool) -> Result<(), TrimError> {
        let mut place = self.place.clone();
        loop {
            let page = self.page(&place, PAGE).await?;
            if page.iter().filter_map(|row| row.due).any(&mut stop) {
                return Ok(());
            }
            match page.into_iter().next_back() {
                Some(row) => place = (row.text, row.number),
                None => return Ok(()),
            }
        }
    }

    pub(super) async fn next(&mut self) -> Result<Option<DateTime<Utc>>, TrimError> {
        let mut found = None;
        self.look(|time| {
            found = Some(time);
            true
        })
        .await?;
        Ok(found)
    }

    pub(super) async fn count(&mut self) -> Result<u64, TrimError> {
        let mut count = 0;
        self.look(|_| {
            count += 1;
            false
        })
        .await?;
        Ok(count)
    }

    pub(super) async fn remove(&mut self, limit: u32) -> Result<Batch, TrimError> {
        self.command("BEGIN IMMEDIATE").await?;
        let batch = self.remove_page(limit).await;
        let ended = self.command(if batch.is_ok() { "COMMIT" } else { "ROLLBACK" }).await;
        let (batch, place) = batch?;
        ended?;
        self.place = place;
        Ok(batch)
    }

    async fn remove_page(&mut self, limit: u32) -> Result<(Batch, (String, i64)), TrimError> {
        let place = self.place.clone();
        let page = self.page(&place, limit).await?;
        let numbers: Vec<String> = page
            .iter()
            .filter(|row| row.due.is_some())
            .map(|row| row.number.to_string())
            .collect();
        let mut deleted = 0;
        if !numbers.is_empty() {
            let sql = format!(
                "DELETE FROM {} WHERE {} IN (SELECT value FROM json_each(?1))",
                self.table, self.row_number
            );
            let query = sqlx::query(AssertSqlSafe(sql)).bind(format!("[{}]", numbers.join(",")));
            let done = within(self.limits, query.execute(&mut self.connection)).await?;
            deleted = done.map_err(TrimError::doing("remove rows"))?.rows_affected();
            if deleted != numbers.len() as u64 {
                return Err(TrimError::Kept);
            }
        }
        let batch = Batch {
            deleted,
            through: page.iter().filter_map(|row| row.due).max(),
            last: (page.len() as u64) < u64::from(limit),
            skipped: false,
        };
        let place = page.into_iter().next_back().map_or(place, |row| (row.text, row.number));
        Ok((batch, place))
    }

    async fn command(&mut self, sql: &'static str) -> Result<(), TrimError> {
        let done = within(self.limits, sqlx::raw_sql(sql).execute(&mut self.connection)).await?;
        match done {
            Ok(_) => Ok(()),
            Err(error) if is_sqlite_busy(&error) => Err(TrimError::Locked {
                waited: self.limits.lock,
            }),
            Err(error) => Err(TrimError::doing("remove rows")(error)),
        }
    }

    pub(super) async fn has_table(&mut self, name: &str) -> Result<bool, TrimError> {
        let query =
            sqlx::query("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?1 COLLATE NOCASE").bind(name);
        let found = within(self.limits, query.fetch_optional(&mut self.connection)).await?;
        Ok(found
            .map_err(TrimError::doing("look for the table of evidence"))?
            .is_some())
    }

    pub(super) async fn execute(&mut self, sql: &str, values: &[Value]) -> Result<u64, TrimError> {
        let mut query = sqlx::query(AssertSqlSafe(sql.to_owned()));
        for value in values {
            query = match value {
                Value::Integer(value) => query.bind(*value),
                Value::Text(value) => query.bind(value.clone()),
                Value::Time(value) => query.bind(stored_time::print(*value)),
            };
        }
        match within(self.limits, query.execute(&mut self.connection)).await? {
            Ok(done) => Ok(done.rows_affected()),
            Err(error) if is_sqlite_busy(&error) => Err(TrimError::Locked {
                waited: self.limits.lock,
            }),
            Err(error) => Err(TrimError::doing("write the evidence into ledger_retention")(error)),
        }
    }

    pub(super) async fn close(self) {
        self.connection.close().await.ok();
    }
}
