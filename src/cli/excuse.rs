//! What excuses findings: waivers and a baseline, loaded before the work begins and applied to its report.

use std::path::{Path, PathBuf};

use chrono::{NaiveDate, Utc};

use super::console::Console;
use super::error::CliError;
use super::input;
use super::output::Output;
use crate::baseline::{self, Baseline};
use crate::report::Report;
use crate::waivers::{self, WaiverFile};

/// Where waivers are if nothing else is said.
pub(super) const WAIVERS: &str = "seadrift.waivers.yaml";

/// Where a baseline is if nothing else is said.
pub(super) const BASELINE: &str = "seadrift.baseline.json";

/// The options that name waivers and a baseline.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Judgement")]
pub(super) struct ExcuseArgs {
    /// File of waivers [default: seadrift.waivers.yaml, if there is one]
    #[arg(long, value_name = "FILE")]
    waivers: Option<PathBuf>,
    /// Fail only on what this baseline does not hold, or holds as less
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = BASELINE)]
    baseline: Option<PathBuf>,
    #[command(flatten)]
    day: DayArgs,
}

/// The day that waivers are judged by.
#[derive(Debug, clap::Args)]
pub(super) struct DayArgs {
    /// Day that waivers are judged by, in UTC, so that a run can be repeated [default: today]
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = parse_day, help_heading = "Judgement")]
    today: Option<NaiveDate>,
}

impl DayArgs {
    /// Returns the day.
    pub(super) fn day(&self) -> NaiveDate {
        self.today.unwrap_or_else(|| Utc::now().date_naive())
    }
}

fn parse_day(text: &str) -> Result<NaiveDate, String> {
    let date = NaiveDate::parse_from_str(text, "%Y-%m-%d");
    date.map_err(|_| "write year, month and day: 2026-12-31".to_owned())
}

/// Waivers and a baseline.
#[derive(Debug)]
pub(super) struct Excuses {
    waivers: Option<WaiverFile>,
    baseline: Option<(PathBuf, Baseline)>,
    today: NaiveDate,
}

impl ExcuseArgs {
    /// Loads what is named.
    pub(super) fn load(&self, console: &Console) -> Result<Excuses, CliError> {
        let waivers = match &self.waivers {
            Some(path) => Some(load_waivers(path, console)?),
            None if Path::new(WAIVERS).exists() => Some(load_waivers(Path::new(WAIVERS), console)?),
            None => None,
        };
        let baseline = match &self.baseline {
            Some(path) => Some((path.clone(), load_baseline(path)?)),
            None => None,
        };
        Ok(Excuses {
            waivers,
            baseline,
            today: self.day.day(),
        })
    }
}

impl Excuses {
    /// Takes what is excused out of a report's count.
    pub(super) fn apply(&self, report: &mut Report) {
        if let Some(file) = &self.waivers {
            waivers::apply(report, file, self.today);
        }
        if let Some((path, baseline)) = &self.baseline {
            baseline::apply(report, baseline, &path.to_string_lossy(), self.today);
        }
    }
}

/// Loads a file of waivers, or says everything that is wrong with it.
pub(super) fn load_waivers(path: &Path, console: &Console) -> Result<WaiverFile, CliError> {
    waivers::load(path).map_err(|problems| input::refuse(path, &problems, console))
}

/// Loads a baseline.
pub(super) fn load_baseline(path: &Path) -> Result<Baseline, CliError> {
    let fail = |error: &dyn std::error::Error| {
        CliError::input(format!("the baseline `{}` cannot be read", path.display())).caused_by(error)
    };
    let bytes = input::read(path).map_err(|error| {
        fail(&error).hint(
            "make one with `seadrift baseline create RESULT.json`, from a result that `check --format json` wrote",
        )
    })?;
    let text = String::from_utf8(bytes).map_err(|error| fail(&error.utf8_error()))?;
    baseline::parse(&text).map_err(|error| fail(&error).hint("make it again with `seadrift baseline create`"))
}

/// Writes a file that a team keeps with its code, as a whole or not at all.
pub(super) fn write_file(path: &Path, text: &str, console: &Console) -> Result<(), CliError> {
    let output = Output::prepare(Some(path))?;
    output.make_public()?;
    output.write(console, |out| out.write_all(text.as_bytes()))
}
