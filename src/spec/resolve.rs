//! Gives a whole spec its meaning: from a tree of nodes to a [`Spec`], with everything that is wrong on the way.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::yaml::grammar::UNCONFIRMED;
use crate::yaml::{Entry, Fields, Kind, Node, Problem, Problems, Reader, shorten};

use super::column::{open_column, open_fact, read_confirmed, resolve_column};
use super::cross_check::{check_index, check_table};
use super::grammar::{BLOCKS, CHECK, INDEX, KEY_PART, LEDGER, ORDERS, RETENTION, ROLES, SOURCE, SPEC, STATUSES, TABLE};
use super::{
    At, CheckSpec, IndexSpec, KeyExprSpec, KeyPartSpec, LedgerSpec, Position, RetentionSpec, Source, Spec, TableSpec,
    Wanted,
};

/// Resolves a tree.
pub(super) fn resolve(tree: &Node, problems: Problems) -> Result<Spec, Vec<Problem>> {
    let mut reader = Reader {
        problems,
        blocks: &BLOCKS,
    };
    let spec = resolve_spec(&mut reader, tree);
    match spec {
        Some(spec) if reader.problems.is_empty() => Ok(spec),
        _ => Err(reader.problems.finish()),
    }
}

fn resolve_spec(reader: &mut Reader, tree: &Node) -> Option<Spec> {
    let fields = reader.fields(tree, &SPEC, "the spec", tree.at)?;
    if let Some(entry) = fields.get("version") {
        reader.version(&entry.value);
    }
    let service = fields.get("service").and_then(|entry| {
        let name = reader.text("`service`", &entry.value)?;
        let name = At::new(name, entry.value.at);
        reader.check_name(&name, "the service");
        Some(name)
    });
    let summary = optional(reader, &fields, "summary");
    let owner = optional(reader, &fields, "owner");
    let sources = match fields.get("sources") {
        Some(entry) => reader
            .list("`sources`", &entry.value, resolve_source)
            .unwrap_or_default(),
        None => Vec::new(),
    };
    let mut tables = Vec::new();
    for entry in reader.named(fields.get("tables"), "a table") {
        tables.extend(resolve_table(reader, entry));
    }
    Some(Spec {
        file: reader.problems.source.name().to_owned(),
        text: Arc::clone(reader.problems.source.text()),
        service: service?,
        summary,
        owner,
        sources,
        tables,
    })
}

fn optional(reader: &mut Reader, fields: &Fields<'_>, key: &str) -> Option<String> {
    let node = &fields.get(key)?.value;
    reader.text(&format!("`{key}`"), node)
}

fn resolve_source(reader: &mut Reader, node: &Node) -> Option<Source> {
    let fields = reader.fields(node, &SOURCE, "a source", node.at)?;
    let reviewed = fields
        .get("reviewed")
        .and_then(|entry| reader.date("`reviewed`", &entry.value))
        .map(|date| date.to_string());
    let title = reader.text("`title`", &fields.get("title")?.value)?;
    Some(Source { title, reviewed })
}

fn resolve_table(reader: &mut Reader, entry: &Entry) -> Option<TableSpec> {
    let name = entry.key.clone();
    let what = format!("table `{}`", shorten(&name.value));
    let fields = reader.fields(&entry.value, &TABLE, &what, name.at)?;
    let role = fields
        .get("role")
        .and_then(|entry| reader.word("`role`", &entry.value, &ROLES))
        .unwrap_or_default();
    let status = fields
        .get("status")
        .and_then(|entry| reader.word("`status`", &entry.value, &STATUSES))
        .unwrap_or_default();
    let confirmed = read_confirmed(reader, &fields);
    let mut columns = Vec::new();
    for entry in reader.named(fields.get("columns"), "a column") {
        columns.extend(resolve_column(reader, entry));
    }
    let primary_key = reader.fact(fields.get("primary_key"), name.at, Wanted::Silent, |r, node| {
        let names = r.names("`primary_key`", "a column of `primary_key`", node)?;
        Some(names.into_iter().map(|name| name.value).collect())
    });
    let mut indexes = Vec::new();
    for entry in reader.named(fields.get("indexes"), "an index") {
        if let Some(index) = resolve_index(reader, entry) {
            check_index(reader, &index);
            indexes.push(index);
        }
    }
    let mut checks = Vec::new();
    for entry in reader.named(fields.get("checks"), "a check") {
        checks.extend(resolve_check(reader, entry));
    }
    let mut table = TableSpec {
        confirmed,
        role,
        status,
        columns_at: fields.key_at("columns", name.at),
        columns,
        primary_key,
        indexes_at: fields.key_at("indexes", name.at),
        indexes,
        checks,
        ledger: fields.get("ledger").and_then(|entry| resolve_ledger(reader, entry)),
        retention: fields
            .get("retention")
            .and_then(|entry| resolve_retention(reader, entry)),
        name,
    };
    check_table(reader, &table, &fields);
    if !table.confirmed {
        open_table(&mut table);
    }
    Some(table)
}

/// Makes everything below an unconfirmed table unconfirmed.
fn open_table(table: &mut TableSpec) {
    table.columns.iter_mut().for_each(open_column);
    open_fact(&mut table.primary_key);
    table.indexes.iter_mut().for_each(|index| index.confirmed = false);
    table.checks.iter_mut().for_each(|check| check.confirmed = false);
    if let Some(ledger) = &mut table.ledger {
        ledger.confirmed = false;
    }
    if let Some(retention) = &mut table.retention {
        retention.confirmed = false;
    }
}

fn resolve_index(reader: &mut Reader, entry: &Entry) -> Option<IndexSpec> {
    let name = entry.key.clone();
    let what = format!("index `{}`", shorten(&name.value));
    let fields = reader.fields(&entry.value, &INDEX, &what, name.at)?;
    let mut confirmed = read_confirmed(reader, &fields);
    let key = fields.get("columns").and_then(|entry| {
        let parts = reader.list("`columns`", &entry.value, resolve_key_part)?;
        Some(At::new(parts, entry.value.at))
    });
    let mut facts = OpenFacts {
        reader,
        fields: &fields,
        confirmed: &mut confirmed,
    };
    let unique = facts.read("unique", |r, node| r.boolean("`unique`", node));
    let predicate = facts.read("where", |r, node| r.text("`where`", node));
    let include = facts.read("include", |r, node| {
        let names = r.names("`include`", "a column of `include`", node)?;
        Some(names.into_iter().map(|name| name.value).collect())
    });
    let nulls_distinct = facts.read("nulls_distinct", |r, node| r.boolean("`nulls_distinct`", node));
    Some(IndexSpec {
        confirmed,
        key: key?,
        unique: unique.unwrap_or(At::new(false, name.at)),
        predicate,
        include,
        nulls_distinct,
        name,
    })
}

/// Reads facts whose owner is confirmed or not as a whole: one open fact makes the owner unconfirmed.
struct OpenFacts<'a, 'n> {
    reader: &'a mut Reader,
    fields: &'a Fields<'n>,
    confirmed: &'a mut bool,
}

impl OpenFacts<'_, '_> {
    fn read<T>(&mut self, key: &str, read: impl FnOnce(&mut Reader, &Node) -> Option<T>) -> Option<At<T>> {
        let entry = self.fields.get(key)?;
        let fact = self.reader.fact(Some(entry), entry.key.at, Wanted::Silent, read);
        let value = match fact.value {
            Wanted::Silent => None,
            Wanted::Is(value) => Some(value),
            Wanted::Unconfirmed(guess) => {
                *self.confirmed = false;
                guess
            }
        };
        value.map(|value| At::new(value, fact.at))
    }
}

fn resolve_key_part(reader: &mut Reader, node: &Node) -> Option<KeyPartSpec> {
    if !matches!(node.kind, Kind::Map(_)) {
        let name = reader.name("a column of `columns`", node)?;
        return Some(KeyPartSpec {
            expr: KeyExprSpec::Column(name),
            descending: None,
        });
    }
    let fields = reader.fields(node, &KEY_PART, "a part of `columns`", node.at)?;
    let descending = fields
        .get("order")
        .and_then(|entry| reader.word("`order`", &entry.value, &ORDERS));
    let expr = match fields.get("column") {
        Some(entry) => reader.name("`column`", &entry.value).map(KeyExprSpec::Column),
        None => reader.text("`sql`", &fields.get("sql")?.value).map(KeyExprSpec::Sql),
    };
    Some(KeyPartSpec {
        expr: expr?,
        descending,
    })
}

fn resolve_check(reader: &mut Reader, entry: &Entry) -> Option<CheckSpec> {
    let name = entry.key.clone();
    let what = format!("check `{}`", shorten(&name.value));
    let fields = reader.fields(&entry.value, &CHECK, &what, name.at)?;
    let confirmed = read_confirmed(reader, &fields);
    let node = &fields.get("sql")?.value;
    let sql = reader.text("`sql`", node)?;
    Some(CheckSpec {
        name,
        confirmed,
        sql: At::new(sql, node.at),
    })
}

fn resolve_ledger(reader: &mut Reader, entry: &Entry) -> Option<LedgerSpec> {
    let fields = reader.fields(&entry.value, &LEDGER, "`ledger`", entry.key.at)?;
    let mut confirmed = read_confirmed(reader, &fields);
    let event_id = column_name(reader, &fields, "event_id");
    let recorded_at = column_name(reader, &fields, "recorded_at");
    let mut facts = OpenFacts {
        reader,
        fields: &fields,
        confirmed: &mut confirmed,
    };
    let staleness_window = facts.read("staleness_window", |r, node| {
        r.duration("`staleness_window`", node, true)
    });
    let clock_skew = facts.read("clock_skew", |r, node| r.duration("`clock_skew`", node, false));
    let future_dating = facts.read("future_dating", |r, node| r.duration("`future_dating`", node, false));
    Some(LedgerSpec {
        event_id: event_id?,
        recorded_at,
        staleness_window,
        clock_skew,
        future_dating,
        confirmed,
    })
}

fn column_name(reader: &mut Reader, fields: &Fields<'_>, key: &str) -> Option<At<String>> {
    let node = &fields.get(key)?.value;
    let name = reader.name(&format!("`{key}`"), node)?;
    Some(At::new(name, node.at))
}

fn resolve_retention(reader: &mut Reader, entry: &Entry) -> Option<RetentionSpec> {
    let fields = reader.fields(&entry.value, &RETENTION, "`retention`", entry.key.at)?;
    let confirmed = read_confirmed(reader, &fields);
    let column = column_name(reader, &fields, "column");
    let horizon = fields
        .get("horizon")
        .and_then(|entry| resolve_horizon(reader, &entry.value));
    Some(RetentionSpec {
        at: entry.key.at,
        horizon: horizon?,
        column: column?,
        confirmed,
    })
}

fn resolve_horizon(reader: &mut Reader, node: &Node) -> Option<At<std::time::Duration>> {
    if node.word() == Some(UNCONFIRMED) {
        reader
            .add(node.at, "`horizon` must be a duration, not `unconfirmed`".to_owned())
            .set_help("write your best guess, and `confirmed: false` beside it");
        return None;
    }
    let horizon = reader.duration("`horizon`", node, false)?;
    if horizon.is_zero() {
        reader
            .add(node.at, "a `horizon` of 0 removes every row at once".to_owned())
            .set_help("write how long rows are kept, or remove `retention`");
        return None;
    }
    Some(At::new(horizon, node.at))
}

/// Returns where each column of a key is written, for key lists whose items have lost their places.
pub(super) fn item_places(node: &Node) -> BTreeMap<&str, Position> {
    let node = node.get(UNCONFIRMED).unwrap_or(node);
    let mut places = BTreeMap::new();
    if let Kind::List(items) = &node.kind {
        for item in items {
            if let Kind::Scalar { text, .. } = &item.kind {
                places.entry(text.as_str()).or_insert(item.at);
            } else if let Some(Node {
                kind: Kind::Scalar { text, .. },
                at,
            }) = item.get("column")
            {
                places.entry(text.as_str()).or_insert(*at);
            }
        }
    }
    places
}
