//! `seadrift baseline`: makes and clears the baseline that `check --baseline` compares with.

use std::path::{Path, PathBuf};

use super::console::Console;
use super::error::CliError;
use super::excuse::{BASELINE, DayArgs, load_baseline, write_file};
use super::exit;
use super::result::load_result;
use crate::baseline::{self, Baseline, BaselineError};
use crate::text::Terminal;

/// Make or clear the baseline: what was known on the day the gate was put up
///
/// `check --baseline` fails only on what is new or worse. A baseline never grows by itself.
#[derive(Debug, clap::Args)]
pub(super) struct BaselineArgs {
    #[command(subcommand)]
    command: BaselineCommand,
}

#[derive(Debug, clap::Subcommand)]
enum BaselineCommand {
    /// Make a baseline of everything that a complete result holds
    Create(CreateArgs),
    /// Take out what a result does not hold any more
    Prune(PruneArgs),
}

#[derive(Debug, clap::Args)]
struct FileArgs {
    /// Result of a run, as `check --format json` wrote it
    #[arg(value_name = "RESULT")]
    result: PathBuf,
    /// File of the baseline
    #[arg(long, value_name = "FILE", default_value = BASELINE)]
    baseline: PathBuf,
}

#[derive(Debug, clap::Args)]
struct CreateArgs {
    #[command(flatten)]
    file: FileArgs,
    /// Replace the baseline that is there; what it holds keeps the day on which it was first seen
    #[arg(long)]
    replace: bool,
    #[command(flatten)]
    day: DayArgs,
}

#[derive(Debug, clap::Args)]
struct PruneArgs {
    #[command(flatten)]
    file: FileArgs,
}

/// Runs the command and returns the exit code.
pub(super) fn run(args: &BaselineArgs, console: &Console) -> Result<u8, CliError> {
    match &args.command {
        BaselineCommand::Create(args) => create(args, console),
        BaselineCommand::Prune(args) => prune(args, console),
    }
}

fn create(args: &CreateArgs, console: &Console) -> Result<u8, CliError> {
    let path = &args.file.baseline;
    let earlier = match path.exists() {
        true if args.replace => Some(load_baseline(path)?),
        true => {
            return Err(
                CliError::input(format!("there is a baseline already: `{}`", path.display()))
                    .hint("`seadrift baseline prune` takes out what is gone; --replace takes in what is new"),
            );
        }
        false => None,
    };
    let report = load_result(&args.file.result)?;
    let today = args.day.day().to_string();
    let baseline = baseline::create(&report, &today, earlier.as_ref()).map_err(|error| {
        let incomplete = matches!(error, BaselineError::Incomplete(_));
        let error = CliError::input("no baseline can be made").caused_by(&error);
        match incomplete {
            true => error.hint("what was not seen would count as new later: make a complete run first"),
            false => error,
        }
    })?;
    write(&baseline, path, console)?;
    console.say(&format!(
        "{}: {} findings of {} targets\n",
        Terminal(&path.to_string_lossy()),
        baseline.findings.len(),
        baseline.targets.len()
    ));
    Ok(exit::CLEAN)
}

fn prune(args: &PruneArgs, console: &Console) -> Result<u8, CliError> {
    let path = &args.file.baseline;
    let old = load_baseline(path)?;
    let report = load_result(&args.file.result)?;
    let new = baseline::prune(&report, &old);
    let gone = old.findings.len() - new.findings.len();
    if gone > 0 {
        write(&new, path, console)?;
    }
    console.say(&format!(
        "{}: findings taken out: {gone}, kept: {}\n",
        Terminal(&path.to_string_lossy()),
        new.findings.len()
    ));
    Ok(exit::CLEAN)
}

fn write(baseline: &Baseline, path: &Path, console: &Console) -> Result<(), CliError> {
    let text = baseline::render(baseline).map_err(|error| {
        CliError::new(
            super::error::ErrorKind::Internal,
            "the baseline cannot be put into JSON",
        )
        .caused_by(&error)
    })?;
    write_file(path, &text, console)
}
