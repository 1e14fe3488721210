//! Retention as a checked object: what removes a ledger's rows, when, and whether that is safe.
//!
//! Pure: what a server says about its jobs comes from [`crate::catalog`]; here it is read and judged.

mod arithmetic;

pub use arithmetic::{Margin, is_safe, margin, safe_bound};
