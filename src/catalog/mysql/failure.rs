//! Driver and server errors in the program's words. No text of the URL reaches a message.

use sqlx::mysql::MySqlDatabaseError;

use crate::catalog::opening::{Refusal, Words, brief, with_detail};
use crate::catalog::{Error, ErrorKind, Stage};

/// What is MySQL's own in the words for a failure.
pub(in crate::catalog) const WORDS: Words = Words {
    server: "MySQL or MariaDB server",
    authority: "ssl-ca",
    any_name: "ssl-mode=VERIFY_CA",
    unchecked: "ssl-mode=REQUIRED",
    plain: "ssl-mode=DISABLED",
    login: "The account's host part must match this machine, and one that demands TLS is refused in the same words: \
            try ssl-mode=REQUIRED.",
    grant: "Grant REFERENCES and SHOW VIEW on the database to the user, or correct its name: to a user without rights, \
            the server says the same of a database that is not there.",
    address: "Allow this host for the user; after too many failures, FLUSH HOSTS.",
};

/// Explains why no connection came about.
pub(in crate::catalog) fn connecting(error: &sqlx::Error) -> Error {
    not_connected(error).at(Stage::of(error))
}

fn not_connected(error: &sqlx::Error) -> Error {
    match error {
        sqlx::Error::Io(error) => WORDS.io(error),
        sqlx::Error::Tls(error) => WORDS.tls(&error.to_string()),
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

/// Explains an error that the server itself reported, by its number.
fn server_failure(error: &sqlx::Error) -> Option<Error> {
    let error = error.as_database_error()?.try_downcast_ref::<MySqlDatabaseError>()?;
    let number = error.number();
    let said = error.message();
    let refusal = match number {
        1045 | 1698 => Some(Refusal::Login),
        1044 => Some(Refusal::Right),
        1049 => Some(Refusal::Database),
        1040 | 1203 | 1226 => Some(Refusal::Full),
        1129 | 1130 => Some(Refusal::Address),
        3159 => Some(Refusal::Plain),
        _ => None,
    };
    if let Some(refusal) = refusal {
        return Some(WORDS.refused(refusal, said));
    }
    let (kind, reason, help) = match number {
        1251 | 1524 | 2059 => (
            ErrorKind::Refused,
            with_detail("The login method of the user is not supported", said),
            "Give the user mysql_native_password or caching_sha2_password.",
        ),
        1820 | 1862 | 3118 | 4151 => (
            ErrorKind::Refused,
            with_detail("The account is locked or its password has expired", said),
            "Renew the password or unlock the account.",
        ),
        1205 | 1213 => return Some(locked()),
        1969 | 3024 => return Some(slow()),
        1142..=1143 | 1227 => (
            ErrorKind::Refused,
            with_detail("The user lacks a privilege", said),
            "Grant REFERENCES and SHOW VIEW on the database to the user.",
        ),
        _ => (
            ErrorKind::Query,
            with_detail(&format!("The server answered with error {number}"), said),
            "Report it with the server's version.",
        ),
    };
    Some(Error::new(kind, reason, help))
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
    fn an_unknown_login_method_is_refused() {
        let error = connecting(&sqlx::Error::Protocol(
            "unknown authentication plugin: gssapi".to_owned(),
        ));
        assert_eq!(error.kind, ErrorKind::Refused);
        assert!(error.help.contains("mysql_native_password"));
    }
}
