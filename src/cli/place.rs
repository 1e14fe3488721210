//! The options that name a database of which no spec is known, or needed.

use super::console::Console;
use super::error::CliError;
use super::target::LimitArgs;
use crate::catalog::Limits;
use crate::config::{DatabaseUrl, Scheme};

/// Which database, and how long it may take.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Database")]
pub(super) struct PlaceArgs {
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
pub(super) struct Place {
    pub(super) url: DatabaseUrl,
    pub(super) namespace: Option<String>,
    pub(super) limits: Limits,
}

impl PlaceArgs {
    /// Resolves the options.
    pub(super) fn resolve(&self, console: &Console) -> Result<Place, CliError> {
        let Some(url) = &self.url else {
            return Err(CliError::input("no database is given").hint("set DATABASE_URL, or name one with --url"));
        };
        let url = DatabaseUrl::parse(url)?;
        console.guard(&url);
        check_namespace(self.schema.as_deref(), &url)?;
        Ok(Place {
            url,
            namespace: self.schema.clone(),
            limits: self.limits.limits(),
        })
    }
}

/// Refuses a namespace that cannot be meant.
pub(super) fn check_namespace(namespace: Option<&str>, url: &DatabaseUrl) -> Result<(), CliError> {
    match namespace {
        Some(name) if name.trim().is_empty() => {
            Err(CliError::input("the namespace is empty").hint("leave --schema out, or give it a name"))
        }
        Some(_) if url.scheme() == Scheme::Sqlite => {
            Err(CliError::input("a SQLite file has no namespaces").hint("leave --schema out"))
        }
        _ => Ok(()),
    }
}
