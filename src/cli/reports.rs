//! Which reports of a run are written where: one pass over the databases, many outputs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::builder::PossibleValue;

use super::console::Console;
use super::error::CliError;
use super::output::Output;
use super::pipeline::{Ci, Pipeline};
use super::repository::Repository;
use crate::report::{self, Format, Look, Report, Setting};
use crate::text::near_names;

/// Which reports are wanted, and where.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Output")]
pub(super) struct ReportArgs {
    /// How to print the report [default: text]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Write the report to a file instead of standard output
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write one more report of the same run, in any format of --format; `-` is standard output. Can be repeated
    #[arg(long = "report", value_name = "FORMAT=PATH", value_parser = Request::parse)]
    reports: Vec<Request>,
    /// Pipeline to show findings in: auto, github (annotations, job summary), azure (issues, summary), none
    #[arg(
        long,
        value_name = "PIPELINE",
        value_enum,
        default_value_t,
        hide_possible_values = true
    )]
    ci: Ci,
    /// Directory that pipelines name files from [default: the repository's]
    #[arg(long, value_name = "DIR")]
    source_root: Option<PathBuf>,
    /// Address of a line of a file on the web, for links in HTML, such as https://forge/team/repo/blob/main/{path}#L{line}
    /// [default: from the pipeline: GitHub, GitLab]
    #[arg(long, value_name = "URL", value_parser = parse_source_url)]
    source_url: Option<String>,
}

fn parse_source_url(text: &str) -> Result<String, String> {
    let is_web = ["https://", "http://"].iter().any(|scheme| text.starts_with(scheme));
    match is_web && text.contains("{path}") && !text.contains(char::is_whitespace) {
        true => Ok(text.to_owned()),
        false => Err("write an address on the web with {path} in it, and {line} if it has lines".to_owned()),
    }
}

impl clap::ValueEnum for Format {
    fn value_variants<'a>() -> &'a [Self] {
        Self::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.as_str()).help(self.about()))
    }
}

/// One value of `--report`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Request {
    format: Format,
    /// Where it goes; standard output where it is absent.
    path: Option<PathBuf>,
}

impl Request {
    fn parse(text: &str) -> Result<Self, String> {
        let names = || Format::ALL.iter().map(|format| format.as_str());
        let Some((name, path)) = text.split_once('=') else {
            return Err("write it as FORMAT=PATH, such as sarif=drift.sarif".to_owned());
        };
        let Some(format) = Format::ALL.iter().find(|format| format.as_str() == name) else {
            let list = names().collect::<Vec<_>>().join(", ");
            return Err(match near_names(name, names()).first() {
                Some(near) => format!("there is no format `{name}`; did you mean `{near}`?"),
                None => format!("there is no format `{name}`; there are: {list}"),
            });
        };
        match path {
            "" => Err("the path is empty; `-` is standard output".to_owned()),
            "-" => Ok(Self {
                format: *format,
                path: None,
            }),
            path => Ok(Self {
                format: *format,
                path: Some(path.into()),
            }),
        }
    }
}

/// The places of all reports, made sure of before the work begins.
pub(super) struct Reports {
    outputs: Vec<(Format, Output)>,
    pipeline: Option<Pipeline>,
    repository: Option<Repository>,
    source_url: Option<String>,
}

impl ReportArgs {
    /// Prepares every place. `is_first` tells that no other command has told the pipeline of the same findings.
    pub(super) fn prepare(&self, is_first: bool) -> Result<Reports, CliError> {
        let mut outputs = Vec::new();
        let mut files = BTreeSet::new();
        for Request { format, path } in self.requests()? {
            let output = Output::prepare(path.as_deref())?;
            if let Some(file) = output.file()
                && !files.insert(file.clone())
            {
                return Err(CliError::input(format!("two reports go to `{}`", file.display()))
                    .hint("give each report a file of its own"));
            }
            if format.is_public() {
                output.make_public()?;
            }
            outputs.push((format, output));
        }
        Ok(Reports {
            outputs,
            pipeline: self.ci.pipeline(is_first),
            repository: Repository::find(self.source_root.as_deref())?,
            source_url: self.source_url.clone().or_else(|| self.ci.source_url()),
        })
    }

    /// Returns everything that is asked for, the report of `--format` and `--output` last.
    fn requests(&self) -> Result<Vec<Request>, CliError> {
        let mut requests = self.reports.clone();
        let on_screen = requests.iter().filter(|request| request.path.is_none()).count();
        let is_asked_for = self.format.is_some() || self.output.is_some();
        if on_screen == 0 || is_asked_for {
            requests.push(Request {
                format: self.format.unwrap_or_default(),
                path: self.output.clone(),
            });
        }
        if requests.iter().filter(|request| request.path.is_none()).count() > 1 {
            return Err(CliError::input("two reports go to standard output")
                .hint("one at most can; name files for the others, as in --report sarif=drift.sarif"));
        }
        Ok(requests)
    }
}

impl Reports {
    /// Writes every report, even if one of them fails, and tells the pipeline. `is_ours` tells that the files which
    /// the report names are those that this run has read.
    pub(super) fn write(self, report: &Report, is_ours: bool, console: &Console) -> Result<(), CliError> {
        let scrubbed = console.secrets().scrub(report);
        let report = scrubbed.as_ref().unwrap_or(report);
        let paths = match &self.repository {
            Some(repository) => repository.paths(report, is_ours),
            None => report::Paths::new(),
        };
        let plain = Setting {
            look: Look {
                color: false,
                ..console.look()
            },
            paths: &paths,
            source_url: self.source_url.as_deref(),
        };
        let on_screen = Setting {
            look: console.look(),
            ..plain
        };
        let screen = self
            .outputs
            .iter()
            .find(|(_, output)| !output.is_file())
            .map(|(format, _)| *format);
        let mut result = Ok(());
        let files: BTreeSet<PathBuf> = self.outputs.iter().filter_map(|(_, output)| output.file()).collect();
        for (format, output) in self.outputs {
            if let Some(file) = output.file() {
                result = result.and(write_parts(output, &file, &files, format, report, &plain, console));
            } else if output.is_file() || !console.is_silent() {
                let setting = if output.is_file() { &plain } else { &on_screen };
                warn_of_one_stream(format, report, console);
                result = result.and(output.write(console, |out| format.write(report, setting, out)));
            }
        }
        if !console.is_silent() {
            if screen.is_none() {
                console.say(&report::render_verdict(report, &console.look()));
            }
            if let Some(pipeline) = &self.pipeline {
                pipeline.tell(report, &plain, screen, console);
            }
        }
        result
    }
}

/// Writes a report into a file, and into more files beside it where its readers do not take it in one.
fn write_parts(
    output: Output,
    file: &Path,
    taken: &BTreeSet<PathBuf>,
    format: Format,
    report: &Report,
    setting: &Setting<'_>,
    console: &Console,
) -> Result<(), CliError> {
    output.write(console, |out| format.write_part(report, 0, setting, out))?;
    for part in 1..format.parts(report) {
        let file = numbered(file, part + 1);
        if taken.contains(&file) {
            return Err(CliError::input(format!("two reports go to `{}`", file.display())).hint(
                "it is the name of a further part of a report that does not go into one file; name the other report anew",
            ));
        }
        let output = Output::prepare(Some(&file))?;
        output.write(console, |out| format.write_part(report, part, setting, out))?;
        if !console.is_quiet() {
            console.say(&format!(
                "note: code scanning does not take so many targets in one file; more of them are in {}\n",
                file.display()
            ));
        }
    }
    Ok(())
}

/// Names a further part: `drift-2.sarif` beside `drift.sarif`.
fn numbered(file: &Path, number: usize) -> PathBuf {
    let mut name = file.file_stem().unwrap_or_default().to_owned();
    name.push(format!("-{number}"));
    if let Some(ending) = file.extension() {
        name.push(".");
        name.push(ending);
    }
    file.with_file_name(name)
}

/// Says that a stream holds what some readers do not take at once. The stream is whole all the same.
fn warn_of_one_stream(format: Format, report: &Report, console: &Console) {
    if format.parts(report) > 1 {
        console.warn(
            "code scanning does not take so many targets in one document; other readers do",
            "name a file, as in --report sarif=drift.sarif: further ones are made beside it",
        );
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;

    #[derive(clap::Parser)]
    struct Line {
        #[command(flatten)]
        reports: ReportArgs,
    }

    fn requests(args: &[&str]) -> Result<Vec<(Format, Option<PathBuf>)>, String> {
        let line = Line::try_parse_from([&["x"], args].concat()).map_err(|error| error.to_string())?;
        let requests = line.reports.requests().map_err(|error| error.message)?;
        Ok(requests.into_iter().map(|r| (r.format, r.path)).collect())
    }

    #[test]
    fn one_report_at_most_goes_to_standard_output() {
        let file = |format, path: &str| (format, Some(PathBuf::from(path)));
        assert_eq!(requests(&[]).unwrap(), [(Format::Text, None)]);
        assert_eq!(
            requests(&["--report", "sarif=a=b.sarif", "--report", "junit=j.xml"]).unwrap(),
            [
                file(Format::Sarif, "a=b.sarif"),
                file(Format::Junit, "j.xml"),
                (Format::Text, None)
            ]
        );
        assert_eq!(requests(&["--report", "json=-"]).unwrap(), [(Format::Json, None)]);
        assert_eq!(
            requests(&["--report", "json=-", "--output", "t.txt"]).unwrap(),
            [(Format::Json, None), file(Format::Text, "t.txt")]
        );
        for twice in [
            &["--report", "json=-", "--format", "text"][..],
            &["--report", "json=-", "--report", "text=-"],
        ] {
            assert_eq!(requests(twice).unwrap_err(), "two reports go to standard output");
        }
    }

    #[test]
    fn a_further_part_is_numbered_before_its_ending() {
        for (file, second) in [
            ("a/drift.sarif", "a/drift-2.sarif"),
            ("drift.sarif.json", "drift.sarif-2.json"),
            ("drift", "drift-2"),
        ] {
            assert_eq!(numbered(Path::new(file), 2), Path::new(second));
        }
    }

    #[test]
    fn an_address_of_sources_is_on_the_web_and_has_a_place_for_the_path() {
        for (url, is_fine) in [
            ("https://forge.example/r/blob/main/{path}#L{line}", true),
            ("http://forge/{path}", true),
            ("https://forge.example/r/blob/main/", false),
            ("file:///srv/{path}", false),
            ("javascript:alert('{path}')", false),
            ("https://forge.example/a b/{path}", false),
        ] {
            assert_eq!(parse_source_url(url).is_ok(), is_fine, "{url}");
        }
    }

    #[test]
    fn a_report_names_a_format_and_a_path() {
        for (value, words) in [
            ("sarif", "write it as FORMAT=PATH"),
            ("sraif=x", "did you mean `sarif`?"),
            ("pdf=x", "there are: text, concise"),
            ("json=", "the path is empty"),
        ] {
            let error = requests(&["--report", value]).unwrap_err();
            assert!(error.contains(words), "{error}");
        }
    }
}
