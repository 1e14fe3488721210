//! Runs that are disturbed: by another run, a lock, a signal, a kill, a lost connection.

use std::process::Command;
use std::time::{Duration, Instant};

use sea_orm::{ConnectionTrait, TransactionTrait};

use crate::harness::{Kind, Ledger, on_each, wait, with_ledger};

on_each!(two_runs_at_once_remove_every_row_once, async |ledger: &Ledger| {
    ledger.add(2000, 20).await;
    ledger.add(10, 13).await;
    let arguments = ["trim", "--batch", "50", "--pause", "0ms", "--lock-timeout", "60s"];
    let runs = [0, 1].map(|_| ledger.command(&arguments).spawn().unwrap());
    let mut removed = 0;
    for run in runs.map(wait) {
        assert_eq!(run.code, 0, "{run:?}");
        let words: Vec<&str> = run.out.split_whitespace().collect();
        let at = words.iter().position(|word| *word == "removed").unwrap();
        removed += words[at + 1].parse::<u32>().unwrap();
    }
    assert_eq!(removed, 2000);
    assert_eq!(ledger.count().await, 10);
});

fn a_second_run_gives_up_after_its_lock_timeout(kind: Kind) {
    with_ledger(kind, async |ledger| {
        ledger.add(500, 20).await;
        let mut first = ledger.begin_slow_trim().await;
        let second = ledger.trim(&["--lock-timeout", "200ms"]);
        assert_eq!(second.code, 4, "{second:?}");
        assert!(second.err.contains("another run"), "{second:?}");
        first.kill().unwrap();
        first.wait().unwrap();
    });
}

#[test]
fn a_second_run_gives_up_after_its_lock_timeout_on_postgres() {
    a_second_run_gives_up_after_its_lock_timeout(Kind::Postgres);
}

#[test]
fn a_second_run_gives_up_after_its_lock_timeout_on_mariadb() {
    a_second_run_gives_up_after_its_lock_timeout(Kind::MariaDb);
}

on_each!(what_a_killed_run_left_the_next_one_removes, async |ledger: &Ledger| {
    ledger.migrate_retention();
    ledger.add(500, 20).await;
    ledger.add(10, 13).await;
    let mut child = ledger.begin_slow_trim().await;
    child.kill().unwrap();
    child.wait().unwrap();
    let left = ledger.count().await;
    assert!(left > 10 && left < 510, "{left}");
    let unfinished = format!(
        "SELECT CAST(count(*) AS {}) FROM ledger_retention WHERE last_started_utc IS NOT NULL AND last_finished_utc IS NULL",
        ledger.bigint()
    );
    assert_eq!(ledger.number(&unfinished).await, 1);
    let run = ledger.trim(&["--lock-timeout", "30s"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert_eq!(ledger.count().await, 10);
    assert_eq!(ledger.number(&unfinished).await, 0);
});

on_each!(ctrl_c_stops_after_the_batch, async |ledger: &Ledger| {
    ledger.migrate_retention();
    ledger.add(500, 20).await;
    let child = ledger.begin_slow_trim().await;
    let sent = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(sent.success());
    let start = Instant::now();
    let run = wait(child);
    assert!(start.elapsed() < Duration::from_secs(5));
    assert_eq!(run.code, 4, "{run:?}");
    assert!(run.out.contains("stopped"), "{run:?}");
    let left = ledger.count().await;
    assert!(left > 0 && left < 500 && left % 10 == 0, "{left}");
    let finished = format!(
        "SELECT CAST(500 - last_deleted AS {}) FROM ledger_retention WHERE last_finished_utc >= last_started_utc",
        ledger.bigint()
    );
    assert_eq!(ledger.number(&finished).await, left);
});

async fn lose_connection(ledger: &Ledger) {
    ledger.migrate_retention();
    ledger.add(500, 20).await;
    let child = ledger.begin_slow_trim().await;
    match ledger.kind {
        Kind::Postgres => {
            ledger
                .sql(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                     WHERE application_name LIKE 'seadrift trim%' AND datname = current_database()",
                )
                .await;
        }
        _ => {
            let id = ledger
                .number(
                    "SELECT CAST(IS_USED_LOCK(concat('seadrift trim ', sha1(concat(DATABASE(), ' `', DATABASE(), \
                     '`.`processedintegrationevents`')))) AS SIGNED)",
                )
                .await;
            ledger.sql(&format!("KILL {id}")).await;
        }
    }
    let run = wait(child);
    assert_eq!(run.code, 4, "{run:?}");
    // The reason is left through a session of its own.
    let failed = format!(
        "SELECT CAST(count(*) AS {}) FROM ledger_retention WHERE last_error IS NOT NULL AND last_deleted > 0",
        ledger.bigint()
    );
    assert_eq!(ledger.number(&failed).await, 1);
    assert!(ledger.count().await > 0);
    assert_eq!(ledger.trim(&[]).code, 0);
    assert_eq!((ledger.count().await, ledger.number(&failed).await), (0, 0));
}

#[test]
fn a_run_that_loses_its_connection_says_why_in_the_database_on_postgres() {
    with_ledger(Kind::Postgres, lose_connection);
}

#[test]
fn a_run_that_loses_its_connection_says_why_in_the_database_on_mariadb() {
    with_ledger(Kind::MariaDb, lose_connection);
}

#[test]
fn rows_that_a_consumer_has_locked_are_passed_over_on_postgres() {
    with_ledger(Kind::Postgres, async |ledger| {
        ledger.add(100, 20).await;
        let consumer = ledger.db.begin().await.unwrap();
        consumer
            .execute_unprepared(&format!(
                "SELECT 1 FROM {} ORDER BY {} LIMIT 3 FOR UPDATE",
                ledger.table(),
                ledger.column()
            ))
            .await
            .unwrap();
        let start = Instant::now();
        let child = ledger
            .command(&["trim", "--batch", "30", "--pause", "0ms", "--lock-timeout", "300ms"])
            .spawn()
            .unwrap();
        let run = tokio::task::spawn_blocking(|| wait(child)).await.unwrap();
        assert_eq!(run.code, 4, "{run:?}");
        assert!(
            run.out.contains("removed 97 rows") && run.out.contains("locked"),
            "{run:?}"
        );
        assert!(start.elapsed() < Duration::from_secs(20));
        consumer.rollback().await.unwrap();
        assert_eq!(ledger.trim(&[]).code, 0);
        assert_eq!(ledger.count().await, 0);
    });
}

async fn wait_for_lock(ledger: &Ledger, begin: &str) {
    ledger.add(100, 20).await;
    let other = sea_orm::Database::connect(&ledger.url).await.unwrap();
    let consumer = other.get_database_backend();
    assert_eq!(consumer, ledger.db.get_database_backend());
    let transaction = (ledger.kind == Kind::MariaDb).then_some(());
    let held = match transaction {
        Some(()) => {
            let held = other.begin().await.unwrap();
            held.execute_unprepared(begin).await.unwrap();
            Some(held)
        }
        None => {
            other.execute_unprepared(begin).await.unwrap();
            None
        }
    };
    let start = Instant::now();
    let run = ledger.trim(&["--lock-timeout", "1s"]);
    assert_eq!(run.code, 4, "{run:?}");
    assert!(run.err.contains("lock"), "{run:?}");
    assert!(start.elapsed() < Duration::from_secs(20));
    match held {
        Some(held) => held.rollback().await.unwrap(),
        None => drop(other.execute_unprepared("ROLLBACK").await.unwrap()),
    }
    assert_eq!(ledger.count().await, 100);
    assert_eq!(ledger.trim(&[]).code, 0);
    assert_eq!(ledger.count().await, 0);
}

#[test]
fn a_locked_row_is_waited_for_within_bounds_on_mariadb() {
    with_ledger(Kind::MariaDb, async |ledger| {
        let sql = format!(
            "SELECT 1 FROM {} ORDER BY {} LIMIT 1 FOR UPDATE",
            ledger.table(),
            ledger.column()
        );
        wait_for_lock(ledger, &sql).await;
    });
}

#[test]
fn a_locked_file_is_waited_for_within_bounds_on_sqlite() {
    with_ledger(Kind::Sqlite, async |ledger| {
        wait_for_lock(ledger, "BEGIN IMMEDIATE").await
    });
}

#[test]
fn rows_that_a_trigger_keeps_are_not_taken_for_removed_on_postgres() {
    with_ledger(Kind::Postgres, async |ledger| {
        // Of 60 old rows, the trigger keeps every tenth but those of the last batch.
        ledger.add(60, 20).await;
        ledger
            .sql(&format!(
                "CREATE TABLE kept AS SELECT \"Id\" FROM (SELECT \"Id\", row_number() OVER (ORDER BY {column}) AS n FROM {table}) t \
                 WHERE n % 10 = 0 AND n < 40; \
                 CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
                 IF EXISTS (SELECT FROM public.kept WHERE \"Id\" = OLD.\"Id\") THEN RETURN NULL; END IF; RETURN OLD; END $$; \
                 CREATE TRIGGER keep BEFORE DELETE ON {table} FOR EACH ROW EXECUTE FUNCTION keep()",
                column = ledger.column(),
                table = ledger.table(),
            ))
            .await;
        for index in [true, false] {
            let run = ledger.trim(&["--batch", "15"]);
            assert!(
                run.code == 4 && run.err.contains("they are still there"),
                "{index} {run:?}"
            );
            ledger.sql("DROP INDEX IF EXISTS ix_age").await;
        }
    });
}
