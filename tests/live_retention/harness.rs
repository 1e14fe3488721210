//! Ledgers of their own on each server, and what the library says of them.

use std::io::Write as _;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use seadrift::catalog::{self, Catalog};
use seadrift::compare;
use seadrift::config::{DatabaseUrl, Target};
use seadrift::retention::{Ledger, Verdict, judge};
use seadrift::rules;
use seadrift::spec;
use sqlx::{AssertSqlSafe, Connection as _, MySqlConnection, PgConnection};
use url::Url;

pub(crate) const TABLE: &str = "ProcessedIntegrationEvents";

/// How long a scheduler that only knows minutes may take to run a job.
pub(crate) const PATIENCE: Duration = Duration::from_secs(150);

pub(crate) const SPEC: &str = "
version: 1
service: live
tables:
  ProcessedIntegrationEvents:
    role: ledger
    columns:
      Id:             { type: { any: uuid, mysql: char(36), sqlite: text } }
      EventId:        { type: { any: uuid, mysql: char(36), sqlite: text } }
      ProcessedOnUtc: { type: { any: timestamptz, mysql: datetime(6), sqlite: text } }
    primary_key: [Id]
    indexes:
      UX_ProcessedEvents_EventId: { columns: [EventId], unique: true }
    ledger: { event_id: EventId, recorded_at: ProcessedOnUtc, staleness_window: 168h, clock_skew: 5m, future_dating: 5m }
    retention: { horizon: 14d, column: ProcessedOnUtc }
";

/// What was said of a target's retention.
pub(crate) struct Seen {
    pub(crate) catalog: Catalog,
    pub(crate) ledger: Ledger,
    /// Rules of group R that fired, with their messages.
    pub(crate) findings: Vec<(String, String)>,
    pub(crate) unverified: Vec<String>,
}

pub(crate) async fn look(url: &str, namespace: Option<&str>, scheduler: Option<&str>) -> Seen {
    look_with(url, namespace, scheduler, false).await
}

/// Looks at the rows as well.
pub(crate) async fn look_at_rows(url: &str, namespace: Option<&str>) -> Seen {
    look_with(url, namespace, None, true).await
}

async fn look_with(url: &str, namespace: Option<&str>, scheduler: Option<&str>, rows: bool) -> Seen {
    let spec = spec::parse("specs/live.yaml", SPEC).unwrap();
    let target = Target {
        namespace: namespace.map(str::to_owned),
        scheduler: scheduler.map(|url| DatabaseUrl::parse(url).unwrap().into()),
        ..Target::new("live", DatabaseUrl::parse(url).unwrap())
    };
    let further = target.further(&spec, rows);
    let catalog = catalog::fetch_with(&target.open().await.unwrap(), &target.ask(&spec), further)
        .await
        .unwrap();
    let said = rules::check(&compare::pair(&spec, &catalog), "live");
    let ledger = judge(&spec.tables[0], &catalog.sightings[0], &catalog).unwrap();
    let findings = said.findings.iter().filter(|f| f.code.starts_with('R'));
    Seen {
        findings: findings.map(|f| (f.rule.clone(), f.message.raw().to_owned())).collect(),
        unverified: said.unverified.iter().map(|u| u.reason.raw().to_owned()).collect(),
        ledger,
        catalog,
    }
}

impl Seen {
    pub(crate) fn assert_effective(&self) {
        assert_eq!(self.ledger.verdict, Verdict::Effective, "{:#?}", self.ledger);
        assert_eq!(self.findings, []);
        assert_eq!(self.unverified, [""; 0]);
    }

    pub(crate) fn assert_finding(&self, rule: &str, words: &str) {
        let found = self
            .findings
            .iter()
            .any(|(name, message)| name == rule && message.contains(words));
        assert!(found, "{rule} with {words:?} is not in {:#?}", self.findings);
    }

    pub(crate) fn assert_not_visible(&self, words: &str) {
        assert!(
            matches!(self.ledger.verdict, Verdict::NotVisible(_)),
            "{:#?}",
            self.ledger
        );
        assert_eq!(self.findings, []);
        assert!(
            self.unverified.iter().any(|reason| reason.contains(words)),
            "{:?}",
            self.unverified
        );
    }
}

pub(crate) fn server(variable: &str) -> Option<Url> {
    let Ok(url) = std::env::var(variable) else {
        let required = std::env::var("SEADRIFT_REQUIRE_LIVE").is_ok_and(|value| value == "1");
        assert!(
            !required,
            "{variable} is not set, and SEADRIFT_REQUIRE_LIVE=1 asks for it"
        );
        // Not by a macro, whose output the test harness keeps to itself.
        let _ = writeln!(std::io::stderr(), "SKIPPED: {variable} names no server");
        return None;
    };
    Some(url.parse().unwrap())
}

pub(crate) fn unique(prefix: &str) -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    format!(
        "{prefix}_{}_{}",
        std::process::id(),
        NEXT.fetch_add(1, Ordering::Relaxed)
    )
}

/// A namespace of its own in the database of `pg_cron`, or a database of its own beside it.
pub(crate) struct Cron {
    pub(crate) home: Url,
    pub(crate) name: String,
}

pub(crate) const POSTGRES_LEDGER: &str = r#"CREATE TABLE "ProcessedIntegrationEvents" ("Id" uuid PRIMARY KEY, "EventId" uuid NOT NULL,
    "ProcessedOnUtc" timestamptz NOT NULL);
    CREATE UNIQUE INDEX "UX_ProcessedEvents_EventId" ON "ProcessedIntegrationEvents" ("EventId");
    INSERT INTO "ProcessedIntegrationEvents"
    VALUES (gen_random_uuid(), gen_random_uuid(), now() - interval '90 days'), (gen_random_uuid(), gen_random_uuid(), now())"#;

impl Cron {
    /// Makes a ledger in a namespace of the database of `pg_cron`.
    pub(crate) async fn namespace() -> Option<Self> {
        let home = server("SEADRIFT_TEST_PG_CRON_URL")?;
        let name = unique("live");
        let cron = Self { home, name };
        cron.sql("SELECT pg_advisory_lock(7); CREATE EXTENSION IF NOT EXISTS pg_cron")
            .await;
        let name = &cron.name;
        cron.sql(&format!(
            "CREATE SCHEMA {name}; SET search_path TO {name}; {POSTGRES_LEDGER}"
        ))
        .await;
        Some(cron)
    }

    pub(crate) async fn sql(&self, sql: &str) {
        run_postgres(&self.home, sql).await;
    }

    pub(crate) async fn schedule(&self, schedule: &str, command: &str) {
        let (name, command) = (&self.name, command.replace("{ns}", &self.name));
        self.sql(&format!(
            "SELECT cron.schedule('{name}', '{schedule}', $job${command}$job$)"
        ))
        .await;
    }

    pub(crate) async fn look(&self) -> Seen {
        look(self.home.as_str(), Some(&self.name), None).await
    }

    pub(crate) async fn drop(self) {
        let name = &self.name;
        self.sql(&format!(
            "DELETE FROM cron.job WHERE jobname = '{name}'; DROP SCHEMA {name} CASCADE"
        ))
        .await;
    }
}

pub(crate) async fn run_postgres(url: &Url, sql: &str) {
    let mut connection = PgConnection::connect(url.as_str()).await.unwrap();
    sqlx::raw_sql(AssertSqlSafe(sql.to_owned()))
        .execute(&mut connection)
        .await
        .unwrap();
    connection.close().await.unwrap();
}

pub(crate) fn with_path(url: &Url, path: &str) -> Url {
    let mut url = url.clone();
    url.set_path(path);
    url
}

/// A MariaDB database of its own.
pub(crate) struct Events {
    pub(crate) root: Url,
    pub(crate) name: String,
}

impl Events {
    pub(crate) async fn database() -> Option<Self> {
        let root = server("SEADRIFT_TEST_MARIADB_URL")?;
        let events = Self {
            root,
            name: unique("live"),
        };
        let name = &events.name;
        events
            .sql(&format!(
                "CREATE DATABASE {name}; SET GLOBAL event_scheduler = ON; USE {name};
                 CREATE TABLE ProcessedIntegrationEvents (Id char(36) PRIMARY KEY, EventId char(36) NOT NULL,
                   ProcessedOnUtc datetime(6) NOT NULL, UNIQUE KEY UX_ProcessedEvents_EventId (EventId));
                 INSERT INTO ProcessedIntegrationEvents VALUES (uuid(), uuid(), utc_timestamp() - INTERVAL 90 DAY),
                   (uuid(), uuid(), utc_timestamp())"
            ))
            .await;
        Some(events)
    }

    pub(crate) async fn sql(&self, sql: &str) {
        let mut connection = MySqlConnection::connect(self.root.as_str()).await.unwrap();
        sqlx::raw_sql(AssertSqlSafe(sql.to_owned()))
            .execute(&mut connection)
            .await
            .unwrap();
        connection.close().await.unwrap();
    }

    pub(crate) async fn look(&self) -> Seen {
        look(with_path(&self.root, &self.name).as_str(), None, None).await
    }

    pub(crate) async fn drop(self) {
        self.sql(&format!("DROP DATABASE {}", self.name)).await;
    }
}

/// An SQLite file with a ledger, one of whose rows is old.
pub(crate) struct File {
    _folder: tempfile::TempDir,
    path: std::path::PathBuf,
    pub(crate) url: String,
}

impl File {
    pub(crate) async fn ledger() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ledger.db");
        let file = Self {
            url: format!("sqlite:{}", path.display()),
            path,
            _folder: folder,
        };
        file.sql(
            r#"CREATE TABLE "ProcessedIntegrationEvents" ("Id" TEXT NOT NULL PRIMARY KEY, "EventId" TEXT NOT NULL,
                 "ProcessedOnUtc" TEXT NOT NULL);
               CREATE UNIQUE INDEX "UX_ProcessedEvents_EventId" ON "ProcessedIntegrationEvents" ("EventId");
               INSERT INTO "ProcessedIntegrationEvents" VALUES
                 ('a', 'a', strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now', '-90 days', '-1 hours')),
                 ('b', 'b', strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'))"#,
        )
        .await;
        file
    }

    pub(crate) async fn sql(&self, sql: &str) {
        let options = sqlx::sqlite::SqliteConnectOptions::new()
            .filename(&self.path)
            .create_if_missing(true);
        let mut connection = sqlx::SqliteConnection::connect_with(&options).await.unwrap();
        sqlx::raw_sql(AssertSqlSafe(sql.to_owned()))
            .execute(&mut connection)
            .await
            .unwrap();
        connection.close().await.unwrap();
    }
}
