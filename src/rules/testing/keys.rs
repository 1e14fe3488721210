//! Keys, indexes and checks of a scene.

use crate::schema::{Check, Collation, Equality, Index, KeyExpr, KeyPart, Table};
use crate::spec::{At, CheckSpec, IndexSpec, KeyExprSpec, KeyPartSpec, Position};

use super::{Scene, index};

/// An ordinary index of [`Scene::with_lookup`], over `CorrelationId`.
pub(in crate::rules) const LOOKUP: &str = "IX_ProcessedEvents_Correlation";

impl Scene {
    /// Adds an ordinary index over `CorrelationId` to both sides.
    pub(in crate::rules) fn with_lookup(self) -> Self {
        self.wanted(|table| table.indexes.push(index_spec(LOOKUP, &["CorrelationId"], false, 900)))
            .extra_index(LOOKUP, "CorrelationId", |index| index.unique = false)
    }

    /// Changes one wanted index.
    pub(in crate::rules) fn wanted_index(self, name: &str, change: impl FnOnce(&mut IndexSpec)) -> Self {
        self.wanted(|table| {
            let index = table.indexes.iter_mut().find(|i| i.name.value == name);
            change(index.expect("the spec has this index"));
        })
    }

    /// Changes one observed index.
    pub(in crate::rules) fn index(self, name: &str, change: impl FnOnce(&mut Index)) -> Self {
        self.table(|table| change(find(table, name)))
    }

    /// Adds a valid unique index over one column to the observed table.
    pub(in crate::rules) fn extra_index(self, name: &str, column: &str, change: impl FnOnce(&mut Index)) -> Self {
        self.table(|table| {
            let mut extra = index(name, column);
            change(&mut extra);
            table.indexes.push(extra);
        })
    }

    /// Takes an index out of the observed table.
    pub(in crate::rules) fn without_index(self, name: &str) -> Self {
        self.table(|table| table.indexes.retain(|i| i.name != name))
    }

    /// Adds a check to the spec.
    pub(in crate::rules) fn wanted_check(self, name: &str, sql: &str) -> Self {
        self.wanted(|table| {
            table.checks.push(CheckSpec {
                name: at(name.to_owned(), 950),
                confirmed: true,
                sql: at(sql.to_owned(), 951),
            });
        })
    }

    /// Adds a check to the observed table.
    pub(in crate::rules) fn check(self, name: &str, sql: &str, change: impl FnOnce(&mut Check)) -> Self {
        self.table(|table| {
            let mut check = Check {
                name: name.to_owned(),
                sql: sql.to_owned(),
                columns: table
                    .columns
                    .iter()
                    .filter(|c| sql.contains(&c.name))
                    .map(|c| c.name.clone())
                    .collect(),
                validated: true,
                enforced: true,
            };
            change(&mut check);
            table.checks.push(check);
        })
    }

    /// Returns a wanted index, to compare positions with.
    pub(in crate::rules) fn spec_index(&self, name: &str) -> &IndexSpec {
        let index = self.spec_table().indexes.iter().find(|i| i.name.value == name);
        index.expect("the spec has this index")
    }
}

fn find<'a>(table: &'a mut Table, name: &str) -> &'a mut Index {
    let index = table.indexes.iter_mut().find(|i| i.name == name);
    index.expect("the table has this index")
}

fn at<T>(value: T, line: u32) -> At<T> {
    let position = Position {
        line,
        column: 1,
        length: 1,
    };
    At::new(value, position)
}

/// Makes a wanted index over columns, written on one line of its own.
pub(in crate::rules) fn index_spec(name: &str, columns: &[&str], unique: bool, line: u32) -> IndexSpec {
    let key = columns.iter().map(|column| KeyPartSpec {
        expr: KeyExprSpec::Column((*column).to_owned()),
        descending: None,
    });
    IndexSpec {
        name: at(name.to_owned(), line),
        confirmed: true,
        key: at(key.collect(), line + 1),
        unique: at(unique, line + 2),
        predicate: None,
        include: None,
        nulls_distinct: None,
    }
}

/// Makes a key of plain columns.
pub(in crate::rules) fn key(columns: &[&str]) -> Vec<KeyPart> {
    columns.iter().map(|column| KeyPart::column(column)).collect()
}

/// Makes a key part over an expression that reads the given columns.
pub(in crate::rules) fn expression(sql: &str, columns: &[&str]) -> KeyPart {
    KeyPart {
        expr: KeyExpr::Expression {
            sql: sql.to_owned(),
            columns: columns.iter().map(|column| (*column).to_owned()).collect(),
        },
        ..KeyPart::column("")
    }
}

/// Makes a collation that a column or index names itself.
pub(in crate::rules) fn collation(name: &str, equality: Equality, pads: bool) -> Collation {
    Collation {
        name: name.to_owned(),
        charset: None,
        explicit: true,
        equality,
        pads,
        full_unicode: true,
    }
}
