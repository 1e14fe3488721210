//! The services whose ledgers this program ships: the only file that knows `entity/` and `migration/`.
//!
//! An organisation with services of its own builds its own list of [`Service`] values.

use sea_orm::{ColumnDef, ColumnTrait, EntityTrait, IdenStatic, Iterable, PrimaryKeyToColumn};
use sea_orm_migration::sea_orm::{DynIden, sea_query::IntoIden};
use sea_orm_migration::{MigrationTrait, MigratorTrait, MigratorTraitSelf};
use seadrift_entity::{asset, notification, payroll, retention};
use seadrift_migration::{AssetMigrator, NotificationMigrator, PayrollMigrator, RetentionMigrator};

/// Returns the shipped services, sorted by name.
pub fn shipped() -> Vec<Service> {
    vec![
        Service::new::<AssetMigrator>("asset")
            .table::<asset::ProcessedEvent>()
            .spec(include_str!("../specs/asset.yaml")),
        Service::new::<NotificationMigrator>("notification")
            .table::<notification::ProcessedEvent>()
            .spec(include_str!("../specs/notification.yaml")),
        Service::new::<PayrollMigrator>("payroll")
            .table::<payroll::ProcessedEvent>()
            .spec(include_str!("../specs/payroll.yaml")),
    ]
}

/// Returns the migrations of `ledger_retention`, the table in which trimming runs leave their evidence.
///
/// It is none of the shipped services: the table is opt-in, and all services of a namespace share it.
pub fn retention() -> Service {
    Service::new::<RetentionMigrator>("retention").table::<retention::LedgerRetention>()
}

/// A service: its migrations, its entities and its spec.
#[derive(Clone, Debug)]
pub struct Service {
    name: &'static str,
    migrations: Migrations,
    tables: Vec<EntityTable>,
    spec: Option<&'static str>,
}

impl Service {
    /// Makes a service with a migrator and without tables.
    pub fn new<M: MigratorTrait>(name: &'static str) -> Self {
        Self {
            name,
            migrations: Migrations::of::<M>(),
            tables: Vec::new(),
            spec: None,
        }
    }

    /// Adds the table of an entity.
    #[must_use]
    pub fn table<E: EntityTrait>(mut self) -> Self {
        self.tables.push(EntityTable::of::<E>());
        self
    }

    /// Sets the text of the service's spec file.
    #[must_use]
    pub fn spec(mut self, text: &'static str) -> Self {
        self.spec = Some(text);
        self
    }

    /// Returns the name that specs and commands know the service by.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the migrations.
    pub fn migrations(&self) -> &Migrations {
        &self.migrations
    }

    /// Returns the tables of the service's entities.
    pub fn tables(&self) -> &[EntityTable] {
        &self.tables
    }

    /// Returns the text of the service's spec file, if one is shipped.
    pub fn spec_text(&self) -> Option<&'static str> {
        self.spec
    }
}

/// A migrator as a value, so that one command can run any service's.
#[derive(Clone, Copy, Debug)]
pub struct Migrations {
    list: fn() -> Vec<Box<dyn MigrationTrait>>,
    history: fn() -> DynIden,
}

impl Migrations {
    /// Takes the migrations and the history table of a migrator.
    pub fn of<M: MigratorTrait>() -> Self {
        Self {
            list: M::migrations,
            history: M::migration_table_name,
        }
    }

    /// Returns the name of the history table.
    pub fn history_table(&self) -> String {
        (self.history)().to_string()
    }

    /// Returns the names of the migrations, in the order in which they are applied.
    pub fn names(&self) -> Vec<String> {
        (self.list)()
            .iter()
            .map(|migration| migration.name().to_owned())
            .collect()
    }
}

impl MigratorTraitSelf for Migrations {
    fn migrations(&self) -> Vec<Box<dyn MigrationTrait>> {
        (self.list)()
    }

    fn migration_table_name(&self) -> DynIden {
        (self.history)().into_iden()
    }
}

/// A table as an entity describes it.
#[derive(Clone, Debug)]
pub struct EntityTable {
    /// The table's exact name.
    pub name: String,
    /// The columns, in the entity's order.
    pub columns: Vec<EntityColumn>,
    /// The names of the primary key's columns.
    pub primary_key: Vec<String>,
}

/// A column as an entity describes it.
#[derive(Clone, Debug)]
pub struct EntityColumn {
    /// The column's exact name.
    pub name: String,
    /// Type, nullability, uniqueness and default.
    pub def: ColumnDef,
}

impl EntityTable {
    /// Reads the description of an entity.
    pub fn of<E: EntityTrait>() -> Self {
        Self {
            name: E::default().table_name().to_owned(),
            columns: E::Column::iter()
                .map(|column| EntityColumn {
                    name: column.as_str().to_owned(),
                    def: column.def(),
                })
                .collect(),
            primary_key: E::PrimaryKey::iter()
                .map(|key| key.into_column().as_str().to_owned())
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_service_has_a_history_table_of_its_own() {
        let services = shipped();
        let tables: BTreeSet<String> = services.iter().map(|s| s.migrations().history_table()).collect();
        let expected = ["asset", "notification", "payroll"].map(|s| format!("seaql_migrations_{s}"));
        assert_eq!(tables, BTreeSet::from(expected));
        assert!(services.is_sorted_by_key(Service::name));
    }

    #[test]
    fn the_retention_table_is_no_service_and_has_a_history_of_its_own() {
        let retention = retention();
        assert_eq!(retention.migrations().history_table(), "seaql_migrations_retention");
        assert_eq!(retention.tables()[0].name, "ledger_retention");
        assert!(shipped().iter().all(|service| service.name() != retention.name()));
    }

    #[test]
    fn an_entity_describes_its_columns_at_run_time() {
        let services = shipped();
        let asset = &services[0].tables()[0];
        assert_eq!(asset.name, "ProcessedIntegrationEvents");
        assert_eq!(asset.primary_key, ["Id"]);
        let column = |name: &str| &asset.columns.iter().find(|c| c.name == name).unwrap().def;
        assert!(column("EventId").is_unique());
        assert!(column("TenantId").is_null());
        assert!(column("Outcome").get_column_default().is_some());
    }

    #[test]
    fn a_spec_is_attached_by_its_text() {
        let service = Service::new::<AssetMigrator>("asset").spec("version: 1\n");
        assert_eq!(service.spec_text(), Some("version: 1\n"));
    }
}
