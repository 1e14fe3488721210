//! Which object a name stands for.

use super::*;

#[tokio::test]
async fn ascii_letters_have_no_case() {
    let file = TestFile::with(
        "CREATE TABLE processedintegrationevents (\"EventId\" TEXT);
         CREATE UNIQUE INDEX ux_processedevents_eventid ON ProcessedIntegrationEVENTS (eventid)",
    )
    .await;
    let sighting = file.sighting(LEDGER_NAME, &["UX_ProcessedEvents_EventId"]).await;
    assert_eq!(
        (&sighting.lookalikes[..], &sighting.index_elsewhere[..]),
        (&[][..], &[][..])
    );
    let Found::Object(table) = sighting.found else {
        panic!("{:?}", sighting.found)
    };
    assert_eq!(table.name, "processedintegrationevents");
    assert_eq!(plain_key(index(&table, "ux_processedevents_eventid")), ["EventId"]);
}

#[tokio::test]
async fn other_letters_have_case() {
    let file = TestFile::with("CREATE TABLE \"EREIGNISSE_Ü\" (a)").await;
    let sighting = file.sighting("ereignisse_ü", &[]).await;
    assert_eq!(sighting.found, Found::Nothing);
    let likeness: Vec<_> = sighting
        .lookalikes
        .iter()
        .map(|l| (l.name.as_str(), l.likeness))
        .collect();
    assert_eq!(likeness, [("EREIGNISSE_Ü", Likeness::OtherCase)]);
}

#[tokio::test]
async fn a_nearly_equal_name_is_a_lookalike() {
    let file = TestFile::with(
        "CREATE TABLE processed_integration_event (a);
         CREATE VIEW \"ProcessedIntegrationEvent\" AS SELECT 1;
         CREATE TABLE \"ProcessedIntegrationEventsArchive\" (a)",
    )
    .await;
    let sighting = file.sighting(LEDGER_NAME, &[]).await;
    let near: Vec<_> = sighting
        .lookalikes
        .iter()
        .map(|l| (l.name.as_str(), l.kind.as_str(), l.likeness))
        .collect();
    assert_eq!(
        near,
        [
            ("ProcessedIntegrationEvent", "view", Likeness::Near),
            ("processed_integration_event", "table", Likeness::Near),
        ]
    );
}

#[tokio::test]
async fn an_index_of_the_wanted_name_on_another_table_is_told() {
    let file = TestFile::with(
        "CREATE TABLE \"ProcessedIntegrationEvents\" (\"EventId\" TEXT);
         CREATE TABLE \"InboxMessages\" (\"EventId\" TEXT);
         CREATE UNIQUE INDEX \"UX_ProcessedEvents_EventId\" ON \"InboxMessages\" (\"EventId\")",
    )
    .await;
    let sighting = file
        .sighting(LEDGER_NAME, &["UX_ProcessedEvents_EventId", "IX_Other"])
        .await;
    assert_eq!(
        sighting.index_elsewhere,
        [("UX_ProcessedEvents_EventId".to_owned(), "InboxMessages".to_owned())]
    );
}

#[tokio::test]
async fn a_virtual_table_and_its_inside_are_no_tables() {
    let file = TestFile::with("CREATE VIRTUAL TABLE \"ProcessedIntegrationEvents\" USING fts5(\"EventId\")").await;
    let catalog = file
        .ask(&[(LEDGER_NAME, &[]), ("ProcessedIntegrationEvents_data", &[])])
        .await
        .unwrap();
    assert_eq!(catalog.namespace.visible_tables, 1);
    let kinds: Vec<_> = catalog
        .sightings
        .iter()
        .map(|s| match &s.found {
            Found::Object(table) => table.kind.clone(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(kinds[0], Kind::VirtualTable("fts5".to_owned()));
    assert!(matches!(kinds[1], Kind::Other(_)));
}

#[tokio::test]
async fn a_view_knows_what_it_reads_and_whether_it_takes_inserts() {
    let file = TestFile::with(
        "CREATE TABLE \"Old\" (a); CREATE VIEW plain AS SELECT a FROM \"Old\";
         CREATE VIEW writable AS SELECT a FROM \"Old\";
         CREATE TRIGGER w INSTEAD OF INSERT ON writable BEGIN INSERT INTO \"Old\" VALUES (NEW.a); END",
    )
    .await;
    for (name, updatable) in [("plain", false), ("writable", true)] {
        assert_eq!(
            file.table(name).await.kind,
            Kind::View {
                updatable: Some(updatable),
                over: vec!["Old".to_owned()],
            }
        );
    }
}

#[tokio::test]
async fn broken_neighbours_do_not_hide_the_ledger() {
    let file = TestFile::with(&format!(
        "{LEDGER} CREATE TABLE gone (a); CREATE VIEW broken AS SELECT a FROM gone; DROP TABLE gone;
         PRAGMA writable_schema = ON;
         INSERT INTO sqlite_schema VALUES ('table', 'alien', 'alien', 0, 'CREATE VIRTUAL TABLE alien USING nosuch(a)')"
    ))
    .await;
    let catalog = file
        .ask(&[(LEDGER_NAME, &[]), ("broken", &[]), ("alien", &[])])
        .await
        .unwrap();
    let kinds: Vec<_> = catalog
        .sightings
        .iter()
        .map(|s| match &s.found {
            Found::Object(table) => table.kind.clone(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(kinds[0], Kind::Table);
    assert!(matches!(kinds[1], Kind::View { .. }));
    assert_eq!(kinds[2], Kind::VirtualTable("nosuch".to_owned()));
}
