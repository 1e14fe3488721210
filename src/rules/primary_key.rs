//! I001: the primary key is not the one the spec names.

use crate::compare::{print_key, refuses_more};
use crate::finding::Severity;
use crate::schema::{Aspect, Index, IndexState, KeyPart, PrimaryKey};

use super::consequence::of_refusals;
use super::{Check, Context, Draft, Plant, Rule, Sink, repair};

/// The rule.
pub(super) static RULE: Rule = Rule {
    code: "I001",
    name: "primary-key",
    severity: Severity::Critical,
    summary: "the primary key is missing or has other columns",
    page: include_str!("primary_key.md"),
    check: Check::Table(check),
    plant: Plant::everywhere(|ground| {
        let table = ground.table();
        table.primary_key = None;
        table.indexes.retain(|index| !index.primary);
    }),
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Some(table) = context.pair.table else { return };
    let wanted = &context.desired().primary_key;
    let object = context.path().clone();
    if !table.sees(Aspect::PrimaryKey) {
        if wanted.value.stated().is_some() {
            sink.unverified(
                object.aspect(Aspect::PrimaryKey),
                "The role cannot see the table's keys.",
                "Grant the role the right to see constraints, and check again.",
                true,
            );
        }
        return;
    }
    let found = table.primary_key.as_ref();
    sink.judge(
        &wanted.value,
        object.aspect(Aspect::PrimaryKey),
        wanted.at,
        || print(context, found),
        |columns| print_columns(columns),
        |columns| judge(context, columns, found),
    );
}

fn judge(context: &Context<'_>, wanted: &[String], found: Option<&PrimaryKey>) -> Option<Draft> {
    let facts = context.facts;
    let same = |key: &PrimaryKey| {
        key.columns.len() == wanted.len()
            && key
                .columns
                .iter()
                .zip(wanted)
                .all(|(c, w)| facts.same_name(c, facts.stored_name(w)))
    };
    let wanted_count = wanted.len();
    let index = context.table().indexes.iter().find(|index| index.primary);
    let whole = index.is_none_or(|index| index.key.iter().all(|part| part.prefix.is_none()));
    if found.is_some_and(same) && whole {
        return index.and_then(|index| judge_promise(context, wanted, index));
    }
    let reordered = found.is_some_and(|key| {
        let wanted = |c: &String| wanted.iter().any(|w| facts.same_name(c, facts.stored_name(w)));
        key.columns.len() == wanted_count && key.columns.iter().all(wanted)
    });
    let in_force = index.is_some_and(|index| index.state == IndexState::Valid && !index.deferrable);
    let (severity, impact) = match index {
        _ if reordered && whole && in_force => (Severity::Warning, REORDERED.to_owned()),
        Some(index) if found.is_some() && refuses_more(index, context.desired(), context.table(), context.facts) => {
            of_refusals(context)
        }
        _ if guards_events(context, wanted) => (Severity::Critical, TWICE.to_owned()),
        _ => (Severity::Error, impact(context, wanted, found)),
    };
    let table = &context.desired().name.value;
    let expected = print_columns(wanted);
    let message = match found {
        None => format!("table `{table}` has no primary key; the spec wants `{expected}`"),
        Some(_) => format!(
            "the primary key of table `{table}` is `{}` instead of `{expected}`",
            print(context, found)
        ),
    };
    Some(Draft {
        severity,
        object: context.path().clone(),
        at: context.desired().primary_key.at,
        expected: Some(expected),
        found: Some(print(context, found)),
        message,
        impact,
        help: repair::set_primary_key(context, wanted, found.is_some()),
    })
}

const REORDERED: &str =
    "The same rows are refused; look-ups by the first columns of the spec's key are not served by this one.";

const TWICE: &str =
    "Nothing else refuses a second row for the same event: a redelivered event can be recorded and processed twice.";

/// Returns whether a wanted key is the event's identity, and nothing that is in force keeps that unique.
fn guards_events(context: &Context<'_>, wanted: &[String]) -> bool {
    let event = context.desired().event_id().filter(|_| context.desired().is_ledger());
    let of_event =
        |name: &str| event.is_some_and(|event| context.facts.same_name(name, context.facts.stored_name(event)));
    let keeps = |index: &&Index| {
        let whole = |part: &KeyPart| part.prefix.is_none() && part.as_column().is_some_and(of_event);
        index.unique
            && index.state == IndexState::Valid
            && index.predicate.is_none()
            && !index.has_own_comparison()
            && index.key.iter().all(whole)
    };
    matches!(wanted, [only] if of_event(only)) && !context.table().indexes.iter().any(|index| keeps(&index))
}

/// Judges whether a key of the right columns keeps what it promises.
fn judge_promise(context: &Context<'_>, wanted: &[String], index: &Index) -> Option<Draft> {
    let table = &context.desired().name.value;
    let reason = match &index.state {
        IndexState::Valid => None,
        IndexState::Building => Some("it is being built right now"),
        IndexState::Invalid { reason } => Some(reason.as_str()),
    };
    let (severity, found, what, impact, help) = match reason {
        Some(reason) => {
            let (severity, impact) = if guards_events(context, wanted) {
                (Severity::Critical, TWICE)
            } else {
                let impact = "Two rows can have the same key: an update or delete by key hits both.";
                (Severity::Error, impact)
            };
            let help = match (&index.state, &context.table().partitioning) {
                (IndexState::Building, _) => "Wait until the build has ended, then check again.",
                (_, Some(_)) => {
                    "Remove rows with equal keys, then build the key on every partition and attach each one's index to it \
                     with `ALTER INDEX … ATTACH PARTITION …`."
                }
                (_, None) => {
                    "Remove rows with equal keys, then build the index anew with `REINDEX INDEX CONCURRENTLY`."
                }
            };
            (
                severity,
                format!("present, not enforced: {reason}"),
                format!("is there and is not enforced for every row: {reason}"),
                impact,
                help,
            )
        }
        None if index.deferrable => (
            Severity::Warning,
            format!("{}, deferrable", print_key(&index.key)),
            "is deferrable".to_owned(),
            "Duplicates are refused at the end of the transaction only, no foreign key can point to it, and `ON CONFLICT` \
             on the key fails.",
            "Drop the constraint and add it again without `DEFERRABLE`.",
        ),
        None => return None,
    };
    Some(Draft {
        severity,
        object: context.path().clone(),
        at: context.desired().primary_key.at,
        expected: Some(print_columns(wanted)),
        found: Some(found),
        message: format!("the primary key of table `{table}` {what}"),
        impact: impact.to_owned(),
        help: help.to_owned(),
    })
}

fn impact(context: &Context<'_>, wanted: &[String], found: Option<&PrimaryKey>) -> String {
    let table = context.pair.table;
    let same = table.into_iter().flat_map(|t| &t.indexes).filter(|index| {
        let columns: Option<Vec<&str>> = index.key.iter().map(|part| part.as_column()).collect();
        index.unique
            && !index.primary
            && index.predicate.is_none()
            && columns.is_some_and(|c| {
                c.len() == wanted.len() && c.iter().zip(wanted).all(|(a, b)| context.facts.same_name(a, b))
            })
    });
    let unique_instead = same.min_by(|a, b| a.name.cmp(&b.name));
    match (found, unique_instead) {
        (None, Some(index)) => format!(
            "The unique index `{}` gives the same uniqueness, but replication, ORMs and foreign keys ask for a primary key.",
            index.name
        ),
        (None, None) => "Rows have no identity that the database enforces: updates and deletes by key can hit several.".to_owned(),
        (Some(_), _) => "Rows are identified by other columns than the service uses: updates by its key can hit several rows, or inserts are refused.".to_owned(),
    }
}

fn print(context: &Context<'_>, found: Option<&PrimaryKey>) -> String {
    let Some(key) = found else {
        return "nothing".to_owned();
    };
    let index = context.table().indexes.iter().find(|index| index.primary);
    match index.filter(|index| index.key.iter().any(|part| part.prefix.is_some())) {
        Some(index) => print_key(&index.key),
        None => print_columns(&key.columns),
    }
}

fn print_columns(columns: &[String]) -> String {
    format!("({})", columns.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;
    use crate::rules::testing::{Scene, TABLE};
    use crate::schema::KeyPart;
    use crate::spec::{Role, Wanted};

    fn key(columns: &[&str]) -> PrimaryKey {
        PrimaryKey {
            name: Some("pk".to_owned()),
            columns: columns.iter().map(|c| (*c).to_owned()).collect(),
            row_number: false,
        }
    }

    fn observed(columns: &[&str]) -> Scene {
        Scene::ledger(Dialect::Postgres).table(|table| {
            table.primary_key = Some(key(columns));
            let index = table.indexes.iter_mut().find(|index| index.primary).unwrap();
            index.key = columns.iter().map(|column| KeyPart::column(column)).collect();
        })
    }

    #[test]
    fn the_wanted_key_is_quiet_whatever_its_name() {
        for dialect in Dialect::ALL {
            Scene::ledger(dialect).run(&RULE).assert_quiet();
        }
        observed(&["Id"]).run(&RULE).assert_quiet();
    }

    #[test]
    fn a_missing_key_is_an_error_at_the_key_of_the_spec() {
        let scene = Scene::ledger(Dialect::Postgres).table(|table| table.primary_key = None);
        let said = scene.run(&RULE);
        let finding = said.finding();
        assert_eq!(finding.severity, Severity::Error);
        assert_eq!(
            finding.message.raw(),
            format!("table `{TABLE}` has no primary key; the spec wants `(Id)`")
        );
        assert_eq!(finding.location.line, scene.spec_table().primary_key.at.line);
        assert!(finding.impact.raw().contains("no identity"), "{:?}", finding.impact);
    }

    #[test]
    fn a_key_of_the_right_columns_must_be_enforced_at_once() {
        let with = |change: fn(&mut Index)| {
            Scene::ledger(Dialect::Postgres).table(|table| {
                let key = table.indexes.iter_mut().find(|index| index.primary).unwrap();
                change(key);
            })
        };
        let invalid = with(|index| {
            index.state = IndexState::Invalid {
                reason: "a partition lacks it".to_owned(),
            };
        });
        let said = invalid.run(&RULE);
        assert_eq!(said.severity(), Severity::Error);
        assert!(said.finding().message.raw().contains("not enforced for every row"));
        let deferrable = with(|index| index.deferrable = true);
        assert_eq!(deferrable.run(&RULE).severity(), Severity::Warning);
        with(|_| {}).run(&RULE).assert_quiet();
    }

    #[test]
    fn a_unique_index_in_the_place_of_the_key_is_named() {
        let scene = Scene::ledger(Dialect::Postgres)
            .table(|table| table.primary_key = None)
            .extra_index("UX_Id", "Id", |_| {});
        assert!(
            scene
                .run(&RULE)
                .finding()
                .impact
                .raw()
                .contains("`UX_Id` gives the same uniqueness")
        );
        let partial = scene.index("UX_Id", |index| index.predicate = Some("true".to_owned()));
        assert!(partial.run(&RULE).finding().impact.raw().contains("no identity"));
    }

    #[test]
    fn other_columns_are_errors_and_another_order_is_a_warning() {
        for columns in [&["EventId"][..], &["Id", "EventId"]] {
            let said = observed(columns).run(&RULE);
            assert_eq!(said.severity(), Severity::Error, "{columns:?}");
            let found = format!("({})", columns.join(", "));
            assert_eq!(said.finding().found.as_ref().unwrap().raw(), found);
        }
        let composite = observed(&["EventId", "Id"])
            .wanted(|t| t.primary_key.value = Wanted::Is(vec!["Id".to_owned(), "EventId".to_owned()]));
        assert_eq!(composite.run(&RULE).severity(), Severity::Warning);
    }

    #[test]
    fn a_key_that_refuses_different_rows_costs_events() {
        let other = observed(&["SourceService"]);
        assert_eq!(other.run(&RULE).severity(), Severity::Critical);
        assert_eq!(other.role(Role::Plain).run(&RULE).severity(), Severity::Error);
        let prefix = Scene::ledger(Dialect::MariaDb).table(|table| {
            let index = table.indexes.iter_mut().find(|index| index.primary).unwrap();
            index.key[0].prefix = Some(8);
        });
        let said = prefix.run(&RULE);
        assert_eq!(said.severity(), Severity::Critical);
        assert_eq!(said.finding().found.as_ref().unwrap().raw(), "(Id(8))");
    }

    #[test]
    fn names_are_compared_as_the_server_compares_them() {
        let folded = |dialect| Scene::ledger(dialect).table(|table| table.primary_key = Some(key(&["id"])));
        folded(Dialect::Sqlite).run(&RULE).assert_quiet();
        folded(Dialect::MariaDb).run(&RULE).assert_quiet();
        assert_eq!(folded(Dialect::Postgres).run(&RULE).severity(), Severity::Error);
    }

    #[test]
    fn an_open_key_is_listed_and_a_silent_one_passes() {
        let open = observed(&["EventId"]).wanted(|t| t.primary_key.value = Wanted::Unconfirmed(None));
        assert_eq!(open.run(&RULE).open().found.raw(), "(EventId)");
        let none = open.table(|table| table.primary_key = None);
        assert_eq!(none.run(&RULE).open().found.raw(), "nothing");
        let silent = none.wanted(|t| t.primary_key.value = Wanted::Silent);
        silent.run(&RULE).assert_quiet();
    }

    #[test]
    fn an_unseen_key_is_unverified_where_the_spec_states_one() {
        let blind = Scene::ledger(Dialect::MariaDb).table(|table| {
            table.primary_key = None;
            table.unseen.insert(Aspect::PrimaryKey);
        });
        assert!(blind.run(&RULE).unverified().required);
        let open = blind.wanted(|t| t.primary_key.value = Wanted::Unconfirmed(None));
        open.run(&RULE).assert_quiet();
    }

    #[test]
    fn an_unconfirmed_table_never_fails() {
        let scene = observed(&["EventId"]).wanted(|t| t.confirmed = false);
        assert_eq!(scene.run(&RULE).open().found.raw(), "(EventId)");
    }
}
