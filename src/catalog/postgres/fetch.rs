//! One connection, one read-only snapshot, four statements; three more for each name that a database of another encoding
//! than UTF-8 may not be able to spell.
//!
//! The connection is made directly: a pool would hide a refused connection behind a timeout of its own. Nothing is
//! set by startup options, and no named statement is prepared, so that a pooler in transaction mode is no obstacle.

use std::time::Duration;

use serde::de::DeserializeOwned;
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{ConnectOptions as _, Connection as _, Row as _};
use tokio::time::timeout;

use super::assemble::assemble;
use super::errors;
use super::rows::{CatalogRow, LockRow, SessionRow, WantedRow};
use crate::catalog::passing::is_passing;
use crate::catalog::{Ask, Catalog, Error, ErrorKind, Further, Limits, brief};
use crate::config::DatabaseUrl;
use crate::dialect::Dialect;

/// Begins the snapshot. `READ ONLY` is read back by the next statement. Limits that a database or a role sets for each
/// session end with the same message, before the shortest of them is over.
const BEGIN: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; \
                     SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0";

/// The same for servers that also limit transactions as a whole.
const BEGIN_SINCE_17: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; \
                     SET LOCAL transaction_timeout = 0; \
                     SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0";

/// The oldest supported version, as `server_version_num` has it.
const OLDEST: u32 = 120_000;

/// How much longer than the server's own limits an answer is waited for before the connection is given up.
pub(super) const GRACE: Duration = Duration::from_secs(3);

/// How long the question who holds a lock may take.
const BRIEF: Duration = Duration::from_secs(2);

/// Reads the catalog of a PostgreSQL database.
pub(in crate::catalog) async fn fetch(url: &DatabaseUrl, ask: &Ask, further: &Further<'_>) -> Result<Catalog, Error> {
    let namespace = ask.namespace.clone().or_else(default_namespace).unwrap_or_default();
    let mut session = Session::open(url, ask.limits).await?;
    let answer = session.snapshot(ask, &namespace).await;
    match answer {
        Ok((settings, rows)) => {
            let jobs = match further.jobs {
                true => Some(super::jobs::read(&mut session, ask, &namespace, further.scheduler).await),
                false => None,
            };
            let mut catalog = assemble(&settings, &rows, &namespace);
            if let Some(jobs) = jobs {
                catalog.retention = super::jobs::assemble(&jobs);
            }
            if !further.data.is_empty() {
                catalog.data = session.read_data(&catalog, &further.data).await;
            }
            // The transaction only read; it ends with the connection if the server does not answer any more.
            let _ = session.end().await;
            catalog.queries = session.queries;
            session.close().await;
            Ok(catalog)
        }
        Err(error) if session.blocked => {
            let holders = session.lock_holders(ask, &namespace).await;
            session.close().await;
            Err(errors::with_holders(error, &holders))
        }
        Err(error) => {
            session.close().await;
            Err(error)
        }
    }
}

pub(super) fn default_namespace() -> Option<String> {
    Dialect::Postgres.facts().default_namespace().map(str::to_owned)
}

/// A connection that counts what it sends.
pub(super) struct Session {
    pub(super) connection: PgConnection,
    pub(super) limits: Limits,
    pub(super) queries: u32,
    /// Whether a statement failed because it had to wait for too long.
    blocked: bool,
}

impl Session {
    pub(super) async fn open(url: &DatabaseUrl, limits: Limits) -> Result<Self, Error> {
        let options = url
            .expose()
            .parse::<PgConnectOptions>()
            // The driver's message may quote the URL, password and all.
            .map_err(|_| errors::bad_url())?
            .application_name(concat!("seadrift/", env!("CARGO_PKG_VERSION")))
            .statement_cache_capacity(0)
            .extra_float_digits(None)
            .disable_statement_logging();
        let connection = timeout(limits.connect, options.connect())
            .await
            .map_err(|_| errors::WORDS.silent(limits.connect))?
            .map_err(|e| errors::connecting(&e).passing(is_passing(&e)))?;
        Ok(Self {
            connection,
            limits,
            queries: 0,
            blocked: false,
        })
    }

    /// Begins a read-only snapshot with known settings.
    pub(super) async fn begin(&mut self) -> Result<SessionRow, Error> {
        let limits_transactions = self.connection.server_version_num() >= Some(170_000);
        self.command(if limits_transactions { BEGIN_SINCE_17 } else { BEGIN })
            .await?;
        let limits = [milliseconds(self.limits.statement), milliseconds(self.limits.lock)];
        let session: SessionRow = self.query(include_str!("queries/session.sql"), limits).await?;
        supported(&session)?;
        safe(&session)?;
        Ok(session)
    }

    /// Ends the snapshot.
    pub(super) async fn end(&mut self) -> Result<(), Error> {
        self.command("ROLLBACK").await
    }

    /// Reads everything about the wanted tables, and leaves the transaction open.
    async fn snapshot(&mut self, ask: &Ask, namespace: &str) -> Result<(SessionRow, CatalogRow), Error> {
        let session = self.begin().await?;
        let alien = self.alien_names(ask, namespace, &session.encoding).await?;
        let is_alien = |name: &str| alien.iter().any(|a| a == name);
        let question = question(ask, &session.search_path, is_alien);
        let namespace = if is_alien(namespace) { "" } else { namespace };
        let mut catalog: CatalogRow = self
            .query(include_str!("queries/catalog.sql"), [question, namespace.to_owned()])
            .await?;
        for (at, table) in ask.tables.iter().enumerate() {
            if is_alien(&table.name) {
                let at = at.min(catalog.tables.len());
                catalog.tables.insert(at, WantedRow::absent(&table.name));
            }
        }
        Ok((session, catalog))
    }

    /// Returns the names of the question that the database's encoding cannot spell: nothing in it is called so, and
    /// the server would take none of them for a value.
    async fn alien_names(&mut self, ask: &Ask, namespace: &str, encoding: &str) -> Result<Vec<String>, Error> {
        if matches!(encoding, "UTF8" | "SQL_ASCII") {
            return Ok(Vec::new());
        }
        let indexes = ask.tables.iter().flat_map(|t| &t.indexes);
        let tables = ask.tables.iter().map(|t| &t.name);
        let names = indexes.chain(tables).map(String::as_str).chain([namespace]);
        let mut alien = Vec::new();
        for name in names.filter(|name| !name.is_ascii()) {
            self.command("SAVEPOINT seadrift_name").await?;
            let sql = "SELECT pg_catalog.to_json($1::text)::text WHERE $2 = ''";
            let answer = self.document::<String>(sql, [name, ""]).await;
            self.command("ROLLBACK TO SAVEPOINT seadrift_name").await?;
            match answer {
                Ok(_) => {}
                Err(error) if error.reason.contains(errors::UNTRANSLATABLE) => alien.push(name.to_owned()),
                Err(error) => return Err(error),
            }
        }
        Ok(alien)
    }

    /// Sends a statement that returns nothing.
    pub(super) async fn command(&mut self, sql: &'static str) -> Result<(), Error> {
        self.queries += 1;
        let deadline = self.limits.statement.saturating_add(GRACE);
        timeout(deadline, sqlx::raw_sql(sql).execute(&mut self.connection))
            .await
            .map_err(|_| errors::silent(deadline))?
            .map_err(|e| self.failed(&e))?;
        Ok(())
    }

    fn failed(&mut self, error: &sqlx::Error) -> Error {
        self.blocked = errors::is_blocked(error);
        errors::querying(error, self.limits)
    }

    /// Sends a query that returns one JSON document.
    async fn query<T: DeserializeOwned>(&mut self, sql: &'static str, args: [String; 2]) -> Result<T, Error> {
        self.document(sql, [&args[0], &args[1]]).await
    }

    /// Returns whether the server knows a setting that it may hide. Asking for one that is hidden is an error, which a
    /// savepoint keeps from ending the transaction; nothing is answered where even that fails.
    pub(super) async fn has_setting(&mut self, name: &str) -> Option<bool> {
        self.command("SAVEPOINT seadrift_probe").await.ok()?;
        let sql = "SELECT (pg_catalog.to_jsonb(pg_catalog.current_setting($1, true) IS NOT NULL))::text WHERE $2 = ''";
        let answer = self.document::<bool>(sql, [name, ""]).await;
        self.command("ROLLBACK TO SAVEPOINT seadrift_probe").await.ok()?;
        match answer {
            Ok(known) => Some(known),
            Err(error) if error.reason.contains("42501") || error.reason.contains("permission") => Some(true),
            Err(_) => None,
        }
    }

    /// Sends a query that returns one JSON document. Names in it are quoted, values are bound.
    pub(super) async fn document<T: DeserializeOwned>(&mut self, sql: &str, args: [&str; 2]) -> Result<T, Error> {
        self.queries += 1;
        let deadline = self.limits.statement.saturating_add(GRACE);
        let [first, second] = args;
        let query = sqlx::query(sqlx::AssertSqlSafe(sql.to_owned()))
            .bind(first)
            .bind(second)
            .persistent(false);
        let row = timeout(deadline, query.fetch_one(&mut self.connection))
            .await
            .map_err(|_| errors::silent(deadline))?
            .map_err(|e| self.failed(&e))?;
        let bytes = row
            .try_get_raw(0)
            .ok()
            .and_then(|value| value.as_bytes().ok().map(<[u8]>::to_vec))
            .unwrap_or_default();
        // A database of encoding SQL_ASCII converts nothing, so its texts may be in any encoding. What is lost stands
        // out as U+FFFD.
        serde_json::from_str(&String::from_utf8_lossy(&bytes)).map_err(|e| errors::unreadable(&e))
    }

    /// Asks who stands in the way, in a transaction of its own. Best effort: any failure is an empty answer.
    async fn lock_holders(&mut self, ask: &Ask, namespace: &str) -> Vec<LockRow> {
        let attempt = async {
            let begin = "ROLLBACK; BEGIN READ ONLY; SET LOCAL idle_in_transaction_session_timeout = 0; \
                         SET LOCAL search_path = pg_catalog, pg_temp; \
                         SET LOCAL TimeZone = 'UTC'; SET LOCAL jit = off; SET LOCAL statement_timeout = '2s'";
            sqlx::raw_sql(begin).execute(&mut self.connection).await.ok()?;
            let names: Vec<String> = ask.tables.iter().map(|t| t.name.clone()).collect();
            let text = sqlx::query_scalar::<_, String>(include_str!("queries/lock_holders.sql"))
                .bind(names)
                .bind(namespace)
                .persistent(false)
                .fetch_one(&mut self.connection)
                .await
                .ok()?;
            sqlx::raw_sql("ROLLBACK").execute(&mut self.connection).await.ok()?;
            serde_json::from_str(&text).ok()
        };
        timeout(BRIEF, attempt).await.ok().flatten().unwrap_or_default()
    }

    /// Ends the session. A server that does not say goodbye is left alone; the transaction ends with the connection.
    pub(super) async fn close(self) {
        let _ = timeout(BRIEF, self.connection.close()).await;
    }
}

/// Writes a limit as the server wants it; 0 would mean no limit.
fn milliseconds(limit: Duration) -> String {
    let ms = limit.as_millis().clamp(1, i32::MAX.unsigned_abs().into());
    format!("{ms}ms")
}

fn question(ask: &Ask, search_path: &[String], is_alien: impl Fn(&str) -> bool) -> String {
    let tables: Vec<serde_json::Value> = ask
        .tables
        .iter()
        .filter(|t| !is_alien(&t.name))
        .map(|t| {
            let indexes: Vec<&String> = t.indexes.iter().filter(|name| !is_alien(name)).collect();
            serde_json::json!({ "name": t.name, "indexes": indexes })
        })
        .collect();
    serde_json::json!({ "tables": tables, "path": search_path }).to_string()
}

fn supported(session: &SessionRow) -> Result<(), Error> {
    let number: u32 = session.server_version_num.parse().unwrap_or_default();
    if session.version.starts_with("PostgreSQL") && number >= OLDEST {
        return Ok(());
    }
    let name = session.version.split_whitespace().take(2).collect::<Vec<_>>().join(" ");
    Err(Error::new(
        ErrorKind::Unsupported,
        format!(
            "The server is {}, which this program does not know how to read.",
            brief(&name)
        ),
        "Check a PostgreSQL server of version 12 or newer.",
    ))
}

/// Returns an error unless the server has confirmed that the transaction is read-only and sees the right names.
fn safe(session: &SessionRow) -> Result<(), Error> {
    let client_encoding = match session.encoding.as_str() {
        "SQL_ASCII" => "SQL_ASCII",
        _ => "UTF8",
    };
    for (setting, wanted) in [
        ("transaction_read_only", "on"),
        ("transaction_isolation", "repeatable read"),
        ("client_encoding", client_encoding),
        ("search_path", "pg_catalog, pg_temp"),
    ] {
        let found = session.settings.get(setting).map(String::as_str);
        if found != Some(wanted) {
            return Err(Error::new(
                ErrorKind::UnsafeSession,
                format!("The session could not be made safe: {setting} is not `{wanted}`."),
                "Connect without a proxy that changes statements, or ask its operator to let \
                 BEGIN READ ONLY and set_config through.",
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::AskTable;

    fn session(version: &str, number: &str, read_only: &str) -> SessionRow {
        serde_json::from_value(serde_json::json!({
            "search_path": ["pg_catalog", "public"], "version": version, "server_version": "15.1",
            "server_version_num": number, "database": "d", "role": "r", "replica": false, "encoding": "UTF8",
            "fsync": "on", "now": "2026-01-01T00:00:00.5",
            "settings": { "transaction_read_only": read_only, "transaction_isolation": "repeatable read",
                "client_encoding": "UTF8", "search_path": "pg_catalog, pg_temp" }
        }))
        .unwrap()
    }

    #[test]
    fn old_servers_and_other_products_are_refused() {
        assert!(supported(&session("PostgreSQL 12.0 on x86", "120000", "on")).is_ok());
        for (version, number) in [
            ("PostgreSQL 11.22 on x86", "110022"),
            ("CockroachDB CCL v23.1.0", "130000"),
            ("PostgreSQL", "what"),
        ] {
            let error = supported(&session(version, number, "on")).unwrap_err();
            assert_eq!(error.kind, ErrorKind::Unsupported);
        }
    }

    #[test]
    fn a_session_that_can_write_is_refused() {
        assert!(safe(&session("PostgreSQL 15", "150000", "on")).is_ok());
        let error = safe(&session("PostgreSQL 15", "150000", "off")).unwrap_err();
        assert_eq!(error.kind, ErrorKind::UnsafeSession);
        let mut renamed = session("PostgreSQL 15", "150000", "on");
        renamed.settings.insert("search_path".to_owned(), "public".to_owned());
        assert!(safe(&renamed).is_err());
    }

    #[test]
    fn a_limit_of_zero_is_not_sent_as_no_limit() {
        assert_eq!(milliseconds(Duration::ZERO), "1ms");
        assert_eq!(milliseconds(Duration::from_secs(2)), "2000ms");
        assert_eq!(milliseconds(Duration::MAX), "2147483647ms");
    }

    #[test]
    fn names_travel_as_data() {
        let ask = Ask {
            namespace: None,
            tables: vec![AskTable {
                name: "O'Neil \"x\"; --".to_owned(),
                indexes: vec!["u'\"x".to_owned()],
            }],
            limits: Limits::default(),
        };
        let text = question(&ask, &["public".to_owned()], |_| false);
        let back: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(back["tables"][0]["name"], "O'Neil \"x\"; --");
        assert_eq!(back["tables"][0]["indexes"][0], "u'\"x");
        assert_eq!(back["path"][0], "public");
    }
}
