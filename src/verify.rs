//! Whether the spec, the entities and the migrations of a service agree, three ways.
//!
//! ```text
//!            spec
//!   (no server) ╱  ╲ (check of a migrated database)
//!        entities ── migrations
//!          (columns of the migrated database)
//! ```
//!
//! The first side is pure. The other two need a database to migrate into: an empty one, which is empty again afterwards.

use sea_orm::sea_query::{ColumnType, StringLen};

use crate::catalog::{self, Catalog, Found};
use crate::compare;
use crate::config::Target;
use crate::finding::Severity;
use crate::migrate::{self, Adoption, Existing, MigrateError, Options};
use crate::rules;
use crate::schema::{DataType, Table};
use crate::services::{EntityColumn, EntityTable, Service};
use crate::spec::{ColumnSpec, Spec, TableSpec};

/// Compares the entities of a service with its spec, and returns what they disagree about, as sentences.
///
/// Facts that the spec leaves open are compared with its guess: the entity is this project's own answer to them.
pub fn entities_with_spec(service: &Service, spec: &Spec) -> Vec<String> {
    let mut problems = Vec::new();
    for table in &spec.tables {
        match service.tables().iter().find(|entity| entity.name == table.name.value) {
            Some(entity) => entity_with_table(entity, table, &mut problems),
            None => problems.push(format!("no entity is for the table {} of the spec", table.name.value)),
        }
    }
    for entity in service.tables() {
        if !spec.tables.iter().any(|table| table.name.value == entity.name) {
            problems.push(format!("the entity's table {} is not in the spec", entity.name));
        }
    }
    problems
}

fn entity_with_table(entity: &EntityTable, table: &TableSpec, problems: &mut Vec<String>) {
    for wanted in &table.columns {
        match entity.columns.iter().find(|column| column.name == wanted.name.value) {
            Some(column) => entity_with_column(column, wanted, table, problems),
            None => problems.push(format!(
                "the entity of {} has no column {}",
                entity.name, wanted.name.value
            )),
        }
    }
    for column in &entity.columns {
        if table.column(&column.name).is_none() {
            problems.push(format!(
                "the spec of {} has no column {}, the entity has",
                entity.name, column.name
            ));
        }
    }
    if let Some(wanted) = table.primary_key.value.guess()
        && *wanted != entity.primary_key
    {
        problems.push(format!(
            "the primary key of {} is ({}) in the spec and ({}) in the entity",
            entity.name,
            wanted.join(", "),
            entity.primary_key.join(", ")
        ));
    }
}

fn entity_with_column(column: &EntityColumn, wanted: &ColumnSpec, table: &TableSpec, problems: &mut Vec<String>) {
    let name = format!("{}.{}", table.name.value, column.name);
    let of_spec = wanted.ty.value.guess().and_then(|ty| ty.any.clone());
    let of_entity = data_type(column.def.get_column_type());
    if let Some(of_spec) = of_spec
        && of_entity.as_ref() != Some(&of_spec)
    {
        let said = of_entity.map_or_else(|| format!("{:?}", column.def.get_column_type()), |ty| ty.to_string());
        problems.push(format!("{name} is {of_spec} in the spec and {said} in the entity"));
    }
    if let Some(nullable) = wanted.nullable.value.guess()
        && *nullable != column.def.is_null()
    {
        let words = |nullable: bool| if nullable { "nullable" } else { "not null" };
        problems.push(format!(
            "{name} is {} in the spec and {} in the entity",
            words(*nullable),
            words(column.def.is_null())
        ));
    }
    let unique = table.indexes.iter().any(|index| {
        index.unique.value && index.predicate.is_none() && index.columns().is_some_and(|c| c == [column.name.as_str()])
    });
    if unique != column.def.is_unique() {
        let words = |unique: bool| if unique { "unique" } else { "not unique" };
        problems.push(format!(
            "{name} is {} in the spec and {} in the entity",
            words(unique),
            words(column.def.is_unique())
        ));
    }
}

/// Returns the type of a spec that an entity's column type stands for, if there is one.
fn data_type(ty: &ColumnType) -> Option<DataType> {
    Some(match ty {
        ColumnType::Uuid => DataType::Uuid,
        ColumnType::String(StringLen::N(n)) => DataType::Varchar(Some(*n)),
        ColumnType::Text => DataType::Text,
        ColumnType::SmallInteger => DataType::SmallInt,
        ColumnType::Integer => DataType::Integer,
        ColumnType::BigInteger => DataType::BigInt,
        ColumnType::Boolean => DataType::Boolean,
        ColumnType::TimestampWithTimeZone => DataType::Timestamp {
            precision: None,
            zoned: true,
        },
        ColumnType::Timestamp | ColumnType::DateTime => DataType::Timestamp {
            precision: None,
            zoned: false,
        },
        ColumnType::Date => DataType::Date,
        ColumnType::Double => DataType::Double,
        ColumnType::Decimal(Some((precision, scale))) => DataType::Numeric {
            precision: Some(*precision),
            scale: Some(*scale),
        },
        ColumnType::Json => DataType::Json,
        ColumnType::JsonBinary => DataType::Jsonb,
        _ => return None,
    })
}

/// Why a scratch database could not be used.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// The migrations could not be run.
    #[error(transparent)]
    Migrate(#[from] MigrateError),
    /// The migrated database could not be read.
    #[error(transparent)]
    Catalog(#[from] catalog::Error),
}

/// Migrates a service into an empty database, compares what came out with the spec and the entities, and rolls back.
/// Returns what they disagree about, as sentences.
///
/// # Errors
///
/// The database cannot be migrated or read, or has tables of the service already: those are never touched.
pub async fn migrations_with_both(service: &Service, spec: &Spec, target: &Target) -> Result<Vec<String>, VerifyError> {
    let options = Options {
        namespace: target.namespace.clone(),
        connect_timeout: target.limits.connect,
        ..Options::default()
    };
    let refuse = async |_: Existing<'_>| Adoption::Unknown("a scratch database must be empty".into());
    let url = target.open().await?;
    let applied = migrate::up(service, &url, &options, refuse, &mut |_| {}).await?;
    let steps = u32::try_from(applied.applied.len()).unwrap_or(u32::MAX);
    if steps == 0 {
        let reason = "the database holds the service's tables already; name an empty one".into();
        return Err(VerifyError::Migrate(MigrateError::NotCompared { reason }));
    }
    let fetched = catalog::fetch(&url, &target.ask(spec)).await;
    migrate::down(service, &url, &options, Some(steps), &mut |_| {}).await?;
    let catalog = fetched?;
    let mut problems = spec_with_catalog(spec, &catalog, target);
    for entity in service.tables() {
        entity_with_catalog(entity, &catalog, &mut problems);
    }
    Ok(problems)
}

/// A migrated database must satisfy its spec without so much as a warning.
fn spec_with_catalog(spec: &Spec, catalog: &Catalog, target: &Target) -> Vec<String> {
    let verdict = rules::check(&compare::pair(spec, catalog), &target.name);
    let findings = verdict.findings.iter().filter(|f| f.severity >= Severity::Warning);
    let findings = findings.map(|f| format!("after the migrations: {}: {}", f.rule, f.message.raw()));
    let unseen = verdict.unverified.iter().filter(|u| u.required);
    let unseen = unseen.map(|u| {
        format!(
            "after the migrations, not seen: {}: {}",
            u.object.dotted().raw(),
            u.reason.raw()
        )
    });
    findings.chain(unseen).collect()
}

fn entity_with_catalog(entity: &EntityTable, catalog: &Catalog, problems: &mut Vec<String>) {
    let found = catalog
        .sightings
        .iter()
        .find(|s| s.wanted == entity.name)
        .map(|s| &s.found);
    let Some(Found::Object(table)) = found else {
        problems.push(format!("the migrations make no table {}", entity.name));
        return;
    };
    let table: &Table = table;
    for column in &entity.columns {
        match table.columns.iter().find(|c| c.name == column.name) {
            None => problems.push(format!("the migrations make no column {}.{}", entity.name, column.name)),
            Some(made) if made.takes_null() != column.def.is_null() => problems.push(format!(
                "{}.{} takes NULL in the {} alone",
                entity.name,
                column.name,
                if made.takes_null() { "migrations" } else { "entity" }
            )),
            Some(made) if made.default.is_some() != column.def.get_column_default().is_some() => {
                problems.push(format!(
                    "{}.{} has a default in the {} alone",
                    entity.name,
                    column.name,
                    if made.default.is_some() { "migrations" } else { "entity" }
                ))
            }
            Some(_) => {}
        }
    }
    for made in &table.columns {
        if !entity.columns.iter().any(|c| c.name == made.name) {
            problems.push(format!(
                "the migrations make {}.{}, which the entity does not have",
                entity.name, made.name
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::services;
    use crate::spec;

    fn shipped(name: &str) -> (Service, String) {
        let service = services::shipped().into_iter().find(|s| s.name() == name).unwrap();
        let text = service.spec_text().unwrap().to_owned();
        (service, text)
    }

    #[test]
    fn the_shipped_entities_are_what_the_shipped_specs_say() {
        for service in services::shipped() {
            let spec = spec::parse("spec.yaml", service.spec_text().unwrap()).unwrap();
            assert_eq!(entities_with_spec(&service, &spec), [""; 0], "{}", service.name());
        }
    }

    #[test]
    fn each_kind_of_disagreement_is_told() {
        let (service, text) = shipped("asset");
        for (from, to, told) in [
            (
                "varchar(120)",
                "varchar(100)",
                "SourceService is varchar(100) in the spec and varchar(120) in the entity",
            ),
            (
                "TenantId:       { type: integer, nullable: true }",
                "TenantId: { type: integer }",
                "TenantId is not null",
            ),
            (
                "columns: [EventId], unique: true",
                "columns: [EventId]",
                "EventId is not unique in the spec and unique",
            ),
            ("      CorrelationId:", "      Causation:", "has no column Causation"),
            (
                "  ProcessedIntegrationEvents:",
                "  Others:",
                "no entity is for the table Others",
            ),
        ] {
            let changed = text.replacen(from, to, 1);
            assert_ne!(changed, text, "{from}");
            // A ledger without a unique event id is refused by the loader; the role plays no part here.
            let changed = changed.replace("role: ledger", "role: plain");
            let changed: String = match changed.find("    ledger:") {
                Some(at) => changed[..at].to_owned(),
                None => changed,
            };
            let spec = spec::parse("spec.yaml", &changed).unwrap_or_else(|p| panic!("{to}: {p:?}"));
            let problems = entities_with_spec(&service, &spec).join("\n");
            assert!(problems.contains(told), "{to}: {problems}");
        }
    }
}
