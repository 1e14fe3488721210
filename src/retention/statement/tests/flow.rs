//! What is run of a text, what of it is taken back, and which routine a call means.

use super::*;

fn only(sql: &str, dialect: Dialect, routines: &[Routine]) -> Removal {
    let mut reading = read_with(sql, dialect, routines);
    assert_eq!(
        (reading.removals.len(), reading.unread.len()),
        (1, 0),
        "{sql}\n{reading:?}"
    );
    reading.removals.remove(0)
}

#[test]
fn explaining_a_deletion_removes_rows_only_if_it_is_analysed() {
    let removes = |sql: &str, dialect| !read_with(sql, dialect, &[]).removals.is_empty();
    for sql in [
        r#"EXPLAIN ANALYZE DELETE FROM "L""#,
        r#"EXPLAIN ANALYSE VERBOSE DELETE FROM "L""#,
        r#"EXPLAIN (ANALYZE, BUFFERS) DELETE FROM "L""#,
        r#"EXPLAIN (COSTS off, ANALYZE true) WITH x AS (DELETE FROM "L" RETURNING 1) SELECT * FROM x"#,
    ] {
        assert!(removes(sql, Dialect::Postgres), "{sql}");
    }
    for sql in [
        r#"EXPLAIN DELETE FROM "L""#,
        r#"EXPLAIN (ANALYZE false) DELETE FROM "L""#,
        r#"EXPLAIN (ANALYZE off, VERBOSE) DELETE FROM "L""#,
        r#"ANALYZE "L""#,
        "ANALYZE",
    ] {
        assert!(!removes(sql, Dialect::Postgres), "{sql}");
    }
    assert!(removes("ANALYZE DELETE FROM L", Dialect::MariaDb));
    assert!(removes("ANALYZE FORMAT=JSON DELETE FROM L", Dialect::MariaDb));
    assert!(!removes("EXPLAIN DELETE FROM L", Dialect::MariaDb));
    assert!(!removes("ANALYZE TABLE L", Dialect::MariaDb));
}

#[test]
fn what_a_transaction_takes_back_is_not_removed() {
    for (sql, dialect) in [
        (r#"BEGIN; DELETE FROM "L"; ROLLBACK"#, Dialect::Postgres),
        (r#"DELETE FROM "L"; ROLLBACK;"#, Dialect::Postgres),
        (r#"BEGIN; TRUNCATE "L"; ABORT"#, Dialect::Postgres),
        (
            r#"BEGIN; SAVEPOINT a; DELETE FROM "L"; ROLLBACK TO SAVEPOINT a; COMMIT"#,
            Dialect::Postgres,
        ),
        (r#"DO $$ BEGIN DELETE FROM "L"; ROLLBACK; END $$"#, Dialect::Postgres),
        (
            r#"DO $$ BEGIN DELETE FROM "L"; RAISE EXCEPTION 'no'; END $$"#,
            Dialect::Postgres,
        ),
        (
            r#"DO $$ BEGIN DELETE FROM "L"; RAISE 'no'; EXCEPTION WHEN others THEN NULL; END $$"#,
            Dialect::Postgres,
        ),
        (
            "BEGIN START TRANSACTION; DELETE FROM L; ROLLBACK; END",
            Dialect::MariaDb,
        ),
        (
            "BEGIN SET autocommit = 0; DELETE FROM L; ROLLBACK; END",
            Dialect::MariaDb,
        ),
    ] {
        assert!(only(sql, dialect, &[]).fails.is_some(), "{sql}");
    }
    for (sql, dialect) in [
        (r#"BEGIN; DELETE FROM "L"; COMMIT; ROLLBACK"#, Dialect::Postgres),
        (
            r#"BEGIN; DELETE FROM "L"; SAVEPOINT a; ROLLBACK TO a; COMMIT"#,
            Dialect::Postgres,
        ),
        (
            r#"DO $$ BEGIN DELETE FROM "L"; COMMIT; ROLLBACK; END $$"#,
            Dialect::Postgres,
        ),
        (
            r#"DO $$ BEGIN DELETE FROM "L"; RAISE NOTICE 'done'; END $$"#,
            Dialect::Postgres,
        ),
        (
            r#"DO $$ BEGIN DELETE FROM "L"; EXCEPTION WHEN others THEN RAISE EXCEPTION 'no'; END $$"#,
            Dialect::Postgres,
        ),
        (
            r#"DO $$ BEGIN DELETE FROM "L"; BEGIN RAISE EXCEPTION 'no'; EXCEPTION WHEN others THEN NULL; END; END $$"#,
            Dialect::Postgres,
        ),
        (
            r#"DO $$ BEGIN DELETE FROM "L"; IF x() THEN ROLLBACK; END IF; END $$"#,
            Dialect::Postgres,
        ),
        // Without a transaction each statement stands for itself on MySQL.
        ("BEGIN DELETE FROM L; ROLLBACK; END", Dialect::MariaDb),
        ("BEGIN START TRANSACTION; TRUNCATE L; ROLLBACK; END", Dialect::MariaDb),
        (
            "BEGIN DECLARE EXIT HANDLER FOR SQLEXCEPTION BEGIN ROLLBACK; END; START TRANSACTION; DELETE FROM L; COMMIT; END",
            Dialect::MariaDb,
        ),
    ] {
        let removal = only(sql, dialect, &[]);
        assert_eq!((removal.fails, removal.conditional), (None, false), "{sql}");
    }
}

#[test]
fn what_stands_behind_the_end_is_not_run() {
    for (sql, dialect) in [
        (r#"DO $$ BEGIN RETURN; DELETE FROM "L"; END $$"#, Dialect::Postgres),
        (
            r#"DO $$ BEGIN LOOP EXIT; DELETE FROM "L"; END LOOP; END $$"#,
            Dialect::Postgres,
        ),
        (
            r#"DO $$ <<a>> BEGIN EXIT a; DELETE FROM "L"; END $$"#,
            Dialect::Postgres,
        ),
        (
            r#"DO $$ BEGIN LOOP CONTINUE; DELETE FROM "L"; END LOOP; END $$"#,
            Dialect::Postgres,
        ),
        ("p: BEGIN LEAVE p; DELETE FROM L; END", Dialect::MariaDb),
        ("BEGIN l: LOOP LEAVE l; DELETE FROM L; END LOOP; END", Dialect::MariaDb),
    ] {
        assert_eq!(read_with(sql, dialect, &[]), Reading::default(), "{sql}");
    }
    for (sql, dialect, sometimes) in [
        (
            r#"DO $$ BEGIN LOOP EXIT; END LOOP; DELETE FROM "L"; END $$"#,
            Dialect::Postgres,
            false,
        ),
        (
            r#"DO $$ BEGIN RETURN; EXCEPTION WHEN others THEN DELETE FROM "L"; END $$"#,
            Dialect::Postgres,
            true,
        ),
        (
            r#"DO $$ BEGIN IF NOT pg_try_advisory_lock(1) THEN RETURN; END IF; DELETE FROM "L"; END $$"#,
            Dialect::Postgres,
            false,
        ),
        (
            r#"DO $$ BEGIN RETURN; END $$; DELETE FROM "L""#,
            Dialect::Postgres,
            false,
        ),
        (
            r#"DO $$ BEGIN IF x() THEN RETURN; END IF; END $$; DELETE FROM "L""#,
            Dialect::Postgres,
            false,
        ),
        (
            r#"DO $$ BEGIN IF x() THEN EXECUTE 'DELETE FROM "L"'; END IF; END $$"#,
            Dialect::Postgres,
            true,
        ),
        (
            "BEGIN l: LOOP DELETE FROM L; IF ROW_COUNT() = 0 THEN LEAVE l; END IF; END LOOP; END",
            Dialect::MariaDb,
            false,
        ),
        (
            "p: BEGIN IF weekday(now()) = 0 THEN LEAVE p; END IF; DELETE FROM L; END",
            Dialect::MariaDb,
            true,
        ),
    ] {
        assert_eq!(only(sql, dialect, &[]).conditional, sometimes, "{sql}");
    }
}

#[test]
fn a_call_means_the_routine_that_takes_its_arguments() {
    let all = routine("purge", "sql", &[], r#"DELETE FROM "L""#);
    let none = routine("purge", "sql", &[("days", None)], "SELECT 1");
    let more = routine(
        "purge",
        "sql",
        &[("days", None), ("size", Some("10"))],
        r#"TRUNCATE "L""#,
    );
    let removed = |sql: &str, routines: &[Routine]| read_with(sql, Dialect::Postgres, routines);
    let two = [all.clone(), none.clone()];
    assert_eq!(removed("SELECT purge(1)", &two), Reading::default());
    assert_eq!(removed("SELECT purge(days => 1)", &two), Reading::default());
    assert_eq!(removed("SELECT purge()", &two).removals.len(), 1);
    assert!(
        removed("SELECT purge(1)", std::slice::from_ref(&all)).unread[0]
            .why
            .contains("does not take")
    );
    assert!(
        removed("SELECT purge(1, 2, 3)", &two).unread[0]
            .why
            .contains("does not take")
    );
    let ambiguous = removed("SELECT purge(1)", &[none, more.clone()]);
    assert!(ambiguous.removals.is_empty() && ambiguous.unread[0].why.contains("one of several"));
    assert_eq!(
        removed("SELECT purge(1, size => 5)", &[all, more]).removals[0].means,
        Means::Truncate
    );
}

#[test]
fn a_query_calls_only_for_the_rows_that_it_gives() {
    let purge = [routine("purge", "sql", &[], r#"DELETE FROM "L""#)];
    assert_eq!(
        read_with("SELECT purge() WHERE false", Dialect::Postgres, &purge),
        Reading::default()
    );
    for (sql, sometimes) in [
        ("SELECT purge() WHERE true", false),
        ("SELECT 1 WHERE purge() IS NULL", false),
        ("SELECT purge() WHERE NOT pg_is_in_recovery()", false),
        ("SELECT purge() WHERE extract(dow FROM now()) = 0", true),
        ("SELECT purge() FROM settings WHERE enabled", true),
    ] {
        assert_eq!(only(sql, Dialect::Postgres, &purge).conditional, sometimes, "{sql}");
    }
}
