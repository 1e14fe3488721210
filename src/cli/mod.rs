//! The commands. Only this room prints.

pub mod migrate;
