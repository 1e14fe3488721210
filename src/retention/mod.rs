//! Retention as a checked object: what removes a ledger's rows, when, and whether that is safe.
//!
//! Pure: what a server says about its jobs comes from [`crate::catalog`]; here it is read and judged.
//!
//! ```text
//! Evidence ──statement::read──▶ what each job removes ──judge──▶ Ledger: one verdict, issues, gaps
//! ```

mod arithmetic;
mod judge;
mod keeper;
mod maintenance;
mod model;
mod overdue;
mod policy;
mod reach;
mod removal;
mod runs;
mod schedule;
mod span;
mod statement;
mod verdict;

pub use arithmetic::{Margin, is_safe, margin, print_length, safe_bound};
pub use judge::judge;
pub use model::{
    Caller, Evidence, Fate, Grants, Hidden, Job, Parameter, Record, Routine, RoutineKind, Runs, Schedule, Scheduler,
    Span, Stop, StopKind, TableGrant, TableTrigger, Task, View,
};
pub use policy::{Danger, danger};
pub use runs::round;
pub(crate) use span::{parse_interval, unit_of_time};
pub use verdict::{Basis, Gap, Issue, JobReport, Kind, Ledger, Oldest, RowEvidence, State, Verdict};
