//! What keeps rows from being deleted: triggers, rules, and the server itself.

use super::reach::View;
use crate::schema::{RewriteRule, Timing, Trigger, TriggerFailure};

/// Something that keeps rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Keeper {
    /// What it does, as a clause.
    pub(super) what: String,
    /// Whether it keeps each of them, whatever the history of the job says.
    pub(super) certain: bool,
}

impl View<'_> {
    /// Returns what keeps rows from being deleted, the surest first.
    pub(super) fn keeper(&self) -> Option<Keeper> {
        let refused = self.evidence.refused.get(&self.desired.name.value).cloned();
        let triggers = || {
            let fires = |t: &&Trigger| t.enabled && t.events.iter().any(|event| event == "DELETE");
            self.table.triggers.iter().filter(fires)
        };
        let rules = || {
            let rules = self.table.rules.iter();
            rules.filter(|rule| rule.enabled && rule.instead && rule.event == "DELETE")
        };
        let certain = refused
            .or_else(|| triggers().find_map(refuses))
            .or_else(|| triggers().find_map(drops_all))
            .or_else(|| rules().find(|rule| !is_conditional(rule)).map(replaces));
        let perhaps = || triggers().find_map(drops_some).or_else(|| rules().next().map(replaces));
        match certain {
            Some(what) => Some(Keeper { what, certain: true }),
            None => perhaps().map(|what| Keeper { what, certain: false }),
        }
    }
}

fn body(trigger: &Trigger) -> &str {
    trigger.body.as_deref().unwrap_or_default()
}

fn refuses(trigger: &Trigger) -> Option<String> {
    let name = &trigger.name;
    match &trigger.failure {
        _ if trigger.condition.is_none() && crate::rules::always_refuses(body(trigger)) => {
            Some(format!("the trigger `{name}` refuses them with an error"))
        }
        Some(TriggerFailure::Always(why)) => Some(format!("the trigger `{name}` fails: {why}")),
        _ => None,
    }
}

/// Returns whether a trigger stands before each row, and so can drop it.
fn stands_before(trigger: &Trigger) -> bool {
    trigger.per_row && matches!(trigger.timing, Timing::Before | Timing::InsteadOf)
}

fn drops_all(trigger: &Trigger) -> Option<String> {
    let drops = stands_before(trigger) && trigger.condition.is_none() && crate::rules::keeps_every_row(body(trigger));
    drops.then(|| format!("the trigger `{}` drops deletions without an error", trigger.name))
}

fn drops_some(trigger: &Trigger) -> Option<String> {
    let drops = stands_before(trigger) && crate::rules::can_keep_rows(body(trigger));
    drops.then(|| format!("the trigger `{}` can drop deletions without an error", trigger.name))
}

fn replaces(rule: &RewriteRule) -> String {
    format!("the rule `{}` puts something else in the place of deletions", rule.name)
}

/// Returns whether a rule is for some rows only, by its definition as the server prints it.
fn is_conditional(rule: &RewriteRule) -> bool {
    let head = rule.definition.split(" DO INSTEAD").next().unwrap_or_default();
    head.contains("WHERE (")
}
