//! PostgreSQL.

use std::time::Duration;

use sea_orm::sqlx::{self, Connection as _, Executor as _, Postgres};
use seadrift::config::DatabaseUrl;
use seadrift::migrate::{self, Adoption, Event, MigrateError, Options};
use seadrift_entity::asset::processed_event;
use seadrift_entity::{Delivery, record};

use crate::harness::{
    CREATE, Events, LiveDatabase, applied, assert_one_did_it, connect, cut_off, down, execute, failing_service, parse,
    race, service, slow_service, texts, up, up_over, with_database,
};

async fn run_sql(database: &LiveDatabase, sql: &str) {
    execute::<Postgres>(database.url.expose(), sql).await;
}

/// Every relation of the database's own schemas with its columns, constraints and index definitions. A NOT NULL is told with
/// its column; that newer servers keep it as a constraint too is no difference.
async fn schema(url: &DatabaseUrl) -> Vec<String> {
    texts(
        url,
        "SELECT concat_ws(' ', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), \
                CASE WHEN a.attnotnull THEN 'not null' END, pg_get_expr(d.adbin, d.adrelid)) \
         FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
         JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 \
         LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum \
         WHERE c.relkind = 'r' AND n.nspname !~ '^(pg_|information_schema)' \
         UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname !~ '^pg_' \
         UNION ALL SELECT conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid <> 0 \
           AND contype <> 'n' AND connamespace::regnamespace::text !~ '^(pg_|information_schema)' \
         ORDER BY 1",
    )
    .await
}

async fn ledger(url: &DatabaseUrl) -> Vec<String> {
    schema(url)
        .await
        .into_iter()
        .filter(|line| line.contains("Processed"))
        .collect()
}

/// The asset ledger as Npgsql's migrations write it.
const EF_CORE: &str = r#"CREATE TABLE "ProcessedIntegrationEvents" (
    "Id" uuid NOT NULL,
    "EventId" uuid NOT NULL,
    "EventType" character varying(160) NOT NULL,
    "TenantId" integer,
    "CorrelationId" character varying(160),
    "SourceService" character varying(120) NOT NULL,
    "Outcome" character varying(40) NOT NULL DEFAULT 'Processed',
    "ProcessedOnUtc" timestamp with time zone NOT NULL,
    CONSTRAINT "PK_ProcessedIntegrationEvents" PRIMARY KEY ("Id")
);
CREATE UNIQUE INDEX "UX_ProcessedEvents_EventId" ON "ProcessedIntegrationEvents" ("EventId");"#;

#[test]
fn up_makes_the_table_that_ef_core_makes() {
    with_database::<Postgres>(async |database| {
        run_sql(database, EF_CORE).await;
        let ef_core = ledger(&database.url).await;
        assert_eq!(ef_core.len(), 11);
        run_sql(database, r#"DROP TABLE "ProcessedIntegrationEvents""#).await;
        up(&service("asset"), &database.url).await.unwrap();
        assert_eq!(ledger(&database.url).await, ef_core);
    });
}

#[test]
fn up_makes_the_documented_ledger_of_notification() {
    with_database::<Postgres>(async |database| {
        up(&service("notification"), &database.url).await.unwrap();
        let made = ledger(&database.url).await;
        for line in [
            "ProcessedIntegrationEvents Id uuid not null",
            "ProcessedIntegrationEvents EventId uuid not null",
            "ProcessedIntegrationEvents EventType character varying(160) not null",
            "ProcessedIntegrationEvents TenantId character varying(80)",
            "ProcessedIntegrationEvents CorrelationId character varying(160)",
            "ProcessedIntegrationEvents SourceService character varying(120) not null",
            "ProcessedIntegrationEvents Outcome character varying(40) not null",
            "ProcessedIntegrationEvents MessagesCreated integer not null",
            "ProcessedIntegrationEvents ProcessedOnUtc timestamp with time zone not null",
            r#"PK_ProcessedIntegrationEvents PRIMARY KEY ("Id")"#,
            r#"CREATE UNIQUE INDEX "PK_ProcessedIntegrationEvents" ON public."ProcessedIntegrationEvents" USING btree ("Id")"#,
            r#"CREATE UNIQUE INDEX "UX_ProcessedEvents_EventId" ON public."ProcessedIntegrationEvents" USING btree ("EventId")"#,
            r#"CREATE INDEX "IX_ProcessedEvents_Correlation" ON public."ProcessedIntegrationEvents" USING btree ("CorrelationId")"#,
        ] {
            assert!(made.iter().any(|made| made == line), "{line} is not in {made:#?}");
        }
        assert_eq!(made.len(), 13);
    });
}

#[test]
fn up_down_up_makes_the_same_schema() {
    with_database::<Postgres>(async |database| {
        for name in ["asset", "notification", "payroll"] {
            let service = service(name);
            up(&service, &database.url).await.unwrap();
            let first = ledger(&database.url).await;
            assert_eq!(down(&service, &database.url).await.unwrap(), [CREATE]);
            assert!(ledger(&database.url).await.is_empty());
            up(&service, &database.url).await.unwrap();
            assert_eq!(ledger(&database.url).await, first);
            down(&service, &database.url).await.unwrap();
        }
    });
}

#[test]
fn the_entity_works_on_what_the_migrations_made() {
    with_database::<Postgres>(async |database| {
        up(&service("asset"), &database.url).await.unwrap();
        let db = connect(&database.url).await;
        let row = processed_event::Model {
            id: uuid::Uuid::new_v4(),
            event_id: uuid::Uuid::new_v4(),
            event_type: "asset.assigned".to_owned(),
            tenant_id: Some(7),
            correlation_id: Some("c".to_owned()),
            source_service: "hr".to_owned(),
            outcome: processed_event::Outcome::Processed,
            processed_on_utc: chrono::DateTime::from_timestamp(1_785_000_000, 123_456_000).unwrap(),
        };
        let active: processed_event::ActiveModel = row.clone().into();
        assert_eq!(record(&db, active).await.unwrap(), Delivery::First);
        assert_eq!(
            processed_event::Entity::find_by_event_id(row.event_id)
                .one(&db)
                .await
                .unwrap(),
            Some(row)
        );
        db.close().await.unwrap();
    });
}

#[test]
fn two_runs_at_once_both_succeed() {
    for service in [service("notification"), slow_service()] {
        for _ in 0..10 {
            with_database::<Postgres>(async |database| {
                assert_one_did_it(&service, race(&service, &database.url));
                assert_eq!(applied(&service, &database.url).await, service.migrations().names());
            });
        }
    }
}

#[test]
fn a_run_that_waits_says_so_and_gives_up_in_time() {
    with_database::<Postgres>(async |database| {
        let mut other = sqlx::PgConnection::connect(database.url.expose()).await.unwrap();
        let lock = "SELECT pg_advisory_lock(hashtextextended('seadrift migrate public', 0))";
        (&mut other).execute(lock).await.unwrap();
        let options = Options {
            lock_timeout: Duration::from_millis(300),
            ..Options::default()
        };
        let events = Events::default();
        let service = service("asset");
        let error = migrate::up(&service, &database.url, &options, async |_| Adoption::Clean, &mut |e| {
            events.push(e)
        })
        .await
        .unwrap_err();
        assert!(matches!(error, MigrateError::Locked { .. }), "{error}");
        assert_eq!(
            events.take(),
            [Event::Waiting {
                at_most: options.lock_timeout
            }]
        );
        other.close().await.unwrap();
        up(&service, &database.url).await.unwrap();
    });
}

#[test]
fn a_run_that_is_cut_off_stands_in_nobodys_way() {
    with_database::<Postgres>(async |database| {
        let service = slow_service();
        cut_off(&service, &database.url).await;
        let run = up(&service, &database.url).await.unwrap();
        assert_eq!(run.applied, service.migrations().names());
    });
}

#[test]
fn a_server_that_ends_idle_sessions_leaves_the_lock_alone() {
    with_database::<Postgres>(async |database| {
        // The setting came with version 14.
        run_sql(
            database,
            "DO $$ BEGIN IF current_setting('server_version_num')::int >= 140000 THEN
                 EXECUTE format('ALTER DATABASE %I SET idle_session_timeout = 60', current_database());
             END IF; END $$",
        )
        .await;
        let service = slow_service();
        assert_one_did_it(&service, race(&service, &database.url));
    });
}

#[test]
fn a_schema_is_worked_in_and_must_exist() {
    with_database::<Postgres>(async |database| {
        let service = service("asset");
        let options = Options {
            namespace: Some("Audit \"x\"".to_owned()),
            ..Options::default()
        };
        let in_schema = async || {
            migrate::up(
                &service,
                &database.url,
                &options,
                async |_| Adoption::Clean,
                &mut |_| (),
            )
            .await
        };
        let error = in_schema().await.unwrap_err();
        assert!(matches!(error, MigrateError::NamespaceMissing { .. }), "{error}");

        run_sql(database, r#"CREATE SCHEMA "Audit ""x""""#).await;
        // The same table in another schema is another ledger.
        run_sql(database, EF_CORE).await;
        assert_eq!(in_schema().await.unwrap().applied, [CREATE]);
        let where_made = "SELECT schemaname::text FROM pg_tables WHERE tablename = 'seaql_migrations_asset'";
        assert_eq!(texts(&database.url, where_made).await, ["Audit \"x\""]);
        let status = migrate::status(&service, &database.url, &options).await.unwrap();
        assert_eq!(status.namespace, Some("Audit \"x\"".into()));
        assert!(applied(&service, &database.url).await.is_empty());
    });
}

#[test]
fn status_does_not_write_and_tells_absent_from_not_readable() {
    with_database::<Postgres>(async |database| {
        let service = service("asset");
        let status = migrate::status(&service, &database.url, &Options::default())
            .await
            .unwrap();
        assert!(!status.has_history);
        assert!(schema(&database.url).await.is_empty());

        up(&service, &database.url).await.unwrap();
        let role = database.name.to_lowercase();
        run_sql(database, &format!("CREATE ROLE {role} LOGIN PASSWORD 'x'")).await;
        let mut url = url::Url::parse(database.url.expose()).unwrap();
        url.set_username(&role).unwrap();
        url.set_password(Some("x")).unwrap();
        let stranger = parse(url.as_str());
        let error = migrate::status(&service, &stranger, &Options::default())
            .await
            .unwrap_err();
        assert!(matches!(error, MigrateError::HistoryUnreadable { .. }), "{error}");
        run_sql(database, &format!("GRANT SELECT ON seaql_migrations_asset TO {role}")).await;
        assert_eq!(applied(&service, &stranger).await, [CREATE]);
        run_sql(database, &format!("DROP OWNED BY {role}; DROP ROLE {role}")).await;
    });
}

#[test]
fn tables_of_ef_core_are_adopted_untouched() {
    with_database::<Postgres>(async |database| {
        run_sql(database, EF_CORE).await;
        run_sql(
            database,
            r#"INSERT INTO "ProcessedIntegrationEvents" VALUES
               ('00000000-0000-0000-0000-000000000001', '00000000-0000-0000-0000-000000000002', 't', NULL, NULL, 's', DEFAULT, now())"#,
        )
        .await;
        let service = service("asset");
        let identity = r#"SELECT (tableoid::text || xmin::text || ctid::text) FROM "ProcessedIntegrationEvents""#;
        let (before, rows) = (ledger(&database.url).await, texts(&database.url, identity).await);
        assert_eq!(
            up_over(&service, &database.url, Adoption::Clean).await.unwrap().adopted,
            [CREATE]
        );
        assert_eq!(ledger(&database.url).await, before);
        assert_eq!(texts(&database.url, identity).await, rows);
        assert_eq!(applied(&service, &database.url).await, [CREATE]);
        assert!(up(&service, &database.url).await.unwrap().applied.is_empty());
    });
}

#[test]
fn tables_that_differ_are_left_alone() {
    with_database::<Postgres>(async |database| {
        run_sql(database, EF_CORE).await;
        let before = schema(&database.url).await;
        let error = up_over(&service("notification"), &database.url, Adoption::Drift("r".to_owned())).await;
        assert!(matches!(error, Err(MigrateError::Drift { .. })), "{error:?}");
        assert_eq!(schema(&database.url).await, before);
    });
}

#[test]
fn a_migration_that_fails_keeps_the_ones_before_it() {
    with_database::<Postgres>(async |database| {
        let service = failing_service();
        for _ in 0..2 {
            let error = up(&service, &database.url).await.unwrap_err();
            let reason = std::error::Error::source(&error).unwrap().to_string();
            assert!(reason.contains("(42P07)"), "{error}: {reason}");
            assert_eq!(applied(&service, &database.url).await, ["m2_second"]);
            assert!(!schema(&database.url).await.iter().any(|line| line.starts_with("third")));
        }
    });
}

#[test]
fn a_wrong_password_is_said_without_it() {
    with_database::<Postgres>(async |database| {
        let mut url = url::Url::parse(database.url.expose()).unwrap();
        url.set_username("nobody_there").unwrap();
        url.set_password(Some("Sup3rS3cret")).unwrap();
        let error = migrate::status(&service("asset"), &parse(url.as_str()), &Options::default())
            .await
            .unwrap_err();
        assert!(matches!(error, MigrateError::Unreachable(_)), "{error}");
        assert!(!format!("{error} {error:?}").contains("Sup3rS3cret"));
    });
}
