//! Creates the asset service's ledger.
//!
//! `Outcome` defaults to `Processed`; the documents do not say whether in the database or in the code.
//! It is in the database here, where it serves both.

use sea_orm_migration::prelude::*;
use sea_orm_migration::sea_orm::DbBackend;

use crate::ledger::{Ledger, instant, integer, text};

/// Creates the ledger.
#[derive(DeriveMigrationName)]
pub(super) struct Migration;

const LEDGER: Ledger = Ledger {
    columns,
    correlation_index: false,
};

fn columns(backend: DbBackend) -> Vec<ColumnDef> {
    vec![
        text("EventType", 160).not_null().to_owned(),
        integer("TenantId").null().to_owned(),
        text("CorrelationId", 160).null().to_owned(),
        text("SourceService", 120).not_null().to_owned(),
        text("Outcome", 40).not_null().default("Processed").to_owned(),
        instant("ProcessedOnUtc", backend).not_null().to_owned(),
    ]
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        LEDGER.create(manager).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        Ledger::drop(manager).await
    }
}
