//! The self-test as a user runs it: every rule of the list is tried on every database, and the exit code says whether
//! each has caught its drift.

#![allow(
    clippy::unwrap_used,
    reason = "a test that panics has failed, and its lint knows test functions only"
)]

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::{Value, json};

const DATABASES: [&str; 4] = ["postgres", "mysql", "mariadb", "sqlite"];

/// Runs the program in an empty environment, and returns its exit code, its output and what it says beside it.
fn seadrift(args: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_seadrift"));
    let output = command.env_clear().args(args).output().unwrap();
    (
        output.status.code().unwrap(),
        String::from_utf8(output.stdout).unwrap(),
        String::from_utf8(output.stderr).unwrap(),
    )
}

/// The rules that `seadrift rules` lists: code and name.
fn listed() -> Vec<(String, String)> {
    let (code, out, _) = seadrift(&["rules"]);
    assert_eq!(code, 0);
    let rules: Vec<_> = out
        .lines()
        .map(|line| {
            let mut words = line.split_whitespace();
            (words.next().unwrap().to_owned(), words.next().unwrap().to_owned())
        })
        .collect();
    assert!(rules.len() > 30, "{out}");
    rules
}

#[test]
fn every_listed_rule_has_a_row_and_catches_its_drift_wherever_that_can_occur() {
    let (code, out, err) = seadrift(&["rules", "--self-test"]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    let (table, rest) = out.split_once("\nNot possible:\n").unwrap();
    let mut rows = table.lines();
    assert_eq!(
        rows.next().unwrap().split_whitespace().collect::<Vec<_>>(),
        ["PostgreSQL", "MySQL", "MariaDB", "SQLite"]
    );
    let quiet = rows.next().unwrap();
    assert_eq!(quiet.matches("quiet").count(), DATABASES.len(), "{quiet}");
    let mut caught = 0;
    let rules = listed();
    for (code, name) in &rules {
        let row = rows.next().unwrap_or_else(|| panic!("{name} has no row"));
        let outcome = row
            .strip_prefix(&format!("{code}  {name} "))
            .unwrap_or_else(|| panic!("{row}"));
        let words: Vec<&str> = outcome
            .split("  ")
            .map(str::trim)
            .filter(|word| !word.is_empty())
            .collect();
        assert_eq!(words.len(), DATABASES.len(), "{row}");
        assert!(words.contains(&"caught"), "{row}");
        assert!(
            words.iter().all(|word| ["caught", "not possible"].contains(word)),
            "{row}"
        );
        let refused = words.contains(&"not possible");
        assert_eq!(
            rest.contains(&format!("  {code} {name} on ")),
            refused,
            "the reason of {name}"
        );
        caught += words.iter().filter(|word| **word == "caught").count();
    }
    assert_eq!(rows.next(), None);
    assert_eq!(
        out.lines().last().unwrap(),
        format!(
            "Passed: {} rules caught {caught} planted drifts on 4 databases.",
            rules.len()
        )
    );
}

#[test]
fn the_result_is_there_as_json() {
    let (code, out, err) = seadrift(&["rules", "--self-test", "--format", "json"]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    let result: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(result["passed"], true);
    let clean = DATABASES.map(|name| json!({ "dialect": name, "said": [] }));
    assert_eq!(result["clean"], json!(clean));
    let tried: BTreeSet<(&str, &str)> = result["trials"]
        .as_array()
        .unwrap()
        .iter()
        .map(|trial| {
            match trial["outcome"].as_str().unwrap() {
                "caught" => assert!(trial["severity"].is_string(), "{trial}"),
                "not-possible" => assert!(trial["reason"].is_string(), "{trial}"),
                _ => panic!("{trial}"),
            }
            (trial["code"].as_str().unwrap(), trial["dialect"].as_str().unwrap())
        })
        .collect();
    let rules = listed();
    let all = rules
        .iter()
        .flat_map(|(code, _)| DATABASES.map(|name| (code.as_str(), name)));
    assert_eq!(tried, all.collect());
}

#[test]
fn a_form_that_does_not_exist_is_a_usage_error() {
    let (code, out, err) = seadrift(&["rules", "--self-test", "--format", "markdown"]);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(
        err.contains("no markdown form") && err.contains("--format json"),
        "{err}"
    );
}
