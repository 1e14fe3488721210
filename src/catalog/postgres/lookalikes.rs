//! Objects whose name is close to a wanted one.

use super::rows::WantedRow;
use crate::catalog::near::{is_near, stem};
use crate::catalog::{Likeness, Lookalike};

/// What people put behind the name of a table that they keep aside.
const SUFFIXES: &[&str] = &[
    "old", "new", "bak", "backup", "copy", "tmp", "temp", "archive", "archived", "history", "test", "deleted",
];

/// What people put before it.
const PREFIXES: &[&str] = &[
    "old", "new", "bak", "backup", "tmp", "temp", "tbl", "archive", "archived", "deleted",
];

/// How many close names of namespaces are offered.
const OFFERED: usize = 5;

/// Collects what could be meant or mistaken for a wanted table, the most alike first.
pub(super) fn lookalikes(row: &WantedRow, namespace: &str) -> Vec<Lookalike> {
    let mut all = Vec::new();
    let here = Some(namespace.to_owned());
    all.extend(row.namesakes.iter().map(|kind| Lookalike {
        namespace: here.clone(),
        name: row.wanted.clone(),
        kind: kind_in_words(kind).to_owned(),
        likeness: Likeness::SameNameOtherKind,
    }));
    all.extend(row.elsewhere.iter().map(|e| Lookalike {
        namespace: Some(e.namespace.clone()),
        name: row.wanted.clone(),
        kind: kind_in_words(&e.kind).to_owned(),
        likeness: Likeness::OtherNamespace,
    }));
    for near in &row.near {
        let likeness = if near.name.to_lowercase() == row.wanted.to_lowercase() {
            Likeness::OtherCase
        } else if is_near(&row.wanted, &near.name) {
            Likeness::Near
        // Beside the right table, a copy of like name is no surprise.
        } else if row.object.is_none() && is_copy(&row.wanted, &near.name) {
            Likeness::Near
        } else {
            continue;
        };
        all.push(Lookalike {
            namespace: here.clone(),
            name: near.name.clone(),
            kind: kind_in_words(&near.kind).to_owned(),
            likeness,
        });
    }
    all.sort_by(|a, b| (a.likeness, &a.namespace, &a.name, &a.kind).cmp(&(b.likeness, &b.namespace, &b.name, &b.kind)));
    all
}

/// Says in words what a `relkind` (or `type` and `typtype`) is.
pub(super) fn kind_in_words(kind: &str) -> &'static str {
    match kind {
        "r" => "table",
        "p" => "partitioned table",
        "v" => "view",
        "m" => "materialized view",
        "f" => "foreign table",
        "c" => "composite type",
        "S" => "sequence",
        "i" | "I" => "index",
        "type e" => "enum type",
        "type d" => "domain",
        "type r" => "range type",
        _ => "object of another kind",
    }
}

/// Returns whether a name is another one with a word for a copy, a number or a version.
fn is_copy(wanted: &str, name: &str) -> bool {
    let (wanted, name) = (stem(wanted), stem(name));
    if wanted.is_empty() {
        return false;
    }
    let is_number = |rest: &str| !rest.is_empty() && rest.chars().all(|c| c.is_ascii_digit());
    let behind = |rest: &str| {
        let rest = rest.strip_prefix('s').unwrap_or(rest);
        SUFFIXES.contains(&rest) || is_number(rest) || rest.strip_prefix('v').is_some_and(is_number)
    };
    name.strip_prefix(&wanted).is_some_and(behind)
        || name.strip_suffix(&wanted).is_some_and(|rest| PREFIXES.contains(&rest))
}

/// Returns the names that are close to a namespace that does not exist.
pub(super) fn close_names(wanted: &str, others: &[String]) -> Vec<String> {
    let mut close: Vec<(f32, &String)> = others
        .iter()
        .map(|name| {
            let ratio = similar::TextDiff::from_chars(wanted.to_lowercase(), name.to_lowercase()).ratio();
            (ratio, name)
        })
        .filter(|(ratio, _)| *ratio >= 0.6)
        .collect();
    close.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
    close.into_iter().take(OFFERED).map(|(_, name)| name.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_or_a_number_makes_a_copy() {
        for near in [
            "ProcessedIntegrationEvents_old",
            "ProcessedIntegrationEvents1",
            "ProcessedIntegrationEvents_backup",
            "processedintegrationeventsv2",
            "old_ProcessedIntegrationEvents",
            "ProcessedIntegrationEvents_20260101",
        ] {
            assert!(is_copy("ProcessedIntegrationEvents", near), "{near}");
        }
        for other in [
            "ProcessedIntegrationEvent",
            "ProcessedIntegrationEventTypes",
            "IntegrationEvents",
            "Events",
            "ProcessedIntegrationEvents_eu",
        ] {
            assert!(!is_copy("ProcessedIntegrationEvents", other), "{other}");
        }
    }

    #[test]
    fn close_namespaces_come_in_order_of_likeness() {
        let others = ["billing", "Leger", "ledger_app", "Ledger"].map(str::to_owned);
        assert_eq!(close_names("ledger", &others), ["Ledger", "Leger", "ledger_app"]);
    }
}
