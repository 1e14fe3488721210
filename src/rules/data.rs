//! From what the rows say to drafts: shared by the rules that need `--data`.

use crate::catalog::{Answer, DataFact, MOST_COUNTED};
use crate::schema::{Aspect, ObjectPath};
use crate::spec::LedgerSpec;

use super::engine::{Context, Sink};

/// Returns what the spec says of a ledger's events, and the column that identifies them; nothing for other tables.
pub(super) fn event<'a>(context: &Context<'a>) -> Option<(&'a LedgerSpec, ObjectPath)> {
    let desired = context.desired();
    let ledger = desired.ledger.as_ref().filter(|_| desired.is_ledger())?;
    Some((ledger, context.path().column(&ledger.event_id.value)))
}

/// Returns a count that is above zero. One that could not be had is listed as unverified; nothing is said where nobody
/// asked.
pub(super) fn counted(
    fact: &DataFact,
    object: &ObjectPath,
    required: bool,
    context: &Context<'_>,
    sink: &mut Sink<'_>,
) -> Option<u64> {
    let data = context.data?;
    if let Answer::Unknown { reason, help } = data.get(fact)? {
        sink.unverified(object.aspect(Aspect::Rows), reason, help, required);
    }
    data.number(fact).filter(|number| *number > 0)
}

/// Writes a count: `1 row`, `at least 1000 rows`.
pub(super) fn print(number: u64, one: &str, many: &str) -> String {
    match number {
        1 => format!("1 {one}"),
        n if n >= MOST_COUNTED => format!("at least {n} {many}"),
        n => format!("{n} {many}"),
    }
}
