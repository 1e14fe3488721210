//! Normal forms: a second time changes nothing, and spellings that mean the same meet.

use proptest::prelude::*;
use seadrift::dialect::Dialect;
use seadrift::schema::{DataType, DefaultExpr, Literal, NativeType};

/// Expressions in spellings of each server and of people.
const EXPRESSIONS: [&str; 31] = [
    "a",
    "(a)",
    "((a > 0) AND (b < 3))",
    "a>0 and b<3",
    "\"Outcome\" <> ''",
    "`Outcome` <> _utf8mb4''",
    "((\"Outcome\")::text <> ''::text)",
    "\"Outcome\" IN ('a', 'b')",
    "((\"Outcome\")::text = ANY ((ARRAY['a'::character varying, 'b'::character varying])::text[]))",
    "lower((\"EventId\")::text)",
    "coalesce(a, 0) + 1",
    "a IS NOT NULL",
    "a NOTNULL",
    "NOT a = 1",
    "a BETWEEN 1 AND 2",
    "a LIKE 'x%' ESCAPE '!'",
    "CASE WHEN a THEN 1 ELSE 2 END",
    "a || 'x' || b",
    "-a",
    "- - 1",
    "1.50",
    "0x1F",
    "x''",
    "'it''s'",
    "E'a\\'b'",
    "CURRENT_TIMESTAMP",
    "now()",
    "CAST(a AS text)",
    "a::timestamp with time zone AT TIME ZONE 'UTC'",
    "\"a\"\"b\" = 1",
    "-- comment\na = 1",
];

const TYPES: [&str; 12] = [
    "text",
    "varchar(40)",
    "char(36)",
    "integer",
    "bigint",
    "numeric(12,2)",
    "boolean",
    "uuid",
    "timestamptz",
    "date",
    "bytea",
    "jsonb",
];

/// Makes an expression out of names, constants, operators and calls.
fn any_expression() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec![
        "a", "\"B\"", "c", "1", "0.50", "'x'", "'it''s'", "''", "NULL", "TRUE", "(a)", "now()",
    ])
    .prop_map(str::to_owned);
    leaf.prop_recursive(4, 24, 3, |inner| {
        let operator = prop::sample::select(vec!["=", "<>", "<", "AND", "OR", "+", "-", "*", "||", "LIKE"]);
        let call = prop::sample::select(vec!["lower", "coalesce", "length", "substr", "nullif"]);
        prop_oneof![
            (inner.clone(), operator, inner.clone()).prop_map(|(a, op, b)| format!("{a} {op} {b}")),
            inner.clone().prop_map(|a| format!("({a})")),
            inner.clone().prop_map(|a| format!("NOT {a}")),
            inner.clone().prop_map(|a| format!("({a}) IS NOT NULL")),
            (call, prop::collection::vec(inner.clone(), 1..3))
                .prop_map(|(f, args)| format!("{f}({})", args.join(", "))),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{a} IN ({b}, 'z')")),
            (inner.clone(), inner).prop_map(|(a, b)| format!("CASE WHEN {a} THEN {b} END")),
        ]
    })
}

fn assert_settled(sql: &str) {
    for dialect in Dialect::ALL {
        let facts = dialect.facts();
        let once = facts.expression(sql);
        assert_eq!(facts.expression(&once), once, "{dialect}: {sql}");
        let spaced = format!(" \n{sql}\t ");
        assert_eq!(facts.expression(&spaced), once, "{dialect}: white space around {sql}");
    }
}

#[test]
fn normal_forms_of_known_spellings_are_their_own() {
    for sql in EXPRESSIONS {
        assert_settled(sql);
    }
}

#[test]
fn parentheses_around_the_whole_mean_nothing() {
    for sql in [
        "a",
        "a > 0 AND b < 3",
        "a IN ('x', 'y')",
        "lower(a)",
        "coalesce(a, 0) + 1",
        "a IS NOT NULL",
        "1.50",
        "'it''s'",
        "CASE WHEN a THEN 1 ELSE 2 END",
        "(a) + (b)",
    ] {
        for dialect in Dialect::ALL {
            let facts = dialect.facts();
            let bare = facts.expression(sql);
            for wrapped in [format!("({sql})"), format!("( ( {sql} ) )")] {
                assert_eq!(facts.expression(&wrapped), bare, "{dialect}: {sql}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn normal_forms_of_any_expression_are_their_own(sql in any_expression()) {
        assert_settled(&sql);
    }

    #[test]
    fn normal_forms_of_any_text_are_their_own(sql in any::<String>()) {
        for dialect in Dialect::ALL {
            let facts = dialect.facts();
            let once = facts.expression(&sql);
            prop_assert_eq!(facts.expression(&once), once, "{}: {:?}", dialect, sql);
        }
    }

    #[test]
    fn constants_in_normal_form_stay(text in ".{0,12}", number in -1_000_000_i64..1_000_000, ty in prop::sample::select(&TYPES[..])) {
        let ty: DataType = ty.parse().unwrap();
        for dialect in Dialect::ALL {
            let facts = dialect.facts();
            let native = NativeType::plain(ty.clone());
            for literal in [
                Literal::Text(text.clone()),
                Literal::Number(number.to_string()),
                Literal::Boolean(number > 0),
            ] {
                let once = facts.literal(&literal, &native);
                prop_assert_eq!(facts.literal(&once, &native), once, "{} {:?} as {}", dialect, literal, ty);
            }
        }
    }

    #[test]
    fn a_constant_and_its_sql_are_one_default(text in "[a-zA-Z ]{0,12}", number in -9_999_i64..9_999) {
        for dialect in Dialect::ALL {
            let facts = dialect.facts();
            let native = NativeType::plain(DataType::Varchar(Some(40)));
            let literal = facts.literal(&Literal::Text(text.clone()), &native);
            prop_assert_eq!(
                facts.default_expr(&format!("'{text}'"), &native), Some(DefaultExpr::Literal(literal)), "{}", dialect
            );
            let native = NativeType::plain(DataType::BigInt);
            let literal = facts.literal(&Literal::Number(number.to_string()), &native);
            for sql in [number.to_string(), format!("({number})")] {
                prop_assert_eq!(
                    facts.default_expr(&sql, &native), Some(DefaultExpr::Literal(literal.clone())), "{}: {}", dialect, sql
                );
            }
        }
    }

    #[test]
    fn a_printed_type_reads_back_to_the_same(name in prop::sample::select(vec![
        "uuid", "varchar", "text", "char", "smallint", "integer", "bigint", "boolean", "timestamptz", "timestamp",
        "date", "time", "timetz", "numeric", "double", "real", "bytea", "jsonb", "json", "interval", "binary",
        "varbinary", "datetime", "bit", "tinyint", "mediumtext", "character varying", "int4", "decimal",
    ]), p in 1_u32..7, s in 0_u32..7, arguments in 0_u8..3) {
        let text = match arguments {
            0 => name.to_owned(),
            1 => format!("{name}({p})"),
            _ => format!("{name}({p},{s})"),
        };
        if let Ok(ty) = text.parse::<DataType>() {
            prop_assert_eq!(ty.to_string().parse::<DataType>(), Ok(ty));
        }
    }
}
