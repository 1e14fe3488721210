//! One run over many databases: whatever befalls one of them, the others have their answer, in time, and no secret is told.
//!
//! Most of it needs no server: two databases are files, and the broken one is whatever a test makes of it. What needs
//! servers is in `live`, and is skipped where there are none, see `tests/run`.

#![allow(
    clippy::disallowed_methods,
    reason = "the environment says where the servers are and what to rewrite"
)]
#![allow(
    clippy::unwrap_used,
    reason = "a test that panics has failed, and its lint knows test functions only"
)]

#[allow(dead_code, reason = "every test program uses a part of what they share")]
#[path = "../harness/mod.rs"]
mod harness;

mod canary;
mod faults;
mod live;
mod place;
mod proxy;
mod rogue;
mod run;
mod signals;
mod statements;
