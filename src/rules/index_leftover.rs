//! I011: the remains of an index build.

use crate::finding::Severity;
use crate::schema::IndexState;

use super::consequence::print_found;
use super::{Check, Context, Draft, Rule, Sink};

/// The rule.
pub(super) static RULE: Rule = Rule {
    code: "I011",
    name: "index-leftover",
    severity: Severity::Warning,
    summary: "an invalid index that a failed build left behind",
    page: include_str!("index_leftover.md"),
    check: Check::Table(check),
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
