//! The examples of the rules' pages, run: after the drift the rule speaks, and nobody else than the page says; after the
//! repair all is as it was.
//!
//! A page's blocks say what they are behind the language: `yaml spec` (else the ledger of `specs/asset.yaml`, as its
//! migrations make it), `sql clean DATABASE`, `sql drift DATABASE`, the `text` that a check comes to, `sql repair DATABASE`.
//! Blank lines part the messages to the server; one that begins with `-- fails` must fail. PostgreSQL and MariaDB need the
//! servers that `tests/run` starts.

#![allow(clippy::disallowed_methods, reason = "the environment says where the servers are")]
#![allow(
    clippy::unwrap_used,
    reason = "a test that panics has failed, and its lint knows test functions only"
)]

#[allow(dead_code, reason = "every test program uses a part of what they share")]
mod harness;

use std::path::{Path, PathBuf};

use harness::case::{End, Message};
use harness::database::{Database, Kind};
use harness::program;
use seadrift::rules::{RULES, Rule};
use serde_json::Value;

/// Rules whose example no database can show, and why.
const NOT_LIVE: &[(&str, &str)] = &[
    (
        "retention-unsafe",
        "the spec's own numbers contradict each other, whatever the database has",
    ),
    (
        "retention-disabled",
        "only a scheduler lists jobs that are off, and the private servers run none; the live tests of retention have it",
    ),
];

/// A block of a page: its words behind the fence, and its lines.
struct Block<'a> {
    words: Vec<&'a str>,
    body: String,
}

/// One example on one kind of database.
struct Example {
    kind: Kind,
    clean: Option<String>,
    drift: String,
    said: Vec<String>,
    repair: String,
}

fn blocks(page: &str) -> Vec<Block<'_>> {
    let (_, example) = page.split_once("## Example").unwrap();
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let mut is_open = false;
    for line in example.lines() {
        match line.strip_prefix("```") {
            Some(_) if is_open => is_open = false,
            Some(words) => {
                is_open = true;
                blocks.push(Block {
                    words: words.split(' ').collect(),
                    body: String::new(),
                });
            }
            None if is_open => {
                let block = blocks.last_mut().unwrap();
                block.body.push_str(line);
                block.body.push('\n');
            }
            None => {}
        }
    }
    blocks
}

/// Reads the examples of a page: each is a drift, what is said of it, and its repair, in this order.
fn examples(rule: &Rule) -> (Option<String>, Vec<Example>) {
    let blocks = blocks(rule.page);
    let body = |words: &[&str]| blocks.iter().find(|block| block.words == words).map(|b| b.body.clone());
    let mut examples = Vec::new();
    for (i, block) in blocks.iter().enumerate() {
        let ["sql", "drift", database] = block.words[..] else {
            continue;
        };
        let kind = Kind::ALL.into_iter().find(|kind| kind.folder() == database);
        let kind = kind.unwrap_or_else(|| panic!("{}: there is no database `{database}`", rule.name));
        let next = |n: usize| blocks.get(i + n).map(|block| (&block.words[..], &block.body));
        let (Some((["text"], said)), Some((["sql", "repair", same], repair))) = (next(1), next(2)) else {
            panic!(
                "{}: the drift on {database} has no text and no repair behind it",
                rule.name
            );
        };
        assert_eq!(*same, database, "{}", rule.name);
        examples.push(Example {
            kind,
            clean: body(&["sql", "clean", database]),
            drift: block.body.clone(),
            said: said.lines().map(str::to_owned).collect(),
            repair: repair.clone(),
        });
    }
    (body(&["yaml", "spec"]), examples)
}

fn run(database: &Database, sql: &str) {
    let messages: Vec<Message> = sql
        .split("\n\n")
        .map(|sql| Message {
            sql: sql.trim().to_owned(),
            end: match sql.trim_start().starts_with("-- fails") {
                true => End::Fails,
                false => End::Succeeds,
            },
        })
        .collect();
    database.run(&messages).unwrap_or_else(|error| panic!("{error}"));
}

/// Checks the database, and returns the exit code and the findings in the words of the report for people.
fn check(database: &Database, rule: &Rule, spec: &Path) -> (i32, Vec<String>) {
    let looks_at_rows = rule.code.starts_with('D') || rule.name == "retention-overdue";
    let flags: &[String] = &[if looks_at_rows { "--data" } else { "--quiet" }.to_owned()];
    let ran = program::check(&database.url(), spec, flags).unwrap();
    let findings = ran.report["findings"].as_array().unwrap().iter();
    let line = |finding: &Value| {
        let text = |key: &str| finding[key].as_str().unwrap().to_owned();
        let line = format!(
            "{}[{}] {}: {}",
            text("severity"),
            text("code"),
            text("rule"),
            text("message")
        );
        line.replace(&database.name, "ledger")
    };
    (ran.code, findings.map(line).collect())
}

fn show(rule: &Rule, spec: &Path, example: &Example) {
    let name = format!("{} on {}", rule.name, example.kind.folder());
    let database = Database::create(example.kind);
    match &example.clean {
        Some(clean) => run(&database, clean),
        None => program::migrate(&database.url(), "asset").unwrap(),
    }
    let clean = (0, Vec::new());
    assert_eq!(
        check(&database, rule, spec),
        clean,
        "{name}: not clean at the beginning"
    );
    run(&database, &example.drift);
    let (code, said) = check(&database, rule, spec);
    assert_eq!(said, example.said, "{name}: another thing is said than on the page");
    let own = format!("[{}] {}: ", rule.code, rule.name);
    assert!(
        said.iter().any(|line| line.contains(&own)),
        "{name}: the rule is silent"
    );
    let counts = said
        .iter()
        .any(|line| line.starts_with("critical") || line.starts_with("error"));
    assert_eq!(code, i32::from(counts), "{name}");
    run(&database, &example.repair);
    assert_eq!(
        check(&database, rule, spec),
        clean,
        "{name}: the repair does not repair"
    );
}

fn show_all(kind: Kind) {
    if !kind.is_here() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs/asset.yaml");
    for rule in RULES {
        let (own, examples) = examples(rule);
        let spec: PathBuf = match own {
            Some(text) => {
                let path = folder.path().join(format!("{}.yaml", rule.name));
                std::fs::write(&path, text).unwrap();
                path
            }
            None => shipped.clone(),
        };
        for example in examples.iter().filter(|example| example.kind == kind) {
            show(rule, &spec, example);
        }
    }
}

#[test]
fn examples_on_postgres_drift_and_are_repaired_as_their_pages_say() {
    show_all(Kind::Postgres);
}

#[test]
fn examples_on_mariadb_drift_and_are_repaired_as_their_pages_say() {
    show_all(Kind::Mariadb);
}

#[test]
fn examples_on_sqlite_drift_and_are_repaired_as_their_pages_say() {
    show_all(Kind::Sqlite);
}

#[test]
fn every_rule_that_a_server_can_show_has_an_example_that_is_run() {
    for rule in RULES {
        let is_live = !NOT_LIVE.iter().any(|(name, _)| *name == rule.name);
        let (spec, examples) = examples(rule);
        assert_eq!(!examples.is_empty(), is_live, "{}", rule.name);
        for example in examples {
            let has_own = example.clean.is_some();
            assert_eq!(
                has_own,
                spec.is_some(),
                "{}: a spec of its own has its own tables",
                rule.name
            );
        }
    }
}
