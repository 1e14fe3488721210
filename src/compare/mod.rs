//! Pairs what a spec wants with what a catalog has, by identity. Judges nothing.

mod pair;

pub use pair::{ColumnPair, Comparison, IndexPair, TablePair, pair};
