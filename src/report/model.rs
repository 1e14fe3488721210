//! The result of a run, as `--format json` writes it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::difference::TableDiff;
use super::fleet::Fleet;
use super::layout::count;
use crate::dialect::Dialect;
use crate::finding::{Finding, Location, Severity, Waived};
use crate::fleet::Shard;
use crate::rules::{Unconfirmed, Unverified};
use crate::schema::{Aspect, ObjectPath};
use crate::text::Text;

/// Version of the result's format. Fields are only added within a major version.
pub const SCHEMA_VERSION: &str = "1.0";

/// Everything that one run found, of all its targets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Report {
    /// Version of this format.
    pub schema_version: String,
    /// The program.
    pub tool: Tool,
    /// The run.
    pub run: Run,
    /// One entry per target.
    pub targets: Vec<TargetReport>,
    /// All findings, in a total and stable order: worst first, then target, object and rule.
    pub findings: Vec<Finding>,
    /// The waivers that are about the targets of this run, in the order of their file.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub waivers: Vec<WaiverReport>,
    /// The baseline that the findings were compared with.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub baseline: Option<BaselineReport>,
    /// The lines of specs that findings point at, by file and by number, which is counted from 1.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub lines: BTreeMap<String, BTreeMap<u32, Text>>,
    /// What is equal over the targets, where there are several.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub fleet: Option<Fleet>,
    /// Counts.
    pub summary: Summary,
}

/// The program that made a report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Tool {
    /// Always `seadrift`.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// Facts about a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Run {
    /// When it began, RFC 3339 in UTC.
    pub started_at: String,
    /// When it ended, RFC 3339 in UTC.
    pub finished_at: String,
    /// Whether every target was fully checked.
    pub complete: bool,
    /// The exit code of the process.
    pub exit_code: u8,
    /// The least severity that counts as drift; absent if none does.
    #[serde(default)]
    pub fail_on: Option<Severity>,
    /// Whether targets that were not fully checked are let through.
    #[serde(default)]
    pub allow_incomplete: bool,
    /// Which part of a fleet was checked, where it was not all of it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub shard: Option<Shard>,
}

/// What was seen of one target.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct TargetReport {
    /// Its name.
    pub name: Text,
    /// The service whose spec it was checked against.
    pub service: Text,
    /// The file of that spec, as the user named it.
    #[serde(default)]
    pub spec: String,
    /// The database's dialect, where it was found out.
    pub dialect: Option<Dialect>,
    /// The server's version.
    pub server_version: Option<Text>,
    /// The database's name.
    pub database: Option<Text>,
    /// The namespace that was looked in.
    pub namespace: Option<Text>,
    /// Settings of the session, read back from the server: `transaction_read_only`, `lock_timeout`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub settings: BTreeMap<String, Text>,
    /// Whether it could be checked.
    pub status: Status,
    /// Why it could not be checked, for targets that were not.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<Text>,
    /// What was read.
    pub coverage: Coverage,
    /// Facts that could not be seen.
    pub unverified: Vec<Unverified>,
    /// Facts that the spec leaves open, with what the database shows.
    pub unconfirmed: Vec<Unconfirmed>,
    /// The tables that differ from the spec, as `seadrift diff` prints them.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub diffs: Vec<TableDiff>,
    /// Remarks for people: what is not examined, server settings that change what tables mean.
    pub notes: Vec<Text>,
}

/// How far a target was checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Every fact that the spec states was seen.
    Checked,
    /// Something that the spec states could not be seen.
    Incomplete,
    /// Nothing could be seen.
    Unreachable,
}

/// How much was read of a target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Coverage {
    /// Tables that were compared.
    pub tables: u64,
    /// Columns that were read.
    pub columns: u64,
    /// Indexes that were read.
    pub indexes: u64,
    /// Checks and foreign keys that were read.
    pub constraints: u64,
    /// Retention jobs that were read.
    pub retention_jobs: u64,
    /// Tables whose rows were looked at; none unless it was asked for.
    #[serde(default)]
    pub row_tables: u64,
    /// Statements that were sent after connecting.
    pub queries: u64,
}

/// Counts over a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Summary {
    /// Findings of severity critical.
    pub critical: u64,
    /// Findings of severity error.
    pub error: u64,
    /// Findings of severity warning.
    pub warning: u64,
    /// Findings of severity info.
    pub info: u64,
    /// Findings that a waiver excuses; not counted above.
    pub waived: u64,
    /// Findings that the baseline holds; not counted above.
    #[serde(default)]
    pub known: u64,
    /// Targets that were fully checked.
    pub checked: u64,
    /// Targets that were not.
    pub incomplete: u64,
}

/// A waiver, and what it did in this run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct WaiverReport {
    /// Its state.
    pub state: WaiverState,
    /// The rule's name.
    pub rule: Text,
    /// The target's name.
    pub target: Text,
    /// The object as findings print it.
    pub object: Text,
    /// The observed value that is excused.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub found: Option<Text>,
    /// Who answers for it, and until when.
    #[serde(flatten)]
    pub waiver: Waived,
    /// How many findings it is about: those it excuses, or would if it had not expired.
    pub matched: u64,
    /// Why it excuses nothing, if so.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub note: Option<Text>,
    /// Where it is written.
    pub location: Location,
}

/// States of a waiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum WaiverState {
    /// It holds.
    Active,
    /// It holds for two more weeks at most.
    Expiring,
    /// Its last day is over: what it excused counts again.
    Expired,
    /// All that it could be about was seen, and nothing is as it says.
    Stale,
    /// It would excuse more than it names, so it excuses nothing.
    Invalid,
}

impl WaiverState {
    /// All states.
    pub const ALL: [Self; 5] = [Self::Active, Self::Expiring, Self::Expired, Self::Stale, Self::Invalid];

    /// Returns the lower-case word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Expiring => "expiring",
            Self::Expired => "expired",
            Self::Stale => "stale",
            Self::Invalid => "invalid",
        }
    }
}

/// What a comparison with a baseline showed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct BaselineReport {
    /// The file as the user named it, with forward slashes.
    pub file: String,
    /// The day on which it was made, in UTC.
    pub created: String,
    /// Findings of this run that it holds.
    pub known: u64,
    /// Findings of this run that it does not hold, or holds as less.
    pub new: u64,
    /// Entries of fully checked targets that are no more found.
    pub gone: u64,
}

impl Report {
    /// Returns how many findings count as drift: at or above the run's threshold, and not excused.
    pub fn drift(&self) -> usize {
        self.findings.iter().filter(|finding| self.counts(finding)).count()
    }

    /// Returns whether a finding counts as drift.
    pub fn counts(&self, finding: &Finding) -> bool {
        finding.is_open() && self.run.fail_on.is_some_and(|least| finding.severity >= least)
    }

    /// Returns the line of a spec that a place is in, where the result has it.
    pub fn line(&self, at: &Location) -> Option<&str> {
        self.lines.get(&at.file)?.get(&at.line).map(Text::raw)
    }

    /// Returns each target with its findings, both in the order of the report.
    pub fn by_target(&self) -> Vec<(&TargetReport, Vec<&Finding>)> {
        let names = self.targets.iter().enumerate();
        let places: BTreeMap<&Text, usize> = names.map(|(i, target)| (&target.name, i)).collect();
        let mut groups: Vec<_> = self.targets.iter().map(|target| (target, Vec::new())).collect();
        for finding in &self.findings {
            if let Some(place) = places.get(&finding.target) {
                groups[*place].1.push(finding);
            }
        }
        groups
    }
}

impl TargetReport {
    /// Returns the facts of the spec that could not be seen, by what stood in the way.
    pub fn gaps(&self) -> Vec<Gap<'_>> {
        gather(self.unverified.iter().filter(|entry| entry.required))
    }

    /// Returns the risks that could not be looked at and that no fact of the spec depends on, by what stood in the way.
    pub fn risks(&self) -> Vec<Gap<'_>> {
        gather(self.unverified.iter().filter(|entry| !entry.required))
    }
}

/// Puts what has the same reason together, in the order of the first of them.
fn gather<'a>(entries: impl Iterator<Item = &'a Unverified>) -> Vec<Gap<'a>> {
    let mut gaps: Vec<Gap<'_>> = Vec::new();
    let mut places: BTreeMap<(&Text, &Text), usize> = BTreeMap::new();
    for entry in entries {
        let place = *places.entry((&entry.reason, &entry.help)).or_insert_with(|| {
            gaps.push(Gap {
                reason: &entry.reason,
                help: &entry.help,
                facts: Vec::new(),
            });
            gaps.len() - 1
        });
        gaps[place].facts.push(&entry.object);
    }
    gaps
}

/// Facts that one thing kept from being seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap<'a> {
    /// What stood in the way.
    pub reason: &'a Text,
    /// What to do about it.
    pub help: &'a Text,
    /// What could not be seen.
    pub facts: Vec<&'a ObjectPath>,
}

impl Gap<'_> {
    /// Says in a sentence how much could not be seen.
    pub fn sum_up(&self) -> String {
        let is_all = |fact: &&ObjectPath| fact.aspect == Some(Aspect::Target);
        match self.facts.len() as u64 {
            _ if self.facts.iter().all(is_all) => "Nothing could be seen.".to_owned(),
            number => format!("{} of the spec could not be seen.", count(number, "fact", "facts")),
        }
    }
}

impl Summary {
    /// Counts the findings of a severity.
    pub fn of(&self, severity: Severity) -> u64 {
        match severity {
            Severity::Critical => self.critical,
            Severity::Error => self.error,
            Severity::Warning => self.warning,
            Severity::Info => self.info,
        }
    }
}
