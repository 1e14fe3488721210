//! seadrift
pub mod catalog;
pub mod cli;
pub mod compare;
pub mod config;
pub mod dialect;
pub mod finding;
pub mod migrate;
pub mod report;
pub mod retention;
pub mod rules;
pub mod schema;
pub mod services;
pub mod spec;
pub mod text;
pub mod trim;
pub mod verify;
pub mod yaml;
