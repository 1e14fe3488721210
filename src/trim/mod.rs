//! One safe trimming run of one ledger. This room writes: nothing in `catalog/` knows it.
//!
//! ```text
//!   spec ──Policy::of──▶ numbers that are safe ──┐
//!   check (catalog, rules) ───────plan───────────┴─▶ Plan ──open──▶ lock, cut-off, heartbeat ──trim──▶ Outcome
//! ```
//!
//! - The cut-off is computed once per run, from the database's clock. A row recorded at it or after it stays.
//! - A row whose time is absent, or before 1970 (`-infinity`, `0001-01-01`, a zero date), has no known age, and stays.
//! - Rows go in batches, oldest first, each in a transaction of its own. A run remembers the time it has come to, so
//!   that no batch walks over the rows which the earlier ones removed.
//! - A run that is cut off anywhere leaves nothing behind that the next one would have to clean up.
//!
//! | database | other runs | rows locked by somebody else | batch |
//! |---|---|---|---|
//! | PostgreSQL | advisory lock of the session | waited for within the lock timeout, then skipped | by `ctid` |
//! | MySQL, MariaDB | `GET_LOCK` | waited for within the lock timeout, three times | `ORDER BY … LIMIT` |
//! | SQLite | take turns: `BEGIN IMMEDIATE` | the whole file, within the lock timeout | by row number |

mod error;
mod heartbeat;
pub mod job;
mod mysql;
mod plan;
mod postgres;
mod run;
mod session;
mod sqlite;
mod stored_time;

pub use error::TrimError;
pub use plan::{Plan, Policy, Refusal, RefusalKind, Walk, plan};
pub use run::{Ended, Event, Heartbeat, Mode, Outcome, Pace, Progress, Run, Stop, open};
