//! Tables: rows of several catalogs put together.

use std::collections::BTreeMap;

use crate::catalog::not_null;
use crate::dialect::Dialect;
use crate::dialect::mysql::{Token, columns, tokens};
use crate::schema::{
    Aspect, Check, Collation, Column, Engine, ForeignKey, Index, IndexState, KeyExpr, KeyPart, Kind, PrimaryKey, Table,
};

use super::column::{column, unescaped, validates_json};
use super::grants::{Privileges, Sight};
use super::partition::partitioning;
use super::rows::{CheckRow, IndexRow, Rows, Session, TableRow};
use super::triggers::triggers;

/// What a table is made of beside its rows.
pub(super) struct Surroundings<'a> {
    pub(super) namespace: &'a str,
    pub(super) session: &'a Session,
    pub(super) sight: Sight,
    pub(super) privileges: &'a Privileges,
    pub(super) mariadb: bool,
}

impl Surroundings<'_> {
    fn dialect(&self) -> Dialect {
        if self.mariadb { Dialect::MariaDb } else { Dialect::MySql }
    }
}

/// Makes the table of a row, under the name it was wanted by.
pub(super) fn table(row: &TableRow, wanted: &str, rows: &Rows, around: &Surroundings<'_>) -> Table {
    let mine = |name: &str| name == row.name;
    let mut table = Table::new(Some(around.namespace), wanted);
    table.kind = kind(row, rows);
    table.engine = row.engine.as_deref().map(engine);
    let checks: Vec<&CheckRow> = rows.checks.iter().filter(|c| mine(&c.table)).collect();
    table.columns = rows
        .columns
        .iter()
        .filter(|c| mine(&c.table))
        .map(|c| column(c, &checks, row.collation.as_deref(), around.mariadb))
        .collect();
    // A part of an index over a hidden column is hidden too, so that what is left looks like another index.
    if around.sight.indexes {
        let engine = row.engine.as_deref().unwrap_or_default();
        table.indexes = indexes(rows.indexes.iter().filter(|i| mine(&i.table)), &table.columns, engine);
        if table.kind == Kind::SystemVersioned {
            forget_history(&mut table);
        }
        table.primary_key = table.indexes.iter().find(|i| i.primary).map(|index| PrimaryKey {
            name: None,
            columns: index
                .key
                .iter()
                .filter_map(KeyPart::as_column)
                .map(str::to_owned)
                .collect(),
            row_number: false,
        });
        table.foreign_keys = foreign_keys(&row.name, rows, around.namespace);
    }
    table.checks = checks
        .iter()
        .filter(|c| !is_json_check(c, &table.columns))
        .map(|c| Check {
            name: c.name.clone(),
            sql: if around.mariadb {
                c.sql.clone()
            } else {
                unescaped(&c.sql)
            },
            columns: columns(&c.sql),
            validated: true,
            enforced: c.enforced == "YES",
        })
        .collect();
    table.triggers = triggers(&row.name, rows, around);
    let partitions: Vec<_> = rows.partitions.iter().filter(|p| mine(&p.table)).collect();
    table.partitioning = partitioning(&partitions, &table.columns, around.session, around.mariadb);
    unseen(&mut table, around.sight);
    table.normalize();
    not_null::note(&mut table, around.dialect().facts());
    table
}

fn kind(row: &TableRow, rows: &Rows) -> Kind {
    let federated = |name: &str| ["FEDERATED", "SPIDER"].iter().any(|f| name.eq_ignore_ascii_case(f));
    match row.kind.as_str() {
        "BASE TABLE" if row.engine.as_deref().is_some_and(federated) => Kind::ForeignTable,
        "BASE TABLE" => Kind::Table,
        "SYSTEM VERSIONED" => Kind::SystemVersioned,
        "VIEW" | "SYSTEM VIEW" => {
            let view = rows.views.iter().find(|v| v.table == row.name);
            Kind::View {
                updatable: view.map(|v| v.updatable == "YES"),
                over: view
                    .and_then(|v| v.definition.as_deref())
                    .map(sources)
                    .unwrap_or_default(),
            }
        }
        other => Kind::Other(other.to_lowercase()),
    }
}

/// Finds the tables that a view's definition reads. The server prints each as `` `database`.`table` `` behind
/// FROM or JOIN, perhaps behind parentheses.
fn sources(definition: &str) -> Vec<String> {
    let words = tokens(definition);
    let mut found = Vec::new();
    let mut expected = false;
    for (at, word) in words.iter().enumerate() {
        match (word, words.get(at + 1), words.get(at + 2)) {
            (Token::Name(database), Some(dot), Some(Token::Name(table))) if expected && dot.is(".") => {
                found.push(format!("{database}.{table}"));
                expected = false;
            }
            _ if word.is_word("from") || word.is_word("join") => expected = true,
            _ if word.is("(") => {}
            _ => expected = false,
        }
    }
    found.sort();
    found.dedup();
    found
}

/// What is known of storage engines. An unknown one is taken for one without transactions.
fn engine(name: &str) -> Engine {
    let lower = name.to_ascii_lowercase();
    let transactional = matches!(
        lower.as_str(),
        "innodb" | "xtradb" | "rocksdb" | "myrocks" | "tokudb" | "ndbcluster" | "ndb"
    );
    Engine {
        name: name.to_owned(),
        transactional,
        durable: !matches!(lower.as_str(), "memory" | "heap" | "blackhole"),
        usual: lower == "innodb",
    }
}

fn indexes<'a>(rows: impl Iterator<Item = &'a IndexRow>, columns: &[Column], engine: &str) -> Vec<Index> {
    let mut parts: BTreeMap<&str, Vec<&IndexRow>> = BTreeMap::new();
    for row in rows {
        parts.entry(&row.name).or_default().push(row);
    }
    parts
        .into_values()
        .map(|mut parts| {
            parts.sort_by_key(|p| p.position);
            index(&parts, columns, engine)
        })
        .collect()
}

/// Takes the end of a row's time out of unique keys, to which the server adds it: it is the same for all rows that
/// are not history yet, so that it makes no difference among them.
fn forget_history(table: &mut Table) {
    let ends = |c: &&Column| {
        c.generated
            .as_ref()
            .is_some_and(|g| g.sql.eq_ignore_ascii_case("row end"))
    };
    let Some(end) = table.columns.iter().find(ends).map(|c| c.name.clone()) else {
        return;
    };
    for index in table.indexes.iter_mut().filter(|i| i.unique && i.key.len() > 1) {
        index.key.retain(|part| part.as_column() != Some(end.as_str()));
    }
}

/// Makes an index from its parts, of which there is at least one.
fn index(parts: &[&IndexRow], columns: &[Column], engine: &str) -> Index {
    let first = parts[0];
    let method = first.method.to_ascii_lowercase();
    // Only these engines have hash indexes. Elsewhere HASH means a unique key over long values, kept by a hidden
    // column (MariaDB): duplicates are refused, but no look-up uses it.
    let hashes = ["memory", "heap", "ndbcluster", "ndb"]
        .iter()
        .any(|e| engine.eq_ignore_ascii_case(e));
    let primary = first.name == "PRIMARY";
    Index {
        name: first.name.clone(),
        generated_name: false,
        unique: first.non_unique == 0,
        primary,
        key: parts.iter().map(|part| key_part(part, columns)).collect(),
        include: Vec::new(),
        predicate: None,
        serves_equality: method == "btree" || (method == "hash" && hashes),
        method,
        nulls_not_distinct: false,
        state: IndexState::Valid,
        deferrable: false,
        exclusion: false,
        constraint: None,
        ignored: first.ignored == "YES",
        on_conflict: None,
        relied_on: None,
        definition: None,
    }
}

fn key_part(row: &IndexRow, observed: &[Column]) -> KeyPart {
    let expr = match (&row.column, &row.expression) {
        (Some(name), _) => KeyExpr::Column(name.clone()),
        (None, Some(sql)) => {
            let sql = unescaped(sql);
            KeyExpr::Expression {
                columns: columns(&sql),
                sql,
            }
        }
        // A part that is neither is one that the role may not see.
        (None, None) => KeyExpr::Expression {
            sql: "?".to_owned(),
            columns: Vec::new(),
        },
    };
    let column = row
        .column
        .as_deref()
        .and_then(|name| observed.iter().find(|c| c.name == name));
    KeyPart {
        expr,
        descending: row.order.as_deref() == Some("D"),
        nulls_first: None,
        prefix: row.prefix,
        // A part has its column's collation and cannot have one of its own.
        collation: column.and_then(|c| c.collation.clone()).map(|collation| Collation {
            explicit: false,
            ..collation
        }),
        operator: None,
        operator_class: None,
        own_comparison: false,
    }
}

/// What a foreign key does, where the role may not see it.
const HIDDEN: &str = "not visible";

fn foreign_keys(table: &str, rows: &Rows, namespace: &str) -> Vec<ForeignKey> {
    let mut keys: BTreeMap<&str, Vec<_>> = BTreeMap::new();
    for row in rows.references.iter().filter(|r| r.table == table) {
        keys.entry(&row.name).or_default().push(row);
    }
    let mut made = Vec::new();
    for (name, mut parts) in keys {
        parts.sort_by_key(|p| p.position);
        let first = parts[0];
        let action = rows.actions.iter().find(|a| a.table == table && a.name == name);
        made.push(ForeignKey {
            name: name.to_owned(),
            partition: None,
            columns: parts.iter().map(|p| p.column.clone()).collect(),
            referenced_table: match first.referenced_namespace.as_deref() {
                Some(other) if other != namespace => format!("{other}.{}", first.referenced_table),
                _ => first.referenced_table.clone(),
            },
            referenced_columns: parts.iter().filter_map(|p| p.referenced_column.clone()).collect(),
            on_delete: action.map_or_else(|| HIDDEN.to_owned(), |a| a.on_delete.clone()),
            enforced: true,
        });
    }
    made
}

/// The check that makes a LONGTEXT a JSON is part of the type.
fn is_json_check(check: &CheckRow, columns: &[Column]) -> bool {
    columns
        .iter()
        .any(|c| c.ty.data == crate::schema::DataType::Json && validates_json(check, &c.name))
}

/// Notes what the role could not see.
fn unseen(table: &mut Table, sight: Sight) {
    if !sight.columns {
        table.unseen.insert(Aspect::Columns);
    }
    if !sight.indexes {
        table
            .unseen
            .extend([Aspect::Indexes, Aspect::PrimaryKey, Aspect::ForeignKeys]);
    }
    if !sight.checks {
        table.unseen.insert(Aspect::Checks);
    }
    if table.foreign_keys.iter().any(|key| key.on_delete == HIDDEN) {
        table.unseen.insert(Aspect::ForeignKeys);
    }
    // Who sees one trigger of a table sees all of them, but not always what they do.
    if !sight.triggers && table.triggers.iter().all(|trigger| trigger.body.is_none()) {
        table.unseen.insert(Aspect::WritePath);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_differ_in_what_they_keep() {
        for (name, transactional, durable, usual) in [
            ("InnoDB", true, true, true),
            ("ROCKSDB", true, true, false),
            ("Aria", false, true, false),
            ("MyISAM", false, true, false),
            ("MEMORY", false, false, false),
            ("BLACKHOLE", false, false, false),
            ("Shiny", false, true, false),
        ] {
            let facts = engine(name);
            assert_eq!(
                (facts.transactional, facts.durable, facts.usual),
                (transactional, durable, usual),
                "{name}"
            );
        }
    }

    #[test]
    fn the_tables_under_a_view_are_found() {
        assert_eq!(sources("select `d`.`a`.`id` AS `id` from `d`.`a`"), ["d.a"]);
        assert_eq!(
            sources("select 1 AS `1` from (`d`.`b` join `e`.`a` on(`d`.`b`.`x` = `e`.`a`.`x`))"),
            ["d.b", "e.a"]
        );
        assert!(sources("").is_empty());
    }
}
