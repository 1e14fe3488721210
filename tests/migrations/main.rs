//! The shipped migrations on real databases: what they make, twice, beside each other, and over tables
//! that EF Core made; and what the entities do with them.
//!
//! SQLite always runs. PostgreSQL and MariaDB run where `SEADRIFT_TEST_POSTGRES_URL` and
//! `SEADRIFT_TEST_MARIADB_URL` name a server on which the tests may create databases. Where one is
//! missing, its tests say `SKIPPED`; with `SEADRIFT_REQUIRE_LIVE=1` they fail.

#![allow(
    clippy::disallowed_methods,
    reason = "the environment says where the servers are and what to rewrite"
)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod consumer;
mod harness;
mod mariadb;
mod postgres;
mod sqlite;
