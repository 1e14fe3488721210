//! Conditions: what makes true, false or NULL of operands.

use sqlparser::ast::{BinaryOperator, Expr, InTarget, UnaryOperator};

use super::datum::Operand;
use super::operand::{call_of, elements};
use super::outcomes::Outcomes;
use super::{DEEPEST, Meaning, Texts, bare, chain};
use crate::dialect::Row;
use crate::schema::Equality;

/// Reads the expressions of a check over one row.
pub(super) struct Reader<'a> {
    pub(super) row: &'a Row<'a>,
    pub(super) meaning: &'a dyn Meaning,
}

impl Reader<'_> {
    pub(super) fn condition(&self, expr: &Expr, depth: usize) -> Outcomes {
        if depth > DEEPEST {
            return Outcomes::ANY;
        }
        let deeper = |e: &Expr| self.condition(e, depth + 1);
        let operand = |e: &Expr| self.operand(e, depth + 1);
        match bare(expr) {
            Expr::BinaryOp { op, .. } if *op == BinaryOperator::And => chain(expr, op)
                .into_iter()
                .fold(Outcomes::TRUE, |all, part| all.and(deeper(part))),
            Expr::BinaryOp { op, .. } if *op == BinaryOperator::Or => chain(expr, op)
                .into_iter()
                .fold(Outcomes::FALSE, |all, part| all.or(deeper(part))),
            Expr::UnaryOp {
                op: UnaryOperator::Not | UnaryOperator::BangNot,
                expr,
            } => !deeper(expr),
            Expr::IsTrue(inner) => deeper(inner).is(Outcomes::TRUE),
            Expr::IsNotTrue(inner) => !deeper(inner).is(Outcomes::TRUE),
            Expr::IsFalse(inner) => deeper(inner).is(Outcomes::FALSE),
            Expr::IsNotFalse(inner) => !deeper(inner).is(Outcomes::FALSE),
            Expr::IsUnknown(inner) => deeper(inner).is(Outcomes::NULL),
            Expr::IsNotUnknown(inner) => !deeper(inner).is(Outcomes::NULL),
            Expr::Case {
                operand: chosen,
                conditions,
                else_result,
                ..
            } => {
                let chosen = chosen.as_deref().map(operand);
                let taken = |when: &Expr| match &chosen {
                    Some(value) => value.compare(&BinaryOperator::Eq, &operand(when)),
                    None => deeper(when),
                };
                let branches = conditions
                    .iter()
                    .map(|branch| (taken(&branch.condition), &branch.result));
                self.branches(branches, else_result.as_deref(), depth)
            }
            // A function that chooses between conditions (MySQL, SQLite).
            Expr::Function(function) => match call_of(function, &["if", "iif"]).as_deref() {
                Some([condition, then, otherwise]) => {
                    let branch = (deeper(condition), *then);
                    self.branches([branch].into_iter(), Some(otherwise), depth)
                }
                _ => self.operand(expr, depth + 1).truth(),
            },
            other => self.predicate(other, depth),
        }
    }

    /// Reads a comparison, or what else makes a condition of operands.
    fn predicate(&self, expr: &Expr, depth: usize) -> Outcomes {
        let operand = |e: &Expr| self.operand(e, depth + 1);
        match expr {
            Expr::IsNull(inner) => operand(inner).is_null(),
            Expr::IsNotNull(inner) => !operand(inner).is_null(),
            Expr::BinaryOp {
                left,
                op: BinaryOperator::PGLikeMatch,
                right,
            } => self.like(&operand(left), &operand(right)),
            Expr::BinaryOp {
                left,
                op: BinaryOperator::PGNotLikeMatch,
                right,
            } => !self.like(&operand(left), &operand(right)),
            Expr::Like {
                negated,
                any: false,
                expr,
                pattern,
                escape_char: None,
            } => self.like(&operand(expr), &operand(pattern)).negated_if(*negated),
            Expr::BinaryOp { left, op, right } => operand(left).compare(op, &operand(right)),
            Expr::IsDistinctFrom(a, b) => !operand(a).same(&operand(b)),
            Expr::IsNotDistinctFrom(a, b) => operand(a).same(&operand(b)),
            Expr::In {
                expr,
                target: InTarget::List(list),
                negated,
                ..
            } => self.is_in(expr, list, depth).negated_if(*negated),
            Expr::AnyOp {
                left,
                compare_op: BinaryOperator::Eq,
                right,
                ..
            } => elements(right).map_or(Outcomes::ANY, |list| self.is_in(left, &list, depth)),
            Expr::AllOp {
                left,
                compare_op: BinaryOperator::NotEq,
                right,
            } => elements(right).map_or(Outcomes::ANY, |list| !self.is_in(left, &list, depth)),
            Expr::Between {
                expr,
                negated,
                low,
                high,
            } => {
                let value = operand(expr);
                let above = value.compare(&BinaryOperator::GtEq, &operand(low));
                let below = value.compare(&BinaryOperator::LtEq, &operand(high));
                above.and(below).negated_if(*negated)
            }
            Expr::Like { expr, pattern, .. }
            | Expr::ILike { expr, pattern, .. }
            | Expr::SimilarTo { expr, pattern, .. }
            | Expr::RLike { expr, pattern, .. } => operand(expr).strict(&operand(pattern)),
            other => operand(other).truth(),
        }
    }

    fn like(&self, value: &Operand, pattern: &Operand) -> Outcomes {
        let texts = match self.meaning.like_ignores_case() {
            true => Some(Texts::by(Equality::CaseInsensitive)),
            false => value.texts,
        };
        let matched = texts.and_then(|texts| value.matches(pattern, texts));
        matched.map_or_else(|| value.strict(pattern), Outcomes::from)
    }

    fn is_in(&self, value: &Expr, list: &[Expr], depth: usize) -> Outcomes {
        let value = self.operand(value, depth + 1);
        list.iter()
            .map(|item| value.compare(&BinaryOperator::Eq, &self.operand(item, depth + 1)))
            .fold(Outcomes::FALSE, Outcomes::or)
    }

    fn branches<'b>(
        &self,
        branches: impl Iterator<Item = (Outcomes, &'b Expr)>,
        otherwise: Option<&Expr>,
        depth: usize,
    ) -> Outcomes {
        let mut possible = Outcomes::NONE;
        for (taken, result) in branches {
            if taken.may_be_true() {
                possible = possible.either(self.condition(result, depth + 1));
            }
            if taken == Outcomes::TRUE {
                return possible;
            }
        }
        possible.either(otherwise.map_or(Outcomes::NULL, |e| self.condition(e, depth + 1)))
    }
}
