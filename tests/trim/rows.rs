//! Which rows go, and which stay.

use chrono::{DateTime, TimeDelta, Utc};
use seadrift::catalog;
use seadrift::config::{DatabaseUrl, Target};
use seadrift::trim::{self, Ended, Mode, Pace, Policy, Stop};
use seadrift::{compare, rules};

use crate::harness::{Kind, Ledger, on_each, with_ledger};

on_each!(old_rows_go_and_young_rows_stay, async |ledger: &Ledger| {
    ledger.add(300, 20).await;
    ledger.add(50, 13).await;
    let run = ledger.trim(&["--batch", "70"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.out.contains("removed 300 rows"), "{run:?}");
    assert_eq!(ledger.count().await, 50);
    let again = ledger.trim(&[]);
    assert!(again.code == 0 && again.out.contains("removed 0 rows"), "{again:?}");
});

on_each!(rows_go_without_an_index_too, async |ledger: &Ledger| {
    let on = if ledger.kind == Kind::MariaDb {
        format!(" ON {}", ledger.table())
    } else {
        String::new()
    };
    ledger.sql(&format!("DROP INDEX ix_age{on}")).await;
    ledger.add(100, 13).await;
    ledger.add(300, 20).await;
    ledger.add(100, 13).await;
    let run = ledger.trim(&["--batch", "70"]);
    assert!(run.code == 0 && run.out.contains("removed 300 rows"), "{run:?}");
    assert_eq!(ledger.count().await, 200);
});

on_each!(many_rows_of_one_moment_go_in_batches, async |ledger: &Ledger| {
    ledger.add(120, 20).await;
    ledger
        .sql(&format!(
            "UPDATE {} SET {} = '2020-01-01 00:00:00'",
            ledger.table(),
            ledger.column()
        ))
        .await;
    let run = ledger.trim(&["--batch", "7"]);
    assert!(run.code == 0 && run.out.contains("removed 120 rows"), "{run:?}");
});

on_each!(rows_that_come_in_swarms_go_to_the_last, async |ledger: &Ledger| {
    // Swarms of one row, of fewer rows than a batch has, of as many, and of more.
    let swarms = [1, 6, 7, 8, 1, 1, 20, 7, 3];
    for (day, rows) in swarms.into_iter().enumerate() {
        let moment = written(ledger, Utc::now() - TimeDelta::days(40) + TimeDelta::days(day as i64));
        for _ in 0..rows {
            ledger.add_at(&moment).await;
        }
    }
    ledger.add(5, 13).await;
    let run = ledger.trim(&["--batch", "7"]);
    let removed = format!("removed {} rows", swarms.iter().sum::<u32>());
    assert!(run.code == 0 && run.out.contains(&removed), "{run:?}");
    assert_eq!(ledger.count().await, 5);
});

/// Writes a time as each database's own writers do.
fn written(ledger: &Ledger, time: DateTime<Utc>) -> String {
    match ledger.kind {
        Kind::Postgres => format!("timestamptz '{}'", time.format("%F %T%.6f+00")),
        Kind::MariaDb => format!("'{}'", time.format("%F %T%.6f")),
        Kind::Sqlite => format!("'{}'", time.format("%FT%T%.6f+00:00")),
    }
}

async fn open(ledger: &Ledger, mode: Mode) -> trim::Run {
    let spec = ledger.spec();
    let url = DatabaseUrl::parse(&ledger.url).unwrap();
    let target = Target::new("notification", url.clone());
    let catalog = catalog::fetch(&url, &target.ask(&spec)).await.unwrap();
    let comparison = compare::pair(&spec, &catalog);
    let verdict = rules::check(&comparison, "t");
    let policy = Policy::of(&spec.tables[0], None).unwrap();
    let plan = trim::plan(policy, &comparison, &verdict).unwrap();
    trim::open(&url, plan, target.limits, mode, false, &mut |_| ())
        .await
        .unwrap()
}

const PACE: Pace = Pace {
    batch: 10,
    pause: std::time::Duration::ZERO,
    max_rows: None,
    max_time: None,
};

on_each!(the_cut_off_is_exact_to_the_microsecond, async |ledger: &Ledger| {
    let run = open(ledger, Mode::Remove).await;
    let cutoff = run.cutoff();
    let age = Utc::now() - cutoff;
    assert!((age - TimeDelta::days(14)).abs() < TimeDelta::seconds(5), "{age}");
    let micro = TimeDelta::microseconds(1);
    for time in [cutoff - micro, cutoff, cutoff + micro] {
        ledger.add_at(&written(ledger, time)).await;
    }
    let outcome = run.trim(&PACE, &Stop::default(), &mut |_| ()).await.unwrap();
    assert_eq!((outcome.deleted, outcome.ended), (1, Ended::Done));
    let at_least = format!(
        "SELECT CAST(count(*) AS {}) FROM {} WHERE {} >= {}",
        ledger.bigint(),
        ledger.table(),
        ledger.column(),
        written(ledger, cutoff)
    );
    assert_eq!((ledger.number(&at_least).await, ledger.count().await), (2, 2));
});

on_each!(rows_without_a_known_time_stay, async |ledger: &Ledger| {
    let unknown: &[&str] = match ledger.kind {
        Kind::Postgres => &["'-infinity'", "'0001-01-01 00:00:00+00'", "'infinity'"],
        Kind::MariaDb => &["'0001-01-01 00:00:00'"],
        Kind::Sqlite => &["'0001-01-01 00:00:00'", "'yesterday'", "1", "'2020-01-01 00:00 CET'"],
    };
    for time in unknown {
        ledger.add_at(time).await;
    }
    ledger.add(5, 20).await;
    let run = ledger.trim(&[]);
    assert!(run.code == 0 && run.out.contains("removed 5 rows"), "{run:?}");
    assert_eq!(ledger.count().await, unknown.len() as i64);
});

#[test]
fn texts_of_several_writers_are_compared_by_their_time() {
    with_ledger(Kind::Sqlite, async |ledger| {
        let run = open(ledger, Mode::Remove).await;
        let cutoff = run.cutoff();
        let form = |time: DateTime<Utc>, form: &str| format!("'{}'", time.format(form));
        let second = TimeDelta::seconds(1);
        for (time, format) in [
            (cutoff - second, "%F %T%.6f"),
            (cutoff - second, "%FT%T%.6fZ"),
            (cutoff - second + TimeDelta::hours(14), "%FT%T%.6f+14:00"),
            (cutoff - second - TimeDelta::hours(12), "%F %T%.6f-12:00"),
        ] {
            ledger.add_at(&form(time, format)).await;
        }
        for (time, format) in [
            (cutoff + second, "%F %T%.6f"),
            (cutoff + second, "%FT%T%.6fZ"),
            (cutoff + second - TimeDelta::hours(12), "%FT%T%.6f-12:00"),
        ] {
            ledger.add_at(&form(time, format)).await;
        }
        let outcome = run.trim(&PACE, &Stop::default(), &mut |_| ()).await.unwrap();
        assert_eq!(outcome.deleted, 4);
        assert_eq!(ledger.count().await, 3);
    });
}

on_each!(a_dry_run_counts_and_changes_nothing, async |ledger: &Ledger| {
    ledger.migrate_retention();
    ledger.add(30, 20).await;
    ledger.add(10, 13).await;
    let run = ledger.trim(&["--dry-run"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.out.contains("would remove 30 rows"), "{run:?}");
    assert_eq!(ledger.count().await, 40);
    let evidence = format!("SELECT CAST(count(*) AS {}) FROM ledger_retention", ledger.bigint());
    assert_eq!(ledger.number(&evidence).await, 0);
});

on_each!(limits_end_a_run_early_and_say_so, async |ledger: &Ledger| {
    ledger.add(30, 20).await;
    let run = ledger.trim(&["--max-rows", "20", "--batch", "8"]);
    assert_eq!(run.code, 4, "{run:?}");
    assert!(
        run.out.contains("removed 20 rows") && run.out.contains("--max-rows"),
        "{run:?}"
    );
    assert_eq!(ledger.count().await, 10);
    // Reaching the limit with the very last row is no reason to come back.
    assert_eq!(ledger.trim(&["--max-rows", "10"]).code, 0);
    ledger.add(30, 20).await;
    let run = ledger.run(&["trim", "--batch", "10", "--pause", "300ms", "--max-time", "100ms"]);
    assert_eq!(run.code, 4, "{run:?}");
    assert!(run.out.contains("--max-time"), "{run:?}");
});

on_each!(a_longer_horizon_keeps_more, async |ledger: &Ledger| {
    ledger.add(10, 20).await;
    ledger.add(10, 40).await;
    let run = ledger.trim(&["--horizon", "30d"]);
    assert!(run.code == 0 && run.out.contains("removed 10 rows"), "{run:?}");
});
