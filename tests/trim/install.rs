//! Jobs for schedulers.

use crate::harness::{Kind, Ledger, on_each, with_ledger};

on_each!(printing_needs_no_database, async |ledger: &Ledger| {
    for (scheduler, word) in [
        ("pg-cron", "cron.schedule("),
        ("mysql-event", "CREATE EVENT"),
        ("kubernetes", "kind: CronJob"),
        ("systemd", "[Timer]"),
    ] {
        let output = ledger
            .command(&["install", "--scheduler", scheduler])
            .env_remove("DATABASE_URL")
            .output()
            .unwrap();
        let out = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success() && out.contains(word), "{scheduler}: {out}");
    }
    let run = ledger.run(&["install", "--scheduler", "systemd", "--apply"]);
    assert_eq!(run.code, 2, "{run:?}");
    ledger.edit_spec("horizon: 14d", "horizon: 168h");
    assert_eq!(ledger.run(&["install", "--scheduler", "pg-cron"]).code, 1);
});

#[test]
fn an_event_is_set_up_once_and_removes_old_rows() {
    with_ledger(Kind::MariaDb, async |ledger| {
        let install = ["install", "--scheduler", "mysql-event", "--apply"];
        let first = ledger.run(&install);
        assert!(first.code == 0 && first.out.contains("set up"), "{first:?}");
        let altered = "SELECT CAST(count(*) AS SIGNED) FROM information_schema.events WHERE event_schema = DATABASE() \
                       AND status = 'ENABLED' AND interval_value = '1' AND interval_field = 'MINUTE'";
        assert_eq!(ledger.number(altered).await, 1);
        let again = ledger.run(&install);
        assert!(again.code == 0 && again.out.contains("already"), "{again:?}");

        ledger
            .sql("ALTER EVENT `seadrift_trim_ProcessedIntegrationEvents` DISABLE")
            .await;
        let repaired = ledger.run(&install);
        assert!(repaired.out.contains("set up"), "{repaired:?}");
        assert_eq!(ledger.number(altered).await, 1);

        ledger.add(20, 20).await;
        ledger.add(10, 13).await;
        let body = "SELECT CAST(char_length(event_definition) AS SIGNED) FROM information_schema.events WHERE event_schema = DATABASE()";
        assert!(ledger.number(body).await > 0);
        let printed = ledger.run(&["install", "--scheduler", "mysql-event"]).out;
        let statement = printed.split_once(" DO ").unwrap().1;
        ledger.sql(statement.trim_end().trim_end_matches(';')).await;
        assert_eq!(ledger.count().await, 10);
    });
}

#[test]
fn the_statement_of_pg_cron_removes_old_rows_only() {
    with_ledger(Kind::Postgres, async |ledger| {
        ledger.add(20, 20).await;
        ledger.add(10, 13).await;
        let printed = ledger.run(&["install", "--scheduler", "pg-cron", "--batch", "15"]).out;
        let (_, statement) = printed.split_once("'* * * * *', '").unwrap();
        let statement = statement.trim_end().trim_end_matches("');").replace("''", "'");
        ledger.sql(&statement).await;
        assert_eq!(ledger.count().await, 15);
        ledger.sql(&statement).await;
        assert_eq!(ledger.count().await, 10);
        // This database does not have the extension.
        let run = ledger.run(&["install", "--scheduler", "pg-cron", "--apply"]);
        assert_eq!(run.code, 4, "{run:?}");
        assert!(run.err.contains("pg_cron"), "{run:?}");
    });
}

on_each!(a_ledger_without_its_guard_gets_no_job, async |ledger: &Ledger| {
    let on = if ledger.kind == Kind::MariaDb {
        format!(" ON {}", ledger.table())
    } else {
        String::new()
    };
    ledger
        .sql(&format!(
            "DROP INDEX {}{on}",
            ledger.quote("UX_ProcessedEvents_EventId")
        ))
        .await;
    let scheduler = if ledger.kind == Kind::Postgres {
        "pg-cron"
    } else {
        "mysql-event"
    };
    let run = ledger.run(&["install", "--scheduler", scheduler, "--apply"]);
    assert_eq!(run.code, 1, "{run:?}");
});
