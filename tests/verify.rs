//! Specs, entities and migrations of the shipped services agree on every database.

#![allow(clippy::disallowed_methods, reason = "the environment says where the servers are")]
#![allow(clippy::unwrap_used, reason = "a test that cannot prepare its server has failed")]
#![allow(clippy::print_stderr, reason = "a skipped test says so")]

use std::process::{Command, Output};

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
