//! Driver and server errors in the program's words. No text of the URL reaches a message.

use std::io;

use sqlx::mysql::MySqlDatabaseError;

use crate::catalog::certificate::{self, Remedies};
use crate::catalog::{Error, ErrorKind, Stage, brief};

/// Explains why no connection came about.
pub(in crate::catalog) fn connecting(error: &sqlx::Error) -> Error {
    not_connected(error).at(Stage::of(error))
}

fn not_connected(error: &sqlx::Error) -> Error {
    match error {
        sqlx::Error::Io(error) => io_failure(error),
        sqlx::Error::Tls(error) => tls_failure(&error.to_string()),
        // The driver's text may repeat parts of the URL.
        sqlx::Error::Configuration(_) => Error::new(
            ErrorKind::Refused,
            "The database URL has a part that the driver does not understand.",
            "Write it as mysql://user:password@host:port/database and percent-encode special characters.",
        ),
        sqlx::Error::Protocol(text) if text.contains("plugin") => Error::new(
            ErrorKind::Refused,
            format!("The user logs in by a method that this program does not know ({text})."),
            "Give the user mysql_native_password or caching_sha2_password.",
        ),
        other => server_failure(other).map(refused).unwrap_or_else(|| {
            Error::new(
                ErrorKind::Unreachable,
                format!("The connection was not established: {}.", brief(&other.to_string())),
                "Check that the address belongs to a MySQL or MariaDB server.",
            )
        }),
    }
}

/// Whatever a server says to a login that nobody foresaw, it has refused it.
fn refused(error: Error) -> Error {
    match error.kind {
        ErrorKind::Query => Error {
            kind: ErrorKind::Refused,
            ..error
        },
        _ => error,
    }
}

/// Explains why a statement failed.
pub(super) fn querying(error: &sqlx::Error) -> Error {
    match error {
        sqlx::Error::Io(_) => Error::new(
            ErrorKind::Unreachable,
            "The connection broke while the catalog was read.",
            "Check that the server is up and run the check again.",
        ),
        other => server_failure(other).unwrap_or_else(|| {
            Error::new(
                ErrorKind::Query,
                format!("A catalog query failed: {}.", brief(&other.to_string())),
                "Report it with the server's version.",
            )
        }),
    }
}

fn tls_failure(text: &str) -> Error {
    const REMEDIES: Remedies = Remedies {
        authority: "ssl-ca",
        any_name: "ssl-mode=VERIFY_CA",
        unchecked: "ssl-mode=REQUIRED",
    };
    if let Some(error) = certificate::explain(text, REMEDIES) {
        return error;
    }
    let (reason, help) = if text.contains("does not support TLS") {
        (
            "The server does not support TLS, which is asked for unless the URL or `tls` says otherwise.".to_owned(),
            "Turn on ssl at the server. Only on a network that nobody else can read: ssl-mode=DISABLED.",
        )
    } else {
        (
            format!("The server and this program could not agree on an encrypted connection: {text}."),
            "Check `ssl-mode` and `ssl-ca` in the URL, and the server's certificate.",
        )
    };
    Error::new(ErrorKind::Refused, reason, help)
}

fn io_failure(error: &io::Error) -> Error {
    let text = error.to_string();
    if text.contains("certificate") {
        return tls_failure(&text);
    }
    let (reason, help) = match error.kind() {
        io::ErrorKind::ConnectionRefused => (
            "The connection was refused: no server listens at this address.".to_owned(),
            "Check host and port, and that the server runs.",
        ),
        io::ErrorKind::UnexpectedEof
        | io::ErrorKind::ConnectionReset
        | io::ErrorKind::ConnectionAborted
        | io::ErrorKind::BrokenPipe => (
            "The server closed the connection before the login was done.".to_owned(),
            "Check that host and port are those of a MySQL or MariaDB server.",
        ),
        io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied => (
            format!("The server's socket or certificate file cannot be opened: {text}."),
            "Check the paths in the URL.",
        ),
        _ if text.contains("lookup") || text.contains("resolve") => (
            "The host name cannot be resolved.".to_owned(),
            "Check the host name in the URL.",
        ),
        _ => (
            format!("The server cannot be reached: {text}."),
            "Check host and port, the network, and that the server runs.",
        ),
    };
    Error::new(ErrorKind::Unreachable, reason, help)
}

/// Explains an error that the server itself reported, by its number.
fn server_failure(error: &sqlx::Error) -> Option<Error> {
    let error = error.as_database_error()?.try_downcast_ref::<MySqlDatabaseError>()?;
    let number = error.number();
    let said = brief(error.message());
    let (kind, reason, help) = match number {
        1045 | 1698 => (
            ErrorKind::Refused,
            format!("The server refused the login: {said}."),
            "Check user and password; the account's host part must match this machine. One that demands TLS is refused in \
             the same words: try ssl-mode=REQUIRED.",
        ),
        1044 => (
            ErrorKind::Refused,
            format!("The user may not use the database: {said}."),
            "Grant REFERENCES and SHOW VIEW on the database to the user, or name another database in the URL.",
        ),
        1049 => (
            ErrorKind::Refused,
            format!("The database does not exist: {said}."),
            "Check the database name at the end of the URL; letter case counts on most servers.",
        ),
        1040 | 1203 | 1226 => (
            ErrorKind::Unreachable,
            format!("The server takes no more connections: {said}."),
            "Run the check again later, or raise the limit.",
        ),
        1129 | 1130 => (
            ErrorKind::Refused,
            format!("The server does not accept connections from this machine: {said}."),
            "Allow this host for the user; after too many failures, FLUSH HOSTS.",
        ),
        1251 | 1524 | 2059 => (
            ErrorKind::Refused,
            format!("The login method of the user is not supported: {said}."),
            "Give the user mysql_native_password or caching_sha2_password.",
        ),
        1820 | 1862 | 3118 | 4151 => (
            ErrorKind::Refused,
            format!("The account is locked or its password has expired: {said}."),
            "Renew the password or unlock the account.",
        ),
        3159 => (
            ErrorKind::Refused,
            format!("The server asks for an encrypted connection: {said}."),
            "Add ssl-mode=REQUIRED to the URL.",
        ),
        1205 | 1213 => return Some(locked()),
        1969 | 3024 => return Some(slow()),
        1142..=1143 | 1227 => (
            ErrorKind::Refused,
            format!("The user lacks a privilege: {said}."),
            "Grant REFERENCES and SHOW VIEW on the database to the user.",
        ),
        _ => (
            ErrorKind::Query,
            format!("The server answered with error {number}: {said}."),
            "Report it with the server's version.",
        ),
    };
    Some(Error::new(kind, reason.replace("..", "."), help))
}

/// A lock that somebody else holds was not released in time.
pub(super) fn locked() -> Error {
    Error::new(
        ErrorKind::TimedOut,
        "Another session holds a lock on a table of the spec, and did not release it in time.",
        "Run the check again when the migration or maintenance that holds the lock is done.",
    )
}

/// A statement ran into its limit.
pub(super) fn slow() -> Error {
    Error::new(
        ErrorKind::TimedOut,
        "A catalog query did not finish in time.",
        "Run the check again when the server has less to do, or raise --statement-timeout.",
    )
}

/// A wanted table could not be opened by the server.
pub(super) fn unreadable(number: u16, said: &str) -> Error {
    Error::new(
        ErrorKind::Query,
        format!(
            "The server could not open a table of the spec (error {number}: {}).",
            brief(said)
        ),
        "Check and repair the table; the server's log says more.",
    )
}

/// The session is not what was asked for.
pub(super) fn unsafe_session() -> Error {
    Error::new(
        ErrorKind::UnsafeSession,
        "The session could not be made read-only.",
        "Connect to the server itself instead of a proxy that rewrites or drops SET statements.",
    )
}

/// Answers may be cut short without a word.
pub(super) fn cut_short() -> Error {
    Error::new(
        ErrorKind::UnsafeSession,
        "The session's limits on rows and warnings (`sql_select_limit`, `max_error_count`) could not be lifted.",
        "Connect to the server itself instead of a proxy that rewrites or drops SET statements.",
    )
}

/// The server is too old, or only speaks the protocol.
pub(super) fn unsupported(version: &str) -> Error {
    Error::new(
        ErrorKind::Unsupported,
        format!("The server's version is not supported: {}.", brief(version)),
        "Use MariaDB 10.5 or later, or MySQL 8.0 or later.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_url_is_repeated() {
        let secret = "mysql://u:Sup3rS3cret@host/db";
        let error = connecting(&sqlx::Error::Configuration(secret.into()));
        assert!(!format!("{error} {error:?}").contains("Sup3rS3cret"));
    }

    #[test]
    fn a_refused_connection_is_unreachable() {
        let error = connecting(&sqlx::Error::Io(io::ErrorKind::ConnectionRefused.into()));
        assert_eq!(error.kind, ErrorKind::Unreachable);
        assert!(error.reason.contains("no server listens"));
    }

    #[test]
    fn an_unknown_login_method_is_refused() {
        let error = connecting(&sqlx::Error::Protocol(
            "unknown authentication plugin: gssapi".to_owned(),
        ));
        assert_eq!(error.kind, ErrorKind::Refused);
        assert!(error.help.contains("mysql_native_password"));
    }
}
