//! The script of `--grants` makes a role that is told what an administrator is told.

use serde_json::Value;

use crate::harness::database::{Database, Kind, server};
use crate::harness::{drifted, program};
use crate::{PASSWORD, Seen, doctor, run, said, with};

/// Prints the script, and runs it as an administrator.
fn apply_script(database: &Database, url: &str, in_database: bool) {
    let output = doctor(url, &["--grants", "--role", &database.role()]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let script = String::from_utf8(output.stdout).unwrap();
    match in_database {
        true => run(database, &script),
        false => database.administer(&script).unwrap(),
    }
}

/// Asserts that a role is told of the drifted ledger what the administrator is told, and has no right too many.
fn assert_told_the_same(administrator: &str, role: &str, flags: &[String]) {
    let look = |url: &str| program::check(url, &drifted::spec(), flags).unwrap().report;
    let (all, few) = (look(administrator), look(role));
    drifted::assert_read_whole(&few);
    // In the same words, but for the tables under a view, which only those see who may read them.
    let told = |report: &Value| {
        let findings = report["findings"].as_array().unwrap().clone();
        findings
            .iter()
            .map(|f| format!("{} {} {}", f["severity"], f["rule"], f["object"]))
            .collect::<Vec<_>>()
    };
    assert_eq!(told(&few), told(&all));
    assert_eq!(few["targets"][0]["unverified"], all["targets"][0]["unverified"]);
    assert!(
        !few["targets"][0]["notes"].to_string().contains("does not need"),
        "{:#}",
        few["targets"][0]["notes"]
    );
}

#[test]
fn the_script_for_postgres_makes_a_role_that_is_told_all() {
    let Some(database) = drifted::create(Kind::Postgres) else {
        return;
    };
    apply_script(&database, &database.url(), true);
    let role = database.url_as(&database.role(), "");
    assert_told_the_same(&database.url(), &role, &[]);
    // Nothing it was given would let it write, not even if it asked for it.
    let has = "SELECT has_table_privilege('{role}', '\"ProcessedIntegrationEvents\"', 'INSERT, UPDATE, DELETE')::text";
    assert_eq!(database.read(&database.fill_in(has)), "false");
    run(&database, &database.fill_in("DROP OWNED BY {role}"));
}

#[test]
fn the_script_for_mariadb_makes_an_account_that_is_told_all() {
    let Some(database) = drifted::create(Kind::Mariadb) else {
        return;
    };
    apply_script(&database, &database.administrator_url(), true);
    let role = database.url_as(&database.role(), PASSWORD);
    Seen::of(&role, &[]).ends_at("login", "", "");
    let unlock = format!(
        "ALTER USER {}@`%` IDENTIFIED BY '{PASSWORD}' ACCOUNT UNLOCK",
        database.role()
    );
    database.administer(&unlock).unwrap();
    // The administrator of the server sees namesakes in other tests' databases.
    database
        .administer(&format!("GRANT EVENT ON *.* TO {}", database.name))
        .unwrap();
    assert_told_the_same(&database.url(), &role, &[]);
}

#[test]
fn the_script_for_pg_cron_shows_the_jobs_of_others() {
    let Some(home) = server("SEADRIFT_TEST_PG_CRON_URL") else {
        return;
    };
    let database = Database::create_on(Kind::Postgres, Some(home.clone()));
    drifted::fill(&database);
    run(&database, "DROP TABLE ledger_retention");
    let job = "SELECT pg_advisory_lock(7); CREATE EXTENSION IF NOT EXISTS pg_cron;
        SELECT cron.schedule_in_database('{database}', '17 3 * * *', $$DELETE FROM \"ProcessedIntegrationEvents\"
            WHERE \"ProcessedOnUtc\" < now() - interval '1 day'$$, '{database}')";
    database.administer(&database.fill_in(job)).unwrap();
    apply_script(&database, home.as_str(), false);
    let scheduler = with(&home, |url| url.set_username(&database.role()).unwrap());
    let role = database.url_as(&database.role(), "");
    let look = |url: &str, scheduler: &str| {
        let flags = ["--scheduler-url".to_owned(), scheduler.to_owned()];
        program::check(url, &drifted::spec(), &flags).unwrap().report
    };
    let (all, few) = (look(&database.url(), home.as_str()), look(&role, &scheduler));
    database
        .administer(&database.fill_in("SELECT cron.unschedule('{database}')"))
        .unwrap();
    database.administer(&database.fill_in("DROP OWNED BY {role}")).unwrap();
    let jobs = |report: &Value| report["findings"].to_string().contains("retention-too-short");
    assert!(jobs(&all), "{all:#}");
    assert_eq!(few["findings"], all["findings"]);
}

#[test]
fn the_script_for_a_file_lets_its_group_read_it() {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let database = Database::create(Kind::Sqlite);
        run(&database, "CREATE TABLE t (id INTEGER PRIMARY KEY)");
        let mode = || std::fs::metadata(database.file()).unwrap().permissions().mode() & 0o777;
        std::fs::set_permissions(database.file(), std::fs::Permissions::from_mode(0o600)).unwrap();
        let output = doctor(&database.url(), &["--grants"]);
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        let script = String::from_utf8(output.stdout).unwrap();
        let ran = std::process::Command::new("sh")
            .args(["-euc", &script])
            .status()
            .unwrap();
        assert!(ran.success(), "{script}");
        assert_eq!(mode(), 0o640);
    }
}
