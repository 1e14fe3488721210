//! From what was found about a table's jobs to drafts: shared by the rules of retention.

use crate::retention::{Basis, Issue, Kind, Ledger, Verdict};
use crate::schema::{ObjectPath, Part};
use crate::spec::{Position, RetentionSpec, print_duration};

use super::engine::{Context, Draft, Sink};

/// Reports every issue of one kind. What rests on open facts is listed as open, not reported.
pub(super) fn report(kind: Kind, context: &Context<'_>, sink: &mut Sink<'_>) {
    let Some((retention, ledger)) = judged(context) else {
        return;
    };
    for issue in ledger.issues.iter().filter(|issue| issue.kind == kind) {
        let confirmed = match issue.basis {
            Basis::Table => true,
            Basis::Windows => context.desired().ledger.as_ref().is_none_or(|l| l.confirmed),
            Basis::Retention => retention.confirmed,
        };
        // An open retention is listed once, as a whole.
        if issue.basis == Basis::Retention && !confirmed {
            continue;
        }
        sink.resting_on(confirmed, |sink| sink.report(draft(issue, retention, context)));
    }
}

/// Returns the wanted retention and what is known of it.
pub(super) fn judged<'a>(context: &Context<'a>) -> Option<(&'a RetentionSpec, &'a Ledger)> {
    context.desired().retention.as_ref().zip(context.retention)
}

fn draft(issue: &Issue, retention: &RetentionSpec, context: &Context<'_>) -> Draft {
    Draft {
        severity: issue.severity,
        object: object(context.path(), issue),
        at: place(issue.kind, retention),
        expected: issue.expected.clone(),
        found: issue.found.clone(),
        message: issue.message.clone(),
        impact: issue.impact.clone(),
        help: issue.help.clone(),
    }
}

fn object(table: &ObjectPath, issue: &Issue) -> ObjectPath {
    match &issue.job {
        None => table.clone(),
        Some(name) if issue.is_trigger => table.with(Part::Trigger(name.clone())),
        Some(name) => table.with(Part::Job(name.clone())),
    }
}

/// The number of the spec that an issue is about, or the whole block.
fn place(kind: Kind, retention: &RetentionSpec) -> Position {
    match kind {
        Kind::TooShort | Kind::Boundary | Kind::Differs => retention.horizon.at,
        Kind::Missing | Kind::Disabled | Kind::Failing | Kind::Partial | Kind::Overdue => retention.at,
    }
}

/// Says in one line what is known of a table's retention.
pub(super) fn summary(ledger: &Ledger) -> String {
    let jobs: Vec<String> = ledger
        .jobs
        .iter()
        .map(|job| format!("`{}` {}", job.name, job.does))
        .collect();
    let said = match (&ledger.verdict, ledger.verdict.reason()) {
        (Verdict::Missing, _) => "no job removes old rows".to_owned(),
        (verdict, Some(reason)) => format!("{}: {reason}", verdict.as_str()),
        (verdict, None) => verdict.as_str().to_owned(),
    };
    if jobs.is_empty() || ledger.verdict.reason().is_some() {
        said
    } else {
        format!("{said}: {}", jobs.join("; "))
    }
}

/// Says what the spec wants.
pub(super) fn wish(retention: &RetentionSpec) -> String {
    format!(
        "rows older than {} are removed",
        print_duration(retention.horizon.value)
    )
}
