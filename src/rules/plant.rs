//! What a rule is tried with: a drift that is planted into a clean ledger, and must be caught by that rule.

use crate::catalog::{Catalog, Found, Sighting, TableData};
use crate::dialect::Dialect;
use crate::retention::Job;
use crate::schema::{Column, Index, Table};
use crate::spec::Spec;

/// A drift that the self-test plants to see whether its rule catches it.
///
/// This is the one place where a rule speaks of databases: not every drift can occur on every one.
#[derive(Clone, Copy, Debug)]
pub struct Plant {
    sow: fn(&mut Ground),
    alter: fn(&mut Spec),
    only: Option<(&'static [Dialect], &'static str)>,
    brings: &'static [&'static str],
}

impl Plant {
    /// Makes a plant that grows on every database.
    pub const fn everywhere(sow: fn(&mut Ground)) -> Self {
        Self {
            sow,
            alter: |_| {},
            only: None,
            brings: &[],
        }
    }

    /// Makes a plant that grows on some databases, with the reason why it cannot on others.
    pub const fn only(on: &'static [Dialect], elsewhere: &'static str, sow: fn(&mut Ground)) -> Self {
        Self {
            sow,
            alter: |_| {},
            only: Some((on, elsewhere)),
            brings: &[],
        }
    }

    /// Makes a plant in the spec, for rules that judge its own numbers.
    pub const fn in_spec(alter: fn(&mut Spec)) -> Self {
        Self {
            sow: |_| {},
            alter,
            only: None,
            brings: &[],
        }
    }

    /// Returns the spec with what is planted in it.
    pub(super) fn spec(&self, clean: &Spec) -> Spec {
        let mut spec = clean.clone();
        (self.alter)(&mut spec);
        spec
    }

    /// Names the rules that must speak of the same drift, since it breaks their promises too.
    pub const fn brings(mut self, rules: &'static [&'static str]) -> Self {
        self.brings = rules;
        self
    }

    /// Returns why the drift cannot occur on a database, if it cannot.
    pub fn refusal(&self, dialect: Dialect) -> Option<&'static str> {
        self.only
            .and_then(|(on, elsewhere)| (!on.contains(&dialect)).then_some(elsewhere))
    }

    /// Returns the names of the rules that speak of the same drift.
    pub fn companions(&self) -> &'static [&'static str] {
        self.brings
    }

    /// Plants the drift into the catalog of a clean database.
    pub(super) fn sow(&self, clean: Catalog) -> Catalog {
        let mut ground = Ground(clean);
        (self.sow)(&mut ground);
        let Ground(mut catalog) = ground;
        for sighting in &mut catalog.sightings {
            if let Found::Object(table) = &mut sighting.found {
                table.normalize();
            }
        }
        catalog
    }
}

/// The catalog of a clean database, open to one change.
///
/// Its ledger is described in `selftest.yaml`. The methods panic where that file has no such thing: that is a
/// mistake of the plant.
#[derive(Debug)]
pub struct Ground(Catalog);

impl Ground {
    /// Returns the dialect, for drifts that look different on each.
    pub fn dialect(&self) -> Dialect {
        self.0.server.dialect
    }

    /// Returns what was seen under the ledger's name.
    ///
    /// # Panics
    ///
    /// If there is no ledger.
    pub fn sighting(&mut self) -> &mut Sighting {
        self.0.sightings.first_mut().expect("the clean database has a ledger")
    }

    /// Returns the ledger.
    ///
    /// # Panics
    ///
    /// If the plant has taken it away before.
    pub fn table(&mut self) -> &mut Table {
        match &mut self.sighting().found {
            Found::Object(table) => table,
            Found::Nothing | Found::Hidden { .. } => panic!("the ledger has been taken away"),
        }
    }

    /// Returns the job that removes old rows of the ledger.
    ///
    /// # Panics
    ///
    /// If the plant has taken it away before.
    pub fn job(&mut self) -> &mut Job {
        self.jobs().first_mut().expect("the clean ledger has a retention job")
    }

    /// Returns the retention jobs of the database.
    pub fn jobs(&mut self) -> &mut Vec<Job> {
        &mut self.0.retention.jobs
    }

    /// Returns what the rows of the ledger say.
    pub fn data(&mut self) -> &mut TableData {
        let wanted = self.sighting().wanted.clone();
        self.0.data.entry(wanted).or_default()
    }

    /// Returns a column of the ledger.
    ///
    /// # Panics
    ///
    /// If it has no such column.
    pub fn column(&mut self, name: &str) -> &mut Column {
        let column = self.table().columns.iter_mut().find(|c| c.name == name);
        column.unwrap_or_else(|| panic!("the clean ledger has no column {name}"))
    }

    /// Returns an index of the ledger.
    ///
    /// # Panics
    ///
    /// If it has no such index.
    pub fn index(&mut self, name: &str) -> &mut Index {
        let index = self.table().indexes.iter_mut().find(|i| i.name == name);
        index.unwrap_or_else(|| panic!("the clean ledger has no index {name}"))
    }

    /// Puts a copy of an index beside it, under another name.
    ///
    /// # Panics
    ///
    /// If the ledger has no such index.
    pub fn copy_index(&mut self, of: &str, name: &str) -> &mut Index {
        let copy = Index {
            name: name.to_owned(),
            ..self.index(of).clone()
        };
        let indexes = &mut self.table().indexes;
        indexes.push(copy);
        indexes.last_mut().expect("an index was put there just now")
    }
}
