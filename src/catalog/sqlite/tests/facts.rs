//! What a table says of itself.

use super::*;

#[tokio::test]
async fn a_ledger_as_migrations_make_it_is_read_in_full() {
    let file = TestFile::with(LEDGER).await;
    let catalog = file
        .ask(&[(LEDGER_NAME, &["UX_ProcessedEvents_EventId"])])
        .await
        .unwrap();
    assert_eq!(catalog.server.database, "ledger.db");
    assert_eq!(catalog.server.settings["query_only"], "1");
    assert!(catalog.server.version.starts_with("3."), "{}", catalog.server.version);
    assert_eq!((catalog.namespace.name, catalog.namespace.visible_tables), (None, 1));
    assert_eq!(catalog.unseen, []);

    let table = file.table(LEDGER_NAME).await;
    assert_eq!((&table.kind, &table.engine), (&Kind::Table, &None));
    assert!(table.unseen.is_empty());
    let names: Vec<&str> = table.columns.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(
        names,
        ["EventId", "EventType", "Id", "Outcome", "ProcessedOnUtc", "TenantId"]
    );
    assert_eq!(column(&table, "EventType").ty.data.to_string(), "varchar(160)");
    assert_eq!(column(&table, "EventType").ty.spelling.to_lowercase(), "varchar(160)");
    assert_eq!(column(&table, "TenantId").collation, None);
    assert!(column(&table, "TenantId").nullable);
    let outcome = column(&table, "Outcome");
    assert!(!outcome.nullable);
    assert_eq!(outcome.default_text.as_deref(), Some("'Processed'"));
    let collation = outcome.collation.clone().unwrap();
    assert_eq!((collation.equality, collation.explicit), (Equality::Bytes, false));

    let primary = table.primary_key.clone().unwrap();
    assert_eq!(primary.name.as_deref(), Some("PK_ProcessedIntegrationEvents"));
    assert_eq!((primary.columns, primary.row_number), (vec!["Id".to_owned()], false));
    assert!(index(&table, "PK_ProcessedIntegrationEvents").primary);
    let unique = index(&table, "UX_ProcessedEvents_EventId");
    assert_eq!(plain_key(unique), ["EventId"]);
    assert!(unique.unique && !unique.generated_name && unique.predicate.is_none());
}

#[tokio::test]
async fn only_integer_primary_key_is_the_row_number() {
    for (sql, row_number, nullable) in [
        ("\"Seq\" INTEGER PRIMARY KEY", true, false),
        ("\"Seq\" integer PRIMARY KEY AUTOINCREMENT", true, false),
        ("\"Seq\" INTEGER, PRIMARY KEY (\"Seq\")", true, false),
        ("\"Seq\" INT PRIMARY KEY", false, true),
        ("\"Seq\" INTEGER PRIMARY KEY DESC", false, true),
        ("\"Seq\" TEXT PRIMARY KEY", false, true),
        ("\"Seq\" TEXT NOT NULL PRIMARY KEY", false, false),
    ] {
        let table = table(&format!("CREATE TABLE t (other TEXT, {sql})"), "t").await;
        let primary = table.primary_key.clone().unwrap();
        let column = column(&table, "Seq");
        assert_eq!((primary.row_number, column.nullable), (row_number, nullable), "{sql}");
        assert_eq!(column.identity == Some(Identity::Auto), row_number, "{sql}");
        assert_eq!(column.not_null_by == Some(NotNullBy::RowNumber), row_number, "{sql}");
        let keys: Vec<&Index> = table.indexes.iter().filter(|i| i.primary).collect();
        assert!(
            matches!(keys[..], [key] if key.unique && plain_key(key) == ["Seq"]),
            "{sql}"
        );
    }
}

#[tokio::test]
async fn a_composite_key_keeps_its_order() {
    let table = table("CREATE TABLE t (a TEXT, b TEXT, PRIMARY KEY (b DESC, a))", "t").await;
    let primary = table.primary_key.clone().unwrap();
    assert_eq!(primary.columns, ["b", "a"]);
    let key = table.indexes.iter().find(|i| i.primary).unwrap();
    assert_eq!(plain_key(key), ["b", "a"]);
    assert!(key.generated_name && key.key[0].descending && !key.key[1].descending);
}

#[tokio::test]
async fn storage_modes_are_engines_and_make_keys_required() {
    for (options, engine) in [
        ("WITHOUT ROWID", "WITHOUT ROWID"),
        ("STRICT", "STRICT"),
        ("STRICT, WITHOUT ROWID", "STRICT, WITHOUT ROWID"),
    ] {
        let table = table(&format!("CREATE TABLE t (k TEXT PRIMARY KEY, v INT) {options}"), "t").await;
        let found = table.engine.clone().unwrap();
        assert_eq!((found.name.as_str(), found.usual), (engine, false));
        assert!(!column(&table, "k").nullable, "{options}");
    }
    let table = table("CREATE TABLE t (k INTEGER PRIMARY KEY, v TEXT) WITHOUT ROWID", "t").await;
    assert!(!table.primary_key.clone().unwrap().row_number);
    assert_eq!(column(&table, "k").identity, None);
}

#[tokio::test]
async fn a_unique_constraint_has_its_own_name_or_a_generated_one() {
    let table = table(
        "CREATE TABLE t (
           a TEXT UNIQUE, b TEXT, c TEXT COLLATE NOCASE,
           CONSTRAINT \"UX_b\" UNIQUE (b) ON CONFLICT IGNORE,
           CONSTRAINT \"UX_c\" UNIQUE (c COLLATE BINARY),
           CONSTRAINT \"UX_c_nocase\" UNIQUE (c) ON CONFLICT REPLACE,
           CONSTRAINT taken UNIQUE (a, b)
         );
         CREATE INDEX taken ON t (a)",
        "t",
    )
    .await;
    let generated = index(&table, "sqlite_autoindex_t_1");
    assert!(generated.generated_name && generated.unique && generated.constraint.is_none());
    let named = index(&table, "UX_b");
    assert!(named.unique && !named.generated_name);
    assert_eq!(named.constraint.as_deref(), Some("UX_b"));
    assert_eq!(named.on_conflict, Some(OnConflict::Ignore));
    assert!(named.definition.as_deref().unwrap().contains("sqlite_autoindex_t_2"));
    assert_eq!(index(&table, "UX_c").on_conflict, None);
    assert_eq!(index(&table, "UX_c_nocase").on_conflict, Some(OnConflict::Replace));
    assert!(
        !index(&table, "taken").unique,
        "a real index goes before a constraint of its name"
    );
    assert_eq!(
        index(&table, "sqlite_autoindex_t_5").constraint.as_deref(),
        Some("taken")
    );
}

#[tokio::test]
async fn four_kinds_of_quotes_do_not_hide_a_unique_constraint() {
    let table = table(
        "CREATE TABLE [T] ([Id] TEXT NOT NULL PRIMARY KEY, `EventId` TEXT NOT NULL, 'EventType' TEXT NOT NULL,
         [Outcome] TEXT NOT NULL ON CONFLICT REPLACE DEFAULT 'Processed', UNIQUE ([EventId]))",
        "T",
    )
    .await;
    assert!(table.unseen.is_empty());
    let unique = table.indexes.iter().find(|i| i.unique && !i.primary).unwrap();
    assert_eq!(plain_key(unique), ["EventId"]);
    assert_eq!(column(&table, "Outcome").not_null_conflict.as_deref(), Some("REPLACE"));
    assert_eq!(column(&table, "EventType").not_null_conflict, None);
}

#[tokio::test]
async fn predicates_and_expressions_come_from_the_text() {
    let table = table(
        "CREATE TABLE t (\"EventId\" TEXT, \"Outcome\" TEXT);
         CREATE UNIQUE INDEX partial ON t (\"EventId\") WHERE \"Outcome\" <> 'WHERE';
         CREATE UNIQUE INDEX expression ON t (\"Outcome\", lower(\"EventId\") DESC)",
        "t",
    )
    .await;
    assert_eq!(
        index(&table, "partial").predicate.as_deref(),
        Some("\"Outcome\" <> 'WHERE'")
    );
    let expression = index(&table, "expression");
    assert_eq!(expression.predicate, None);
    assert!(expression.key[1].descending);
    assert_eq!(
        expression.key[1].expr,
        KeyExpr::Expression {
            sql: "lower(\"EventId\")".to_owned(),
            columns: vec!["EventId".to_owned()],
        }
    );
}

#[tokio::test]
async fn collations_of_columns_and_of_index_parts_are_told_apart() {
    let table = table(
        "CREATE TABLE t (k TEXT COLLATE NOCASE NOT NULL, r TEXT COLLATE RTRIM, p TEXT, n INTEGER);
         CREATE UNIQUE INDEX inherited ON t (k, n);
         CREATE UNIQUE INDEX own ON t (p COLLATE NOCASE);
         CREATE UNIQUE INDEX bytes ON t (k COLLATE BINARY)",
        "t",
    )
    .await;
    let k = column(&table, "k").collation.clone().unwrap();
    assert_eq!(
        (k.name.as_str(), k.equality, k.explicit),
        ("NOCASE", Equality::CaseInsensitive, true)
    );
    let r = column(&table, "r").collation.clone().unwrap();
    assert_eq!((r.equality, r.pads), (Equality::Bytes, true));
    let part = |name: &str, at: usize| index(&table, name).key[at].collation.clone();
    let inherited = part("inherited", 0).unwrap();
    assert_eq!(
        (inherited.equality, inherited.explicit),
        (Equality::CaseInsensitive, false)
    );
    assert_eq!(part("inherited", 1), None);
    let own = part("own", 0).unwrap();
    assert_eq!((own.equality, own.explicit), (Equality::CaseInsensitive, true));
    let bytes = part("bytes", 0).unwrap();
    assert_eq!((bytes.equality, bytes.explicit), (Equality::Bytes, true));
}

#[tokio::test]
async fn generated_columns_are_there_with_their_expression() {
    let table = table(
        "CREATE TABLE t (a TEXT, s TEXT NOT NULL GENERATED ALWAYS AS (lower(\"a\")) STORED, v AS (a || ')'))",
        "t",
    )
    .await;
    let generated = |name: &str| column(&table, name).generated.clone().unwrap();
    assert_eq!(
        (generated("s").sql.as_str(), generated("s").stored),
        ("lower(\"a\")", true)
    );
    assert_eq!(
        (generated("v").sql.as_str(), generated("v").stored),
        ("a || ')'", false)
    );
    assert_eq!(column(&table, "a").generated, None);
}

#[tokio::test]
async fn defaults_are_brought_to_normal_form() {
    let table = table(
        "CREATE TABLE t (n INTEGER DEFAULT NULL, w TEXT DEFAULT CURRENT_TIMESTAMP,
         d TEXT DEFAULT (datetime('now')), none TEXT)",
        "t",
    )
    .await;
    let now = |form| {
        Some(DefaultExpr::Now {
            clock: Clock::Statement,
            form,
        })
    };
    assert_eq!(column(&table, "n").default, None);
    assert_eq!(column(&table, "n").default_text, None);
    assert_eq!(column(&table, "w").default, now(TimeForm::Native));
    assert_eq!(column(&table, "d").default, now(TimeForm::Formatted));
    assert_eq!(column(&table, "none").default, None);
}

#[tokio::test]
async fn checks_and_foreign_keys_have_their_names() {
    let table = table(
        "CREATE TABLE p (Id TEXT PRIMARY KEY);
         CREATE TABLE t (
           a TEXT CHECK (a <> ''), b TEXT REFERENCES p (Id) ON DELETE CASCADE, c TEXT,
           CONSTRAINT ck_c CHECK (\"c\" IS NOT NULL),
           CONSTRAINT fk_c FOREIGN KEY (c) REFERENCES p
         )",
        "t",
    )
    .await;
    let checks: Vec<_> = table
        .checks
        .iter()
        .map(|c| (c.name.as_str(), c.columns.join(",")))
        .collect();
    assert_eq!(checks, [("check 1", "a".to_owned()), ("ck_c", "c".to_owned())]);
    assert_eq!(
        column(&table, "c").not_null_by,
        Some(NotNullBy::Check("ck_c".to_owned()))
    );
    assert!(column(&table, "a").nullable && !column(&table, "c").nullable);
    let keys: Vec<_> = table
        .foreign_keys
        .iter()
        .map(|f| (f.name.as_str(), f.columns.join(","), f.on_delete.as_str()))
        .collect();
    assert_eq!(
        keys,
        [
            ("fk_c", "c".to_owned(), "NO ACTION"),
            ("foreign key 1", "b".to_owned(), "CASCADE")
        ]
    );
}

#[tokio::test]
async fn triggers_are_read_from_their_text() {
    let table = table(
        "CREATE TABLE t (\"Outcome\" TEXT);
         CREATE TRIGGER \"TR_skip\" BEFORE INSERT ON T WHEN NEW.\"Outcome\"='Stale' BEGIN SELECT RAISE(IGNORE); END",
        "t",
    )
    .await;
    let trigger = &table.triggers[0];
    assert_eq!((trigger.name.as_str(), trigger.timing), ("TR_skip", Timing::Before));
    assert_eq!(trigger.events, ["INSERT"]);
    assert_eq!(trigger.condition.as_deref(), Some("NEW.\"Outcome\"='Stale'"));
    assert_eq!(trigger.body.as_deref(), Some("SELECT RAISE(IGNORE);"));
}

#[tokio::test]
async fn a_column_added_behind_the_constraints_is_read() {
    let table = table(
        "CREATE TABLE t (a TEXT, CONSTRAINT pk PRIMARY KEY (a));
         ALTER TABLE t ADD COLUMN b INTEGER; ALTER TABLE t ADD COLUMN c TEXT; ALTER TABLE t DROP COLUMN c",
        "t",
    )
    .await;
    assert!(table.unseen.is_empty());
    assert_eq!(table.columns.len(), 2);
}

#[tokio::test]
async fn strange_names_are_only_names() {
    let name = "O'Neil \"x\" [y] `z` %s; --";
    let table = table(
        "CREATE TABLE \"O'Neil \"\"x\"\" [y] `z` %s; --\" (\"a'b\" TEXT NOT NULL PRIMARY KEY, \"order\" INTEGER,
         \"Größe\" INTEGER NOT NULL, \"c]d\" TEXT);
         CREATE UNIQUE INDEX \"u'\"\"x\" ON \"O'Neil \"\"x\"\" [y] `z` %s; --\" (\"Größe\")",
        name,
    )
    .await;
    assert!(table.unseen.is_empty());
    assert_eq!(plain_key(index(&table, "u'\"x")), ["Größe"]);
    assert_eq!(column(&table, "c]d").ty.spelling, "TEXT");
}

#[tokio::test]
async fn a_file_in_another_encoding_reads_the_same() {
    for encoding in ["UTF-16le", "UTF-16be"] {
        let sql = format!("PRAGMA encoding = '{encoding}'; {LEDGER} CREATE TABLE \"Größe\" (a)");
        let other = TestFile::with(&sql).await;
        let usual = TestFile::with(LEDGER).await;
        assert_eq!(
            other.table(LEDGER_NAME).await,
            usual.table(LEDGER_NAME).await,
            "{encoding}"
        );
        assert_eq!(other.table("Größe").await.columns[0].name, "a");
    }
}
