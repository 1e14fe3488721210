//! What the spec promises to be unique, and which unique indexes refuse more than that.

use crate::compare::key_effect;
use crate::dialect::KeyEffect;
use crate::schema::{Equality, Index, KeyExpr, KeyPart};

use super::Context;

/// A key that rows may be refused for.
struct Promise<'a> {
    columns: Vec<&'a str>,
    /// Whether two rows without a value are equal.
    nulls_equal: bool,
}

/// Returns whether a unique index surely refuses rows that no promise refuses.
///
/// An index keeps a promise if it tells all rows apart that the promise tells apart: if it holds each column of the
/// promised key, whole or in a form that keeps different values different.
pub(super) fn refuses_more(index: &Index, context: &Context<'_>) -> bool {
    let (mut held, mut in_doubt) = (Vec::new(), Vec::new());
    // What else than equality refuses comes on top of the equal parts.
    for part in index.key.iter().filter(|part| part.operator.is_none()) {
        match &part.expr {
            KeyExpr::Column(name) if tells_apart(part, name, context) => held.push(name.as_str()),
            KeyExpr::Column(_) => {}
            KeyExpr::Expression { sql, columns } => match &columns[..] {
                [column] => match key_effect(sql, column, context.desired(), context.table(), context.facts) {
                    KeyEffect::Faithful | KeyEffect::MergesCase => held.push(column),
                    KeyEffect::Merges(_) => {}
                    KeyEffect::Forgets(_) | KeyEffect::Unknown => in_doubt.push(column.as_str()),
                },
                _ => in_doubt.extend(columns.iter().map(String::as_str)),
            },
        }
    }
    let among = |columns: &[&str], name: &str| columns.iter().any(|c| context.facts.same_name(c, name));
    !promises(index, context).iter().any(|promise| {
        let kept = promise.columns.iter().all(|c| among(&held, c) || among(&in_doubt, c));
        kept && (promise.nulls_equal || !index.nulls_not_distinct || !takes_null(index, context))
    })
}

/// Returns the keys that rows may be refused for: those of the spec, and the primary key that is there.
fn promises<'a>(index: &Index, context: &'a Context<'_>) -> Vec<Promise<'a>> {
    let normal = |sql: &str| context.facts.expression(sql);
    let stored = |columns: Vec<&'a str>| columns.into_iter().map(|c| context.facts.stored_name(c)).collect();
    let mut found = Vec::new();
    for wanted in context.desired().indexes.iter().filter(|wanted| wanted.unique.value) {
        let predicate = wanted.predicate.as_ref().map(|p| normal(&p.value));
        if (predicate.is_none() || predicate == index.predicate.as_deref().map(normal))
            && let Some(columns) = wanted.columns()
        {
            found.push(Promise {
                columns: stored(columns),
                nulls_equal: wanted.nulls_distinct.as_ref().is_some_and(|n| !n.value),
            });
        }
    }
    let names = |columns: &'a [String]| columns.iter().map(String::as_str).collect();
    let desired = context.desired().primary_key.value.guess();
    let observed = context.table().primary_key.as_ref().filter(|_| !index.primary);
    let keys = desired.into_iter().chain(observed.map(|key| &key.columns));
    found.extend(keys.map(|columns| Promise {
        columns: stored(names(columns)),
        nulls_equal: true,
    }));
    found
}

/// Returns whether different values of a column are different in the index.
fn tells_apart(part: &KeyPart, name: &str, context: &Context<'_>) -> bool {
    let facts = context.facts;
    let column = context
        .desired()
        .columns
        .iter()
        .find(|c| facts.same_name(&c.name.value, name));
    let exact = column.is_some_and(|c| c.compare.value.stated().is_some());
    let merges = part
        .collation
        .as_ref()
        .is_some_and(|c| c.equality == Equality::CaseInsensitive);
    part.prefix.is_none() && !(exact && merges)
}

fn takes_null(index: &Index, context: &Context<'_>) -> bool {
    let mut columns = index.key.iter().filter_map(KeyPart::as_column);
    columns.any(|name| context.table().columns.iter().any(|c| c.name == name && c.takes_null()))
}
