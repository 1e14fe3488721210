//! Reports: the model that every format is a pure function of, and one file per format.

mod build;
mod excuse;
mod json;
mod layout;
mod model;
mod schema;
mod snippet;
mod text;
mod verdict;

pub(crate) use build::settle;
pub use build::{Outcome, Policy, Times, build};
pub use excuse::describe as describe_waiver;
pub use json::{render as render_json, render_any};
pub use layout::{Look, wrap};
pub use model::{
    BaselineReport, Coverage, Report, Run, SCHEMA_VERSION, Status, Summary, TargetReport, Tool, WaiverReport,
    WaiverState,
};
pub use schema::render as render_schema;
pub use snippet::{Sources, render as render_snippet};
pub use text::{render as render_text, render_target};
pub use verdict::render as render_verdict;
