//! Defaults by value.

use sqlparser::ast::{Expr, Value};

use super::constants::{constant, normalize_literal};
use super::{expression, rewrite};
use crate::dialect::{Departure, is_text};
use crate::schema::{Clock, DataType, DefaultExpr, Literal, NativeType, TimeForm};

/// Brings a default to normal form; nothing for `NULL`.
pub(super) fn normalize(sql: &str, ty: &NativeType) -> Option<DefaultExpr> {
    let Some(expr) = expression::parse(sql) else {
        return Some(DefaultExpr::Expression(expression::normalize(sql)));
    };
    if let Expr::Value(value) = &expr {
        match &value.value {
            Value::Null => return None,
            Value::SingleQuotedString(text) => return Some(DefaultExpr::Literal(constant(text, &ty.data))),
            Value::Number(number, _) => {
                return Some(DefaultExpr::Literal(normalize_literal(
                    &Literal::Number(number.clone()),
                    ty,
                )));
            }
            Value::Boolean(truth) => {
                return Some(DefaultExpr::Literal(normalize_literal(&Literal::Boolean(*truth), ty)));
            }
            _ => {}
        }
    }
    Some(
        time(&expr, &ty.data)
            .or_else(|| fresh_uuid(&expr, &ty.data))
            .or_else(|| next_value(&expr))
            .unwrap_or_else(|| DefaultExpr::Expression(expression::normalize(sql))),
    )
}

/// Reads the present time in one of its spellings.
fn time(expr: &Expr, ty: &DataType) -> Option<DefaultExpr> {
    let temporal = matches!(ty, DataType::Timestamp { .. } | DataType::Date);
    if !temporal && !is_text(ty) {
        return None;
    }
    let expr = without_time_cast(expr, ty);
    if is_day(expr) {
        let form = if *ty == DataType::Date {
            TimeForm::Native
        } else {
            TimeForm::Midnight
        };
        return Some(DefaultExpr::Now {
            clock: Clock::Statement,
            form,
        });
    }
    let (clock, utc) = match expr {
        Expr::AtTimeZone { timestamp, time_zone } => {
            let zone = rewrite::as_text(time_zone)?;
            let utc = matches!(zone, "utc" | "gmt" | "etc/utc" | "zulu" | "z" | "universal");
            (clock(timestamp).filter(|_| utc)?, true)
        }
        other => (clock(other)?, false),
    };
    let form = match ty {
        _ if is_text(ty) => TimeForm::Formatted,
        DataType::Timestamp { zoned: true, .. } if utc => TimeForm::ShiftedUtc,
        _ => TimeForm::Native,
    };
    Some(DefaultExpr::Now { clock, form })
}

/// Says how a default that is made of the present time is another time.
pub(super) fn departure(sql: &str) -> Option<Departure> {
    use sqlparser::ast::BinaryOperator::{Minus, Plus};
    const FAR_FROM_UTC: &[&str] = &["europe/", "asia/", "australia/", "pacific/"];
    let now = |expr: &Expr| match expr {
        Expr::AtTimeZone { timestamp, .. } => clock(timestamp).is_some(),
        other => clock(other).is_some(),
    };
    match expression::parse(sql)? {
        Expr::BinaryOp {
            left,
            op: Plus | Minus,
            right,
        } => {
            let amount = rewrite::as_text(&right)?.contains(|c: char| matches!(c, '1'..='9'));
            (now(&left) && amount).then_some(Departure::Moved)
        }
        Expr::AtTimeZone { timestamp, time_zone } => {
            let zone = rewrite::as_text(&time_zone)?;
            let far = FAR_FROM_UTC.iter().any(|start| zone.starts_with(start));
            (far && clock(&timestamp).is_some()).then_some(Departure::Local)
        }
        other => {
            let call = rewrite::as_call(&other)?;
            match call.args.as_deref() {
                Some([unit, time, ..]) if call.name == "date_trunc" && now(time) => {
                    let fine = ["microsecond", "millisecond", "second"];
                    let unit = rewrite::as_text(unit)?;
                    (!fine.iter().any(|fine| unit.starts_with(fine))).then_some(Departure::Part)
                }
                _ => None,
            }
        }
    }
}

/// Looks through a cast to the column's own kind of type, which changes nothing, or to text.
fn without_time_cast<'a>(expr: &'a Expr, ty: &DataType) -> &'a Expr {
    if let Expr::Cast {
        expr: inner, data_type, ..
    } = expr
    {
        let name = data_type.to_string();
        let plain = match ty {
            _ if is_text(ty) => rewrite::is_plain_text(&name) || rewrite::text_limit(&name).is_some(),
            DataType::Date => name == "date",
            _ => matches!(
                name.as_str(),
                "timestamp" | "timestamptz" | "timestamp(6)" | "timestamptz(6)"
            ),
        };
        if plain {
            return inner;
        }
    }
    expr
}

/// Returns whether an expression is the present day: the start of it, where a time is wanted.
fn is_day(expr: &Expr) -> bool {
    match expr {
        Expr::Cast { expr, data_type, .. } => data_type.to_string() == "date" && clock(expr).is_some(),
        other => rewrite::as_call(other).is_some_and(|call| call.name == "current_date" && call.args.is_none()),
    }
}

fn clock(expr: &Expr) -> Option<Clock> {
    let call = rewrite::as_call(expr)?;
    match (call.name.as_str(), call.args.as_deref().unwrap_or_default()) {
        ("now" | "statement_timestamp" | "localtimestamp", []) => Some(Clock::Statement),
        ("clock_timestamp", []) => Some(Clock::Wall),
        _ => None,
    }
}

/// Reads a function that makes a new UUID on each call.
fn fresh_uuid(expr: &Expr, ty: &DataType) -> Option<DefaultExpr> {
    let expr = match expr {
        Expr::Cast {
            expr: inner, data_type, ..
        } if is_text(ty) && rewrite::is_plain_text(&data_type.to_string()) => inner,
        other => other,
    };
    let call = rewrite::as_call(expr)?;
    let fresh = matches!(
        call.name.as_str(),
        "gen_random_uuid"
            | "uuidv4"
            | "uuidv7"
            | "uuid_generate_v1"
            | "uuid_generate_v1mc"
            | "uuid_generate_v4"
            | "uuid_generate_v7"
    );
    (fresh && call.args.is_some_and(|args| args.is_empty())).then_some(DefaultExpr::FreshUuid)
}

fn next_value(expr: &Expr) -> Option<DefaultExpr> {
    let expr = match expr {
        Expr::Cast { expr, .. } => expr,
        other => other,
    };
    let call = rewrite::as_call(expr)?;
    match call.args.as_deref() {
        Some([sequence]) if call.name == "nextval" => {
            rewrite::as_text(sequence).map(|name| DefaultExpr::NextValue(sequence_name(name)))
        }
        _ => None,
    }
}

/// Writes a sequence's name as the server prints it: letters outside of quotes are small, and quotes only where needed.
fn sequence_name(name: &str) -> String {
    let mut parts = vec![String::new()];
    let mut quoted = false;
    for c in name.trim().chars() {
        match c {
            '"' => quoted = !quoted,
            '.' if !quoted => parts.push(String::new()),
            _ => {
                let c = if quoted { c } else { c.to_ascii_lowercase() };
                parts.last_mut().expect("there is one from the beginning").push(c);
            }
        }
    }
    let needs_quotes = |part: &str| {
        !part
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
    };
    let spell = |part: &String| match needs_quotes(part) {
        true => format!("\"{part}\""),
        false => part.clone(),
    };
    parts.iter().map(spell).collect::<Vec<_>>().join(".")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ty(spelling: &str) -> NativeType {
        NativeType::plain(super::super::parse_type(spelling))
    }

    #[track_caller]
    fn read(sql: &str, spelling: &str) -> Option<DefaultExpr> {
        normalize(sql, &ty(spelling))
    }

    fn text(value: &str) -> DefaultExpr {
        DefaultExpr::Literal(Literal::Text(value.to_owned()))
    }

    fn literal(value: Literal) -> Option<DefaultExpr> {
        Some(DefaultExpr::Literal(value))
    }

    #[test]
    fn casts_behind_a_text_are_noise_and_letter_case_is_data() {
        for sql in [
            "'Processed'",
            "'Processed'::text",
            "'Processed'::character varying",
            "'Processed'::character varying(40)",
            "('Processed'::text)::character varying",
            "CAST('Processed' AS varchar)",
            "E'Processed'",
            "'Processed'::public.ledger_outcome",
        ] {
            assert_eq!(read(sql, "character varying(40)"), Some(text("Processed")), "{sql}");
        }
        assert_eq!(read("'processed'::text", "text"), Some(text("processed")));
        assert_eq!(read("''::character varying", "character varying(40)"), Some(text("")));
        assert_eq!(read("'a::text'::text", "text"), Some(text("a::text")));
        assert_eq!(read("'it''s'::text", "text"), Some(text("it's")));
        assert_eq!(read("E'a\\\\b'::text", "text"), Some(text("a\\b")));
        assert_eq!(read("'P'::\"char\"", "\"char\""), Some(text("P")));
    }

    #[test]
    fn a_time_that_is_made_of_the_present_one_is_told_from_it() {
        for (sql, expected) in [
            ("(now() + '1 day'::interval)", Some(Departure::Moved)),
            ("CURRENT_TIMESTAMP - interval '7 days'", Some(Departure::Moved)),
            ("(now() AT TIME ZONE 'Europe/Berlin'::text)", Some(Departure::Local)),
            ("date_trunc('day'::text, now())", Some(Departure::Part)),
            ("date_trunc('second'::text, now())", None),
            ("(now() + '00:00:00'::interval)", None),
            ("now()", None),
            ("my_clock()", None),
        ] {
            assert_eq!(departure(&expression::normalize(sql)), expected, "{sql}");
        }
    }

    #[test]
    fn null_is_no_default_and_the_word_null_is_one() {
        for sql in ["NULL", "null", "NULL::character varying", "(NULL)::integer"] {
            assert_eq!(read(sql, "character varying(80)"), None, "{sql}");
        }
        assert_eq!(
            read("'NULL'::character varying", "character varying(80)"),
            Some(text("NULL"))
        );
    }

    #[test]
    fn numbers_are_equal_by_value() {
        for (sql, value) in [
            ("0", "0"),
            ("'-1'::integer", "-1"),
            ("-1", "-1"),
            ("(-1)", "-1"),
            ("0.0", "0"),
            ("1.50", "1.5"),
            ("(0)::numeric", "0"),
            ("'007'::bigint", "7"),
            ("'0'::smallint", "0"),
            ("1e3", "1000"),
            ("'1.25E-3'::numeric", "0.00125"),
            ("12.5e1", "125"),
        ] {
            assert_eq!(
                read(sql, "numeric(18,2)"),
                literal(Literal::Number(value.to_owned())),
                "{sql}"
            );
        }
        assert_eq!(read("0", "character varying(10)"), Some(text("0")));
        assert_eq!(read("1", "boolean"), literal(Literal::Boolean(true)));
    }

    #[test]
    fn truth_values_are_equal_in_all_their_spellings() {
        for sql in ["false", "FALSE", "'f'", "'no'::boolean", "'0'::boolean", "'off'"] {
            assert_eq!(read(sql, "boolean"), literal(Literal::Boolean(false)), "{sql}");
        }
        for sql in ["true", "'t'::boolean", "'yes'", "'on'", "'1'"] {
            assert_eq!(read(sql, "boolean"), literal(Literal::Boolean(true)), "{sql}");
        }
        assert_eq!(read("'o'", "boolean"), Some(text("o")));
    }

    #[test]
    fn the_present_time_has_many_spellings() {
        let now = |clock, form| Some(DefaultExpr::Now { clock, form });
        for sql in [
            "now()",
            "NOW()",
            "CURRENT_TIMESTAMP",
            "CURRENT_TIMESTAMP(6)",
            "transaction_timestamp()",
            "statement_timestamp()",
            "pg_catalog.now()",
            "LOCALTIMESTAMP",
            "(now())::timestamp with time zone",
            "('now'::text)::timestamp with time zone",
            "('now'::text)::timestamp(6) with time zone",
        ] {
            assert_eq!(
                read(sql, "timestamp with time zone"),
                now(Clock::Statement, TimeForm::Native),
                "{sql}"
            );
        }
        assert_eq!(
            read("clock_timestamp()", "timestamp with time zone"),
            now(Clock::Wall, TimeForm::Native)
        );
        for sql in [
            "(now() AT TIME ZONE 'utc'::text)",
            "timezone('UTC'::text, now())",
            "now() at time zone 'utc'",
        ] {
            assert_eq!(
                read(sql, "timestamp with time zone"),
                now(Clock::Statement, TimeForm::ShiftedUtc),
                "{sql}"
            );
            assert_eq!(
                read(sql, "timestamp without time zone"),
                now(Clock::Statement, TimeForm::Native),
                "{sql}"
            );
        }
        assert_eq!(
            read("(now())::text", "text"),
            now(Clock::Statement, TimeForm::Formatted)
        );
        for sql in ["CURRENT_DATE", "('now'::text)::date", "(now())::date"] {
            assert_eq!(read(sql, "date"), now(Clock::Statement, TimeForm::Native), "{sql}");
            for spelling in ["timestamp with time zone", "timestamp without time zone"] {
                assert_eq!(read(sql, spelling), now(Clock::Statement, TimeForm::Midnight), "{sql}");
            }
        }
        assert_eq!(
            read("(CURRENT_DATE)::text", "text"),
            now(Clock::Statement, TimeForm::Midnight)
        );
        for sql in [
            "CURRENT_TIMESTAMP(3)",
            "('now'::text)::timestamp(3) with time zone",
            "\"public\".now()",
            "(now() AT TIME ZONE 'Europe/Berlin'::text)",
            "(now() - '7 days'::interval)",
        ] {
            assert!(
                matches!(read(sql, "timestamp with time zone"), Some(DefaultExpr::Expression(_))),
                "{sql}"
            );
        }
    }

    #[test]
    fn points_in_time_are_equal_by_value() {
        for (sql, value) in [
            ("'-infinity'::timestamp with time zone", "-infinity"),
            ("TIMESTAMPTZ '-infinity'", "-infinity"),
            (
                "'2026-01-01 00:00:00+00'::timestamp with time zone",
                "2026-01-01 00:00:00",
            ),
            ("'2026-01-01'", "2026-01-01 00:00:00"),
            ("'2026-01-01T02:00:00+02:00'", "2026-01-01 00:00:00"),
            ("'2026-01-01 00:00:00.5Z'", "2026-01-01 00:00:00.500"),
            ("'0001-01-01 00:00:00'", "0001-01-01 00:00:00"),
        ] {
            assert_eq!(
                read(sql, "timestamp with time zone"),
                literal(Literal::Time(value.to_owned())),
                "{sql}"
            );
        }
        assert_eq!(
            read("'2026-01-01'::date", "date"),
            literal(Literal::Time("2026-01-01".to_owned()))
        );
    }

    #[test]
    fn identifiers_documents_and_bytes_are_equal_by_value() {
        let nil = "00000000-0000-0000-0000-000000000000";
        assert_eq!(
            read(&format!("'{nil}'::uuid"), "uuid"),
            literal(Literal::Uuid(nil.to_owned()))
        );
        assert_eq!(
            read("'{AAAAAAAA-0000-4000-8000-000000000001}'", "uuid"),
            literal(Literal::Uuid("aaaaaaaa-0000-4000-8000-000000000001".to_owned()))
        );
        for sql in ["'{}'::jsonb", "'{}'", "' { } '::jsonb"] {
            assert_eq!(read(sql, "jsonb"), Some(text("{}")), "{sql}");
        }
        assert_eq!(
            read(r#"'{"b": 1, "a": [true, null]}'::jsonb"#, "jsonb"),
            read(r#"'{"a":[true,null],"b":1}'"#, "jsonb")
        );
        assert_eq!(
            read("'\\x6A6b'::bytea", "bytea"),
            literal(Literal::Bytes("6a6b".to_owned()))
        );
        assert_eq!(read("'jk'::bytea", "bytea"), literal(Literal::Bytes("6a6b".to_owned())));
    }

    #[test]
    fn functions_that_make_values_are_known() {
        for (sql, spelling) in [
            ("gen_random_uuid()", "uuid"),
            ("public.uuid_generate_v4()", "uuid"),
            ("uuidv7()", "uuid"),
            ("(gen_random_uuid())::text", "character varying(36)"),
        ] {
            assert_eq!(read(sql, spelling), Some(DefaultExpr::FreshUuid), "{sql}");
        }
        assert!(matches!(
            read("\"public\".gen_random_uuid()", "uuid"),
            Some(DefaultExpr::Expression(_))
        ));
        for sql in ["nextval('s1'::regclass)", "nextval('S1')", "nextval('\"s1\"')"] {
            assert_eq!(
                read(sql, "bigint"),
                Some(DefaultExpr::NextValue("s1".to_owned())),
                "{sql}"
            );
        }
        assert_eq!(
            read("nextval('public.\"Outbox_Seq_seq\"'::regclass)", "bigint"),
            Some(DefaultExpr::NextValue("public.\"Outbox_Seq_seq\"".to_owned()))
        );
    }

    #[test]
    fn other_expressions_equal_what_was_written() {
        for (server, written, spelling) in [
            (
                "(('Evt-'::text || gen_random_uuid()))",
                "'Evt-' || gen_random_uuid()",
                "character varying(96)",
            ),
            ("public.next_tenant()", "next_tenant()", "integer"),
            ("(CURRENT_USER)::text", "current_user::text", "text"),
            (
                "(EXTRACT(epoch FROM now()))::bigint",
                "extract(EPOCH from now())::bigint",
                "bigint",
            ),
        ] {
            let normal = read(server, spelling);
            assert!(matches!(normal, Some(DefaultExpr::Expression(_))), "{server}");
            assert_eq!(normal, read(written, spelling), "{server}");
        }
        assert_ne!(read("('Pro'::text || 'cessed'::text)", "text"), Some(text("Processed")));
        assert_ne!(read("\"public\".lower('A'::text)", "text"), read("lower('A')", "text"));
        assert_eq!(read("'now'::text", "text"), Some(text("now")));
        assert_eq!(
            read("('now'::text)::timestamp(3) with time zone", "timestamp with time zone"),
            read("CURRENT_TIMESTAMP(3)", "timestamp with time zone")
        );
        assert_eq!(
            read("'now'::timestamp with time zone", "timestamp with time zone"),
            literal(Literal::Time("now".to_owned()))
        );
    }

    proptest! {
        #[test]
        fn any_text_has_a_normal_form_that_is_its_own(sql in "\\PC{0,40}", kind in 0..8usize) {
            let kinds = ["uuid", "text", "integer", "boolean", "jsonb", "bytea", "timestamp with time zone", "date"];
            let ty = ty(kinds[kind]);
            if let Some(DefaultExpr::Expression(once)) = normalize(&sql, &ty) {
                let again = normalize(&once, &ty);
                prop_assert_eq!(again, Some(DefaultExpr::Expression(once)));
            }
        }
    }
}
