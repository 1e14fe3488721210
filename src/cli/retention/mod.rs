//! `seadrift retention`: what is known of it, trimming a ledger, and the jobs that do it regularly.

mod install;
mod progress;
mod status;
mod trim;

use std::time::Duration;

use super::check::look_at;
use super::console::Console;
use super::error::{CliError, ErrorKind};
use crate::catalog::Further;
use crate::compare;
use crate::config::Target;
use crate::spec::{Spec, TableSpec, parse_duration};
use crate::text::near_names;
use crate::trim::{self as trimming, Plan, Policy, Refusal, RefusalKind, TrimError};

/// See whether old rows of ledgers are removed, remove them safely, or set up the job that does
#[derive(Debug, clap::Args)]
pub(super) struct RetentionArgs {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Status(status::StatusArgs),
    Trim(trim::TrimArgs),
    Install(install::InstallArgs),
}

/// Which ledger, and how old its rows become.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Ledger")]
struct LedgerArgs {
    /// Ledger to trim, where the spec has several with a retention
    #[arg(long, value_name = "NAME")]
    table: Option<String>,
    /// Age at which rows are removed, if longer than the spec's
    #[arg(long, value_name = "AGE", value_parser = parse_age)]
    horizon: Option<Duration>,
}

/// Runs the command and returns the exit code.
pub(super) fn run(args: &RetentionArgs, console: &Console) -> Result<u8, CliError> {
    match &args.command {
        Command::Status(args) => status::run(args, console),
        Command::Trim(args) => trim::run(args, console),
        Command::Install(args) => install::run(args, console),
    }
}

impl LedgerArgs {
    /// Resolves the options to the numbers of one ledger, and says if the spec does not stand by them.
    fn resolve(&self, spec: &Spec, console: &Console) -> Result<Policy, CliError> {
        let policy = Policy::of(pick(spec, self.table.as_deref())?, self.horizon)?;
        if !policy.confirmed {
            console.warn(
                &format!("the spec marks the retention of `{}` as unconfirmed", policy.table),
                "have the horizon and the windows reviewed, and take `confirmed: false` away",
            );
        }
        Ok(policy)
    }
}

fn pick<'a>(spec: &'a Spec, wanted: Option<&str>) -> Result<&'a TableSpec, CliError> {
    let retained: Vec<&TableSpec> = spec.tables.iter().filter(|table| table.retention.is_some()).collect();
    let names = |tables: &[&TableSpec]| {
        tables
            .iter()
            .map(|t| t.name.value.clone())
            .collect::<Vec<_>>()
            .join(", ")
    };
    match (wanted, &retained[..]) {
        (Some(wanted), _) => spec
            .tables
            .iter()
            .find(|table| table.name.value == wanted)
            .ok_or_else(|| {
                CliError::input(format!("the spec has no table `{wanted}`"))
                    .did_you_mean(&near_names(wanted, spec.tables.iter().map(|t| t.name.value.as_str())))
            }),
        (None, [only]) => Ok(only),
        (None, []) => Err(CliError::input(format!(
            "the spec of `{}` states no retention of any table",
            spec.service.value
        ))
        .hint("add a `retention` block with the horizon and the column to the ledger")),
        (None, several) => Err(CliError::input("the spec states a retention of several tables")
            .hint(format!("pick one with --table: {}", names(several)))),
    }
}

/// Checks the live ledger, through the path that cannot write, and decides how it is to be trimmed.
async fn check_and_plan(target: &Target, spec: &Spec, policy: Policy) -> Result<Plan, CliError> {
    let (catalog, verdict) = look_at(target, spec, Further::default()).await.map_err(|error| {
        CliError::new(ErrorKind::Database, "the ledger cannot be checked, so it is left alone")
            .caused_by(&error)
            .hint(error.help.clone())
    })?;
    Ok(trimming::plan(policy, &compare::pair(spec, &catalog), &verdict)?)
}

fn parse_age(text: &str) -> Result<Duration, String> {
    parse_duration(text).map_err(|error| format!("{}; {}", error.reason, error.help))
}

impl From<Refusal> for CliError {
    fn from(refusal: Refusal) -> Self {
        let kind = match refusal.kind {
            RefusalKind::Usage => ErrorKind::Input,
            RefusalKind::Unsafe => ErrorKind::Drift,
            RefusalKind::Unseen => ErrorKind::Database,
        };
        Self {
            sources: refusal.details,
            ..Self::new(kind, refusal.message)
        }
        .hint(refusal.help)
    }
}

impl From<TrimError> for CliError {
    fn from(error: TrimError) -> Self {
        let kind = match error.exit_code() {
            super::exit::DRIFT => ErrorKind::Drift,
            super::exit::USAGE => ErrorKind::Input,
            _ => ErrorKind::Database,
        };
        Self::new(kind, error.to_string()).hint(error.help())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPEC: &str = "version: 1
service: s
tables:
  A:
    role: ledger
    columns: { EventId: { type: uuid }, At: { type: timestamptz } }
    primary_key: [EventId]
    ledger: { event_id: EventId, staleness_window: 168h }
    retention: { horizon: 14d, column: At }
";

    #[test]
    fn the_only_table_with_a_retention_needs_no_name() {
        let text = SPEC;
        let spec = crate::spec::parse("s.yaml", text).unwrap();
        assert_eq!(pick(&spec, None).unwrap().name.value, "A");
        let error = pick(&spec, Some("B")).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Input);
    }

    #[test]
    fn a_table_is_named_where_there_are_several() {
        let one = SPEC;
        let block = one.split_once("tables:\n").unwrap().1.replace("  A:\n", "  B:\n");
        let spec = crate::spec::parse("s.yaml", &format!("{one}{block}")).unwrap();
        let error = pick(&spec, None).unwrap_err();
        assert!(error.hints[0].contains("A, B"), "{error:?}");
        assert_eq!(pick(&spec, Some("B")).unwrap().name.value, "B");
    }

    #[test]
    fn each_refusal_has_its_exit_code() {
        for (kind, code) in [
            (RefusalKind::Usage, 2),
            (RefusalKind::Unsafe, 1),
            (RefusalKind::Unseen, 4),
        ] {
            let refusal = Refusal {
                kind,
                message: String::new(),
                details: Vec::new(),
                help: String::new(),
            };
            assert_eq!(CliError::from(refusal).kind.code(), code);
        }
    }
}
