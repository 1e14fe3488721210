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

/// Digits of a second that a time has where nobody writes them; a server that means fewer says so in its types.
const USUAL_DIGITS: u32 = 6;

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
        sink.report(draft(worst, impact, &wanted, desired, observed, ctx));
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
    misfit: &Misfit,
    impact: String,
    wanted: &DesiredType,
    desired: &ColumnSpec,
    observed: &Column,
    ctx: &Context<'_>,
) -> Draft {
    let name = desired.name.value.as_str();
    let severity = severity(misfit.degree, &wanted.data, ctx.is_event_id(name));
    let mut expected = wanted.data.to_string();
    let mut shown = observed.ty.spelling.clone();
    if shown.is_empty() {
        // An empty declared type is legal on SQLite.
        "no declared type".clone_into(&mut shown);
    }
    if misfit.aspect == TypeAspect::Precision {
        (expected, shown) = (
            with_digits(&expected, &wanted.data),
            with_digits(&shown, &observed.ty.data),
        );
    }
    if let Some(kept) = ctx.facts.kept_as(&observed.ty)
        && shown.eq_ignore_ascii_case(&expected)
    {
        shown = format!("{shown} ({kept})");
    }
    let message = match misfit.degree {
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
        found: Some(shown),
        message,
        impact,
        help,
    }
}

/// Writes the digits of a second into the name of a type of times that leaves them out.
fn with_digits(name: &str, data: &DataType) -> String {
    let (DataType::Timestamp { precision, .. } | DataType::Time { precision, .. } | DataType::DateTime { precision }) =
        data
    else {
        return name.to_owned();
    };
    let digits = precision.unwrap_or(USUAL_DIGITS);
    match name.split_once(' ') {
        _ if name.contains('(') => name.to_owned(),
        Some((word, rest)) => format!("{word}({digits}) {rest}"),
        None => format!("{name}({digits})"),
    }
}

fn severity(degree: Degree, wanted: &DataType, event_id: bool) -> Severity {
    match degree {
        Degree::Note => Severity::Info,
        Degree::Wider => Severity::Warning,
        // An identity that has two forms is two.
        Degree::Ambiguous if event_id => Severity::Critical,
        // No identifier fits into another type: every event is refused.
        Degree::Unrelated if event_id && *wanted == DataType::Uuid => Severity::Critical,
        Degree::Narrower | Degree::Unrelated | Degree::Ambiguous => Severity::Error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_named_with_its_digits() {
        let time = |precision, zoned| DataType::Timestamp { precision, zoned };
        assert_eq!(with_digits("timestamptz", &time(None, true)), "timestamptz(6)");
        assert_eq!(with_digits("timestamp", &time(Some(0), true)), "timestamp(0)");
        let spelled = "timestamp without time zone";
        assert_eq!(
            with_digits(spelled, &time(None, false)),
            "timestamp(6) without time zone"
        );
        assert_eq!(with_digits("timestamp(3)", &time(Some(3), false)), "timestamp(3)");
        assert_eq!(
            with_digits(
                "numeric",
                &DataType::Numeric {
                    precision: None,
                    scale: None
                }
            ),
            "numeric"
        );
    }

    #[test]
    fn severity_follows_the_direction_and_the_column() {
        assert_eq!(severity(Degree::Unrelated, &DataType::Text, true), Severity::Error);
        for (degree, elsewhere, on_event_id) in [
            (Degree::Note, Severity::Info, Severity::Info),
            (Degree::Wider, Severity::Warning, Severity::Warning),
            (Degree::Narrower, Severity::Error, Severity::Error),
            (Degree::Unrelated, Severity::Error, Severity::Critical),
            (Degree::Ambiguous, Severity::Error, Severity::Critical),
        ] {
            let of = |event_id| severity(degree, &DataType::Uuid, event_id);
            assert_eq!(of(false), elsewhere, "{degree:?}");
            assert_eq!(of(true), on_event_id, "{degree:?} on the event id");
        }
    }
}
