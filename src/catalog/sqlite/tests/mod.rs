//! Real files, made and read.

mod facts;
mod files;
mod hostile;
mod names;
mod size;

use std::path::Path;
use std::time::{Duration, Instant};

use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _};
use tempfile::TempDir;

use super::fetch;
use crate::catalog::{Ask, AskTable, Catalog, Error, ErrorKind, Found, Further, Likeness, Limits, Sighting};
use crate::config::DatabaseUrl;
use crate::schema::{
    Aspect, Clock, DefaultExpr, Equality, Identity, Index, KeyExpr, Kind, NotNullBy, OnConflict, Table, TimeForm,
    Timing,
};

const LEDGER: &str = r#"
CREATE TABLE "ProcessedIntegrationEvents" (
  "Id" uuid_text NOT NULL,
  "EventId" uuid_text NOT NULL,
  "EventType" varchar(160) NOT NULL,
  "TenantId" integer,
  "Outcome" varchar(40) NOT NULL DEFAULT 'Processed',
  "ProcessedOnUtc" timestamp_with_timezone_text NOT NULL,
  CONSTRAINT "PK_ProcessedIntegrationEvents" PRIMARY KEY ("Id")
);
CREATE UNIQUE INDEX "UX_ProcessedEvents_EventId" ON "ProcessedIntegrationEvents" ("EventId");
"#;

const LEDGER_NAME: &str = "ProcessedIntegrationEvents";

/// A database file in a folder of its own.
struct TestFile {
    folder: TempDir,
}

impl TestFile {
    fn new() -> Self {
        Self {
            folder: TempDir::new().unwrap(),
        }
    }

    async fn with(sql: &str) -> Self {
        let file = Self::new();
        file.run(sql).await.close().await.unwrap();
        file
    }

    fn path(&self) -> std::path::PathBuf {
        self.folder.path().join("ledger.db")
    }

    /// Runs statements and leaves the connection open.
    async fn run(&self, sql: &str) -> SqliteConnection {
        let options = SqliteConnectOptions::new()
            .filename(self.path())
            .create_if_missing(true);
        let mut connection = options.connect().await.unwrap();
        sqlx::raw_sql(AssertSqlSafe(sql))
            .execute(&mut connection)
            .await
            .unwrap();
        connection
    }

    async fn ask(&self, tables: &[(&str, &[&str])]) -> Result<Catalog, Error> {
        fetch_path(&self.path(), "", tables).await
    }

    async fn sighting(&self, name: &str, indexes: &[&str]) -> Sighting {
        self.ask(&[(name, indexes)]).await.unwrap().sightings.remove(0)
    }

    async fn table(&self, name: &str) -> Table {
        match self.sighting(name, &[]).await.found {
            Found::Object(table) => *table,
            other => panic!("{other:?}"),
        }
    }

    fn entries(&self) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(self.folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

async fn fetch_path(path: &Path, parameters: &str, tables: &[(&str, &[&str])]) -> Result<Catalog, Error> {
    let url = DatabaseUrl::parse(&format!("sqlite://{}{parameters}", path.display())).unwrap();
    fetch(&url, &question(tables), &Further::default()).await
}

fn question(tables: &[(&str, &[&str])]) -> Ask {
    Ask {
        namespace: None,
        tables: tables
            .iter()
            .map(|(name, indexes)| AskTable {
                name: (*name).to_owned(),
                indexes: indexes.iter().map(|i| (*i).to_owned()).collect(),
            })
            .collect(),
        limits: Limits {
            lock: Duration::from_millis(100),
            ..Limits::default()
        },
    }
}

async fn table(sql: &str, name: &str) -> Table {
    TestFile::with(sql).await.table(name).await
}

fn index<'a>(table: &'a Table, name: &str) -> &'a Index {
    let found = table.indexes.iter().find(|i| i.name == name);
    found.unwrap_or_else(|| panic!("no {name} in {:?}", table.indexes))
}

fn column<'a>(table: &'a Table, name: &str) -> &'a crate::schema::Column {
    table.columns.iter().find(|c| c.name == name).unwrap()
}

fn plain_key(index: &Index) -> Vec<&str> {
    index.key.iter().map(|part| part.as_column().unwrap_or("?")).collect()
}
