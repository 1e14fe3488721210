//! Specs: what a service needs its database to be.
//!
//! [`load`] reads a file into a [`Spec`], or answers with every [`Problem`] of it at once:
//!
//! ```text
//! text ──file──▶ tree with places ──resolve──▶ Spec        (reader, column, constant, cross_check)
//!                     ▲
//!                  grammar ──json_schema──▶ specs/seadrift-spec.schema.json
//! ```
//!
//! A spec can be silent about a fact, state it, or say that it is unconfirmed ([`Wanted`]).

mod column;
mod constant;
mod cross_check;
mod duration;
mod file;
mod grammar;
mod json_schema;
mod load;
mod model;
mod print;
mod problem;
mod reader;
mod render;
mod resolve;

pub use duration::{ParseDurationError, parse_duration, print_duration};
pub use json_schema::json_schema;
pub use load::{load, load_dir, load_paths, parse};
pub use model::{
    At, CheckSpec, ColumnSpec, CompareSpec, DefaultSpec, DesiredType, IndexSpec, KeyExprSpec, KeyPartSpec, LedgerSpec,
    Position, RetentionSpec, Role, Source, Spec, Status, TableSpec, TypeSpec, Wanted,
};
pub use print::print_spec;
pub use problem::{Problem, Related, SourceFile};
pub use render::render_problems;
