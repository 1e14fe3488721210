//! Which files can be read, and that none is touched.

use super::*;

async fn failure(path: &Path) -> Error {
    fetch_path(path, "", &[(LEDGER_NAME, &[])]).await.unwrap_err()
}

#[tokio::test]
async fn a_missing_file_is_not_made() {
    let file = TestFile::new();
    let error = failure(&file.path()).await;
    assert_eq!(error.kind, ErrorKind::NotADatabase);
    assert!(error.reason.contains("ledger.db"), "{}", error.reason);
    assert_eq!(file.entries(), [""; 0]);
}

#[tokio::test]
async fn what_is_no_database_is_named_as_such() {
    let file = TestFile::new();
    assert_eq!(failure(file.folder.path()).await.kind, ErrorKind::NotADatabase);
    for content in [
        "not a database\n".to_owned(),
        "x".repeat(4096),
        "SQLite format 3\0".to_owned(),
    ] {
        std::fs::write(file.path(), &content).unwrap();
        assert_eq!(
            failure(&file.path()).await.kind,
            ErrorKind::NotADatabase,
            "{content:.20}"
        );
        assert_eq!(std::fs::read_to_string(file.path()).unwrap(), content);
    }
}

#[tokio::test]
async fn a_damaged_file_is_no_database() {
    let file = TestFile::with(LEDGER).await;
    let mut bytes = std::fs::read(file.path()).unwrap();
    bytes[100..200].fill(0xff);
    std::fs::write(file.path(), bytes).unwrap();
    assert_eq!(failure(&file.path()).await.kind, ErrorKind::NotADatabase);
}

#[tokio::test]
async fn an_empty_file_is_an_empty_database() {
    let file = TestFile::new();
    std::fs::write(file.path(), "").unwrap();
    let catalog = file.ask(&[(LEDGER_NAME, &[])]).await.unwrap();
    assert_eq!((catalog.namespace.exists, catalog.namespace.visible_tables), (true, 0));
    assert_eq!(catalog.sightings[0].found, Found::Nothing);
    assert_eq!(std::fs::metadata(file.path()).unwrap().len(), 0);
}

#[tokio::test]
async fn another_namespace_than_main_is_refused() {
    let file = TestFile::with(LEDGER).await;
    let url = DatabaseUrl::parse(&format!("sqlite://{}", file.path().display())).unwrap();
    let ask = |namespace: &str| Ask {
        namespace: Some(namespace.to_owned()),
        ..question(&[(LEDGER_NAME, &[])])
    };
    assert_eq!(
        fetch(&url, &ask("public"), &Further::default()).await.unwrap_err().kind,
        ErrorKind::Refused
    );
    assert!(fetch(&url, &ask("main"), &Further::default()).await.is_ok());
}

#[tokio::test]
async fn a_locked_file_is_given_up_in_time() {
    let file = TestFile::with(LEDGER).await;
    let _writer = file.run("BEGIN EXCLUSIVE").await;
    let start = Instant::now();
    let error = failure(&file.path()).await;
    assert_eq!(error.kind, ErrorKind::TimedOut);
    assert!(start.elapsed() < Duration::from_secs(5));
}

#[tokio::test]
async fn a_reader_or_a_planned_write_does_not_lock() {
    let file = TestFile::with(LEDGER).await;
    let _writer = file
        .run("BEGIN IMMEDIATE; INSERT INTO \"ProcessedIntegrationEvents\" VALUES (1,1,1,1,1,1)")
        .await;
    assert_eq!(file.table(LEDGER_NAME).await.columns.len(), 6);
}

#[tokio::test]
async fn the_newest_schema_may_be_in_the_log() {
    let file = TestFile::new();
    let _service = file
        .run(&format!(
            "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; {LEDGER}"
        ))
        .await;
    assert_eq!(file.entries(), ["ledger.db", "ledger.db-shm", "ledger.db-wal"]);
    assert_eq!(file.table(LEDGER_NAME).await.columns.len(), 6);
    let asked = fetch_path(&file.path(), "?immutable=1", &[(LEDGER_NAME, &[])]).await;
    assert_eq!(asked.unwrap_err().kind, ErrorKind::Refused);
}

#[tokio::test]
async fn a_database_at_rest_gets_no_companions() {
    let file = TestFile::with(&format!("PRAGMA journal_mode = WAL; {LEDGER}")).await;
    assert_eq!(file.entries(), ["ledger.db"]);
    let catalog = file.ask(&[(LEDGER_NAME, &[])]).await.unwrap();
    assert_eq!(catalog.server.settings["immutable"], "1");
    assert!(matches!(catalog.sightings[0].found, Found::Object(_)));
    assert_eq!(file.entries(), ["ledger.db"]);
}

#[tokio::test]
async fn a_log_that_lost_its_index_is_still_read() {
    let file = TestFile::new();
    let service = file
        .run(&format!(
            "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; {LEDGER}"
        ))
        .await;
    // A copy of a running database, as after a crash: the log without its index.
    let copy = TestFile::new();
    for name in ["ledger.db", "ledger.db-wal"] {
        std::fs::copy(file.folder.path().join(name), copy.folder.path().join(name)).unwrap();
    }
    drop(service);
    assert_eq!(copy.table(LEDGER_NAME).await.columns.len(), 6);
}

#[tokio::test]
async fn reading_changes_nothing() {
    let file = TestFile::with(LEDGER).await;
    let before = std::fs::read(file.path()).unwrap();
    file.table(LEDGER_NAME).await;
    assert_eq!(std::fs::read(file.path()).unwrap(), before);
    assert_eq!(file.entries(), ["ledger.db"]);
}

#[tokio::test]
async fn a_statement_that_is_cut_short_is_a_time_out() {
    let file = TestFile::with(LEDGER).await;
    let url = DatabaseUrl::parse(&format!("sqlite://{}", file.path().display())).unwrap();
    let tables: Vec<String> = (0..20_000).map(|n| format!("t{n}")).collect();
    let tables: Vec<(&str, &[&str])> = tables.iter().map(|t| (t.as_str(), &[][..])).collect();
    let mut ask = question(&tables);
    ask.limits.statement = Duration::ZERO;
    ask.limits.lock = Duration::ZERO;
    assert_eq!(
        fetch(&url, &ask, &Further::default()).await.unwrap_err().kind,
        ErrorKind::TimedOut
    );
}
