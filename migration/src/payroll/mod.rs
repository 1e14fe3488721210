//! Migrations of the payroll service.

mod m20260801_000001_create_processed_integration_events;

use sea_orm_migration::prelude::*;

/// The migrations of the payroll service; their history is in `seaql_migrations_payroll`.
#[derive(Clone, Copy, Debug)]
pub struct PayrollMigrator;

impl MigratorTrait for PayrollMigrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![Box::new(
            m20260801_000001_create_processed_integration_events::Migration,
        )]
    }

    fn migration_table_name() -> DynIden {
        "seaql_migrations_payroll".into_iden()
    }
}
