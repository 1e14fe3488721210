//! Times and lengths of time: lines through the present and one column.

use super::value::Value;
use crate::retention::model::Span;
use crate::retention::span::DAY;

/// How a value of a column, or a number, is kept: what comparing it with another kind of value does depends on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Store {
    /// As a time of the server's own.
    Time,
    /// As text.
    Text,
    /// As a number.
    Number,
    /// As text or as a number, row by row.
    Mixed,
    /// Not known, or brought to whatever it is compared with.
    #[default]
    Any,
}

/// `now·N + column·C + offset`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Line {
    /// How often the present is in it.
    pub(super) now: i32,
    /// How often the column is in it.
    pub(super) column: i32,
    /// The column's name.
    pub(super) name: Option<String>,
    /// What is added.
    pub(super) offset: Span,
    /// The unit in which it is a plain number; absent for native times and intervals.
    pub(super) unit: Option<i64>,
    /// Whether the present is that of a local clock.
    pub(super) local: bool,
    /// The length of which it is always a whole multiple, if it is.
    pub(super) whole: Option<i64>,
    /// How it is kept: that of a column that nothing has converted, or that of a number.
    pub(super) store: Store,
}

impl Line {
    pub(super) fn now(local: bool) -> Self {
        Self {
            now: 1,
            column: 0,
            name: None,
            offset: Span::exact(0),
            unit: None,
            local,
            whole: None,
            store: Store::Any,
        }
    }

    pub(super) fn column(name: String, store: Store) -> Self {
        Self {
            column: 1,
            now: 0,
            name: Some(name),
            store,
            ..Self::now(false)
        }
    }

    pub(super) fn span(offset: Span) -> Self {
        Self {
            now: 0,
            offset,
            ..Self::now(false)
        }
    }

    /// Makes it earlier by up to this length, as truncation does.
    pub(super) fn floored(self, width: i64) -> Self {
        self.cut(width, width.saturating_neg(), 0)
    }

    /// Makes it a whole multiple of a width, by adding between `least` and `most`.
    pub(super) fn cut(mut self, width: i64, least: i64, most: i64) -> Self {
        self.store = Store::Any;
        if width == 0 || self.whole.is_some_and(|whole| whole % width == 0) {
            return self;
        }
        self.offset = self.offset.plus(Span { least, most });
        // Months and years have no one width.
        self.whole = Some(width).filter(|w| (1..=7 * DAY).contains(w));
        self
    }

    pub(super) fn counted(mut self, unit: i64) -> Self {
        self.unit = Some(unit);
        self.store = Store::Number;
        self
    }

    pub(super) fn native(mut self) -> Self {
        self.unit = None;
        self.store = Store::Any;
        self
    }

    pub(super) fn kept_as(mut self, store: Store) -> Self {
        self.store = store;
        self
    }

    /// Returns whether it is a whole multiple of a width.
    fn is_multiple(&self, width: i64) -> bool {
        let fixed = self.now == 0 && self.column == 0 && self.offset.least == self.offset.most;
        self.whole == Some(width) || (fixed && self.offset.least % width == 0)
    }

    pub(super) fn negated(mut self) -> Self {
        self.now = -self.now;
        self.column = -self.column;
        self.offset = self.offset.negated();
        self
    }

    /// Adds another line; nothing if they are about different columns or count in different units.
    pub(super) fn plus(self, other: Self) -> Option<Self> {
        // A time or a text beside a number is no time any more.
        let mixes = |a: &Self, b: &Self| {
            a.unit.is_none()
                && a.column != 0
                && matches!(a.store, Store::Time | Store::Text)
                && b.unit.is_some()
                && b.store != Store::Any
        };
        if mixes(&self, &other) || mixes(&other, &self) {
            return None;
        }
        let store = match (self.unit, other.unit) {
            (Some(_), Some(_)) if self.store != other.store => Store::Any,
            (None, Some(_)) => other.store,
            (None, None) if self.column == 0 => other.store,
            _ => self.store,
        };
        let whole = self.whole.or(other.whole);
        let whole = whole.filter(|width| self.is_multiple(*width) && other.is_multiple(*width));
        let unit = match (self.unit, other.unit) {
            (Some(a), Some(b)) if a != b => return None,
            (a, b) => a.or(b),
        };
        let name = match (self.name, other.name) {
            (Some(a), Some(b)) if a != b => return None,
            (a, b) => a.or(b),
        };
        Some(Self {
            now: self.now + other.now,
            column: self.column + other.column,
            name,
            offset: self.offset.plus(other.offset),
            unit,
            local: self.local || other.local,
            whole,
            store,
        })
    }

    /// Subtracts another line.
    pub(super) fn minus(self, other: Self) -> Option<Self> {
        self.plus(other.negated())
    }
}

pub(super) fn product(a: Value, b: Value) -> Option<Value> {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => Some(Value::Number(a * b)),
        (Value::Line(line), Value::Number(n)) | (Value::Number(n), Value::Line(line)) => scaled(line, n),
        _ => None,
    }
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "units are small whole numbers"
)]
fn scaled(line: Line, factor: f64) -> Option<Value> {
    match line.unit {
        None if line.now == 0 && line.column == 0 => Some(Value::Line(Line::span(line.offset.times(factor)))),
        // Seconds times 1000 are the same time in milliseconds.
        Some(unit) if factor > 0.0 && unit as f64 / factor >= 1.0 => {
            let finer = unit as f64 / factor;
            Some(Value::Line(line.counted(finer.round() as i64)))
        }
        _ => None,
    }
}

/// How a number is made whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rounding {
    Down,
    Up,
    Near,
}

pub(super) fn rounded(value: Value, how: Rounding) -> Value {
    match value {
        Value::Line(line) => match line.unit {
            Some(unit) => {
                let store = line.store;
                let (least, most) = match how {
                    Rounding::Down => (-unit, 0),
                    Rounding::Up => (0, unit),
                    Rounding::Near => (-(unit + 1) / 2, (unit + 1) / 2),
                };
                Value::Line(line.cut(unit, least, most).kept_as(store))
            }
            None => Value::Unknown,
        },
        Value::Number(n) => Value::Number(n),
        _ => Value::Unknown,
    }
}
