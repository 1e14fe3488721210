//! `drop_chunks()` of TimescaleDB: the chunks of a hypertable go as a whole once all of their rows are old enough.
//!
//! What is said of its parameters is from the manual of TimescaleDB 2, and of version 1, whose order was another.

use sqlparser::ast::{Expr, Function};
use sqlparser::parser::Parser;

use super::block::Reader;
use super::function::{named_arguments, unnamed_arguments};
use super::value::Value;
use super::{Age, Removal, Rows, grammar};
use crate::retention::model::Span;
use crate::retention::span::parse_interval;

/// The parameters in their order.
const PARAMETERS: [&str; 6] = [
    "relation",
    "older_than",
    "newer_than",
    "verbose",
    "created_before",
    "created_after",
];

impl Reader<'_> {
    /// Reads a call of `drop_chunks`.
    pub(super) fn drop_chunks(&mut self, function: &Function) {
        match self.dropped_chunks(function) {
            Ok(removal) => self.reading.removals.push(removal),
            Err(why) => self.unread(why, &function.to_string()),
        }
    }

    fn dropped_chunks(&self, function: &Function) -> Result<Removal, &'static str> {
        let named = named_arguments(function);
        let unnamed = unnamed_arguments(function);
        let given = |wanted: &str| {
            let place = PARAMETERS.iter().position(|name| *name == wanted)?;
            let by_name = named.iter().find(|(name, _)| name == wanted).map(|(_, expr)| *expr);
            by_name.or_else(|| unnamed.get(place).copied())
        };
        if given("created_before").or(given("created_after")).is_some() {
            return Err("it drops chunks by the time at which they were made, not by the age of their rows");
        }
        let (mut relation, mut older) = (given("relation"), given("older_than"));
        // Version 1 took the age first.
        if let Some(Value::Line(_)) = relation.map(|expr| self.value(expr)) {
            std::mem::swap(&mut relation, &mut older);
        }
        let name = relation.and_then(|expr| self.relation(expr));
        let name = name.ok_or("the table whose chunks it drops is not understood")?;
        let age = |expr: Option<&Expr>| match expr {
            None => Ok(None),
            Some(expr) if is_null(expr) => Ok(None),
            Some(expr) => self.age(expr).map(Some).ok_or("its age is not understood"),
        };
        let (older, newer) = (age(older)?, age(given("newer_than"))?);
        let aged = |span| Age {
            column: self.setting.age.to_owned(),
            span,
            local: false,
        };
        let (rows, ceiling) = match (older, newer) {
            (Some(older), newer) => (Rows::Older(aged(older)), newer),
            (None, Some(newer)) => (Rows::Younger(aged(newer)), None),
            (None, None) => return Err("it gives no age"),
        };
        Ok(Removal {
            ceiling,
            ..self.removal(&name, rows)
        })
    }

    /// Reads `'public."L"'`, with or without a cast.
    fn relation(&self, expr: &Expr) -> Option<sqlparser::ast::ObjectName> {
        let inner = match expr {
            Expr::Cast { expr, .. } => expr,
            other => other,
        };
        let Value::Text(name) = self.value(inner) else {
            return None;
        };
        let mut parser = Parser::new(grammar(self.setting.dialect)).try_with_sql(&name).ok()?;
        parser.parse_object_name(false).ok()
    }

    /// Reads an interval, or a time that moves with the present.
    fn age(&self, expr: &Expr) -> Option<Span> {
        match self.value(expr) {
            Value::Line(line) if line.now == 0 && line.unit.is_none() => Some(line.offset),
            Value::Line(line) if line.now == 1 && line.unit.is_none() => Some(line.offset.negated()),
            Value::Text(text) => parse_interval(&text),
            _ => None,
        }
    }
}

fn is_null(expr: &Expr) -> bool {
    matches!(expr, Expr::Value(value) if value.value == sqlparser::ast::Value::Null)
}
