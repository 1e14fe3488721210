//! Chains of ANDs and ORs, and comparisons, in one order.

use sqlparser::ast::{BinaryOperator, Expr, InTarget, Value};

use super::rewrite::{binary, is_constant, membership};

/// Returns the operator that says the same of exchanged operands.
pub(super) fn mirrored(op: &BinaryOperator) -> Option<BinaryOperator> {
    use BinaryOperator::{Eq, Gt, GtEq, Lt, LtEq, NotEq};
    Some(match op {
        Eq => Eq,
        NotEq => NotEq,
        Lt => Gt,
        Gt => Lt,
        LtEq => GtEq,
        GtEq => LtEq,
        _ => return None,
    })
}

/// Longer chains keep their order: each part is compared with each other one, and the text can be hostile.
const LONGEST: usize = 64;

/// Returns whether a chain of two operands is short enough to be put in order.
pub(super) fn is_short(left: &Expr, op: &BinaryOperator, right: &Expr) -> bool {
    let mut rest = vec![right, left];
    let mut parts = 0;
    while let Some(part) = rest.pop() {
        match part {
            Expr::BinaryOp { left, op: inner, right } if inner == op => rest.extend([&**right, &**left]),
            _ => parts += 1,
        }
        if parts + rest.len() > LONGEST {
            return false;
        }
    }
    true
}

/// Writes a chain of ANDs or ORs in the order of its parts' texts, each part once; a value that is compared with several
/// constants is compared with the list of them.
pub(super) fn chain(left: Expr, op: &BinaryOperator, right: Expr) -> Expr {
    let mut rest = vec![right, left];
    let mut parts: Vec<Expr> = Vec::new();
    while let Some(part) = rest.pop() {
        match part {
            Expr::BinaryOp { left, op: inner, right } if inner == *op => rest.extend([*right, *left]),
            part => add(&mut parts, part, *op == BinaryOperator::And),
        }
    }
    parts.sort_by_cached_key(ToString::to_string);
    parts.dedup();
    let mut parts = parts.into_iter();
    let first = parts.next().unwrap_or_else(|| Expr::value(Value::Null));
    parts.fold(first, |left, right| binary(left, op.clone(), right))
}

/// Adds a part to a chain, or its constants to the list of a part that compares the same value.
fn add(parts: &mut Vec<Expr>, part: Expr, negated: bool) {
    let (value, mut constants) = match listed(part, negated) {
        Ok(found) => found,
        Err(part) => return parts.push(*part),
    };
    for known in parts.iter_mut() {
        match listed(known.clone(), negated) {
            Ok((other, more)) if other == value => {
                constants.extend(more);
                *known = membership(value, constants, negated);
                return;
            }
            _ => {}
        }
    }
    parts.push(membership(value, constants, negated));
}

/// Reads `x = 'a'` and `x IN ('a', 'b')`, or the negations of both; gives back anything else.
fn listed(part: Expr, negated: bool) -> Result<(Expr, Vec<Expr>), Box<Expr>> {
    let wanted = if negated {
        BinaryOperator::NotEq
    } else {
        BinaryOperator::Eq
    };
    match part {
        Expr::BinaryOp { left, op, right } if op == wanted && is_constant(&right) => Ok((*left, vec![*right])),
        Expr::In {
            expr,
            target: InTarget::List(list),
            negated: found,
            ..
        } if found == negated && list.iter().all(is_constant) => Ok((*expr, list)),
        part => Err(Box::new(part)),
    }
}
