//! Functions over times, and the arguments of calls.

use sqlparser::ast::{Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments};

use super::line::{Line, Rounding, Store, rounded};
use super::value::{Scope, Value};
use crate::dialect::Dialect;
use crate::retention::model::Span;
use crate::retention::span::{DAY, SECOND, of_unit, parse_interval};

impl Scope<'_> {
    pub(super) fn function(&self, function: &Function) -> Value {
        let Some(name) = super::last_name(&function.name) else {
            return Value::Unknown;
        };
        let name = name.to_lowercase();
        let args: Vec<&Expr> = arguments(function);
        if self.dialect == Dialect::Sqlite
            && let Some(value) = self.sqlite_time(&name, &args)
        {
            return value;
        }
        if let Some(line) = self.clock(&name)
            && args.len() <= 1
        {
            return Value::Line(line);
        }
        if name == "make_interval" {
            return self.made_interval(function, &args);
        }
        self.call(&name, &args).unwrap_or(Value::Unknown)
    }

    /// Reads `make_interval(days => 30)`.
    fn made_interval(&self, function: &Function, args: &[&Expr]) -> Value {
        let units = ["years", "months", "weeks", "days", "hours", "mins", "secs"];
        let named = named_arguments(function);
        let given: Vec<(&str, &Expr)> = if named.is_empty() {
            units.into_iter().zip(args.iter().copied()).collect()
        } else {
            named.iter().map(|(name, expr)| (name.as_str(), *expr)).collect()
        };
        let mut total = Span::exact(0);
        for (unit, expr) in given {
            let span = match self.value(expr) {
                Value::Number(number) => of_unit(number, unit),
                _ => None,
            };
            let Some(span) = span else {
                return Value::Unknown;
            };
            total = total.plus(span);
        }
        Value::Line(Line::span(total))
    }

    fn call(&self, name: &str, args: &[&Expr]) -> Option<Value> {
        let line = |at: usize| match self.value(args.get(at)?) {
            Value::Line(line) => Some(line),
            _ => None,
        };
        let number = |at: usize| match self.value(args.get(at)?) {
            Value::Number(n) => Some(n),
            _ => None,
        };
        let text = |at: usize| match self.value(args.get(at)?) {
            Value::Text(text) => Some(text.to_ascii_lowercase()),
            _ => None,
        };
        let answer = match (name, args.len()) {
            ("date_trunc", 2..) => line(1)?.floored(of_unit(1.0, &text(0)?)?.most),
            ("date", 1) => self.date(line(0)?),
            ("to_days", 1) => line(0)?.floored(DAY).counted(DAY),
            ("to_seconds", 1) => line(0)?.floored(SECOND).counted(SECOND),
            ("datetime" | "timestamp" | "to_timestamp" | "from_unixtime", 1) => line(0)?.native(),
            ("timezone", 2) => return Some(self.zoned(args[1], &self.value(args[0]))),
            ("convert_tz", 3) => {
                let mut line = line(0)?;
                line.local = !matches!(text(2)?.as_str(), "+00:00" | "utc");
                line
            }
            ("unix_timestamp", 0) => Line::now(false).counted(SECOND),
            ("unix_timestamp", 1) => line(0)?.counted(SECOND),
            ("date_part", 2) => return Some(self.part(&text(0)?, args[1])),
            ("extract_epoch", 1) => line(0)?.counted(SECOND),
            ("date_sub" | "subdate", 2) => self.shifted(line(0)?, args[1], -1.0)?,
            ("date_add" | "adddate", 2) => self.shifted(line(0)?, args[1], 1.0)?,
            ("timestampadd", 3) => line(2)?
                .native()
                .plus(Line::span(of_unit(number(1)?, &args[0].to_string())?))?,
            ("datediff", 2) => {
                let (a, b) = (line(0)?.floored(DAY).native(), line(1)?.floored(DAY).native());
                a.minus(b)?.counted(DAY)
            }
            ("timestampdiff", 3) => {
                let unit = of_unit(1.0, &args[0].to_string()).filter(|s| s.least == s.most)?.least;
                let (from, to) = (line(1)?.native(), line(2)?.native());
                to.minus(from)?.floored(unit).counted(unit)
            }
            ("age", 1) => Line::now(false).floored(DAY).minus(line(0)?)?.symbolic(),
            ("age", 2) => line(0)?.minus(line(1)?)?.symbolic(),
            ("floor" | "trunc", 1) => return Some(rounded(self.value(args[0]), Rounding::Down)),
            ("ceil" | "ceiling", 1) => return Some(rounded(self.value(args[0]), Rounding::Up)),
            ("round", 1) => return Some(rounded(self.value(args[0]), Rounding::Near)),
            ("abs" | "coalesce" | "ifnull" | "justify_days" | "justify_hours" | "justify_interval", 1..) => {
                return Some(self.value(args[0]));
            }
            ("least" | "min", 2..) => self.outermost(args, -1)?,
            ("greatest" | "max", 2..) => self.outermost(args, 1)?,
            _ => return self.text_of(name, args),
        };
        Some(Value::Line(answer))
    }

    /// Returns the earliest of some times, or the latest.
    fn outermost(&self, args: &[&Expr], side: i64) -> Option<Line> {
        let lines: Option<Vec<Line>> = args
            .iter()
            .map(|arg| match self.value(arg) {
                Value::Line(line) => Some(line),
                _ => None,
            })
            .collect();
        let (first, others) = lines?
            .split_first()
            .map(|(first, others)| (first.clone(), others.to_vec()))?;
        others.into_iter().try_fold(first, |have, next| {
            let alike =
                (have.now, have.column, &have.name, have.unit) == (next.now, next.column, &next.name, next.unit);
            let ends = |pick: fn(i64, i64) -> i64| Span {
                least: pick(have.offset.least, next.offset.least),
                most: pick(have.offset.most, next.offset.most),
            };
            let offset = if side < 0 { ends(i64::min) } else { ends(i64::max) };
            alike.then(|| Line {
                offset,
                local: have.local || next.local,
                whole: None,
                ..have.clone()
            })
        })
    }

    fn shifted(&self, line: Line, by: &Expr, sign: f64) -> Option<Line> {
        let span = match self.value(by) {
            Value::Line(span) if span.now == 0 && span.column == 0 => span.offset,
            Value::Number(days) => Span::days(1).times(days),
            _ => return None,
        };
        line.native().plus(Line::span(span.times(sign)))
    }

    /// Reads SQLite's `datetime('now', '-30 days')` and its kin.
    fn sqlite_time(&self, name: &str, args: &[&Expr]) -> Option<Value> {
        let (format, args) = match (name, args) {
            ("strftime", [format, rest @ ..]) => match self.value(format) {
                Value::Text(format) => (format, rest),
                _ => return Some(Value::Unknown),
            },
            ("date" | "datetime" | "julianday" | "unixepoch", rest) => (String::new(), rest),
            _ => return None,
        };
        Some(
            self.sqlite_line(name, &format, args)
                .map_or(Value::Unknown, Value::Line),
        )
    }

    fn sqlite_line(&self, name: &str, format: &str, args: &[&Expr]) -> Option<Line> {
        let mut line = match args.first().map(|time| self.value(time)) {
            None => Line::now(false),
            Some(Value::Text(text)) if text.eq_ignore_ascii_case("now") => Line::now(false),
            Some(Value::Line(line)) => line.native(),
            Some(_) => return None,
        };
        for modifier in args.get(1..).unwrap_or_default() {
            let Value::Text(modifier) = self.value(modifier) else {
                return None;
            };
            line = match modifier.trim().to_ascii_lowercase().as_str() {
                "utc" | "subsec" | "subsecond" | "unixepoch" | "auto" | "julianday" => line,
                "localtime" => Line { local: true, ..line },
                "start of day" => line.floored(DAY),
                "start of month" => line.floored(31 * DAY),
                "start of year" => line.floored(366 * DAY),
                shift => line.plus(Line::span(parse_interval(shift)?))?,
            };
        }
        let finest = if format.contains("%f") || format.contains("%s") || name != "strftime" {
            0
        } else if format.contains("%S") || format.contains("%T") {
            SECOND
        } else {
            DAY
        };
        Some(match name {
            "date" => line.floored(DAY),
            "julianday" => line.counted(DAY),
            "unixepoch" => line.counted(SECOND),
            // Text, even where it is all digits.
            "strftime" if format.trim() == "%s" => line.counted(SECOND).kept_as(Store::Text),
            "strftime" if format.trim() == "%J" => line.counted(DAY).kept_as(Store::Text),
            _ => line.floored(finest),
        })
    }
}

impl Line {
    /// Counts in months of no fixed length, as `age()` does: a few days of either side are open.
    fn symbolic(self) -> Self {
        let open = Span {
            least: -3 * DAY,
            most: 3 * DAY,
        };
        Self {
            offset: self.offset.plus(open),
            ..self
        }
    }
}

/// Returns a call's plain arguments, named ones included.
pub(super) fn arguments(function: &Function) -> Vec<&Expr> {
    let FunctionArguments::List(list) = &function.args else {
        return Vec::new();
    };
    list.args
        .iter()
        .filter_map(|arg| match arg {
            FunctionArg::Unnamed(FunctionArgExpr::Expr(expr))
            | FunctionArg::Named {
                arg: FunctionArgExpr::Expr(expr),
                ..
            }
            | FunctionArg::ExprNamed {
                arg: FunctionArgExpr::Expr(expr),
                ..
            } => Some(expr),
            _ => None,
        })
        .collect()
}

/// Returns a call's arguments that have no name.
pub(super) fn unnamed_arguments(function: &Function) -> Vec<&Expr> {
    let FunctionArguments::List(list) = &function.args else {
        return Vec::new();
    };
    list.args
        .iter()
        .filter_map(|arg| match arg {
            FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => Some(expr),
            _ => None,
        })
        .collect()
}

/// Returns a call's named arguments.
pub(super) fn named_arguments(function: &Function) -> Vec<(String, &Expr)> {
    let FunctionArguments::List(list) = &function.args else {
        return Vec::new();
    };
    list.args
        .iter()
        .filter_map(|arg| match arg {
            FunctionArg::Named {
                name,
                arg: FunctionArgExpr::Expr(expr),
                ..
            } => Some((name.value.to_lowercase(), expr)),
            FunctionArg::ExprNamed {
                name,
                arg: FunctionArgExpr::Expr(expr),
                ..
            } => Some((name.to_string().to_lowercase(), expr)),
            _ => None,
        })
        .collect()
}
