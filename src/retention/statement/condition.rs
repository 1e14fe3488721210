//! Which rows a DELETE takes: its conditions as alternatives, each a list of tests that must all hold.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use sqlparser::ast::{
    BinaryOperator, Expr, FunctionArguments, InTarget, LimitClause, ObjectName, Query, Select, SelectItem, SetExpr,
    TableFactor, UnaryOperator, visit_expressions,
};

use super::kinds::{Outcome, outcome};
use super::value::{Line, ROW_NUMBERS, Scope, Value};
use super::{Age, Filter, Setting, last_name};
use crate::dialect::Dialect;
use crate::retention::model::Span;
use crate::retention::span::parse_interval;

/// More alternatives than this are not worth telling apart.
const MOST: usize = 16;

/// One test of a row.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Test {
    /// The row is older than this.
    Older(Age),
    /// The row is younger than this.
    Younger(Age),
    /// The row is from before a fixed time (or from after it), by this column.
    Fixed(String),
    /// Every row passes.
    Always,
    /// Every row passes, which nobody meant; the test.
    Vain(String),
    /// No row passes.
    Never,
    /// No row passes, which nobody meant; why, as a clause.
    Nothing(String),
    /// The server refuses it; why, as a clause.
    Error(String),
    /// A test that has nothing to do with time.
    Filter(Filter),
    /// A test that this program does not understand.
    Opaque(String),
}

/// Alternatives, each a list of tests.
pub(super) type Branches = Vec<Vec<Test>>;

/// The conditions of one DELETE.
pub(super) struct Conditions<'a> {
    pub(super) setting: &'a Setting<'a>,
    pub(super) scope: Scope<'a>,
    /// The table that rows are taken from.
    pub(super) target: &'a ObjectName,
    /// Queries by alias: common table expressions and derived tables.
    pub(super) sources: BTreeMap<String, &'a Query>,
}

impl<'a> Conditions<'a> {
    /// Reads a condition; nothing where there are too many alternatives.
    pub(super) fn read(&self, expr: &'a Expr) -> Option<Branches> {
        self.branches(expr, false)
    }

    fn branches(&self, expr: &'a Expr, negated: bool) -> Option<Branches> {
        match expr {
            Expr::Nested(inner) => self.branches(inner, negated),
            Expr::IsTrue(inner) | Expr::IsNotFalse(inner) => self.branches(inner, negated),
            Expr::IsFalse(inner) | Expr::IsNotTrue(inner) => self.branches(inner, !negated),
            Expr::UnaryOp {
                op: UnaryOperator::Not,
                expr,
            } => self.branches(expr, !negated),
            Expr::BinaryOp { left, op, right } => match (op, negated) {
                (BinaryOperator::And, false) | (BinaryOperator::Or, true) => {
                    both(self.branches(left, negated)?, &self.branches(right, negated)?)
                }
                (BinaryOperator::And, true) | (BinaryOperator::Or, false) => {
                    either(self.branches(left, negated)?, self.branches(right, negated)?)
                }
                _ => self.comparison(left, op, right, negated, expr),
            },
            Expr::Between {
                expr: inner,
                negated: not,
                low,
                high,
            } => {
                let outside = negated != *not;
                let above = self.comparison(inner, &BinaryOperator::GtEq, low, outside, expr)?;
                let below = self.comparison(inner, &BinaryOperator::LtEq, high, outside, expr)?;
                if outside {
                    either(above, below)
                } else {
                    both(above, &below)
                }
            }
            Expr::In {
                expr: inner,
                target,
                negated: not,
                ..
            } => self.member(inner, target, negated != *not, expr),
            Expr::AnyOp {
                left,
                compare_op: BinaryOperator::Eq,
                right,
                ..
            } => match inner_query(right) {
                Some(query) => self.of_query(left, query, negated, expr),
                None => one(self.other(expr, negated)),
            },
            _ => one(self.single(expr, negated)),
        }
    }

    fn single(&self, expr: &Expr, negated: bool) -> Test {
        if let Expr::IsNotNull(column) = expr
            && !negated
            && self
                .scope
                .column(column)
                .is_some_and(|c| self.scope.same(&c, self.setting.age))
        {
            return Test::Always;
        }
        match self.scope.value(expr) {
            Value::Truth(truth) => truth_test(truth != negated),
            Value::Number(number) => truth_test((number != 0.0) != negated),
            _ => self.other(expr, negated),
        }
    }

    /// A test that compares no times.
    fn other(&self, expr: &Expr, negated: bool) -> Test {
        let text = print(expr, negated);
        if self.is_deep(expr) {
            return Test::Opaque(text);
        }
        Test::Filter(Filter {
            text,
            column: None,
            values: Vec::new(),
            excludes: negated,
        })
    }

    /// Returns whether an expression reads the age, asks another query, calls a routine of the database or names a
    /// value that is not known.
    fn is_deep(&self, expr: &Expr) -> bool {
        let found = visit_expressions(expr, |part| {
            let deep = match part {
                Expr::Subquery(_) | Expr::Exists { .. } => true,
                Expr::In { target, .. } => !matches!(target, InTarget::List(_)),
                Expr::Function(function) => last_name(&function.name)
                    .is_some_and(|name| self.setting.routines.iter().any(|r| r.name.eq_ignore_ascii_case(&name))),
                Expr::Identifier(_) | Expr::CompoundIdentifier(_) => {
                    let column = self.scope.column(part);
                    self.scope.is_open(part) || column.is_some_and(|c| self.scope.same(&c, self.setting.age))
                }
                _ => false,
            };
            if deep {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        found.is_break()
    }

    fn comparison(
        &self,
        left: &'a Expr,
        op: &BinaryOperator,
        right: &'a Expr,
        negated: bool,
        whole: &'a Expr,
    ) -> Option<Branches> {
        let Some(op) = Order::of(op).map(|op| if negated { op.turned() } else { op }) else {
            return one(self.other(whole, negated));
        };
        if op == Order::Equal
            && let Some(query) = self.joined(left, right)
        {
            return self.rows_of(query, false, whole);
        }
        let (a, b) = (self.scope.value(left), self.scope.value(right));
        if let Some(test) = self.of_kinds(&a, op, &b, whole, negated) {
            return one(test);
        }
        let Some(line) = self.difference(&a, &b) else {
            return one(self.plain(&a, op, &b, left, right, whole, negated));
        };
        match (line.column, line.now) {
            (0, 0) if line.offset.least == line.offset.most => one(truth_test(op.holds(line.offset.least))),
            (1, -1) => Some(by_age(&line, op, true)),
            (-1, 1) => Some(by_age(&line, op, false)),
            (1 | -1, 0) => one(Test::Fixed(line.name.unwrap_or_default())),
            (0, _) => one(self.other(whole, negated)),
            _ => one(Test::Opaque(print(whole, negated))),
        }
    }

    /// Reads a comparison of two kinds of values.
    fn of_kinds(&self, a: &Value, op: Order, b: &Value, whole: &Expr, negated: bool) -> Option<Test> {
        let dialect = self.scope.dialect;
        let of = |column: &Value, other: &Value| match column {
            Value::Line(line) => outcome(dialect, line, other),
            _ => None,
        };
        let (outcome, column_first) = of(a, b).map(|o| (o, true)).or_else(|| of(b, a).map(|o| (o, false)))?;
        let text = print(whole, negated);
        let kinds = format!("`{text}` compares two kinds of values");
        let smaller = match outcome {
            Outcome::Error => return Some(Test::Error(format!("{kinds}, which the server refuses"))),
            Outcome::Open => return Some(Test::Opaque(text)),
            Outcome::Smaller => column_first,
            Outcome::Greater => !column_first,
        };
        Some(if op.holds(if smaller { -1 } else { 1 }) {
            Test::Vain(text)
        } else {
            Test::Nothing(format!("{kinds} and is never true"))
        })
    }

    /// Subtracts two values, if they are times.
    fn difference(&self, a: &Value, b: &Value) -> Option<Line> {
        let line = |value: &Value, beside: &Value| -> Option<Line> {
            let span = |offset, unit| Line {
                unit,
                ..Line::span(offset)
            };
            match (value, beside) {
                (Value::Line(line), _) => Some(line.clone()),
                // Without a unit it is a fixed point, if it is a time at all.
                (Value::Number(n), Value::Line(other)) => {
                    other.unit.map(|unit| span(Span::exact(unit).times(*n), Some(unit)))
                }
                (Value::Text(text), Value::Line(other)) if other.now == 0 && other.column != 0 => {
                    looks_like_a_date(text).then(|| span(Span::exact(0), None))
                }
                (Value::Text(text), Value::Line(_)) if self.scope.dialect == Dialect::Postgres => {
                    parse_interval(text).map(|s| span(s, None))
                }
                _ => None,
            }
        };
        if !matches!(a, Value::Line(_)) && !matches!(b, Value::Line(_)) {
            return None;
        }
        let (left, right) = (line(a, b)?, line(b, a)?);
        left.minus(right)
    }

    #[allow(clippy::too_many_arguments, reason = "both sides in both forms")]
    fn plain(&self, a: &Value, op: Order, b: &Value, left: &Expr, right: &Expr, whole: &Expr, negated: bool) -> Test {
        if let (Value::Number(a), Value::Number(b)) = (a, b) {
            return truth_test(op.holds_for(a.partial_cmp(b)));
        }
        if let (Value::Text(a), Value::Text(b)) = (a, b)
            && matches!(op, Order::Equal | Order::Different)
        {
            return truth_test((a == b) == (op == Order::Equal));
        }
        let listed = |column: &Expr, value: &Value| match (self.scope.column(column), value) {
            (Some(column), Value::Text(text)) => Some((column, text.clone())),
            _ => None,
        };
        let pair = listed(left, b).or_else(|| listed(right, a));
        match pair {
            Some((column, value)) if matches!(op, Order::Equal | Order::Different) => Test::Filter(Filter {
                text: print(whole, negated),
                column: Some(column),
                values: vec![value],
                excludes: op == Order::Different,
            }),
            _ => self.other(whole, negated),
        }
    }

    fn member(&self, inner: &'a Expr, target: &'a InTarget, negated: bool, whole: &'a Expr) -> Option<Branches> {
        match target {
            InTarget::Subquery(query) => self.of_query(inner, query, negated, whole),
            InTarget::List(values) => {
                let texts: Vec<String> = values
                    .iter()
                    .filter_map(|v| match self.scope.value(v) {
                        Value::Text(text) => Some(text),
                        _ => None,
                    })
                    .collect();
                let Some(column) = self.scope.column(inner).filter(|_| texts.len() == values.len()) else {
                    return one(self.other(whole, negated));
                };
                one(Test::Filter(Filter {
                    text: print(whole, negated),
                    column: Some(column),
                    values: texts,
                    excludes: negated,
                }))
            }
            _ => one(Test::Opaque(print(whole, negated))),
        }
    }

    /// `identity IN (SELECT identity FROM the same table WHERE …)`: the inner conditions are those of the row.
    fn of_query(&self, inner: &Expr, query: &'a Query, negated: bool, whole: &'a Expr) -> Option<Branches> {
        if !self.is_identity(inner) {
            return one(Test::Opaque(print(whole, negated)));
        }
        self.rows_of(query, negated, whole)
    }

    /// Returns the derived table whose identity is equated with the row's, if that is what two expressions do.
    fn joined(&self, left: &Expr, right: &Expr) -> Option<&'a Query> {
        let source = |expr: &Expr| match expr {
            Expr::CompoundIdentifier(parts) if parts.len() == 2 => self.sources.get(&self.scope.fold(&parts[0])),
            _ => None,
        };
        if self.is_identity(left) {
            source(right).copied()
        } else if self.is_identity(right) {
            source(left).copied()
        } else {
            None
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
    fn rows_of(&self, query: &'a Query, negated: bool, whole: &'a Expr) -> Option<Branches> {
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
                column: None,
                values: Vec::new(),
                excludes: negated,
            }));
        }
        match &select.selection {
            Some(condition) => inner.branches(condition, negated),
            None => one(truth_test(!negated)),
        }
    }

    /// Returns a query's SELECT and the names of its table, if that is the table rows are taken from.
    fn sole_table(&self, query: &'a Query) -> Option<(&'a Select, Vec<String>)> {
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
fn inner_query(expr: &Expr) -> Option<&Query> {
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

/// A comparison, or its reverse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Less,
    Greater,
    Equal,
    Different,
    LessOrEqual,
    GreaterOrEqual,
}

impl Order {
    fn of(op: &BinaryOperator) -> Option<Self> {
        Some(match op {
            BinaryOperator::Lt => Self::Less,
            BinaryOperator::LtEq => Self::LessOrEqual,
            BinaryOperator::Gt => Self::Greater,
            BinaryOperator::GtEq => Self::GreaterOrEqual,
            BinaryOperator::Eq => Self::Equal,
            BinaryOperator::NotEq => Self::Different,
            _ => return None,
        })
    }

    fn turned(self) -> Self {
        match self {
            Self::Less => Self::GreaterOrEqual,
            Self::LessOrEqual => Self::Greater,
            Self::Greater => Self::LessOrEqual,
            Self::GreaterOrEqual => Self::Less,
            Self::Equal => Self::Different,
            Self::Different => Self::Equal,
        }
    }

    fn holds(self, difference: i64) -> bool {
        self.holds_for(Some(difference.cmp(&0)))
    }

    fn holds_for(self, order: Option<std::cmp::Ordering>) -> bool {
        use std::cmp::Ordering::{Equal, Greater, Less};
        match (self, order) {
            (Self::Different, other) => other != Some(Equal),
            (Self::Less, Some(Less)) | (Self::Greater, Some(Greater)) | (Self::Equal, Some(Equal)) => true,
            (Self::LessOrEqual, Some(order)) => order != Greater,
            (Self::GreaterOrEqual, Some(order)) => order != Less,
            _ => false,
        }
    }
}

/// A comparison of a line through now and the column with zero, as tests of the row's age.
fn by_age(line: &Line, op: Order, column_first: bool) -> Branches {
    // column − now + offset < 0 is the same as age > offset; the other way round, age < −offset.
    let mut span = if column_first {
        line.offset
    } else {
        line.offset.negated()
    };
    let older = matches!(op, Order::Less | Order::LessOrEqual) == column_first;
    if let Some(width) = line.whole {
        // Of whole numbers, more than 7 is at least 8.
        match op {
            Order::Less | Order::Greater if older => span.least = span.least.saturating_add(width),
            Order::LessOrEqual | Order::GreaterOrEqual if !older => span.least = span.least.saturating_add(width),
            Order::Equal | Order::Different => {}
            _ => span.most = span.most.saturating_sub(width),
        }
    }
    let age = Age {
        column: line.name.clone().unwrap_or_default(),
        span,
        local: line.local,
    };
    match op {
        Order::Equal => vec![vec![Test::Older(age.clone()), Test::Younger(age)]],
        Order::Different => vec![vec![Test::Older(age.clone())], vec![Test::Younger(age)]],
        _ if older => vec![vec![Test::Older(age)]],
        _ => vec![vec![Test::Younger(age)]],
    }
}

fn truth_test(truth: bool) -> Test {
    if truth { Test::Always } else { Test::Never }
}

#[allow(clippy::unnecessary_wraps, reason = "the answer of its callers")]
fn one(test: Test) -> Option<Branches> {
    Some(vec![vec![test]])
}

fn both(a: Branches, b: &Branches) -> Option<Branches> {
    let product: Branches = a
        .iter()
        .flat_map(|left| b.iter().map(move |right| left.iter().chain(right).cloned().collect()))
        .collect();
    (product.len() <= MOST).then_some(product)
}

fn either(mut a: Branches, b: Branches) -> Option<Branches> {
    a.extend(b);
    (a.len() <= MOST).then_some(a)
}

/// Prints a test that must hold, or must not.
fn print(expr: &Expr, negated: bool) -> String {
    let is_itself = matches!(
        expr,
        Expr::In { negated: true, .. } | Expr::Between { negated: true, .. }
    );
    let text = if negated != is_itself {
        format!("NOT ({expr})")
    } else {
        expr.to_string()
    };
    super::shorten(&text)
}

/// Returns whether a text beside a time column is a fixed point in time.
fn looks_like_a_date(text: &str) -> bool {
    text.trim().starts_with(|c: char| c.is_ascii_digit()) && text.contains('-')
}
