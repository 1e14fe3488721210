//! Specs of any shape, written as YAML and read back: what the parser refuses is no spec.

use proptest::prelude::*;
use seadrift::spec::{Spec, parse};

/// Names that people use and that tools trip over. No two are one name on any server.
const NAMES: [&str; 14] = [
    "Id",
    "EventId",
    "Outcome",
    "tenant_id",
    "order",
    "with space",
    "Größe",
    "quo\"te",
    "back`tick",
    "dot.ted",
    "日時",
    "$1",
    "a-very-long-name-that-is-cut-by-some-servers-and-kept-by-others-since-it-has-more-than-64",
    "x",
];

/// Types with a constant and an expression that may be their default.
const TYPES: [(&str, &str, &str); 19] = [
    ("uuid", "", "gen_random_uuid()"),
    ("varchar(40)", "Processed", "'Processed'"),
    ("varchar", "it's", "lower('X')"),
    ("text", "", "'x'"),
    ("char(5)", "abcde", "'abcde'"),
    ("smallint", "0", "1 + 1"),
    ("integer", "-7", "0"),
    ("bigint", "9000000000", "nextval('s')"),
    ("boolean", "true", "false"),
    ("numeric(12,2)", "1.50", "0.00"),
    ("numeric", "3", "1"),
    ("double", "0.5", "0"),
    ("real", "1", "0"),
    ("timestamptz", "", "CURRENT_TIMESTAMP"),
    ("timestamp(3)", "", "now()"),
    ("date", "", "CURRENT_DATE"),
    ("bytea", "", "NULL"),
    ("jsonb", "", "'{}'"),
    ("interval", "", "'1 day'"),
];

fn is_text(ty: &str) -> bool {
    ["varchar", "text", "char"].iter().any(|t| ty.starts_with(t))
}

fn is_whole(ty: &str) -> bool {
    ["smallint", "integer", "bigint"].contains(&ty)
}

/// Writes text as a YAML string.
fn yaml(text: &str) -> String {
    serde_json::to_string(text).unwrap()
}

/// A column by choices, all of which are small numbers.
#[derive(Clone, Debug)]
struct Column {
    name: usize,
    ty: usize,
    nullable: u8,
    default: u8,
    special: u8,
    open: u8,
}

fn column(name: usize) -> impl Strategy<Value = Column> {
    (0..TYPES.len(), 0_u8..4, 0_u8..6, 0_u8..10, 0_u8..12).prop_map(move |(ty, nullable, default, special, open)| {
        Column {
            name,
            ty,
            nullable,
            default,
            special,
            open,
        }
    })
}

impl Column {
    fn yaml(&self) -> String {
        let (ty, constant, sql) = TYPES[self.ty];
        let mut facts = vec![format!("type: {}", yaml(ty))];
        match self.nullable {
            0 => facts.push("nullable: true".to_owned()),
            1 => facts.push("nullable: unconfirmed".to_owned()),
            _ => {}
        }
        match self.special {
            0 if is_whole(ty) => facts.push("identity: auto".to_owned()),
            1 if is_whole(ty) => facts.push("identity: by_default".to_owned()),
            2 if is_text(ty) => facts.push("generated: { sql: \"lower('X')\" }".to_owned()),
            3 if is_text(ty) => facts.push("compare: case_sensitive".to_owned()),
            4 if is_text(ty) => facts.push("collation: de-x-icu".to_owned()),
            5 if ty == "varchar(40)" => facts.push("values: [Processed, Duplicate, \"it's\"]".to_owned()),
            _ => match self.default {
                0 => facts.push("default: none".to_owned()),
                1 if constant.is_empty() => {}
                1 if is_text(ty) => facts.push(format!("default: {{ value: {} }}", yaml(constant))),
                1 => facts.push(format!("default: {{ value: {constant} }}")),
                2 => facts.push(format!("default: {{ sql: {} }}", yaml(sql))),
                3 => facts.push("default: unconfirmed".to_owned()),
                _ => {}
            },
        }
        if self.open == 0 {
            facts.push("confirmed: false".to_owned());
        }
        format!("      {}: {{ {} }}\n", yaml(NAMES[self.name]), facts.join(", "))
    }

    /// Returns whether the column can be part of a primary key.
    fn can_be_key(&self) -> bool {
        self.nullable > 1 && !(self.special == 2 && is_text(TYPES[self.ty].0))
    }
}

/// A table by choices.
#[derive(Clone, Debug)]
struct Table {
    columns: Vec<Column>,
    primary: u8,
    indexes: Vec<(prop::sample::Index, prop::sample::Index, u8)>,
    checks: u8,
    role: u8,
}

fn table() -> impl Strategy<Value = Table> {
    let names = prop::sample::subsequence((0..NAMES.len()).collect::<Vec<_>>(), 1..8);
    let columns = names.prop_flat_map(|names| names.into_iter().map(column).collect::<Vec<_>>());
    let index = (any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0_u8..10);
    (columns, 0_u8..4, prop::collection::vec(index, 0..4), 0_u8..3, 0_u8..6).prop_map(
        |(columns, primary, indexes, checks, role)| Table {
            columns,
            primary,
            indexes,
            checks,
            role,
        },
    )
}

impl Table {
    fn name(&self, at: &prop::sample::Index) -> &'static str {
        NAMES[self.columns[at.index(self.columns.len())].name]
    }

    fn yaml(&self, name: &str) -> String {
        let mut text = format!("  {}:\n", yaml(name));
        let key = self.columns.iter().find(|c| c.can_be_key() && c.open != 0);
        match (self.role, key) {
            (0, Some(key)) => text.push_str(&format!(
                "    role: ledger\n    ledger: {{ event_id: {}, staleness_window: 168h }}\n",
                yaml(NAMES[key.name])
            )),
            (1, _) => text.push_str("    role: outbox\n"),
            (2, _) => text.push_str("    role: audit\n    confirmed: false\n"),
            _ => {}
        }
        text.push_str("    columns:\n");
        text.extend(self.columns.iter().map(Column::yaml));
        match (self.primary, key) {
            (0, _) => text.push_str("    primary_key: unconfirmed\n"),
            (1, Some(key)) => text.push_str(&format!("    primary_key: [{}]\n", yaml(NAMES[key.name]))),
            _ => {}
        }
        let mut indexes = String::new();
        if let (0, Some(key)) = (self.role, key) {
            indexes.push_str(&format!(
                "      UX: {{ columns: [{}], unique: true }}\n",
                yaml(NAMES[key.name])
            ));
        }
        for (at, (first, second, kind)) in self.indexes.iter().enumerate() {
            indexes.push_str(&format!("      IX_{at}: {{ {} }}\n", self.index(first, second, *kind)));
        }
        if !indexes.is_empty() {
            text.push_str("    indexes:\n");
            text.push_str(&indexes);
        }
        if self.checks > 0 {
            text.push_str("    checks:\n");
        }
        for at in 0..self.checks {
            text.push_str(&format!("      CK_{at}: {{ sql: \"length('{at}') >= 0\" }}\n"));
        }
        text
    }

    fn index(&self, first: &prop::sample::Index, second: &prop::sample::Index, kind: u8) -> String {
        let (first, second) = (self.name(first), self.name(second));
        let both = if first == second {
            format!("[{}]", yaml(first))
        } else {
            format!("[{}, {}]", yaml(first), yaml(second))
        };
        let one = format!("[{}]", yaml(first));
        match kind {
            0 => format!("columns: {one}, unique: true"),
            1 => format!("columns: {both}, unique: true"),
            2 => format!("columns: {one}, unique: true, where: \"1 = 1\""),
            3 => format!("columns: {one}, unique: true, nulls_distinct: false"),
            4 => format!("columns: [{{ column: {}, order: desc }}]", yaml(first)),
            5 if first != second => format!("columns: {one}, include: [{}]", yaml(second)),
            6 => "columns: [{ sql: \"lower('X')\" }]".to_owned(),
            7 => format!("columns: {both}, confirmed: false"),
            _ => format!("columns: {both}"),
        }
    }
}

/// Makes any spec.
pub(crate) fn any_spec() -> impl Strategy<Value = Spec> {
    prop::collection::vec(table(), 1..4).prop_filter_map(
        "two unique indexes over one key repeat each other",
        |tables| {
            let mut text = "version: 1\nservice: any\ntables:\n".to_owned();
            for (at, table) in tables.iter().enumerate() {
                text.push_str(&table.yaml(&format!("Table {at}")));
            }
            match parse("any.yaml", &text) {
                Ok(spec) => Some(spec),
                Err(problems) => {
                    // Only what the choices above cannot know may be refused.
                    panic!("{}\n{text}", seadrift::spec::render_problems(&problems, false, 100));
                }
            }
        },
    )
}

/// Returns the shipped specs.
pub(crate) fn shipped() -> Vec<Spec> {
    seadrift::services::shipped()
        .iter()
        .map(|service| parse(service.name(), service.spec_text().unwrap()).unwrap())
        .collect()
}
