//! A ledger of its own for one test on each database, and the program run on it.

use std::io::Write as _;
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use sea_orm::{ConnectionTrait, DatabaseConnection, Statement};

/// The three kinds of server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Postgres,
    MariaDb,
    Sqlite,
}

/// Makes one test per database out of an asynchronous function that takes a ledger.
macro_rules! on_each {
    ($(#[$attribute:meta])* $name:ident, $test:expr) => {
        $(#[$attribute])*
        mod $name {
            #[allow(unused_imports, reason = "not every test needs everything")]
            use super::*;

            #[test]
            fn postgres() {
                $crate::harness::with_ledger($crate::harness::Kind::Postgres, $test);
            }

            #[test]
            fn mariadb() {
                $crate::harness::with_ledger($crate::harness::Kind::MariaDb, $test);
            }

            #[test]
            fn sqlite() {
                $crate::harness::with_ledger($crate::harness::Kind::Sqlite, $test);
            }
        }
    };
}
pub(crate) use on_each;

/// The notification service's ledger in a database of its own, with an index on the time of recording.
pub(crate) struct Ledger {
    pub(crate) kind: Kind,
    pub(crate) url: String,
    pub(crate) db: DatabaseConnection,
    dir: tempfile::TempDir,
}

/// What the program said.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// Runs a test on a ledger of its own, or says that it is skipped.
pub(crate) fn with_ledger(kind: Kind, test: impl AsyncFnOnce(&Ledger)) {
    let variable = match kind {
        Kind::Postgres => "SEADRIFT_TEST_POSTGRES_URL",
        Kind::MariaDb => "SEADRIFT_TEST_MARIADB_URL",
        Kind::Sqlite => "",
    };
    let server = std::env::var(variable).ok();
    if kind != Kind::Sqlite && server.is_none() {
        let required = std::env::var("SEADRIFT_REQUIRE_LIVE").is_ok_and(|value| value == "1");
        assert!(
            !required,
            "{variable} is not set, and SEADRIFT_REQUIRE_LIVE=1 asks for it"
        );
        // The test runner swallows what `eprintln!` prints in a test that passes.
        let notice = format!("SKIPPED: {variable} is not set\n");
        std::io::stderr().write_all(notice.as_bytes()).unwrap();
        return;
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let name = name();
        let dir = tempfile::tempdir().unwrap();
        let url = match &server {
            Some(server) => {
                let mut url = url::Url::parse(server).unwrap();
                url.set_path(&name);
                url.to_string()
            }
            None => format!("sqlite:{}", dir.path().join("ledger.db").display()),
        };
        if let Some(server) = &server {
            admin(server, kind, &format!("CREATE DATABASE {name}")).await;
        }
        std::fs::copy(
            concat!(env!("CARGO_MANIFEST_DIR"), "/specs/notification.yaml"),
            dir.path().join("notification.yaml"),
        )
        .unwrap();
        let migrated = Command::new(env!("CARGO_BIN_EXE_seadrift"))
            .args(["migrate", "up", "--service", "notification"])
            .env("DATABASE_URL", &url)
            .output()
            .unwrap();
        assert!(migrated.status.success(), "{:?}", Run::from(migrated));
        let db = sea_orm::Database::connect(&url).await.unwrap();
        let ledger = Ledger { kind, url, db, dir };
        ledger
            .sql(&format!(
                "CREATE INDEX ix_age ON {} ({})",
                ledger.table(),
                ledger.column()
            ))
            .await;
        test(&ledger).await;
        ledger.db.close_by_ref().await.unwrap();
        if let Some(server) = &server {
            if kind == Kind::Postgres {
                // WITH (FORCE) is newer than the oldest supported server.
                let end = format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'");
                admin(server, kind, &end).await;
            }
            admin(server, kind, &format!("DROP DATABASE {name}")).await;
        }
    });
}

/// A new identifier; PostgreSQL 12 has no `gen_random_uuid()` of its own.
const FRESH_UUID: &str = "md5(random()::text || clock_timestamp()::text)::uuid";

fn name() -> String {
    static COUNTER: AtomicU32 = AtomicU32::new(0);
    format!(
        "seadrift_trim_{}_{}",
        std::process::id(),
        COUNTER.fetch_add(1, Ordering::Relaxed)
    )
}

async fn admin(server: &str, kind: Kind, sql: &str) {
    let sql = if kind == Kind::Postgres {
        sql.to_owned()
    } else {
        sql.replace('"', "`")
    };
    let db = sea_orm::Database::connect(server).await.unwrap();
    db.execute_unprepared(&sql).await.unwrap();
    db.close().await.unwrap();
}

impl Ledger {
    pub(crate) fn quote(&self, name: &str) -> String {
        match self.kind {
            Kind::MariaDb => format!("`{name}`"),
            Kind::Postgres | Kind::Sqlite => format!("\"{name}\""),
        }
    }

    pub(crate) fn table(&self) -> String {
        self.quote("ProcessedIntegrationEvents")
    }

    pub(crate) fn column(&self) -> String {
        self.quote("ProcessedOnUtc")
    }

    pub(crate) async fn sql(&self, sql: &str) {
        self.db
            .execute_unprepared(sql)
            .await
            .unwrap_or_else(|error| panic!("{sql}: {error}"));
    }

    pub(crate) async fn number(&self, sql: &str) -> i64 {
        let statement = Statement::from_string(self.db.get_database_backend(), sql);
        let row = self.db.query_one_raw(statement).await.unwrap().unwrap();
        row.try_get_by_index::<i64>(0).unwrap()
    }

    pub(crate) async fn count(&self) -> i64 {
        self.number(&format!(
            "SELECT CAST(count(*) AS {}) FROM {}",
            self.bigint(),
            self.table()
        ))
        .await
    }

    pub(crate) fn bigint(&self) -> &'static str {
        match self.kind {
            Kind::MariaDb => "SIGNED",
            Kind::Postgres | Kind::Sqlite => "bigint",
        }
    }

    /// Adds rows, one a second, of which the first is so many days old.
    pub(crate) async fn add(&self, rows: u32, days: u32) {
        let (id, time, from) = match self.kind {
            Kind::Postgres => (
                FRESH_UUID,
                format!("clock_timestamp() - interval '{days} days' + n * interval '1 second'"),
                format!("generate_series(1, {rows}) AS n"),
            ),
            Kind::MariaDb => (
                "unhex(replace(uuid(), '-', ''))",
                format!("UTC_TIMESTAMP(6) - INTERVAL {days} DAY + INTERVAL seq SECOND"),
                format!("seq_1_to_{rows}"),
            ),
            Kind::Sqlite => (
                "randomblob(16)",
                format!("strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now', '-{days} days', '+' || value || ' seconds')"),
                format!("generate_series(1, {rows})"),
            ),
        };
        let with = match self.kind {
            Kind::Sqlite => format!(
                "WITH RECURSIVE numbers(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM numbers WHERE value < {rows}) "
            ),
            _ => String::new(),
        };
        let from = if self.kind == Kind::Sqlite {
            "numbers".to_owned()
        } else {
            from
        };
        self.sql(&self.insert(&with, id, &time, &from)).await;
    }

    /// Adds one row with a time as the database writes it.
    pub(crate) async fn add_at(&self, time: &str) {
        let id = match self.kind {
            Kind::Postgres => FRESH_UUID,
            Kind::MariaDb => "unhex(replace(uuid(), '-', ''))",
            Kind::Sqlite => "randomblob(16)",
        };
        self.sql(&self.insert("", id, time, "(SELECT 1 AS one) AS one")).await;
    }

    fn insert(&self, with: &str, id: &str, time: &str, from: &str) -> String {
        let columns = [
            "Id",
            "EventId",
            "EventType",
            "SourceService",
            "Outcome",
            "MessagesCreated",
            "ProcessedOnUtc",
        ]
        .map(|name| self.quote(name))
        .join(", ");
        format!(
            "INSERT INTO {} ({columns}) {with} SELECT {id}, {id}, 'type', 'source', 'Processed', 1, {time} FROM {from}",
            self.table()
        )
    }

    /// The program on this ledger.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_seadrift"));
        command
            .arg("retention")
            .args(arguments)
            .arg("--spec")
            .arg(self.dir.path().join("notification.yaml"))
            .env("DATABASE_URL", &self.url)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        self.command(arguments).output().unwrap().into()
    }

    pub(crate) fn trim(&self, arguments: &[&str]) -> Run {
        self.run(&[&["trim", "--pause", "0ms"], arguments].concat())
    }

    /// Begins a run of many small batches, and waits until it has removed something.
    pub(crate) async fn begin_slow_trim(&self) -> Child {
        let before = self.count().await;
        let child = self
            .command(&["trim", "--batch", "10", "--pause", "100ms"])
            .spawn()
            .unwrap();
        let start = Instant::now();
        while self.count().await == before {
            assert!(start.elapsed() < Duration::from_secs(60), "the run removes nothing");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        child
    }

    /// Changes the spec.
    pub(crate) fn edit_spec(&self, from: &str, to: &str) {
        let path = self.dir.path().join("notification.yaml");
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{from} is not in {text}");
        std::fs::write(path, text.replace(from, to)).unwrap();
    }

    pub(crate) fn spec(&self) -> seadrift::spec::Spec {
        seadrift::spec::load(&self.dir.path().join("notification.yaml")).unwrap()
    }

    pub(crate) fn migrate_retention(&self) {
        let run: Run = Command::new(env!("CARGO_BIN_EXE_seadrift"))
            .args(["migrate", "up", "--service", "retention"])
            .env("DATABASE_URL", &self.url)
            .output()
            .unwrap()
            .into();
        assert_eq!(run.code, 0, "{run:?}");
    }
}

pub(crate) fn wait(child: Child) -> Run {
    child.wait_with_output().unwrap().into()
}
