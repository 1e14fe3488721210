//! Reads a result back, so that reports can be made of it without a database.

use std::collections::BTreeSet;

use serde::Deserialize;

use super::build::summarize;
use super::fleet;
use super::model::{Report, SCHEMA_VERSION, Tool};
use crate::finding::Location;
use crate::text::Text;

/// Why something is no result that can be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// It is something else, or broken.
    #[error("it is not a result of seadrift")]
    Foreign(#[source] serde_json::Error),
    /// It ends before it is over.
    #[error("it is cut off: it ends in line {line}, before the result is over")]
    Short {
        /// The line of its end.
        line: usize,
    },
    /// There is nothing in it.
    #[error("it is empty")]
    Empty,
    /// Its format is another than this release knows.
    #[error("its format is version {version}, made by {tool}; seadrift {} reads version {SCHEMA_VERSION}", env!("CARGO_PKG_VERSION"))]
    Version {
        /// The version of its format.
        version: String,
        /// Who made it, as far as it says so.
        tool: String,
        /// What in it was not understood, if it is of the same major version.
        #[source]
        source: Option<serde_json::Error>,
    },
    /// Its parts do not fit together.
    #[error("it contradicts itself: {0}")]
    Contradiction(String),
}

impl ReadError {
    /// Says what to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Foreign(_) => "give it what `check --format json` has written",
            Self::Short { .. } | Self::Empty => {
                "run the check again and let it write the file itself, as in `--report json=FILE`: it is whole or not there"
            }
            Self::Version { .. } => {
                "run the check again with this seadrift, or read the result with the one that has made it"
            }
            Self::Contradiction(_) => "give it the result as `check --format json` has written it",
        }
    }
}

/// What every version of the format has.
#[derive(Deserialize)]
struct Head {
    schema_version: String,
    tool: Option<Tool>,
}

/// Reads a result. Keys that a later release has added are passed over.
///
/// # Errors
///
/// If it is no result, if its major version is another, or if its parts do not fit together.
pub fn read(json: &[u8]) -> Result<Report, ReadError> {
    let json = json.strip_prefix(b"\xef\xbb\xbf").unwrap_or(json);
    match serde_json::from_slice::<Report>(json) {
        Ok(mut report) if is_known(&report.schema_version) => {
            examine(&report)?;
            // What is equal and the counts follow from the rest. Results of earlier releases do not say all of it.
            report.summary = summarize(&report.targets, &report.findings);
            report.fleet = fleet::sum_up(&report);
            Ok(report)
        }
        Ok(report) => Err(version(report.schema_version, Some(report.tool), None)),
        Err(_) if json.trim_ascii().is_empty() => Err(ReadError::Empty),
        Err(error) if error.is_eof() => Err(ReadError::Short { line: error.line() }),
        Err(error) => Err(match serde_json::from_slice::<Head>(json) {
            Ok(head) if head.schema_version == SCHEMA_VERSION => ReadError::Foreign(error),
            Ok(head) => {
                let source = is_known(&head.schema_version).then_some(error);
                version(head.schema_version, head.tool, source)
            }
            Err(_) => ReadError::Foreign(error),
        }),
    }
}

/// Returns whether a version is of the major version that this release reads.
fn is_known(version: &str) -> bool {
    let major = |version: &str| version.split('.').next().and_then(|major| major.parse::<u32>().ok());
    major(version).is_some() && major(version) == major(SCHEMA_VERSION)
}

fn version(version: String, tool: Option<Tool>, source: Option<serde_json::Error>) -> ReadError {
    let tool = tool.map_or_else(
        || "an unknown program".to_owned(),
        |tool| format!("{} {}", tool.name, tool.version),
    );
    ReadError::Version { version, tool, source }
}

/// Makes sure of what formats rely on.
fn examine(report: &Report) -> Result<(), ReadError> {
    let mut names: BTreeSet<&Text> = BTreeSet::new();
    for target in &report.targets {
        if !names.insert(&target.name) {
            let name = target.name.terminal();
            return Err(ReadError::Contradiction(format!("there are two targets `{name}`")));
        }
        target
            .unconfirmed
            .iter()
            .try_for_each(|open| examine_place(&open.location))?;
    }
    report
        .waivers
        .iter()
        .try_for_each(|waiver| examine_place(&waiver.location))?;
    for finding in &report.findings {
        if !names.contains(&finding.target) {
            let name = finding.target.terminal();
            return Err(ReadError::Contradiction(format!(
                "there is a finding in `{name}`, but no such target"
            )));
        }
        examine_place(&finding.location)?;
    }
    Ok(())
}

fn examine_place(at: &Location) -> Result<(), ReadError> {
    match at.line >= 1 && at.column >= 1 && at.end_column >= at.column {
        true => Ok(()),
        false => Err(ReadError::Contradiction(format!(
            "line {}, columns {} to {} are no place in a file",
            at.line, at.column, at.end_column
        ))),
    }
}
