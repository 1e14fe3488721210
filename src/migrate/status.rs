//! What a database's migration history says, read without writing.

use std::time::Duration;

use chrono::{DateTime, Utc};

use super::Options;
use super::connect::{Access, close, current_namespace, open, silent};
use super::error::MigrateError;
use super::history::{History, fetch_existing, fetch_history};
use crate::config::DatabaseUrl;
use crate::services::Service;
use crate::text::Text;

/// How long the questions may take, beside waiting for locks.
const PATIENCE: Duration = Duration::from_secs(30);

/// The migrations of a service in one database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    /// The namespace that was looked at (PostgreSQL).
    pub namespace: Option<Text>,
    /// The history table's name.
    pub history_table: String,
    /// Whether there is a history table.
    pub has_history: bool,
    /// The known migrations in the order in which they are applied.
    pub migrations: Vec<MigrationState>,
    /// Migrations in the history that this program does not know, sorted.
    pub unknown: Vec<Text>,
    /// Tables of the service that exist although nothing is in the history, sorted.
    pub unmanaged: Vec<Text>,
}

/// A migration and whether it was applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MigrationState {
    /// The migration's name.
    pub name: String,
    /// Whether it was applied.
    pub state: State,
}

/// Whether a migration was applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It was applied, at the time the history gives if that can be a time.
    Applied(Option<DateTime<Utc>>),
    /// It was not.
    Pending,
}

/// Reads which migrations of a service were applied. The session cannot write.
///
/// # Errors
///
/// The database cannot be reached, or its history table cannot be read: that says nothing about what
/// was applied.
pub async fn status(service: &Service, url: &DatabaseUrl, options: &Options) -> Result<Status, MigrateError> {
    let db = open(url, options, Access::Read).await?;
    let limit = options.lock_timeout.saturating_add(PATIENCE);
    let result = tokio::time::timeout(limit, assemble(&db, service)).await;
    close(db).await;
    result.unwrap_or_else(|_| Err(silent(url, limit)))
}

async fn assemble(db: &sea_orm::DatabaseConnection, service: &Service) -> Result<Status, MigrateError> {
    let history = fetch_history(db, service).await?;
    let has_history = history != History::Absent;
    let rows = history.into_rows(service)?;
    let unmanaged = if rows.is_empty() {
        fetch_existing(db, service).await?
    } else {
        Vec::new()
    };
    let names = service.migrations().names();
    let unknown = rows.keys().filter(|version| !names.contains(version));
    Ok(Status {
        namespace: current_namespace(db).await?.map(Text::new),
        history_table: service.migrations().history_table(),
        has_history,
        unknown: unknown.map(|version| Text::new(version.as_str())).collect(),
        unmanaged: unmanaged.into_iter().map(Text::new).collect(),
        migrations: names
            .into_iter()
            .map(|name| MigrationState {
                state: match rows.get(&name) {
                    Some(&seconds) => State::Applied(DateTime::from_timestamp(seconds, 0)),
                    None => State::Pending,
                },
                name,
            })
            .collect(),
    })
}
