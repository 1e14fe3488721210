//! Reports: the model that every format is a pure function of, and one file per format.

mod annotation;
mod azure;
mod build;
mod concise;
mod difference;
mod excuse;
mod fleet;
mod format;
mod github;
mod gitlab;
mod html;
mod json;
mod jsonl;
mod junit;
mod layout;
mod markdown;
mod merge;
mod model;
mod prometheus;
mod prose;
mod read;
mod retention;
mod sarif;
mod schema;
mod snippet;
mod text;
mod verdict;

pub use build::{Outcome, Policy, Section, Times, build, join};
pub(crate) use build::{blind_place, settle};
pub use difference::TableDiff;
pub use excuse::describe as describe_waiver;
pub use fleet::{Drift, Fleet, Standing, name_some};
pub use format::{Format, Paths, Setting};
pub use html::render as render_html;
pub use json::render as render_json;
pub use layout::{Look, wrap};
pub use markdown::{SUMMARY, render as render_markdown};
pub(crate) use markdown::{code as markdown_code, prose as markdown_prose};
pub use merge::{MergeError, merge};
pub use model::{
    BaselineReport, Coverage, Gap, Report, Run, SCHEMA_VERSION, Status, Summary, TargetReport, Tool, WaiverReport,
    WaiverState,
};
pub use read::{ReadError, read};
pub use retention::{JobEntry, LedgerReport, RetentionReport, RowsEntry, build_retention, render_retention};
pub use schema::render as render_schema;
pub use text::{render as render_text, render_unchecked};
pub use verdict::render as render_verdict;
