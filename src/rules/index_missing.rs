//! I006: a wanted index is missing.

use crate::compare::{IndexPair, Standing};
use crate::finding::Severity;
use crate::schema::{Aspect, ObjectPath};

use super::consequence::{creation, key_in_words, print_wanted};
use super::{Check, Context, Draft, Rule, Sink};

/// The rule.
pub(super) static RULE: Rule = Rule {
    code: "I006",
    name: "index-missing",
    severity: Severity::Error,
    summary: "no index serves the look-ups that the spec wants served",
    page: include_str!("index_missing.md"),
    check: Check::Index(check),
};

fn check(pair: &IndexPair<'_>, context: &Context<'_>, sink: &mut Sink<'_>) {
    if pair.desired.unique.value || pair.named.is_some() || !matches!(pair.standing, Standing::Nothing) {
        return;
    }
    let name = &pair.desired.name.value;
    let object = context.path().index(name);
    if !context.table().sees(Aspect::Indexes) {
        report_unseen(object, sink);
        return;
    }
    let key = key_in_words(pair.desired);
    let elsewhere = context
        .pair
        .sighting
        .index_elsewhere
        .iter()
        .find(|(index, _)| index == name);
    let message = match elsewhere {
        Some((_, table)) => format!("no index on {key} here; the index `{name}` is on the table `{table}`"),
        None => format!("no index on {key}; `{name}` does not exist"),
    };
    sink.report(Draft {
        severity: Severity::Error,
        object,
        at: pair.desired.name.at,
        expected: Some(print_wanted(pair.desired)),
        found: Some("nothing".to_owned()),
        message,
        impact: "Look-ups by this key read the whole table, which grows with every event.".to_owned(),
        help: creation(context, pair.desired, elsewhere.is_some()),
    });
}

/// Lists an index that the role may not be allowed to see.
pub(super) fn report_unseen(object: ObjectPath, sink: &mut Sink<'_>) {
    sink.unverified(
        object.aspect(Aspect::Indexes),
        "The role cannot see every index of the table, and this one is not among those that it sees.",
        "Grant the role rights on the whole table, and check again.",
        true,
    );
}
