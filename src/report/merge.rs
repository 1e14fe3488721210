//! Joins the results of several runs into one.

use std::collections::BTreeSet;

use super::build::{Policy, Times, conclude};
use super::model::{BaselineReport, Report};
use super::snippet;
use crate::fleet::Shard;
use crate::text::Text;

/// Why results cannot be joined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MergeError {
    /// Two of them speak of the same target. Which of them holds is for whoever has made them to say.
    Twice(Text),
    /// One of them speaks of no target, so that nobody knows what it has not checked.
    Empty,
    /// They are parts of one fleet, and this part of it is not among them.
    Missing(Shard),
}

/// Joins results: all targets and findings, counted anew. The strictest threshold of the runs holds, and incomplete
/// targets are let through only if each run let them through.
///
/// # Errors
///
/// If two results have the same target, if one has none and is no part of a fleet, or if a part of a fleet is not there.
pub fn merge(reports: Vec<Report>) -> Result<Report, MergeError> {
    if reports
        .iter()
        .any(|report| report.targets.is_empty() && report.run.shard.is_none())
    {
        return Err(MergeError::Empty);
    }
    if let Some(missing) = missing_part(&reports) {
        return Err(MergeError::Missing(missing));
    }
    let is_fleet = reports.iter().any(|report| report.run.shard.is_some());
    let policy = Policy {
        fail_on: reports.iter().filter_map(|report| report.run.fail_on).min(),
        allow_incomplete: reports.iter().all(|report| report.run.allow_incomplete),
    };
    let times = Times {
        started_at: reports
            .iter()
            .map(|report| &report.run.started_at)
            .min()
            .cloned()
            .unwrap_or_default(),
        finished_at: reports
            .iter()
            .map(|report| &report.run.finished_at)
            .max()
            .cloned()
            .unwrap_or_default(),
    };
    let (mut targets, mut findings, mut waivers, mut baselines) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut lines = Vec::new();
    for report in reports {
        targets.extend(report.targets);
        findings.extend(report.findings);
        waivers.extend(report.waivers);
        baselines.extend(report.baseline);
        lines.push(report.lines);
    }
    waivers.sort_by(|a, b| (&a.location, &a.target).cmp(&(&b.location, &b.target)));
    let mut report = conclude(targets, findings, None, policy, times);
    report.waivers = waivers;
    report.lines = snippet::join(lines);
    report.baseline = join(&baselines);
    if is_fleet && report.targets.is_empty() {
        // All parts of a fleet are there, and none has a target: nothing was checked.
        return Err(MergeError::Empty);
    }
    // Targets are in the order of their names.
    match report.targets.windows(2).find(|pair| pair[0].name == pair[1].name) {
        Some(pair) => Err(MergeError::Twice(pair[0].name.clone())),
        None => Ok(report),
    }
}

/// Returns a part of a fleet whose other parts are there, but not this one.
fn missing_part(reports: &[Report]) -> Option<Shard> {
    let parts: BTreeSet<Shard> = reports.iter().filter_map(|report| report.run.shard).collect();
    let counts: BTreeSet<u32> = parts.iter().map(|part| part.count).collect();
    let wanted = counts
        .into_iter()
        .flat_map(|count| (1..=count).map(move |index| Shard { index, count }));
    wanted.into_iter().find(|part| !parts.contains(part))
}

/// Adds up what comparisons with baselines showed. Each run counted its own targets alone.
fn join(baselines: &[BaselineReport]) -> Option<BaselineReport> {
    let files: BTreeSet<&str> = baselines.iter().map(|baseline| baseline.file.as_str()).collect();
    Some(BaselineReport {
        file: files.into_iter().collect::<Vec<_>>().join(", "),
        created: baselines.iter().map(|baseline| &baseline.created).min()?.clone(),
        known: baselines.iter().map(|baseline| baseline.known).sum(),
        new: baselines.iter().map(|baseline| baseline.new).sum(),
        gone: baselines.iter().map(|baseline| baseline.gone).sum(),
    })
}
