//! Specs: what a service needs its database to be.
//!
//! `file.rs` mirrors the YAML with positions, `resolve.rs` gives it meaning and collects every problem,
//! [`Spec`] is the result. A spec can be silent about a fact, state it, or say that it is unconfirmed.

mod model;

pub use model::{
    At, CheckSpec, ColumnSpec, CompareSpec, DefaultSpec, DesiredType, IndexSpec, KeyExprSpec, KeyPartSpec, LedgerSpec,
    Position, RetentionSpec, Role, Source, Spec, Status, TableSpec, TypeSpec, Wanted,
};
