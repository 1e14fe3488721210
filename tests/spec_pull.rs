//! `seadrift spec pull` over the databases of the cases: what it drafts is a valid spec, and a check of the very database
//! against it has nothing to say above information, except what the pull itself announces.
//!
//! PostgreSQL and MariaDB need `SEADRIFT_TEST_POSTGRES_URL` and `SEADRIFT_TEST_MARIADB_URL`, see `tests/run`.

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

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Output;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use harness::case::{self, Case, End, Message};
use harness::database::{Database, Kind};
use harness::program;
use serde_json::Value;

/// How many databases of one kind are drafted at the same time.
const WORKERS: usize = 4;

/// Topics in which a table is not an ordinary one: something takes away its rows, keeps inserts out, or is no table.
const EXTRAORDINARY: &[&str] = &["locks", "settings", "roles", "write-path", "not-a-table", "places"];

#[test]
fn drafts_of_pg_cases_are_clean() {
    run_all(Kind::Postgres);
}

#[test]
fn drafts_of_mariadb_cases_are_clean() {
    run_all(Kind::Mariadb);
}

#[test]
fn drafts_of_sqlite_cases_are_clean() {
    run_all(Kind::Sqlite);
}

fn run_all(kind: Kind) {
    if !kind.is_here() {
        return;
    }
    let mut cases = case::load_all(kind).unwrap_or_else(|problems| panic!("{problems}"));
    if let Ok(words) = std::env::var("SEADRIFT_CASES") {
        cases.retain(|case| case.path.contains(&words));
    }
    cases.retain(|case| {
        let plain = case.hold.is_empty() && case.ways.setting.is_none() && !case.ways.as_role && !case.ways.no_file;
        plain && case.file.is_none() && !EXTRAORDINARY.contains(&case.topic.as_str())
    });
    let next = AtomicUsize::new(0);
    let (failures, clean) = (Mutex::new(Vec::new()), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    match judge(case) {
                        Ok(true) => _ = clean.fetch_add(1, Ordering::Relaxed),
                        Ok(false) => {}
                        Err(problem) => failures.lock().unwrap().push(format!("{}: {problem}", case.path)),
                    }
                }
            });
        }
    });
    let mut failures = failures.into_inner().unwrap();
    failures.sort();
    assert!(
        failures.is_empty(),
        "{}\n{} failed",
        failures.join("\n\n"),
        failures.len()
    );
    // An announced flaw is the exception: a table that is unlogged, or whose guard is broken.
    let clean = clean.into_inner();
    assert!(
        clean * 100 >= cases.len() * 85,
        "only {clean} of {} are clean",
        cases.len()
    );
}

/// Drafts a case's database and checks it against the draft; tells whether all of it is clean.
fn judge(case: &Case) -> Result<bool, String> {
    let database = Database::create_in(case.kind, case.ways.encoding.as_deref());
    for service in &case.ways.migrated {
        program::migrate(&database.url(), service)?;
    }
    database.run(&case.setup)?;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("draft.yaml");
    let (code, announced) = pull(&database, &file)?;
    let yaml = match std::fs::read_to_string(&file) {
        Ok(yaml) => yaml,
        // Nothing but views, for instance.
        Err(_) if code == 4 => return Ok(false),
        Err(error) => return Err(format!("exit {code}, and no draft: {error}\n{announced}")),
    };
    let ran = program::check(&database.url(), &file, &[])?;
    let found: BTreeSet<String> = ran.report["findings"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|finding| finding["severity"] != "info")
        .map(|finding| format!("{}: {}", text(&finding["rule"]), text(&finding["message"])))
        .collect();
    let secret: Vec<&String> = found
        .iter()
        .filter(|words| !announced.contains(words.as_str()))
        .collect();
    let targets = &ran.report["targets"][0];
    let incomplete = targets["status"] != "checked";
    if !secret.is_empty() || (code == 0 && incomplete) {
        return Err(format!("not clean: {secret:#?}\n{targets:#}\n{yaml}"));
    }
    Ok(found.is_empty() && ran.code == 0)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

fn pull(database: &Database, file: &Path) -> Result<(i32, String), String> {
    let output = run(&database.url(), file, &[])?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    match output.status.code() {
        Some(code @ (0 | 4)) => Ok((code, said)),
        code => Err(format!("exit {code:?}: {said}")),
    }
}

fn run(url: &str, file: &Path, flags: &[&str]) -> Result<Output, String> {
    program::seadrift()
        .args(["spec", "pull", "--service", "drafted", "--url", url, "--output"])
        .arg(file)
        .args(flags)
        .output()
        .map_err(|error| error.to_string())
}

/// A SQLite database of one statement.
fn file_with(sql: &str) -> Database {
    let database = Database::create(Kind::Sqlite);
    let (sql, end) = (sql.to_owned(), End::Succeeds);
    database.run(&[Message { sql, end }]).unwrap();
    database
}

fn draft(sql: &str, flags: &[&str]) -> String {
    let database = file_with(sql);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("draft.yaml");
    let output = run(&database.url(), &file, flags).unwrap();
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    std::fs::read_to_string(file).unwrap()
}

#[test]
fn a_guess_by_name_is_marked_as_one_and_what_no_database_tells_is_a_todo() {
    let table = "CREATE TABLE Events (Id TEXT NOT NULL PRIMARY KEY, EventId TEXT NOT NULL, ProcessedAt TEXT NOT NULL);";
    let yaml = draft(&format!("{table} CREATE UNIQUE INDEX UX ON Events (EventId)"), &[]);
    for words in [
        "role: ledger",
        "ledger: { event_id: EventId, recorded_at: ProcessedAt, confirmed: false }",
        "# A guess by names: `EventId` alone is unique.",
        "# TODO retention: { horizon: …, column: ProcessedAt }",
    ] {
        assert!(yaml.contains(words), "{words:?} is not in:\n{yaml}");
    }
    // Nothing keeps an event apart here, so it is no ledger, whatever it is called.
    for near in [
        "",
        "CREATE INDEX UX ON Events (EventId)",
        "CREATE UNIQUE INDEX UX ON Events (EventId, Id)",
    ] {
        assert!(
            !draft(&format!("{table} {near}"), &[]).contains("role: ledger"),
            "{near}"
        );
    }
}

/// Asserts that a database has no finding against a draft that was made of it.
#[track_caller]
fn assert_clean(database: &Database, draft: &Path) {
    let ran = program::check(&database.url(), draft, &[]).unwrap();
    assert_eq!(
        (ran.code, ran.report["findings"].as_array().map(Vec::len)),
        (0, Some(0)),
        "{:#}",
        ran.report["findings"]
    );
}

#[test]
fn a_guard_whose_name_the_server_made_up_guards_all_the_same() {
    let database = file_with("CREATE TABLE Events (Id TEXT NOT NULL PRIMARY KEY, EventId TEXT NOT NULL UNIQUE)");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("draft.yaml");
    assert_eq!(pull(&database, &file).unwrap().0, 0);
    let yaml = std::fs::read_to_string(&file).unwrap();
    assert!(
        yaml.contains("role: ledger") && yaml.contains("event_id: EventId"),
        "{yaml}"
    );
    assert_clean(&database, &file);
}

#[test]
fn a_default_that_specs_cannot_state_as_a_value_is_one_as_sql() {
    if !Kind::Postgres.is_here() {
        return;
    }
    let database = Database::create(Kind::Postgres);
    let sql = "CREATE TABLE t (id int PRIMARY KEY, a real DEFAULT 'NaN', b float8 DEFAULT '-Infinity', c numeric DEFAULT 'NaN',
               d timestamptz DEFAULT 'infinity', e date DEFAULT 'epoch'); CREATE TABLE empty ()";
    let (sql, end) = (sql.to_owned(), End::Succeeds);
    database.run(&[Message { sql, end }]).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("draft.yaml");
    let (code, said) = pull(&database, &file).unwrap();
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("`empty` is left out"), "{said}");
    let yaml = std::fs::read_to_string(&file).unwrap();
    assert!(
        yaml.contains("a: { type: real, nullable: true, default: { sql: \"'NaN'::real\" } }"),
        "{yaml}"
    );
    assert_clean(&database, &file);
}

#[test]
fn what_no_table_shows_is_said_once() {
    if !Kind::Mariadb.is_here() {
        return;
    }
    let database = Database::create(Kind::Mariadb);
    let sql = "CREATE TABLE a (id int PRIMARY KEY); CREATE TABLE b (id int PRIMARY KEY)";
    let (sql, end) = (sql.to_owned(), End::Succeeds);
    database.run(&[Message { sql, end }]).unwrap();
    let role = database.create_role();
    database
        .administer(&format!(
            "GRANT REFERENCES ON {}.* TO {}",
            database.name,
            database.role()
        ))
        .unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("draft.yaml");
    let output = run(&role, &file, &[]).unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(said.matches("does not show").count(), 1, "{said}");
    let yaml = std::fs::read_to_string(&file).unwrap();
    assert_eq!(
        yaml.matches("Not seen by the role that pulled this: write-path.")
            .count(),
        1,
        "{yaml}"
    );
}

#[test]
fn what_would_be_no_sound_ledger_is_not_drafted_as_one() {
    let yaml = draft(
        "CREATE TABLE Events (Id TEXT NOT NULL PRIMARY KEY, EventId TEXT NOT NULL);
        CREATE UNIQUE INDEX UX ON Events (EventId);
        CREATE TRIGGER Swallow BEFORE INSERT ON Events BEGIN SELECT RAISE(IGNORE); END",
        &[],
    );
    assert!(!yaml.contains("role: ledger"), "{yaml}");
    assert!(
        yaml.contains("# It looks like a ledger of `EventId`, and would not be a sound one: "),
        "{yaml}"
    );
}

#[test]
fn a_type_without_a_word_is_open_and_told_in_a_comment() {
    let yaml = draft("CREATE TABLE T (Id INTEGER PRIMARY KEY, Place GEOMETRY)", &[]);
    assert!(yaml.contains("type: unconfirmed"), "{yaml}");
    assert!(yaml.contains("# The type is `GEOMETRY`"), "{yaml}");
}

#[test]
fn globs_choose_tables_and_one_that_chooses_none_is_a_mistake() {
    let sql = "CREATE TABLE A1 (Id TEXT); CREATE TABLE A2 (Id TEXT); CREATE TABLE B (Id TEXT)";
    let yaml = draft(sql, &["--table", "A*"]);
    assert!(
        yaml.contains("A1:") && yaml.contains("A2:") && !yaml.contains("B:"),
        "{yaml}"
    );
    let database = file_with(sql);
    let folder = tempfile::tempdir().unwrap();
    let output = run(&database.url(), &folder.path().join("x.yaml"), &["--table", "a1"]).unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.contains("no table has such a name") && said.contains("`A1`"),
        "{said}"
    );
}

#[test]
fn a_file_that_is_there_stays_unless_it_is_to_be_replaced() {
    let database = file_with("CREATE TABLE T (Id TEXT)");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.yaml");
    std::fs::write(&file, "mine").unwrap();
    let output = run(&database.url(), &file, &[]).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--force"));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "mine");
    assert_eq!(
        run(&database.url(), &file, &["--force"]).unwrap().status.code(),
        Some(0)
    );
    assert!(std::fs::read_to_string(&file).unwrap().contains("service: drafted"));
}

#[test]
fn hostile_names_stay_data_in_the_draft() {
    let yaml = draft("CREATE TABLE \"a\n# b: {\" (\"x\u{202e}\" TEXT, \"- y\" GEOMETRY)", &[]);
    let spec = seadrift::spec::parse("draft.yaml", &yaml).unwrap();
    assert_eq!(spec.tables[0].name.value, "a\n# b: {");
    let mut names: Vec<&str> = spec.tables[0].columns.iter().map(|c| c.name.value.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["- y", "x\u{202e}"]);
    assert!(!yaml.contains('\u{202e}'), "{yaml}");
}

#[test]
fn what_cannot_be_reached_is_told_as_a_check_tells_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("x.yaml");
    let output = run("sqlite:/no/such/file.db", &file, &[]).unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(4), "{said}");
    assert!(
        said.contains("There is no file") && said.contains("hint: Correct the path"),
        "{said}"
    );
    assert!(!file.exists());
}
