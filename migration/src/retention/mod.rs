//! Migrations of the table in which trimming runs leave their evidence. Opt-in, and shared by all services of a namespace.

mod m20260901_000001_create_ledger_retention;

use sea_orm_migration::prelude::*;

/// The migrations of `ledger_retention`; their history is in `seaql_migrations_retention`.
///
/// No service's own migrator creates the table: a namespace has one of it, with one row per ledger.
#[derive(Clone, Copy, Debug)]
pub struct RetentionMigrator;

impl MigratorTrait for RetentionMigrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![Box::new(m20260901_000001_create_ledger_retention::Migration)]
    }

    fn migration_table_name() -> DynIden {
        "seaql_migrations_retention".into_iden()
    }
}
