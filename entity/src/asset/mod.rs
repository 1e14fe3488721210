//! The asset service. Its ledger is modelled and migrated, but no consumer writes to it yet.

pub mod processed_event;

pub use processed_event::{Entity as ProcessedEvent, Outcome};
