//! What a broken key costs, by what the table is for. Shared by the rules about keys and indexes.

use crate::compare::{IndexPair, print_part};
use crate::finding::Severity;
use crate::schema::{Index, IndexState, KeyPart};
use crate::spec::{IndexSpec, KeyExprSpec, Role};

use super::repair::{UNDIVIDED, lacks_partition_key};
use super::{Context, wording};

/// Says what it costs when equal keys of a wanted unique index can be stored.
pub(super) fn of_duplicates(context: &Context<'_>, index: &IndexSpec) -> (Severity, String) {
    let table = context.desired();
    let guards_events = match (table.event_id(), index.columns()) {
        (Some(event_id), Some(columns)) => columns.contains(&event_id),
        (None, _) => true,
        (Some(_), None) => false,
    };
    match table.role {
        Role::Ledger if guards_events => (
            Severity::Critical,
            "Nothing refuses a second row for the same event: a redelivered event can be recorded and processed twice."
                .to_owned(),
        ),
        Role::Outbox => (
            Severity::Critical,
            "The same event can be stored, and so sent, more than once.".to_owned(),
        ),
        Role::Ledger | Role::Projection | Role::Audit | Role::Plain => (
            Severity::Error,
            "Rows that the service takes for unique can be stored more than once.".to_owned(),
        ),
    }
}

/// Says what it costs when rows with different keys are refused.
pub(super) fn of_refusals(context: &Context<'_>) -> (Severity, String) {
    match context.desired().role {
        Role::Ledger => (
            Severity::Critical,
            "A genuine new event is refused as if it were a duplicate: it is either lost, or never recorded and so processed on each redelivery.".to_owned(),
        ),
        Role::Outbox => (
            Severity::Critical,
            "A genuine new event is refused and never sent.".to_owned(),
        ),
        Role::Projection | Role::Audit | Role::Plain => (
            Severity::Error,
            "Rows that the service takes for different are refused.".to_owned(),
        ),
    }
}

/// Prints what a wanted index must be: `unique (EventId)`.
pub(super) fn print_wanted(index: &IndexSpec) -> String {
    let parts: Vec<String> = index
        .key
        .value
        .iter()
        .map(|part| match (&part.expr, part.descending) {
            (KeyExprSpec::Column(text) | KeyExprSpec::Sql(text), Some(true)) => format!("{text} desc"),
            (KeyExprSpec::Column(text) | KeyExprSpec::Sql(text), _) => text.clone(),
        })
        .collect();
    let mut text = format!(
        "{}({})",
        if index.unique.value { "unique " } else { "" },
        parts.join(", ")
    );
    if let Some(include) = &index.include {
        text.push_str(&format!(" include ({})", include.value.join(", ")));
    }
    if let Some(predicate) = &index.predicate {
        text.push_str(&format!(" where {}", predicate.value));
    }
    text
}

/// Prints what an observed index is: `unique (EventId) where …, invalid`.
pub(super) fn print_found(index: &Index) -> String {
    let parts: Vec<String> = index.key.iter().map(print_whole_part).collect();
    let unique = if index.unique { "unique " } else { "" };
    let mut text = format!("{unique}({})", parts.join(", "));
    if !index.include.is_empty() {
        text.push_str(&format!(" include ({})", index.include.join(", ")));
    }
    if let Some(predicate) = &index.predicate {
        text.push_str(&format!(" where {predicate}"));
    }
    if index.method != "btree" {
        text.push_str(&format!(" using {}", index.method));
    }
    match index.state {
        IndexState::Valid => {}
        IndexState::Invalid { .. } => text.push_str(", invalid"),
        IndexState::Building => text.push_str(", being built"),
    }
    if index.ignored {
        text.push_str(", ignored");
    }
    text
}

/// Prints an observed index beside the wanted one. Where the two would read the same, what differs is said in words.
pub(super) fn print_found_beside(index: &Index, wanted: &str, what: &[&str]) -> String {
    let found = print_found(index);
    match what {
        [] => found,
        _ if found != wanted => found,
        _ => format!("{found}, which {}", what.join("; ")),
    }
}

/// Prints a key part with all that makes it another one: `EventId(35) collate NOCASE desc`.
fn print_whole_part(part: &KeyPart) -> String {
    let mut text = print_part(part);
    if let Some(collation) = part.collation.as_ref().filter(|c| c.explicit) {
        text.push_str(&format!(" collate {}", collation.name));
    }
    if part.descending {
        text.push_str(" desc");
    }
    text
}

/// Writes the key of a wanted index the way messages do: `A` and `B`.
pub(super) fn key_in_words(index: &IndexSpec) -> String {
    let parts: Vec<String> = index
        .key
        .value
        .iter()
        .map(|part| match &part.expr {
            KeyExprSpec::Column(text) | KeyExprSpec::Sql(text) => wording::name(text),
        })
        .collect();
    wording::list(&parts)
}

/// Returns the sentences that say how to make a wanted index. `taken` says that another table has an index of its name,
/// which is one too many where names of indexes are the namespace's.
pub(super) fn creation(context: &Context<'_>, index: &IndexSpec, taken: bool) -> String {
    let mut text = String::new();
    let lacks = |column: &&str| {
        let stored = context.facts.stored_name(column);
        let columns = &context.table().columns;
        !columns.iter().any(|c| context.facts.same_name(&c.name, stored))
    };
    if index.columns().is_some_and(|columns| columns.iter().any(lacks)) {
        text.push_str("Add the missing column first. ");
    }
    if taken {
        text.push_str("Rename the other table's index first; IF NOT EXISTS would do nothing beside it. ");
    }
    if cannot_be(context, index) {
        return format!("{text}{UNDIVIDED}");
    }
    format!("{text}Run `{};`.", statement(context, index))
}

/// Returns whether a partitioned table cannot have a wanted unique index.
fn cannot_be(context: &Context<'_>, index: &IndexSpec) -> bool {
    index.unique.value && lacks_partition_key(context, &index.columns().unwrap_or_default())
}

/// Returns the sentences that say how to put a wanted index in the place of one that is not it.
pub(super) fn replacement(context: &Context<'_>, pair: &IndexPair<'_>, index: &Index) -> String {
    if cannot_be(context, pair.desired) {
        return UNDIVIDED.to_owned();
    }
    let create = statement(context, pair.desired);
    if index.primary {
        format!("Run `{create};`.")
    } else if pair.named.is_some_and(|named| std::ptr::eq(named, index)) {
        let what = if index.constraint.is_some() {
            "constraint"
        } else {
            "index"
        };
        format!("Drop the {what} and run `{create};` while no consumer writes.")
    } else {
        let name = wording::name(&index.name);
        format!("Run `{create};`, then drop {name} unless something else needs it.")
    }
}

/// Writes the statement that would make a wanted index. From the spec's names alone, for people to read.
fn statement(context: &Context<'_>, index: &IndexSpec) -> String {
    let facts = context.facts;
    let parts: Vec<String> = index
        .key
        .value
        .iter()
        .map(|part| {
            let order = if part.descending == Some(true) { " DESC" } else { "" };
            match &part.expr {
                KeyExprSpec::Column(name) => format!("{}{order}", facts.quote(name)),
                KeyExprSpec::Sql(sql) => format!("({sql}){order}"),
            }
        })
        .collect();
    // One of a partitioned table is built on each partition in turn.
    let concurrently = if facts.builds_concurrently() && context.table().partitioning.is_none() {
        "CONCURRENTLY "
    } else {
        ""
    };
    let predicate = index
        .predicate
        .as_ref()
        .map(|p| format!(" WHERE {}", p.value))
        .unwrap_or_default();
    format!(
        "CREATE {}INDEX {concurrently}{} ON {} ({}){predicate}",
        if index.unique.value { "UNIQUE " } else { "" },
        facts.quote(&index.name.value),
        facts.quote(&context.desired().name.value),
        parts.join(", "),
    )
}
