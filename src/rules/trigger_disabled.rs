//! W005: a trigger or rule is switched off.

use crate::dialect::Dialect;
use crate::finding::Severity;
use crate::schema::{Part, Timing, Trigger};

use super::{Check, Context, Draft, Plant, Rule, Sink};

/// The rule.
pub(super) static RULE: Rule = Rule {
    code: "W005",
    name: "trigger-disabled",
    severity: Severity::Info,
    summary: "a trigger or rule on the table is switched off",
    page: include_str!("trigger_disabled.md"),
    check: Check::Table(check),
    plant: Plant::only(&[Dialect::Postgres], "triggers cannot be switched off", |ground| {
        ground.table().triggers.push(Trigger {
            name: "TR_audit".to_owned(),
            partition: None,
            timing: Timing::After,
            events: vec!["INSERT".to_owned()],
            per_row: true,
            enabled: false,
            condition: None,
            body: None,
            function: Some("audit()".to_owned()),
            failure: None,
        });
    }),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::testing::Scene;
    use crate::schema::RewriteRule;

    fn switched(enabled: bool) -> Scene {
        Scene::ledger(Dialect::Postgres).table(|table| {
            table.triggers.push(Trigger {
                name: "TR_audit".to_owned(),
                partition: None,
                timing: Timing::Before,
                events: vec!["INSERT".to_owned()],
                per_row: true,
                enabled,
                condition: None,
                body: None,
                function: None,
                failure: None,
            });
            table.rules.push(RewriteRule {
                name: "R_audit".to_owned(),
                event: "INSERT".to_owned(),
                instead: true,
                enabled,
                definition: String::new(),
            });
        })
    }

    #[test]
    fn what_runs_is_quiet() {
        switched(true).run(&RULE).assert_quiet();
        Scene::ledger(Dialect::Postgres).run(&RULE).assert_quiet();
    }

    #[test]
    fn what_is_switched_off_is_worth_a_line() {
        let said = switched(false).run(&RULE);
        let messages: Vec<&str> = said.findings().iter().map(|f| f.message.raw()).collect();
        assert_eq!(
            messages,
            ["the trigger `TR_audit` is disabled", "the rule `R_audit` is disabled"]
        );
        assert!(said.findings().iter().all(|f| f.severity == Severity::Info));
    }
}
