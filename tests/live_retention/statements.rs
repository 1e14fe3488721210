//! What a statement does on its server, and what is said of a job that runs it: the two must agree.

use sqlx::{AssertSqlSafe, Connection as _, MySqlConnection, PgConnection};

use crate::harness::*;

/// How many of the two rows, one old and one young, are left after a statement; nothing if it fails.
async fn left(cron: &Cron, sql: &str) -> Option<i64> {
    let mut connection = PgConnection::connect(cron.home.as_str()).await.unwrap();
    let fresh = format!(
        r#"SET search_path TO {0}; DROP TABLE IF EXISTS old; TRUNCATE "ProcessedIntegrationEvents", par;
           INSERT INTO par VALUES (1);
           INSERT INTO "ProcessedIntegrationEvents" SELECT gen_random_uuid(), gen_random_uuid(), now() - age, 1
           FROM unnest(ARRAY[interval '90 days', interval '0']) AS a (age)"#,
        cron.name
    );
    sqlx::raw_sql(AssertSqlSafe(fresh))
        .execute(&mut connection)
        .await
        .unwrap();
    let ran = sqlx::raw_sql(AssertSqlSafe(sql.replace("{ns}", &cron.name)))
        .execute(&mut connection)
        .await;
    let count = format!(r#"SELECT count(*) FROM {}."ProcessedIntegrationEvents""#, cron.name);
    ran.ok()?;
    Some(
        sqlx::query_scalar(AssertSqlSafe(count))
            .fetch_one(&mut connection)
            .await
            .unwrap(),
    )
}

#[tokio::test]
async fn what_a_job_of_pg_cron_removes_is_what_is_said() {
    let Some(cron) = Cron::namespace().await else { return };
    cron.sql(&format!(
        r#"SET search_path TO {0}; CREATE TABLE par (id integer PRIMARY KEY);
           ALTER TABLE "ProcessedIntegrationEvents" ADD COLUMN par integer REFERENCES par;
           CREATE FUNCTION purge() RETURNS void LANGUAGE sql SET search_path = {0} AS
             $$ DELETE FROM "ProcessedIntegrationEvents" WHERE "ProcessedOnUtc" < now() - interval '14 days' $$;
           CREATE FUNCTION purge(days integer) RETURNS void LANGUAGE sql AS $$ SELECT 1 $$;
           CREATE FUNCTION early() RETURNS void LANGUAGE plpgsql SET search_path = {0} AS
             $$ BEGIN RETURN; DELETE FROM "ProcessedIntegrationEvents"; END $$"#,
        cron.name
    ))
    .await;
    for (sql, rows, rule, words) in [
        (
            r#"EXPLAIN ANALYZE DELETE FROM {ns}."ProcessedIntegrationEvents""#,
            0,
            "retention-too-short",
            "every row",
        ),
        (
            r#"EXPLAIN DELETE FROM {ns}."ProcessedIntegrationEvents""#,
            2,
            "retention-missing",
            "removes no row",
        ),
        (
            r#"BEGIN; DELETE FROM {ns}."ProcessedIntegrationEvents"; ROLLBACK"#,
            2,
            "retention-failing",
            "rolled back",
        ),
        (
            r#"DELETE FROM {ns}."ProcessedIntegrationEvents"; ROLLBACK"#,
            2,
            "retention-failing",
            "rolled back",
        ),
        ("SELECT {ns}.purge(1)", 2, "retention-missing", TABLE),
        ("SELECT {ns}.purge() WHERE false", 2, "retention-missing", TABLE),
        ("SELECT {ns}.early()", 2, "retention-missing", TABLE),
        (
            "TRUNCATE {ns}.par CASCADE",
            0,
            "retention-too-short",
            "TRUNCATE par CASCADE",
        ),
        (
            r#"DELETE FROM {ns}."ProcessedIntegrationEvents" WHERE (SELECT count(*) FROM {ns}."ProcessedIntegrationEvents") > 1"#,
            0,
            "retention-too-short",
            "whatever their age",
        ),
        (
            r#"DELETE FROM {ns}."ProcessedIntegrationEvents" WHERE "ProcessedOnUtc" BETWEEN '-infinity' AND now() - interval '1 day'"#,
            1,
            "retention-too-short",
            "24h",
        ),
        (
            r#"CREATE TABLE {ns}.fresh (LIKE {ns}."ProcessedIntegrationEvents" INCLUDING ALL);
               ALTER TABLE {ns}."ProcessedIntegrationEvents" RENAME TO old;
               ALTER TABLE {ns}.fresh RENAME TO "ProcessedIntegrationEvents""#,
            0,
            "retention-too-short",
            "an empty table",
        ),
    ] {
        assert_eq!(left(&cron, sql).await, Some(rows), "{sql}");
        cron.schedule("17 3 * * *", sql).await;
        cron.look().await.assert_finding(rule, words);
    }
    cron.drop().await;
}

#[tokio::test]
async fn what_the_server_refuses_a_job_of_pg_cron_is_said_to_fail() {
    let Some(cron) = Cron::namespace().await else { return };
    let name = &cron.name;
    cron.sql(&format!(r#"CREATE TABLE {name}.par (id integer PRIMARY KEY); ALTER TABLE {name}."ProcessedIntegrationEvents" ADD COLUMN par integer"#))
        .await;
    cron.schedule("17 3 * * *", crate::jobs::PURGE).await;
    let identity = async |what: &str| {
        let table = format!(r#"{name}."ProcessedIntegrationEvents""#);
        cron.sql(&format!("ALTER TABLE {table} REPLICA IDENTITY {what}")).await;
    };
    cron.sql(&format!(
        r#"CREATE PUBLICATION {name} FOR TABLE {name}."ProcessedIntegrationEvents""#
    ))
    .await;
    assert_eq!(left(&cron, crate::jobs::PURGE).await, Some(1));
    cron.look().await.assert_not_visible("no run of it is recorded");
    identity("NOTHING").await;
    assert_eq!(left(&cron, crate::jobs::PURGE).await, None);
    cron.look()
        .await
        .assert_finding("retention-failing", "no replica identity");
    identity("FULL").await;
    cron.look().await.assert_not_visible("no run of it is recorded");
    identity("NOTHING").await;
    cron.sql(&format!("ALTER PUBLICATION {name} SET (publish = 'insert')"))
        .await;
    assert_eq!(left(&cron, crate::jobs::PURGE).await, Some(1));
    cron.look().await.assert_not_visible("no run of it is recorded");
    cron.sql(&format!("DROP PUBLICATION {name}")).await;
    cron.drop().await;
}

#[tokio::test]
async fn what_fails_as_a_job_of_pg_cron_is_said_to_fail() {
    let Some(cron) = Cron::namespace().await else { return };
    let old = format!(
        r#"DELETE FROM {}."ProcessedIntegrationEvents" WHERE "ProcessedOnUtc" < now() - interval '14 days'"#,
        cron.name
    );
    cron.sql(
        &r#"SET search_path TO {ns}; CREATE TABLE par (id integer PRIMARY KEY);
            ALTER TABLE "ProcessedIntegrationEvents" ADD COLUMN par integer;
            CREATE VIEW shown AS SELECT "ProcessedOnUtc" AS at FROM "ProcessedIntegrationEvents";
            CREATE FUNCTION purge() RETURNS void LANGUAGE plpgsql AS $$ BEGIN {old}; END $$;
            CREATE FUNCTION purge_stable() RETURNS void LANGUAGE plpgsql STABLE AS $$ BEGIN {old}; END $$;
            CREATE FUNCTION purge_and_commit() RETURNS void LANGUAGE plpgsql AS $$ BEGIN {old}; COMMIT; END $$;
            CREATE FUNCTION purge_on_insert() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {old}; RETURN NULL; END $$;
            CREATE PROCEDURE batches() LANGUAGE plpgsql AS $$ BEGIN LOOP {old}; COMMIT; EXIT WHEN NOT FOUND; END LOOP; END $$;
            CREATE PROCEDURE settled() LANGUAGE plpgsql SET work_mem = '4MB' SET search_path = {ns}
              AS $$ BEGIN {old}; COMMIT; END $$"#
            .replace("{old}", &old)
            .replace("{ns}", &cron.name),
    )
    .await;
    for (sql, words) in [
        ("{old}; VACUUM {ns}.par", "cannot run together"),
        (
            "{old}; CREATE INDEX CONCURRENTLY i ON {ns}.par (id)",
            "cannot run together",
        ),
        ("SELECT {ns}.purge_and_commit()", "refuses to end a transaction"),
        ("SELECT 1; CALL {ns}.batches()", "refuses to end a transaction"),
        ("BEGIN; CALL {ns}.batches(); COMMIT", "refuses to end a transaction"),
        ("CALL {ns}.settled()", "refuses to end a transaction"),
        ("SELECT {ns}.batches()", "called as a function"),
        ("CALL {ns}.purge()", "called as a procedure"),
        ("SELECT {ns}.purge_on_insert()", "only a trigger may call"),
        ("SELECT {ns}.purge_stable()", "not VOLATILE"),
        (
            r#"DELETE FROM {ns}."ProcessedIntegrationEvents" WHERE "ProcessedOnUtc" < now() - '14 days'"#,
            "for a time",
        ),
    ] {
        let sql = sql.replace("{old}", &old).replace("{ns}", &cron.name);
        assert_eq!(left(&cron, &sql).await, None, "{sql}");
        cron.schedule("17 3 * * *", &sql).await;
        cron.look().await.assert_finding("retention-failing", words);
    }
    for sql in [
        "CALL {ns}.batches()",
        "SELECT {ns}.purge()",
        "BEGIN; {old}; COMMIT",
        "DELETE FROM {ns}.shown WHERE at < now() - interval '14 0' day to hour",
        r#"DO $$ BEGIN EXECUTE format('DELETE FROM {ns}.%I WHERE %I < now() - %L::interval', 'ProcessedIntegrationEvents',
           'ProcessedOnUtc', '14 00:00:00'); END $$"#,
        r#"DELETE FROM {ns}."ProcessedIntegrationEvents" WHERE date_part('day', now() - "ProcessedOnUtc") >= 14"#,
    ] {
        let sql = sql.replace("{old}", &old).replace("{ns}", &cron.name);
        assert_eq!(left(&cron, &sql).await, Some(1), "{sql}");
        cron.schedule("17 3 * * *", &sql).await;
        cron.look().await.assert_not_visible("no run of it is recorded");
    }
    cron.drop().await;
}

#[tokio::test]
async fn what_mariadb_removes_is_what_is_said() {
    let Some(events) = Events::database().await else { return };
    let mut connection = MySqlConnection::connect(with_path(&events.root, &events.name).as_str())
        .await
        .unwrap();
    let age = "ProcessedOnUtc < utc_timestamp(6) - INTERVAL";
    for (sql, rows, rule) in [
        (
            format!("DELETE FROM ProcessedIntegrationEvents WHERE {age} '14 0' DAY_HOUR"),
            1,
            None,
        ),
        (
            format!("DELETE FROM ProcessedIntegrationEvents WHERE {age} '336:00' HOUR_MINUTE"),
            1,
            None,
        ),
        (
            format!("DELETE FROM ProcessedIntegrationEvents WHERE {age} '0 24' DAY_HOUR"),
            1,
            Some(("retention-too-short", "24h")),
        ),
        (
            format!("DELETE FROM ProcessedIntegrationEvents WHERE EventId IS NOT NULL AND {age} 14 SQL_TSI_DAY"),
            1,
            None,
        ),
        (
            "DELETE FROM ProcessedIntegrationEvents WHERE !(ProcessedOnUtc >= utc_timestamp() - INTERVAL 14 DAY)".to_owned(),
            1,
            None,
        ),
        (
            "DELETE FROM ProcessedIntegrationEvents WHERE TO_SECONDS(ProcessedOnUtc) < TO_SECONDS(utc_timestamp()) - 86400".to_owned(),
            1,
            Some(("retention-too-short", "24h")),
        ),
        (
            "ANALYZE DELETE FROM ProcessedIntegrationEvents".to_owned(),
            0,
            Some(("retention-too-short", "every row")),
        ),
    ] {
        for sql in [
            "DELETE FROM ProcessedIntegrationEvents".to_owned(),
            "INSERT INTO ProcessedIntegrationEvents VALUES (uuid(), uuid(), utc_timestamp() - INTERVAL 90 DAY), (uuid(), uuid(), utc_timestamp())".to_owned(),
            sql.clone(),
            format!("CREATE OR REPLACE EVENT purge_old ON SCHEDULE EVERY 1 DAY STARTS utc_timestamp() + INTERVAL 12 HOUR DO {sql}"),
        ] {
            sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut connection).await.unwrap();
        }
        let left: i64 = sqlx::query_scalar("SELECT count(*) FROM ProcessedIntegrationEvents")
            .fetch_one(&mut connection)
            .await
            .unwrap();
        assert_eq!(left, rows, "{sql}");
        let seen = events.look().await;
        match rule {
            Some((rule, words)) => seen.assert_finding(rule, words),
            None => seen.assert_effective(),
        }
    }
    events.drop().await;
}
