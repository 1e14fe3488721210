//! DELETE and TRUNCATE as removals.

use std::collections::BTreeMap;

use sqlparser::ast::{
    Delete, Expr, FromTable, JoinConstraint, JoinOperator, ObjectName, Query, TableFactor, TableWithJoins, Truncate,
};

use super::block::Reader;
use super::condition::{Branches, Conditions, Test, fold_last};
use super::value::Scope;
use super::{Age, Removal, Rows, TableName};
use crate::dialect::Dialect;
use crate::retention::model::Span;

impl<'a> Reader<'a> {
    /// Reads a TRUNCATE.
    pub(super) fn truncate(&mut self, truncate: &Truncate) {
        for target in &truncate.table_names {
            let removal = Removal {
                truncate: true,
                ..self.removal(&target.name, Rows::All)
            };
            self.reading.removals.push(removal);
        }
    }

    /// Reads a DELETE, with the common table expressions around it.
    pub(super) fn delete(&mut self, delete: &Delete, ctes: &BTreeMap<String, &Query>) {
        let text = delete.to_string();
        let (FromTable::WithFromKeyword(from) | FromTable::WithoutKeyword(from)) = &delete.from;
        let mut factors: Vec<&TableFactor> = Vec::new();
        let mut on: Vec<&Expr> = Vec::new();
        let using = delete.using.as_deref().unwrap_or_default();
        for table in from.iter().chain(using) {
            collect(table, &mut factors, &mut on);
        }
        let Some((target, alias)) = self.target(delete, &factors) else {
            self.unread("its target is not understood", &text);
            return;
        };
        let scope = self.scope(alias);
        let mut sources = ctes.clone();
        for factor in factors {
            match factor {
                TableFactor::Derived {
                    subquery,
                    alias: Some(alias),
                    ..
                } => {
                    sources.insert(scope.fold(&alias.name), subquery);
                }
                TableFactor::Table {
                    name,
                    alias: Some(alias),
                    ..
                } => {
                    if let Some(query) = fold_last(&scope, name).and_then(|n| ctes.get(&n)) {
                        sources.insert(scope.fold(&alias.name), query);
                    }
                }
                _ => {}
            }
        }
        let conditions = Conditions {
            setting: self.setting,
            scope,
            target,
            sources,
        };
        let mut branches: Option<Branches> = Some(vec![Vec::new()]);
        for condition in on.into_iter().chain(&delete.selection) {
            let more = conditions.read(condition);
            branches = branches.zip(more).and_then(|(have, more)| {
                let all = have
                    .iter()
                    .flat_map(|a| more.iter().map(move |b| [a.as_slice(), b].concat()));
                let all: Branches = all.collect();
                (all.len() <= 64).then_some(all)
            });
        }
        let Some(branches) = branches else {
            self.unread("its condition has too many alternatives", &text);
            return;
        };
        for branch in branches {
            if let Some(removal) = self.branch(target, branch) {
                self.reading.removals.push(removal);
            }
        }
    }

    /// Makes a removal of tests that must all hold; nothing if no row passes them.
    fn branch(&self, target: &ObjectName, tests: Vec<Test>) -> Option<Removal> {
        let mut older: Option<Age> = None;
        let mut younger: Option<Age> = None;
        let mut fixed = None;
        let mut opaque = None;
        let mut filters = Vec::new();
        for test in tests {
            match test {
                Test::Always => {}
                Test::Never => return None,
                Test::Older(age) => older = Some(older.map_or(age.clone(), |have| narrower(have, age))),
                Test::Younger(age) => younger = Some(age),
                Test::Fixed(column) => fixed = Some(column),
                Test::Opaque(text) => opaque = Some(text),
                Test::Filter(filter) => filters.push(filter),
            }
        }
        let mut ceiling: Option<Span> = None;
        let rows = match (older, younger, fixed, opaque) {
            (Some(age), younger, fixed, opaque) => {
                ceiling = younger.map(|y| y.span).or(fixed.map(|_| age.span));
                filters.extend(opaque.map(super::Filter::opaque));
                Rows::Older(age)
            }
            (None, _, _, Some(text)) => Rows::Unknown(text),
            (None, Some(age), _, None) => Rows::Younger(age),
            (None, None, Some(column), None) => Rows::Fixed(column),
            (None, None, None, None) if filters.is_empty() => Rows::All,
            (None, None, None, None) => Rows::Some,
        };
        Some(Removal {
            filters,
            ceiling,
            ..self.removal(target, rows)
        })
    }

    pub(super) fn removal(&self, name: &ObjectName, rows: Rows) -> Removal {
        let scope = self.scope(Vec::new());
        let parts: Vec<String> = name
            .0
            .iter()
            .filter_map(|p| p.as_ident())
            .map(|i| scope.fold(i))
            .collect();
        let (table, before) = parts
            .split_last()
            .map_or((String::new(), None), |(t, rest)| (t.clone(), rest.last().cloned()));
        Removal {
            table: TableName {
                namespace: before,
                name: table,
                path: self.path(),
            },
            rows,
            filters: Vec::new(),
            ceiling: None,
            conditional: self.is_conditional(),
            via: self.via(),
            role: self.role(),
            truncate: false,
        }
    }

    fn scope(&self, table: Vec<String>) -> Scope<'_> {
        Scope {
            dialect: self.setting.dialect,
            variables: self.variables(),
            table,
            age: self.setting.age,
        }
    }

    /// Returns the table that rows are deleted from, and the names it goes by in the statement.
    fn target<'d>(&self, delete: &'d Delete, factors: &[&'d TableFactor]) -> Option<(&'d ObjectName, Vec<String>)> {
        let fold = |name: &ObjectName| {
            let ident = name.0.last()?.as_ident()?;
            let bare = self.setting.dialect == Dialect::Postgres && ident.quote_style.is_none();
            Some(if bare {
                ident.value.to_lowercase()
            } else {
                ident.value.clone()
            })
        };
        let named = |factor: &&'d TableFactor| match factor {
            TableFactor::Table { name, alias, .. } => {
                let short = match alias {
                    Some(alias) => self.scope(Vec::new()).fold(&alias.name),
                    None => fold(name)?,
                };
                Some((name, short))
            }
            _ => None,
        };
        let (name, short) = match delete.tables.as_slice() {
            [] => named(factors.first()?)?,
            [wanted] => {
                let wanted = fold(wanted)?;
                factors
                    .iter()
                    .filter_map(named)
                    .find(|(_, short)| short.eq_ignore_ascii_case(&wanted))?
            }
            _ => return None,
        };
        let mut names = vec![short];
        names.extend(fold(name));
        names.dedup();
        Some((name, names))
    }
}

impl super::Filter {
    fn opaque(text: String) -> Self {
        Self {
            text,
            column: None,
            values: Vec::new(),
            excludes: false,
        }
    }
}

/// Returns the stricter of two ages.
fn narrower(a: Age, b: Age) -> Age {
    let span = Span {
        least: a.span.least.max(b.span.least),
        most: a.span.most.max(b.span.most),
    };
    let local = a.local || b.local;
    let column = if a.span.least >= b.span.least {
        a.column
    } else {
        b.column
    };
    Age { column, span, local }
}

fn collect<'d>(table: &'d TableWithJoins, factors: &mut Vec<&'d TableFactor>, on: &mut Vec<&'d Expr>) {
    factors.push(&table.relation);
    for join in &table.joins {
        factors.push(&join.relation);
        if let JoinOperator::Join(JoinConstraint::On(condition)) | JoinOperator::Inner(JoinConstraint::On(condition)) =
            &join.join_operator
        {
            on.push(condition);
        }
    }
}
