//! I005: a unique index is present and enforces nothing.

use crate::compare::{Effect, IndexPair, Standing};
use crate::dialect::Dialect;
use crate::finding::Severity;
use crate::schema::IndexState;

use super::consequence::{of_duplicates, print_found, print_wanted, replacement};
use super::{Check, Context, Draft, Plant, Rule, Sink};

/// The rule.
pub(super) static RULE: Rule = Rule {
    code: "I005",
    name: "unique-invalid",
    severity: Severity::Critical,
    summary: "a unique index is present and not in force",
    page: include_str!("unique_invalid.md"),
    check: Check::Index(check),
    plant: Plant::only(&[Dialect::Postgres], "an index is whole or absent", |ground| {
        ground.index("UX_ProcessedEvents_EventId").state = IndexState::Invalid {
            reason: "a concurrent build failed".to_owned(),
        };
    }),
};

fn check(pair: &IndexPair<'_>, context: &Context<'_>, sink: &mut Sink<'_>) {
    let Standing::Nearest { index, differences } = &pair.standing else {
        return;
    };
    let Some(difference) = differences.iter().find(|d| d.effect == Effect::Unenforced) else {
        return;
    };
    let (severity, impact) = of_duplicates(context, pair.desired);
    let quoted = context.facts.quote(&pair.desired.name.value);
    let help = match index.state {
        IndexState::Building => "Wait until the build has ended, then check again.".to_owned(),
        IndexState::Valid | IndexState::Invalid { .. } if context.table().partitioning.is_some() => format!(
            "Build the index on each partition that lacks it and attach it to `{}`; the parent becomes valid with the last one.",
            pair.desired.name.value
        ),
        _ if !context
            .facts
            .same_name(&index.name, context.facts.stored_name(&pair.desired.name.value)) =>
        {
            format!("Remove duplicate rows. {}", replacement(context, pair, index))
        }
        IndexState::Valid | IndexState::Invalid { .. } => format!(
            "Remove duplicate rows, then run `REINDEX INDEX CONCURRENTLY {quoted};`. CREATE … IF NOT EXISTS would keep the broken index."
        ),
    };
    sink.report(Draft {
        severity,
        object: context.path().index(&pair.desired.name.value),
        at: pair.desired.name.at,
        expected: Some(print_wanted(pair.desired)),
        found: Some(print_found(index)),
        message: format!("the index `{}` is there, but {}", index.name, difference.what),
        impact,
        help,
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::testing::{Scene, UNIQUE};
    use crate::schema::{PartitionCover, Partitioning};
    use crate::spec::Role;

    fn state(state: IndexState) -> Scene {
        Scene::ledger(Dialect::Postgres).index(UNIQUE, |index| index.state = state)
    }

    fn failed() -> IndexState {
        IndexState::Invalid {
            reason: "its build failed".to_owned(),
        }
    }

    #[test]
    fn an_index_in_force_is_quiet() {
        state(IndexState::Valid).run(&RULE).assert_quiet();
    }

    #[test]
    fn present_is_not_enforced() {
        let scene = state(failed());
        let said = scene.run(&RULE);
        assert_eq!(said.severity(), Severity::Critical);
        assert_eq!(
            said.finding().message.raw(),
            format!("the index `{UNIQUE}` is there, but is INVALID: its build failed")
        );
        assert_eq!(
            said.finding().found.as_ref().unwrap().raw(),
            "unique (EventId), invalid"
        );
        assert!(said.finding().help.raw().contains("REINDEX INDEX CONCURRENTLY"));
        assert_eq!(scene.role(Role::Plain).run(&RULE).severity(), Severity::Error);
    }

    #[test]
    fn one_of_another_name_is_replaced_and_not_rebuilt() {
        let scene =
            Scene::ledger(Dialect::Postgres)
                .without_index(UNIQUE)
                .extra_index("leftover", "EventId", |index| index.state = failed());
        let help = scene.run(&RULE).finding().help.raw().to_owned();
        assert!(!help.contains("REINDEX"), "{help}");
        assert!(help.contains("CREATE UNIQUE INDEX CONCURRENTLY"), "{help}");
    }

    #[test]
    fn an_index_that_is_being_built_is_not_in_force_yet() {
        let said = state(IndexState::Building).run(&RULE);
        assert_eq!(said.severity(), Severity::Critical);
        assert!(said.finding().help.raw().starts_with("Wait"));
    }

    #[test]
    fn an_index_that_partitions_lack_is_mended_partition_by_partition() {
        let scene = state(failed()).table(|table| {
            table.partitioning = Some(Partitioning {
                strategy: "hash".to_owned(),
                key: vec!["EventId".to_owned()],
                partitions: Vec::new(),
                cover: PartitionCover::Complete,
            });
        });
        assert!(scene.run(&RULE).finding().help.raw().contains("attach it"));
    }

    #[test]
    fn a_valid_index_of_another_name_makes_it_harmless() {
        state(failed())
            .extra_index("ix_evt", "EventId", |_| {})
            .run(&RULE)
            .assert_quiet();
    }

    #[test]
    fn an_unconfirmed_index_is_listed() {
        let scene = state(failed()).wanted_index(UNIQUE, |index| index.confirmed = false);
        assert_eq!(scene.run(&RULE).open().found.raw(), "unique (EventId), invalid");
    }
}
