//! What PostgreSQL refuses because of the transaction around it, and calls that fail whatever they find.

use super::*;

const OLD: &str = r#"DELETE FROM "L" WHERE "ProcessedOnUtc" < now() - interval '30 days'"#;

fn purge(kind: RoutineKind, body: &str) -> Routine {
    Routine {
        kind,
        ..routine("purge", "plpgsql", &[], &body.replace("OLD", OLD))
    }
}

/// Why the removals of a text fail, one by one.
fn failures(sql: &str, routines: &[Routine]) -> Vec<Option<String>> {
    let reading = read_with(&sql.replace("OLD", OLD), Dialect::Postgres, routines);
    assert_eq!(reading.unread, [], "{sql}");
    reading.removals.into_iter().map(|removal| removal.fails).collect()
}

fn assert_fails(sql: &str, routines: &[Routine], words: &str) {
    let fails = failures(sql, routines);
    let all = fails
        .iter()
        .all(|why| why.as_ref().is_some_and(|why| why.contains(words)));
    assert!(all && !fails.is_empty(), "{sql}: {fails:?}");
}

#[test]
fn what_cannot_stand_in_a_transaction_takes_its_neighbours_back() {
    for sql in [
        r#"OLD; VACUUM "L""#,
        r#"OLD; CREATE INDEX CONCURRENTLY i ON "L" ("Id")"#,
        r#"BEGIN; OLD; REINDEX TABLE CONCURRENTLY "L"; COMMIT"#,
        r#"DO $$ BEGIN OLD; VACUUM "L"; END $$"#,
    ] {
        assert_fails(sql, &[], "cannot run together");
    }
    for sql in [
        r#"VACUUM "L""#,
        r#"OLD; ANALYZE "L""#,
        r#"BEGIN; OLD; COMMIT; VACUUM "L""#,
    ] {
        assert!(failures(sql, &[]).iter().all(Option::is_none), "{sql}");
    }
}

#[test]
fn what_is_never_committed_is_not_removed() {
    for sql in [
        "BEGIN; OLD",
        "START TRANSACTION; OLD;",
        "BEGIN ISOLATION LEVEL SERIALIZABLE; OLD",
    ] {
        assert_fails(sql, &[], "never committed");
    }
    for sql in [
        "BEGIN; OLD; END",
        "BEGIN WORK; OLD; COMMIT",
        "SELECT 1; OLD",
        "COMMIT; OLD",
    ] {
        assert_eq!(failures(sql, &[]), [None], "{sql}");
    }
}

#[test]
fn code_ends_a_transaction_only_where_it_may() {
    let loops = "BEGIN LOOP OLD; COMMIT; EXIT WHEN NOT FOUND; END LOOP; END";
    let procedure = [purge(RoutineKind::Procedure, loops)];
    assert_eq!(failures("CALL purge()", &procedure), [None]);
    assert_eq!(failures("DO $$ BEGIN OLD; COMMIT; END $$", &[]), [None]);
    assert_eq!(failures("DO $$ BEGIN CALL purge(); END $$", &procedure), [None]);
    let settled = Routine {
        path: Some(vec!["public".to_owned()]),
        ..procedure[0].clone()
    };
    for (sql, routine) in [
        ("BEGIN; CALL purge(); COMMIT", &procedure[0]),
        ("SET lock_timeout = 100; CALL purge()", &procedure[0]),
        ("CALL purge()", &settled),
        (
            "SELECT purge()",
            &purge(RoutineKind::Function, "BEGIN OLD; COMMIT; END"),
        ),
    ] {
        assert_fails(sql, std::slice::from_ref(routine), "refuses to end a transaction");
    }
    assert_fails("SELECT 1; DO $$ BEGIN OLD; COMMIT; END $$", &[], "refuses to end");
}

#[test]
fn a_routine_is_called_as_what_it_is() {
    let body = "BEGIN OLD; END";
    for (sql, kind, words) in [
        ("SELECT purge()", RoutineKind::Procedure, "called as a function"),
        ("CALL purge()", RoutineKind::Function, "called as a procedure"),
        ("SELECT purge()", RoutineKind::Trigger, "only a trigger may call"),
    ] {
        assert_fails(sql, &[purge(kind, body)], words);
    }
    let reads_only = |routine| Routine {
        reads_only: true,
        ..routine
    };
    let stable = reads_only(purge(RoutineKind::Function, body));
    assert_fails("SELECT purge()", &[stable], "not VOLATILE");
    // What it calls may delete.
    let outer = reads_only(routine("outer_purge", "sql", &[], "SELECT purge()"));
    let list = [outer, purge(RoutineKind::Function, body)];
    assert_eq!(failures("SELECT outer_purge()", &list), [None]);
}

#[test]
fn a_constant_that_is_taken_for_a_time_is_refused() {
    for condition in [
        r#""ProcessedOnUtc" < now() - '30 days'"#,
        r#""ProcessedOnUtc" < current_date - '30 days'"#,
        r#""ProcessedOnUtc" - '30 days' < now()"#,
    ] {
        assert_fails(&format!(r#"DELETE FROM "L" WHERE {condition}"#), &[], "for a time");
    }
    for condition in [
        r#""ProcessedOnUtc" < now() + '-30 days'"#,
        r#""ProcessedOnUtc" + '30 days' < now()"#,
        r#""ProcessedOnUtc" < now() - '30 days'::interval"#,
        r#""ProcessedOnUtc" < now() - (interval '31 days' - '1 day')"#,
    ] {
        let sql = format!(r#"DELETE FROM "L" WHERE {condition}"#);
        assert_eq!(days(&sql, Dialect::Postgres), Some((30, 30)), "{sql}");
    }
}

#[test]
fn a_role_that_the_session_takes_is_the_one_that_deletes() {
    let role = |sql: &str| {
        read_with(&sql.replace("OLD", OLD), Dialect::Postgres, &[]).removals[0]
            .role
            .clone()
    };
    assert_eq!(role("SET ROLE trimmer; OLD").as_deref(), Some("trimmer"));
    assert_eq!(role(r#"SET LOCAL ROLE "Trimmer"; OLD"#).as_deref(), Some("Trimmer"));
    assert_eq!(role("SET ROLE trimmer; RESET ROLE; OLD"), None);
    assert_eq!(role("SET ROLE NONE; OLD"), None);
}

#[test]
fn rows_that_are_compared_with_each_other_have_no_age() {
    for condition in [
        r#""Size" <= (SELECT max("Size") FROM "L") - 1000"#,
        r#"(SELECT count(*) FROM "L" n WHERE n."Size" > "L"."Size") > 1000"#,
        r#"EXISTS (SELECT 1 FROM "L" n WHERE n."Size" > 3)"#,
    ] {
        let sql = format!(r#"DELETE FROM "L" WHERE {condition}"#);
        assert_eq!(rows(&sql, Dialect::Postgres), [Rows::Some], "{sql}");
    }
    for condition in [
        r#""Size" <= (SELECT max("Size") FROM "L" WHERE "ProcessedOnUtc" < now() - interval '30 days')"#,
        r#""Size" <= (SELECT done FROM checkpoint)"#,
        r#""Status" = 'old'"#,
    ] {
        let sql = format!(r#"DELETE FROM "L" WHERE {condition}"#);
        assert!(matches!(rows(&sql, Dialect::Postgres)[..], [Rows::Unknown(_)]), "{sql}");
    }
}

#[test]
fn a_cursor_of_a_client_hides_nothing() {
    let sql = r#"BEGIN; DECLARE c CURSOR FOR SELECT 1 FROM "L"; FETCH c; DELETE FROM "L" WHERE CURRENT OF c; COMMIT"#;
    assert_eq!(read_with(sql, Dialect::Postgres, &[]).unread.len(), 1);
}

#[test]
fn an_error_that_is_raised_ends_a_run_of_mariadb() {
    let removes = |body: &str| {
        !read_with(&format!("BEGIN {body} END"), Dialect::MariaDb, &[])
            .removals
            .is_empty()
    };
    assert!(!removes("SIGNAL SQLSTATE '45000'; DELETE FROM L;"));
    for body in [
        "SIGNAL SQLSTATE '01000'; DELETE FROM L;",
        "DELETE FROM L; SIGNAL SQLSTATE '45000';",
        "IF @x THEN SIGNAL SQLSTATE '45000'; END IF; DELETE FROM L;",
        "DECLARE EXIT HANDLER FOR SQLEXCEPTION BEGIN ROLLBACK; RESIGNAL; END; DELETE FROM L;",
    ] {
        assert!(removes(body), "{body}");
    }
}

#[test]
fn rows_without_a_partner_stay_in_an_outer_join() {
    let filters = |sql: &str| read_with(sql, Dialect::MariaDb, &[]).removals[0].filters.len();
    let age = "L.ProcessedOnUtc < utc_timestamp() - INTERVAL 30 DAY";
    for (from, kept) in [
        ("Other RIGHT JOIN L ON Other.Id = L.Id", 0),
        ("L LEFT JOIN Other ON Other.Id = L.Id", 0),
        ("L RIGHT JOIN Other ON Other.Id = L.Id", 1),
        ("Other LEFT JOIN L ON Other.Id = L.Id", 1),
        ("Other JOIN L ON Other.Id = L.Id", 1),
    ] {
        assert_eq!(filters(&format!("DELETE L FROM {from} WHERE {age}")), kept, "{from}");
    }
}
