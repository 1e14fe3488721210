//! A first spec of a database that is there: what a reviewer corrects, instead of writing it from nothing.
//!
//! ```text
//! Catalog ──table──▶ Sheet ──print──▶ YAML ──parse──▶ Spec ──rules::check──▶ findings ──settle──▶ Sheet …
//! ```
//!
//! Pure. A draft is read and judged as any spec is, against the very catalog that it was made of: a fact that would be
//! reported is marked as unconfirmed, with what the database shows in a comment, until nothing is left to report or only
//! what no fact of a spec can change.

mod ledger;
mod settle;
mod sheet;
mod table;

pub use settle::{Draft, draft};
