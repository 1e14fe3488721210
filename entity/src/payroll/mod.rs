//! The payroll service.

pub mod processed_event;

pub use processed_event::{Entity as ProcessedEvent, Outcome};
