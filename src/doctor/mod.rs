//! Examines the way from this machine into a database, step by step, and says at the first obstacle what to do.
//!
//! ```text
//! URL ──address──▶ name ▶ tcp ▶ who answers ──reach──▶ tls ▶ login ──catalog::survey──▶ what a check sees ──catalog::fetch──▶
//! ```
//!
//! What fails is told in the words that a check has for it ([`crate::catalog::Error`]); what a check would see is read by
//! the very code that checks. Nothing is written anywhere.

mod address;
mod examine;
mod grants;
mod greeting;
mod model;
mod reach;
mod sight;

pub use examine::{examine, given_up};
pub use grants::{Ground, grants};
pub use model::{Examination, State, Step, Topic};
