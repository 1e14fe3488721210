//! The queries, in one read transaction of one connection.

use std::time::{Duration, Instant};

use sqlx::sqlite::{Sqlite, SqliteArguments, SqliteConnectOptions, SqliteConnection, SqliteRow};
use sqlx::{ConnectOptions as _, Connection as _, Row as _};

use super::file::{Condition, DatabaseFile};
use super::jobs::JobRows;
use super::rows::{CatalogRows, ColumnRow, ForeignKeyRow, IndexPartRow, ObjectRow, StatementRow};
use super::{assemble, failure, triggers};
use crate::catalog::heartbeat::TABLE;
use crate::catalog::{Ask, Catalog, Error, ErrorKind, Further, Limits, data};
use crate::config::DatabaseUrl;
use crate::text::Terminal;

/// How often a file that changes under the reader is read again.
const ATTEMPTS: u32 = 3;

/// Time that a statement gets beyond its limit before the program stops listening: SQLite ends it by itself first.
const GRACE: Duration = Duration::from_secs(1);

/// After how many steps of its virtual machine SQLite looks at the clock.
const STEPS: i32 = 10_000;

/// Reads the catalog of a file through one read-only snapshot.
pub(in crate::catalog) async fn fetch(url: &DatabaseUrl, ask: &Ask, further: &Further<'_>) -> Result<Catalog, Error> {
    if let Some(namespace) = ask.namespace.as_deref().filter(|n| !n.eq_ignore_ascii_case("main")) {
        return Err(Error::new(
            ErrorKind::Refused,
            format!("An SQLite file has no namespace `{}`.", Terminal(namespace)),
            "Leave the namespace out; tables of a file are found by their name alone.",
        ));
    }
    let file = DatabaseFile::locate(url.expose())?;
    for _ in 0..ATTEMPTS {
        let condition = inspect(&file, ask.limits).await?;
        let immutable = file.opens_immutable(&condition)?;
        let catalog = read(&file, &condition, immutable, ask, further).await?;
        // Without locks, only an unchanged file is known to have been read in one state.
        if !immutable || inspect(&file, ask.limits).await? == condition {
            return Ok(catalog);
        }
    }
    Err(Error::new(
        ErrorKind::TimedOut,
        format!("`{}` was changed again and again while it was read.", file.shown()),
        "Run the check again when nobody changes the file.",
    ))
}

/// Looks at the file, away from the asynchronous threads: a share that hangs must not hang the program.
pub(super) async fn inspect(file: &DatabaseFile, limits: Limits) -> Result<Condition, Error> {
    let seen = {
        let file = file.clone();
        tokio::task::spawn_blocking(move || file.inspect())
    };
    match tokio::time::timeout(limits.connect, seen).await {
        Ok(Ok(condition)) => condition,
        Ok(Err(_)) | Err(_) => Err(failure::no_answer(&file.shown(), limits.connect)),
    }
}

async fn read(
    file: &DatabaseFile,
    condition: &Condition,
    immutable: bool,
    ask: &Ask,
    further: &Further<'_>,
) -> Result<Catalog, Error> {
    let explain = |failure| failure::explain(&failure, file, condition, ask.limits);
    let mut session = Session::open(file, immutable, ask.limits).await.map_err(explain)?;
    let catalog = session.catalog(ask, &file.name(), further).await;
    session.close().await;
    let catalog = catalog.map_err(explain)?;
    match catalog.server.settings.get("query_only").map(String::as_str) {
        Some("1") => Ok(catalog),
        _ => Err(Error::new(
            ErrorKind::UnsafeSession,
            "SQLite did not confirm that the session only reads (`query_only`).",
            "Report this: no statement was sent that could write.",
        )),
    }
}

/// What can go wrong while the database is asked.
#[derive(Debug)]
pub(super) enum Failure {
    /// SQLite or its driver reports an error.
    Driver(sqlx::Error),
    /// A statement did not end in time.
    Silent,
}

impl From<sqlx::Error> for Failure {
    fn from(error: sqlx::Error) -> Self {
        Self::Driver(error)
    }
}

/// One connection with its limits.
pub(super) struct Session {
    connection: SqliteConnection,
    pub(super) limits: Limits,
    encoding: Encoding,
    immutable: bool,
    queries: u32,
}

impl Session {
    pub(super) async fn open(file: &DatabaseFile, immutable: bool, limits: Limits) -> Result<Self, Failure> {
        // SQLite counts milliseconds in 31 bits.
        let lock = limits.lock.min(Duration::from_secs(1_000_000));
        let options = SqliteConnectOptions::new()
            .filename(&file.path)
            .read_only(true)
            .create_if_missing(false)
            .immutable(immutable)
            .busy_timeout(lock)
            .pragma("query_only", "on")
            // Functions in the file's own views and indexes are not trusted.
            .pragma("trusted_schema", "off")
            .disable_statement_logging();
        let connection = match tokio::time::timeout(limits.connect + lock, options.connect()).await {
            Ok(connection) => connection?,
            Err(_) => return Err(Failure::Silent),
        };
        Ok(Self {
            connection,
            limits,
            encoding: Encoding::Utf8,
            immutable,
            queries: 0,
        })
    }

    pub(super) async fn close(self) {
        // The transaction only read; if the file hangs, its thread ends by itself.
        let _ = tokio::time::timeout(self.limits.connect, self.connection.close()).await;
    }

    /// Sends one statement, each parameter as a JSON list.
    async fn ask(&mut self, sql: &'static str, lists: &[&[&str]]) -> Result<Vec<SqliteRow>, Failure> {
        let mut query = sqlx::query(sql);
        for list in lists {
            query = query.bind(serde_json::Value::from(list.to_vec()).to_string());
        }
        self.send(query).await
    }

    /// Sends one statement within its limit.
    pub(super) async fn send(
        &mut self,
        query: sqlx::query::Query<'_, Sqlite, SqliteArguments>,
    ) -> Result<Vec<SqliteRow>, Failure> {
        let allowed = self.limits.lock + self.limits.statement;
        let deadline = Instant::now() + allowed;
        self.queries += 1;
        let connection = &mut self.connection;
        let answer = async {
            let mut handle = connection.lock_handle().await?;
            handle.set_progress_handler(STEPS, move || Instant::now() < deadline);
            drop(handle);
            query.fetch_all(connection).await
        };
        match tokio::time::timeout(allowed + GRACE, answer).await {
            Ok(rows) => Ok(rows?),
            Err(_) => Err(Failure::Silent),
        }
    }

    async fn catalog(&mut self, ask: &Ask, name: &str, further: &Further<'_>) -> Result<Catalog, Failure> {
        self.ask("BEGIN", &[]).await?;
        let mut rows = self.session_row().await?;
        rows.objects = self.objects().await?;
        let wanted: Vec<&str> = ask.tables.iter().map(|t| t.name.as_str()).collect();
        let indexes: Vec<&str> = ask.tables.iter().flat_map(|t| &t.indexes).map(String::as_str).collect();
        // Only ordinary tables have keys, and a view whose tables are gone cannot even be asked for its columns.
        let tables: Vec<&str> = rows
            .objects
            .iter()
            .filter(|o| o.kind == "table" && wanted.iter().any(|w| w.eq_ignore_ascii_case(&o.name)))
            .map(|o| o.name.as_str())
            .collect();
        rows.statements = self.statements(&wanted, &indexes).await?;
        let mentioned = triggers::mentioned(&rows.statements);
        let described: Vec<&str> = rows
            .objects
            .iter()
            .filter(|o| o.kind == "table" && mentioned.contains(&o.name.to_ascii_lowercase()))
            .map(|o| o.name.as_str())
            .filter(|name| !tables.contains(name))
            .chain(tables.iter().copied())
            .collect();
        rows.columns = self.columns(&described).await?;
        rows.index_parts = self.index_parts(&tables).await?;
        rows.foreign_keys = self.foreign_keys(&tables).await?;
        let jobs = match further.jobs {
            true => Some(self.jobs(&rows.objects).await),
            false => None,
        };
        let mut catalog = assemble::assemble(&rows, ask, name, jobs.as_ref());
        if !further.data.is_empty() {
            catalog.data = data::read(self, &catalog, &further.data).await;
        }
        self.ask("ROLLBACK", &[]).await?;
        catalog.queries = self.queries;
        Ok(catalog)
    }

    /// Reads triggers and views, and what runners outside the file say of themselves. Whatever goes wrong is no reason to lose the catalog.
    async fn jobs(&mut self, objects: &[ObjectRow]) -> JobRows {
        let surroundings = self.ask(include_str!("queries/job_surroundings.sql"), &[]).await;
        let surroundings = surroundings.and_then(|rows| self.statement_rows(&rows));
        let is_there = objects
            .iter()
            .any(|o| o.kind == "table" && o.name.eq_ignore_ascii_case(TABLE));
        if !is_there {
            return JobRows::new(Some(Vec::new()), surroundings.ok());
        }
        let answer = self.ask(include_str!("queries/jobs.sql"), &[]).await;
        let texts = answer.and_then(|rows| {
            let texts = rows.iter().map(|row| self.text(row, 0));
            texts.collect::<Result<Vec<String>, Failure>>()
        });
        JobRows::new(texts.ok(), surroundings.ok())
    }

    async fn session_row(&mut self) -> Result<CatalogRows, Failure> {
        let answer = self.ask(include_str!("queries/session.sql"), &[]).await?;
        let row = answer.first().ok_or(sqlx::Error::RowNotFound)?;
        self.encoding = Encoding::of(&row.try_get_unchecked::<Vec<u8>, _>(4)?);
        let mut rows = CatalogRows {
            version: self.text(row, 0)?,
            ..CatalogRows::default()
        };
        for (name, at) in [("query_only", 1), ("trusted_schema", 2)] {
            let value: i64 = row.try_get(at)?;
            rows.settings.insert(name.to_owned(), value.to_string());
        }
        let immutable = i64::from(self.immutable).to_string();
        rows.settings.insert("immutable".to_owned(), immutable);
        Ok(rows)
    }

    /// Returns the names of the file's ordinary tables.
    pub(super) async fn tables(&mut self) -> Result<Vec<String>, Failure> {
        self.session_row().await?;
        let objects = self.objects().await?.into_iter();
        let tables = objects.filter(|o| o.kind == "table" && !o.is_internal());
        Ok(tables.map(|o| o.name).collect())
    }

    async fn objects(&mut self) -> Result<Vec<ObjectRow>, Failure> {
        let rows = self.ask(include_str!("queries/objects.sql"), &[]).await?;
        rows.iter()
            .map(|row| {
                Ok(ObjectRow {
                    name: self.text(row, 0)?,
                    kind: self.text(row, 1)?,
                    without_rowid: flag(row, 2)?,
                    strict: flag(row, 3)?,
                })
            })
            .collect()
    }

    async fn statements(&mut self, tables: &[&str], indexes: &[&str]) -> Result<Vec<StatementRow>, Failure> {
        let rows = self
            .ask(include_str!("queries/statements.sql"), &[tables, indexes])
            .await?;
        self.statement_rows(&rows)
    }

    fn statement_rows(&self, rows: &[SqliteRow]) -> Result<Vec<StatementRow>, Failure> {
        rows.iter()
            .map(|row| {
                Ok(StatementRow {
                    kind: self.text(row, 0)?,
                    name: self.text(row, 1)?,
                    table: self.text(row, 2)?,
                    sql: self.maybe_text(row, 3)?,
                })
            })
            .collect()
    }

    async fn columns(&mut self, tables: &[&str]) -> Result<Vec<ColumnRow>, Failure> {
        let rows = self.ask(include_str!("queries/columns.sql"), &[tables]).await?;
        rows.iter()
            .map(|row| {
                Ok(ColumnRow {
                    table: self.text(row, 0)?,
                    name: self.text(row, 1)?,
                    declared: self.maybe_text(row, 2)?.unwrap_or_default(),
                    not_null: flag(row, 3)?,
                    default: self.maybe_text(row, 4)?,
                    key_place: row.try_get(5)?,
                    hidden: row.try_get(6)?,
                })
            })
            .collect()
    }

    async fn index_parts(&mut self, tables: &[&str]) -> Result<Vec<IndexPartRow>, Failure> {
        let rows = self.ask(include_str!("queries/index_parts.sql"), &[tables]).await?;
        rows.iter()
            .map(|row| {
                Ok(IndexPartRow {
                    table: self.text(row, 0)?,
                    index: self.text(row, 1)?,
                    unique: flag(row, 2)?,
                    origin: self.text(row, 3)?,
                    partial: flag(row, 4)?,
                    column: self.maybe_text(row, 5)?,
                    descending: flag(row, 6)?,
                    collation: self.maybe_text(row, 7)?,
                })
            })
            .collect()
    }

    async fn foreign_keys(&mut self, tables: &[&str]) -> Result<Vec<ForeignKeyRow>, Failure> {
        let rows = self.ask(include_str!("queries/foreign_keys.sql"), &[tables]).await?;
        rows.iter()
            .map(|row| {
                Ok(ForeignKeyRow {
                    table: self.text(row, 0)?,
                    id: row.try_get(1)?,
                    referenced_table: self.text(row, 2)?,
                    column: self.text(row, 3)?,
                    referenced_column: self.maybe_text(row, 4)?,
                    on_delete: self.text(row, 5)?,
                })
            })
            .collect()
    }

    fn text(&self, row: &SqliteRow, at: usize) -> Result<String, Failure> {
        Ok(self.maybe_text(row, at)?.unwrap_or_default())
    }

    fn maybe_text(&self, row: &SqliteRow, at: usize) -> Result<Option<String>, Failure> {
        let bytes: Option<Vec<u8>> = row.try_get_unchecked(at)?;
        Ok(bytes.map(|bytes| self.encoding.decode(&bytes)))
    }
}

fn flag(row: &SqliteRow, at: usize) -> Result<bool, Failure> {
    let number: i64 = row.try_get(at)?;
    Ok(number != 0)
}

/// How a file encodes its texts. The driver takes any text for UTF-8, so the queries hand out bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encoding {
    Utf8,
    Utf16Little,
    Utf16Big,
}

impl Encoding {
    /// Recognises the encoding by the bytes of the letter `a`.
    fn of(letter: &[u8]) -> Self {
        match letter {
            [b'a', 0] => Self::Utf16Little,
            [0, b'a'] => Self::Utf16Big,
            _ => Self::Utf8,
        }
    }

    /// Decodes a text; what is no text of this encoding is replaced, since one bad name must not hide the others.
    fn decode(self, bytes: &[u8]) -> String {
        let units = |join: fn([u8; 2]) -> u16| -> Vec<u16> {
            bytes.chunks_exact(2).map(|pair| join([pair[0], pair[1]])).collect()
        };
        match self {
            Self::Utf8 => String::from_utf8_lossy(bytes).into_owned(),
            Self::Utf16Little => String::from_utf16_lossy(&units(u16::from_le_bytes)),
            Self::Utf16Big => String::from_utf16_lossy(&units(u16::from_be_bytes)),
        }
    }
}
