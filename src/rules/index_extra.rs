//! I009: an index that the spec does not speak of.

use crate::finding::Severity;
use crate::schema::IndexState;

use super::consequence::print_found;
use super::index_redundant::twin;
use super::{Check, Context, Draft, Rule, Sink};

/// The rule.
pub(super) static RULE: Rule = Rule {
    code: "I009",
    name: "index-extra",
    severity: Severity::Info,
    summary: "an index that the spec does not speak of",
    page: include_str!("index_extra.md"),
    check: Check::Table(check),
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
            message: format!("the index `{}` is not in the spec", index.name),
            impact: "Each insert pays for it; reads may rely on it.".to_owned(),
            help: "Add it to the spec if it is meant, else drop it.".to_owned(),
        });
    }
}
