//! W002: a check constraint of the spec is missing or does not hold.

use crate::finding::Severity;
use crate::schema::{Aspect, Part};
use crate::spec::CheckSpec;

use super::{Check, Context, Draft, Plant, Rule, Sink};

/// The rule.
pub(super) static RULE: Rule = Rule {
    code: "W002",
    name: "check-differs",
    severity: Severity::Error,
    summary: "a check constraint of the spec is missing, not in force, or another one",
    page: include_str!("check_differs.md"),
    check: Check::Table(check),
    plant: Plant::everywhere(|ground| ground.table().checks.clear()),
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Some(table) = context.pair.table else { return };
    for wanted in &context.desired().checks {
        let object = context.path().with(Part::Constraint(wanted.name.value.clone()));
        if !table.sees(Aspect::Checks) {
            sink.unverified(
                object.aspect(Aspect::Checks),
                "the role cannot see check constraints",
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
                format!("the check constraint {} does not exist", wanted.name.value),
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
                format!("{} is {how}", found.name),
                context,
                sink,
            );
        } else if context.facts.expression(&found.sql) != context.facts.expression(&wanted.sql.value) {
            report(
                wanted,
                Some(&found.sql),
                format!("{} is another check than the spec states", found.name),
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
        found: Some(found.unwrap_or("none").to_owned()),
        message,
        impact: "Rows that the spec rules out can be stored, and readers that trust the promise are misled.".to_owned(),
        help: format!(
            "Look for rows that break it, then write a migration that makes {} as the spec states it.",
            context.facts.quote(&wanted.name.value)
        ),
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;
    use crate::rules::testing::Scene;

    const SQL: &str = "\"Outcome\" <> ''";

    fn wanted() -> Scene {
        Scene::ledger(Dialect::Postgres).wanted_check("CK_Outcome", SQL)
    }

    #[test]
    fn the_same_check_in_the_servers_spelling_is_quiet() {
        for sql in [SQL, "((\"Outcome\")::text <> ''::text)"] {
            wanted().check("CK_Outcome", sql, |_| {}).run(&RULE).assert_quiet();
        }
        Scene::ledger(Dialect::Postgres)
            .check("other", SQL, |_| {})
            .run(&RULE)
            .assert_quiet();
    }

    #[test]
    fn a_missing_check_is_an_error_at_its_expression() {
        let scene = wanted();
        let said = scene.run(&RULE);
        assert_eq!(said.severity(), Severity::Error);
        assert_eq!(
            said.finding().message.raw(),
            "the check constraint CK_Outcome does not exist"
        );
        assert_eq!(said.finding().location.line, scene.spec_table().checks[0].sql.at.line);
    }

    #[test]
    fn a_check_that_does_not_hold_is_an_error() {
        let said = wanted().check("CK_Outcome", SQL, |c| c.validated = false).run(&RULE);
        assert_eq!(
            said.finding().message.raw(),
            "CK_Outcome is NOT VALID: rows from before it can break it"
        );
        let said = wanted().check("CK_Outcome", SQL, |c| c.enforced = false).run(&RULE);
        assert_eq!(said.finding().message.raw(), "CK_Outcome is NOT ENFORCED");
        assert_eq!(said.severity(), Severity::Error);
    }

    #[test]
    fn another_check_under_the_name_is_an_error() {
        let said = wanted().check("CK_Outcome", "\"Outcome\" <> 'x'", |_| {}).run(&RULE);
        assert_eq!(said.severity(), Severity::Error);
        assert_eq!(
            said.finding().message.raw(),
            "CK_Outcome is another check than the spec states"
        );
    }

    #[test]
    fn an_unconfirmed_check_is_listed_with_what_is_there() {
        let open = |scene: Scene| scene.wanted(|table| table.checks[0].confirmed = false);
        let missing = open(wanted()).run(&RULE);
        assert_eq!(
            missing.open().found.raw(),
            "the check constraint CK_Outcome does not exist"
        );
        let other = open(wanted().check("CK_Outcome", "true", |_| {})).run(&RULE);
        assert_eq!(other.open().found.raw(), "true");
        assert_eq!(other.open().expected.as_ref().unwrap().raw(), SQL);
    }

    #[test]
    fn checks_that_may_be_hidden_are_unverified() {
        let blind = wanted().table(|table| {
            table.unseen.insert(Aspect::Checks);
        });
        assert!(blind.run(&RULE).unverified().required);
    }
}
