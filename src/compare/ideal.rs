//! The database that a spec describes: what every rule must be silent about.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::catalog::{Catalog, Found, Namespace, Rights, Server, Sighting};
use crate::dialect::{Dialect, Facts};
use crate::retention::{Evidence, Job, Record, Runs, Schedule, Scheduler, Task};
use crate::schema::{
    Check, Column, DataType, DefaultExpr, Generated, Identity, Index, KeyExpr, KeyPart, NativeType, PrimaryKey, Table,
};
use crate::spec::{ColumnSpec, DefaultSpec, DesiredType, IndexSpec, KeyExprSpec, Spec, TableSpec};

/// Makes the catalog of a database that is just what a spec says. Where the spec is silent or open, it has what
/// migrations make.
pub fn ideal(spec: &Spec, dialect: Dialect) -> Catalog {
    let facts = dialect.facts();
    let namespace = facts.default_namespace().map(str::to_owned);
    let sightings = spec
        .tables
        .iter()
        .map(|table| Sighting {
            wanted: table.name.value.clone(),
            found: Found::Object(Box::new(ideal_table(table, namespace.as_deref(), dialect))),
            lookalikes: Vec::new(),
            index_elsewhere: Vec::new(),
            shadowed_by: None,
        })
        .collect();
    Catalog {
        server: Server {
            dialect,
            version: String::new(),
            database: spec.service.value.clone(),
            role: None,
            settings: BTreeMap::new(),
            replica: false,
            remarks: Vec::new(),
            rights: Rights::default(),
        },
        namespace: Namespace {
            name: namespace,
            exists: true,
            visible_tables: spec.tables.len() as u64,
            alternatives: Vec::new(),
        },
        sightings,
        unseen: Vec::new(),
        retention: ideal_jobs(spec),
        data: BTreeMap::new(),
        queries: 0,
    }
}

/// A job that removes old rows as each retention block says, run from outside the database an hour ago.
fn ideal_jobs(spec: &Spec) -> Evidence {
    let hour = Duration::from_secs(60 * 60);
    let jobs = spec.tables.iter().filter_map(|table| {
        let retention = table.retention.as_ref()?;
        Some(Job {
            name: "ledger_retention".to_owned(),
            scheduler: Scheduler::Outside,
            role: None,
            task: Task::Declared {
                table: table.name.value.clone(),
                horizon: Some(retention.horizon.value),
            },
            schedule: Schedule::Every(24 * hour),
            stops: Vec::new(),
            runs: Runs {
                record: Record::Kept,
                recorded: 1,
                last_started: Some(hour),
                last_success: Some(hour),
                ..Runs::default()
            },
        })
    });
    Evidence {
        looked: true,
        jobs: jobs.collect(),
        ..Evidence::default()
    }
}

fn ideal_table(spec: &TableSpec, namespace: Option<&str>, dialect: Dialect) -> Table {
    let facts = dialect.facts();
    let mut table = Table::new(namespace, facts.stored_name(&spec.name.value));
    table.columns = spec
        .columns
        .iter()
        .map(|column| ideal_column(column, dialect))
        .collect();
    if let Some(columns) = spec.primary_key.value.guess() {
        let columns: Vec<String> = columns.iter().map(|c| facts.stored_name(c).to_owned()).collect();
        table.indexes.push(primary_index(&columns, &table));
        table.primary_key = Some(PrimaryKey {
            name: None,
            columns,
            row_number: false,
        });
    }
    for wanted in &spec.indexes {
        table.indexes.push(ideal_index(wanted, &table, facts));
    }
    table.checks = spec
        .checks
        .iter()
        .map(|check| Check {
            name: facts.stored_name(&check.name.value).to_owned(),
            sql: check.sql.value.clone(),
            columns: Vec::new(),
            validated: true,
            enforced: true,
        })
        .collect();
    table.normalize();
    table
}

fn ideal_column(spec: &ColumnSpec, dialect: Dialect) -> Column {
    let facts = dialect.facts();
    let desired = spec
        .ty
        .value
        .guess()
        .and_then(|ty| ty.on(dialect))
        .unwrap_or_else(any_text);
    let ty = facts.native_type(&desired);
    let mut collation = match spec.compare.value.guess() {
        Some(_) => facts.exact_collation(&desired),
        None => facts.usual_collation(&desired),
    };
    if let (Some(collation), Some(name)) = (&mut collation, spec.collation.value.guess()) {
        name.clone_into(&mut collation.name);
    }
    let identity = spec.identity.value.guess().copied();
    Column {
        nullable: spec.nullable.value.guess().copied().unwrap_or(false),
        default: spec
            .default
            .value
            .guess()
            .and_then(|default| ideal_default(default, &ty, facts)),
        default_text: spec
            .default
            .value
            .guess()
            .map(DefaultSpec::print)
            .filter(|text| text != "no default"),
        generated: spec.generated.value.guess().map(|sql| Generated {
            sql: sql.clone(),
            stored: true,
            reads: Vec::new(),
        }),
        identity: identity.map(|wanted| {
            if wanted == Identity::Always {
                wanted
            } else {
                facts.usual_identity()
            }
        }),
        collation,
        ..Column::plain(facts.stored_name(&spec.name.value), ty)
    }
}

/// What stands in for a column whose type the spec does not know.
fn any_text() -> DesiredType {
    DesiredType::unpinned(DataType::Text)
}

fn ideal_default(default: &DefaultSpec, ty: &NativeType, facts: &dyn Facts) -> Option<DefaultExpr> {
    match default {
        DefaultSpec::None => None,
        DefaultSpec::Value(value) => Some(DefaultExpr::Literal(facts.literal(value, ty))),
        DefaultSpec::Sql(sql) => facts.default_expr(sql, ty),
    }
}

fn primary_index(columns: &[String], table: &Table) -> Index {
    let key = columns.iter().map(|name| column_part(name, false, table)).collect();
    Index {
        primary: true,
        unique: true,
        key,
        ..Index::plain("PRIMARY")
    }
}

fn ideal_index(spec: &IndexSpec, table: &Table, facts: &dyn Facts) -> Index {
    let key = spec
        .key
        .value
        .iter()
        .map(|part| {
            let descending = part.descending.unwrap_or(false);
            match &part.expr {
                KeyExprSpec::Column(name) => column_part(facts.stored_name(name), descending, table),
                KeyExprSpec::Sql(sql) => KeyPart {
                    expr: KeyExpr::Expression {
                        sql: sql.clone(),
                        columns: Vec::new(),
                    },
                    descending,
                    ..KeyPart::column("")
                },
            }
        })
        .collect();
    Index {
        unique: spec.unique.value,
        key,
        include: spec.include.as_ref().map(|i| i.value.clone()).unwrap_or_default(),
        predicate: spec.predicate.as_ref().map(|p| p.value.clone()),
        nulls_not_distinct: spec.nulls_distinct.as_ref().is_some_and(|n| !n.value),
        ..Index::plain(facts.stored_name(&spec.name.value))
    }
}

fn column_part(name: &str, descending: bool, table: &Table) -> KeyPart {
    let column = table.columns.iter().find(|c| c.name == name);
    KeyPart {
        descending,
        collation: column.and_then(|c| c.collation.clone()),
        ..KeyPart::column(name)
    }
}
