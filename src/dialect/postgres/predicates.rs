//! What a predicate asks of a row, and which expressions are the same for every row.

use std::ops::ControlFlow;

use sqlparser::ast::{BinaryOperator, Expr, InTarget, UnaryOperator, Value, visit_expressions_mut};

use super::{constants, expression, rewrite};
use crate::dialect::Condition;
use crate::schema::{Column, DataType, Literal};

/// Returns the conditions that a predicate joins by AND. One that does not parse is one condition.
pub(crate) fn conditions(sql: &str) -> Vec<Condition> {
    let Some(expr) = expression::parse(sql) else {
        return vec![Condition::Other(expression::normalize(sql))];
    };
    let mut found = Vec::new();
    expression::each_conjunct(&expr, &mut |part| found.push(condition(part)));
    found
}

/// Returns the normal form of a predicate in which constants are values of the columns that they are compared with: a
/// server prints `'2026-01-01'` as a time with a zone.
pub(super) fn typed(sql: &str, columns: &[Column]) -> String {
    let Some(mut expr) = expression::parse(sql) else {
        return expression::normalize(sql);
    };
    let data = |expr: &Expr| match expr {
        Expr::Identifier(name) => columns.iter().find(|c| c.name == name.value).map(|c| &c.ty.data),
        _ => None,
    };
    let _ = visit_expressions_mut(&mut expr, |e| {
        match e {
            Expr::BinaryOp { left, right, .. } => {
                if let Some(data) = data(left) {
                    set_time(right, data);
                }
            }
            Expr::In {
                expr,
                target: InTarget::List(list),
                ..
            } => {
                if let Some(data) = data(expr) {
                    list.iter_mut().for_each(|item| set_time(item, data));
                }
            }
            _ => {}
        }
        ControlFlow::<()>::Continue(())
    });
    // Lists and chains are in the order of their texts, which may be others now.
    expression::normalize(&expression::spell(expr))
}

/// Gives a constant that is a time the spelling of its value.
fn set_time(expr: &mut Expr, data: &DataType) {
    if let Some(text) = rewrite::as_text(expr)
        && let Literal::Time(time) = constants::constant(text, data)
    {
        *expr = Expr::value(Value::SingleQuotedString(time));
    }
}

fn condition(part: &Expr) -> Condition {
    use BinaryOperator::{Eq, GtEq, LtEq};
    let present = match part {
        Expr::IsNotNull(inner) => of_operand(inner),
        Expr::BinaryOp {
            left,
            op: Eq | GtEq | LtEq,
            right,
        } if left == right => of_operand(left),
        Expr::Value(value) if value.value == Value::Boolean(true) => Some(Condition::Always),
        Expr::UnaryOp {
            op: UnaryOperator::Not,
            expr,
        } => match &**expr {
            Expr::Value(value) if value.value == Value::Boolean(false) => Some(Condition::Always),
            Expr::IsNull(inner) => of_operand(inner),
            _ => None,
        },
        _ => None,
    };
    present.unwrap_or_else(|| Condition::Other(expression::spell(part.clone())))
}

/// Returns what it says that an operand has a value.
fn of_operand(operand: &Expr) -> Option<Condition> {
    match operand {
        Expr::Identifier(name) => Some(Condition::Present(name.value.clone())),
        constant if is_value(constant) => Some(Condition::Always),
        _ => None,
    }
}

/// Returns whether an expression is made of constants alone, none of them NULL.
pub(super) fn is_constant(sql: &str) -> bool {
    expression::parse(sql).is_some_and(|expr| is_value(&expr))
}

fn is_value(expr: &Expr) -> bool {
    use BinaryOperator::{Minus, Multiply, Plus, StringConcat};
    match expr {
        Expr::Value(value) => value.value != Value::Null,
        Expr::Cast { expr, .. } | Expr::Nested(expr) | Expr::UnaryOp { expr, .. } => is_value(expr),
        Expr::BinaryOp {
            left,
            op: Plus | Minus | Multiply | StringConcat,
            right,
        } => is_value(left) && is_value(right),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_read_as_the_server_prints_them() {
        let present = |name: &str| Condition::Present(name.to_owned());
        for (sql, expected) in [
            (r#"("EventId" IS NOT NULL)"#, vec![present("EventId")]),
            (r#"("EventId" = "EventId")"#, vec![present("EventId")]),
            ("true", vec![Condition::Always]),
            ("(1 = 1)", vec![Condition::Always]),
            ("('x'::text IS NOT NULL)", vec![Condition::Always]),
            ("(NOT false)", vec![Condition::Always]),
            (r#"(NOT ("EventId" IS NULL))"#, vec![present("EventId")]),
            (
                r#"((tenant IS NOT NULL) AND (("Outcome")::text <> ''::text))"#,
                vec![present("tenant"), Condition::Other(r#""Outcome" <> ''"#.to_owned())],
            ),
            (
                "((a IS NOT NULL) OR (b IS NOT NULL))",
                vec![Condition::Other(expression::normalize(
                    "a is not null or b is not null",
                ))],
            ),
            (
                "(NULL::text IS NOT NULL)",
                vec![Condition::Other("NULL IS NOT NULL".to_owned())],
            ),
        ] {
            assert_eq!(conditions(sql), expected, "{sql}");
        }
    }

    #[test]
    fn constants_are_values_of_their_columns() {
        let columns = [("At", "timestamp with time zone"), ("Day", "date"), ("Text", "text")]
            .map(|(name, ty)| Column::plain(name, crate::schema::NativeType::plain(super::super::parse_type(ty))));
        let typed = |sql: &str| typed(sql, &columns);
        for (server, written) in [
            (
                r#"("At" > '2026-01-01 00:00:00+00'::timestamp with time zone)"#,
                r#""At" > '2026-01-01'"#,
            ),
            (
                r#"("At" > '2026-01-01 00:00:00+00'::timestamp with time zone)"#,
                r#"timestamptz '2026-01-01 02:00:00+02' < "At""#,
            ),
            (
                r#"("At" = ANY (ARRAY['2026-01-01 00:00:00+00'::timestamp with time zone, '2025-01-01 00:00:00+00'::timestamp with time zone]))"#,
                r#""At" IN ('2025-01-01', '2026-01-01T00:00:00Z')"#,
            ),
            (r#"("Day" >= '2026-01-01'::date)"#, r#"date '2026-01-01' <= "Day""#),
        ] {
            assert_eq!(typed(server), typed(written), "{server}  vs  {written}");
        }
        assert_ne!(
            typed(r#""Text" > '2026-01-01'"#),
            typed(r#""Text" > '2026-01-01 00:00:00+00'"#)
        );
        assert_ne!(typed(r#""At" > '2026-01-01'"#), typed(r#""At" > '2026-01-02'"#));
    }

    #[test]
    fn only_values_are_constant() {
        for sql in ["1", "'a'::text", "('a'::text || 'b'::text)", "(- 1)", "true"] {
            assert!(is_constant(sql), "{sql}");
        }
        for sql in [
            "NULL::text",
            "a",
            "lower('A'::text)",
            "('a'::text || NULL::text)",
            "(1 / 0)",
            "(",
        ] {
            assert!(!is_constant(sql), "{sql}");
        }
    }
}
