//! From rows to a catalog. Pure.

use std::collections::BTreeMap;

use super::jobs::JobRows;
use super::keys::{self, Source};
use super::rows::{CatalogRows, ColumnRow, ForeignKeyRow, IndexPartRow, ObjectRow, StatementRow};
use super::statement::{ConstraintKind, TableText, names_in, read_table, tables_read, virtual_module};
use super::triggers::{self, Holdings};
use crate::catalog::{
    Ask, AskTable, Catalog, Found, Likeness, Lookalike, Namespace, Rights, Server, Sighting, Unseen, near, not_null,
};
use crate::dialect::Dialect;
use crate::dialect::sqlite::{Affinity, collation, native};
use crate::schema::{
    Aspect, Check, Column, Engine, ForeignKey, Generated, Identity, Kind, NotNullBy, ObjectPath, OnConflict, Table,
    Timing, Trigger,
};

/// Makes a catalog of what was read.
pub(super) fn assemble(rows: &CatalogRows, ask: &Ask, database: &str, jobs: Option<&JobRows>) -> Catalog {
    let file = FileRows::new(rows);
    let mut unseen = Vec::new();
    let sightings = ask
        .tables
        .iter()
        .map(|wanted| file.sighting(wanted, &mut unseen))
        .collect();
    let visible = rows.objects.iter().filter(|o| !o.is_internal()).count();
    Catalog {
        server: Server {
            dialect: Dialect::Sqlite,
            version: rows.version.clone(),
            database: database.to_owned(),
            role: None,
            settings: rows.settings.clone(),
            replica: false,
            remarks: Vec::new(),
            rights: Rights::default(),
        },
        namespace: Namespace {
            name: None,
            exists: true,
            visible_tables: visible as u64,
            alternatives: Vec::new(),
        },
        sightings: near::without_wanted(sightings),
        unseen,
        retention: jobs.map(super::jobs::assemble).unwrap_or_default(),
        data: BTreeMap::new(),
        queries: 0,
    }
}

/// The rows of a file by table. Names are keyed in lower case, since SQLite ignores the case of ASCII letters.
struct FileRows<'a> {
    objects: BTreeMap<String, &'a ObjectRow>,
    /// Objects by the letters and digits of their names, to find those that are nearly alike.
    by_stem: BTreeMap<String, Vec<&'a ObjectRow>>,
    statements: BTreeMap<String, Vec<&'a StatementRow>>,
    columns: BTreeMap<String, Vec<&'a ColumnRow>>,
    parts: BTreeMap<String, Vec<&'a IndexPartRow>>,
    foreign_keys: BTreeMap<String, Vec<&'a ForeignKeyRow>>,
    indexes: BTreeMap<String, &'a StatementRow>,
    /// What triggers may name.
    holdings: Holdings<'a>,
}

fn grouped<T>(rows: &[T], key: impl Fn(&T) -> String) -> BTreeMap<String, Vec<&T>> {
    let mut groups: BTreeMap<String, Vec<&T>> = BTreeMap::new();
    for row in rows {
        groups.entry(key(row)).or_default().push(row);
    }
    groups
}

fn folded(name: &str) -> String {
    name.to_ascii_lowercase()
}

impl<'a> FileRows<'a> {
    fn new(rows: &'a CatalogRows) -> Self {
        let indexes = rows.statements.iter().filter(|s| s.kind == "index");
        let mut holdings = Holdings::default();
        holdings
            .objects
            .extend(rows.objects.iter().map(|o| (folded(&o.name), o.name.as_str())));
        for column in &rows.columns {
            holdings.columns.entry(folded(&column.table)).or_default().push(column);
        }
        Self {
            holdings,
            objects: rows.objects.iter().map(|o| (folded(&o.name), o)).collect(),
            by_stem: grouped(&rows.objects, |o| near::stem(&o.name)),
            statements: grouped(&rows.statements, |s| folded(&s.table)),
            columns: grouped(&rows.columns, |c| folded(&c.table)),
            parts: grouped(&rows.index_parts, |p| folded(&p.table)),
            foreign_keys: grouped(&rows.foreign_keys, |f| folded(&f.table)),
            indexes: indexes.map(|s| (folded(&s.name), s)).collect(),
        }
    }

    fn sighting(&self, wanted: &AskTable, unseen: &mut Vec<Unseen>) -> Sighting {
        let object = self.objects.get(&folded(&wanted.name)).copied();
        let found = match object {
            Some(object) => Found::Object(Box::new(self.object(object, wanted, unseen))),
            None => Found::Nothing,
        };
        Sighting {
            wanted: wanted.name.clone(),
            found,
            lookalikes: self.lookalikes(&wanted.name),
            index_elsewhere: self.indexes_elsewhere(wanted),
            shadowed_by: None,
        }
    }

    fn lookalikes(&self, wanted: &str) -> Vec<Lookalike> {
        self.by_stem
            .get(&near::stem(wanted))
            .into_iter()
            .flatten()
            .filter(|o| !o.is_internal() && !o.name.eq_ignore_ascii_case(wanted))
            .map(|o| Lookalike {
                namespace: None,
                name: o.name.clone(),
                kind: match o.kind.as_str() {
                    "virtual" => "virtual table".to_owned(),
                    kind => kind.to_owned(),
                },
                likeness: if o.name.to_lowercase() == wanted.to_lowercase() {
                    Likeness::OtherCase
                } else {
                    Likeness::Near
                },
            })
            .collect()
    }

    /// Names of indexes are unique in a file, so an index of a wanted name on another table keeps the place.
    fn indexes_elsewhere(&self, wanted: &AskTable) -> Vec<(String, String)> {
        wanted
            .indexes
            .iter()
            .filter_map(|name| {
                let index = self.indexes.get(&folded(name))?;
                let elsewhere = !index.table.eq_ignore_ascii_case(&wanted.name);
                elsewhere.then(|| (name.clone(), index.table.clone()))
            })
            .collect()
    }

    fn object(&self, object: &ObjectRow, wanted: &AskTable, unseen: &mut Vec<Unseen>) -> Table {
        let key = folded(&object.name);
        let none = Vec::new();
        let statements = self.statements.get(&key).unwrap_or(&none);
        let sql = statements
            .iter()
            .find(|s| s.name.eq_ignore_ascii_case(&object.name) && (s.kind == "table" || s.kind == "view"))
            .and_then(|s| s.sql.as_deref());
        let mut table = Table::new(None, &object.name);
        self.put_triggers(&mut table, statements);
        match object.kind.as_str() {
            "table" => {
                table.engine = engine(object);
                self.put_columns_and_keys(&mut table, object, statements, sql, wanted, unseen);
            }
            "view" => table.kind = self.view(&table, sql.unwrap_or_default()),
            "virtual" => {
                let module = sql.and_then(|sql| virtual_module(sql).ok());
                table.kind = Kind::VirtualTable(module.unwrap_or_default());
            }
            "shadow" => table.kind = Kind::Other("inner table of a virtual table".to_owned()),
            other => table.kind = Kind::Other(other.to_owned()),
        }
        table.normalize();
        not_null::note(&mut table, Dialect::Sqlite.facts());
        table
    }

    fn view(&self, view: &Table, sql: &str) -> Kind {
        let known: Vec<&str> = self.objects.values().map(|o| o.name.as_str()).collect();
        let takes_inserts = |t: &Trigger| t.timing == Timing::InsteadOf && t.events.iter().any(|e| e == "INSERT");
        Kind::View {
            updatable: Some(view.triggers.iter().any(takes_inserts)),
            over: tables_read(sql, &known),
        }
    }

    fn put_triggers(&self, table: &mut Table, statements: &[&StatementRow]) {
        for row in statements.iter().filter(|s| s.kind == "trigger") {
            match triggers::judged(row, &self.holdings) {
                Some(trigger) => table.triggers.push(trigger),
                None => {
                    table.unseen.insert(Aspect::WritePath);
                }
            }
        }
    }

    fn put_columns_and_keys(
        &self,
        table: &mut Table,
        object: &ObjectRow,
        statements: &[&StatementRow],
        sql: Option<&str>,
        wanted: &AskTable,
        unseen: &mut Vec<Unseen>,
    ) {
        let key = folded(&object.name);
        let columns = self.columns.get(&key).map_or(&[][..], Vec::as_slice);
        let text = sql
            .and_then(|sql| read_table(sql).ok())
            .filter(|text| speaks_of(text, columns));
        let texts: Vec<(&str, &str)> = statements
            .iter()
            .filter(|s| s.kind == "index")
            .filter_map(|s| Some((s.name.as_str(), s.sql.as_deref()?)))
            .collect();
        let keys = keys::assemble(&Source {
            columns,
            parts: self.parts.get(&key).map_or(&[][..], Vec::as_slice),
            texts: &texts,
            table: text.as_ref(),
            without_rowid: object.without_rowid,
        });
        unseen.extend(keys.unread.iter().map(|index| {
            Unseen {
                object: ObjectPath::table(None, &wanted.name)
                    .index(index)
                    .aspect(Aspect::Definition),
                reason: "The text of the index was not understood.".to_owned(),
                help: "Compare its CREATE INDEX statement by hand.".to_owned(),
            }
        }));
        table.primary_key = keys.primary;
        table.indexes = keys.indexes;
        table.columns = columns.iter().map(|row| column(row, object, text.as_ref())).collect();
        self.put_foreign_keys(table, &key, text.as_ref());
        match &text {
            Some(text) => put_checks(table, text),
            None => table
                .unseen
                .extend([Aspect::Checks, Aspect::Collation, Aspect::Generation, Aspect::WritePath]),
        }
        if let Some(primary) = table.primary_key.as_ref().filter(|p| p.row_number) {
            for column in table.columns.iter_mut().filter(|c| primary.columns.contains(&c.name)) {
                column.nullable = false;
                column.not_null_by = Some(NotNullBy::RowNumber);
                column.identity = Some(Identity::Auto);
            }
        }
    }

    fn put_foreign_keys(&self, table: &mut Table, key: &str, text: Option<&TableText>) {
        let rows = self.foreign_keys.get(key).map_or(&[][..], Vec::as_slice);
        for (at, rows) in rows.chunk_by(|a, b| a.id == b.id).enumerate() {
            let columns: Vec<String> = rows.iter().map(|r| r.column.clone()).collect();
            let referenced = &rows[0].referenced_table;
            let name = text.and_then(|text| foreign_key_name(text, &columns, referenced));
            table.foreign_keys.push(ForeignKey {
                name: name.unwrap_or_else(|| format!("foreign key {}", at + 1)),
                partition: None,
                columns,
                referenced_table: referenced.clone(),
                referenced_columns: rows.iter().filter_map(|r| r.referenced_column.clone()).collect(),
                on_delete: rows[0].on_delete.clone(),
                // Each connection decides; the drivers of services switch enforcement on.
                enforced: true,
            });
        }
    }
}

/// Returns whether a text names the columns that the table has, so that it was read rightly.
fn speaks_of(text: &TableText, columns: &[&ColumnRow]) -> bool {
    text.columns.len() == columns.len()
        && text
            .columns
            .iter()
            .zip(columns)
            .all(|(text, row)| text.name.eq_ignore_ascii_case(&row.name))
}

fn engine(object: &ObjectRow) -> Option<Engine> {
    let words: Vec<&str> = [(object.strict, "STRICT"), (object.without_rowid, "WITHOUT ROWID")]
        .into_iter()
        .filter_map(|(is, word)| is.then_some(word))
        .collect();
    (!words.is_empty()).then(|| Engine {
        name: words.join(", "),
        transactional: true,
        durable: true,
        usual: false,
    })
}

fn column(row: &ColumnRow, object: &ObjectRow, text: Option<&TableText>) -> Column {
    let facts = Dialect::Sqlite.facts();
    let ty = native(&row.declared, object.strict);
    let all = text.map_or(&[][..], |t| &t.columns[..]);
    let names = || all.iter().map(|c| c.name.as_str()).collect::<Vec<_>>();
    let text = all.iter().find(|c| c.name.eq_ignore_ascii_case(&row.name));
    let written = text.and_then(|t| t.collation.as_deref());
    let default = row.default.as_deref().and_then(|sql| facts.default_expr(sql, &ty));
    Column {
        name: row.name.clone(),
        nullable: !row.not_null,
        not_null_by: None,
        not_null_unproved: None,
        default_text: row.default.clone().filter(|_| default.is_some()),
        default,
        generated: matches!(row.hidden, 2 | 3).then(|| {
            let sql = text.and_then(|t| t.generated.clone()).unwrap_or_default();
            Generated {
                reads: names_in(&sql, &names()),
                sql,
                stored: row.hidden == 3,
            }
        }),
        identity: None,
        on_update: None,
        collation: match written {
            Some(name) => Some(collation(name, true)),
            None => Affinity::of(&ty).keeps_text().then(|| collation("BINARY", false)),
        },
        invisible: row.hidden == 1,
        not_null_conflict: text.and_then(|t| t.not_null_conflict).and_then(silent_conflict),
        allowed_values: None,
        ty,
    }
}

/// Returns the conflict clauses after which a NULL is no error; the others only differ in how much is undone.
fn silent_conflict(conflict: OnConflict) -> Option<String> {
    match conflict {
        OnConflict::Ignore => Some("IGNORE".to_owned()),
        OnConflict::Replace => Some("REPLACE".to_owned()),
        OnConflict::Abort | OnConflict::Rollback | OnConflict::Fail => None,
    }
}

/// Puts the checks into the table.
fn put_checks(table: &mut Table, text: &TableText) {
    let names: Vec<String> = table.columns.iter().map(|c| c.name.clone()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut nameless = 0_usize;
    for constraint in &text.constraints {
        let ConstraintKind::Check(sql) = &constraint.kind else {
            continue;
        };
        let name = constraint.name.clone().unwrap_or_else(|| {
            nameless += 1;
            format!("check {nameless}")
        });
        table.checks.push(Check {
            name,
            sql: sql.clone(),
            columns: names_in(sql, &names),
            validated: true,
            enforced: true,
        });
    }
}

fn foreign_key_name(text: &TableText, columns: &[String], referenced: &str) -> Option<String> {
    let is_it = |kind: &ConstraintKind| match kind {
        ConstraintKind::ForeignKey(own, table) => {
            table.eq_ignore_ascii_case(referenced)
                && own.len() == columns.len()
                && own.iter().zip(columns).all(|(a, b)| a.eq_ignore_ascii_case(b))
        }
        _ => false,
    };
    text.constraints
        .iter()
        .find(|c| is_it(&c.kind))
        .and_then(|c| c.name.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Limits;

    fn rows(table: &str, index: &str) -> CatalogRows {
        let statement = |kind: &str, name: &str, sql: &str| StatementRow {
            kind: kind.to_owned(),
            name: name.to_owned(),
            table: "t".to_owned(),
            sql: Some(sql.to_owned()),
        };
        CatalogRows {
            objects: vec![ObjectRow {
                name: "t".to_owned(),
                kind: "table".to_owned(),
                without_rowid: false,
                strict: false,
            }],
            statements: vec![statement("table", "t", table), statement("index", "i", index)],
            columns: vec![ColumnRow {
                table: "t".to_owned(),
                name: "a".to_owned(),
                declared: "TEXT".to_owned(),
                not_null: true,
                default: None,
                key_place: 0,
                hidden: 0,
            }],
            index_parts: vec![IndexPartRow {
                table: "t".to_owned(),
                index: "i".to_owned(),
                unique: true,
                origin: "c".to_owned(),
                partial: true,
                column: Some("a".to_owned()),
                descending: false,
                collation: Some("BINARY".to_owned()),
            }],
            ..CatalogRows::default()
        }
    }

    fn catalog(rows: &CatalogRows) -> Catalog {
        let ask = Ask {
            namespace: None,
            tables: vec![AskTable {
                name: "T".to_owned(),
                indexes: Vec::new(),
            }],
            limits: Limits::default(),
        };
        assemble(rows, &ask, "ledger.db", None)
    }

    fn table(catalog: &Catalog) -> &Table {
        match &catalog.sightings[0].found {
            Found::Object(table) => table,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_table_text_that_is_not_understood_leaves_its_facts_unseen() {
        let good = "CREATE TABLE t (a TEXT NOT NULL)";
        let index = "CREATE UNIQUE INDEX i ON t (a) WHERE a <> ''";
        assert!(table(&catalog(&rows(good, index))).unseen.is_empty());
        for bad in [
            "CREATE TABLE t (a TEXT FANCY 1)",
            "CREATE TABLE t (other TEXT)",
            "CREATE TABLE t (a, b)",
            "",
        ] {
            let catalog = catalog(&rows(bad, index));
            for aspect in [Aspect::Checks, Aspect::Collation, Aspect::Generation, Aspect::WritePath] {
                assert!(!table(&catalog).sees(aspect), "{bad}: {aspect:?}");
            }
            assert_eq!(table(&catalog).columns.len(), 1, "the pragmas still name the columns");
        }
    }

    #[test]
    fn a_partial_index_stays_partial_when_its_text_is_not_understood() {
        let catalog = catalog(&rows(
            "CREATE TABLE t (a TEXT NOT NULL)",
            "CREATE FANCY INDEX i ON t (a)",
        ));
        assert!(table(&catalog).indexes[0].predicate.is_some());
        let object = &catalog.unseen[0].object;
        assert_eq!(
            (object.dotted().raw(), object.aspect),
            ("T.i", Some(Aspect::Definition))
        );
    }

    #[test]
    fn a_trigger_that_is_not_understood_leaves_the_write_path_unseen() {
        let mut rows = rows("CREATE TABLE t (a TEXT NOT NULL)", "CREATE INDEX i ON t (a) WHERE a");
        rows.statements.push(StatementRow {
            kind: "trigger".to_owned(),
            name: "tr".to_owned(),
            table: "T".to_owned(),
            sql: Some("CREATE TRIGGER tr SOMETIMES".to_owned()),
        });
        assert!(!table(&catalog(&rows)).sees(Aspect::WritePath));
    }
}
