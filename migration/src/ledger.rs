//! The ledger's table as the migrations write it, on each database.
//!
//! Published migrations call these functions, so what they produce for given arguments is frozen: the
//! tests of the workspace compare it with a copy of the schema of each database.

use sea_orm_migration::prelude::*;
use sea_orm_migration::sea_orm::DbBackend;

/// The table's name in every service, as EF Core named it.
const TABLE: &str = "ProcessedIntegrationEvents";

/// Columns and indexes of a ledger, beside `Id` and `EventId`, which all have.
pub(crate) struct Ledger {
    /// The columns behind `EventId`, in order.
    pub(crate) columns: fn(DbBackend) -> Vec<ColumnDef>,
    /// Whether the correlation has an index.
    pub(crate) correlation_index: bool,
}

impl Ledger {
    /// Creates the table and its indexes.
    pub(crate) async fn create(&self, manager: &SchemaManager<'_>) -> Result<(), DbErr> {
        let backend = manager.get_database_backend();
        let mut table = self.table(backend);
        if backend == DbBackend::MySql {
            // Everything in one statement: nothing can be left half-made.
            for mut index in self.indexes() {
                table.index(&mut index);
            }
            table.engine("InnoDB").character_set("utf8mb4").collate("utf8mb4_bin");
            return manager.create_table(table).await;
        }
        manager.create_table(table).await?;
        for mut index in self.indexes() {
            manager.create_index(index.table(TABLE).to_owned()).await?;
        }
        Ok(())
    }

    /// Drops the table with every row in it.
    pub(crate) async fn drop(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
        manager
            .drop_table(Table::drop().table(TABLE).if_exists().to_owned())
            .await
    }

    fn table(&self, backend: DbBackend) -> TableCreateStatement {
        let mut table = Table::create();
        table
            .table(TABLE)
            .col(id("Id").not_null())
            .col(id("EventId").not_null());
        for column in (self.columns)(backend) {
            table.col(column);
        }
        table.primary_key(Index::create().name("PK_ProcessedIntegrationEvents").col("Id"));
        table
    }

    fn indexes(&self) -> Vec<IndexCreateStatement> {
        let mut indexes = vec![
            Index::create()
                .name("UX_ProcessedEvents_EventId")
                .col("EventId")
                .unique()
                .to_owned(),
        ];
        if self.correlation_index {
            indexes.push(
                Index::create()
                    .name("IX_ProcessedEvents_Correlation")
                    .col("CorrelationId")
                    .to_owned(),
            );
        }
        indexes
    }
}

/// An identifier: `uuid`, `binary(16)`, `uuid_text`; what SeaORM's `Uuid` is written to on each database.
fn id(name: &'static str) -> ColumnDef {
    ColumnDef::new(name).uuid().to_owned()
}

/// A text of at most `length` characters.
pub(crate) fn text(name: &'static str, length: u32) -> ColumnDef {
    ColumnDef::new(name).string_len(length).to_owned()
}

/// A number of 32 bits.
pub(crate) fn integer(name: &'static str) -> ColumnDef {
    ColumnDef::new(name).integer().to_owned()
}

/// An instant to the microsecond.
pub(crate) fn instant(name: &'static str, backend: DbBackend) -> ColumnDef {
    let mut column = ColumnDef::new(name);
    match backend {
        // `timestamp` would end in 2038, and without a precision would cut to the second.
        DbBackend::MySql => column.custom("datetime(6)"),
        _ => column.timestamp_with_time_zone(),
    };
    column
}
