//! I003: a unique index accepts duplicates of the wanted key.

use super::consequence::{of_duplicates, print_found, print_found_beside, print_wanted, replacement};
use super::{Check, Context, Draft, Plant, Rule, Sink};
use crate::compare::{Effect, IndexPair, Standing};
use crate::finding::Severity;
use crate::schema::{Index, KeyPart};

/// The rule.
pub(super) static RULE: Rule = Rule {
    code: "I003",
    name: "unique-weaker",
    severity: Severity::Critical,
    summary: "a unique index accepts duplicates of the key that the spec wants unique",
    page: include_str!("unique_weaker.md"),
    check: Check::Index(check),
    plant: Plant::everywhere(|ground| {
        let index = ground.index("UX_ProcessedEvents_EventId");
        index.key.push(KeyPart::column("TenantId"));
    }),
};

fn check(pair: &IndexPair<'_>, context: &Context<'_>, sink: &mut Sink<'_>) {
    let Standing::Nearest { index, differences } = &pair.standing else {
        return;
    };
    let what: Vec<&str> = differences
        .iter()
        .filter(|d| d.effect == Effect::LetsIn)
        .map(|d| d.what.as_str())
        .collect();
    if what.is_empty() {
        return;
    }
    let (severity, impact) = of_duplicates(context, pair.desired);
    let expected = print_wanted(pair.desired);
    sink.report(Draft {
        severity,
        object: context.path().index(&pair.desired.name.value),
        at: pair.desired.key.at,
        found: Some(print_found_beside(index, &expected, &what)),
        expected: Some(expected),
        message: format!("the index `{}` {}", index.name, what.join("; ")),
        impact,
        help: help(pair, index, context),
    });
}

fn help(pair: &IndexPair<'_>, index: &Index, context: &Context<'_>) -> String {
    let next = if print_found(index) == print_wanted(pair.desired) {
        "No index reaches the rows of child tables: move them into the table, and detach the children.".to_owned()
    } else {
        replacement(context, pair, index)
    };
    format!("Find and merge duplicate rows. {next}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;
    use crate::rules::testing::keys::{expression, key};
    use crate::rules::testing::{Scene, UNIQUE};
    use crate::schema::{Child, PartitionCover, Partitioning};
    use crate::spec::{At, Role};

    fn weaker(change: impl FnOnce(&mut crate::schema::Index)) -> Scene {
        Scene::ledger(Dialect::Postgres).index(UNIQUE, change)
    }

    #[test]
    fn just_the_key_is_quiet() {
        for dialect in Dialect::ALL {
            Scene::ledger(dialect).run(&RULE).assert_quiet();
        }
    }

    #[test]
    fn a_longer_key_accepts_an_event_once_per_tenant() {
        let scene = weaker(|index| index.key = key(&["EventId", "TenantId"]));
        let said = scene.run(&RULE);
        assert_eq!(said.severity(), Severity::Critical);
        let message = said.finding().message.raw();
        assert!(
            message.starts_with(&format!(
                "the index `{UNIQUE}` is unique on `(EventId, TenantId)` and so accepts the same `EventId` once per `TenantId`"
            )),
            "{message}"
        );
        assert!(
            message.contains("rows without `TenantId` are never duplicates"),
            "TenantId takes NULL: {message}"
        );
        assert_eq!(said.finding().location.line, scene.spec_index(UNIQUE).key.at.line);
    }

    #[test]
    fn a_partial_index_accepts_duplicates_outside_of_it() {
        let scene = weaker(|index| index.predicate = Some("\"Outcome\" = 'Processed'".to_owned()));
        let said = scene.run(&RULE);
        assert_eq!(said.severity(), Severity::Critical);
        assert!(
            said.finding()
                .message
                .raw()
                .contains("is partial and holds only rows where")
        );
    }

    #[test]
    fn the_wanted_predicate_in_another_spelling_is_quiet() {
        let scene = weaker(|index| index.predicate = Some("((\"TenantId\" IS NOT NULL))".to_owned())).wanted_index(
            UNIQUE,
            |index| {
                index.predicate = Some(At::new("\"TenantId\" is not null".to_owned(), index.name.at));
            },
        );
        scene.run(&RULE).assert_quiet();
    }

    #[test]
    fn an_expression_that_forgets_values_accepts_their_duplicates() {
        for dialect in [Dialect::Postgres, Dialect::MySql, Dialect::Sqlite] {
            let sql = format!("nullif({}, '')", dialect.facts().quote("EventId"));
            let scene = Scene::ledger(dialect).index(UNIQUE, |index| index.key = vec![expression(&sql, &["EventId"])]);
            assert_eq!(scene.run(&RULE).severity(), Severity::Critical, "{dialect}");
        }
    }

    #[test]
    fn an_inheriting_table_is_not_held_to_the_index() {
        for (keys, remark) in [
            (Vec::new(), "which has no unique index"),
            (vec![vec!["EventId".to_owned()]], "does not see the parent's rows"),
        ] {
            let scene = Scene::ledger(Dialect::Postgres).table(|table| {
                table.children.push(Child {
                    name: "public.old".to_owned(),
                    unique_keys: keys,
                });
            });
            let said = scene.run(&RULE);
            assert_eq!(said.severity(), Severity::Critical);
            let message = said.finding().message.raw();
            assert!(message.contains("public.old") && message.contains(remark), "{message}");
        }
    }

    #[test]
    fn nulls_held_distinct_are_duplicates_only_where_the_spec_says_so_and_null_can_come() {
        let equal = |scene: Scene| {
            scene.wanted_index(UNIQUE, |index| {
                index.nulls_distinct = Some(At::new(false, index.name.at))
            })
        };
        let nullable = || Scene::ledger(Dialect::Postgres).column("EventId", |c| c.nullable = true);
        assert_eq!(equal(nullable()).run(&RULE).severity(), Severity::Critical);
        nullable().run(&RULE).assert_quiet();
        equal(Scene::ledger(Dialect::Postgres)).run(&RULE).assert_quiet();
    }

    #[test]
    fn what_it_costs_depends_on_the_role() {
        let scene = weaker(|index| index.key = key(&["EventId", "TenantId"]));
        assert_eq!(
            scene.clone().role(Role::Outbox).run(&RULE).severity(),
            Severity::Critical
        );
        assert_eq!(scene.role(Role::Plain).run(&RULE).severity(), Severity::Error);
    }

    #[test]
    fn another_index_that_does_the_work_makes_a_weak_one_harmless() {
        weaker(|index| index.key = key(&["EventId", "TenantId"]))
            .extra_index("ix_evt", "EventId", |_| {})
            .run(&RULE)
            .assert_quiet();
    }

    #[test]
    fn the_primary_key_of_a_partitioned_table_is_no_substitute() {
        let scene = Scene::ledger(Dialect::Postgres).without_index(UNIQUE).table(|table| {
            table.partitioning = Some(Partitioning {
                strategy: "range".to_owned(),
                key: vec!["ProcessedOnUtc".to_owned()],
                partitions: Vec::new(),
                cover: PartitionCover::Complete,
            });
            table.indexes[0].key = key(&["EventId", "ProcessedOnUtc"]);
        });
        let said = scene.run(&RULE);
        assert_eq!(said.severity(), Severity::Critical);
        assert!(said.finding().help.raw().contains("partition by the key itself"));
    }

    #[test]
    fn an_unconfirmed_index_is_listed() {
        let scene = weaker(|index| index.key = key(&["EventId", "TenantId"]))
            .wanted_index(UNIQUE, |index| index.confirmed = false);
        assert_eq!(scene.run(&RULE).open().found.raw(), "unique (EventId, TenantId)");
    }
}
