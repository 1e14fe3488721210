//! I005: a unique index is present and enforces nothing.

use crate::compare::{Effect, IndexPair, Standing};
use crate::finding::Severity;
use crate::schema::IndexState;

use super::consequence::{of_duplicates, print_found, print_wanted};
use super::{Check, Context, Draft, Rule, Sink};

/// The rule.
pub(super) static RULE: Rule = Rule {
    code: "I005",
    name: "unique-invalid",
    severity: Severity::Critical,
    summary: "a unique index is present and not in force",
    page: include_str!("unique_invalid.md"),
    check: Check::Index(check),
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
