//! Comparisons, and what they say of a row's age.

use sqlparser::ast::BinaryOperator;

use super::Age;
use super::condition::{Branches, Test};
use super::line::Line;

/// A comparison, or its reverse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Less,
    Greater,
    Equal,
    Different,
    LessOrEqual,
    GreaterOrEqual,
}

impl Order {
    pub(super) fn of(op: &BinaryOperator) -> Option<Self> {
        Some(match op {
            BinaryOperator::Lt => Self::Less,
            BinaryOperator::LtEq => Self::LessOrEqual,
            BinaryOperator::Gt => Self::Greater,
            BinaryOperator::GtEq => Self::GreaterOrEqual,
            BinaryOperator::Eq => Self::Equal,
            BinaryOperator::NotEq => Self::Different,
            _ => return None,
        })
    }

    /// Returns what holds where this does not.
    pub(super) fn turned(self) -> Self {
        match self {
            Self::Less => Self::GreaterOrEqual,
            Self::LessOrEqual => Self::Greater,
            Self::Greater => Self::LessOrEqual,
            Self::GreaterOrEqual => Self::Less,
            Self::Equal => Self::Different,
            Self::Different => Self::Equal,
        }
    }

    /// Returns the same of the other side.
    pub(super) fn mirrored(self) -> Self {
        match self {
            Self::Less => Self::Greater,
            Self::Greater => Self::Less,
            Self::LessOrEqual => Self::GreaterOrEqual,
            Self::GreaterOrEqual => Self::LessOrEqual,
            same => same,
        }
    }

    pub(super) fn holds(self, difference: i64) -> bool {
        self.holds_for(Some(difference.cmp(&0)))
    }

    pub(super) fn holds_for(self, order: Option<std::cmp::Ordering>) -> bool {
        use std::cmp::Ordering::{Equal, Greater, Less};
        match (self, order) {
            (Self::Different, other) => other != Some(Equal),
            (Self::Less, Some(Less)) | (Self::Greater, Some(Greater)) | (Self::Equal, Some(Equal)) => true,
            (Self::LessOrEqual, Some(order)) => order != Greater,
            (Self::GreaterOrEqual, Some(order)) => order != Less,
            _ => false,
        }
    }
}
/// A comparison of a line through now and the column with zero, as tests of the row's age.
pub(super) fn by_age(line: &Line, op: Order, column_first: bool) -> Branches {
    // column − now + offset < 0 is the same as age > offset; the other way round, age < −offset.
    let mut span = if column_first {
        line.offset
    } else {
        line.offset.negated()
    };
    let older = matches!(op, Order::Less | Order::LessOrEqual) == column_first;
    if let Some(width) = line.whole {
        // Of whole numbers, more than 7 is at least 8.
        match op {
            Order::Less | Order::Greater if older => span.least = span.least.saturating_add(width),
            Order::LessOrEqual | Order::GreaterOrEqual if !older => span.least = span.least.saturating_add(width),
            Order::Equal | Order::Different => {}
            _ => span.most = span.most.saturating_sub(width),
        }
    }
    let age = Age {
        column: line.name.clone().unwrap_or_default(),
        span,
        local: line.local,
    };
    match op {
        Order::Equal => vec![vec![Test::Older(age.clone()), Test::Younger(age)]],
        Order::Different => vec![vec![Test::Older(age.clone())], vec![Test::Younger(age)]],
        _ if older => vec![vec![Test::Older(age)]],
        _ => vec![vec![Test::Younger(age)]],
    }
}
