//! Runs that are refused before any row goes.

use crate::harness::{Kind, Ledger, on_each, with_ledger};

async fn assert_refused(ledger: &Ledger, arguments: &[&str], code: i32, word: &str) {
    let before = ledger.count().await;
    let run = ledger.trim(arguments);
    assert_eq!(run.code, code, "{run:?}");
    assert!(run.err.contains(word), "{word} is not in {run:?}");
    assert_eq!(run.out, "");
    assert_eq!(ledger.count().await, before);
}

on_each!(without_its_guard_no_row_goes, async |ledger: &Ledger| {
    ledger.add(10, 20).await;
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
    assert_refused(ledger, &[], 1, "unique-missing").await;
    assert_refused(ledger, &["--dry-run"], 1, "unique-missing").await;
});

on_each!(numbers_that_are_not_safe_are_refused, async |ledger: &Ledger| {
    ledger.add(10, 20).await;
    assert_refused(ledger, &["--horizon", "13d"], 2, "shorter").await;
    assert_refused(ledger, &["--table", "Nothing"], 2, "Nothing").await;
    ledger.edit_spec("horizon: 14d", "horizon: 168h");
    assert_refused(ledger, &[], 1, "168h").await;
    ledger.edit_spec("staleness_window: 168h", "staleness_window: 0");
    assert_refused(ledger, &[], 1, "guard").await;
    assert_refused(ledger, &["--horizon", "3650d"], 1, "guard").await;
});

#[test]
fn a_big_table_without_an_index_needs_leave_to_be_read() {
    with_ledger(Kind::Sqlite, async |ledger| {
        ledger.sql("DROP INDEX ix_age").await;
        ledger.add(100_001, 1).await;
        ledger.add_at("'2020-01-01T00:00:00+00:00'").await;
        assert_refused(ledger, &[], 1, "--allow-scan").await;
        let run = ledger.trim(&["--allow-scan"]);
        assert!(run.code == 0 && run.out.contains("removed 1 row,"), "{run:?}");
    });
}

#[test]
fn a_database_that_cannot_be_checked_is_left_alone() {
    with_ledger(Kind::Sqlite, async |ledger| {
        let output = ledger
            .command(&["trim"])
            .env("DATABASE_URL", "postgres://app:S3cr3t-canary@127.0.0.1:1/ledger")
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(4));
        assert!(!String::from_utf8(output.stderr).unwrap().contains("S3cr3t"));
    });
}

#[test]
fn a_time_of_another_kind_is_refused() {
    with_ledger(Kind::Postgres, async |ledger| {
        ledger
            .sql(r#"ALTER TABLE "ProcessedIntegrationEvents" ALTER "ProcessedOnUtc" TYPE timestamp USING "ProcessedOnUtc" AT TIME ZONE 'UTC'"#)
            .await;
        ledger.add(10, 20).await;
        let run = ledger.trim(&[]);
        assert_eq!((run.code, ledger.count().await), (1, 10), "{run:?}");
    });
}

/// What reads and judges must not know what writes.
#[test]
fn the_checker_cannot_reach_what_trims() {
    let mut rooms: Vec<std::path::PathBuf> = [
        "catalog",
        "compare",
        "rules",
        "dialect",
        "schema",
        "report",
        "retention",
    ]
    .iter()
    .map(|room| std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(room))
    .collect();
    let mut read = 0;
    while let Some(path) = rooms.pop() {
        if path.is_dir() {
            rooms.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            assert!(
                !text.contains("crate::trim") && !text.contains("crate::migrate"),
                "{}",
                path.display()
            );
            read += 1;
        }
    }
    assert!(read > 50, "{read}");
}
