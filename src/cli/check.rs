//! `seadrift check`: the main job.

use std::sync::Arc;

use chrono::{SecondsFormat, Utc};

use super::console::Console;
use super::error::CliError;
use super::excuse::ExcuseArgs;
use super::judgement::{EvidenceArgs, JudgementArgs};
use super::reports::ReportArgs;
use super::target::TargetArgs;
use crate::catalog::{self, Catalog, Further};
use crate::compare;
use crate::config::Target;
use crate::report::{self, Outcome, Report, Sources, Times};
use crate::rules::{self, Verdict};
use crate::spec::Spec;

/// Check a live database against the spec of its service
///
/// Reads the catalog of the database through one short read-only transaction, compares it with the spec, and prints
/// every difference with what it costs and what to do. Nothing is created, changed or locked. What could not be seen
/// is listed, and is never taken for clean.
#[derive(Debug, clap::Args)]
pub(super) struct CheckArgs {
    #[command(flatten)]
    target: TargetArgs,
    /// Name of the target in reports, such as prod/notification [default: the service]
    #[arg(long, value_name = "NAME", value_parser = clap::builder::NonEmptyStringValueParser::new(), help_heading = "Target")]
    name: Option<String>,
    #[command(flatten)]
    evidence: EvidenceArgs,
    #[command(flatten)]
    judgement: JudgementArgs,
    #[command(flatten)]
    excuses: ExcuseArgs,
    #[command(flatten)]
    reports: ReportArgs,
}

/// Runs the command and returns the exit code.
pub(super) fn run(args: &CheckArgs, console: &Console) -> Result<u8, CliError> {
    let (mut target, spec) = args.target.resolve(console)?;
    args.evidence.apply(&mut target, console)?;
    if let Some(name) = &args.name {
        target.name.clone_from(name);
    }
    let excuses = args.excuses.load(console)?;
    let reports = args.reports.prepare(true)?;
    let started_at = now();
    let result = super::run::block_on(look_at(&target, &spec, target.further(&spec, args.evidence.data)))?;
    let times = Times {
        started_at,
        finished_at: now(),
    };
    let policy = args.judgement.policy(&args.target.defaults(console)?);
    let outcome = Outcome {
        target: &target,
        spec: &spec,
        result,
    };
    let mut report = report::build(vec![outcome], policy, times);
    excuses.apply(&mut report);
    let sources = Sources::from([(spec.file.clone(), Arc::clone(&spec.text))]);
    reports.write(&report, &sources, true, console)?;
    name_unread(&report, &target, console);
    Ok(report.run.exit_code)
}

/// Says on standard error which database did not answer. The report names none: where it is, is not for every reader.
pub(super) fn name_unread(report: &Report, target: &Target, console: &Console) {
    let unread = report.targets.iter().any(|target| target.dialect.is_none());
    if unread && !console.is_quiet() {
        console.say(&format!("note: the database is {}\n", target.place));
    }
}

/// Reads and judges one target: its tables, and the jobs that are asked for.
pub(super) async fn look_at(
    target: &Target,
    spec: &Spec,
    jobs: Further<'_>,
) -> Result<(Catalog, Verdict), catalog::Error> {
    let catalog = catalog::fetch_with(&target.open().await?, &target.ask(spec), jobs).await?;
    let verdict = rules::check(&compare::pair(spec, &catalog), &target.name);
    Ok((catalog, verdict))
}

/// Returns the time, RFC 3339 in UTC.
pub(super) fn now() -> String {
    Utc::now().to_rfc3339_opts(SecondsFormat::Millis, true)
}
