//! The file of a baseline: made from a complete result, read back, written.

use serde::{Deserialize, Serialize};

use super::apply::{index, key};
use crate::finding::{Finding, Severity};
use crate::report::{Report, Status};
use crate::text::Text;

/// Version of the file's format. Fields are only added within a major version.
const VERSION: &str = "1.0";

/// What was found on one day.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Baseline {
    /// Version of this format.
    pub schema_version: String,
    /// The day on which it was made, `2026-12-31`, in UTC.
    pub created: String,
    /// The targets that were checked, by name.
    pub targets: Vec<Text>,
    /// The findings, in a total order.
    pub findings: Vec<Entry>,
}

/// A finding of a baseline.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Entry {
    /// The target's name.
    pub target: Text,
    /// The object.
    pub object: Text,
    /// The rule's name.
    pub rule: String,
    /// What the database had.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub found: Option<Text>,
    /// What it cost.
    pub severity: Severity,
    /// The identity of the finding between runs.
    pub fingerprint: String,
    /// The day on which it was first seen, in UTC.
    pub first_seen: String,
}

/// Why there is no baseline.
#[derive(Debug, thiserror::Error)]
pub enum BaselineError {
    /// The result does not say everything.
    #[error("the result is incomplete: `{0}` was not fully checked")]
    Incomplete(String),
    /// The result holds no target.
    #[error("the result holds no target")]
    Empty,
    /// The file is something else.
    #[error("it is no baseline")]
    Format(#[from] serde_json::Error),
    /// The file ends before it is over.
    #[error("it is empty, or cut off in line {0}")]
    Short(usize),
    /// The file is for a newer program.
    #[error("it has version {0} of the format, which this seadrift does not know")]
    Version(String),
}

/// Makes a baseline of everything that a result holds and no waiver excuses. Findings of an earlier baseline keep the
/// day on which they were first seen.
///
/// # Errors
///
/// Refuses a result that is not complete: what was not seen would count as new later.
pub fn create(report: &Report, today: &str, earlier: Option<&Baseline>) -> Result<Baseline, BaselineError> {
    if report.targets.is_empty() {
        return Err(BaselineError::Empty);
    }
    if let Some(target) = report.targets.iter().find(|target| target.status != Status::Checked) {
        return Err(BaselineError::Incomplete(target.name.terminal().to_string()));
    }
    let earlier = earlier.map(index).unwrap_or_default();
    let known = |finding: &Finding| Some(earlier.get(&key(finding))?.first_seen.clone());
    let mut findings: Vec<Entry> = report
        .findings
        .iter()
        .filter(|finding| finding.waiver.is_none())
        .map(|finding| Entry {
            target: finding.target.clone(),
            object: finding.object.dotted(),
            rule: finding.rule.clone(),
            found: finding.found.clone(),
            severity: finding.severity,
            fingerprint: finding.fingerprint.clone(),
            first_seen: known(finding).unwrap_or_else(|| today.to_owned()),
        })
        .collect();
    findings.sort();
    findings.dedup();
    Ok(Baseline {
        schema_version: VERSION.to_owned(),
        created: today.to_owned(),
        targets: report.targets.iter().map(|target| target.name.clone()).collect(),
        findings,
    })
}

/// Parses the text of a baseline.
///
/// # Errors
///
/// Fails on anything but a baseline of a version that this program knows.
pub fn parse(text: &str) -> Result<Baseline, BaselineError> {
    /// All that is asked before the rest.
    #[derive(Deserialize)]
    struct Head {
        schema_version: String,
    }
    let head: Head = serde_json::from_str(text).map_err(|error| match error.is_eof() {
        true => BaselineError::Short(error.line()),
        false => error.into(),
    })?;
    let major = |version: &str| version.split('.').next().map(str::to_owned);
    if major(&head.schema_version) != major(VERSION) {
        return Err(BaselineError::Version(
            Text::new(head.schema_version).terminal().to_string(),
        ));
    }
    Ok(serde_json::from_str(text)?)
}

/// Renders a baseline as indented JSON that ends with a newline.
///
/// # Errors
///
/// None in practice: a baseline is plain JSON.
pub fn render(baseline: &Baseline) -> Result<String, BaselineError> {
    let mut text = serde_json::to_string_pretty(baseline)?;
    text.push('\n');
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_none_is_told_from_one_that_is_cut_off_and_from_one_of_another_time() {
        let whole = render(&Baseline {
            schema_version: VERSION.to_owned(),
            created: "2026-12-01".to_owned(),
            targets: vec!["a".into()],
            findings: Vec::new(),
        })
        .unwrap();
        assert!(parse(&whole).is_ok());
        for (text, words) in [
            (String::new(), "it is empty, or cut off in line 1"),
            (whole[..whole.len() / 2].to_owned(), "it is empty, or cut off in line 3"),
            ("[1]".to_owned(), "it is no baseline"),
            (
                whole.replace("1.0", "2.0"),
                "it has version 2.0 of the format, which this seadrift does not know",
            ),
        ] {
            assert_eq!(parse(&text).unwrap_err().to_string(), words);
        }
    }
}
