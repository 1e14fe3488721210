//! One run over the chosen targets, for every command that looks at them.

mod progress;
mod signals;

use std::sync::Arc;
use std::time::Duration;

use super::console::Console;
use super::error::CliError;
use crate::catalog::{Error, ErrorKind, print_limit};
use crate::config::file::Defaults;
use crate::config::{Target, parse_limit};
use crate::fleet::{self, End, Item, Limits, Shard, Tried};
use crate::spec::Spec;
use crate::text::Terminal;
use crate::yaml::At;
use progress::Progress;

/// What holds where nothing else is said.
const JOBS: usize = 8;
const JOBS_PER_SERVER: usize = 4;
const RETRIES: u32 = 3;

/// How long one target may take where nothing else is said.
const TARGET_TIME: Duration = Duration::from_secs(5 * 60);

/// Targets whose databases are named on standard error because they were not read.
const NAMED: usize = 20;

/// How many targets are looked at at once, and how long that may take.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Run")]
pub(super) struct PaceArgs {
    /// Targets to look at at the same time [default: 8]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Targets of one server to look at at the same time, so as many connections to it at most [default: 4]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs_per_server: Option<u16>,
    /// How long one target may take, from the first attempt to connect [default: 5m]
    #[arg(long, value_name = "TIME", value_parser = parse_limit)]
    target_timeout: Option<Duration>,
    /// How long all of them may take; what is not done then is reported as not checked [default: no limit]
    #[arg(long, value_name = "TIME", value_parser = parse_limit)]
    run_timeout: Option<Duration>,
}

/// How a run over many targets goes.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Run")]
pub(super) struct FleetArgs {
    #[command(flatten)]
    pace: PaceArgs,
    /// New attempts to connect where that may help: not after a wrong password, and not after silence [default: 3]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(..=10))]
    retries: Option<u32>,
    /// Look at part K of N alone, so that N machines share a fleet; `seadrift merge` joins their results
    #[arg(long, value_name = "K/N")]
    pub(super) shard: Option<Shard>,
}

/// How a run goes: what the options say, or else the configuration file.
pub(super) struct Run {
    limits: Limits,
    /// For one target, whatever it says itself.
    target_time: Option<Duration>,
}

/// A target, and what it is checked against.
pub(super) type Chosen = (Target, Arc<Spec>);

/// What a run is over: a target, alone or with what it is checked against.
pub(super) trait Aim: Clone + Send + Sync + 'static {
    /// Returns the target.
    fn target(&self) -> &Target;
}

impl Aim for Target {
    fn target(&self) -> &Target {
        self
    }
}

impl Aim for Chosen {
    fn target(&self) -> &Target {
        &self.0
    }
}

/// How a target ended: what was found, or why nothing was looked at.
pub(super) type Ended<T> = Result<T, Error>;

/// What every target of a run came to, in the order of the targets.
pub(super) struct Ran<T> {
    pub(super) ends: Vec<Ended<T>>,
    /// Whether the program failed on a target by a defect of its own.
    pub(super) has_defect: bool,
}

impl FleetArgs {
    /// Leaves out the targets of other machines.
    pub(super) fn keep(&self, targets: &mut Vec<Chosen>) {
        if let Some(shard) = self.shard {
            targets.retain(|(target, _)| shard.holds(&target.name));
        }
    }

    /// Returns how the run goes: what the options say, or else the configuration file.
    pub(super) fn settle(&self, defaults: &Defaults) -> Run {
        let mut run = self.pace.settle(defaults);
        run.limits.retries = self.retries.unwrap_or(RETRIES);
        run
    }
}

impl PaceArgs {
    /// Returns how a run goes that tries everything once.
    pub(super) fn settle(&self, defaults: &Defaults) -> Run {
        let written = |number: &Option<At<usize>>| number.as_ref().map(|at| at.value);
        let of = |said: Option<u16>, number, usual| said.map(usize::from).or(written(number)).unwrap_or(usual);
        Run {
            limits: Limits {
                jobs: of(self.jobs, &defaults.jobs, JOBS),
                per_server: of(self.jobs_per_server, &defaults.jobs_per_server, JOBS_PER_SERVER),
                run: self.run_timeout.or(defaults.deadline.as_ref().map(|at| at.value)),
                retries: 0,
            },
            target_time: self.target_timeout,
        }
    }
}

impl Run {
    /// Looks at targets by `work`, which says what it found and what went wrong with the database. `describe` says in a few
    /// words what was found.
    pub(super) fn over<A, T, W, F>(
        &self,
        targets: &[A],
        console: &Console,
        describe: impl Fn(&T) -> String,
        work: W,
    ) -> Result<Ran<T>, CliError>
    where
        A: Aim,
        T: Send + 'static,
        W: Fn(A) -> F + Send + Sync + 'static,
        F: Future<Output = (T, Trouble)>,
    {
        let items: Vec<Item> = targets.iter().map(|aim| self.item(aim.target())).collect();
        let stop = signals::listen(console);
        let names = targets.iter().map(|aim| aim.target().name.as_str()).collect();
        let mut progress = Progress::new(names, console);
        let own: Vec<A> = targets.to_vec();
        let work = Arc::new(work);
        let try_one = move |index: usize| {
            let (aim, work) = (own[index].clone(), Arc::clone(&work));
            async move {
                let (value, trouble) = work(aim).await;
                Tried {
                    value,
                    passing: trouble.passing,
                    unreachable: trouble.unreachable,
                }
            }
        };
        let ends = fleet::run(&items, &self.limits, &|| stop.is_asked(), try_one, &mut |event| {
            progress.show(&event, &describe);
        });
        stop.is_over();
        progress.clear();
        let has_defect = ends.iter().any(|end| matches!(end, End::Lost(_)));
        let ends = ends
            .into_iter()
            .zip(&items)
            .map(|(end, item)| self.explain(end, item))
            .collect();
        Ok(Ran { ends, has_defect })
    }

    fn item(&self, target: &Target) -> Item {
        Item {
            server: Some(target.server_key()),
            time: self.target_time.or(target.deadline).unwrap_or(TARGET_TIME),
        }
    }

    /// Says why a target was not looked at to the end.
    fn explain<T>(&self, end: End<T>, item: &Item) -> Ended<T> {
        let (reason, help) = match end {
            End::Done(value) => return Ok(value),
            End::TooLong => (
                format!("Not checked: it took longer than {}.", print_limit(item.time)),
                "Run the check again when the server is less busy, or raise --target-timeout.",
            ),
            End::Interrupted => (
                "Not checked: the run was interrupted.".to_owned(),
                "Run the check again to the end.",
            ),
            End::OutOfTime => (
                format!(
                    "Not checked: the run was over after {}.",
                    print_limit(self.limits.run.unwrap_or_default())
                ),
                "Raise --run-timeout or --jobs, or share the targets between machines with --shard.",
            ),
            End::Lost(place) => (
                format!("Not checked: the program failed at {place}."),
                "Report this place as a bug of seadrift.",
            ),
        };
        Err(Error::new(ErrorKind::NotLookedAt, reason, help))
    }
}

/// What went wrong with a database.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Trouble {
    passing: bool,
    unreachable: bool,
}

impl Trouble {
    /// Says what went wrong, if something did.
    pub(super) fn of<T>(result: &Result<T, Error>) -> Self {
        match result {
            Ok(_) => Self::default(),
            Err(error) => Self {
                passing: error.passing,
                unreachable: error.kind == ErrorKind::Unreachable,
            },
        }
    }
}

/// Says on standard error which databases did not answer. The report names none: where they are, is not for every reader.
pub(super) fn name_unread<'a>(unread: impl Iterator<Item = &'a Target>, is_one: bool, console: &Console) {
    if console.is_quiet() {
        return;
    }
    let mut unread = unread.peekable();
    for target in unread.by_ref().take(NAMED) {
        let place = &target.place;
        match is_one {
            true => console.say(&format!("note: the database is {place}\n")),
            false => console.say(&format!("note: {} is {place}\n", Terminal(&target.name))),
        }
    }
    match unread.count() {
        0 => {}
        more => console.say(&format!("note: and {more} more were not read\n")),
    }
}
