//! What an expression does to the equality of the column it reads when it is a unique key.

use sqlparser::ast::{BinaryOperator, Expr, Value};

use super::{expression, rewrite};
use crate::dialect::KeyEffect;
use crate::schema::{Column, DataType};

/// Says what a unique key over an expression does to the keys of a column. Without the column's type, functions
/// that change letters are not judged.
pub(super) fn effect(sql: &str, name: &str, column: Option<&Column>) -> KeyEffect {
    match expression::parse(sql) {
        Some(expr) => judge(&expr, name, column),
        None => KeyEffect::Unknown,
    }
}

fn judge(expr: &Expr, name: &str, column: Option<&Column>) -> KeyEffect {
    match expr {
        Expr::Identifier(ident) if ident.value == name => KeyEffect::Faithful,
        Expr::Cast { expr, data_type, .. } => {
            let ty = data_type.to_string();
            let inner = judge(expr, name, column);
            if inner == KeyEffect::MergesDashes && rewrite::is_plain_text(&ty) {
                return inner;
            }
            match inner {
                KeyEffect::MergesDashes => KeyEffect::Unknown,
                KeyEffect::Faithful if rewrite::is_plain_text(&ty) || ty == "bytea" => KeyEffect::Faithful,
                KeyEffect::Faithful if ty == "uuid" => KeyEffect::Faithful,
                KeyEffect::Faithful => match rewrite::text_limit(&ty) {
                    Some(n) if fits(column, n) => KeyEffect::Faithful,
                    Some(n) => merges(format!("only the first {n} characters count")),
                    None => KeyEffect::Unknown,
                },
                other => other,
            }
        }
        Expr::Case { else_result: None, .. } => {
            KeyEffect::Forgets("rows that no branch of the CASE takes have no key".to_owned())
        }
        Expr::Case {
            conditions,
            else_result,
            ..
        } => {
            let results = conditions.iter().map(|c| &c.result).chain(else_result.as_deref());
            if results.into_iter().any(is_null) {
                KeyEffect::Forgets("rows for which the CASE gives NULL have no key".to_owned())
            } else {
                KeyEffect::Unknown
            }
        }
        Expr::BinaryOp { left, op, right } => operator(left, op, right, name, column),
        Expr::Function(_) => match rewrite::as_call(expr) {
            Some(call) => function(&call.name, call.args.as_deref().unwrap_or_default(), name, column),
            None => KeyEffect::Unknown,
        },
        _ => KeyEffect::Unknown,
    }
}

fn merges(why: impl Into<String>) -> KeyEffect {
    KeyEffect::Merges(why.into())
}

fn is_null(expr: &Expr) -> bool {
    matches!(expr, Expr::Value(v) if matches!(v.value, Value::Null))
}

fn is_constant(expr: &Expr) -> bool {
    matches!(expr, Expr::Value(_))
}

/// Returns whether every value of the column, written as text, has at most so many characters.
fn fits(column: Option<&Column>, limit: usize) -> bool {
    let longest = match column.map(|c| &c.ty.data) {
        Some(DataType::Uuid) => Some(36),
        Some(DataType::Varchar(Some(n))) => usize::try_from(*n).ok(),
        Some(DataType::Integer) => Some(11),
        Some(DataType::BigInt) => Some(20),
        _ => None,
    };
    longest.is_some_and(|n| n <= limit)
}

/// A constant joined to a key, or added to it, keeps keys apart.
fn operator(left: &Expr, op: &BinaryOperator, right: &Expr, name: &str, column: Option<&Column>) -> KeyEffect {
    let keeps = matches!(
        op,
        BinaryOperator::StringConcat | BinaryOperator::Plus | BinaryOperator::Minus
    );
    let inner = match (is_constant(left), is_constant(right)) {
        (true, false) => judge(right, name, column),
        (false, true) => judge(left, name, column),
        _ => return KeyEffect::Unknown,
    };
    match inner {
        KeyEffect::Faithful | KeyEffect::MergesDashes if keeps => inner,
        KeyEffect::Faithful if matches!(op, BinaryOperator::Modulo | BinaryOperator::Divide) => {
            merges("only a part of the number counts")
        }
        KeyEffect::Faithful | KeyEffect::MergesDashes => KeyEffect::Unknown,
        other => other,
    }
}

fn function(called: &str, args: &[&Expr], name: &str, column: Option<&Column>) -> KeyEffect {
    let Some(first) = args.first() else {
        return KeyEffect::Unknown;
    };
    if called == "nullif" {
        return KeyEffect::Forgets("keys that equal the second argument of NULLIF become NULL".to_owned());
    }
    // `date_trunc('day', x)` has the value in second place.
    let value = if called == "date_trunc" {
        args.get(1).unwrap_or(first)
    } else {
        first
    };
    let inner = judge(value, name, column);
    if !matches!(inner, KeyEffect::Faithful | KeyEffect::MergesDashes) {
        return inner;
    }
    match whole_or_part(called, args, column) {
        KeyEffect::Faithful => inner,
        own => own,
    }
}

/// Says what a function does to the different values that it is given.
fn whole_or_part(called: &str, args: &[&Expr], column: Option<&Column>) -> KeyEffect {
    match called {
        "replace" | "translate" if is_dash(args.get(1)) && args.get(2).is_some_and(|to| is_constant(to)) => {
            // The server writes dashes in the same places of every one.
            match column.map(|c| &c.ty.data) {
                Some(DataType::Uuid) => KeyEffect::Faithful,
                _ => KeyEffect::MergesDashes,
            }
        }
        "lower" | "upper" | "initcap" => letters(column),
        "left" | "right" | "substring" => slice(called, args, column),
        "md5" | "sha224" | "sha256" | "sha384" | "sha512" | "reverse" | "encode" | "quote_literal" => {
            KeyEffect::Faithful
        }
        "coalesce" => match column {
            Some(column) if !column.nullable => KeyEffect::Faithful,
            _ => merges("NULL and the replacement of COALESCE are one key"),
        },
        "btrim" | "ltrim" | "rtrim" | "trim" => match column.map(|c| &c.ty.data) {
            Some(DataType::Uuid) if args.len() == 1 => KeyEffect::Faithful,
            _ => merges("characters at the ends do not count"),
        },
        "replace" | "translate" | "regexp_replace" | "unaccent" | "normalize" | "split_part" | "date_trunc"
        | "round" | "trunc" | "floor" | "ceil" | "abs" | "length" | "octet_length" | "hashtext"
        | "hashtextextended" | "uuid_hash" | "crc32" | "mod" | "sign" => {
            merges(format!("{called}() gives one result for several values"))
        }
        _ => KeyEffect::Unknown,
    }
}

fn is_dash(expr: Option<&&Expr>) -> bool {
    expr.is_some_and(|expr| rewrite::as_text(expr) == Some("-"))
}

/// Changing letter case is harmless where the server writes the text itself, always in lower case.
fn letters(column: Option<&Column>) -> KeyEffect {
    match column.map(|c| &c.ty.data) {
        None => KeyEffect::Unknown,
        Some(
            DataType::Uuid
            | DataType::SmallInt
            | DataType::Integer
            | DataType::BigInt
            | DataType::Numeric { .. }
            | DataType::Date
            | DataType::Timestamp { .. },
        ) => KeyEffect::Faithful,
        Some(_) => merges("letter case does not count"),
    }
}

/// A slice is harmless if it holds the whole text.
fn slice(called: &str, args: &[&Expr], column: Option<&Column>) -> KeyEffect {
    let number = |expr: &Expr| match expr {
        Expr::Value(v) => match &v.value {
            Value::Number(n, _) => n.parse::<i64>().ok(),
            _ => None,
        },
        _ => None,
    };
    let length = match (called, args) {
        ("substring", [_, from, length]) if number(from) == Some(1) => number(length),
        ("left" | "right", [_, length]) => number(length),
        _ => None,
    };
    match length {
        Some(n) if usize::try_from(n).is_ok_and(|n| fits(column, n)) => KeyEffect::Faithful,
        Some(n) if n >= 0 => {
            let end = if called == "right" { "last" } else { "first" };
            merges(format!("only the {end} {n} characters count"))
        }
        _ => merges("only a part of the text counts"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::NativeType;

    fn column(ty: &str, nullable: bool) -> Column {
        Column {
            nullable,
            ..Column::plain("EventId", NativeType::plain(super::super::parse_type(ty)))
        }
    }

    fn over(ty: &str, sql: &str) -> &'static str {
        match effect(sql, "EventId", Some(&column(ty, false))) {
            KeyEffect::Faithful => "faithful",
            KeyEffect::MergesCase => "merges case",
            KeyEffect::MergesDashes => "merges dashes",
            KeyEffect::Merges(_) => "merges",
            KeyEffect::Forgets(_) => "forgets",
            KeyEffect::Unknown => "unknown",
        }
    }

    #[test]
    fn the_type_decides_what_an_expression_does() {
        for (ty, sql, expected) in [
            ("uuid", r#""EventId""#, "faithful"),
            ("uuid", r#"("EventId")::text"#, "faithful"),
            ("uuid", r#"lower(("EventId")::text)"#, "faithful"),
            ("uuid", r#"UPPER("EventId"::varchar)"#, "faithful"),
            ("character varying(80)", r#"lower(("EventId")::text)"#, "merges"),
            ("text", r#"lower("EventId")"#, "merges"),
            ("uuid", r#""left"(("EventId")::text, 8)"#, "merges"),
            ("uuid", r#""left"(("EventId")::text, 36)"#, "faithful"),
            ("uuid", r#"substr(("EventId")::text, 1, 8)"#, "merges"),
            ("uuid", r#"substring("EventId"::text from 10)"#, "merges"),
            ("uuid", r#"("EventId")::character varying(8)"#, "merges"),
            ("uuid", r#"("EventId")::character varying(36)"#, "faithful"),
            ("uuid", r#"md5(("EventId")::text)"#, "faithful"),
            ("uuid", r#""left"(md5(("EventId")::text), 8)"#, "merges"),
            ("uuid", r#"left(lower("EventId"::text), 8)"#, "merges"),
            ("text", r#"btrim("EventId")"#, "merges"),
            ("text", r#"NULLIF("EventId", ''::text)"#, "forgets"),
            (
                "uuid",
                r#"CASE WHEN ("Outcome" = 'Processed'::text) THEN "EventId" ELSE NULL::uuid END"#,
                "forgets",
            ),
            ("uuid", r#"case when "Outcome" = 'x' then "EventId" end"#, "forgets"),
            ("uuid", r#"('evt-'::text || ("EventId")::text)"#, "faithful"),
            ("text", r#"('evt-'::text || lower("EventId"))"#, "merges"),
            ("integer", r#"("EventId" % 100)"#, "merges"),
            (
                "timestamp without time zone",
                r#"date_trunc('day'::text, "EventId")"#,
                "merges",
            ),
            (
                "uuid",
                r#"COALESCE("EventId", '00000000-0000-0000-0000-000000000000'::uuid)"#,
                "faithful",
            ),
            ("uuid", r#"public.my_hash("EventId")"#, "unknown"),
            ("uuid", r#"lower(("Other")::text)"#, "unknown"),
            ("uuid", "this is not sql (", "unknown"),
        ] {
            assert_eq!(over(ty, sql), expected, "{sql} over {ty}");
        }
    }

    #[test]
    fn a_replacement_for_null_is_one_key_with_the_real_value() {
        let nullable = column("uuid", true);
        assert!(matches!(
            effect(r#"COALESCE("EventId", 'x')"#, "EventId", Some(&nullable)),
            KeyEffect::Merges(_)
        ));
    }

    #[test]
    fn letters_are_not_judged_without_the_type() {
        assert_eq!(effect(r#"lower("EventId")"#, "EventId", None), KeyEffect::Unknown);
        assert!(matches!(
            effect(r#"left("EventId", 8)"#, "EventId", None),
            KeyEffect::Merges(_)
        ));
    }
}
