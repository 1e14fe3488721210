//! I007: an index does its work in another way than the spec says, or does not do it.

use crate::compare::{Difference, Effect, IndexPair, Standing, worst};
use crate::finding::Severity;
use crate::schema::Index;

use super::consequence::{print_found, print_wanted, replacement};
use super::{Check, Context, Draft, Rule, Sink};

/// The rule.
pub(super) static RULE: Rule = Rule {
    code: "I007",
    name: "index-differs",
    severity: Severity::Error,
    summary: "an index is not what the spec says it is",
    page: include_str!("index_differs.md"),
    check: Check::Index(check),
};

fn check(pair: &IndexPair<'_>, context: &Context<'_>, sink: &mut Sink<'_>) {
    match (&pair.standing, pair.named) {
        (Standing::Nearest { index, differences }, _) => differing(pair, index, differences, context, sink),
        (Standing::Other { .. }, Some(named)) => misplaced(pair, named, context, sink),
        // Without a stand-in, a unique key is missing, which `unique-missing` says.
        (Standing::Nothing, Some(named)) if !pair.desired.unique.value => misplaced(pair, named, context, sink),
        (Standing::Other { .. } | Standing::Nothing, _) => {}
    }
}

/// The index is for the wanted key, and differs.
fn differing(
    pair: &IndexPair<'_>,
    index: &Index,
    differences: &[Difference],
    context: &Context<'_>,
    sink: &mut Sink<'_>,
) {
    // What it lets in or refuses is for other rules, and outweighs the rest.
    let (severity, impact) = match worst(differences) {
        _ if differences.is_empty() => return,
        Effect::Cosmetic => (Severity::Info, "Nothing follows for rows or look-ups."),
        Effect::Degraded => (
            Severity::Warning,
            "The index does its work, but serves fewer look-ups or costs more than the one the spec describes.",
        ),
        Effect::Impaired => (
            Severity::Error,
            "Look-ups by the key read the whole table, and an upsert (ON CONFLICT) on it fails.",
        ),
        Effect::RefusesPadded | Effect::Refuses | Effect::LetsIn | Effect::Unenforced => return,
    };
    let impact = if severity == Severity::Error && !pair.desired.unique.value {
        "Look-ups by the key read the whole table, which grows with every event."
    } else {
        impact
    };
    let what: Vec<&str> = differences.iter().map(|d| d.what.as_str()).collect();
    let wanted = print_wanted(pair.desired);
    sink.report(Draft {
        severity,
        object: context.path().index(&pair.desired.name.value),
        at: pair.desired.key.at,
        expected: Some(wanted),
        found: Some(print_found(index)),
        message: format!("the index `{}` {}", index.name, what.join("; ")),
        impact: impact.to_owned(),
        help: match severity {
            Severity::Info => "Leave it, or write the difference into the spec if it is meant.".to_owned(),
            Severity::Warning | Severity::Error | Severity::Critical => replacement(context, pair, index),
        },
    });
}

/// The index of the wanted name is for something else.
fn misplaced(pair: &IndexPair<'_>, named: &Index, context: &Context<'_>, sink: &mut Sink<'_>) {
    let wanted = print_wanted(pair.desired);
    let found = print_found(named);
    let message = if pair.desired.unique.value && !named.unique {
        format!("the index `{}` is not UNIQUE", named.name)
    } else {
        format!("the index `{}` is `{found}` instead of `{wanted}`", named.name)
    };
    let impact = match &pair.standing {
        Standing::Other { index, .. } if pair.desired.unique.value => {
            format!(
                "`{}` does its work, so duplicates are refused; whoever relies on the name is misled.",
                index.name
            )
        }
        Standing::Other { index, .. } => {
            format!(
                "`{}` serves the look-ups; whoever relies on the name is misled.",
                index.name
            )
        }
        Standing::Nearest { .. } | Standing::Nothing => {
            "Look-ups by the wanted key read the whole table, which grows with every event.".to_owned()
        }
    };
    sink.report(Draft {
        severity: Severity::Error,
        object: context.path().index(&pair.desired.name.value),
        at: pair.desired.key.at,
        expected: Some(wanted),
        found: Some(found),
        message,
        impact,
        help: replacement(context, pair, named),
    });
}
