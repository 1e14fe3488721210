//! Pairs what a spec wants with what a catalog has, by identity. Judges nothing.

mod canonical;
mod pair;

pub use canonical::{Canonical, canonical};
pub use pair::{ColumnPair, Comparison, IndexPair, TablePair, pair};
