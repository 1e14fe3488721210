//! Gives columns their meaning.

use std::collections::BTreeMap;

use crate::dialect::Dialect;
use crate::schema::DataType;

use crate::yaml::{Entry, Fields, Kind, Node, Reader, describe, shorten};

use super::constant::read_constant;
use super::grammar::{COLUMN, COMPARISONS, DEFAULT, GENERATED, IDENTITIES, NO_DEFAULT, PINS};
use super::{At, ColumnSpec, DefaultSpec, TypeSpec, Wanted};

/// Reads one column.
pub(super) fn resolve_column(reader: &mut Reader, entry: &Entry) -> Option<ColumnSpec> {
    let name = entry.key.clone();
    let what = format!("column `{}`", shorten(&name.value));
    if let Some(word) = entry.value.word().filter(|_| !entry.value.is_null()) {
        reader
            .add(entry.value.at, format!("{what} must be a map, not `{}`", shorten(word)))
            .set_help(match name.value.split_once(['{', ' ']) {
                Some((name, _)) if word.ends_with('}') => {
                    format!("put a `:` behind the name: `{}: {{ … }}`", shorten(name))
                }
                _ => format!("write `{{ type: {} }}`", shorten(word)),
            });
        return None;
    }
    let fields = reader.fields(&entry.value, &COLUMN, &what, name.at)?;
    let owner = name.at;
    let ty = reader.fact(fields.get("type"), owner, Wanted::Silent, read_type);
    let nullable = reader.fact(fields.get("nullable"), owner, Wanted::Is(false), |r, node| {
        r.boolean("`nullable`", node)
    });
    let default = reader.fact(fields.get("default"), owner, Wanted::Silent, |r, node| {
        read_default(r, node, ty.value.guess())
    });
    let identity = reader.fact(fields.get("identity"), owner, Wanted::Silent, |r, node| {
        r.word("`identity`", node, &IDENTITIES)
    });
    let generated = reader.fact(fields.get("generated"), owner, Wanted::Silent, |r, node| {
        let fields = r.fields(node, &GENERATED, "`generated`", node.at)?;
        r.text("`sql`", &fields.get("sql")?.value)
    });
    let collation = reader.fact(fields.get("collation"), owner, Wanted::Silent, |r, node| {
        r.text("`collation`", node)
    });
    let compare = reader.fact(fields.get("compare"), owner, Wanted::Silent, |r, node| {
        r.word("`compare`", node, &COMPARISONS)
    });
    let values = reader.fact(fields.get("values"), owner, Wanted::Silent, |r, node| {
        let values = r.names("`values`", "a value", node)?;
        for value in &values {
            check_length(r, value, ty.value.guess());
        }
        Some(values.into_iter().map(|value| value.value).collect())
    });
    let mut column = ColumnSpec {
        confirmed: read_confirmed(reader, &fields),
        name,
        ty,
        nullable,
        default,
        identity,
        generated,
        collation,
        compare,
        values,
    };
    check_writers(reader, &column);
    check_default_is_allowed(reader, &column);
    check_text_facts(reader, &column);
    if !column.confirmed {
        open_column(&mut column);
    }
    Some(column)
}

/// Reads `confirmed`, which every object may carry.
pub(super) fn read_confirmed(reader: &mut Reader, fields: &Fields<'_>) -> bool {
    fields
        .get("confirmed")
        .and_then(|entry| reader.boolean("`confirmed`", &entry.value))
        .unwrap_or(true)
}

/// Makes every stated fact of a column an open one.
pub(super) fn open_column(column: &mut ColumnSpec) {
    column.confirmed = false;
    open_fact(&mut column.ty);
    open_fact(&mut column.nullable);
    open_fact(&mut column.default);
    open_fact(&mut column.identity);
    open_fact(&mut column.generated);
    open_fact(&mut column.collation);
    open_fact(&mut column.compare);
    open_fact(&mut column.values);
}

/// Makes a stated fact an open one, keeping it as the guess.
pub(super) fn open_fact<T>(fact: &mut At<Wanted<T>>) {
    fact.value = match std::mem::replace(&mut fact.value, Wanted::Silent) {
        Wanted::Is(value) => Wanted::Unconfirmed(Some(value)),
        other => other,
    };
}

/// Reads a type, or one per database.
fn read_type(reader: &mut Reader, node: &Node) -> Option<TypeSpec> {
    if !matches!(node.kind, Kind::Map(_)) {
        return read_data_type(reader, "`type`", node).map(|any| TypeSpec {
            any: Some(any),
            pins: BTreeMap::new(),
        });
    }
    let fields = reader.fields(node, &PINS, "`type`", node.at)?;
    let mut read = |key: &str| {
        let node = &fields.get(key)?.value;
        read_data_type(reader, &format!("`{key}`"), node)
    };
    let any = read("any");
    let mut pins = BTreeMap::new();
    for dialect in [Dialect::Postgres, Dialect::MySql, Dialect::MariaDb, Dialect::Sqlite] {
        if let Some(data) = read(dialect.as_str()) {
            pins.insert(dialect, data);
        }
    }
    if fields.names().all(|name| name == "confirmed") {
        reader
            .add(node.at, "`type` names no type".to_owned())
            .set_help("write `any:` with a type, and keys of databases for exceptions");
    }
    (any.is_some() || !pins.is_empty()).then_some(TypeSpec { any, pins })
}

fn read_data_type(reader: &mut Reader, what: &str, node: &Node) -> Option<DataType> {
    if !matches!(node.kind, Kind::Scalar { .. }) || node.is_null() {
        if !matches!(node.kind, Kind::Broken) {
            reader
                .add(node.at, format!("{what} must be a type, not {}", describe(node)))
                .set_help("write a type like `varchar(160)`, or `unconfirmed`");
        }
        return None;
    }
    let text = reader.text(what, node)?;
    let error = match text.parse() {
        Ok(data) => return Some(data),
        Err(error) => error,
    };
    let message = format!("{what} is not a type: in `{}`, {}", shorten(&text), error.reason);
    let help = match error.suggestion {
        Some(words) if words.contains(' ') => format!("write {words}"),
        Some(name) => format!("did you mean `{name}`?"),
        None if text.contains('(') && !text.contains(')') && node.word().is_some() => {
            "between braces a comma ends the value: put the type into quotes, \"numeric(18,2)\"".to_owned()
        }
        None => "write a type in standard SQL spelling: `uuid`, `varchar(160)`, `integer`, `timestamptz`".to_owned(),
    };
    reader.add(node.at, message).set_help(help);
    None
}

fn read_default(reader: &mut Reader, node: &Node, ty: Option<&TypeSpec>) -> Option<DefaultSpec> {
    match &node.kind {
        Kind::Map(_) => {
            let fields = reader.fields(node, &DEFAULT, "`default`", node.at)?;
            if let Some(entry) = fields.get("value") {
                return read_constant(reader, &entry.value, ty).map(DefaultSpec::Value);
            }
            reader.text("`sql`", &fields.get("sql")?.value).map(DefaultSpec::Sql)
        }
        Kind::Scalar { text, plain: true } if text == NO_DEFAULT[0].name => Some(DefaultSpec::None),
        Kind::Broken => None,
        Kind::Scalar { text, .. } if !node.is_null() => {
            let text = shorten(text);
            let help = if text.contains('(') || text.to_uppercase().starts_with("CURRENT_") {
                format!("write `{{ sql: \"{text}\" }}`")
            } else {
                format!("write `{{ value: \"{text}\" }}` for a constant, `{{ sql: … }}` for an expression")
            };
            reader
                .add(
                    node.at,
                    format!("`default` must be `none` or a map, not {}", describe(node)),
                )
                .set_help(help);
            None
        }
        _ => {
            reader
                .add(
                    node.at,
                    format!("`default` must be `none` or a map, not {}", describe(node)),
                )
                .set_help("write `none`, `{ value: … }` or `{ sql: … }`");
            None
        }
    }
}

/// Records a text that is longer than its column.
pub(super) fn check_length(reader: &mut Reader, value: &At<String>, ty: Option<&TypeSpec>) {
    let Some(limit) = ty.and_then(shortest) else { return };
    let length = value.value.chars().count();
    if length > limit as usize {
        let text = shorten(&value.value);
        reader
            .add(
                value.at,
                format!("`{text}` has {length} characters, but the column holds {limit}"),
            )
            .set_help("make the column longer or the value shorter");
    }
}

/// Returns the length of the shortest text type among a type and its pins.
fn shortest(ty: &TypeSpec) -> Option<u32> {
    let types = ty.any.iter().chain(ty.pins.values());
    types
        .filter_map(|data| match data {
            DataType::Char(n) | DataType::Varchar(Some(n)) => Some(*n),
            _ => None,
        })
        .min()
}

/// Records that more than one thing wants to fill the column.
fn check_writers(reader: &mut Reader, column: &ColumnSpec) {
    let has_default = matches!(
        column.default.value,
        Wanted::Is(DefaultSpec::Value(_) | DefaultSpec::Sql(_))
    );
    let writers: Vec<_> = [
        (has_default, "a default", column.default.at),
        (
            column.identity.value.stated().is_some(),
            "an identity",
            column.identity.at,
        ),
        (
            column.generated.value.stated().is_some(),
            "a generated value",
            column.generated.at,
        ),
    ]
    .into_iter()
    .filter(|(is_there, ..)| *is_there)
    .collect();
    if let [(_, first, first_at), (_, second, second_at), ..] = writers[..] {
        let name = shorten(&column.name.value);
        reader
            .problems
            .add_pair(
                second_at,
                format!("column `{name}` has {second} and {first}"),
                first_at,
                "the other one",
            )
            .set_help("keep one of the two");
    }
    let number = |data: &DataType| {
        matches!(
            data,
            DataType::TinyInt
                | DataType::SmallInt
                | DataType::MediumInt
                | DataType::Integer
                | DataType::BigInt
                | DataType::Numeric { .. }
        )
    };
    if column.identity.value.stated().is_some()
        && let Some(TypeSpec { any: Some(data), .. }) = column.ty.value.stated()
        && !number(data)
    {
        reader
            .add(
                column.identity.at,
                format!("`identity` needs a whole number, not `{data}`"),
            )
            .set_help("write `type: integer` or `type: bigint`");
    }
}

/// Records a default that is not among the allowed values, where both are stated.
fn check_default_is_allowed(reader: &mut Reader, column: &ColumnSpec) {
    use crate::schema::Literal;
    let Some(values) = column.values.value.stated() else {
        return;
    };
    let Some(DefaultSpec::Value(literal)) = column.default.value.stated() else {
        return;
    };
    let text = match literal {
        Literal::Text(text) | Literal::Number(text) => text.clone(),
        other => other.to_string(),
    };
    if !values.contains(&text) {
        let message = format!("the default `{}` is not among the `values`", shorten(&text));
        reader
            .problems
            .add_pair(column.default.at, message, column.values.at, "the allowed values")
            .set_help("letter case counts: write the default as it is stored");
    }
}

/// Records facts about texts in a column that holds none.
fn check_text_facts(reader: &mut Reader, column: &ColumnSpec) {
    let Some(ty) = column.ty.value.stated() else { return };
    let mut types = ty.any.iter().chain(ty.pins.values());
    if types.any(|data| crate::dialect::is_text(data) || matches!(data, DataType::Other(_))) {
        return;
    }
    for (is_there, key, at) in [
        (
            column.collation.value.guess().is_some(),
            "collation",
            column.collation.at,
        ),
        (column.compare.value.guess().is_some(), "compare", column.compare.at),
    ] {
        if is_there {
            let name = shorten(&column.name.value);
            reader
                .add(at, format!("`{key}` speaks of texts, and column `{name}` holds none"))
                .set_help(format!("remove `{key}`, or give the column a text type"));
        }
    }
}
