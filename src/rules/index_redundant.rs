//! I010: further indexes over the same key.

use crate::compare::{Standing, replaces};
use crate::finding::Severity;
use crate::schema::{Index, IndexState};

use super::{Check, Context, Draft, Plant, Rule, Sink, wording};

/// The rule.
pub(super) static RULE: Rule = Rule {
    code: "I010",
    name: "index-redundant",
    severity: Severity::Warning,
    summary: "further indexes over a key that already has one",
    page: include_str!("index_redundant.md"),
    check: Check::Table(check),
    plant: Plant::everywhere(|ground| {
        ground.copy_index("UX_ProcessedEvents_EventId", "EventId_2");
    }),
};

/// What an extra index repeats.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Twin<'a> {
    /// An index that the spec wants.
    Wanted(&'a str),
    /// The primary key, which servers index by themselves.
    PrimaryKey,
}

/// Returns what an extra index only repeats, if it does.
pub(super) fn twin<'a>(index: &Index, context: &Context<'a>) -> Option<Twin<'a>> {
    let table = context.table();
    let mut wanted = context.pair.indexes.iter().filter_map(|pair| match &pair.standing {
        Standing::Nearest { index, .. } | Standing::Other { index, .. } => Some(*index),
        Standing::Nothing => None,
    });
    if let Some(used) = wanted.find(|used| replaces(used, index, table, context.facts)) {
        return Some(Twin::Wanted(&used.name));
    }
    let mut primary = table.indexes.iter().filter(|used| used.primary);
    primary
        .any(|used| replaces(used, index, table, context.facts))
        .then_some(Twin::PrimaryKey)
}

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let mut groups: Vec<(Twin<'_>, Vec<&Index>)> = Vec::new();
    for index in &context.pair.extra_indexes {
        if !matches!(index.state, IndexState::Valid) {
            continue;
        }
        let Some(twin) = twin(index, context) else { continue };
        match groups.iter_mut().find(|(of, _)| *of == twin) {
            Some((_, members)) => members.push(index),
            None => groups.push((twin, vec![index])),
        }
    }
    for (twin, members) in groups {
        report(twin, &members, context, sink);
    }
}

/// Reports all repetitions of one index together: they have one cause.
fn report(twin: Twin<'_>, members: &[&Index], context: &Context<'_>, sink: &mut Sink<'_>) {
    let names: Vec<String> = members.iter().map(|index| wording::name(&index.name)).collect();
    let (severity, of) = match twin {
        Twin::Wanted(name) => (Severity::Warning, format!("the index `{name}`")),
        Twin::PrimaryKey => (Severity::Info, "the primary key".to_owned()),
    };
    let verb = if members.len() == 1 { "repeats" } else { "repeat" };
    let Some(first) = members.first() else { return };
    let (severity, impact) = if members.iter().any(|index| index.unique && index.deferrable) {
        let impact = format!(
            "ON CONFLICT on the key fails, since it takes up every unique index of the key and one of them is DEFERRABLE. What they do, {of} does already."
        );
        (Severity::Error, impact)
    } else {
        let impact = format!("What they do, {of} does already, and each insert pays for all of them.");
        (severity, impact)
    };
    sink.report(Draft {
        severity,
        object: context.path().index(&first.name),
        at: context.desired().indexes_at,
        expected: None,
        found: Some(members.iter().map(|i| i.name.as_str()).collect::<Vec<_>>().join(", ")),
        message: format!("{} {verb} {of}", wording::list(&names)),
        impact,
        help: "Drop them, and look for the tool that makes them anew at each start.".to_owned(),
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;
    use crate::rules::testing::keys::key;
    use crate::rules::testing::{Scene, UNIQUE};

    fn twin_of(column: &str, change: impl FnOnce(&mut Index)) -> Scene {
        Scene::ledger(Dialect::MariaDb).extra_index("twin", column, change)
    }

    #[test]
    fn one_index_per_key_is_quiet() {
        for dialect in Dialect::ALL {
            Scene::ledger(dialect).with_lookup().run(&RULE).assert_quiet();
        }
    }

    #[test]
    fn all_repetitions_of_one_index_are_one_finding() {
        let scene = Scene::ledger(Dialect::MariaDb)
            .extra_index("EventId_2", "EventId", |_| {})
            .extra_index("EventId_3", "EventId", |index| index.unique = false);
        let said = scene.run(&RULE);
        assert_eq!(said.severity(), Severity::Warning);
        assert_eq!(
            said.finding().message.raw(),
            format!("`EventId_2` and `EventId_3` repeat the index `{UNIQUE}`")
        );
        assert_eq!(said.finding().location.line, scene.spec_table().indexes_at.line);
    }

    #[test]
    fn an_index_over_the_primary_key_is_worth_a_line() {
        let said = twin_of("Id", |_| {}).run(&RULE);
        assert_eq!(said.severity(), Severity::Info);
        assert_eq!(said.finding().message.raw(), "`twin` repeats the primary key");
    }

    #[test]
    fn an_index_that_adds_something_is_no_repetition() {
        twin_of("EventId", |i| i.key = key(&["EventId", "Outcome"]))
            .run(&RULE)
            .assert_quiet();
        twin_of("EventId", |i| i.predicate = Some("x".to_owned()))
            .run(&RULE)
            .assert_quiet();
        twin_of("EventId", |i| i.include = vec!["Outcome".to_owned()])
            .run(&RULE)
            .assert_quiet();
        twin_of("EventId", |i| i.serves_equality = false)
            .run(&RULE)
            .assert_quiet();
        twin_of("EventId", |i| i.key[0].prefix = Some(8))
            .run(&RULE)
            .assert_quiet();
        twin_of("CorrelationId", |_| {}).with_lookup().run(&RULE).assert_quiet();
    }

    #[test]
    fn nothing_repeats_an_index_that_is_not_in_force() {
        let invalid = IndexState::Invalid {
            reason: "its build failed".to_owned(),
        };
        twin_of("EventId", |i| i.state = invalid).run(&RULE).assert_quiet();
        Scene::ledger(Dialect::MariaDb)
            .with_lookup()
            .index(crate::rules::testing::keys::LOOKUP, |i| i.ignored = true)
            .extra_index("twin", "CorrelationId", |i| i.unique = false)
            .run(&RULE)
            .assert_quiet();
    }

    #[test]
    fn what_the_wanted_index_cannot_do_is_no_repetition() {
        let scene = |change: fn(&mut Index)| {
            Scene::ledger(Dialect::Postgres)
                .index(UNIQUE, change)
                .extra_index("twin", "EventId", |_| {})
        };
        assert_eq!(scene(|_| {}).run(&RULE).severity(), Severity::Warning);
        let changes: [fn(&mut Index); 5] = [
            |i| i.exclusion = true,
            |i| i.deferrable = true,
            |i| i.predicate = Some("\"EventId\" IS NOT NULL".to_owned()),
            |i| i.key[0].operator_class = Some("text_pattern_ops".to_owned()),
            |i| i.key[0].nulls_first = Some(true),
        ];
        for change in changes {
            scene(change).run(&RULE).assert_quiet();
        }
        let relied_on = twin_of("EventId", |i| {
            i.relied_on = Some("it is the replica identity".to_owned())
        });
        relied_on.run(&RULE).assert_quiet();
    }

    #[test]
    fn a_deferrable_repetition_keeps_upserts_out() {
        let late = twin_of("EventId", |i| i.deferrable = true);
        let said = late.run(&RULE);
        assert_eq!(said.severity(), Severity::Error);
        assert!(said.finding().impact.raw().starts_with("ON CONFLICT on the key fails"));
    }
}
