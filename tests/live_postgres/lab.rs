//! A database for each test, and an ear on the wire.

use std::future::Future;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread::JoinHandle;
use std::time::Duration;

use seadrift::catalog::{Ask, AskTable, Catalog, Error, Found, Limits, Sighting, fetch};
use seadrift::config::DatabaseUrl;
use seadrift::schema::Table;
use sqlx::{AssertSqlSafe, Connection, PgConnection};

/// A database of a test's own.
pub(crate) struct Lab {
    url: String,
    /// The database's name.
    pub(crate) name: String,
}

impl Lab {
    async fn open(name: &str) -> Option<Self> {
        let lab = Self {
            url: setting("SEADRIFT_TEST_POSTGRES_URL", name)?,
            name: format!("seadrift_{name}_{}", std::process::id()),
        };
        let mut admin = PgConnection::connect(&lab.url).await.unwrap();
        drop_database(&mut admin, &lab.name).await;
        run(&mut admin, &format!("CREATE DATABASE {}", lab.name)).await;
        Some(lab)
    }

    /// Returns the URL of the database, perhaps for another role.
    pub(crate) fn url(&self, user: Option<&str>) -> String {
        self.url_on(&self.url, user)
    }

    fn url_on(&self, server: &str, user: Option<&str>) -> String {
        let mut url = url::Url::parse(server).unwrap();
        url.set_path(&self.name);
        if let Some(user) = user {
            url.set_username(user).unwrap();
        }
        url.to_string()
    }

    /// Opens a session beside the check's.
    pub(crate) async fn connect(&self) -> PgConnection {
        PgConnection::connect(&self.url(None)).await.unwrap()
    }

    /// Returns whether the server has what came with a major version; says aloud if it is too old for the test.
    pub(crate) async fn is_at_least(&self, major: i32) -> bool {
        let version: i32 = sqlx::query_scalar("SELECT current_setting('server_version_num')::integer / 10000")
            .fetch_one(&mut self.connect().await)
            .await
            .unwrap();
        if version < major {
            say(&format!(
                "SKIPPED {}: PostgreSQL {version} is older than {major}",
                self.name
            ));
        }
        version >= major
    }

    /// Runs SQL in a session of its own.
    pub(crate) async fn setup(&self, sql: &str) {
        run(&mut self.connect().await, sql).await;
    }

    /// Reads the catalog as a check does.
    pub(crate) async fn fetch(&self, ask: &Ask) -> Result<Catalog, Error> {
        fetch(&DatabaseUrl::parse(&self.url(None)).unwrap(), ask).await
    }

    async fn close(self) {
        let mut admin = PgConnection::connect(&self.url).await.unwrap();
        drop_database(&mut admin, &self.name).await;
    }
}

/// Returns an environment variable. Without it a test is skipped, or fails where live tests are required.
fn setting(variable: &str, test: &str) -> Option<String> {
    let value = std::env::var(variable).ok();
    if value.is_none() {
        let required = std::env::var("SEADRIFT_REQUIRE_LIVE").is_ok_and(|v| v == "1");
        assert!(!required, "{variable} is not set, and live tests are required");
        say(&format!("SKIPPED {test}: {variable} is not set"));
    }
    value
}

/// Returns the URL of the lab's database on the hot standby.
pub(crate) fn standby_url(lab: &Lab) -> Option<String> {
    setting("SEADRIFT_TEST_POSTGRES_STANDBY_URL", &lab.name).map(|server| lab.url_on(&server, None))
}

/// Writes a line that is shown although the test passes, unlike those of eprintln!.
fn say(line: &str) {
    std::io::stderr().write_all(format!("{line}\n").as_bytes()).unwrap();
}

/// Drops a database with all who are in it. WITH (FORCE) is newer than the oldest supported server.
async fn drop_database(admin: &mut PgConnection, name: &str) {
    let end = format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'");
    run(admin, &end).await;
    for _ in 0..50 {
        let drop = AssertSqlSafe(format!("DROP DATABASE IF EXISTS {name}"));
        if sqlx::raw_sql(drop).execute(&mut *admin).await.is_ok() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("{name} could not be dropped");
}

/// Runs SQL in an open session.
pub(crate) async fn run(connection: &mut PgConnection, sql: &str) {
    sqlx::raw_sql(AssertSqlSafe(sql.to_owned()))
        .execute(connection)
        .await
        .unwrap();
}

/// Runs a test with a database of its own, or skips it.
pub(crate) async fn with_lab<F: Future<Output = Lab>>(name: &str, test: impl FnOnce(Lab) -> F) {
    if let Some(lab) = Lab::open(name).await {
        test(lab).await.close().await;
    }
}

/// Asks for tables, each with the index that makes a ledger one.
pub(crate) fn ask(tables: &[&str]) -> Ask {
    Ask {
        namespace: None,
        tables: tables
            .iter()
            .map(|name| AskTable {
                name: (*name).to_owned(),
                indexes: vec!["UX_ProcessedEvents_EventId".to_owned()],
            })
            .collect(),
        limits: Limits {
            connect: Duration::from_secs(5),
            lock: Duration::from_millis(300),
            statement: Duration::from_secs(10),
        },
    }
}

/// Returns the object that was seen.
pub(crate) fn table(sighting: &Sighting) -> &Table {
    match &sighting.found {
        Found::Object(table) => table,
        other => panic!("{other:?}"),
    }
}

/// Stands between the check and the server, and keeps what the check sends.
pub(crate) fn eavesdrop(server: SocketAddr) -> (SocketAddr, JoinHandle<Vec<u8>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let heard = std::thread::spawn(move || {
        let (mut client, _) = listener.accept().unwrap();
        let mut upstream = TcpStream::connect(server).unwrap();
        let (mut back, mut down) = (upstream.try_clone().unwrap(), client.try_clone().unwrap());
        std::thread::spawn(move || std::io::copy(&mut back, &mut down));
        let (mut heard, mut buffer) = (Vec::new(), [0; 4096]);
        while let Ok(n @ 1..) = client.read(&mut buffer) {
            heard.extend_from_slice(&buffer[..n]);
            upstream.write_all(&buffer[..n]).unwrap();
        }
        heard
    });
    (address, heard)
}

/// Returns the tags of the messages of a session, the untagged greeting aside.
pub(crate) fn tags(mut sent: &[u8]) -> String {
    let length = |bytes: &[u8]| u32::from_be_bytes(bytes[..4].try_into().unwrap()) as usize;
    sent = &sent[length(sent)..];
    let mut tags = String::new();
    while let [tag, rest @ ..] = sent {
        tags.push(char::from(*tag));
        sent = &rest[length(rest)..];
    }
    tags
}
