//! Indexes: key and carried columns, expressions, and whether they are in force.

use super::assemble::Context;
use super::rows::{IndexPartRow, IndexRow, TableRow};
use crate::dialect::Condition;
use crate::dialect::postgres::{columns_read, conditions, parse_type};
use crate::schema::{DataType, Index, IndexState, KeyExpr, KeyPart, PrimaryKey};

/// Makes an index.
pub(super) fn index(row: &IndexRow, table: &TableRow, context: &Context<'_>) -> Index {
    let key_parts = row.key_parts.min(row.parts.len());
    let (key, carried) = row.parts.split_at(key_parts);
    Index {
        name: row.name.clone(),
        generated_name: false,
        // An exclusion constraint refuses rows, as a unique index does; by what is in its parts.
        unique: row.unique || row.operators.is_some(),
        primary: row.primary,
        key: key
            .iter()
            .enumerate()
            .map(|(at, part)| KeyPart {
                operator: operator(row, at),
                ..key_part(part, row, table, context)
            })
            .collect(),
        include: carried.iter().filter_map(|part| part.column.clone()).collect(),
        predicate: row.predicate.clone().filter(|sql| leaves_out(sql)),
        method: row.method.clone(),
        serves_equality: serves_equality(row),
        nulls_not_distinct: row.nulls_not_distinct,
        state: state(row, table, context.builds_hidden),
        deferrable: !row.immediate,
        exclusion: row.operators.is_some(),
        constraint: row.constraint.clone(),
        ignored: false,
        on_conflict: None,
        relied_on: relied_on(row),
        definition: Some(row.definition.clone()),
    }
}

/// Returns whether the index leads to the rows of one value. One of block ranges or of signatures only rules rows out.
fn serves_equality(row: &IndexRow) -> bool {
    let leads = !matches!(row.method.as_str(), "brin" | "bloom");
    matches!(row.method.as_str(), "btree" | "hash") || (row.finds_equal && leads)
}

/// Returns whether a predicate is more than constants that hold, which the server evaluates away.
fn leaves_out(predicate: &str) -> bool {
    conditions(predicate).iter().any(|c| *c != Condition::Always)
}

fn relied_on(row: &IndexRow) -> Option<String> {
    match row.referenced_by.first() {
        Some(table) => Some(format!("a foreign key of `{table}` leads to it")),
        None => row
            .replica_identity
            .then(|| "it is the replica identity of the table".to_owned()),
    }
}

/// Returns the primary key.
pub(super) fn primary_key(table: &TableRow) -> Option<PrimaryKey> {
    let index = table.indexes.iter().find(|i| i.primary && i.partition.is_none())?;
    let key = index.parts.iter().take(index.key_parts);
    Some(PrimaryKey {
        name: index.constraint.clone().or_else(|| Some(index.name.clone())),
        columns: key.filter_map(|part| part.column.clone()).collect(),
        row_number: false,
    })
}

/// Returns the operator of a key part, if it is not equality.
fn operator(row: &IndexRow, at: usize) -> Option<String> {
    let operator = row.operators.as_ref()?.get(at)?;
    (operator != "=").then(|| operator.clone())
}

fn key_part(part: &IndexPartRow, index: &IndexRow, table: &TableRow, context: &Context<'_>) -> KeyPart {
    let ty = part_type(part, table);
    KeyPart {
        expr: key_expr(part, index),
        descending: part.descending,
        nulls_first: (index.method == "btree").then_some(part.nulls_first),
        prefix: None,
        collation: part
            .collation
            .and_then(|oid| context.collations.of_part(oid, part.column_collation, ty.as_ref())),
        // varchar_ops is text_ops by another name.
        operator: None,
        operator_class: part.operator_class.clone().filter(|class| class != "varchar_ops"),
        own_comparison: part.own_comparison == Some(true),
    }
}

fn key_expr(part: &IndexPartRow, index: &IndexRow) -> KeyExpr {
    if let Some(column) = &part.column {
        return KeyExpr::Column(column.clone());
    }
    let sql = part.expression.clone().unwrap_or_default();
    let known: Vec<&str> = index.reads.iter().map(String::as_str).collect();
    // The server knows what the whole index reads; which part reads what is seen in the expression.
    let columns = columns_read(&sql, &known).unwrap_or_else(|| index.reads.clone());
    KeyExpr::Expression { sql, columns }
}

/// Returns the type of an index part as far as it decides which texts are equal.
fn part_type(part: &IndexPartRow, table: &TableRow) -> Option<DataType> {
    match (&part.column, &part.expression) {
        (Some(name), _) => {
            let column = table.columns.iter().find(|c| c.name == *name)?;
            Some(parse_type(column.domains.last().map_or(&column.ty, |d| &d.base)))
        }
        (None, Some(sql)) if sql.contains("citext") => Some(DataType::Other("citext".to_owned())),
        _ => None,
    }
}

fn state(row: &IndexRow, table: &TableRow, builds_hidden: bool) -> IndexState {
    if row.valid && row.ready && row.live {
        return IndexState::Valid;
    }
    if row.building {
        return IndexState::Building;
    }
    let reason = match &row.attached {
        _ if !row.live => "it is being dropped".to_owned(),
        Some(attached) => {
            let lacking: Vec<&str> = table
                .heirs
                .iter()
                .filter(|h| h.parent == table.oid && !attached.contains(&h.oid))
                .map(|h| h.name.as_str())
                .collect();
            if lacking.is_empty() {
                "not all of its partitions have been taken in".to_owned()
            } else {
                format!("no valid index of partition {} is attached to it", lacking.join(", "))
            }
        }
        None if builds_hidden => "a concurrent build failed, or is being done right now by a role whose work this \
                                  role may not see"
            .to_owned(),
        None => "a concurrent build failed or was broken off".to_owned(),
    };
    IndexState::Invalid { reason }
}
