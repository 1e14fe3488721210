//! The catalog of a real MariaDB server.
//!
//! Needs `SEADRIFT_TEST_MARIADB_URL`, the URL of a private server's root user without a database, such as
//! `mysql://root@127.0.0.1:3306`: the tests make and drop databases and users. Without it they say that they are
//! skipped; with `SEADRIFT_REQUIRE_LIVE=1` that is a failure.

#![allow(
    clippy::disallowed_methods,
    reason = "the environment says where the servers are and what to rewrite"
)]
#![allow(clippy::unwrap_used, reason = "a test that cannot prepare its server has failed")]

use std::future::Future;
use std::io::Write as _;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{PoisonError, RwLock};
use std::time::{Duration, Instant};

use seadrift::catalog::{Ask, AskTable, Catalog, Error, ErrorKind, Found, Likeness, Limits, fetch};
use seadrift::config::DatabaseUrl;
use seadrift::dialect::Dialect;
use seadrift::schema::{Aspect, DataType, DefaultExpr, Equality, Kind, Literal, PartitionCover, Table};
use sqlx::mysql::MySqlConnection;
use sqlx::{AssertSqlSafe, Connection, Row};
use url::Url;

const LEDGER: &str = "CREATE TABLE `Ledger` (
    `Id` char(36) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL,
    `EventId` char(36) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL,
    `EventType` varchar(160) NOT NULL,
    `TenantId` int unsigned NULL,
    `Outcome` varchar(40) NOT NULL DEFAULT 'Processed',
    `ProcessedOnUtc` datetime(6) NOT NULL DEFAULT current_timestamp(6),
    `ParentId` char(36) CHARACTER SET ascii NULL,
    PRIMARY KEY (`Id`),
    UNIQUE KEY `UX_Ledger_EventId` (`EventId`),
    KEY `IX_Ledger_Type` (`EventType`(20), `ProcessedOnUtc` DESC),
    CONSTRAINT `CK_Ledger_Tenant` CHECK (`TenantId` > 0),
    CONSTRAINT `FK_Ledger_Parent` FOREIGN KEY (`ParentId`) REFERENCES `Ledger` (`Id`) ON DELETE CASCADE
) ENGINE=InnoDB CHARACTER SET=utf8mb4;
CREATE TRIGGER `TR_Ledger` BEFORE INSERT ON `Ledger` FOR EACH ROW SET NEW.`Outcome` = 'Processed'";

/// A database of its own, gone when it is dropped.
struct Server {
    root: Url,
    database: String,
}

impl Server {
    /// Makes a database by the statements; nothing where no server is named.
    async fn with(setup: &str) -> Option<Self> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let Ok(root) = std::env::var("SEADRIFT_TEST_MARIADB_URL") else {
            assert!(
                std::env::var("SEADRIFT_REQUIRE_LIVE").is_err(),
                "SEADRIFT_REQUIRE_LIVE is set, but SEADRIFT_TEST_MARIADB_URL is not"
            );
            // Not by a macro, whose output the test harness keeps to itself.
            let _ = writeln!(std::io::stderr(), "SKIPPED: SEADRIFT_TEST_MARIADB_URL names no server");
            return None;
        };
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let server = Self {
            root: root.parse().expect("SEADRIFT_TEST_MARIADB_URL is a URL"),
            database: format!("sd_{}_{number}", std::process::id()),
        };
        let database = &server.database;
        server
            .sql(&format!("DROP DATABASE IF EXISTS {database}; CREATE DATABASE {database} CHARACTER SET utf8mb4; USE {database}; {setup}"))
            .await;
        Some(server)
    }

    async fn connect(&self) -> MySqlConnection {
        MySqlConnection::connect(self.root.as_str()).await.unwrap()
    }

    async fn sql(&self, sql: &str) {
        let mut root = self.connect().await;
        sqlx::raw_sql(AssertSqlSafe(sql.to_owned()))
            .execute(&mut root)
            .await
            .unwrap();
        root.close().await.unwrap();
    }

    /// Makes a user with grants: `{db}` stands for the database. An anonymous account may take its place for one
    /// of the hosts, so it is made for both.
    async fn user(&self, password: &str, grants: &[&str]) -> String {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let user = format!("sd_{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        for host in ["localhost", "%"] {
            self.sql(&format!(
                "CREATE OR REPLACE USER '{user}'@'{host}' IDENTIFIED BY '{password}'"
            ))
            .await;
            for grant in grants {
                let grant = grant.replace("{db}", &self.database);
                self.sql(&format!("GRANT {grant} TO '{user}'@'{host}'")).await;
            }
        }
        user
    }

    fn url(&self, user: &str, password: &str, database: &str) -> DatabaseUrl {
        let mut url = self.root.clone();
        url.set_username(user).unwrap();
        url.set_password(Some(password)).unwrap();
        url.set_path(database);
        DatabaseUrl::parse(url.as_str()).unwrap()
    }

    fn root_url(&self) -> DatabaseUrl {
        let mut url = self.root.clone();
        url.set_path(&self.database);
        DatabaseUrl::parse(url.as_str()).unwrap()
    }

    async fn see(&self, tables: &[&str]) -> Catalog {
        fetch(&self.root_url(), &ask(tables)).await.unwrap()
    }

    async fn see_as(&self, grants: &[&str], tables: &[&str]) -> Catalog {
        let user = self.user("pw", grants).await;
        let seen = fetch(&self.url(&user, "pw", &self.database), &ask(tables)).await;
        self.sql(&format!("DROP USER '{user}'@'localhost', '{user}'@'%'")).await;
        seen.unwrap()
    }

    async fn drop(self) {
        self.sql(&format!("DROP DATABASE {}", self.database)).await;
    }
}

fn ask(tables: &[&str]) -> Ask {
    Ask {
        namespace: None,
        tables: tables
            .iter()
            .map(|name| AskTable {
                name: (*name).to_owned(),
                indexes: Vec::new(),
            })
            .collect(),
        limits: Limits {
            lock: Duration::from_secs(1),
            ..Limits::default()
        },
    }
}

fn table(catalog: &Catalog) -> &Table {
    match &catalog.sightings[0].found {
        Found::Object(table) => table,
        other => panic!("the table was not seen: {other:?}"),
    }
}

/// Held by all tests that rely on the server's settings, and alone by the one that changes them.
static SETTINGS: RwLock<()> = RwLock::new(());

/// Runs a test with a database, or skips it.
fn live<F: Future<Output = ()>>(setup: &str, test: impl FnOnce(Server) -> F) {
    let _shared = SETTINGS.read().unwrap_or_else(PoisonError::into_inner);
    run(setup, test);
}

fn run<F: Future<Output = ()>>(setup: &str, test: impl FnOnce(Server) -> F) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        if let Some(server) = Server::with(setup).await {
            test(server).await;
        }
    });
}

#[test]
fn every_fact_of_a_ledger_is_read() {
    live(LEDGER, |server| async move {
        let catalog = server.see(&["Ledger"]).await;
        assert_eq!(catalog.server.dialect, Dialect::MariaDb);
        assert_eq!(catalog.server.database, server.database);
        assert_eq!(catalog.server.settings["transaction_read_only"], "on");
        assert!(catalog.namespace.exists);
        assert_eq!(catalog.unseen, []);
        let ledger = table(&catalog);
        assert_eq!(ledger.kind, Kind::Table);
        assert!(ledger.unseen.is_empty());
        assert!(
            ledger
                .engine
                .as_ref()
                .is_some_and(|e| e.usual && e.transactional && e.durable)
        );
        let column = |name: &str| ledger.columns.iter().find(|c| c.name == name).unwrap();
        assert_eq!(ledger.columns.len(), 7);
        assert_eq!(column("EventId").ty.data, DataType::Char(36));
        let collation = column("EventId").collation.as_ref().unwrap();
        assert!(collation.explicit && collation.equality == Equality::CaseInsensitive && !collation.full_unicode);
        assert!(column("TenantId").ty.unsigned && column("TenantId").nullable);
        let processed = DefaultExpr::Literal(Literal::Text("Processed".to_owned()));
        assert_eq!(column("Outcome").default, Some(processed));
        assert!(matches!(
            column("ProcessedOnUtc").default,
            Some(DefaultExpr::Now { .. })
        ));
        assert_eq!(column("EventType").default, None);
        assert_eq!(ledger.primary_key.as_ref().unwrap().columns, ["Id"]);
        let index = |name: &str| ledger.indexes.iter().find(|i| i.name == name).unwrap();
        assert!(index("UX_Ledger_EventId").unique && !index("IX_Ledger_Type").unique);
        let by_type = &index("IX_Ledger_Type").key;
        assert_eq!(
            (by_type[0].as_column(), by_type[0].prefix),
            (Some("EventType"), Some(20))
        );
        assert!(by_type[1].descending);
        assert_eq!(ledger.checks[0].name, "CK_Ledger_Tenant");
        assert_eq!(ledger.checks[0].columns, ["TenantId"]);
        assert_eq!(ledger.foreign_keys[0].on_delete, "CASCADE");
        assert_eq!(ledger.foreign_keys[0].referenced_columns, ["Id"]);
        assert_eq!(ledger.triggers[0].events, ["INSERT"]);
        server.drop().await;
    });
}

#[test]
fn strange_names_and_texts_arrive_unchanged() {
    let setup = r#"CREATE TABLE `O'Neil ``x`` "q" %s; --` (`a'b` int NOT NULL PRIMARY KEY, `Größe` int DEFAULT 1,
        `c``d` varchar(20) DEFAULT 'it''s "a" \\ \n', CONSTRAINT `ck"1` CHECK (`c``d` <> '\\"x'))"#;
    live(setup, |server| async move {
        let catalog = server.see(&["O'Neil `x` \"q\" %s; --", "Größe 😀"]).await;
        let strange = table(&catalog);
        let names: Vec<&str> = strange.columns.iter().map(|c| c.name.as_str()).collect();
        assert_eq!(names, ["Größe", "a'b", "c`d"]);
        let text = Literal::Text("it's \"a\" \\ \n".to_owned());
        assert_eq!(strange.columns[2].default, Some(DefaultExpr::Literal(text)));
        assert_eq!(strange.checks[0].name, "ck\"1");
        assert_eq!(catalog.sightings[1].found, Found::Nothing);
        server.drop().await;
    });
}

#[test]
fn kinds_and_partitions_are_told() {
    let setup = "CREATE TABLE T (id int NOT NULL, t datetime(6) NOT NULL, doc json NULL, PRIMARY KEY (id, t))
            PARTITION BY RANGE COLUMNS (t) (PARTITION p0 VALUES LESS THAN ('2020-01-01'));
        CREATE TABLE V (id int PRIMARY KEY) WITH SYSTEM VERSIONING; CREATE VIEW W AS SELECT id FROM T;
        CREATE SEQUENCE S; CREATE TABLE M (id text NOT NULL, UNIQUE KEY ux (id)); CREATE TABLE A (id int) ENGINE=Aria;
        CREATE TABLE N (id int PRIMARY KEY, KEY k (id) IGNORED)";
    live(setup, |server| async move {
        let catalog = server.see(&["T", "V", "W", "S", "M", "N", "A"]).await;
        let seen: Vec<&Table> = catalog
            .sightings
            .iter()
            .map(|s| match &s.found {
                Found::Object(table) => &**table,
                other => panic!("{}: {other:?}", s.wanted),
            })
            .collect();
        let cover = &seen[0].partitioning.as_ref().unwrap().cover;
        assert!(matches!(cover, PartitionCover::RefusesNow(_)), "{cover:?}");
        assert_eq!(seen[0].columns[0].ty.data, DataType::Json);
        assert_eq!(seen[0].checks, []);
        assert_eq!(seen[1].kind, Kind::SystemVersioned);
        let over = vec![format!("{}.T", server.database)];
        assert_eq!(
            seen[2].kind,
            Kind::View {
                updatable: Some(true),
                over
            }
        );
        assert_eq!(seen[3].kind, Kind::Other("sequence".to_owned()));
        assert!(!seen[6].engine.as_ref().unwrap().transactional);
        assert!(!seen[4].indexes[0].serves_equality && seen[4].indexes[0].unique);
        assert!(seen[5].indexes.iter().any(|i| i.ignored));
        server.drop().await;
    });
}

#[test]
fn a_blind_user_cannot_tell_hidden_from_missing() {
    live(LEDGER, |server| async move {
        let catalog = server.see_as(&["EVENT ON {db}.*"], &["Ledger", "NoSuchTable"]).await;
        for sighting in &catalog.sightings {
            assert!(matches!(sighting.found, Found::Hidden { .. }), "{sighting:?}");
        }
        assert_eq!(catalog.namespace.visible_tables, 0);
        server.drop().await;
    });
}

#[test]
fn references_and_show_view_show_everything_but_triggers() {
    live(LEDGER, |server| async move {
        let catalog = server
            .see_as(&["REFERENCES, SHOW VIEW ON {db}.*"], &["Ledger", "NoSuchTable"])
            .await;
        let ledger = table(&catalog);
        assert_eq!(ledger.unseen, [Aspect::WritePath].into());
        assert_eq!(
            (ledger.columns.len(), ledger.indexes.len(), ledger.checks.len()),
            (7, 4, 1)
        );
        assert_eq!(ledger.foreign_keys[0].on_delete, "CASCADE");
        assert_eq!(catalog.sightings[1].found, Found::Nothing);
        assert!(catalog.unseen.iter().all(|u| u.help.contains("TRIGGER")));
        server.drop().await;
    });
}

#[test]
fn a_reader_sees_keys_without_their_constraints() {
    live(LEDGER, |server| async move {
        let catalog = server.see_as(&["SELECT ON {db}.*"], &["Ledger"]).await;
        let ledger = table(&catalog);
        // That there is a foreign key is shown, what it does is not.
        assert_eq!(ledger.unseen, [Aspect::ForeignKeys, Aspect::WritePath].into());
        assert_eq!(ledger.primary_key.as_ref().unwrap().columns, ["Id"]);
        assert_eq!(
            (ledger.indexes.len(), ledger.checks.len(), ledger.foreign_keys.len()),
            (4, 1, 1)
        );
        server.drop().await;
    });
}

#[test]
fn grants_on_columns_show_no_index_that_can_be_trusted() {
    live(LEDGER, |server| async move {
        let catalog = server
            .see_as(&["SELECT (Id, EventType) ON {db}.Ledger"], &["Ledger"])
            .await;
        let ledger = table(&catalog);
        assert_eq!(ledger.columns.len(), 2);
        // Its second part is hidden, so that it looks like an index on EventType alone.
        assert_eq!(ledger.indexes, []);
        for aspect in [
            Aspect::Columns,
            Aspect::Indexes,
            Aspect::PrimaryKey,
            Aspect::Checks,
            Aspect::WritePath,
        ] {
            assert!(!ledger.sees(aspect), "{aspect:?}");
            assert!(
                catalog.unseen.iter().any(|u| u.object.aspect == Some(aspect)),
                "{aspect:?}"
            );
        }
        server.drop().await;
    });
}

#[test]
fn a_role_counts_when_it_is_active() {
    live(LEDGER, |server| async move {
        let role = format!("role_{}", server.database);
        let database = &server.database;
        server
            .sql(&format!(
                "CREATE OR REPLACE ROLE {role}; GRANT SELECT, TRIGGER ON {database}.* TO {role}"
            ))
            .await;
        let user = server.user("pw", &["USAGE ON *.*", "EVENT ON {db}.*", &role]).await;
        let url = server.url(&user, "pw", database);
        let dormant = fetch(&url, &ask(&["Ledger"])).await.unwrap();
        match &dormant.sightings[0].found {
            Found::Hidden { help, .. } => assert!(help.contains(&role), "{help}"),
            other => panic!("{other:?}"),
        }
        for host in ["localhost", "%"] {
            server
                .sql(&format!("SET DEFAULT ROLE {role} FOR '{user}'@'{host}'"))
                .await;
        }
        let active = fetch(&url, &ask(&["Ledger"])).await.unwrap();
        assert!(table(&active).unseen.is_empty());
        server
            .sql(&format!(
                "DROP USER '{user}'@'localhost', '{user}'@'%'; DROP ROLE {role}"
            ))
            .await;
        server.drop().await;
    });
}

#[test]
fn the_reason_of_a_refusal_is_told_without_the_password() {
    live("SELECT 1", |server| async move {
        let refused = |url: DatabaseUrl| async move { fetch(&url, &ask(&["T"])).await.unwrap_err() };
        let user = server.user("right", &["USAGE ON *.*"]).await;
        let wrong = refused(server.url(&user, "Sup3rS3cret", &server.database)).await;
        assert_eq!(wrong.kind, ErrorKind::Refused);
        assert!(wrong.reason.contains("the password is wrong"), "{wrong}");
        assert!(!format!("{wrong:?}").contains("Sup3rS3cret"));
        let denied = refused(server.url(&user, "right", &server.database)).await;
        assert_eq!(denied.kind, ErrorKind::Refused);
        assert!(denied.reason.contains("may not use this database"), "{denied}");
        let mut url = server.root.clone();
        url.set_path("no_such_database");
        let missing = refused(DatabaseUrl::parse(url.as_str()).unwrap()).await;
        assert_eq!(missing.kind, ErrorKind::Refused);
        assert!(missing.reason.contains("no such database"), "{missing}");
        server
            .sql(&format!("DROP USER '{user}'@'localhost', '{user}'@'%'"))
            .await;
        server.drop().await;
    });
}

#[test]
fn a_server_that_is_down_is_unreachable_at_once() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let port = std::net::TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap()
            .port();
        let url = DatabaseUrl::parse(&format!("mariadb://u:Sup3rS3cret@127.0.0.1:{port}/d")).unwrap();
        let start = Instant::now();
        let error = fetch(&url, &ask(&["T"])).await.unwrap_err();
        assert_eq!(error.kind, ErrorKind::Unreachable);
        assert!(start.elapsed() < Duration::from_secs(5));
        assert!(!format!("{error:?}").contains("Sup3rS3cret"));
    });
}

#[test]
fn a_silent_server_runs_into_the_limit() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = silent.local_addr().unwrap().port();
        let url = DatabaseUrl::parse(&format!("mysql://u@127.0.0.1:{port}/d")).unwrap();
        let mut ask = ask(&["T"]);
        ask.limits.connect = Duration::from_millis(200);
        let error = fetch(&url, &ask).await.unwrap_err();
        assert_eq!(error.kind, ErrorKind::Unreachable);
        assert!(error.reason.contains("did not answer"), "{error}");
    });
}

/// Reads the ledger while another session does something to it.
async fn while_another_runs(server: &Server, busy: &str) -> (Result<Catalog, Error>, Duration) {
    let mut other = server.connect().await;
    let id: u64 = sqlx::raw_sql("SELECT connection_id()")
        .fetch_one(&mut other)
        .await
        .unwrap()
        .get_unchecked(0);
    let sql = format!("USE {}; {busy}", server.database);
    let busy = tokio::spawn(async move {
        let _ = sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut other).await;
        other
    });
    tokio::time::sleep(Duration::from_millis(700)).await;
    let start = Instant::now();
    let seen = fetch(&server.root_url(), &ask(&["Ledger"])).await;
    let elapsed = start.elapsed();
    server.sql(&format!("KILL {id}")).await;
    drop(busy.await);
    (seen, elapsed)
}

#[test]
fn a_write_lock_does_not_keep_the_catalog_from_answering() {
    live(LEDGER, |server| async move {
        let (seen, elapsed) = while_another_runs(&server, "LOCK TABLES Ledger WRITE; SELECT sleep(20)").await;
        assert_eq!(table(&seen.unwrap()).columns.len(), 7);
        assert!(elapsed < Duration::from_secs(3), "{elapsed:?}");
        server.drop().await;
    });
}

#[test]
fn a_table_that_is_being_rebuilt_is_not_taken_for_an_empty_one() {
    live("SELECT 1", |server| async move {
        let rebuild = "CREATE TABLE Ledger (id int PRIMARY KEY) SELECT 1 AS id, sleep(20) AS x";
        let (seen, elapsed) = while_another_runs(&server, rebuild).await;
        assert_eq!(seen.unwrap_err().kind, ErrorKind::TimedOut);
        assert!(elapsed < Duration::from_secs(8), "{elapsed:?}");
        server.drop().await;
    });
}

#[test]
fn a_lock_on_another_table_is_not_waited_for() {
    live(LEDGER, |server| async move {
        let rebuild = "CREATE TABLE Other (id int PRIMARY KEY) SELECT 1 AS id, sleep(20) AS x";
        let (seen, elapsed) = while_another_runs(&server, rebuild).await;
        assert_eq!(table(&seen.unwrap()).columns.len(), 7);
        assert!(elapsed < Duration::from_millis(900), "{elapsed:?}");
        server.drop().await;
    });
}

#[test]
fn lookalikes_are_told() {
    let setup = "CREATE TABLE ProcessedEvent (id int); CREATE TABLE processedevents (id int)";
    live(setup, |server| async move {
        let other = format!("{}_other", server.database);
        server
            .sql(&format!("DROP DATABASE IF EXISTS {other}; CREATE DATABASE {other}; CREATE TABLE {other}.ProcessedEvents (id int)"))
            .await;
        let catalog = server.see(&["ProcessedEvents"]).await;
        let sighting = &catalog.sightings[0];
        assert_eq!(sighting.found, Found::Nothing);
        let mut seen: Vec<(&str, Likeness)> = sighting
            .lookalikes
            .iter()
            // Tests that run at the same time have databases of their own.
            .filter(|l| {
                l.namespace
                    .as_deref()
                    .is_some_and(|n| n == other || n == server.database)
            })
            .map(|l| (l.name.as_str(), l.likeness))
            .collect();
        seen.sort();
        assert_eq!(
            seen,
            [
                ("ProcessedEvent", Likeness::Near),
                ("ProcessedEvents", Likeness::OtherNamespace),
                ("processedevents", Likeness::OtherCase),
            ]
        );
        assert!(catalog.namespace.alternatives.contains(&other));
        let mut elsewhere = ask(&["ProcessedEvents"]);
        elsewhere.namespace = Some(other.clone());
        let catalog = fetch(&server.root_url(), &elsewhere).await.unwrap();
        assert_eq!(table(&catalog).namespace.as_deref(), Some(other.as_str()));
        server.sql(&format!("DROP DATABASE {other}")).await;
        server.drop().await;
    });
}

#[test]
fn the_number_of_statements_does_not_depend_on_the_number_of_tables() {
    let setup: String = (0..150)
        .map(|n| format!("CREATE TABLE t{n} (id int PRIMARY KEY, x int, KEY k (x));"))
        .collect();
    live(&setup, |server| async move {
        let one = server.see(&["t1"]).await;
        let names: Vec<String> = (0..150).map(|n| format!("t{n}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let start = Instant::now();
        let many = server.see(&names).await;
        assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
        assert!(
            many.sightings
                .iter()
                .all(|s| matches!(&s.found, Found::Object(t) if t.indexes.len() == 2))
        );
        assert_eq!(one.queries, many.queries);
        assert_eq!(one.queries, 7);
        server.drop().await;
    });
}

#[test]
fn the_servers_sql_mode_changes_nothing_but_a_remark() {
    let _alone = SETTINGS.write().unwrap_or_else(PoisonError::into_inner);
    run(LEDGER, |server| async move {
        let strict = server.see(&["Ledger"]).await;
        let mut root = server.connect().await;
        let before: String = sqlx::raw_sql("SELECT CAST(@@global.sql_mode AS CHAR) AS m")
            .fetch_one(&mut root)
            .await
            .unwrap()
            .get("m");
        server
            .sql("SET GLOBAL sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES,PIPES_AS_CONCAT,ORACLE'")
            .await;
        let odd = fetch(&server.root_url(), &ask(&["Ledger"])).await;
        server.sql(&format!("SET GLOBAL sql_mode = '{before}'")).await;
        let odd = odd.unwrap();
        assert_eq!(table(&odd), table(&strict));
        assert!(
            odd.server.remarks.iter().any(|r| r.contains("sql_mode")),
            "{:?}",
            odd.server.remarks
        );
        assert_eq!(strict.server.remarks.len(), usize::from(!before.contains("STRICT")));
        server.drop().await;
    });
}
