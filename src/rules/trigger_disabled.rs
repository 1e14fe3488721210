//! W005: a trigger or rule is switched off.

use crate::finding::Severity;
use crate::schema::Part;

use super::{Check, Context, Draft, Rule, Sink};

/// The rule.
pub(super) static RULE: Rule = Rule {
    code: "W005",
    name: "trigger-disabled",
    severity: Severity::Info,
    summary: "a trigger or rule on the table is switched off",
    page: include_str!("trigger_disabled.md"),
    check: Check::Table(check),
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Some(table) = context.pair.table else { return };
    let triggers = table
        .triggers
        .iter()
        .filter(|t| !t.enabled)
        .map(|t| ("trigger", &t.name));
    let rules = table.rules.iter().filter(|r| !r.enabled).map(|r| ("rule", &r.name));
    for (kind, name) in triggers.chain(rules) {
        sink.report(Draft {
            severity: Severity::Info,
            object: context.path().with(Part::Trigger(name.clone())),
            at: context.desired().name.at,
            expected: None,
            found: Some("disabled".to_owned()),
            message: format!("the {kind} `{name}` is disabled"),
            impact: "It does nothing today. Whoever enables it changes what happens to each insert.".to_owned(),
            help: format!("Drop the {kind} if it is no longer meant; else find out who switched it off, and why."),
        });
    }
}
