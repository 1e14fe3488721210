//! What a trigger can do to an insert, by when it fires and what its body says.

use crate::finding::Severity;

use super::Context;
use super::trigger_body::Body;

/// How bad something is, what it does, and what follows.
pub(super) type Judged = (Severity, &'static str, &'static str);

const NEVER_A_DUPLICATE: &str =
    "No delivery has the identity of an earlier one, so nothing is ever a duplicate: every redelivery is processed.";
const VANISHED: &str = "An event whose row vanishes is not in the ledger, and is processed again on each redelivery.";

/// What runs before a row can give it other values, and decides whether it is written.
///
/// One that removes old rows and does nothing else is a retention job, which is judged as one.
pub(super) fn before_insert(body: &Body, context: &Context<'_>) -> Option<Judged> {
    if body.only_purges() && context.facts.lets_triggers_touch_their_table() {
        return None;
    }
    Some(
        if context.desired().event_id().is_some_and(|column| body.assigns(column)) {
            let what = "replaces the event's identity before each insert";
            (Severity::Critical, what, NEVER_A_DUPLICATE)
        } else if body.swallows() {
            let what = "runs before each insert and can drop rows without an error";
            (Severity::Error, what, VANISHED)
        } else {
            (
                Severity::Error,
                "runs before each insert and can change or drop rows",
                VANISHED,
            )
        },
    )
}

/// What runs after a row, or once for a statement, can refuse the row; it can change or delete it only as any other
/// statement does.
pub(super) fn beside_insert(body: &Body, context: &Context<'_>) -> Option<Judged> {
    let table = &context.table().name;
    if context
        .desired()
        .event_id()
        .is_some_and(|column| body.updates(table, Some(column)))
    {
        let what = "replaces the event's identity after each insert";
        Some((Severity::Critical, what, NEVER_A_DUPLICATE))
    } else if body.updates(table, None) {
        let what = "changes rows of the table after each insert";
        Some((
            Severity::Error,
            what,
            "The ledger has other values than the service wrote.",
        ))
    } else if body.deletes_new(table) {
        let what = "deletes the row after each insert";
        Some((Severity::Error, what, VANISHED))
    } else if body.deletes() {
        // A trigger that removes old rows is a retention job, which is judged as one.
        None
    } else if body.refuses() {
        let impact = "A refused event is not in the ledger, and is processed again on each redelivery.";
        Some((Severity::Warning, "can refuse inserts", impact))
    } else {
        None
    }
}
