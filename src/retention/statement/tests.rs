mod conditions;
mod flow;
mod kinds;
mod sources;
mod tables;
mod transactions;

use super::*;
use crate::retention::model::{Parameter, RoutineKind};
use crate::retention::span::DAY;

const AGE: &str = "ProcessedOnUtc";

fn read_with(sql: &str, dialect: Dialect, routines: &[Routine]) -> Reading {
    read_in(sql, dialect, |setting| setting.routines = routines)
}

fn read_in<'a>(sql: &str, dialect: Dialect, change: impl FnOnce(&mut Setting<'a>)) -> Reading {
    let identity = ["Id".to_owned(), "EventId".to_owned()];
    let path = ["public".to_owned()];
    let columns = ["Id", "EventId", "Outcome", AGE, "TenantId", "Size"].map(str::to_owned);
    let mut setting = Setting {
        dialect,
        path: &[],
        routines: &[],
        identity: &[],
        age: AGE,
        store: match dialect {
            Dialect::Sqlite => Store::Text,
            _ => Store::Time,
        },
        columns: &[],
        required: &[],
        views: &[],
        sees_routines: false,
        own_row: true,
    };
    change(&mut setting);
    let setting = Setting {
        path: &path,
        identity: &identity,
        columns: &columns,
        required: &columns[..4],
        ..setting
    };
    read(sql, &setting)
}

/// The one age above which a text removes rows of the ledger, without further conditions.
fn days(sql: &str, dialect: Dialect) -> Option<(i64, i64)> {
    let reading = read_with(sql, dialect, &[]);
    match reading.removals.as_slice() {
        [only] if reading.unread.is_empty() && only.filters.is_empty() && only.ceiling.is_none() => match &only.rows {
            Rows::Older(age) if age.column == AGE && only.table.name == "L" => {
                Some((age.span.least / DAY, age.span.most / DAY))
            }
            _ => None,
        },
        _ => None,
    }
}

#[test]
fn thirty_days_have_many_spellings_on_postgresql() {
    for sql in [
        r#"DELETE FROM "L" WHERE "ProcessedOnUtc" < now() - interval '30 days'"#,
        r#"DELETE FROM public."L" AS p WHERE p."ProcessedOnUtc" < (CURRENT_TIMESTAMP - 'P30D'::interval)"#,
        r#"DELETE FROM "L" WHERE now() - interval '30 days' >= "ProcessedOnUtc""#,
        r#"DELETE FROM ONLY "L" WHERE "ProcessedOnUtc" + interval '720 hours' < now()"#,
        r#"DELETE FROM "L" WHERE now() - "ProcessedOnUtc" > interval '30 days'"#,
        r#"DELETE FROM "L" WHERE now() - "ProcessedOnUtc" > '30 days'"#,
        r#"delete from "L" where extract(epoch from now() - "ProcessedOnUtc") > 30 * 86400"#,
        r#"DELETE FROM "L" WHERE "ProcessedOnUtc" < now() - make_interval(days => 30)"#,
        r#"DELETE FROM "L" WHERE "ProcessedOnUtc" < now() - 30 * interval '1 day'"#,
        r#"DELETE FROM "L" WHERE "ProcessedOnUtc" < now() - interval '30' day"#,
        r#"DELETE FROM "L" WHERE "ProcessedOnUtc" < now() + interval '-30 days'"#,
        r#"DELETE FROM "L" WHERE "ProcessedOnUtc" < now() - interval '30 0' day to hour"#,
        r#"DELETE FROM "L" WHERE "ProcessedOnUtc" < now() - interval '720' day to hour"#,
        r#"DELETE FROM "L" WHERE "ProcessedOnUtc" < (SELECT now() - interval '30 days')"#,
        r#"DELETE FROM "L" WHERE "ProcessedOnUtc" < least(now() - interval '30 days', now())"#,
        r#"DELETE FROM "L" WHERE ("ProcessedOnUtc" >= now() - interval '30 days') = false"#,
        r#"DO $$ BEGIN EXECUTE format('DELETE FROM %I WHERE %I < now() - %L::interval', 'L', 'ProcessedOnUtc', '30 days'); END $$"#,
        r#"DO $$ BEGIN EXECUTE 'DELETE FROM ' || quote_ident('L') || ' WHERE "ProcessedOnUtc" < $1' USING now() - interval '30 days'; END $$"#,
        r#"DELETE FROM "L" WHERE "ProcessedOnUtc" < now() - ('30' || ' days')::interval"#,
        r#"DELETE FROM "L" WHERE NOT ("ProcessedOnUtc" >= now() - interval '30 days') AND true AND 1 = 1"#,
        r#"DELETE FROM "L" WHERE "ProcessedOnUtc" IS NOT NULL AND "ProcessedOnUtc" < now() - cast('30 days' AS interval)"#,
        r#"DELETE FROM "L" WHERE "ProcessedOnUtc" < now() AT TIME ZONE 'utc' - interval '30 days'"#,
        r#"DELETE FROM "L" WHERE ctid IN (SELECT ctid FROM "L" WHERE "ProcessedOnUtc" < now() - interval '30 days' LIMIT 5)"#,
        r#"DELETE FROM "L" WHERE ctid = ANY(ARRAY(SELECT ctid FROM "L" WHERE "ProcessedOnUtc" < now() - interval '30 days' LIMIT 5))"#,
        r#"WITH d AS (SELECT ctid FROM "L" WHERE "ProcessedOnUtc" < now() - interval '30 days' LIMIT 10000) DELETE FROM "L" p USING d WHERE p.ctid = d.ctid"#,
        r#"WITH d AS MATERIALIZED (SELECT "Id" FROM public."L" x WHERE x."ProcessedOnUtc" <= now() - interval '30 days' ORDER BY "ProcessedOnUtc" LIMIT 10 FOR UPDATE SKIP LOCKED) DELETE FROM "L" l USING d WHERE l."Id" = d."Id""#,
        r#"WITH gone AS (DELETE FROM "L" WHERE "ProcessedOnUtc" < now() - interval '30 days' RETURNING *) SELECT count(*) FROM gone"#,
        r#"/* DELETE FROM "L" */ DELETE FROM "L" -- WHERE true
           WHERE "ProcessedOnUtc" < now() - interval '30 days'"#,
        r#"BEGIN; SET LOCAL statement_timeout = '5min'; DELETE FROM "L" WHERE "ProcessedOnUtc" < now() - interval '30 days'; COMMIT"#,
        r#"DO $$ DECLARE cutoff timestamptz := now() - interval '30 days'; BEGIN LOOP
             DELETE FROM "L" WHERE ctid IN (SELECT ctid FROM "L" WHERE "ProcessedOnUtc" < cutoff LIMIT 1000);
             EXIT WHEN NOT FOUND; COMMIT; END LOOP; END $$"#,
        r#"DO $$ BEGIN IF pg_try_advisory_lock(7) THEN EXECUTE 'DELETE FROM "L" WHERE "ProcessedOnUtc" < $1' USING now() - interval '30 days'; END IF; END $$"#,
    ] {
        assert_eq!(
            days(sql, Dialect::Postgres),
            Some((30, 30)),
            "{sql}\n{:?}",
            read_with(sql, Dialect::Postgres, &[])
        );
    }
}

#[test]
fn what_is_cut_to_days_or_months_is_known_within_limits() {
    for (sql, wanted) in [
        (
            r#"DELETE FROM "L" WHERE "ProcessedOnUtc" < now() - interval '1 month'"#,
            (28, 31),
        ),
        (
            r#"DELETE FROM "L" WHERE "ProcessedOnUtc" < current_date - 30"#,
            (30, 31),
        ),
        (
            r#"DELETE FROM "L" WHERE "ProcessedOnUtc" < current_date - interval '30 days'"#,
            (30, 31),
        ),
        (
            // Of whole days, before the 30th one back is the 31st.
            r#"DELETE FROM "L" WHERE "ProcessedOnUtc"::date < current_date - 30"#,
            (30, 31),
        ),
        (
            r#"DELETE FROM "L" WHERE "ProcessedOnUtc" < date_trunc('day', now()) - interval '30 days'"#,
            (30, 31),
        ),
    ] {
        assert_eq!(
            days(sql, Dialect::Postgres),
            Some(wanted),
            "{sql}\n{:?}",
            read_with(sql, Dialect::Postgres, &[])
        );
    }
}

#[test]
fn mysql_and_sqlite_have_spellings_of_their_own() {
    for sql in [
        "DELETE FROM `L` WHERE `ProcessedOnUtc` < utc_timestamp(6) - INTERVAL 30 DAY",
        "DELETE FROM L WHERE ProcessedOnUtc < DATE_SUB(UTC_TIMESTAMP(), INTERVAL 720 HOUR) LIMIT 1000",
        "DELETE FROM L WHERE ProcessedOnUtc < utc_timestamp() - INTERVAL 30 DAY ORDER BY ProcessedOnUtc LIMIT 5000",
        "DELETE e FROM L e JOIN (SELECT Id FROM L WHERE ProcessedOnUtc < utc_timestamp() - INTERVAL 30 DAY LIMIT 9) x ON e.Id = x.Id",
        "DELETE FROM L WHERE Id IN (SELECT Id FROM (SELECT Id FROM L WHERE ProcessedOnUtc < utc_timestamp() - INTERVAL 30 DAY LIMIT 9) x)",
        "DELETE FROM L WHERE UNIX_TIMESTAMP(ProcessedOnUtc) < UNIX_TIMESTAMP() - 2592000",
        "BEGIN DECLARE cutoff DATETIME(6) DEFAULT utc_timestamp(6) - INTERVAL 30 DAY; DECLARE CONTINUE HANDLER FOR SQLEXCEPTION BEGIN END; REPEAT DELETE FROM L WHERE ProcessedOnUtc < cutoff LIMIT 1000; UNTIL ROW_COUNT() = 0 END REPEAT; END",
        "BEGIN /* DELETE FROM L; */ SET @c = utc_timestamp() - INTERVAL 30 DAY; DELETE FROM L WHERE ProcessedOnUtc < @c; END",
    ] {
        assert_eq!(
            days(sql, Dialect::MariaDb),
            Some((30, 30)),
            "{sql}\n{:?}",
            read_with(sql, Dialect::MariaDb, &[])
        );
    }
    for sql in [
        r#"DELETE FROM "L" WHERE "ProcessedOnUtc" < strftime('%Y-%m-%d %H:%M:%f','now','-30 days')"#,
        r#"DELETE FROM "L" WHERE ProcessedOnUtc < datetime('now', '-720 hours')"#,
        r#"DELETE FROM "L" WHERE julianday('now') - julianday("ProcessedOnUtc") > 30"#,
        r#"DELETE FROM "L" WHERE unixepoch("ProcessedOnUtc") < unixepoch('now') - 30 * 86400"#,
    ] {
        assert_eq!(
            days(sql, Dialect::Sqlite),
            Some((30, 30)),
            "{sql}\n{:?}",
            read_with(sql, Dialect::Sqlite, &[])
        );
    }
}

fn rows(sql: &str, dialect: Dialect) -> Vec<Rows> {
    read_with(sql, dialect, &[])
        .removals
        .into_iter()
        .map(|r| r.rows)
        .collect()
}

#[test]
fn a_removal_without_an_age_is_told() {
    let postgres = |sql| rows(sql, Dialect::Postgres);
    assert_eq!(postgres(r#"TRUNCATE TABLE "L" CASCADE"#), [Rows::All]);
    assert_eq!(postgres(r#"DELETE FROM "L""#), [Rows::All]);
    assert_eq!(postgres(r#"DELETE FROM "L" WHERE true"#), [Rows::All]);
    assert_eq!(postgres(r#"DELETE FROM "L" WHERE false"#), []);
    assert_eq!(postgres(r#"DELETE FROM "L" WHERE "Outcome" = 'Stale'"#), [Rows::Some]);
    assert!(matches!(
        postgres(r#"DELETE FROM "L" WHERE "ProcessedOnUtc" > now() - interval '30 days'"#)[..],
        [Rows::Younger(_)]
    ));
    assert_eq!(
        postgres(r#"DELETE FROM "L" WHERE "ProcessedOnUtc" < '2024-01-01'"#),
        [Rows::Fixed(r#""ProcessedOnUtc" < '2024-01-01'"#.to_owned())]
    );
    assert!(matches!(
        postgres(r#"DELETE FROM "L" WHERE is_old("ProcessedOnUtc")"#)[..],
        [Rows::Unknown(_)]
    ));
    assert_eq!(
        rows("DELETE FROM L WHERE rowid <= NEW.rowid - 1000", Dialect::Sqlite),
        [Rows::Some]
    );
    assert_eq!(
        rows(
            r#"DELETE FROM "L" WHERE "Id" NOT IN (SELECT "Id" FROM "L" ORDER BY "ProcessedOnUtc" DESC LIMIT 10)"#,
            Dialect::Postgres
        ),
        [Rows::Some]
    );
    let alternatives =
        postgres(r#"DELETE FROM "L" WHERE "ProcessedOnUtc" < now() - interval '30 days' OR "Outcome" = 'Stale'"#);
    assert!(
        matches!(alternatives[..], [Rows::Older(_), Rows::Some]),
        "{alternatives:?}"
    );
}

#[test]
fn conditions_beside_the_age_and_below_it_are_kept() {
    let reading = read_with(
        r#"DELETE FROM "L" WHERE "Outcome" IN ('Stale', 'Failed') AND "ProcessedOnUtc" < now() - interval '30 days'"#,
        Dialect::Postgres,
        &[],
    );
    let filter = &reading.removals[0].filters[0];
    assert_eq!(filter.sql.as_deref(), Some(r#""Outcome" IN ('Stale', 'Failed')"#));
    assert!(!filter.excludes);
    let reading = read_with(
        r#"DELETE FROM "L" WHERE "ProcessedOnUtc" BETWEEN now() - interval '60 days' AND now() - interval '30 days'"#,
        Dialect::Postgres,
        &[],
    );
    assert_eq!(reading.removals[0].ceiling, Some(Span::days(60)));
    assert!(matches!(&reading.removals[0].rows, Rows::Older(age) if age.span == Span::days(30)));
}

#[test]
fn names_are_folded_as_the_server_does() {
    let table = |sql, dialect| read_with(sql, dialect, &[]).removals[0].table.clone();
    let bare = table("DELETE FROM ProcessedIntegrationEvents", Dialect::Postgres);
    assert_eq!(
        (bare.name.as_str(), bare.namespace),
        ("processedintegrationevents", None)
    );
    let own = table("DELETE FROM other.`L`", Dialect::MariaDb);
    assert_eq!((own.name.as_str(), own.namespace.as_deref()), ("L", Some("other")));
    let moved = table(
        r#"SET search_path TO "Archive", public; DELETE FROM "L""#,
        Dialect::Postgres,
    );
    assert_eq!(moved.path, ["Archive", "public"]);
}

#[test]
fn texts_and_comments_remove_nothing() {
    for sql in [
        r#"SELECT $x$DELETE FROM "L"$x$"#,
        r#"-- DELETE FROM "L""#,
        r#"SELECT 'DELETE FROM "L"'; VACUUM "L"; ANALYZE"#,
        "",
    ] {
        assert_eq!(read_with(sql, Dialect::Postgres, &[]), Reading::default(), "{sql}");
    }
}

fn routine(name: &str, language: &str, parameters: &[(&str, Option<&str>)], body: &str) -> Routine {
    Routine {
        namespace: "public".to_owned(),
        name: name.to_owned(),
        language: language.to_owned(),
        parameters: parameters
            .iter()
            .map(|(name, default)| Parameter {
                name: (*name).to_owned(),
                default: default.map(str::to_owned),
            })
            .collect(),
        body: Some(body.to_owned()),
        ..Routine::default()
    }
}

#[test]
fn a_call_is_followed_with_its_arguments() {
    let purge = routine(
        "purge",
        "plpgsql",
        &[("days", Some("30")), ("size", Some("1000"))],
        r#"DECLARE cutoff timestamptz := now() - make_interval(days => days);
           BEGIN DELETE FROM "L" WHERE "ProcessedOnUtc" < cutoff; END"#,
    );
    for (call, wanted) in [
        ("SELECT purge()", 30),
        ("CALL public.purge(7)", 7),
        ("SELECT purge(days => 3)", 3),
        ("SELECT * FROM purge(4) AS p", 4),
        ("DO $$ BEGIN PERFORM purge(2, 10); END $$", 2),
    ] {
        let reading = read_with(call, Dialect::Postgres, std::slice::from_ref(&purge));
        let [removal] = reading.removals.as_slice() else {
            panic!("{call}: {reading:?}");
        };
        assert!(
            matches!(&removal.rows, Rows::Older(age) if age.span == Span::days(wanted)),
            "{call}: {removal:?}"
        );
        assert_eq!(removal.via.as_deref(), Some("purge"));
    }
}

#[test]
fn what_is_not_understood_is_said() {
    let unread = |sql: &str, routines: &[Routine]| read_with(sql, Dialect::Postgres, routines).unread;
    let dynamic = unread(
        r#"DO $$ BEGIN EXECUTE format('DELETE FROM %I WHERE x < now()', t); END $$"#,
        &[],
    );
    assert!(!dynamic[0].names_all && dynamic[0].why.contains("builds SQL"));
    let native = routine("purge", "c", &[], "purge_fast");
    assert!(unread("SELECT purge()", &[native])[0].why.contains("written in c"));
    let hidden = Routine {
        body: None,
        ..routine("purge", "sql", &[], "")
    };
    assert!(unread("SELECT purge()", &[hidden])[0].why.contains("not shown"));
    assert!(unread("SELECT app.purge()", &[])[0].why.contains("does not exist, or"));
    let loops = routine("purge", "sql", &[], "SELECT purge()");
    assert!(unread("SELECT purge()", &[loops])[0].why.contains("deeper"));
    assert_eq!(unread(r#"ALTER TABLE "L" DETACH PARTITION old"#, &[]).len(), 1);
    let elsewhere = unread(
        "SELECT dblink_exec('host=h password=S3cr3t-canary', 'DELETE FROM t')",
        &[],
    );
    assert!(elsewhere[0].why.contains("dblink_exec") && !elsewhere[0].text.contains("S3cr3t"));
    assert_eq!(shorten("connect user=x PASSWORD=S3cr3t-canary"), "connect user=x …");
}

#[test]
fn what_happens_only_sometimes_is_told() {
    for (sql, sometimes) in [
        (
            r#"DO $$ BEGIN IF extract(dow from now()) = 0 THEN DELETE FROM "L"; END IF; END $$"#,
            true,
        ),
        (
            r#"DO $$ BEGIN IF extract(dow from now()) = 0 THEN RETURN; END IF; DELETE FROM "L"; END $$"#,
            true,
        ),
        (
            r#"DO $$ BEGIN IF NOT pg_try_advisory_lock(1) THEN RETURN; END IF; DELETE FROM "L"; END $$"#,
            false,
        ),
        (
            r#"DO $$ BEGIN DELETE FROM "L"; EXCEPTION WHEN others THEN RAISE; END $$"#,
            false,
        ),
    ] {
        let reading = read_with(sql, Dialect::Postgres, &[]);
        assert_eq!(reading.removals[0].conditional, sometimes, "{sql}");
    }
}

#[test]
fn maintenance_of_partitions_is_recognised() {
    for (sql, of) in [
        ("CALL partman.run_maintenance_proc()", Maintained::All),
        ("CALL partman.run_maintenance_proc(10, true)", Maintained::All),
        ("SELECT partman.run_maintenance()", Maintained::All),
        ("SELECT partman.run_maintenance(NULL)", Maintained::All),
        ("SELECT partman.run_maintenance(p_analyze := false)", Maintained::All),
        (
            "SELECT partman.run_maintenance('public.L')",
            Maintained::Table("public.L".to_owned()),
        ),
        (
            "DO $$ BEGIN PERFORM partman.run_maintenance(p_parent_table => 'public.L'); END $$",
            Maintained::Table("public.L".to_owned()),
        ),
        (
            "SELECT partman.run_maintenance(parent_table) FROM partman.part_config",
            Maintained::Unknown,
        ),
    ] {
        let reading = read_with(sql, Dialect::Postgres, &[]);
        let [call] = reading.maintains.as_slice() else {
            panic!("{sql}: {reading:?}");
        };
        assert_eq!((&call.of, call.conditional), (&of, false), "{sql}");
    }
}

proptest::proptest! {
    #[test]
    fn no_text_makes_it_panic(text in "\\PC{0,60}", tail in "[a-z '\"();<>=$,.-]{0,60}") {
        for dialect in [Dialect::Postgres, Dialect::MariaDb, Dialect::Sqlite] {
            let _ = read_with(&text, dialect, &[]);
            let _ = read_with(&format!("DELETE FROM L WHERE {tail}"), dialect, &[]);
            let _ = read_with(&format!("BEGIN {tail}; END"), dialect, &[]);
        }
    }
}

#[test]
fn chunks_of_timescaledb_go_by_age() {
    for sql in [
        r#"SELECT drop_chunks('"L"', interval '30 days')"#,
        r#"SELECT drop_chunks('public."L"'::regclass, older_than => interval '30 days')"#,
        r#"SELECT public.drop_chunks('"L"', older_than => now() - interval '30 days', newer_than => NULL)"#,
        r#"SELECT * FROM drop_chunks('"L"', INTERVAL '720 hours') AS dropped"#,
        r#"DO $$ BEGIN PERFORM drop_chunks(relation => '"L"', older_than => interval '30 days'); END $$"#,
        r#"SELECT drop_chunks(interval '30 days', '"L"')"#,
    ] {
        assert_eq!(
            days(sql, Dialect::Postgres),
            Some((30, 30)),
            "{sql}\n{:?}",
            read_with(sql, Dialect::Postgres, &[])
        );
    }
    let only = |sql: &str| read_with(sql, Dialect::Postgres, &[]).removals.remove(0);
    // An unquoted name is folded, inside of the text as well.
    assert_eq!(only("SELECT drop_chunks('L', interval '30 days')").table.name, "l");
    let between = only(r#"SELECT drop_chunks('"L"', interval '30 days', interval '60 days')"#);
    assert_eq!(between.ceiling, Some(Span::days(60)));
    let young = only(r#"SELECT drop_chunks('"L"', newer_than => interval '30 days')"#);
    assert!(matches!(young.rows, Rows::Younger(_)), "{young:?}");
    for sql in [
        r#"SELECT drop_chunks('"L"', created_before => interval '30 days')"#,
        r#"SELECT drop_chunks('"L"', older_than => 1700000000)"#,
        r#"SELECT drop_chunks('"L"')"#,
        "SELECT drop_chunks(format('%I', name), interval '1 day') FROM tables",
    ] {
        let reading = read_with(sql, Dialect::Postgres, &[]);
        assert!(
            reading.removals.is_empty() && reading.unread.len() == 1,
            "{sql}\n{reading:?}"
        );
    }
}

#[test]
fn a_function_in_from_is_called_as_well() {
    let purge = Routine {
        namespace: "public".to_owned(),
        name: "purge".to_owned(),
        language: "sql".to_owned(),
        parameters: vec![Parameter {
            name: "age".to_owned(),
            default: None,
        }],
        body: Some(r#"DELETE FROM "L" WHERE "ProcessedOnUtc" < now() - age RETURNING 1"#.to_owned()),
        definer: None,
        path: None,
        ..Routine::default()
    };
    for sql in [
        "SELECT * FROM purge(interval '30 days')",
        "SELECT count(*) FROM public.purge(age => interval '30 days') AS gone, pg_stat_activity",
        "SELECT gone FROM LATERAL purge(interval '30 days') AS gone",
        "INSERT INTO log SELECT * FROM purge(interval '30 days')",
    ] {
        let reading = read_with(sql, Dialect::Postgres, std::slice::from_ref(&purge));
        let [only] = reading.removals.as_slice() else {
            panic!("{sql}\n{reading:?}");
        };
        assert!(
            matches!(&only.rows, Rows::Older(age) if age.span == Span::days(30)),
            "{sql}\n{only:?}"
        );
    }
}
