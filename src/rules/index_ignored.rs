//! I008: the optimizer passes over a wanted index.

use crate::compare::{IndexPair, Standing};
use crate::dialect::Dialect;
use crate::finding::Severity;

use super::consequence::{print_found, print_wanted};
use super::{Check, Context, Draft, Plant, Rule, Sink};

/// The rule.
pub(super) static RULE: Rule = Rule {
    code: "I008",
    name: "index-ignored",
    severity: Severity::Error,
    summary: "the optimizer is told to pass over an index that the spec wants",
    page: include_str!("index_ignored.md"),
    check: Check::Index(check),
    plant: Plant::only(
        &[Dialect::MySql, Dialect::MariaDb],
        "the optimizer cannot be told to pass an index over",
        |ground| ground.index("IX_ProcessedEvents_Correlation").ignored = true,
    ),
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
    let table = context.facts.quote(&context.desired().name.value);
    let name = context.facts.quote(&pair.desired.name.value);
    sink.report(Draft {
        severity,
        object: context.path().index(&pair.desired.name.value),
        at: pair.desired.name.at,
        expected: Some(print_wanted(pair.desired)),
        found: Some(print_found(index)),
        message: format!("{} is ignored by the optimizer", index.name),
        impact: impact.to_owned(),
        help: format!("Run: ALTER TABLE {table} ALTER INDEX {name} NOT IGNORED (MariaDB) or VISIBLE (MySQL)."),
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::testing::keys::LOOKUP;
    use crate::rules::testing::{Scene, UNIQUE};

    fn ignored(name: &str) -> Scene {
        Scene::ledger(Dialect::MariaDb)
            .with_lookup()
            .index(name, |index| index.ignored = true)
    }

    #[test]
    fn indexes_in_use_are_quiet() {
        Scene::ledger(Dialect::MariaDb).with_lookup().run(&RULE).assert_quiet();
    }

    #[test]
    fn an_ignored_ordinary_index_serves_nothing() {
        let scene = ignored(LOOKUP);
        let said = scene.run(&RULE);
        assert_eq!(said.severity(), Severity::Error);
        assert_eq!(
            said.finding().message.raw(),
            format!("{LOOKUP} is ignored by the optimizer")
        );
        assert_eq!(said.finding().location.line, scene.spec_index(LOOKUP).name.at.line);
        assert_eq!(said.finding().found.as_ref().unwrap().raw(), "(CorrelationId), ignored");
    }

    #[test]
    fn an_ignored_unique_index_still_refuses_duplicates() {
        let said = ignored(UNIQUE).run(&RULE);
        assert_eq!(said.severity(), Severity::Warning);
        assert!(said.finding().impact.raw().starts_with("Duplicates are still refused"));
    }

    #[test]
    fn an_extra_index_may_be_ignored() {
        Scene::ledger(Dialect::MySql)
            .extra_index("other", "Outcome", |index| index.ignored = true)
            .run(&RULE)
            .assert_quiet();
    }
}
