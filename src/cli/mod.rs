//! The commands. The only place that prints.

pub mod spec;
