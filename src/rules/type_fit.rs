//! What the three rules about types share: they divide one answer of the dialect among them.

use crate::compare::ColumnPair;
use crate::dialect::{Degree, Misfit, TypeAspect};
use crate::finding::Severity;
use crate::schema::{Aspect, Column, DataType};
use crate::spec::{ColumnSpec, DesiredType};

use super::admission::Admission;
use super::engine::{Context, Draft, Sink};
use super::repair::{self, Change};
use super::wording;

/// Judges one aspect of a column's type.
pub(super) fn check(aspect: TypeAspect, pair: &ColumnPair<'_>, ctx: &Context<'_>, sink: &mut Sink<'_>) {
    let ColumnPair::Both { desired, observed } = *pair else {
        return;
    };
    let wanted = desired.ty.value.guess().and_then(|ty| ty.on(ctx.dialect()));
    if desired.ty.value.is_unconfirmed() {
        // The open fact is the whole type, so one of the three rules lists it.
        if aspect == TypeAspect::Type {
            let object = ctx.path().column(&desired.name.value).aspect(Aspect::Type);
            let guess = wanted.map(|ty| ty.data.to_string());
            sink.open(object, guess, observed.ty.spelling.clone(), desired.ty.at);
        }
        return;
    }
    let Some(wanted) = wanted else {
        return;
    };
    if !ctx.table().sees(Aspect::Type) {
        sink.unverified(
            ctx.path().aspect(Aspect::Type),
            "The server did not show the types of the table's columns.",
            "Check again with a role that may read the table.",
            true,
        );
        return;
    }
    let mut misfits: Vec<Misfit> = ctx.facts.fit(&wanted, observed);
    if let Some(check) = limit_by_check(&wanted, observed, ctx) {
        for misfit in misfits.iter_mut().filter(|misfit| misfit.degree > Degree::Wider) {
            misfit.degree = Degree::Wider;
            misfit.impact = format!(
                "The limit is kept by the check {}, for as long as nobody drops it.",
                wording::name(check)
            );
        }
    }
    misfits.retain(|misfit| misfit.aspect == aspect);
    misfits.sort_by_key(|misfit| std::cmp::Reverse(misfit.degree));
    if let Some(worst) = misfits.first() {
        let impact = misfits
            .iter()
            .map(|misfit| misfit.impact.as_str())
            .collect::<Vec<_>>()
            .join(" ");
        sink.report(draft(worst.degree, impact, &wanted, desired, observed, ctx));
    }
}

/// Returns the check that limits a text to the wanted length where its type does not.
fn limit_by_check<'a>(wanted: &DesiredType, observed: &'a Column, ctx: &'a Context<'_>) -> Option<&'a str> {
    let unlimited = matches!(observed.ty.data, DataType::Text | DataType::Varchar(None));
    let DataType::Varchar(Some(length)) = wanted.data else {
        return None;
    };
    let mut limits = Admission::all(observed, ctx).filter(|_| unlimited && !wanted.pinned);
    limits
        .find(|admission| admission.limits_to(length))
        .map(|admission| admission.check().name.as_str())
}

fn draft(
    degree: Degree,
    impact: String,
    wanted: &DesiredType,
    desired: &ColumnSpec,
    observed: &Column,
    ctx: &Context<'_>,
) -> Draft {
    let name = desired.name.value.as_str();
    let severity = severity(degree, ctx.is_event_id(name));
    let expected = wanted.data.to_string();
    let found = observed.ty.spelling.clone();
    // An empty declared type is legal on SQLite.
    let shown = if found.is_empty() { "no declared type" } else { &found };
    let message = match degree {
        Degree::Note => format!(
            "column {} is declared {shown} where the spec says {expected}",
            wording::name(name)
        ),
        _ => format!("column {} is {shown} instead of {expected}", wording::name(name)),
    };
    let help = match severity {
        Severity::Info => "Nothing, if it is meant; pin the type in the spec to say so.".to_owned(),
        Severity::Warning => format!(
            "Look first for values that do not fit. {}",
            repair::change_column(ctx, desired, Change::Type(&observed.ty.data))
        ),
        _ => repair::change_column(ctx, desired, Change::Type(&observed.ty.data)),
    };
    Draft {
        severity,
        object: ctx.path().column(name),
        at: desired.ty.at,
        expected: Some(expected),
        found: Some(shown.to_owned()),
        message,
        impact,
        help,
    }
}

fn severity(degree: Degree, event_id: bool) -> Severity {
    match degree {
        Degree::Note => Severity::Info,
        Degree::Wider => Severity::Warning,
        Degree::Narrower | Degree::Unrelated => Severity::Error,
        Degree::Ambiguous if event_id => Severity::Critical,
        Degree::Ambiguous => Severity::Error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn severity_follows_the_direction_and_the_column() {
        for (degree, elsewhere, on_event_id) in [
            (Degree::Note, Severity::Info, Severity::Info),
            (Degree::Wider, Severity::Warning, Severity::Warning),
            (Degree::Narrower, Severity::Error, Severity::Error),
            (Degree::Unrelated, Severity::Error, Severity::Error),
            (Degree::Ambiguous, Severity::Error, Severity::Critical),
        ] {
            assert_eq!(severity(degree, false), elsewhere, "{degree:?}");
            assert_eq!(severity(degree, true), on_event_id, "{degree:?} on the event id");
        }
    }
}
