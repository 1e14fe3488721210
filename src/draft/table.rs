//! From an observed table to one that is wanted.

use std::collections::BTreeSet;

use super::ledger;
use super::sheet::{Sheet, unwritten};
use crate::schema::{
    Aspect, Column, DataType, DefaultExpr, Generated, Index, IndexState, KeyExpr, KeyPart, Kind, PrimaryKey, Table,
};
use crate::spec::{
    CheckSpec, ColumnSpec, DefaultSpec, IndexSpec, KeyExprSpec, KeyPartSpec, Role, Spot, Status, TableSpec, TypeSpec,
    Wanted, is_statable,
};

/// Puts an observed table on the sheet; tells whether it is one that a spec can ask for. Of what the role does not see,
/// `told` is said of all tables at once.
pub(super) fn add(sheet: &mut Sheet, table: &Table, told: &BTreeSet<Aspect>) -> bool {
    if !matches!(table.kind, Kind::Table | Kind::SystemVersioned) || table.columns.is_empty() {
        return false;
    }
    let at = unwritten(()).at;
    sheet.spec.tables.push(TableSpec {
        name: unwritten(table.name.clone()),
        confirmed: true,
        role: Role::Plain,
        status: Status::Implemented,
        columns_at: at,
        columns: Vec::new(),
        primary_key: unwritten(match &table.primary_key {
            Some(key) => Wanted::Is(key.columns.clone()),
            None => Wanted::Silent,
        }),
        indexes_at: at,
        indexes: Vec::new(),
        checks: Vec::new(),
        ledger: None,
        retention: None,
    });
    for column in in_order(table) {
        add_column(sheet, table, column);
    }
    for index in &table.indexes {
        add_index(sheet, table, index);
    }
    add_checks(sheet, table);
    ledger::guess(sheet, table);
    for aspect in table.unseen.difference(told) {
        let remark = format!("Not seen by the role that pulled this: {}.", aspect.as_str());
        sheet.remark(&table.name, Spot::Table, remark);
    }
    true
}

/// Returns the columns as people look for them: the primary key first.
fn in_order(table: &Table) -> Vec<&Column> {
    let key: &[String] = table.primary_key.as_ref().map_or(&[], |key| &key.columns);
    let mut columns: Vec<&Column> = table.columns.iter().collect();
    let place = |column: &Column| key.iter().position(|name| *name == column.name).unwrap_or(usize::MAX);
    columns.sort_by_key(|column| place(column));
    columns
}

fn add_column(sheet: &mut Sheet, table: &Table, column: &Column) {
    let ty = wanted_type(column);
    if ty == Wanted::Unconfirmed(None) {
        let remark = format!("The type is `{}`, for which specs have no word.", column.ty.spelling);
        sheet.remark(&table.name, Spot::Column(column.name.clone()), remark);
    }
    let default = wanted_default(column, &ty);
    if default == Wanted::Unconfirmed(None) {
        let remark = "It has a default that this program could not read.";
        sheet.remark(&table.name, Spot::Column(column.name.clone()), remark);
    }
    let spec = ColumnSpec {
        name: unwritten(column.name.clone()),
        confirmed: true,
        ty: unwritten(ty),
        nullable: unwritten(Wanted::Is(
            column.takes_null() && !is_in_key(table.primary_key.as_ref(), column),
        )),
        default: unwritten(default),
        identity: unwritten(column.identity.map_or(Wanted::Silent, Wanted::Is)),
        generated: unwritten(match &column.generated {
            Some(Generated { sql, .. }) => Wanted::Is(sql.clone()),
            None => Wanted::Silent,
        }),
        collation: unwritten(Wanted::Silent),
        compare: unwritten(Wanted::Silent),
        values: unwritten(match &column.allowed_values {
            Some(values) => Wanted::Is(values.clone()),
            None => Wanted::Silent,
        }),
    };
    if let Some(table) = sheet.table(&table.name) {
        table.columns.push(spec);
    }
}

fn is_in_key(key: Option<&PrimaryKey>, column: &Column) -> bool {
    key.is_some_and(|key| key.columns.contains(&column.name))
}

/// Returns a column's type, if a spec can say it.
fn wanted_type(column: &Column) -> Wanted<TypeSpec> {
    let data = match (&column.ty.data, column.ty.width) {
        (DataType::TinyInt, Some(1)) => DataType::Boolean,
        (data, _) => data.clone(),
    };
    match data.to_string().parse::<DataType>() {
        Ok(read) if read == data => Wanted::Is(TypeSpec {
            any: Some(data),
            pins: std::collections::BTreeMap::new(),
        }),
        _ => Wanted::Unconfirmed(None),
    }
}

fn wanted_default(column: &Column, ty: &Wanted<TypeSpec>) -> Wanted<DefaultSpec> {
    if column.identity.is_some() || column.generated.is_some() {
        return Wanted::Silent;
    }
    let data = match ty {
        Wanted::Is(ty) => ty.any.as_ref(),
        _ => None,
    };
    match &column.default {
        None | Some(DefaultExpr::NextValue(_)) => Wanted::Silent,
        Some(DefaultExpr::Literal(literal)) if is_statable(literal, data) => {
            Wanted::Is(DefaultSpec::Value(literal.clone()))
        }
        Some(_) => match &column.default_text {
            Some(text) if !text.trim().is_empty() => Wanted::Is(DefaultSpec::Sql(text.clone())),
            _ => Wanted::Unconfirmed(None),
        },
    }
}

fn add_index(sheet: &mut Sheet, table: &Table, index: &Index) {
    if index.primary {
        return;
    }
    if index.exclusion || has_doubles(&index.key) || index.key.is_empty() {
        let remark = format!("Specs have no word for the index `{}`, so it is left out.", index.name);
        sheet.remark(&table.name, Spot::Table, remark);
        return;
    }
    let name = match index.generated_name {
        true => made_up_name(table, index),
        false => index.name.clone(),
    };
    let flaw = flaw(index);
    let spec = IndexSpec {
        name: unwritten(name.clone()),
        confirmed: flaw.is_none(),
        key: unwritten(index.key.iter().map(part).collect()),
        unique: unwritten(index.unique),
        predicate: index.predicate.clone().map(unwritten),
        include: Some(index.include.clone())
            .filter(|names| !names.is_empty())
            .map(unwritten),
        nulls_distinct: (index.unique && index.nulls_not_distinct).then(|| unwritten(false)),
    };
    if let Some(flaw) = flaw {
        sheet.remark(&table.name, Spot::Index(name), flaw);
    }
    if let Some(table) = sheet.table(&table.name) {
        table.indexes.push(spec);
    }
}

/// Says what a spec cannot say of an index.
fn flaw(index: &Index) -> Option<String> {
    let says = |what: &str| Some(format!("Specs cannot say it: {what}."));
    if index.key.iter().any(|part| part.prefix.is_some()) {
        return says("it holds only the beginning of a column");
    }
    if index.key.iter().any(|part| part.operator_class.is_some()) {
        return says("it has an operator class of its own");
    }
    match &index.state {
        IndexState::Valid => None,
        IndexState::Invalid { reason } => Some(format!("It is not in force: {reason}")),
        IndexState::Building => Some("It is being built right now.".to_owned()),
    }
}

fn has_doubles(key: &[KeyPart]) -> bool {
    let mut seen = BTreeSet::new();
    !key.iter().filter_map(KeyPart::as_column).all(|name| seen.insert(name))
}

fn part(part: &KeyPart) -> KeyPartSpec {
    KeyPartSpec {
        expr: match &part.expr {
            KeyExpr::Column(name) => KeyExprSpec::Column(name.clone()),
            KeyExpr::Expression { sql, .. } => KeyExprSpec::Sql(sql.clone()),
        },
        descending: part.descending.then_some(true),
    }
}

/// Makes a name for an index whose own one the server made up.
fn made_up_name(table: &Table, index: &Index) -> String {
    let columns: Vec<&str> = index.key.iter().filter_map(KeyPart::as_column).collect();
    let mut name = format!("UX_{}_{}", table.name, columns.join("_"));
    while table.indexes.iter().any(|other| other.name == name) {
        name.push('_');
    }
    name
}

fn add_checks(sheet: &mut Sheet, table: &Table) {
    for check in &table.checks {
        let spec = CheckSpec {
            name: unwritten(check.name.clone()),
            confirmed: check.enforced,
            sql: unwritten(check.sql.clone()),
        };
        if let Some(table) = sheet.table(&table.name) {
            table.checks.push(spec);
        }
    }
}
