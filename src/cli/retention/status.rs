//! `seadrift retention status`: the evidence, the verdict, and how it was reached.

use crate::cli::check::{look_at, now};
use crate::cli::console::Console;
use crate::cli::error::{CliError, ErrorKind};
use crate::cli::fleet::name_unread;
use crate::cli::judgement::{EvidenceArgs, JudgementArgs};
use crate::cli::target::TargetArgs;
use crate::report::{self, Outcome, Times};

const NOTES: &str = "\
Verdicts: effective; present but not effective; unsafe (rows go while copies of their events are let in); \
missing; not visible. What could not be seen is never called missing.

Exit codes:
  0   every retention that the spec confirms is effective
  1   at least one is not, at or above --fail-on
  2   the command line or a spec is invalid
  4   incomplete: a target could not be reached, or a retention not seen
  5   1 and 4 together
  70  internal error";

/// Show for each ledger what removes its old rows, whether that works, and how this is known
///
/// Looks at the jobs of pg_cron, pg_partman, TimescaleDB and the event scheduler, at triggers, and at what runners
/// outside the database write into `ledger_retention`; with --data also at the age of the oldest row. Only reads.
#[derive(Debug, clap::Args)]
#[command(after_help = NOTES)]
pub(super) struct StatusArgs {
    #[command(flatten)]
    target: TargetArgs,
    #[command(flatten)]
    evidence: EvidenceArgs,
    #[command(flatten)]
    judgement: JudgementArgs,
    /// How to print the result
    #[arg(long, value_enum, default_value_t, help_heading = "Output")]
    format: Format,
}

/// Values of `--format`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    #[default]
    Text,
    Json,
}

/// Runs the command and returns the exit code.
pub(super) fn run(args: &StatusArgs, console: &Console) -> Result<u8, CliError> {
    let (mut target, spec) = args.target.resolve(console)?;
    args.evidence.apply(&mut target, console)?;
    let started_at = now();
    let look = look_at(&target, &spec, target.further(&spec, args.evidence.data));
    let outcome = Outcome {
        target: &target,
        spec: &spec,
        result: crate::cli::run::block_on(look)?,
    };
    let times = Times {
        started_at,
        finished_at: now(),
    };
    let mut status = report::build_retention(outcome, args.judgement.policy(&args.target.defaults(console)?), times);
    // Before lines are wrapped: a secret may hold a blank.
    if let Some(scrubbed) = console.secrets().scrub(&status.report) {
        status.report = scrubbed;
    }
    status.rewrite(|text| console.secrets().mask(text));
    if !console.is_silent() {
        let text = match args.format {
            Format::Text => report::render_retention(&status, &console.look()),
            Format::Json => report::render_json(&status).map_err(|error| {
                CliError::new(ErrorKind::Internal, "the result cannot be put into JSON").caused_by(&error)
            })?,
        };
        console.print(&text)?;
    }
    let unread = status.report.targets.iter().any(|target| target.dialect.is_none());
    name_unread(unread.then_some(&target).into_iter(), true, console);
    Ok(status.report.run.exit_code)
}
