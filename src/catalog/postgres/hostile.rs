//! Rows of any content.

use std::collections::BTreeMap;

use chrono::NaiveDateTime;
use proptest::prelude::*;

use super::assemble::assemble;
use super::rows::*;
use crate::catalog::hostile::{Choices, SPEC, any_bytes, examine, full_bytes, in_time};

const TYPES: &[&str] = &[
    "uuid",
    "character varying(160)",
    "text",
    "integer",
    "bigint",
    "numeric(12,2)",
    "timestamp with time zone",
    "citext",
    "public.mood",
    "text[]",
];
const SQL: &[&str] = &[
    "('Processed'::character varying)::text",
    "\"Cost\" >= (0)::numeric",
    "lower((\"EventId\")::text)",
    "(\"Outcome\")::text = ANY (ARRAY['a'::text])",
];

fn session(c: &mut Choices<'_>) -> SessionRow {
    SessionRow {
        search_path: c.list(Choices::name),
        version: c.text(&["PostgreSQL 15.18"]),
        server_version: c.text(&["15.18 (Debian)"]),
        server_version_num: c.text(&["150018"]),
        database: c.name(),
        role: c.name(),
        replica: c.flag(),
        encoding: c.text(&["UTF8", "LATIN1", "SQL_ASCII"]),
        fsync: c.text(&["on", "off"]),
        now: now(),
        settings: c.list(|c| (c.name(), c.name())).into_iter().collect::<BTreeMap<_, _>>(),
    }
}

fn now() -> NaiveDateTime {
    NaiveDateTime::parse_from_str("2026-07-15 12:00:00", "%Y-%m-%d %H:%M:%S").unwrap()
}

fn catalog(c: &mut Choices<'_>) -> CatalogRow {
    CatalogRow {
        namespace: NamespaceRow {
            exists: !c.flag(),
            visible_tables: u64::from(c.unsigned()) + 1,
            others: c.list(Choices::name),
        },
        impostors: c.list(Choices::name),
        builds_hidden: c.flag(),
        tables: SPEC.tables.iter().map(|table| wanted(&table.name.value, c)).collect(),
        collations: c.list(|c| CollationRow {
            oid: c.number(),
            name: c.name(),
            deterministic: c.flag(),
            locale: c.maybe(|c| c.text(&["und-u-ks-level2", "de-DE"])),
            rules: c.maybe(Choices::name),
        }),
    }
}

fn wanted(name: &str, c: &mut Choices<'_>) -> WantedRow {
    let elsewhere = |c: &mut Choices<'_>| ElsewhereRow {
        namespace: c.name(),
        kind: c.text(&["r", "v", "type"]),
    };
    WantedRow {
        wanted: name.to_owned(),
        object: if c.number() == 4 { None } else { Some(table(c)) },
        namesakes: c.list(|c| c.text(&["S", "type", "c"])),
        elsewhere: c.list(elsewhere),
        near: c.list(|c| NearRow {
            name: c.name(),
            kind: c.text(&["r", "v"]),
        }),
        index_elsewhere: c.list(|c| (c.name(), c.name())),
        resolves_to: c.maybe(elsewhere),
    }
}

fn table(c: &mut Choices<'_>) -> TableRow {
    TableRow {
        oid: c.number(),
        name: c.name(),
        kind: c.text(&["r", "r", "p", "p", "v", "m", "f", "S"]),
        persistence: c.text(&["p", "u", "t"]),
        owner: c.name(),
        row_security: c.flag(),
        row_security_forced: c.flag(),
        partition_strategy: c.maybe(|c| c.text(&["r", "l", "h"])),
        partition_key: c.maybe(|c| c.text(KEYS)),
        partition_type: c.maybe(|c| c.text(&["timestamp with time zone", "uuid", "date"])),
        insertable: c.maybe(Choices::flag),
        reads: c.list(Choices::name),
        columns: c.list(column),
        constraints: c.list(|c| ConstraintRow {
            name: c.name(),
            partition: c.maybe(Choices::name),
            partition_rows: c.maybe(|c| c.text(SQL)),
            kind: c.text(&["c", "f", "n"]),
            validated: c.flag(),
            enforced: c.flag(),
            columns: c.list(Choices::name),
            sql: c.maybe(|c| c.text(SQL)),
            referenced_table: c.maybe(Choices::name),
            referenced_columns: c.list(Choices::name),
            on_delete: c.maybe(|c| c.text(&["c", "a"])),
        }),
        indexes: c.list(index),
        triggers: c.list(trigger),
        rules: c.list(|c| RuleRow {
            name: c.name(),
            event: c.text(&["3", "2"]),
            instead: c.flag(),
            enabled: c.text(&["O", "D"]),
            definition: c.name(),
        }),
        policies: c.list(|c| PolicyRow {
            name: c.name(),
            command: c.text(&["*", "r", "a"]),
            permissive: c.flag(),
            shown: c.maybe(|c| c.text(&["true", "x = 1"])),
            taken: c.maybe(|c| c.text(&["true"])),
            roles: c.list(Choices::name),
        }),
        heirs: c.list(heir),
        ancestors: c.list(|c| AncestorRow {
            name: c.name(),
            bound: c.maybe(bound),
            condition: c.maybe(|c| c.text(SQL)),
            parent: c.name(),
            partition_strategy: c.text(&["r", "l", "h"]),
            partition_key: c.text(KEYS),
            partition_type: c.maybe(|c| c.text(&["timestamp with time zone", "integer"])),
        }),
        partition_not_nulls: c.list(|c| PartitionColumnRow {
            partition: c.name(),
            rows: c.maybe(|c| c.text(SQL)),
            column: c.name(),
        }),
    }
}

fn trigger(c: &mut Choices<'_>) -> TriggerRow {
    TriggerRow {
        name: c.name(),
        partition: c.maybe(Choices::name),
        bits: c.unsigned(),
        enabled: c.text(&["O", "D", "R", "A"]),
        conditional: c.flag(),
        definition: c.text(&[
            "CREATE TRIGGER t BEFORE INSERT ON x WHEN (new.a > 0) EXECUTE f()",
            "WHEN (",
        ]),
        function: c.name(),
        body: c.maybe(|c| {
            c.text(&[
                "BEGIN RETURN NULL; END",
                "NEW.\"EventId\" := 1;",
                "BEGIN INSERT INTO a; END",
            ])
        }),
        language: c.text(&["plpgsql"]),
        definer: c.maybe(Choices::name),
        settings: c.list(|c| c.text(&["search_path=a, \"b\""])),
        relations: c.list(named),
        routines: c.list(named),
    }
}

/// Keys of partitions.
const KEYS: &[&str] = &[
    "RANGE (\"ProcessedOnUtc\")",
    "RANGE (date_trunc('month'::text, (\"ProcessedOnUtc\" AT TIME ZONE 'UTC'::text)), \"EventId\")",
    "LIST (\"Outcome\")",
    "LIST (lower(x), \"a",
];

fn bound(c: &mut Choices<'_>) -> String {
    c.text(&[
        "DEFAULT",
        "FOR VALUES FROM ('2026-07-01') TO ('2026-08-01')",
        "FOR VALUES FROM (1) TO (MAXVALUE)",
        "FOR VALUES FROM (MINVALUE, '2026-07-01') TO (-5, 'infinity')",
        "FOR VALUES FROM ('-infinity') TO ('999999-01-01')",
        "FOR VALUES WITH (modulus 2, remainder 1)",
        "FOR VALUES WITH (modulus 18446744073709551615, remainder 18446744073709551615)",
        "FOR VALUES WITH (modulus 0, remainder 0)",
        "FOR VALUES IN ('a')",
    ])
}

/// Numbers of few values, so that partitions are parents of each other and of themselves.
fn heir(c: &mut Choices<'_>) -> HeirRow {
    HeirRow {
        oid: c.number(),
        parent: c.number(),
        namespace: c.name(),
        name: c.name(),
        persistence: c.text(&["p", "u"]),
        bound: c.maybe(bound),
        partition_key: c.maybe(|c| c.text(KEYS)),
        partition_strategy: c.maybe(|c| c.text(&["r", "l", "h"])),
        partition_type: c.maybe(|c| c.text(&["timestamp with time zone", "uuid"])),
        unique_keys: c.list(|c| c.list(Choices::name)),
    }
}

fn column(c: &mut Choices<'_>) -> ColumnRow {
    ColumnRow {
        name: c.name(),
        ty: c.text(TYPES),
        not_null: c.flag(),
        default: c.maybe(|c| c.text(SQL)),
        generated: c.maybe(|c| c.text(&["s", "v"])),
        generation: c.maybe(|c| c.text(SQL)),
        identity: c.maybe(|c| c.text(&["a", "d"])),
        owns_sequence: c.flag(),
        collation: c.number(),
        type_collation: c.number(),
        domains: c.list(|c| DomainRow {
            name: c.name(),
            not_null: c.flag(),
            default: c.maybe(|c| c.text(SQL)),
            base: c.text(TYPES),
            checks: c.list(|c| DomainCheckRow {
                name: c.name(),
                sql: c.text(&["(VALUE <> ''::text)", "VALUE IN ('a')", "VALUE IS NOT NULL"]),
                validated: c.flag(),
            }),
        }),
        labels: c.maybe(|c| c.list(Choices::name)),
    }
}

fn named(c: &mut Choices<'_>) -> NamedRow {
    NamedRow {
        namespace: c.name(),
        name: c.name(),
        refused: c.list(|c| c.text(&["INSERT"])),
    }
}

fn index(c: &mut Choices<'_>) -> IndexRow {
    IndexRow {
        name: c.name(),
        partition: c.maybe(Choices::name),
        method: c.text(&["btree", "hash", "brin"]),
        unique: c.flag(),
        primary: c.flag(),
        valid: c.flag(),
        ready: c.flag(),
        live: c.flag(),
        immediate: c.flag(),
        nulls_not_distinct: c.flag(),
        predicate: c.maybe(|c| c.text(SQL)),
        definition: c.name(),
        constraint: c.maybe(Choices::name),
        replica_identity: c.flag(),
        referenced_by: c.list(Choices::name),
        building: c.flag(),
        attached: c.maybe(|c| c.list(Choices::number)),
        reads: c.list(Choices::name),
        operators: c.maybe(|c| c.list(Choices::name)),
        finds_equal: c.flag(),
        // More than there are, or fewer.
        key_parts: usize::try_from(c.unsigned()).unwrap(),
        parts: c.list(|c| IndexPartRow {
            column: c.maybe(Choices::name),
            expression: c.maybe(|c| c.text(SQL)),
            descending: c.flag(),
            nulls_first: c.flag(),
            collation: c.maybe(Choices::number),
            column_collation: c.maybe(Choices::number),
            operator_class: c.maybe(Choices::name),
            own_comparison: c.maybe(Choices::flag),
        }),
    }
}

/// Returns how many texts the rows hold.
fn run(bytes: &[u8], huge: Option<usize>) -> usize {
    let mut choices = Choices::new(bytes, huge);
    let (session, rows) = (session(&mut choices), catalog(&mut choices));
    let namespace = choices.name();
    in_time(|| examine(assemble(&session, &rows, &namespace)));
    choices.texts()
}

#[test]
fn a_mebibyte_in_any_place_is_judged_in_time() {
    let bytes = full_bytes();
    let texts = run(&bytes, None);
    assert!(texts > 100, "{texts}");
    for huge in (1..=texts).step_by(texts / 40) {
        run(&bytes, Some(huge));
    }
}

#[test]
fn partitions_that_are_their_own_parents_end() {
    let mut choices = Choices::new(&[], None);
    let heirs: Vec<HeirRow> = (0..4_000)
        .map(|at| HeirRow {
            oid: at % 7,
            parent: (at + 1) % 7,
            partition_strategy: Some("l".to_owned()),
            ..heir(&mut choices)
        })
        .collect();
    for kind in ["p", "r"] {
        let table = TableRow {
            kind: kind.to_owned(),
            partition_strategy: Some("l".to_owned()),
            heirs: heirs.clone(),
            ..table(&mut choices)
        };
        let mut rows = catalog(&mut choices);
        rows.tables[0].object = Some(table);
        in_time(|| examine(assemble(&session(&mut Choices::new(&[], None)), &rows, "public")));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn any_rows_are_judged_and_reported(bytes in any_bytes()) {
        run(&bytes, None);
    }
}
