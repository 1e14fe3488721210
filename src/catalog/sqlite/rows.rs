//! What the queries returned, verbatim.

use std::collections::BTreeMap;

/// Everything that was read of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct CatalogRows {
    /// The library's version.
    pub(super) version: String,
    /// Settings of the session, read back.
    pub(super) settings: BTreeMap<String, String>,
    /// All tables and views of the file.
    pub(super) objects: Vec<ObjectRow>,
    /// Texts of the wanted objects, and places of wanted index names.
    pub(super) statements: Vec<StatementRow>,
    /// Columns of the wanted tables, in table order.
    pub(super) columns: Vec<ColumnRow>,
    /// Key parts of their indexes, in key order.
    pub(super) index_parts: Vec<IndexPartRow>,
    /// Columns of their foreign keys, in the order in which the keys were written.
    pub(super) foreign_keys: Vec<ForeignKeyRow>,
}

/// A table, view, virtual table or shadow table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ObjectRow {
    pub(super) name: String,
    /// `table`, `view`, `virtual` or `shadow`.
    pub(super) kind: String,
    pub(super) without_rowid: bool,
    pub(super) strict: bool,
}

impl ObjectRow {
    /// Returns whether the object is SQLite's own or the inside of a virtual table.
    pub(super) fn is_internal(&self) -> bool {
        let reserved = self
            .name
            .get(..7)
            .is_some_and(|start| start.eq_ignore_ascii_case("sqlite_"));
        reserved || self.kind == "shadow"
    }
}

/// A row of `sqlite_schema`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StatementRow {
    /// `table`, `view`, `index` or `trigger`.
    pub(super) kind: String,
    pub(super) name: String,
    /// The table it belongs to, as its own statement spells it.
    pub(super) table: String,
    /// The text; automatic indexes have none.
    pub(super) sql: Option<String>,
}

/// A row of `pragma_table_xinfo`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ColumnRow {
    pub(super) table: String,
    pub(super) name: String,
    pub(super) declared: String,
    pub(super) not_null: bool,
    pub(super) default: Option<String>,
    /// The place in the primary key, from 1; 0 outside of it.
    pub(super) key_place: i64,
    pub(super) hidden: i64,
}

/// A row of `pragma_index_xinfo` with its row of `pragma_index_list`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct IndexPartRow {
    pub(super) table: String,
    pub(super) index: String,
    pub(super) unique: bool,
    /// `c` by CREATE INDEX, `u` by UNIQUE, `pk` by PRIMARY KEY.
    pub(super) origin: String,
    pub(super) partial: bool,
    /// Absent for an expression.
    pub(super) column: Option<String>,
    pub(super) descending: bool,
    pub(super) collation: Option<String>,
}

/// A row of `pragma_foreign_key_list`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ForeignKeyRow {
    pub(super) table: String,
    /// Which foreign key of the table.
    pub(super) id: i64,
    pub(super) referenced_table: String,
    pub(super) column: String,
    /// Absent where the referenced table's primary key is meant.
    pub(super) referenced_column: Option<String>,
    pub(super) on_delete: String,
}
