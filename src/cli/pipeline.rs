//! What is shown in the pipeline that the program runs in, without being asked for.
//!
//! Commands go to standard error, which pipelines read as well, so that standard output holds the report alone.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::console::Console;
use crate::report::{self, Format, Report, Setting};

/// Values of `--ci`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Ci {
    /// The one that the environment tells of
    #[default]
    Auto,
    /// GitHub Actions
    Github,
    /// Azure Pipelines
    Azure,
    /// None
    None,
}

/// A pipeline, and where it takes a summary.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Pipeline {
    /// GitHub Actions, with the file that a step's summary is appended to.
    Github(Option<PathBuf>),
    /// Azure Pipelines, with the directory for files that it uploads.
    Azure(Option<PathBuf>),
}

impl Ci {
    /// Returns the pipeline to speak to. One that is not named is spoken to if this is the first to tell it.
    #[expect(
        clippy::disallowed_methods,
        reason = "the command line is what knows the environment"
    )]
    pub(super) fn pipeline(self, is_first: bool) -> Option<Pipeline> {
        let is_true = |name: &str| std::env::var(name).is_ok_and(|value| value.eq_ignore_ascii_case("true"));
        let path = |name: &str| {
            std::env::var_os(name)
                .filter(|path| !path.is_empty())
                .map(PathBuf::from)
        };
        let github = || Pipeline::Github(path("GITHUB_STEP_SUMMARY"));
        let azure = || Pipeline::Azure(path("AGENT_TEMPDIRECTORY"));
        match self {
            Self::Github => Some(github()),
            Self::Azure => Some(azure()),
            Self::None => None,
            Self::Auto if !is_first => None,
            Self::Auto if is_true("GITHUB_ACTIONS") => Some(github()),
            Self::Auto if is_true("TF_BUILD") => Some(azure()),
            Self::Auto => None,
        }
    }

    /// Returns the address of a line of a source file, as far as the environment tells of it.
    #[expect(
        clippy::disallowed_methods,
        reason = "the command line is what knows the environment"
    )]
    pub(super) fn source_url(self) -> Option<String> {
        let var = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        match self {
            Self::None => None,
            Self::Auto | Self::Github | Self::Azure => source_url(var),
        }
    }
}

/// Makes the address of a line of the commit that a pipeline runs for, of what the pipeline says.
fn source_url(var: impl Fn(&str) -> Option<String>) -> Option<String> {
    let base = match (var("GITHUB_SERVER_URL"), var("GITHUB_REPOSITORY"), var("GITHUB_SHA")) {
        (Some(server), Some(repository), Some(commit)) => format!("{server}/{repository}/blob/{commit}"),
        _ => format!("{}/-/blob/{}", var("CI_PROJECT_URL")?, var("CI_COMMIT_SHA")?),
    };
    let is_web = base.starts_with("https://") || base.starts_with("http://");
    is_web.then(|| format!("{base}/{{path}}#L{{line}}"))
}

impl Pipeline {
    /// Shows a report. `screen` is the format that standard output has got: its commands are not given twice.
    pub(super) fn tell(&self, report: &Report, setting: &Setting<'_>, screen: Option<Format>, console: &Console) {
        let format = match self {
            Self::Github(_) => Format::Github,
            Self::Azure(_) => Format::Azure,
        };
        let mut commands = Vec::new();
        if screen != Some(format) && format.write(report, setting, &mut commands).is_ok() {
            console.say(&String::from_utf8_lossy(&commands));
        }
        let summed_up = match self {
            Self::Github(None) | Self::Azure(None) => Ok(()),
            Self::Github(Some(file)) => append(file, report, setting),
            Self::Azure(Some(dir)) => upload(dir, report, setting, console),
        };
        if let Err(error) = summed_up {
            console.warn(
                &format!("the summary of the job cannot be written: {error}"),
                "the other reports are not concerned; `--ci none` leaves it out",
            );
        }
    }
}

/// Appends a step's summary to those of whatever ran before in the step, as far as there is room.
fn append(file: &Path, report: &Report, setting: &Setting<'_>) -> io::Result<()> {
    /// With less room, hardly more than the verdict could be said.
    const LEAST: usize = 4096;
    let mut file = File::options().append(true).create(true).open(file)?;
    let taken = usize::try_from(file.metadata()?.len()).unwrap_or(usize::MAX);
    let room = report::SUMMARY.saturating_sub(taken);
    if room < LEAST {
        return Err(io::Error::other("earlier commands of the step have filled it"));
    }
    file.write_all(report::render_markdown(report, setting, room).as_bytes())
}

/// Leaves a file for the agent to take.
fn upload(dir: &Path, report: &Report, setting: &Setting<'_>, console: &Console) -> io::Result<()> {
    let mut file = tempfile::Builder::new()
        .prefix("seadrift-")
        .suffix(".md")
        .tempfile_in(dir)?;
    file.write_all(report::render_markdown(report, setting, report::SUMMARY).as_bytes())?;
    let (_, path) = file.keep().map_err(|error| error.error)?;
    console.say(&format!("##vso[task.uploadsummary]{}\n", path.display()));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pipeline_tells_where_its_commit_is_on_the_web() {
        let from = |vars: &[(&str, &str)]| {
            source_url(|name| {
                let var = vars.iter().find(|(known, _)| *known == name);
                var.map(|(_, value)| (*value).to_owned())
            })
        };
        let github = [
            ("GITHUB_SERVER_URL", "https://github.example"),
            ("GITHUB_REPOSITORY", "team/ledgers"),
            ("GITHUB_SHA", "c0ffee"),
        ];
        assert_eq!(
            from(&github).as_deref(),
            Some("https://github.example/team/ledgers/blob/c0ffee/{path}#L{line}")
        );
        let gitlab = [
            ("CI_PROJECT_URL", "https://gitlab.example/team/ledgers"),
            ("CI_COMMIT_SHA", "c0ffee"),
        ];
        assert_eq!(
            from(&gitlab).as_deref(),
            Some("https://gitlab.example/team/ledgers/-/blob/c0ffee/{path}#L{line}")
        );
        assert_eq!(from(&github[..2]), None);
        assert_eq!(
            from(&[("CI_PROJECT_URL", "javascript:x"), ("CI_COMMIT_SHA", "c0ffee")]),
            None
        );
    }
}
