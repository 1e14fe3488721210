//! What an expression over times is worth: a line through *now* and one column, with an offset.
//!
//! `now() - interval '30 days'` is `now − 30 d`; `extract(epoch from now() - "At")` is `now − At`, counted in seconds.
//! Comparing two such values leaves one question: is the row's age above some length?

use std::collections::BTreeMap;

use sqlparser::ast::{
    BinaryOperator, DataType, Expr, Ident, Interval, Query, SelectItem, SetExpr, UnaryOperator, Value as Literal,
};

use super::Setting;
use super::line::{Line, Rounding, Store, product, rounded};
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
    /// What the server refuses to work out; why, as a clause.
    Refused(String),
    /// Anything else.
    Unknown,
}

/// Columns that every table has, and that tell its rows apart.
pub(super) const ROW_NUMBERS: &[&str] = &["ctid", "rowid", "_rowid_", "oid"];

/// What names stand for while an expression is read.
#[derive(Clone, Debug)]
pub(super) struct Scope<'a> {
    /// The dialect.
    pub(super) dialect: Dialect,
    /// Variables and parameters by lower-case name, and `$1`.
    pub(super) variables: &'a BTreeMap<String, Value>,
    /// The names by which the table is meant; a bare column always is.
    pub(super) table: Vec<String>,
    /// What is known around the text.
    pub(super) setting: &'a Setting<'a>,
    /// Whether other tables stand beside it, so that a bare column may be theirs.
    pub(super) shared: bool,
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
            Expr::Identifier(ident) if !self.is_variable(ident) => {
                Some(self.fold(ident)).filter(|name| !self.shared || self.knows(name))
            }
            Expr::CompoundIdentifier(parts) => {
                let (name, owner) = parts.split_last()?;
                let owner = self.fold(owner.last()?);
                self.table.iter().any(|t| self.same(t, &owner)).then(|| self.fold(name))
            }
            _ => None,
        }
    }

    /// Returns whether the table has a column of this name, as far as its columns are known.
    pub(super) fn knows(&self, name: &str) -> bool {
        let columns = self.setting.columns;
        let numbers = || ROW_NUMBERS.iter().any(|row| row.eq_ignore_ascii_case(name));
        columns.is_empty() || columns.iter().any(|column| self.same(column, name)) || numbers()
    }

    /// Returns whether an expression names a value that is not known: a variable, or a column of another table.
    pub(super) fn is_open(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Identifier(ident) if self.is_variable(ident) => {
                !matches!(self.variables.get(&variable_name(ident)), Some(value) if *value != Value::Unknown)
            }
            Expr::Identifier(_) => self.column(expr).is_none(),
            Expr::CompoundIdentifier(parts) => {
                let of_row = ["new", "old"]
                    .iter()
                    .any(|row| parts[0].value.eq_ignore_ascii_case(row));
                let known = self.compound(parts, expr) != Value::Unknown;
                !(known || (of_row && parts.len() == 2 && self.setting.own_row))
            }
            _ => false,
        }
    }

    fn is_variable(&self, ident: &Ident) -> bool {
        ident.quote_style.is_none()
            && (ident.value.starts_with('@') || self.variables.contains_key(&variable_name(ident)))
    }

    /// Returns the line of a column.
    fn line_of(&self, name: String) -> Value {
        let store = match self.same(&name, self.setting.age) {
            true => self.setting.store,
            false => Store::Any,
        };
        Value::Line(Line::column(name, store))
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
            Expr::Extract { field, expr, .. } => self.part(&field.to_string(), expr),
            Expr::Subquery(query) => constant(query).map_or(Value::Unknown, |expr| self.value(expr)),
            Expr::Floor { expr, .. } => rounded(self.value(expr), Rounding::Down),
            Expr::Ceil { expr, .. } => rounded(self.value(expr), Rounding::Up),
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
            Some(name) => self.line_of(name),
            None => Value::Unknown,
        }
    }

    fn compound(&self, parts: &[Ident], expr: &Expr) -> Value {
        if let [owner, name] = parts
            && owner.quote_style.is_none()
            && owner.value.eq_ignore_ascii_case("new")
        {
            // A row that is just being written holds the present.
            return match self.setting.own_row && self.same(&self.fold(name), self.setting.age) {
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
        self.column(expr).map_or(Value::Unknown, |name| self.line_of(name))
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
            "current_date" | "curdate" => Some(self.date(Line::now(mysql))),
            "utc_date" => Some(self.date(Line::now(false))),
            _ => None,
        }
    }

    /// Makes a date of a time. PostgreSQL adds numbers of days to it; to MySQL it is a number of eight digits then.
    pub(super) fn date(&self, line: Line) -> Line {
        let date = line.floored(DAY);
        match self.dialect {
            Dialect::Postgres => date.counted(DAY).kept_as(Store::Any),
            _ => date.native(),
        }
    }

    fn arithmetic(&self, left: &Expr, op: &BinaryOperator, right: &Expr) -> Value {
        let (a, b) = (self.value(left), self.value(right));
        let answer = match op {
            BinaryOperator::Plus => self.sum(a, b),
            BinaryOperator::Minus => match b {
                Value::Text(text) if self.takes_for_time(&a, right, &text) => Some(Value::Refused(format!(
                    "the server takes `'{text}'` for a time in `{left} - {right}`, and refuses it"
                ))),
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

    /// Returns whether PostgreSQL reads a bare constant as a time, because it is taken from one.
    fn takes_for_time(&self, from: &Value, constant: &Expr, text: &str) -> bool {
        let is_time = |line: &Line| (line.now, line.column) != (0, 0) && line.store != Store::Number;
        self.dialect == Dialect::Postgres
            && matches!(constant, Expr::Value(_))
            && matches!(from, Value::Line(line) if is_time(line))
            && parse_interval(text).is_some()
    }

    /// `EXTRACT(field FROM time)`.
    pub(super) fn part(&self, field: &str, expr: &Expr) -> Value {
        let Value::Line(line) = self.value(expr) else {
            return Value::Unknown;
        };
        match field.to_ascii_lowercase().as_str() {
            "epoch" => Value::Line(line.counted(SECOND)),
            // The difference of two times has no months: its days are all of them.
            "day" | "days" if is_difference(expr) && line.unit.is_none() && self.dialect == Dialect::Postgres => {
                Value::Line(line.floored(DAY).counted(DAY))
            }
            _ => Value::Unknown,
        }
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
                // What is added to becomes a number.
                let store = match line.store {
                    Store::Text => Store::Number,
                    store => store,
                };
                let mut sum = line.plus(Line::span(Span::exact(unit).times(n)))?.kept_as(store);
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
        let first = interval.leading_field.as_ref().map(ToString::to_string);
        let last = interval.last_field.as_ref().map(ToString::to_string);
        // A number alone is one of the smallest unit.
        let unit = last.as_deref().or(first.as_deref());
        let span = match (value, unit) {
            (Value::Text(text), None) => parse_interval(&text),
            (Value::Text(text), Some(unit)) => match text.trim().parse() {
                Ok(number) => of_unit(number, unit),
                Err(_) if self.dialect == Dialect::Postgres => in_units(&text, first.as_deref(), unit),
                Err(_) => None,
            },
            (Value::Number(number), unit) => of_unit(number, unit.unwrap_or("second")),
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
            Value::Text(text) if is("timestamp") || is("date") => match self.moment(&text) {
                Some(line) => Value::Line(Line {
                    local: is("timestamp without"),
                    ..line
                }),
                None => Value::Text(text),
            },
            Value::Text(text) if is("int") || is("big") || is("num") || is("dec") || is("double") || is("signed") => {
                text.trim().parse().map_or(Value::Unknown, Value::Number)
            }
            Value::Number(number) if is("text") || is("char") || is("var") => Value::Text(number.to_string()),
            Value::Line(line) if name == "date" && self.dialect != Dialect::Sqlite => Value::Line(self.date(line)),
            Value::Line(line) if is("timestamp") || is("datetime") => Value::Line(line.native()),
            Value::Line(line) if is("int") || is("big") || is("signed") || is("unsigned") => {
                let how = match self.dialect {
                    Dialect::Sqlite => Rounding::Down,
                    _ => Rounding::Near,
                };
                match line.unit {
                    Some(_) => rounded(Value::Line(line.kept_as(Store::Any)), how),
                    None => Value::Unknown,
                }
            }
            Value::Line(line) => Value::Line(line.kept_as(Store::Any)),
            other => other,
        }
    }

    /// Returns the time that a word stands for in PostgreSQL.
    pub(super) fn moment(&self, word: &str) -> Option<Line> {
        let day = |days| Line::now(false).floored(DAY).plus(Line::span(Span::days(days)));
        match word.trim().to_ascii_lowercase().as_str() {
            _ if self.dialect != Dialect::Postgres => None,
            "now" => Some(Line::now(false)),
            "today" => day(0),
            "yesterday" => day(-1),
            "tomorrow" => day(1),
            _ => None,
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

/// Returns whether an expression is one time less another.
fn is_difference(expr: &Expr) -> bool {
    match expr {
        Expr::Nested(inner) => is_difference(inner),
        Expr::BinaryOp { op, .. } => *op == BinaryOperator::Minus,
        _ => false,
    }
}

/// `(SELECT expression)`, which reads no table.
fn constant(query: &Query) -> Option<&Expr> {
    let SetExpr::Select(select) = &*query.body else {
        return None;
    };
    let plain = select.from.is_empty() && select.selection.is_none() && query.limit_clause.is_none();
    match select.projection.as_slice() {
        [SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. }] if plain => Some(expr),
        _ => None,
    }
}

/// Returns a name as variables are kept; MySQL's user variables have a sign of their own.
fn variable_name(ident: &Ident) -> String {
    ident.value.trim_start_matches('@').to_lowercase()
}

/// Reads an interval that is written with the units it is made of: what is smaller than the last of them is cut off.
fn in_units(text: &str, first: Option<&str>, last: &str) -> Option<Span> {
    let is = |unit: Option<&str>, wanted: &str| unit.is_some_and(|unit| unit.eq_ignore_ascii_case(wanted));
    if is(first, "day") && is(Some(last), "hour") && !text.contains(':') {
        let (days, hours) = text.trim().split_once(' ')?;
        return parse_interval(&format!("{days} {}:00", hours.trim()));
    }
    let unit = of_unit(1.0, last).filter(|unit| unit.least == unit.most)?;
    // `2:30` may be minutes and seconds here.
    let span = parse_interval(text).filter(|_| !is(first, "minute"))?;
    (span.least % unit.least == 0 && span.most % unit.least == 0).then_some(span)
}

pub(super) fn negate(op: UnaryOperator, value: Value) -> Value {
    match (op, value) {
        (UnaryOperator::Plus, value) => value,
        (UnaryOperator::Minus, Value::Number(n)) => Value::Number(-n),
        (UnaryOperator::Minus, Value::Line(line)) => Value::Line(line.negated()),
        _ => Value::Unknown,
    }
}
