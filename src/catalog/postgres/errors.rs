//! What a failure means, in words that hold neither the URL nor a password.

use std::time::Duration;

use sqlx::Error as Driver;

use super::rows::LockRow;
use crate::catalog::opening::{Refusal, Words, brief, with_detail};
use crate::catalog::{Error, ErrorKind, Limits, Stage, print_limit};

/// The SQLSTATE of a lock that was not to be had in time.
const LOCK_NOT_AVAILABLE: &str = "55P03";

/// The SQLSTATE of a statement that was cut off.
const QUERY_CANCELED: &str = "57014";

/// The SQLSTATE of a text that has no form in another encoding.
pub(super) const UNTRANSLATABLE: &str = "22P05";

/// What is PostgreSQL's own in the words for a failure.
pub(in crate::catalog) const WORDS: Words = Words {
    server: "PostgreSQL server",
    authority: "sslrootcert",
    any_name: "sslmode=verify-ca",
    unchecked: "sslmode=require",
    plain: "sslmode=disable",
    login: "A password file is skipped when others can read it.",
    grant: "GRANT CONNECT ON DATABASE … TO the role; a check needs nothing else.",
    address: "Ask the operator for an entry in pg_hba.conf, or connect from an address that has one.",
};

/// The URL could not be read by the driver.
pub(super) fn bad_url() -> Error {
    Error::new(
        ErrorKind::Refused,
        "The database URL cannot be read.",
        "Write it as postgres://USER:PASSWORD@HOST:PORT/DATABASE, with special characters percent-encoded.",
    )
}

/// The server accepted a statement and then said nothing.
pub(super) fn silent(limit: Duration) -> Error {
    Error::new(
        ErrorKind::TimedOut,
        format!(
            "The server stopped answering: nothing came back within {}.",
            print_limit(limit)
        ),
        "Check that the server and the network between are well, then run the check again.",
    )
}

/// The answer was not the document that was asked for.
pub(super) fn unreadable(error: &serde_json::Error) -> Error {
    Error::new(
        ErrorKind::Query,
        format!("The server's answer could not be read: {error}."),
        "Report this with the server's version; it is a defect of this program.",
    )
}

/// Says why a connection could not be made.
pub(in crate::catalog) fn connecting(error: &Driver) -> Error {
    not_connected(error).at(Stage::of(error))
}

fn not_connected(error: &Driver) -> Error {
    match error {
        Driver::Database(database) => refusal(database.code().as_deref().unwrap_or_default(), database.message()),
        Driver::Tls(inner) => WORDS.tls(&inner.to_string()),
        Driver::Io(io) => WORDS.io(io),
        Driver::Configuration(_) => bad_url(),
        Driver::Protocol(text) if text.contains("SSLRequest") || text.contains("unknown message type") => Error::new(
            ErrorKind::Unreachable,
            "The server answers, but not the way a PostgreSQL server does.",
            "Check that host and port are those of a PostgreSQL server.",
        ),
        other => Error::new(
            ErrorKind::Unreachable,
            format!("The connection failed: {}.", brief(&other.to_string())),
            "Check that host and port are those of a PostgreSQL server.",
        ),
    }
}

/// Says why a statement failed.
pub(super) fn querying(error: &Driver, limits: Limits) -> Error {
    match error {
        Driver::Database(database) => {
            let code = database.code().unwrap_or_default();
            match &*code {
                LOCK_NOT_AVAILABLE => Error::new(
                    ErrorKind::TimedOut,
                    format!(
                        "A lock of another session was not released within {} (SQLSTATE {LOCK_NOT_AVAILABLE}).",
                        print_limit(limits.lock)
                    ),
                    "Run the check again when the other session is done, or raise --lock-timeout.",
                ),
                QUERY_CANCELED => Error::new(
                    ErrorKind::TimedOut,
                    format!(
                        "The catalog query was canceled, or took longer than {} (SQLSTATE {QUERY_CANCELED}).",
                        print_limit(limits.statement)
                    ),
                    "Run the check again when the server is less busy, or raise --statement-timeout.",
                ),
                UNTRANSLATABLE | "22021" => Error::new(
                    ErrorKind::Query,
                    format!(
                        "The catalog holds a text that the server cannot convert between the database's encoding and \
                         UTF-8: {} (SQLSTATE {code}).",
                        brief(database.message())
                    ),
                    "Look for a name, default or check with such a character, and write it anew.",
                ),
                "40001" => Error::new(
                    ErrorKind::TimedOut,
                    "The replica canceled the snapshot to catch up with its primary (SQLSTATE 40001).",
                    "Run the check again, or check the primary.",
                ),
                "42704" | "42601" | "42883" => Error::new(
                    ErrorKind::Unsupported,
                    format!(
                        "The server does not understand the catalog query: {} (SQLSTATE {code}).",
                        brief(database.message())
                    ),
                    "Check a PostgreSQL server of version 12 or newer.",
                ),
                "25P03" | "57P05" => Error::new(
                    ErrorKind::TimedOut,
                    format!("The server ended the session because it was idle (SQLSTATE {code})."),
                    "Run the check again.",
                ),
                other if other.starts_with("57P") || other.starts_with("08") || other.starts_with("53") => {
                    refusal(other, database.message())
                }
                other => Error::new(
                    ErrorKind::Query,
                    format!(
                        "The catalog query failed: {} (SQLSTATE {other}).",
                        brief(database.message())
                    ),
                    "Report this with the server's version.",
                ),
            }
        }
        Driver::Io(_) => Error::new(
            ErrorKind::Unreachable,
            "The connection broke while the catalog was read.",
            "Check that the server is up and run the check again.",
        ),
        other => Error::new(
            ErrorKind::Query,
            format!("The catalog query failed: {}.", brief(&other.to_string())),
            "Report this with the server's version.",
        ),
    }
}

/// What a pooler says for itself: PgBouncer gives most of its refusals the one SQLSTATE of a broken protocol.
fn pooler(message: &str) -> Option<Error> {
    let (kind, reason, help) = if message.contains("statement pooling mode") {
        (
            ErrorKind::UnsafeSession,
            "The pooler before the server is in statement mode and allows no transaction, so nothing can be read as one \
             snapshot."
                .to_owned(),
            "Connect to the server itself, or through a pool in transaction or session mode.",
        )
    } else if message.contains("unsupported startup parameter") {
        (
            ErrorKind::Refused,
            format!("The pooler before the server refuses the session: {}.", brief(message)),
            "Connect to the server itself; a check also gets through a pooler, without `options` in the URL.",
        )
    } else if message.contains("no such database")
        || message.starts_with("database \"") && message.ends_with("\" does not exist")
    {
        (
            ErrorKind::Refused,
            "There is no such database behind the pooler.".to_owned(),
            "Correct the database's name, or add the database to the pooler's configuration.",
        )
    } else {
        return None;
    };
    Some(Error::new(kind, reason, help))
}

/// The server's own refusal, by SQLSTATE.
fn refusal(code: &str, message: &str) -> Error {
    if let (true, Some(error)) = (code == "08P01", pooler(message)) {
        return error;
    }
    let state = match code.is_empty() {
        true => String::new(),
        false => format!("SQLSTATE {code}"),
    };
    let refusal = match code {
        "28P01" => Some(Refusal::Login),
        "28000" if message.contains("pg_hba.conf") && message.contains("no encryption") => Some(Refusal::Plain),
        "28000" if message.contains("pg_hba.conf") => Some(Refusal::Address),
        "3D000" => Some(Refusal::Database),
        "42501" => Some(Refusal::Right),
        "53300" => Some(Refusal::Full),
        _ => None,
    };
    if let Some(refusal) = refusal {
        return WORDS.refused(refusal, &state);
    }
    let (kind, reason, help) = match code {
        "28000" => (
            ErrorKind::Refused,
            format!("The role was refused: {}.", brief(message)),
            "Create the role with LOGIN, or use another one; CONNECT on the database is all a check needs.",
        ),
        "57P03" => (
            ErrorKind::Unreachable,
            "The server is starting up, shutting down or recovering.".to_owned(),
            "Run the check again when the server accepts connections.",
        ),
        "57P01" | "57P02" => (
            ErrorKind::Unreachable,
            "The server was shut down, or the session was ended by an operator.".to_owned(),
            "Run the check again when the server is up.",
        ),
        _ => (
            ErrorKind::Refused,
            format!("The server refused: {}.", brief(message)),
            "Check database and user, and the role's rights; CONNECT on the database is all a check needs.",
        ),
    };
    Error::new(kind, with_detail(&reason, &state), help)
}

/// Returns whether a statement failed because it had to wait, perhaps for somebody else's lock.
pub(super) fn is_blocked(error: &Driver) -> bool {
    let code = error.as_database_error().and_then(|e| e.code());
    matches!(code.as_deref(), Some(LOCK_NOT_AVAILABLE | QUERY_CANCELED))
}

/// Names those who hold the lock.
pub(super) fn with_holders(mut error: Error, holders: &[LockRow]) -> Error {
    let sentences: Vec<String> = holders
        .iter()
        .map(|h| {
            let verb = if h.granted { "holds" } else { "waits for" };
            let since = match &h.since {
                Some(since) => format!(" in a transaction that began at {since}"),
                None => String::new(),
            };
            format!("Session {} {verb} an exclusive lock on {}{since}.", h.pid, h.relation)
        })
        .collect();
    if !sentences.is_empty() {
        error.reason = format!("{} {}", error.reason, sentences.join(" "));
        "Wait for that session to end, or end it, and run the check again.".clone_into(&mut error.help);
    }
    error
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_refusal_says_what_to_do() {
        for (code, message, kind, word) in [
            (
                "28P01",
                "password authentication failed",
                ErrorKind::Refused,
                "password",
            ),
            ("28000", "role \"x\" does not exist", ErrorKind::Refused, "role"),
            (
                "28000",
                "no pg_hba.conf entry for host \"::1\", user \"x\", database \"y\", no encryption",
                ErrorKind::Refused,
                "TLS",
            ),
            (
                "28000",
                "no pg_hba.conf entry for host \"::1\", SSL encryption",
                ErrorKind::Refused,
                "from this machine",
            ),
            ("3D000", "database \"x\" does not exist", ErrorKind::Refused, "database"),
            ("42501", "permission denied", ErrorKind::Refused, "may not use"),
            ("53300", "too many clients", ErrorKind::Refused, "no connection left"),
            (
                "57P03",
                "the database system is starting up",
                ErrorKind::Unreachable,
                "starting",
            ),
            ("XX000", "odd", ErrorKind::Refused, "odd"),
        ] {
            let error = refusal(code, message);
            assert_eq!(error.kind, kind, "{code}");
            assert!(error.reason.contains(word), "{}", error.reason);
            assert!(error.reason.contains(code), "{}", error.reason);
            assert!(!error.help.is_empty());
        }
    }

    #[test]
    fn a_pooler_is_told_from_the_server_behind_it() {
        for (message, kind, word) in [
            (
                "transaction blocks not allowed in statement pooling mode",
                ErrorKind::UnsafeSession,
                "statement mode",
            ),
            (
                "unsupported startup parameter: options",
                ErrorKind::Refused,
                "startup parameter: options",
            ),
            ("database \"x\" does not exist", ErrorKind::Refused, "behind the pooler"),
            ("no such database: x", ErrorKind::Refused, "behind the pooler"),
            ("client_login_timeout", ErrorKind::Refused, "client_login_timeout"),
        ] {
            let error = refusal("08P01", message);
            assert_eq!(error.kind, kind, "{message}");
            assert!(error.reason.contains(word), "{}", error.reason);
        }
    }

    #[test]
    fn holders_of_a_lock_are_named_by_process_and_table() {
        let base = Error::new(ErrorKind::TimedOut, "A lock (SQLSTATE 55P03).", "Wait.");
        let holder = LockRow {
            relation: "Events".to_owned(),
            pid: 42,
            granted: true,
            since: Some("2026-01-01 00:00:00+00".to_owned()),
        };
        let named = with_holders(base, &[holder]);
        assert!(
            named.reason.contains("Session 42 holds an exclusive lock on Events"),
            "{}",
            named.reason
        );
        assert!(named.reason.contains("2026-01-01"), "{}", named.reason);
    }
}
