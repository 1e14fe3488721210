//! What servers, databases and roles set by default changes no answer: names, texts, times and results are read as if
//! nothing was set.
//!
//! Needs the server of `SEADRIFT_TEST_POSTGRES_URL`, and `SEADRIFT_TEST_MARIADB_FOLDED_URL`, a MariaDB of its own that
//! folds the names of tables (`lower_case_table_names=1`): its global settings are changed. See `tests/run`.

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

use std::sync::{Mutex, PoisonError};

use harness::case::{End, Message};
use harness::database::{Database, Holder, Kind, server};
use harness::{drifted, program};
use serde_json::Value;

/// Settings of PostgreSQL that change what SQL means, how values and catalogs are printed, or how queries are run.
const ON_POSTGRES: &[(&str, &str)] = &[
    ("quote_all_identifiers", "on"),
    ("DateStyle", "'German, DMY'"),
    ("DateStyle", "'SQL, YMD'"),
    ("IntervalStyle", "'sql_standard'"),
    ("IntervalStyle", "'iso_8601'"),
    ("TimeZone", "'Asia/Kathmandu'"),
    ("extra_float_digits", "-15"),
    ("bytea_output", "'escape'"),
    ("xmlbinary", "'hex'"),
    ("standard_conforming_strings", "off"),
    ("backslash_quote", "off"),
    ("array_nulls", "off"),
    ("transform_null_equals", "on"),
    ("search_path", "''"),
    ("search_path", "pg_temp, public, pg_catalog"),
    ("client_encoding", "'LATIN1'"),
    ("client_min_messages", "'debug5'"),
    ("lc_messages", "'C'"),
    ("lc_numeric", "'C'"),
    ("row_security", "off"),
    ("session_replication_role", "'replica'"),
    ("default_transaction_isolation", "'serializable'"),
    ("default_transaction_read_only", "on"),
    ("default_transaction_deferrable", "on"),
    ("jit", "on"),
    ("jit_above_cost", "0"),
    ("work_mem", "'64kB'"),
    ("join_collapse_limit", "1"),
    ("enable_nestloop", "off"),
    ("plan_cache_mode", "'force_generic_plan'"),
    ("statement_timeout", "'9s'"),
    ("lock_timeout", "'9s'"),
    ("idle_in_transaction_session_timeout", "'9s'"),
    ("idle_in_transaction_session_timeout", "'1ms'"),
];

/// The same for settings that not every server knows.
const ON_NEWER_POSTGRES: &[(&str, &str)] = &[("transaction_timeout", "'30ms'")];

#[test]
fn defaults_of_a_postgres_database_change_no_answer() {
    let Some(database) = drifted::create(Kind::Postgres) else {
        return;
    };
    let url = database.create_role();
    let plain = look(&url);
    assert!(plain["findings"].as_array().unwrap().len() > 10, "{plain:#}");
    let knows = |name: &str| {
        let known = format!("SELECT (current_setting('{name}', true) IS NOT NULL)::text");
        database.read(&known) == "true"
    };
    let newer = ON_NEWER_POSTGRES.iter().filter(|(name, _)| knows(name));
    for (name, value) in ON_POSTGRES.iter().chain(newer) {
        let set = format!("ALTER DATABASE {} SET {name} = {value}", database.name);
        database.administer(&set).unwrap();
        assert_eq!(look(&url), plain, "{set}");
        database
            .administer(&format!("ALTER DATABASE {} RESET ALL", database.name))
            .unwrap();
    }
}

#[test]
fn defaults_of_a_postgres_role_change_no_answer() {
    let Some(database) = drifted::create(Kind::Postgres) else {
        return;
    };
    let url = database.create_role();
    let plain = look(&url);
    assert!(plain["findings"].as_array().unwrap().len() > 10, "{plain:#}");
    for place in ["", " IN DATABASE {database}"] {
        for (name, value) in ON_POSTGRES {
            let set = format!("ALTER ROLE {{role}}{place} SET {name} = {value}");
            database.administer(&database.fill_in(&set)).unwrap();
        }
        assert_eq!(look(&url), plain, "of the role{place}");
        let reset = format!("ALTER ROLE {{role}}{place} RESET ALL");
        database.administer(&database.fill_in(&reset)).unwrap();
    }
}

/// Global settings of MariaDB; new sessions begin with them.
const ON_MARIADB: &[(&str, &str)] = &[
    ("sql_mode", "''"),
    ("sql_mode", "'ANSI_QUOTES'"),
    ("sql_mode", "'NO_BACKSLASH_ESCAPES'"),
    ("sql_mode", "'ORACLE'"),
    (
        "sql_mode",
        "'PIPES_AS_CONCAT,HIGH_NOT_PRECEDENCE,IGNORE_SPACE,PAD_CHAR_TO_FULL_LENGTH'",
    ),
    (
        "sql_mode",
        "'EMPTY_STRING_IS_NULL,REAL_AS_FLOAT,ONLY_FULL_GROUP_BY,NO_ZERO_DATE'",
    ),
    ("character_set_server", "'latin1'"),
    ("character_set_client", "'latin1'"),
    ("character_set_connection", "'utf32'"),
    ("character_set_results", "'latin1'"),
    ("collation_server", "'utf8mb4_bin'"),
    ("collation_connection", "'latin1_german2_ci'"),
    ("time_zone", "'+13:00'"),
    ("lc_time_names", "'de_DE'"),
    ("lc_messages", "'de_DE'"),
    ("sql_safe_updates", "1"),
    ("big_tables", "1"),
    ("sql_select_limit", "1"),
    ("sql_big_selects", "0"),
    ("max_join_size", "1"),
    ("max_sort_length", "8"),
    ("max_error_count", "0"),
    ("group_concat_max_len", "4"),
    ("sql_auto_is_null", "1"),
    ("sql_quote_show_create", "0"),
    ("autocommit", "0"),
    ("completion_type", "'CHAIN'"),
    ("tx_isolation", "'READ-UNCOMMITTED'"),
    ("tx_read_only", "1"),
    ("div_precision_increment", "0"),
    ("default_week_format", "3"),
    ("tmp_table_size", "1024"),
    ("join_cache_level", "0"),
    ("optimizer_search_depth", "1"),
    ("max_statement_time", "9"),
    ("lock_wait_timeout", "9"),
    (
        "init_connect",
        r#"'SET sql_mode = "ANSI_QUOTES,ORACLE", autocommit = 0'"#,
    ),
];

/// Tests that change what is global do so one after the other.
static ALONE: Mutex<()> = Mutex::new(());

/// A drifted database on the server whose settings may be changed.
fn folded() -> Option<Database> {
    let server = server("SEADRIFT_TEST_MARIADB_FOLDED_URL")?;
    let database = Database::create_on(Kind::Mariadb, Some(server));
    drifted::fill(&database);
    Some(database)
}

#[test]
fn global_settings_of_mariadb_change_no_answer() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(database) = folded() else { return };
    let plain = look(&database.url());
    assert!(plain["findings"].as_array().unwrap().len() > 10, "{plain:#}");
    for (name, value) in ON_MARIADB {
        let set = format!("SET GLOBAL {name} = {value}");
        database.administer(&set).unwrap();
        let seen = look(&database.url());
        database
            .administer(&format!("SET GLOBAL {name} = {}", default_of(name)))
            .unwrap();
        assert_eq!(seen, plain, "{set}");
    }
}

/// What a setting is set back to.
fn default_of(name: &str) -> &str {
    match name {
        // The default of these is not the one that the server was started with.
        "character_set_server" => "utf8mb4",
        "collation_server" => "utf8mb4_general_ci",
        _ => "DEFAULT",
    }
}

#[test]
fn a_table_that_is_being_made_is_not_missing_where_warnings_are_not_kept() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(server) = server("SEADRIFT_TEST_MARIADB_FOLDED_URL") else {
        return;
    };
    let database = Database::create_on(Kind::Mariadb, Some(server));
    database
        .run(&[Message {
            sql: "CREATE TABLE `Other` (`Id` int)".to_owned(),
            end: End::Succeeds,
        }])
        .unwrap();
    let make = "CREATE TABLE `OutboxMessages` (`Id` char(36) PRIMARY KEY) SELECT 'a' AS `Id`, sleep(20) AS `Nap`";
    let maker = Holder::start(&database, make.to_owned());
    while database.read("SELECT CAST(count(*) AS char) FROM information_schema.processlist WHERE state = 'User sleep'")
        == "0"
    {
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    database.administer("SET GLOBAL max_error_count = 0").unwrap();
    let ran = program::check(
        &database.url(),
        &drifted::spec(),
        &["--lock-timeout".to_owned(), "1s".to_owned()],
    );
    database.administer("SET GLOBAL max_error_count = DEFAULT").unwrap();
    let maker_s = "SELECT CAST(id AS char) FROM information_schema.processlist WHERE state = 'User sleep'";
    database
        .administer(&format!("KILL {}", database.read(maker_s)))
        .unwrap();
    drop(maker);
    let report = ran.unwrap().report;
    assert_eq!(report["run"]["exit_code"], 4, "{report:#}");
    let reason = report["targets"][0]["reason"].as_str().unwrap();
    assert!(reason.contains("lock"), "{reason}");
}

#[test]
fn names_that_the_server_folds_are_the_names_of_the_spec() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let (Some(folded), Some(exact)) = (folded(), drifted::create(Kind::Mariadb)) else {
        return;
    };
    let told = |database: &Database| -> Value {
        // Whether events run at all is a fact of the server, and one of the findings.
        database.administer("SET GLOBAL event_scheduler = ON").unwrap();
        let mut report = look(&database.url());
        for finding in report["findings"].as_array_mut().unwrap() {
            finding["fingerprint"].take();
        }
        let text = report.to_string().replace(&database.name, "{database}");
        serde_json::from_str(&text.to_lowercase()).unwrap()
    };
    let (folded, exact) = (told(&folded), told(&exact));
    assert!(exact["findings"].as_array().unwrap().len() > 10, "{exact:#}");
    assert_eq!(folded, exact);
}

/// What is said of a database, without what may differ: times, and remarks about the settings themselves.
fn look(url: &str) -> Value {
    let ran = program::check(url, &drifted::spec(), &[]).unwrap();
    let mut report = drifted::without_times(&ran.report);
    report["targets"][0]["notes"] = Value::Null;
    report
}
