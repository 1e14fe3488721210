//! MariaDB and MySQL.

use std::time::Duration;

use sea_orm::sqlx::{self, Connection as _, Executor as _, MySql};
use seadrift::config::DatabaseUrl;
use seadrift::migrate::{self, Adoption, Event, MigrateError, Options};
use seadrift_entity::notification::processed_event;
use seadrift_entity::{Delivery, record};

use crate::harness::{
    CREATE, Events, LEDGER, LiveDatabase, applied, assert_one_did_it, connect, cut_off, down, execute, failing_service,
    parse, race, service, slow_service, texts, up, up_over, with_database,
};

async fn run_sql(database: &LiveDatabase, sql: &str) {
    execute::<MySql>(database.url.expose(), sql).await;
}

async fn tables(url: &DatabaseUrl) -> Vec<String> {
    texts(
        url,
        "SELECT CAST(table_name AS CHAR) FROM information_schema.tables WHERE table_schema = DATABASE() ORDER BY 1",
    )
    .await
}

async fn ledger(url: &DatabaseUrl) -> String {
    use sea_orm::ConnectionTrait;
    let db = connect(url).await;
    let statement = sea_orm::Statement::from_string(db.get_database_backend(), format!("SHOW CREATE TABLE `{LEDGER}`"));
    let row = db.query_one_raw(statement).await.unwrap().unwrap();
    db.close().await.unwrap();
    row.try_get_by_index(1).unwrap()
}

/// The notification ledger as Pomelo's migrations write it, with ids as bytes.
const EF_CORE: &str = "CREATE TABLE `ProcessedIntegrationEvents` (
    `Id` binary(16) NOT NULL,
    `EventId` binary(16) NOT NULL,
    `Outcome` varchar(40) CHARACTER SET utf8mb4 NOT NULL,
    CONSTRAINT `PK_ProcessedIntegrationEvents` PRIMARY KEY (`Id`)
) CHARACTER SET=utf8mb4;
CREATE UNIQUE INDEX `UX_ProcessedEvents_EventId` ON `ProcessedIntegrationEvents` (`EventId`);";

#[test]
fn up_makes_the_documented_ledger_of_notification() {
    with_database::<MySql>(async |database| {
        up(&service("notification"), &database.url).await.unwrap();
        let made = ledger(&database.url).await;
        for line in [
            "`Id` binary(16) NOT NULL,",
            "`EventId` binary(16) NOT NULL,",
            "`EventType` varchar(160) NOT NULL,",
            "`TenantId` varchar(80) DEFAULT NULL,",
            "`CorrelationId` varchar(160) DEFAULT NULL,",
            "`SourceService` varchar(120) NOT NULL,",
            "`Outcome` varchar(40) NOT NULL,",
            "`MessagesCreated` int(11) NOT NULL,",
            "`ProcessedOnUtc` datetime(6) NOT NULL,",
            "PRIMARY KEY (`Id`),",
            "UNIQUE KEY `UX_ProcessedEvents_EventId` (`EventId`),",
            "KEY `IX_ProcessedEvents_Correlation` (`CorrelationId`)",
        ] {
            assert!(made.lines().any(|made| made.trim() == line), "{line} is not in {made}");
        }
        assert!(
            made.ends_with(") ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin"),
            "{made}"
        );
        assert_eq!(made.lines().count(), 14);
    });
}

#[test]
fn the_outcome_of_asset_and_payroll_defaults_to_processed() {
    for name in ["asset", "payroll"] {
        with_database::<MySql>(async |database| {
            up(&service(name), &database.url).await.unwrap();
            let made = ledger(&database.url).await;
            assert!(
                made.contains("`Outcome` varchar(40) NOT NULL DEFAULT 'Processed',"),
                "{made}"
            );
            assert!(made.contains("`TenantId` int(11) DEFAULT NULL,"), "{made}");
            assert_eq!(made.contains("CorrelationId"), name == "asset");
        });
    }
}

#[test]
fn up_down_up_makes_the_same_schema() {
    with_database::<MySql>(async |database| {
        for name in ["asset", "notification", "payroll"] {
            let service = service(name);
            up(&service, &database.url).await.unwrap();
            let first = ledger(&database.url).await;
            assert_eq!(down(&service, &database.url).await.unwrap(), [CREATE]);
            assert!(!tables(&database.url).await.contains(&LEDGER.to_owned()));
            up(&service, &database.url).await.unwrap();
            assert_eq!(ledger(&database.url).await, first);
            down(&service, &database.url).await.unwrap();
        }
    });
}

#[test]
fn the_entity_works_on_what_the_migrations_made() {
    with_database::<MySql>(async |database| {
        up(&service("notification"), &database.url).await.unwrap();
        let db = connect(&database.url).await;
        let row = processed_event::Model {
            id: uuid::Uuid::new_v4(),
            event_id: uuid::Uuid::new_v4(),
            event_type: "invoice.issued".to_owned(),
            tenant_id: None,
            correlation_id: Some("c".to_owned()),
            source_service: "billing".to_owned(),
            outcome: processed_event::Outcome::Suppressed,
            messages_created: 3,
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
            with_database::<MySql>(async |database| {
                assert_one_did_it(&service, race(&service, &database.url));
                assert_eq!(applied(&service, &database.url).await, service.migrations().names());
            });
        }
    }
}

#[test]
fn a_run_that_waits_says_so_and_gives_up_in_time() {
    with_database::<MySql>(async |database| {
        let mut other = sqlx::MySqlConnection::connect(database.url.expose()).await.unwrap();
        let lock = "SELECT GET_LOCK(concat('seadrift migrate ', sha1(lower(DATABASE()))), 0)";
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
    with_database::<MySql>(async |database| {
        let service = slow_service();
        cut_off(&service, &database.url).await;
        let run = up(&service, &database.url).await.unwrap();
        assert_eq!(run.applied, service.migrations().names());
    });
}

#[test]
fn status_does_not_write_and_tells_absent_from_not_readable() {
    with_database::<MySql>(async |database| {
        let service = service("asset");
        let status = migrate::status(&service, &database.url, &Options::default())
            .await
            .unwrap();
        assert!(!status.has_history);
        assert!(tables(&database.url).await.is_empty());

        up(&service, &database.url).await.unwrap();
        let (role, name) = (database.name.to_lowercase(), &database.name);
        run_sql(
            database,
            &format!(
                "CREATE USER {role}@'%' IDENTIFIED BY 'x'; CREATE USER {role}@localhost IDENTIFIED BY 'x'; \
                 GRANT REFERENCES ON `{name}`.* TO {role}@'%', {role}@localhost"
            ),
        )
        .await;
        let mut url = url::Url::parse(database.url.expose()).unwrap();
        url.set_username(&role).unwrap();
        url.set_password(Some("x")).unwrap();
        let stranger = parse(url.as_str());
        let error = migrate::status(&service, &stranger, &Options::default())
            .await
            .unwrap_err();
        assert!(matches!(error, MigrateError::HistoryUnreadable { .. }), "{error}");
        let grant = format!("GRANT SELECT ON `{name}`.seaql_migrations_asset TO {role}@'%', {role}@localhost");
        run_sql(database, &grant).await;
        assert_eq!(applied(&service, &stranger).await, [CREATE]);
        run_sql(database, &format!("DROP USER {role}@'%', {role}@localhost")).await;
    });
}

#[test]
fn tables_of_ef_core_are_adopted_untouched() {
    with_database::<MySql>(async |database| {
        run_sql(database, EF_CORE).await;
        let service = service("notification");
        let before = ledger(&database.url).await;
        assert_eq!(
            up_over(&service, &database.url, Adoption::Clean).await.unwrap().adopted,
            [CREATE]
        );
        assert_eq!(ledger(&database.url).await, before);
        assert_eq!(applied(&service, &database.url).await, [CREATE]);
        assert!(up(&service, &database.url).await.unwrap().applied.is_empty());
    });
}

#[test]
fn tables_that_differ_are_left_alone() {
    with_database::<MySql>(async |database| {
        run_sql(database, EF_CORE).await;
        let error = up_over(&service("asset"), &database.url, Adoption::Drift("r".to_owned())).await;
        assert!(matches!(error, Err(MigrateError::Drift { .. })), "{error:?}");
        assert_eq!(tables(&database.url).await, [LEDGER]);
    });
}

#[test]
fn a_run_that_was_cut_off_can_be_repeated() {
    with_database::<MySql>(async |database| {
        let service = service("asset");
        up(&service, &database.url).await.unwrap();
        // Cut off between the table and its line in the history, on the way up ...
        run_sql(database, "DELETE FROM seaql_migrations_asset").await;
        assert_eq!(
            up_over(&service, &database.url, Adoption::Clean).await.unwrap().adopted,
            [CREATE]
        );
        // ... and on the way down.
        run_sql(database, &format!("DROP TABLE `{LEDGER}`")).await;
        assert_eq!(down(&service, &database.url).await.unwrap(), [CREATE]);
        assert_eq!(up(&service, &database.url).await.unwrap().applied, [CREATE]);
    });
}

#[test]
fn a_migration_that_fails_keeps_the_ones_before_it() {
    with_database::<MySql>(async |database| {
        let service = failing_service();
        let error = up(&service, &database.url).await.unwrap_err();
        assert!(error.to_string().contains("cannot apply `m3_failing`"), "{error}");
        assert_eq!(applied(&service, &database.url).await, ["m2_second"]);
    });
}
