//! `seadrift render` and `seadrift merge`: reports of results that are there already.

use std::path::PathBuf;

use super::console::Console;
use super::error::CliError;
use super::exit;
use super::reports::ReportArgs;
use super::result::load_result;
use crate::report::{self, MergeError};
use crate::text::Terminal;

/// Write the reports of a result anew, without a database
///
/// Reads what `check --format json` has written. The exit code is 0 whatever the result says. Pipelines are
/// told only if --ci names one, since the check has told them.
#[derive(Debug, clap::Args)]
pub(super) struct RenderArgs {
    /// Result to read; `-` is standard input
    #[arg(value_name = "RESULT")]
    result: PathBuf,
    #[command(flatten)]
    reports: ReportArgs,
}

/// Join the results of several runs into one report
///
/// Reads what `check --format json` has written, one file per run, and judges all of it: the strictest --fail-on of the
/// runs holds, and the exit code is that of one run over all targets. A target that is in two results is an error:
/// name targets with `check --name`, and leave out results that a later run has replaced. Pipelines are told only if
/// --ci names one.
#[derive(Debug, clap::Args)]
pub(super) struct MergeArgs {
    /// Results to read; `-` is standard input
    #[arg(value_name = "RESULT", required = true)]
    results: Vec<PathBuf>,
    #[command(flatten)]
    reports: ReportArgs,
}

/// Runs `seadrift render` and returns the exit code.
pub(super) fn render(args: &RenderArgs, console: &Console) -> Result<u8, CliError> {
    let report = load_result(&args.result)?;
    let reports = args.reports.prepare(false)?;
    reports.write(&report, false, console)?;
    Ok(exit::CLEAN)
}

/// Runs `seadrift merge` and returns the exit code.
pub(super) fn merge(args: &MergeArgs, console: &Console) -> Result<u8, CliError> {
    let results = args
        .results
        .iter()
        .map(|path| load_result(path))
        .collect::<Result<Vec<_>, _>>()?;
    let report = report::merge(results).map_err(explain)?;
    let reports = args.reports.prepare(false)?;
    reports.write(&report, false, console)?;
    Ok(report.run.exit_code)
}

fn explain(error: MergeError) -> CliError {
    match error {
        MergeError::Twice(name) => {
            CliError::input(format!("two results speak of the target `{}`", Terminal(name.raw())))
                .hint("give the targets names of their own with `check --name`, or leave out the older result")
        }
        MergeError::Empty => CliError::input("one of the results speaks of no target")
            .hint("leave it out, or find out why its run had nothing to check"),
        MergeError::Missing(part) => CliError::input(format!("the result of part {part} is missing")).hint(format!(
            "give it the results of all {} parts, made with `check --shard`: without one of them nobody knows what \
                 was not checked",
            part.count
        )),
    }
}
