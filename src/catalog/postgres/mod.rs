//! The catalog of PostgreSQL, versions 12 to 18.
//!
//! Everything is read from `pg_catalog`, which every role may read: LOGIN and CONNECT are all the rights a check
//! needs. `fetch` sends four statements however many tables are wanted; `assemble` makes of the rows what they mean.

mod assemble;
mod bounds;
mod columns;
mod cover;
mod data;
mod databases;
mod errors;
mod fetch;
#[cfg(test)]
mod hostile;
mod impostors;
mod indexes;
mod jobs;
mod lookalikes;
#[cfg(test)]
mod many;
mod moment;
mod partitions;
mod pool;
mod rows;
mod survey;
#[cfg(test)]
mod tests;
mod triggers;
mod write_path;

pub(super) use databases::databases;
pub(super) use errors::{WORDS, connecting};
pub(super) use fetch::fetch;
pub(crate) use pool::is_session_shared;
pub(super) use survey::{goes_through_pooler, survey};
