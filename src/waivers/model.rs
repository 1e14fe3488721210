//! The meaning of a file of waivers.

use std::sync::Arc;

use chrono::NaiveDate;

use crate::finding::{Finding, Waived};
use crate::text::Text;
use crate::yaml::At;

/// A file of waivers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaiverFile {
    /// The file as the user named it, with forward slashes.
    pub file: String,
    /// Its whole text.
    pub text: Arc<str>,
    /// The waivers in the order of the file.
    pub waivers: Vec<Waiver>,
}

/// An exception for one observed value of one object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiver {
    /// Its name.
    pub id: At<String>,
    /// The rule's name.
    pub rule: String,
    /// The target's name.
    pub target: String,
    /// The object as reports print it.
    pub object: String,
    /// The observed value that is excused.
    pub found: Option<String>,
    /// Who answers for it.
    pub owner: String,
    /// Why the drift may stay for now.
    pub reason: String,
    /// Where its repair is planned.
    pub ticket: Option<String>,
    /// The last day on which it holds, in UTC.
    pub expires: NaiveDate,
}

impl Waiver {
    /// Returns whether a finding is of the rule, target and object that the waiver names, whatever was observed.
    pub fn is_about(&self, finding: &Finding) -> bool {
        self.rule == finding.rule && self.target == finding.target.raw() && self.object == finding.object.dotted().raw()
    }

    /// Returns whether a finding shows the very value that the waiver excuses.
    pub fn matches(&self, finding: &Finding) -> bool {
        self.is_about(finding) && self.found.as_deref() == finding.found.as_ref().map(Text::raw)
    }

    /// Returns how many days it still holds: 0 on its last day, less when it has expired.
    pub fn days_left(&self, today: NaiveDate) -> i64 {
        (self.expires - today).num_days()
    }

    /// Returns what a finding says of the waiver.
    pub(super) fn mention(&self, today: NaiveDate) -> Waived {
        Waived {
            id: Text::new(&self.id.value),
            owner: Text::new(&self.owner),
            reason: Text::new(&self.reason),
            ticket: self.ticket.as_deref().map(Text::from),
            expires: self.expires.to_string(),
            days_left: self.days_left(today),
        }
    }
}
