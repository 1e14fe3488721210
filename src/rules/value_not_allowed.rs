//! D002: a row holds a value that the spec does not allow.

use crate::catalog::{Answer, DataFact};
use crate::compare::ColumnPair;
use crate::finding::Severity;
use crate::schema::Aspect;

use super::data;
use super::engine::{Check, Context, Draft, Rule, Sink};
use super::plant::Plant;

/// The rule. It speaks only where the rows may be read.
pub(super) static RULE: Rule = Rule {
    code: "D002",
    name: "value-not-allowed",
    severity: Severity::Error,
    summary: "a row holds a value that the spec does not allow",
    page: include_str!("value_not_allowed.md"),
    check: Check::Column(check),
    plant: Plant::everywhere(|ground| {
        let outcome = DataFact::Foreign("Outcome".to_owned());
        ground.data().set(outcome, Answer::Known(Some(3)));
    }),
};

fn check(pair: &ColumnPair<'_>, context: &Context<'_>, sink: &mut Sink<'_>) {
    let ColumnPair::Both { desired, .. } = pair else {
        return;
    };
    let name = &desired.name.value;
    let object = context.path().column(name);
    // No index helps to find a value that nobody thought of, so that a big table is a risk and no failure.
    let fact = DataFact::Foreign(name.clone());
    let Some(number) = data::counted(&fact, &object, false, context, sink) else {
        return;
    };
    let rows = data::print(number, "row holds", "rows hold");
    sink.judge(
        &desired.values.value,
        object.aspect(Aspect::Values),
        desired.values.at,
        || format!("{rows} another value"),
        |allowed| allowed.join(", "),
        |allowed| {
            Some(Draft {
                severity: Severity::Error,
                object: object.clone(),
                at: desired.values.at,
                expected: Some(format!("one of {}", allowed.join(", "))),
                found: Some(format!("{rows} another value")),
                message: format!("{rows} a value in `{name}` that the spec does not allow"),
                impact: "Whoever asks for the known values passes these rows over: reports, retention jobs, and people who \
                         look for failures."
                    .to_owned(),
                help: format!(
                    "Look at the values with a GROUP BY over {}; correct the writer and the rows, or add the value to the \
                     spec. Letter case counts.",
                    context.facts.quote(name)
                ),
            })
        },
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;
    use crate::rules::testing::Scene;
    use crate::spec::Wanted;

    fn foreign(number: i64, wanted: Wanted<Vec<String>>) -> Scene {
        Scene::ledger(Dialect::Postgres)
            .wanted_column("Outcome", |column| column.values.value = wanted)
            .data(|data| data.set(DataFact::Foreign("Outcome".to_owned()), Answer::Known(Some(number))))
    }

    fn allowed() -> Vec<String> {
        vec!["Processed".to_owned()]
    }

    #[test]
    fn quiet_where_every_row_holds_an_allowed_value() {
        foreign(0, Wanted::Is(allowed())).run(&RULE).assert_quiet();
        Scene::ledger(Dialect::Postgres).run(&RULE).assert_quiet();
    }

    #[test]
    fn another_value_is_an_error_at_the_list_and_is_not_shown() {
        let scene = foreign(2, Wanted::Is(allowed()));
        let said = scene.run(&RULE);
        assert_eq!(said.severity(), Severity::Error);
        assert_eq!(
            said.finding().location.line,
            scene.spec_column("Outcome").values.at.line
        );
        assert!(
            said.finding()
                .message
                .raw()
                .starts_with("2 rows hold a value in `Outcome`")
        );
    }

    #[test]
    fn a_guessed_list_is_open() {
        let said = foreign(2, Wanted::Unconfirmed(Some(allowed()))).run(&RULE);
        assert_eq!(said.open().found.raw(), "2 rows hold another value");
    }

    #[test]
    fn a_table_that_was_too_big_is_a_risk() {
        let unread = foreign(0, Wanted::Is(allowed())).data(|data| {
            let (reason, help) = ("It is too big.".to_owned(), "Ask by hand.".to_owned());
            data.set(
                DataFact::Foreign("Outcome".to_owned()),
                Answer::Unknown { reason, help },
            );
        });
        assert!(!unread.run(&RULE).unverified().required);
    }
}
