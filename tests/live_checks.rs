//! What holds for every check of a live database, whatever is found: bounded time, honest exit codes, no trace left
//! behind, the same answer twice and to every role.
//!
//! Needs the servers of `SEADRIFT_TEST_POSTGRES_URL` and `SEADRIFT_TEST_MARIADB_URL`, see `tests/run`.

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

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::time::Duration;

use harness::case::{self, End, Message};
use harness::database::{Database, Holder, Kind};
use harness::drifted::{self, without_times};
use harness::program::{self, Ran};
use serde_json::Value;

/// However a server is, the answer that it does not answer comes within this time.
const PATIENCE: Duration = Duration::from_secs(15);

const SERVERS: [Kind; 2] = [Kind::Postgres, Kind::Mariadb];

fn spec() -> PathBuf {
    case::root().join("specs/asset.yaml")
}

fn sql(text: &str) -> Message {
    Message {
        sql: text.to_owned(),
        end: End::Succeeds,
    }
}

/// A database with the asset ledger in it, or nothing where there is no server.
fn ledger(kind: Kind) -> Option<Database> {
    if !kind.is_here() {
        return None;
    }
    let database = Database::create(kind);
    let base = case::root().join(kind.folder()).join("asset.sql");
    database.run(&[sql(&std::fs::read_to_string(base).unwrap())]).unwrap();
    Some(database)
}

fn check(url: &str, flags: &[&str]) -> Ran {
    let flags: Vec<String> = flags.iter().map(|flag| (*flag).to_owned()).collect();
    program::check(url, &spec(), &flags).unwrap()
}

/// Asserts that nothing was judged, that this is said at once, and returns the reason.
fn assert_not_judged(ran: &Ran, status: &str) -> String {
    let target = &ran.report["targets"][0];
    assert_eq!(ran.code, 4, "{}", ran.report);
    assert_eq!(target["status"], status, "{}", ran.report);
    assert_eq!(ran.report["findings"], Value::Array(Vec::new()));
    assert_eq!(target["unverified"].as_array().unwrap().len(), 1);
    assert!(ran.took < PATIENCE, "it took {:?}", ran.took);
    target["reason"].as_str().unwrap().to_owned()
}

#[test]
fn a_server_that_accepts_and_says_nothing_is_given_up() {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = silent.local_addr().unwrap().port();
    std::thread::scope(|scope| {
        for scheme in ["postgres", "mysql"] {
            scope.spawn(move || {
                let ran = check(&format!("{scheme}://app@127.0.0.1:{port}/ledger"), &[]);
                assert_not_judged(&ran, "unreachable");
            });
        }
    });
}

#[test]
fn a_server_that_is_down_is_unreachable_at_once() {
    /// Far below the time for which a connection is waited for.
    const AT_ONCE: Duration = Duration::from_secs(5);
    for scheme in ["postgres", "mysql"] {
        // Nothing listens there any more when the listener is gone.
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let ran = check(&format!("{scheme}://app@127.0.0.1:{port}/ledger"), &[]);
        assert_not_judged(&ran, "unreachable");
        assert!(ran.took < AT_ONCE, "{scheme}: it took {:?}", ran.took);
        let help = ran.report["targets"][0]["unverified"][0]["help"].as_str().unwrap();
        assert!(help.contains("host and port"), "{scheme}: {help}");
    }
}

#[test]
fn a_database_that_does_not_exist_is_unreachable_and_never_empty() {
    for kind in SERVERS {
        let Some(database) = ledger(kind) else { continue };
        // Who may see every database is told that there is none; others may be told that they may not see it.
        for url in [database.administrator_url(), database.url()] {
            let mut url: url::Url = url.parse().unwrap();
            url.set_path("no_such_database");
            let ran = check(url.as_str(), &[]);
            let reason = assert_not_judged(&ran, "unreachable");
            assert!(reason.contains("database"), "{reason}");
            let help = ran.report["targets"][0]["unverified"][0]["help"].as_str().unwrap();
            assert!(help.contains("database") && help.contains("URL"), "{help}");
        }
    }
}

#[test]
fn two_checks_of_one_database_differ_in_their_times_alone() {
    for kind in Kind::ALL {
        let Some(database) = drifted::create(kind) else {
            continue;
        };
        let print = |format: &str| {
            let output = program::print(&database.url(), &drifted::spec(), format, &[]).unwrap();
            String::from_utf8(output.stdout).unwrap()
        };
        let json = || {
            let printed = print("json");
            let report: Value = serde_json::from_str(&printed).unwrap();
            drifted::assert_read_whole(&report);
            // The text itself, so that the order of keys and blanks count, too.
            ["started_at", "finished_at"].iter().fold(printed, |text, name| {
                let time = report["run"][name].as_str().unwrap();
                assert_eq!(text.matches(&format!("\"{name}\": \"{time}\"")).count(), 1, "{text}");
                text.replace(&format!("\"{name}\": \"{time}\""), name)
            })
        };
        assert_eq!(json(), json(), "{kind:?}");
        assert_eq!(print("text"), print("text"), "{kind:?}");
    }
}

#[test]
fn the_readme_shows_what_a_check_prints() {
    let Some(database) = ledger(Kind::Postgres) else { return };
    let drift = r#"DROP INDEX "UX_ProcessedEvents_EventId";
        CREATE UNIQUE INDEX "UX_ProcessedEvents_EventId" ON "ProcessedIntegrationEvents" ("EventId", "TenantId");"#;
    database.run(&[sql(drift)]).unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = program::seadrift()
        .current_dir(root)
        .args(["check", "--spec", "specs/asset.yaml", "--url", &database.url()])
        .output()
        .unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let shown = readme.split("```text\n").nth(1).unwrap().split("```").next().unwrap();
    // The last line has the server's version.
    let (shown, _) = shown.rsplit_once("   = target:").unwrap();
    assert!(printed.starts_with(shown), "{printed}");
}

#[test]
fn a_wrong_password_says_who_was_refused_and_not_by_which_password() {
    for kind in SERVERS {
        let Some(database) = ledger(kind) else { continue };
        database.create_role();
        // The test server of PostgreSQL may trust everybody; a role that does not exist is refused by any.
        let role = if kind == Kind::Postgres {
            "nobody_of_this_name".to_owned()
        } else {
            database.role()
        };
        let ran = check(&database.url_as(&role, "pw-canary"), &[]);
        let reason = assert_not_judged(&ran, "unreachable");
        assert!(reason.contains(&role), "{reason}");
        assert!(!ran.report.to_string().contains("pw-canary"));
    }
}

#[test]
fn a_schema_that_does_not_exist_is_incomplete_and_never_missing_tables() {
    for kind in SERVERS {
        let Some(database) = ledger(kind) else { continue };
        let reason = assert_not_judged(&check(&database.url(), &["--schema", "no_such_schema"]), "incomplete");
        assert!(reason.contains("no_such_schema"), "{reason}");
    }
}

#[test]
fn a_file_that_is_no_database_is_not_touched() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("notes.db");
    std::fs::write(&path, "These are words, and no database.").unwrap();
    assert_not_judged(&check(&format!("sqlite://{}", path.display()), &[]), "incomplete");
    assert_eq!(
        std::fs::read_to_string(&path).unwrap(),
        "These are words, and no database."
    );
    assert_eq!(files_in(directory.path()), ["notes.db"]);
}

fn files_in(directory: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(directory).unwrap();
    let mut names: Vec<String> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_role_that_may_only_log_in_sees_what_a_superuser_sees() {
    let Some(database) = ledger(Kind::Postgres) else { return };
    database
        .run(&[sql(
            "
            REVOKE ALL ON SCHEMA public FROM PUBLIC;
            DROP INDEX \"UX_ProcessedEvents_EventId\";
            ALTER TABLE \"ProcessedIntegrationEvents\" ALTER \"Outcome\" DROP DEFAULT, ADD CHECK (\"TenantId\" > 0);
            CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
            CREATE TRIGGER t BEFORE INSERT ON \"ProcessedIntegrationEvents\" FOR EACH ROW EXECUTE FUNCTION f();",
        )])
        .unwrap();
    let role_url = database.create_role();
    let (all, little) = (check(&database.url(), &[]), check(&role_url, &[]));
    assert_eq!(all.code, 1);
    assert_eq!(all.report["findings"].as_array().unwrap().len(), 4);
    // But for the note that a superuser is more than a check needs.
    let without_notes = |report: &Value| {
        let mut report = without_times(report);
        report["targets"][0]["notes"] = Value::Null;
        report
    };
    assert_eq!(without_notes(&all.report), without_notes(&little.report));
}

/// What a session could leave behind in a PostgreSQL database: relations and their files, rows with their locks, what
/// the catalogs say, numbers taken from sequences, reads and writes of tables, statistics, settings, locks, prepared
/// transactions and replication slots. Nothing that other databases or the server's own workers change.
const POSTGRES_STATE: &str = r#"SELECT concat_ws(E'\n',
    (SELECT string_agg(concat_ws(' ', relname, relkind, relnamespace, relfilenode, relhasindex, xmin), ',' ORDER BY oid)
        FROM pg_class WHERE oid >= 16384),
    (SELECT string_agg(concat_ws(' ', ctid, xmin, xmax, "Id"), ',') FROM "ProcessedIntegrationEvents"),
    (SELECT concat_ws(' ', last_value, is_called) FROM numbers),
    (SELECT concat_ws(' ', count(*), max(xmin::text::bigint)) FROM pg_attribute),
    (SELECT concat_ws(' ', count(*), max(xmin::text::bigint)) FROM pg_proc),
    (SELECT concat_ws(' ', count(*), max(xmin::text::bigint)) FROM pg_type),
    (SELECT concat_ws(' ', count(*), max(xmin::text::bigint)) FROM pg_depend),
    (SELECT concat_ws(' ', count(*), max(xmin::text::bigint)) FROM pg_index),
    (SELECT concat_ws(' ', count(*), max(xmin::text::bigint)) FROM pg_namespace),
    (SELECT concat_ws(' ', count(*), max(xmin::text::bigint)) FROM pg_db_role_setting
        WHERE setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())),
    (SELECT concat_ws(' ', count(*), max(xmin::text::bigint)) FROM pg_statistic WHERE starelid >= 16384),
    (SELECT string_agg(concat_ws(' ', relname, n_tup_ins, n_tup_upd, n_tup_del, n_live_tup, last_analyze), ',' ORDER BY relid)
        FROM pg_stat_user_tables),
    (SELECT count(*) FROM pg_prepared_xacts WHERE database = current_database()),
    (SELECT count(*) FROM pg_replication_slots WHERE database = current_database()),
    (SELECT count(*) FROM pg_locks WHERE pid <> pg_backend_pid()
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())))"#;

#[test]
fn a_check_leaves_no_trace_in_postgres() {
    let Some(database) = drifted::create(Kind::Postgres) else {
        return;
    };
    database
        .run(&[sql("
            CREATE SEQUENCE numbers;
            ALTER TABLE \"ProcessedIntegrationEvents\" ALTER \"TenantId\" SET DEFAULT nextval('numbers'),
                DISABLE TRIGGER \"TR_swallow\", SET (autovacuum_enabled = off);
            INSERT INTO tenants VALUES (1);
            INSERT INTO \"ProcessedIntegrationEvents\" (\"Id\", \"EventId\", \"EventType\", \"SourceService\", \"Outcome\")
              VALUES (md5('a')::uuid, md5('b')::uuid, 'a', 'b', 'c');
            ALTER TABLE ledger_retention SET (autovacuum_enabled = off);
            ALTER TABLE tenants SET (autovacuum_enabled = off)")])
        .unwrap();
    let state = || {
        database.wait_until_alone().unwrap();
        database.read(POSTGRES_STATE)
    };
    let before = state();
    let ran = program::check(&database.url(), &drifted::spec(), &[]).unwrap();
    assert_eq!(ran.code, 1, "{}", ran.report);
    assert_eq!(state(), before);

    // The state tells what it is asked for: each of these would be seen.
    for trace in [
        "CREATE TABLE trace (x integer)",
        "INSERT INTO tenants VALUES (2)",
        "SELECT \"Id\" FROM \"ProcessedIntegrationEvents\" FOR UPDATE",
        "SELECT nextval('numbers')",
        "COMMENT ON TABLE tenants IS 'trace'; ALTER TABLE tenants ALTER id SET STATISTICS 7",
        "ANALYZE \"ProcessedIntegrationEvents\"",
        "ALTER DATABASE {database} SET work_mem = '1MB'",
    ] {
        let before = state();
        database.run(&[sql(trace)]).unwrap();
        assert_ne!(state(), before, "{trace}");
    }
    let before = state();
    let holder = Holder::start(&database, "SELECT pg_advisory_lock(1)".to_owned());
    holder.wait_until_done().unwrap();
    assert!(
        database.wait_until_alone().is_err(),
        "a session that is left behind is seen"
    );
    assert_ne!(database.read(POSTGRES_STATE), before, "an advisory lock is seen");
}

#[test]
fn a_check_leaves_no_trace_in_mariadb() {
    let Some(database) = ledger(Kind::Mariadb) else { return };
    database
        .run(&[sql("
            CREATE SEQUENCE numbers;
            ALTER TABLE `ProcessedIntegrationEvents` MODIFY `TenantId` int DEFAULT (NEXT VALUE FOR numbers);
            INSERT INTO `ProcessedIntegrationEvents` (`Id`, `EventId`, `EventType`, `SourceService`, `ProcessedOnUtc`)
              VALUES ('a', 'b', 'c', 'd', now(6))")])
        .unwrap();
    let state = || {
        database.read(
            "SELECT CAST(concat_ws(' ', (SELECT count(*) FROM `ProcessedIntegrationEvents`),
                (SELECT next_not_cached_value FROM numbers), (SELECT count(*) FROM information_schema.tables
                WHERE table_schema = database()), @@global.sql_mode, @@global.time_zone) AS char)",
        )
    };
    let before = state();
    check(&database.url(), &[]);
    assert_eq!(state(), before);
}

#[test]
fn a_check_leaves_no_trace_in_a_file() {
    let database = ledger(Kind::Sqlite).unwrap();
    let before = std::fs::read(database.file()).unwrap();
    let changed = std::fs::metadata(database.file()).unwrap().modified().unwrap();
    check(&database.url(), &[]);
    assert_eq!(std::fs::read(database.file()).unwrap(), before);
    assert_eq!(std::fs::metadata(database.file()).unwrap().modified().unwrap(), changed);
    assert_eq!(files_in(database.file().parent().unwrap()), ["ledger.db"]);
}

#[test]
fn a_database_that_takes_no_writes_is_checked() {
    let Some(database) = ledger(Kind::Postgres) else { return };
    database
        .administer(&format!(
            "ALTER DATABASE {} SET default_transaction_read_only = on",
            database.name
        ))
        .unwrap();
    let ran = check(&database.url(), &[]);
    assert_eq!(ran.code, 0, "{}", ran.report);
    assert_eq!(ran.report["targets"][0]["settings"]["transaction_read_only"], "on");
}

#[test]
fn a_session_that_is_killed_in_the_middle_is_incomplete() {
    let Some(database) = ledger(Kind::Postgres) else { return };
    let holder = Holder::start(
        &database,
        "BEGIN; LOCK TABLE \"ProcessedIntegrationEvents\" IN ACCESS EXCLUSIVE MODE".to_owned(),
    );
    holder.wait_until_done().unwrap();
    let ran = std::thread::scope(|scope| {
        let checking = scope.spawn(|| check(&database.url(), &[]));
        database.wait_for_a_waiting_session().unwrap();
        database
            .run(&[sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE datname = current_database() AND wait_event_type = 'Lock'")])
            .unwrap();
        checking.join().unwrap()
    });
    assert_eq!(ran.code, 4, "{}", ran.report);
    assert_eq!(ran.report["findings"], Value::Array(Vec::new()));
    assert_ne!(ran.report["targets"][0]["status"], "checked");
    assert!(ran.took < PATIENCE, "it took {:?}", ran.took);
}

#[test]
fn a_lock_that_is_never_released_is_given_up() {
    let Some(database) = ledger(Kind::Postgres) else { return };
    let holder = Holder::start(
        &database,
        "BEGIN; LOCK TABLE \"ProcessedIntegrationEvents\" IN ACCESS EXCLUSIVE MODE".to_owned(),
    );
    holder.wait_until_done().unwrap();
    let reason = assert_not_judged(&check(&database.url(), &[]), "incomplete");
    assert!(reason.contains("lock"), "{reason}");
}
