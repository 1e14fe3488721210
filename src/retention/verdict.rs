//! The answer about one ledger's retention, and what led to it.

use std::time::Duration;

use crate::finding::Severity;

use super::model::Scheduler;

/// What is known about the retention of one table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ledger {
    /// The answer.
    pub verdict: Verdict,
    /// What was found wrong, each for one rule.
    pub issues: Vec<Issue>,
    /// What could not be judged.
    pub gaps: Vec<Gap>,
    /// Places that were not seen, beside jobs that were: another job in one of them may remove rows too early.
    pub risks: Vec<Gap>,
    /// The jobs that have to do with the table.
    pub jobs: Vec<JobReport>,
    /// Jobs that look like the table's and are not, as sentences.
    pub near_misses: Vec<String>,
    /// What the rows themselves say; nothing unless they were asked.
    pub rows: Option<RowEvidence>,
}

/// What the rows of a table say of its retention.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowEvidence {
    /// The age of the oldest row.
    pub oldest: Oldest,
    /// How many rows were ever deleted, as the server's statistics have it.
    pub deleted: Option<u64>,
    /// The greatest age that a row may have, with room for the job's own schedule.
    pub allowed: Duration,
}

/// The age of the oldest row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Oldest {
    /// It is this old.
    Row(Duration),
    /// No row has an age.
    NoRow,
    /// It could not be told.
    Unknown {
        /// Why, as a sentence.
        reason: String,
        /// What to do about it, in the imperative.
        help: String,
    },
}

/// The answer about one ledger's retention. Each but the first says why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A job removes old rows, in time and safely, and is seen to run.
    Effective,
    /// There is a job, and it does not do what the spec says.
    NotEffective(String),
    /// Rows are removed, or would be, while copies of their events are still let in.
    Unsafe(String),
    /// There is no job.
    Missing,
    /// Whether there is one, or what it does, could not be seen.
    NotVisible(String),
}

impl Verdict {
    /// Returns the answer in the words that reports use.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Effective => "effective",
            Self::NotEffective(_) => "present but not effective",
            Self::Unsafe(_) => "unsafe",
            Self::Missing => "missing",
            Self::NotVisible(_) => "not visible",
        }
    }

    /// Returns the reason, where there is one to give.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Self::NotEffective(why) | Self::Unsafe(why) | Self::NotVisible(why) => Some(why),
            Self::Effective | Self::Missing => None,
        }
    }
}

/// What one job does to the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobReport {
    /// The job's name.
    pub name: String,
    /// Who runs it.
    pub scheduler: Scheduler,
    /// What it does, as a clause: `removes rows older than 30d by ProcessedOnUtc`.
    pub does: String,
    /// What is known of its runs, as a clause.
    pub runs: String,
    /// How it stands.
    pub state: State,
}

/// How one job stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// It works.
    Works,
    /// It does not, and why.
    Fails(String),
    /// It removes rows that are still needed, and why.
    Harms(String),
    /// That cannot be told, and why.
    Unclear(String),
}

/// Something wrong with a job or its absence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issue {
    /// Which rule it is for.
    pub kind: Kind,
    /// What it costs.
    pub severity: Severity,
    /// What it rests on.
    pub basis: Basis,
    /// The job; the table where absent.
    pub job: Option<String>,
    /// Whether the job is a trigger of the table.
    pub is_trigger: bool,
    /// What the spec wants.
    pub expected: Option<String>,
    /// What was found.
    pub found: Option<String>,
    /// One sentence without a full stop.
    pub message: String,
    /// What follows: full sentences.
    pub impact: String,
    /// What to do: full sentences.
    pub help: String,
}

/// Kinds of issues, one for each rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// No job.
    Missing,
    /// It does not start.
    Disabled,
    /// It starts and does not get done.
    Failing,
    /// It removes rows too early.
    TooShort,
    /// It leaves no margin.
    Boundary,
    /// It differs from the spec otherwise.
    Differs,
    /// It does not reach every row.
    Partial,
    /// Rows that should be gone are still there.
    Overdue,
}

/// What an issue rests on, so that what rests on open facts never fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// The retention block.
    Retention,
    /// The ledger's windows.
    Windows,
    /// The table's being what it is.
    Table,
}

/// Something that could not be judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The job, if it is about one.
    pub job: Option<String>,
    /// Why, as a sentence.
    pub reason: String,
    /// What to do about it, in the imperative.
    pub help: String,
}
