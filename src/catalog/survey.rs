//! What a place is like, whatever is wanted of it: which tables there are, and what lies between them and this program.

use std::time::Duration;

use super::{Error, Limits, mysql, postgres, sqlite};
use crate::config::{DatabaseUrl, Scheme};

/// What was seen of a place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Survey {
    /// The names of its ordinary tables that the role sees, sorted.
    pub tables: Vec<String>,
    /// How the connection is encrypted, if it is.
    pub tls: Option<Tls>,
    /// The port that the server itself listens on, where it says.
    pub port: Option<u16>,
    /// How many milliseconds the server's clock is ahead of this machine's, as far as the way between lets tell.
    pub clock_ahead: Option<i64>,
    /// How far a replica is behind its primary, where it says.
    pub lag: Option<Duration>,
    /// How a file keeps what is being changed; nothing for servers.
    pub journal: Option<Journal>,
    /// Whether `pg_cron` keeps its jobs in this database.
    pub has_cron: bool,
    /// Whether runners outside the database leave their record in it.
    pub has_heartbeats: bool,
}

/// How a connection is encrypted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tls {
    /// The protocol's version: `TLSv1.3`.
    pub version: String,
    /// When the server's certificate ends, as the server prints it.
    pub certificate_ends: Option<String>,
}

/// How a file keeps what is being changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Journal {
    /// In a rollback journal, which is there only while somebody writes.
    Rollback {
        /// Whether one is there.
        present: bool,
    },
    /// In a write-ahead log of so many bytes.
    WriteAhead {
        /// Its size.
        bytes: u64,
    },
}

/// Looks at a place.
///
/// # Errors
///
/// As [`super::fetch`].
pub async fn survey(url: &DatabaseUrl, namespace: Option<&str>, limits: Limits) -> Result<Survey, Error> {
    let mut survey = match url.scheme() {
        Scheme::Postgres => postgres::survey(url, namespace, limits).await,
        Scheme::MySql => mysql::survey(url, namespace, limits).await,
        Scheme::Sqlite => sqlite::survey(url, limits).await,
    }?;
    survey.tables.sort();
    survey.has_heartbeats = survey.tables.iter().any(|name| name == super::heartbeat::TABLE);
    Ok(survey)
}

/// Returns whether a pooler answers instead of the server, by asking it for what only a server takes; nothing where that
/// cannot be told. It takes a second login.
pub async fn goes_through_pooler(url: &DatabaseUrl, limits: Limits) -> Option<bool> {
    match url.scheme() {
        Scheme::Postgres => postgres::goes_through_pooler(url, limits).await,
        Scheme::MySql | Scheme::Sqlite => None,
    }
}

/// Returns by how many milliseconds a clock is ahead that was read at some time between two moments of this machine.
fn ahead(theirs: f64, before: f64, after: f64) -> i64 {
    let off_by = theirs - f64::midpoint(before, after);
    // What the way there and back could explain is no difference.
    let unsure = (after - before) / 2.0;
    if off_by.abs() <= unsure {
        0
    } else {
        (off_by * 1000.0).round() as i64
    }
}

/// Returns the time of this machine in seconds since 1970.
fn now() -> f64 {
    chrono::Utc::now().timestamp_micros() as f64 / 1e6
}

/// Runs a question for a clock, and returns by how much its answer is ahead.
pub(super) async fn compare_clocks<E>(question: impl Future<Output = Result<f64, E>>) -> Result<i64, E> {
    let before = now();
    let theirs = question.await?;
    Ok(ahead(theirs, before, now()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_off_only_by_more_than_the_way_explains() {
        assert_eq!(ahead(100.4, 100.0, 101.0), 0);
        assert_eq!(ahead(105.5, 100.0, 101.0), 5000);
        assert_eq!(ahead(40.0, 100.0, 100.0), -60_000);
    }
}
