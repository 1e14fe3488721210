//! Reports: the model that every format is a pure function of, and one file per format.

mod model;

pub use model::{Coverage, Report, Run, Status, Summary, TargetReport, Tool};
