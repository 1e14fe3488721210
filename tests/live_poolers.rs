//! A pooler between a check and its server: in transaction mode it is no obstacle, and finds nothing of a check in the
//! connections that it hands on; in statement mode the check says what to do. Migrations and trimming runs need a session
//! of their own, and say so.
//!
//! Needs `SEADRIFT_TEST_PGBOUNCER_URL` and `SEADRIFT_TEST_PGBOUNCER_STATEMENT_URL`, PgBouncers in these modes before the
//! server of `SEADRIFT_TEST_POSTGRES_URL` with one connection for each database, and `SEADRIFT_TEST_PGBOUNCER_SESSION_URL`
//! with a few, see `tests/run`.

#![allow(
    clippy::disallowed_methods,
    reason = "the environment says where the servers are and what to rewrite"
)]
#![allow(
    clippy::unwrap_used,
    reason = "a test that panics has failed, and its lint knows test functions only"
)]

#[allow(dead_code, reason = "every test program uses a part of what they share")]
mod harness;

use std::time::Duration;

use harness::database::{Database, Kind, block_on, server};
use harness::drifted::{self, without_times};
use harness::program::{self, Ran};
use serde_json::Value;
use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _};
use url::Url;

/// However the pooler is, an answer comes within this time.
const PATIENCE: Duration = Duration::from_secs(15);

/// A drifted database, and a pooler before its server.
fn pooled(variable: &str) -> Option<(Database, Url)> {
    let pooler = server(variable)?;
    Some((drifted::create(Kind::Postgres)?, pooler))
}

fn check(url: &str, flags: &[&str]) -> Ran {
    let flags: Vec<String> = flags.iter().map(|flag| (*flag).to_owned()).collect();
    program::check(url, &drifted::spec(), &flags).unwrap()
}

/// Asserts that nothing was judged and that this is said in time; returns the reason and the next step.
fn assert_not_judged(ran: &Ran, status: &str) -> (String, String) {
    let target = &ran.report["targets"][0];
    assert_eq!(
        (ran.code, target["status"].as_str()),
        (4, Some(status)),
        "{:#}",
        ran.report
    );
    assert_eq!(ran.report["findings"], Value::Array(Vec::new()));
    assert!(ran.took < PATIENCE, "it took {:?}", ran.took);
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    (text(&target["reason"]), text(&target["unverified"][0]["help"]))
}

/// What a client that comes next finds in the connection that the pooler hands on.
fn left_behind(url: &str) -> String {
    const QUERY: &str = "SELECT concat_ws(' ', pg_backend_pid(), (SELECT count(*) FROM pg_prepared_statements),
        (SELECT count(*) FROM pg_cursors), (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()),
        current_setting('transaction_read_only'), current_setting('transaction_isolation'),
        (SELECT string_agg(concat_ws('=', name, setting), ' ' ORDER BY name) FROM pg_settings
            WHERE source = 'session' AND name NOT IN ('application_name', 'client_encoding')))";
    block_on(async {
        // As the check does it: this parameter is none that the pooler knows.
        let options: PgConnectOptions = url.parse().unwrap();
        let options = options.extra_float_digits(None).statement_cache_capacity(0);
        let mut connection = options.connect().await.unwrap();
        let found: String = sqlx::query_scalar(QUERY)
            .persistent(false)
            .fetch_one(&mut connection)
            .await
            .unwrap();
        connection.close().await.unwrap();
        found
    })
}

/// What was left behind, where the pooler may have taken another connection.
fn without_process(left_behind: &str) -> &str {
    left_behind.split_once(' ').unwrap().1
}

#[test]
fn a_check_through_a_pool_of_transactions_says_what_a_direct_one_says() {
    let Some((database, pooler)) = pooled("SEADRIFT_TEST_PGBOUNCER_URL") else {
        return;
    };
    let direct = check(&database.url(), &[]);
    drifted::assert_read_whole(&direct.report);
    // The second one gets the connection that the first one has used.
    for _ in 0..2 {
        let through = check(&database.url_on(&pooler), &[]);
        assert_eq!(without_times(&through.report), without_times(&direct.report));
    }
}

#[test]
fn a_check_leaves_nothing_in_the_connection_that_is_handed_on() {
    let Some((database, pooler)) = pooled("SEADRIFT_TEST_PGBOUNCER_URL") else {
        return;
    };
    let url = database.url_on(&pooler);
    let before = left_behind(&url);
    assert_eq!(check(&url, &[]).code, 1);
    assert_eq!(left_behind(&url), before);
    // Nor where a check is given up in the middle.
    assert_eq!(check(&url, &["--statement-timeout", "1ms"]).code, 4);
    assert_eq!(without_process(&left_behind(&url)), without_process(&before));
}

#[test]
fn checks_that_share_one_connection_do_not_disturb_each_other() {
    let Some((database, pooler)) = pooled("SEADRIFT_TEST_PGBOUNCER_URL") else {
        return;
    };
    let url = database.url_on(&pooler);
    let alone = without_times(&check(&url, &[]).report);
    std::thread::scope(|scope| {
        let together: Vec<_> = (0..4).map(|_| scope.spawn(|| check(&url, &[]))).collect();
        for ran in together {
            assert_eq!(without_times(&ran.join().unwrap().report), alone);
        }
    });
}

#[test]
fn a_pool_of_statements_is_told_with_a_next_step() {
    let Some((database, pooler)) = pooled("SEADRIFT_TEST_PGBOUNCER_STATEMENT_URL") else {
        return;
    };
    let ran = check(&database.url_on(&pooler), &[]);
    let (reason, help) = assert_not_judged(&ran, "incomplete");
    assert!(reason.contains("statement mode"), "{reason}");
    assert!(help.contains("transaction or session mode"), "{help}");
    assert!(ran.took < Duration::from_secs(5), "it took {:?}", ran.took);
}

#[test]
fn what_a_pooler_refuses_is_told_with_a_next_step() {
    let Some((database, pooler)) = pooled("SEADRIFT_TEST_PGBOUNCER_URL") else {
        return;
    };
    let url = |name: &str| {
        let mut url = pooler.clone();
        url.set_path(name);
        url.to_string()
    };
    let with_options = format!("{}?options=-c%20work_mem%3D1MB", database.url_on(&pooler));
    let (reason, help) = assert_not_judged(&check(&with_options, &[]), "unreachable");
    assert!(reason.contains("options"), "{reason}");
    assert!(help.contains("without `options`"), "{help}");

    let (reason, help) = assert_not_judged(&check(&url("no_such_database"), &[]), "unreachable");
    assert!(reason.contains("no such database"), "{reason}");
    assert!(help.contains("database's name"), "{help}");

    let ran = check(&url("dead"), &["--connect-timeout", "1s"]);
    let (_, help) = assert_not_judged(&ran, "unreachable");
    assert!(help.contains("pooler in between reaches its server"), "{help}");
}

/// Runs a command that takes the database's URL, and returns its exit code and what it says.
fn run(args: &[&str], url: &str) -> (Option<i32>, String) {
    let output = program::seadrift().args(args).args(["--url", url]).output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(said).unwrap())
}

/// A database with the ledger of asset, and a pooler before its server.
fn migrated(variable: &str) -> Option<(Database, Url)> {
    let pooler = server(variable)?;
    let database = Kind::Postgres.is_here().then(|| Database::create(Kind::Postgres))?;
    program::migrate(&database.url(), "asset").unwrap();
    Some((database, pooler))
}

#[test]
fn what_needs_a_session_of_its_own_leaves_nothing_in_a_shared_one() {
    const ASSET: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/specs/asset.yaml");
    for variable in ["SEADRIFT_TEST_PGBOUNCER_URL", "SEADRIFT_TEST_PGBOUNCER_STATEMENT_URL"] {
        let Some((database, pooler)) = migrated(variable) else {
            return;
        };
        let url = database.url_on(&pooler);
        let before = left_behind(&url);
        for args in [
            &["migrate", "status", "--service", "asset"][..],
            &["migrate", "up", "--service", "asset"],
            &["migrate", "down", "--service", "asset", "--yes"],
            &["retention", "trim", "--dry-run", "--spec", ASSET],
        ] {
            let (code, said) = run(args, &url);
            let in_statement_mode = said.contains("statement mode");
            assert_eq!(code, Some(if in_statement_mode { 4 } else { 2 }), "{args:?}: {said}");
            assert!(
                in_statement_mode || said.contains("shares its sessions"),
                "{args:?}: {said}"
            );
            // In statement mode, PgBouncer gives up the connection in which it refuses a transaction.
            assert_eq!(
                without_process(&left_behind(&url)),
                without_process(&before),
                "{args:?}"
            );
        }
    }
}

#[test]
fn migrations_run_through_a_pool_of_sessions() {
    let Some((database, pooler)) = migrated("SEADRIFT_TEST_PGBOUNCER_SESSION_URL") else {
        return;
    };
    let url = database.url_on(&pooler);
    for (args, said) in [
        (&["migrate", "status", "--service", "asset"][..], "  applied  "),
        (&["migrate", "up", "--service", "asset"], "asset: nothing to do"),
        (
            &["migrate", "down", "--service", "asset", "--yes"],
            "asset: 1 migration rolled back",
        ),
        (&["migrate", "up", "--service", "asset"], "asset: 1 migration applied"),
    ] {
        let (code, printed) = run(args, &url);
        assert_eq!(code, Some(0), "{args:?}: {printed}");
        assert!(printed.contains(said), "{args:?}: {printed}");
    }
}
