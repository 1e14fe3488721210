//! Primary keys and indexes out of rows and texts.

use super::rows::{ColumnRow, IndexPartRow};
use super::statement::{ConstraintKind, ConstraintText, IndexText, TableText, names_in, read_index};
use crate::dialect::sqlite::{Affinity, collation};
use crate::schema::{Collation, Index, KeyExpr, KeyPart, PrimaryKey};

/// What keys are assembled from.
pub(super) struct Source<'a> {
    /// The columns in table order.
    pub(super) columns: &'a [&'a ColumnRow],
    /// The key parts of all indexes, those of one index together and in key order.
    pub(super) parts: &'a [&'a IndexPartRow],
    /// The text of each index by name; automatic ones have none.
    pub(super) texts: &'a [(&'a str, &'a str)],
    /// The text of the table, if it was understood.
    pub(super) table: Option<&'a TableText>,
    /// Whether the table has no row number.
    pub(super) without_rowid: bool,
}

/// The keys of a table.
#[derive(Debug, Default)]
pub(super) struct Keys {
    pub(super) primary: Option<PrimaryKey>,
    pub(super) indexes: Vec<Index>,
    /// Names of indexes whose text was not understood although a fact is only there.
    pub(super) unread: Vec<String>,
}

/// Assembles the keys of a table.
pub(super) fn assemble(source: &Source<'_>) -> Keys {
    let mut keys = Keys {
        primary: source.primary_key(),
        ..Keys::default()
    };
    for parts in source.parts.chunk_by(|a, b| a.index == b.index) {
        let text = source.text_of(&parts[0].index);
        let needs_text = parts[0].partial || parts.iter().any(|p| p.column.is_none());
        if needs_text && text.is_none() {
            keys.unread.push(parts[0].index.clone());
        }
        keys.indexes.push(source.index(parts, text.as_ref()));
    }
    if let Some(primary) = keys.primary.as_ref().filter(|p| p.row_number) {
        keys.indexes.push(source.row_number_index(primary));
    }
    keys
}

impl Source<'_> {
    fn primary_key(&self) -> Option<PrimaryKey> {
        let mut columns: Vec<&&ColumnRow> = self.columns.iter().filter(|c| c.key_place > 0).collect();
        columns.sort_by_key(|c| c.key_place);
        // The four letters decide: INT PRIMARY KEY is an ordinary column, and so is INTEGER PRIMARY KEY DESC, which
        // gets an index of its own.
        let row_number = !self.without_rowid
            && matches!(columns[..], [only] if only.declared.eq_ignore_ascii_case("integer"))
            && !self.parts.iter().any(|p| p.origin == "pk");
        let constraint = self.primary_constraint();
        (!columns.is_empty()).then(|| PrimaryKey {
            name: constraint.and_then(|c| c.name.clone()),
            columns: columns.iter().map(|c| c.name.clone()).collect(),
            row_number,
        })
    }

    fn primary_constraint(&self) -> Option<&ConstraintText> {
        let mut constraints = self.table?.constraints.iter();
        constraints.find(|c| matches!(c.kind, ConstraintKind::PrimaryKey(_)))
    }

    fn text_of(&self, index: &str) -> Option<IndexText> {
        let (_, sql) = self.texts.iter().find(|(name, _)| *name == index)?;
        read_index(sql).ok()
    }

    fn index(&self, parts: &[&IndexPartRow], text: Option<&IndexText>) -> Index {
        let first = parts[0];
        let automatic = first.origin != "c";
        let constraints = if automatic {
            self.constraints_of(parts)
        } else {
            Vec::new()
        };
        let constraint = constraints.iter().find_map(|c| c.name.clone());
        // A named constraint is what its maker calls the index; the automatic name is only where SQLite keeps it. A
        // real index of that name goes first.
        let taken = |name: &String| self.parts.iter().any(|p| p.index.eq_ignore_ascii_case(name));
        let name = constraint.clone().filter(|name| !taken(name));
        let sql = self
            .texts
            .iter()
            .find(|(name, _)| *name == first.index)
            .map(|(_, sql)| *sql);
        let definition = match sql {
            Some(sql) => sql.to_owned(),
            None => format!("constraint of the table, kept as {}", first.index),
        };
        Index {
            generated_name: automatic && name.is_none(),
            name: name.unwrap_or_else(|| first.index.clone()),
            primary: first.origin == "pk",
            key: parts
                .iter()
                .enumerate()
                .map(|(at, part)| self.part(at, part, text))
                .collect(),
            predicate: first.partial.then(|| match text.and_then(|t| t.predicate.clone()) {
                Some(predicate) => predicate,
                None => sql.unwrap_or_default().to_owned(),
            }),
            constraint,
            on_conflict: constraints.iter().find_map(|c| c.on_conflict),
            definition: Some(definition),
            ..plain(&first.index, first.unique)
        }
    }

    /// The row number's own tree is what keeps an `INTEGER PRIMARY KEY` unique; no pragma lists it.
    fn row_number_index(&self, primary: &PrimaryKey) -> Index {
        let constraint = self.primary_constraint();
        Index {
            generated_name: primary.name.is_none(),
            primary: true,
            key: primary.columns.iter().map(|c| KeyPart::column(c)).collect(),
            constraint: primary.name.clone(),
            on_conflict: constraint.and_then(|c| c.on_conflict),
            definition: Some("INTEGER PRIMARY KEY, kept as the table's row number".to_owned()),
            ..plain(primary.name.as_deref().unwrap_or("PRIMARY KEY"), true)
        }
    }

    /// Finds the constraints that an automatic index stands for. Several over the same columns share one.
    fn constraints_of(&self, parts: &[&IndexPartRow]) -> Vec<&ConstraintText> {
        let Some(table) = self.table else {
            return Vec::new();
        };
        let is_same = |(name, written): &(String, Option<String>), part: &&IndexPartRow| {
            let collation = written.as_deref().unwrap_or_else(|| self.column_collation(name));
            part.column.as_deref().is_some_and(|c| c.eq_ignore_ascii_case(name))
                && part
                    .collation
                    .as_deref()
                    .is_none_or(|c| c.eq_ignore_ascii_case(collation))
        };
        table
            .constraints
            .iter()
            .filter(|constraint| match &constraint.kind {
                ConstraintKind::Unique(columns) | ConstraintKind::PrimaryKey(columns) => {
                    columns.len() == parts.len() && columns.iter().zip(parts).all(|(a, b)| is_same(a, b))
                }
                ConstraintKind::Check(_) | ConstraintKind::ForeignKey(..) => false,
            })
            .collect()
    }

    fn part(&self, at: usize, row: &IndexPartRow, text: Option<&IndexText>) -> KeyPart {
        let collated = row.collation.as_deref();
        let Some(column) = &row.column else {
            let sql = text.and_then(|t| t.parts.get(at)).cloned().unwrap_or_default();
            let known: Vec<&str> = self.columns.iter().map(|c| c.name.as_str()).collect();
            return KeyPart {
                expr: KeyExpr::Expression {
                    columns: names_in(&sql, &known),
                    sql,
                },
                descending: row.descending,
                collation: collated.map(|name| collation(name, !name.eq_ignore_ascii_case("binary"))),
                ..KeyPart::column("")
            };
        };
        KeyPart {
            descending: row.descending,
            collation: collated.and_then(|name| self.part_collation(column, name)),
            ..KeyPart::column(column)
        }
    }

    /// Returns the collation of a part over a column; numbers have none unless somebody wrote one.
    fn part_collation(&self, column: &str, name: &str) -> Option<Collation> {
        let row = self.columns.iter().find(|c| c.name == column)?;
        let explicit = !name.eq_ignore_ascii_case(self.column_collation(column));
        let texts = Affinity::of_declaration(&row.declared).keeps_text();
        (texts || explicit || !name.eq_ignore_ascii_case("binary")).then(|| collation(name, explicit))
    }

    fn column_collation(&self, column: &str) -> &str {
        self.table
            .and_then(|t| t.columns.iter().find(|c| c.name.eq_ignore_ascii_case(column)))
            .and_then(|c| c.collation.as_deref())
            .unwrap_or("BINARY")
    }
}

fn plain(name: &str, unique: bool) -> Index {
    Index {
        unique,
        ..Index::plain(name)
    }
}
