//! D003: rows without a true event identifier.

use crate::catalog::{Answer, DataFact};
use crate::finding::Severity;

use super::data;
use super::engine::{Check, Context, Draft, Rule, Sink};
use super::plant::Plant;

/// The rule. It speaks only where the rows may be read.
pub(super) static RULE: Rule = Rule {
    code: "D003",
    name: "nil-event-id",
    severity: Severity::Critical,
    summary: "a row has an empty event identifier, or one of zeros only",
    page: include_str!("nil_event_id.md"),
    check: Check::Table(check),
    plant: Plant::everywhere(|ground| ground.data().set(DataFact::Nil, Answer::Known(Some(1)))),
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Some((ledger, object)) = data::event(context) else {
        return;
    };
    let Some(number) = data::counted(&DataFact::Nil, &object, true, context, sink) else {
        return;
    };
    let rows = data::print(number, "row", "rows");
    sink.report(Draft {
        severity: Severity::Critical,
        object,
        at: ledger.event_id.at,
        expected: Some("an identifier of its own for each event".to_owned()),
        found: Some(format!("{rows} with none")),
        message: format!(
            "{rows} of `{}` with an empty event identifier, or one of zeros only",
            context.desired().name.value
        ),
        impact:
            "Every event that comes without an identifier is taken for this one: it is skipped as a duplicate, and \
                 its work is never done."
                .to_owned(),
        help:
            "Find the producer that sends none and let the consumer refuse such events; derive an identifier from what \
               the event says, or from its place in the broker's log."
                .to_owned(),
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;
    use crate::rules::testing::Scene;

    fn nil(number: Option<i64>) -> Scene {
        Scene::ledger(Dialect::Postgres).data(|data| data.set(DataFact::Nil, Answer::Known(number)))
    }

    #[test]
    fn quiet_without_such_rows_and_where_nobody_asked() {
        nil(Some(0)).run(&RULE).assert_quiet();
        nil(None).run(&RULE).assert_quiet();
        Scene::ledger(Dialect::Postgres).run(&RULE).assert_quiet();
    }

    #[test]
    fn one_such_row_is_critical() {
        let said = nil(Some(1)).run(&RULE);
        assert_eq!(said.severity(), Severity::Critical);
        assert!(said.finding().message.raw().starts_with("1 row of"));
    }
}
