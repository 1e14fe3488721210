//! Code Quality of GitLab: one entry per finding, each with an identity that lasts.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;
use serde::ser::{SerializeSeq as _, Serializer};
use sha2::{Digest, Sha256};

use super::format::Setting;
use super::json::write_indented;
use super::model::{Report, Status, TargetReport};
use crate::finding::{Finding, Severity};
use crate::text::Terminal;

/// Nobody reads more reasons in one entry.
const MOST_REASONS: usize = 10;

/// One entry. GitLab shows the description alone, so that it names the rule.
#[derive(Serialize)]
struct Entry<'a> {
    description: String,
    check_name: &'a str,
    fingerprint: String,
    severity: &'static str,
    location: Location<'a>,
}

#[derive(Serialize)]
struct Location<'a> {
    path: &'a str,
    lines: Lines,
}

#[derive(Serialize)]
struct Lines {
    begin: u32,
}

/// The entries of a report, made while they are written.
struct Entries<'a> {
    report: &'a Report,
    setting: &'a Setting<'a>,
}

/// Writes a list, which is empty where there is nothing to say.
pub(super) fn write(report: &Report, setting: &Setting<'_>, out: &mut dyn Write) -> io::Result<()> {
    write_indented(&Entries { report, setting }, out)
}

impl Serialize for Entries<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(None)?;
        for target in self.report.targets.iter().filter(|t| t.status != Status::Checked) {
            list.serialize_element(&of_target(target, self.report, self.setting))?;
        }
        // Entries with equal fingerprints fall into one, so each says which of its kind it is.
        let mut seen: BTreeMap<(&str, &str), u32> = BTreeMap::new();
        for finding in self.report.findings.iter().filter(|f| f.is_open()) {
            let count = seen.entry((finding.target.raw(), &finding.fingerprint)).or_default();
            *count += 1;
            list.serialize_element(&of_finding(finding, *count, self.setting))?;
        }
        list.end()
    }
}

fn of_finding<'a>(finding: &'a Finding, count: u32, setting: &'a Setting<'_>) -> Entry<'a> {
    let object = finding.object.dotted();
    let lapse = finding
        .lapse()
        .map_or(String::new(), |lapse| format!("; waiver {}", lapse.terminal()));
    Entry {
        description: format!(
            "{}[{}] {}: {} ({} {} in {}){lapse}",
            finding.severity,
            Terminal(&finding.code),
            Terminal(&finding.rule),
            finding.message.terminal(),
            finding.object.kind(),
            object.terminal(),
            finding.target.terminal()
        ),
        check_name: &finding.rule,
        fingerprint: identity(&[finding.target.raw(), &finding.fingerprint, &count.to_string()]),
        severity: match finding.severity {
            Severity::Critical => "blocker",
            Severity::Error => "critical",
            Severity::Warning => "major",
            Severity::Info => "minor",
        },
        location: Location {
            path: setting.path(&finding.location.file),
            lines: Lines {
                begin: finding.location.line,
            },
        },
    }
}

fn of_target<'a>(target: &'a TargetReport, report: &Report, setting: &'a Setting<'_>) -> Entry<'a> {
    let gaps = target.gaps();
    let mut reasons: Vec<String> = gaps
        .iter()
        .take(MOST_REASONS)
        .map(|gap| format!("{} {}", gap.reason.terminal(), gap.help.terminal()))
        .collect();
    if gaps.len() > MOST_REASONS {
        reasons.push(format!("There are {} more reasons.", gaps.len() - MOST_REASONS));
    }
    Entry {
        description: format!("not fully checked: {}: {}", target.name.terminal(), reasons.join(" ")),
        check_name: "not-checked",
        fingerprint: identity(&[target.name.raw(), "not-checked"]),
        severity: match report.run.allow_incomplete {
            true => "major",
            false => "critical",
        },
        location: Location {
            path: setting.path(&target.spec),
            lines: Lines { begin: 1 },
        },
    }
}

/// Makes an identity that is the same in every run and in every release.
fn identity(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part.as_bytes());
        hash.update([0]);
    }
    hash.finalize().iter().take(16).map(|b| format!("{b:02x}")).collect()
}
