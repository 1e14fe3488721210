//! Migrations of the asset service.

mod m20260801_000001_create_processed_integration_events;

use sea_orm_migration::prelude::*;

/// The migrations of the asset service; their history is in `seaql_migrations_asset`.
#[derive(Clone, Copy, Debug)]
pub struct AssetMigrator;

impl MigratorTrait for AssetMigrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![Box::new(
            m20260801_000001_create_processed_integration_events::Migration,
        )]
    }

    fn migration_table_name() -> DynIden {
        "seaql_migrations_asset".into_iden()
    }
}
