//! I007: an index does its work in another way than the spec says, or does not do it.

use crate::compare::{Difference, Effect, IndexPair, Standing, worst};
use crate::finding::Severity;
use crate::schema::{Aspect, Index, IndexState, KeyPart};

use super::consequence::{print_found, print_found_beside, print_wanted, replacement};
use super::{Check, Context, Draft, Plant, Rule, Sink};

/// The rule.
pub(super) static RULE: Rule = Rule {
    code: "I007",
    name: "index-differs",
    severity: Severity::Error,
    summary: "an index is not what the spec says it is",
    page: include_str!("index_differs.md"),
    check: Check::Index(check),
    plant: Plant::everywhere(|ground| {
        ground.index("IX_ProcessedEvents_Correlation").key = vec![KeyPart::column("SourceService")];
    }),
};

fn check(pair: &IndexPair<'_>, context: &Context<'_>, sink: &mut Sink<'_>) {
    match (&pair.standing, pair.named) {
        (Standing::Nearest { index, differences }, _) => differing(pair, index, differences, context, sink),
        // `name-differs` says that it is another one; that is all there is to say unless upserts fail.
        (Standing::Other { index, differences }, None) if worst(differences) == Effect::Impaired => {
            differing(pair, index, differences, context, sink);
        }
        (Standing::Other { .. }, Some(named)) => misplaced(pair, named, context, sink),
        // Without a stand-in, a unique key is missing, which `unique-missing` says.
        (Standing::Nothing, Some(named)) if !pair.desired.unique.value => misplaced(pair, named, context, sink),
        (Standing::Other { .. } | Standing::Nothing, _) => {}
    }
}

/// The index is for the wanted key, and differs.
fn differing(
    pair: &IndexPair<'_>,
    index: &Index,
    differences: &[Difference],
    context: &Context<'_>,
    sink: &mut Sink<'_>,
) {
    for unproved in differences.iter().filter(|d| d.effect == Effect::Unproved) {
        sink.unverified(
            context
                .path()
                .index(&pair.desired.name.value)
                .aspect(Aspect::Definition),
            format!("The index `{}` {}.", index.name, unproved.what),
            "Compare the two by hand. If they mean the same, write the spec's as the server prints it.",
            true,
        );
    }
    let differences: Vec<&Difference> = differences.iter().filter(|d| d.effect != Effect::Unproved).collect();
    // What it lets in or refuses is for other rules, and outweighs the rest.
    let (severity, impact) = match differences.iter().map(|d| d.effect).max().unwrap_or(Effect::Cosmetic) {
        _ if differences.is_empty() => return,
        Effect::Cosmetic => (Severity::Info, "Nothing follows for rows or look-ups."),
        Effect::Degraded => (
            Severity::Warning,
            "The index does its work, but serves fewer look-ups or costs more than the one the spec describes.",
        ),
        Effect::Impaired => (
            Severity::Error,
            "Duplicates are refused, but look-ups by the key or an upsert (ON CONFLICT) on it cannot use the index: the one \
             reads the whole table, the other fails.",
        ),
        Effect::Unproved | Effect::RefusesPadded | Effect::Refuses | Effect::LetsIn | Effect::Unenforced => return,
    };
    let impact = if severity == Severity::Error && !pair.desired.unique.value {
        "Look-ups by the key read the whole table, which grows with every event."
    } else {
        impact
    };
    let stand_in = if pair.desired.unique.value {
        upserted(pair, index, context)
    } else {
        looked_up(pair, context)
    };
    let impact = match stand_in {
        Some(other) if severity == Severity::Error => {
            format!(
                "`{}` serves what this one does not, and each insert pays for both.",
                other.name
            )
        }
        _ => impact.to_owned(),
    };
    let what: Vec<&str> = differences.iter().map(|d| d.what.as_str()).collect();
    let wanted = print_wanted(pair.desired);
    sink.report(Draft {
        severity,
        object: context.path().index(&pair.desired.name.value),
        at: pair.desired.key.at,
        found: Some(print_found_beside(index, &wanted, &what)),
        expected: Some(wanted),
        message: format!("the index `{}` {}", index.name, what.join("; ")),
        impact,
        help: match severity {
            Severity::Info => "Leave it, or write the difference into the spec if it is meant.".to_owned(),
            Severity::Warning | Severity::Error | Severity::Critical => replacement(context, pair, index),
        },
    });
}

/// Returns another index that serves upserts on a wanted unique key. Beside a deferrable one none does.
fn upserted<'a>(pair: &IndexPair<'_>, index: &Index, context: &Context<'a>) -> Option<&'a Index> {
    let columns = pair.desired.columns()?;
    let stored = |name: &str| context.facts.stored_name(name).to_owned();
    let of_key = |part: &KeyPart| {
        let name = part.as_column().filter(|_| part.prefix.is_none());
        name.is_some_and(|name| columns.iter().any(|c| context.facts.same_name(name, &stored(c))))
    };
    let serves = |other: &&&Index| {
        let whole = other.predicate.is_none() && other.key.len() == columns.len() && other.key.iter().all(of_key);
        whole && other.unique && other.state == IndexState::Valid && !other.deferrable && !other.exclusion
    };
    let others = context.pair.extra_indexes.iter();
    let asked = pair.desired.unique.value && !index.deferrable;
    others.filter(|_| asked).find(serves).copied()
}

/// Returns another index that serves the look-ups of a wanted one.
fn looked_up<'a>(pair: &IndexPair<'_>, context: &Context<'a>) -> Option<&'a Index> {
    let columns = pair.desired.columns()?;
    let leads = |other: &Index| {
        other.key.len() >= columns.len()
            && other.key.iter().zip(&columns).all(|(part, wanted)| {
                let stored = context.facts.stored_name(wanted);
                part.collation.is_none()
                    && part
                        .as_column()
                        .is_some_and(|name| context.facts.same_name(name, stored))
            })
    };
    let serves = |other: &&&Index| {
        let whole = other.predicate.is_none() && other.state == IndexState::Valid && !other.ignored;
        whole && other.serves_equality && leads(other)
    };
    context.pair.extra_indexes.iter().find(serves).copied()
}

/// The index of the wanted name is for something else.
fn misplaced(pair: &IndexPair<'_>, named: &Index, context: &Context<'_>, sink: &mut Sink<'_>) {
    let wanted = print_wanted(pair.desired);
    let found = print_found(named);
    let message = if pair.desired.unique.value && !named.unique {
        format!("the index `{}` is not UNIQUE", named.name)
    } else {
        format!("the index `{}` is `{found}` instead of `{wanted}`", named.name)
    };
    let impact = match &pair.standing {
        Standing::Other { index, .. } if pair.desired.unique.value => {
            format!(
                "`{}` does its work, so duplicates are refused; whoever relies on the name is misled.",
                index.name
            )
        }
        Standing::Other { index, .. } => {
            format!(
                "`{}` serves the look-ups; whoever relies on the name is misled.",
                index.name
            )
        }
        Standing::Nearest { .. } | Standing::Nothing => {
            "Look-ups by the wanted key read the whole table, which grows with every event.".to_owned()
        }
    };
    sink.report(Draft {
        severity: Severity::Error,
        object: context.path().index(&pair.desired.name.value),
        at: pair.desired.key.at,
        expected: Some(wanted),
        found: Some(found),
        message,
        impact,
        help: replacement(context, pair, named),
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;
    use crate::rules::testing::keys::{LOOKUP, expression, key};
    use crate::rules::testing::{Scene, UNIQUE};
    use crate::spec::At;

    fn unique(change: impl FnOnce(&mut Index)) -> Scene {
        Scene::ledger(Dialect::Postgres).index(UNIQUE, change)
    }

    fn lookup(change: impl FnOnce(&mut Index)) -> Scene {
        Scene::ledger(Dialect::Postgres).with_lookup().index(LOOKUP, change)
    }

    #[test]
    fn indexes_as_the_spec_has_them_are_quiet() {
        for dialect in Dialect::ALL {
            Scene::ledger(dialect).with_lookup().run(&RULE).assert_quiet();
        }
    }

    #[test]
    fn another_index_that_serves_the_look_ups_is_named() {
        let invalid = |other: &str| {
            lookup(|i| {
                i.state = IndexState::Invalid { reason: "x".to_owned() };
            })
            .extra_index("IX_other", other, |i| i.unique = false)
        };
        let impact = |scene: Scene| scene.run(&RULE).finding().impact.raw().to_owned();
        assert!(impact(invalid("CorrelationId")).starts_with("`IX_other` serves"));
        assert!(impact(invalid("EventType")).contains("read the whole table"));
    }

    #[test]
    fn a_difference_without_consequences_is_worth_a_line() {
        for scene in [
            unique(|i| i.key[0].descending = true),
            unique(|i| i.include = vec!["Outcome".to_owned()]),
            unique(|i| i.constraint = Some("UQ_EventId".to_owned())),
            unique(|i| i.nulls_not_distinct = true),
            lookup(|i| i.key = key(&["CorrelationId", "Outcome"])),
        ] {
            assert_eq!(scene.run(&RULE).severity(), Severity::Info);
        }
    }

    #[test]
    fn an_index_that_costs_more_or_serves_less_is_a_warning() {
        let composite = |columns: &[&str]| {
            let columns = key(columns);
            unique(|i| i.key = columns)
                .wanted_index(UNIQUE, |index| {
                    let other = crate::rules::testing::keys::index_spec("", &["EventId", "Outcome"], true, 1);
                    index.key.value = other.key.value;
                })
                .run(&RULE)
        };
        composite(&["EventId", "Outcome"]).assert_quiet();
        assert_eq!(composite(&["Outcome", "EventId"]).severity(), Severity::Warning);
        let carried = lookup(|_| {}).wanted_index(LOOKUP, |index| {
            index.include = Some(At::new(vec!["Outcome".to_owned()], index.name.at));
        });
        assert_eq!(carried.run(&RULE).severity(), Severity::Warning);
        let class = lookup(|i| i.key[0].operator_class = Some("text_pattern_ops".to_owned()));
        assert_eq!(class.run(&RULE).severity(), Severity::Warning);
    }

    #[test]
    fn an_index_that_look_ups_or_upserts_cannot_use_is_an_error() {
        for scene in [
            unique(|i| i.key = vec![expression("lower(\"EventId\")", &["EventId"])]),
            unique(|i| i.deferrable = true),
            lookup(|i| i.state = IndexState::Building),
            lookup(|i| i.predicate = Some("true".to_owned())),
        ] {
            assert_eq!(scene.run(&RULE).severity(), Severity::Error);
        }
        let scene = lookup(|i| {
            i.serves_equality = false;
            "brin".clone_into(&mut i.method);
        });
        let said = scene.run(&RULE);
        assert_eq!(said.severity(), Severity::Error);
        assert_eq!(
            said.finding().message.raw(),
            format!("the index `{LOOKUP}` uses `brin`, which does not serve look-ups of single values")
        );
        assert_eq!(said.finding().location.line, scene.spec_index(LOOKUP).key.at.line);
    }

    #[test]
    fn what_lets_in_or_refuses_is_for_other_rules() {
        unique(|i| i.key = key(&["EventId", "TenantId"]))
            .run(&RULE)
            .assert_quiet();
        unique(|i| i.key[0].prefix = Some(8)).run(&RULE).assert_quiet();
        unique(|i| i.state = IndexState::Building).run(&RULE).assert_quiet();
        lookup(|i| i.unique = true).run(&RULE).assert_quiet();
        unique(|i| i.unique = false).run(&RULE).assert_quiet();
    }

    #[test]
    fn a_namesake_for_something_else_hides_the_gap() {
        let said = lookup(|i| i.key = key(&["Outcome"])).run(&RULE);
        assert_eq!(said.severity(), Severity::Error);
        assert_eq!(
            said.finding().message.raw(),
            format!("the index `{LOOKUP}` is `(Outcome)` instead of `(CorrelationId)`")
        );
        let covered = unique(|i| i.unique = false).extra_index("ix_evt", "EventId", |_| {});
        let said = covered.run(&RULE);
        assert_eq!(said.severity(), Severity::Error);
        assert_eq!(
            said.finding().message.raw(),
            format!("the index `{UNIQUE}` is not UNIQUE")
        );
        assert!(said.finding().impact.raw().starts_with("`ix_evt` does its work"));
    }

    #[test]
    fn an_unconfirmed_index_is_listed() {
        let scene = lookup(|i| i.key = key(&["Outcome"])).wanted_index(LOOKUP, |index| index.confirmed = false);
        assert_eq!(scene.run(&RULE).open().found.raw(), "(Outcome)");
    }

    #[test]
    fn what_a_second_index_serves_is_not_said_to_fail() {
        let alone = unique(|i| i.exclusion = true);
        let both = alone.clone().extra_index("UX_upsert", "EventId", |_| {});
        assert!(alone.run(&RULE).finding().impact.raw().contains("fails"));
        let said = both.run(&RULE);
        assert!(
            said.finding()
                .impact
                .raw()
                .starts_with("`UX_upsert` serves what this one does not")
        );
        let late = unique(|i| i.deferrable = true).extra_index("UX_upsert", "EventId", |_| {});
        assert!(late.run(&RULE).finding().impact.raw().contains("fails"));
    }
}
