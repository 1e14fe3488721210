//! Judges a draft by the rules that will judge it, and opens what they would report.

use std::collections::BTreeSet;

use super::ledger;
use super::sheet::{Sheet, open};
use super::table;
use crate::catalog::{Catalog, Found};
use crate::compare;
use crate::finding::{Finding, Severity};
use crate::rules;
use crate::schema::{Aspect, Part, Table};
use crate::spec::{Problem, Spec, Spot, parse, print_remarked};
use crate::text::Terminal;

/// A finished draft.
#[derive(Clone, Debug)]
pub struct Draft {
    /// The file.
    pub yaml: String,
    /// What it says.
    pub spec: Spec,
    /// What a check will say of the database all the same: flaws that are no facts of a spec.
    pub flaws: Vec<Finding>,
    /// Tables that no spec can ask for, as they have no columns or are no tables.
    pub left_out: Vec<String>,
}

/// Drafts a spec of the tables that a catalog holds.
///
/// # Errors
///
/// The problems of the draft as a spec: more tables than one file may hold, for instance.
pub fn draft(service: &str, catalog: &Catalog) -> Result<Draft, Vec<Problem>> {
    let mut sheet = Sheet::new(service);
    let unseen = unseen_of_all(catalog);
    let mut left_out = Vec::new();
    for table in tables(catalog) {
        if !table::add(&mut sheet, table, &unseen) {
            left_out.push(table.name.clone());
        }
    }
    let head = head(catalog, &unseen);
    loop {
        let yaml = format!("{head}{}", print_remarked(&sheet.spec, &sheet.remarks));
        let spec = parse("draft.yaml", &yaml)?;
        let verdict = rules::check(&compare::pair(&spec, catalog), service);
        let flaws: Vec<Finding> = verdict
            .findings
            .into_iter()
            .filter(|f| f.severity > Severity::Info)
            .collect();
        // Each finding opens a fact of its own, and there are only so many: this comes to an end.
        let opened = flaws.iter().filter(|finding| settle(&mut sheet, finding)).count();
        if opened == 0 {
            return Ok(Draft {
                yaml,
                spec,
                flaws,
                left_out,
            });
        }
    }
}

fn tables(catalog: &Catalog) -> impl Iterator<Item = &Table> {
    catalog.sightings.iter().filter_map(|sighting| match &sighting.found {
        Found::Object(table) => Some(&**table),
        _ => None,
    })
}

/// Returns what the role does not see of any table.
fn unseen_of_all(catalog: &Catalog) -> BTreeSet<Aspect> {
    let each = tables(catalog).map(|table| table.unseen.clone());
    each.reduce(|all, one| &all & &one).unwrap_or_default()
}

fn head(catalog: &Catalog, unseen: &BTreeSet<Aspect>) -> String {
    let server = &catalog.server;
    let place = match &catalog.namespace.name {
        Some(name) if *name != server.database => format!("{}.{name}", server.database),
        _ => server.database.clone(),
    };
    let unseen = match unseen.is_empty() {
        true => String::new(),
        false => {
            let unseen: Vec<&str> = unseen.iter().map(|aspect| aspect.as_str()).collect();
            format!("# Not seen by the role that pulled this: {}.\n", unseen.join(", "))
        }
    };
    format!(
        "# A draft of what {} holds ({} {}), made by `seadrift spec pull`: it says what is there, not what must be.\n\
         # Read it against the service's documents. What is unconfirmed is listed and never fails.\n{unseen}",
        Terminal(&place),
        server.dialect.title(),
        Terminal(&server.version)
    )
}

/// Opens what a finding is about; tells whether that changed anything.
fn settle(sheet: &mut Sheet, finding: &Finding) -> bool {
    let table = finding.object.table.clone();
    let reason = format!("{}.", finding.message.raw().trim_end_matches('.'));
    let part = match &finding.object.part {
        Some(Part::Column(name) | Part::Index(name)) => name.as_str(),
        _ => "",
    };
    // A guard of another name guards all the same.
    if finding.rule != "name-differs" && ledger::guards(sheet, &table, part) {
        return ledger::withdraw(sheet, &table, &reason);
    }
    let opened = match &finding.object.part {
        Some(Part::Column(name)) => open_column(sheet, &table, name, &finding.rule).then(|| Spot::Column(name.clone())),
        Some(Part::Index(name)) => open_index(sheet, &table, name).then(|| Spot::Index(name.clone())),
        Some(Part::Constraint(name)) => open_constraint(sheet, &table, name, &finding.rule),
        _ if finding.rule == "primary-key" => open_constraint(sheet, &table, "", &finding.rule),
        _ => None,
    };
    match opened {
        Some(spot) => {
            sheet.remark(&table, spot, reason);
            true
        }
        None => ledger::withdraw(sheet, &table, &reason),
    }
}

/// Opens the fact of a column that a rule speaks of, or the column as a whole where it speaks of another one.
fn open_column(sheet: &mut Sheet, table: &str, column: &str, rule: &str) -> bool {
    let Some(column) = sheet.column(table, column) else {
        return false;
    };
    let opened = match rule {
        "column-type" | "column-length" | "column-precision" => open(&mut column.ty),
        "column-default" => open(&mut column.default),
        "column-nullability" => open(&mut column.nullable),
        _ => false,
    };
    opened || std::mem::replace(&mut column.confirmed, false)
}

fn open_index(sheet: &mut Sheet, table: &str, index: &str) -> bool {
    let indexes = sheet.table(table).map(|table| &mut table.indexes);
    let index = indexes.and_then(|all| all.iter_mut().find(|i| i.name.value == index));
    index.is_some_and(|index| std::mem::replace(&mut index.confirmed, false))
}

fn open_constraint(sheet: &mut Sheet, table: &str, name: &str, rule: &str) -> Option<Spot> {
    let table = sheet.table(table)?;
    if rule == "primary-key" {
        return open(&mut table.primary_key).then_some(Spot::Key);
    }
    let check = table.checks.iter_mut().find(|check| check.name.value == name)?;
    std::mem::replace(&mut check.confirmed, false).then(|| Spot::Check(name.to_owned()))
}
