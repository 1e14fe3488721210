//! Puts equal findings together, and equal targets.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use super::alike::{generalize, without_namespace, without_own_names};
use crate::finding::{Finding, Severity};
use crate::report::{Report, Status, TargetReport};
use crate::text::Text;

/// What is equal in a report.
pub(in crate::report) struct Groups<'a> {
    /// Each drift once: worst first, then those of most targets.
    pub(in crate::report) drifts: Vec<DriftGroup<'a>>,
    /// Targets that stand equally: worst first, then most.
    pub(in crate::report) standings: Vec<StandingGroup<'a>>,
}

/// Findings that nothing but their target tells apart.
pub(in crate::report) struct DriftGroup<'a> {
    /// Identity of this drift in a fleet.
    pub(in crate::report) fingerprint: u64,
    /// The findings, one per target: never empty.
    pub(in crate::report) findings: Vec<&'a Finding>,
    /// The target of the first.
    pub(in crate::report) target: &'a TargetReport,
}

/// Targets that are as far seen, and have equal findings.
pub(in crate::report) struct StandingGroup<'a> {
    /// The targets: never empty.
    pub(in crate::report) targets: Vec<&'a TargetReport>,
    /// Places of their drifts in [`Groups::drifts`].
    pub(in crate::report) drifts: Vec<usize>,
}

impl Groups<'_> {
    /// Returns whether they say where targets stand in fewer lines than a list of the targets.
    pub(in crate::report) fn are_shorter(&self) -> bool {
        let targets: usize = self.standings.iter().map(|group| group.targets.len()).sum();
        self.standings.len() * 2 <= targets
    }
}

impl<'a> DriftGroup<'a> {
    /// Returns the finding that stands for all of them.
    pub(in crate::report) fn first(&self) -> &'a Finding {
        self.findings[0]
    }

    /// Returns the names of the targets.
    pub(in crate::report) fn names(&self) -> impl ExactSizeIterator<Item = &'a Text> {
        self.findings.iter().map(|finding| &finding.target)
    }

    /// Returns whether several targets have this drift.
    pub(in crate::report) fn is_shared(&self) -> bool {
        self.findings.len() > 1
    }

    /// Returns whether the findings are the same to the word.
    pub(in crate::report) fn says_one_thing(&self) -> bool {
        let words = |finding: &'a Finding| {
            let excuse = (finding.excuse(), finding.lapse());
            (&finding.object, &finding.message, &finding.help, excuse)
        };
        self.findings
            .iter()
            .all(|finding| words(finding) == words(self.first()))
    }
}

impl<'a> StandingGroup<'a> {
    /// Returns the target that stands for all of them.
    pub(in crate::report) fn first(&self) -> &'a TargetReport {
        self.targets[0]
    }

    /// Returns the names of the targets.
    pub(in crate::report) fn names(&self) -> impl ExactSizeIterator<Item = &'a Text> {
        self.targets.iter().map(|target| &target.name)
    }
}

/// Gathers what is equal in a report of several targets; nothing if there is but one.
pub(in crate::report) fn gather(report: &Report) -> Option<Groups<'_>> {
    (report.targets.len() > 1).then(|| group(report))
}

/// Gathers what is equal in a report, which may be of one target.
pub(in crate::report) fn group(report: &Report) -> Groups<'_> {
    let targets: BTreeMap<&Text, &TargetReport> = report.targets.iter().map(|t| (&t.name, t)).collect();
    let mut drifts: BTreeMap<u64, DriftGroup<'_>> = BTreeMap::new();
    for finding in &report.findings {
        // A finding without a target is in no group; `read` lets no such result in.
        let Some(target) = targets.get(&finding.target) else {
            continue;
        };
        let fingerprint = fingerprint(finding, target);
        let group = drifts.entry(fingerprint).or_insert_with(|| DriftGroup {
            fingerprint,
            findings: Vec::new(),
            target,
        });
        group.findings.push(finding);
    }
    let mut drifts: Vec<DriftGroup<'_>> = drifts.into_values().collect();
    drifts.sort_by_cached_key(|group| {
        let first = group.first();
        (
            std::cmp::Reverse((first.is_open(), first.severity, group.findings.len())),
            group.target.service.clone(),
            first.object.dotted(),
            first.code.clone(),
            group.fingerprint,
        )
    });
    let standings = stand(report, &drifts);
    Groups { drifts, standings }
}

fn stand<'a>(report: &'a Report, drifts: &[DriftGroup<'a>]) -> Vec<StandingGroup<'a>> {
    let mut found: BTreeMap<&Text, Vec<usize>> = BTreeMap::new();
    for (place, group) in drifts.iter().enumerate() {
        for name in group.names() {
            found.entry(name).or_default().push(place);
        }
    }
    let mut groups: BTreeMap<_, StandingGroup<'a>> = BTreeMap::new();
    for target in &report.targets {
        let drifts = found.remove(&target.name).unwrap_or_default();
        let key = (&target.service, gaps(target), drifts.clone());
        let group = groups.entry(key).or_insert_with(|| StandingGroup {
            targets: Vec::new(),
            drifts,
        });
        group.targets.push(target);
    }
    let mut groups: Vec<StandingGroup<'a>> = groups.into_values().collect();
    groups.sort_by_cached_key(|group| {
        let first = group.first();
        let urgency = (urgency(report, group, drifts), group.targets.len());
        (std::cmp::Reverse(urgency), &first.service, &first.name)
    });
    groups
}

/// Says how soon somebody has to look at a group: drift that counts, what was not seen, drift that does not count.
fn urgency(report: &Report, group: &StandingGroup<'_>, drifts: &[DriftGroup<'_>]) -> (u8, Option<Severity>) {
    let findings = || group.drifts.iter().map(|place| drifts[*place].first());
    let worst = findings().filter(|f| f.is_open()).map(|f| f.severity).max();
    let level = match group.first().status {
        _ if findings().any(|finding| report.counts(finding)) => 4,
        Status::Unreachable => 3,
        Status::Incomplete => 2,
        Status::Checked => u8::from(!group.drifts.is_empty()),
    };
    (level, worst)
}

/// Says what could not be seen of a target, in words that equal targets share.
fn gaps(target: &TargetReport) -> Vec<String> {
    if target.status == Status::Checked {
        return Vec::new();
    }
    let general = generalize(target);
    let mut words = vec![format!("{:?}", target.status)];
    words.extend(general.reason.iter().map(|reason| reason.raw().to_owned()));
    for gap in general.gaps() {
        words.push(gap.reason.raw().to_owned());
        words.push(gap.help.raw().to_owned());
        words.extend(
            gap.facts
                .iter()
                .map(|fact| format!("{} {:?}", fact.dotted().raw(), fact.aspect)),
        );
    }
    words
}

/// Identity of a drift in a fleet: everything that a finding says but the target and its own names.
fn fingerprint(finding: &Finding, target: &TargetReport) -> u64 {
    let object = without_namespace(&finding.object, target);
    let message = without_own_names(finding.message.raw(), target);
    let value = |text: &Option<Text>| text.as_ref().map_or(String::new(), |text| format!("={}", text.raw()));
    let mut hash = Sha256::new();
    for part in [
        finding.rule.as_str(),
        target.service.raw(),
        finding.severity.as_str(),
        if finding.is_open() { "open" } else { "excused" },
        object.kind(),
        object.dotted().raw(),
        &value(&finding.expected),
        &value(&finding.found),
        &message,
    ] {
        hash.update(part.as_bytes());
        hash.update([0]);
    }
    let bytes = hash.finalize();
    bytes
        .iter()
        .take(8)
        .fold(0, |number, byte| number << 8 | u64::from(*byte))
}
