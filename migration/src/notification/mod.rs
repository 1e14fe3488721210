//! Migrations of the notification service.

mod m20260801_000001_create_processed_integration_events;

use sea_orm_migration::prelude::*;

/// The migrations of the notification service; their history is in `seaql_migrations_notification`.
#[derive(Clone, Copy, Debug)]
pub struct NotificationMigrator;

impl MigratorTrait for NotificationMigrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![Box::new(
            m20260801_000001_create_processed_integration_events::Migration,
        )]
    }

    fn migration_table_name() -> DynIden {
        "seaql_migrations_notification".into_iden()
    }
}
