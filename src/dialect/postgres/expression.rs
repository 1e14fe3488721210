//! SQL expressions in normal form, so that the spelling of a spec and the one that the server prints can be
//! compared as text.
//!
//! An expression is folded (white space, letter case outside of quotes), parsed, simplified and printed. What does
//! not parse keeps its folded form: it is equal to the same words only, never mistaken for other ones.

use std::borrow::Cow;
use std::ops::ControlFlow;

use sqlparser::ast::{BinaryOperator, Expr, visit_expressions, visit_expressions_mut};
use sqlparser::dialect::PostgreSqlDialect;

use super::rewrite;
use crate::dialect::condition;

/// Returns the normal form of an expression. Normal forms are their own normal form.
pub(super) fn normalize(sql: &str) -> String {
    let folded = fold(sql);
    match print(&folded) {
        // Whatever the parser prints in a way that it does not read back keeps the folded form.
        Some(printed) if print(&fold(&printed)).as_deref() == Some(printed.as_str()) => printed,
        _ => folded,
    }
}

fn print(folded: &str) -> Option<String> {
    parse_folded(folded).map(spell)
}

/// Prints a simplified expression.
pub(super) fn spell(mut expr: Expr) -> String {
    let _ = visit_expressions_mut(&mut expr, |e| {
        rewrite::parenthesize(e);
        ControlFlow::<()>::Continue(())
    });
    expr.to_string()
}

/// Parses and simplifies an expression; nothing if it is not one.
pub(super) fn parse(sql: &str) -> Option<Expr> {
    parse_folded(&fold(sql))
}

/// Parses an expression and leaves its casts in their places; nothing if it is not one.
pub(super) fn parse_verbatim(sql: &str) -> Option<Expr> {
    condition::parse(&plain_operators(&fold(sql)), &PostgreSqlDialect {})
}

fn parse_folded(folded: &str) -> Option<Expr> {
    let mut expr = condition::parse(&plain_operators(folded), &PostgreSqlDialect {})?;
    let _ = visit_expressions_mut(&mut expr, |e| {
        let taken = std::mem::replace(e, Expr::value(sqlparser::ast::Value::Null));
        *e = rewrite::simplify(taken);
        ControlFlow::<()>::Continue(())
    });
    Some(expr)
}

/// Lowers letters and collapses white space outside of quotes.
pub(super) fn fold(sql: &str) -> String {
    let mut out = String::with_capacity(sql.len());
    let mut chars = sql.trim().chars().peekable();
    let mut quote: Option<(char, bool)> = None;
    while let Some(c) = chars.next() {
        if let Some((end, escapes)) = quote {
            out.push(c);
            if escapes && c == '\\' {
                out.extend(chars.next());
            } else if c == end {
                quote = None;
            }
        } else if c == '\'' || c == '"' {
            quote = Some((c, c == '\'' && opens_escapes(&out)));
            out.push(c);
        } else if c.is_whitespace() {
            while chars.next_if(|next| next.is_whitespace()).is_some() {}
            out.push(' ');
        } else {
            out.push(c.to_ascii_lowercase());
        }
    }
    out
}

/// Walks over the characters outside of quotes, with the depth of parentheses before each.
pub(crate) fn outside_quotes(text: &str) -> impl Iterator<Item = (usize, i32, char)> {
    let mut quote = None;
    let mut depth = 0;
    let mut before = ' ';
    let mut escaped = false;
    let mut escapes = false;
    text.char_indices().filter_map(move |(at, c)| {
        let last = std::mem::replace(&mut before, c);
        if let Some(end) = quote {
            if escaped {
                escaped = false;
            } else if escapes && c == '\\' {
                escaped = true;
            } else if c == end {
                quote = None;
            }
            return None;
        }
        let seen = (at, depth, c);
        match c {
            '\'' | '"' => {
                quote = Some(c);
                escapes = c == '\'' && matches!(last, 'E' | 'e');
                return None;
            }
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        Some(seen)
    })
}

/// Writes `a OPERATOR(public.=) b` as `a = b`: the server names an operator's namespace where it is not pg_catalog.
fn plain_operators(folded: &str) -> Cow<'_, str> {
    const WORD: &str = "operator(";
    let mut plain = String::new();
    let mut rest = 0;
    for (at, _, c) in outside_quotes(folded) {
        if c != 'o' || at < rest || !folded[at..].starts_with(WORD) {
            continue;
        }
        let inner = &folded[at + WORD.len()..];
        if let Some((name, _)) = inner.split_once(')') {
            plain.push_str(&folded[rest..at]);
            plain.push_str(name.rsplit('.').next().unwrap_or(name));
            rest = at + WORD.len() + name.len() + 1;
        }
    }
    if rest == 0 {
        return Cow::Borrowed(folded);
    }
    plain.push_str(&folded[rest..]);
    Cow::Owned(plain)
}

/// Returns whether a quote behind this text begins an `E'…'` string, in which a backslash escapes.
fn opens_escapes(before: &str) -> bool {
    let mut last = before.chars().rev();
    last.next() == Some('e') && !last.next().is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '"')
}

/// Returns which of a table's columns an expression reads, sorted; nothing if it cannot be parsed.
pub(crate) fn columns_read(sql: &str, columns: &[&str]) -> Option<Vec<String>> {
    let expr = parse(sql)?;
    let mut read = Vec::new();
    let _ = visit_expressions(&expr, |e| {
        let name = match e {
            Expr::Identifier(name) => Some(name),
            Expr::CompoundIdentifier(names) => names.last(),
            _ => None,
        };
        if let Some(name) = name
            && columns.contains(&name.value.as_str())
        {
            read.push(name.value.clone());
        }
        ControlFlow::<()>::Continue(())
    });
    read.sort();
    read.dedup();
    Some(read)
}

/// Calls `visit` with each part of a chain of ANDs, the last one first.
pub(super) fn each_conjunct<'a>(expr: &'a Expr, visit: &mut impl FnMut(&'a Expr)) {
    let mut rest = expr;
    // Chains lean to the left, so the walk needs no recursion.
    while let Expr::BinaryOp {
        left,
        op: BinaryOperator::And,
        right,
    } = rest
    {
        visit(right);
        rest = left;
    }
    visit(rest);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::condition::LONGEST;
    use proptest::prelude::*;

    #[track_caller]
    fn same(server: &str, written: &str) {
        assert_eq!(normalize(server), normalize(written), "{server}  vs  {written}");
    }

    #[track_caller]
    fn different(a: &str, b: &str) {
        assert_ne!(normalize(a), normalize(b), "{a}  vs  {b}");
    }

    #[test]
    fn what_the_server_prints_equals_what_was_written() {
        // Left: printed by PostgreSQL 15 for an expression created as on the right.
        for (server, written) in [
            (
                r#"(("Outcome")::text = ANY ((ARRAY['Processed'::character varying, 'Stale'::character varying])::text[]))"#,
                r#""Outcome" IN ('Processed', 'Stale')"#,
            ),
            (
                r#"(("Outcome")::text <> ALL ((ARRAY['a'::character varying, 'b'::character varying])::text[]))"#,
                r#""Outcome" NOT IN ('b', 'a')"#,
            ),
            (r#"(("Outcome")::text = 'a'::text)"#, r#""Outcome" in ('a')"#),
            (r#"(("Outcome")::text <> 'Stale'::text)"#, r#""Outcome" != 'Stale'"#),
            (r#"("EventType" IS NOT NULL)"#, r#""EventType" is not null"#),
            (
                r#"(octet_length(("EventType")::text) <= 160)"#,
                r#"octet_length("EventType") <= 160"#,
            ),
            (r#"(("Outcome")::text ~~ 'P%'::text)"#, r#""Outcome" LIKE 'P%'"#),
            (r#"(("Outcome")::text !~~* 'P%'::text)"#, r#""Outcome" NOT ILIKE 'P%'"#),
            (
                r#"(("TenantId" >= 1) AND ("TenantId" <= 5))"#,
                r#""TenantId" BETWEEN 1 AND 5"#,
            ),
            (
                r#"(("TenantId" < 1) OR ("TenantId" > 5))"#,
                r#""TenantId" NOT BETWEEN 1 AND 5"#,
            ),
            (r#"("TenantId" > '-1'::integer)"#, r#""TenantId" > -1"#),
            (r#"(tenant > 0)"#, "Tenant > 0"),
            (r#"(tenant > 0)"#, r#""tenant" > 0"#),
            (r#"(((a)::text || '-'::text) || (b)::text)"#, "a || '-' || b"),
            (r#"((a > 0) AND (b > 0) AND (c > 0))"#, "a > 0 and (b > 0 and c > 0)"),
            (r#""left"(("EventId")::text, 8)"#, r#"left("EventId"::text, 8)"#),
            (r#""substring"((a)::text, 1, 8)"#, "substring(a from 1 for 8)"),
            (
                r#"(COALESCE("TenantId", '-1'::integer))"#,
                r#"coalesce("TenantId", -1)"#,
            ),
            ("TRIM(BOTH FROM a)", "btrim(a)"),
            (
                r#"(date_part('year'::text, timezone('UTC'::text, a)) > (2000)::double precision)"#,
                "extract(YEAR from a at time zone 'utc') > 2000",
            ),
            (
                r#"(("ProcessedOnUtc" AT TIME ZONE 'utc'::text))::date"#,
                r#"CAST(timezone('UTC', "ProcessedOnUtc") AS date)"#,
            ),
            (r#"(NOT (a IS DISTINCT FROM b))"#, "a is not distinct from b"),
            (
                r#"(a > '2026-01-01 00:00:00+00'::timestamp with time zone)"#,
                "a > timestamptz '2026-01-01 00:00:00+00'",
            ),
            (
                r#"(a > (now() - '7 days'::interval))"#,
                "a > CURRENT_TIMESTAMP - interval '7 days'",
            ),
            (r#"((status)::text = 'it''s'::text)"#, "status = E'it\\'s'"),
            ("public.next_tenant()", "NEXT_TENANT()"),
            (
                "(c OPERATOR(public.=) ANY (ARRAY['a'::public.citext, 'OPERATOR(b)'::public.citext]))",
                "c IN ('a', 'OPERATOR(b)')",
            ),
        ] {
            same(server, written);
        }
    }

    #[test]
    fn other_expressions_stay_different() {
        for (a, b) in [
            ("a - (b - c)", "(a - b) - c"),
            ("a AND (b OR c)", "(a AND b) OR c"),
            ("\"Outcome\" = 'processed'", "\"Outcome\" = 'Processed'"),
            ("\"Outcome\" = 'a'", "outcome = 'a'"),
            ("a IN ('x')", "a NOT IN ('x')"),
            ("length(a) <= 10", "octet_length(a) <= 10"),
            ("a = 'NULL'", "a = NULL"),
            ("a::date", "a::integer"),
            ("a = 'x::text'", "a = 'x'"),
            ("NOT (a AND b)", "NOT a AND b"),
            ("a > 1", "a > -1"),
        ] {
            different(a, b);
        }
    }

    #[test]
    fn columns_are_found_where_they_are_read() {
        let columns = ["EventId", "TenantId", "order"];
        let read = |sql| columns_read(sql, &columns).unwrap();
        assert_eq!(read(r#"COALESCE("TenantId", '-1'::integer)"#), ["TenantId"]);
        assert_eq!(read(r#"lower(("EventId")::text) || "order""#), ["EventId", "order"]);
        assert_eq!(read("'EventId'::text"), [""; 0]);
    }

    #[test]
    fn a_tree_as_deep_as_the_limit_allows_is_no_danger() {
        for deep in [
            vec!["a"; LONGEST / 2].join("+"),
            vec!["a"; LONGEST / 4].join("||"),
            "(".repeat(LONGEST / 2) + &")".repeat(LONGEST / 2),
            "not ".repeat(LONGEST / 4) + "a",
            "-".repeat(LONGEST - 1) + "a",
            "a".to_owned() + &"::int".repeat(LONGEST / 6),
        ] {
            let once = normalize(&deep);
            assert_eq!(normalize(&once), once);
        }
    }

    proptest! {
        #[test]
        fn normal_forms_are_stable_for_any_text(sql in "\\PC{0,60}") {
            let once = normalize(&sql);
            prop_assert_eq!(normalize(&once), once);
        }

        #[test]
        fn normal_forms_are_stable_for_text_that_looks_like_sql(
            words in proptest::collection::vec(
                proptest::sample::select(vec![
                    "a", "\"B\"", "'x'", "1", "-", "::", "text", "integer", "(", ")", "and", "or", "not", "in", ",",
                    "is null", "now()", "||", "=", "<>", "any", "array[", "]", "e'\\'", "null", "between", "case",
                    "when", "then", "end", "at time zone", "interval", "like", "substring(", "trim(", ".",
                ]),
                0..14,
            )
        ) {
            let sql = words.join(" ");
            let once = normalize(&sql);
            prop_assert_eq!(normalize(&once), once);
        }
    }
}
