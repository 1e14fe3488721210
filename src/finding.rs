//! Findings: one rule broken in one place.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::schema::ObjectPath;
use crate::text::Text;

/// What a drift costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth a line; never changes the exit code unless asked.
    Info,
    /// The fact holds in effect, the deviation is wider than the promise, or a risk cannot be proved.
    Warning,
    /// A fact stated by the spec does not hold.
    Error,
    /// An event can be recorded twice, lost, refused or forgotten too early, or there is no usable table.
    Critical,
}

impl Severity {
    /// All severities, worst first.
    pub const ALL: [Self; 4] = [Self::Critical, Self::Error, Self::Warning, Self::Info];

    /// Returns the lower-case word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
            Self::Critical => "critical",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A place in a spec file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Location {
    /// The file as the user named it, with forward slashes.
    pub file: String,
    /// The line, counted from 1.
    pub line: u32,
    /// The column in characters, counted from 1.
    pub column: u32,
    /// The column behind the last character that is meant.
    pub end_column: u32,
}

/// One rule broken in one place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Finding {
    /// The rule's name.
    pub rule: String,
    /// The rule's code.
    pub code: String,
    /// What it costs.
    pub severity: Severity,
    /// Identity of this finding between runs: the rule, the service, the database and the object, never the values.
    pub fingerprint: String,
    /// The target it was found in.
    pub target: Text,
    /// The object it is about.
    pub object: ObjectPath,
    /// What the spec wants.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub expected: Option<Text>,
    /// What the database has.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub found: Option<Text>,
    /// One sentence that says what is wrong.
    pub message: Text,
    /// What follows for the service or an event.
    pub impact: Text,
    /// What to do next.
    pub help: Text,
    /// The place in the spec that it breaks.
    pub location: Location,
    /// The waiver that excuses it, if one does.
    pub waiver: Option<Waived>,
    /// The waiver that excused it until it expired. The finding counts again.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub expired_waiver: Option<Waived>,
    /// Its place in the baseline, if it is there: a finding that was known before, and does not count.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub baseline: Option<Known>,
}

/// What a finding says of a waiver.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Waived {
    /// The waiver's name.
    pub id: Text,
    /// Who answers for it.
    pub owner: Text,
    /// Why the drift may stay for now.
    pub reason: Text,
    /// Where its repair is planned.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub ticket: Option<Text>,
    /// The last day on which it holds, `2026-12-31`, in UTC.
    pub expires: String,
    /// The days until then: 0 on the last day, less when it has expired.
    pub days_left: i64,
}

/// What a finding says of its place in the baseline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Known {
    /// The day on which it was first seen, `2026-12-31`, in UTC.
    pub first_seen: String,
    /// The days since then.
    pub age_days: i64,
}

impl Finding {
    /// Returns whether nothing excuses the finding: no waiver, and no baseline.
    pub fn is_open(&self) -> bool {
        self.waiver.is_none() && self.baseline.is_none()
    }

    /// Says why the finding does not count, if something excuses it.
    pub fn excuse(&self) -> Option<Text> {
        let waiver = self.waiver.as_ref().map(Waived::describe);
        let known = || self.baseline.as_ref().map(Known::describe);
        waiver.or_else(known).map(Text::new)
    }

    /// Says which waiver does not excuse the finding any more, if one did.
    pub fn lapse(&self) -> Option<Text> {
        self.expired_waiver.as_ref().map(|waiver| {
            Text::new(format!(
                "{} expired {} ago, on {} (owner {}); the finding counts again",
                waiver.id.raw(),
                days(-waiver.days_left),
                waiver.expires,
                waiver.owner.raw()
            ))
        })
    }
}

impl Waived {
    fn describe(&self) -> String {
        let ticket = match &self.ticket {
            Some(ticket) => format!(" ({})", ticket.raw()),
            None => String::new(),
        };
        let rest = match self.days_left {
            0 => "its last day".to_owned(),
            n => format!("{} left", days(n)),
        };
        format!(
            "waived by {} until {}, {rest}; {}: {}{ticket}",
            self.id.raw(),
            self.expires,
            self.owner.raw(),
            self.reason.raw()
        )
    }
}

impl Known {
    fn describe(&self) -> String {
        format!(
            "known since {}, {}: it is in the baseline",
            self.first_seen,
            days(self.age_days)
        )
    }
}

fn days(number: i64) -> String {
    match number {
        1 => "1 day".to_owned(),
        n => format!("{n} days"),
    }
}

/// Computes the identity of a finding between runs.
///
/// SHA-256, since it must not change between releases of this program or of Rust.
pub fn fingerprint(rule: &str, service: &str, database: &str, object: &ObjectPath) -> String {
    let mut hash = Sha256::new();
    for part in [rule, service, database, object.kind(), object.dotted().raw()] {
        hash.update(part.as_bytes());
        hash.update([0]);
    }
    hash.finalize().iter().take(8).map(|b| format!("{b:02x}")).collect()
}
