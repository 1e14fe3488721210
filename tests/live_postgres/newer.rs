//! Facts that not every supported version has, or has in the same place.

use seadrift::finding::Severity;
use seadrift::schema::{Equality, NotNullBy};
use seadrift::{compare, rules, spec};

use crate::lab::{ask, table, with_lab};

#[tokio::test]
async fn letter_case_is_told_from_the_locale_wherever_the_version_keeps_it() {
    with_lab("locales", async |lab| {
        lab.setup(
            "CREATE COLLATION loose (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
             CREATE COLLATION strict (provider = icu, locale = 'und', deterministic = true);
             CREATE TABLE t (a text COLLATE loose, b text COLLATE strict, c text)",
        )
        .await;
        let catalog = lab.fetch(&ask(&["t"])).await.unwrap();
        let columns = &table(&catalog.sightings[0]).columns;
        let equality = |at: usize| columns[at].collation.as_ref().map(|c| c.equality);
        assert_eq!(equality(0), Some(Equality::CaseInsensitive));
        assert_eq!(equality(1), Some(Equality::Bytes));
        assert_eq!(equality(2), Some(Equality::Bytes));
        lab
    })
    .await;
}

#[tokio::test]
async fn an_exclusion_constraint_refuses_rows_as_a_unique_index_does() {
    with_lab("exclusion", async |lab| {
        lab.setup(
            "CREATE TABLE t (a integer, p int4range, CONSTRAINT same EXCLUDE USING btree (a WITH =), \
             CONSTRAINT overlap EXCLUDE USING gist (p WITH &&) WHERE (a > 0))",
        )
        .await;
        let catalog = lab.fetch(&ask(&["t"])).await.unwrap();
        let [overlap, same] = &table(&catalog.sightings[0]).indexes[..] else {
            panic!("{catalog:?}")
        };
        assert!(same.unique && same.exclusion);
        assert_eq!(same.key[0].operator, None);
        assert!(overlap.unique && overlap.exclusion);
        assert_eq!(overlap.key[0].operator.as_deref(), Some("&&"));
        assert!(overlap.predicate.is_some());
        lab
    })
    .await;
}

#[tokio::test]
async fn an_exclusion_constraint_is_judged_by_what_it_refuses_and_lets_in() {
    let spec = "{ version: 1, service: s, tables: { t: { role: ledger, ledger: { event_id: e, recorded_at: r, \
                staleness_window: 168h, clock_skew: 5m, future_dating: 5m }, primary_key: unconfirmed, \
                columns: { e: { type: uuid }, r: { type: timestamptz } }, indexes: { ux: { columns: [e], unique: true } } } } }";
    let spec = spec::parse("s.yaml", spec).unwrap();
    let plain = "CONSTRAINT ux UNIQUE (e)";
    with_lab("exclusion_judged", async |lab| {
        lab.setup("CREATE EXTENSION btree_gist").await;
        for (constraints, rule) in [
            ("CONSTRAINT ux EXCLUDE (e WITH =)".to_owned(), "index-differs"),
            (
                "CONSTRAINT ux EXCLUDE USING gist (e WITH =, p WITH &&)".to_owned(),
                "unique-weaker",
            ),
            (
                format!("{plain}, CONSTRAINT x EXCLUDE USING gist (p WITH &&)"),
                "unique-stricter",
            ),
            (
                format!("{plain}, CONSTRAINT x EXCLUDE USING gist (e WITH =, p WITH &&)"),
                "",
            ),
        ] {
            let create = "DROP TABLE IF EXISTS t; CREATE TABLE t (e uuid NOT NULL, r timestamptz NOT NULL, \
                          p int4range DEFAULT '[1,9)'";
            lab.setup(&format!("{create}, {constraints})")).await;
            let mut ask = ask(&["t"]);
            ask.tables[0].indexes = vec!["ux".to_owned()];
            let catalog = lab.fetch(&ask).await.unwrap();
            let verdict = rules::check(&compare::pair(&spec, &catalog), "s");
            let found: Vec<&str> = verdict
                .findings
                .iter()
                .filter(|f| f.severity != Severity::Info)
                .map(|f| f.rule.as_str())
                .filter(|rule| rule.starts_with("unique-") || *rule == "index-differs")
                .collect();
            let expected: Vec<&str> = Some(rule).into_iter().filter(|rule| !rule.is_empty()).collect();
            assert_eq!(found, expected, "{constraints}");
        }
        lab
    })
    .await;
}

#[tokio::test]
async fn nulls_that_are_not_distinct_are_seen() {
    with_lab("nulls", async |lab| {
        lab.setup("CREATE TABLE t (a integer); CREATE UNIQUE INDEX plain ON t (a)")
            .await;
        let catalog = lab.fetch(&ask(&["t"])).await.unwrap();
        assert!(!table(&catalog.sightings[0]).indexes[0].nulls_not_distinct);
        if lab.is_at_least(15).await {
            lab.setup("CREATE UNIQUE INDEX one ON t (a) NULLS NOT DISTINCT").await;
            let catalog = lab.fetch(&ask(&["t"])).await.unwrap();
            assert!(table(&catalog.sightings[0]).indexes[0].nulls_not_distinct);
        }
        lab
    })
    .await;
}

#[tokio::test]
async fn a_not_null_with_a_name_is_no_check() {
    with_lab("named_not_null", async |lab| {
        lab.setup(
            "CREATE DOMAIN d AS integer CONSTRAINT filled NOT NULL;
             CREATE TABLE t (a integer CONSTRAINT nn NOT NULL, b integer, c d, PRIMARY KEY (a))",
        )
        .await;
        let catalog = lab.fetch(&ask(&["t"])).await.unwrap();
        let table = table(&catalog.sightings[0]);
        let nullable: Vec<bool> = table.columns.iter().map(|c| c.nullable).collect();
        assert_eq!(nullable, [false, true, false]);
        assert_eq!(table.columns[2].not_null_by, Some(NotNullBy::Domain("d".to_owned())));
        assert!(table.columns.iter().all(|c| c.not_null_unproved.is_none()));
        assert_eq!(table.checks, []);
        lab
    })
    .await;
}

#[tokio::test]
async fn a_not_null_that_is_not_valid_proves_nothing_on_heirs_either() {
    with_lab("not_null_not_valid", async |lab| {
        if !lab.is_at_least(18).await {
            return lab;
        }
        lab.setup(
            "CREATE TABLE t (a integer NOT NULL, b integer); CREATE TABLE heir () INHERITS (t);
             CREATE TABLE alone (a integer NOT NULL NO INHERIT, b integer);
             INSERT INTO t VALUES (1, NULL); INSERT INTO heir VALUES (1, NULL);
             ALTER TABLE t ADD CONSTRAINT nn NOT NULL b NOT VALID",
        )
        .await;
        let catalog = lab.fetch(&ask(&["t", "heir", "alone"])).await.unwrap();
        for sighting in &catalog.sightings {
            let table = table(sighting);
            assert!(!table.columns[0].nullable, "{}", table.name);
            assert!(table.columns[1].nullable, "{}", table.name);
            let unproved = (table.name != "alone").then_some("nn");
            assert_eq!(
                table.columns[1].not_null_unproved.as_deref(),
                unproved,
                "{}",
                table.name
            );
        }
        lab.setup("UPDATE t SET b = 1; ALTER TABLE t VALIDATE CONSTRAINT nn")
            .await;
        let catalog = lab.fetch(&ask(&["t", "heir"])).await.unwrap();
        for sighting in &catalog.sightings {
            let column = &table(sighting).columns[1];
            assert_eq!((column.nullable, &column.not_null_unproved), (false, &None));
        }
        lab
    })
    .await;
}

#[tokio::test]
async fn constraints_that_are_not_enforced_hold_nothing() {
    with_lab("not_enforced", async |lab| {
        if !lab.is_at_least(18).await {
            return lab;
        }
        lab.setup(
            "CREATE TABLE above (a integer PRIMARY KEY);
             CREATE TABLE t (a integer CONSTRAINT fk REFERENCES above NOT ENFORCED, \
             b integer CONSTRAINT filled CHECK (b IS NOT NULL) NOT ENFORCED, \
             c integer CONSTRAINT held CHECK (c IS NOT NULL))",
        )
        .await;
        let catalog = lab.fetch(&ask(&["t"])).await.unwrap();
        let found = table(&catalog.sightings[0]);
        let enforced: Vec<bool> = found.checks.iter().map(|c| c.enforced).collect();
        assert_eq!(enforced, [false, true]);
        assert!(!found.foreign_keys[0].enforced);
        let nullable: Vec<bool> = found.columns.iter().map(|c| c.nullable).collect();
        assert_eq!(nullable, [true, true, false]);
        lab.setup("ALTER TABLE t ALTER CONSTRAINT fk ENFORCED").await;
        let catalog = lab.fetch(&ask(&["t"])).await.unwrap();
        assert!(table(&catalog.sightings[0]).foreign_keys[0].enforced);
        lab
    })
    .await;
}

#[tokio::test]
async fn generated_columns_are_stored_or_virtual() {
    with_lab("generated", async |lab| {
        lab.setup("CREATE TABLE t (a integer, b integer GENERATED ALWAYS AS (a + 1) STORED)")
            .await;
        let newer = lab.is_at_least(18).await;
        if newer {
            lab.setup("ALTER TABLE t ADD COLUMN c integer GENERATED ALWAYS AS (a + 2) VIRTUAL")
                .await;
        }
        let catalog = lab.fetch(&ask(&["t"])).await.unwrap();
        let columns = &table(&catalog.sightings[0]).columns;
        let generated: Vec<(&str, bool)> = columns
            .iter()
            .filter_map(|c| c.generated.as_ref().map(|g| (&*g.sql, g.stored)))
            .collect();
        let expected = [("(a + 1)", true), ("(a + 2)", false)];
        assert_eq!(generated, expected[..if newer { 2 } else { 1 }]);
        assert!(columns.iter().all(|c| c.default.is_none()));
        lab
    })
    .await;
}

#[tokio::test]
async fn temporal_keys_are_not_taken_for_plain_ones() {
    with_lab("temporal", async |lab| {
        if !lab.is_at_least(18).await {
            return lab;
        }
        lab.setup(
            "CREATE EXTENSION btree_gist;
             CREATE TABLE above (id integer, valid daterange, PRIMARY KEY (id, valid WITHOUT OVERLAPS));
             CREATE TABLE t (id integer, valid daterange, UNIQUE (id, valid WITHOUT OVERLAPS), \
             CONSTRAINT fk FOREIGN KEY (id, PERIOD valid) REFERENCES above (id, PERIOD valid))",
        )
        .await;
        let catalog = lab.fetch(&ask(&["above", "t"])).await.unwrap();
        for sighting in &catalog.sightings {
            let index = &table(sighting).indexes[0];
            assert!(index.unique && index.exclusion);
            let operators: Vec<Option<&str>> = index.key.iter().map(|part| part.operator.as_deref()).collect();
            assert_eq!(operators, [None, Some("&&")]);
        }
        let key = table(&catalog.sightings[0]).primary_key.as_ref().unwrap();
        assert_eq!(key.columns, ["id", "valid"]);
        let reference = &table(&catalog.sightings[1]).foreign_keys[0];
        assert_eq!(reference.columns, ["id", "valid"]);
        assert_eq!(reference.referenced_columns, ["id", "valid"]);
        lab
    })
    .await;
}
