//! Databases of a test's own, on the servers that the environment names or in files.

use std::future::Future;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use sqlx::mysql::MySqlConnectOptions;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, Connection, MySqlConnection, PgConnection, SqliteConnection};
use tempfile::TempDir;
use url::Url;

use super::case::{End, Message};

/// A kind of database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Postgres,
    Mariadb,
    Sqlite,
}

impl Kind {
    pub(crate) const ALL: [Self; 3] = [Self::Postgres, Self::Mariadb, Self::Sqlite];

    /// Its folder under `tests/cases`.
    pub(crate) fn folder(self) -> &'static str {
        match self {
            Self::Postgres => "postgres",
            Self::Mariadb => "mariadb",
            Self::Sqlite => "sqlite",
        }
    }

    /// The variable that holds the URL of a private server's administrator.
    fn variable(self) -> Option<&'static str> {
        match self {
            Self::Postgres => Some("SEADRIFT_TEST_POSTGRES_URL"),
            Self::Mariadb => Some("SEADRIFT_TEST_MARIADB_URL"),
            Self::Sqlite => None,
        }
    }

    /// Returns whether there is a server. If not, it says loudly that the test is skipped, or fails if it must not be.
    pub(crate) fn is_here(self) -> bool {
        self.variable().is_none_or(|variable| server(variable).is_some())
    }
}

/// Returns the URL of a server. Without one, it says loudly that the test is skipped, or fails if it must not be.
pub(crate) fn server(variable: &str) -> Option<Url> {
    let Ok(url) = std::env::var(variable) else {
        assert!(
            std::env::var_os("SEADRIFT_REQUIRE_LIVE").is_none(),
            "{variable} is not set, and SEADRIFT_REQUIRE_LIVE asks for it"
        );
        // Not by a macro, whose output the test runner keeps to itself.
        let _ = writeln!(std::io::stderr(), "SKIPPED: {variable} names no server");
        return None;
    };
    Some(Url::parse(&url).unwrap_or_else(|error| panic!("{variable} is not a URL: {error}")))
}

/// A database of its own; gone when it is dropped.
pub(crate) struct Database {
    pub(crate) kind: Kind,
    /// Its name; a second database may be made with the name of [`Database::other`], a role with that of
    /// [`Database::role`], and on MariaDB a group of that name with `_group` behind it. They are removed with it.
    pub(crate) name: String,
    server: Option<Url>,
    directory: TempDir,
}

impl Database {
    /// Makes an empty database, or names a file that does not exist yet.
    pub(crate) fn create(kind: Kind) -> Self {
        Self::make(kind, kind.variable().and_then(server), None)
    }

    /// Makes an empty database of an encoding, which only PostgreSQL has.
    pub(crate) fn create_in(kind: Kind, encoding: Option<&str>) -> Self {
        Self::make(kind, kind.variable().and_then(server), encoding)
    }

    /// Makes an empty database on a certain server.
    pub(crate) fn create_on(kind: Kind, server: Option<Url>) -> Self {
        Self::make(kind, server, None)
    }

    fn make(kind: Kind, server: Option<Url>, encoding: Option<&str>) -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!(
            "seadrift_{}_{}",
            std::process::id(),
            NEXT.fetch_add(1, Ordering::Relaxed)
        );
        let database = Self {
            kind,
            server,
            directory: tempfile::tempdir().unwrap(),
            name,
        };
        match kind {
            Kind::Postgres => database
                .administer(&match encoding {
                    Some(encoding) => format!(
                        "CREATE DATABASE {} ENCODING '{encoding}' LOCALE 'C' TEMPLATE template0",
                        database.name
                    ),
                    None => format!("CREATE DATABASE {}", database.name),
                })
                .unwrap(),
            Kind::Mariadb => {
                let (name, other) = (&database.name, database.other());
                // Who may see other tests' databases sees namesakes in them, so the owner may see these alone.
                for statement in [
                    format!("CREATE DATABASE {name} CHARACTER SET utf8mb4"),
                    format!("CREATE USER {name} IDENTIFIED BY '{name}'"),
                    format!("GRANT ALL ON {name}.* TO {name}"),
                    format!("GRANT ALL ON {other}.* TO {name}"),
                ] {
                    database.administer(&statement).unwrap();
                }
            }
            Kind::Sqlite => {}
        }
        database
    }

    /// The name of a second database that a setup may make.
    pub(crate) fn other(&self) -> String {
        format!("{}_other", self.name)
    }

    /// The name of a role that a setup may make.
    pub(crate) fn role(&self) -> String {
        format!("{}_role", self.name)
    }

    /// The file of a SQLite database.
    pub(crate) fn file(&self) -> PathBuf {
        self.directory.path().join("ledger.db")
    }

    /// Its URL for its owner, who may do everything in it.
    pub(crate) fn url(&self) -> String {
        match self.kind {
            Kind::Mariadb => self.url_as(&self.name, &self.name),
            Kind::Postgres | Kind::Sqlite => self.administrator_url(),
        }
    }

    /// Its URL for the administrator of the server.
    pub(crate) fn administrator_url(&self) -> String {
        match &self.server {
            Some(server) => self.url_on(server),
            None => format!("sqlite://{}", self.file().display()),
        }
    }

    /// Its URL on another way to its server.
    pub(crate) fn url_on(&self, server: &Url) -> String {
        let mut url = server.clone();
        url.set_path(&self.name);
        url.into()
    }

    /// Makes the role, without any rights, and returns its URL.
    pub(crate) fn create_role(&self) -> String {
        let role = self.role();
        let statement = match self.kind {
            Kind::Postgres => format!("CREATE ROLE {role} LOGIN PASSWORD '{role}'"),
            Kind::Mariadb => format!("CREATE USER {role} IDENTIFIED BY '{role}'"),
            Kind::Sqlite => panic!("files have no roles"),
        };
        self.administer(&statement).unwrap();
        self.url_as(&role, &role)
    }

    /// Its URL for another role.
    pub(crate) fn url_as(&self, role: &str, password: &str) -> String {
        let mut url = Url::parse(&self.administrator_url()).unwrap();
        url.set_username(role).unwrap();
        url.set_password(Some(password)).unwrap();
        url.into()
    }

    /// Runs messages in the database, one after the other in one session.
    pub(crate) fn run(&self, messages: &[Message]) -> Result<(), String> {
        block_on(async {
            let mut session = Session::connect(self.kind, &self.administrator_url()).await?;
            for message in messages {
                let sql = self.fill_in(&message.sql);
                match (session.run(&sql).await, message.end) {
                    (Ok(()), End::Succeeds) | (Err(_), End::Fails) => {}
                    (Err(error), _) => return Err(format!("{error}\nin:\n{sql}")),
                    (Ok(()), _) => return Err(format!("this should not succeed:\n{sql}")),
                }
            }
            Ok(())
        })
    }

    /// Puts its names in the place of `{database}`, `{other}` and `{role}`.
    pub(crate) fn fill_in(&self, sql: &str) -> String {
        sql.replace("{database}", &self.name)
            .replace("{other}", &self.other())
            .replace("{role}", &self.role())
    }

    /// Takes its names out again.
    pub(crate) fn take_out(&self, line: &str) -> String {
        line.replace(&self.other(), "{other}")
            .replace(&self.role(), "{role}")
            .replace(&self.name, "{database}")
    }

    /// Reads one text.
    pub(crate) fn read(&self, query: &str) -> String {
        block_on(async {
            let sql = AssertSqlSafe(query.to_owned());
            match Session::connect(self.kind, &self.administrator_url()).await? {
                Session::Postgres(mut c) => sqlx::query_scalar(sql).fetch_one(&mut c).await.map_err(in_words),
                Session::Mariadb(mut c) => sqlx::query_scalar(sql).fetch_one(&mut c).await.map_err(in_words),
                Session::Sqlite(mut c) => sqlx::query_scalar(sql).fetch_one(&mut c).await.map_err(in_words),
            }
        })
        .unwrap()
    }

    /// Runs a statement on the server, outside this database.
    pub(crate) fn administer(&self, sql: &str) -> Result<(), String> {
        let server = self.server.as_ref().expect("a file has no server");
        block_on(async { Session::connect(self.kind, server.as_str()).await?.run(sql).await })
    }

    /// Waits until a session waits for a lock in this database.
    pub(crate) fn wait_for_a_waiting_session(&self) -> Result<(), String> {
        let query = match self.kind {
            Kind::Postgres => {
                "SELECT count(*)::text FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
            }
            Kind::Mariadb => {
                "SELECT CAST(count(*) AS char) FROM information_schema.processlist
                 WHERE db = database() AND state LIKE 'Waiting for %lock'"
            }
            Kind::Sqlite => return Err("sessions of a file do not wait".to_owned()),
        };
        let end = Instant::now() + Duration::from_secs(10);
        while self.read(query) == "0" {
            if Instant::now() > end {
                return Err("no session came to wait for a lock".to_owned());
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }

    /// Waits until this is the only session in this database, as far as clients' sessions go.
    pub(crate) fn wait_until_alone(&self) -> Result<(), String> {
        let query = "SELECT coalesce(string_agg(concat_ws(' ', pid, application_name, state, query), '; '), '')
            FROM pg_stat_activity
            WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()";
        let end = Instant::now() + Duration::from_secs(5);
        loop {
            let others = self.read(query);
            if others.is_empty() {
                return Ok(());
            }
            if Instant::now() > end {
                return Err(format!("others are still there: {others}"));
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        let (name, other, role) = (&self.name, self.other(), self.role());
        let statements = match self.kind {
            Kind::Sqlite => return,
            // Not one message: a database cannot be dropped in a transaction.
            Kind::Postgres => vec![
                format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"),
                format!("DROP ROLE IF EXISTS {role}"),
            ],
            Kind::Mariadb => vec![
                format!("DROP DATABASE IF EXISTS {name}"),
                format!("DROP DATABASE IF EXISTS {other}"),
                format!("DROP USER IF EXISTS {name}, {role}"),
                format!("DROP ROLE IF EXISTS {role}_group"),
            ],
        };
        for statement in statements {
            if let Err(error) = self.administer(&statement) {
                let _ = writeln!(std::io::stderr(), "{statement}: {error}");
            }
        }
    }
}

/// One connection.
pub(crate) enum Session {
    Postgres(PgConnection),
    Mariadb(MySqlConnection),
    Sqlite(SqliteConnection),
}

impl Session {
    pub(crate) async fn connect(kind: Kind, url: &str) -> Result<Self, String> {
        match kind {
            Kind::Postgres => PgConnection::connect(url).await.map(Self::Postgres),
            Kind::Mariadb => {
                let options: MySqlConnectOptions = url.parse().map_err(in_words)?;
                // The driver would add to the mode, and the setup would not mean what it means to a client.
                let options = options.pipes_as_concat(false).no_engine_substitution(false);
                MySqlConnection::connect_with(&options).await.map(Self::Mariadb)
            }
            Kind::Sqlite => {
                let options: SqliteConnectOptions = url.parse().map_err(in_words)?;
                let options = options.create_if_missing(true).foreign_keys(false);
                SqliteConnection::connect_with(&options).await.map(Self::Sqlite)
            }
        }
        .map_err(in_words)
    }

    /// Sends SQL as it is, all of it as one message.
    pub(crate) async fn run(&mut self, sql: &str) -> Result<(), String> {
        let sql = sqlx::raw_sql(AssertSqlSafe(sql.to_owned()));
        match self {
            Self::Postgres(c) => sql.execute(c).await.map(|_| ()),
            Self::Mariadb(c) => sql.execute(c).await.map(|_| ()),
            Self::Sqlite(c) => sql.execute(c).await.map(|_| ()),
        }
        .map_err(in_words)
    }
}

/// A session on a thread of its own that has run some SQL and stays open until this is dropped.
pub(crate) struct Holder {
    done: Receiver<Result<(), String>>,
    _until_dropped: Sender<()>,
}

impl Holder {
    /// Opens the session and lets it run the SQL, which may have to wait for another session.
    pub(crate) fn start(database: &Database, sql: String) -> Self {
        let (kind, url) = (database.kind, database.administrator_url());
        let (tell, done) = channel();
        let (until_dropped, dropped) = channel::<()>();
        std::thread::spawn(move || {
            block_on(async {
                let session = match Session::connect(kind, &url).await {
                    Ok(mut session) => {
                        let _ = tell.send(session.run(&sql).await);
                        Some(session)
                    }
                    Err(error) => {
                        let _ = tell.send(Err(error));
                        None
                    }
                };
                // Nothing is ever sent: this ends when the other side is gone, and the session with it.
                let _ = dropped.recv();
                drop(session);
            });
        });
        Self {
            done,
            _until_dropped: until_dropped,
        }
    }

    /// Waits until the SQL has been run.
    pub(crate) fn wait_until_done(&self) -> Result<(), String> {
        self.done.recv().map_err(|error| error.to_string())?
    }
}

fn in_words(error: sqlx::Error) -> String {
    error.to_string()
}

/// Runs a future on this thread.
pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.unwrap().block_on(future)
}
