//! The formats of a report.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Component, Path};

use super::layout::Look;
use super::model::Report;
use super::sarif::encode;
use super::{azure, concise, github, gitlab, html, json, jsonl, junit, markdown, prometheus, sarif, text};
use crate::finding::Location;

/// Spec files as users name them, and where they are in their repository.
pub type Paths = BTreeMap<String, String>;

/// What a report is written with, beside what was found.
#[derive(Clone, Copy, Debug)]
pub struct Setting<'a> {
    /// How text looks.
    pub look: Look,
    /// Where spec files are in their repository. Files that are not listed stay as they were named.
    pub paths: &'a Paths,
    /// The address of a line of a file on the web, with `{path}` and `{line}` in it, where it is known.
    pub source_url: Option<&'a str>,
}

static NO_PATHS: Paths = Paths::new();

impl Default for Setting<'static> {
    fn default() -> Self {
        Self {
            look: Look::default(),
            paths: &NO_PATHS,
            source_url: None,
        }
    }
}

impl Setting<'_> {
    /// Returns where on the web a place in a file is, for files of the repository.
    pub(super) fn address(&self, at: &Location) -> Option<String> {
        let is_inside = |file: &str| {
            let parts = Path::new(file).components();
            !file.is_empty() && parts.into_iter().all(|part| matches!(part, Component::Normal(_)))
        };
        let path = match self.paths.get(&at.file) {
            Some(path) => path,
            None => Some(&at.file).filter(|file| is_inside(file))?,
        };
        let address = self.source_url?.replace("{path}", &encode(path));
        Some(address.replace("{line}", &at.line.to_string()))
    }

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

    /// Returns how many files this format's readers take a report in: one, unless it has very many targets.
    pub fn parts(self, report: &Report) -> usize {
        match self {
            Self::Sarif => sarif::parts(report),
            _ => 1,
        }
    }

    /// Writes one of the parts, counted from 0.
    ///
    /// # Errors
    ///
    /// If `out` fails.
    pub fn write_part(
        self,
        report: &Report,
        part: usize,
        setting: &Setting<'_>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        match self {
            Self::Sarif => sarif::write(report, Some(part), setting, out),
            _ => self.write(report, setting, out),
        }
    }

    /// Writes a whole report in this format, piece by piece.
    ///
    /// # Errors
    ///
    /// If `out` fails.
    pub fn write(self, report: &Report, setting: &Setting<'_>, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Text => text::write(report, &setting.look, out),
            Self::Concise => concise::write(report, out),
            Self::Json => json::write(report, out),
            Self::Jsonl => jsonl::write(report, out),
            Self::Sarif => sarif::write(report, None, setting, out),
            Self::Junit => junit::write(report, setting, out),
            Self::Gitlab => gitlab::write(report, setting, out),
            Self::Github => github::write(report, setting, out),
            Self::Azure => azure::write(report, setting, out),
            Self::Markdown => markdown::write(report, setting, markdown::COMMENT, out),
            Self::Html => html::write(report, setting, out),
            Self::Prometheus => prometheus::write(report, out),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_an_address_if_its_file_is_in_the_repository() {
        let at = |file: &str| Location {
            file: file.to_owned(),
            line: 7,
            column: 3,
            end_column: 9,
        };
        let paths = Paths::from([("../specs/a b.yaml".to_owned(), "specs/a b#.yaml".to_owned())]);
        let setting = Setting {
            paths: &paths,
            source_url: Some("https://forge.example/o/r/blob/c0ffee/{path}#L{line}"),
            ..Setting::default()
        };
        for (file, address) in [
            ("../specs/a b.yaml", Some("specs/a%20b%23.yaml#L7")),
            ("specs/b.yaml", Some("specs/b.yaml#L7")),
            ("specs/{line}.yaml", Some("specs/%7Bline%7D.yaml#L7")),
            ("../elsewhere.yaml", None),
            ("/etc/passwd", None),
            ("", None),
        ] {
            let wanted = address.map(|rest| format!("https://forge.example/o/r/blob/c0ffee/{rest}"));
            assert_eq!(setting.address(&at(file)), wanted, "{file}");
        }
        assert_eq!(Setting::default().address(&at("specs/b.yaml")), None);
    }
}
