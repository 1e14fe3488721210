//! What a predicate asks of a row, and which expressions are the same for every row.

use sqlparser::ast::{BinaryOperator, Expr, UnaryOperator, Value};

use super::expression;
use crate::dialect::Condition;

/// Returns the conditions that a predicate joins by AND. One that does not parse is one condition.
pub(crate) fn conditions(sql: &str) -> Vec<Condition> {
    let Some(expr) = expression::parse(sql) else {
        return vec![Condition::Other(expression::normalize(sql))];
    };
    let mut found = Vec::new();
    expression::each_conjunct(&expr, &mut |part| found.push(condition(part)));
    found
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
        } if matches!(&**expr, Expr::Value(value) if value.value == Value::Boolean(false)) => Some(Condition::Always),
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
            (
                r#"((tenant IS NOT NULL) AND (("Outcome")::text <> ''::text))"#,
                vec![Condition::Other(r#""Outcome" <> ''"#.to_owned()), present("tenant")],
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
