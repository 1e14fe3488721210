//! Keys of indexes: what they tell apart, how they are written, and which index does all that another one does.

use crate::dialect::{Facts, KeyEffect};
use crate::schema::{DataType, Index, IndexState, KeyExpr, KeyPart, Table};
use crate::spec::{ColumnSpec, TableSpec};

/// Asks what an expression does to the keys of the columns that it reads.
pub(super) fn key_effect(
    sql: &str,
    columns: &[String],
    wanted: &TableSpec,
    observed: &Table,
    facts: &dyn Facts,
) -> KeyEffect {
    match columns {
        _ if facts.is_condition(sql) => {
            KeyEffect::Merges("a condition gives all rows for which it holds one key".to_owned())
        }
        [column] => effect_on(sql, column, wanted, observed, facts),
        _ => KeyEffect::Unknown,
    }
}

/// Asks what an expression does to a column's keys. A merge of letter case is none for a UUID, and none that breaks a
/// promise where the spec is silent about letter case; nor is one of dashes for a UUID, all of which have the same ones.
fn effect_on(sql: &str, column: &str, wanted: &TableSpec, observed: &Table, facts: &dyn Facts) -> KeyEffect {
    let wanted = wanted.columns.iter().find(|c| facts.same_name(&c.name.value, column));
    let Some(observed) = observed.columns.iter().find(|c| c.name == column) else {
        return KeyEffect::Unknown;
    };
    match facts.key_effect(sql, observed) {
        KeyEffect::MergesCase if wanted.is_some_and(|c| c.compare.value.stated().is_some()) => {
            KeyEffect::Merges("texts that differ in letter case are one key".to_owned())
        }
        KeyEffect::MergesCase => KeyEffect::Faithful,
        KeyEffect::MergesDashes => {
            let is_uuid = |c: &&ColumnSpec| c.ty.value.guess().is_some_and(|ty| ty.any == Some(DataType::Uuid));
            match wanted.filter(is_uuid) {
                Some(_) => KeyEffect::Faithful,
                None => KeyEffect::Merges("texts that differ in dashes are one key".to_owned()),
            }
        }
        effect => effect,
    }
}

/// Returns what a part of a key is computed by, and the columns that this reads: its own expression, or that of the
/// generated column it is over.
pub(super) fn computed<'a>(part: &'a KeyPart, table: &'a Table) -> Option<(&'a str, &'a [String])> {
    match &part.expr {
        KeyExpr::Expression { sql, columns } => Some((sql, columns)),
        KeyExpr::Column(name) => {
            let column = table.columns.iter().find(|c| c.name == *name)?;
            let generated = column.generated.as_ref().filter(|g| !g.reads.is_empty())?;
            Some((&generated.sql, &generated.reads))
        }
    }
}

/// Returns whether an index does all that another one of the same table does, so that nothing misses the other.
pub fn replaces(index: &Index, other: &Index, table: &Table, facts: &dyn Facts) -> bool {
    // The cheap questions first: a table can have thousands of indexes.
    same_key(index, other, facts)
        && index.state == IndexState::Valid
        && !index.ignored
        && index.serves_equality
        && other.serves_equality
        && (index.method == "btree" || index.method == other.method)
        && other.relied_on.is_none()
        && refuses_as_much(index, other, table)
        && same_rows(index, other, facts)
        && other
            .include
            .iter()
            .all(|name| index.include.iter().any(|own| facts.same_name(own, name)))
}

fn same_rows(index: &Index, other: &Index, facts: &dyn Facts) -> bool {
    let normal = |sql: &str| facts.expression(sql);
    index.predicate.as_deref().map(normal) == other.predicate.as_deref().map(normal)
}

/// Returns whether two keys have the same parts and the same order, read forwards or backwards.
fn same_key(index: &Index, other: &Index, facts: &dyn Facts) -> bool {
    let pairs = || index.key.iter().zip(&other.key);
    let equal = |(a, b): (&KeyPart, &KeyPart)| {
        same_expr(&a.expr, &b.expr, facts)
            && a.prefix == b.prefix
            && a.operator == b.operator
            && a.operator_class == b.operator_class
            && a.collation.as_ref().map(|c| &c.name) == b.collation.as_ref().map(|c| &c.name)
    };
    let nulls = |part: &KeyPart| part.nulls_first.unwrap_or(part.descending);
    let forwards = |(a, b): (&KeyPart, &KeyPart)| a.descending == b.descending && nulls(a) == nulls(b);
    let backwards = |(a, b): (&KeyPart, &KeyPart)| a.descending != b.descending && nulls(a) != nulls(b);
    index.key.len() == other.key.len() && pairs().all(equal) && (pairs().all(forwards) || pairs().all(backwards))
}

fn same_expr(a: &KeyExpr, b: &KeyExpr, facts: &dyn Facts) -> bool {
    match (a, b) {
        (KeyExpr::Column(a), KeyExpr::Column(b)) => facts.same_name(a, b),
        (KeyExpr::Expression { sql: a, .. }, KeyExpr::Expression { sql: b, .. }) => {
            facts.expression(a) == facts.expression(b)
        }
        (KeyExpr::Column(_), KeyExpr::Expression { .. }) | (KeyExpr::Expression { .. }, KeyExpr::Column(_)) => false,
    }
}

/// Returns whether an index of the same key refuses what another one refuses, and serves the same upserts.
fn refuses_as_much(index: &Index, other: &Index, table: &Table) -> bool {
    let takes_null = || {
        let mut columns = other.key.iter().filter_map(KeyPart::as_column);
        columns.any(|name| table.columns.iter().any(|c| c.name == name && c.takes_null()))
    };
    let serves_upserts = |index: &Index| !index.deferrable && !index.exclusion;
    !other.unique
        || (index.unique
            && (serves_upserts(index) || !serves_upserts(other))
            && (index.nulls_not_distinct || !other.nulls_not_distinct || !takes_null()))
}

/// Prints one key part.
pub fn print_part(part: &KeyPart) -> String {
    let expr = match &part.expr {
        KeyExpr::Column(name) => name,
        KeyExpr::Expression { sql, .. } => sql,
    };
    match (&part.operator, part.prefix) {
        (Some(operator), _) => format!("{expr} WITH {operator}"),
        (None, Some(length)) => format!("{expr}({length})"),
        (None, None) => expr.clone(),
    }
}

/// Prints a key: `(EventId, TenantId)`.
pub fn print_key(key: &[KeyPart]) -> String {
    let parts: Vec<String> = key
        .iter()
        .map(|part| format!("{}{}", print_part(part), if part.descending { " desc" } else { "" }))
        .collect();
    format!("({})", parts.join(", "))
}
