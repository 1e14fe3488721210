//! Tests of the normal form of expressions.

use super::*;
use proptest::prelude::*;

#[test]
fn a_dot_beside_a_number_stays_a_word_of_its_own() {
    assert_eq!(canonical(&canonical(". 0")), canonical(". 0"));
}

#[test]
fn spellings_of_one_expression_meet() {
    for (spellings, wanted) in [
        (
            &[
                "`T` > 0 and `b` < 3",
                "((`T` > 0) and (`b` < 3))",
                "t>0 AND B<3",
                "T > 0 && b < 3",
            ][..],
            "t > 0 and `b` < 3",
        ),
        (&["(a <> 1)", "a != 1", "`a` <> 1"][..], "a <> 1"),
        (&["a or b and c", "(a or (b and c))"][..], "a or `b` and c"),
        (&["(a or b) and c", "((`a` or `b`) and `c`)"][..], "(a or `b`) and c"),
        (&["a - (c - d)"][..], "a - (c - d)"),
        (&["(a - c) - d", "a - c - d"][..], "a - c - d"),
        (
            &[
                "`Outcome` in ('Processed','Duplicate')",
                "(`Outcome` in (_utf8mb4'Processed',_utf8mb4'Duplicate'))",
                "outcome IN ( 'Processed', 'Duplicate' )",
            ][..],
            "outcome in ('Processed', 'Duplicate')",
        ),
        (&["!(a = 1)", "NOT (a = 1)", "not a = 1"][..], "not a = 1"),
        (&["+(not a)", "not a"][..], "not a"),
        (&["!a = 1", "(not a) = 1"][..], "(not a) = 1"),
        (&["a not like 'x%'", "(not (`a` like 'x%'))"][..], "not a like 'x%'"),
        (&["a is not null", "(`a` IS NOT NULL)"][..], "a is not null"),
        (
            &["a between 1 and 2 and c", "((a between 1 and 2) and c)"][..],
            "a between 1 and 2 and c",
        ),
        (
            &["now(6)", "CURRENT_TIMESTAMP(6)", "(current_timestamp(6))"][..],
            "now(6)",
        ),
        (&["CURRENT_TIMESTAMP", "now()", "current_timestamp()"][..], "now()"),
        (
            &["(current_timestamp() + interval 1 day)", "NOW() + INTERVAL 1 DAY"][..],
            "now() + interval 1 day",
        ),
        (
            &["a and not c", "+a and + not c", "a and +(+(not c))"][..],
            "a and not c",
        ),
        (&["lcase(`EventId`)", "LOWER(EventId)"][..], "lower(eventid)"),
        (
            &["cast(`a` as char(36) charset utf8mb4)"][..],
            "cast(a as char(36) charset utf8mb4)",
        ),
        (
            &[
                "case when a = 1 then 'x' else NULL end",
                "(CASE WHEN (`a` = 1) THEN 'x' ELSE null END)",
            ][..],
            "case when a = 1 then 'x' else null end",
        ),
        (
            &["BINARY a = 'x'", "cast(`a` as char charset binary) = 'x'"][..],
            "cast(a as binary) = 'x'",
        ),
        (&["`order` > 1.50"][..], "`order` > 1.5"),
    ] {
        for spelling in spellings {
            assert_eq!(canonical(spelling), wanted, "{spelling}");
        }
    }
}

#[test]
fn letter_case_of_text_is_data() {
    assert_ne!(canonical("a = 'Processed'"), canonical("a = 'processed'"));
}

#[test]
fn what_is_not_understood_keeps_its_words() {
    assert_eq!(canonical("SELECT   a FROM `T`"), "select a from t");
}

#[test]
fn columns_are_the_names_in_backticks() {
    assert_eq!(columns("lower(`EventId`) + `d`.`T`.`x` + `EventId`"), ["EventId", "x"]);
}

#[test]
fn deep_nesting_does_not_exhaust_the_stack() {
    canonical(&"(".repeat(100_000));
    canonical(&"- ".repeat(100_000));
}

proptest! {
    #[test]
    fn the_canonical_spelling_is_its_own_canonical_spelling(
        sql in "(a|b|`c d`|'t''x'|1\\.50|0x0F|now|\\(|\\)| |,|\\+|-|=| and | or | not | in | is null|\\*|b'01'){0,14}"
    ) {
        let once = canonical(&sql);
        prop_assert_eq!(canonical(&once), once);
    }

    #[test]
    fn any_text_is_read_without_panic(sql in "\\PC{0,60}") {
        canonical(&sql);
    }
}
