//! The walk over a table's facts.

use super::column::{ColumnWords, Seen, default_words, normal_default, wanted_column};
use super::index::{observed_index, wanted_index};
use crate::catalog::Found;
use crate::compare::{ColumnPair, IndexPair, Standing, TablePair};
use crate::dialect::{Dialect, Facts};
use crate::schema::{Aspect, Column, Index, Kind, Table};
use crate::spec::{ColumnSpec, Wanted};
use crate::text::Terminal;

/// The two sides of one table, line by line. Every line is safe on a terminal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Canonical {
    /// What the spec wants.
    pub desired: String,
    /// What the database has.
    pub observed: String,
}

impl Canonical {
    /// Writes a line that the spec leaves open: the same on both sides.
    fn push_open(&mut self, found: Option<String>) {
        let line = found.map(|line| format!("{line} (open)"));
        self.push(line.clone(), line);
    }

    fn push(&mut self, desired: Option<String>, observed: Option<String>) {
        for (side, line) in [(&mut self.desired, desired), (&mut self.observed, observed)] {
            if let Some(line) = line {
                side.push_str(&Terminal(&line).to_string());
                side.push('\n');
            }
        }
    }
}

/// Writes both sides of a table pair. A table that could not be seen has two equal sides: nothing is known of it.
pub fn canonical(pair: &TablePair<'_>, dialect: Dialect) -> Canonical {
    let mut sides = Canonical::default();
    let name = pair.path.dotted();
    let title = format!("table {}", name.raw());
    let Some(table) = pair.table else {
        let there = match &pair.sighting.found {
            Found::Hidden { .. } => return sides,
            Found::Nothing => None,
            Found::Object(other) => Some(format!("{} {}", kind(&other.kind), name.raw())),
        };
        if pair.desired.confirmed {
            sides.push(Some(title), there);
            push_desired(&mut sides, pair, dialect);
        }
        return sides;
    };
    sides.push(Some(title.clone()), Some(title));
    let writer = Writer {
        pair,
        table,
        dialect,
        facts: dialect.facts(),
    };
    let mut lines = Canonical::default();
    writer.columns(&mut lines);
    writer.primary_key(&mut lines);
    writer.indexes(&mut lines);
    writer.checks(&mut lines);
    if pair.desired.confirmed {
        sides.desired.push_str(&lines.desired);
    } else {
        sides.desired.push_str(&lines.observed);
    }
    sides.observed.push_str(&lines.observed);
    sides
}

/// Writes the wanted side of a table that is not there.
fn push_desired(sides: &mut Canonical, pair: &TablePair<'_>, dialect: Dialect) {
    for column in pair.desired.columns.iter().filter(|c| c.confirmed) {
        sides.push(Some(wanted_column(column, None, dialect)), None);
    }
    if let Some(key) = pair.desired.primary_key.value.stated() {
        sides.push(Some(primary_key(key)), None);
    }
    for index in pair.desired.indexes.iter().filter(|i| i.confirmed) {
        sides.push(Some(wanted_index(index, None, dialect.facts())), None);
    }
    for check in pair.desired.checks.iter().filter(|c| c.confirmed) {
        sides.push(
            Some(format!("  check {} ({})", check.name.value, check.sql.value)),
            None,
        );
    }
}

fn kind(kind: &Kind) -> String {
    match kind {
        Kind::Table | Kind::SystemVersioned => "table".to_owned(),
        Kind::View { .. } => "view".to_owned(),
        Kind::MaterializedView => "materialized view".to_owned(),
        Kind::ForeignTable => "foreign table".to_owned(),
        Kind::VirtualTable(module) => format!("virtual table ({module})"),
        Kind::Other(words) => words.clone(),
    }
}

fn primary_key(columns: &[String]) -> String {
    format!("  primary key ({})", columns.join(", "))
}

/// Writes the facts of one table that is there.
struct Writer<'a> {
    pair: &'a TablePair<'a>,
    table: &'a Table,
    dialect: Dialect,
    facts: &'static dyn Facts,
}

impl Writer<'_> {
    fn columns(&self, sides: &mut Canonical) {
        let sees = |aspect| self.table.sees(aspect);
        for pair in &self.pair.columns {
            match pair {
                ColumnPair::Both { desired, observed } => {
                    let words = self.observed_column(desired, observed);
                    let found = words.line(observed);
                    if desired.confirmed {
                        let seen = Seen {
                            column: observed,
                            words: &words,
                            sees: &sees,
                        };
                        sides.push(Some(wanted_column(desired, Some(seen), self.dialect)), Some(found));
                    } else {
                        sides.push_open(Some(found));
                    }
                }
                ColumnPair::Missing { desired, .. } if desired.confirmed => {
                    sides.push(Some(wanted_column(desired, None, self.dialect)), None);
                }
                ColumnPair::Missing { .. } | ColumnPair::Unseen { .. } => {}
                ColumnPair::Extra { observed } => {
                    sides.push(None, Some(ColumnWords::of(observed).line(observed)));
                }
            }
        }
    }

    /// Writes an observed column in the words of the spec where both mean the same.
    fn observed_column(&self, desired: &ColumnSpec, observed: &Column) -> ColumnWords {
        let mut words = ColumnWords::of(observed);
        let wanted = desired.ty.value.stated().and_then(|ty| ty.on(self.dialect));
        if let Some(wanted) = wanted
            && self.facts.fit(&wanted, observed).is_empty()
        {
            words.ty = wanted.data.to_string();
        }
        if let Some(default) = desired.default.value.stated()
            && normal_default(default, &observed.ty, self.facts) == observed.default
        {
            words.default = default_words(default);
        }
        words
    }

    fn primary_key(&self, sides: &mut Canonical) {
        let found = self.table.primary_key.as_ref().map(|key| primary_key(&key.columns));
        let wanted = match &self.pair.desired.primary_key.value {
            Wanted::Is(_) if !self.table.sees(Aspect::PrimaryKey) => return,
            Wanted::Is(columns) => Some(primary_key(columns)),
            Wanted::Silent => found.clone(),
            Wanted::Unconfirmed(_) => return sides.push_open(found),
        };
        let same = match (self.pair.desired.primary_key.value.stated(), &self.table.primary_key) {
            (Some(wanted), Some(found)) => self.same_names(wanted, &found.columns),
            _ => false,
        };
        let found = if same { wanted.clone() } else { found };
        sides.push(wanted, found);
    }

    fn same_names(&self, wanted: &[String], found: &[String]) -> bool {
        wanted.len() == found.len() && wanted.iter().zip(found).all(|(w, f)| self.facts.same_name(w, f))
    }

    fn indexes(&self, sides: &mut Canonical) {
        let mut stand_ins: Vec<&Index> = Vec::new();
        for IndexPair {
            desired,
            named,
            standing,
        } in &self.pair.indexes
        {
            if let Standing::Nearest { index, .. } | Standing::Other { index, .. } = standing
                && !self
                    .pair
                    .indexes
                    .iter()
                    .any(|p| p.named.is_some_and(|n| std::ptr::eq(n, *index)))
                && !index.primary
                && !stand_ins.iter().any(|used| std::ptr::eq(*used, *index))
            {
                stand_ins.push(index);
            }
            let found = named.map(|index| observed_index(index, Some(desired), self.facts));
            if !desired.confirmed {
                sides.push_open(found);
            } else if self.table.sees(Aspect::Indexes) && self.table.sees(Aspect::Definition) {
                sides.push(Some(wanted_index(desired, *named, self.facts)), found);
            } else {
                sides.push(found.clone(), found);
            }
        }
        for index in stand_ins.iter().chain(&self.pair.extra_indexes) {
            sides.push(None, Some(observed_index(index, None, self.facts)));
        }
    }

    fn checks(&self, sides: &mut Canonical) {
        let mut used = Vec::new();
        for wanted in &self.pair.desired.checks {
            let found = self
                .table
                .checks
                .iter()
                .find(|c| self.facts.same_name(&c.name, &wanted.name.value));
            used.extend(found.map(|check| check.name.as_str()));
            let line = |sql: &str| format!("  check {} ({sql})", wanted.name.value);
            let found = found.map(|check| {
                let same = self.facts.expression(&check.sql) == self.facts.expression(&wanted.sql.value);
                let state = match (check.enforced, check.validated) {
                    (false, _) => " not enforced",
                    (true, false) => " not validated",
                    (true, true) => "",
                };
                format!("{}{state}", line(if same { &wanted.sql.value } else { &check.sql }))
            });
            if !wanted.confirmed {
                sides.push_open(found);
            } else if self.table.sees(Aspect::Checks) {
                sides.push(Some(line(&wanted.sql.value)), found);
            } else {
                sides.push(found.clone(), found);
            }
        }
        for check in self.table.checks.iter().filter(|c| !used.contains(&c.name.as_str())) {
            sides.push(None, Some(format!("  check {} ({})", check.name, check.sql)));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::catalog::Sighting;
    use crate::compare::pair::pair_table;
    use crate::schema::{DataType, DefaultExpr, Index, KeyPart, Literal, NativeType, PrimaryKey};
    use crate::spec::{At, DefaultSpec, IndexSpec, KeyExprSpec, KeyPartSpec, Position, TableSpec, TypeSpec};

    const AT: Position = Position {
        line: 1,
        column: 1,
        length: 1,
    };

    fn at<T>(value: T) -> At<T> {
        At::new(value, AT)
    }

    fn wanted(name: &str, ty: &str) -> ColumnSpec {
        ColumnSpec {
            name: at(name.to_owned()),
            confirmed: true,
            ty: at(Wanted::Is(TypeSpec {
                any: Some(ty.parse().unwrap()),
                pins: BTreeMap::new(),
            })),
            nullable: at(Wanted::Is(false)),
            default: at(Wanted::Silent),
            identity: at(Wanted::Silent),
            generated: at(Wanted::Silent),
            collation: at(Wanted::Silent),
            compare: at(Wanted::Silent),
            values: at(Wanted::Silent),
        }
    }

    fn observed(name: &str, ty: &str) -> Column {
        Column::plain(name, NativeType::plain(ty.parse::<DataType>().unwrap()))
    }

    fn table_spec(columns: Vec<ColumnSpec>) -> TableSpec {
        TableSpec {
            name: at("Events".to_owned()),
            confirmed: true,
            role: crate::spec::Role::Ledger,
            status: crate::spec::Status::Implemented,
            columns_at: AT,
            columns,
            primary_key: at(Wanted::Is(vec!["Id".to_owned()])),
            indexes_at: AT,
            indexes: Vec::new(),
            checks: Vec::new(),
            ledger: None,
            retention: None,
        }
    }

    fn table(columns: Vec<Column>) -> Table {
        let mut table = Table::new(Some("public"), "Events");
        table.columns = columns;
        table.primary_key = Some(PrimaryKey {
            name: None,
            columns: vec!["Id".to_owned()],
            row_number: false,
        });
        table
    }

    fn index(name: &str, column: &str, unique: bool) -> Index {
        Index {
            unique,
            key: vec![KeyPart::column(column)],
            ..Index::plain(name)
        }
    }

    fn wanted_unique(name: &str, column: &str) -> IndexSpec {
        IndexSpec {
            name: at(name.to_owned()),
            confirmed: true,
            key: at(vec![KeyPartSpec {
                expr: KeyExprSpec::Column(column.to_owned()),
                descending: None,
            }]),
            unique: at(true),
            predicate: None,
            include: None,
            nulls_distinct: None,
        }
    }

    /// Pairs by name, as the walk over a whole catalog does.
    fn sides(desired: &TableSpec, found: Option<&Table>) -> Canonical {
        let sighting = Sighting {
            wanted: desired.name.value.clone(),
            found: found.map_or(Found::Nothing, |table| Found::Object(Box::new(table.clone()))),
            lookalikes: Vec::new(),
            index_elsewhere: Vec::new(),
            shadowed_by: None,
        };
        let pair = pair_table(desired, &sighting, Some("public"), Dialect::Postgres.facts());
        canonical(&pair, Dialect::Postgres)
    }

    #[test]
    fn a_fact_that_the_spec_is_silent_about_makes_no_difference() {
        let mut found = observed("Id", "uuid");
        found.default = Some(DefaultExpr::FreshUuid);
        found.default_text = Some("gen_random_uuid()".to_owned());
        let sides = sides(&table_spec(vec![wanted("Id", "uuid")]), Some(&table(vec![found])));
        assert_eq!(sides.desired, sides.observed);
        assert_eq!(
            sides.desired,
            "table public.Events\n  Id uuid not null default gen_random_uuid()\n  primary key (Id)\n"
        );
    }

    #[test]
    fn a_default_is_compared_by_value_and_printed_in_the_words_of_the_spec() {
        let mut spec = wanted("Outcome", "varchar(40)");
        spec.default = at(Wanted::Is(DefaultSpec::Value(Literal::Text("Processed".to_owned()))));
        let mut found = observed("Outcome", "varchar(40)");
        found.default = Some(DefaultExpr::Literal(Literal::Text("Processed".to_owned())));
        found.default_text = Some("'Processed'::character varying".to_owned());
        let same = sides(&table_spec(vec![spec.clone()]), Some(&table(vec![found.clone()])));
        assert_eq!(same.desired, same.observed);
        assert!(
            same.desired
                .contains("  Outcome varchar(40) not null default 'Processed'\n")
        );

        found.default = None;
        found.nullable = true;
        let other = sides(&table_spec(vec![spec]), Some(&table(vec![found])));
        assert!(
            other
                .desired
                .contains("  Outcome varchar(40) not null default 'Processed'\n")
        );
        assert!(other.observed.contains("  Outcome varchar(40) null\n"));
    }

    #[test]
    fn an_open_fact_makes_no_difference() {
        let mut spec = wanted("SourceService", "varchar(120)");
        spec.nullable = at(Wanted::Unconfirmed(Some(true)));
        let same = sides(
            &table_spec(vec![spec]),
            Some(&table(vec![observed("SourceService", "varchar(120)")])),
        );
        assert_eq!(same.desired, same.observed);
    }

    #[test]
    fn extra_columns_and_missing_ones_are_on_one_side() {
        let spec = table_spec(vec![wanted("Id", "uuid"), wanted("EventId", "uuid")]);
        let sides = sides(
            &spec,
            Some(&table(vec![observed("Id", "uuid"), observed("Note", "text")])),
        );
        assert!(sides.desired.contains("  EventId uuid not null\n") && !sides.observed.contains("EventId"));
        assert!(sides.observed.contains("  Note text not null\n") && !sides.desired.contains("Note"));
    }

    #[test]
    fn an_index_differs_in_what_the_spec_says_of_it() {
        let mut spec = table_spec(vec![wanted("Id", "uuid")]);
        spec.indexes = vec![wanted_unique("UX", "Id")];
        let mut found = table(vec![observed("Id", "uuid")]);
        let mut there = index("UX", "Id", true);
        there.include = vec!["Note".to_owned()];
        found.indexes = vec![there];
        let same = sides(&spec, Some(&found));
        assert_eq!(same.desired, same.observed);

        found.indexes[0].unique = false;
        let other = sides(&spec, Some(&found));
        assert!(other.desired.contains("  unique index UX (Id) include (Note)\n"));
        assert!(other.observed.contains("  index UX (Id) include (Note)\n"));
    }

    #[test]
    fn facts_that_could_not_be_seen_make_no_difference() {
        let mut spec = table_spec(vec![wanted("Id", "uuid")]);
        spec.indexes = vec![wanted_unique("UX", "Id")];
        let mut found = table(vec![observed("Id", "uuid")]);
        found.primary_key = None;
        found.columns[0].nullable = true;
        found.unseen = [Aspect::Indexes, Aspect::PrimaryKey, Aspect::Nullability].into();
        let sides = sides(&spec, Some(&found));
        assert_eq!(sides.desired, sides.observed);
    }

    #[test]
    fn a_missing_table_has_an_empty_side() {
        let spec = table_spec(vec![wanted("Id", "uuid")]);
        let missing = sides(&spec, None);
        assert_eq!(missing.observed, "");
        assert_eq!(
            missing.desired,
            "table public.Events\n  Id uuid not null\n  primary key (Id)\n"
        );
    }

    #[test]
    fn a_hostile_name_stays_on_its_line() {
        let found = table(vec![observed("Id", "uuid"), observed("x\n+ evil\u{1b}[31m", "text")]);
        let sides = sides(&table_spec(vec![wanted("Id", "uuid")]), Some(&found));
        assert!(
            sides.observed.contains("  x\\n+ evil\\u{1b}[31m text not null\n"),
            "{}",
            sides.observed
        );
    }
}
