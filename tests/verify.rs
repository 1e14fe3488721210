//! Specs, entities and migrations of the shipped services agree on every database.

#![allow(clippy::disallowed_methods, reason = "the environment says where the servers are")]
#![allow(clippy::unwrap_used, reason = "a test that cannot prepare its server has failed")]
#![allow(clippy::print_stderr, reason = "a skipped test says so")]

use std::process::{Command, Output};

use seadrift::config::{DatabaseUrl, Target};
use seadrift::services::{self, Service};
use seadrift::verify::migrations_with_both;
use seadrift_migration::AssetMigrator;
use sqlx::{Connection as _, MySqlConnection, PgConnection};

fn verify(arguments: &[&str]) -> (Option<i32>, String) {
    let Output { status, stdout, stderr } = Command::new(env!("CARGO_BIN_EXE_seadrift"))
        .arg("verify")
        .args(arguments)
        .env_remove("DATABASE_URL")
        .output()
        .unwrap();
    (
        status.code(),
        String::from_utf8_lossy(&stdout).into_owned() + &String::from_utf8_lossy(&stderr),
    )
}

const AGREES: &str = "asset: agrees\nnotification: agrees\npayroll: agrees\nspecs, entities and migrations agree\n";

/// Returns the URL of a private server, or says that the test is skipped.
fn server(variable: &str) -> Option<url::Url> {
    match std::env::var(variable) {
        Ok(url) => Some(url::Url::parse(&url).unwrap()),
        Err(_) if std::env::var_os("SEADRIFT_REQUIRE_LIVE").is_some() => panic!("{variable} is not set"),
        Err(_) => {
            eprintln!("SKIPPED: {variable} is not set; run tests/run");
            None
        }
    }
}

#[test]
fn the_three_agree_on_sqlite() {
    assert_eq!(verify(&[]), (Some(0), AGREES.to_owned()));
}

#[test]
fn one_service_can_be_verified_alone() {
    let (code, said) = verify(&["--service", "asset"]);
    assert_eq!(
        (code, said.as_str()),
        (Some(0), "asset: agrees\nspecs, entities and migrations agree\n")
    );
}

#[tokio::test]
async fn the_three_agree_on_postgresql_and_the_scratch_database_is_empty_again() {
    let Some(mut url) = server("SEADRIFT_TEST_POSTGRES_URL") else {
        return;
    };
    let mut root = PgConnection::connect(url.as_str()).await.unwrap();
    sqlx::raw_sql("DROP DATABASE IF EXISTS verify_scratch")
        .execute(&mut root)
        .await
        .unwrap();
    sqlx::raw_sql("CREATE DATABASE verify_scratch")
        .execute(&mut root)
        .await
        .unwrap();
    url.set_path("verify_scratch");
    assert_eq!(verify(&["--url", url.as_str()]), (Some(0), AGREES.to_owned()));
    let mut scratch = PgConnection::connect(url.as_str()).await.unwrap();
    let left: i64 = sqlx::query_scalar(
        "SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
         WHERE n.nspname = 'public' AND c.relkind = 'r' AND c.relname NOT LIKE 'seaql_migrations%'",
    )
    .fetch_one(&mut scratch)
    .await
    .unwrap();
    assert_eq!(left, 0);
    scratch.close().await.unwrap();
    sqlx::raw_sql("DROP DATABASE verify_scratch")
        .execute(&mut root)
        .await
        .unwrap();
}

#[tokio::test]
async fn the_three_agree_on_mariadb_and_a_database_in_use_is_refused() {
    let Some(mut url) = server("SEADRIFT_TEST_MARIADB_URL") else {
        return;
    };
    let mut root = MySqlConnection::connect(url.as_str()).await.unwrap();
    sqlx::raw_sql("DROP DATABASE IF EXISTS verify_scratch; CREATE DATABASE verify_scratch")
        .execute(&mut root)
        .await
        .unwrap();
    url.set_path("verify_scratch");
    assert_eq!(verify(&["--url", url.as_str()]), (Some(0), AGREES.to_owned()));
    sqlx::raw_sql("CREATE TABLE verify_scratch.`ProcessedIntegrationEvents` (`Mine` int)")
        .execute(&mut root)
        .await
        .unwrap();
    let (code, said) = verify(&["--service", "asset", "--url", url.as_str()]);
    assert_eq!(code, Some(4), "{said}");
    assert!(said.contains("scratch database must be empty"), "{said}");
    let kept: i64 = sqlx::query_scalar(
        "SELECT count(*) FROM information_schema.tables \
         WHERE table_schema = 'verify_scratch' AND table_name = 'ProcessedIntegrationEvents'",
    )
    .fetch_one(&mut root)
    .await
    .unwrap();
    assert_eq!(kept, 1, "somebody else's table is never touched");
    sqlx::raw_sql("DROP DATABASE verify_scratch")
        .execute(&mut root)
        .await
        .unwrap();
}

/// An entity of somebody who did not read the migrations of asset.
mod careless {
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "ProcessedIntegrationEvents")]
    pub(super) struct Model {
        #[sea_orm(primary_key, auto_increment = false, column_name = "Id")]
        pub(super) id: Uuid,
        #[sea_orm(column_name = "EventId", unique)]
        pub(super) event_id: Uuid,
        #[sea_orm(column_name = "EventType", nullable)]
        pub(super) event_type: Option<String>,
        #[sea_orm(column_name = "TenantId", nullable)]
        pub(super) tenant_id: Option<i32>,
        #[sea_orm(column_name = "CorrelationId")]
        pub(super) correlation_id: String,
        #[sea_orm(column_name = "Outcome")]
        pub(super) outcome: String,
        #[sea_orm(column_name = "Attempts")]
        pub(super) attempts: i32,
        #[sea_orm(column_name = "ProcessedOnUtc", default_value = "now")]
        pub(super) processed_on_utc: DateTimeUtc,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

#[tokio::test]
async fn what_the_migrations_make_is_compared_with_spec_and_entity() {
    let asset = services::shipped().into_iter().find(|s| s.name() == "asset").unwrap();
    let wanted = "    indexes:\n";
    let more = "    indexes:\n      IX_Type: { columns: [EventType] }\n";
    let text = asset.spec_text().unwrap();
    assert!(text.contains(wanted));
    let spec = seadrift::spec::parse("asset.yaml", &text.replacen(wanted, more, 1)).unwrap();
    let service = Service::new::<AssetMigrator>("asset").table::<careless::Entity>();

    let scratch = tempfile::tempdir().unwrap();
    let url = DatabaseUrl::of_file(&scratch.path().join("scratch.db")).unwrap();
    let problems = migrations_with_both(&service, &spec, &Target::new("asset", url))
        .await
        .unwrap();
    let (of_spec, of_entity): (Vec<&String>, Vec<&String>) = problems
        .iter()
        .partition(|problem| problem.starts_with("after the migrations: "));
    assert_eq!(of_spec.len(), 1, "{problems:#?}");
    assert!(of_spec[0].contains("index-missing"), "{problems:#?}");
    let table = "ProcessedIntegrationEvents";
    assert_eq!(
        of_entity,
        [
            &format!("{table}.EventType takes NULL in the entity alone"),
            &format!("{table}.CorrelationId takes NULL in the migrations alone"),
            &format!("{table}.Outcome has a default in the migrations alone"),
            &format!("the migrations make no column {table}.Attempts"),
            &format!("{table}.ProcessedOnUtc has a default in the entity alone"),
            &format!("the migrations make {table}.SourceService, which the entity does not have"),
        ]
    );
}
