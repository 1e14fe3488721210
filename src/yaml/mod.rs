//! YAML files that people write: read with the place of every key and value, and with every problem of a file at once.
//!
//! ```text
//! text ──parse──▶ tree with places ──Reader──▶ what the file says
//!                                      ▲
//!                                   grammar ──json_schema──▶ the JSON Schema for editors
//! ```
//!
//! A format is a set of blocks of keys and a function that reads them.

pub(crate) mod grammar;
mod json_schema;
mod load;
mod place;
mod problem;
mod reader;
mod render;
mod tree;

pub(crate) use json_schema::json_schema;
pub(crate) use load::{display_name, parse_text, read};
pub use place::{At, Position};
pub use problem::{Problem, Related, SourceFile};
pub(crate) use problem::{Problems, shorten};
pub(crate) use reader::{Fields, Reader, VERSION, describe};
pub use render::render_problems;
#[cfg(test)]
pub(crate) use tree::parse;
pub(crate) use tree::{Entry, Kind, Node};
