//! The walk over both sides.

use unicode_normalization::UnicodeNormalization as _;

use crate::catalog::{Catalog, Found, Sighting};
use crate::dialect::{Dialect, Facts};
use crate::schema::{Aspect, Column, Index, Kind, ObjectPath, Table};
use crate::spec::{ColumnSpec, IndexSpec, Spec, TableSpec};

use super::standing::{Standing, stand};

/// A spec beside a catalog.
#[derive(Clone, Debug)]
pub struct Comparison<'a> {
    /// What is wanted.
    pub spec: &'a Spec,
    /// What is there.
    pub catalog: &'a Catalog,
    /// One entry per wanted table, in spec order.
    pub tables: Vec<TablePair<'a>>,
}

impl Comparison<'_> {
    /// Returns the dialect of the server.
    pub fn dialect(&self) -> Dialect {
        self.catalog.server.dialect
    }
}

/// A wanted table beside what was seen under its name.
#[derive(Clone, Debug)]
pub struct TablePair<'a> {
    /// What is wanted.
    pub desired: &'a TableSpec,
    /// What was seen.
    pub sighting: &'a Sighting,
    /// The observed table, if it is one that can hold rows with keys.
    pub table: Option<&'a Table>,
    /// Wanted and extra columns: wanted ones first, in spec order. Empty without a table.
    pub columns: Vec<ColumnPair<'a>>,
    /// Wanted indexes, in spec order. Empty without a table.
    pub indexes: Vec<IndexPair<'a>>,
    /// Observed indexes that no wanted index has by name or relies on, the primary key's aside.
    pub extra_indexes: Vec<&'a Index>,
    /// The path of the table.
    pub path: ObjectPath,
}

/// A column on either side.
#[derive(Clone, Copy, Debug)]
pub enum ColumnPair<'a> {
    /// Wanted and there.
    Both {
        /// What is wanted.
        desired: &'a ColumnSpec,
        /// What is there.
        observed: &'a Column,
    },
    /// Wanted, and not there.
    Missing {
        /// What is wanted.
        desired: &'a ColumnSpec,
        /// A column whose name is nearly the same: other letter case, or another spelling of the same letters.
        near: Option<&'a Column>,
    },
    /// Wanted; not seen, and the role may not be allowed to see it.
    Unseen {
        /// What is wanted.
        desired: &'a ColumnSpec,
    },
    /// There, and not wanted.
    Extra {
        /// What is there.
        observed: &'a Column,
    },
}

/// A wanted index and the one that has its name.
#[derive(Clone, Debug)]
pub struct IndexPair<'a> {
    /// What is wanted.
    pub desired: &'a IndexSpec,
    /// The index of that name on the same table.
    pub named: Option<&'a Index>,
    /// Which index does its work.
    pub standing: Standing<'a>,
}

impl IndexPair<'_> {
    /// Returns whether an observed index has this one's name or does its work.
    fn uses(&self, index: &Index) -> bool {
        let works = match &self.standing {
            Standing::Nearest { index, .. } | Standing::Other { index, .. } => Some(*index),
            Standing::Nothing => None,
        };
        [self.named, works]
            .into_iter()
            .flatten()
            .any(|used| std::ptr::eq(used, index))
    }
}

/// Pairs a spec with a catalog. The catalog must answer the question made from this spec.
pub fn pair<'a>(spec: &'a Spec, catalog: &'a Catalog) -> Comparison<'a> {
    let facts = catalog.server.dialect.facts();
    let tables = spec
        .tables
        .iter()
        .filter_map(|desired| {
            let sighting = catalog.sightings.iter().find(|s| s.wanted == desired.name.value)?;
            Some(pair_table(desired, sighting, catalog.namespace.name.as_deref(), facts))
        })
        .collect();
    Comparison { spec, catalog, tables }
}

pub(super) fn pair_table<'a>(
    desired: &'a TableSpec,
    sighting: &'a Sighting,
    namespace: Option<&str>,
    facts: &'a dyn Facts,
) -> TablePair<'a> {
    let table = match &sighting.found {
        Found::Object(table) if matches!(table.kind, Kind::Table | Kind::SystemVersioned) => Some(&**table),
        Found::Object(_) | Found::Nothing | Found::Hidden { .. } => None,
    };
    let path = ObjectPath::table(namespace, &desired.name.value);
    let mut pair = TablePair {
        desired,
        sighting,
        table,
        columns: Vec::new(),
        indexes: Vec::new(),
        extra_indexes: Vec::new(),
        path,
    };
    if let Some(table) = table {
        pair.columns = pair_columns(desired, table, facts);
        pair.indexes = desired
            .indexes
            .iter()
            .map(|index| {
                let named = find_index(&index.name.value, table, facts);
                IndexPair {
                    desired: index,
                    named,
                    standing: stand(index, named, desired, table, facts),
                }
            })
            .collect();
        pair.extra_indexes = table
            .indexes
            .iter()
            .filter(|i| !i.primary && !pair.indexes.iter().any(|p| p.uses(i)))
            .collect();
    }
    pair
}

/// Finds an index by name: an exact match first, then one that the server takes for the same name.
fn find_index<'a>(wanted: &str, table: &'a Table, facts: &dyn Facts) -> Option<&'a Index> {
    let stored = facts.stored_name(wanted);
    let exact = table.indexes.iter().find(|i| i.name == stored);
    exact.or_else(|| table.indexes.iter().find(|i| facts.same_name(&i.name, stored)))
}

fn pair_columns<'a>(desired: &'a TableSpec, table: &'a Table, facts: &dyn Facts) -> Vec<ColumnPair<'a>> {
    let mut pairs = Vec::new();
    let mut used: Vec<&Column> = Vec::new();
    let bare_names: Vec<String> = table.columns.iter().map(|c| bare(&c.name)).collect();
    for wanted in &desired.columns {
        let name = facts.stored_name(&wanted.name.value);
        let exact = table.columns.iter().find(|c| c.name == name);
        let observed = exact.or_else(|| table.columns.iter().find(|c| facts.same_name(&c.name, name)));
        pairs.push(match observed {
            Some(observed) => {
                used.push(observed);
                ColumnPair::Both {
                    desired: wanted,
                    observed,
                }
            }
            None if table.sees(Aspect::Columns) => ColumnPair::Missing {
                desired: wanted,
                near: near(name, &table.columns, &bare_names),
            },
            None => ColumnPair::Unseen { desired: wanted },
        });
    }
    let extra = table
        .columns
        .iter()
        .filter(|c| !used.iter().any(|u| std::ptr::eq(*u, *c)));
    pairs.extend(extra.map(|observed| ColumnPair::Extra { observed }));
    pairs
}

/// Finds the column whose name a person would take for the wanted one. `bare_names` are those of the columns.
fn near<'a>(wanted: &str, columns: &'a [Column], bare_names: &[String]) -> Option<&'a Column> {
    let wanted_bare = bare(wanted);
    let near = |(column, bare): &(&Column, &String)| column.name != wanted && **bare == wanted_bare;
    let found = columns.iter().zip(bare_names).find(near);
    found.map(|(column, _)| column).filter(|_| !wanted_bare.is_empty())
}

/// Returns what is left of a name without letter case, signs and accents, whether an accent is a character of its own
/// or part of its letter.
fn bare(name: &str) -> String {
    // Decomposed, an accent is a mark of its own and no letter, so the filter drops it.
    name.nfd()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{DataType, NativeType};

    fn is_near(a: &str, b: &str) -> bool {
        let columns = [Column::plain(b, NativeType::plain(DataType::Text))];
        near(a, &columns, &[bare(b)]).is_some()
    }

    #[test]
    fn near_names_look_alike_to_a_person() {
        for (a, b) in [
            ("EventId", "eventid"),
            ("EventId", "event_id"),
            ("Gr\u{f6}\u{df}e", "Gro\u{308}\u{df}e"),
            ("Gr\u{f6}\u{df}e", "Gro\u{df}e"),
        ] {
            assert!(is_near(a, b), "{a} and {b}");
        }
    }

    #[test]
    fn other_names_are_not_near() {
        for (a, b) in [
            ("EventId", "EventId"),
            ("EventId", "EventIds"),
            ("\u{418}\u{43c}\u{44f}", "\u{414}\u{430}\u{442}\u{430}"),
            ("_", "__"),
        ] {
            assert!(!is_near(a, b), "{a} and {b}");
        }
    }
}
