//! I003: a unique index accepts duplicates of the wanted key.

use crate::compare::{Effect, IndexPair, Standing};
use crate::finding::Severity;

use super::consequence::{of_duplicates, print_found, print_wanted};
use super::{Check, Context, Draft, Rule, Sink};

/// The rule.
pub(super) static RULE: Rule = Rule {
    code: "I003",
    name: "unique-weaker",
    severity: Severity::Critical,
    summary: "a unique index accepts duplicates of the key that the spec wants unique",
    page: include_str!("unique_weaker.md"),
    check: Check::Index(check),
};

fn check(pair: &IndexPair<'_>, context: &Context<'_>, sink: &mut Sink<'_>) {
    let Standing::Nearest { index, differences } = &pair.standing else {
        return;
    };
    let what: Vec<&str> = differences
        .iter()
        .filter(|d| d.effect == Effect::LetsIn)
        .map(|d| d.what.as_str())
        .collect();
    if what.is_empty() {
        return;
    }
    let (severity, impact) = of_duplicates(context, pair.desired);
    sink.report(Draft {
        severity,
        object: context.path().index(&pair.desired.name.value),
        at: pair.desired.key.at,
        expected: Some(print_wanted(pair.desired)),
        found: Some(print_found(index)),
        message: format!("{} {}", index.name, what.join("; ")),
        impact,
        help: help(pair, context),
    });
}

fn help(pair: &IndexPair<'_>, context: &Context<'_>) -> String {
    let mut help = format!(
        "Find and merge duplicate rows, then replace the index by one over {}.",
        print_wanted(pair.desired)
    );
    if context.table().partitioning.is_some() {
        help.push_str(
            " While the table is partitioned, a unique key must hold the partition columns: partition by the key itself, or keep the ledger unpartitioned.",
        );
    }
    help
}
