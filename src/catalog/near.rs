//! Names that people take for one another: the same rule for every database. Pure.

use std::collections::BTreeSet;

use super::{Likeness, Lookalike, Sighting};

/// Returns what is left of a name without letter case, separators and plural.
pub(super) fn stem(name: &str) -> String {
    let bare: String = name
        .chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect();
    match (bare.strip_suffix("ies"), bare.strip_suffix('s')) {
        (Some(start), _) => format!("{start}y"),
        (None, Some(start)) if !start.ends_with('s') => start.to_owned(),
        _ => bare,
    }
}

/// Returns whether two names differ only by letter case, separators or a plural.
pub(super) fn is_near(a: &str, b: &str) -> bool {
    let stem_of_a = stem(a);
    !stem_of_a.is_empty() && stem_of_a == stem(b)
}

/// Takes tables that are wanted themselves from among the lookalikes of others: they are no mistake.
pub(super) fn without_wanted(mut sightings: Vec<Sighting>) -> Vec<Sighting> {
    let wanted: BTreeSet<String> = sightings.iter().map(|s| s.wanted.clone()).collect();
    let is_mistake = |other: &Lookalike| match other.likeness {
        Likeness::Near | Likeness::OtherCase => !wanted.contains(&other.name),
        Likeness::SameNameOtherKind | Likeness::OtherNamespace => true,
    };
    for sighting in &mut sightings {
        sighting.lookalikes.retain(is_mistake);
    }
    sightings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letter_case_separators_and_plural_make_no_other_name() {
        for (a, b, near) in [
            ("ProcessedIntegrationEvents", "processed_integration_event", true),
            ("ProcessedIntegrationEvents", "PROCESSEDINTEGRATIONEVENTS", true),
            ("Entries", "entry", true),
            ("Address", "Addres", false),
            ("Events", "EventsOld", false),
            ("Events", "Event2", false),
            ("Größen", "GRÖSSEN", false),
            ("Größen", "größen", true),
            ("_", "__", false),
        ] {
            assert_eq!(is_near(a, b), near, "{a} / {b}");
        }
    }
}
