//! Takes what was known before out of the count.

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;

use super::file::{Baseline, Entry};
use crate::finding::{Finding, Known};
use crate::report::{BaselineReport, Report, Status, settle};
use crate::text::Text;

/// What makes a finding the same one: its identity, its target, and the value observed.
type Key<'a> = (&'a str, &'a Text, Option<&'a Text>);

/// Entries by what makes a finding the same one.
type Index<'a> = BTreeMap<Key<'a>, &'a Entry>;

/// Applies a baseline to a report, after its waivers. `file` names it. A finding whose value changed, or that costs more
/// than it did, is new.
pub fn apply(report: &mut Report, baseline: &Baseline, file: &str, today: NaiveDate) {
    let index = index(baseline);
    let is_gone = gone(report);
    let gone = baseline.findings.iter().filter(|entry| is_gone(entry)).count();
    drop(is_gone);
    let mut counts = BaselineReport {
        file: file.to_owned(),
        created: baseline.created.clone(),
        known: 0,
        new: 0,
        gone: gone as u64,
    };
    for finding in report.findings.iter_mut().filter(|finding| finding.waiver.is_none()) {
        let entry = index
            .get(&key(finding))
            .filter(|entry| finding.severity <= entry.severity);
        match entry {
            Some(entry) => {
                finding.baseline = Some(Known {
                    first_seen: entry.first_seen.clone(),
                    age_days: age(&entry.first_seen, today),
                });
                counts.known += 1;
            }
            None => counts.new += 1,
        }
    }
    report.baseline = Some(counts);
    settle(report);
}

/// Returns a baseline without the entries that are no more found. Only fully checked targets lose entries.
pub fn prune(report: &Report, baseline: &Baseline) -> Baseline {
    let is_gone = gone(report);
    let mut baseline = baseline.clone();
    baseline.findings.retain(|entry| !is_gone(entry));
    baseline
}

/// Tells whether an entry is no more found, by a result.
fn gone(report: &Report) -> impl Fn(&Entry) -> bool {
    let targets = report.targets.iter();
    let checked: BTreeSet<&Text> = targets
        .filter(|t| t.status == Status::Checked)
        .map(|t| &t.name)
        .collect();
    let found: BTreeSet<Key<'_>> = report.findings.iter().map(key).collect();
    move |entry| checked.contains(&entry.target) && !found.contains(&own_key(entry))
}

/// Returns the entries of a baseline by what makes a finding the same one.
pub(super) fn index(baseline: &Baseline) -> Index<'_> {
    baseline.findings.iter().map(|entry| (own_key(entry), entry)).collect()
}

fn own_key(entry: &Entry) -> Key<'_> {
    (&entry.fingerprint, &entry.target, entry.found.as_ref())
}

pub(super) fn key(finding: &Finding) -> Key<'_> {
    (&finding.fingerprint, &finding.target, finding.found.as_ref())
}

/// Returns how many days ago a day was; none for a day that is no date.
fn age(day: &str, today: NaiveDate) -> i64 {
    day.parse::<NaiveDate>().map_or(0, |day| (today - day).num_days())
}
