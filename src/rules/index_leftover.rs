//! I011: the remains of an index build.

use crate::dialect::Dialect;
use crate::finding::Severity;
use crate::schema::IndexState;

use super::consequence::print_found;
use super::{Check, Context, Draft, Plant, Rule, Sink};

/// The rule.
pub(super) static RULE: Rule = Rule {
    code: "I011",
    name: "index-leftover",
    severity: Severity::Warning,
    summary: "an invalid index that a failed build left behind",
    page: include_str!("index_leftover.md"),
    check: Check::Table(check),
    plant: Plant::only(&[Dialect::Postgres], "an index is whole or absent", |ground| {
        let rest = ground.copy_index("UX_ProcessedEvents_EventId", "UX_ProcessedEvents_EventId_ccnew");
        rest.state = IndexState::Invalid {
            reason: "a concurrent build failed".to_owned(),
        };
    }),
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    for index in &context.pair.extra_indexes {
        let (message, help) = match &index.state {
            IndexState::Valid => continue,
            IndexState::Invalid { reason } => (
                format!("the index `{}` is INVALID and not in the spec: {reason}", index.name),
                drop_help(context),
            ),
            IndexState::Building => (
                format!("the index `{}` is being built and is not in the spec", index.name),
                "Wait until the build has ended, then check again.",
            ),
        };
        sink.report(Draft {
            severity: Severity::Warning,
            object: context.path().index(&index.name),
            at: context.desired().indexes_at,
            expected: None,
            found: Some(print_found(index)),
            message,
            impact: "It serves no reads, and each insert pays for it; if it is unique it may refuse rows all the same."
                .to_owned(),
            help: help.to_owned(),
        });
    }
}

fn drop_help(context: &Context<'_>) -> &'static str {
    if context.facts.builds_concurrently() {
        "Drop it with `DROP INDEX CONCURRENTLY …;`, after a look at why its build failed."
    } else {
        "Look at why it is broken, and drop it if nothing needs it."
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::testing::{Scene, UNIQUE};

    fn extra(state: IndexState) -> Scene {
        Scene::ledger(Dialect::Postgres).extra_index("UX_ccnew", "EventId", |index| index.state = state)
    }

    #[test]
    fn a_valid_extra_index_is_no_remains() {
        extra(IndexState::Valid).run(&RULE).assert_quiet();
    }

    #[test]
    fn what_a_failed_build_left_behind_is_a_warning() {
        let scene = extra(IndexState::Invalid {
            reason: "its build failed".to_owned(),
        });
        let said = scene.run(&RULE);
        assert_eq!(said.severity(), Severity::Warning);
        assert_eq!(
            said.finding().message.raw(),
            "the index `UX_ccnew` is INVALID and not in the spec: its build failed"
        );
        assert_eq!(said.finding().location.line, scene.spec_table().indexes_at.line);
        assert!(said.finding().help.raw().contains("DROP INDEX CONCURRENTLY"));
    }

    #[test]
    fn a_build_in_progress_asks_for_patience() {
        let said = extra(IndexState::Building).run(&RULE);
        assert_eq!(said.severity(), Severity::Warning);
        assert!(said.finding().help.raw().starts_with("Wait"));
    }

    #[test]
    fn an_invalid_wanted_index_is_for_another_rule() {
        Scene::ledger(Dialect::Postgres)
            .index(UNIQUE, |index| index.state = IndexState::Building)
            .run(&RULE)
            .assert_quiet();
    }
}
