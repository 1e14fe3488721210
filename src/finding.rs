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
    pub waiver: Option<serde_json::Value>,
}

impl Finding {
    /// Returns whether nothing excuses the finding.
    pub fn is_open(&self) -> bool {
        self.waiver.is_none()
    }

    /// Says why the finding does not count, if something excuses it.
    pub fn excuse(&self) -> Option<Text> {
        self.waiver
            .as_ref()
            .map(|waiver| Text::new(format!("waived: {waiver}")))
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
