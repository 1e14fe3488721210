//! The command line: one file per command. The only place that prints.

mod args;
mod check;
mod completions;
mod console;
mod demo;
mod diff;
mod error;
mod exit;
mod explain;
mod migrate;
mod output;
mod pipeline;
#[cfg(test)]
mod reference;
mod render;
mod reports;
mod repository;
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
