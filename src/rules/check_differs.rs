//! W002: a check constraint of the spec is missing or does not hold.

use crate::finding::Severity;
use crate::schema::{Aspect, Part};
use crate::spec::CheckSpec;

use super::{Check, Context, Draft, Rule, Sink};

/// The rule.
pub(super) static RULE: Rule = Rule {
    code: "W002",
    name: "check-differs",
    severity: Severity::Error,
    summary: "a check constraint of the spec is missing, not in force, or another one",
    page: include_str!("check_differs.md"),
    check: Check::Table(check),
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Some(table) = context.pair.table else { return };
    for wanted in &context.desired().checks {
        let object = context.path().with(Part::Constraint(wanted.name.value.clone()));
        if !table.sees(Aspect::Checks) {
            sink.unverified(
                object.aspect(Aspect::Checks),
                "The role cannot see the table's check constraints.",
                "Grant the role the right to see constraints, and check again.",
                wanted.confirmed,
            );
            continue;
        }
        let stored = context.facts.stored_name(&wanted.name.value);
        let found = table.checks.iter().find(|c| context.facts.same_name(&c.name, stored));
        let Some(found) = found else {
            report(
                wanted,
                None,
                format!("the check constraint `{}` does not exist", wanted.name.value),
                context,
                sink,
            );
            continue;
        };
        if !found.enforced || !found.validated {
            let how = if found.enforced {
                "NOT VALID: rows from before it can break it"
            } else {
                "NOT ENFORCED"
            };
            report(
                wanted,
                Some(&found.sql),
                format!("the check constraint `{}` is {how}", found.name),
                context,
                sink,
            );
        } else if context.facts.expression(&found.sql) != context.facts.expression(&wanted.sql.value) {
            report(
                wanted,
                Some(&found.sql),
                format!(
                    "the check constraint `{}` is not the one that the spec states",
                    found.name
                ),
                context,
                sink,
            );
        }
    }
}

fn report(wanted: &CheckSpec, found: Option<&str>, message: String, context: &Context<'_>, sink: &mut Sink<'_>) {
    let object = context.path().with(Part::Constraint(wanted.name.value.clone()));
    if !wanted.confirmed {
        let found = found.map_or(message, str::to_owned);
        sink.open(
            object.aspect(Aspect::Checks),
            Some(wanted.sql.value.clone()),
            found,
            wanted.name.at,
        );
        return;
    }
    sink.report(Draft {
        severity: Severity::Error,
        object,
        at: wanted.sql.at,
        expected: Some(wanted.sql.value.clone()),
        found: Some(found.unwrap_or("nothing").to_owned()),
        message,
        impact: "Rows that the spec rules out can be stored, and readers that trust the promise are misled.".to_owned(),
        help: format!(
            "Look for rows that break it, then write a migration that makes `{}` as the spec states it.",
            wanted.name.value
        ),
    });
}
