//! What is said about specs that are wrong: everything at once, each with its place and what to do.

#![allow(clippy::unwrap_used, reason = "these are tests and what they share")]

use seadrift::spec::{Problem, parse, render_problems};

/// A spec whose only table has the given body.
fn spec(body: &str) -> String {
    let indented = body.replace('\n', "\n    ");
    format!("version: 1\nservice: a\ntables:\n  T:\n    {indented}\n")
}

fn problems(text: &str) -> Vec<Problem> {
    match parse("a.yaml", text) {
        Ok(spec) => panic!("valid: {text}\n{spec:?}"),
        Err(problems) => problems,
    }
}

/// Expects exactly one problem: its line and column, words of its message, words of its help.
fn expect_one(text: &str, place: (u32, u32), message: &str, help: &str) {
    let problems = problems(text);
    let [problem] = &problems[..] else {
        panic!("{text}\n{problems:#?}");
    };
    let at = problem.position.unwrap();
    assert_eq!((at.line, at.column), place, "{text}\n{problem}");
    assert!(problem.message.raw().contains(message), "{text}\n{problem}");
    let given = problem.help.as_ref().map_or("", |help| help.raw());
    assert!(given.contains(help), "{text}\n{problem}\nhelp: {given}");
}

/// Expects one problem in the facts of a column, which stand from column 12 of line 6 on.
fn expect_in_column(facts: &str, column: u32, message: &str, help: &str) {
    expect_one(
        &spec(&format!("columns:\n  C: {{ {facts} }}")),
        (6, column),
        message,
        help,
    );
}

/// Facts of a column, where the problem is, and words of its message and help.
const COLUMN_PROBLEMS: &[(&str, u32, &str, &str)] = &[
    (
        "type: varchr(80)",
        18,
        "unknown type `varchr`",
        "did you mean `varchar`?",
    ),
    ("type: serial", 18, "not a type", "identity: by_default"),
    ("type: numeric(18,2)", 18, "not closed", "put the type into quotes"),
    ("type: [uuid]", 18, "`type` must be a type, not a list", "unconfirmed"),
    ("type: { any: uid }", 25, "unknown type", "uuid"),
    (
        "type: { postgre: uuid }",
        20,
        "unknown key `postgre`",
        "did you mean `postgres`?",
    ),
    ("type: { confirmed: false }", 18, "names no type", "any:"),
    ("nullable: true", 7, "column `C` has no `type`", "add `type:`"),
    (
        "type: text, nulable: true",
        24,
        "unknown key `nulable`",
        "did you mean `nullable`?",
    ),
    (
        "type: text, unique: true",
        24,
        "unknown key `unique`",
        "a key of an index",
    ),
    (
        "type: text, nullable: no",
        34,
        "must be `true` or `false`, not `no`",
        "write `false`",
    ),
    ("type: text, nullable: Yes", 34, "not `Yes`", "write `true`"),
    (
        "type: text, nullable: \"false\"",
        34,
        "not the text \"false\"",
        "write `false`",
    ),
    ("type: text, nullable:", 24, "not nothing", ""),
    ("type: text, confirmed: unconfirmed", 35, "`confirmed` must be", ""),
    (
        "type: text, default: Processed",
        33,
        "`default` must be `none` or a map",
        "{ value: \"Processed\" }",
    ),
    (
        "type: timestamptz, default: now()",
        40,
        "`default` must be",
        "{ sql: \"now()\" }",
    ),
    (
        "type: text, default: {}",
        33,
        "neither `value` nor `sql`",
        "one of the two",
    ),
    (
        "type: text, default: { value: a, sql: b }",
        45,
        "both `value` and `sql`",
        "keep one",
    ),
    (
        "type: text, default: { value: ~ }",
        42,
        "nothing in it",
        "default: none",
    ),
    ("type: integer, default: { value: a }", 45, "not a whole number", ""),
    (
        "type: timestamptz, default: { value: now() }",
        49,
        "not a point in time",
        "sql",
    ),
    (
        "type: varchar(3), default: { value: Größe }",
        48,
        "has 5 characters, but the column holds 3",
        "longer",
    ),
    ("type: text, values: []", 32, "empty list", "leave the key out"),
    ("type: text, values: a", 32, "must be a list", "`[a]`"),
    (
        "type: text, nullable: unknown",
        34,
        "`true` or `false`",
        "`unconfirmed`",
    ),
    ("type: text, values: [a, b, a]", 39, "holds `a` twice", ""),
    ("type: varchar(2), values: [ab, abc]", 43, "has 3 characters", ""),
    (
        "type: text, values: [a], default: { value: A }",
        46,
        "not among the `values`",
        "letter case",
    ),
    ("type: text, identity: sometimes", 34, "`identity` must be `always`", ""),
    (
        "type: text, identity: byDefault",
        34,
        "`identity` must be",
        "did you mean `by_default`?",
    ),
    (
        "type: uuid, identity: auto",
        34,
        "`identity` needs a whole number",
        "bigint",
    ),
    (
        "type: bigint, identity: auto, default: { value: 1 }",
        36,
        "an identity and a default",
        "keep one",
    ),
    (
        "type: bigint, generated: { sql: a + 1 }, default: { sql: b }",
        37,
        "a generated value and a default",
        "",
    ),
    ("type: text, generated: { sql: \" \" }", 42, "`sql` is blank", ""),
    ("type: uuid, collation: C", 35, "`collation` speaks of texts", "remove"),
    ("type: text, type: uuid", 24, "written twice", "keep one"),
    (
        "type: { unconfirmed: text, any: uuid }",
        39,
        "beside `unconfirmed`",
        "put it inside",
    ),
];

#[test]
fn each_wrong_fact_of_a_column_is_explained() {
    for &(facts, column, message, help) in COLUMN_PROBLEMS {
        expect_in_column(facts, column, message, help);
    }
    expect_one(&spec("columns:\n  C: uuid"), (6, 10), "must be a map", "{ type: uuid }");
    expect_one(
        &spec("columns:\n  '': { type: uuid }"),
        (6, 7),
        "name of a column is empty",
        "",
    );
    expect_one(&spec("columns:\n  \"a\\0\": { type: uuid }"), (6, 7), "holds a NUL", "");
}

/// Parts of a table, where the problem is, and words of its message and help.
const TABLE_PROBLEMS: &[(&str, u32, &str, &str)] = &[
    ("primary_key: [id]", 19, "names column `id`", "did you mean `Id`?"),
    ("primary_key: Id", 18, "must be a list", "[Id]"),
    ("primary_key: [Id, Id]", 23, "holds `Id` twice", ""),
    (
        "indexes: { X: { columns: [at] } }",
        31,
        "index `X` names column `at`",
        "did you mean `At`?",
    ),
    (
        "indexes: { X: { columns: [{ column: Z }] } }",
        41,
        "names column `Z`",
        "add the column",
    ),
    ("indexes: { X: { columns: [Id, Id] } }", 30, "has column `Id` twice", ""),
    (
        "indexes: { X: { columns: [Id], include: [Id] } }",
        45,
        "in the key of index `X` already",
        "include",
    ),
    (
        "indexes: { X: { columns: [Id], include: [Z] } }",
        46,
        "names column `Z`",
        "",
    ),
    (
        "indexes: { X: { unique: true } }",
        16,
        "has no `columns`",
        "add `columns:`",
    ),
    (
        "indexes: { X: { columns: [{ column: Id, order: down }] } }",
        52,
        "`order` must be `asc`, `desc`",
        "",
    ),
    (
        "indexes: { X: { columns: [Id], nulls_distinct: true } }",
        52,
        "no meaning",
        "unique: true",
    ),
    ("indexes: [X]", 14, "`indexes` must be a map, not a list", "key: value"),
    ("indexes: {}", 5, "`indexes` is empty", "remove the key"),
    ("checks: { X: { sql: a, name: b } }", 28, "unknown key `name`", ""),
    ("role: ledgr", 11, "`role` must be `ledger`", "did you mean `ledger`?"),
    ("role: ledger", 11, "a ledger without a `ledger` block", "event_id"),
    ("status: dead", 13, "`status` must be", ""),
    (
        "retention: { horizon: 1y, column: At }",
        27,
        "no fixed length",
        "write days",
    ),
    ("retention: { horizon: 0s, column: At }", 27, "removes every row", ""),
    (
        "retention: { horizon: unconfirmed, column: At }",
        27,
        "not `unconfirmed`",
        "confirmed: false",
    ),
    ("retention: { horizon: 14, column: At }", 27, "has no unit", "14d"),
    (
        "retention: { horizon: 14d }",
        5,
        "has no `column`",
        "the column that holds the age",
    ),
    (
        "retention: { horizon: 14d, column: Id }",
        40,
        "needs a point in time",
        "",
    ),
    ("retention: { horizon: 14d, column: Ad }", 40, "names column `Ad`", ""),
];

#[test]
fn each_wrong_fact_of_a_table_is_explained() {
    const COLUMNS: &str =
        "columns: { Id: { type: uuid }, At: { type: timestamptz }, N: { type: text, nullable: true } }";
    for &(rest, column, message, help) in TABLE_PROBLEMS {
        expect_one(&spec(&format!("{COLUMNS}\n{rest}")), (6, column), message, help);
    }
    expect_one(
        &spec(&format!("{COLUMNS}\nprimary_key: [N]")),
        (5, 90),
        "in the primary key, and nullable",
        "remove",
    );
    expect_one(
        &spec("role: plain"),
        (4, 3),
        "table `T` has no `columns`",
        "add `columns:`",
    );
}

#[test]
fn a_ledger_must_be_able_to_refuse_an_event() {
    let ledger = |rest: &str| {
        spec(&format!(
            "columns: {{ Id: {{ type: uuid }}, E: {{ type: uuid }} }}\n{rest}"
        ))
    };
    for (rest, place, message) in [
        (
            "role: ledger\nledger: { event_id: E }",
            (7, 25),
            "nothing refuses a second row",
        ),
        (
            "role: ledger\nledger: { event_id: E }\nindexes: { X: { columns: [E] } }",
            (7, 25),
            "nothing refuses a second row",
        ),
        ("primary_key: [E]\nledger: { event_id: E }", (7, 5), "is not a ledger"),
        (
            "role: ledger\nprimary_key: [E]\nledger: { event_id: e }",
            (8, 25),
            "`event_id` names column `e`",
        ),
        (
            "role: ledger\nprimary_key: [E]\nledger: { event_id: E, recorded_at: Id }",
            (8, 41),
            "needs a point in time",
        ),
        (
            "role: ledger\nprimary_key: [E]\nledger: { event_id: E, clock_skew: 0 }",
            (8, 40),
            "has no unit",
        ),
    ] {
        expect_one(&ledger(rest), place, message, "");
    }
    for rest in [
        "role: ledger\nledger: { event_id: E }\nprimary_key: [E]",
        "role: ledger\nledger: { event_id: E }\nprimary_key: unconfirmed",
        "role: ledger\nledger: { event_id: E }\nindexes: { X: { columns: [Id, E], unique: true } }",
        "role: ledger\nledger: { event_id: E, staleness_window: 0 }\nindexes: { X: { columns: [{ sql: lower(E) }], unique: true } }",
    ] {
        assert!(parse("a.yaml", &ledger(rest)).is_ok(), "{rest}");
    }
}

#[test]
fn each_wrong_fact_of_a_file_is_explained() {
    let whole = spec("columns: { C: { type: uuid } }");
    for (from, to, place, message, help) in [
        (
            "version: 1\n",
            "",
            (1, 1),
            "the spec has no `version`",
            "add `version:`",
        ),
        (
            "version: 1",
            "version: 2",
            (1, 10),
            "`version` must be 1, not `2`",
            "update the program",
        ),
        (
            "version: 1",
            "version: '1'",
            (1, 10),
            "`version` must be 1",
            "remove the quotes",
        ),
        ("service: a", "service: ' '", (2, 10), "`service` is blank", ""),
        (
            "service: a",
            "service: a\nsumary: b",
            (3, 1),
            "unknown key `sumary`",
            "did you mean `summary`?",
        ),
        (
            "service: a",
            "service: a\nsources: [{ title: b, reviewed: 2026-02-30 }]",
            (3, 33),
            "not a date",
            "2026-07-21",
        ),
        (
            "service: a",
            "service: a\nsources: [b]",
            (3, 11),
            "a source must be a map",
            "",
        ),
    ] {
        expect_one(&whole.replace(from, to), place, message, help);
    }
    expect_one("hello", (1, 1), "the spec must be a map", "key: value");
    expect_one("[a", (1, 1), "not YAML: unclosed bracket", "close each bracket");
}

#[test]
fn all_problems_of_a_file_are_reported_at_once_in_its_order() {
    let text = "version: 3\nservice: a\nservice: b\nowner: [x]\ntables:\n  T:\n    colums: {}\n  U:\n    columns:\n      \
                A: { type: uid, nullable: no }\n      B: { default: x }\n    primary_key: [C]\n  V: 1\n";
    let places: Vec<_> = problems(text)
        .iter()
        .map(|problem| problem.position.map(|at| (at.line, at.column)).unwrap())
        .collect();
    assert_eq!(
        places,
        [
            (1, 10),
            (3, 1),
            (4, 8),
            (7, 5),
            (10, 18),
            (10, 33),
            (11, 7),
            (11, 21),
            (12, 19),
            (13, 6),
        ]
    );
}

#[test]
fn problems_are_printed_as_rustc_prints_them() {
    let text = spec("columns:\n  EventId: { type: uuid, nulable: no }\n  EventId: { type: text }");
    assert_eq!(
        render_problems(&problems(&text), false, 100),
        "\
error: unknown key `nulable` in column `EventId`
 --> a.yaml:6:30
  |
6 |       EventId: { type: uuid, nulable: no }
  |                              ^^^^^^^
  |
  = help: did you mean `nullable`?

error: the key `EventId` is written twice
 --> a.yaml:7:7
  |
7 |       EventId: { type: text }
  |       ^^^^^^^
  |
 ::: a.yaml:6:7
  |
6 |       EventId: { type: uuid, nulable: no }
  |       ------- first written here
  |
  = help: keep one of the two

"
    );
}
