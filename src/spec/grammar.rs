//! The format of a spec as data: which keys stand where, and what each of them takes.
//!
//! The reader refuses every key that is not here, and the JSON Schema is made from these tables alone, so that
//! the two cannot drift apart.

use crate::schema::Identity;

use super::problem::shorten;
use super::{CompareSpec, Role, Status};

/// A kind of map: its keys and which of them belong together.
#[derive(Debug)]
pub(super) struct Block {
    /// What it is called in messages and in the JSON Schema: `an index`.
    pub(super) name: &'static str,
    /// What it is for, as a sentence.
    pub(super) about: &'static str,
    /// Its keys in the order in which people write them.
    pub(super) keys: &'static [Key],
    /// Keys of which exactly one is written.
    pub(super) one_of: &'static [&'static str],
}

/// A key of a block.
#[derive(Debug)]
pub(super) struct Key {
    /// The key.
    pub(super) name: &'static str,
    /// What it says, as a sentence.
    pub(super) about: &'static str,
    /// Whether it must be there.
    pub(super) required: bool,
    /// What it takes.
    pub(super) form: Form,
}

/// What a key takes.
#[derive(Debug)]
pub(super) enum Form {
    /// The number 1.
    Version,
    /// A text that is not blank.
    Text,
    /// A name or another text, of which even blanks count.
    Name,
    /// A value of any kind: text, number or truth value.
    Constant,
    /// A date like `2026-07-21`.
    Date,
    /// `true` or `false`.
    Boolean,
    /// A duration like `168h`.
    Duration,
    /// A data type.
    Type,
    /// One of a few words.
    Word(&'static dyn Words),
    /// A list that is not empty.
    List(&'static Form),
    /// A map of fixed keys.
    Block(&'static Block),
    /// A map from names of the author's choice.
    Named(&'static Block),
    /// Any of several forms.
    Either(&'static [Form]),
    /// A fact that may be open: the form itself, `unconfirmed`, or `{ unconfirmed: … }` with a guess.
    Fact(&'static Form),
}

/// The word that makes a fact an open one.
pub(super) const UNCONFIRMED: &str = "unconfirmed";

/// A word and what it stands for.
#[derive(Debug)]
pub(super) struct Word<T: 'static> {
    pub(super) name: &'static str,
    pub(super) value: T,
}

/// A list of words whose meaning does not matter.
pub(super) trait Words: std::fmt::Debug + Sync {
    /// Returns the words in the order in which they are offered.
    fn names(&self) -> Vec<&'static str>;
}

impl<T: std::fmt::Debug + Sync, const N: usize> Words for [Word<T>; N] {
    fn names(&self) -> Vec<&'static str> {
        self.iter().map(|word| word.name).collect()
    }
}

const fn word<T>(name: &'static str, value: T) -> Word<T> {
    Word { name, value }
}

const fn key(name: &'static str, form: Form, about: &'static str) -> Key {
    Key {
        name,
        about,
        required: false,
        form,
    }
}

const fn required(name: &'static str, form: Form, about: &'static str) -> Key {
    Key {
        name,
        about,
        required: true,
        form,
    }
}

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

impl Block {
    /// Returns the keys' names in order.
    pub(super) fn names(&self) -> Vec<&'static str> {
        self.keys.iter().map(|key| key.name).collect()
    }

    /// Says what somebody who wrote an unknown key here probably wants.
    pub(super) fn advise(&self, unknown: &str) -> String {
        // `type:uuid` is one word to YAML, where a blank makes it two.
        if let Some((name, value)) = unknown.split_once(':')
            && self.names().contains(&name)
        {
            return format!("put a blank behind the colon: `{name}: {}`", shorten(value));
        }
        if let Some((ratio, name)) = nearest(unknown, &self.names())
            && (ratio >= 0.8 || owner_of(unknown, self).is_none())
        {
            return format!("did you mean `{name}`?");
        }
        if let Some(owner) = owner_of(unknown, self) {
            return format!("`{unknown}` is a key of {}", owner.name);
        }
        let list: Vec<String> = self.names().iter().map(|name| format!("`{name}`")).collect();
        format!("the keys of {} are {}", self.name, list.join(", "))
    }
}

/// Returns another block that has a key.
fn owner_of(unknown: &str, here: &Block) -> Option<&'static Block> {
    let elsewhere = |block: &&&'static Block| block.name != here.name && block.keys.iter().any(|k| k.name == unknown);
    BLOCKS.iter().find(elsewhere).copied()
}

/// Returns the known word that a misspelt one is closest to, and how close: 1 is equal but for letter case,
/// hyphens and blanks.
pub(super) fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<(f32, &'a str)> {
    /// Longer words are not misspelt names, and comparing them costs the square of their length.
    const LONGEST: usize = 64;
    /// So many known words are looked at; a spec with more columns than that is not written by hand.
    const MOST: usize = 300;
    if word.len() > LONGEST {
        return None;
    }
    let fold = |text: &str| text.to_lowercase().replace(['-', '_', ' '], "");
    let folded = fold(word);
    let mut best: Option<(f32, &'a str)> = None;
    for &name in known.iter().take(MOST).filter(|name| name.len() <= LONGEST) {
        let ratio = similar::TextDiff::from_chars(folded.as_str(), fold(name).as_str()).ratio();
        if ratio >= 0.6 && best.is_none_or(|(best, _)| ratio > best) {
            best = Some((ratio, name));
        }
    }
    best
}

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
            assert_eq!(block.advise(unknown), advice);
        }
        assert!(
            COLUMN
                .advise(&"x".repeat(1 << 20))
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
