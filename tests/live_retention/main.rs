//! Retention jobs of real servers: `pg_cron`, `pg_partman`, the event scheduler of MariaDB, and runners outside.
//!
//! `SEADRIFT_TEST_PG_CRON_URL` names the superuser of a private PostgreSQL server that loads `pg_cron` for the database
//! of the URL and that has `pg_partman` to install; `SEADRIFT_TEST_MARIADB_URL` the root user of a private MariaDB. Where
//! one is missing, its tests say `SKIPPED`; with `SEADRIFT_REQUIRE_LIVE=1` they fail. `tests/run` sets both.

#![allow(clippy::disallowed_methods, reason = "the environment says where the servers are")]
#![allow(clippy::unwrap_used, reason = "a test whose scene cannot be set has failed")]

mod harness;
mod jobs;
mod partitions;
mod program;
mod rows;
mod statements;
