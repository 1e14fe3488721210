//! The command line: one file per command. The only place that prints.

mod args;
mod check;
mod console;
mod demo;
mod diff;
mod error;
mod exit;
mod explain;
mod judgement;
mod migrate;
mod output;
mod retention;
mod rules;
mod run;
mod self_test;
mod spec;
mod specs;
mod style;
mod target;
mod verify;

pub use exit::{CLEAN, DRIFT, DRIFT_AND_INCOMPLETE, INCOMPLETE, INTERNAL, USAGE};
pub use run::run;
