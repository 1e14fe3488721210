//! The history tables of SeaORM's migrators, read without SeaORM's own reader: that one creates the
//! table, or takes a table it may not see for an empty one.

use std::collections::BTreeMap;
use std::time::{SystemTime, UNIX_EPOCH};

use sea_orm::sea_query::{Alias, IntoIden, Order, Query};
use sea_orm::{ConnectionTrait, DbBackend, DbErr, Statement, TransactionSession, TransactionTrait};
use sea_orm_migration::MigratorTraitSelf;

use super::error::{MigrateError, mysql_number};
use crate::services::Service;

/// What a history table says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum History {
    /// There is no history table.
    Absent,
    /// There is one, or may be one, that the role may not read.
    Unreadable,
    /// The applied migrations, with the time as seconds since 1970.
    Rows(BTreeMap<String, i64>),
}

impl History {
    /// Returns the applied migrations of a table that can be read; none where there is no table.
    pub(super) fn into_rows(self, service: &Service) -> Result<BTreeMap<String, i64>, MigrateError> {
        match self {
            Self::Absent => Ok(BTreeMap::new()),
            Self::Unreadable => Err(MigrateError::HistoryUnreadable {
                table: service.migrations().history_table().into(),
            }),
            Self::Rows(rows) => Ok(rows),
        }
    }
}

/// Reads a service's history.
pub(super) async fn fetch_history<C: ConnectionTrait>(db: &C, service: &Service) -> Result<History, MigrateError> {
    let table = service.migrations().history_table();
    let failed = || MigrateError::doing(format!("read the history table `{table}`"));
    match db.get_database_backend() {
        DbBackend::Postgres => match fetch_postgres_privilege(db, &table).await.map_err(failed())? {
            None => return Ok(History::Absent),
            Some(false) => return Ok(History::Unreadable),
            Some(true) => {}
        },
        DbBackend::Sqlite
            if fetch_sqlite_tables(db, &[table.as_str()])
                .await
                .map_err(failed())?
                .is_empty() =>
        {
            return Ok(History::Absent);
        }
        // MySQL hides tables from roles without rights on them, so only trying tells.
        _ => {}
    }
    match fetch_rows(db, &table).await {
        Ok(rows) => Ok(History::Rows(rows)),
        Err(error) => match mysql_number(&error) {
            Some(MYSQL_NO_SUCH_TABLE) => Ok(History::Absent),
            Some(MYSQL_TABLE_DENIED | MYSQL_COLUMN_DENIED) => Ok(History::Unreadable),
            _ => Err(failed()(error)),
        },
    }
}

const MYSQL_TABLE_DENIED: u16 = 1142;
const MYSQL_COLUMN_DENIED: u16 = 1143;
const MYSQL_NO_SUCH_TABLE: u16 = 1146;

async fn fetch_rows<C: ConnectionTrait>(db: &C, table: &str) -> Result<BTreeMap<String, i64>, DbErr> {
    let query = Query::select()
        .columns(["version", "applied_at"])
        .from(Alias::new(table))
        .order_by("version", Order::Asc)
        .to_owned();
    db.query_all(&query)
        .await?
        .iter()
        .map(|row| Ok((row.try_get("", "version")?, row.try_get("", "applied_at")?)))
        .collect()
}

/// Returns whether the role may read a table of the current namespace; none where there is no such table.
///
/// `pg_class` shows every table to every role; `information_schema` would hide those without a grant.
async fn fetch_postgres_privilege<C: ConnectionTrait>(db: &C, table: &str) -> Result<Option<bool>, DbErr> {
    let sql = "SELECT has_table_privilege(c.oid, 'SELECT') AS readable FROM pg_catalog.pg_class c \
               JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
               WHERE n.nspname = current_schema() AND c.relname = $1 AND c.relkind IN ('r', 'p', 'v')";
    let row = db
        .query_one_raw(Statement::from_sql_and_values(DbBackend::Postgres, sql, [table.into()]))
        .await?;
    row.map(|row| row.try_get("", "readable")).transpose()
}

/// Returns which of a service's tables exist, sorted.
pub(super) async fn fetch_existing<C: ConnectionTrait>(db: &C, service: &Service) -> Result<Vec<String>, MigrateError> {
    let wanted: Vec<&str> = service.tables().iter().map(|table| table.name.as_str()).collect();
    let found = match db.get_database_backend() {
        DbBackend::Postgres => {
            let sql = "SELECT c.relname::text AS name FROM pg_catalog.pg_class c \
                       JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
                       WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND c.relname = $1";
            fetch_each(db, sql, &wanted).await
        }
        DbBackend::MySql => {
            let sql = "SELECT CAST(table_name AS CHAR) AS name FROM information_schema.tables \
                       WHERE table_schema = DATABASE() AND (BINARY table_name = ? \
                       OR @@lower_case_table_names <> 0 AND LOWER(table_name) = LOWER(?))";
            fetch_each(db, sql, &wanted).await
        }
        _ => fetch_sqlite_tables(db, &wanted).await,
    };
    let mut found = found.map_err(MigrateError::doing("look for the service's tables"))?;
    found.sort();
    Ok(found)
}

async fn fetch_sqlite_tables<C: ConnectionTrait>(db: &C, wanted: &[&str]) -> Result<Vec<String>, DbErr> {
    let sql = "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name = ? COLLATE NOCASE";
    fetch_each(db, sql, wanted).await
}

async fn fetch_each<C: ConnectionTrait>(db: &C, sql: &str, wanted: &[&str]) -> Result<Vec<String>, DbErr> {
    let backend = db.get_database_backend();
    let mut found = Vec::new();
    for &name in wanted {
        let values = (0..sql.matches('?').count().max(1)).map(|_| name.into());
        for row in db
            .query_all_raw(Statement::from_sql_and_values(backend, sql, values))
            .await?
        {
            found.push(row.try_get("", "name")?);
        }
    }
    Ok(found)
}

/// Enters migrations into the history without running them.
pub(super) async fn write_baseline<C>(db: &C, service: &Service, names: &[String]) -> Result<(), MigrateError>
where
    C: ConnectionTrait + TransactionTrait,
{
    let migrations = service.migrations();
    let write = async {
        migrations.install(db).await?;
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |time| time.as_secs());
        let mut insert = Query::insert();
        insert
            .into_table(migrations.migration_table_name().into_iden())
            .columns(["version", "applied_at"]);
        for name in names {
            insert.values_panic([name.as_str().into(), i64::try_from(now).unwrap_or(i64::MAX).into()]);
        }
        let transaction = db.begin().await?;
        transaction.execute(&insert).await?;
        transaction.commit().await
    };
    write.await.map_err(MigrateError::doing("write the migration history"))
}
