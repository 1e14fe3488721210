//! `seadrift check`: the main job.

use std::collections::BTreeSet;

use chrono::{SecondsFormat, Utc};

use super::console::Console;
use super::error::CliError;
use super::excuse::ExcuseArgs;
use super::exit;
use super::fleet::{self, Chosen, FleetArgs, Trouble};
use super::judgement::{EvidenceArgs, JudgementArgs};
use super::reports::ReportArgs;
use super::target::TargetArgs;
use crate::catalog::{self, Catalog, Further};
use crate::compare;
use crate::config::Target;
use crate::report::{self, Outcome, Report, Section, Times};
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
    run: FleetArgs,
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
    let defaults = args.target.defaults(console)?;
    let mut targets = args.target.resolve_all(console)?;
    for (target, _) in &mut targets {
        args.evidence.apply(target, console)?;
    }
    if let (Some(name), [(target, _)]) = (&args.name, &mut targets[..]) {
        target.name.clone_from(name);
    }
    let is_nothing = targets.is_empty();
    args.run.keep(&mut targets);
    let excuses = args.excuses.load(console)?;
    let reports = args.reports.prepare(true)?;
    let started_at = now();
    let (data, run) = (args.evidence.data, args.run.settle(&defaults));
    let ran = run.over(
        &targets,
        console,
        Section::describe,
        move |(target, spec): Chosen| async move {
            let result = look_at(&target, &spec, target.further(&spec, data)).await;
            let trouble = Trouble::of(&result);
            (section(&target, &spec, result), trouble)
        },
    )?;
    let sections = ran
        .ends
        .into_iter()
        .zip(&targets)
        .map(|(end, (target, spec))| match end {
            Ok(section) => section,
            Err(error) => section(target, spec, Err(error)),
        });
    let times = Times {
        started_at,
        finished_at: now(),
    };
    // A choice that chose nothing is incomplete; a part of a fleet that has no target is not.
    let shard = args.run.shard.filter(|_| !is_nothing);
    let mut report = report::join(sections, shard, args.judgement.policy(&defaults), times);
    excuses.apply(&mut report);
    if ran.has_defect {
        report.run.exit_code = exit::INTERNAL;
    }
    reports.write(&report, true, console)?;
    name_unread(&report, &targets, console);
    Ok(report.run.exit_code)
}

/// Says of a target what was seen and judged, or why nothing could be.
fn section(target: &Target, spec: &Spec, result: Result<(Catalog, Verdict), catalog::Error>) -> Section {
    Section::new(Outcome { target, spec, result })
}

/// Says on standard error which databases did not answer.
pub(super) fn name_unread(report: &Report, targets: &[Chosen], console: &Console) {
    let unread: BTreeSet<&str> = report
        .targets
        .iter()
        .filter(|target| target.dialect.is_none())
        .map(|target| target.name.raw())
        .collect();
    let of = targets
        .iter()
        .map(|(target, _)| target)
        .filter(|target| unread.contains(target.name.as_str()));
    fleet::name_unread(of, targets.len() == 1, console);
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
