//! What is equal, as `--format json` writes it.

use serde::{Deserialize, Serialize};

use super::gather::{DriftGroup, Groups, StandingGroup, gather};
use crate::finding::Severity;
use crate::report::{Report, Status};
use crate::schema::ObjectPath;
use crate::text::Text;

/// What is equal over the targets of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Fleet {
    /// Each drift that several targets have, once: worst first, then those of most targets. What one target alone has
    /// stands among the findings, and nowhere else.
    pub drifts: Vec<Drift>,
    /// Targets that stand equally: worst first, then most. Each target is in one of them.
    pub standings: Vec<Standing>,
}

/// Findings that nothing but their target tells apart.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Drift {
    /// Identity of the drift in a fleet: everything that a finding says but the target.
    pub fingerprint: String,
    /// The rule's name.
    pub rule: String,
    /// The rule's code.
    pub code: String,
    /// What it costs.
    pub severity: Severity,
    /// Whether a waiver or the baseline excuses it in these targets.
    pub excused: bool,
    /// The service.
    pub service: Text,
    /// The object in the first of the targets.
    pub object: ObjectPath,
    /// What is wrong in the first of the targets.
    pub message: Text,
    /// The names of the targets.
    pub targets: Vec<Text>,
}

/// Targets that are as far seen, and have equal drifts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Standing {
    /// The service.
    pub service: Text,
    /// How far they were checked.
    pub status: Status,
    /// Why the first of them could not be checked, for targets that were not.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<Text>,
    /// The fingerprints of the drifts that they share with each other or with further targets.
    pub drifts: Vec<String>,
    /// How many drifts no other target has; none unless the target stands alone.
    pub own: u64,
    /// The names of the targets.
    pub targets: Vec<Text>,
}

/// Sums a report of several targets up; nothing if there is but one.
pub(in crate::report) fn sum_up(report: &Report) -> Option<Fleet> {
    let groups = gather(report)?;
    Some(Fleet {
        drifts: groups
            .drifts
            .iter()
            .filter(|group| group.is_shared())
            .map(drift)
            .collect(),
        standings: groups
            .standings
            .iter()
            .map(|standing| stand(standing, &groups))
            .collect(),
    })
}

fn drift(group: &DriftGroup<'_>) -> Drift {
    let first = group.first();
    Drift {
        fingerprint: print_fingerprint(group.fingerprint),
        rule: first.rule.clone(),
        code: first.code.clone(),
        severity: first.severity,
        excused: !first.is_open(),
        service: group.target.service.clone(),
        object: first.object.clone(),
        message: first.message.clone(),
        targets: group.names().cloned().collect(),
    }
}

fn stand(group: &StandingGroup<'_>, groups: &Groups<'_>) -> Standing {
    let first = group.first();
    let drifts = group.drifts.iter().map(|place| &groups.drifts[*place]);
    let (shared, own): (Vec<_>, Vec<_>) = drifts.partition(|drift| drift.is_shared());
    Standing {
        service: first.service.clone(),
        status: first.status,
        reason: first.reason.clone(),
        drifts: shared
            .iter()
            .map(|drift| print_fingerprint(drift.fingerprint))
            .collect(),
        own: own.len() as u64,
        targets: group.names().cloned().collect(),
    }
}

fn print_fingerprint(fingerprint: u64) -> String {
    format!("{fingerprint:016x}")
}
