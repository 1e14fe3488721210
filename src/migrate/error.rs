//! Why a migration run ended early. No text here holds a database URL or a password.

use std::time::Duration;

use sea_orm::sqlx::{self, mysql::MySqlDatabaseError};
use sea_orm::{DbErr, RuntimeErr};

use crate::catalog;
use crate::text::Text;

/// A migration run that ended early.
#[derive(Debug, thiserror::Error)]
pub enum MigrateError {
    /// The driver does not understand the URL. The driver's own message would repeat it.
    #[error("the database URL cannot be used: the driver does not understand it")]
    Url,
    /// A namespace was given for a database that has none.
    #[error("a schema cannot be chosen on {dialect}")]
    NamespaceUnsupported {
        /// The database's kind.
        dialect: &'static str,
    },
    /// The namespace does not exist, or the role may not use it.
    #[error("there is no schema to work in: {}", match .namespace {
        Some(name) => format!("`{}` does not exist, or the role may not use it", name.terminal()),
        None => "the role's search_path names none that exists".to_owned(),
    })]
    NamespaceMissing {
        /// The namespace that was asked for.
        namespace: Option<Text>,
    },
    /// The file of an SQLite database is not there.
    #[error("there is no database file to open")]
    NoFile,
    /// The database could not be reached, or refused the login.
    #[error("the database cannot be reached")]
    Unreachable(#[source] catalog::Error),
    /// A pooler hands the session to other clients as well.
    #[error("a pooler before the server shares its sessions between clients, and migrations need one of their own")]
    SharedSession,
    /// Another run held the lock for too long.
    #[error("another migration run has held the lock for {} s", .waited.as_secs())]
    Locked {
        /// How long this run waited.
        waited: Duration,
    },
    /// The history table is there, but the role may not read it.
    #[error("the role may not read the history table `{}`", .table.terminal())]
    HistoryUnreadable {
        /// The history table.
        table: Text,
    },
    /// The history has migrations that this program does not know.
    #[error("the database has migrations that this program does not know: {}", list(.versions))]
    HistoryAhead {
        /// The unknown migrations.
        versions: Vec<Text>,
    },
    /// The tables are there, were not made by these migrations, and differ from the spec.
    #[error("the tables exist without a migration history, and differ from the spec")]
    Drift {
        /// The report of the comparison, ready to be printed.
        report: String,
    },
    /// The tables are there, were not made by these migrations, and could not be compared.
    #[error("the tables exist without a migration history, and cannot be compared with the spec: {}", .reason.terminal())]
    NotCompared {
        /// What stood in the way.
        reason: Text,
    },
    /// The database refused a step.
    #[error("cannot {doing}")]
    Database {
        /// What was to be done.
        doing: String,
        /// What the database said.
        source: DriverError,
    },
}

fn list(names: &[Text]) -> String {
    names
        .iter()
        .map(|name| name.terminal().to_string())
        .collect::<Vec<_>>()
        .join(", ")
}

impl MigrateError {
    /// Returns what to do next, in the imperative.
    pub fn help(&self) -> &str {
        match self {
            Self::Url => {
                "write it as postgres://user:password@host:port/database, and percent-encode `@`, `/`, `:` and `%` in the password"
            }
            Self::NamespaceUnsupported { .. } => "name the database in the URL, and leave the schema out",
            Self::NamespaceMissing { .. } => {
                "create the schema, grant USAGE and CREATE on it to the role, or name another"
            }
            Self::NoFile => "check the path; `migrate up` creates the file, but not its directory",
            Self::Unreachable(error) => &error.help,
            Self::SharedSession => "connect to the server itself, or through a pooler in session mode",
            Self::Locked { .. } => "wait for the other run to end, or raise the lock timeout",
            Self::HistoryUnreadable { .. } => "grant SELECT on the history table to the role",
            Self::HistoryAhead { .. } => "use the release that wrote them, or a newer one",
            Self::Drift { .. } => "repair the tables, then run `migrate up` again; nothing was changed",
            Self::NotCompared { .. } => {
                "mend what stands in the way of a comparison, then run `migrate up` again; nothing was changed"
            }
            Self::Database { .. } => {
                "resolve what the database reports, then run the command again; finished migrations stay recorded"
            }
        }
    }

    /// Returns the exit code: 1 for drift, 2 for usage, 4 where the database stood in the way.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Drift { .. } => 1,
            Self::Url | Self::NamespaceUnsupported { .. } | Self::SharedSession => 2,
            Self::HistoryAhead { .. }
            | Self::NamespaceMissing { .. }
            | Self::NoFile
            | Self::Unreachable(_)
            | Self::Locked { .. }
            | Self::HistoryUnreadable { .. }
            | Self::NotCompared { .. }
            | Self::Database { .. } => 4,
        }
    }

    /// Returns a function that wraps the database's refusal of a step.
    pub(super) fn doing(doing: impl Into<String>) -> impl FnOnce(DbErr) -> Self {
        let doing = doing.into();
        move |error| Self::Database {
            doing,
            source: DriverError::from(&error),
        }
    }
}

/// What a driver said, without the parts that can hold a URL.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.terminal())]
pub struct DriverError(Text);

impl DriverError {
    pub(crate) fn new(text: impl Into<Text>) -> Self {
        Self(text.into())
    }
}

impl From<&sqlx::Error> for DriverError {
    fn from(error: &sqlx::Error) -> Self {
        Self::new(match error {
            // The driver's Display ends in the line of the server's own source file; the code says more.
            sqlx::Error::Database(reply) => match reply.code() {
                Some(code) => format!("{} ({code})", catalog::brief(reply.message())),
                None => catalog::brief(reply.message()),
            },
            sqlx::Error::Configuration(_) => "the URL's options are not understood".to_owned(),
            other => other.to_string(),
        })
    }
}

impl From<&DbErr> for DriverError {
    fn from(error: &DbErr) -> Self {
        match driver_error(error) {
            Some(error) => Self::from(error),
            None => match error {
                DbErr::Custom(text) | DbErr::Migration(text) => Self::new(text.as_str()),
                other => Self::new(other.to_string()),
            },
        }
    }
}

/// Returns the driver's error inside SeaORM's.
pub(super) fn driver_error(error: &DbErr) -> Option<&sqlx::Error> {
    match error {
        DbErr::Conn(RuntimeErr::SqlxError(error))
        | DbErr::Exec(RuntimeErr::SqlxError(error))
        | DbErr::Query(RuntimeErr::SqlxError(error)) => Some(error),
        _ => None,
    }
}

/// Returns MySQL's error number.
pub(super) fn mysql_number(error: &DbErr) -> Option<u16> {
    let sqlx::Error::Database(reply) = driver_error(error)? else {
        return None;
    };
    reply
        .try_downcast_ref::<MySqlDatabaseError>()
        .map(MySqlDatabaseError::number)
}

/// Returns SQLite's primary result code.
pub(super) fn sqlite_code(error: &sqlx::Error) -> Option<u32> {
    let sqlx::Error::Database(reply) = error else {
        return None;
    };
    // The low byte is the primary code; the rest refines it.
    reply.code()?.parse::<u32>().ok().map(|extended| extended & 0xff)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_configuration_error_does_not_repeat_the_url() {
        let error = sqlx::Error::Configuration("postgres://u:Sup3rS3cret@h".into());
        assert!(!DriverError::from(&error).to_string().contains("Sup3rS3cret"));
    }

    #[test]
    fn what_a_database_says_is_safe_on_a_terminal() {
        let error = MigrateError::doing("create the table")(DbErr::Custom("no\u{1b}[2Jway".to_owned()));
        assert_eq!(error.to_string(), "cannot create the table");
        assert_eq!(
            std::error::Error::source(&error).unwrap().to_string(),
            "no\\u{1b}[2Jway"
        );
    }
}
