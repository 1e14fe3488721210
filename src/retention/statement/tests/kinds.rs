//! Comparisons of different kinds of values, and whole numbers of units. What each server does was measured on it.

use super::*;

fn rows_of(store: Store, test: &str, dialect: Dialect) -> Vec<Removal> {
    let sql = match dialect {
        Dialect::Postgres => format!(r#"DELETE FROM "L" WHERE {test}"#),
        _ => format!("DELETE FROM L WHERE {test}"),
    };
    read_in(&sql, dialect, |setting| setting.store = store).removals
}

fn never(store: Store, test: &str, dialect: Dialect) {
    let removals = rows_of(store, test, dialect);
    assert!(
        matches!(&removals[..], [only] if matches!(&only.rows, Rows::Nothing(why) if why.contains("never true")) && only.fails.is_none()),
        "{dialect:?} {test}: {removals:?}"
    );
}

fn always(store: Store, test: &str, dialect: Dialect) {
    let removals = rows_of(store, test, dialect);
    assert!(
        matches!(&removals[..], [only] if only.rows == Rows::Some && only.filters[0].text.ends_with("which every row passes")),
        "{dialect:?} {test}: {removals:?}"
    );
}

fn open(store: Store, test: &str, dialect: Dialect) {
    let removals = rows_of(store, test, dialect);
    assert!(
        matches!(&removals[..], [only] if matches!(only.rows, Rows::Unknown(_))),
        "{dialect:?} {test}: {removals:?}"
    );
}

#[test]
fn sqlite_compares_a_text_column_as_text() {
    for test in [
        "ProcessedOnUtc < julianday('now') - 30",
        "julianday('now', '-30 days') > ProcessedOnUtc",
        "ProcessedOnUtc > unixepoch('now') - 2592000",
    ] {
        always(Store::Text, test, Dialect::Sqlite);
    }
    for test in [
        "ProcessedOnUtc < unixepoch('now', '-30 days')",
        "ProcessedOnUtc < strftime('%s', 'now', '-30 days')",
        "ProcessedOnUtc < unixepoch() * 1000 - 2592000000",
        "ProcessedOnUtc = unixepoch()",
        // Every number comes before every text, if no column decides.
        "strftime('%s', ProcessedOnUtc) < unixepoch('now', '-30 days')",
        "strftime('%s', ProcessedOnUtc) < strftime('%s', 'now') - 2592000",
    ] {
        never(Store::Text, test, Dialect::Sqlite);
    }
    for test in [
        "ProcessedOnUtc < datetime('now', '-30 days')",
        "strftime('%s', ProcessedOnUtc) < strftime('%s', 'now', '-30 days')",
        "strftime('%s', 'now') - strftime('%s', ProcessedOnUtc) > 2592000",
        "julianday(ProcessedOnUtc) < julianday('now') - 30",
        "strftime('%s', ProcessedOnUtc) < CAST(strftime('%s', 'now', '-30 days') AS INTEGER)",
    ] {
        assert!(
            matches!(&rows_of(Store::Text, test, Dialect::Sqlite)[..], [only] if matches!(&only.rows, Rows::Older(age) if age.span.least == 30 * DAY)),
            "{test}"
        );
    }
    open(Store::Text, "ProcessedOnUtc < 5", Dialect::Sqlite);
    open(Store::Text, "julianday('now') - ProcessedOnUtc > 30", Dialect::Sqlite);
    // A column of another affinity may hold either.
    open(
        Store::Mixed,
        "ProcessedOnUtc < unixepoch('now', '-30 days')",
        Dialect::Sqlite,
    );
    open(
        Store::Number,
        "ProcessedOnUtc < datetime('now', '-30 days')",
        Dialect::Sqlite,
    );
    let removals = rows_of(
        Store::Number,
        "ProcessedOnUtc < unixepoch('now', '-30 days')",
        Dialect::Sqlite,
    );
    assert!(matches!(&removals[0].rows, Rows::Older(age) if age.span == Span::days(30)));
}

#[test]
fn mysql_makes_numbers_of_times_and_texts() {
    for dialect in [Dialect::MariaDb, Dialect::MySql] {
        never(Store::Time, "ProcessedOnUtc < unix_timestamp() - 86400*30", dialect);
        never(Store::Time, "ProcessedOnUtc < to_days(now()) - 30", dialect);
        always(Store::Time, "ProcessedOnUtc > unix_timestamp() - 86400*30", dialect);
        always(Store::Text, "ProcessedOnUtc < unix_timestamp() - 86400*30", dialect);
        open(Store::Number, "ProcessedOnUtc < now() - INTERVAL 30 DAY", dialect);
        for number in ["curdate() - 30", "now() - 30", "date(now()) - 30", "20200101"] {
            open(Store::Time, &format!("ProcessedOnUtc < {number}"), dialect);
        }
        let removals = rows_of(Store::Number, "ProcessedOnUtc < unix_timestamp() - 86400*30", dialect);
        assert!(matches!(&removals[0].rows, Rows::Older(age) if age.span == Span::days(30)));
    }
}

#[test]
fn postgresql_refuses_to_compare_different_kinds() {
    for (store, test) in [
        (Store::Time, r#""ProcessedOnUtc" < extract(epoch from now()) - 2592000"#),
        (Store::Time, r#""ProcessedOnUtc" < 5"#),
        (Store::Text, r#""ProcessedOnUtc" < now() - interval '30 days'"#),
        (Store::Number, r#""ProcessedOnUtc" < now() - interval '30 days'"#),
    ] {
        let removals = rows_of(store, test, Dialect::Postgres);
        assert!(
            removals[0].fails.as_ref().is_some_and(|why| why.contains("refuses")),
            "{test}: {removals:?}"
        );
    }
    for (store, test) in [
        (Store::Time, r#""ProcessedOnUtc" < current_date - 30"#),
        (
            Store::Text,
            r#""ProcessedOnUtc"::timestamptz < now() - interval '30 days'"#,
        ),
        (
            Store::Number,
            r#""ProcessedOnUtc" < extract(epoch from now()) - 2592000"#,
        ),
    ] {
        let removals = rows_of(store, test, Dialect::Postgres);
        assert!(
            matches!(&removals[0].rows, Rows::Older(age) if age.span.least == 30 * DAY),
            "{test}: {removals:?}"
        );
    }
}

#[test]
fn more_than_seven_whole_units_are_at_least_eight() {
    const HOUR: i64 = DAY / 24;
    for (test, least, most) in [
        (
            "timestampdiff(DAY, ProcessedOnUtc, utc_timestamp()) > 7",
            8 * DAY,
            8 * DAY,
        ),
        (
            "timestampdiff(DAY, ProcessedOnUtc, utc_timestamp()) >= 8",
            8 * DAY,
            8 * DAY,
        ),
        (
            "timestampdiff(HOUR, ProcessedOnUtc, utc_timestamp()) > 168",
            169 * HOUR,
            169 * HOUR,
        ),
        (
            "NOT timestampdiff(DAY, ProcessedOnUtc, utc_timestamp()) <= 7",
            8 * DAY,
            8 * DAY,
        ),
        // From the last second of a day on, eight midnights later.
        ("datediff(utc_timestamp(), ProcessedOnUtc) > 8", 8 * DAY, 9 * DAY),
        ("datediff(utc_timestamp(), ProcessedOnUtc) >= 9", 8 * DAY, 9 * DAY),
        (
            "to_days(utc_timestamp()) - to_days(ProcessedOnUtc) > 8",
            8 * DAY,
            9 * DAY,
        ),
        (
            "floor((unix_timestamp() - unix_timestamp(ProcessedOnUtc)) / 86400) > 7",
            8 * DAY,
            8 * DAY,
        ),
        // Half a unit is no whole one.
        (
            "timestampdiff(DAY, ProcessedOnUtc, utc_timestamp()) > 7.5",
            15 * DAY / 2,
            17 * DAY / 2,
        ),
    ] {
        let removals = rows_of(Store::Time, test, Dialect::MariaDb);
        assert!(
            matches!(&removals[0].rows, Rows::Older(age) if age.span == Span { least, most }),
            "{test}: {removals:?}"
        );
    }
}
