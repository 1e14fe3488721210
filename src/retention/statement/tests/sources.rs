//! Where the rows and values of a deletion come from: other tables, variables, views.

use super::*;

/// The rows that a text removes from the ledger on MariaDB.
fn maria(sql: &str) -> Vec<Rows> {
    rows(sql, Dialect::MariaDb)
}

#[test]
fn mysql_names_targets_before_using_or_from() {
    for sql in [
        "DELETE FROM p USING L AS p WHERE p.ProcessedOnUtc < utc_timestamp() - INTERVAL 30 DAY",
        "DELETE FROM L USING L WHERE L.ProcessedOnUtc < utc_timestamp() - INTERVAL 30 DAY",
        "DELETE p FROM L p WHERE p.ProcessedOnUtc < utc_timestamp() - INTERVAL 30 DAY",
        "DELETE LOW_PRIORITY QUICK IGNORE FROM L WHERE ProcessedOnUtc < utc_timestamp() - INTERVAL 30 DAY",
        "DELETE FROM db.L USING db.L WHERE ProcessedOnUtc < utc_timestamp() - INTERVAL 30 DAY",
    ] {
        assert_eq!(days(sql, Dialect::MariaDb), Some((30, 30)), "{sql}");
    }
    let both = read_with("DELETE a, b FROM Other a JOIN L b ON a.X = b.Id", Dialect::MariaDb, &[]);
    let tables: Vec<&str> = both.removals.iter().map(|r| r.table.name.as_str()).collect();
    assert_eq!(tables, ["Other", "L"]);
    // PostgreSQL names the target first, and what it is compared with behind USING.
    let sql = r#"DELETE FROM "L" p USING other o WHERE p."Id" = o.id"#;
    assert_eq!(read_with(sql, Dialect::Postgres, &[]).removals[0].table.name, "L");
}

#[test]
fn a_value_that_is_not_known_is_no_constant() {
    for sql in [
        "BEGIN DECLARE i char(36); DECLARE c CURSOR FOR SELECT Id FROM L; OPEN c; l: LOOP FETCH c INTO i; DELETE FROM L WHERE Id = i; END LOOP; END",
        "BEGIN FOR r IN (SELECT Id FROM L) DO DELETE FROM L WHERE Id = r.Id; END FOR; END",
        "BEGIN SELECT Id INTO @i FROM L LIMIT 1; DELETE FROM L WHERE Id = @i; END",
        "DELETE FROM L WHERE Id = @unset",
        "DELETE p FROM L p JOIN ids ON ids.Id = p.Id",
        "DELETE p FROM L p JOIN ids ON old_id = p.Id",
        "DELETE p FROM L p JOIN ids USING (Id)",
        "DELETE p FROM L p NATURAL JOIN ids",
        "DELETE p FROM L p LEFT JOIN keep k ON k.Id = p.Id WHERE k.Id IS NULL",
        "DELETE FROM L WHERE ProcessedOnUtc < (SELECT cutoff FROM settings)",
    ] {
        assert!(matches!(maria(sql)[..], [Rows::Unknown(_)]), "{sql}: {:?}", maria(sql));
    }
    for sql in [
        r#"DO $$ DECLARE r record; BEGIN FOR r IN SELECT "Id" FROM "L" LOOP DELETE FROM "L" WHERE "Id" = r."Id"; END LOOP; END $$"#,
        r#"DELETE FROM "L" USING ids WHERE ids.id = "L"."Id""#,
    ] {
        assert!(matches!(rows(sql, Dialect::Postgres)[..], [Rows::Unknown(_)]), "{sql}");
    }
    // What is known stays known.
    assert_eq!(
        maria("BEGIN SET @o = 'Stale'; DELETE FROM L WHERE Outcome = @o; END"),
        [Rows::Some]
    );
    assert_eq!(maria("DELETE p FROM L p LEFT JOIN keep k ON k.Id = p.Id"), [Rows::All]);
    let of_other = read_in(
        "DELETE FROM L WHERE EventId = NEW.EventId",
        Dialect::Sqlite,
        |setting| {
            setting.own_row = false;
        },
    );
    assert!(matches!(of_other.removals[0].rows, Rows::Unknown(_)));
}

#[test]
fn a_table_that_is_joined_to_itself_by_its_identity_is_one_row() {
    for sql in [
        r#"DELETE FROM "L" a USING "L" b WHERE a."Id" = b."Id" AND b."ProcessedOnUtc" < now() - interval '30 days'"#,
        r#"DELETE FROM "L" a USING "L" b WHERE (b.ctid = a.ctid) AND b."ProcessedOnUtc" < now() - interval '30 days'"#,
    ] {
        assert_eq!(days(sql, Dialect::Postgres), Some((30, 30)), "{sql}");
    }
    let age = "b.ProcessedOnUtc < utc_timestamp() - INTERVAL 30 DAY";
    let sql = format!("DELETE a FROM L a JOIN L b ON a.EventId = b.EventId WHERE {age}");
    assert_eq!(days(&sql, Dialect::MariaDb), Some((30, 30)));
    for sql in [
        format!("DELETE a FROM L a JOIN L b ON a.Outcome = b.Outcome WHERE {age}"),
        format!("DELETE a FROM L a JOIN L b ON a.Id = b.EventId WHERE {age}"),
        format!("DELETE a FROM L a JOIN M b ON a.Id = b.Id WHERE {age}"),
        format!("DELETE a FROM L a JOIN L b WHERE {age}"),
    ] {
        assert!(
            matches!(maria(&sql)[..], [Rows::Unknown(_), ..]),
            "{sql}: {:?}",
            maria(&sql)
        );
    }
}

#[test]
fn a_test_is_printed_as_it_is_meant() {
    let text = |sql: &str| {
        read_with(sql, Dialect::MariaDb, &[]).removals[0].filters[0]
            .text
            .clone()
    };
    let age = "ProcessedOnUtc < utc_timestamp() - INTERVAL 30 DAY";
    let outcome = |test: &str| text(&format!("DELETE FROM L WHERE {test} AND {age}"));
    assert_eq!(outcome("Outcome NOT IN ('Stale')"), "Outcome NOT IN ('Stale')");
    assert_eq!(outcome("NOT Outcome IN ('Stale')"), "NOT (Outcome IN ('Stale'))");
    assert_eq!(
        outcome("NOT Outcome NOT IN ('Stale')"),
        "NOT (Outcome NOT IN ('Stale'))"
    );
    assert_eq!(outcome("Size NOT BETWEEN 1 AND 2"), "Size NOT BETWEEN 1 AND 2");
    assert_eq!(outcome("NOT Size BETWEEN 1 AND 2"), "NOT (Size BETWEEN 1 AND 2)");
}

fn through(sql: &str, dialect: Dialect, views: &[View]) -> Reading {
    read_in(sql, dialect, |setting| setting.views = views)
}

fn view(name: &str, definition: Option<&str>) -> View {
    View {
        namespace: Some("public".to_owned()),
        name: name.to_owned(),
        definition: definition.map(str::to_owned),
        instead: None,
    }
}

#[test]
fn a_deletion_through_a_view_is_one_of_its_table() {
    let views = [
        view(
            "plain",
            Some(
                "select `ledger`.`L`.`Id` AS `Id`,`ledger`.`L`.`ProcessedOnUtc` AS `ProcessedOnUtc` from `ledger`.`L`",
            ),
        ),
        view(
            "old",
            Some("select * from `public`.`plain` where `plain`.`ProcessedOnUtc` < utc_timestamp() - interval 30 day"),
        ),
        view(
            "renamed",
            Some("select `L`.`ProcessedOnUtc` AS `At`,`L`.`Id` AS `Key` from `ledger`.`L`"),
        ),
        view(
            "again",
            Some("select `r`.`At` AS `Moment` from `public`.`renamed` `r` where `r`.`Key` <> 'x'"),
        ),
        view(
            "grouped",
            Some("select max(`L`.`ProcessedOnUtc`) AS `At` from `ledger`.`L`"),
        ),
        view("hidden", None),
    ];
    let reading = through(
        "DELETE FROM plain WHERE ProcessedOnUtc < utc_timestamp() - INTERVAL 1 DAY",
        Dialect::MariaDb,
        &views,
    );
    let [removal] = &reading.removals[..] else {
        panic!("{reading:?}")
    };
    assert_eq!(
        (removal.table.namespace.as_deref(), removal.table.name.as_str()),
        (Some("ledger"), "L")
    );
    assert!(matches!(&removal.rows, Rows::Older(age) if age.span == Span::days(1)));
    let reading = through("DELETE FROM public.old", Dialect::MariaDb, &views);
    assert!(matches!(&reading.removals[0].rows, Rows::Older(age) if age.span == Span::days(30)));
    for (sql, filters) in [
        ("DELETE FROM renamed WHERE At < utc_timestamp() - INTERVAL 1 DAY", 0),
        (
            "DELETE r FROM renamed r WHERE r.at < utc_timestamp() - INTERVAL 1 DAY",
            0,
        ),
        ("DELETE FROM again WHERE Moment < utc_timestamp() - INTERVAL 1 DAY", 1),
    ] {
        let reading = through(sql, Dialect::MariaDb, &views);
        let removal = &reading.removals[0];
        assert!(
            matches!(&removal.rows, Rows::Older(age) if age.span == Span::days(1)),
            "{sql}"
        );
        assert_eq!(
            (removal.table.name.as_str(), removal.filters.len()),
            ("L", filters),
            "{sql}"
        );
        assert!(
            removal.filters.iter().all(|f| f.sql.as_deref() == Some("`Id` <> 'x'")),
            "{removal:?}"
        );
    }
    for (name, why) in [("grouped", "more than a part"), ("hidden", "not shown")] {
        let reading = through(&format!("DELETE FROM {name}"), Dialect::MariaDb, &views);
        assert!(
            reading.removals.is_empty() && reading.unread[0].why.contains(why),
            "{reading:?}"
        );
    }
    // Another database's table of that name is no view of this one.
    let reading = through("DELETE FROM other.plain", Dialect::MariaDb, &views);
    assert_eq!(reading.removals[0].table.name, "plain");
}

#[test]
fn a_view_of_sqlite_passes_on_what_its_trigger_deletes() {
    let with = |body: &str| View {
        namespace: None,
        name: "v".to_owned(),
        definition: Some("CREATE VIEW v AS SELECT * FROM \"L\"".to_owned()),
        instead: Some(body.to_owned()),
    };
    let sql = "DELETE FROM v WHERE ProcessedOnUtc < datetime('now', '-1 day')";
    let reading = through(sql, Dialect::Sqlite, &[with("DELETE FROM L WHERE Id = OLD.Id;")]);
    assert!(
        matches!(&reading.removals[0].rows, Rows::Older(age) if age.span == Span::days(1)),
        "{reading:?}"
    );
    for body in [
        "DELETE FROM L;",
        "DELETE FROM M WHERE Id = OLD.Id;",
        "DELETE FROM L WHERE Id = Id;",
        "SELECT 1;",
    ] {
        let reading = through(sql, Dialect::Sqlite, &[with(body)]);
        assert!(reading.unread[0].why.contains("trigger"), "{body}: {reading:?}");
    }
}

#[test]
fn a_routine_is_looked_for_where_the_server_looks() {
    let other = Routine {
        kind: RoutineKind::Procedure,
        namespace: "other".to_owned(),
        ..routine("purge", "sql", &[], "DELETE FROM L")
    };
    let list = [other];
    let call = |sql: &str, sees: bool| {
        read_in(sql, Dialect::MariaDb, |setting| {
            setting.routines = &list;
            setting.sees_routines = sees;
        })
    };
    assert_eq!(call("CALL other.purge()", true).removals[0].table.path, ["other"]);
    assert_eq!(call("CALL purge()", true).missing, ["purge"]);
    assert!(call("CALL purge()", false).unread[0].why.contains("may not see"));
    let gone = Routine {
        fails: Some("its definer is gone".to_owned()),
        ..list[0].clone()
    };
    let reading = read_with("CALL other.purge()", Dialect::MariaDb, &[gone]);
    assert_eq!(reading.removals[0].fails.as_deref(), Some("its definer is gone"));
}
