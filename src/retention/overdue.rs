//! Whether the rows themselves show that retention works: the oldest one tells, whoever removes them.

use std::time::Duration;

use super::judge::{Case, gap_between_runs};
use super::reach::View;
use super::runs::{patience, round};
use super::verdict::{Basis, Issue, Kind, Oldest, RowEvidence, State};
use crate::catalog::{Answer, DataFact};
use crate::finding::Severity;
use crate::spec::print_duration;

/// Gathers what was learnt of the rows; nothing unless they were asked.
pub(super) fn rows(view: &View<'_>, cases: &[Case<'_>]) -> Option<RowEvidence> {
    let data = view.data?;
    let oldest = match data.get(&DataFact::Oldest)? {
        Answer::Known(None) => Oldest::NoRow,
        // A row from the future is no older than now.
        Answer::Known(Some(seconds)) => Oldest::Row(Duration::from_secs(u64::try_from(*seconds).unwrap_or_default())),
        Answer::Unknown { reason, help } => Oldest::Unknown {
            reason: reason.clone(),
            help: help.clone(),
        },
    };
    Some(RowEvidence {
        oldest,
        deleted: data.number(&DataFact::Deleted),
        allowed: allowed(view, cases),
    })
}

/// The greatest age that a row may have: the horizon, and room for the schedule of a job that works. What such a job says
/// of its own age is judged elsewhere, so it is allowed for; where none is known, two days are.
fn allowed(view: &View<'_>, cases: &[Case<'_>]) -> Duration {
    let horizon = view.retention.horizon.value;
    let works = cases.iter().filter(|case| case.state() == State::Works);
    works
        .map(|case| {
            let keeps = case.keeps.unwrap_or_default().max(horizon);
            keeps.saturating_add(patience(gap_between_runs(case.job)))
        })
        .max()
        .unwrap_or_else(|| horizon.saturating_add(patience(None)))
}

/// Reports rows that should be gone.
pub(super) fn judge(view: &View<'_>, cases: &[Case<'_>], rows: Option<&RowEvidence>) -> Option<Issue> {
    let rows = rows?;
    let Oldest::Row(age) = rows.oldest else {
        return None;
    };
    if age <= rows.allowed {
        return None;
    }
    let table = &view.desired.name.value;
    let horizon = print_duration(view.retention.horizon.value);
    let why = explain(cases, rows);
    Some(Issue {
        kind: Kind::Overdue,
        severity: Severity::Error,
        basis: Basis::Retention,
        job: None,
        is_trigger: false,
        expected: Some(format!("no row older than {}", print_duration(rows.allowed))),
        found: Some(format!("the oldest row is {} old", round(age))),
        message: format!(
            "rows of `{table}` that are {} old are still there, although those older than {horizon} are to be \
             removed{why}",
            round(age)
        ),
        impact: "Whatever is meant to remove them does not: the table grows without bound.".to_owned(),
        help: "Set a job up with `seadrift retention install`, or mend the one that is there; `seadrift retention \
               status` shows what is known of it."
            .to_owned(),
    })
}

/// Says what is known of the reason.
fn explain(cases: &[Case<'_>], rows: &RowEvidence) -> String {
    let idle = cases.iter().find(|case| {
        let runs = &case.job.runs;
        case.state() == State::Works && runs.empty_in_a_row > 0
    });
    match idle {
        Some(case) => format!(
            "; the job `{}` ran well {} times in a row and removed nothing",
            case.job.name, case.job.runs.empty_in_a_row
        ),
        None if cases.is_empty() => "; no job was seen".to_owned(),
        None if rows.deleted == Some(0) => "; by the server's statistics, no row was ever deleted".to_owned(),
        None => String::new(),
    }
}
