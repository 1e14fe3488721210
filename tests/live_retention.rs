//! Retention jobs of real servers: `pg_cron`, `pg_partman`, the event scheduler of MariaDB, and runners outside.
//!
//! `SEADRIFT_TEST_PG_CRON_URL` names the superuser of a private PostgreSQL server that loads `pg_cron` for the database
//! of the URL and that has `pg_partman` to install; `SEADRIFT_TEST_MARIADB_URL` the root user of a private MariaDB. Where
//! one is missing, its tests say `SKIPPED`; with `SEADRIFT_REQUIRE_LIVE=1` they fail. `tests/run` sets both.

#![allow(clippy::disallowed_methods, reason = "the environment says where the servers are")]
#![allow(clippy::unwrap_used, reason = "a test whose scene cannot be set has failed")]

use std::io::Write as _;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use seadrift::catalog::{self, Ask, AskTable, Catalog, JobQuestion, Limits};
use seadrift::compare;
use seadrift::config::DatabaseUrl;
use seadrift::retention::{Ledger, Verdict, judge};
use seadrift::rules;
use seadrift::spec::{self, Spec};
use sqlx::{AssertSqlSafe, Connection as _, MySqlConnection, PgConnection};
use url::Url;

const TABLE: &str = "ProcessedIntegrationEvents";

/// How long a scheduler that only knows minutes may take to run a job.
const PATIENCE: Duration = Duration::from_secs(150);

fn spec() -> Spec {
    let text = "
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
    spec::parse("specs/live.yaml", text).unwrap()
}

/// What was said of a target's retention.
struct Seen {
    catalog: Catalog,
    ledger: Ledger,
    /// Rules of group R that fired, with their messages.
    findings: Vec<(String, String)>,
    unverified: Vec<String>,
}

async fn look(url: &str, namespace: Option<&str>, scheduler: Option<&str>) -> Seen {
    let spec = spec();
    let ask = Ask {
        namespace: namespace.map(str::to_owned),
        tables: vec![AskTable {
            name: TABLE.to_owned(),
            indexes: vec!["UX_ProcessedEvents_EventId".to_owned()],
        }],
        limits: Limits::default(),
    };
    let url = DatabaseUrl::parse(url).unwrap();
    let scheduler = scheduler.map(|url| DatabaseUrl::parse(url).unwrap());
    let question = JobQuestion {
        wanted: true,
        scheduler: scheduler.as_ref(),
    };
    let catalog = catalog::fetch_with_jobs(&url, &ask, question).await.unwrap();
    let said = rules::check(&compare::pair(&spec, &catalog), "live");
    let ledger = judge(
        &spec.tables[0],
        &catalog.sightings[0],
        catalog.namespace.name.as_deref(),
        catalog.server.dialect,
        &catalog.retention,
    )
    .unwrap();
    let findings = said.findings.iter().filter(|f| f.code.starts_with('R'));
    Seen {
        findings: findings.map(|f| (f.rule.clone(), f.message.raw().to_owned())).collect(),
        unverified: said.unverified.iter().map(|u| u.reason.raw().to_owned()).collect(),
        ledger,
        catalog,
    }
}

impl Seen {
    fn assert_effective(&self) {
        assert_eq!(self.ledger.verdict, Verdict::Effective, "{:#?}", self.ledger);
        assert_eq!(self.findings, []);
        assert_eq!(self.unverified, [""; 0]);
    }

    fn assert_finding(&self, rule: &str, words: &str) {
        let found = self
            .findings
            .iter()
            .any(|(name, message)| name == rule && message.contains(words));
        assert!(found, "{rule} with {words:?} is not in {:#?}", self.findings);
    }

    fn assert_not_visible(&self, words: &str) {
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

fn server(variable: &str) -> Option<Url> {
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

fn unique(prefix: &str) -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    format!(
        "{prefix}_{}_{}",
        std::process::id(),
        NEXT.fetch_add(1, Ordering::Relaxed)
    )
}

/// A namespace of its own in the database of `pg_cron`, or a database of its own beside it.
struct Cron {
    home: Url,
    name: String,
}

const POSTGRES_LEDGER: &str = r#"CREATE TABLE "ProcessedIntegrationEvents" ("Id" uuid PRIMARY KEY, "EventId" uuid NOT NULL,
    "ProcessedOnUtc" timestamptz NOT NULL);
    CREATE UNIQUE INDEX "UX_ProcessedEvents_EventId" ON "ProcessedIntegrationEvents" ("EventId");
    INSERT INTO "ProcessedIntegrationEvents"
    VALUES (gen_random_uuid(), gen_random_uuid(), now() - interval '90 days'), (gen_random_uuid(), gen_random_uuid(), now())"#;

impl Cron {
    /// Makes a ledger in a namespace of the database of `pg_cron`.
    async fn namespace() -> Option<Self> {
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

    async fn sql(&self, sql: &str) {
        run_postgres(&self.home, sql).await;
    }

    async fn schedule(&self, schedule: &str, command: &str) {
        let (name, command) = (&self.name, command.replace("{ns}", &self.name));
        self.sql(&format!(
            "SELECT cron.schedule('{name}', '{schedule}', $job${command}$job$)"
        ))
        .await;
    }

    async fn look(&self) -> Seen {
        look(self.home.as_str(), Some(&self.name), None).await
    }

    async fn drop(self) {
        let name = &self.name;
        self.sql(&format!(
            "DELETE FROM cron.job WHERE jobname = '{name}'; DROP SCHEMA {name} CASCADE"
        ))
        .await;
    }
}

async fn run_postgres(url: &Url, sql: &str) {
    let mut connection = PgConnection::connect(url.as_str()).await.unwrap();
    sqlx::raw_sql(AssertSqlSafe(sql.to_owned()))
        .execute(&mut connection)
        .await
        .unwrap();
    connection.close().await.unwrap();
}

const PURGE: &str =
    r#"DELETE FROM {ns}."ProcessedIntegrationEvents" WHERE "ProcessedOnUtc" < now() - interval '14 days'"#;

#[tokio::test]
async fn a_job_of_pg_cron_that_has_run_is_effective() {
    let Some(cron) = Cron::namespace().await else { return };
    // Seconds are understood from version 1.5 on; before, the scheduler looks once a minute.
    let mut connection = PgConnection::connect(cron.home.as_str()).await.unwrap();
    let seconds: bool = sqlx::query_scalar("SELECT extversion >= '1.5' FROM pg_extension WHERE extname = 'pg_cron'")
        .fetch_one(&mut connection)
        .await
        .unwrap();
    cron.schedule(if seconds { "1 seconds" } else { "* * * * *" }, PURGE)
        .await;
    cron.look().await.assert_not_visible("no run of it is recorded");
    let started = Instant::now();
    loop {
        let seen = cron.look().await;
        if seen.ledger.verdict == Verdict::Effective {
            seen.assert_effective();
            break;
        }
        assert!(started.elapsed() < PATIENCE, "{:#?}", seen.ledger);
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    let left: i64 = sqlx::query_scalar(AssertSqlSafe(format!("SELECT count(*) FROM {}.\"{TABLE}\"", cron.name)))
        .fetch_one(&mut connection)
        .await
        .unwrap();
    assert_eq!(left, 1, "the job has removed the old row and kept the young one");
    cron.drop().await;
}

#[tokio::test]
async fn what_is_wrong_with_a_job_of_pg_cron_is_named() {
    let Some(cron) = Cron::namespace().await else { return };
    cron.look().await.assert_finding("retention-missing", TABLE);
    for (command, rule, words) in [
        (
            r#"TRUNCATE {ns}."ProcessedIntegrationEvents""#,
            "retention-too-short",
            "TRUNCATE",
        ),
        (
            r#"DELETE FROM "ProcessedIntegrationEvents""#,
            "retention-failing",
            "does not exist",
        ),
        (
            r#"DELETE FROM {ns}."ProcessedIntegrationEvents" WHERE "ProcessedOnUtc" < now() - interval '1 week'"#,
            "retention-boundary",
            "no margin",
        ),
        ("SELECT {ns}.purge(interval '1 day')", "retention-too-short", "24h"),
    ] {
        if command.contains("purge") {
            cron.sql(&format!(
                r#"CREATE FUNCTION {ns}.purge(age interval) RETURNS void LANGUAGE plpgsql SET search_path = {ns} AS $f$
                DECLARE cutoff timestamptz := now() - age; BEGIN
                DELETE FROM "ProcessedIntegrationEvents" WHERE "ProcessedOnUtc" < cutoff; END $f$"#,
                ns = cron.name
            ))
            .await;
        }
        cron.schedule("17 3 * * *", command).await;
        cron.look().await.assert_finding(rule, words);
    }
    cron.schedule("17 3 * * *", PURGE).await;
    cron.sql(&format!(
        "UPDATE cron.job SET active = false WHERE jobname = '{}'",
        cron.name
    ))
    .await;
    cron.look().await.assert_finding("retention-disabled", "not active");
    cron.drop().await;
}

#[tokio::test]
async fn a_plain_role_sees_no_job_and_says_so() {
    let Some(cron) = Cron::namespace().await else { return };
    cron.schedule("17 3 * * *", PURGE).await;
    let role = unique("plain");
    cron.sql(&format!("CREATE ROLE {role} LOGIN PASSWORD 'pw'")).await;
    let mut url = cron.home.clone();
    url.set_username(&role).unwrap();
    url.set_password(Some("pw")).unwrap();
    let seen = look(url.as_str(), Some(&cron.name), None).await;
    seen.assert_not_visible("may not read cron.job");
    // In any other database, all that a plain role can know is that the library is loaded.
    let database = unique("other");
    cron.sql(&format!("CREATE DATABASE {database}")).await;
    run_postgres(&with_path(&cron.home, &database), POSTGRES_LEDGER).await;
    url.set_path(&database);
    look(url.as_str(), None, None)
        .await
        .assert_not_visible("another database");
    cron.sql(&format!("DROP DATABASE {database} WITH (FORCE)")).await;
    cron.sql(&format!("DROP ROLE {role}")).await;
    cron.drop().await;
}

fn with_path(url: &Url, path: &str) -> Url {
    let mut url = url.clone();
    url.set_path(path);
    url
}

#[tokio::test]
async fn jobs_in_the_scheduler_s_database_are_found_through_its_url() {
    let Some(cron) = Cron::namespace().await else { return };
    let database = unique("app");
    cron.sql(&format!("CREATE DATABASE {database}")).await;
    let url = with_path(&cron.home, &database);
    run_postgres(&url, POSTGRES_LEDGER).await;
    look(url.as_str(), None, None)
        .await
        .assert_not_visible("jobs live in the database");
    look(url.as_str(), None, Some(cron.home.as_str()))
        .await
        .assert_finding("retention-missing", TABLE);
    let command = PURGE.replace("{ns}", "public");
    cron.sql(&format!(
        "SELECT cron.schedule_in_database('{0}', '17 3 * * *', $job${command}$job$, '{database}');
         INSERT INTO cron.job_run_details (jobid, runid, database, username, command, status, return_message, start_time, end_time)
         SELECT jobid, nextval('cron.runid_seq'), database, username, command, 'succeeded', 'DELETE 1', now() - interval '1 h', now()
         FROM cron.job WHERE jobname = '{0}'",
        cron.name
    ))
    .await;
    let seen = look(url.as_str(), None, Some(cron.home.as_str())).await;
    seen.assert_effective();
    // A URL that leads elsewhere is no evidence of anything.
    if let Some(other) = server("SEADRIFT_TEST_POSTGRES_URL") {
        look(url.as_str(), None, Some(other.as_str()))
            .await
            .assert_not_visible("another server");
    }
    cron.sql(&format!("DROP DATABASE {database} WITH (FORCE)")).await;
    cron.drop().await;
}

#[tokio::test]
async fn partitions_are_kept_by_pg_partman() {
    let Some(cron) = Cron::namespace().await else { return };
    let database = unique("part");
    cron.sql(&format!("CREATE DATABASE {database}")).await;
    let url = with_path(&cron.home, &database);
    run_postgres(
        &url,
        r#"CREATE TABLE "ProcessedIntegrationEvents" ("Id" uuid, "EventId" uuid NOT NULL, "ProcessedOnUtc" timestamptz NOT NULL,
             PRIMARY KEY ("Id", "ProcessedOnUtc")) PARTITION BY RANGE ("ProcessedOnUtc");
           CREATE SCHEMA parts; CREATE EXTENSION pg_partman SCHEMA parts;
           DO $$ BEGIN
             IF (SELECT extversion LIKE '4.%' FROM pg_extension WHERE extname = 'pg_partman') THEN
               PERFORM parts.create_parent('public.ProcessedIntegrationEvents', 'ProcessedOnUtc', 'native', 'daily');
             ELSE
               PERFORM parts.create_parent('public.ProcessedIntegrationEvents', 'ProcessedOnUtc', '1 day');
             END IF;
           END $$"#,
    )
    .await;
    let look_here = async |sql: &str| {
        run_postgres(&url, sql).await;
        look(url.as_str(), None, Some(cron.home.as_str())).await
    };
    look_here("SELECT 1").await.assert_finding("retention-missing", TABLE);
    let seen = look_here("UPDATE parts.part_config SET retention = '14 days', retention_keep_table = false").await;
    seen.assert_not_visible("run_maintenance");
    let seen = look_here("UPDATE parts.part_config SET retention = '1 day'").await;
    seen.assert_finding("retention-too-short", "1 day");
    let seen = look_here("UPDATE parts.part_config SET retention = '14 days', automatic_maintenance = 'off'").await;
    seen.assert_finding("retention-disabled", "automatic_maintenance");
    let seen =
        look_here("UPDATE parts.part_config SET automatic_maintenance = 'on', retention_keep_table = true").await;
    seen.assert_finding("retention-partial", "detached");
    cron.sql(&format!("DROP DATABASE {database} WITH (FORCE)")).await;
    cron.drop().await;
}

#[tokio::test]
async fn a_runner_outside_is_known_by_its_row() {
    let Some(cron) = Cron::namespace().await else { return };
    cron.sql(&format!(
        r#"CREATE TABLE {0}.ledger_retention (ledger varchar(63) PRIMARY KEY, horizon_seconds bigint NOT NULL,
             last_started_utc timestamptz, last_finished_utc timestamptz, last_deleted bigint, last_error text, runner text);
           INSERT INTO {0}.ledger_retention VALUES ('ProcessedIntegrationEvents', 1209600, now(), now(), 5, NULL, 'k8s')"#,
        cron.name
    ))
    .await;
    cron.look().await.assert_effective();
    let change = async |set: &str| {
        cron.sql(&format!("UPDATE {}.ledger_retention SET {set}", cron.name))
            .await;
        cron.look().await
    };
    change("last_finished_utc = now() - interval '9 days'")
        .await
        .assert_finding("retention-failing", "9d ago");
    change("last_finished_utc = now(), last_error = 'deadlock'")
        .await
        .assert_finding("retention-failing", "deadlock");
    change("last_error = NULL, horizon_seconds = 3600")
        .await
        .assert_finding("retention-too-short", "1h");
    cron.drop().await;
}

/// A MariaDB database of its own.
struct Events {
    root: Url,
    name: String,
}

impl Events {
    async fn database() -> Option<Self> {
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

    async fn sql(&self, sql: &str) {
        let mut connection = MySqlConnection::connect(self.root.as_str()).await.unwrap();
        sqlx::raw_sql(AssertSqlSafe(sql.to_owned()))
            .execute(&mut connection)
            .await
            .unwrap();
        connection.close().await.unwrap();
    }

    async fn look(&self) -> Seen {
        look(with_path(&self.root, &self.name).as_str(), None, None).await
    }

    async fn drop(self) {
        self.sql(&format!("DROP DATABASE {}", self.name)).await;
    }
}

const EXPIRED: &str =
    "DELETE FROM ProcessedIntegrationEvents WHERE ProcessedOnUtc < utc_timestamp(6) - INTERVAL 14 DAY";

#[tokio::test]
async fn an_event_that_has_run_is_effective() {
    let Some(events) = Events::database().await else { return };
    events.look().await.assert_finding("retention-missing", TABLE);
    events
        .sql(&format!(
            "USE {}; CREATE EVENT purge_old ON SCHEDULE EVERY 1 SECOND DO {EXPIRED}",
            events.name
        ))
        .await;
    let mut connection = MySqlConnection::connect(events.root.as_str()).await.unwrap();
    let started = Instant::now();
    loop {
        let count = format!("SELECT count(*) FROM {}.ProcessedIntegrationEvents", events.name);
        let left: i64 = sqlx::query_scalar(AssertSqlSafe(count))
            .fetch_one(&mut connection)
            .await
            .unwrap();
        if left == 1 {
            break;
        }
        assert!(started.elapsed() < PATIENCE, "the event has not run");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    let seen = events.look().await;
    seen.assert_effective();
    assert!(
        seen.catalog
            .retention
            .jobs
            .iter()
            .any(|job| job.runs.last_started.is_some())
    );
    events.drop().await;
}

#[tokio::test]
async fn what_is_wrong_with_an_event_is_named() {
    let Some(events) = Events::database().await else { return };
    for (definition, rule, words) in [
        (
            format!("EVERY 1 DAY DISABLE DO {EXPIRED}"),
            "retention-disabled",
            "DISABLED",
        ),
        (
            format!("EVERY 1 DAY STARTS '2037-01-01' DO {EXPIRED}"),
            "retention-disabled",
            "days ahead",
        ),
        (
            format!("AT '2037-01-01' DO {EXPIRED}"),
            "retention-disabled",
            "run once",
        ),
        (
            "EVERY 1 DAY DO CALL purge_all()".to_owned(),
            "retention-too-short",
            "every row",
        ),
    ] {
        events
            .sql(&format!(
                "USE {}; CREATE OR REPLACE PROCEDURE purge_all() DELETE FROM ProcessedIntegrationEvents;
                 CREATE OR REPLACE EVENT purge_old ON SCHEDULE {definition}",
                events.name
            ))
            .await;
        events.look().await.assert_finding(rule, words);
    }
    events.drop().await;
}

#[tokio::test]
async fn without_the_event_privilege_nothing_is_missing() {
    let Some(events) = Events::database().await else { return };
    let (name, user) = (&events.name, unique("ro"));
    events
        .sql(&format!(
            "USE {name}; CREATE EVENT purge_old ON SCHEDULE EVERY 1 DAY DO {EXPIRED};
             CREATE USER '{user}'@'localhost' IDENTIFIED BY 'pw'; GRANT SELECT ON {name}.* TO '{user}'@'localhost';
             CREATE USER '{user}'@'%' IDENTIFIED BY 'pw'; GRANT SELECT ON {name}.* TO '{user}'@'%'"
        ))
        .await;
    let mut url = with_path(&events.root, name);
    url.set_username(&user).unwrap();
    url.set_password(Some("pw")).unwrap();
    look(url.as_str(), None, None)
        .await
        .assert_not_visible("EVENT privilege");
    events
        .sql(&format!("DROP USER '{user}'@'localhost', '{user}'@'%'"))
        .await;
    events.drop().await;
}

#[tokio::test]
async fn a_file_has_no_scheduler_but_may_have_a_runner() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger.db");
    let url = format!("sqlite://{}", path.display());
    let run = async |sql: &str| {
        let options = sqlx::sqlite::SqliteConnectOptions::new()
            .filename(&path)
            .create_if_missing(true);
        let mut connection = sqlx::SqliteConnection::connect_with(&options).await.unwrap();
        sqlx::raw_sql(AssertSqlSafe(sql.to_owned()))
            .execute(&mut connection)
            .await
            .unwrap();
        connection.close().await.unwrap();
    };
    run(
        r#"CREATE TABLE "ProcessedIntegrationEvents" ("Id" TEXT NOT NULL PRIMARY KEY, "EventId" TEXT NOT NULL,
             "ProcessedOnUtc" TEXT NOT NULL);
           CREATE UNIQUE INDEX "UX_ProcessedEvents_EventId" ON "ProcessedIntegrationEvents" ("EventId")"#,
    )
    .await;
    look(&url, None, None).await.assert_not_visible("no scheduler");
    run(r#"CREATE TABLE ledger_retention (ledger TEXT PRIMARY KEY, horizon_seconds INTEGER, last_started_utc TEXT,
             last_finished_utc TEXT, last_deleted INTEGER, last_error TEXT, runner TEXT);
           INSERT INTO ledger_retention VALUES ('ProcessedIntegrationEvents', 1209600,
             strftime('%Y-%m-%dT%H:%M:%f000+00:00', 'now'), strftime('%Y-%m-%dT%H:%M:%f000+00:00', 'now'), 0, NULL, 'app')"#)
    .await;
    look(&url, None, None).await.assert_effective();
    run("UPDATE ledger_retention SET horizon_seconds = 60").await;
    look(&url, None, None).await.assert_finding("retention-too-short", "1m");
}
