//! Which rows a DELETE takes: its conditions as alternatives, each a list of tests that must all hold.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use sqlparser::ast::{
    BinaryOperator, Expr, Ident, InTarget, ObjectName, Query, UnaryOperator, Value as Literal, visit_expressions,
    visit_expressions_mut,
};

use super::kinds::{Outcome, outcome};
use super::line::Line;
use super::order::{Order, by_age};
use super::subquery::inner_query;
use super::value::{Scope, Value};
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
    /// The row is from before a fixed time (or from after it); the test.
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
    /// A test of the table as a whole: how many rows there are.
    Guard(String),
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

    pub(super) fn branches(&self, expr: &'a Expr, negated: bool) -> Option<Branches> {
        match expr {
            Expr::Nested(inner) => self.branches(inner, negated),
            Expr::IsTrue(inner) | Expr::IsNotFalse(inner) => self.branches(inner, negated),
            Expr::IsFalse(inner) | Expr::IsNotTrue(inner) => self.branches(inner, !negated),
            Expr::UnaryOp {
                op: UnaryOperator::Not | UnaryOperator::BangNot,
                expr,
            } => self.branches(expr, !negated),
            Expr::BinaryOp { left, op, right } => match (op, negated) {
                (BinaryOperator::And, false) | (BinaryOperator::Or, true) => {
                    both(self.branches(left, negated)?, &self.branches(right, negated)?)
                }
                (BinaryOperator::And, true) | (BinaryOperator::Or, false) if self.is_of_the_row(expr) => {
                    one(self.other(expr, negated))
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
        if let Expr::IsNotNull(column) | Expr::IsNull(column) = expr
            && let Some(name) = self.scope.column(column)
        {
            let is_age = self.scope.same(&name, self.setting.age);
            let required = self.setting.required.iter().any(|c| self.scope.same(c, &name));
            let keeps = matches!(expr, Expr::IsNotNull(_)) != negated;
            // A row without a time has no age either.
            if required || (is_age && keeps) {
                return truth_test(keeps);
            }
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
            return match self.is_of_the_table(expr) {
                true => Test::Filter(Filter {
                    text,
                    sql: None,
                    excludes: spares(expr, negated),
                }),
                false => Test::Opaque(text),
            };
        }
        Test::Filter(Filter {
            text,
            sql: Some(self.of_columns(expr, negated)),
            excludes: spares(expr, negated),
        })
    }

    /// Writes a test with bare columns and constants only.
    fn of_columns(&self, expr: &Expr, negated: bool) -> String {
        let quote = match self.scope.dialect {
            Dialect::MySql | Dialect::MariaDb => '`',
            Dialect::Postgres | Dialect::Sqlite => '"',
        };
        let mut expr = expr.clone();
        let _ = visit_expressions_mut(&mut expr, |part| {
            if let Some(column) = self.scope.column(part) {
                *part = Expr::Identifier(Ident::with_quote(quote, column));
            } else if let (Expr::Identifier(_) | Expr::CompoundIdentifier(_), Value::Text(text)) =
                (&*part, self.scope.value(part))
            {
                *part = Expr::Value(Literal::SingleQuotedString(text).into());
            }
            ControlFlow::<()>::Continue(())
        });
        if negated != is_negative(&expr) {
            format!("NOT ({expr})")
        } else {
            expr.to_string()
        }
    }

    /// Returns whether alternatives are about columns of the row, and none of them about its age.
    fn is_of_the_row(&self, expr: &Expr) -> bool {
        let names = visit_expressions(expr, |part| match self.scope.column(part) {
            Some(_) => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
        });
        names.is_break() && !self.is_deep(expr)
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
                    let is_age = |c: String| self.scope.same(&c, self.setting.age) || !self.scope.knows(&c);
                    self.scope.is_open(part) || column.is_some_and(is_age)
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
        if let (Value::Refused(why), _) | (_, Value::Refused(why)) = (&a, &b) {
            return one(Test::Error(why.clone()));
        }
        if let Some((test, holds)) = self.of_truth(left, &b).or_else(|| self.of_truth(right, &a)) {
            return match op {
                Order::Equal => self.branches(test, !holds),
                Order::Different => self.branches(test, holds),
                _ => one(self.other(whole, negated)),
            };
        }
        if self.counts(left, &b) || self.counts(right, &a) {
            return one(Test::Guard(print(whole, negated)));
        }
        if let Some(test) = self
            .of_infinity(&a, op, &b)
            .or_else(|| self.of_infinity(&b, op.mirrored(), &a))
        {
            return one(test);
        }
        if let Some(test) = self.of_kinds(&a, op, &b, whole, negated) {
            return one(test);
        }
        let Some(line) = self.difference(&a, &b) else {
            return one(self.plain(&a, op, &b, whole, negated));
        };
        match (line.column, line.now) {
            (0, 0) if line.offset.least == line.offset.most => one(truth_test(op.holds(line.offset.least))),
            (1, -1) => Some(by_age(&line, op, true)),
            (-1, 1) => Some(by_age(&line, op, false)),
            (1 | -1, 0) => one(Test::Fixed(print(whole, negated))),
            (0, _) => one(self.other(whole, negated)),
            _ => one(Test::Opaque(print(whole, negated))),
        }
    }

    /// Returns a condition that is compared with a truth value, and that value.
    fn of_truth(&self, expr: &'a Expr, value: &Value) -> Option<(&'a Expr, bool)> {
        let holds = match value {
            Value::Truth(truth) => *truth,
            Value::Number(n) if self.scope.dialect != Dialect::Postgres && (*n == 0.0 || *n == 1.0) => *n == 1.0,
            _ => return None,
        };
        is_condition(expr).then_some((expr, holds))
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
                    if let Some(moment) = self.scope.moment(text) {
                        return Some(moment);
                    }
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

    fn plain(&self, a: &Value, op: Order, b: &Value, whole: &Expr, negated: bool) -> Test {
        if let (Value::Number(a), Value::Number(b)) = (a, b) {
            return truth_test(op.holds_for(a.partial_cmp(b)));
        }
        if let (Value::Text(a), Value::Text(b)) = (a, b)
            && matches!(op, Order::Equal | Order::Different)
        {
            return truth_test((a == b) == (op == Order::Equal));
        }
        self.other(whole, negated)
    }

    /// PostgreSQL has times before and after all others.
    fn of_infinity(&self, column: &Value, op: Order, end: &Value) -> Option<Test> {
        let (Value::Line(line), Value::Text(text)) = (column, end) else {
            return None;
        };
        let after = match text.trim().to_ascii_lowercase().as_str() {
            "infinity" | "+infinity" => true,
            "-infinity" => false,
            _ => return None,
        };
        let is_time = line.column == 1 && line.now == 0 && line.unit.is_none();
        if !is_time || self.scope.dialect != Dialect::Postgres {
            return None;
        }
        match op {
            Order::Less | Order::LessOrEqual => Some(truth_test(after)),
            Order::Greater | Order::GreaterOrEqual => Some(truth_test(!after)),
            Order::Equal | Order::Different => None,
        }
    }

    fn member(&self, inner: &'a Expr, target: &'a InTarget, negated: bool, whole: &'a Expr) -> Option<Branches> {
        match target {
            InTarget::Subquery(query) => self.of_query(inner, query, negated, whole),
            InTarget::List(_) => one(self.other(whole, negated)),
            _ => one(Test::Opaque(print(whole, negated))),
        }
    }
}

pub(super) fn truth_test(truth: bool) -> Test {
    if truth { Test::Always } else { Test::Never }
}

#[allow(clippy::unnecessary_wraps, reason = "the answer of its callers")]
pub(super) fn one(test: Test) -> Option<Branches> {
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

/// Returns whether an expression is a test of its own, and no column or number.
fn is_condition(expr: &Expr) -> bool {
    match expr {
        Expr::Nested(inner) => is_condition(inner),
        Expr::BinaryOp { op, .. } => Order::of(op).is_some() || matches!(op, BinaryOperator::And | BinaryOperator::Or),
        Expr::UnaryOp { op, .. } => matches!(op, UnaryOperator::Not | UnaryOperator::BangNot),
        Expr::Between { .. } => true,
        _ => false,
    }
}

/// Returns whether a test has its negation in itself; for such, `negated` says what is meant in the end.
fn is_negative(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::In { negated: true, .. } | Expr::Between { negated: true, .. }
    )
}

/// Returns whether a test spares some rows rather than picking them.
fn spares(expr: &Expr, negated: bool) -> bool {
    let different = matches!(
        expr,
        Expr::BinaryOp {
            op: BinaryOperator::NotEq,
            ..
        } | Expr::IsDistinctFrom(..)
            | Expr::Like { negated: true, .. }
            | Expr::ILike { negated: true, .. }
    );
    different != negated
}

/// Prints a test that must hold, or must not.
pub(super) fn print(expr: &Expr, negated: bool) -> String {
    let text = if negated != is_negative(expr) {
        format!("NOT ({expr})")
    } else {
        expr.to_string()
    };
    super::shorten(&text)
}

/// Returns whether a text beside a time column is a fixed point in time.
fn looks_like_a_date(text: &str) -> bool {
    // A UUID is longer before its first stroke.
    let year = text.trim().split_once('-').map(|(year, _)| year);
    year.is_some_and(|year| (1..=4).contains(&year.len()) && year.bytes().all(|b| b.is_ascii_digit()))
}
