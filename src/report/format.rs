//! The formats of a report.

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::layout::Look;
use super::model::Report;
use super::snippet::Sources;
use super::{azure, concise, github, gitlab, html, json, jsonl, junit, markdown, prometheus, sarif, text};

/// Spec files as users name them, and where they are in their repository.
pub type Paths = BTreeMap<String, String>;

/// What a report is written with, beside what was found.
#[derive(Clone, Copy, Debug)]
pub struct Setting<'a> {
    /// The texts of specs that findings quote.
    pub sources: &'a Sources,
    /// How text looks.
    pub look: Look,
    /// Where spec files are in their repository. Files that are not listed stay as they were named.
    pub paths: &'a Paths,
}

impl Setting<'_> {
    /// Returns where a file is in its repository.
    pub(super) fn path<'a>(&'a self, file: &'a str) -> &'a str {
        self.paths.get(file).map_or(file, String::as_str)
    }
}

/// A format that a report can be written in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Format {
    /// For people at a terminal.
    #[default]
    Text,
    /// One line per finding, for editors and grep.
    Concise,
    /// The result itself.
    Json,
    /// The result as one object per line.
    Jsonl,
    /// SARIF 2.1.0.
    Sarif,
    /// JUnit XML.
    Junit,
    /// GitLab Code Quality.
    Gitlab,
    /// Annotations of GitHub Actions.
    Github,
    /// Logging commands of Azure Pipelines.
    Azure,
    /// A comment for a merge request.
    Markdown,
    /// One page in one file.
    Html,
    /// A file for the textfile collector.
    Prometheus,
}

impl Format {
    /// All formats.
    pub const ALL: &'static [Self] = &[
        Self::Text,
        Self::Concise,
        Self::Json,
        Self::Jsonl,
        Self::Sarif,
        Self::Junit,
        Self::Gitlab,
        Self::Github,
        Self::Azure,
        Self::Markdown,
        Self::Html,
        Self::Prometheus,
    ];

    /// Returns the name that users type.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Concise => "concise",
            Self::Json => "json",
            Self::Jsonl => "jsonl",
            Self::Sarif => "sarif",
            Self::Junit => "junit",
            Self::Gitlab => "gitlab",
            Self::Github => "github",
            Self::Azure => "azure",
            Self::Markdown => "markdown",
            Self::Html => "html",
            Self::Prometheus => "prometheus",
        }
    }

    /// Returns what it is good for.
    pub fn about(self) -> &'static str {
        match self {
            Self::Text => "for people at a terminal",
            Self::Concise => "one line per finding, for editors and grep",
            Self::Json => "the result, which `render` and `merge` read",
            Self::Jsonl => "the result as one object per line, for log pipelines",
            Self::Sarif => "SARIF 2.1.0, for code scanning",
            Self::Junit => "JUnit XML, for test reports",
            Self::Gitlab => "Code Quality of GitLab",
            Self::Github => "annotations of GitHub Actions",
            Self::Azure => "logging commands of Azure Pipelines",
            Self::Markdown => "a comment for a merge request",
            Self::Html => "one page in one file, for people: no network, no script needed",
            Self::Prometheus => "metrics for the textfile collector",
        }
    }

    /// Returns whether readers under other names need the file, such as collectors of metrics. It holds counts only.
    pub fn is_public(self) -> bool {
        self == Self::Prometheus
    }

    /// Writes a report in this format, piece by piece.
    ///
    /// # Errors
    ///
    /// If `out` fails, or if the format cannot hold the report.
    pub fn write(self, report: &Report, setting: &Setting<'_>, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Text => text::write(report, setting.sources, &setting.look, out),
            Self::Concise => concise::write(report, setting, out),
            Self::Json => json::write(report, out),
            Self::Jsonl => jsonl::write(report, out),
            Self::Sarif => sarif::write(report, setting, out),
            Self::Junit => junit::write(report, setting, out),
            Self::Gitlab => gitlab::write(report, setting, out),
            Self::Github => github::write(report, setting, out),
            Self::Azure => azure::write(report, setting, out),
            Self::Markdown => markdown::write(report, setting, markdown::COMMENT, out),
            Self::Html => html::write(report, out),
            Self::Prometheus => prometheus::write(report, out),
        }
    }
}
