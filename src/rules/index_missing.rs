//! I006: a wanted index is missing.

use crate::compare::{IndexPair, Standing};
use crate::finding::Severity;
use crate::schema::{Aspect, ObjectPath};

use super::consequence::{creation, print_wanted};
use super::{Check, Context, Draft, Plant, Rule, Sink};

/// The rule.
pub(super) static RULE: Rule = Rule {
    code: "I006",
    name: "index-missing",
    severity: Severity::Error,
    summary: "no index serves the look-ups that the spec wants served",
    page: include_str!("index_missing.md"),
    check: Check::Index(check),
    plant: Plant::everywhere(|ground| {
        ground
            .table()
            .indexes
            .retain(|index| index.name != "IX_ProcessedEvents_Correlation");
    }),
};

fn check(pair: &IndexPair<'_>, context: &Context<'_>, sink: &mut Sink<'_>) {
    if pair.desired.unique.value || pair.named.is_some() || !matches!(pair.standing, Standing::Nothing) {
        return;
    }
    let name = &pair.desired.name.value;
    let object = context.path().index(name);
    if !context.table().sees(Aspect::Indexes) {
        report_unseen(object, sink);
        return;
    }
    let wanted = print_wanted(pair.desired);
    let elsewhere = context
        .pair
        .sighting
        .index_elsewhere
        .iter()
        .find(|(index, _)| index == name);
    let message = match elsewhere {
        Some((_, table)) => format!("the index {name} is on the table {table}; no index on {wanted} here"),
        None => format!("no index on {wanted}; {name} does not exist"),
    };
    sink.report(Draft {
        severity: Severity::Error,
        object,
        at: pair.desired.name.at,
        expected: Some(wanted),
        found: Some("none".to_owned()),
        message,
        impact: "Look-ups by this key read the whole table, which grows with every event.".to_owned(),
        help: format!("Run: {}.", creation(context, pair.desired)),
    });
}

/// Lists an index that the role may not be allowed to see.
pub(super) fn report_unseen(object: ObjectPath, sink: &mut Sink<'_>) {
    sink.unverified(
        object.aspect(Aspect::Indexes),
        "the role cannot see every index of the table, and this one was not among those it sees",
        "Grant the role rights on the whole table, and check again.",
        true,
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;
    use crate::rules::testing::keys::{LOOKUP, key};
    use crate::rules::testing::{Scene, UNIQUE};
    use crate::spec::Role;

    fn missing(dialect: Dialect) -> Scene {
        Scene::ledger(dialect).with_lookup().without_index(LOOKUP)
    }

    #[test]
    fn an_index_of_any_name_that_begins_with_the_key_is_quiet() {
        for dialect in Dialect::ALL {
            Scene::ledger(dialect).with_lookup().run(&RULE).assert_quiet();
            missing(dialect)
                .extra_index("by_correlation", "CorrelationId", |index| {
                    index.unique = false;
                    index.key = key(&["CorrelationId", "EventType"]);
                })
                .run(&RULE)
                .assert_quiet();
        }
    }

    #[test]
    fn a_missing_index_is_an_error_for_every_role() {
        for role in [Role::Ledger, Role::Outbox, Role::Projection, Role::Audit, Role::Plain] {
            let scene = missing(Dialect::Postgres).role(role);
            let said = scene.run(&RULE);
            assert_eq!(said.severity(), Severity::Error);
            assert_eq!(
                said.finding().message.raw(),
                format!("no index on (CorrelationId); {LOOKUP} does not exist")
            );
            assert_eq!(said.finding().location.line, scene.spec_index(LOOKUP).name.at.line);
        }
    }

    #[test]
    fn a_key_that_stands_second_serves_no_look_ups() {
        let scene = missing(Dialect::Postgres).extra_index("other", "Outcome", |index| {
            index.key = key(&["Outcome", "CorrelationId"])
        });
        assert_eq!(scene.run(&RULE).severity(), Severity::Error);
    }

    #[test]
    fn the_table_that_has_taken_the_name_is_told() {
        let scene =
            missing(Dialect::Sqlite).sighting(|s| s.index_elsewhere.push((LOOKUP.to_owned(), "OldEvents".to_owned())));
        assert!(
            scene
                .run(&RULE)
                .finding()
                .message
                .raw()
                .contains("is on the table OldEvents")
        );
    }

    #[test]
    fn an_index_that_may_be_hidden_is_unverified() {
        let scene = missing(Dialect::MySql).table(|table| {
            table.unseen.insert(Aspect::Indexes);
        });
        assert!(scene.run(&RULE).unverified().required);
        let open = scene.wanted_index(LOOKUP, |index| index.confirmed = false);
        assert!(!open.run(&RULE).unverified().required);
    }

    #[test]
    fn unique_keys_are_not_its_business() {
        Scene::ledger(Dialect::Postgres)
            .without_index(UNIQUE)
            .run(&RULE)
            .assert_quiet();
    }

    #[test]
    fn an_unconfirmed_index_is_listed() {
        let scene = missing(Dialect::Postgres).wanted_index(LOOKUP, |index| index.confirmed = false);
        assert_eq!(scene.run(&RULE).open().found.raw(), "none");
    }
}
