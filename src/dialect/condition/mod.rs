//! What a check makes of a row of which one value is known, in SQL's logic of three values.
//!
//! A dialect parses the expression and says what its names and collations mean; the rest is the same everywhere.
//! Nothing is guessed: what is not understood may be true, false or unknown, and there is an answer only where
//! each of these leads to it.

mod datum;
mod outcomes;

use sqlparser::ast::{BinaryOperator, Expr, Ident, InTarget, UnaryOperator};
use sqlparser::dialect::Dialect as SqlDialect;
use sqlparser::parser::Parser;
use sqlparser::tokenizer::Token;

use self::datum::{Operand, elements};
use self::outcomes::Outcomes;
use super::Row;
use crate::schema::{Collation, Column, DataType, Equality};

/// Deeper parts of an expression are not looked into: a database can choose how deep its texts nest.
const DEEPEST: usize = 64;

/// Longer texts are not parsed: the depth of the tree grows with the text, which a database can choose.
pub(super) const LONGEST: usize = 8 * 1024;

/// How a dialect reads names and compares texts.
pub(super) trait Meaning {
    /// Whether a name, as the parser has it, is that of a column.
    fn is_column(&self, name: &Ident, column: &Column) -> bool;

    /// Which texts a named collation takes for equal.
    fn collation(&self, name: &str) -> Texts;

    /// Whether a name in double quotes is a text where no column has it.
    fn quotes_texts_twice(&self) -> bool {
        false
    }

    /// Whether `LIKE` passes over letter case where the comparison of texts does not.
    fn like_ignores_case(&self) -> bool {
        false
    }

    /// Whether `length(x)` counts characters; bytes otherwise.
    fn length_counts_characters(&self) -> bool {
        true
    }
}

/// Which texts are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Texts {
    equality: Equality,
    pads: bool,
    /// Whether the type says so (`citext`), not a collation, so that a cast to another type ends it.
    by_type: bool,
}

impl Texts {
    /// Equal means equal bytes.
    pub(super) const EXACT: Self = Self::by(Equality::Bytes);
    /// Nothing is known but that a text is equal to itself.
    pub(super) const UNKNOWN: Self = Self::by(Equality::Unknown);
    /// Letter case does not count, since the type is made so.
    const CITEXT: Self = Self {
        by_type: true,
        ..Self::by(Equality::CaseInsensitive)
    };

    const fn by(equality: Equality) -> Self {
        Self {
            equality,
            pads: false,
            by_type: false,
        }
    }

    fn of(column: &Column) -> Self {
        match (&column.collation, &column.ty.data) {
            (_, DataType::Other(name)) if name.rsplit('.').next() == Some("citext") => Self::CITEXT,
            (Some(collation), _) => Self::from(collation),
            // An enum type without a collation holds its labels as they are written.
            (None, DataType::Other(_)) if column.allowed_values.is_some() => Self::EXACT,
            (None, _) => Self::UNKNOWN,
        }
    }
}

impl From<&Collation> for Texts {
    fn from(collation: &Collation) -> Self {
        Self {
            pads: collation.pads,
            ..Self::by(collation.equality)
        }
    }
}

/// Parses an expression; nothing if it is not one, or too long.
pub(super) fn parse(sql: &str, dialect: &dyn SqlDialect) -> Option<Expr> {
    if sql.len() > LONGEST {
        return None;
    }
    let mut parser = Parser::new(dialect).try_with_sql(sql).ok()?;
    let expr = parser.parse_expr().ok()?;
    (parser.peek_token().token == Token::EOF).then_some(expr)
}

/// Says whether a check lets a row in, whatever its other values are; nothing if that depends on them, or on what
/// is not understood. A check refuses what is false: NULL passes.
pub(super) fn admits(check: &Expr, row: &Row<'_>, meaning: &dyn Meaning) -> Option<bool> {
    let outcomes = Reader { row, meaning }.condition(check, 0);
    if !outcomes.may_be_false() {
        Some(true)
    } else if outcomes == Outcomes::FALSE {
        Some(false)
    } else {
        None
    }
}

/// Returns whether a check keeps NULL out of columns and does nothing else: `a IS NOT NULL AND b IS NOT NULL`.
pub(super) fn only_keeps_null_out(check: &Expr) -> bool {
    chain(check, &BinaryOperator::And).into_iter().all(|part| match part {
        Expr::IsNotNull(inner) => is_name(inner),
        Expr::UnaryOp {
            op: UnaryOperator::Not,
            expr,
        } => matches!(bare(expr), Expr::IsNull(inner) if is_name(inner)),
        _ => false,
    })
}

/// Takes parentheses away.
fn bare(mut expr: &Expr) -> &Expr {
    while let Expr::Nested(inner) = expr {
        expr = inner;
    }
    expr
}

fn is_name(expr: &Expr) -> bool {
    matches!(bare(expr), Expr::Identifier(_) | Expr::CompoundIdentifier(_))
}

/// Returns the parts of a chain of one operator. No recursion: a chain can be as long as the text.
fn chain<'a>(expr: &'a Expr, operator: &BinaryOperator) -> Vec<&'a Expr> {
    let mut parts = Vec::new();
    let mut open = vec![expr];
    while let Some(next) = open.pop() {
        match bare(next) {
            Expr::BinaryOp { left, op, right } if op == operator => open.extend([&**right, &**left]),
            part => parts.push(part),
        }
    }
    parts
}

/// Reads an expression over one row.
struct Reader<'a> {
    row: &'a Row<'a>,
    meaning: &'a dyn Meaning,
}

impl Reader<'_> {
    fn condition(&self, expr: &Expr, depth: usize) -> Outcomes {
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
            Expr::UnaryOp {
                op: UnaryOperator::Not | UnaryOperator::BangNot,
                expr,
            } => !deeper(expr),
            Expr::IsNull(inner) => operand(inner).is_null(),
            Expr::IsNotNull(inner) => !operand(inner).is_null(),
            Expr::IsTrue(inner) => deeper(inner).is(Outcomes::TRUE),
            Expr::IsNotTrue(inner) => !deeper(inner).is(Outcomes::TRUE),
            Expr::IsFalse(inner) => deeper(inner).is(Outcomes::FALSE),
            Expr::IsNotFalse(inner) => !deeper(inner).is(Outcomes::FALSE),
            Expr::IsUnknown(inner) => deeper(inner).is(Outcomes::NULL),
            Expr::IsNotUnknown(inner) => !deeper(inner).is(Outcomes::NULL),
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
            Expr::Case {
                operand: None,
                conditions,
                else_result,
                ..
            } => {
                let branches = conditions.iter().map(|branch| (&branch.condition, &branch.result));
                self.branches(branches, else_result.as_deref(), depth)
            }
            // A function that chooses between conditions (MySQL, SQLite).
            Expr::Function(function) => match datum::call_of(function, &["if", "iif"]).as_deref() {
                Some([condition, then, otherwise]) => {
                    let branch = (*condition, *then);
                    self.branches([branch].into_iter(), Some(otherwise), depth)
                }
                _ => self.operand(expr, depth + 1).truth(),
            },
            other => self.operand(other, depth + 1).truth(),
        }
    }

    fn like(&self, value: &Operand, pattern: &Operand) -> Outcomes {
        let texts = match self.meaning.like_ignores_case() {
            true => Some(Texts::by(Equality::CaseInsensitive)),
            false => value.texts(),
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
        branches: impl Iterator<Item = (&'b Expr, &'b Expr)>,
        otherwise: Option<&Expr>,
        depth: usize,
    ) -> Outcomes {
        let mut possible = Outcomes::NONE;
        for (condition, result) in branches {
            let taken = self.condition(condition, depth + 1);
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

#[cfg(test)]
mod tests;
