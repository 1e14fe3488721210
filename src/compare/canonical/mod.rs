//! Both sides of a table in one text form, for a diff that people read.
//!
//! Each side prints only facts that the spec speaks of. A fact that it is silent about, leaves open, or that could
//! not be seen is printed as the database has it on both sides, so that it makes no difference.

mod column;
mod hunks;
mod index;
mod table;

pub use table::{Canonical, canonical};
