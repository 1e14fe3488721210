//! The corpus of cases: real databases, each with what a perfect checker says of it.
//!
//! `tests/cases/README.md` tells how a case is written. PostgreSQL and MariaDB cases need `SEADRIFT_TEST_POSTGRES_URL`
//! and `SEADRIFT_TEST_MARIADB_URL`, the URLs of private servers' administrators; `tests/run` starts such servers.
//! `SEADRIFT_CASES=unique-weaker` runs the cases whose path has these words in it, `UPDATE_EXPECT=1` writes what came
//! into `expect.txt`: read each line of it before you believe it.

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

use std::fmt::Write as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use harness::case::{self, Case, End};
use harness::database::{Database, Holder, Kind};
use harness::{judge, program};
use seadrift::rules::RULES;

/// How many cases of one kind of database run at the same time.
const WORKERS: usize = 4;

/// However a database is, an answer comes within this time.
const PATIENCE: Duration = Duration::from_secs(20);

#[test]
fn postgres_cases() {
    run_all(Kind::Postgres);
}

#[test]
fn mariadb_cases() {
    run_all(Kind::Mariadb);
}

#[test]
fn sqlite_cases() {
    run_all(Kind::Sqlite);
}

fn run_all(kind: Kind) {
    let mut cases = case::load_all(kind).unwrap_or_else(|problems| panic!("{problems}"));
    if let Ok(words) = std::env::var("SEADRIFT_CASES") {
        cases.retain(|case| case.path.contains(&words));
    }
    if !kind.is_here() {
        return;
    }
    let (alone, together): (Vec<Case>, Vec<Case>) = cases.into_iter().partition(|case| case.ways.setting.is_some());
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| {
                while let Some(case) = together.get(next.fetch_add(1, Ordering::Relaxed)) {
                    judge_case(case, &failures);
                }
            });
        }
    });
    for case in &alone {
        judge_case(case, &failures);
    }
    let mut failures = failures.into_inner().unwrap();
    failures.sort();
    let count = alone.len() + together.len();
    assert!(
        failures.is_empty(),
        "{} of {count} cases went wrong:\n\n{}",
        failures.len(),
        failures.join("\n")
    );
}

fn judge_case(case: &Case, failures: &Mutex<Vec<String>>) {
    if let Err(problem) = run(case) {
        let mut text = format!("==== {} ====\n{problem}\nsetup:\n", case.path);
        for line in case.setup.iter().flat_map(|message| message.sql.lines()) {
            let _ = writeln!(text, "  {line}");
        }
        failures.lock().unwrap().push(text);
    }
}

/// Runs a case, and says how it went wrong if it did.
fn run(case: &Case) -> Result<(), String> {
    let database = Database::create(case.kind);
    let role_url = case.ways.as_role.then(|| database.create_role());
    let url = role_url.unwrap_or_else(|| database.url());
    set_up(case, &database)?;
    let _holding = hold(case, &database)?;
    let flags: Vec<String> = case.ways.flags.iter().map(|flag| database.fill_in(flag)).collect();
    let ran = match &case.ways.setting {
        None => program::check(&url, &case.ways.spec, &flags),
        Some((name, value)) => {
            let before = database.read(&format!("SELECT CAST(@@GLOBAL.{name} AS char)"));
            database.administer(&format!("SET GLOBAL {name} = '{value}'"))?;
            let ran = program::check(&url, &case.ways.spec, &flags);
            database.administer(&format!("SET GLOBAL {name} = '{before}'"))?;
            ran
        }
    }?;
    if ran.took > PATIENCE {
        return Err(format!("it took {:?}", ran.took));
    }
    if case.ways.no_file && database.file().exists() {
        return Err("the check made the file".to_owned());
    }
    let came: Vec<String> = judge::lines(&ran).iter().map(|line| database.take_out(line)).collect();
    let Some(diff) = judge::differ(&case.expected, &came) else {
        return Ok(());
    };
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        return update(case, &came);
    }
    Err(format!("{diff}it says:\n{}", judge::messages(&ran.report)))
}

fn set_up(case: &Case, database: &Database) -> Result<(), String> {
    for service in &case.ways.migrated {
        program::migrate(&database.url(), service)?;
    }
    if let Some(file) = &case.file {
        std::fs::copy(file, database.file()).map_err(|error| error.to_string())?;
    }
    if case.setup.is_empty() {
        return Ok(());
    }
    database
        .run(&case.setup)
        .map_err(|error| format!("the setup fails: {error}"))
}

/// Opens the sessions of `hold.sql`, which stay open until they are dropped.
fn hold(case: &Case, database: &Database) -> Result<Vec<Holder>, String> {
    let mut holders = Vec::new();
    for message in &case.hold {
        let holder = Holder::start(database, database.fill_in(&message.sql));
        match message.end {
            End::Waits => database.wait_for_a_waiting_session()?,
            End::Succeeds | End::Fails => holder.wait_until_done()?,
        }
        holders.push(holder);
    }
    Ok(holders)
}

/// Writes what came into `expect.txt`, below the comments that are there.
fn update(case: &Case, came: &[String]) -> Result<(), String> {
    let path = case.folder.join("expect.txt");
    let old = std::fs::read_to_string(&path).map_err(|error| error.to_string())?;
    let comments = old.lines().filter(|line| line.starts_with('#')).map(str::to_owned);
    let lines: Vec<String> = comments.chain(came.iter().cloned()).collect();
    std::fs::write(&path, lines.join("\n") + "\n").map_err(|error| error.to_string())
}

/// Rules that cannot speak on a kind of database, and why.
const IMPOSSIBLE: &[(&str, Kind, &str)] = &[
    (
        "table-shadowed",
        Kind::Mariadb,
        "a bare name is looked up in one database",
    ),
    ("table-shadowed", Kind::Sqlite, "a file is one namespace"),
    (
        "same-name-elsewhere",
        Kind::Sqlite,
        "a file is one namespace, without regard to letter case",
    ),
    ("table-engine", Kind::Postgres, "every table is kept by the one engine"),
    (
        "table-not-durable",
        Kind::Mariadb,
        "a temporary table is seen by its own session alone; MEMORY is an engine",
    ),
    (
        "table-not-durable",
        Kind::Sqlite,
        "a temporary table is in another file of its own session",
    ),
    ("table-partitioned", Kind::Sqlite, "there are no partitions"),
    ("table-inheritance", Kind::Mariadb, "there is no inheritance"),
    ("table-inheritance", Kind::Sqlite, "there is no inheritance"),
    ("column-on-update", Kind::Postgres, "columns have no such clause"),
    ("column-on-update", Kind::Sqlite, "columns have no such clause"),
    ("column-invisible", Kind::Postgres, "there are no invisible columns"),
    ("column-invisible", Kind::Sqlite, "there are no invisible columns"),
    ("unique-invalid", Kind::Mariadb, "an index is whole or absent"),
    ("unique-invalid", Kind::Sqlite, "an index is whole or absent"),
    ("index-leftover", Kind::Mariadb, "an index is whole or absent"),
    ("index-leftover", Kind::Sqlite, "an index is whole or absent"),
    (
        "index-ignored",
        Kind::Postgres,
        "the optimizer considers every valid index",
    ),
    ("index-ignored", Kind::Sqlite, "the optimizer considers every index"),
    ("trigger-disabled", Kind::Mariadb, "triggers cannot be switched off"),
    ("trigger-disabled", Kind::Sqlite, "triggers cannot be switched off"),
];

#[test]
fn every_rule_is_seen_to_speak_and_to_stay_quiet_on_every_database() {
    let mut problems = Vec::new();
    for kind in Kind::ALL {
        let cases = case::load_all(kind).unwrap_or_else(|problems| panic!("{problems}"));
        let speaks = |case: &Case, rule: &str| {
            let said = |line: &String| line.split(' ').nth(1) == Some(rule) && !line.starts_with("exit ");
            case.expected.iter().any(said)
        };
        for rule in RULES {
            // Jobs need schedulers, and run: `tests/live_retention` has them.
            if rule.name.starts_with("retention-") {
                continue;
            }
            let impossible = IMPOSSIBLE.iter().any(|(name, on, _)| *name == rule.name && *on == kind);
            let own = || cases.iter().filter(|case| case.topic == rule.name);
            let place = format!("{}/{}", kind.folder(), rule.name);
            if impossible {
                if let Some(case) = cases.iter().find(|case| speaks(case, rule.name)) {
                    problems.push(format!("{place}: it cannot speak here, and does in {}", case.path));
                }
                continue;
            }
            if !own().any(|case| speaks(case, rule.name)) {
                problems.push(format!("{place}: no case in which the rule speaks"));
            }
            // Its folder holds what is near to what the rule judges, so a case that is quiet there is a near miss.
            if !own().any(|case| !speaks(case, rule.name)) {
                problems.push(format!("{place}: no case in which the rule stays quiet"));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn every_impossible_rule_exists_and_has_a_reason() {
    for (name, kind, reason) in IMPOSSIBLE {
        assert!(
            RULES.iter().any(|rule| rule.name == *name),
            "{name} on {kind:?} is no rule"
        );
        assert!(!reason.is_empty());
    }
}
