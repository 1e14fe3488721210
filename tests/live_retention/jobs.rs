//! Jobs and their verdicts, as the library sees them.

use std::time::{Duration, Instant};

use seadrift::retention::Verdict;
use sqlx::{AssertSqlSafe, Connection as _, MySqlConnection, PgConnection};

use crate::harness::*;

pub(crate) const PURGE: &str =
    r#"DELETE FROM {ns}."ProcessedIntegrationEvents" WHERE "ProcessedOnUtc" < now() - interval '14 days'"#;

#[tokio::test]
async fn a_job_of_pg_cron_that_has_run_is_effective() {
    let Some(cron) = Cron::namespace().await else { return };
    // Seconds are understood from version 1.5 on; before, the scheduler looks once a minute.
    let mut connection = PgConnection::connect(cron.home.as_str()).await.unwrap();
    let seconds: bool = sqlx::query_scalar("SELECT extversion >= '1.5' FROM pg_extension WHERE extname = 'pg_cron'")
        .fetch_one(&mut connection)
        .await
        .unwrap();
    cron.schedule(if seconds { "1 seconds" } else { "* * * * *" }, PURGE)
        .await;
    cron.look().await.assert_not_visible("no run of it is recorded");
    let started = Instant::now();
    loop {
        let seen = cron.look().await;
        if seen.ledger.verdict == Verdict::Effective {
            seen.assert_effective();
            break;
        }
        assert!(started.elapsed() < PATIENCE, "{:#?}", seen.ledger);
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    let left: i64 = sqlx::query_scalar(AssertSqlSafe(format!("SELECT count(*) FROM {}.\"{TABLE}\"", cron.name)))
        .fetch_one(&mut connection)
        .await
        .unwrap();
    assert_eq!(left, 1, "the job has removed the old row and kept the young one");
    cron.drop().await;
}

#[tokio::test]
async fn what_is_wrong_with_a_job_of_pg_cron_is_named() {
    let Some(cron) = Cron::namespace().await else { return };
    cron.look().await.assert_finding("retention-missing", TABLE);
    for (command, rule, words) in [
        (
            r#"TRUNCATE {ns}."ProcessedIntegrationEvents""#,
            "retention-too-short",
            "TRUNCATE",
        ),
        (
            r#"DELETE FROM "ProcessedIntegrationEvents""#,
            "retention-failing",
            "does not exist",
        ),
        (
            r#"DELETE FROM {ns}."ProcessedIntegrationEvents" WHERE "ProcessedOnUtc" < now() - interval '1 week'"#,
            "retention-boundary",
            "no margin",
        ),
        ("SELECT {ns}.purge(interval '1 day')", "retention-too-short", "24h"),
    ] {
        if command.contains("purge") {
            cron.sql(&format!(
                r#"CREATE FUNCTION {ns}.purge(age interval) RETURNS void LANGUAGE plpgsql SET search_path = {ns} AS $f$
                DECLARE cutoff timestamptz := now() - age; BEGIN
                DELETE FROM "ProcessedIntegrationEvents" WHERE "ProcessedOnUtc" < cutoff; END $f$"#,
                ns = cron.name
            ))
            .await;
        }
        cron.schedule("17 3 * * *", command).await;
        cron.look().await.assert_finding(rule, words);
    }
    cron.schedule("17 3 * * *", PURGE).await;
    cron.sql(&format!(
        "UPDATE cron.job SET active = false WHERE jobname = '{}'",
        cron.name
    ))
    .await;
    cron.look().await.assert_finding("retention-disabled", "not active");
    cron.drop().await;
}

#[tokio::test]
async fn a_plain_role_sees_no_job_and_says_so() {
    let Some(cron) = Cron::namespace().await else { return };
    cron.schedule("17 3 * * *", PURGE).await;
    let role = unique("plain");
    cron.sql(&format!("CREATE ROLE {role} LOGIN PASSWORD 'pw'")).await;
    let mut url = cron.home.clone();
    url.set_username(&role).unwrap();
    url.set_password(Some("pw")).unwrap();
    let seen = look(url.as_str(), Some(&cron.name), None).await;
    seen.assert_not_visible("may not read cron.job");
    // In any other database, all that a plain role can know is that the library is loaded.
    let database = unique("other");
    cron.sql(&format!("CREATE DATABASE {database}")).await;
    run_postgres(&with_path(&cron.home, &database), POSTGRES_LEDGER).await;
    url.set_path(&database);
    look(url.as_str(), None, None)
        .await
        .assert_not_visible("another database");
    cron.sql(&format!("DROP DATABASE {database} WITH (FORCE)")).await;
    cron.sql(&format!("DROP ROLE {role}")).await;
    cron.drop().await;
}

#[tokio::test]
async fn jobs_in_the_scheduler_s_database_are_found_through_its_url() {
    let Some(cron) = Cron::namespace().await else { return };
    let database = unique("app");
    cron.sql(&format!("CREATE DATABASE {database}")).await;
    let url = with_path(&cron.home, &database);
    run_postgres(&url, POSTGRES_LEDGER).await;
    look(url.as_str(), None, None)
        .await
        .assert_not_visible("jobs live in the database");
    look(url.as_str(), None, Some(cron.home.as_str()))
        .await
        .assert_finding("retention-missing", TABLE);
    let command = PURGE.replace("{ns}", "public");
    cron.sql(&format!(
        "SELECT cron.schedule_in_database('{0}', '17 3 * * *', $job${command}$job$, '{database}');
         INSERT INTO cron.job_run_details (jobid, runid, database, username, command, status, return_message, start_time, end_time)
         SELECT jobid, nextval('cron.runid_seq'), database, username, command, 'succeeded', 'DELETE 1', now() - interval '1 h', now()
         FROM cron.job WHERE jobname = '{0}'",
        cron.name
    ))
    .await;
    let seen = look(url.as_str(), None, Some(cron.home.as_str())).await;
    seen.assert_effective();
    // A URL that leads elsewhere is no evidence of anything.
    if let Some(other) = server("SEADRIFT_TEST_POSTGRES_URL") {
        look(url.as_str(), None, Some(other.as_str()))
            .await
            .assert_not_visible("another server");
    }
    cron.sql(&format!("DROP DATABASE {database} WITH (FORCE)")).await;
    cron.drop().await;
}

#[tokio::test]
async fn a_runner_outside_is_known_by_its_row() {
    let Some(cron) = Cron::namespace().await else { return };
    cron.sql(&format!(
        r#"CREATE TABLE {0}.ledger_retention (ledger varchar(63) PRIMARY KEY, horizon_seconds bigint NOT NULL,
             last_started_utc timestamptz, last_finished_utc timestamptz, last_deleted bigint, last_error text, runner text);
           INSERT INTO {0}.ledger_retention VALUES ('ProcessedIntegrationEvents', 1209600, now(), now(), 5, NULL, 'k8s')"#,
        cron.name
    ))
    .await;
    cron.look().await.assert_effective();
    let change = async |set: &str| {
        cron.sql(&format!("UPDATE {}.ledger_retention SET {set}", cron.name))
            .await;
        cron.look().await
    };
    change("last_finished_utc = now() - interval '9 days'")
        .await
        .assert_finding("retention-failing", "9d ago");
    change("last_finished_utc = now(), last_error = 'deadlock'")
        .await
        .assert_finding("retention-failing", "deadlock");
    change("last_error = NULL, horizon_seconds = 3600")
        .await
        .assert_finding("retention-too-short", "1h");
    cron.drop().await;
}

const EXPIRED: &str =
    "DELETE FROM ProcessedIntegrationEvents WHERE ProcessedOnUtc < utc_timestamp(6) - INTERVAL 14 DAY";

#[tokio::test]
async fn an_event_that_has_run_is_effective() {
    let Some(events) = Events::database().await else { return };
    events.look().await.assert_finding("retention-missing", TABLE);
    events
        .sql(&format!(
            "USE {}; CREATE EVENT purge_old ON SCHEDULE EVERY 1 SECOND DO {EXPIRED}",
            events.name
        ))
        .await;
    let mut connection = MySqlConnection::connect(events.root.as_str()).await.unwrap();
    let started = Instant::now();
    loop {
        let count = format!("SELECT count(*) FROM {}.ProcessedIntegrationEvents", events.name);
        let left: i64 = sqlx::query_scalar(AssertSqlSafe(count))
            .fetch_one(&mut connection)
            .await
            .unwrap();
        if left == 1 {
            break;
        }
        assert!(started.elapsed() < PATIENCE, "the event has not run");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    let seen = events.look().await;
    seen.assert_effective();
    assert!(
        seen.catalog
            .retention
            .jobs
            .iter()
            .any(|job| job.runs.last_started.is_some())
    );
    events.drop().await;
}

#[tokio::test]
async fn what_is_wrong_with_an_event_is_named() {
    let Some(events) = Events::database().await else { return };
    for (definition, rule, words) in [
        (
            format!("EVERY 1 DAY DISABLE DO {EXPIRED}"),
            "retention-disabled",
            "DISABLED",
        ),
        (
            format!("EVERY 1 DAY STARTS '2037-01-01' DO {EXPIRED}"),
            "retention-disabled",
            "days ahead",
        ),
        (
            format!("AT '2037-01-01' DO {EXPIRED}"),
            "retention-disabled",
            "run once",
        ),
        (
            "EVERY 1 DAY DO CALL purge_all()".to_owned(),
            "retention-too-short",
            "every row",
        ),
    ] {
        events
            .sql(&format!(
                "USE {}; CREATE OR REPLACE PROCEDURE purge_all() DELETE FROM ProcessedIntegrationEvents;
                 CREATE OR REPLACE EVENT purge_old ON SCHEDULE {definition}",
                events.name
            ))
            .await;
        events.look().await.assert_finding(rule, words);
    }
    events.drop().await;
}

#[tokio::test]
async fn without_the_event_privilege_nothing_is_missing() {
    let Some(events) = Events::database().await else { return };
    let (name, user) = (&events.name, unique("ro"));
    events
        .sql(&format!(
            "USE {name}; CREATE EVENT purge_old ON SCHEDULE EVERY 1 DAY DO {EXPIRED};
             CREATE USER '{user}'@'localhost' IDENTIFIED BY 'pw'; GRANT SELECT ON {name}.* TO '{user}'@'localhost';
             CREATE USER '{user}'@'%' IDENTIFIED BY 'pw'; GRANT SELECT ON {name}.* TO '{user}'@'%'"
        ))
        .await;
    let mut url = with_path(&events.root, name);
    url.set_username(&user).unwrap();
    url.set_password(Some("pw")).unwrap();
    look(url.as_str(), None, None)
        .await
        .assert_not_visible("EVENT privilege");
    events
        .sql(&format!("DROP USER '{user}'@'localhost', '{user}'@'%'"))
        .await;
    events.drop().await;
}

#[tokio::test]
async fn a_file_has_no_scheduler_but_may_have_a_runner() {
    let file = File::ledger().await;
    let (url, run) = (&file.url, async |sql: &str| file.sql(sql).await);
    look(url, None, None).await.assert_not_visible("no scheduler");
    run(r#"CREATE TABLE ledger_retention (ledger TEXT PRIMARY KEY, horizon_seconds INTEGER, last_started_utc TEXT,
             last_finished_utc TEXT, last_deleted INTEGER, last_error TEXT, runner TEXT);
           INSERT INTO ledger_retention VALUES ('ProcessedIntegrationEvents', 1209600,
             strftime('%Y-%m-%dT%H:%M:%f000+00:00', 'now'), strftime('%Y-%m-%dT%H:%M:%f000+00:00', 'now'), 0, NULL, 'app')"#)
    .await;
    look(url, None, None).await.assert_effective();
    run("UPDATE ledger_retention SET horizon_seconds = 60").await;
    look(url, None, None).await.assert_finding("retention-too-short", "1m");
}

/// The user name of an account of its own that has these privileges on the ledger's database.
async fn account(events: &Events, privileges: &str) -> String {
    let user = unique("job");
    let on = &events.name;
    events
        .sql(&format!(
            "CREATE USER '{user}'@'localhost'; GRANT {privileges} ON {on}.* TO '{user}'@'localhost'"
        ))
        .await;
    user
}

#[tokio::test]
async fn an_event_whose_account_may_not_do_its_work_fails() {
    let Some(events) = Events::database().await else { return };
    let name = &events.name;
    for (privileges, words) in [
        ("SELECT, DELETE", "has no EVENT privilege of its own"),
        ("SELECT, EVENT", "may not DELETE and SELECT"),
        ("DELETE, EVENT", "may not DELETE and SELECT"),
    ] {
        let user = account(&events, privileges).await;
        let sql = format!(
            "USE {name}; CREATE OR REPLACE DEFINER='{user}'@'localhost' EVENT purge_old ON SCHEDULE EVERY 1 DAY DO {EXPIRED}"
        );
        events.sql(&sql).await;
        events.look().await.assert_finding("retention-failing", words);
        events.sql(&format!("DROP USER '{user}'@'localhost'")).await;
        events
            .look()
            .await
            .assert_finding("retention-failing", "does not exist");
    }
    events.drop().await;
}

#[tokio::test]
async fn what_stands_between_an_event_and_the_ledger_is_read() {
    let Some(events) = Events::database().await else { return };
    let name = &events.name;
    let run = async |sql: &str| events.sql(&format!("USE {name}; {sql}")).await;
    let young = "ProcessedOnUtc < utc_timestamp(6) - INTERVAL 1 DAY";
    run("CREATE VIEW v AS SELECT * FROM ProcessedIntegrationEvents").await;
    run(&format!(
        "CREATE EVENT purge_old ON SCHEDULE EVERY 1 DAY DO DELETE FROM v WHERE {young}"
    ))
    .await;
    events.look().await.assert_finding("retention-too-short", "24h");
    run(
        "SET SESSION sql_mode = 'ANSI_QUOTES';
         CREATE OR REPLACE EVENT purge_old ON SCHEDULE EVERY 1 DAY DO DELETE FROM \"ProcessedIntegrationEvents\" WHERE \"ProcessedOnUtc\" < utc_timestamp(6) - INTERVAL 14 DAY"
    )
    .await;
    let seen = events.look().await;
    assert_eq!(seen.findings, []);
    run(&format!("CREATE DATABASE {name}_other; CREATE PROCEDURE {name}_other.purge() DELETE FROM {name}.ProcessedIntegrationEvents WHERE {young}")).await;
    run(&format!(
        "CREATE OR REPLACE EVENT purge_old ON SCHEDULE EVERY 1 DAY DO CALL {name}_other.purge()"
    ))
    .await;
    events.look().await.assert_finding("retention-too-short", "in purge()");
    run(&format!("DROP DATABASE {name}_other")).await;
    events
        .look()
        .await
        .assert_finding("retention-missing", "which does not exist: each run fails");
    run(&format!(
        "CREATE OR REPLACE EVENT purge_old ON SCHEDULE EVERY 1 DAY DO {EXPIRED}"
    ))
    .await;
    run("CREATE TRIGGER keep BEFORE DELETE ON ProcessedIntegrationEvents FOR EACH ROW SIGNAL SQLSTATE '45000'").await;
    events
        .look()
        .await
        .assert_finding("retention-failing", "`keep` refuses them");
    events.drop().await;
}

#[tokio::test]
async fn a_trigger_of_another_table_is_a_job_of_a_file() {
    let file = File::ledger().await;
    file.sql(
        r#"CREATE TABLE beat (a); CREATE TRIGGER purge AFTER INSERT ON beat BEGIN
             DELETE FROM "ProcessedIntegrationEvents" WHERE "ProcessedOnUtc" < datetime('now', '-1 day'); END"#,
    )
    .await;
    look(&file.url, None, None)
        .await
        .assert_finding("retention-too-short", "24h");
    file.sql(
        r#"DROP TRIGGER purge; CREATE TRIGGER purge AFTER INSERT ON beat BEGIN
             DELETE FROM "ProcessedIntegrationEvents" WHERE "ProcessedOnUtc" < julianday('now') - 30; END"#,
    )
    .await;
    look(&file.url, None, None)
        .await
        .assert_finding("retention-too-short", "which every row passes");
}

#[tokio::test]
async fn a_job_of_pg_cron_may_delete_through_a_view() {
    let Some(cron) = Cron::namespace().await else { return };
    cron.sql(&format!(
        r#"CREATE VIEW {0}.v AS SELECT * FROM {0}."ProcessedIntegrationEvents""#,
        cron.name
    ))
    .await;
    cron.schedule("17 3 * * *", "DELETE FROM {ns}.v").await;
    cron.look().await.assert_finding("retention-too-short", "every row");
    cron.schedule(
        "17 3 * * *",
        r#"DELETE FROM {ns}."ProcessedIntegrationEvents" WHERE "ProcessedOnUtc" < extract(epoch from now())"#,
    )
    .await;
    cron.look()
        .await
        .assert_finding("retention-failing", "the server refuses");
    cron.drop().await;
}
