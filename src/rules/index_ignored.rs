//! I008: the optimizer passes over a wanted index.

use crate::compare::{IndexPair, Standing};
use crate::finding::Severity;

use super::consequence::{print_found, print_wanted};
use super::{Check, Context, Draft, Rule, Sink, repair};

/// The rule.
pub(super) static RULE: Rule = Rule {
    code: "I008",
    name: "index-ignored",
    severity: Severity::Error,
    summary: "the optimizer is told to pass over an index that the spec wants",
    page: include_str!("index_ignored.md"),
    check: Check::Index(check),
};

fn check(pair: &IndexPair<'_>, context: &Context<'_>, sink: &mut Sink<'_>) {
    let (Standing::Nearest { index, .. } | Standing::Other { index, .. }) = &pair.standing else {
        return;
    };
    if !index.ignored {
        return;
    }
    let (severity, impact) = if pair.desired.unique.value {
        (
            Severity::Warning,
            "Duplicates are still refused, but look-ups by the key read the whole table.",
        )
    } else {
        (
            Severity::Error,
            "For reads the index does not exist: look-ups by the key read the whole table, and writes still pay for it.",
        )
    };
    sink.report(Draft {
        severity,
        object: context.path().index(&pair.desired.name.value),
        at: pair.desired.name.at,
        expected: Some(print_wanted(pair.desired)),
        found: Some(print_found(index)),
        message: format!("the index `{}` is ignored by the optimizer", index.name),
        impact: impact.to_owned(),
        help: repair::heed_index(context, &pair.desired.name.value, index),
    });
}
