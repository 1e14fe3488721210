//! I002: no index makes a wanted key unique.

use crate::compare::{IndexPair, Standing};
use crate::finding::Severity;
use crate::schema::Aspect;

use super::consequence::{creation, key_in_words, of_duplicates, print_found, print_wanted};
use super::{Check, Context, Draft, Rule, Sink};

/// The rule.
pub(super) static RULE: Rule = Rule {
    code: "I002",
    name: "unique-missing",
    severity: Severity::Critical,
    summary: "no index makes a key unique that the spec wants unique",
    page: include_str!("unique_missing.md"),
    check: Check::Index(check),
};

fn check(pair: &IndexPair<'_>, context: &Context<'_>, sink: &mut Sink<'_>) {
    if !pair.desired.unique.value || !matches!(pair.standing, Standing::Nothing) {
        return;
    }
    let name = &pair.desired.name.value;
    let object = context.path().index(name);
    if !context.table().sees(Aspect::Indexes) {
        super::index_missing::report_unseen(object, sink);
        return;
    }
    let (severity, impact) = of_duplicates(context, pair.desired);
    let key = key_in_words(pair.desired);
    let elsewhere = context
        .pair
        .sighting
        .index_elsewhere
        .iter()
        .find(|(index, _)| index == name);
    let message = match (pair.named, elsewhere) {
        (Some(index), _) if !index.unique => format!("`{name}` is an ordinary index, not a unique one"),
        (Some(index), _) => format!("`{name}` is `{}`, which does not make {key} unique", print_found(index)),
        (None, Some((_, table))) => {
            format!("no index makes {key} unique here; the index `{name}` is on the table `{table}`")
        }
        (None, None) => format!("no index makes {key} unique; `{name}` does not exist"),
    };
    let found = match pair.named {
        Some(index) => print_found(index),
        None => "nothing".to_owned(),
    };
    sink.report(Draft {
        severity,
        object,
        at: pair.desired.name.at,
        expected: Some(print_wanted(pair.desired)),
        found: Some(found),
        message,
        impact,
        help: help(pair, context, elsewhere.is_some()),
    });
}

fn help(pair: &IndexPair<'_>, context: &Context<'_>, elsewhere: bool) -> String {
    let first = if pair.named.is_some() {
        "Drop the index of that name first; IF NOT EXISTS would keep it. "
    } else {
        ""
    };
    format!(
        "{first}Remove duplicate rows. {}",
        creation(context, pair.desired, elsewhere)
    )
}
