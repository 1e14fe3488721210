//! One run over many targets: so many at a time, so many on one server, each within its own time.
//!
//! Every target is looked at on a thread of its own, so that none of them can hold up another: not by a driver that
//! blocks, not by a file on a share that hangs, not by a catalog that takes long to judge, and not by a defect of this
//! program. The thread that called [`run`] only hands out work and takes results; it waits for nobody beyond the time
//! that is given.

mod lost;
mod queue;
mod run;
mod shard;
#[cfg(test)]
mod tests;

pub use lost::lose;
pub use run::{End, Event, Item, Limits, Tried, run};
pub use shard::Shard;
