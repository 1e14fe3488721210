//! What a live server says about itself.
//!
//! [`fetch`] is the only asynchronous step of a check: one connection, one read-only snapshot, a fixed number of
//! constant queries restricted to the wanted tables. Each database has `fetch.rs` (queries), `rows.rs` (what came
//! back, verbatim) and `assemble.rs` (rows to [`Catalog`], pure).

mod acts;
mod certificate;
mod data;
mod error;
mod heartbeat;
#[cfg(test)]
mod hostile;
mod mysql;
mod near;
mod not_null;
mod opening;
mod passing;
mod postgres;
mod sqlite;
mod survey;

use std::collections::BTreeMap;
use std::time::Duration;

pub use data::{Answer, DataFact, DataQuestion, MOST_COUNTED, MOST_ROWS, TableData};
pub(crate) use error::print_limit;
pub use error::{Error, ErrorKind, Stage};
pub(crate) use opening::brief;

pub use heartbeat::TABLE as HEARTBEATS;
pub(crate) use postgres::is_session_shared;
pub use survey::{Journal, Survey, Tls, goes_through_pooler, survey};

use crate::config::{DatabaseUrl, Place, Scheme};
use crate::dialect::Dialect;
use crate::retention::Evidence;
use crate::schema::{Aspect, ObjectPath, Table};
use crate::text::Terminal;

/// What is asked of a catalog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ask {
    /// The namespace to look in; the dialect's own where absent.
    pub namespace: Option<String>,
    /// The wanted tables in spec order.
    pub tables: Vec<AskTable>,
    /// How long anything may take.
    pub limits: Limits,
}

/// A wanted table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskTable {
    /// Its exact name.
    pub name: String,
    /// The names of its wanted indexes, so that namesakes on other tables can be told.
    pub indexes: Vec<String>,
}

/// Time limits of one target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// For connecting and logging in.
    pub connect: Duration,
    /// For waiting on somebody else's lock.
    pub lock: Duration,
    /// For one statement.
    pub statement: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            lock: Duration::from_secs(2),
            statement: Duration::from_secs(30),
        }
    }
}

/// Everything that was seen of one target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Catalog {
    /// Who answered.
    pub server: Server,
    /// The namespace that was looked in.
    pub namespace: Namespace,
    /// One entry per wanted table, in the order of the question.
    pub sightings: Vec<Sighting>,
    /// Facts that could not be seen, beside those that [`Table::unseen`] names.
    pub unseen: Vec<Unseen>,
    /// What was seen of jobs that remove rows; empty unless they were asked for.
    pub retention: Evidence,
    /// What the rows of wanted tables say, by table; empty unless it was asked.
    pub data: BTreeMap<String, TableData>,
    /// How many statements were sent after connecting.
    pub queries: u32,
}

/// What is asked beside the catalog of the tables themselves.
#[derive(Clone, Debug, Default)]
pub struct Further<'a> {
    /// Whether jobs that remove rows are looked for.
    pub jobs: bool,
    /// Where `pg_cron` lives, if that is another database of the same server.
    pub scheduler: Option<&'a Place>,
    /// What is asked of the tables' rows; nothing unless the user allows it.
    pub data: Vec<DataQuestion>,
}

/// The server that answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Server {
    /// Its dialect.
    pub dialect: Dialect,
    /// Its version as it prints it: `15.18`, `10.11.6-MariaDB`.
    pub version: String,
    /// The database that was connected to.
    pub database: String,
    /// The role or user.
    pub role: Option<String>,
    /// Settings of the session, read back: `transaction_read_only`, `lock_timeout`.
    pub settings: BTreeMap<String, String>,
    /// Whether it is a replica.
    pub replica: bool,
    /// Remarks about the server that change what its tables mean, such as a lenient `sql_mode`, for people.
    pub remarks: Vec<String>,
    /// What the role may do that a check does not need.
    pub rights: Rights,
}

/// Rights beyond reading.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rights {
    /// Powers over the whole server, in words: `superuser`.
    pub powers: Vec<String>,
    /// The wanted tables that the role owns.
    pub owns: Vec<String>,
    /// The wanted tables whose rows it may change.
    pub writes: Vec<String>,
}

impl Rights {
    /// Says in one sentence what a role could do without; nothing where there is nothing.
    pub fn excess(&self, role: &str) -> Option<String> {
        let tables = |verb: &str, names: &[String]| match names {
            [] => None,
            [name] => Some(format!("{verb} `{}`", Terminal(name))),
            names => Some(format!("{verb} {} tables", names.len())),
        };
        let powers: Vec<String> = self.powers.iter().map(|power| format!("is {power}")).collect();
        let parts = match powers.is_empty() {
            // Whoever rules the server rules its tables.
            false => powers,
            true => [
                tables("owns", &self.owns),
                tables("may change the rows of", &self.writes),
            ]
            .into_iter()
            .flatten()
            .collect(),
        };
        let (last, others) = parts.split_last()?;
        let list = match others {
            [] => last.clone(),
            others => format!("{} and {last}", others.join(", ")),
        };
        Some(format!(
            "Role `{}` {list}, which a check does not need.",
            Terminal(role)
        ))
    }
}

/// The namespace that was looked in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Namespace {
    /// Its name; empty on SQLite.
    pub name: Option<String>,
    /// Whether it exists, as far as the role can see.
    pub exists: bool,
    /// How many tables and views of it the role can see.
    pub visible_tables: u64,
    /// Other namespaces that hold a wanted table, or that are close in name.
    pub alternatives: Vec<String>,
}

/// What was seen under the name of one wanted table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sighting {
    /// The wanted name, as the question had it.
    pub wanted: String,
    /// What was found.
    pub found: Found,
    /// Other objects that could be meant or mistaken for it.
    pub lookalikes: Vec<Lookalike>,
    /// Wanted index names that are on another table of the same namespace: index, then that table.
    pub index_elsewhere: Vec<(String, String)>,
    /// The table that the bare name stands for in the checking role's search path, if it is another one.
    pub shadowed_by: Option<String>,
}

/// Whether a wanted table is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// There is an object of that name: a table, or something else by its [`Table::kind`].
    Object(Box<Table>),
    /// There is none, and the role would have seen it.
    Nothing,
    /// None was seen, but the role might not have been allowed to.
    Hidden {
        /// Why, as a sentence.
        reason: String,
        /// What to do about it.
        help: String,
    },
}

/// An object whose name is close to a wanted one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lookalike {
    /// Its namespace.
    pub namespace: Option<String>,
    /// Its exact name.
    pub name: String,
    /// What it is, in words: `table`, `view`, `composite type`.
    pub kind: String,
    /// How it is alike.
    pub likeness: Likeness,
}

/// How a lookalike is alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Likeness {
    /// The same name, in the same namespace, but not a table: a type, for instance.
    SameNameOtherKind,
    /// The same name in another namespace.
    OtherNamespace,
    /// The same namespace, another letter case.
    OtherCase,
    /// The same namespace, nearly the same name (singular, underscores).
    Near,
}

/// A fact that could not be seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unseen {
    /// Of which object, with the aspect.
    pub object: ObjectPath,
    /// Why, as a sentence.
    pub reason: String,
    /// What to do about it, in the imperative.
    pub help: String,
}

impl Unseen {
    /// Makes an entry about one fact of a table.
    pub fn of_table(namespace: Option<&str>, table: &str, aspect: Aspect, reason: &str, help: &str) -> Self {
        Self {
            object: ObjectPath::table(namespace, table).aspect(aspect),
            reason: reason.to_owned(),
            help: help.to_owned(),
        }
    }
}

/// Reads the catalog of a live database.
///
/// # Errors
///
/// Whatever keeps the target from being judged: not reachable, not allowed in, locked, too slow, not a database.
/// No error text holds the URL's password.
pub async fn fetch(url: &DatabaseUrl, ask: &Ask) -> Result<Catalog, Error> {
    fetch_with(url, ask, Further::default()).await
}

/// Reads the catalog of a live database and, if they are wanted, the jobs that may remove rows of its tables, and what
/// the rows themselves say.
///
/// # Errors
///
/// As [`fetch`]. Jobs that cannot be seen are no error: [`Evidence::hidden`] says so. Neither are rows that cannot be
/// read: their [`Answer`] says so.
pub async fn fetch_with(url: &DatabaseUrl, ask: &Ask, further: Further<'_>) -> Result<Catalog, Error> {
    match url.scheme() {
        Scheme::Postgres => postgres::fetch(url, ask, &further).await,
        Scheme::MySql => mysql::fetch(url, ask, &further).await,
        Scheme::Sqlite => sqlite::fetch(url, ask, &further).await,
    }
}

/// Returns the databases of a server, in order.
///
/// # Errors
///
/// As [`fetch`]; the URL of a file has no others beside it.
pub async fn databases(url: &DatabaseUrl, limits: Limits) -> Result<Vec<String>, Error> {
    match url.scheme() {
        Scheme::Postgres => postgres::databases(url, limits).await,
        Scheme::MySql => mysql::databases(url, limits).await,
        Scheme::Sqlite => Err(Error::new(
            ErrorKind::Refused,
            "An SQLite file has no other databases beside it.",
            "Name each file as a target of its own.",
        )),
    }
}

/// Explains why a session could not be opened, in the words that a check has for it.
pub(crate) fn explain_opening(url: &DatabaseUrl, error: sqlx::Error) -> Error {
    match url.scheme() {
        Scheme::Postgres => postgres::connecting(&error),
        Scheme::MySql => mysql::connecting(&error),
        Scheme::Sqlite => sqlite::opening(url.expose(), error, Limits::default()),
    }
}

/// Explains that a server said nothing for so long, in the words that a check has for it.
pub(crate) fn explain_silence(url: &DatabaseUrl, limit: std::time::Duration) -> Error {
    match url.scheme() {
        Scheme::Postgres | Scheme::Sqlite => postgres::WORDS.silent(limit),
        Scheme::MySql => mysql::WORDS.silent(limit),
    }
}
