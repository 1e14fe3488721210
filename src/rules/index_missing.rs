//! I006: a wanted index is missing.

use crate::compare::{IndexPair, Standing};
use crate::finding::Severity;
use crate::schema::{Aspect, ObjectPath};

use super::consequence::{creation, print_wanted};
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
    let wanted = print_wanted(pair.desired);
    let elsewhere = context
        .pair
        .sighting
        .index_elsewhere
        .iter()
        .find(|(index, _)| index == name);
    let message = match elsewhere {
        Some((_, table)) => format!("the index {name} is on the table {table}; no index on {wanted} here"),
        None => format!("no index on {wanted}; {name} does not exist"),
    };
    sink.report(Draft {
        severity: Severity::Error,
        object,
        at: pair.desired.name.at,
        expected: Some(wanted),
        found: Some("none".to_owned()),
        message,
        impact: "Look-ups by this key read the whole table, which grows with every event.".to_owned(),
        help: format!("Run: {}.", creation(context, pair.desired)),
    });
}

/// Lists an index that the role may not be allowed to see.
pub(super) fn report_unseen(object: ObjectPath, sink: &mut Sink<'_>) {
    sink.unverified(
        object.aspect(Aspect::Indexes),
        "the role cannot see every index of the table, and this one was not among those it sees",
        "Grant the role rights on the whole table, and check again.",
        true,
    );
}
