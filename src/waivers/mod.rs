//! Waivers: written exceptions, each for one observed value of one object, with an owner, a reason and an end.
//!
//! ```text
//! seadrift.waivers.yaml ──load──▶ WaiverFile ──apply──▶ findings that no longer count, and the state of each waiver
//!                                     │
//!                                     └──edit──▶ the file with an entry more, or without those that match nothing
//! ```
//!
//! A waiver never hides a finding: it stays in every report and only stops counting. An entry excuses what it names and
//! nothing else, so there are no patterns.

mod apply;
mod edit;
mod grammar;
mod load;
mod model;

pub use apply::{apply, by_date};
pub use edit::{EditError, Entry, add, prune};
pub use grammar::json_schema;
pub use load::{load, parse};
pub use model::{Waiver, WaiverFile};
