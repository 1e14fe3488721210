//! What a report comes to, in lines, and how that differs from what a case expects.

use std::fmt::Write as _;

use serde_json::Value;
use similar::TextDiff;

use super::program::Ran;

/// Puts a run into the lines of `expect.txt`: the exit code, then findings as the report sorts them, then what could
/// not be seen, then what the spec leaves open.
pub(crate) fn lines(ran: &Ran) -> Vec<String> {
    let mut lines = vec![format!("exit {}", ran.code)];
    for finding in list(&ran.report["findings"]) {
        let severity = text(&finding["severity"]);
        lines.push(format!(
            "{severity} {} {}",
            text(&finding["rule"]),
            name(&finding["object"])
        ));
    }
    for target in list(&ran.report["targets"]) {
        for entry in list(&target["unverified"]) {
            let word = match entry["required"].as_bool() {
                Some(true) => "unverified",
                _ => "risk",
            };
            let object = &entry["object"];
            lines.push(format!("{word} {} {}", text(&object["aspect"]), name(object)));
        }
        for entry in list(&target["unconfirmed"]) {
            let object = &entry["object"];
            let aspect = object["aspect"]
                .as_str()
                .map_or(String::new(), |aspect| format!("{aspect} "));
            lines.push(format!("open {aspect}{}: {}", name(object), text(&entry["found"])));
        }
    }
    lines
}

/// Returns how the lines differ from the expected ones, as a unified diff; nothing if they do not.
pub(crate) fn differ(expected: &[String], came: &[String]) -> Option<String> {
    if expected == came {
        return None;
    }
    let (old, new) = (expected.join("\n") + "\n", came.join("\n") + "\n");
    let diff = TextDiff::from_lines(&old, &new);
    Some(diff.unified_diff().header("expected", "came").to_string())
}

/// Returns the messages of the findings, for people who look at a difference.
pub(crate) fn messages(report: &Value) -> String {
    let mut out = String::new();
    for finding in list(&report["findings"]) {
        let _ = writeln!(out, "  {}: {}", text(&finding["rule"]), text(&finding["message"]));
    }
    for target in list(&report["targets"]) {
        for entry in list(&target["unverified"]) {
            let _ = writeln!(out, "  not seen: {}", text(&entry["reason"]));
        }
    }
    out
}

/// The part of a table that is meant, or the table.
fn name(object: &Value) -> &str {
    let parts = ["column", "index", "constraint", "trigger", "job", "table"];
    parts.iter().find_map(|part| object[*part].as_str()).unwrap_or("?")
}

pub(crate) fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

pub(crate) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or("?")
}
