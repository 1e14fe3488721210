//! What only a real PostgreSQL server can prove.
//!
//! `SEADRIFT_TEST_POSTGRES_URL` is the URL of a superuser on a private server: each test makes and drops a database
//! of its own there. `SEADRIFT_TEST_POSTGRES_STANDBY_URL` is its hot standby's. Without them the tests are skipped aloud; with `SEADRIFT_REQUIRE_LIVE=1` that is a failure.

#![allow(
    clippy::disallowed_methods,
    reason = "the environment says where the servers are and what to rewrite"
)]
#![allow(clippy::unwrap_used, reason = "a test that cannot prepare its server has failed")]

mod lab;
mod newer;
mod printed;
mod standby;

use std::net::TcpListener;
use std::time::{Duration, Instant};

use lab::{ask, eavesdrop, run, table, tags, with_lab};
use seadrift::catalog::{Ask, ErrorKind, Found, Likeness, fetch};
use seadrift::config::DatabaseUrl;
use seadrift::dialect::Dialect;
use seadrift::schema::{IndexState, Kind};
use sqlx::Row;

const LEDGER: &str = r#"
    CREATE TABLE "ProcessedIntegrationEvents" (
        "Id" uuid NOT NULL,
        "EventId" uuid NOT NULL,
        "Outcome" character varying(40) NOT NULL DEFAULT 'Processed',
        "ProcessedOnUtc" timestamp with time zone NOT NULL,
        CONSTRAINT "PK_ProcessedIntegrationEvents" PRIMARY KEY ("Id")
    );
    CREATE UNIQUE INDEX "UX_ProcessedEvents_EventId" ON "ProcessedIntegrationEvents" ("EventId");
"#;

const TABLE: &str = "ProcessedIntegrationEvents";

#[tokio::test]
async fn a_clean_ledger_is_read_whole_in_four_statements() {
    with_lab("clean", async |lab| {
        lab.setup(LEDGER).await;
        let catalog = lab.fetch(&ask(&[TABLE])).await.unwrap();
        assert_eq!(catalog.queries, 4);
        assert_eq!(catalog.server.dialect, Dialect::Postgres);
        assert_eq!(catalog.server.settings["transaction_read_only"], "on");
        assert_eq!(catalog.server.settings["lock_timeout"], "300ms");
        assert!(catalog.namespace.exists);
        assert_eq!(catalog.namespace.visible_tables, 1);
        let sighting = &catalog.sightings[0];
        assert_eq!((&*sighting.lookalikes, &sighting.shadowed_by), (&[][..], &None));
        let table = table(sighting);
        assert_eq!(table.columns.len(), 4);
        assert_eq!(table.primary_key.as_ref().unwrap().columns, ["Id"]);
        assert_eq!(table.indexes.len(), 2);
        assert!(table.indexes.iter().all(|i| i.unique && i.state == IndexState::Valid));
        lab
    })
    .await;
}

#[tokio::test]
async fn the_server_is_sent_four_statements_and_a_goodbye() {
    with_lab("counted", async |lab| {
        lab.setup(LEDGER).await;
        let mut url = url::Url::parse(&lab.url(None)).unwrap();
        let server = url.socket_addrs(|| Some(5432)).unwrap()[0];
        let (proxy, heard) = eavesdrop(server);
        url.set_ip_host(proxy.ip()).unwrap();
        url.set_port(Some(proxy.port())).unwrap();
        url.set_query(Some("sslmode=disable"));
        let catalog = fetch(
            &DatabaseUrl::parse(url.as_str()).unwrap(),
            &ask(&[TABLE, "a", "b", "c"]),
        )
        .await
        .unwrap();
        let tags = tags(&heard.join().unwrap());
        // Q is a simple query, E executes a prepared one, P prepares one, X says goodbye.
        let count = |tag: char| tags.chars().filter(|c| *c == tag).count();
        assert_eq!((count('Q'), count('P'), count('E'), count('X')), (2, 2, 2, 1), "{tags}");
        assert_eq!(catalog.queries, 4);
        lab
    })
    .await;
}

#[tokio::test]
async fn a_role_that_may_only_log_in_sees_the_same() {
    with_lab("blind", async |lab| {
        let role = format!("{}_blind", lab.name);
        lab.setup(LEDGER).await;
        lab.setup(&format!(
            "CREATE ROLE {role} LOGIN; REVOKE ALL ON SCHEMA public FROM PUBLIC; REVOKE ALL ON \"{TABLE}\" FROM PUBLIC"
        ))
        .await;
        let all = lab.fetch(&ask(&[TABLE, "Missing"])).await.unwrap();
        let url = DatabaseUrl::parse(&lab.url(Some(&role))).unwrap();
        let blind = fetch(&url, &ask(&[TABLE, "Missing"])).await.unwrap();
        assert_eq!(blind.sightings, all.sightings);
        assert_eq!(blind.namespace, all.namespace);
        assert_eq!(blind.server.role, Some(role.clone()));
        lab.setup(&format!("DROP ROLE {role}")).await;
        lab
    })
    .await;
}

#[tokio::test]
async fn an_index_whose_concurrent_build_failed_is_invalid() {
    with_lab("invalid", async |lab| {
        lab.setup("CREATE TABLE t (a integer); INSERT INTO t VALUES (1), (1)")
            .await;
        let mut connection = lab.connect().await;
        let build = "CREATE UNIQUE INDEX CONCURRENTLY ux ON t (a)";
        assert!(sqlx::raw_sql(build).execute(&mut connection).await.is_err());
        let catalog = lab.fetch(&ask(&["t"])).await.unwrap();
        let index = &table(&catalog.sightings[0]).indexes[0];
        assert!(index.unique);
        assert!(matches!(index.state, IndexState::Invalid { .. }), "{:?}", index.state);
        lab
    })
    .await;
}

#[tokio::test]
async fn an_index_that_is_being_built_is_told_from_a_broken_one() {
    with_lab("building", async |lab| {
        lab.setup("CREATE TABLE t (a integer); INSERT INTO t VALUES (1)").await;
        // A transaction that has written to the table holds the build up.
        let mut writer = lab.connect().await;
        run(&mut writer, "BEGIN; INSERT INTO t VALUES (2)").await;
        let mut builder = lab.connect().await;
        let build = tokio::spawn(async move {
            let _ = sqlx::raw_sql("CREATE INDEX CONCURRENTLY ix ON t (a)")
                .execute(&mut builder)
                .await;
        });
        let mut state = None;
        for _ in 0..50 {
            tokio::time::sleep(Duration::from_millis(100)).await;
            let catalog = lab.fetch(&ask(&["t"])).await.unwrap();
            state = table(&catalog.sightings[0]).indexes.first().map(|i| i.state.clone());
            if state.is_some() {
                break;
            }
        }
        assert_eq!(state, Some(IndexState::Building));
        run(&mut writer, "COMMIT").await;
        build.await.unwrap();
        lab
    })
    .await;
}

#[tokio::test]
async fn a_held_lock_ends_in_time_and_names_the_session() {
    with_lab("locked", async |lab| {
        lab.setup(LEDGER).await;
        let mut holder = lab.connect().await;
        let pid: i32 = sqlx::query_scalar("SELECT pg_backend_pid()")
            .fetch_one(&mut holder)
            .await
            .unwrap();
        run(
            &mut holder,
            &format!("BEGIN; LOCK TABLE \"{TABLE}\" IN ACCESS EXCLUSIVE MODE"),
        )
        .await;
        let start = Instant::now();
        let error = lab.fetch(&ask(&[TABLE])).await.unwrap_err();
        assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
        assert_eq!(error.kind, ErrorKind::TimedOut);
        assert!(
            error.reason.contains(&format!("Session {pid} holds")),
            "{}",
            error.reason
        );
        assert!(error.reason.contains(TABLE), "{}", error.reason);
        assert!(!error.reason.contains("LOCK TABLE"), "{}", error.reason);
        run(&mut holder, "ROLLBACK").await;
        assert!(lab.fetch(&ask(&[TABLE])).await.is_ok());
        lab
    })
    .await;
}

#[tokio::test]
async fn a_lock_that_is_only_waited_for_is_in_the_way_too() {
    with_lab("queued", async |lab| {
        lab.setup(LEDGER).await;
        let mut reader = lab.connect().await;
        run(&mut reader, &format!("BEGIN; SELECT count(*) FROM \"{TABLE}\"")).await;
        let mut waiting = lab.connect().await;
        let alter = format!("ALTER TABLE \"{TABLE}\" ADD COLUMN later integer");
        let alter = tokio::spawn(async move { run(&mut waiting, &alter).await });
        tokio::time::sleep(Duration::from_millis(500)).await;
        let error = lab.fetch(&ask(&[TABLE])).await.unwrap_err();
        assert_eq!(error.kind, ErrorKind::TimedOut);
        assert!(error.reason.contains("waits for an exclusive lock"), "{}", error.reason);
        run(&mut reader, "ROLLBACK").await;
        alter.await.unwrap();
        lab
    })
    .await;
}

#[tokio::test]
async fn unrelated_tables_cost_nothing_and_change_nothing() {
    with_lab("crowd", async |lab| {
        lab.setup(LEDGER).await;
        let alone = lab.fetch(&ask(&[TABLE])).await.unwrap();
        lab.setup(
            "DO $$ BEGIN FOR i IN 1..500 LOOP EXECUTE format('CREATE TABLE t%s (a integer PRIMARY KEY)', i); END LOOP; END $$",
        )
        .await;
        let crowded = lab.fetch(&ask(&[TABLE])).await.unwrap();
        assert_eq!(crowded.queries, 4);
        assert_eq!(crowded.sightings, alone.sightings);
        let wanted: Vec<String> = (1..=100).map(|i| format!("t{i}")).collect();
        let wanted: Vec<&str> = wanted.iter().map(String::as_str).collect();
        let many = lab.fetch(&ask(&wanted)).await.unwrap();
        assert_eq!(many.queries, 4);
        assert!(many.sightings.iter().all(|s| matches!(s.found, Found::Object(_))));
        lab
    })
    .await;
}

#[tokio::test]
async fn a_wrong_namespace_and_an_empty_database_are_not_taken_for_clean() {
    with_lab("nowhere", async |lab| {
        let empty = lab.fetch(&ask(&[TABLE])).await.unwrap();
        assert!(empty.namespace.exists);
        assert_eq!(empty.namespace.visible_tables, 0);
        assert_eq!(empty.sightings[0].found, Found::Nothing);
        lab.setup(LEDGER).await;
        lab.setup("CREATE SCHEMA ledger").await;
        let wrong = Ask {
            namespace: Some("Ledger".to_owned()),
            ..ask(&[TABLE])
        };
        let catalog = lab.fetch(&wrong).await.unwrap();
        assert!(!catalog.namespace.exists);
        assert_eq!(catalog.namespace.alternatives, ["ledger", "public"]);
        let likeness: Vec<Likeness> = catalog.sightings[0].lookalikes.iter().map(|l| l.likeness).collect();
        assert_eq!(likeness, [Likeness::OtherNamespace]);
        lab
    })
    .await;
}

#[tokio::test]
async fn hostile_settings_and_names_of_the_database_are_no_matter() {
    with_lab("hostile", async |lab| {
        lab.setup(LEDGER).await;
        let clean = lab.fetch(&ask(&[TABLE])).await.unwrap();
        lab.setup(&format!(
            "CREATE FUNCTION public.format_type(oid, integer) RETURNS text LANGUAGE sql AS $$ SELECT 'lie'::text $$;
             CREATE FUNCTION public.set_config(text, text, boolean) RETURNS text LANGUAGE sql AS $$ SELECT 'lie'::text $$;
             CREATE DOMAIN public.json AS integer;
             CREATE OPERATOR public.= (LEFTARG = name, RIGHTARG = name, FUNCTION = pg_catalog.namene);
             CREATE TABLE public.pg_class (oid oid, relname name);
             ALTER DATABASE {0} SET search_path = public, pg_catalog;
             ALTER DATABASE {0} SET quote_all_identifiers = on;
             ALTER DATABASE {0} SET default_transaction_read_only = on;
             ALTER DATABASE {0} SET \"DateStyle\" = 'SQL, DMY'",
            lab.name
        ))
        .await;
        let hostile = lab.fetch(&ask(&[TABLE])).await.unwrap();
        assert_eq!(hostile.sightings, clean.sightings);
        lab
    })
    .await;
}

#[tokio::test]
async fn other_sessions_temporary_tables_are_noise() {
    with_lab("temporary", async |lab| {
        lab.setup(LEDGER).await;
        let clean = lab.fetch(&ask(&[TABLE])).await.unwrap();
        let mut other = lab.connect().await;
        run(&mut other, &format!("CREATE TEMP TABLE \"{TABLE}\" (wrong integer)")).await;
        assert_eq!(lab.fetch(&ask(&[TABLE])).await.unwrap().sightings, clean.sightings);
        lab
    })
    .await;
}

#[tokio::test]
async fn views_say_whether_inserts_go_through() {
    with_lab("views", async |lab| {
        lab.setup(
            "CREATE TABLE t (a integer); CREATE VIEW v AS SELECT a FROM t; CREATE VIEW d AS SELECT DISTINCT a FROM t",
        )
        .await;
        let catalog = lab.fetch(&ask(&["v", "d"])).await.unwrap();
        for (sighting, through) in catalog.sightings.iter().zip([true, false]) {
            let kind = Kind::View {
                updatable: Some(through),
                over: vec!["t".to_owned()],
            };
            assert_eq!(table(sighting).kind, kind);
        }
        lab
    })
    .await;
}

#[tokio::test]
async fn refusals_say_what_is_wrong_and_keep_the_password() {
    with_lab("refused", async |lab| {
        let mut url = url::Url::parse(&lab.url(None)).unwrap();
        url.set_password(Some("hunter2")).unwrap();
        url.set_path("no_such_database");
        let role = lab.url(Some("no_such_role"));
        for (url, word) in [(url.as_str(), "3D000"), (role.as_str(), "28000")] {
            let error = fetch(&DatabaseUrl::parse(url).unwrap(), &ask(&[TABLE]))
                .await
                .unwrap_err();
            assert_eq!(error.kind, ErrorKind::Refused, "{}", error.reason);
            assert!(error.reason.contains(word), "{}", error.reason);
            assert!(!format!("{error:?}").contains("hunter2"));
        }
        lab
    })
    .await;
}

#[tokio::test]
async fn a_server_that_is_down_is_unreachable_at_once() {
    let port = {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.local_addr().unwrap().port()
    };
    let url = DatabaseUrl::parse(&format!("postgres://u:hunter2@127.0.0.1:{port}/d")).unwrap();
    let start = Instant::now();
    let error = fetch(&url, &ask(&[TABLE])).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Unreachable);
    assert!(start.elapsed() < Duration::from_secs(2));
    assert!(!format!("{error:?}").contains("hunter2"));
}

#[tokio::test]
async fn a_server_that_says_nothing_is_given_up() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let url = DatabaseUrl::parse(&format!("postgres://u@127.0.0.1:{port}/d?sslmode=disable")).unwrap();
    let mut ask = ask(&[TABLE]);
    ask.limits.connect = Duration::from_millis(300);
    let error = fetch(&url, &ask).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Unreachable);
    assert!(error.reason.contains("300 ms"), "{}", error.reason);
}

#[tokio::test]
async fn a_shadowed_table_is_told_to_the_role_that_would_miss_it() {
    with_lab("shadow", async |lab| {
        lab.setup(LEDGER).await;
        lab.setup(&format!("CREATE SCHEMA app; CREATE TABLE app.\"{TABLE}\" (a integer)"))
            .await;
        lab.setup(&format!("ALTER DATABASE {} SET search_path = app, public", lab.name))
            .await;
        let catalog = lab.fetch(&ask(&[TABLE])).await.unwrap();
        assert_eq!(catalog.sightings[0].shadowed_by, Some(format!("app.{TABLE}")));
        assert_eq!(catalog.namespace.name.as_deref(), Some("public"));
        let mut connection = lab.connect().await;
        let path: String = sqlx::query("SHOW search_path")
            .fetch_one(&mut connection)
            .await
            .unwrap()
            .get(0);
        assert_eq!(
            path, "app, public",
            "the check changes nothing beyond its own transaction"
        );
        lab
    })
    .await;
}
