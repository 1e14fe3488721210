//! The format of a spec as data: which keys stand where, and what each of them takes.

use crate::schema::Identity;
use crate::yaml::grammar::{Block, Form, Key, Word, key, required, word};

use super::{CompareSpec, Role, Status};

/// What a table is for.
pub(super) static ROLES: [Word<Role>; 5] = [
    word("ledger", Role::Ledger),
    word("outbox", Role::Outbox),
    word("projection", Role::Projection),
    word("audit", Role::Audit),
    word("plain", Role::Plain),
];

/// Whether a table is in use.
pub(super) static STATUSES: [Word<Status>; 2] =
    [word("implemented", Status::Implemented), word("unused", Status::Unused)];

/// How a server numbers rows.
pub(super) static IDENTITIES: [Word<Identity>; 3] = [
    word("always", Identity::Always),
    word("by_default", Identity::ByDefault),
    word("auto", Identity::Auto),
];

/// Which texts are different keys.
pub(super) static COMPARISONS: [Word<CompareSpec>; 2] = [
    word("case_sensitive", CompareSpec::CaseSensitive),
    word("bytes", CompareSpec::Bytes),
];

/// The order of an index part; true is descending.
pub(super) static ORDERS: [Word<bool>; 2] = [word("asc", false), word("desc", true)];

/// The absence of a default.
pub(super) static NO_DEFAULT: [Word<()>; 1] = [word("none", ())];

const CONFIRMED: Key = key(
    "confirmed",
    Form::Boolean,
    "`false`: nobody has confirmed this yet, so it is listed with what was found and never fails.",
);

/// The whole file.
pub(super) static SPEC: Block = Block {
    name: "a spec",
    about: "What a service needs its database to be.",
    keys: &[
        required("version", Form::Version, "The version of the format: 1."),
        required("service", Form::Name, "The service's name, unique among the specs."),
        key("summary", Form::Text, "One sentence on what the spec describes."),
        key("owner", Form::Text, "Who owns the tables."),
        key(
            "sources",
            Form::List(&Form::Block(&SOURCE)),
            "Documents the facts come from.",
        ),
        required(
            "tables",
            Form::Named(&TABLE),
            "The tables by their exact names; letter case matters.",
        ),
    ],
    one_of: &[],
};

/// A document.
pub(super) static SOURCE: Block = Block {
    name: "a source",
    about: "A document that facts come from.",
    keys: &[
        required("title", Form::Text, "The document's title."),
        key("reviewed", Form::Date, "When it was last reviewed: `2026-07-21`."),
    ],
    one_of: &[],
};

/// A table.
pub(super) static TABLE: Block = Block {
    name: "a table",
    about: "A table that the service needs.",
    keys: &[
        key(
            "role",
            Form::Word(&ROLES),
            "What the table is for; it decides what drift costs. `plain` if absent.",
        ),
        key(
            "status",
            Form::Word(&STATUSES),
            "`unused`: the table is modelled, and expected to hold no rows. `implemented` if absent.",
        ),
        CONFIRMED,
        required("columns", Form::Named(&COLUMN), "The columns by their exact names."),
        key(
            "primary_key",
            Form::Fact(&Form::List(&Form::Name)),
            "The primary key's columns in order.",
        ),
        key("indexes", Form::Named(&INDEX), "The indexes by their exact names."),
        key(
            "checks",
            Form::Named(&CHECK),
            "The check constraints by their exact names.",
        ),
        key("ledger", Form::Block(&LEDGER), "What makes the table a ledger."),
        key(
            "retention",
            Form::Block(&RETENTION),
            "How long rows are kept. Absent: the checker is silent about retention.",
        ),
    ],
    one_of: &[],
};

/// A column.
pub(super) static COLUMN: Block = Block {
    name: "a column",
    about: "A column that the service needs.",
    keys: &[
        required(
            "type",
            Form::Fact(&Form::Either(&[Form::Type, Form::Block(&PINS)])),
            "The type in standard SQL spelling, or one per database.",
        ),
        key(
            "nullable",
            Form::Fact(&Form::Boolean),
            "Whether NULL can be stored. `false` if absent.",
        ),
        key(
            "default",
            Form::Fact(&Form::Either(&[Form::Word(&NO_DEFAULT), Form::Block(&DEFAULT)])),
            "What an insert that leaves the column out stores. Absent: anything.",
        ),
        key(
            "identity",
            Form::Fact(&Form::Word(&IDENTITIES)),
            "How the server numbers rows by this column.",
        ),
        key(
            "generated",
            Form::Fact(&Form::Block(&GENERATED)),
            "How the server computes the value.",
        ),
        key("collation", Form::Fact(&Form::Name), "The collation's exact name."),
        key(
            "compare",
            Form::Fact(&Form::Word(&COMPARISONS)),
            "Which texts are different keys. Absent: the checker is silent about collations.",
        ),
        key(
            "values",
            Form::Fact(&Form::List(&Form::Constant)),
            "The values that may be stored, in their exact spelling.",
        ),
        CONFIRMED,
    ],
    one_of: &[],
};

/// Types per database.
pub(super) static PINS: Block = Block {
    name: "types per database",
    about: "A type, and exact ones for single databases.",
    keys: &[
        key("any", Form::Type, "The type on every database without one of its own."),
        key("postgres", Form::Type, "The exact type on PostgreSQL."),
        key(
            "mysql",
            Form::Type,
            "The exact type on MySQL, and on MariaDB without one of its own.",
        ),
        key("mariadb", Form::Type, "The exact type on MariaDB."),
        key("sqlite", Form::Type, "The exact declared type on SQLite."),
        CONFIRMED,
    ],
    one_of: &[],
};

/// A default.
pub(super) static DEFAULT: Block = Block {
    name: "a default",
    about: "A constant or an expression.",
    keys: &[
        key("value", Form::Constant, "A constant: text, number, `true` or `false`."),
        key("sql", Form::Text, "An expression in SQL: `now()`."),
        CONFIRMED,
    ],
    one_of: &["value", "sql"],
};

/// A generated column's expression.
pub(super) static GENERATED: Block = Block {
    name: "a generated column",
    about: "The expression that the server computes.",
    keys: &[required("sql", Form::Text, "The expression in SQL."), CONFIRMED],
    one_of: &[],
};

/// An index.
pub(super) static INDEX: Block = Block {
    name: "an index",
    about: "An index that the service needs.",
    keys: &[
        required(
            "columns",
            Form::List(&Form::Either(&[Form::Name, Form::Block(&KEY_PART)])),
            "The key's columns in order.",
        ),
        key(
            "unique",
            Form::Fact(&Form::Boolean),
            "Whether duplicates are refused. `false` if absent.",
        ),
        key(
            "where",
            Form::Fact(&Form::Text),
            "The predicate of a partial index, in SQL.",
        ),
        key(
            "include",
            Form::Fact(&Form::List(&Form::Name)),
            "Columns that are only carried along.",
        ),
        key(
            "nulls_distinct",
            Form::Fact(&Form::Boolean),
            "Whether several NULLs are accepted by a unique index.",
        ),
        CONFIRMED,
    ],
    one_of: &[],
};

/// A part of an index's key.
pub(super) static KEY_PART: Block = Block {
    name: "a part of a key",
    about: "A column or an expression with its order.",
    keys: &[
        key("column", Form::Name, "The column's name."),
        key("sql", Form::Text, "An expression in SQL: `lower(x)`."),
        key("order", Form::Word(&ORDERS), "The order. Absent: either."),
    ],
    one_of: &["column", "sql"],
};

/// A check constraint.
pub(super) static CHECK: Block = Block {
    name: "a check",
    about: "A check constraint that the service needs.",
    keys: &[required("sql", Form::Text, "The condition in SQL."), CONFIRMED],
    one_of: &[],
};

/// What makes a table a ledger.
pub(super) static LEDGER: Block = Block {
    name: "a ledger",
    about: "Which column identifies an event, and how late an event may come.",
    keys: &[
        required("event_id", Form::Name, "The column that identifies an event."),
        key("recorded_at", Form::Name, "The column with the time of recording."),
        key(
            "staleness_window",
            Form::Fact(&Form::Duration),
            "How old an event may be: `168h`. 0: the guard is disabled.",
        ),
        key(
            "clock_skew",
            Form::Fact(&Form::Duration),
            "Bound on each clock's error: `5m`.",
        ),
        key(
            "future_dating",
            Form::Fact(&Form::Duration),
            "How far in the future an event may be dated: `5m`.",
        ),
        key(
            "confirmed",
            Form::Boolean,
            "`false`: nobody has confirmed the windows yet; what follows from them never fails.",
        ),
    ],
    one_of: &[],
};

/// What a table's retention must be.
pub(super) static RETENTION: Block = Block {
    name: "a retention",
    about: "At which age rows are removed.",
    keys: &[
        required("horizon", Form::Duration, "The age at which rows are removed: `14d`."),
        required("column", Form::Name, "The column that holds the age."),
        CONFIRMED,
    ],
    one_of: &[],
};

/// Every block; the first one is the file.
pub(super) static BLOCKS: [&Block; 12] = [
    &SPEC, &SOURCE, &TABLE, &COLUMN, &PINS, &DEFAULT, &GENERATED, &INDEX, &KEY_PART, &CHECK, &LEDGER, &RETENTION,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_key_gets_the_advice_a_colleague_would_give() {
        for (block, unknown, advice) in [
            (&COLUMN, "nulable", "did you mean `nullable`?"),
            (&COLUMN, "Type", "did you mean `type`?"),
            (&TABLE, "primaryKey", "did you mean `primary_key`?"),
            (&TABLE, "primary-key", "did you mean `primary_key`?"),
            (&TABLE, "index", "did you mean `indexes`?"),
            (&TABLE, "horizon", "`horizon` is a key of a retention"),
            (&COLUMN, "unique", "`unique` is a key of an index"),
            (&COLUMN, "type:uuid", "put a blank behind the colon: `type: uuid`"),
            (
                &RETENTION,
                "x",
                "the keys of a retention are `horizon`, `column`, `confirmed`",
            ),
        ] {
            assert_eq!(block.advise(unknown, &BLOCKS), advice);
        }
        assert!(
            COLUMN
                .advise(&"x".repeat(1 << 20), &BLOCKS)
                .starts_with("the keys of a column are")
        );
    }

    #[test]
    fn the_tables_are_complete_and_without_doubles() {
        fn walk(form: &Form, seen: &mut Vec<&'static str>) {
            match form {
                Form::Block(block) | Form::Named(block) => visit(block, seen),
                Form::List(inner) | Form::Fact(inner) => walk(inner, seen),
                Form::Either(forms) => forms.iter().for_each(|form| walk(form, seen)),
                _ => {}
            }
        }
        fn visit(block: &Block, seen: &mut Vec<&'static str>) {
            if !seen.contains(&block.name) {
                seen.push(block.name);
                block.keys.iter().for_each(|key| walk(&key.form, seen));
            }
        }
        let mut reached = Vec::new();
        visit(&SPEC, &mut reached);
        let mut listed: Vec<_> = BLOCKS.iter().map(|block| block.name).collect();
        reached.sort_unstable();
        listed.sort_unstable();
        assert_eq!(reached, listed);
        for block in BLOCKS {
            let mut names = block.names();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), block.keys.len(), "{}", block.name);
            assert!(block.one_of.iter().all(|name| names.contains(name)), "{}", block.name);
        }
    }
}
