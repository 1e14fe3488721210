//! Runs a service's migrations against one database, safely beside other pipelines.
//!
//! ```text
//!   up:    lock ─▶ read history ─▶ tables without history? ─▶ compare ─▶ adopt, or refuse
//!                                └▶ apply what is pending, one migration at a time
//!   down:  lock ─▶ read history ─▶ roll back
//!   status:        read history, in a read-only session
//! ```
//!
//! The lock is an advisory lock of the server, or SQLite's write lock; see `lock.rs`. The history
//! tables are SeaORM's own, so that a service may as well run its migrator itself. Nothing here prints:
//! progress goes to a callback.

mod adopt;
mod connect;
mod error;
mod history;
mod lock;
mod run;
mod status;

use std::time::Duration;

pub use adopt::{Adoption, Existing};
pub use error::{DriverError, MigrateError};
pub use run::{Applied, down, up};
pub use status::{MigrationState, State, Status, status};

/// Where and how to run migrations, beside the URL.
#[derive(Clone, Debug)]
pub struct Options {
    /// The PostgreSQL schema to work in, instead of the role's own first one.
    pub namespace: Option<String>,
    /// How long to wait for another migration run, and for locks on tables.
    pub lock_timeout: Duration,
    /// How long to wait for a connection.
    pub connect_timeout: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            namespace: None,
            lock_timeout: Duration::from_secs(60),
            connect_timeout: Duration::from_secs(10),
        }
    }
}

/// What a run is doing, for people who wait for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// Another run holds the lock.
    Waiting {
        /// How long this run waits at most.
        at_most: Duration,
    },
    /// Tables exist that no history accounts for; they are compared with the spec.
    Comparing {
        /// Their names.
        tables: Vec<String>,
    },
    /// A migration was entered into the history without running it.
    Adopted(String),
    /// A migration begins.
    Applying(String),
    /// A migration is rolled back.
    RollingBack(String),
}

/// Receives the events of a run.
pub type Progress<'a> = &'a mut (dyn FnMut(Event) + Send);
