//! Takes what was known before out of the count.

use std::collections::BTreeMap;

use chrono::NaiveDate;

use super::file::{Baseline, Entry};
use crate::finding::{Finding, Known};
use crate::report::{BaselineReport, Report, Status, settle};
use crate::text::Text;

/// Entries by what makes a finding the same one.
type Index<'a> = BTreeMap<(&'a str, &'a Text, Option<&'a Text>), &'a Entry>;

/// Applies a baseline to a report, after its waivers. `file` names it. A finding whose value changed, or that costs more
/// than it did, is new.
pub fn apply(report: &mut Report, baseline: &Baseline, file: &str, today: NaiveDate) {
    let index = index(baseline);
    let mut counts = BaselineReport {
        file: file.to_owned(),
        created: baseline.created.clone(),
        known: 0,
        new: 0,
        gone: gone(report, baseline).len() as u64,
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
    let gone = gone(report, baseline);
    let mut baseline = baseline.clone();
    baseline.findings.retain(|entry| !gone.contains(entry));
    baseline
}

fn gone(report: &Report, baseline: &Baseline) -> Vec<Entry> {
    let checked = |entry: &&Entry| {
        let mut targets = report.targets.iter();
        targets.any(|target| target.name == entry.target && target.status == Status::Checked)
    };
    let found: BTreeMap<_, ()> = report.findings.iter().map(|finding| (key(finding), ())).collect();
    let entries = baseline.findings.iter().filter(checked);
    entries
        .filter(|entry| !found.contains_key(&own_key(entry)))
        .cloned()
        .collect()
}

fn index(baseline: &Baseline) -> Index<'_> {
    baseline.findings.iter().map(|entry| (own_key(entry), entry)).collect()
}

fn own_key(entry: &Entry) -> (&str, &Text, Option<&Text>) {
    (&entry.fingerprint, &entry.target, entry.found.as_ref())
}

fn key(finding: &Finding) -> (&str, &Text, Option<&Text>) {
    (&finding.fingerprint, &finding.target, finding.found.as_ref())
}

/// Returns how many days ago a day was; none for a day that is no date.
fn age(day: &str, today: NaiveDate) -> i64 {
    day.parse::<NaiveDate>().map_or(0, |day| (today - day).num_days())
}
