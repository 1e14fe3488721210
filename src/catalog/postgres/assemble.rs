//! From rows to a catalog. Pure: the same rows give the same catalog.

use std::collections::{BTreeMap, BTreeSet};

use super::columns::{self, Collations};
use super::rows::{CatalogRow, HeirRow, SessionRow, TableRow, WantedRow};
use super::{impostors, indexes, lookalikes, partitions, write_path};
use crate::catalog::{Catalog, Found, Namespace, Server, Sighting, near, not_null};
use crate::dialect::Dialect;
use crate::schema::{Child, Durability, Kind, PartitionIndex, RowSecurity, Table};

/// What all tables of one answer have in common.
pub(super) struct Context<'a> {
    /// The namespace that was looked in.
    pub(super) namespace: &'a str,
    /// Collations by OID.
    pub(super) collations: Collations,
    /// Whether an index is being built by a role whose work this one may not see.
    pub(super) builds_hidden: bool,
    /// Start of the snapshot in UTC.
    pub(super) now: chrono::NaiveDateTime,
}

/// Makes a catalog of what the queries brought back.
pub(super) fn assemble(session: &SessionRow, rows: &CatalogRow, namespace: &str) -> Catalog {
    let rows = &*impostors::mark(rows);
    let context = Context {
        namespace,
        collations: Collations::new(&rows.collations, &session.encoding),
        builds_hidden: rows.builds_hidden,
        now: session.now,
    };
    Catalog {
        server: server(session),
        namespace: space(rows, namespace),
        sightings: near::without_wanted(rows.tables.iter().map(|row| sighting(row, &context)).collect()),
        unseen: Vec::new(),
        retention: crate::retention::Evidence::default(),
        data: BTreeMap::new(),
        queries: 0,
    }
}

fn server(session: &SessionRow) -> Server {
    let mut remarks = Vec::new();
    if session.fsync == "off" {
        remarks.push("fsync is off: a crash of the machine can lose or damage any table.".to_owned());
    }
    if session.encoding == "SQL_ASCII" {
        remarks.push(
            "The database's encoding is SQL_ASCII: it keeps any bytes and converts none, so clients of different \
             encodings store one text in different forms."
                .to_owned(),
        );
    } else if session.encoding != "UTF8" {
        remarks.push(format!(
            "The database's encoding is {}: texts with other characters are refused.",
            session.encoding
        ));
    }
    // `15.18 (Debian 15.18-0+deb12u1)`: the packager's part means nothing here.
    let version = session.server_version.split_whitespace().next().unwrap_or_default();
    Server {
        dialect: Dialect::Postgres,
        version: version.to_owned(),
        database: session.database.clone(),
        role: Some(session.role.clone()),
        settings: session.settings.clone(),
        replica: session.replica,
        remarks,
    }
}

fn space(rows: &CatalogRow, namespace: &str) -> Namespace {
    let mut alternatives: BTreeSet<String> = rows
        .tables
        .iter()
        .flat_map(|t| t.elsewhere.iter().map(|e| e.namespace.clone()))
        .collect();
    if !rows.namespace.exists {
        alternatives.extend(lookalikes::close_names(namespace, &rows.namespace.others));
    }
    Namespace {
        name: Some(namespace.to_owned()),
        exists: rows.namespace.exists,
        visible_tables: rows.namespace.visible_tables,
        alternatives: alternatives.into_iter().collect(),
    }
}

fn sighting(row: &WantedRow, context: &Context<'_>) -> Sighting {
    let found = match &row.object {
        Some(object) => Found::Object(Box::new(table(object, context))),
        // pg_catalog hides nothing from any role, so what is not seen is not there.
        None => Found::Nothing,
    };
    let shadowed_by = row
        .resolves_to
        .as_ref()
        .filter(|r| r.namespace != context.namespace)
        .map(|r| format!("{}.{}", r.namespace, Dialect::Postgres.facts().stored_name(&row.wanted)));
    Sighting {
        wanted: row.wanted.clone(),
        found,
        lookalikes: lookalikes::lookalikes(row, context.namespace),
        index_elsewhere: row.index_elsewhere.clone(),
        shadowed_by,
    }
}

fn table(row: &TableRow, context: &Context<'_>) -> Table {
    let own = row.indexes.iter().filter(|i| i.partition.is_none());
    let partition_indexes = row.indexes.iter().filter_map(|i| {
        Some(PartitionIndex {
            partition: i.partition.clone()?,
            index: indexes::index(i, row, context),
        })
    });
    let mut table = Table {
        kind: kind(row),
        durability: durability(row),
        partitioning: partitions::partitioning(row, context.now),
        membership: partitions::membership(row, context.now),
        children: children(row),
        columns: row.columns.iter().map(|c| columns::column(c, row, context)).collect(),
        primary_key: indexes::primary_key(row),
        indexes: own.map(|i| indexes::index(i, row, context)).collect(),
        partition_indexes: partition_indexes.collect(),
        checks: write_path::checks(row),
        partition_checks: write_path::partition_checks(row),
        partition_not_nulls: write_path::partition_not_nulls(row),
        foreign_keys: write_path::foreign_keys(row),
        triggers: row
            .triggers
            .iter()
            .map(|t| write_path::trigger(t, context.namespace))
            .collect(),
        rules: row.rules.iter().map(write_path::rule).collect(),
        row_security: RowSecurity {
            enabled: row.row_security,
            forced: row.row_security_forced,
            policies: row.policies.iter().map(write_path::policy).collect(),
            open: write_path::is_open(&row.policies),
            owner: Some(row.owner.clone()),
        },
        ..Table::new(Some(context.namespace), &row.name)
    };
    table.normalize();
    not_null::note(&mut table, Dialect::Postgres.facts());
    table
}

fn kind(row: &TableRow) -> Kind {
    match row.kind.as_str() {
        "r" | "p" => Kind::Table,
        "v" => Kind::View {
            updatable: row.insertable,
            over: row.reads.clone(),
        },
        "m" => Kind::MaterializedView,
        "f" => Kind::ForeignTable,
        other => Kind::Other(lookalikes::kind_in_words(other).to_owned()),
    }
}

/// A partition can be unlogged although the table as a whole is not.
fn durability(row: &TableRow) -> Durability {
    let partitions = row.heirs.iter().filter(|_| row.kind == "p");
    let mut persistences = partitions
        .map(|h| h.persistence.as_str())
        .chain([row.persistence.as_str()]);
    match row.persistence.as_str() {
        "t" => Durability::Temporary,
        _ if persistences.any(|p| p == "u") => Durability::Unlogged,
        _ => Durability::Permanent,
    }
}

fn children(row: &TableRow) -> Vec<Child> {
    if row.kind == "p" {
        return Vec::new();
    }
    row.heirs.iter().map(child).collect()
}

fn child(heir: &HeirRow) -> Child {
    let mut unique_keys = heir.unique_keys.clone();
    unique_keys.sort();
    Child {
        name: format!("{}.{}", heir.namespace, heir.name),
        unique_keys,
    }
}
