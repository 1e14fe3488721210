//! Names that could be meant or mistaken for a wanted one.

use crate::catalog::near::is_near;
use crate::catalog::{Likeness, Lookalike};

use super::rows::Name;

/// Databases of the server itself.
const SYSTEM: &[&str] = &["information_schema", "mysql", "performance_schema", "sys"];

/// Returns whether a database is the server's own.
pub(super) fn is_system(namespace: &str) -> bool {
    SYSTEM.iter().any(|s| namespace.eq_ignore_ascii_case(s))
}

/// Finds the lookalikes of a wanted table, among the names of its database and of the others.
pub(super) fn lookalikes(
    wanted: &str,
    namespace: &str,
    own: &[Name],
    elsewhere: &[Name],
    same: &dyn Fn(&str, &str) -> bool,
) -> Vec<Lookalike> {
    // Only names are read of other tables: to learn more, the server would have to open them.
    let make = |namespace: &str, name: &str, likeness| Lookalike {
        namespace: Some(namespace.to_owned()),
        name: name.to_owned(),
        kind: "table or view".to_owned(),
        likeness,
    };
    let here = own.iter().filter(|n| !same(&n.name, wanted)).filter_map(|n| {
        let likeness = if n.name.to_lowercase() == wanted.to_lowercase() {
            Likeness::OtherCase
        } else if is_near(&n.name, wanted) {
            Likeness::Near
        } else {
            return None;
        };
        Some(make(namespace, &n.name, likeness))
    });
    let there = elsewhere.iter().filter(|n| same(&n.name, wanted)).filter_map(|n| {
        let other = n.namespace.as_deref()?;
        (!same(other, namespace) && !is_system(other)).then(|| make(other, &n.name, Likeness::OtherNamespace))
    });
    let mut found: Vec<Lookalike> = here.chain(there).collect();
    found.sort_by(|a, b| (a.likeness, &a.namespace, &a.name).cmp(&(b.likeness, &b.namespace, &b.name)));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(namespace: Option<&str>, name: &str) -> Name {
        Name {
            namespace: namespace.map(str::to_owned),
            name: name.to_owned(),
        }
    }

    #[test]
    fn other_databases_letter_case_and_plural_are_alike() {
        let own = ["ProcessedEvents", "processedevents", "processed_event", "Orders"].map(|n| name(None, n));
        let elsewhere = [
            name(Some("archive"), "ProcessedEvents"),
            name(Some("archive"), "processedevents"),
            name(Some("ledger"), "ProcessedEvents"),
            name(Some("mysql"), "ProcessedEvents"),
        ];
        let found: Vec<_> = lookalikes("ProcessedEvents", "ledger", &own, &elsewhere, &|a, b| a == b)
            .into_iter()
            .map(|l| (l.namespace.unwrap(), l.name, l.likeness))
            .collect();
        let wanted = [
            ("archive", "ProcessedEvents", Likeness::OtherNamespace),
            ("ledger", "processedevents", Likeness::OtherCase),
            ("ledger", "processed_event", Likeness::Near),
        ];
        assert_eq!(found, wanted.map(|(ns, n, l)| (ns.to_owned(), n.to_owned(), l)));
    }
}
