//! Writes a spec back as YAML, in one canonical form that reads back to the same spec.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use crate::schema::Literal;
use crate::text::{Terminal, is_deceptive};

use super::duration::print_duration;
use super::grammar::{COMPARISONS, IDENTITIES, ROLES, STATUSES};
use super::{
    At, ColumnSpec, DefaultSpec, IndexSpec, KeyExprSpec, KeyPartSpec, LedgerSpec, RetentionSpec, Role, Spec, Status,
    TableSpec, TypeSpec, Wanted,
};
use crate::yaml::grammar::{UNCONFIRMED, Word};

/// Something of a table that a comment can stand above.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Spot {
    /// The table itself.
    Table,
    /// A column.
    Column(String),
    /// The primary key.
    Key,
    /// An index.
    Index(String),
    /// A check.
    Check(String),
    /// What makes it a ledger.
    Ledger,
}

/// Comments on a spec, by table and spot.
#[derive(Clone, Debug, Default)]
pub struct Remarks(BTreeMap<(String, Spot), Vec<String>>);

impl Remarks {
    /// Puts a comment on something of a table, once.
    pub fn add(&mut self, table: &str, spot: Spot, text: String) {
        let texts = self.0.entry((table.to_owned(), spot)).or_default();
        if !texts.contains(&text) {
            texts.push(text);
        }
    }

    /// Takes the comments on something of a table away.
    pub fn clear(&mut self, table: &str, spot: &Spot) {
        self.0.remove(&(table.to_owned(), spot.clone()));
    }

    /// Returns the comments on something of a table, as lines.
    fn lines(&self, table: &str, spot: Spot) -> Vec<String> {
        let texts = self.0.get(&(table.to_owned(), spot)).into_iter().flatten();
        texts.map(|text| format!("# {}", Terminal(text))).collect()
    }
}

/// Prints a spec as YAML. Comments of the original are lost.
pub fn print_spec(spec: &Spec) -> String {
    print_remarked(spec, &Remarks::default())
}

/// Prints a spec as YAML, with comments.
pub fn print_remarked(spec: &Spec, remarks: &Remarks) -> String {
    let mut out = format!(
        "version: {}\nservice: {}\n",
        crate::yaml::VERSION,
        scalar(&spec.service.value)
    );
    let mut line = |text: String| {
        out.push_str(&text);
        out.push('\n');
    };
    if let Some(summary) = &spec.summary {
        line(format!("summary: {}", scalar(summary)));
    }
    if let Some(owner) = &spec.owner {
        line(format!("owner: {}", scalar(owner)));
    }
    if !spec.sources.is_empty() {
        line("sources:".to_owned());
    }
    for source in &spec.sources {
        let mut fields = vec![format!("title: {}", scalar(&source.title))];
        fields.extend(source.reviewed.as_ref().map(|date| format!("reviewed: {date}")));
        line(format!("  - {}", braces(&fields)));
    }
    line("\ntables:".to_owned());
    for table in &spec.tables {
        print_table(&mut out, table, remarks);
    }
    out
}

fn print_table(out: &mut String, table: &TableSpec, remarks: &Remarks) {
    let remarks = |spot: Spot| remarks.lines(&table.name.value, spot);
    let mut line = |depth: usize, text: &str| {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{:width$}{text}", "", width = depth * 2);
    };
    remarks(Spot::Table).iter().for_each(|text| line(1, text));
    line(1, &format!("{}:", scalar(&table.name.value)));
    remarks(Spot::Ledger).iter().for_each(|text| line(2, text));
    if table.role != Role::default() {
        line(2, &format!("role: {}", name_of(&ROLES, &table.role)));
    }
    if table.status != Status::default() {
        line(2, &format!("status: {}", name_of(&STATUSES, &table.status)));
    }
    if !table.confirmed {
        line(2, "confirmed: false");
    }
    line(2, "columns:");
    for column in &table.columns {
        let owned = !table.confirmed || !column.confirmed;
        let fields = column_fields(column, table.confirmed, owned);
        remarks(Spot::Column(column.name.value.clone()))
            .iter()
            .for_each(|text| line(3, text));
        line(3, &format!("{}: {}", scalar(&column.name.value), braces(&fields)));
    }
    let key = fact("primary_key", &table.primary_key, !table.confirmed, |names| list(names));
    remarks(Spot::Key).iter().for_each(|text| line(2, text));
    if let Some(key) = key {
        line(2, &key);
    }
    if !table.indexes.is_empty() {
        line(2, "indexes:");
    }
    for index in &table.indexes {
        let fields = index_fields(index, table.confirmed);
        remarks(Spot::Index(index.name.value.clone()))
            .iter()
            .for_each(|text| line(3, text));
        line(3, &format!("{}: {}", scalar(&index.name.value), braces(&fields)));
    }
    if !table.checks.is_empty() {
        line(2, "checks:");
    }
    for check in &table.checks {
        let mut fields = vec![format!("sql: {}", quoted(&check.sql.value))];
        fields.extend(open_flag(check.confirmed, table.confirmed));
        remarks(Spot::Check(check.name.value.clone()))
            .iter()
            .for_each(|text| line(3, text));
        line(3, &format!("{}: {}", scalar(&check.name.value), braces(&fields)));
    }
    if let Some(ledger) = &table.ledger {
        line(
            2,
            &format!("ledger: {}", braces(&ledger_fields(ledger, table.confirmed))),
        );
    }
    if let Some(retention) = &table.retention {
        line(
            2,
            &format!("retention: {}", braces(&retention_fields(retention, table.confirmed))),
        );
    }
}

/// Prints a column's facts. `owned` says that the column or its table is unconfirmed as a whole, so that open facts
/// need no mark of their own.
fn column_fields(column: &ColumnSpec, table_confirmed: bool, owned: bool) -> Vec<String> {
    let mut fields = Vec::new();
    fields.extend(fact("type", &column.ty, owned, print_type));
    if *column.nullable.value.guess().unwrap_or(&true) || (column.nullable.value.is_unconfirmed() && !owned) {
        fields.extend(fact("nullable", &column.nullable, owned, bool::to_string));
    }
    fields.extend(fact("default", &column.default, owned, print_default));
    fields.extend(fact("identity", &column.identity, owned, |value| {
        name_of(&IDENTITIES, value).to_owned()
    }));
    fields.extend(fact("generated", &column.generated, owned, |sql| {
        format!("{{ sql: {} }}", quoted(sql))
    }));
    fields.extend(fact("collation", &column.collation, owned, |name| scalar(name)));
    fields.extend(fact("compare", &column.compare, owned, |value| {
        name_of(&COMPARISONS, value).to_owned()
    }));
    fields.extend(fact("values", &column.values, owned, |values| list(values)));
    fields.extend(open_flag(column.confirmed, table_confirmed));
    fields
}

/// Prints a fact, unless the spec is silent about it.
fn fact<T>(key: &str, fact: &At<Wanted<T>>, owned: bool, print: impl Fn(&T) -> String) -> Option<String> {
    match &fact.value {
        Wanted::Silent => None,
        Wanted::Is(value) => Some(format!("{key}: {}", print(value))),
        Wanted::Unconfirmed(None) => Some(format!("{key}: {UNCONFIRMED}")),
        Wanted::Unconfirmed(Some(value)) if owned => Some(format!("{key}: {}", print(value))),
        Wanted::Unconfirmed(Some(value)) => Some(format!("{key}: {{ {UNCONFIRMED}: {} }}", print(value))),
    }
}

/// Prints `confirmed: false`, unless the table says so for all its parts.
fn open_flag(confirmed: bool, table_confirmed: bool) -> Option<String> {
    (!confirmed && table_confirmed).then(|| "confirmed: false".to_owned())
}

fn print_type(ty: &TypeSpec) -> String {
    let word = |text: String| if text.contains(',') { quoted(&text) } else { text };
    match &ty.any {
        Some(any) if ty.pins.is_empty() => word(any.to_string()),
        any => {
            let mut fields: Vec<String> = any
                .iter()
                .map(|any| format!("any: {}", word(any.to_string())))
                .collect();
            let pins = ty
                .pins
                .iter()
                .map(|(dialect, data)| format!("{dialect}: {}", word(data.to_string())));
            fields.extend(pins);
            braces(&fields)
        }
    }
}

fn print_default(default: &DefaultSpec) -> String {
    match default {
        DefaultSpec::None => "none".to_owned(),
        DefaultSpec::Sql(sql) => format!("{{ sql: {} }}", quoted(sql)),
        DefaultSpec::Value(Literal::Number(number)) => format!("{{ value: {number} }}"),
        DefaultSpec::Value(Literal::Boolean(value)) => format!("{{ value: {value} }}"),
        DefaultSpec::Value(Literal::Text(text) | Literal::Uuid(text) | Literal::Time(text) | Literal::Bytes(text)) => {
            format!("{{ value: {} }}", scalar(text))
        }
    }
}

fn index_fields(index: &IndexSpec, table_confirmed: bool) -> Vec<String> {
    let parts: Vec<String> = index.key.value.iter().map(print_part).collect();
    let mut fields = vec![format!("columns: [{}]", parts.join(", "))];
    if index.unique.value {
        fields.push("unique: true".to_owned());
    }
    fields.extend(
        index
            .predicate
            .iter()
            .map(|sql| format!("where: {}", quoted(&sql.value))),
    );
    fields.extend(
        index
            .include
            .iter()
            .map(|names| format!("include: {}", list(&names.value))),
    );
    let nulls = index.nulls_distinct.iter();
    fields.extend(nulls.map(|value| format!("nulls_distinct: {}", value.value)));
    fields.extend(open_flag(index.confirmed, table_confirmed));
    fields
}

fn print_part(part: &KeyPartSpec) -> String {
    let mut fields = match (&part.expr, part.descending) {
        (KeyExprSpec::Column(name), None) => return scalar(name),
        (KeyExprSpec::Column(name), Some(_)) => vec![format!("column: {}", scalar(name))],
        (KeyExprSpec::Sql(sql), _) => vec![format!("sql: {}", quoted(sql))],
    };
    let order = |descending| if descending { "order: desc" } else { "order: asc" };
    fields.extend(part.descending.map(|descending| order(descending).to_owned()));
    braces(&fields)
}

fn ledger_fields(ledger: &LedgerSpec, table_confirmed: bool) -> Vec<String> {
    let mut fields = vec![format!("event_id: {}", scalar(&ledger.event_id.value))];
    let recorded_at = ledger.recorded_at.iter();
    fields.extend(recorded_at.map(|name| format!("recorded_at: {}", scalar(&name.value))));
    for (key, window) in [
        ("staleness_window", &ledger.staleness_window),
        ("clock_skew", &ledger.clock_skew),
        ("future_dating", &ledger.future_dating),
    ] {
        fields.extend(window.iter().map(|window| format!("{key}: {}", duration(window.value))));
    }
    fields.extend(open_flag(ledger.confirmed, table_confirmed));
    fields
}

fn retention_fields(retention: &RetentionSpec, table_confirmed: bool) -> Vec<String> {
    let mut fields = vec![
        format!("horizon: {}", duration(retention.horizon.value)),
        format!("column: {}", scalar(&retention.column.value)),
    ];
    fields.extend(open_flag(retention.confirmed, table_confirmed));
    fields
}

/// Prints a duration with a unit even for zero, which is understood at every key.
fn duration(duration: Duration) -> String {
    if duration.is_zero() {
        "0s".to_owned()
    } else {
        print_duration(duration)
    }
}

fn name_of<T: PartialEq, const N: usize>(words: &'static [Word<T>; N], value: &T) -> &'static str {
    words
        .iter()
        .find(|word| word.value == *value)
        .map_or("", |word| word.name)
}

fn braces(fields: &[String]) -> String {
    format!("{{ {} }}", fields.join(", "))
}

fn list(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| scalar(name)).collect();
    format!("[{}]", names.join(", "))
}

/// Writes a text so that it reads back as this very text: plain where every reader of YAML agrees on it.
fn scalar(text: &str) -> String {
    const MEANINGFUL: [&str; 12] = [
        "true",
        "false",
        "yes",
        "no",
        "on",
        "off",
        "y",
        "n",
        "null",
        "none",
        UNCONFIRMED,
        "inf",
    ];
    let plain = text.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && !text.ends_with(' ')
        && text
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '-' | ' '))
        && !MEANINGFUL.contains(&text.to_lowercase().as_str());
    if plain { text.to_owned() } else { quoted(text) }
}

/// Writes a text in double quotes.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        let code = u32::from(c);
        let escaped = match c {
            '"' => "\\\"".to_owned(),
            '\\' => "\\\\".to_owned(),
            '\n' => "\\n".to_owned(),
            '\t' => "\\t".to_owned(),
            // Not printable in YAML, or not visible to people.
            _ if is_deceptive(c) || matches!(code, 0xfffe | 0xffff) => {
                if code > 0xffff {
                    format!("\\U{code:08x}")
                } else {
                    format!("\\u{code:04x}")
                }
            }
            _ => c.to_string(),
        };
        out.push_str(&escaped);
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Prints a spec without the places that reading gives it.
    fn facts(spec: &Spec) -> String {
        let text = format!(
            "{:#?}",
            (&spec.service, &spec.summary, &spec.owner, &spec.sources, &spec.tables)
        );
        let is_place = |line: &&str| {
            let line = line.trim_start();
            ["line: ", "column: ", "length: "].iter().any(|key| {
                let number = line.strip_prefix(key).and_then(|rest| rest.strip_suffix(','));
                number.is_some_and(|number| number.parse::<u32>().is_ok())
            })
        };
        text.lines().filter(|line| !is_place(line)).collect()
    }

    #[test]
    fn a_printed_spec_reads_back_to_the_same_facts() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        for dir in ["specs", "tests/specs/valid"] {
            for spec in super::super::load_dir(&root.join(dir)).unwrap() {
                let printed = print_spec(&spec);
                let again =
                    super::super::parse("printed.yaml", &printed).unwrap_or_else(|p| panic!("{printed}\n{p:?}"));
                assert_eq!(facts(&again), facts(&spec), "{printed}");
                assert_eq!(print_spec(&again), printed);
            }
        }
    }

    #[test]
    fn open_facts_are_marked_once() {
        let text = "version: 1\nservice: a\n\ntables:\n  T:\n    columns:\n      \
                    A: { type: text, nullable: unconfirmed, values: { unconfirmed: [x, \"no\", \"1\"] } }\n      \
                    B: { type: varchar(8), default: { value: x }, confirmed: false }\n      \
                    C: { type: { any: \"numeric(18,2)\", sqlite: text }, nullable: { unconfirmed: false } }\n  \
                    U:\n    confirmed: false\n    columns:\n      \
                    D: { type: uuid, nullable: true }\n    primary_key: unconfirmed\n    indexes:\n      \
                    X: { columns: [{ sql: \"lower(\\\"D\\\")\", order: desc }], unique: true }\n";
        let spec = super::super::parse("a.yaml", text).unwrap();
        assert_eq!(print_spec(&spec), text);
    }

    #[test]
    fn a_text_is_plain_only_where_nobody_can_misread_it() {
        for (text, printed) in [
            ("EventId", "EventId"),
            ("Größe", "Größe"),
            ("two words", "two words"),
            ("no", "\"no\""),
            ("None", "\"None\""),
            ("1e3", "\"1e3\""),
            (" a", "\" a\""),
            ("a ", "\"a \""),
            ("a: b", "\"a: b\""),
            ("a\"b\\", "\"a\\\"b\\\\\""),
            ("\u{1b}\u{202e}", "\"\\u001b\\u202e\""),
            ("\u{e0001}", "\"\\U000e0001\""),
            ("", "\"\""),
        ] {
            assert_eq!(scalar(text), printed);
        }
    }
}
