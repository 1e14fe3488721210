//! I002: no index makes a wanted key unique.

use crate::compare::{IndexPair, Standing};
use crate::finding::Severity;
use crate::schema::Aspect;

use super::consequence::{creation, of_duplicates, print_found, print_wanted};
use super::{Check, Context, Draft, Plant, Rule, Sink};

/// The rule.
pub(super) static RULE: Rule = Rule {
    code: "I002",
    name: "unique-missing",
    severity: Severity::Critical,
    summary: "no index makes a key unique that the spec wants unique",
    page: include_str!("unique_missing.md"),
    check: Check::Index(check),
    plant: Plant::everywhere(|ground| {
        ground
            .table()
            .indexes
            .retain(|index| index.name != "UX_ProcessedEvents_EventId");
    }),
};

fn check(pair: &IndexPair<'_>, context: &Context<'_>, sink: &mut Sink<'_>) {
    if !pair.desired.unique.value || !matches!(pair.standing, Standing::Nothing) {
        return;
    }
    let name = &pair.desired.name.value;
    let object = context.path().index(name);
    if !context.table().sees(Aspect::Indexes) {
        super::index_missing::report_unseen(object, sink);
        return;
    }
    let (severity, impact) = of_duplicates(context, pair.desired);
    let wanted = print_wanted(pair.desired);
    let elsewhere = context
        .pair
        .sighting
        .index_elsewhere
        .iter()
        .find(|(index, _)| index == name);
    let message = match (pair.named, elsewhere) {
        (Some(index), _) if !index.unique => format!("{name} is an ordinary index, not a unique one"),
        (Some(index), _) => format!("{name} is {} and does not make {wanted} hold", print_found(index)),
        (None, Some((_, table))) => {
            format!("the index {name} is on the table {table}; nothing makes {wanted} hold here")
        }
        (None, None) => format!("no index makes {wanted} hold; {name} does not exist"),
    };
    let found = match pair.named {
        Some(index) => print_found(index),
        None => "none".to_owned(),
    };
    sink.report(Draft {
        severity,
        object,
        at: pair.desired.name.at,
        expected: Some(wanted),
        found: Some(found),
        message,
        impact,
        help: help(pair, context, elsewhere.is_some()),
    });
}

fn help(pair: &IndexPair<'_>, context: &Context<'_>, elsewhere: bool) -> String {
    let mut help = format!("Remove duplicate rows, then run: {}.", creation(context, pair.desired));
    if pair.named.is_some() {
        help = format!("Drop the index of that name first: IF NOT EXISTS would keep it. {help}");
    } else if elsewhere {
        help.push_str(" IF NOT EXISTS would do nothing while another table has an index of that name.");
    }
    help
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;
    use crate::rules::testing::keys::key;
    use crate::rules::testing::{Scene, UNIQUE};
    use crate::spec::Role;

    fn missing(dialect: Dialect) -> Scene {
        Scene::ledger(dialect).without_index(UNIQUE)
    }

    #[test]
    fn an_index_of_any_name_over_the_key_is_quiet() {
        for dialect in Dialect::ALL {
            Scene::ledger(dialect).run(&RULE).assert_quiet();
            missing(dialect)
                .extra_index("ix_evt", "EventId", |_| {})
                .run(&RULE)
                .assert_quiet();
        }
    }

    #[test]
    fn the_primary_key_makes_the_key_unique_as_well() {
        let scene = missing(Dialect::Postgres).index("PRIMARY", |index| index.key = key(&["EventId"]));
        scene.run(&RULE).assert_quiet();
    }

    #[test]
    fn what_duplicates_cost_depends_on_the_role() {
        for (role, severity) in [
            (Role::Ledger, Severity::Critical),
            (Role::Outbox, Severity::Critical),
            (Role::Projection, Severity::Error),
            (Role::Audit, Severity::Error),
            (Role::Plain, Severity::Error),
        ] {
            assert_eq!(
                missing(Dialect::Postgres).role(role).run(&RULE).severity(),
                severity,
                "{role:?}"
            );
        }
    }

    #[test]
    fn a_missing_index_is_reported_at_its_name_with_the_statement_that_makes_it() {
        let scene = missing(Dialect::Postgres);
        let said = scene.run(&RULE);
        let finding = said.finding();
        assert_eq!(
            finding.message.raw(),
            format!("no index makes unique (EventId) hold; {UNIQUE} does not exist")
        );
        assert_eq!(finding.location.line, scene.spec_index(UNIQUE).name.at.line);
        assert_eq!(finding.found.as_ref().unwrap().raw(), "none");
        let help = finding.help.raw();
        assert!(
            help.contains(&format!("CREATE UNIQUE INDEX CONCURRENTLY \"{UNIQUE}\" ON")),
            "{help}"
        );
        let maria = missing(Dialect::MariaDb).run(&RULE);
        assert!(!maria.finding().help.raw().contains("CONCURRENTLY"));
    }

    #[test]
    fn an_ordinary_index_of_the_name_makes_nothing_unique() {
        let scene = Scene::ledger(Dialect::Sqlite).index(UNIQUE, |index| index.unique = false);
        let said = scene.run(&RULE);
        assert_eq!(said.severity(), Severity::Critical);
        assert_eq!(
            said.finding().message.raw(),
            format!("{UNIQUE} is an ordinary index, not a unique one")
        );
        assert!(
            said.finding()
                .help
                .raw()
                .starts_with("Drop the index of that name first")
        );
    }

    #[test]
    fn an_index_of_the_name_over_other_columns_makes_nothing_unique() {
        let scene = Scene::ledger(Dialect::Postgres).index(UNIQUE, |index| index.key = key(&["CorrelationId"]));
        let said = scene.run(&RULE);
        assert_eq!(said.severity(), Severity::Critical);
        assert_eq!(
            said.finding().message.raw(),
            format!("{UNIQUE} is unique (CorrelationId) and does not make unique (EventId) hold")
        );
    }

    #[test]
    fn a_key_that_is_only_carried_along_is_not_unique() {
        let scene = Scene::ledger(Dialect::Postgres).index(UNIQUE, |index| {
            index.key = key(&["CorrelationId"]);
            index.include = vec!["EventId".to_owned()];
        });
        assert_eq!(scene.run(&RULE).severity(), Severity::Critical);
    }

    #[test]
    fn the_table_that_has_taken_the_name_is_told() {
        let scene =
            missing(Dialect::Sqlite).sighting(|s| s.index_elsewhere.push((UNIQUE.to_owned(), "OldEvents".to_owned())));
        let said = scene.run(&RULE);
        assert!(
            said.finding().message.raw().contains("is on the table OldEvents"),
            "{said:?}"
        );
        assert!(said.finding().help.raw().contains("IF NOT EXISTS would do nothing"));
    }

    #[test]
    fn an_unconfirmed_index_is_listed() {
        let scene = missing(Dialect::Postgres).wanted_index(UNIQUE, |index| index.confirmed = false);
        assert_eq!(scene.run(&RULE).open().found.raw(), "none");
    }

    #[test]
    fn an_index_that_may_be_hidden_is_unverified_and_never_missing() {
        let scene = missing(Dialect::MariaDb).table(|table| {
            table.unseen.insert(Aspect::Indexes);
        });
        assert!(scene.run(&RULE).unverified().required);
        scene.extra_index("ix_evt", "EventId", |_| {}).run(&RULE).assert_quiet();
    }

    #[test]
    fn an_ordinary_wanted_index_is_not_its_business() {
        Scene::ledger(Dialect::Postgres)
            .with_lookup()
            .without_index(crate::rules::testing::keys::LOOKUP)
            .run(&RULE)
            .assert_quiet();
    }
}
