//! SARIF 2.1.0, for code scanning.
//!
//! There is one run per target that was fully checked, an empty one for a clean target: what is no longer in a run
//! counts as mended. A target that was not fully checked has none, so that its alerts stay.

use std::collections::BTreeMap;
use std::io::{self, Write};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Serialize;
use serde::ser::{SerializeSeq as _, Serializer};
use serde_json::{Value, json};

use super::format::Setting;
use super::json::write_indented;
use super::model::{Report, Status, TargetReport};
use crate::finding::{Finding, Severity};
use crate::rules;
use crate::text::Terminal;

/// Code scanning refuses a file with more runs.
const MOST_RUNS: usize = 20;
/// GitHub shows no more results of one run.
const MOST_RESULTS: usize = 5_000;
/// GitHub refuses longer descriptions.
const LONGEST_DESCRIPTION: usize = 1_024;

/// What a path or a name keeps in a URI.
const URI: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

#[derive(Serialize)]
struct Log<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: Vec<Run<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'a> {
    tool: Value,
    automation_details: Value,
    invocations: Value,
    column_kind: &'static str,
    results: Results<'a>,
}

/// The results of one run, made while they are written.
struct Results<'a> {
    findings: Vec<&'a Finding>,
    /// The place of each rule in the run's list, by its code.
    rules: BTreeMap<&'a str, usize>,
    setting: &'a Setting<'a>,
}

/// Returns how many files code scanning takes a report in.
pub(super) fn parts(report: &Report) -> usize {
    let runs = report.targets.iter().filter(|target| is_told(target)).count();
    runs.div_ceil(MOST_RUNS).max(1)
}

/// Writes the log: all of it, or one of its parts, counted from 0.
pub(super) fn write(
    report: &Report,
    part: Option<usize>,
    setting: &Setting<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let groups = report.by_target();
    let told = groups.into_iter().filter(|(target, _)| is_told(target));
    let (before, most) = match part {
        Some(part) => (part * MOST_RUNS, MOST_RUNS),
        None => (0, usize::MAX),
    };
    let runs = told.skip(before).take(most);
    let log = Log {
        schema: "https://json.schemastore.org/sarif-2.1.0.json",
        version: "2.1.0",
        runs: runs
            .map(|(target, findings)| run(report, target, findings, setting))
            .collect(),
    };
    write_indented(&log, out)
}

/// Returns whether a target has a run.
fn is_told(target: &TargetReport) -> bool {
    target.status == Status::Checked
}

fn run<'a>(
    report: &'a Report,
    target: &'a TargetReport,
    mut findings: Vec<&'a Finding>,
    setting: &'a Setting<'a>,
) -> Run<'a> {
    // Code scanning does not know waived results; it would show them as open.
    findings.retain(|finding| finding.is_open());
    let rest = findings.len().saturating_sub(MOST_RESULTS);
    findings.truncate(MOST_RESULTS);
    let mut names: BTreeMap<&str, &str> = BTreeMap::new();
    for finding in &findings {
        names.insert(&finding.code, &finding.rule);
    }
    let descriptors: Vec<Value> = names.iter().map(|(code, name)| describe(code, name)).collect();
    let notes: Vec<Value> = (rest > 0)
        .then(|| {
            let text = format!("{rest} results beyond the worst {MOST_RESULTS} are left out");
            json!({ "level": "warning", "message": { "text": text } })
        })
        .into_iter()
        .collect();
    let database = target.database.as_ref().map_or("", |database| database.raw());
    let (name, database) = (encode(target.name.raw()), encode(database));
    Run {
        tool: json!({ "driver": {
            "name": report.tool.name,
            "version": report.tool.version,
            "semanticVersion": report.tool.version,
            "rules": descriptors,
        } }),
        automation_details: json!({ "id": format!("seadrift/{name}/{database}/") }),
        invocations: json!([{
            "executionSuccessful": true,
            "startTimeUtc": report.run.started_at,
            "endTimeUtc": report.run.finished_at,
            "toolExecutionNotifications": notes,
        }]),
        column_kind: "unicodeCodePoints",
        results: Results {
            findings,
            rules: names.keys().enumerate().map(|(i, code)| (*code, i)).collect(),
            setting,
        },
    }
}

impl Serialize for Results<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.findings.len()))?;
        let mut seen: BTreeMap<&str, u32> = BTreeMap::new();
        for finding in &self.findings {
            let count = seen.entry(&finding.fingerprint).or_default();
            *count += 1;
            let rule = self.rules.get(finding.code.as_str()).copied().unwrap_or_default();
            list.serialize_element(&result(finding, rule, *count, self.setting))?;
        }
        list.end()
    }
}

fn result(finding: &Finding, rule: usize, count: u32, setting: &Setting<'_>) -> Value {
    let at = &finding.location;
    let (artifact, logical) = (locate(setting.path(&at.file)), finding.object.dotted());
    json!({
        "ruleId": finding.code,
        "ruleIndex": rule,
        "level": level(finding.severity),
        "message": { "text": escape_links(&message(finding)) },
        "locations": [{
            "physicalLocation": {
                "artifactLocation": artifact,
                "region": {
                    "startLine": at.line,
                    "startColumn": at.column,
                    "endLine": at.line,
                    "endColumn": at.end_column,
                },
            },
            "logicalLocations": [{ "fullyQualifiedName": logical.raw(), "kind": finding.object.kind() }],
        }],
        // The place in the file is no part of it, so that an alert survives a spec that is written anew.
        "partialFingerprints": {
            "primaryLocationLineHash": format!("{}:{count}", finding.fingerprint),
            "seadrift/v1": finding.fingerprint,
        },
        "properties": {
            "severity": finding.severity,
            "target": finding.target,
            "expected": finding.expected,
            "found": finding.found,
        },
    })
}

/// Says everything in one text; its first sentence becomes the alert's title.
fn message(finding: &Finding) -> String {
    let object = finding.object.dotted();
    let mut text = format!(
        "{} ({} {} in {}).",
        finding.message.terminal(),
        finding.object.kind(),
        object.terminal(),
        finding.target.terminal()
    );
    let facts = [("Expected", &finding.expected), ("Found", &finding.found)];
    for (label, fact) in facts {
        if let Some(fact) = fact {
            text.push_str(&format!(" {label}: {}.", fact.terminal()));
        }
    }
    if let Some(lapse) = finding.lapse() {
        text.push_str(&format!(" The waiver {}.", lapse.terminal()));
    }
    for more in [&finding.impact, &finding.help] {
        if !more.raw().is_empty() {
            text.push_str(&format!(" {}", more.terminal()));
        }
    }
    text
}

/// Keeps a text from becoming a link, which `[name](place)` is in a message.
fn escape_links(text: &str) -> String {
    match text.contains("](") {
        true => text.replace('[', "\\[").replace(']', "\\]"),
        false => text.to_owned(),
    }
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Critical | Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

/// Names a file: relative to the repository where it is in it.
fn locate(path: &str) -> Value {
    let is_absolute = path.starts_with('/') || path.as_bytes().get(1) == Some(&b':');
    match is_absolute {
        true => json!({ "uri": format!("file:///{}", encode(path.trim_start_matches('/'))) }),
        false => json!({ "uri": encode(path), "uriBaseId": "%SRCROOT%" }),
    }
}

/// Writes a path or a name as a part of a URI.
pub(super) fn encode(text: &str) -> String {
    utf8_percent_encode(text, URI).to_string()
}

/// Describes a rule. One that this release does not know, of a result of another, has its name alone.
fn describe(code: &str, name: &str) -> Value {
    let Some(rule) = rules::find(code) else {
        let text = format!("The rule {} is not known to this release.", Terminal(name));
        return json!({
            "id": code,
            "name": name,
            "shortDescription": { "text": name },
            "fullDescription": { "text": text },
            "help": { "text": text },
        });
    };
    let severity = match level(rule.severity) {
        "note" => "recommendation",
        level => level,
    };
    json!({
        "id": rule.code,
        "name": rule.name,
        "shortDescription": { "text": rule.summary },
        "fullDescription": { "text": what_it_checks(rule.page) },
        "help": { "text": rule.page, "markdown": rule.page },
        "defaultConfiguration": { "level": level(rule.severity) },
        "properties": { "tags": ["database", "drift"], "precision": "high", "problem.severity": severity },
    })
}

/// Returns the first section of a rule's page as one paragraph.
fn what_it_checks(page: &str) -> String {
    let section = page.split("\n## ").nth(1).unwrap_or(page);
    let body = section.split_once('\n').map_or(section, |(_, body)| body);
    let words: Vec<&str> = body.split_whitespace().collect();
    words.join(" ").chars().take(LONGEST_DESCRIPTION).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_does_not_become_a_link() {
        assert_eq!(escape_links("column `[x](http://y)`"), "column `\\[x\\](http://y)`");
        assert_eq!(escape_links("text[] and a[0]"), "text[] and a[0]");
    }

    #[test]
    fn a_path_is_a_uri() {
        assert_eq!(locate("specs/a b#é.yaml")["uri"], "specs/a%20b%23%C3%A9.yaml");
        assert_eq!(locate("/srv/a.yaml"), json!({ "uri": "file:///srv/a.yaml" }));
        assert_eq!(locate("C:/a.yaml")["uri"], "file:///C%3A/a.yaml");
    }

    #[test]
    fn every_rule_has_what_code_scanning_asks_for() {
        for rule in rules::RULES {
            let told = describe(rule.code, rule.name);
            for key in ["shortDescription", "fullDescription", "help"] {
                let text = told[key]["text"].as_str().unwrap();
                assert!(!text.is_empty(), "{}: {key}", rule.name);
                assert!(
                    key == "help" || text.chars().count() <= LONGEST_DESCRIPTION,
                    "{}",
                    rule.name
                );
            }
        }
        assert_eq!(
            describe("X999", "of-the-future")["shortDescription"]["text"],
            "of-the-future"
        );
    }
}
