//! Queries inside of conditions: over the same table, their conditions are those of the row.

use std::ops::ControlFlow;

use sqlparser::ast::{
    BinaryOperator, Expr, FunctionArguments, InTarget, LimitClause, ObjectName, Query, Select, SelectItem, SetExpr,
    TableFactor, visit_expressions,
};

use super::condition::{Branches, Conditions, Test, one, print, truth_test};
use super::value::{ROW_NUMBERS, Scope, Value};
use super::{Filter, last_name};
use crate::dialect::Dialect;

impl<'a> Conditions<'a> {
    /// `identity IN (SELECT identity FROM the same table WHERE …)`: the inner conditions are those of the row.
    pub(super) fn of_query(&self, inner: &Expr, query: &'a Query, negated: bool, whole: &'a Expr) -> Option<Branches> {
        if !self.is_identity(inner) {
            return one(Test::Opaque(print(whole, negated)));
        }
        self.rows_of(query, negated, whole)
    }

    /// Returns whether a test compares rows of the table with each other, and no times: it keeps a number of them.
    pub(super) fn is_of_the_table(&self, expr: &Expr) -> bool {
        let mut queries = 0;
        let strange = visit_expressions(expr, |part| {
            let fits = match part {
                Expr::Subquery(query) | Expr::Exists { subquery: query, .. } => {
                    queries += 1;
                    self.sole_table(query).is_some()
                }
                Expr::In { target, .. } => matches!(target, InTarget::List(_)),
                Expr::Function(function) => last_name(&function.name)
                    .is_none_or(|name| !self.setting.routines.iter().any(|r| r.name.eq_ignore_ascii_case(&name))),
                Expr::Identifier(name) => !self.scope.same(&self.scope.fold(name), self.setting.age),
                Expr::CompoundIdentifier(parts) => parts
                    .last()
                    .is_some_and(|name| !self.scope.same(&self.scope.fold(name), self.setting.age)),
                _ => true,
            };
            if fits {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
        queries > 0 && strange.is_continue()
    }

    /// Returns the query whose identity is equated with the row's, if that is what two expressions do.
    pub(super) fn joined(&self, left: &'a Expr, right: &'a Expr) -> Option<&'a Query> {
        let source = |expr: &'a Expr| match expr {
            Expr::CompoundIdentifier(parts) if parts.len() == 2 => {
                self.sources.get(&self.scope.fold(&parts[0])).copied()
            }
            Expr::Subquery(query) => Some(&**query),
            _ => None,
        };
        if self.is_identity(left) {
            source(right)
        } else if self.is_identity(right) {
            source(left)
        } else {
            None
        }
    }

    /// Returns whether `(SELECT count(*) FROM …)`, of whole tables, is compared with a number.
    pub(super) fn counts(&self, expr: &Expr, number: &Value) -> bool {
        let query = match expr {
            Expr::Nested(inner) => return self.counts(inner, number),
            Expr::Subquery(query) => query,
            _ => return false,
        };
        let SetExpr::Select(select) = &*query.body else {
            return false;
        };
        let counted = match select.projection.as_slice() {
            [SelectItem::UnnamedExpr(Expr::Function(function))] => {
                last_name(&function.name).is_some_and(|name| name.eq_ignore_ascii_case("count"))
            }
            _ => false,
        };
        let plain = select.selection.is_none() && select.having.is_none() && query.limit_clause.is_none();
        matches!(number, Value::Number(_)) && counted && plain && !select.from.is_empty()
    }

    /// Returns whether a condition makes the row one with that of the same table under another name.
    pub(super) fn equates(&self, expr: &Expr, alias: &str) -> bool {
        let owned = |expr: &Expr, by: &[String]| match expr {
            Expr::CompoundIdentifier(parts) if parts.len() == 2 => {
                let owner = self.scope.fold(&parts[0]);
                let owns = by.iter().any(|name| self.scope.same(name, &owner));
                owns.then(|| self.scope.fold(&parts[1]))
                    .filter(|name| self.is_identity_name(name))
            }
            _ => None,
        };
        let (own, other) = (self.scope.table.as_slice(), [alias.to_owned()]);
        match expr {
            Expr::Nested(inner) => self.equates(inner, alias),
            Expr::BinaryOp { left, op, right } => match op {
                BinaryOperator::And => self.equates(left, alias) || self.equates(right, alias),
                BinaryOperator::Eq => [(left, right), (right, left)].into_iter().any(|(a, b)| {
                    let pair = owned(a, own).zip(owned(b, &other));
                    pair.is_some_and(|(a, b)| self.scope.same(&a, &b))
                }),
                _ => false,
            },
            _ => false,
        }
    }

    fn is_identity(&self, expr: &Expr) -> bool {
        self.scope
            .column(expr)
            .is_some_and(|column| self.is_identity_name(&column))
    }

    fn is_identity_name(&self, column: &str) -> bool {
        ROW_NUMBERS.iter().any(|row| column.eq_ignore_ascii_case(row))
            || self.setting.identity.iter().any(|key| self.scope.same(key, column))
    }

    /// The conditions of a query over the same table, as conditions of the row.
    pub(super) fn rows_of(&self, query: &'a Query, negated: bool, whole: &'a Expr) -> Option<Branches> {
        let opaque = || one(Test::Opaque(print(whole, negated)));
        // A derived table around the same, which MySQL needs to delete from what it reads.
        if let Some(inner) = sole_query(query) {
            return self.rows_of(inner, negated, whole);
        }
        let Some((select, alias)) = self.sole_table(query) else {
            return opaque();
        };
        let mut scope = self.scope.clone();
        scope.table = alias;
        scope.shared = false;
        let inner = Conditions {
            setting: self.setting,
            scope,
            target: self.target,
            sources: self.sources.clone(),
        };
        let names_identity = select.projection.first().is_some_and(|item| match item {
            SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => inner.is_identity(expr),
            SelectItem::Wildcard(_) => true,
            _ => false,
        });
        if !names_identity || select.having.is_some() || select.distinct.is_some() {
            return opaque();
        }
        let (limited, skips) = limits(query);
        if skips || (negated && limited) {
            return one(Test::Filter(Filter {
                text: print(whole, negated),
                sql: None,
                excludes: negated,
            }));
        }
        match &select.selection {
            Some(condition) => inner.branches(condition, negated),
            None => one(truth_test(!negated)),
        }
    }

    /// Returns a query's SELECT and the names of its table, if that is the table rows are taken from.
    fn sole_table<'q>(&self, query: &'q Query) -> Option<(&'q Select, Vec<String>)> {
        let SetExpr::Select(select) = &*query.body else {
            return None;
        };
        let [from] = select.from.as_slice() else {
            return None;
        };
        let TableFactor::Table { name, alias, .. } = &from.relation else {
            return None;
        };
        let own = last_name(name)?;
        let same = names(&self.scope, name) == names(&self.scope, self.target);
        let short = self
            .scope
            .same(&fold_last(&self.scope, name)?, &fold_last(&self.scope, self.target)?)
            && (name.0.len() == 1 || self.target.0.len() == 1);
        let mut alias_names = vec![if self.scope.dialect == Dialect::Postgres {
            fold_last(&self.scope, name)?
        } else {
            own
        }];
        if let Some(alias) = alias {
            alias_names = vec![self.scope.fold(&alias.name)];
        }
        (from.joins.is_empty() && (same || short)).then_some((select, alias_names))
    }
}

fn names(scope: &Scope<'_>, name: &ObjectName) -> Vec<String> {
    name.0
        .iter()
        .filter_map(|p| p.as_ident())
        .map(|i| scope.fold(i))
        .collect()
}

pub(super) fn fold_last(scope: &Scope<'_>, name: &ObjectName) -> Option<String> {
    name.0.last()?.as_ident().map(|ident| scope.fold(ident))
}

/// `SELECT … FROM (SELECT …) x`: the inner query.
fn sole_query(query: &Query) -> Option<&Query> {
    let SetExpr::Select(select) = &*query.body else {
        return None;
    };
    match select.from.as_slice() {
        [from] if from.joins.is_empty() && select.selection.is_none() => match &from.relation {
            TableFactor::Derived { subquery, .. } => Some(subquery),
            _ => None,
        },
        _ => None,
    }
}

/// Returns whether a query takes a limited number of rows, and whether it skips some.
fn limits(query: &Query) -> (bool, bool) {
    let limited = query.limit_clause.is_some() || query.fetch.is_some();
    let skips = match &query.limit_clause {
        Some(LimitClause::LimitOffset { offset, .. }) => offset.is_some(),
        Some(LimitClause::OffsetCommaLimit { .. }) => true,
        None => false,
    };
    (limited, skips)
}

/// Returns the query inside of `ARRAY(SELECT …)` or parentheses.
pub(super) fn inner_query(expr: &Expr) -> Option<&Query> {
    match expr {
        Expr::Subquery(query) => Some(query),
        Expr::Nested(inner) => inner_query(inner),
        Expr::Function(function) => match &function.args {
            FunctionArguments::Subquery(query) => Some(query),
            _ => None,
        },
        _ => None,
    }
}
