//! I001: the primary key is not the one the spec names.

use crate::finding::Severity;
use crate::schema::{Aspect, PrimaryKey};

use super::{Check, Context, Draft, Rule, Sink, repair};

/// The rule.
pub(super) static RULE: Rule = Rule {
    code: "I001",
    name: "primary-key",
    severity: Severity::Error,
    summary: "the primary key is missing or has other columns",
    page: include_str!("primary_key.md"),
    check: Check::Table(check),
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Some(table) = context.pair.table else { return };
    let wanted = &context.desired().primary_key;
    let object = context.path().clone();
    if !table.sees(Aspect::PrimaryKey) {
        if wanted.value.stated().is_some() {
            sink.unverified(
                object.aspect(Aspect::PrimaryKey),
                "The role cannot see the table's keys.",
                "Grant the role the right to see constraints, and check again.",
                true,
            );
        }
        return;
    }
    let found = table.primary_key.as_ref();
    sink.judge(
        &wanted.value,
        object.aspect(Aspect::PrimaryKey),
        wanted.at,
        || print(found),
        |columns| print_columns(columns),
        |columns| judge(context, columns, found),
    );
}

fn judge(context: &Context<'_>, wanted: &[String], found: Option<&PrimaryKey>) -> Option<Draft> {
    let facts = context.facts;
    let same = |key: &PrimaryKey| {
        key.columns.len() == wanted.len()
            && key
                .columns
                .iter()
                .zip(wanted)
                .all(|(c, w)| facts.same_name(c, facts.stored_name(w)))
    };
    if found.is_some_and(same) {
        return None;
    }
    let table = &context.desired().name.value;
    let expected = print_columns(wanted);
    let message = match found {
        None => format!("table `{table}` has no primary key; the spec wants `{expected}`"),
        Some(key) => format!(
            "the primary key of table `{table}` is `{}` instead of `{expected}`",
            print_columns(&key.columns)
        ),
    };
    Some(Draft {
        severity: Severity::Error,
        object: context.path().clone(),
        at: context.desired().primary_key.at,
        expected: Some(expected),
        found: Some(print(found)),
        message,
        impact: impact(context, wanted, found),
        help: repair::set_primary_key(context, wanted, found.is_some()),
    })
}

fn impact(context: &Context<'_>, wanted: &[String], found: Option<&PrimaryKey>) -> String {
    let table = context.pair.table;
    let unique_instead = table.into_iter().flat_map(|t| &t.indexes).find(|index| {
        let columns: Option<Vec<&str>> = index.key.iter().map(|part| part.as_column()).collect();
        index.unique
            && !index.primary
            && index.predicate.is_none()
            && columns.is_some_and(|c| {
                c.len() == wanted.len() && c.iter().zip(wanted).all(|(a, b)| context.facts.same_name(a, b))
            })
    });
    match (found, unique_instead) {
        (None, Some(index)) => format!(
            "The unique index `{}` gives the same uniqueness, but replication, ORMs and foreign keys ask for a primary key.",
            index.name
        ),
        (None, None) => "Rows have no identity that the database enforces: updates and deletes by key can hit several.".to_owned(),
        (Some(_), _) => "Rows are identified by other columns than the service uses: updates by its key can hit several rows, or inserts are refused.".to_owned(),
    }
}

fn print(found: Option<&PrimaryKey>) -> String {
    found.map_or_else(|| "nothing".to_owned(), |key| print_columns(&key.columns))
}

fn print_columns(columns: &[String]) -> String {
    format!("({})", columns.join(", "))
}
