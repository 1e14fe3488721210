//! Places in a file.

/// A place in a file: what a finding or a problem points at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The line, counted from 1.
    pub line: u32,
    /// The column in characters, counted from 1.
    pub column: u32,
    /// How many characters are meant; at least 1.
    pub length: u32,
}

/// A value and where it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct At<T> {
    /// The value.
    pub value: T,
    /// Where it is written; for a fact left to its default, where its owner's name is written.
    pub at: Position,
}

impl<T> At<T> {
    /// Puts a value at a place.
    pub fn new(value: T, at: Position) -> Self {
        Self { value, at }
    }
}
