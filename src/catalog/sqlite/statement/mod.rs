//! Readers of the statements that an SQLite file keeps as text.
//!
//! The pragmas leave out conflict clauses, the names of constraints, checks, collations of columns, expressions and
//! predicates. A text that is not understood gives an error, and its facts count as unseen.

mod cursor;
mod index;
mod table;
mod trigger;
mod view;

pub(super) use cursor::names_in;
pub(super) use index::{IndexText, read_index};
pub(super) use table::{ConstraintKind, ConstraintText, TableText, read_table, virtual_module};
pub(super) use trigger::{TriggerText, read_trigger};
pub(super) use view::tables_read;
