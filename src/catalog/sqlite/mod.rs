//! The catalog of an SQLite file.
//!
//! `file.rs` finds the file and decides how to open it, `fetch.rs` asks a fixed number of questions in one read
//! transaction, `statement/` reads the texts that the file keeps of its tables, and `assemble.rs` with `keys.rs`
//! makes tables of all that. `failure.rs` explains result codes.

mod assemble;
mod data;
mod failure;
mod fetch;
mod file;
mod jobs;
mod keys;
mod rows;
mod statement;
mod survey;
#[cfg(test)]
mod tests;
mod triggers;

pub(super) use failure::opening;
pub(super) use fetch::fetch;
pub(super) use survey::survey;
