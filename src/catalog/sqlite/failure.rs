//! What SQLite's result codes mean for a person who runs a check (<https://sqlite.org/rescode.html>).

use std::time::Duration;

use super::fetch::Failure;
use super::file::{Condition, DatabaseFile};
use crate::catalog::{Error, ErrorKind, Limits, brief, print_limit};
use crate::text::Terminal;

/// Says why a file could not be read.
pub(super) fn explain(failure: &Failure, file: &DatabaseFile, condition: &Condition, limits: Limits) -> Error {
    let path = file.shown();
    let error = match failure {
        Failure::Silent => return no_answer(&path, limits.statement),
        Failure::Driver(error) => error,
    };
    let database = error.as_database_error();
    let code: i32 = database
        .and_then(|e| e.code())
        .and_then(|code| code.parse().ok())
        .unwrap_or(-1);
    let message = database.map_or_else(|| error.to_string(), |e| e.message().to_owned());
    let message = brief(&message);
    let message = Terminal(&message);
    // The low byte is the primary code; the rest tells more about it.
    match code & 0xff {
        _ if code < 0 => Error::new(
            ErrorKind::Query,
            format!("`{path}` could not be read: {message}."),
            "Report this with the SQLite version that wrote the file.",
        ),
        5 | 6 => Error::new(
            ErrorKind::TimedOut,
            format!(
                "`{path}` stayed locked by another process for {}.",
                print_limit(limits.lock)
            ),
            "Run the check again when no writer holds the file, or raise --lock-timeout.",
        ),
        9 => no_answer(&path, limits.statement),
        8 | 14 => cannot_open(&path, condition, &message.to_string()),
        26 => Error::new(
            ErrorKind::NotADatabase,
            format!("`{path}` is not an SQLite database, or it is encrypted."),
            "Correct the path; an encrypted file cannot be read by this program.",
        ),
        11 => Error::new(
            ErrorKind::NotADatabase,
            format!("`{path}` is damaged, or was written by a newer SQLite: {message}."),
            "Run `PRAGMA integrity_check` on a copy of the file.",
        ),
        10 => Error::new(
            ErrorKind::Unreachable,
            format!("`{path}` cannot be read from its disk: {message}."),
            "Check the disk or the share that the file is on.",
        ),
        3 | 23 => Error::new(
            ErrorKind::Refused,
            format!("`{path}` may not be read by this user: {message}."),
            "Run the check as a user who may read the file.",
        ),
        _ => Error::new(
            ErrorKind::Query,
            format!("`{path}` could not be read: {message} (code {code})."),
            "Report this with the SQLite version that wrote the file.",
        ),
    }
}

/// Says why a file could not be opened for a migration.
pub(in crate::catalog) fn opening(url: &str, error: sqlx::Error, limits: Limits) -> Error {
    let seen = DatabaseFile::locate(url).and_then(|file| file.inspect().map(|condition| (file, condition)));
    match seen {
        Ok((file, condition)) => explain(&Failure::Driver(error), &file, &condition, limits),
        Err(error) => error,
    }
}

/// Says that nothing came back in time.
pub(super) fn no_answer(path: &str, limit: Duration) -> Error {
    Error::new(
        ErrorKind::TimedOut,
        format!("`{path}` gave no answer within {}.", print_limit(limit)),
        "Check the disk or the share that the file is on, or raise --statement-timeout.",
    )
}

fn cannot_open(path: &str, condition: &Condition, message: &str) -> Error {
    if condition.uses_wal {
        return Error::new(
            ErrorKind::Refused,
            format!(
                "`{path}` keeps its newest changes in `{path}-wal`, which cannot be read here: SQLite needs \
                 `{path}-shm` beside it and may not make or open it ({message})."
            ),
            "Run the check as a user who may write to the directory, or on a copy made by `VACUUM INTO`.",
        );
    }
    if condition.has_journal() {
        return Error::new(
            ErrorKind::Refused,
            format!(
                "A writer died and left `{path}-journal`: what it had half written must be undone before the file can \
                 be read ({message})."
            ),
            "Let the service open the database once, then run the check again.",
        );
    }
    Error::new(
        ErrorKind::Refused,
        format!("SQLite cannot open `{path}` for reading: {message}."),
        "Check who may read the file and enter its directories.",
    )
}
