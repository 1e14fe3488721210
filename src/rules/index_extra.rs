//! I009: an index that the spec does not speak of.

use crate::finding::Severity;
use crate::schema::{IndexState, KeyPart};

use super::consequence::print_found;
use super::index_redundant::twin;
use super::{Check, Context, Draft, Plant, Rule, Sink};

/// The rule.
pub(super) static RULE: Rule = Rule {
    code: "I009",
    name: "index-extra",
    severity: Severity::Info,
    summary: "an index that the spec does not speak of",
    page: include_str!("index_extra.md"),
    check: Check::Table(check),
    plant: Plant::everywhere(|ground| {
        let extra = ground.copy_index("IX_ProcessedEvents_Correlation", "IX_by_source");
        extra.key = vec![KeyPart::column("SourceService")];
    }),
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    for index in &context.pair.extra_indexes {
        if !matches!(index.state, IndexState::Valid) || twin(index, context).is_some() {
            continue;
        }
        sink.report(Draft {
            severity: Severity::Info,
            object: context.path().index(&index.name),
            at: context.desired().indexes_at,
            expected: None,
            found: Some(print_found(index)),
            message: format!("the index {} is not in the spec", index.name),
            impact: "Each insert pays for it; reads may rely on it.".to_owned(),
            help: "Add it to the spec if it is meant, else drop it.".to_owned(),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;
    use crate::rules::testing::keys::{LOOKUP, key};
    use crate::rules::testing::{Scene, UNIQUE};

    #[test]
    fn wanted_indexes_and_the_primary_key_are_quiet() {
        for dialect in Dialect::ALL {
            Scene::ledger(dialect).with_lookup().run(&RULE).assert_quiet();
        }
    }

    #[test]
    fn an_index_that_the_spec_does_not_have_is_worth_a_line() {
        let scene = Scene::ledger(Dialect::Sqlite).extra_index("IX_by_source", "SourceService", |i| i.unique = false);
        let said = scene.run(&RULE);
        assert_eq!(said.severity(), Severity::Info);
        assert_eq!(
            said.finding().message.raw(),
            "the index IX_by_source is not in the spec"
        );
        assert_eq!(said.finding().found.as_ref().unwrap().raw(), "(SourceService)");
        assert_eq!(said.finding().location.line, scene.spec_table().indexes_at.line);
    }

    #[test]
    fn an_index_that_stands_in_for_a_wanted_one_is_no_extra() {
        Scene::ledger(Dialect::Postgres)
            .without_index(UNIQUE)
            .extra_index("ix_evt", "EventId", |_| {})
            .run(&RULE)
            .assert_quiet();
    }

    #[test]
    fn repetitions_and_remains_are_for_other_rules() {
        Scene::ledger(Dialect::Postgres)
            .extra_index("EventId_2", "EventId", |_| {})
            .extra_index("left", "Outcome", |i| {
                i.state = IndexState::Invalid {
                    reason: "its build failed".to_owned(),
                };
            })
            .run(&RULE)
            .assert_quiet();
    }

    #[test]
    fn each_extra_index_is_a_finding_of_its_own() {
        let scene = Scene::ledger(Dialect::MySql)
            .extra_index("a", "Outcome", |i| i.unique = false)
            .extra_index("b", "EventId", |i| i.key = key(&["EventId", "Outcome"]))
            .with_lookup()
            .index(LOOKUP, |_| {});
        assert_eq!(scene.run(&RULE).findings().len(), 2);
    }
}
