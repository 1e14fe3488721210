//! I004: a unique index refuses rows with different keys.

use crate::compare::{Effect, IndexPair, Standing};
use crate::finding::Severity;
use crate::schema::{Index, plain_columns};

use super::consequence::{of_refusals, print_found, print_wanted, replacement};
use super::{Check, Context, Draft, Rule, Sink};

/// The rule.
pub(super) static RULE: Rule = Rule {
    code: "I004",
    name: "unique-stricter",
    severity: Severity::Critical,
    summary: "a unique index refuses rows that the spec takes for different",
    page: include_str!("unique_stricter.md"),
    check: Check::Table(check),
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    for pair in &context.pair.indexes {
        sink.for_index(context, pair, |sink| wanted(pair, context, sink));
    }
    let Some(table) = context.pair.table else { return };
    let unwanted = table
        .indexes
        .iter()
        .filter(|index| index.unique && !index.primary && !answered(index, context));
    for index in unwanted {
        if refuses_more(index, context) {
            unwanted_index(index, context, sink);
        }
    }
}

/// Returns whether an index is looked at as the answer to a wanted one.
fn answered(index: &Index, context: &Context<'_>) -> bool {
    context.pair.indexes.iter().any(|pair| match &pair.standing {
        Standing::Nearest { index: used, .. } | Standing::Other { index: used, .. } => {
            let named = pair.named.is_some_and(|n| std::ptr::eq(n, index));
            std::ptr::eq(*used, index) && (pair.desired.unique.value || named)
        }
        Standing::Nothing => false,
    })
}

/// A wanted index that takes different keys for equal.
fn wanted(pair: &IndexPair<'_>, context: &Context<'_>, sink: &mut Sink<'_>) {
    let (Standing::Nearest { index, differences } | Standing::Other { index, differences }) = &pair.standing else {
        return;
    };
    let refusing: Vec<_> = differences
        .iter()
        .filter(|d| matches!(d.effect, Effect::Refuses | Effect::RefusesPadded))
        .collect();
    let Some(worst) = refusing.iter().map(|d| d.effect).max() else {
        return;
    };
    let (mut severity, mut impact) = of_refusals(context);
    if worst == Effect::RefusesPadded {
        severity = Severity::Warning;
        "Keys that differ in trailing blanks alone are taken for one; senders rarely make such keys."
            .clone_into(&mut impact);
    }
    let what: Vec<&str> = refusing.iter().map(|d| d.what.as_str()).collect();
    let expected = print_wanted(pair.desired);
    sink.report(Draft {
        severity,
        object: context.path().index(&pair.desired.name.value),
        at: if pair.desired.unique.value {
            pair.desired.key.at
        } else {
            pair.desired.name.at
        },
        expected: Some(expected.clone()),
        found: Some(print_found(index)),
        message: format!(
            "the index `{}` {}; the spec wants `{expected}`",
            index.name,
            what.join("; ")
        ),
        impact,
        help: help(index, pair, context),
    });
}

fn help(index: &Index, pair: &IndexPair<'_>, context: &Context<'_>) -> String {
    if print_found(index) == print_wanted(pair.desired) {
        // The index compares as its column does.
        return "Give the column the type and collation of the spec; the index follows.".to_owned();
    }
    replacement(context, pair, index)
}

/// Returns whether a unique index refuses rows that no promise of the spec refuses.
fn refuses_more(index: &Index, context: &Context<'_>) -> bool {
    // Over expressions nothing can be proved; `index-extra` names such an index.
    let Some(key) = plain_columns(&index.key) else {
        return false;
    };
    let facts = context.facts;
    let covers = |promised: &[&str]| {
        promised
            .iter()
            .all(|p| key.iter().any(|k| facts.same_name(k, facts.stored_name(p))))
    };
    let primary = context.table().primary_key.as_ref();
    let by_primary = primary.is_some_and(|pk| covers(&pk.columns.iter().map(String::as_str).collect::<Vec<_>>()));
    let by_spec = context.desired().indexes.iter().any(|wanted| {
        wanted.unique.value && wanted.predicate.is_none() && wanted.columns().is_some_and(|c| covers(&c))
    });
    let promised = context.desired().primary_key.value.guess();
    let by_key = promised.is_some_and(|pk| covers(&pk.iter().map(String::as_str).collect::<Vec<_>>()));
    !by_primary && !by_spec && !by_key
}

/// A unique index that the spec does not speak of.
fn unwanted_index(index: &Index, context: &Context<'_>, sink: &mut Sink<'_>) {
    let (severity, impact) = of_refusals(context);
    let named = context
        .pair
        .indexes
        .iter()
        .find(|pair| pair.named.is_some_and(|n| std::ptr::eq(n, index)));
    let (name, at) = match named {
        Some(pair) => (pair.desired.name.value.as_str(), pair.desired.name.at),
        None => (index.name.as_str(), context.desired().indexes_at),
    };
    sink.report(Draft {
        severity,
        object: context.path().index(name),
        at,
        expected: named.map(|pair| print_wanted(pair.desired)),
        found: Some(print_found(index)),
        message: format!("the index `{}` is `{}`, and the spec promises no such uniqueness", index.name, print_found(index)),
        impact,
        help: "Drop the index, or make it an ordinary one if it serves look-ups; if the promise is meant, add it to the spec.".to_owned(),
    });
}
