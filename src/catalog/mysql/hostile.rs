//! Rows of any content.

use proptest::prelude::*;

use super::assemble::{Seen, assemble};
use super::grants::Privileges;
use super::rows::*;
use super::session::Identity;
use crate::catalog::hostile::{Choices, any_bytes, ask, examine, full_bytes, in_time};

const TABLES: &[&str] = &["ProcessedIntegrationEvents"];
const TYPES: &[&str] = &[
    "char(36)",
    "varchar(160)",
    "int(11)",
    "bigint(20) unsigned zerofill",
    "decimal(12,2)",
    "datetime(6)",
    "enum('a','b')",
    "longtext",
    "json",
    "binary(16)",
];
const SQL: &[&str] = &[
    "'Processed'",
    "current_timestamp(6)",
    "`Cost` >= 0",
    "json_valid(`Outcome`)",
    "lower(`EventId`)",
    "(case when `a` then 1 end)",
];

fn session(c: &mut Choices<'_>) -> Session {
    Session {
        user: c.name(),
        role: c.maybe(Choices::name),
        database: c.maybe(|c| c.text(&["shop"])),
        transaction_read_only: 1,
        whole_answers: 1,
        lock_wait_timeout: 2,
        statement_limit: 30.0,
        sql_mode: c.text(&["STRICT_TRANS_TABLES", ""]),
        lower_case_table_names: u8::from(c.flag()),
        read_only: u8::from(c.flag()),
        now: c.text(&["2026-07-15 12:00:00.000000"]),
        now_unix: 1_784_116_800.0,
        now_days: c.number(),
        now_seconds: c.number(),
        now_year: c.number(),
    }
}

fn rows(c: &mut Choices<'_>) -> Rows {
    let name = |c: &mut Choices<'_>| Name {
        namespace: c.maybe(Choices::name),
        name: c.name(),
    };
    Rows {
        session: Some(session(c)),
        namespaces: c.list(name),
        own: c.list(name),
        elsewhere: c.list(name),
        tables: c.list(|c| TableRow {
            name: c.text(TABLES),
            kind: c.text(&["BASE TABLE", "BASE TABLE", "VIEW", "SYSTEM VERSIONED", "SEQUENCE"]),
            engine: c.maybe(|c| c.text(&["InnoDB", "MEMORY", "Aria"])),
            collation: c.maybe(|c| c.text(&["utf8mb4_general_ci"])),
            comment: c.maybe(Choices::name),
        }),
        columns: c.list(column),
        indexes: c.list(index),
        references: c.list(|c| ReferenceRow {
            table: c.text(TABLES),
            name: c.name(),
            position: c.unsigned(),
            column: c.name(),
            referenced_namespace: c.maybe(Choices::name),
            referenced_table: c.name(),
            referenced_column: c.maybe(Choices::name),
        }),
        actions: c.list(|c| ActionRow {
            table: c.text(TABLES),
            name: c.name(),
            on_delete: c.text(&["CASCADE", "RESTRICT"]),
        }),
        checks: c.list(|c| CheckRow {
            table: c.text(TABLES),
            name: c.name(),
            sql: c.text(SQL),
            level: c.maybe(|c| c.text(&["Table", "Column"])),
            enforced: c.text(&["YES", "NO"]),
        }),
        triggers: c.list(|c| TriggerRow {
            table: c.text(TABLES),
            name: c.name(),
            timing: c.text(&["BEFORE", "AFTER"]),
            event: c.text(&["INSERT", "INSERT,UPDATE"]),
            body: c.maybe(|c| c.text(&["SET NEW.`EventId` = uuid()", "SIGNAL SQLSTATE '45000'"])),
            mode: c.text(&["", "ANSI_QUOTES"]),
            definer: c.maybe(Choices::name),
            definer_known: c.maybe(|c| u8::from(c.flag())),
        }),
        partitions: c.list(partition),
        views: c.list(|c| ViewRow {
            table: c.text(TABLES),
            updatable: c.text(&["YES", "NO"]),
            definition: c.maybe(|c| c.text(&["select 1 from (`d`.`b` join `e`.`a`)"])),
        }),
        around: None,
    }
}

fn column(c: &mut Choices<'_>) -> ColumnRow {
    ColumnRow {
        table: c.text(TABLES),
        name: c.name(),
        default: c.maybe(|c| c.text(SQL)),
        nullable: c.text(&["YES", "NO"]),
        ty: c.text(TYPES),
        charset: c.maybe(|c| c.text(&["utf8mb4", "latin1"])),
        collation: c.maybe(|c| c.text(&["utf8mb4_general_ci", "utf8mb4_bin"])),
        extra: c.maybe(|c| {
            c.text(&[
                "auto_increment",
                "DEFAULT_GENERATED on update CURRENT_TIMESTAMP",
                "STORED GENERATED",
                "INVISIBLE",
            ])
        }),
        generation: c.maybe(|c| c.text(SQL)),
    }
}

fn index(c: &mut Choices<'_>) -> IndexRow {
    IndexRow {
        table: c.text(TABLES),
        name: c.name(),
        non_unique: u8::from(c.flag()),
        position: c.unsigned(),
        column: c.maybe(Choices::name),
        expression: c.maybe(|c| c.text(SQL)),
        prefix: c.maybe(Choices::unsigned),
        order: c.maybe(|c| c.text(&["A", "D"])),
        method: c.text(&["BTREE", "HASH", "FULLTEXT"]),
        ignored: c.text(&["NO", "YES"]),
    }
}

fn partition(c: &mut Choices<'_>) -> PartitionRow {
    PartitionRow {
        table: c.text(TABLES),
        name: c.name(),
        position: c.maybe(Choices::unsigned),
        method: c.maybe(|c| c.text(&["RANGE", "RANGE COLUMNS", "LIST", "HASH", "KEY", "SYSTEM_TIME"])),
        expression: c.maybe(|c| c.text(&["to_days(`ProcessedOnUtc`)", "`ProcessedOnUtc`", "year(`a`)"])),
        description: c.maybe(|c| c.text(&["MAXVALUE", "740000", "'2026-01-01'", "1,2"])),
    }
}

fn run(bytes: &[u8], huge: Option<usize>) -> usize {
    let mut choices = Choices::new(bytes, huge);
    let rows = rows(&mut choices);
    let namespace = choices.text(&["shop"]);
    let version = if choices.flag() { "8.0.36" } else { "10.11.6-MariaDB" };
    let identity = Identity::parse(version, &choices.name()).unwrap();
    let grants = choices.list(|c| {
        c.text(&[
            "GRANT ALL PRIVILEGES ON *.* TO `a`@`%`",
            "GRANT SELECT (`EventId`) ON `shop`.`ProcessedIntegrationEvents` TO `a`@`%`",
            "REVOKE SELECT ON `shop`.* FROM `a`@`%`",
            "GRANT `role` TO `a`@`%`",
        ])
    });
    let privileges = Privileges::parse(grants.iter().map(String::as_str));
    let ask = ask();
    let seen = Seen {
        ask: &ask,
        namespace: &namespace,
        identity: &identity,
        privileges: &privileges,
        rows: &rows,
        jobs: None,
    };
    in_time(|| examine(assemble(&seen).unwrap()));
    choices.texts()
}

#[test]
fn a_mebibyte_in_any_place_is_judged_in_time() {
    let bytes = full_bytes();
    let texts = run(&bytes, None);
    assert!(texts > 100, "{texts}");
    for huge in (1..=texts).step_by(texts / 40) {
        run(&bytes, Some(huge));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn any_rows_are_judged_and_reported(bytes in any_bytes()) {
        run(&bytes, None);
    }
}
