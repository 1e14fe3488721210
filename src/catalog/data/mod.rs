//! What the rows of a table say, if the user lets the checker read them: ages and counts, never a value.
//!
//! [`plan`] decides from the catalog which questions can be asked, and how (pure); [`read`] asks them, in the snapshot
//! that read the catalog. Each question is one statement built from quoted names of the catalog, and gives one number.

mod plan;

use std::collections::BTreeMap;
use std::time::Duration;

use plan::{Read, plan};

use super::{Catalog, print_limit};
use crate::text::Terminal;

/// A table with more rows than this is not read from end to end: what no index answers is not asked of it.
pub const MOST_ROWS: u64 = 100_000;

/// Counts go no further than this.
pub const MOST_COUNTED: u64 = 1_000;

/// What is asked of a table's rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataQuestion {
    /// The table, as the spec names it.
    pub table: String,
    /// The column that holds the age of a row, and whether the spec wants a time without a zone, in UTC.
    pub age: Option<(String, bool)>,
    /// The column that identifies an event.
    pub event_id: Option<String>,
    /// Columns with the values that they may hold.
    pub values: Vec<(String, Vec<String>)>,
    /// Whether the table is expected to hold no rows.
    pub unused: bool,
}

/// What was learnt of the rows of one table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableData(BTreeMap<DataFact, Answer>);

/// A fact about the rows of a table.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DataFact {
    /// The age of the oldest row in seconds. Rows without a time, or with one before 1970, have no age.
    Oldest,
    /// How many rows were ever deleted, as the server's statistics have it.
    Deleted,
    /// How many events are recorded more than once.
    Repeated,
    /// How many rows have an empty event identifier, or one of zeros only.
    Nil,
    /// How many rows hold another value than those that are allowed in this column.
    Foreign(String),
    /// Whether there is a row: one or none.
    AnyRow,
}

/// The answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The number; nothing where no row has one.
    Known(Option<i64>),
    /// It could not be had.
    Unknown {
        /// Why, as a sentence.
        reason: String,
        /// What to do about it, in the imperative.
        help: String,
    },
}

impl TableData {
    /// Returns an answer; nothing if the question was not asked.
    pub fn get(&self, fact: &DataFact) -> Option<&Answer> {
        self.0.get(fact)
    }

    /// Puts an answer in.
    pub fn set(&mut self, fact: DataFact, answer: Answer) {
        self.0.insert(fact, answer);
    }

    /// Returns a number that is known and not negative.
    pub fn number(&self, fact: &DataFact) -> Option<u64> {
        match self.get(fact)? {
            Answer::Known(number) => u64::try_from((*number)?).ok(),
            Answer::Unknown { .. } => None,
        }
    }

    /// Returns the age of the oldest row, where one is known.
    pub fn oldest(&self) -> Option<Duration> {
        self.number(&DataFact::Oldest).map(Duration::from_secs)
    }
}

/// One statement that gives one number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Query {
    pub(super) sql: String,
    pub(super) values: Vec<String>,
}

/// Why a statement gave no number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// The role may not read the table.
    Denied,
    /// Row security would hide rows.
    Hidden,
    /// The limit for a statement ran out.
    Slow(Duration),
    /// Anything else: the server's code. Its words may quote a row.
    Other(String),
}

/// A session that can ask.
pub(super) trait Reader {
    /// Sends one statement and returns its number. Later statements must not be disturbed by a failure.
    async fn number(&mut self, query: &Query) -> Result<Option<i64>, Failure>;
}

/// Asks what can be asked.
pub(super) async fn read(
    reader: &mut impl Reader,
    catalog: &Catalog,
    questions: &[DataQuestion],
) -> BTreeMap<String, TableData> {
    let mut data = BTreeMap::new();
    for question in questions {
        let mut answers = TableData::default();
        for (fact, step) in plan(catalog, question) {
            answers.set(fact, answer(reader, &question.table, step).await);
        }
        data.insert(question.table.clone(), answers);
    }
    data
}

async fn answer(reader: &mut impl Reader, table: &str, step: Read) -> Answer {
    let (size, query) = match step {
        Read::Settled(answer) => return answer,
        Read::Ask(query) => (None, query),
        Read::AskIfSmall { size, query } => (Some(size), query),
    };
    if let Some(size) = size {
        match reader.number(&size).await {
            Ok(Some(rows)) if rows.unsigned_abs() <= MOST_ROWS => {}
            Ok(_) => return too_big(table),
            Err(failure) => return unknown(table, failure),
        }
    }
    match reader.number(&query).await {
        Ok(number) => Answer::Known(number),
        Err(failure) => unknown(table, failure),
    }
}

fn too_big(table: &str) -> Answer {
    Answer::Unknown {
        reason: format!(
            "No index answers this, and `{}` has more than {MOST_ROWS} rows: it is not read from end to end.",
            Terminal(table)
        ),
        help: "Create an index that begins with the column.".to_owned(),
    }
}

fn unknown(table: &str, failure: Failure) -> Answer {
    let table = Terminal(table);
    let (reason, help) = match failure {
        Failure::Denied => (
            format!("This role may not read the rows of `{table}`."),
            "Grant SELECT on the table to the checking role, or leave --data out.".to_owned(),
        ),
        Failure::Hidden => (
            format!("Row security would hide rows of `{table}` from this role."),
            "Check with a role that has BYPASSRLS, or with the table's owner.".to_owned(),
        ),
        Failure::Slow(limit) => (
            format!("Reading `{table}` took longer than {}.", print_limit(limit)),
            "Raise --statement-timeout, or create an index that begins with the column.".to_owned(),
        ),
        Failure::Other(code) => (
            format!("The rows of `{table}` could not be read (error {}).", Terminal(&code)),
            "Look up the server's error code.".to_owned(),
        ),
    };
    Answer::Unknown { reason, help }
}
