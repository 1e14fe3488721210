//! Takes what waivers excuse out of the count, and says what became of each waiver.

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;

use super::{Waiver, WaiverFile};
use crate::finding::{Finding, Location};
use crate::report::{Report, Status, WaiverReport, WaiverState, settle};
use crate::text::Text;

/// A waiver that holds for no longer than this is told about.
const SOON: i64 = 14;

/// Applies waivers to a report. Only those about its targets are looked at; findings keep their place.
pub fn apply(report: &mut Report, file: &WaiverFile, today: NaiveDate) {
    let mut by_rule: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (i, finding) in report.findings.iter().enumerate() {
        by_rule.entry(finding.rule.clone()).or_default().push(i);
    }
    let targets: BTreeMap<&str, Status> = report.targets.iter().map(|t| (t.name.raw(), t.status)).collect();
    let mut states = Vec::new();
    for waiver in &file.waivers {
        let Some(status) = targets.get(waiver.target.as_str()) else {
            continue;
        };
        let of_rule = by_rule.get(&waiver.rule).into_iter().flatten().copied();
        let near: Vec<usize> = of_rule.filter(|&i| waiver.is_about(&report.findings[i])).collect();
        let (hits, others): (Vec<usize>, Vec<usize>) =
            near.into_iter().partition(|&i| waiver.matches(&report.findings[i]));
        let state = judge(waiver, !hits.is_empty(), &others, &report.findings, *status, today);
        for &i in &hits {
            let finding = &mut report.findings[i];
            match state.0 {
                WaiverState::Active | WaiverState::Expiring => finding.waiver = Some(waiver.mention(today)),
                WaiverState::Expired => finding.expired_waiver = Some(waiver.mention(today)),
                WaiverState::Stale | WaiverState::Invalid => {}
            }
        }
        states.push(describe(waiver, state, hits.len(), file, today));
    }
    report.waivers.extend(states);
    settle(report);
}

/// Says what state a waiver is in, and why it excuses nothing if it does not.
fn judge(
    waiver: &Waiver,
    matched: bool,
    others: &[usize],
    findings: &[Finding],
    status: Status,
    today: NaiveDate,
) -> (WaiverState, Option<String>) {
    if matched {
        return match waiver.days_left(today) {
            ..0 => (WaiverState::Expired, None),
            0..=SOON => (WaiverState::Expiring, None),
            _ => (WaiverState::Active, None),
        };
    }
    if !others.is_empty() {
        let values: BTreeSet<&str> = others
            .iter()
            .filter_map(|&i| findings[i].found.as_ref())
            .map(Text::raw)
            .collect();
        let values: Vec<String> = values.into_iter().map(|value| format!("`{value}`")).collect();
        return match (waiver.found.is_some(), values.join(", ")) {
            (true, values) if values.is_empty() => {
                let why = "the finding shows no observed value now";
                (WaiverState::Stale, Some(why.to_owned()))
            }
            (true, values) => (
                WaiverState::Stale,
                Some(format!("another value is found now: {values}")),
            ),
            (false, values) => {
                let why = format!("it does not say which observed value it excuses; found is {values}");
                (WaiverState::Invalid, Some(why))
            }
        };
    }
    if status == Status::Checked {
        let why = "the target was fully checked, and nothing is found there".to_owned();
        return (WaiverState::Stale, Some(why));
    }
    let why = Some("its target was not fully checked".to_owned());
    match waiver.days_left(today) {
        ..0 => (WaiverState::Expired, why),
        0..=SOON => (WaiverState::Expiring, why),
        _ => (WaiverState::Active, why),
    }
}

/// Returns the state of each waiver as far as its dates tell.
pub fn by_date(file: &WaiverFile, today: NaiveDate) -> Vec<WaiverReport> {
    let states = file.waivers.iter().map(|waiver| {
        let state = match waiver.days_left(today) {
            ..0 => WaiverState::Expired,
            0..=SOON => WaiverState::Expiring,
            _ => WaiverState::Active,
        };
        describe(waiver, (state, None), 0, file, today)
    });
    states.collect()
}

fn describe(
    waiver: &Waiver,
    (state, note): (WaiverState, Option<String>),
    matched: usize,
    file: &WaiverFile,
    today: NaiveDate,
) -> WaiverReport {
    let at = waiver.id.at;
    WaiverReport {
        state,
        rule: Text::new(&waiver.rule),
        target: Text::new(&waiver.target),
        object: Text::new(&waiver.object),
        found: waiver.found.as_deref().map(Text::from),
        waiver: waiver.mention(today),
        matched: matched as u64,
        note: note.map(Text::new),
        location: Location {
            file: file.file.clone(),
            line: at.line,
            column: at.column,
            end_column: at.column.saturating_add(at.length),
        },
    }
}
