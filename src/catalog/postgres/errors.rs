//! What a failure means, in words that hold neither the URL nor a password.

use std::time::Duration;

use sqlx::Error as Driver;

use super::rows::LockRow;
use crate::catalog::certificate::{self, Remedies};
use crate::catalog::{Error, ErrorKind, Limits, Stage, brief, print_limit};

/// The SQLSTATE of a lock that was not to be had in time.
const LOCK_NOT_AVAILABLE: &str = "55P03";

/// The SQLSTATE of a statement that was cut off.
const QUERY_CANCELED: &str = "57014";

/// The SQLSTATE of a text that has no form in another encoding.
pub(super) const UNTRANSLATABLE: &str = "22P05";

/// The URL could not be read by the driver.
pub(super) fn bad_url() -> Error {
    Error::new(
        ErrorKind::Refused,
        "The database URL cannot be read.",
        "Write it as postgres://USER:PASSWORD@HOST:PORT/DATABASE, with special characters percent-encoded.",
    )
}

/// Nobody answered while connecting.
pub(super) fn no_answer(limit: Duration) -> Error {
    Error::new(
        ErrorKind::Unreachable,
        format!("The server did not answer within {}.", print_limit(limit)),
        "Check host and port, that no firewall drops the packets, and that a pooler in between reaches its server; or \
         raise --connect-timeout.",
    )
    .at(Stage::Reach)
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
        Driver::Tls(inner) => tls(&inner.to_string()),
        Driver::Io(io) => unreachable(io),
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
            "Correct the database's name in the URL, or add the database to the pooler's configuration.",
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
    let (kind, reason, help) = match code {
        "28P01" => (
            ErrorKind::Refused,
            "The password is wrong, or missing.".to_owned(),
            "Correct the password; a password file is skipped when others can read it.",
        ),
        "28000" if message.contains("pg_hba.conf") && message.contains("no encryption") => (
            ErrorKind::Refused,
            "The server does not accept this role and address without TLS.".to_owned(),
            "Add sslmode=require (better: verify-full) to the URL, or ask the operator for an entry in pg_hba.conf.",
        ),
        "28000" if message.contains("pg_hba.conf") => (
            ErrorKind::Refused,
            "The server does not accept this role from this address (pg_hba.conf).".to_owned(),
            "Ask the operator for an entry in pg_hba.conf, or connect from an address that has one.",
        ),
        "28000" => (
            ErrorKind::Refused,
            format!("The role was refused: {}.", brief(message)),
            "Create the role with LOGIN, or use another one; CONNECT on the database is all a check needs.",
        ),
        "3D000" => (
            ErrorKind::Refused,
            "There is no such database on the server.".to_owned(),
            "Correct the database's name in the URL; letter case counts.",
        ),
        "42501" => (
            ErrorKind::Refused,
            "The role may not connect to this database.".to_owned(),
            "GRANT CONNECT ON DATABASE … TO the role; a check needs nothing else.",
        ),
        "53300" => (
            ErrorKind::Refused,
            "The server has no connection left.".to_owned(),
            "Run the check again later, or raise max_connections or the role's CONNECTION LIMIT.",
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
            "Check the URL and the role's rights; CONNECT on the database is all a check needs.",
        ),
    };
    Error::new(kind, with_state(&reason, code), help)
}

fn with_state(reason: &str, code: &str) -> String {
    if code.is_empty() {
        return reason.to_owned();
    }
    format!("{} (SQLSTATE {code}).", reason.trim_end_matches('.'))
}

fn tls(message: &str) -> Error {
    const REMEDIES: Remedies = Remedies {
        authority: "sslrootcert",
        any_name: "sslmode=verify-ca",
        unchecked: "sslmode=require",
    };
    if let Some(error) = certificate::explain(message, REMEDIES) {
        return error;
    }
    let (reason, help) = if message.contains("does not support TLS") {
        (
            "The server does not support TLS, which is asked for unless the URL or `tls` says otherwise.".to_owned(),
            "Turn on ssl at the server. Only on a network that nobody else can read: sslmode=disable.",
        )
    } else {
        (
            format!("TLS could not be set up: {}.", brief(message)),
            "Check sslmode, sslrootcert, sslcert and sslkey in the URL.",
        )
    };
    Error::new(ErrorKind::Refused, reason, help)
}

fn unreachable(error: &std::io::Error) -> Error {
    use std::io::ErrorKind as Io;
    let text = error.to_string();
    let (reason, help) = match error.kind() {
        Io::ConnectionRefused => (
            "Nothing accepts connections at this host and port.",
            "Start the server, or correct host and port in the URL.",
        ),
        Io::ConnectionReset | Io::BrokenPipe | Io::UnexpectedEof | Io::ConnectionAborted => (
            "The server closed the connection before the login was done.",
            "Check that the port is that of a PostgreSQL server, and whether it demands TLS (sslmode).",
        ),
        Io::TimedOut | Io::HostUnreachable | Io::NetworkUnreachable => {
            ("There is no route to the server.", "Check host, network and firewall.")
        }
        Io::NotFound => (
            "There is no such socket or certificate file.",
            "Start the server, or correct the socket's or certificate's path in the URL.",
        ),
        Io::PermissionDenied => (
            "The socket or certificate file may not be opened.",
            "Run the check as a user with rights on it.",
        ),
        _ if text.contains("lookup") || text.contains("resolve") => (
            "The server's host name cannot be resolved.",
            "Correct the host in the URL; a `@` or `/` in the password must be percent-encoded.",
        ),
        _ if text.contains("certificate") || text.contains("handshake") => return tls(&text),
        _ => (
            "The server cannot be reached.",
            "Check host and port in the URL, and the network between.",
        ),
    };
    Error::new(ErrorKind::Unreachable, reason, help)
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
                "address",
            ),
            ("3D000", "database \"x\" does not exist", ErrorKind::Refused, "database"),
            ("42501", "permission denied", ErrorKind::Refused, "may not connect"),
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
    fn io_errors_tell_a_refused_port_from_an_unknown_host() {
        let refused = unreachable(&std::io::Error::from(std::io::ErrorKind::ConnectionRefused));
        assert!(refused.reason.contains("Nothing accepts"), "{}", refused.reason);
        let dns = std::io::Error::other("failed to lookup address information: Name or service not known");
        assert!(unreachable(&dns).reason.contains("host name"));
        let tls = std::io::Error::other("invalid peer certificate: UnknownIssuer");
        assert_eq!(unreachable(&tls).kind, ErrorKind::Refused);
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
