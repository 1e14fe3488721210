//! Partitions that pg_partman drops, and the jobs that make it do so.

use crate::harness::*;

#[tokio::test]
async fn partitions_are_kept_by_pg_partman() {
    let Some(cron) = Cron::namespace().await else { return };
    let database = unique("part");
    cron.sql(&format!("CREATE DATABASE {database}")).await;
    let url = with_path(&cron.home, &database);
    run_postgres(
        &url,
        r#"CREATE TABLE "ProcessedIntegrationEvents" ("Id" uuid, "EventId" uuid NOT NULL, "ProcessedOnUtc" timestamptz NOT NULL,
             PRIMARY KEY ("Id", "ProcessedOnUtc")) PARTITION BY RANGE ("ProcessedOnUtc");
           CREATE SCHEMA parts; CREATE EXTENSION pg_partman SCHEMA parts;
           DO $$ BEGIN
             IF (SELECT extversion LIKE '4.%' FROM pg_extension WHERE extname = 'pg_partman') THEN
               PERFORM parts.create_parent('public.ProcessedIntegrationEvents', 'ProcessedOnUtc', 'native', 'daily');
             ELSE
               PERFORM parts.create_parent('public.ProcessedIntegrationEvents', 'ProcessedOnUtc', '1 day');
             END IF;
           END $$"#,
    )
    .await;
    let look_here = async |sql: &str| {
        run_postgres(&url, sql).await;
        look(url.as_str(), None, Some(cron.home.as_str())).await
    };
    look_here("SELECT 1").await.assert_finding("retention-missing", TABLE);
    let seen = look_here("UPDATE parts.part_config SET retention = '14 days', retention_keep_table = false").await;
    seen.assert_not_visible("run_maintenance");
    let seen = look_here("UPDATE parts.part_config SET retention = '1 day'").await;
    seen.assert_finding("retention-too-short", "1 day");
    let seen = look_here("UPDATE parts.part_config SET retention = '14 days', automatic_maintenance = 'off'").await;
    seen.assert_finding("retention-disabled", "automatic_maintenance");
    let seen =
        look_here("UPDATE parts.part_config SET automatic_maintenance = 'on', retention_keep_table = true").await;
    seen.assert_finding("retention-partial", "detached");
    // Who calls the maintenance is judged as any other job.
    look_here("UPDATE parts.part_config SET retention_keep_table = false").await;
    cron.sql(&format!(
        "SELECT cron.schedule_in_database('{0}', '*/10 * * * *', 'CALL parts.run_maintenance_proc()', '{database}')",
        cron.name
    ))
    .await;
    let seen = look_here("SELECT 1").await;
    seen.assert_not_visible("no run of it is recorded");
    cron.sql(&format!(
        "INSERT INTO cron.job_run_details (jobid, runid, database, username, command, status, return_message, start_time, end_time)
         SELECT jobid, nextval('cron.runid_seq'), database, username, command, 'succeeded', 'CALL', now() - interval '1 min', now()
         FROM cron.job WHERE jobname = '{}'",
        cron.name
    ))
    .await;
    look_here("SELECT 1").await.assert_effective();
    let seen = look_here("UPDATE parts.part_config SET automatic_maintenance = 'off'").await;
    seen.assert_finding("retention-disabled", "automatic_maintenance");
    let change = async |change: &str| {
        let name = &cron.name;
        cron.sql(&format!("UPDATE cron.job SET {change} WHERE jobname = '{name}'"))
            .await;
        look_here("SELECT 1").await
    };
    // Called by its name, the table is not passed over.
    let by_name = "command = $$SELECT parts.run_maintenance('public.ProcessedIntegrationEvents')$$";
    change(by_name).await.assert_effective();
    run_postgres(
        &url,
        "SELECT parts.run_maintenance('public.ProcessedIntegrationEvents')",
    )
    .await;
    change("active = false")
        .await
        .assert_finding("retention-disabled", "not active");
    change("active = true, schedule = '0 0 30 2 *'")
        .await
        .assert_finding("retention-disabled", "never comes");
    cron.sql(&format!("CREATE ROLE {database} LOGIN")).await;
    change(&format!("schedule = '*/10 * * * *', username = '{database}'"))
        .await
        .assert_finding("retention-failing", "may not drop them");
    cron.drop().await;
    run_postgres(&url, &format!("DROP ROLE {database}")).await;
    run_postgres(
        &with_path(&url, "template1"),
        &format!("DROP DATABASE {database} WITH (FORCE)"),
    )
    .await;
}
