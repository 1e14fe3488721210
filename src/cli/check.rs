//! `seadrift check`: the main job.

use std::path::PathBuf;
use std::sync::Arc;

use chrono::{SecondsFormat, Utc};

use super::console::Console;
use super::error::{CliError, ErrorKind};
use super::judgement::{EvidenceArgs, JudgementArgs};
use super::output::Output;
use super::target::TargetArgs;
use crate::catalog::{self, Catalog, Further};
use crate::compare;
use crate::config::Target;
use crate::report::{self, Look, Outcome, Report, Sources, Times};
use crate::rules::{self, Verdict};
use crate::spec::Spec;
use crate::text::Terminal;

/// Check a live database against the spec of its service
///
/// Reads the catalog of the database through one short read-only transaction, compares it with the spec, and prints
/// every difference with what it costs and what to do. Nothing is created, changed or locked. What could not be seen
/// is listed, and is never taken for clean.
#[derive(Debug, clap::Args)]
pub(super) struct CheckArgs {
    #[command(flatten)]
    target: TargetArgs,
    #[command(flatten)]
    evidence: EvidenceArgs,
    #[command(flatten)]
    judgement: JudgementArgs,
    /// How to print the report
    #[arg(long, value_enum, default_value_t, help_heading = "Output")]
    format: Format,
    /// Write the report to a file instead of standard output
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
}

/// Values of `--format`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    #[default]
    Text,
    Json,
}

/// Runs the command and returns the exit code.
pub(super) fn run(args: &CheckArgs, console: &Console) -> Result<u8, CliError> {
    let (mut target, spec) = args.target.resolve(console)?;
    args.evidence.apply(&mut target, console)?;
    let output = Output::prepare(args.output.as_deref())?;
    let started_at = now();
    let result = super::run::block_on(look_at(&target, &spec, target.further(&spec, args.evidence.data)))?;
    let times = Times {
        started_at,
        finished_at: now(),
    };
    let policy = args.judgement.policy();
    let outcome = Outcome {
        target: &target,
        spec: &spec,
        result,
    };
    let report = report::build(vec![outcome], policy, times);
    write(&report, args.format, &spec, output, console)?;
    name_unread(&report, &target, console);
    Ok(report.run.exit_code)
}

fn write(report: &Report, format: Format, spec: &Spec, output: Output, console: &Console) -> Result<(), CliError> {
    let to_file = output.is_file();
    if console.is_silent() && !to_file {
        return Ok(());
    }
    let look = match to_file {
        true => Look {
            color: false,
            ..console.look()
        },
        false => console.look(),
    };
    let text = match format {
        Format::Text => {
            let sources = Sources::from([(spec.file.clone(), Arc::clone(&spec.text))]);
            report::render_text(report, &sources, &look)
        }
        Format::Json => report::render_json(report).map_err(|error| {
            CliError::new(ErrorKind::Internal, "the report cannot be put into JSON").caused_by(&error)
        })?,
    };
    output.write(&text, console)?;
    if to_file && !console.is_silent() {
        console.say(&report::render_verdict(report, &console.look()));
    }
    Ok(())
}

/// Says on standard error which database did not answer. The report names none: where it is, is not for every reader.
pub(super) fn name_unread(report: &Report, target: &Target, console: &Console) {
    let unread = report.targets.iter().any(|target| target.dialect.is_none());
    if unread && !console.is_quiet() {
        console.say(&format!(
            "note: the database is {}\n",
            Terminal(&target.url.to_string())
        ));
    }
}

/// Reads and judges one target: its tables, and the jobs that are asked for.
pub(super) async fn look_at(
    target: &Target,
    spec: &Spec,
    jobs: Further<'_>,
) -> Result<(Catalog, Verdict), catalog::Error> {
    let catalog = catalog::fetch_with(&target.url, &target.ask(spec), jobs).await?;
    let verdict = rules::check(&compare::pair(spec, &catalog), &target.name);
    Ok((catalog, verdict))
}

/// Returns the time, RFC 3339 in UTC.
pub(super) fn now() -> String {
    Utc::now().to_rfc3339_opts(SecondsFormat::Millis, true)
}
