//! D001: an event is recorded more than once.

use crate::catalog::{Answer, DataFact};
use crate::finding::Severity;

use super::data;
use super::engine::{Check, Context, Draft, Rule, Sink};
use super::plant::Plant;

/// The rule. It speaks only where the rows may be read.
pub(super) static RULE: Rule = Rule {
    code: "D001",
    name: "duplicate-events",
    severity: Severity::Critical,
    summary: "an event is recorded more than once",
    page: include_str!("duplicate_events.md"),
    check: Check::Table(check),
    plant: Plant::everywhere(|ground| ground.data().set(DataFact::Repeated, Answer::Known(Some(2)))),
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Some((ledger, object)) = data::event(context) else {
        return;
    };
    let Some(number) = data::counted(&DataFact::Repeated, &object, true, context, sink) else {
        return;
    };
    let events = data::print(number, "event is", "events are");
    sink.report(Draft {
        severity: Severity::Critical,
        object,
        at: ledger.event_id.at,
        expected: Some("one row for each event".to_owned()),
        found: Some(format!("{events} recorded more than once")),
        message: format!("{events} recorded more than once in `{}`", context.desired().name.value),
        impact: "Each of these events was let in more than once, so its work was probably done more than once."
            .to_owned(),
        help: format!(
            "Find them with a GROUP BY over {}, decide what their repeated work did, keep the oldest row of each, and \
             create the unique index.",
            context.facts.quote(&ledger.event_id.value)
        ),
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;
    use crate::rules::testing::Scene;
    use crate::spec::Role;

    fn repeated(number: Option<i64>) -> Scene {
        Scene::ledger(Dialect::Postgres).data(|data| data.set(DataFact::Repeated, Answer::Known(number)))
    }

    #[test]
    fn quiet_without_repetitions_and_where_nobody_asked() {
        repeated(Some(0)).run(&RULE).assert_quiet();
        Scene::ledger(Dialect::Postgres).run(&RULE).assert_quiet();
        repeated(Some(3)).role(Role::Audit).run(&RULE).assert_quiet();
    }

    #[test]
    fn a_repeated_event_is_critical_at_its_identity() {
        let scene = repeated(Some(1));
        let said = scene.run(&RULE);
        assert_eq!(said.severity(), Severity::Critical);
        assert!(
            said.finding()
                .message
                .raw()
                .starts_with("1 event is recorded more than once")
        );
        let ledger = scene.spec_table().ledger.as_ref().unwrap();
        assert_eq!(said.finding().location.line, ledger.event_id.at.line);
        let many = repeated(Some(1_000)).run(&RULE);
        assert!(many.finding().message.raw().starts_with("at least 1000 events are"));
    }

    #[test]
    fn rows_that_could_not_be_read_are_unverified() {
        let unread = Scene::ledger(Dialect::Postgres).data(|data| {
            let (reason, help) = ("It is too big.".to_owned(), "Create an index.".to_owned());
            data.set(DataFact::Repeated, Answer::Unknown { reason, help });
        });
        assert!(unread.run(&RULE).unverified().required);
    }
}
