//! What specs mean: the shipped ones, awkward ones, and each fact of the format.

#![allow(
    clippy::disallowed_methods,
    reason = "the environment says where the servers are and what to rewrite"
)]
#![allow(clippy::unwrap_used, reason = "these are tests and what they share")]

use std::path::{Path, PathBuf};
use std::time::Duration;

use seadrift::dialect::Dialect;
use seadrift::schema::{DataType, Identity, Literal};
use seadrift::spec::{
    CompareSpec, DefaultSpec, KeyExprSpec, Position, Role, Spec, Status, TableSpec, Wanted, json_schema, load,
    load_dir, load_paths, parse,
};

const HOUR: Duration = Duration::from_secs(3600);
const MINUTE: Duration = Duration::from_secs(60);

fn shipped() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("specs")
}

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/specs/valid")
}

fn shipped_table(service: &str) -> TableSpec {
    let spec = load(&shipped().join(format!("{service}.yaml"))).unwrap();
    assert_eq!(spec.service.value, service);
    let [table] = <[TableSpec; 1]>::try_from(spec.tables).unwrap();
    assert_eq!(table.name.value, "ProcessedIntegrationEvents");
    assert_eq!(table.role, Role::Ledger);
    table
}

/// Resolves a table with the given body.
fn table(body: &str) -> TableSpec {
    let indented = body.replace('\n', "\n    ");
    let text = format!("version: 1\nservice: a\ntables:\n  T:\n    {indented}\n");
    match parse("a.yaml", &text) {
        Ok(spec) => spec.tables.into_iter().next().unwrap(),
        Err(problems) => panic!("{text}\n{problems:?}"),
    }
}

fn default_of(column: &str) -> Wanted<DefaultSpec> {
    table(&format!("columns: {{ C: {column} }}")).columns[0]
        .default
        .value
        .clone()
}

fn ty(text: &str) -> DataType {
    text.parse().unwrap()
}

/// Reads a file as an editor's language server does.
fn read_json(path: &Path) -> serde_json::Value {
    let options = serde_yaml::options! { strict_booleans: true };
    serde_yaml::from_str_with_options(&std::fs::read_to_string(path).unwrap(), options).unwrap()
}

#[test]
fn the_published_schema_is_the_generated_one() {
    let path = shipped().join("seadrift-spec.schema.json");
    let generated = format!("{:#}\n", json_schema());
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, &generated).unwrap();
    }
    let published = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        published == generated,
        "{} is out of date: run the tests with UPDATE_EXPECT=1",
        path.display()
    );
}

#[test]
fn shipped_specs_and_fixtures_are_valid_for_the_program_and_for_editors() {
    let validator = jsonschema::validator_for(&json_schema()).unwrap();
    for (dir, count) in [(shipped(), 3), (fixtures(), 3)] {
        assert_eq!(load_dir(&dir).unwrap().len(), count);
        for entry in dir.read_dir().unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|ext| ext == "yaml") {
                let errors: Vec<String> = validator
                    .iter_errors(&read_json(&path))
                    .map(|e| e.to_string())
                    .collect();
                assert_eq!(errors, [""; 0], "{}", path.display());
            }
        }
    }
}

#[test]
fn shipped_specs_name_their_schema() {
    for service in ["asset", "notification", "payroll"] {
        let text = std::fs::read_to_string(shipped().join(format!("{service}.yaml"))).unwrap();
        assert!(
            text.starts_with("# yaml-language-server: $schema=./seadrift-spec.schema.json\n"),
            "{service}"
        );
    }
}

#[test]
fn the_notification_ledger_states_what_is_known_and_leaves_the_rest_open() {
    let table = shipped_table("notification");
    let facts: Vec<_> = table
        .columns
        .iter()
        .map(|c| {
            let ty = c.ty.value.stated().and_then(|t| t.any.clone()).unwrap();
            (c.name.value.as_str(), ty.to_string(), c.nullable.value.clone())
        })
        .collect();
    let expected = [
        ("Id", "uuid", Wanted::Is(false)),
        ("EventId", "uuid", Wanted::Is(false)),
        ("EventType", "varchar(160)", Wanted::Is(false)),
        ("TenantId", "varchar(80)", Wanted::Is(true)),
        ("CorrelationId", "varchar(160)", Wanted::Is(true)),
        ("SourceService", "varchar(120)", Wanted::Unconfirmed(None)),
        ("MessagesCreated", "integer", Wanted::Unconfirmed(None)),
        ("ProcessedOnUtc", "timestamptz", Wanted::Unconfirmed(None)),
        ("Outcome", "varchar(40)", Wanted::Is(false)),
    ]
    .map(|(name, ty, nullable)| (name, ty.to_owned(), nullable));
    assert_eq!(facts, expected);
    let Wanted::Unconfirmed(Some(values)) = &table.column("Outcome").unwrap().values.value else {
        panic!("the spelling of outcomes is open");
    };
    assert_eq!(values.len(), 7);
    let indexes: Vec<_> = table
        .indexes
        .iter()
        .map(|i| (i.name.value.as_str(), i.columns().unwrap(), i.unique.value, i.confirmed))
        .collect();
    assert_eq!(
        indexes,
        [
            ("UX_ProcessedEvents_EventId", vec!["EventId"], true, true),
            ("IX_ProcessedEvents_Correlation", vec!["CorrelationId"], false, true),
        ]
    );
    assert_eq!(table.ledger.unwrap().staleness_window.unwrap().value, 168 * HOUR);
}

#[test]
fn the_asset_ledger_is_unused_and_its_default_is_open() {
    let table = shipped_table("asset");
    assert_eq!(table.status, Status::Unused);
    assert_eq!(
        table.column("TenantId").unwrap().ty.value.stated().unwrap().any,
        Some(ty("integer"))
    );
    assert_eq!(
        table.column("Outcome").unwrap().default.value,
        Wanted::Unconfirmed(Some(DefaultSpec::Value(Literal::Text("Processed".to_owned()))))
    );
    assert!(table.column("MessagesCreated").is_none());
    assert_eq!(table.indexes.len(), 1);
}

#[test]
fn of_the_payroll_ledger_only_the_guard_is_certain() {
    let table = shipped_table("payroll");
    assert!(table.column("CorrelationId").is_none());
    for column in &table.columns {
        assert!(column.ty.value.is_unconfirmed(), "{}", column.name.value);
        assert!(column.nullable.value.is_unconfirmed(), "{}", column.name.value);
        assert_eq!(
            column.confirmed,
            column.name.value == "EventId",
            "{}",
            column.name.value
        );
    }
    assert_eq!(
        table.primary_key.value,
        Wanted::Unconfirmed(Some(vec!["Id".to_owned()]))
    );
    assert!(table.indexes[0].confirmed && table.indexes[0].unique.value);
    assert!(!table.ledger.unwrap().confirmed);
}

#[test]
fn every_shipped_ledger_expects_an_unconfirmed_retention_of_two_weeks() {
    for service in ["asset", "notification", "payroll"] {
        let retention = shipped_table(service).retention.unwrap();
        assert_eq!(retention.horizon.value, 14 * 24 * HOUR);
        assert_eq!(retention.column.value, "ProcessedOnUtc");
        assert!(!retention.confirmed);
    }
}

#[test]
fn awkward_names_keep_every_character() {
    let spec = load(&fixtures().join("awkward-names.yaml")).unwrap();
    assert_eq!(spec.service.value, "no");
    let table = &spec.tables[0];
    assert_eq!(table.name.value, r#"O'Neil `x` "q" %s; --$1\"#);
    for name in [
        "a'b",
        " g ",
        "c]d",
        "e.f",
        "Größe",
        "no",
        "1e3",
        "2026-01-01",
        "null",
        "\u{1b}[31m",
    ] {
        assert!(table.column(name).is_some(), "{name:?}");
    }
    assert_eq!(
        table.indexes[0].columns().unwrap(),
        ["Größe", "no", "1e3", "2026-01-01"]
    );
}

#[test]
fn a_pin_holds_for_its_database_alone() {
    let spec = load(&fixtures().join("pinned-types.yaml")).unwrap();
    let on = |column: &str, dialect| {
        let ty = spec.tables[0]
            .column(column)
            .unwrap()
            .ty
            .value
            .stated()
            .unwrap()
            .on(dialect);
        ty.map(|ty| (ty.data.to_string(), ty.pinned)).unwrap()
    };
    for (column, dialect, data, pinned) in [
        ("Id", Dialect::Postgres, "uuid", false),
        ("Id", Dialect::MySql, "binary(16)", true),
        ("Id", Dialect::MariaDb, "uuid", true),
        ("Amount", Dialect::Sqlite, "text", true),
        ("Amount", Dialect::MySql, "numeric(18,2)", false),
        ("Rate", Dialect::Sqlite, "numeric(18,6)", false),
        ("At", Dialect::Postgres, "timestamptz", false),
        ("At", Dialect::MariaDb, "timestamp(6)", true),
    ] {
        assert_eq!(on(column, dialect), (data.to_owned(), pinned), "{column} on {dialect}");
    }
}

#[test]
fn absence_has_a_meaning() {
    let table = table("columns: { C: { type: text } }");
    assert_eq!(
        (table.role, table.status, table.confirmed),
        (Role::Plain, Status::Implemented, true)
    );
    let column = &table.columns[0];
    assert_eq!(column.nullable.value, Wanted::Is(false));
    assert_eq!(column.default.value, Wanted::Silent);
    assert_eq!(column.identity.value, Wanted::Silent);
    assert_eq!(column.generated.value, Wanted::Silent);
    assert_eq!(column.collation.value, Wanted::Silent);
    assert_eq!(column.compare.value, Wanted::Silent);
    assert_eq!(column.values.value, Wanted::Silent);
    assert_eq!(table.primary_key.value, Wanted::Silent);
    assert!(table.retention.is_none() && table.ledger.is_none());
}

#[test]
fn a_default_is_a_constant_an_expression_nothing_or_open() {
    let text = |text: &str| DefaultSpec::Value(Literal::Text(text.to_owned()));
    for (column, wanted) in [
        ("{ type: text, default: none }", Wanted::Is(DefaultSpec::None)),
        ("{ type: text, default: unconfirmed }", Wanted::Unconfirmed(None)),
        ("{ type: text, default: { value: \"none\" } }", Wanted::Is(text("none"))),
        (
            "{ type: text, default: { value: unconfirmed } }",
            Wanted::Is(text("unconfirmed")),
        ),
        ("{ type: text, default: { value: \"\" } }", Wanted::Is(text(""))),
        (
            "{ type: integer, default: { value: 0 } }",
            Wanted::Is(DefaultSpec::Value(Literal::Number("0".to_owned()))),
        ),
        (
            "{ type: boolean, default: { value: false } }",
            Wanted::Is(DefaultSpec::Value(Literal::Boolean(false))),
        ),
        (
            "{ type: timestamptz, default: { sql: now() } }",
            Wanted::Is(DefaultSpec::Sql("now()".to_owned())),
        ),
        (
            "{ type: text, default: { value: a, confirmed: false } }",
            Wanted::Unconfirmed(Some(text("a"))),
        ),
        (
            "{ type: text, default: { value: a }, confirmed: false }",
            Wanted::Unconfirmed(Some(text("a"))),
        ),
        (
            "{ type: text, default: { unconfirmed: none } }",
            Wanted::Unconfirmed(Some(DefaultSpec::None)),
        ),
    ] {
        assert_eq!(default_of(column), wanted, "{column}");
    }
}

#[test]
fn an_unconfirmed_owner_makes_its_facts_open_and_keeps_them_as_guesses() {
    let column = &table("columns: { C: { type: bigint, identity: auto, confirmed: false } }").columns[0];
    assert!(!column.confirmed);
    assert_eq!(column.ty.value.guess().unwrap().any, Some(ty("bigint")));
    assert!(column.ty.value.is_unconfirmed());
    assert_eq!(column.nullable.value, Wanted::Unconfirmed(Some(false)));
    assert_eq!(column.identity.value, Wanted::Unconfirmed(Some(Identity::Auto)));
    assert_eq!(column.collation.value, Wanted::Silent);

    let table = table(
        "confirmed: false\n\
         columns: { C: { type: text, compare: bytes }, At: { type: date } }\n\
         primary_key: [C]\n\
         indexes: { IX: { columns: [C] } }\n\
         checks: { CK: { sql: C <> '' } }\n\
         retention: { horizon: 1d, column: At }",
    );
    assert_eq!(
        table.columns[0].compare.value,
        Wanted::Unconfirmed(Some(CompareSpec::Bytes))
    );
    assert!(table.primary_key.value.is_unconfirmed());
    let flags = (
        table.indexes[0].confirmed,
        table.checks[0].confirmed,
        table.retention.unwrap().confirmed,
    );
    assert_eq!(flags, (false, false, false));
}

#[test]
fn an_open_fact_of_an_index_makes_the_index_open() {
    let table = table(
        "columns: { A: { type: text }, B: { type: text } }\n\
         indexes:\n  \
           X: { columns: [A], unique: unconfirmed }\n  \
           Y: { columns: [{ column: A, order: desc }, { sql: lower(B) }], unique: { unconfirmed: true } }\n  \
           Z: { columns: [A], where: B = 'x', include: [B] }",
    );
    let flags: Vec<_> = table.indexes.iter().map(|i| (i.confirmed, i.unique.value)).collect();
    assert_eq!(flags, [(false, false), (false, true), (true, false)]);
    let key = &table.indexes[1].key.value;
    assert_eq!((key[0].descending, key[1].descending), (Some(true), None));
    assert_eq!(key[1].expr, KeyExprSpec::Sql("lower(B)".to_owned()));
    assert_eq!(table.indexes[2].predicate.as_ref().unwrap().value, "B = 'x'");
    assert_eq!(table.indexes[2].include.as_ref().unwrap().value, ["B"]);
}

#[test]
fn windows_of_a_ledger_are_durations_and_zero_turns_the_guard_off() {
    let spec = load(&fixtures().join("pinned-types.yaml")).unwrap();
    let ledger = spec.tables[0].ledger.clone().unwrap();
    assert_eq!(ledger.staleness_window.unwrap().value, Duration::ZERO);
    assert_eq!(ledger.clock_skew.unwrap().value, 5 * MINUTE);
    assert!(ledger.confirmed);
    let open = table(
        "role: ledger\n\
         columns: { Id: { type: uuid } }\n\
         primary_key: [Id]\n\
         ledger: { event_id: Id, staleness_window: { unconfirmed: 168h } }",
    );
    let ledger = open.ledger.unwrap();
    assert_eq!(ledger.staleness_window.unwrap().value, 168 * HOUR);
    assert!(!ledger.confirmed);
}

#[test]
fn facts_point_to_where_they_are_written() {
    let text = "version: 1\n\
                service: a\n\
                tables:\n  \
                  Größen:\n    \
                    columns:\n      \
                      Größe: { type: varchar(160), nullable: true }\n      \
                      B:\n        \
                        type: { any: uuid }\n    \
                    primary_key: [B]\n    \
                    retention:\n      \
                      horizon: 14d\n      \
                      column: Größe\n";
    let spec: Spec = parse("a.yaml", text).unwrap();
    let at = |line, column, length| Position { line, column, length };
    let table = &spec.tables[0];
    let (a, b) = (&table.columns[0], &table.columns[1]);
    let retention = table.retention.as_ref().unwrap();
    for (found, expected) in [
        (spec.service.at, at(2, 10, 1)),
        (table.name.at, at(4, 3, 6)),
        (table.columns_at, at(5, 5, 7)),
        // Without the key, the table's name.
        (table.indexes_at, at(4, 3, 6)),
        (a.name.at, at(6, 7, 5)),
        (a.ty.at, at(6, 22, 12)),
        (a.nullable.at, at(6, 46, 4)),
        (a.default.at, a.name.at),
        (b.ty.at, at(8, 15, 13)),
        (b.nullable.at, b.name.at),
        (table.primary_key.at, at(9, 18, 3)),
        (retention.at, at(10, 5, 9)),
        (retention.horizon.at, at(11, 16, 3)),
        (retention.column.at, at(12, 15, 5)),
    ] {
        assert_eq!(found, expected);
    }
}

#[test]
fn a_byte_order_mark_and_windows_line_ends_change_nothing() {
    let unix = std::fs::read_to_string(shipped().join("asset.yaml")).unwrap();
    let windows = format!("\u{feff}{}", unix.replace('\n', "\r\n"));
    let mut spec = parse("a.yaml", &windows).unwrap();
    let expected = parse("a.yaml", &unix).unwrap();
    spec.text = std::sync::Arc::clone(&expected.text);
    assert_eq!(spec, expected);
}

#[test]
fn files_and_directories_are_loaded_once_and_in_order() {
    let specs = load_paths(&[shipped().join("payroll.yaml"), shipped()]).unwrap();
    let services: Vec<&str> = specs.iter().map(|spec| spec.service.value.as_str()).collect();
    assert_eq!(services, ["payroll", "asset", "notification"]);
}
