//! `seadrift retention` on real databases: what goes, what stays, and what happens when a run is disturbed.
//!
//! SQLite always runs. PostgreSQL and MariaDB run where `SEADRIFT_TEST_POSTGRES_URL` and `SEADRIFT_TEST_MARIADB_URL` name
//! a server on which the tests may create databases. Where one is missing, its tests say `SKIPPED`; with
//! `SEADRIFT_REQUIRE_LIVE=1` they fail.

#![allow(clippy::disallowed_methods, reason = "the environment says where the servers are")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod disturbed;
mod evidence;
mod harness;
mod install;
mod refused;
mod rows;
