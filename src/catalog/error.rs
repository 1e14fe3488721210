//! Why a target could not be read.

use std::time::Duration;

/// A failure to read a catalog. Its text never holds a password.
#[derive(Debug, thiserror::Error)]
#[error("{reason}")]
pub struct Error {
    /// What kind of failure it is.
    pub kind: ErrorKind,
    /// What happened, as a sentence without the URL.
    pub reason: String,
    /// What to do next, in the imperative.
    pub help: String,
    /// How far the program had come.
    pub stage: Stage,
    /// Whether no connection was made for a reason that may be over in a moment.
    pub passing: bool,
}

/// The steps on the way into a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Reaching the server, or finding the file.
    Reach,
    /// Setting up TLS.
    Tls,
    /// Logging in, or opening the file.
    Login,
    /// Reading what is there.
    Read,
}

impl Stage {
    /// Returns how far a connection came that failed like this.
    pub(super) fn of(error: &sqlx::Error) -> Self {
        let speaks_of_tls = |text: &str| text.contains("certificate") || text.contains("handshake");
        match error {
            sqlx::Error::Tls(_) => Self::Tls,
            sqlx::Error::Io(io) if speaks_of_tls(&io.to_string()) => Self::Tls,
            sqlx::Error::Io(_) => Self::Reach,
            _ => Self::Login,
        }
    }
}

/// Kinds of failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// No answer, or no route: the target is unreachable.
    Unreachable,
    /// The server answered and refused: wrong password, no such database, no permission, TLS.
    Refused,
    /// The password, or a file that TLS needs, could not be obtained, so nobody was asked.
    Credentials,
    /// A limit ran out: a lock held by somebody else, a slow statement.
    TimedOut,
    /// The file is missing, or is not a database.
    NotADatabase,
    /// The server's version or kind is not supported.
    Unsupported,
    /// The session could not be made read-only.
    UnsafeSession,
    /// A catalog query failed in a way nobody foresaw.
    Query,
    /// The run ended before the target was looked at to the end.
    NotLookedAt,
}

impl Error {
    /// Makes an error.
    pub fn new(kind: ErrorKind, reason: impl Into<String>, help: impl Into<String>) -> Self {
        Self {
            kind,
            reason: reason.into(),
            help: help.into(),
            stage: Stage::Read,
            passing: false,
        }
    }

    /// Returns the same failure, as one of another step.
    pub(super) fn at(self, stage: Stage) -> Self {
        Self { stage, ..self }
    }

    /// Says whether no connection was made for a reason that may be over in a moment.
    pub(super) fn passing(self, passing: bool) -> Self {
        Self { passing, ..self }
    }
}

/// Writes a limit the way messages do: `2 s`, `300 ms`.
pub(crate) fn print_limit(limit: Duration) -> String {
    match limit.subsec_millis() {
        0 => format!("{} s", limit.as_secs()),
        _ => format!("{} ms", limit.as_millis()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_whole_numbers_of_the_larger_unit_that_fits() {
        assert_eq!(print_limit(Duration::from_secs(2)), "2 s");
        assert_eq!(print_limit(Duration::from_millis(1500)), "1500 ms");
    }
}
