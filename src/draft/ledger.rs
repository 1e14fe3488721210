//! Guesses which tables are ledgers: those in which one column alone keeps an event from being recorded twice, and is
//! called like one that does.

use super::sheet::{Sheet, unwritten};
use crate::schema::{Column, DataType, Index, IndexState, Table};
use crate::spec::{LedgerSpec, Role, Spot, Wanted};

/// Names of the column that identifies an event, in lower case without separators.
const EVENT_IDS: [&str; 4] = ["eventid", "integrationeventid", "messageid", "idempotencykey"];

/// Names of the column with the time of recording, likely ones first, without `utc` at their end.
const RECORDED_AT: [&str; 10] = [
    "processedon",
    "processedat",
    "recordedon",
    "recordedat",
    "handledat",
    "consumedat",
    "receivedon",
    "receivedat",
    "createdon",
    "createdat",
];

/// Marks a table as a ledger if it looks like one.
pub(super) fn guess(sheet: &mut Sheet, table: &Table) {
    let Some(event_id) = event_id(table) else { return };
    let recorded_at = recorded_at(table);
    sheet.remark(
        &table.name,
        Spot::Ledger,
        format!("A guess by names: `{event_id}` alone is unique. Confirm it, and state staleness_window, clock_skew and future_dating."),
    );
    let column = recorded_at.unwrap_or("…");
    sheet.remark(
        &table.name,
        Spot::Ledger,
        format!(
            "TODO retention: {{ horizon: …, column: {column} }}. No database tells how long its rows must be kept."
        ),
    );
    let spec = LedgerSpec {
        event_id: unwritten(event_id.to_owned()),
        recorded_at: recorded_at.map(|name| unwritten(name.to_owned())),
        staleness_window: None,
        clock_skew: None,
        future_dating: None,
        confirmed: false,
    };
    if let Some(wanted) = sheet.table(&table.name) {
        wanted.role = Role::Ledger;
        wanted.ledger = Some(spec);
    }
}

/// Takes the guess back, and says why.
pub(super) fn withdraw(sheet: &mut Sheet, name: &str, reason: &str) -> bool {
    let Some(table) = sheet.table(name).filter(|table| table.role == Role::Ledger) else {
        return false;
    };
    table.role = Role::Plain;
    let Some(ledger) = table.ledger.take() else { return true };
    let event_id = ledger.event_id.value;
    let remark = format!("It looks like a ledger of `{event_id}`, and would not be a sound one: {reason}");
    sheet.remarks.clear(name, &Spot::Ledger);
    sheet.remark(name, Spot::Table, remark);
    true
}

fn event_id(table: &Table) -> Option<&str> {
    let is_event_id = |name: &str| EVENT_IDS.contains(&folded(name).as_str());
    let keys = table.primary_key.iter().filter_map(|key| match &key.columns[..] {
        [only] => Some(only.as_str()),
        _ => None,
    });
    let mut columns = keys.chain(table.indexes.iter().filter_map(sole_column));
    columns.find(|name| is_event_id(name) && table.columns.iter().any(|c| c.name == *name && !c.takes_null()))
}

/// Returns the column that a unique index alone holds apart.
fn sole_column(index: &Index) -> Option<&str> {
    let [part] = &index.key[..] else { return None };
    let guards = index.unique
        && index.state == IndexState::Valid
        && index.predicate.is_none()
        && !index.exclusion
        && !index.deferrable
        && part.prefix.is_none();
    part.as_column().filter(|_| guards)
}

fn recorded_at(table: &Table) -> Option<&str> {
    let fits = |column: &&Column, wanted: &str| {
        let name = folded(&column.name);
        let name = name.strip_suffix("utc").unwrap_or(&name);
        name == wanted && holds_time(&column.ty.data)
    };
    RECORDED_AT
        .iter()
        .find_map(|wanted| table.columns.iter().find(|column| fits(column, wanted)))
        .map(|column| column.name.as_str())
}

fn holds_time(data: &DataType) -> bool {
    matches!(data, DataType::Timestamp { .. } | DataType::DateTime { .. }) || crate::dialect::is_text(data)
}

fn folded(name: &str) -> String {
    let letters = name.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// Returns whether a column or an index is what a ledger's guard rests on.
pub(super) fn guards(sheet: &Sheet, table: &str, column_or_index: &str) -> bool {
    let Some(table) = sheet.spec.tables.iter().find(|t| t.name.value == table) else {
        return false;
    };
    let Some(event_id) = table.event_id() else { return false };
    let is_guard = |index: &crate::spec::IndexSpec| index.columns().is_some_and(|columns| columns == [event_id]);
    let index = table.indexes.iter().find(|index| index.name.value == column_or_index);
    event_id == column_or_index
        || index.is_some_and(is_guard)
        || matches!(&table.primary_key.value, Wanted::Is(key) if *key == [event_id] && column_or_index.is_empty())
}
