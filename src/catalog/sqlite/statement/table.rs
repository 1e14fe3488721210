//! Reads `CREATE TABLE`.

use super::cursor::Cursor;
use crate::dialect::sqlite::token::{Kind, Unreadable};
use crate::schema::OnConflict;

/// What the text of a table says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::catalog::sqlite) struct TableText {
    /// The columns in order.
    pub(in crate::catalog::sqlite) columns: Vec<ColumnText>,
    /// The constraints of columns and table, in the order in which they are written.
    pub(in crate::catalog::sqlite) constraints: Vec<ConstraintText>,
}

/// What the text says of one column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::catalog::sqlite) struct ColumnText {
    /// The name.
    pub(in crate::catalog::sqlite) name: String,
    /// The collation, where one is written.
    pub(in crate::catalog::sqlite) collation: Option<String>,
    /// The expression of a generated column.
    pub(in crate::catalog::sqlite) generated: Option<String>,
    /// The conflict clause of NOT NULL.
    pub(in crate::catalog::sqlite) not_null_conflict: Option<OnConflict>,
}

/// One constraint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::catalog::sqlite) struct ConstraintText {
    /// Its name, where it has one.
    pub(in crate::catalog::sqlite) name: Option<String>,
    /// What it asks for.
    pub(in crate::catalog::sqlite) kind: ConstraintKind,
    /// Its conflict clause.
    pub(in crate::catalog::sqlite) on_conflict: Option<OnConflict>,
}

/// What a constraint asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::catalog::sqlite) enum ConstraintKind {
    /// A primary key over columns, each with the collation that is written for it.
    PrimaryKey(Vec<(String, Option<String>)>),
    /// A unique key over columns, each with the collation that is written for it.
    Unique(Vec<(String, Option<String>)>),
    /// A check, with its expression as written.
    Check(String),
    /// A foreign key: the referencing columns and the referenced table.
    ForeignKey(Vec<String>, String),
}

/// Words that begin a constraint of a column, and so end its type.
const COLUMN_CONSTRAINTS: &[&str] = &[
    "constraint",
    "primary",
    "not",
    "null",
    "unique",
    "check",
    "default",
    "collate",
    "references",
    "as",
    "deferrable",
];

/// Reads the text of a table.
///
/// # Errors
///
/// A text that is not the definition of an ordinary table, as far as this reader knows.
pub(in crate::catalog::sqlite) fn read_table(sql: &str) -> Result<TableText, Unreadable> {
    let mut cursor = Cursor::new(sql)?;
    cursor.create("table")?;
    cursor.qualified_name()?;
    let body = cursor.group()?;
    let mut table = TableText::default();
    for mut part in body.split_at_commas() {
        if is_constraint(&part) {
            table_constraints(&mut part, &mut table)?;
        } else {
            column(&mut part, &mut table)?;
        }
        if !part.is_at_end() {
            return Err(Unreadable);
        }
    }
    while let Some(option) = cursor.next() {
        let known = option.is_symbol(",") || ["without", "rowid", "strict"].iter().any(|word| option.is(word));
        if !known && !option.is_symbol(";") {
            return Err(Unreadable);
        }
    }
    Ok(table)
}

/// Returns the module of a virtual table.
pub(in crate::catalog::sqlite) fn virtual_module(sql: &str) -> Result<String, Unreadable> {
    let mut cursor = Cursor::new(sql)?;
    cursor.create("table")?;
    cursor.qualified_name()?;
    cursor.expect(&["using"])?;
    cursor.name()
}

fn is_constraint(part: &Cursor<'_>) -> bool {
    ["constraint", "primary", "unique", "check", "foreign"]
        .iter()
        .any(|word| part.sees(&[word]))
}

/// Reads constraints of the table; SQLite lets the commas between them be left out.
fn table_constraints(part: &mut Cursor<'_>, table: &mut TableText) -> Result<(), Unreadable> {
    let mut name = None;
    while !part.is_at_end() {
        if part.pass(&["constraint"]) {
            name = Some(part.name()?);
            continue;
        }
        let kind = if part.pass(&["primary", "key"]) {
            ConstraintKind::PrimaryKey(key_columns(&part.group()?)?)
        } else if part.pass(&["unique"]) {
            ConstraintKind::Unique(key_columns(&part.group()?)?)
        } else if part.pass(&["check"]) {
            ConstraintKind::Check(part.group()?.text().to_owned())
        } else if part.pass(&["foreign", "key"]) {
            let columns = key_columns(&part.group()?)?.into_iter().map(|(name, _)| name).collect();
            ConstraintKind::ForeignKey(columns, references(part)?)
        } else {
            return Err(Unreadable);
        };
        let on_conflict = part.conflict_clause()?;
        table.constraints.push(ConstraintText {
            name: name.take(),
            kind,
            on_conflict,
        });
    }
    Ok(())
}

/// Reads `"a" COLLATE NOCASE DESC, "b"`.
fn key_columns(list: &Cursor<'_>) -> Result<Vec<(String, Option<String>)>, Unreadable> {
    list.split_at_commas()
        .into_iter()
        .map(|mut part| {
            let name = part.name()?;
            let collation = if part.pass(&["collate"]) {
                Some(part.name()?)
            } else {
                None
            };
            let _ = part.pass(&["asc"]) || part.pass(&["desc"]);
            part.pass(&["autoincrement"]);
            if part.is_at_end() {
                Ok((name, collation))
            } else {
                Err(Unreadable)
            }
        })
        .collect()
}

/// Reads `REFERENCES "T" ("Id") ON DELETE CASCADE MATCH FULL DEFERRABLE …` and returns the table.
fn references(part: &mut Cursor<'_>) -> Result<String, Unreadable> {
    part.expect(&["references"])?;
    let table = part.name()?;
    if part.sees_symbol("(") {
        part.group()?;
    }
    loop {
        let action = ["delete", "update", "insert"]
            .iter()
            .any(|event| part.pass(&["on", event]));
        if action {
            let _ = part.pass(&["set", "null"])
                || part.pass(&["set", "default"])
                || part.pass(&["cascade"])
                || part.pass(&["restrict"])
                || part.pass(&["no", "action"]);
        } else if part.pass(&["match"]) {
            part.name()?;
        } else if !deferrable(part) {
            return Ok(table);
        }
    }
}

fn deferrable(part: &mut Cursor<'_>) -> bool {
    let seen = part.pass(&["not", "deferrable"]) || part.pass(&["deferrable"]);
    if seen {
        let _ = part.pass(&["initially", "deferred"]) || part.pass(&["initially", "immediate"]);
    }
    seen
}

fn column(part: &mut Cursor<'_>, table: &mut TableText) -> Result<(), Unreadable> {
    let mut column = ColumnText {
        name: part.name()?,
        ..ColumnText::default()
    };
    skip_type(part)?;
    let mut name = None;
    while !part.is_at_end() {
        if part.pass(&["constraint"]) {
            name = Some(part.name()?);
        } else {
            let constraint = column_constraint(part, &mut column)?;
            let name = name.take();
            table
                .constraints
                .extend(constraint.map(|constraint| ConstraintText { name, ..constraint }));
        }
    }
    table.columns.push(column);
    Ok(())
}

/// Passes a type: any words, then numbers in parentheses.
fn skip_type(part: &mut Cursor<'_>) -> Result<(), Unreadable> {
    while let Some(token) = part.peek() {
        let ends = !matches!(token.kind, Kind::Word | Kind::Quoted | Kind::Text)
            || COLUMN_CONSTRAINTS.iter().any(|word| token.is(word))
            || part.sees(&["generated", "always"]);
        if ends {
            break;
        }
        part.next();
    }
    if part.sees_symbol("(") {
        part.group()?;
    }
    Ok(())
}

/// Reads one constraint of a column. Those that are no constraint of the table go into the column.
fn column_constraint(part: &mut Cursor<'_>, column: &mut ColumnText) -> Result<Option<ConstraintText>, Unreadable> {
    let own = |kind: ConstraintKind, on_conflict| {
        Ok(Some(ConstraintText {
            name: None,
            kind,
            on_conflict,
        }))
    };
    let key = || vec![(column.name.clone(), None)];
    if part.pass(&["primary", "key"]) {
        let _ = part.pass(&["asc"]) || part.pass(&["desc"]);
        let on_conflict = part.conflict_clause()?;
        part.pass(&["autoincrement"]);
        own(ConstraintKind::PrimaryKey(key()), on_conflict)
    } else if part.pass(&["unique"]) {
        own(ConstraintKind::Unique(key()), part.conflict_clause()?)
    } else if part.pass(&["check"]) {
        let check = ConstraintKind::Check(part.group()?.text().to_owned());
        own(check, part.conflict_clause()?)
    } else if part.sees(&["references"]) {
        let columns = vec![column.name.clone()];
        own(ConstraintKind::ForeignKey(columns, references(part)?), None)
    } else {
        column_property(part, column)?;
        Ok(None)
    }
}

fn column_property(part: &mut Cursor<'_>, column: &mut ColumnText) -> Result<(), Unreadable> {
    if part.pass(&["not", "null"]) {
        column.not_null_conflict = part.conflict_clause()?;
    } else if part.pass(&["null"]) {
        part.conflict_clause()?;
    } else if part.pass(&["default"]) {
        skip_default(part)?;
    } else if part.pass(&["collate"]) {
        column.collation = Some(part.name()?);
    } else if part.pass(&["generated", "always"]) || part.sees(&["as"]) {
        part.expect(&["as"])?;
        column.generated = Some(part.group()?.text().to_owned());
        let _ = part.pass(&["stored"]) || part.pass(&["virtual"]);
    } else if !deferrable(part) {
        return Err(Unreadable);
    }
    Ok(())
}

/// Passes a default: an expression in parentheses, a number with its sign, a constant or a word.
fn skip_default(part: &mut Cursor<'_>) -> Result<(), Unreadable> {
    if part.sees_symbol("(") {
        return part.group().map(|_| ());
    }
    let _ = part.pass_symbol("+") || part.pass_symbol("-");
    match part.next() {
        Some(token) if !matches!(token.kind, Kind::Symbol | Kind::Parameter) => Ok(()),
        _ => Err(Unreadable),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn unique(columns: &[&str]) -> ConstraintKind {
        ConstraintKind::Unique(columns.iter().map(|c| ((*c).to_owned(), None)).collect())
    }

    fn names(table: &TableText) -> Vec<&str> {
        table.columns.iter().map(|c| c.name.as_str()).collect()
    }

    #[test]
    fn four_kinds_of_quotes_name_columns() {
        let table = read_table(
            "CREATE TABLE [T]([Id] TEXT NOT NULL PRIMARY KEY, `EventId` TEXT, 'Kind' TEXT, \"x\"\"y\" INTEGER, \
             bare DECIMAL(18, 2), UNIQUE ([EventId]))",
        )
        .unwrap();
        assert_eq!(names(&table), ["Id", "EventId", "Kind", "x\"y", "bare"]);
        assert_eq!(table.constraints[1].kind, unique(&["EventId"]));
    }

    #[test]
    fn names_and_conflict_clauses_of_constraints_are_kept() {
        let table = read_table(
            "CREATE TABLE T (
               a TEXT CONSTRAINT nn NOT NULL ON CONFLICT REPLACE DEFAULT 'x' CONSTRAINT uq UNIQUE ON CONFLICT IGNORE,
               b INTEGER NULL,
               CONSTRAINT \"UX\" UNIQUE (\"a\" COLLATE NOCASE DESC, b) ON CONFLICT FAIL
               CONSTRAINT pk PRIMARY KEY (b) -- no comma before this one
             )",
        )
        .unwrap();
        assert_eq!(table.columns[0].not_null_conflict, Some(OnConflict::Replace));
        assert_eq!(
            table.constraints,
            [
                ConstraintText {
                    name: Some("uq".to_owned()),
                    kind: unique(&["a"]),
                    on_conflict: Some(OnConflict::Ignore),
                },
                ConstraintText {
                    name: Some("UX".to_owned()),
                    kind: ConstraintKind::Unique(vec![
                        ("a".to_owned(), Some("NOCASE".to_owned())),
                        ("b".to_owned(), None)
                    ]),
                    on_conflict: Some(OnConflict::Fail),
                },
                ConstraintText {
                    name: Some("pk".to_owned()),
                    kind: ConstraintKind::PrimaryKey(vec![("b".to_owned(), None)]),
                    on_conflict: None,
                },
            ]
        );
    }

    #[test]
    fn collations_checks_and_generated_columns_are_read() {
        let table = read_table(
            "CREATE TABLE T (
               k VARCHAR(40) COLLATE NOCASE NOT NULL CHECK (length(k) > 0 AND k <> ')'),
               up TEXT GENERATED ALWAYS AS (upper(\"k\")) STORED NOT NULL,
               low AS (lower(k)),
               d TEXT DEFAULT (datetime('now', '-1 day')) REFERENCES P(Id) ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED,
               n INTEGER DEFAULT -1 UNIQUE,
               CONSTRAINT ck CHECK ( up IN ('A', 'B') ),
               FOREIGN KEY (k, n) REFERENCES \"Other\" MATCH FULL ON UPDATE NO ACTION
             ) STRICT, WITHOUT ROWID",
        )
        .unwrap();
        assert_eq!(names(&table), ["k", "up", "low", "d", "n"]);
        assert_eq!(table.columns[0].collation.as_deref(), Some("NOCASE"));
        assert_eq!(table.columns[1].generated.as_deref(), Some("upper(\"k\")"));
        assert_eq!(table.columns[2].generated.as_deref(), Some("lower(k)"));
        let kinds: Vec<_> = table.constraints.iter().map(|c| c.kind.clone()).collect();
        assert_eq!(
            kinds,
            [
                ConstraintKind::Check("length(k) > 0 AND k <> ')'".to_owned()),
                ConstraintKind::ForeignKey(vec!["d".to_owned()], "P".to_owned()),
                unique(&["n"]),
                ConstraintKind::Check("up IN ('A', 'B')".to_owned()),
                ConstraintKind::ForeignKey(vec!["k".to_owned(), "n".to_owned()], "Other".to_owned()),
            ]
        );
    }

    #[test]
    fn keywords_can_be_types_and_names() {
        let table = read_table("CREATE TABLE T (key unsigned big int primary key asc, \"check\" generated, unique_ x)");
        assert_eq!(names(&table.unwrap()), ["key", "check", "unique_"]);
    }

    #[test]
    fn a_text_that_is_not_understood_is_refused() {
        for sql in [
            "",
            "CREATE TABLE T",
            "CREATE TABLE T (a TEXT",
            "CREATE TABLE T (a TEXT MAYBE (1) SOMETHING (2))",
            "CREATE TABLE T (a TEXT NOT NULL ON CONFLICT maybe)",
            "CREATE TABLE T (UNIQUE (lower(a)))",
            "CREATE TABLE T (a TEXT) WITH magic",
            "CREATE VIEW T AS SELECT 1",
        ] {
            assert!(read_table(sql).is_err(), "{sql}");
        }
    }

    #[test]
    fn the_module_of_a_virtual_table_is_its_kind() {
        assert_eq!(
            virtual_module("CREATE VIRTUAL TABLE \"T\" USING fts5(\"Id\")").as_deref(),
            Ok("fts5")
        );
        assert!(virtual_module("CREATE TABLE T (a)").is_err());
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(body in any::<String>()) {
            let _ = read_table(&body);
            let _ = read_table(&format!("CREATE TABLE T ({body})"));
        }

        #[test]
        fn no_order_of_words_makes_it_panic(
            words in prop::collection::vec(
                prop::sample::select(vec![
                    "a", "TEXT", "(", ")", ",", "UNIQUE", "PRIMARY", "KEY", "NOT", "NULL", "ON", "CONFLICT", "IGNORE",
                    "CHECK", "DEFAULT", "-", "1", "'x'", "COLLATE", "REFERENCES", "AS", "GENERATED", "ALWAYS",
                    "CONSTRAINT", "FOREIGN", "MATCH", "DEFERRABLE", "\"q\"", "DELETE", "CASCADE",
                ]),
                0..24,
            )
        ) {
            let _ = read_table(&format!("CREATE TABLE T ({})", words.join(" ")));
        }
    }
}
