//! How much work a large file is.

use super::*;

#[tokio::test]
async fn five_hundred_tables_among_ten_thousand_take_as_many_statements_as_one() {
    let mut sql = String::from("BEGIN; CREATE TABLE noise (a TEXT, b TEXT);");
    for n in 0..500 {
        sql.push_str(&LEDGER.replace("Events", &format!("Events_{n}")));
    }
    // Ten thousand CREATE TABLE would take longer than the rest of all tests.
    sql.push_str(
        "PRAGMA writable_schema = ON;
         WITH RECURSIVE noise(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM noise WHERE n < 10000)
         INSERT INTO sqlite_schema
         SELECT 'table', 'noise_' || n, 'noise_' || n, s.rootpage, 'CREATE TABLE noise_' || n || ' (a TEXT, b TEXT)'
         FROM noise, sqlite_schema AS s WHERE s.name = 'noise';
         COMMIT;",
    );
    let file = TestFile::with(&sql).await;
    let names: Vec<String> = (0..500).map(|n| format!("ProcessedIntegrationEvents_{n}")).collect();
    let wanted: Vec<(&str, &[&str])> = names
        .iter()
        .map(|n| (n.as_str(), &["UX_ProcessedEvents_1_EventId"][..]))
        .collect();
    let start = Instant::now();
    let many = file.ask(&wanted).await.unwrap();
    assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
    assert_eq!(many.namespace.visible_tables, 10_501);
    for sighting in &many.sightings {
        let Found::Object(table) = &sighting.found else {
            panic!("{}", sighting.wanted)
        };
        assert_eq!((table.columns.len(), table.indexes.len()), (6, 2));
        assert!(table.sees(Aspect::Checks));
    }
    let one = file.ask(&wanted[..1]).await.unwrap();
    assert_eq!(one.queries, many.queries);
}
