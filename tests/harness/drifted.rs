//! A ledger that breaks promises of every group of rules, on each kind of database: `tests/drifted`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::case::{End, Message};
use super::database::{Database, Kind};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/drifted")
}

/// Its spec.
pub(crate) fn spec() -> PathBuf {
    root().join("spec.yaml")
}

/// Puts it into an empty database.
pub(crate) fn fill(database: &Database) {
    let sql = std::fs::read_to_string(root().join(format!("{}.sql", database.kind.folder()))).unwrap();
    let end = End::Succeeds;
    database.run(&[Message { sql, end }]).unwrap();
}

/// A database of its own with it, or nothing where there is no server.
pub(crate) fn create(kind: Kind) -> Option<Database> {
    kind.is_here().then(|| {
        let database = Database::create(kind);
        fill(&database);
        database
    })
}

/// Asserts that everything was read, and that every group of rules has something to say.
pub(crate) fn assert_read_whole(report: &Value) {
    assert_eq!(report["run"]["exit_code"], 1, "{report:#}");
    // The events of other databases are a risk, which an account of one database cannot look at.
    let unseen = report["targets"][0]["unverified"].as_array().unwrap();
    let unseen: Vec<&Value> = unseen.iter().filter(|entry| entry["required"] == true).collect();
    assert_eq!(unseen, Vec::<&Value>::new());
    let findings = report["findings"].as_array().unwrap();
    let groups: BTreeSet<&str> = findings.iter().map(|f| &f["code"].as_str().unwrap()[..1]).collect();
    assert_eq!(groups, ["C", "I", "R", "T", "W"].into());
}

/// The report without what may differ between two runs.
pub(crate) fn without_times(report: &Value) -> Value {
    let mut report = report.clone();
    for name in ["started_at", "finished_at"] {
        assert!(report["run"][name].is_string());
        report["run"][name] = Value::Null;
    }
    report
}
