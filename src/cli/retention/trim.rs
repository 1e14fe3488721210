//! `seadrift retention trim`: one safe run.

use std::time::Duration;

use chrono::{DateTime, SecondsFormat, Utc};

use super::LedgerArgs;
use super::progress::Bar;
use crate::cli::console::Console;
use crate::cli::error::CliError;
use crate::cli::exit;
use crate::cli::target::TargetArgs;
use crate::config::{Target, parse_limit};
use crate::spec::{Spec, print_duration};
use crate::text::Terminal;
use crate::trim::{self, Ended, Heartbeat, Mode, Outcome, Pace, Policy, Stop};

const NOTES: &str = "\
The run needs a role of its own, with SELECT and DELETE on the ledger and, where the table ledger_retention exists, \
SELECT, INSERT and UPDATE on that. `seadrift migrate up --service retention` creates the table.

Exit codes:
  0   no row older than the horizon is left; or --dry-run counted them
  1   refused: the horizon, the live schema or a clock is not safe
  2   the command line or the spec is invalid
  4   the database stood in the way, or rows are left: stopped by a signal,
      by --max-rows or --max-time, or by locks
  70  internal error";

/// Remove the rows of one ledger that are older than its horizon
///
/// Checks the live ledger first, and removes nothing if its guard is missing, if the horizon is not longer than what the
/// staleness window and the clocks need, or if the check is incomplete. Rows go oldest first, in batches with a
/// transaction each. The cut-off comes from the database's clock. Ctrl-C stops after the batch; a second one at once.
#[derive(Debug, clap::Args)]
#[command(after_help = NOTES)]
pub(super) struct TrimArgs {
    #[command(flatten)]
    target: TargetArgs,
    #[command(flatten)]
    ledger: LedgerArgs,
    #[command(flatten)]
    pace: PaceArgs,
    /// Count the rows that would go, and change nothing
    #[arg(long)]
    dry_run: bool,
}

/// How fast a run goes, and how far.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Pace")]
struct PaceArgs {
    /// Rows of one batch at most
    #[arg(long, value_name = "ROWS", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    batch: u32,
    /// How long to rest between two batches; 0ms for not at all
    #[arg(long, value_name = "TIME", default_value = "50ms", value_parser = parse_pause)]
    pause: Duration,
    /// Rows of the run at most
    #[arg(long, value_name = "ROWS", value_parser = clap::value_parser!(u64).range(1..))]
    max_rows: Option<u64>,
    /// Time after which no further batch is begun
    #[arg(long, value_name = "TIME", value_parser = parse_limit)]
    max_time: Option<Duration>,
    /// Trim a big table even though no index leads with its retention column; each batch may then read all of it
    #[arg(long)]
    allow_scan: bool,
}

/// Runs the command and returns the exit code.
pub(super) fn run(args: &TrimArgs, console: &Console) -> Result<u8, CliError> {
    let (target, spec) = args.target.resolve(console)?;
    let policy = args.ledger.resolve(&spec, console)?;
    crate::cli::run::block_on(trim(args, &target, &spec, policy, console))?
}

async fn trim(
    args: &TrimArgs,
    target: &Target,
    spec: &Spec,
    policy: Policy,
    console: &Console,
) -> Result<u8, CliError> {
    let plan = super::check_and_plan(target, spec, policy).await?;
    let (table, horizon) = (plan.table.clone(), plan.policy.horizon);
    let mut bar = Bar::new(console);
    let mode = if args.dry_run { Mode::Count } else { Mode::Remove };
    let scan = args.pace.allow_scan;
    let url = target.open().await?;
    let run = trim::open(&url, plan, target.limits, mode, scan, &mut |event| bar.show(&event)).await?;
    if args.dry_run {
        let cutoff = run.cutoff();
        let count = run.count().await?;
        say(console, &render_count(&table, count, cutoff, horizon))?;
        return Ok(exit::CLEAN);
    }
    let pace = Pace {
        batch: args.pace.batch,
        pause: args.pace.pause,
        max_rows: args.pace.max_rows,
        max_time: args.pace.max_time,
    };
    let stop = Stop::default();
    let mut show = |event| bar.show(&event);
    let outcome = tokio::select! {
        outcome = run.trim(&pace, &stop, &mut show) => outcome,
        () = wait_for_signals(&stop, console) => return Err(interrupted()),
    };
    bar.clear();
    let outcome = outcome?;
    say(console, &render_outcome(&table, &outcome, horizon))?;
    if outcome.heartbeat == Heartbeat::NoTable {
        console.warn(
            "there is no table ledger_retention, so the run leaves no evidence in the database",
            "create it with `seadrift migrate up --service retention`, and let the role write it",
        );
    }
    Ok(match outcome.ended {
        Ended::Done => exit::CLEAN,
        Ended::Locked | Ended::Stopped | Ended::MaxRows | Ended::MaxTime => exit::INCOMPLETE,
    })
}

fn say(console: &Console, text: &str) -> Result<(), CliError> {
    if console.is_silent() {
        return Ok(());
    }
    console.print(text)
}

fn interrupted() -> CliError {
    CliError::new(
        crate::cli::error::ErrorKind::Database,
        "stopped at once; the batch at hand was removed as a whole or not at all",
    )
    .hint("run again to remove the rest")
}

/// Hears the first wish to stop, and ends at the second.
async fn wait_for_signals(stop: &Stop, console: &Console) {
    signal().await;
    stop.ask();
    if !console.is_quiet() {
        console.say("stopping after this batch; once more to stop at once\n");
    }
    signal().await;
}

/// Waits for Ctrl-C, or for the signal by which schedulers end a job.
async fn signal() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = terminate.recv() => return,
                heard = tokio::signal::ctrl_c() => if heard.is_ok() { return },
            }
        }
    }
    #[cfg(not(unix))]
    if tokio::signal::ctrl_c().await.is_ok() {
        return;
    }
    // Signals cannot be heard here: then they end the process, as they always do.
    std::future::pending::<()>().await;
}

/// Prints a time to the microsecond.
pub(super) fn print_time(time: DateTime<Utc>) -> String {
    time.to_rfc3339_opts(SecondsFormat::Micros, true)
}

fn rows(count: u64) -> String {
    match count {
        1 => "1 row".to_owned(),
        n => format!("{n} rows"),
    }
}

fn render_count(table: &str, count: u64, cutoff: DateTime<Utc>, horizon: Duration) -> String {
    format!(
        "{}: would remove {}, recorded before {} ({} ago); nothing was changed\n",
        Terminal(table),
        rows(count),
        print_time(cutoff),
        print_duration(horizon)
    )
}

fn render_outcome(table: &str, outcome: &Outcome, horizon: Duration) -> String {
    let left = match outcome.ended {
        Ended::Done => "",
        Ended::Locked => "; rows are left that another session has locked",
        Ended::Stopped => "; rows are left, since the run was stopped",
        Ended::MaxRows => "; rows are left, since --max-rows was reached",
        Ended::MaxTime => "; rows are left, since --max-time was reached",
    };
    format!(
        "{}: removed {}, recorded before {} ({} ago){left}\n",
        Terminal(table),
        rows(outcome.deleted),
        print_time(outcome.cutoff),
        print_duration(horizon)
    )
}

/// Parses a limit, or a zero.
fn parse_pause(text: &str) -> Result<Duration, String> {
    match text {
        "0" | "0s" | "0ms" => Ok(Duration::ZERO),
        text => parse_limit(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_may_be_nothing() {
        assert_eq!(parse_pause("0ms"), Ok(Duration::ZERO));
        assert_eq!(parse_pause("50ms"), Ok(Duration::from_millis(50)));
        assert!(parse_pause("50").is_err());
    }

    #[test]
    fn a_run_that_leaves_rows_says_so_and_why() {
        let cutoff = DateTime::from_timestamp_micros(1_785_585_600_000_001).unwrap();
        let mut outcome = Outcome {
            cutoff,
            deleted: 1,
            ended: Ended::Done,
            heartbeat: Heartbeat::Written,
        };
        let horizon = Duration::from_secs(14 * 86_400);
        assert_eq!(
            render_outcome("T\u{1b}", &outcome, horizon),
            "T\\u{1b}: removed 1 row, recorded before 2026-08-01T12:00:00.000001Z (14d ago)\n"
        );
        outcome.ended = Ended::MaxRows;
        assert!(render_outcome("T", &outcome, horizon).contains("--max-rows"));
    }
}
