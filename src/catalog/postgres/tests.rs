//! Assembly, tested on rows recorded from a real server. `fixtures/ledger.sql` says what was recorded; each table
//! here states what that SQL means.

use super::assemble::assemble;
use super::rows::{CatalogRow, SessionRow};
use crate::catalog::{Catalog, Found, Likeness, Sighting};
use crate::schema::{
    Clock, Column, DataType, DefaultExpr, Durability, Equality, Identity, Index, IndexState, KeyExpr, Kind, Literal,
    NotNullBy, PartitionCover, Table, TimeForm, Timing,
};

const RECORDED: &str = include_str!("fixtures/ledger.json");

pub(super) fn session(now: &str) -> SessionRow {
    serde_json::from_value(serde_json::json!({
        "search_path": ["pg_catalog", "audit", "public"], "version": "PostgreSQL 15.18 (Debian)",
        "server_version": "15.18 (Debian 15.18-0+deb12u1)", "server_version_num": "150018", "database": "ledger",
        "role": "checker", "replica": false, "encoding": "UTF8", "fsync": "on", "now": now,
        "settings": { "transaction_read_only": "on" }
    }))
    .unwrap()
}

pub(super) fn rows() -> CatalogRow {
    serde_json::from_str(RECORDED).unwrap()
}

fn catalog() -> Catalog {
    assemble(&session("2026-01-15T12:00:00"), &rows(), "public")
}

fn sighting(wanted: &str) -> Sighting {
    catalog().sightings.into_iter().find(|s| s.wanted == wanted).unwrap()
}

fn table(wanted: &str) -> Table {
    match sighting(wanted).found {
        Found::Object(table) => *table,
        other => panic!("{other:?}"),
    }
}

fn column(name: &str) -> Column {
    table("Events").columns.into_iter().find(|c| c.name == name).unwrap()
}

fn index(table_name: &str, name: &str) -> Index {
    table(table_name).indexes.into_iter().find(|i| i.name == name).unwrap()
}

#[test]
fn the_server_says_who_it_is() {
    let server = catalog().server;
    assert_eq!(server.version, "15.18");
    assert_eq!(server.role.as_deref(), Some("checker"));
    assert_eq!(server.remarks, [""; 0]);
    let mut careless = session("2026-01-15T12:00:00");
    careless.fsync = "off".to_owned();
    careless.encoding = "LATIN1".to_owned();
    let server = assemble(&careless, &rows(), "public").server;
    assert!(server.remarks[0].contains("fsync"));
    assert!(server.remarks[1].contains("LATIN1"));
}

#[test]
fn dropped_columns_are_gone_and_the_others_are_sorted() {
    let names: Vec<String> = table("Events").columns.into_iter().map(|c| c.name).collect();
    assert_eq!(
        names,
        [
            "At", "Code", "Day", "EventId", "Id", "Key", "Late", "Name", "Number", "Outcome", "Seq", "Source", "Tag",
            "TenantId"
        ]
    );
}

#[test]
fn a_domain_gives_its_type_default_checks_and_not_null() {
    let source = column("Source");
    assert_eq!(source.ty.spelling, "source");
    assert_eq!(source.ty.data, DataType::Varchar(Some(40)));
    let names: Vec<&str> = source.ty.domains.iter().map(|d| d.name.as_str()).collect();
    assert_eq!(names, ["source", "short_text"]);
    let checks: Vec<(&str, bool)> = source.ty.domains[0]
        .checks
        .iter()
        .map(|c| (c.sql.as_str(), c.validated))
        .collect();
    assert_eq!(checks[1], ("((VALUE)::text <> ''::text)", true));
    assert!(!source.nullable);
    assert_eq!(source.not_null_by, Some(NotNullBy::Domain("source".to_owned())));
    assert_eq!(
        source.default,
        Some(DefaultExpr::Literal(Literal::Text("orders".to_owned())))
    );
}

#[test]
fn numbering_is_told_from_defaults() {
    let seq = column("Seq");
    assert_eq!((seq.identity, seq.default), (Some(Identity::Always), None));
    let number = column("Number");
    assert_eq!(number.identity, Some(Identity::Auto));
    assert!(matches!(number.default, Some(DefaultExpr::NextValue(_))));
    assert_eq!(column("Id").default, Some(DefaultExpr::FreshUuid));
    assert_eq!(
        column("At").default,
        Some(DefaultExpr::Now {
            clock: Clock::Statement,
            form: TimeForm::Native
        })
    );
    let day = column("Day");
    assert!(day.generated.unwrap().stored);
    assert_eq!((day.default, day.default_text), (None, None));
}

#[test]
fn an_enum_has_its_values_in_their_order() {
    let outcome = column("Outcome");
    assert_eq!(outcome.ty.spelling, "outcome");
    assert_eq!(outcome.allowed_values.unwrap(), ["Processed", "Duplicate", "Stale"]);
    assert_eq!(
        outcome.default,
        Some(DefaultExpr::Literal(Literal::Text("Processed".to_owned())))
    );
}

#[test]
fn a_check_keeps_null_out_once_it_is_validated() {
    let tag = column("Tag");
    assert!(!tag.nullable);
    assert_eq!(tag.not_null_by, Some(NotNullBy::Check("CK_Tag".to_owned())));
    let late = column("Late");
    assert!(late.nullable);
    assert_eq!(late.not_null_unproved.as_deref(), Some("CK_Late"));
}

#[test]
fn a_not_null_that_is_not_valid_proves_nothing() {
    // PostgreSQL 18 lists NOT NULL among the constraints, and lets it be NOT VALID.
    let mut recorded: serde_json::Value = serde_json::from_str(RECORDED).unwrap();
    let constraints = recorded["tables"][0]["object"]["constraints"].as_array_mut().unwrap();
    constraints.push(serde_json::json!({
        "name": "Events_EventId_not_null", "type": "n", "validated": false, "enforced": true, "columns": ["EventId"],
        "sql": null, "referenced_table": null, "referenced_columns": null, "on_delete": null
    }));
    let rows: CatalogRow = serde_json::from_value(recorded).unwrap();
    let catalog = assemble(&session("2026-01-15T12:00:00"), &rows, "public");
    let Found::Object(table) = &catalog.sightings[0].found else {
        panic!("no table")
    };
    let event_id = table.columns.iter().find(|c| c.name == "EventId").unwrap();
    assert!(event_id.nullable);
    assert_eq!(event_id.not_null_unproved.as_deref(), Some("Events_EventId_not_null"));
    assert_eq!(table.checks.len(), 2, "NOT NULL is no check");
}

#[test]
fn collations_say_which_texts_are_equal() {
    for (name, explicit, equality, pads) in [
        ("Tag", false, Equality::Bytes, false),
        ("Code", false, Equality::Bytes, true),
        ("Key", false, Equality::CaseInsensitive, false),
        ("Name", true, Equality::CaseInsensitive, false),
    ] {
        let collation = column(name).collation.unwrap();
        assert_eq!(
            (collation.explicit, collation.equality, collation.pads),
            (explicit, equality, pads),
            "{name}"
        );
    }
    assert_eq!(column("EventId").collation, None);
}

#[test]
fn key_columns_are_told_from_carried_ones() {
    let event = index("Events", "UX_Event");
    assert!(event.unique && !event.deferrable);
    assert_eq!(event.key.len(), 1);
    assert_eq!(event.key[0].as_column(), Some("EventId"));
    assert!(event.key[0].descending);
    assert_eq!(event.include, ["Outcome"]);
    assert_eq!(
        event.predicate.as_deref(),
        Some(r#"("Outcome" <> 'Stale'::public.outcome)"#)
    );
    let key = table("Events").primary_key.unwrap();
    assert_eq!(key.name.as_deref(), Some("Events_pkey"));
    assert_eq!(key.columns, ["Id"]);
}

#[test]
fn expressions_know_the_columns_they_read() {
    let mixed = index("Events", "UX_Mixed");
    assert!(mixed.nulls_not_distinct);
    let parts: Vec<(String, Vec<String>)> = mixed
        .key
        .iter()
        .map(|part| match &part.expr {
            KeyExpr::Column(name) => (name.clone(), Vec::new()),
            KeyExpr::Expression { sql, columns } => (sql.clone(), columns.clone()),
        })
        .collect();
    assert_eq!(
        parts,
        [
            (r#"lower(("EventId")::text)"#.to_owned(), vec!["EventId".to_owned()]),
            ("TenantId".to_owned(), vec![]),
            (r#"COALESCE("Number", 0)"#.to_owned(), vec!["Number".to_owned()]),
        ]
    );
}

#[test]
fn the_access_method_decides_what_an_index_serves() {
    for (name, method, serves) in [
        ("IX_At", "brin", false),
        ("IX_Key", "hash", true),
        ("IX_Tag", "btree", true),
    ] {
        let index = index("Events", name);
        assert_eq!((index.method.as_str(), index.serves_equality), (method, serves));
    }
    let tag = index("Events", "IX_Tag");
    assert_eq!(tag.key[0].operator_class.as_deref(), Some("varchar_pattern_ops"));
    assert!(!tag.key[0].collation.as_ref().unwrap().explicit);
    let name = tag.key[1].collation.as_ref().unwrap();
    assert_eq!(
        (name.name.as_str(), name.explicit, name.equality),
        ("C", true, Equality::Bytes)
    );
    let key = index("Events", "IX_Key");
    assert_eq!(
        key.key[0].collation.as_ref().unwrap().equality,
        Equality::CaseInsensitive
    );
}

#[test]
fn a_deferrable_constraint_is_not_immediate() {
    let seq = index("Events", "UQ_Seq");
    assert!(seq.deferrable);
    assert_eq!(seq.constraint.as_deref(), Some("UQ_Seq"));
    assert_eq!(index("Events", "UX_Event").constraint, None);
}

#[test]
fn an_index_is_in_force_only_if_every_partition_has_it() {
    match index("Windows", "UX_Windows").state {
        IndexState::Invalid { reason } => {
            assert!(
                reason.contains("W_2026_02") && !reason.contains("W_2026_01"),
                "{reason}"
            );
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(index("Events", "UX_Event").state, IndexState::Valid);
}

#[test]
fn flags_of_an_index_say_why_it_is_not_in_force() {
    for (flag, builds_hidden, word) in [
        ("valid", false, "failed"),
        ("valid", true, "right now"),
        ("live", false, "dropped"),
    ] {
        let mut recorded: serde_json::Value = serde_json::from_str(RECORDED).unwrap();
        recorded["builds_hidden"] = builds_hidden.into();
        recorded["tables"][0]["object"]["indexes"][0][flag] = false.into();
        let rows: CatalogRow = serde_json::from_value(recorded).unwrap();
        let catalog = assemble(&session("2026-01-15T12:00:00"), &rows, "public");
        let Found::Object(table) = &catalog.sightings[0].found else {
            panic!("no table")
        };
        match &table.indexes[0].state {
            IndexState::Invalid { reason } => assert!(reason.contains(word), "{reason}"),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn partitions_are_in_order_and_judged_by_the_clock_of_the_server() {
    let partitioning = table("Windows").partitioning.unwrap();
    assert_eq!(
        (partitioning.strategy.as_str(), &*partitioning.key),
        ("range", &["At".to_owned()][..])
    );
    let names: Vec<&str> = partitioning.partitions.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names, ["W_2026_01", "W_2026_02"]);
    assert!(matches!(partitioning.cover, PartitionCover::OtherTimes(_)));
    let later = assemble(&session("2026-04-01T00:00:00"), &rows(), "public");
    let windows = later.sightings.iter().find(|s| s.wanted == "Windows").unwrap();
    let Found::Object(windows) = &windows.found else {
        panic!("no table")
    };
    assert!(matches!(
        windows.partitioning.as_ref().unwrap().cover,
        PartitionCover::RefusesNow(_)
    ));
}

#[test]
fn children_come_with_the_keys_that_they_have_themselves() {
    let children = table("Events").children;
    assert_eq!(children.len(), 1);
    assert_eq!(children[0].name, "public.Events_eu");
    assert_eq!(children[0].unique_keys, [vec!["EventId", "TenantId"], vec!["Id"]]);
    assert_eq!(table("Windows").children, [], "partitions are no children");
}

#[test]
fn everything_on_the_way_of_a_row_is_seen() {
    let table = table("Events");
    let checks: Vec<(&str, bool)> = table.checks.iter().map(|c| (c.name.as_str(), c.validated)).collect();
    assert_eq!(checks, [("CK_Late", false), ("CK_Tag", true)]);
    let key = &table.foreign_keys[0];
    assert_eq!(
        (key.name.as_str(), key.referenced_table.as_str(), key.on_delete.as_str()),
        ("FK_Tenant", "Tenants", "CASCADE")
    );
    let off = &table.triggers[0];
    assert_eq!((off.name.as_str(), off.enabled, off.per_row), ("TR_off", false, false));
    let swallow = &table.triggers[1];
    assert_eq!((swallow.timing, swallow.enabled), (Timing::Before, true));
    assert_eq!(
        swallow.condition.as_deref(),
        Some(r#"(new."Outcome" = 'Stale'::public.outcome)"#)
    );
    assert_eq!(swallow.function.as_deref(), Some("swallow"));
    assert!(swallow.body.as_ref().unwrap().contains("RETURN NULL"));
    assert_eq!(
        (table.rules[0].event.as_str(), table.rules[0].instead),
        ("INSERT", true)
    );
    assert!(table.row_security.enabled && table.row_security.forced);
    assert_eq!(
        table.row_security.policies,
        ["P_tenant (restrictive, for SELECT, to public)"]
    );
}

#[test]
fn objects_that_are_no_tables_say_what_they_are() {
    assert_eq!(table("Log").durability, Durability::Unlogged);
    assert_eq!(
        table("Seen").kind,
        Kind::View {
            updatable: Some(false),
            over: vec!["Events".to_owned(), "audit.Events".to_owned()]
        }
    );
    assert_eq!(sighting("Missing").found, Found::Nothing);
    let kind = sighting("Kind");
    assert_eq!(kind.found, Found::Nothing);
    assert_eq!(kind.lookalikes[0].likeness, Likeness::SameNameOtherKind);
    assert_eq!(kind.lookalikes[0].kind, "composite type");
}

#[test]
fn namesakes_are_told_apart() {
    let events = sighting("Events");
    let seen: Vec<(Option<&str>, &str, Likeness)> = events
        .lookalikes
        .iter()
        .map(|l| (l.namespace.as_deref(), l.name.as_str(), l.likeness))
        .collect();
    assert_eq!(
        seen,
        [
            (Some("audit"), "Events", Likeness::OtherNamespace),
            (Some("public"), "events", Likeness::OtherCase),
        ],
        "a copy beside the right table is no lookalike"
    );
    assert_eq!(
        events.index_elsewhere,
        [("UX_Elsewhere".to_owned(), "Other".to_owned())]
    );
    // The recorded question was asked with a search path in which audit comes first.
    assert_eq!(events.shadowed_by.as_deref(), Some("audit.Events"));
    assert_eq!(catalog().namespace.alternatives, ["audit"]);
}

#[test]
fn the_order_of_rows_means_nothing() {
    fn reverse(value: &mut serde_json::Value) {
        let Some(object) = value.as_object_mut() else { return };
        for (key, rows) in object {
            // The parts of a key, the values of an enum and the layers of a domain have an order of their own.
            if let (Some(list), false) = (rows.as_array_mut(), matches!(&**key, "parts" | "labels" | "domains")) {
                if list.iter().all(|row| row.is_object()) {
                    list.reverse();
                }
                list.iter_mut().for_each(reverse);
            }
        }
    }
    let mut recorded: serde_json::Value = serde_json::from_str(RECORDED).unwrap();
    for wanted in recorded["tables"].as_array_mut().unwrap() {
        reverse(&mut wanted["object"]);
        reverse(wanted);
    }
    let shuffled: CatalogRow = serde_json::from_value(recorded).unwrap();
    assert_eq!(
        assemble(&session("2026-01-15T12:00:00"), &shuffled, "public"),
        catalog()
    );
}

#[test]
fn every_query_is_ascii_since_a_database_may_lack_other_characters() {
    fn queries(folder: &std::path::Path, found: &mut Vec<std::path::PathBuf>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                queries(&path, found);
            } else if path.extension().is_some_and(|e| e == "sql") && path.parent().unwrap().ends_with("queries") {
                found.push(path);
            }
        }
    }
    let mut found = Vec::new();
    queries(
        &std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src"),
        &mut found,
    );
    assert!(found.len() > 20, "{found:?}");
    for query in found {
        assert!(
            std::fs::read_to_string(&query).unwrap().is_ascii(),
            "{}",
            query.display()
        );
    }
}
