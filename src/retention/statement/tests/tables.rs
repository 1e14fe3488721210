//! Statements about whole tables and partitions.

use super::*;

#[test]
fn a_table_that_goes_as_a_whole_takes_all_rows_along() {
    for (sql, dialect, means) in [
        (r#"TRUNCATE "L""#, Dialect::Postgres, Means::Truncate),
        (r#"TRUNCATE "L" CASCADE"#, Dialect::Postgres, Means::Cascade),
        (r#"DROP TABLE IF EXISTS "L""#, Dialect::Postgres, Means::Drop),
        (
            "ALTER TABLE L TRUNCATE PARTITION ALL",
            Dialect::MariaDb,
            Means::Truncate,
        ),
        (
            r#"CREATE TABLE fresh (LIKE "L" INCLUDING ALL); ALTER TABLE "L" RENAME TO old; ALTER TABLE fresh RENAME TO "L""#,
            Dialect::Postgres,
            Means::Replace,
        ),
        (
            "BEGIN CREATE TABLE fresh LIKE L; RENAME TABLE L TO old, fresh TO L; END",
            Dialect::MariaDb,
            Means::Replace,
        ),
        (
            "CREATE TABLE fresh (Id TEXT); ALTER TABLE L RENAME TO old; ALTER TABLE fresh RENAME TO L",
            Dialect::Sqlite,
            Means::Replace,
        ),
    ] {
        let reading = read_with(sql, dialect, &[]);
        let [only] = reading.removals.as_slice() else {
            panic!("{sql}\n{reading:?}");
        };
        assert_eq!((&only.rows, only.means), (&Rows::All, means), "{sql}");
        assert_eq!((only.table.name.as_str(), reading.unread.len()), ("L", 0), "{sql}");
    }
    let both = read_with(
        "CREATE TABLE n LIKE L; RENAME TABLE L TO o, n TO L; DROP TABLE o",
        Dialect::MariaDb,
        &[],
    );
    let gone: Vec<(&str, Means)> = both.removals.iter().map(|r| (r.table.name.as_str(), r.means)).collect();
    assert_eq!(gone, [("o", Means::Drop), ("L", Means::Replace)]);
}

#[test]
fn a_table_that_may_hold_rows_is_no_empty_one() {
    for sql in [
        // Made elsewhere, or filled, or never put in the place.
        "RENAME TABLE L TO old, fresh TO L",
        "CREATE TABLE IF NOT EXISTS fresh LIKE L; RENAME TABLE L TO old, fresh TO L",
        "CREATE TABLE fresh LIKE L; INSERT INTO fresh SELECT * FROM L; RENAME TABLE L TO old, fresh TO L",
        "CREATE TABLE fresh LIKE L; RENAME TABLE L TO old, fresh TO L; INSERT INTO L SELECT * FROM old",
        "CREATE TABLE fresh AS SELECT * FROM L; RENAME TABLE L TO old, fresh TO L",
        "CREATE TABLE fresh LIKE L; RENAME TABLE L TO old",
        "ALTER TABLE L DROP PARTITION p0",
        "ALTER TABLE L TRUNCATE PARTITION p0",
    ] {
        let reading = read_with(sql, Dialect::MariaDb, &[]);
        assert!(
            reading.removals.is_empty() && !reading.unread.is_empty(),
            "{sql}\n{reading:?}"
        );
    }
}

#[test]
fn copies_are_no_removals() {
    for sql in [
        r#"CREATE TABLE archive AS SELECT * FROM "L""#,
        r#"CREATE TEMPORARY TABLE ids (LIKE "L")"#,
        r#"INSERT INTO archive SELECT * FROM "L""#,
    ] {
        assert_eq!(read_with(sql, Dialect::Postgres, &[]), Reading::default(), "{sql}");
    }
}

#[test]
fn named_partitions_are_not_all_rows() {
    let reading = read_with(
        "DELETE FROM L PARTITION (p0, p1) WHERE ProcessedOnUtc < utc_timestamp() - INTERVAL 30 DAY",
        Dialect::MariaDb,
        &[],
    );
    assert_eq!(reading.removals[0].filters[0].text, "PARTITION (p0, p1)");
    assert_eq!(
        rows("DELETE FROM L PARTITION (p0)", Dialect::MariaDb),
        [Rows::Unknown("PARTITION (p0)".to_owned())]
    );
}
