//! The options that name a database of which no spec is known, or needed.

use super::console::Console;
use super::error::{CliError, ErrorKind};
use super::target::LimitArgs;
use crate::catalog::{self, Limits};
use crate::config::{Place, Scheme};

/// Which database, and how long it may take.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Database")]
pub(super) struct DatabaseArgs {
    /// Database to look at: postgres://, mysql://, mariadb:// or sqlite:FILE
    #[arg(long, env = "DATABASE_URL", hide_env_values = true, value_name = "URL")]
    url: Option<String>,
    /// Namespace to look in: an SQL schema, on MySQL a database [default: public; on MySQL the URL's database]
    #[arg(long, value_name = "NAMESPACE")]
    schema: Option<String>,
    #[command(flatten)]
    limits: LimitArgs,
}

/// A database, and a namespace in it.
pub(super) struct Database {
    pub(super) place: Place,
    pub(super) namespace: Option<String>,
    pub(super) limits: Limits,
}

impl DatabaseArgs {
    /// Resolves the options.
    pub(super) fn resolve(&self, console: &Console) -> Result<Database, CliError> {
        let Some(url) = &self.url else {
            return Err(CliError::input("no database is given").hint("set DATABASE_URL, or name one with --url"));
        };
        let place = console.place(url)?;
        match &self.schema {
            Some(name) if name.trim().is_empty() => {
                return Err(CliError::input("the namespace is empty").hint("leave --schema out, or give it a name"));
            }
            Some(_) if place.scheme() == Some(Scheme::Sqlite) => {
                return Err(CliError::input("a SQLite file has no namespaces").hint("leave --schema out"));
            }
            _ => {}
        }
        Ok(Database {
            place,
            namespace: self.schema.clone(),
            limits: self.limits.limits(),
        })
    }
}

impl Database {
    /// Makes an error of what a catalog says.
    pub(super) fn refuse(&self, error: catalog::Error) -> CliError {
        let reason = error.reason.trim_end_matches('.');
        CliError::new(ErrorKind::Database, format!("{reason} (database {})", self.place)).hint(error.help)
    }
}
