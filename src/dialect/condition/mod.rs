//! What a check makes of a row of which one value is known, in SQL's logic of three values.
//!
//! A dialect parses the expression and says what its names and collations mean; the rest is the same everywhere.
//! Nothing is guessed: what is not understood may be true, false or unknown, and there is an answer only where
//! each of these leads to it.

mod datum;
mod operand;
mod outcomes;
mod reader;

use sqlparser::ast::{BinaryOperator, Expr, Ident, UnaryOperator};
use sqlparser::dialect::Dialect as SqlDialect;
use sqlparser::parser::Parser;
use sqlparser::tokenizer::Token;

use self::datum::Datum;
use self::outcomes::Outcomes;
use self::reader::Reader;
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

    /// Whether a cast to a limited type cuts a longer text.
    fn casts_cut(&self) -> bool {
        true
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

/// Returns the text that an expression of constants comes to, where that is known.
pub(super) fn constant_text(expr: &Expr, meaning: &dyn Meaning) -> Option<String> {
    let row = &Row {
        columns: &[],
        known: None,
    };
    match (Reader { row, meaning }).operand(expr, 0).datum {
        Datum::Text(text) => Some(text),
        _ => None,
    }
}

/// Returns whether an expression is a condition: a comparison, or what joins such.
pub(super) fn is_condition(expr: &Expr) -> bool {
    use BinaryOperator::{And, Eq, Gt, GtEq, Lt, LtEq, NotEq, Or};
    match bare(expr) {
        Expr::BinaryOp { op, .. } => matches!(op, And | Or | Eq | NotEq | Lt | LtEq | Gt | GtEq),
        Expr::UnaryOp { op, .. } => *op == UnaryOperator::Not,
        Expr::IsNull(_)
        | Expr::IsNotNull(_)
        | Expr::IsTrue(_)
        | Expr::IsNotTrue(_)
        | Expr::IsFalse(_)
        | Expr::IsNotFalse(_)
        | Expr::IsDistinctFrom(..)
        | Expr::IsNotDistinctFrom(..)
        | Expr::In { .. }
        | Expr::Between { .. }
        | Expr::Like { .. }
        | Expr::ILike { .. } => true,
        _ => false,
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

#[cfg(test)]
mod tests;
