//! Column defaults in normal form: compared by value, never by text.

/// What a column gets when an insert leaves it out.
///
/// Both sides are brought to this form by [`crate::dialect::Facts::default_expr`]; two defaults are equal if
/// their normal forms are equal. "No default" and `DEFAULT NULL` are both the absence of a `DefaultExpr`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DefaultExpr {
    /// A constant.
    Literal(Literal),
    /// The present time.
    Now {
        /// Which clock is read.
        clock: Clock,
        /// In which form the value arrives in the column.
        form: TimeForm,
    },
    /// A fresh random or time-ordered UUID.
    FreshUuid,
    /// The next value of a sequence, whose name is given as the server prints it.
    NextValue(String),
    /// Any other expression, in the dialect's canonical spelling.
    Expression(String),
}

/// A constant in the canonical form of its column's type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Literal {
    /// Text, unquoted. Letter case is data.
    Text(String),
    /// A number without superfluous zeros or sign: `0`, `-1.5`.
    Number(String),
    /// A truth value.
    Boolean(bool),
    /// A UUID in lower case with dashes.
    Uuid(String),
    /// A point in time in a canonical spelling: `2026-01-01 00:00:00`, `-infinity`.
    Time(String),
    /// Bits or bytes in lower-case hexadecimal.
    Bytes(String),
}

/// Which clock a time default reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// Start of the transaction or statement: `now()`, `CURRENT_TIMESTAMP`.
    Statement,
    /// The wall clock at each row: `clock_timestamp()`, `SYSDATE()`.
    Wall,
}

/// In which form the present time reaches a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeForm {
    /// As the column's own type, rightly.
    Native,
    /// As a UTC time without zone that the server reads in the session's zone: wrong by the offset.
    ShiftedUtc,
    /// As text in a form of its own (SQLite's `datetime('now')`): the same instant, another spelling.
    Formatted,
    /// As a number of seconds (SQLite's `unixepoch()`), which does not compare with times.
    Seconds,
    /// As a number of days (SQLite's `julianday()`), which does not compare with times.
    Days,
    /// Without the time of day, in a column that would hold it: `CURRENT_DATE`.
    Midnight,
}

impl std::fmt::Display for Literal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Text(t) => write!(f, "'{}'", t.replace('\'', "''")),
            Self::Number(n) => f.write_str(n),
            Self::Boolean(b) => write!(f, "{b}"),
            Self::Uuid(t) | Self::Time(t) => write!(f, "'{t}'"),
            Self::Bytes(hex) => write!(f, "0x{hex}"),
        }
    }
}

impl std::fmt::Display for DefaultExpr {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Literal(literal) => literal.fmt(f),
            Self::Now {
                clock: Clock::Statement,
                form: TimeForm::Native,
            } => f.write_str("now()"),
            Self::Now {
                clock: Clock::Wall,
                form: TimeForm::Native,
            } => f.write_str("the wall clock"),
            Self::Now {
                form: TimeForm::ShiftedUtc,
                ..
            } => f.write_str("now() shifted to UTC"),
            Self::Now {
                form: TimeForm::Formatted,
                ..
            } => f.write_str("now() as text"),
            Self::Now {
                form: TimeForm::Seconds,
                ..
            } => f.write_str("now() in seconds"),
            Self::Now {
                form: TimeForm::Days, ..
            } => f.write_str("now() in days"),
            Self::Now {
                form: TimeForm::Midnight,
                ..
            } => f.write_str("the present day"),
            Self::FreshUuid => f.write_str("a fresh UUID"),
            Self::NextValue(sequence) => write!(f, "nextval({sequence})"),
            Self::Expression(text) => f.write_str(text),
        }
    }
}
