//! `seadrift.yaml`: which databases there are, and how they are checked.

mod find;
mod grammar;
mod model;
mod read;

pub use find::{NAME, find};
pub use grammar::json_schema;
pub(crate) use model::DATABASE;
pub use model::{
    Config, Defaults, Engine, Entry, Levels, Many, ServerEntry, SourceEntry, Timeouts, TlsEntry, WayEntry,
};
pub use read::{load, parse};
