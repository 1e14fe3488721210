use proptest::prelude::*;

use crate::dialect::{Dialect, Facts, Given, Row};
use crate::schema::{Collation, Column, DataType, Equality, NativeType};

/// A text column `Outcome` as a dialect's migrations make it.
fn outcome(dialect: Dialect) -> Column {
    let mut column = Column::plain("Outcome", NativeType::plain(DataType::Varchar(Some(40))));
    let ty = crate::spec::DesiredType {
        data: DataType::Varchar(Some(40)),
        pinned: false,
    };
    column.collation = dialect.facts().usual_collation(&ty);
    column
}

fn admits(facts: &dyn Facts, sql: &str, column: &Column, given: Given<'_>) -> Option<bool> {
    let other = Column {
        nullable: true,
        ..Column::plain("TenantId", NativeType::plain(DataType::Integer))
    };
    let columns = [column.clone(), other];
    facts.admits(
        sql,
        &Row {
            columns: &columns,
            known: Some((column, given)),
        },
    )
}

#[track_caller]
fn judged(dialect: Dialect, column: &Column, cases: &[(&str, &str, Option<bool>)]) {
    for (sql, value, expected) in cases {
        let found = admits(dialect.facts(), sql, column, Given::Text(value));
        assert_eq!(found, *expected, "{dialect}: {sql} with {value}");
    }
}

const YES: Option<bool> = Some(true);
const NO: Option<bool> = Some(false);

#[test]
fn a_list_is_read_in_every_form_that_postgresql_prints() {
    let list = r#"(("Outcome")::text = ANY ((ARRAY['Processed'::character varying, 'Duplicate'::character varying])::text[]))"#;
    let each = r#"((("Outcome")::text = 'Processed'::text) OR (("Outcome")::text = 'Duplicate'::text))"#;
    let text = r#"("Outcome" = ANY ('{Processed,Duplicate}'::text[]))"#;
    let further = r#"((("Outcome")::text = ANY (ARRAY['Processed'::text, 'Duplicate'::text])) AND ("TenantId" > 0))"#;
    let negated =
        r#"(("Outcome")::text <> ALL ((ARRAY['Stale'::character varying, 'Failed'::character varying])::text[]))"#;
    judged(
        Dialect::Postgres,
        &outcome(Dialect::Postgres),
        &[
            (list, "Duplicate", YES),
            (list, "Stale", NO),
            (list, "duplicate", NO),
            (each, "Duplicate", YES),
            (each, "Stale", NO),
            (text, "Duplicate", YES),
            (text, "Stale", NO),
            (further, "Stale", NO),
            (further, "Duplicate", None),
            (negated, "Duplicate", YES),
            (negated, "Stale", NO),
            (r#"(("Outcome")::text = 'Processed'::text)"#, "Stale", NO),
            (
                r#"(("Outcome")::text = ANY (ARRAY['Processed'::text]))"#,
                "Processed",
                YES,
            ),
            (
                r#"(lower(("Outcome")::text) = ANY (ARRAY['stale'::text, 'failed'::text]))"#,
                "Stale",
                YES,
            ),
            (
                r#"((("Outcome")::text = 'Stale'::text) OR ("TenantId" > 0))"#,
                "Processed",
                None,
            ),
            (r#"(char_length(("Outcome")::text) <= 5)"#, "Stale", YES),
            (r#"(char_length(("Outcome")::text) <= 5)"#, "Duplicate", NO),
            (r#"(("Outcome")::text ~ '^[A-Z]'::text)"#, "Stale", None),
            (r#"(("Outcome")::text ~~ 'P%'::text)"#, "Stale", NO),
            (r#"(("Outcome")::text ~~ '%a_e%'::text)"#, "Stale", YES),
            (r#"(("Outcome")::text !~~ '% %'::text)"#, "Stale", YES),
            (r#"(("Outcome")::text ~~ 's%'::text)"#, "Stale", NO),
            (r#"(("Outcome")::text ~~* 's%'::text)"#, "Stale", None),
            (r#"(("Outcome")::text ~~ 'S\_%'::text)"#, "Stale", None),
            (
                r#"("Outcome" = ANY (ARRAY['Stale'::public.outcome, 'Failed'::public.outcome]))"#,
                "Processed",
                NO,
            ),
            (r#"(("Outcome" COLLATE "C") = 'Stale'::text)"#, "Processed", NO),
            (r#"(("Outcome" COLLATE "und-x-icu") = 'stale'::text)"#, "Stale", None),
        ],
    );
}

#[test]
fn letter_case_counts_as_in_the_column() {
    for dialect in [Dialect::MySql, Dialect::MariaDb] {
        judged(
            dialect,
            &outcome(dialect),
            &[
                ("`Outcome` in ('processed','duplicate')", "Processed", YES),
                ("(`Outcome` in (_utf8mb4'processed',_utf8mb4'duplicate'))", "Stale", NO),
                ("`Outcome` = 'processed' or `outcome` = 'STALE'", "Stale", YES),
                (
                    "`Outcome` collate utf8mb4_bin in ('processed','duplicate')",
                    "Processed",
                    NO,
                ),
                ("`Outcome` not in ('failed')", "Failed", NO),
                ("`Outcome` is null = 0", "Processed", YES),
                ("if(`Outcome` is null,0,`Outcome` <> 'stale')", "Stale", NO),
                (
                    "cast(`Outcome` as char charset binary) in ('processed')",
                    "Processed",
                    NO,
                ),
                ("binary `Outcome` = 'Processed'", "Processed", YES),
                ("`Outcome` in ('it\\'s')", "it's", YES),
                ("`Outcome` in ('été')", "ete", None),
                ("char_length(`Outcome`) > 5", "Stale", NO),
                ("!(`Outcome` = 'failed') and not `Outcome` = 'x'", "Processed", YES),
                ("cast(`Outcome` as char charset utf8mb3) = 'charset x'", "Stale", NO),
                ("`Outcome` like 'S%'", "stale", YES),
                ("`Outcome`  not like '%ale'", "Stale", NO),
            ],
        );
    }
    let exact = Column {
        collation: Some(super::super::mysql::collation("utf8mb4_bin", Some("utf8mb4"), true)),
        ..outcome(Dialect::MariaDb)
    };
    judged(
        Dialect::MariaDb,
        &exact,
        &[
            ("`Outcome` in ('processed')", "Processed", NO),
            ("`Outcome` in ('Processed  ')", "Processed", YES),
        ],
    );
    let any_case = Column {
        collation: Some(super::super::sqlite::collation("NOCASE", true)),
        ..outcome(Dialect::Sqlite)
    };
    judged(
        Dialect::Sqlite,
        &any_case,
        &[("\"Outcome\" IN ('processed')", "Processed", YES)],
    );
}

#[test]
fn citext_is_compared_without_letter_case_until_it_is_cast() {
    let citext = Column {
        ty: NativeType::plain(DataType::Other("public.citext".to_owned())),
        collation: Some(Collation {
            equality: Equality::CaseInsensitive,
            ..outcome(Dialect::Postgres).collation.unwrap()
        }),
        ..outcome(Dialect::Postgres)
    };
    judged(
        Dialect::Postgres,
        &citext,
        &[
            (
                r#"("Outcome" OPERATOR(public.=) ANY (ARRAY['stale'::public.citext]))"#,
                "Stale",
                YES,
            ),
            (r#"(("Outcome")::text = ANY (ARRAY['stale'::text]))"#, "Stale", NO),
        ],
    );
}

#[test]
fn sqlite_reads_texts_in_the_quotes_of_names() {
    judged(
        Dialect::Sqlite,
        &outcome(Dialect::Sqlite),
        &[
            (r#""Outcome" IN ("Processed", "Duplicate")"#, "Stale", NO),
            (r#"[outcome] == 'Stale' OR `Outcome` = 'Failed'"#, "Stale", YES),
            (r#""Outcome" = "TenantId""#, "Stale", None),
            ("Outcome NOT IN ('Stale') -- never", "Stale", NO),
            ("typeof(Outcome) = 'text'", "Stale", YES),
            ("Outcome IS NOT 'Stale'", "Stale", NO),
            ("Outcome IS 'Stale'", "Stale", YES),
            ("Outcome NOT GLOB 'x*' AND Outcome = 'Failed'", "Stale", NO),
            (
                "CASE Outcome WHEN 'Failed' THEN 0 WHEN 'Stale' THEN 1 ELSE 0 END",
                "Stale",
                YES,
            ),
            ("Outcome LIKE 's%'", "Stale", YES),
            ("iif(Outcome = 'Stale', 0, 1)", "Stale", NO),
            ("Outcome COLLATE NOCASE IN ('stale')", "Stale", YES),
        ],
    );
}

#[test]
fn numbers_are_compared_by_value() {
    let kind = Column::plain("Kind", NativeType::plain(DataType::Integer));
    for dialect in Dialect::ALL {
        judged(
            dialect,
            &kind,
            &[
                (
                    "kind IN (1, 2)"
                        .replace("kind", &dialect.facts().quote("Kind"))
                        .as_str(),
                    "3",
                    NO,
                ),
                (
                    "kind BETWEEN 1 AND 3"
                        .replace("kind", &dialect.facts().quote("Kind"))
                        .as_str(),
                    "3",
                    YES,
                ),
                (
                    "kind > -1".replace("kind", &dialect.facts().quote("Kind")).as_str(),
                    "0",
                    YES,
                ),
            ],
        );
    }
}

#[test]
fn null_passes_what_is_not_false_for_it() {
    for dialect in Dialect::ALL {
        let column = Column {
            nullable: true,
            ..outcome(dialect)
        };
        let name = dialect.facts().quote("Outcome");
        for (sql, expected) in [
            ("x IS NOT NULL", NO),
            ("x IN ('a', 'b')", YES),
            ("x NOT IN ('a', 'b')", YES),
            ("(x = 'a') IS TRUE", NO),
            ("x = 'a' AND x IS NOT NULL", NO),
            ("x IS NULL OR x = 'a'", YES),
        ] {
            let found = admits(dialect.facts(), &sql.replace('x', &name), &column, Given::Null);
            assert_eq!(found, expected, "{dialect}: {sql}");
        }
    }
}

#[test]
fn long_and_deep_texts_are_no_danger() {
    let column = outcome(Dialect::Postgres);
    for deep in [
        vec!["x"; super::LONGEST / 6].join(" or "),
        vec!["x"; super::LONGEST / 4].join("="),
        "x".to_owned() + &" is true".repeat(super::LONGEST / 9),
        "not ".repeat(super::LONGEST / 4) + "x",
        "(".repeat(super::LONGEST / 2) + &")".repeat(super::LONGEST / 2),
        "x".to_owned() + &"::text".repeat(super::LONGEST / 7),
        "coalesce(".repeat(super::LONGEST / 10) + &")".repeat(super::LONGEST / 10),
        "- ".repeat(super::LONGEST / 3) + "x",
        "x = -(".repeat(40) + "1" + &")".repeat(40),
        "case when x then ".repeat(super::LONGEST / 18) + "x",
    ] {
        for dialect in Dialect::ALL {
            let _ = admits(dialect.facts(), &deep, &column, Given::Null);
            let _ = dialect.facts().only_keeps_null_out(&deep);
        }
    }
}

proptest! {
    #[test]
    fn any_text_is_read_without_panic(sql in "\\PC{0,60}") {
        for dialect in Dialect::ALL {
            let column = outcome(dialect);
            let _ = admits(dialect.facts(), &sql, &column, Given::Text("a"));
        }
    }

    /// A condition and its negation cannot both refuse a row that is not NULL.
    #[test]
    fn negation_turns_every_answer_about_a_text_round(
        words in proptest::collection::vec(proptest::sample::select(vec!["a = 'x'", "a IN ('x', 'y')", "a <> 'z'", "b > 1"]), 1..5),
        joints in proptest::collection::vec(proptest::sample::select(vec![" AND ", " OR "]), 4),
    ) {
        let mut sql = String::new();
        for (at, word) in words.iter().enumerate() {
            if at > 0 {
                sql.push_str(joints[at - 1]);
            }
            sql.push_str(word);
        }
        for dialect in Dialect::ALL {
            let column = Column { name: "a".to_owned(), ..outcome(dialect) };
            let plain = admits(dialect.facts(), &sql, &column, Given::Text("x"));
            let negated = admits(dialect.facts(), &format!("NOT ({sql})"), &column, Given::Text("x"));
            prop_assert!(!(plain == Some(false) && negated == Some(false)), "{dialect}: {sql}");
            if let Some(plain) = plain && !sql.contains('b') {
                prop_assert_eq!(negated, Some(!plain));
            }
        }
    }
}

#[test]
fn parts_of_a_text_are_compared() {
    let column = outcome(Dialect::Postgres);
    judged(
        Dialect::Postgres,
        &column,
        &[
            (r#"("left"(("Outcome")::text, 1) = 'P'::text)"#, "Processed", YES),
            (r#"("left"(("Outcome")::text, 1) = 'P'::text)"#, "Stale", NO),
            (r#"(substr(("Outcome")::text, 2, 2) = 'ta'::text)"#, "Stale", YES),
            (r#"("substring"(("Outcome")::text, 1, 3) = 'Sta'::text)"#, "Stale", YES),
            (r#"("right"(("Outcome")::text, 2) = 'ed'::text)"#, "Stale", NO),
            (
                r#"("left"(("Outcome")::text, '-1'::integer) = 'Stal'::text)"#,
                "Stale",
                None,
            ),
        ],
    );
    let blank = r#"("left"(("Outcome")::text, 1) <> ' '::text)"#;
    assert_eq!(admits(Dialect::Postgres.facts(), blank, &column, Given::Words), None);
}

#[test]
fn constants_come_to_a_text_and_columns_do_not() {
    for (dialect, sql, expected) in [
        (
            Dialect::Postgres,
            "('Pro'::text || 'cessed '::text)",
            Some("Processed "),
        ),
        (Dialect::Postgres, "upper('Processed'::text)", Some("PROCESSED")),
        (Dialect::Postgres, "'Processed'::character varying(5)", Some("Proce")),
        (Dialect::Sqlite, "CAST('Processed' AS varchar(5))", None),
        (Dialect::Sqlite, "'Pro' || 'cessed'", Some("Processed")),
        (Dialect::MariaDb, "concat('Pro','cessed')", Some("Processed")),
        (Dialect::Postgres, "CURRENT_USER", None),
        (Dialect::Postgres, "public.f('x'::text)", None),
        (Dialect::Postgres, r#"lower("Outcome")"#, None),
        (Dialect::Postgres, "('a'::text || NULL::text)", None),
    ] {
        let found = dialect.facts().constant_text(sql);
        assert_eq!(found.as_deref(), expected, "{dialect}: {sql}");
    }
}

#[test]
fn conditions_have_two_results_at_most() {
    for dialect in Dialect::ALL {
        let id = dialect.facts().quote("Id");
        for sql in [
            format!("({id} IS NULL)"),
            format!("(({id} = 1) OR ({id} > 5))"),
            format!("(NOT ({id} IN (1, 2)))"),
        ] {
            assert!(dialect.facts().is_condition(&sql), "{dialect}: {sql}");
        }
        for sql in [format!("lower({id})"), id.clone(), format!("({id} + 1)")] {
            assert!(!dialect.facts().is_condition(&sql), "{dialect}: {sql}");
        }
    }
}
