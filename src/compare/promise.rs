//! What the spec promises to be unique, and which unique indexes refuse more than that.

use crate::dialect::{Facts, KeyEffect, Row};
use crate::schema::{Collation, Column, DataType, DefaultExpr, Equality, Index, KeyPart, Table, Timing, Trigger};
use crate::spec::{ColumnSpec, TableSpec};

use super::key::{computed, key_effect};

/// A key that rows may be refused for.
struct Promise<'a> {
    columns: Vec<&'a str>,
    /// Whether two rows without a value are equal.
    nulls_equal: bool,
}

/// What a unique index refuses beside what a spec promises to be unique.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strictness {
    /// Nothing.
    Promised,
    /// Texts that differ only in letter case, of which the spec does not say whether they are equal. The column holds
    /// them apart.
    LetterCase,
    /// Not known: a part of the key is compared in a way that a person made.
    Unknown,
    /// Rows that the spec takes for different.
    More,
}

/// Finds out what a unique index refuses beside what is promised to be unique.
pub fn strictness(index: &Index, desired: &TableSpec, observed: &Table, facts: &dyn Facts) -> Strictness {
    let without = |left_out: &dyn Fn(&KeyPart) -> bool| {
        let mut rest = index.clone();
        rest.key.retain(|part| !left_out(part));
        rest.key.len() < index.key.len() && refuses_more(&rest, desired, observed, facts)
    };
    if refuses_more(index, desired, observed, facts) {
        Strictness::More
    } else if without(&|part| part.own_comparison) {
        Strictness::Unknown
    } else if without(&|part| merges_case_alone(part, desired, observed, facts)) {
        Strictness::LetterCase
    } else {
        Strictness::Promised
    }
}

/// Returns whether a part takes texts for equal that differ in letter case, although its column does not. The text of a
/// UUID has one spelling.
fn merges_case_alone(part: &KeyPart, desired: &TableSpec, observed: &Table, facts: &dyn Facts) -> bool {
    let merges = |collation: &Collation| collation.equality == Equality::CaseInsensitive;
    let Some(name) = part.as_column().filter(|_| part.collation.as_ref().is_some_and(merges)) else {
        return false;
    };
    let is_uuid = |c: &&ColumnSpec| {
        let ty = c.ty.value.guess();
        ty.is_some_and(|ty| ty.any == Some(DataType::Uuid))
    };
    let own = observed.columns.iter().find(|c| c.name == name);
    let by_column = own.and_then(|c| c.collation.as_ref()).is_some_and(merges);
    let wanted = desired
        .columns
        .iter()
        .find(|c| facts.same_name(name, facts.stored_name(&c.name.value)));
    !by_column && wanted.filter(is_uuid).is_none()
}

/// Returns whether a unique index surely refuses rows that no promise refuses.
///
/// An index keeps a promise if it tells all rows apart that the promise tells apart: if it holds each column of the
/// promised key, whole or in a form that keeps different values different.
pub fn refuses_more(index: &Index, desired: &TableSpec, observed: &Table, facts: &dyn Facts) -> bool {
    let never_equal =
        |part| is_numbered(part, desired, observed, facts) || stays_empty(part, index, desired, observed, facts);
    if index.key.iter().any(never_equal) || is_empty(index, observed, facts) {
        return false;
    }
    let (mut held, mut in_doubt) = (Vec::new(), Vec::new());
    // What else than equality refuses comes on top of the equal parts.
    for part in index
        .key
        .iter()
        .filter(|part| part.operator.is_none() && part.prefix.is_none())
    {
        if let Some(name) = part.as_column()
            && tells_apart(part, name, desired, facts)
        {
            match part.own_comparison {
                true => in_doubt.push(name),
                false => held.push(name),
            }
        }
        if let Some((sql, columns)) = computed(part, observed) {
            let columns_read = columns.iter().map(String::as_str);
            match key_effect(sql, columns, desired, observed, facts) {
                KeyEffect::Faithful | KeyEffect::MergesCase | KeyEffect::MergesDashes => held.extend(columns_read),
                KeyEffect::Merges(_) => {}
                KeyEffect::Forgets(_) | KeyEffect::Unknown => in_doubt.extend(columns_read),
            }
        }
    }
    let among = |columns: &[&str], name: &str| columns.iter().any(|c| facts.same_name(c, name));
    !promises(index, desired, observed, facts).iter().any(|promise| {
        let kept = promise.columns.iter().all(|c| among(&held, c) || among(&in_doubt, c));
        kept && (promise.nulls_equal || !index.nulls_not_distinct || !takes_null(index, observed))
    })
}

/// Returns the keys that rows may be refused for: those of the spec, and the primary key that is there.
fn promises<'a>(index: &Index, desired: &'a TableSpec, observed: &'a Table, facts: &dyn Facts) -> Vec<Promise<'a>> {
    let normal = |sql: &str| facts.expression(sql);
    let mut found = Vec::new();
    for wanted in desired.indexes.iter().filter(|wanted| wanted.unique.value) {
        let predicate = wanted.predicate.as_ref().map(|p| normal(&p.value));
        if (predicate.is_none() || predicate == index.predicate.as_deref().map(normal))
            && let Some(columns) = wanted.columns()
        {
            found.push(Promise {
                columns: columns.into_iter().map(|c| facts.stored_name(c)).collect(),
                nulls_equal: wanted.nulls_distinct.as_ref().is_some_and(|n| !n.value),
            });
        }
    }
    let own = observed.primary_key.as_ref().filter(|_| !index.primary);
    let keys = desired
        .primary_key
        .value
        .guess()
        .into_iter()
        .chain(own.map(|key| &key.columns));
    found.extend(keys.map(|columns| Promise {
        columns: columns.iter().map(|c| facts.stored_name(c)).collect(),
        nulls_equal: true,
    }));
    found
}

/// Returns whether each row gets a new value in a key part: the service does not write the column, and the server fills
/// it with values that do not come twice.
fn is_numbered(part: &KeyPart, desired: &TableSpec, observed: &Table, facts: &dyn Facts) -> bool {
    let whole = part.prefix.is_none() && part.operator.is_none() && !part.own_comparison;
    unwritten(part, desired, observed, facts)
        .filter(|_| whole)
        .is_some_and(|column| {
            let default = matches!(column.default, Some(DefaultExpr::FreshUuid | DefaultExpr::NextValue(_)));
            column.identity.is_some() || default
        })
}

/// Returns whether the service's rows are NULL in a key part, which no two rows are equal in: nobody writes the column.
fn stays_empty(part: &KeyPart, index: &Index, desired: &TableSpec, observed: &Table, facts: &dyn Facts) -> bool {
    let before_insert = |t: &Trigger| t.timing != Timing::After && t.events.iter().any(|event| event == "INSERT");
    let filled = |c: &Column| c.default.is_some() || c.generated.is_some() || c.identity.is_some();
    !index.nulls_not_distinct
        && !observed.triggers.iter().any(before_insert)
        && unwritten(part, desired, observed, facts).is_some_and(|column| column.takes_null() && !filled(column))
}

/// Returns the column of a key part, if the service does not write it: the spec does not speak of it.
fn unwritten<'a>(part: &KeyPart, desired: &TableSpec, observed: &'a Table, facts: &dyn Facts) -> Option<&'a Column> {
    let name = part.as_column()?;
    let written = |c: &ColumnSpec| facts.same_name(name, facts.stored_name(&c.name.value));
    let mut columns = observed.columns.iter().filter(|_| !desired.columns.iter().any(written));
    columns.find(|column| column.name == name)
}

/// Returns whether no row can be in an index: its predicate holds for none.
fn is_empty(index: &Index, observed: &Table, facts: &dyn Facts) -> bool {
    let row = Row {
        columns: &observed.columns,
        known: None,
    };
    let predicate = index.predicate.as_deref();
    predicate.is_some_and(|sql| facts.admits(sql, &row) == Some(false))
}

/// Returns whether different values of a column are different in the index.
fn tells_apart(part: &KeyPart, name: &str, desired: &TableSpec, facts: &dyn Facts) -> bool {
    let column = desired.columns.iter().find(|c| facts.same_name(&c.name.value, name));
    let exact = column.is_some_and(|c| c.compare.value.stated().is_some());
    let merges = part
        .collation
        .as_ref()
        .is_some_and(|c| c.equality == Equality::CaseInsensitive);
    !(exact && merges)
}

fn takes_null(index: &Index, table: &Table) -> bool {
    let mut columns = index.key.iter().filter_map(KeyPart::as_column);
    columns.any(|name| table.columns.iter().any(|c| c.name == name && c.takes_null()))
}
