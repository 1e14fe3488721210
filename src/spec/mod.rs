//! Specs: what a service needs its database to be.
//!
//! [`load`] reads a file into a [`Spec`], or answers with every [`Problem`] of it at once:
//!
//! ```text
//! text ──yaml──▶ tree with places ──resolve──▶ Spec        (column, constant, fact, cross_check)
//!                     ▲
//!                  grammar ──schema──▶ specs/seadrift-spec.schema.json
//! ```
//!
//! A spec can be silent about a fact, state it, or say that it is unconfirmed ([`Wanted`]).

mod column;
mod constant;
mod cross_check;
mod duration;
mod fact;
mod grammar;
mod load;
mod model;
mod print;
mod resolve;
mod schema;

pub(crate) use constant::is_statable;
pub use duration::{ParseDurationError, parse_duration, print_duration};
pub use load::{load, load_dir, load_paths, parse};
pub use model::{
    CheckSpec, ColumnSpec, CompareSpec, DefaultSpec, DesiredType, IndexSpec, KeyExprSpec, KeyPartSpec, LedgerSpec,
    RetentionSpec, Role, Source, Spec, Status, TableSpec, TypeSpec, Wanted,
};
pub use print::{Remarks, Spot, print_remarked, print_spec};
pub use schema::json_schema;

pub use crate::yaml::{At, Position, Problem, Related, SourceFile, render_problems};
