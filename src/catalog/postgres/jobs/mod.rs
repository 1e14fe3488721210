//! Jobs of a PostgreSQL database: `pg_cron`, `pg_partman`, TimescaleDB, and what runners outside say of themselves.
//!
//! `fetch` asks, in the transaction that read the catalog; `rows` is what came back; `assemble` makes evidence of it.

mod assemble;
mod fetch;
mod partitions;
mod rows;

pub(super) use assemble::assemble;
pub(super) use fetch::read;
