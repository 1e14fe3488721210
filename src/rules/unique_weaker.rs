//! I003: a unique index accepts duplicates of the wanted key.

use crate::compare::{Effect, IndexPair, Standing};
use crate::finding::Severity;
use crate::schema::Index;

use super::consequence::{of_duplicates, print_found, print_wanted, replacement};
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
        message: format!("the index `{}` {}", index.name, what.join("; ")),
        impact,
        help: help(pair, index, context),
    });
}

fn help(pair: &IndexPair<'_>, index: &Index, context: &Context<'_>) -> String {
    let next = if context.table().partitioning.is_some() {
        "While the table is partitioned, a unique key must hold the partition columns: partition by the key itself, or \
         keep the ledger unpartitioned."
            .to_owned()
    } else if print_found(index) == print_wanted(pair.desired) {
        "No index reaches the rows of child tables: move them into the table, and detach the children.".to_owned()
    } else {
        replacement(context, pair, index)
    };
    format!("Find and merge duplicate rows. {next}")
}
