//! Reports: the model that every format is a pure function of, and one file per format.

mod build;
mod json;
mod layout;
mod model;
mod retention;
mod schema;
mod snippet;
mod text;
mod verdict;

pub use build::{Outcome, Policy, Times, build};
pub use json::render as render_json;
pub use layout::{Look, wrap};
pub use model::{Coverage, Report, Run, SCHEMA_VERSION, Status, Summary, TargetReport, Tool};
pub use retention::{JobEntry, LedgerReport, RetentionReport, RowsEntry, build_retention, render_retention};
pub use schema::render as render_schema;
pub use snippet::{Sources, render as render_snippet};
pub use text::{render as render_text, render_target};
pub use verdict::render as render_verdict;
