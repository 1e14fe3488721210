//! `seadrift retention install`: the job for the scheduler at hand, printed or applied.

use std::time::Duration;

use super::LedgerArgs;
use crate::cli::console::Console;
use crate::cli::error::{CliError, ErrorKind};
use crate::cli::exit;
use crate::cli::target::{TargetArgs, parse_limit};
use crate::config::Target;
use crate::dialect::{Dialect, TimeKind};
use crate::schema::DataType;
use crate::spec::{Spec, TableSpec};
use crate::text::Terminal;
use crate::trim::Policy;
use crate::trim::job::{self, ApplyError, Every, Job, Scheduler};

const NOTES: &str = "\
Without --apply nothing is connected to. With it, the live ledger is checked first, as by `seadrift retention trim`.

Exit codes:
  0   printed, or applied; or the job was there already
  1   refused: the horizon or the live schema is not safe
  2   the command line or the spec is invalid
  4   the database stood in the way, or could not be seen well enough
  70  internal error";

/// Print the job that trims a ledger regularly, or set it up with --apply
///
/// pg-cron and mysql-event run one bounded DELETE inside the server; kubernetes and systemd run `seadrift retention trim`,
/// which checks the ledger each time and leaves evidence. Names and numbers come from the spec alone.
#[derive(Debug, clap::Args)]
#[command(after_help = NOTES)]
pub(super) struct InstallArgs {
    #[command(flatten)]
    target: TargetArgs,
    #[command(flatten)]
    ledger: LedgerArgs,
    /// What runs the job
    #[arg(long, value_enum)]
    scheduler: SchedulerArg,
    /// Set the job up in the database, instead of printing it (pg-cron, mysql-event)
    #[arg(long)]
    apply: bool,
    /// How often it runs: a divisor of an hour or a day [default: 1m inside a server, 1h outside]
    #[arg(long, value_name = "TIME", value_parser = parse_every)]
    every: Option<Every>,
    /// Rows that one run inside a server removes at most
    #[arg(long, value_name = "ROWS", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    batch: u32,
}

/// Values of `--scheduler`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum SchedulerArg {
    /// The extension pg_cron of PostgreSQL
    PgCron,
    /// The event scheduler of MySQL and MariaDB
    MysqlEvent,
    /// A CronJob
    Kubernetes,
    /// A timer and its service
    Systemd,
}

impl SchedulerArg {
    fn scheduler(self) -> Scheduler {
        match self {
            Self::PgCron => Scheduler::PgCron,
            Self::MysqlEvent => Scheduler::MySqlEvent,
            Self::Kubernetes => Scheduler::Kubernetes,
            Self::Systemd => Scheduler::Systemd,
        }
    }

    /// The dialect whose server runs the job, if a server does.
    fn dialect(self) -> Option<Dialect> {
        match self {
            Self::PgCron => Some(Dialect::Postgres),
            Self::MysqlEvent => Some(Dialect::MySql),
            Self::Kubernetes | Self::Systemd => None,
        }
    }
}

/// Runs the command and returns the exit code.
pub(super) fn run(args: &InstallArgs, console: &Console) -> Result<u8, CliError> {
    if !args.apply {
        let spec = args.target.resolve_spec(console)?;
        let policy = args.ledger.resolve(&spec, console)?;
        let job = assemble(args, &spec, policy);
        if !console.is_silent() {
            console.print(&job.render(args.scheduler.scheduler()))?;
        }
        return Ok(exit::CLEAN);
    }
    if args.scheduler.dialect().is_none() {
        return Err(ApplyError::Outside.into());
    }
    let (target, spec) = args.target.resolve(console)?;
    let policy = args.ledger.resolve(&spec, console)?;
    let job = assemble(args, &spec, policy);
    crate::cli::run::block_on(apply(args, &target, &spec, job, console))?
}

/// Builds the job from the spec alone.
fn assemble(args: &InstallArgs, spec: &Spec, policy: Policy) -> Job {
    let dialect = args.scheduler.dialect();
    let usual = dialect.and_then(|dialect| dialect.facts().default_namespace());
    let table = spec.tables.iter().find(|table| table.name.value == policy.table);
    Job {
        service: spec.service.value.clone(),
        namespace: args.target.namespace().or(usual).map(str::to_owned),
        every: args.every.unwrap_or(match dialect {
            Some(_) => Every::Minutes(1),
            None => Every::Hours(1),
        }),
        batch: args.batch,
        instant: table.is_some_and(|table| is_instant(table, &policy.column, dialect)),
        policy,
    }
}

/// Returns whether the spec's column is stored as an instant in the job's database.
fn is_instant(table: &TableSpec, column: &str, dialect: Option<Dialect>) -> bool {
    let wanted = table
        .column(column)
        .and_then(|column| column.ty.value.guess())
        .and_then(|ty| ty.on(dialect.unwrap_or(Dialect::Postgres)));
    match (dialect, wanted) {
        // Migrations store either kind of timestamp as `datetime`; only a pinned `timestamp` is one.
        (Some(Dialect::MySql), Some(ty)) => ty.pinned && matches!(ty.data, DataType::Timestamp { .. }),
        (_, Some(ty)) => !matches!(ty.data, DataType::Timestamp { zoned: false, .. }),
        (dialect, None) => dialect != Some(Dialect::MySql),
    }
}

async fn apply(
    args: &InstallArgs,
    target: &Target,
    spec: &Spec,
    mut job: Job,
    console: &Console,
) -> Result<u8, CliError> {
    let plan = super::check_and_plan(target, spec, job.policy.clone()).await?;
    job.namespace = plan.namespace;
    job.instant = plan.time == TimeKind::Instant;
    let scheduler = args.scheduler.scheduler();
    let applied = job::apply(&target.open().await?, &job, scheduler, target.limits).await?;
    let done = if applied.changed {
        "the job is set up"
    } else {
        "the job was there already"
    };
    if !console.is_silent() {
        console.print(&format!("{}: {done}\n", Terminal(&job.policy.table)))?;
    }
    if let Some((obstacle, help)) = &applied.obstacle {
        console.warn(obstacle, help);
    }
    Ok(exit::CLEAN)
}

fn parse_every(text: &str) -> Result<Every, String> {
    let duration: Duration = parse_limit(text)?;
    Every::of(duration).ok_or_else(|| "it must divide an hour or a day, such as 1m, 15m, 1h or 6h".to_owned())
}

impl From<ApplyError> for CliError {
    fn from(error: ApplyError) -> Self {
        let kind = match error.exit_code() {
            exit::USAGE => ErrorKind::Input,
            _ => ErrorKind::Database,
        };
        Self::new(kind, error.to_string()).hint(error.help())
    }
}
