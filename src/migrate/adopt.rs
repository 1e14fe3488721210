//! Taking over tables that somebody else made, EF Core as a rule.
//!
//! A table is adopted by entering the migrations into the history without running them. That claims
//! that the table is what the migrations would have made, so it happens only after a comparison with
//! the spec found nothing. The comparison is given by the caller: this module knows no checker.

use sea_orm::{ConnectionTrait, TransactionTrait};

use super::error::MigrateError;
use super::history::write_baseline;
use super::{Event, Progress};
use crate::config::DatabaseUrl;
use crate::services::Service;
use crate::text::Text;

/// Tables of a service that exist without a migration history.
#[derive(Clone, Copy, Debug)]
pub struct Existing<'a> {
    /// The service they would belong to.
    pub service: &'a Service,
    /// The database. The run holds its lock while the comparison reads it through a session of its own.
    pub url: &'a DatabaseUrl,
    /// The namespace they are in (PostgreSQL).
    pub namespace: Option<&'a str>,
    /// Their names, sorted.
    pub tables: &'a [String],
}

/// What a comparison of existing tables with the service's spec came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Adoption {
    /// Everything was seen, and it is as the spec says.
    Clean,
    /// The tables differ; the report says how, ready to be printed.
    Drift(String),
    /// Not everything could be seen.
    Unknown(Text),
}

/// Compares, and enters all migrations into the history if the tables are as the spec says.
pub(super) async fn adopt<C>(
    db: &C,
    existing: Existing<'_>,
    compare: impl AsyncFnOnce(Existing<'_>) -> Adoption,
    progress: Progress<'_>,
) -> Result<Vec<String>, MigrateError>
where
    C: ConnectionTrait + TransactionTrait,
{
    progress(Event::Comparing {
        tables: existing.tables.to_vec(),
    });
    match compare(existing).await {
        Adoption::Clean => {}
        Adoption::Drift(report) => return Err(MigrateError::Drift { report }),
        Adoption::Unknown(reason) => return Err(MigrateError::NotCompared { reason }),
    }
    let names = existing.service.migrations().names();
    write_baseline(db, existing.service, &names).await?;
    for name in &names {
        progress(Event::Adopted(name.clone()));
    }
    Ok(names)
}
