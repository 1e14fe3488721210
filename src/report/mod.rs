//! Reports: the model that every format is a pure function of, and one file per format.

mod build;
mod html;
mod json;
mod layout;
mod model;
mod schema;
mod snippet;
mod text;
mod verdict;

pub use build::{Outcome, Policy, Times, build};
pub use html::render as render_html;
pub use json::render as render_json;
pub use layout::{Look, wrap};
pub use model::{Coverage, Report, Run, SCHEMA_VERSION, Status, Summary, TargetReport, Tool};
pub use schema::render as render_schema;
pub use snippet::{Sources, render as render_snippet};
pub use text::{render as render_text, render_target};
pub use verdict::render as render_verdict;
