//! SQLite: always there.

use std::path::PathBuf;
use std::time::Duration;

use sea_orm::{ConnectionTrait, TransactionTrait};
use seadrift::config::DatabaseUrl;
use seadrift::migrate::{self, Adoption, Event, MigrateError, Options};
use seadrift_entity::notification::processed_event;
use seadrift_entity::{Delivery, record};

use crate::harness::{
    CREATE, Events, LEDGER, applied, assert_one_did_it, connect, cut_off, down, failing_service, parse, race, service,
    slow_service, texts, up, up_over,
};

struct File {
    path: PathBuf,
    url: DatabaseUrl,
    _directory: tempfile::TempDir,
}

fn missing_file() -> File {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("ledger.db");
    let url = parse(&format!("sqlite://{}", path.display()));
    File {
        path,
        url,
        _directory: directory,
    }
}

async fn file_with(sql: &str) -> File {
    let file = missing_file();
    std::fs::write(&file.path, "").unwrap();
    let db = connect(&file.url).await;
    db.execute_unprepared(sql).await.unwrap();
    db.close().await.unwrap();
    file
}

const EF_CORE: &str = r#"CREATE TABLE "ProcessedIntegrationEvents" (
    "Id" TEXT NOT NULL CONSTRAINT "PK_ProcessedIntegrationEvents" PRIMARY KEY,
    "EventId" TEXT NOT NULL
);
CREATE UNIQUE INDEX "UX_ProcessedEvents_EventId" ON "ProcessedIntegrationEvents" ("EventId");"#;

async fn schema(url: &DatabaseUrl) -> Vec<String> {
    texts(url, "SELECT coalesce(sql, name) FROM sqlite_schema ORDER BY name").await
}

#[tokio::test]
async fn up_makes_the_documented_ledger_of_notification() {
    let file = missing_file();
    up(&service("notification"), &file.url).await.unwrap();
    let made = schema(&file.url).await;
    assert_eq!(
        made.iter()
            .filter(|sql| sql.contains(LEDGER) && sql.starts_with("CREATE"))
            .collect::<Vec<_>>(),
        [
            r#"CREATE INDEX "IX_ProcessedEvents_Correlation" ON "ProcessedIntegrationEvents" ("CorrelationId")"#,
            &format!(
                r#"CREATE TABLE "{LEDGER}" ( {} )"#,
                [
                    r#""Id" uuid_text NOT NULL"#,
                    r#""EventId" uuid_text NOT NULL"#,
                    r#""EventType" varchar(160) NOT NULL"#,
                    r#""TenantId" varchar(80) NULL"#,
                    r#""CorrelationId" varchar(160) NULL"#,
                    r#""SourceService" varchar(120) NOT NULL"#,
                    r#""Outcome" varchar(40) NOT NULL"#,
                    r#""MessagesCreated" integer NOT NULL"#,
                    r#""ProcessedOnUtc" timestamp_with_timezone_text NOT NULL"#,
                    r#"CONSTRAINT "PK_ProcessedIntegrationEvents" PRIMARY KEY ("Id")"#,
                ]
                .join(", ")
            ),
            r#"CREATE UNIQUE INDEX "UX_ProcessedEvents_EventId" ON "ProcessedIntegrationEvents" ("EventId")"#,
        ]
    );
}

#[tokio::test]
async fn up_down_up_makes_the_same_schema() {
    for name in ["asset", "notification", "payroll"] {
        let (service, file) = (service(name), missing_file());
        assert_eq!(up(&service, &file.url).await.unwrap().applied, [CREATE]);
        let first = schema(&file.url).await;
        assert_eq!(down(&service, &file.url).await.unwrap(), [CREATE]);
        assert!(!schema(&file.url).await.iter().any(|sql| sql.contains("Processed")));
        assert!(applied(&service, &file.url).await.is_empty());
        assert_eq!(up(&service, &file.url).await.unwrap().applied, [CREATE]);
        assert_eq!(schema(&file.url).await, first);
        assert!(
            first
                .iter()
                .any(|sql| sql.contains(&format!("\"seaql_migrations_{name}\"")))
        );
    }
}

#[tokio::test]
async fn a_second_up_has_nothing_to_do() {
    let (service, file) = (service("asset"), missing_file());
    up(&service, &file.url).await.unwrap();
    let run = up(&service, &file.url).await.unwrap();
    assert!(run.applied.is_empty() && run.adopted.is_empty());
}

#[tokio::test]
async fn the_entity_works_on_what_the_migrations_made() {
    let file = missing_file();
    up(&service("notification"), &file.url).await.unwrap();
    let db = connect(&file.url).await;
    let event_id = uuid::Uuid::new_v4();
    let row = processed_event::Model {
        id: uuid::Uuid::new_v4(),
        event_id,
        event_type: "invoice.issued".to_owned(),
        tenant_id: Some("t-1".to_owned()),
        correlation_id: None,
        source_service: "billing".to_owned(),
        outcome: processed_event::Outcome::NoTemplate,
        messages_created: 0,
        processed_on_utc: chrono::DateTime::from_timestamp(1_785_000_000, 123_456_000).unwrap(),
    };
    let active: processed_event::ActiveModel = row.clone().into();
    assert_eq!(record(&db, active).await.unwrap(), Delivery::First);
    assert_eq!(
        processed_event::Entity::find_by_event_id(event_id)
            .one(&db)
            .await
            .unwrap(),
        Some(row)
    );
}

#[test]
fn two_runs_at_once_both_succeed() {
    for service in [service("notification"), slow_service()] {
        for _ in 0..5 {
            let file = missing_file();
            assert_one_did_it(&service, race(&service, &file.url));
        }
    }
}

#[tokio::test]
async fn a_run_that_waits_says_so_and_gives_up_in_time() {
    let file = file_with("").await;
    let other = connect(&file.url).await;
    let immediate = sea_orm::TransactionOptions {
        sqlite_transaction_mode: Some(sea_orm::SqliteTransactionMode::Immediate),
        ..Default::default()
    };
    let transaction = other.begin_with_options(immediate).await.unwrap();
    let options = Options {
        lock_timeout: Duration::from_millis(300),
        ..Options::default()
    };
    let events = Events::default();
    let error = migrate::up(
        &service("asset"),
        &file.url,
        &options,
        async |_| Adoption::Clean,
        &mut |e| events.push(e),
    )
    .await
    .unwrap_err();
    assert!(matches!(error, MigrateError::Locked { .. }), "{error}");
    assert_eq!(
        events.take(),
        [Event::Waiting {
            at_most: options.lock_timeout
        }]
    );

    transaction.rollback().await.unwrap();
    up(&service("asset"), &file.url).await.unwrap();
}

#[tokio::test]
async fn a_run_that_is_cut_off_stands_in_nobodys_way() {
    let (service, file) = (slow_service(), missing_file());
    cut_off(&service, &file.url).await;
    let run = up(&service, &file.url).await.unwrap();
    assert_eq!(run.applied, service.migrations().names());
}

#[tokio::test]
async fn status_does_not_write() {
    let service = service("asset");
    let file = file_with("CREATE TABLE other (id integer)").await;
    let before = std::fs::read(&file.path).unwrap();
    let status = migrate::status(&service, &file.url, &Options::default()).await.unwrap();
    assert!(!status.has_history);
    assert_eq!(status.migrations[0].state, migrate::State::Pending);
    assert_eq!(std::fs::read(&file.path).unwrap(), before);

    let missing = missing_file();
    let error = migrate::status(&service, &missing.url, &Options::default())
        .await
        .unwrap_err();
    assert!(matches!(error, MigrateError::NoFile), "{error}");
    let error = down(&service, &missing.url).await.unwrap_err();
    assert!(matches!(error, MigrateError::NoFile), "{error}");
    assert!(!missing.path.exists());
}

#[tokio::test]
async fn up_does_not_create_a_file_where_the_url_says_not_to() {
    let missing = missing_file();
    let url = parse(&format!("{}?mode=rw", missing.url.expose()));
    assert!(matches!(
        up(&service("asset"), &url).await.unwrap_err(),
        MigrateError::NoFile
    ));
    assert!(!missing.path.exists());
}

#[tokio::test]
async fn a_file_that_is_no_database_is_refused() {
    let file = missing_file();
    std::fs::write(
        &file.path,
        "this is a text, and quite a long one for a file without a database in it",
    )
    .unwrap();
    let error = migrate::status(&service("asset"), &file.url, &Options::default())
        .await
        .unwrap_err();
    let reason = std::error::Error::source(&error).unwrap().to_string();
    assert!(reason.contains("is not an SQLite database"), "{reason}");
}

#[tokio::test]
async fn tables_of_ef_core_are_adopted_after_a_clean_comparison() {
    let service = service("notification");
    let file = file_with(EF_CORE).await;
    let before = schema(&file.url).await;
    let run = up_over(&service, &file.url, Adoption::Clean).await.unwrap();
    assert_eq!(run.adopted, [CREATE]);
    assert!(run.applied.is_empty());
    assert_eq!(applied(&service, &file.url).await, [CREATE]);
    let after = schema(&file.url).await;
    assert!(before.iter().all(|sql| after.contains(sql)), "{after:?}");
    assert!(up(&service, &file.url).await.unwrap().applied.is_empty());
}

#[tokio::test]
async fn tables_that_differ_or_cannot_be_compared_are_left_alone() {
    let service = service("notification");
    let file = file_with(EF_CORE).await;
    let before = schema(&file.url).await;
    let error = up_over(&service, &file.url, Adoption::Drift("no TenantId".to_owned()))
        .await
        .unwrap_err();
    assert!(
        matches!(&error, MigrateError::Drift { report } if report == "no TenantId"),
        "{error}"
    );
    assert_eq!(error.exit_code(), 1);
    let error = up_over(&service, &file.url, Adoption::Unknown("blind".into()))
        .await
        .unwrap_err();
    assert!(matches!(error, MigrateError::NotCompared { .. }), "{error}");
    assert_eq!(error.exit_code(), 4);
    assert_eq!(schema(&file.url).await, before);
}

#[tokio::test]
async fn an_empty_history_adopts_as_well() {
    // What is left when EF Core's table is put back after a `down`.
    let service = service("asset");
    let file = missing_file();
    up(&service, &file.url).await.unwrap();
    down(&service, &file.url).await.unwrap();
    let db = connect(&file.url).await;
    db.execute_unprepared(EF_CORE).await.unwrap();
    db.close().await.unwrap();
    assert_eq!(
        up_over(&service, &file.url, Adoption::Clean).await.unwrap().adopted,
        [CREATE]
    );
}

#[tokio::test]
async fn a_history_of_a_newer_release_is_not_touched() {
    let (service, file) = (service("asset"), missing_file());
    up(&service, &file.url).await.unwrap();
    let db = connect(&file.url).await;
    db.execute_unprepared("INSERT INTO seaql_migrations_asset VALUES ('m29990101_000001_later', 1)")
        .await
        .unwrap();
    db.close().await.unwrap();
    let before = schema(&file.url).await;
    for error in [
        up(&service, &file.url).await.unwrap_err(),
        down(&service, &file.url).await.unwrap_err(),
    ] {
        assert!(matches!(error, MigrateError::HistoryAhead { .. }), "{error}");
        assert!(error.to_string().contains("m29990101_000001_later"));
    }
    assert_eq!(schema(&file.url).await, before);
    let status = migrate::status(&service, &file.url, &Options::default()).await.unwrap();
    assert_eq!(status.unknown, ["m29990101_000001_later".into()]);
}

#[tokio::test]
async fn a_migration_that_fails_undoes_the_run() {
    let (service, file) = (failing_service(), missing_file());
    let error = up(&service, &file.url).await.unwrap_err();
    assert!(error.to_string().contains("cannot apply `m3_failing`"), "{error}");
    assert!(schema(&file.url).await.is_empty());
}
