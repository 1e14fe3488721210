//! DELETE and TRUNCATE as removals.

use std::collections::BTreeMap;

use sqlparser::ast::{
    CascadeOption, Delete, Expr, FromTable, JoinConstraint, JoinOperator, ObjectName, Query, TableFactor,
    TableWithJoins, Truncate,
};

use super::block::Reader;
use super::condition::{Branches, Conditions, Test};
use super::subquery::fold_last;
use super::value::Scope;
use super::view::Layer;
use super::{Age, Filter, Means, Removal, Rows, TableName};
use crate::retention::model::Span;

/// More alternatives than this are not worth telling apart.
const MOST: usize = 64;

/// What stands beside the target of a DELETE.
#[derive(Default)]
struct Around<'d> {
    factors: Vec<&'d TableFactor>,
    /// Conditions of joins, and whose rows they leave alone.
    on: Vec<(&'d Expr, Keeps)>,
    /// Joins whose condition is not read.
    unread: Vec<String>,
}

/// The tables whose rows stay in a join without a partner, by their place in the statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keeps {
    None,
    Before(usize),
    Only(usize),
}

impl Keeps {
    fn has(self, place: Option<usize>) -> bool {
        place.is_some_and(|place| match self {
            Self::None => false,
            Self::Before(end) => place < end,
            Self::Only(one) => place == one,
        })
    }
}

impl<'a> Reader<'a> {
    /// Reads a TRUNCATE.
    pub(super) fn truncate(&mut self, truncate: &Truncate) {
        let means = match truncate.cascade {
            Some(CascadeOption::Cascade) => Means::Cascade,
            _ => Means::Truncate,
        };
        for target in &truncate.table_names {
            let removal = Removal {
                means,
                ..self.removal(&target.name, Rows::All)
            };
            self.reading.removals.push(removal);
        }
        self.commits_by_itself();
    }

    /// Reads a DELETE, with the common table expressions around it.
    pub(super) fn delete(&mut self, delete: &Delete, ctes: &BTreeMap<String, &Query>) {
        let (FromTable::WithFromKeyword(from) | FromTable::WithoutKeyword(from)) = &delete.from;
        let using = delete.using.as_deref().unwrap_or_default();
        // MySQL names only the targets before USING, and their tables behind it.
        let names_first = self.is_mysql() && delete.using.is_some();
        let mut around = Around::default();
        for table in from.iter().filter(|_| !names_first).chain(using) {
            around.collect(table);
        }
        let targets: Vec<&ObjectName> = if names_first {
            let names = from.iter().filter_map(|table| match &table.relation {
                TableFactor::Table { name, .. } => Some(name),
                _ => None,
            });
            names.collect()
        } else {
            delete.tables.iter().collect()
        };
        let found: Option<Vec<_>> = match targets.as_slice() {
            [] => around
                .factors
                .first()
                .map(|first| self.named(first).into_iter().collect()),
            names => names.iter().map(|name| self.target(name, &around.factors)).collect(),
        };
        match found.filter(|found| !found.is_empty()) {
            Some(found) => {
                for (target, names) in found {
                    self.delete_from(delete, target, names, &around, ctes);
                }
            }
            None => self.unread("its target is not understood", &delete.to_string()),
        }
    }

    fn delete_from(
        &mut self,
        delete: &Delete,
        target: &ObjectName,
        names: Vec<String>,
        around: &Around<'_>,
        ctes: &BTreeMap<String, &Query>,
    ) {
        let text = delete.to_string();
        let layers = match self.layers(target) {
            Ok(layers) => layers,
            Err(why) => return self.unread(&why, &text),
        };
        let through = self.through(delete, &layers);
        let place = around.factors.iter().position(|factor| {
            let named = self.named(factor);
            named.is_some_and(|(table, by)| std::ptr::eq(table, target) && by == names)
        });
        let target = layers.last().map_or(target, |layer| &layer.base);
        let shared = around.factors.len() > 1;
        let conditions = |names: Vec<String>, shared| Conditions {
            setting: self.setting,
            scope: Scope {
                shared,
                ..self.scope(names)
            },
            target,
            sources: self.sources(&around.factors, ctes),
        };
        let mut own = conditions(names, shared);
        let on = || around.on.iter().filter(|(_, keeps)| !keeps.has(place));
        let tests = || on().map(|(condition, _)| *condition).chain(&through.selection);
        let twins = around.factors.iter().filter_map(|factor| self.named(factor));
        let twins = twins.filter(|(table, _)| self.parts(table) == self.parts(target));
        let twins: Vec<String> = twins
            .filter_map(|(_, names)| names.into_iter().next())
            .filter(|alias| tests().any(|test| own.equates(test, alias)))
            .collect();
        own.scope.table.extend(twins);
        let inner: Vec<(Conditions<'_>, &Layer)> = layers
            .iter()
            .map(|layer| (conditions(layer.names.clone(), false), layer))
            .collect();
        let read = tests().map(|condition| own.read(condition));
        let of_views = inner
            .iter()
            .filter_map(|(conditions, layer)| layer.condition.as_ref().map(|condition| conditions.read(condition)));
        let unread = around
            .unread
            .iter()
            .map(|text| Some(vec![vec![Test::Opaque(text.clone())]]));
        let mut branches: Option<Branches> = Some(vec![Vec::new()]);
        for more in read.chain(of_views).chain(unread) {
            branches = branches.zip(more).and_then(|(have, more)| {
                let all = have
                    .iter()
                    .flat_map(|a| more.iter().map(move |b| [a.as_slice(), b].concat()));
                let all: Branches = all.collect();
                (all.len() <= MOST).then_some(all)
            });
        }
        let Some(branches) = branches else {
            self.unread("its condition has too many alternatives", &text);
            return;
        };
        let mut removals: Vec<Removal> = branches
            .into_iter()
            .filter_map(|branch| self.branch(target, branch))
            .collect();
        // An alternative that is never true does not matter beside one that is.
        let removes = |r: &Removal| r.fails.is_some() || !matches!(r.rows, Rows::Nothing(_));
        if removals.iter().any(removes) {
            removals.retain(removes);
        }
        self.reading.removals.extend(removals);
    }

    /// Returns the queries that stand beside the target, by alias.
    fn sources<'q>(
        &self,
        factors: &[&'q TableFactor],
        ctes: &BTreeMap<String, &'q Query>,
    ) -> BTreeMap<String, &'q Query> {
        let scope = self.scope(Vec::new());
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
        sources
    }

    /// Makes a removal of tests that must all hold; nothing if no row passes them.
    fn branch(&self, target: &ObjectName, tests: Vec<Test>) -> Option<Removal> {
        let mut older: Option<Age> = None;
        let mut younger: Option<Age> = None;
        let (mut fixed, mut opaque, mut nothing, mut error) = (None, None, None, None);
        let (mut filters, mut guards, mut vain) = (Vec::new(), Vec::new(), Vec::new());
        for test in tests {
            match test {
                Test::Always => {}
                Test::Never => return None,
                Test::Older(age) => older = Some(older.map_or(age.clone(), |have| narrower(have, age))),
                Test::Younger(age) => younger = Some(age),
                Test::Fixed(text) => fixed = Some(text),
                Test::Opaque(text) => opaque = Some(text),
                Test::Filter(filter) => filters.push(filter),
                Test::Guard(text) => guards.push(Filter::opaque(text)),
                Test::Vain(text) => vain.push(Filter::opaque(format!("`{text}`, which every row passes"))),
                Test::Nothing(why) => nothing = Some(why),
                Test::Error(why) => error = Some(why),
            }
        }
        let mut ceiling: Option<Span> = None;
        // Beside an age, it only says on which day the old rows go.
        let waits = older.is_some() && !guards.is_empty();
        let rows = match (older, younger, fixed, opaque) {
            _ if error.is_some() || nothing.is_some() => Rows::Nothing(nothing.unwrap_or_default()),
            (Some(age), younger, fixed, opaque) => {
                ceiling = younger.map(|y| y.span);
                filters.extend(opaque.map(Filter::opaque));
                filters.extend(fixed.map(Filter::sparing));
                Rows::Older(age)
            }
            (None, _, _, Some(text)) => Rows::Unknown(text),
            (None, Some(age), _, None) => Rows::Younger(age),
            (None, None, Some(text), None) => Rows::Fixed(text),
            (None, None, None, None) if filters.is_empty() && guards.is_empty() && vain.is_empty() => Rows::All,
            (None, None, None, None) => {
                filters.extend(guards);
                filters.extend(vain);
                Rows::Some
            }
        };
        let removal = self.removal(target, rows);
        Some(Removal {
            filters,
            ceiling,
            conditional: removal.conditional || waits,
            fails: removal.fails.or(error),
            ..removal
        })
    }

    pub(super) fn removal(&self, name: &ObjectName, rows: Rows) -> Removal {
        let parts = self.parts(name);
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
            means: Means::Delete,
            fails: self.refused.clone().or_else(|| self.routines_refuse()),
            closed_to: self
                .routines
                .first()
                .map_or_else(Vec::new, |first| first.closed_to.clone()),
        }
    }

    /// Why the routines that are open let no deletion through.
    fn routines_refuse(&self) -> Option<String> {
        let only_reads = self.routines.last().filter(|routine| routine.reads_only);
        let only_reads =
            only_reads.map(|r| format!("`{}` is not VOLATILE, so that the server refuses its deletions", r.name));
        self.routines.iter().find_map(|r| r.fails.clone()).or(only_reads)
    }

    /// Returns the parts of a name as the server stores them.
    pub(super) fn parts(&self, name: &ObjectName) -> Vec<String> {
        let scope = self.scope(Vec::new());
        let parts = name.0.iter().filter_map(|p| p.as_ident());
        parts.map(|ident| scope.fold(ident)).collect()
    }

    fn scope(&self, table: Vec<String>) -> Scope<'_> {
        Scope {
            dialect: self.setting.dialect,
            variables: self.variables(),
            table,
            setting: self.setting,
            shared: false,
        }
    }

    /// Returns a table, and the names it goes by in the statement.
    fn named<'d>(&self, factor: &'d TableFactor) -> Option<(&'d ObjectName, Vec<String>)> {
        let TableFactor::Table { name, alias, .. } = factor else {
            return None;
        };
        let mut names: Vec<String> = Vec::new();
        names.extend(alias.as_ref().map(|alias| self.scope(Vec::new()).fold(&alias.name)));
        names.extend(self.parts(name).pop());
        names.dedup();
        Some((name, names))
    }

    /// Returns the table that a target of MySQL stands for.
    fn target<'d>(&self, wanted: &ObjectName, factors: &[&'d TableFactor]) -> Option<(&'d ObjectName, Vec<String>)> {
        let wanted = self.parts(wanted).pop()?;
        let named = factors.iter().filter_map(|factor| self.named(factor));
        named
            .into_iter()
            .find(|(_, names)| names[0].eq_ignore_ascii_case(&wanted))
    }
}

impl<'d> Around<'d> {
    fn factor(&mut self, factor: &'d TableFactor) {
        self.factors.push(factor);
        if let TableFactor::Table { partitions, .. } = factor
            && !partitions.is_empty()
        {
            let names: Vec<String> = partitions.iter().map(ToString::to_string).collect();
            self.unread.push(format!("PARTITION ({})", names.join(", ")));
        }
    }

    fn collect(&mut self, table: &'d TableWithJoins) {
        self.factor(&table.relation);
        for join in &table.joins {
            self.factor(&join.relation);
            let here = self.factors.len() - 1;
            let (constraint, keeps) = match &join.join_operator {
                JoinOperator::Left(constraint) | JoinOperator::LeftOuter(constraint) => {
                    (constraint, Keeps::Before(here))
                }
                JoinOperator::Right(constraint) | JoinOperator::RightOuter(constraint) => {
                    (constraint, Keeps::Only(here))
                }
                JoinOperator::Join(constraint)
                | JoinOperator::Inner(constraint)
                | JoinOperator::CrossJoin(constraint)
                | JoinOperator::StraightJoin(constraint) => (constraint, Keeps::None),
                _ => (&JoinConstraint::Natural, Keeps::None),
            };
            match constraint {
                JoinConstraint::On(condition) => self.on.push((condition, keeps)),
                _ if matches!(keeps, Keeps::Before(_)) => {}
                JoinConstraint::None => {}
                _ => self.unread.push(join.to_string()),
            }
        }
    }
}

impl Filter {
    fn opaque(text: String) -> Self {
        Self {
            text,
            sql: None,
            excludes: false,
        }
    }

    fn sparing(text: String) -> Self {
        Self {
            excludes: true,
            ..Self::opaque(text)
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
