//! The command line: one file per command. The only place that prints.

mod args;
mod baseline;
mod check;
mod completions;
mod config;
mod console;
mod database;
mod demo;
mod diff;
mod doctor;
mod error;
mod examples;
mod excuse;
mod exit;
mod explain;
mod fleet;
mod input;
mod judgement;
mod migrate;
mod output;
mod pipeline;
#[cfg(test)]
mod reference;
mod render;
mod reports;
mod repository;
mod result;
mod retention;
mod rules;
mod run;
mod self_test;
mod spec;
mod specs;
mod style;
mod target;
mod verify;
mod waiver;

pub use exit::{CLEAN, DRIFT, DRIFT_AND_INCOMPLETE, INCOMPLETE, INTERNAL, USAGE};
pub use run::run;
