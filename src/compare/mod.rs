//! Pairs what a spec wants with what a catalog has, by identity. Judges nothing.

mod canonical;
mod difference;
mod ideal;
mod key;
mod pair;
mod predicate;
mod promise;
mod room;
mod standing;

pub use canonical::{Canonical, canonical};
pub use difference::{Difference, Effect, worst};
pub use ideal::ideal;
pub use key::{print_key, print_part, replaces};
pub use pair::{ColumnPair, Comparison, IndexPair, TablePair, pair};
pub use promise::{Strictness, refuses_more, strictness};
pub use room::{Room, room};
pub use standing::Standing;
