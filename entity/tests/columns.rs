//! The entities have the tables, columns and outcomes that the services' documents describe.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use chrono::{TimeZone, Utc};
use sea_orm::prelude::*;
use sea_orm::sea_query::StringLen;
use sea_orm::{ActiveEnum, ActiveValue::Set, ColumnType, ConnectionTrait, Database, IntoActiveModel, Iterable, Schema};
use seadrift_entity::{asset, notification, payroll};

/// Name, type, nullable, unique.
type Fact = (&'static str, ColumnType, bool, bool);

fn varchar(n: u32) -> ColumnType {
    ColumnType::String(StringLen::N(n))
}

fn columns<E: EntityTrait>() -> Vec<(String, ColumnType, bool, bool)> {
    E::Column::iter()
        .map(|column| {
            let def = column.def();
            let name = sea_orm::IdenStatic::as_str(&column).to_owned();
            (name, def.get_column_type().clone(), def.is_null(), def.is_unique())
        })
        .collect()
}

fn assert_columns<E: EntityTrait>(facts: &[Fact]) {
    assert_eq!(E::default().table_name(), "ProcessedIntegrationEvents");
    let key: Vec<String> = E::PrimaryKey::iter()
        .map(|key| sea_orm::IdenStatic::as_str(&key.into_column()).to_owned())
        .collect();
    assert_eq!(key, ["Id"]);
    let expected: Vec<_> = facts
        .iter()
        .cloned()
        .map(|(n, t, null, u)| (n.to_owned(), t, null, u))
        .collect();
    assert_eq!(columns::<E>(), expected);
}

#[test]
fn notification_has_its_nine_columns() {
    assert_columns::<notification::ProcessedEvent>(&[
        ("Id", ColumnType::Uuid, false, false),
        ("EventId", ColumnType::Uuid, false, true),
        ("EventType", varchar(160), false, false),
        ("TenantId", varchar(80), true, false),
        ("CorrelationId", varchar(160), true, false),
        ("SourceService", varchar(120), false, false),
        ("Outcome", varchar(40), false, false),
        ("MessagesCreated", ColumnType::Integer, false, false),
        ("ProcessedOnUtc", ColumnType::TimestampWithTimeZone, false, false),
    ]);
}

#[test]
fn asset_has_a_numeric_tenant_and_counts_no_messages() {
    assert_columns::<asset::ProcessedEvent>(&[
        ("Id", ColumnType::Uuid, false, false),
        ("EventId", ColumnType::Uuid, false, true),
        ("EventType", varchar(160), false, false),
        ("TenantId", ColumnType::Integer, true, false),
        ("CorrelationId", varchar(160), true, false),
        ("SourceService", varchar(120), false, false),
        ("Outcome", varchar(40), false, false),
        ("ProcessedOnUtc", ColumnType::TimestampWithTimeZone, false, false),
    ]);
}

#[test]
fn payroll_keeps_no_correlation() {
    assert_columns::<payroll::ProcessedEvent>(&[
        ("Id", ColumnType::Uuid, false, false),
        ("EventId", ColumnType::Uuid, false, true),
        ("EventType", varchar(160), false, false),
        ("TenantId", ColumnType::Integer, true, false),
        ("SourceService", varchar(120), false, false),
        ("Outcome", varchar(40), false, false),
        ("ProcessedOnUtc", ColumnType::TimestampWithTimeZone, false, false),
    ]);
}

#[test]
fn outcomes_are_stored_in_pascal_case() {
    let stored: Vec<String> = notification::Outcome::iter().map(|o| o.to_value()).collect();
    assert_eq!(
        stored,
        [
            "Processed",
            "Duplicate",
            "Stale",
            "NoTemplate",
            "NoRecipient",
            "Suppressed",
            "Failed"
        ]
    );
    assert_eq!(asset::Outcome::values(), ["Processed"]);
    assert_eq!(payroll::Outcome::values(), ["Processed"]);
}

async fn empty_asset_ledger() -> DatabaseConnection {
    let db = Database::connect("sqlite::memory:").await.unwrap();
    let schema = Schema::new(db.get_database_backend());
    db.execute(&schema.create_table_from_entity(asset::ProcessedEvent))
        .await
        .unwrap();
    db
}

fn asset_row(event_id: Uuid) -> asset::processed_event::Model {
    asset::processed_event::Model {
        id: Uuid::new_v4(),
        event_id,
        event_type: "asset.assigned".to_owned(),
        tenant_id: Some(7),
        correlation_id: None,
        source_service: "hr".to_owned(),
        outcome: asset::Outcome::Processed,
        processed_on_utc: Utc.with_ymd_and_hms(2026, 7, 17, 9, 30, 0).unwrap(),
    }
}

#[tokio::test]
async fn a_row_comes_back_as_it_went_in() {
    let db = empty_asset_ledger().await;
    let row = asset_row(Uuid::new_v4());
    asset::ProcessedEvent::insert(row.clone().into_active_model())
        .exec_without_returning(&db)
        .await
        .unwrap();
    let found = asset::ProcessedEvent::find_by_event_id(row.event_id)
        .one(&db)
        .await
        .unwrap();
    assert_eq!(found, Some(row));
}

#[tokio::test]
async fn the_database_fills_in_the_outcome_processed() {
    let db = empty_asset_ledger().await;
    let mut row = asset_row(Uuid::new_v4()).into_active_model();
    row.outcome = sea_orm::ActiveValue::NotSet;
    asset::ProcessedEvent::insert(row)
        .exec_without_returning(&db)
        .await
        .unwrap();
    let found = asset::ProcessedEvent::find().one(&db).await.unwrap().unwrap();
    assert_eq!(found.outcome, asset::Outcome::Processed);
}

#[tokio::test]
async fn a_second_row_of_one_event_is_a_unique_violation() {
    let db = empty_asset_ledger().await;
    let event_id = Uuid::new_v4();
    let insert = |row: asset::processed_event::Model| asset::ProcessedEvent::insert(row.into_active_model());
    insert(asset_row(event_id)).exec_without_returning(&db).await.unwrap();
    let error = insert(asset_row(event_id))
        .exec_without_returning(&db)
        .await
        .unwrap_err();
    assert!(
        matches!(error.sql_err(), Some(sea_orm::SqlErr::UniqueConstraintViolation(_))),
        "{error}"
    );
    insert(asset_row(Uuid::new_v4()))
        .exec_without_returning(&db)
        .await
        .unwrap();
}

#[tokio::test]
async fn an_outcome_that_is_not_allowed_is_refused_when_read() {
    let db = empty_asset_ledger().await;
    let mut row = asset_row(Uuid::new_v4()).into_active_model();
    row.event_type = Set("asset.retired".to_owned());
    asset::ProcessedEvent::insert(row)
        .exec_without_returning(&db)
        .await
        .unwrap();
    db.execute_unprepared(r#"UPDATE "ProcessedIntegrationEvents" SET "Outcome" = 'processed'"#)
        .await
        .unwrap();
    assert!(asset::ProcessedEvent::find().one(&db).await.is_err());
}

/// The facts about SQLite on the crate's front page.
mod sqlite {
    use super::*;

    #[tokio::test]
    async fn identifiers_are_written_as_sixteen_bytes() {
        let db = empty_asset_ledger().await;
        let row = asset_row(Uuid::new_v4());
        asset::ProcessedEvent::insert(row.into_active_model())
            .exec_without_returning(&db)
            .await
            .unwrap();
        let sql = r#"SELECT typeof("EventId") || length("EventId") AS kind FROM "ProcessedIntegrationEvents""#;
        let stored = db
            .query_one_raw(sea_orm::Statement::from_string(db.get_database_backend(), sql))
            .await
            .unwrap()
            .unwrap();
        assert_eq!(stored.try_get::<String>("", "kind").unwrap(), "blob16");
    }

    async fn ledger_row_with(event_id: &str, time: &str) -> Result<Option<asset::processed_event::Model>, DbErr> {
        let db = empty_asset_ledger().await;
        db.execute_unprepared(&format!(
            r#"INSERT INTO "ProcessedIntegrationEvents" VALUES
               (X'00112233445566778899AABBCCDDEEFF', {event_id}, 't', NULL, NULL, 's', 'Processed', '{time}')"#
        ))
        .await
        .unwrap();
        asset::ProcessedEvent::find().one(&db).await
    }

    #[tokio::test]
    async fn text_identifiers_are_refused_when_read() {
        let text = "'0F8FAD5B-D9CB-469F-A165-70867728950E'";
        assert!(ledger_row_with(text, "2026-07-17 09:30:00").await.is_err());
    }

    #[tokio::test]
    async fn the_time_format_of_ef_core_is_read() {
        let bytes = "X'0F8FAD5BD9CB469FA16570867728950E'";
        let row = ledger_row_with(bytes, "2026-07-17 09:30:00.1234567")
            .await
            .unwrap()
            .unwrap();
        assert_eq!(row.event_id.to_string(), "0f8fad5b-d9cb-469f-a165-70867728950e");
        assert_eq!(row.processed_on_utc.to_rfc3339(), "2026-07-17T09:30:00.123456700+00:00");
    }
}
