//! Texts that are long or nested deep: no dialect runs out of stack or time over one.

use std::time::{Duration, Instant};

use seadrift::dialect::{Dialect, Given, Row};
use seadrift::schema::{Column, DataType, NativeType};

const KIB: usize = 1 << 10;

/// Returns texts of about the given size, and some that are smaller.
fn hostile_texts(size: usize) -> Vec<(&'static str, String)> {
    let fill = |piece: &str| piece.repeat(size / piece.len());
    let nested = |open: &str, close: &str, n: usize| format!("{}a{}", open.repeat(n), close.repeat(n));
    vec![
        ("10,000 parentheses", nested("(", ")", 10_000)),
        ("nothing but parentheses", nested("(", ")", size / 2)),
        ("parentheses that never close", fill("(")),
        ("parentheses that never open", fill(")")),
        ("a chain of AND", format!("{}a", fill("a AND "))),
        ("a chain of AND in parentheses", format!("{}a", fill("(a) AND "))),
        ("a chain of OR over texts", format!("{}a = 'x'", fill("a = 'x' OR "))),
        ("a long list", format!("a IN ({}'x')", fill("'x', "))),
        ("nested calls", nested("lower(", ")", 20_000)),
        ("NOT upon NOT", format!("{}a", fill("NOT "))),
        ("signs", format!("{}1", fill("- "))),
        ("casts", format!("a{}", fill("::text"))),
        ("CASE in CASE", nested("CASE WHEN a THEN ", " END", 20_000)),
        ("quotes that escape each other", fill("'\\")),
        ("quotes of all kinds", fill("'\"`[$")),
        ("dollar quotes", fill("$a$ ")),
        ("open comments", fill("/* -- ")),
        ("one word", fill("a")),
        ("one number", fill("1")),
        ("a number with a vast exponent", "1e-2147483648".to_owned()),
        ("a number with a vaster exponent", "1e99999999999".to_owned()),
        ("points", fill("a.")),
        ("letters beyond ASCII", fill("Ü")),
        ("zero bytes", fill("\0")),
        ("nothing", String::new()),
    ]
}

fn types() -> Vec<NativeType> {
    ["text", "numeric(10,2)", "timestamptz"]
        .map(|text| NativeType::plain(text.parse::<DataType>().unwrap()))
        .to_vec()
}

/// Debug builds on a busy machine are slow; what is quadratic takes minutes.
const PATIENCE: Duration = Duration::from_secs(20);

fn in_time<T>(what: &str, dialect: Dialect, run: impl FnOnce() -> T) -> T {
    let started = Instant::now();
    let result = run();
    let taken = started.elapsed();
    assert!(taken < PATIENCE, "{what} on {dialect} took {taken:?}");
    result
}

#[test]
fn expressions_are_brought_to_normal_form() {
    for (what, text) in hostile_texts(64 * KIB) {
        for dialect in Dialect::ALL {
            let normal = in_time(what, dialect, || dialect.facts().expression(&text));
            assert!(
                normal.len() <= 4 * text.len() + 64,
                "{what} on {dialect}: {} bytes",
                normal.len()
            );
        }
    }
}

#[test]
fn defaults_are_read() {
    for (what, text) in hostile_texts(64 * KIB) {
        for dialect in Dialect::ALL {
            for ty in types() {
                in_time(what, dialect, || dialect.facts().default_expr(&text, &ty));
            }
        }
    }
}

fn admits(dialect: Dialect, check: &str, column: &Column, value: &str) -> Option<bool> {
    let row = Row {
        columns: std::slice::from_ref(column),
        known: Some((column, Given::Text(value))),
    };
    dialect.facts().admits(check, &row)
}

#[test]
fn keys_and_checks_are_judged() {
    let column = Column::plain("a", NativeType::plain(DataType::Text));
    for (what, text) in hostile_texts(64 * KIB) {
        for dialect in Dialect::ALL {
            in_time(what, dialect, || dialect.facts().key_effect(&text, &column));
            in_time(what, dialect, || admits(dialect, &text, &column, "x"));
            in_time(what, dialect, || dialect.facts().only_keeps_null_out(&text));
        }
    }
}

#[test]
fn a_long_list_of_values_is_still_a_list() {
    let column = Column::plain("a", NativeType::plain(DataType::Text));
    for dialect in Dialect::ALL {
        let sql = format!("a IN ({}'y')", "'x', ".repeat(1_000));
        assert_eq!(admits(dialect, &sql, &column, "y"), Some(true), "{dialect}");
    }
}

/// Chains and parentheses are what parsers recurse over. The rest is covered by the smaller texts, at a size at which
/// quadratic work shows already.
#[test]
fn a_mebibyte_is_no_problem() {
    let texts = hostile_texts(1024 * KIB);
    let worst = [
        "nothing but parentheses",
        "a chain of AND",
        "quotes that escape each other",
    ];
    for (what, text) in texts.into_iter().filter(|(what, _)| worst.contains(what)) {
        assert!(text.len() > 1_000 * KIB, "{what}");
        for dialect in Dialect::ALL {
            in_time(what, dialect, || dialect.facts().expression(&text));
            in_time(what, dialect, || dialect.facts().default_expr(&text, &types()[0]));
        }
    }
}
