//! The table `ledger_retention`: its migration, its entity, and what a run writes into it.

use chrono::{TimeDelta, Utc};
use sea_orm::{ConnectionTrait as _, EntityTrait as _};
use seadrift_entity::retention::{LedgerRetention, ledger_retention};

use crate::harness::{Kind, Ledger, on_each};

async fn evidence(ledger: &Ledger) -> ledger_retention::Model {
    LedgerRetention::find_by_id("ProcessedIntegrationEvents")
        .one(&ledger.db)
        .await
        .unwrap()
        .unwrap()
}

on_each!(
    a_run_leaves_its_numbers_watermarks_and_heartbeat,
    async |ledger: &Ledger| {
        ledger.migrate_retention();
        ledger.add(30, 20).await;
        let before = Utc::now();
        assert_eq!(ledger.trim(&[]).code, 0);
        let row = evidence(ledger).await;
        // 14 d, 168 h, 5 min.
        assert_eq!(
            (
                row.horizon_seconds,
                row.staleness_seconds,
                row.skew_seconds,
                row.grace_seconds
            ),
            (1_209_600, 604_800, 300, 120)
        );
        assert_eq!((row.last_deleted, row.last_error.as_deref()), (Some(30), None));
        let (started, finished) = (row.last_started_utc.unwrap(), row.last_finished_utc.unwrap());
        let second = TimeDelta::seconds(1);
        assert!(
            before - second <= started && started <= finished && finished <= Utc::now() + second,
            "{row:?}"
        );
        let age = started - row.trimmed_through_utc;
        assert!((age - TimeDelta::days(14)).abs() < TimeDelta::seconds(10), "{row:?}");
        // What was recorded before the watermark happened at most a clock's error and the future dating later.
        assert_eq!(
            row.admission_floor_utc - row.trimmed_through_utc,
            TimeDelta::minutes(10)
        );
        assert!(
            row.runner.as_deref().is_some_and(|runner| !runner.is_empty()),
            "{row:?}"
        );

        let first = row;
        assert_eq!(ledger.trim(&["--horizon", "30d"]).code, 0);
        let second = evidence(ledger).await;
        assert_eq!(second.horizon_seconds, 2_592_000);
        assert_eq!(second.last_deleted, Some(0));
        // Neither watermark moves back.
        assert_eq!(second.trimmed_through_utc, first.trimmed_through_utc);
        assert_eq!(second.admission_floor_utc, first.admission_floor_utc);
        assert!(second.last_started_utc > first.last_started_utc);
    }
);

on_each!(a_run_without_the_table_says_so, async |ledger: &Ledger| {
    let run = ledger.trim(&[]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.err.contains("ledger_retention"), "{run:?}");
    assert_eq!(ledger.trim(&["-q"]).err, "");
});

on_each!(the_table_refuses_numbers_that_are_not_safe, async |ledger: &Ledger| {
    ledger.migrate_retention();
    // W = 0; H < W + 4δ; and a watermark above the floor.
    for values in [
        "('a', 1209600, 0, '1970-01-01', '1970-01-01')",
        "('a', 605999, 604800, '1970-01-01', '1970-01-01')",
        "('a', 1209600, 604800, '1970-01-01', '1970-01-02')",
    ] {
        let sql = format!(
            "INSERT INTO ledger_retention (ledger, horizon_seconds, staleness_seconds, admission_floor_utc, \
             trimmed_through_utc) VALUES {values}"
        );
        assert!(ledger.db.execute_unprepared(&sql).await.is_err(), "{values}");
    }
    ledger
        .sql("INSERT INTO ledger_retention (ledger, horizon_seconds, staleness_seconds) VALUES ('a', 606000, 604800)")
        .await;
    let row = LedgerRetention::find_by_id("a").one(&ledger.db).await.unwrap().unwrap();
    assert_eq!(row.admission_floor_utc.timestamp(), 0);
});

on_each!(its_history_is_its_own, async |ledger: &Ledger| {
    ledger.migrate_retention();
    ledger.migrate_retention();
    let migrate = |arguments: &[&str]| {
        std::process::Command::new(env!("CARGO_BIN_EXE_seadrift"))
            .arg("migrate")
            .args(arguments)
            .env("DATABASE_URL", &ledger.url)
            .output()
            .unwrap()
    };
    let down = migrate(&["down", "--service", "retention", "--yes"]);
    assert!(down.status.success(), "{down:?}");
    let status = migrate(&["status", "--service", "notification"]);
    assert!(String::from_utf8(status.stdout).unwrap().contains("applied"));
    let tables = match ledger.kind {
        Kind::Postgres => "SELECT count(*) FROM pg_class WHERE relname = 'ledger_retention'",
        Kind::MariaDb => {
            "SELECT CAST(count(*) AS SIGNED) FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = 'ledger_retention'"
        }
        Kind::Sqlite => "SELECT count(*) FROM sqlite_schema WHERE name = 'ledger_retention'",
    };
    assert_eq!(ledger.number(tables).await, 0);
    ledger.migrate_retention();
    assert_eq!(ledger.number(tables).await, 1);
});
