//! What an expression over times is worth: a line through *now* and one column, with an offset.
//!
//! `now() - interval '30 days'` is `now − 30 d`; `extract(epoch from now() - "At")` is `now − At`, counted in seconds.
//! Comparing two such values leaves one question: is the row's age above some length?

use std::collections::BTreeMap;

use sqlparser::ast::{BinaryOperator, DataType, DateTimeField, Expr, Ident, Interval, UnaryOperator, Value as Literal};

use crate::dialect::Dialect;
use crate::retention::model::Span;
use crate::retention::span::{DAY, SECOND, of_unit, parse_interval};

/// A value, as far as it can be told without a server.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// A time, or a length of time.
    Line(Line),
    /// A number.
    Number(f64),
    /// A text.
    Text(String),
    /// A truth value.
    Truth(bool),
    /// Anything else.
    Unknown,
}

/// `now·N + column·C + offset`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Line {
    /// How often the present is in it.
    pub(super) now: i32,
    /// How often the column is in it.
    pub(super) column: i32,
    /// The column's name.
    pub(super) name: Option<String>,
    /// What is added.
    pub(super) offset: Span,
    /// The unit in which it is a plain number; absent for native times and intervals.
    pub(super) unit: Option<i64>,
    /// Whether the present is that of a local clock.
    pub(super) local: bool,
}

impl Line {
    pub(super) fn now(local: bool) -> Self {
        Self {
            now: 1,
            column: 0,
            name: None,
            offset: Span::exact(0),
            unit: None,
            local,
        }
    }

    fn column(name: String) -> Self {
        Self {
            column: 1,
            now: 0,
            name: Some(name),
            ..Self::now(false)
        }
    }

    pub(super) fn span(offset: Span) -> Self {
        Self {
            now: 0,
            offset,
            ..Self::now(false)
        }
    }

    /// Makes it earlier by up to this length, as truncation does.
    pub(super) fn floored(mut self, width: i64) -> Self {
        self.offset = self.offset.plus(Span {
            least: width.saturating_neg(),
            most: 0,
        });
        self
    }

    pub(super) fn counted(mut self, unit: i64) -> Self {
        self.unit = Some(unit);
        self
    }

    pub(super) fn native(mut self) -> Self {
        self.unit = None;
        self
    }

    fn negated(mut self) -> Self {
        self.now = -self.now;
        self.column = -self.column;
        self.offset = self.offset.negated();
        self
    }

    /// Adds another line; nothing if they are about different columns or count in different units.
    pub(super) fn plus(self, other: Self) -> Option<Self> {
        let unit = match (self.unit, other.unit) {
            (Some(a), Some(b)) if a != b => return None,
            (a, b) => a.or(b),
        };
        let name = match (self.name, other.name) {
            (Some(a), Some(b)) if a != b => return None,
            (a, b) => a.or(b),
        };
        Some(Self {
            now: self.now + other.now,
            column: self.column + other.column,
            name,
            offset: self.offset.plus(other.offset),
            unit,
            local: self.local || other.local,
        })
    }

    /// Subtracts another line.
    pub(super) fn minus(self, other: Self) -> Option<Self> {
        self.plus(other.negated())
    }
}

/// What names stand for while an expression is read.
#[derive(Clone, Debug)]
pub(super) struct Scope<'a> {
    /// The dialect.
    pub(super) dialect: Dialect,
    /// Variables and parameters by lower-case name, and `$1`.
    pub(super) variables: &'a BTreeMap<String, Value>,
    /// The names by which the table is meant; a bare column always is.
    pub(super) table: Vec<String>,
    /// The column that holds the age: `NEW.` of it is the present.
    pub(super) age: &'a str,
}

impl Scope<'_> {
    /// Returns a name as the server stores it.
    pub(super) fn fold(&self, ident: &Ident) -> String {
        if self.dialect == Dialect::Postgres && ident.quote_style.is_none() {
            ident.value.to_lowercase()
        } else {
            ident.value.clone()
        }
    }

    /// Returns whether two names are the same here.
    pub(super) fn same(&self, a: &str, b: &str) -> bool {
        if self.dialect == Dialect::Postgres {
            a == b
        } else {
            a.eq_ignore_ascii_case(b)
        }
    }

    /// Returns the column of the table that an expression is, if it is just that.
    pub(super) fn column(&self, expr: &Expr) -> Option<String> {
        match expr {
            Expr::Nested(inner) => self.column(inner),
            Expr::Identifier(ident) if !self.is_variable(ident) => Some(self.fold(ident)),
            Expr::CompoundIdentifier(parts) => {
                let (name, owner) = parts.split_last()?;
                let owner = self.fold(owner.last()?);
                self.table.iter().any(|t| self.same(t, &owner)).then(|| self.fold(name))
            }
            _ => None,
        }
    }

    fn is_variable(&self, ident: &Ident) -> bool {
        ident.quote_style.is_none() && self.variables.contains_key(&variable_name(ident))
    }

    /// Evaluates an expression.
    pub(super) fn value(&self, expr: &Expr) -> Value {
        match expr {
            Expr::Nested(inner) | Expr::Collate { expr: inner, .. } => self.value(inner),
            Expr::Value(value) => self.literal(&value.value),
            Expr::Identifier(ident) => self.name(ident, expr),
            Expr::CompoundIdentifier(parts) => self.compound(parts, expr),
            Expr::UnaryOp { op, expr } => negate(*op, self.value(expr)),
            Expr::BinaryOp { left, op, right } => self.arithmetic(left, op, right),
            Expr::Interval(interval) => self.interval(interval),
            Expr::TypedString(typed) => match &typed.value.value {
                Literal::SingleQuotedString(text) => self.cast(Value::Text(text.clone()), &typed.data_type),
                _ => Value::Unknown,
            },
            Expr::Cast { expr, data_type, .. } => self.cast(self.value(expr), data_type),
            Expr::AtTimeZone { timestamp, time_zone } => self.zoned(timestamp, &self.value(time_zone)),
            Expr::Extract { field, expr, .. } => match (field, self.value(expr)) {
                (DateTimeField::Epoch, Value::Line(line)) => Value::Line(line.counted(SECOND)),
                _ => Value::Unknown,
            },
            Expr::Floor { expr, .. } | Expr::Ceil { expr, .. } => rounded(self.value(expr)),
            Expr::Function(function) => self.function(function),
            _ => Value::Unknown,
        }
    }

    fn literal(&self, literal: &Literal) -> Value {
        match literal {
            Literal::Number(number, _) => number.to_string().parse().map_or(Value::Unknown, Value::Number),
            Literal::SingleQuotedString(text)
            | Literal::EscapedStringLiteral(text)
            | Literal::NationalStringLiteral(text) => Value::Text(text.clone()),
            Literal::DollarQuotedString(text) => Value::Text(text.value.clone()),
            Literal::DoubleQuotedString(text) if self.dialect != Dialect::Postgres => Value::Text(text.clone()),
            Literal::Boolean(truth) => Value::Truth(*truth),
            Literal::Placeholder(name) => self.variables.get(name).cloned().unwrap_or(Value::Unknown),
            _ => Value::Unknown,
        }
    }

    fn name(&self, ident: &Ident, expr: &Expr) -> Value {
        let lower = variable_name(ident);
        if ident.quote_style.is_none() {
            if let Some(value) = self.variables.get(&lower) {
                return value.clone();
            }
            if let Some(line) = self.clock(&lower) {
                return Value::Line(line);
            }
        }
        match self.column(expr) {
            Some(name) => Value::Line(Line::column(name)),
            None => Value::Unknown,
        }
    }

    fn compound(&self, parts: &[Ident], expr: &Expr) -> Value {
        if let [owner, name] = parts
            && owner.quote_style.is_none()
            && owner.value.eq_ignore_ascii_case("new")
        {
            // A row that is just being written holds the present.
            return match self.same(&self.fold(name), self.age) {
                true => Value::Line(Line::now(false)),
                false => Value::Unknown,
            };
        }
        if let Some(value) = parts
            .last()
            .filter(|_| self.column(expr).is_none())
            .and_then(|name| self.variables.get(&name.value.to_lowercase()))
        {
            return value.clone();
        }
        self.column(expr)
            .map_or(Value::Unknown, |name| Value::Line(Line::column(name)))
    }

    /// Returns the present, if a name without arguments stands for it.
    pub(super) fn clock(&self, name: &str) -> Option<Line> {
        let mysql = matches!(self.dialect, Dialect::MySql | Dialect::MariaDb);
        match name {
            "current_timestamp"
            | "now"
            | "transaction_timestamp"
            | "statement_timestamp"
            | "clock_timestamp"
            | "sysdate" => Some(Line::now(mysql)),
            "localtimestamp" | "localtime" => Some(Line::now(self.dialect != Dialect::Sqlite)),
            "utc_timestamp" => Some(Line::now(false)),
            "current_date" | "curdate" => Some(Line::now(mysql).floored(DAY).counted(DAY)),
            "utc_date" => Some(Line::now(false).floored(DAY).counted(DAY)),
            _ => None,
        }
    }

    fn arithmetic(&self, left: &Expr, op: &BinaryOperator, right: &Expr) -> Value {
        let (a, b) = (self.value(left), self.value(right));
        let answer = match op {
            BinaryOperator::Plus => self.sum(a, b),
            BinaryOperator::Minus => match b {
                // A bare text beside a time is an interval, and has no sign of its own before that.
                Value::Text(text) => self
                    .interval_beside(&text)
                    .and_then(|line| self.sum(a, Value::Line(line.negated()))),
                b => self.sum(a, negate(UnaryOperator::Minus, b)),
            },
            BinaryOperator::Multiply => product(a, b),
            BinaryOperator::Divide => match b {
                Value::Number(n) if n != 0.0 => product(a, Value::Number(1.0 / n)),
                _ => None,
            },
            BinaryOperator::StringConcat => match (a, b) {
                (Value::Text(a), Value::Text(b)) => Some(Value::Text(a + &b)),
                (Value::Number(a), Value::Text(b)) => Some(Value::Text(format!("{a}{b}"))),
                (Value::Text(a), Value::Number(b)) => Some(Value::Text(format!("{a}{b}"))),
                _ => None,
            },
            _ => None,
        };
        answer.unwrap_or(Value::Unknown)
    }

    fn interval_beside(&self, text: &str) -> Option<Line> {
        (self.dialect == Dialect::Postgres).then(|| parse_interval(text).map(Line::span))?
    }

    fn sum(&self, a: Value, b: Value) -> Option<Value> {
        match (a, b) {
            (Value::Number(a), Value::Number(b)) => Some(Value::Number(a + b)),
            (Value::Line(a), Value::Line(b)) => a.plus(b).map(Value::Line),
            (Value::Line(line), Value::Number(n)) | (Value::Number(n), Value::Line(line)) => {
                // Without a unit, a column of numbers may count anything.
                let unit = line.unit?;
                let unit_of = line.unit;
                let mut sum = line.plus(Line::span(Span::exact(unit).times(n)))?;
                sum.unit = unit_of;
                Some(Value::Line(sum))
            }
            (Value::Line(line), Value::Text(text)) | (Value::Text(text), Value::Line(line)) => {
                line.plus(self.interval_beside(&text)?).map(Value::Line)
            }
            _ => None,
        }
    }

    fn interval(&self, interval: &Interval) -> Value {
        let value = self.value(&interval.value);
        let unit = interval.leading_field.as_ref().map(ToString::to_string);
        let span = match (value, unit) {
            (Value::Text(text), None) => parse_interval(&text),
            (Value::Text(text), Some(unit)) => match text.trim().parse() {
                Ok(number) => of_unit(number, &unit),
                Err(_) => composite(&text, &unit).or_else(|| {
                    (self.dialect == Dialect::Postgres)
                        .then(|| parse_interval(&text))
                        .flatten()
                }),
            },
            (Value::Number(number), unit) => of_unit(number, unit.as_deref().unwrap_or("second")),
            _ => None,
        };
        span.map_or(Value::Unknown, |span| Value::Line(Line::span(span)))
    }

    fn cast(&self, value: Value, ty: &DataType) -> Value {
        let name = ty.to_string().to_ascii_lowercase();
        let is = |start: &str| name.starts_with(start);
        match value {
            Value::Text(text) if is("interval") => {
                parse_interval(&text).map_or(Value::Unknown, |span| Value::Line(Line::span(span)))
            }
            Value::Text(text) if is("timestamp") || is("date") => match text.trim().to_ascii_lowercase().as_str() {
                "now" => Value::Line(Line::now(is("timestamp without"))),
                "today" => Value::Line(Line::now(false).floored(DAY)),
                "yesterday" => Value::Line(Line::now(false).floored(DAY)).minus_days(1),
                _ => Value::Text(text),
            },
            Value::Text(text) if is("int") || is("big") || is("num") || is("dec") || is("double") || is("signed") => {
                text.trim().parse().map_or(Value::Unknown, Value::Number)
            }
            Value::Number(number) if is("text") || is("char") || is("var") => Value::Text(number.to_string()),
            Value::Line(line) if name == "date" => Value::Line(line.floored(DAY).counted(DAY)),
            Value::Line(line) if is("timestamp") || is("datetime") => Value::Line(line.native()),
            Value::Line(line) if is("int") || is("big") || is("signed") || is("unsigned") => match line.unit {
                Some(unit) => Value::Line(line.floored(unit)),
                None => Value::Line(line),
            },
            other => other,
        }
    }

    pub(super) fn zoned(&self, time: &Expr, zone: &Value) -> Value {
        match (self.value(time), zone) {
            (Value::Line(mut line), Value::Text(zone)) => {
                let utc = ["utc", "gmt", "etc/utc", "z", "+00:00", "zulu"];
                line.local = !utc.contains(&zone.trim().to_ascii_lowercase().as_str());
                Value::Line(line)
            }
            _ => Value::Unknown,
        }
    }
}

impl Value {
    fn minus_days(self, days: i64) -> Self {
        match self {
            Self::Line(line) => line
                .plus(Line::span(Span::days(-days)))
                .map_or(Self::Unknown, Self::Line),
            other => other,
        }
    }
}

/// Returns a name as variables are kept; MySQL's user variables have a sign of their own.
fn variable_name(ident: &Ident) -> String {
    ident.value.trim_start_matches('@').to_lowercase()
}

/// Reads MySQL's units of several fields, such as `'1 12' DAY_HOUR`.
fn composite(text: &str, unit: &str) -> Option<Span> {
    let unit = unit.to_ascii_lowercase();
    let (first, _) = unit.split_once('_')?;
    let units = ["year", "month", "day", "hour", "minute", "second"];
    let start = units.iter().position(|u| *u == first)?;
    let mut total = Span::exact(0);
    let parts = text.split(|c: char| !c.is_ascii_digit()).filter(|p| !p.is_empty());
    for (part, unit) in parts.zip(&units[start..]) {
        total = total.plus(of_unit(part.parse().ok()?, unit)?);
    }
    Some(total)
}

fn negate(op: UnaryOperator, value: Value) -> Value {
    match (op, value) {
        (UnaryOperator::Plus, value) => value,
        (UnaryOperator::Minus, Value::Number(n)) => Value::Number(-n),
        (UnaryOperator::Minus, Value::Line(line)) => Value::Line(line.negated()),
        _ => Value::Unknown,
    }
}

fn product(a: Value, b: Value) -> Option<Value> {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => Some(Value::Number(a * b)),
        (Value::Line(line), Value::Number(n)) | (Value::Number(n), Value::Line(line)) => scaled(line, n),
        _ => None,
    }
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "units are small whole numbers"
)]
fn scaled(line: Line, factor: f64) -> Option<Value> {
    match line.unit {
        None if line.now == 0 && line.column == 0 => Some(Value::Line(Line::span(line.offset.times(factor)))),
        // Seconds times 1000 are the same time in milliseconds.
        Some(unit) if factor > 0.0 && unit as f64 / factor >= 1.0 => {
            let finer = unit as f64 / factor;
            Some(Value::Line(line.counted(finer.round() as i64)))
        }
        _ => None,
    }
}

pub(super) fn rounded(value: Value) -> Value {
    match value {
        Value::Line(line) => match line.unit {
            Some(unit) => {
                let open = Span {
                    least: -unit,
                    most: unit,
                };
                let offset = line.offset.plus(open);
                Value::Line(Line { offset, ..line })
            }
            None => Value::Unknown,
        },
        Value::Number(n) => Value::Number(n),
        _ => Value::Unknown,
    }
}
