//! Both sides of a table in one text form, for a diff that people read.
//!
//! Each side prints only facts that the spec speaks of. A fact that it is silent about, or leaves open, is printed
//! as the database has it on both sides, so that it makes no difference.

use crate::catalog::Found;
use crate::compare::{ColumnPair, IndexPair, Standing, TablePair};
use crate::dialect::{Dialect, Facts};
use crate::schema::{Column, DataType, Index, IndexState, Kind, NativeType, Table};
use crate::spec::{ColumnSpec, DefaultSpec, IndexSpec, KeyExprSpec, Wanted};
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
    fn push(&mut self, desired: Option<String>, observed: Option<String>) {
        for (side, line) in [(&mut self.desired, desired), (&mut self.observed, observed)] {
            if let Some(line) = line {
                side.push_str(&Terminal(&line).to_string());
                side.push('\n');
            }
        }
    }
}

/// What stands behind a fact that the spec leaves open.
const OPEN: &str = " (open)";

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
        for column in &self.pair.columns {
            match column {
                ColumnPair::Both { desired, observed } => {
                    let found = self.observed_column(desired, observed);
                    if desired.confirmed {
                        sides.push(
                            Some(wanted_column(desired, Some((observed, &found)), self.dialect)),
                            Some(found.line(observed)),
                        );
                    } else {
                        let line = format!("{}{OPEN}", found.line(observed));
                        sides.push(Some(line.clone()), Some(line));
                    }
                }
                ColumnPair::Missing { desired, .. } if desired.confirmed => {
                    sides.push(Some(wanted_column(desired, None, self.dialect)), None);
                }
                ColumnPair::Missing { .. } | ColumnPair::Unseen { .. } => {}
                ColumnPair::Extra { observed } => {
                    let found = ColumnWords::of(observed);
                    sides.push(None, Some(found.line(observed)));
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
            words.ty = spell(&wanted.data);
        }
        if let Some(default) = desired.default.value.stated()
            && self.same_default(default, observed)
        {
            words.default = default_words(default);
        }
        words
    }

    fn same_default(&self, wanted: &DefaultSpec, observed: &Column) -> bool {
        normal_default(wanted, &observed.ty, self.facts) == observed.default
    }

    fn primary_key(&self, sides: &mut Canonical) {
        let found = self.table.primary_key.as_ref().map(|key| primary_key(&key.columns));
        let wanted = match &self.pair.desired.primary_key.value {
            Wanted::Silent => found.clone(),
            Wanted::Unconfirmed(_) => {
                let open = found.map(|line| format!("{line}{OPEN}"));
                return sides.push(open.clone(), open);
            }
            Wanted::Is(columns) => Some(primary_key(columns)),
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
                && !self.pair.indexes.iter().any(|p| p.named.is_some_and(|n| std::ptr::eq(n, *index)))
                && !index.primary
                && !stand_ins.iter().any(|used| std::ptr::eq(*used, *index))
            {
                stand_ins.push(index);
            }
            let found = named.map(|index| observed_index(index, Some(desired), self.facts));
            if desired.confirmed {
                sides.push(Some(wanted_index(desired, *named, self.facts)), found);
            } else {
                let open = found.map(|line| format!("{line}{OPEN}"));
                sides.push(open.clone(), open);
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
            if wanted.confirmed {
                sides.push(Some(line(&wanted.sql.value)), found);
            } else {
                let open = found.map(|line| format!("{line}{OPEN}"));
                sides.push(open.clone(), open);
            }
        }
        for check in self.table.checks.iter().filter(|c| !used.contains(&c.name.as_str())) {
            sides.push(None, Some(format!("  check {} ({})", check.name, check.sql)));
        }
    }
}

/// The parts of a column's line.
#[derive(Clone, Debug)]
struct ColumnWords {
    ty: String,
    nullable: String,
    default: String,
    rest: String,
}

impl ColumnWords {
    /// Writes a column as the database has it.
    fn of(observed: &Column) -> Self {
        let default = match (&observed.default_text, &observed.default) {
            (_, None) => String::new(),
            (Some(text), Some(_)) => format!(" default {text}"),
            (None, Some(expr)) => format!(" default {expr}"),
        };
        let mut rest = String::new();
        if let Some(identity) = observed.identity {
            rest.push_str(identity_words(identity));
        }
        if let Some(generated) = &observed.generated {
            let stored = if generated.stored { " stored" } else { "" };
            rest.push_str(&format!(" generated ({}){stored}", generated.sql));
        }
        Self {
            ty: observed.ty.spelling.clone(),
            nullable: nullable_words(observed.nullable).to_owned(),
            default,
            rest,
        }
    }

    fn line(&self, column: &Column) -> String {
        format!(
            "  {} {}{}{}{}",
            column.name, self.ty, self.nullable, self.default, self.rest
        )
    }
}

fn nullable_words(nullable: bool) -> &'static str {
    if nullable { " null" } else { " not null" }
}

fn identity_words(identity: crate::schema::Identity) -> &'static str {
    use crate::schema::Identity;
    match identity {
        Identity::Always => " generated always as identity",
        Identity::ByDefault => " generated by default as identity",
        Identity::Auto => " numbered by the server",
    }
}

fn default_words(default: &DefaultSpec) -> String {
    match default {
        DefaultSpec::None => String::new(),
        stated @ (DefaultSpec::Value(_) | DefaultSpec::Sql(_)) => format!(" default {}", stated.print()),
    }
}

fn spell(data: &DataType) -> String {
    data.to_string()
}

/// Brings a wanted default to the form that a catalog's defaults have.
fn normal_default(wanted: &DefaultSpec, ty: &NativeType, facts: &dyn Facts) -> Option<crate::schema::DefaultExpr> {
    match wanted {
        DefaultSpec::None => None,
        DefaultSpec::Value(literal) => Some(crate::schema::DefaultExpr::Literal(facts.literal(literal, ty))),
        DefaultSpec::Sql(sql) => facts.default_expr(sql, ty),
    }
}

/// Writes a wanted column. What the spec does not state is taken from the observed one.
fn wanted_column(desired: &ColumnSpec, observed: Option<(&Column, &ColumnWords)>, dialect: Dialect) -> String {
    let found = |part: fn(&ColumnWords) -> &String| observed.map(|(_, words)| part(words).clone()).unwrap_or_default();
    let ty = match desired.ty.value.stated().and_then(|ty| ty.on(dialect)) {
        Some(wanted) => spell(&wanted.data),
        None => found(|words| &words.ty),
    };
    let nullable = match desired.nullable.value.stated() {
        Some(nullable) => nullable_words(*nullable).to_owned(),
        None => found(|words| &words.nullable),
    };
    let default = match desired.default.value.stated() {
        Some(default) => default_words(default),
        None => found(|words| &words.default),
    };
    let name = observed.map_or(desired.name.value.as_str(), |(column, _)| column.name.as_str());
    let mut line = format!("  {name} {ty}{nullable}{default}");
    line.push_str(&wanted_numbering(desired, observed, dialect));
    line
}

/// Writes how the server fills a column: silence about numbering means that there is none.
fn wanted_numbering(desired: &ColumnSpec, observed: Option<(&Column, &ColumnWords)>, dialect: Dialect) -> String {
    let mut words = String::new();
    let there = observed.map(|(column, _)| column);
    match &desired.identity.value {
        Wanted::Silent => {}
        Wanted::Is(identity) => words.push_str(identity_words(*identity)),
        Wanted::Unconfirmed(_) => words.extend(there.and_then(|c| c.identity).map(identity_words)),
    }
    let generated = there.and_then(|c| c.generated.as_ref());
    let stored = if generated.is_some_and(|g| g.stored) {
        " stored"
    } else {
        ""
    };
    let facts = dialect.facts();
    match (&desired.generated.value, generated) {
        (Wanted::Is(sql), Some(found)) if facts.expression(sql) == facts.expression(&found.sql) => {
            words.push_str(&format!(" generated ({}){stored}", found.sql));
        }
        (Wanted::Is(sql), _) => words.push_str(&format!(" generated ({sql}){stored}")),
        (Wanted::Unconfirmed(_), Some(found)) => words.push_str(&format!(" generated ({}){stored}", found.sql)),
        (Wanted::Silent | Wanted::Unconfirmed(_), _) => {}
    }
    words
}

/// Writes a wanted index. What the spec does not state is taken from the observed one.
fn wanted_index(desired: &IndexSpec, observed: Option<&Index>, facts: &dyn Facts) -> String {
    let found_parts = observed.map(|index| index.key.as_slice()).unwrap_or_default();
    let parts = desired.key.value.iter().enumerate().map(|(i, part)| {
        let descending = part.descending.or_else(|| found_parts.get(i).map(|p| p.descending));
        let text = match &part.expr {
            KeyExprSpec::Column(name) => name.clone(),
            KeyExprSpec::Sql(sql) => sql.clone(),
        };
        key_part(&text, descending.unwrap_or(false))
    });
    let include = match (&desired.include, observed) {
        (Some(wanted), _) => wanted.value.clone(),
        (None, Some(index)) => index.include.clone(),
        (None, None) => Vec::new(),
    };
    let distinct = match (&desired.nulls_distinct, observed) {
        (Some(wanted), _) => wanted.value,
        (None, Some(index)) => !index.nulls_not_distinct,
        (None, None) => true,
    };
    let name = observed.map_or_else(|| facts.stored_name(&desired.name.value), |index| index.name.as_str());
    let line = IndexLine {
        unique: desired.unique.value,
        name,
        parts: parts.collect(),
        include: &include,
        distinct,
        predicate: desired.predicate.as_ref().map(|p| p.value.as_str()),
        remarks: String::new(),
    };
    line.write()
}

/// Writes an observed index in the words of the wanted one where both mean the same.
fn observed_index(index: &Index, desired: Option<&IndexSpec>, facts: &dyn Facts) -> String {
    let parts = index.key.iter().enumerate().map(|(i, part)| {
        let wanted = desired.and_then(|d| d.key.value.get(i)).map(|p| &p.expr);
        let text = match (&part.expr, wanted) {
            (crate::schema::KeyExpr::Column(found), Some(KeyExprSpec::Column(name)))
                if facts.same_name(name, found) =>
            {
                name.clone()
            }
            (crate::schema::KeyExpr::Column(found), _) => found.clone(),
            (crate::schema::KeyExpr::Expression { sql, .. }, Some(KeyExprSpec::Sql(wanted)))
                if facts.expression(sql) == facts.expression(wanted) =>
            {
                wanted.clone()
            }
            (crate::schema::KeyExpr::Expression { sql, .. }, _) => sql.clone(),
        };
        let text = match part.prefix {
            Some(prefix) => format!("{text}({prefix})"),
            None => text,
        };
        key_part(&text, part.descending)
    });
    let wanted = desired.and_then(|d| d.predicate.as_ref()).map(|p| p.value.as_str());
    let predicate = match (index.predicate.as_deref(), wanted) {
        (Some(found), Some(wanted)) if facts.expression(found) == facts.expression(wanted) => Some(wanted),
        (found, _) => found,
    };
    let mut remarks = String::new();
    match &index.state {
        IndexState::Valid => {}
        IndexState::Invalid { reason } => remarks.push_str(&format!(" invalid: {reason}")),
        IndexState::Building => remarks.push_str(" being built"),
    }
    if index.ignored {
        remarks.push_str(" ignored");
    }
    let line = IndexLine {
        unique: index.unique,
        name: &index.name,
        parts: parts.collect(),
        include: &index.include,
        distinct: !index.nulls_not_distinct,
        predicate,
        remarks,
    };
    line.write()
}

fn key_part(text: &str, descending: bool) -> String {
    format!("{text}{}", if descending { " desc" } else { "" })
}

/// The parts of an index's line.
struct IndexLine<'a> {
    unique: bool,
    name: &'a str,
    parts: Vec<String>,
    include: &'a [String],
    distinct: bool,
    predicate: Option<&'a str>,
    remarks: String,
}

impl IndexLine<'_> {
    fn write(&self) -> String {
        let unique = if self.unique { "unique " } else { "" };
        let mut line = format!("  {unique}index {} ({})", self.name, self.parts.join(", "));
        if !self.include.is_empty() {
            line.push_str(&format!(" include ({})", self.include.join(", ")));
        }
        if !self.distinct {
            line.push_str(" nulls not distinct");
        }
        if let Some(predicate) = self.predicate {
            line.push_str(&format!(" where {predicate}"));
        }
        line.push_str(&self.remarks);
        line
    }
}
