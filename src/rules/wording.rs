//! Sentences and spellings that several rules share: what a refused or lost row costs a table of each role.

use crate::spec::Role;

/// Returns what follows where a row cannot be written.
pub(super) fn refused(role: Role) -> &'static str {
    match role {
        Role::Ledger => "The event is not recorded, so every redelivery runs its effects again.",
        Role::Outbox => "The event is not queued, and the work that should have sent it is rolled back.",
        Role::Projection => "The projection stops at the event that needed the row.",
        Role::Audit => "What happened leaves no trace in the audit trail.",
        Role::Plain => "The statement fails, and the work that sent it is rolled back.",
    }
}

/// Returns what follows where all rows are lost.
pub(super) fn emptied(role: Role) -> &'static str {
    match role {
        Role::Ledger => "Every recorded event is new again, and a redelivery runs its effects a second time.",
        Role::Outbox => "Events that waited to be sent are lost.",
        Role::Projection => "The read model is empty until every event has been replayed.",
        Role::Audit => "The audit trail up to then is lost.",
        Role::Plain => "The rows up to then are lost.",
    }
}

/// Returns whether a lost row of such a table is a lost or doubled event.
pub(super) fn carries_events(role: Role) -> bool {
    matches!(role, Role::Ledger | Role::Outbox)
}

/// Writes a name or a piece of SQL the way messages do, marked off from the words around it.
pub(super) fn name(name: &str) -> String {
    format!("`{name}`")
}

/// Writes `a sequence` or `an index`.
pub(super) fn with_article(what: &str) -> String {
    let article = if what.starts_with(['a', 'e', 'i', 'o', 'u']) {
        "an"
    } else {
        "a"
    };
    format!("{article} {what}")
}

/// Writes `1 partition` or `2 partitions`.
pub(super) fn partitions(number: usize) -> String {
    format!("{number} {}", if number == 1 { "partition" } else { "partitions" })
}

/// Writes ` of the partition ...` behind the name of a thing that is not on the whole table.
pub(super) fn on_partition(partition: Option<&str>) -> String {
    partition.map_or_else(String::new, |name| format!(" of the partition `{name}`"))
}

/// Writes ` of the partition ...` or ` of the partitions ...` behind the name of a thing that several have.
pub(super) fn on_partitions(names: &[&str]) -> String {
    match names {
        [] | [_] => on_partition(names.first().copied()),
        _ => {
            let names: Vec<String> = names.iter().map(|one| name(one)).collect();
            format!(" of the partitions {}", list(&names))
        }
    }
}

/// Writes a list of phrases: `a`, `a and b`, `a, b and c`; of a long one the first few and how many more there are.
pub(super) fn list(phrases: &[String]) -> String {
    const SHOWN: usize = 5;
    let (head, last) = match phrases {
        [] => return String::new(),
        [one] => return one.clone(),
        [head @ .., last] if phrases.len() <= SHOWN => (head, last.clone()),
        _ => (&phrases[..SHOWN - 1], format!("{} more", phrases.len() - (SHOWN - 1))),
    };
    format!("{} and {last}", head.join(", "))
}

/// Writes a name with every character outside ASCII as its code point: `Gro\u{308}\u{df}e`. For names that look
/// the same and are not.
pub(super) fn code_points(name: &str) -> String {
    name.chars()
        .map(|c| {
            if c.is_ascii() {
                c.to_string()
            } else {
                c.escape_unicode().to_string()
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_read_as_english_and_stay_short() {
        let words = |n: usize| (1..=n).map(|i| format!("t{i}")).collect::<Vec<_>>();
        assert_eq!(list(&words(1)), "t1");
        assert_eq!(list(&words(2)), "t1 and t2");
        assert_eq!(list(&words(5)), "t1, t2, t3, t4 and t5");
        assert_eq!(list(&words(40)), "t1, t2, t3, t4 and 36 more");
    }

    #[test]
    fn an_article_fits_its_word() {
        assert_eq!(with_article("index"), "an index");
        assert_eq!(with_article("composite type"), "a composite type");
    }

    #[test]
    fn code_points_tell_two_spellings_apart() {
        assert_eq!(code_points("Gr\u{f6}\u{df}e"), "Gr\\u{f6}\\u{df}e");
        assert_eq!(code_points("Gro\u{308}\u{df}e"), "Gro\\u{308}\\u{df}e");
    }
}
