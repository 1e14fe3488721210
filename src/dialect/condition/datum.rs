//! What is known of a value, and how two values compare.

use std::cmp::Ordering;

use sqlparser::ast::BinaryOperator;

use super::{Outcomes, Texts};
use crate::schema::Equality;

/// Stands for a text that is not blank: what makes another one of it leaves it so.
const WORD: &str = "x";

const NIL: &str = "00000000-0000-0000-0000-000000000000";

/// What is known of a value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Datum {
    /// It is NULL.
    Null,
    /// It is this text.
    Text(String),
    /// It is this number.
    Number(f64),
    /// It is this truth value.
    Truth(bool),
    /// It is a text that is not blank.
    Words,
    /// It is a text of so many characters of so many bytes.
    Letters(u32, u32),
    /// It is a whole number from `-n - 1` to `n`.
    Whole(i64),
    /// It is not NULL.
    Something,
    /// Nothing.
    Open,
}

/// A value of which something is known.
#[derive(Clone, Debug)]
pub(super) struct Operand {
    pub(super) datum: Datum,
    /// How it is compared if it is a text: as the column's, or as `COLLATE` says; a constant has no way of its own.
    pub(super) texts: Option<Texts>,
}

impl Operand {
    pub(super) const OPEN: Self = Self::plain(Datum::Open);

    pub(super) const fn plain(datum: Datum) -> Self {
        Self { datum, texts: None }
    }

    pub(super) fn text(text: &str) -> Self {
        Self::plain(Datum::Text(text.to_owned()))
    }

    pub(super) fn number(number: f64) -> Self {
        Self::plain(Datum::Number(number))
    }

    pub(super) fn is_null(&self) -> Outcomes {
        match self.datum {
            Datum::Null => Outcomes::TRUE,
            Datum::Open => Outcomes::DEFINITE,
            _ => Outcomes::FALSE,
        }
    }

    /// Reads a value as a condition.
    pub(super) fn truth(&self) -> Outcomes {
        match self.datum {
            Datum::Null => Outcomes::NULL,
            Datum::Truth(truth) => truth.into(),
            Datum::Number(number) => (number != 0.0).into(),
            Datum::Text(_) | Datum::Words | Datum::Letters(..) | Datum::Whole(_) | Datum::Something => {
                Outcomes::DEFINITE
            }
            Datum::Open => Outcomes::ANY,
        }
    }

    /// What an operator says of which only this is known: NULL on either side makes it NULL.
    pub(super) fn strict(&self, other: &Self) -> Outcomes {
        match (&self.datum, &other.datum) {
            (Datum::Null, _) | (_, Datum::Null) => Outcomes::NULL,
            (Datum::Open, _) | (_, Datum::Open) => Outcomes::ANY,
            _ => Outcomes::DEFINITE,
        }
    }

    /// Returns whether a text is like a pattern, where both are known and nothing in the pattern is escaped.
    pub(super) fn matches(&self, pattern: &Self, texts: Texts) -> Option<bool> {
        let (Datum::Text(text), Datum::Text(pattern)) = (&self.datum, &pattern.datum) else {
            return None;
        };
        let folds = texts.equality == Equality::CaseInsensitive;
        if pattern.contains('\\') || texts.equality == Equality::Unknown || !(text.is_ascii() && pattern.is_ascii()) {
            return None;
        }
        let fold = |text: &str| {
            if folds {
                text.to_ascii_lowercase()
            } else {
                text.to_owned()
            }
        };
        Some(is_like(fold(text).as_bytes(), fold(pattern).as_bytes()))
    }

    /// `IS NOT DISTINCT FROM`, `<=>`.
    pub(super) fn same(&self, other: &Self) -> Outcomes {
        match (&self.datum, &other.datum) {
            (Datum::Null, _) => other.is_null(),
            (_, Datum::Null) => self.is_null(),
            (Datum::Open, _) | (_, Datum::Open) => Outcomes::DEFINITE,
            _ => self.compare(&BinaryOperator::Eq, other),
        }
    }

    pub(super) fn compare(&self, operator: &BinaryOperator, other: &Self) -> Outcomes {
        use BinaryOperator as Op;
        let undecided = self.strict(other);
        match operator {
            Op::Spaceship | Op::Is => return self.same(other),
            Op::IsNot => return !self.same(other),
            Op::Eq | Op::NotEq | Op::Lt | Op::LtEq | Op::Gt | Op::GtEq => {}
            Op::PGRegexMatch | Op::PGRegexIMatch | Op::PGRegexNotMatch | Op::PGRegexNotIMatch => return undecided,
            Op::PGLikeMatch | Op::PGILikeMatch | Op::PGNotLikeMatch | Op::PGNotILikeMatch | Op::Regexp => {
                return undecided;
            }
            _ => return Outcomes::ANY,
        }
        if undecided != Outcomes::DEFINITE {
            return undecided;
        }
        match (&self.datum, &other.datum) {
            (Datum::Whole(most), Datum::Number(number)) => {
                return in_range(*most, operator, *number).unwrap_or(undecided);
            }
            (Datum::Number(number), Datum::Whole(most)) => {
                return in_range(*most, &flipped(operator), *number).unwrap_or(undecided);
            }
            _ => {}
        }
        let Some(order) = self.order(other) else {
            return undecided;
        };
        match (operator, order) {
            (Op::Eq, order) => (order == Order::Equal).into(),
            (Op::NotEq, order) => (order != Order::Equal).into(),
            (Op::LtEq | Op::GtEq, Order::Equal) => Outcomes::TRUE,
            (_, Order::Equal) => Outcomes::FALSE,
            (_, Order::Different) => undecided,
            (Op::Lt | Op::LtEq, order) => (order == Order::Less).into(),
            (_, order) => (order == Order::Greater).into(),
        }
    }

    fn order(&self, other: &Self) -> Option<Order> {
        match (&self.datum, &other.datum) {
            (Datum::Text(a), Datum::Text(b)) => {
                let texts = self.texts.or(other.texts).unwrap_or(Texts::UNKNOWN);
                let order = |equal| if equal { Order::Equal } else { Order::Different };
                texts.equal(a, b).map(order)
            }
            (Datum::Words, Datum::Text(text)) | (Datum::Text(text), Datum::Words) if is_blank(text) => {
                Some(Order::Different)
            }
            (Datum::Number(a), Datum::Number(b)) => a.partial_cmp(b).map(|order| match order {
                Ordering::Less => Order::Less,
                Ordering::Equal => Order::Equal,
                Ordering::Greater => Order::Greater,
            }),
            // Where truth values are numbers: `(x IS NULL) = 0`.
            (Datum::Truth(a), Datum::Number(b)) | (Datum::Number(b), Datum::Truth(a)) if f64::from(*a) == *b => {
                Some(Order::Equal)
            }
            (Datum::Truth(_), Datum::Number(_)) | (Datum::Number(_), Datum::Truth(_)) => Some(Order::Different),
            (Datum::Truth(a), Datum::Truth(b)) if a == b => Some(Order::Equal),
            (Datum::Truth(_), Datum::Truth(_)) => Some(Order::Different),
            _ => None,
        }
    }

    /// Returns a value of which only this is known: it is NULL where this one is.
    pub(super) fn derived(&self) -> Self {
        Self {
            datum: match self.datum {
                Datum::Null => Datum::Null,
                Datum::Open => Datum::Open,
                _ => Datum::Something,
            },
            texts: self.texts,
        }
    }

    /// Changes a text, and leaves what is no known text derived.
    pub(super) fn map(&self, change: impl Fn(&str) -> Option<Datum>) -> Self {
        let changed = match &self.datum {
            Datum::Text(text) => change(text),
            Datum::Words => change(WORD)
                .filter(|datum| matches!(datum, Datum::Text(_)))
                .map(|_| Datum::Words),
            _ => None,
        };
        match changed {
            Some(datum) => Self {
                datum,
                texts: self.texts,
            },
            None => self.derived(),
        }
    }
}

/// How two values stand to each other. Texts that differ have an order that only the server knows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Less,
    Equal,
    Greater,
    Different,
}

/// Compares every whole number from `-most - 1` to `most` with a number, where the answer is the same for all.
#[allow(
    clippy::cast_precision_loss,
    reason = "a bound that is rounded away from zero is still a bound"
)]
fn in_range(most: i64, operator: &BinaryOperator, number: f64) -> Option<Outcomes> {
    use BinaryOperator as Op;
    let (low, high) = (-(most as f64) - 1.0, most as f64);
    let (none_below, none_above) = (number <= low, number >= high);
    let outside = number < low || number > high || number.fract() != 0.0;
    let truth = match operator {
        Op::GtEq if none_below => true,
        Op::GtEq if number > high => false,
        Op::Gt if number < low => true,
        Op::Gt if none_above => false,
        Op::LtEq if none_above => true,
        Op::LtEq if number < low => false,
        Op::Lt if number > high => true,
        Op::Lt if none_below => false,
        Op::Eq if outside => false,
        Op::NotEq if outside => true,
        _ => return None,
    };
    Some(truth.into())
}

/// Returns the operator that says the same with its sides changed.
fn flipped(operator: &BinaryOperator) -> BinaryOperator {
    use BinaryOperator as Op;
    match operator {
        Op::Lt => Op::Gt,
        Op::LtEq => Op::GtEq,
        Op::Gt => Op::Lt,
        Op::GtEq => Op::LtEq,
        other => other.clone(),
    }
}

impl Texts {
    /// Returns whether two texts are equal, where that is known.
    fn equal(self, a: &str, b: &str) -> Option<bool> {
        let [a, b] = [a, b].map(|text| if self.pads { text.trim_end_matches(' ') } else { text });
        let plain = a.is_ascii() && b.is_ascii();
        match self.equality {
            _ if a == b => Some(true),
            Equality::Bytes => Some(false),
            Equality::CaseSensitive => plain.then_some(false),
            Equality::CaseInsensitive if plain => Some(a.eq_ignore_ascii_case(b)),
            Equality::CaseInsensitive => (a.to_lowercase() == b.to_lowercase()).then_some(true),
            Equality::Unknown => None,
        }
    }
}

/// Matches a text with a pattern of `%` and `_`; of several `%` only the last one is ever tried again.
fn is_like(text: &[u8], pattern: &[u8]) -> bool {
    let (mut at, mut next) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    while at < text.len() {
        match pattern.get(next) {
            Some(b'%') => {
                next += 1;
                retry = Some((at, next));
            }
            Some(c) if *c == b'_' || *c == text[at] => {
                at += 1;
                next += 1;
            }
            _ => {
                let Some((from, behind)) = retry else { return false };
                retry = Some((from + 1, behind));
                (at, next) = (from + 1, behind);
            }
        }
    }
    pattern[next..].iter().all(|c| *c == b'%')
}

/// Returns whether a text is one that no service means: blanks, or the nil identifier.
fn is_blank(text: &str) -> bool {
    text == NIL || text.chars().all(|c| c == ' ')
}
