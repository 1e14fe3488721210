//! Applying migrations and rolling them back.

use std::collections::BTreeMap;

use sea_orm_migration::MigratorTraitSelf;

use super::adopt::{Adoption, Existing, adopt};
use super::connect::Access;
use super::error::MigrateError;
use super::history::{fetch_existing, fetch_history};
use super::lock::LockedSession;
use super::{Event, Options, Progress};
use crate::config::DatabaseUrl;
use crate::services::Service;
use crate::text::Text;

/// What an upward run did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Applied {
    /// Migrations that were entered into the history, since their tables existed already.
    pub adopted: Vec<String>,
    /// Migrations that were run.
    pub applied: Vec<String>,
}

/// Applies the pending migrations of a service.
///
/// Where the service's tables exist and its history does not, nothing is run: the tables are given to
/// `compare`, and adopted if they are as the spec says. A missing SQLite file is created, unless the
/// URL names a mode. Beside another run on the same database, this one waits and then does what is left.
///
/// # Errors
///
/// The database cannot be reached or locked, is ahead of this program, refuses a migration, or has
/// tables that cannot be adopted. Migrations that were finished before stay, except on SQLite, where
/// a run is all or nothing.
pub async fn up(
    service: &Service,
    url: &DatabaseUrl,
    options: &Options,
    compare: impl AsyncFnOnce(Existing<'_>) -> Adoption,
    progress: Progress<'_>,
) -> Result<Applied, MigrateError> {
    let session = LockedSession::acquire(url, options, Access::Create, progress).await?;
    let result = apply(&session, service, url, compare, progress).await;
    session.finish(result).await
}

async fn apply(
    session: &LockedSession,
    service: &Service,
    url: &DatabaseUrl,
    compare: impl AsyncFnOnce(Existing<'_>) -> Adoption,
    progress: Progress<'_>,
) -> Result<Applied, MigrateError> {
    let db = session.executor();
    let history = fetch_history(&db, service).await?.into_rows(service)?;
    let names = service.migrations().names();
    refuse_unknown(&history, &names)?;
    if history.is_empty() {
        let tables = fetch_existing(&db, service).await?;
        if !tables.is_empty() {
            let namespace = session.namespace().await?;
            let existing = Existing {
                service,
                url,
                namespace: namespace.as_deref(),
                tables: &tables,
            };
            let adopted = adopt(&db, existing, compare, progress).await?;
            return Ok(Applied {
                adopted,
                ..Applied::default()
            });
        }
    }
    let mut applied = Vec::new();
    for name in names.into_iter().filter(|name| !history.contains_key(name)) {
        progress(Event::Applying(name.clone()));
        service
            .migrations()
            .up(session.executor(), Some(1))
            .await
            .map_err(MigrateError::doing(format!("apply `{name}`")))?;
        applied.push(name);
    }
    Ok(Applied {
        applied,
        ..Applied::default()
    })
}

/// Rolls back the newest `steps` migrations of a service, or all, and returns them in that order.
///
/// Rolling back the migration that created a table drops it with its rows, also where the table was
/// adopted. The caller has to have asked.
///
/// # Errors
///
/// As [`up`]; a missing SQLite file is an error.
pub async fn down(
    service: &Service,
    url: &DatabaseUrl,
    options: &Options,
    steps: Option<u32>,
    progress: Progress<'_>,
) -> Result<Vec<String>, MigrateError> {
    let session = LockedSession::acquire(url, options, Access::Write, progress).await?;
    let result = roll_back(&session, service, steps, progress).await;
    session.finish(result).await
}

async fn roll_back(
    session: &LockedSession,
    service: &Service,
    steps: Option<u32>,
    progress: Progress<'_>,
) -> Result<Vec<String>, MigrateError> {
    let history = fetch_history(&session.executor(), service).await?.into_rows(service)?;
    let names = service.migrations().names();
    refuse_unknown(&history, &names)?;
    let steps = steps.map_or(usize::MAX, |steps| usize::try_from(steps).unwrap_or(usize::MAX));
    let mut rolled_back = Vec::new();
    for name in names
        .into_iter()
        .rev()
        .filter(|name| history.contains_key(name))
        .take(steps)
    {
        progress(Event::RollingBack(name.clone()));
        service
            .migrations()
            .down(session.executor(), Some(1))
            .await
            .map_err(MigrateError::doing(format!("roll back `{name}`")))?;
        rolled_back.push(name);
    }
    Ok(rolled_back)
}

/// Refuses to touch a database whose history a newer or another program wrote.
fn refuse_unknown(history: &BTreeMap<String, i64>, names: &[String]) -> Result<(), MigrateError> {
    let versions: Vec<Text> = history
        .keys()
        .filter(|version| !names.contains(version))
        .map(|version| Text::new(version.as_str()))
        .collect();
    if versions.is_empty() {
        Ok(())
    } else {
        Err(MigrateError::HistoryAhead { versions })
    }
}
