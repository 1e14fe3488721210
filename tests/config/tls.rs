//! Who may answer: servers with certificates of a test's own authority, made out to `ledger.example`. They are those of
//! `SEADRIFT_TEST_TLS_POSTGRES_URL` and `SEADRIFT_TEST_TLS_MARIADB_URL`, and `SEADRIFT_TEST_TLS_CA` is the authority's
//! certificate, see `tests/run`.

use super::harness::database::{Database, Kind, Session, block_on, server};
use super::{Place, SPEC};

const CANARY: &str = "S3cr3t-canary";

/// A ledger on a server, and a user of it with a password.
fn ledger(kind: Kind, variable: &str) -> Option<(Database, String)> {
    let database = Database::create_on(kind, Some(server(variable)?));
    let role = database.role();
    let (user, rights, table) = match kind {
        Kind::Postgres => (
            format!("CREATE ROLE {role} LOGIN PASSWORD '{CANARY}'"),
            "SELECT 1".to_owned(),
            "CREATE TABLE \"Events\" (\"Id\" text NOT NULL PRIMARY KEY)",
        ),
        _ => (
            format!("CREATE USER {role} IDENTIFIED BY '{CANARY}' REQUIRE SSL"),
            format!("GRANT ALL ON {}.* TO {role}", database.name),
            "CREATE TABLE Events (Id varchar(40) NOT NULL PRIMARY KEY)",
        ),
    };
    database.administer(&user).unwrap();
    database.administer(&rights).unwrap();
    let made = block_on(async {
        let mut session = Session::connect(kind, &database.administrator_url()).await?;
        session.run(table).await
    });
    made.unwrap();
    Some((database, role))
}

#[test]
fn a_certificate_is_verified_for_the_name_that_is_said() {
    for (kind, variable) in [
        (Kind::Postgres, "SEADRIFT_TEST_TLS_POSTGRES_URL"),
        (Kind::Mariadb, "SEADRIFT_TEST_TLS_MARIADB_URL"),
    ] {
        let Some((database, role)) = ledger(kind, variable) else {
            continue;
        };
        let url = url::Url::parse(&database.administrator_url()).unwrap();
        let ca = std::env::var("SEADRIFT_TEST_TLS_CA").unwrap();
        let engine = if kind == Kind::Postgres { "postgres" } else { "mariadb" };
        let run = |password: &str, tls: &str| {
            let place = Place::new(&format!(
                "version: 1\nspecs: spec.yaml\ntargets:\n  t: {{ service: ledger, engine: {engine}, host: 127.0.0.1, \
                 port: {}, database: {}, user: {role}, password: {{ command: [echo, {password}] }}, tls: {{ {tls} }} }}\n",
                url.port().unwrap(),
                database.name
            ));
            place.write(
                "spec.yaml",
                &SPEC.replace("type: text", "type: { any: text, mariadb: varchar(40) }"),
            );
            let mut command = place.command(&["diff", "t"]);
            super::Run::of(command.env("PATH", "/usr/bin:/bin"))
        };
        let named = format!("ca: {ca}, server_name: ledger.example");
        run(CANARY, &named).ends(0, &[]);
        run(CANARY, "mode: require").ends(0, &[]);
        run(CANARY, &format!("mode: verify-ca, ca: {ca}")).ends(0, &[]);
        run("S3cr3t-canary-expired", &named).ends(4, &[]);
        for (tls, words) in [
            (format!("ca: {ca}, server_name: other.example"), "another name"),
            (format!("mode: verify-full, ca: {ca}"), "another name"),
            ("server_name: ledger.example".to_owned(), "does not trust"),
        ] {
            run(CANARY, &tls).ends(4, &[words]);
        }
        if kind == Kind::Postgres {
            run(CANARY, "mode: disable").ends(4, &[]);
        }
    }
}
