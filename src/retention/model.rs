//! What a server says about the jobs that may remove rows of a ledger.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::schema::Trigger;

/// Everything that was seen of a target's jobs. Empty where nobody asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// Whether jobs were looked for at all; otherwise nothing follows from their absence.
    pub looked: bool,
    /// The jobs that were seen, whatever they do.
    pub jobs: Vec<Job>,
    /// Functions and procedures that the jobs may call.
    pub routines: Vec<Routine>,
    /// Places where a job may be and that could not be looked at.
    pub hidden: Vec<Hidden>,
    /// Why the absence of jobs proves nothing, on a database that has no scheduler of its own.
    pub no_scheduler: Option<Hidden>,
    /// What the jobs' roles may do with the wanted tables, where that is known.
    pub grants: Vec<Grants>,
    /// Why the server refuses each deletion from a wanted table, as a clause, by table name.
    pub refused: BTreeMap<String, String>,
    /// How far the clock that a job calls local may be ahead of UTC.
    pub local_ahead: Duration,
    /// Whether the server takes table names that differ in letter case for the same.
    pub folds_names: bool,
    /// Views through which jobs may delete rows.
    pub views: Vec<View>,
    /// Triggers that change a table when another one is written.
    pub triggers: Vec<TableTrigger>,
    /// Whether every routine that exists is listed.
    pub sees_routines: bool,
    /// Why no job that is not listed can run, if that is so.
    pub asleep: Option<Stop>,
}

/// A view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// Its namespace; nothing where there is only one.
    pub namespace: Option<String>,
    /// Its name.
    pub name: String,
    /// Its query; absent where the role may not see it.
    pub definition: Option<String>,
    /// What is done instead of a deletion, where that is something else.
    pub instead: Option<String>,
}

/// A trigger with its table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableTrigger {
    /// The table's namespace; nothing where there is only one.
    pub namespace: Option<String>,
    /// The table.
    pub table: String,
    /// The trigger.
    pub trigger: Trigger,
}

/// A job that a server runs, or that runs outside and leaves a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// Its name, as its scheduler has it.
    pub name: String,
    /// Who runs it.
    pub scheduler: Scheduler,
    /// The role it runs as, where that is known.
    pub role: Option<String>,
    /// What it does.
    pub task: Task,
    /// When it runs.
    pub schedule: Schedule,
    /// Why it does not run at all, or not here.
    pub stops: Vec<Stop>,
    /// What is recorded of its runs.
    pub runs: Runs,
}

/// Who runs a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scheduler {
    /// The extension `pg_cron`.
    PgCron,
    /// The extension `pg_partman`.
    PgPartman,
    /// The extension `timescaledb`.
    Timescale,
    /// The event scheduler of MySQL and MariaDB.
    Events,
    /// A trigger: each write runs it.
    Trigger,
    /// Something outside the database, which keeps its row of `ledger_retention`.
    Outside,
}

impl Scheduler {
    /// Returns the words that reports use.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::PgCron => "pg_cron",
            Self::PgPartman => "pg_partman",
            Self::Timescale => "TimescaleDB",
            Self::Events => "the event scheduler",
            Self::Trigger => "a trigger",
            Self::Outside => "a runner outside the database",
        }
    }
}

/// What a job does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Task {
    /// It runs statements.
    Statements {
        /// Their text.
        sql: String,
        /// The namespaces in which bare names are looked up, in order; empty where that is not known.
        path: Vec<String>,
    },
    /// It removes whole partitions.
    Partitions {
        /// The namespace of the table; unknown where absent.
        namespace: Option<String>,
        /// The table.
        table: String,
        /// The column by which the table is divided, where known.
        column: Option<String>,
        /// The age as the scheduler has it, and as it is understood; `None` where nothing is removed.
        after: Option<(String, Option<Span>)>,
        /// How wide a partition is, as it is understood.
        width: Option<Span>,
        /// What becomes of the rows.
        fate: Fate,
        /// Who carries it out.
        caller: Caller,
        /// Whether the maintenance passes the table over unless it is called with its name.
        only_by_name: bool,
    },
    /// It says itself what it does, in a row of `ledger_retention`.
    Declared {
        /// The table.
        table: String,
        /// The age at which it removes rows.
        horizon: Option<Duration>,
    },
}

/// What becomes of an old partition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is dropped.
    Dropped,
    /// It is detached and stays as a table of its own.
    Detached,
    /// It is moved to another namespace.
    Moved(String),
}

/// Who carries out what is said of partitions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Caller {
    /// The scheduler that has it.
    Itself,
    /// Other jobs, which call the maintenance. The sentence is for when none is seen: it says where was looked.
    Others(String),
}

/// When a job runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Schedule {
    /// At this distance.
    Every(Duration),
    /// By a cron expression.
    Cron(String),
    /// Once.
    Once,
    /// With each write.
    OnWrite,
    /// Nothing is known.
    Unknown,
}

/// A reason why a job does not run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stop {
    /// What kind of reason.
    pub kind: StopKind,
    /// The reason as a clause: `it is switched off`.
    pub reason: String,
    /// What to do about it, in the imperative.
    pub help: String,
}

/// Kinds of reasons why a job does not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StopKind {
    /// It does not start.
    Disabled,
    /// It starts and fails.
    Failing,
    /// It runs, but on another database: it is no job of this target.
    Elsewhere,
}

/// What is recorded of a job's runs. Ages count back from the moment of reading, by the server's clock.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Runs {
    /// Whether the scheduler records runs at all, and why not.
    pub record: Record,
    /// How many runs are recorded.
    pub recorded: u64,
    /// How long ago the last run began.
    pub last_started: Option<Duration>,
    /// How long ago the last good run ended.
    pub last_success: Option<Duration>,
    /// How many of the latest runs failed in a row.
    pub failed_in_a_row: u64,
    /// How many of the latest runs succeeded and removed nothing, in a row.
    pub empty_in_a_row: u64,
    /// What the last run said.
    pub message: Option<String>,
    /// How long the job is known to have been there, if it is.
    pub exists_for: Option<Duration>,
}

/// Whether runs are recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Record {
    /// Each run leaves a record.
    #[default]
    Kept,
    /// Only the time of the last run, whether it went well or not.
    LastTime,
    /// None is kept, or it may not be seen; the reason as a clause.
    None(String),
}

/// A function or procedure.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Routine {
    /// How it is called.
    pub kind: RoutineKind,
    /// Its namespace.
    pub namespace: String,
    /// Its name.
    pub name: String,
    /// Its language, in lower case.
    pub language: String,
    /// Its input parameters in order.
    pub parameters: Vec<Parameter>,
    /// Its body; absent where the role may not see it.
    pub body: Option<String>,
    /// The role it runs as, if that is not the caller's.
    pub definer: Option<String>,
    /// The search path it sets for itself.
    pub path: Option<Vec<String>>,
    /// Why each call fails, as a clause.
    pub fails: Option<String>,
    /// Whether it is declared to change nothing, so that the server refuses its deletions.
    pub reads_only: bool,
    /// Roles of jobs that may not call it.
    pub closed_to: Vec<String>,
}

/// How a routine is called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RoutineKind {
    /// As part of an expression.
    #[default]
    Function,
    /// By `CALL`.
    Procedure,
    /// By a trigger alone.
    Trigger,
}

/// A parameter of a routine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name; empty where it has none.
    pub name: String,
    /// Its default expression.
    pub default: Option<String>,
}

/// A place where a job may be and that could not be looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hidden {
    /// Why, as a sentence.
    pub reason: String,
    /// What to do about it, in the imperative.
    pub help: String,
}

/// What a role may do with tables, by table name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grants {
    /// The role.
    pub role: String,
    /// Per wanted table.
    pub tables: BTreeMap<String, TableGrant>,
}

/// What a role may do with one table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableGrant {
    /// Whether it may delete rows by a condition.
    pub delete: bool,
    /// Whether it may empty the table.
    pub truncate: bool,
    /// Whether it may drop the table and its partitions.
    pub drop: bool,
    /// Whether row security may hide rows from it.
    pub rows_hidden: bool,
}

/// A length of time that is known within limits, in microseconds: a month is 28 to 31 days.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The shortest it can be.
    pub least: i64,
    /// The longest it can be.
    pub most: i64,
}
