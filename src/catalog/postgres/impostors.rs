//! Functions that people made under the name of a built-in one: `public.now()` is not `now()`.
//!
//! Elsewhere `public` is noise, since everyone has it in the search path. A name that means another function where it
//! stands alone keeps it: the namespace is put in quotes, which the server itself never does.

use std::borrow::Cow;

use super::rows::{CatalogRow, TableRow};
use crate::dialect::postgres::outside_quotes;

/// Marks the calls of such functions in every expression of an answer.
pub(super) fn mark(rows: &CatalogRow) -> Cow<'_, CatalogRow> {
    if rows.impostors.is_empty() {
        return Cow::Borrowed(rows);
    }
    let mut rows = rows.clone();
    let names = std::mem::take(&mut rows.impostors);
    for table in rows.tables.iter_mut().filter_map(|t| t.object.as_mut()) {
        each_expression(table, &mut |sql| {
            if let Some(marked) = marked(sql, &names) {
                *sql = marked;
            }
        });
    }
    Cow::Owned(rows)
}

fn each_expression(table: &mut TableRow, change: &mut dyn FnMut(&mut String)) {
    for column in &mut table.columns {
        let domains = column.domains.iter_mut();
        let of_domains = domains.flat_map(|d| {
            d.default
                .iter_mut()
                .chain(d.checks.iter_mut().map(|check| &mut check.sql))
        });
        let own = column.default.iter_mut().chain(&mut column.generation);
        own.chain(of_domains).for_each(&mut *change);
    }
    for constraint in &mut table.constraints {
        constraint.sql.iter_mut().for_each(&mut *change);
    }
    for index in &mut table.indexes {
        let parts = index.parts.iter_mut().filter_map(|part| part.expression.as_mut());
        index.predicate.iter_mut().chain(parts).for_each(&mut *change);
    }
}

fn marked(sql: &str, names: &[String]) -> Option<String> {
    const NAMESPACE: &str = "public.";
    let mut out = String::new();
    let mut rest = 0;
    let mut before = ' ';
    for (at, _, c) in outside_quotes(sql) {
        let begins = !(before.is_alphanumeric() || matches!(before, '_' | '.' | '$'));
        before = c;
        if !begins || !sql[at..].starts_with(NAMESPACE) {
            continue;
        }
        let called = sql[at + NAMESPACE.len()..].split_once('(').map(|(name, _)| name);
        if called.is_some_and(|called| names.iter().any(|name| name == called)) {
            out.push_str(&sql[rest..at]);
            out.push_str("\"public\".");
            rest = at + NAMESPACE.len();
        }
    }
    (rest > 0).then(|| out + &sql[rest..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_calls_of_such_functions_are_marked() {
        let names = ["now".to_owned(), "lower".to_owned()];
        let mark = |sql| marked(sql, &names);
        assert_eq!(mark("public.now()").as_deref(), Some("\"public\".now()"));
        assert_eq!(
            mark("(public.lower(a) || public.lower('public.now()'::text))").as_deref(),
            Some("(\"public\".lower(a) || \"public\".lower('public.now()'::text))")
        );
        for other in [
            "now()",
            "public.next_tenant()",
            "republic.now()",
            "'public.now()'",
            "public.now",
        ] {
            assert_eq!(mark(other), None, "{other}");
        }
    }
}
