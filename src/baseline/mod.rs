//! Baselines: what was found on the day on which a dirty database was put under the gate.
//!
//! A run that is compared with a baseline fails on what is new or worse only. A baseline never grows by itself.

mod apply;
mod file;

pub use apply::{apply, prune};
pub use file::{Baseline, BaselineError, Entry, create, parse, render};
