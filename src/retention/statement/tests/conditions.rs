//! Conditions that say nothing, that say something of the table as a whole, or that have a spelling of their own.

use super::*;

const OLD: &str = r#""ProcessedOnUtc" < now() - interval '30 days'"#;

fn of(condition: &str) -> Removal {
    let mut reading = read_with(&format!(r#"DELETE FROM "L" WHERE {condition}"#), Dialect::Postgres, &[]);
    assert_eq!(reading.removals.len(), 1, "{condition}\n{reading:?}");
    reading.removals.remove(0)
}

#[test]
fn what_every_row_passes_is_no_condition() {
    for condition in [
        r#""ProcessedOnUtc" BETWEEN '-infinity' AND now() - interval '30 days'"#,
        r#"'-infinity'::timestamptz <= "ProcessedOnUtc" AND "ProcessedOnUtc" < now() - interval '30 days'"#,
        r#""ProcessedOnUtc" < 'infinity' AND "ProcessedOnUtc" < now() - interval '30 days'"#,
        r#""EventId" IS NOT NULL AND "ProcessedOnUtc" < now() - interval '30 days'"#,
        r#""ProcessedOnUtc" < now() - interval '30 days' OR "ProcessedOnUtc" IS NULL"#,
        r#"NOT ("Id" IS NULL) AND "ProcessedOnUtc" < now() - interval '30 days'"#,
    ] {
        let removal = of(condition);
        assert!(
            matches!(&removal.rows, Rows::Older(age) if age.span == Span::days(30)),
            "{condition}\n{removal:?}"
        );
        assert_eq!((removal.filters.len(), removal.ceiling), (0, None), "{condition}");
    }
    assert_eq!(
        rows(
            r#"DELETE FROM "L" WHERE "ProcessedOnUtc" < '-infinity'"#,
            Dialect::Postgres
        ),
        []
    );
    assert_eq!(of(r#""ProcessedOnUtc" < 'infinity'"#).rows, Rows::All);
}

#[test]
fn alternatives_without_an_age_are_one_condition() {
    let removal = of(&format!(r#"{OLD} AND ("TenantId" IS NULL OR x."Outcome" = 'a')"#).replace("x.", r#""L"."#));
    let [filter] = removal.filters.as_slice() else {
        panic!("{removal:?}");
    };
    assert_eq!(filter.sql.as_deref(), Some(r#""TenantId" IS NULL OR "Outcome" = 'a'"#));
    // A value that is known stands for itself.
    let sql = "BEGIN DECLARE o text DEFAULT 'Stale'; DELETE FROM L WHERE Outcome <> o AND ProcessedOnUtc < utc_timestamp() - INTERVAL 30 DAY; END";
    let reading = read_with(sql, Dialect::MariaDb, &[]);
    let filter = &reading.removals[0].filters[0];
    assert_eq!(
        (filter.sql.as_deref(), filter.excludes),
        (Some("`Outcome` <> 'Stale'"), true)
    );
}

#[test]
fn a_lower_limit_that_never_moves_is_named() {
    let removal = of(&format!(r#"{OLD} AND "ProcessedOnUtc" > '2000-01-01'"#));
    assert_eq!(removal.ceiling, None);
    assert_eq!(removal.filters[0].text, r#""ProcessedOnUtc" > '2000-01-01'"#);
    assert!(removal.filters[0].excludes);
    // A UUID is no time.
    let nil = "00000000-0000-0000-0000-000000000000";
    let removal = of(&format!(r#"{OLD} AND "EventId" <> '{nil}'"#));
    assert_eq!(removal.filters[0].sql, Some(format!(r#""EventId" <> '{nil}'"#)));
    assert_eq!(of(&format!(r#""EventId" = '{nil}'"#)).rows, Rows::Some);
}

#[test]
fn a_count_of_the_table_is_no_condition_of_the_row() {
    let count = r#"(SELECT count(*) FROM "L") > 1000"#;
    let guarded = of(&format!("{OLD} AND {count}"));
    assert!(guarded.conditional && guarded.filters.is_empty() && matches!(guarded.rows, Rows::Older(_)));
    // The oldest rows go, however young they are.
    for condition in [
        count.to_owned(),
        format!(r#"{count} AND "Id" = (SELECT "Id" FROM "L" ORDER BY "ProcessedOnUtc" LIMIT 1)"#),
    ] {
        let removal = of(&condition);
        assert_eq!((removal.rows, removal.conditional), (Rows::Some, false), "{condition}");
    }
    let by_age = r#"(SELECT count(*) FROM "L" o WHERE o."ProcessedOnUtc" > now() - interval '1 day') > 5"#;
    assert!(matches!(of(by_age).rows, Rows::Unknown(_)));
}

#[test]
fn mysql_has_units_of_several_fields() {
    for interval in [
        "'30 0' DAY_HOUR",
        "'29 24' DAY_HOUR",
        "'30 00:00:00' DAY_SECOND",
        "'720:00' HOUR_MINUTE",
        "'43200:0' MINUTE_SECOND",
        // Of too few numbers the first ones are missing.
        "'720:0' DAY_MINUTE",
        "30 SQL_TSI_DAY",
    ] {
        let sql = format!("DELETE FROM L WHERE ProcessedOnUtc < utc_timestamp() - INTERVAL {interval}");
        assert_eq!(days(&sql, Dialect::MariaDb), Some((30, 30)), "{sql}");
    }
    let sql = "DELETE FROM L WHERE ProcessedOnUtc < timestampadd(SQL_TSI_DAY, -30, utc_timestamp())";
    assert_eq!(days(sql, Dialect::MariaDb), Some((30, 30)));
    let sql = "DELETE FROM L WHERE ProcessedOnUtc < utc_timestamp() + INTERVAL '-0 1' YEAR_MONTH";
    assert_eq!(days(sql, Dialect::MariaDb), Some((28, 31)));
    let nonsense = "DELETE FROM L WHERE ProcessedOnUtc < utc_timestamp() - INTERVAL '1 2 3' DAY_HOUR";
    assert_eq!(read_with(nonsense, Dialect::MariaDb, &[]).unread.len(), 1);
}
