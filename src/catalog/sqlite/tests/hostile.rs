//! Rows of any content.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::super::assemble::assemble;
use super::super::rows::*;
use crate::catalog::hostile::{Choices, any_bytes, ask, examine, full_bytes, in_time};

const TABLES: &[&str] = &["ProcessedIntegrationEvents"];
const TEXTS: &[&str] = &[
    "CREATE TABLE \"ProcessedIntegrationEvents\" (\"Id\" uuid_text NOT NULL ON CONFLICT IGNORE, PRIMARY KEY (\"Id\"))",
    "CREATE TABLE t (a TEXT CHECK (a <> ''), CONSTRAINT c UNIQUE (a) ON CONFLICT REPLACE) STRICT",
    "CREATE TABLE t (a AS (lower(b)) STORED, b REFERENCES c (d) ON DELETE CASCADE)",
    "CREATE UNIQUE INDEX i ON t (lower(\"EventId\") COLLATE NOCASE DESC) WHERE \"Outcome\" = 'x'",
    "CREATE VIEW v AS SELECT * FROM \"ProcessedIntegrationEvents\"",
    "CREATE VIRTUAL TABLE t USING fts5(a)",
    "CREATE TRIGGER tr INSTEAD OF INSERT ON v WHEN new.a > 0 BEGIN SELECT 1; END",
    "CREATE TABLE t (",
    "CREATE TABLE t (a DEFAULT (((((",
];

fn rows(c: &mut Choices<'_>) -> CatalogRows {
    CatalogRows {
        version: c.text(&["3.40.1"]),
        settings: c.list(|c| (c.name(), c.name())).into_iter().collect::<BTreeMap<_, _>>(),
        objects: c.list(|c| ObjectRow {
            name: c.text(TABLES),
            kind: c.text(&["table", "table", "view", "virtual", "shadow"]),
            without_rowid: c.flag(),
            strict: c.flag(),
        }),
        statements: c.list(|c| StatementRow {
            kind: c.text(&["table", "index", "trigger", "view"]),
            name: c.name(),
            table: c.text(TABLES),
            sql: c.maybe(|c| c.text(TEXTS)),
        }),
        columns: c.list(|c| ColumnRow {
            table: c.text(TABLES),
            name: c.name(),
            declared: c.text(&["uuid_text", "INTEGER", "varchar(160)", ""]),
            not_null: c.flag(),
            default: c.maybe(|c| c.text(&["'Processed'", "CURRENT_TIMESTAMP", "(lower('x'))", "x'00'"])),
            key_place: c.number(),
            hidden: c.number(),
        }),
        index_parts: c.list(|c| IndexPartRow {
            table: c.text(TABLES),
            index: c.name(),
            unique: c.flag(),
            origin: c.text(&["c", "u", "pk"]),
            partial: c.flag(),
            column: c.maybe(Choices::name),
            descending: c.flag(),
            collation: c.maybe(|c| c.text(&["BINARY", "NOCASE", "RTRIM"])),
        }),
        foreign_keys: c.list(|c| ForeignKeyRow {
            table: c.text(TABLES),
            id: c.number(),
            referenced_table: c.name(),
            column: c.name(),
            referenced_column: c.maybe(Choices::name),
            on_delete: c.text(&["CASCADE", "NO ACTION"]),
        }),
    }
}

fn run(bytes: &[u8], huge: Option<usize>) -> usize {
    let mut choices = Choices::new(bytes, huge);
    let rows = rows(&mut choices);
    let database = choices.name();
    in_time(|| examine(assemble(&rows, &ask(), &database, None)));
    choices.texts()
}

#[test]
fn a_mebibyte_in_any_place_is_judged_in_time() {
    let bytes = full_bytes();
    let texts = run(&bytes, None);
    assert!(texts > 50, "{texts}");
    for huge in (1..=texts).step_by((texts / 40).max(1)) {
        run(&bytes, Some(huge));
    }
}

#[test]
fn a_table_of_ten_thousand_columns_and_indexes_is_judged_in_time() {
    let name = |at: usize| format!("Column{at}");
    let table = "ProcessedIntegrationEvents".to_owned();
    let columns = (0..10_000).map(|at| ColumnRow {
        table: table.clone(),
        name: name(at),
        declared: "TEXT".to_owned(),
        not_null: true,
        default: None,
        key_place: 0,
        hidden: 0,
    });
    let parts = (0..10_000).map(|at| IndexPartRow {
        table: table.clone(),
        index: format!("Index{at}"),
        unique: at % 2 == 0,
        origin: "c".to_owned(),
        partial: false,
        column: Some(name(at)),
        descending: false,
        collation: None,
    });
    let rows = CatalogRows {
        objects: vec![ObjectRow {
            name: table.clone(),
            kind: "table".to_owned(),
            without_rowid: false,
            strict: false,
        }],
        columns: columns.collect(),
        index_parts: parts.collect(),
        ..CatalogRows::default()
    };
    in_time(|| examine(assemble(&rows, &ask(), "ledger.db", None)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn any_rows_are_judged_and_reported(bytes in any_bytes()) {
        run(&bytes, None);
    }
}
