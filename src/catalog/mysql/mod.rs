//! The catalog of MySQL and MariaDB.
//!
//! `information_schema` is the only source, and it has three habits that shape this module. It hides what a role
//! may not use, without a word: [`grants`] decides what an empty answer means. It opens table files row by row:
//! every query names the database and the tables, so that the others are not touched. And a table that cannot be
//! opened, because it is locked or broken, gives no rows and a warning: the warnings are read at the end.
//!
//! The session is measured on MariaDB 10.11. What differs on MySQL 8 is written from its manual and marked so.

mod assemble;
mod column;
mod data;
mod databases;
mod failure;
mod fetch;
mod grants;
#[cfg(test)]
mod hostile;
mod job_rows;
mod jobs;
mod lookalike;
mod mode;
mod partition;
mod rows;
mod session;
mod survey;
mod table;
mod triggers;

pub(super) use databases::databases;
pub(super) use failure::{WORDS, connecting};
pub(super) use fetch::fetch;
pub(super) use survey::survey;
