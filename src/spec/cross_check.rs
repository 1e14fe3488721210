//! Checks facts of a table against each other: columns that are named must be there, and a ledger must be one.

use std::collections::BTreeSet;

use crate::schema::DataType;

use crate::yaml::grammar::nearest;
use crate::yaml::{Entry, Fields, Reader, shorten};

use super::resolve::item_places;
use super::{At, IndexSpec, KeyExprSpec, Position, Role, TableSpec, Wanted};

/// Checks an index against itself.
pub(super) fn check_index(reader: &mut Reader, index: &IndexSpec) {
    let name = shorten(&index.name.value);
    let mut seen = BTreeSet::new();
    for part in &index.key.value {
        if let KeyExprSpec::Column(column) = &part.expr
            && !seen.insert(column.as_str())
        {
            reader.add(
                index.key.at,
                format!("index `{name}` has column `{}` twice", shorten(column)),
            );
        }
    }
    if let Some(include) = &index.include {
        for column in include.value.iter().filter(|column| seen.contains(column.as_str())) {
            reader
                .add(
                    include.at,
                    format!("column `{}` is in the key of index `{name}` already", shorten(column)),
                )
                .set_help("remove it from `include`");
        }
    }
    if let Some(nulls) = &index.nulls_distinct
        && !index.unique.value
    {
        reader
            .add(
                nulls.at,
                format!("`nulls_distinct` has no meaning in index `{name}`, which is not unique"),
            )
            .set_help("remove it, or write `unique: true`");
    }
}

/// Checks a table against itself. Keys are looked up in `fields` for their places.
pub(super) fn check_table(reader: &mut Reader, table: &TableSpec, fields: &Fields<'_>) {
    // A column that could not be read is still there: only what the author wrote counts.
    let written = fields.get("columns").map(|entry| names_of(entry)).unwrap_or_default();
    let columns = Columns { table, written };
    check_keys(reader, &columns, fields);
    check_ledger(reader, &columns, fields);
    if let Some(retention) = &table.retention {
        columns.expect(reader, "`column`", &retention.column.value, retention.column.at);
        columns.expect_time(reader, "`column`", &retention.column);
    }
}

fn names_of(entry: &Entry) -> BTreeSet<&str> {
    match &entry.value.kind {
        crate::yaml::Kind::Map(entries) => entries.iter().map(|entry| entry.key.value.as_str()).collect(),
        _ => BTreeSet::new(),
    }
}

/// The columns of a table.
struct Columns<'a> {
    table: &'a TableSpec,
    written: BTreeSet<&'a str>,
}

impl Columns<'_> {
    /// Records a name that no column has.
    fn expect(&self, reader: &mut Reader, what: &str, name: &str, at: Position) {
        if self.written.contains(name) || self.written.is_empty() {
            return;
        }
        let table = shorten(&self.table.name.value);
        let near = if reader.problems.is_full() {
            None
        } else {
            let known: Vec<&str> = self.written.iter().copied().collect();
            nearest(name, &known)
        };
        let problem = reader.add(
            at,
            format!(
                "{what} names column `{}`, which table `{table}` does not have",
                shorten(name)
            ),
        );
        match near {
            Some((_, near)) => problem.set_help(format!("did you mean `{near}`? Letter case counts")),
            None => problem.set_help("add the column, or correct the name"),
        }
    }

    /// Records a column that cannot hold a point in time. Text and whole numbers can, on some databases.
    fn expect_time(&self, reader: &mut Reader, what: &str, name: &At<String>) {
        let ty = self
            .table
            .column(&name.value)
            .and_then(|column| column.ty.value.stated());
        let Some(data) = ty.and_then(|ty| ty.any.as_ref()) else {
            return;
        };
        let holds_time = matches!(
            data,
            DataType::Timestamp { .. }
                | DataType::DateTime { .. }
                | DataType::Date
                | DataType::Integer
                | DataType::BigInt
                | DataType::Numeric { .. }
                | DataType::Double
                | DataType::Other(_)
        ) || crate::dialect::is_text(data);
        if !holds_time {
            reader
                .add(
                    name.at,
                    format!(
                        "{what} needs a point in time, and column `{}` is `{data}`",
                        shorten(&name.value)
                    ),
                )
                .set_help("name the column with the time of recording");
        }
    }
}

fn check_keys(reader: &mut Reader, columns: &Columns<'_>, fields: &Fields<'_>) {
    let table = columns.table;
    if let (Some(key), Some(entry)) = (table.primary_key.value.guess(), fields.get("primary_key")) {
        let places = item_places(&entry.value);
        for name in key {
            let at = places.get(name.as_str()).copied().unwrap_or(table.primary_key.at);
            columns.expect(reader, "`primary_key`", name, at);
            check_not_nullable(reader, table, name, at);
        }
    }
    let Some(entry) = fields.get("indexes") else { return };
    for index in &table.indexes {
        let what = format!("index `{}`", shorten(&index.name.value));
        let node = entry.value.get(&index.name.value);
        let key_places = node
            .and_then(|node| node.get("columns"))
            .map(item_places)
            .unwrap_or_default();
        for part in &index.key.value {
            if let KeyExprSpec::Column(name) = &part.expr {
                let at = key_places.get(name.as_str()).copied().unwrap_or(index.key.at);
                columns.expect(reader, &what, name, at);
            }
        }
        if let Some(include) = &index.include {
            let places = node
                .and_then(|node| node.get("include"))
                .map(item_places)
                .unwrap_or_default();
            for name in &include.value {
                let at = places.get(name.as_str()).copied().unwrap_or(include.at);
                columns.expect(reader, &what, name, at);
            }
        }
    }
}

fn check_not_nullable(reader: &mut Reader, table: &TableSpec, name: &str, at: Position) {
    if let Some(column) = table.column(name)
        && column.nullable.value == Wanted::Is(true)
        && table.primary_key.value.stated().is_some()
    {
        let message = format!("column `{}` is in the primary key, and nullable", shorten(name));
        reader
            .problems
            .add_pair(column.nullable.at, message, at, "in the primary key here")
            .set_help("a primary key refuses NULL: remove `nullable: true`");
    }
}

fn check_ledger(reader: &mut Reader, columns: &Columns<'_>, fields: &Fields<'_>) {
    let table = columns.table;
    let name = shorten(&table.name.value);
    let block = fields.get("ledger");
    match (table.role, block) {
        (Role::Ledger, None) => {
            let at = fields.get("role").map_or(table.name.at, |entry| entry.value.at);
            reader
                .add(at, format!("table `{name}` is a ledger without a `ledger` block"))
                .set_help("add `ledger:` with `event_id: <column>`, the column that identifies an event");
        }
        (role, Some(block)) if role != Role::Ledger => {
            reader
                .add(
                    block.key.at,
                    format!("table `{name}` has a `ledger` block, and is not a ledger"),
                )
                .set_help("write `role: ledger`, or remove the block");
        }
        _ => {}
    }
    let Some(ledger) = &table.ledger else { return };
    let event_id = &ledger.event_id;
    columns.expect(reader, "`event_id`", &event_id.value, event_id.at);
    if let Some(recorded_at) = &ledger.recorded_at {
        columns.expect(reader, "`recorded_at`", &recorded_at.value, recorded_at.at);
        columns.expect_time(reader, "`recorded_at`", recorded_at);
    }
    if columns.written.contains(event_id.value.as_str())
        && keys_were_read(table, fields)
        && !is_kept_unique(table, &event_id.value)
    {
        reader
            .add(
                event_id.at,
                format!(
                    "nothing refuses a second row with the same `{}`",
                    shorten(&event_id.value)
                ),
            )
            .set_help("add a unique index on it; without one, an event is recorded twice");
    }
}

/// Returns whether every key that is written was also understood.
fn keys_were_read(table: &TableSpec, fields: &Fields<'_>) -> bool {
    let indexes = fields.get("indexes").map_or(0, |entry| names_of(entry).len());
    let primary_key = fields.get("primary_key").is_none() || table.primary_key.value != Wanted::Silent;
    indexes == table.indexes.len() && primary_key
}

/// Returns whether a unique key of the table holds a column. An open primary key may.
fn is_kept_unique(table: &TableSpec, column: &str) -> bool {
    let in_primary_key = match &table.primary_key.value {
        Wanted::Is(key) | Wanted::Unconfirmed(Some(key)) => key.iter().any(|name| name == column),
        Wanted::Unconfirmed(None) => true,
        Wanted::Silent => false,
    };
    let in_index = |index: &IndexSpec| {
        index.unique.value
            && index.key.value.iter().any(|part| match &part.expr {
                KeyExprSpec::Column(name) => name == column,
                KeyExprSpec::Sql(sql) => sql.contains(column),
            })
    };
    in_primary_key || table.indexes.iter().any(in_index)
}
