//! I012: the thing is there under another name.

use crate::compare::{ColumnPair, IndexPair, Standing};
use crate::finding::Severity;
use crate::schema::ObjectPath;
use crate::spec::Position;

use super::consequence::{print_found, print_wanted};
use super::{Check, Context, Draft, Plant, Rule, Sink};

/// The rule.
pub(super) static RULE: Rule = Rule {
    code: "I012",
    name: "name-differs",
    severity: Severity::Warning,
    summary: "a table, column or index is there under another name or spelling",
    page: include_str!("name_differs.md"),
    check: Check::Table(check),
    plant: Plant::everywhere(|ground| "ix_evt".clone_into(&mut ground.index("UX_ProcessedEvents_EventId").name)),
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Some(table) = context.pair.table else { return };
    let desired = context.desired();
    spelling(
        &desired.name.value,
        &table.name,
        context.path().clone(),
        desired.name.at,
        context,
        sink,
    );
    for pair in &context.pair.columns {
        if let ColumnPair::Both { desired, observed } = pair {
            let object = context.path().column(&desired.name.value);
            spelling(
                &desired.name.value,
                &observed.name,
                object,
                desired.name.at,
                context,
                sink,
            );
        }
    }
    for pair in &context.pair.indexes {
        sink.for_index(context, pair, |sink| index(pair, context, sink));
    }
}

/// A name in another letter case, which this server takes for the same.
fn spelling(wanted: &str, found: &str, object: ObjectPath, at: Position, context: &Context<'_>, sink: &mut Sink<'_>) {
    if context.facts.stored_name(wanted) == found {
        return;
    }
    sink.report(Draft {
        severity: Severity::Info,
        object,
        at,
        expected: Some(wanted.to_owned()),
        found: Some(found.to_owned()),
        message: format!("{wanted} is spelled {found}"),
        impact: format!(
            "{} takes both spellings for one name; other databases do not.",
            context.dialect().title()
        ),
        help: "Leave it, or rename it when the table is next changed.".to_owned(),
    });
}

fn index(pair: &IndexPair<'_>, context: &Context<'_>, sink: &mut Sink<'_>) {
    let name = &pair.desired.name.value;
    let object = context.path().index(name);
    if let Some(named) = pair.named {
        spelling(name, &named.name, object.clone(), pair.desired.name.at, context, sink);
    }
    let Standing::Other { index, .. } = &pair.standing else {
        return;
    };
    let does = if pair.desired.unique.value {
        "makes the key unique"
    } else {
        "serves the same look-ups"
    };
    let what = if index.primary {
        "the primary key".to_owned()
    } else {
        index.name.clone()
    };
    let message = match pair.named {
        Some(_) => format!("{what} {does}, not {name}"),
        None => format!("{name} does not exist; {what} {does}"),
    };
    sink.report(Draft {
        severity: Severity::Warning,
        object,
        at: pair.desired.name.at,
        expected: Some(format!("{name} {}", print_wanted(pair.desired))),
        found: Some(format!("{} {}", index.name, print_found(index))),
        message,
        impact: if pair.desired.unique.value {
            "Duplicates are refused, but code that tells the violation by the constraint's name does not know this one, and a migration that creates the index by name makes a second one.".to_owned()
        } else {
            "Look-ups are served, but a migration that creates the index by name makes a second one.".to_owned()
        },
        help: "Rename the index, or write its name into the spec.".to_owned(),
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;
    use crate::rules::testing::keys::{LOOKUP, key};
    use crate::rules::testing::{Scene, TABLE, UNIQUE};

    fn renamed(dialect: Dialect) -> Scene {
        Scene::ledger(dialect).index(UNIQUE, |index| "ix_evt".clone_into(&mut index.name))
    }

    #[test]
    fn right_names_are_quiet() {
        for dialect in Dialect::ALL {
            Scene::ledger(dialect).with_lookup().run(&RULE).assert_quiet();
        }
    }

    #[test]
    fn an_index_of_another_name_over_the_key_is_a_warning() {
        for dialect in Dialect::ALL {
            let scene = renamed(dialect);
            let said = scene.run(&RULE);
            assert_eq!(said.severity(), Severity::Warning);
            assert_eq!(
                said.finding().message.raw(),
                format!("{UNIQUE} does not exist; ix_evt makes the key unique")
            );
            assert_eq!(said.finding().location.line, scene.spec_index(UNIQUE).name.at.line);
        }
    }

    #[test]
    fn a_primary_key_that_makes_the_key_unique_is_named_as_such() {
        let scene = Scene::ledger(Dialect::Postgres)
            .without_index(UNIQUE)
            .index("PRIMARY", |index| index.key = key(&["EventId"]));
        assert_eq!(
            scene.run(&RULE).finding().message.raw(),
            format!("{UNIQUE} does not exist; the primary key makes the key unique")
        );
    }

    #[test]
    fn an_index_of_its_own_is_preferred_to_the_primary_key() {
        let scene = renamed(Dialect::Postgres).index("PRIMARY", |index| index.key = key(&["EventId"]));
        assert!(
            scene
                .run(&RULE)
                .finding()
                .message
                .raw()
                .contains("ix_evt makes the key unique")
        );
    }

    #[test]
    fn a_stand_in_beside_a_namesake_for_something_else_is_named() {
        let scene = Scene::ledger(Dialect::Postgres)
            .index(UNIQUE, |index| index.key = key(&["Outcome"]))
            .extra_index("ix_evt", "EventId", |_| {});
        assert_eq!(
            scene.run(&RULE).finding().message.raw(),
            format!("ix_evt makes the key unique, not {UNIQUE}")
        );
    }

    #[test]
    fn an_ordinary_index_may_be_served_by_a_longer_one() {
        let scene = Scene::ledger(Dialect::Postgres).with_lookup().index(LOOKUP, |index| {
            "by_correlation".clone_into(&mut index.name);
            index.key = key(&["CorrelationId", "Outcome"]);
        });
        let said = scene.run(&RULE);
        assert_eq!(said.severity(), Severity::Warning);
        assert!(
            said.finding()
                .message
                .raw()
                .ends_with("by_correlation serves the same look-ups")
        );
    }

    #[test]
    fn another_letter_case_is_worth_a_line_where_it_is_the_same_name() {
        let lower = |dialect| {
            Scene::ledger(dialect).table(|table| {
                table.name.make_ascii_lowercase();
                for column in &mut table.columns {
                    if column.name == "Outcome" {
                        column.name.make_ascii_lowercase();
                    }
                }
                for index in &mut table.indexes {
                    index.name.make_ascii_lowercase();
                }
            })
        };
        let said = lower(Dialect::Sqlite).run(&RULE);
        let objects: Vec<String> = said
            .findings()
            .iter()
            .map(|f| f.object.dotted().raw().to_owned())
            .collect();
        assert_eq!(
            objects,
            [
                TABLE.to_owned(),
                format!("{TABLE}.Outcome"),
                format!("{TABLE}.{UNIQUE}")
            ]
        );
        assert!(
            said.findings().iter().all(|f| f.severity == Severity::Info),
            "{said:#?}"
        );
    }

    #[test]
    fn an_unconfirmed_index_is_listed() {
        let scene = renamed(Dialect::Postgres).wanted_index(UNIQUE, |index| index.confirmed = false);
        assert_eq!(scene.run(&RULE).open().found.raw(), "ix_evt unique (EventId)");
    }
}
