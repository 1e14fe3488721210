//! A table whose rows do not outlive a crash or a session.

use crate::dialect::Dialect;
use crate::finding::Severity;
use crate::schema::Durability;

use super::engine::{Check, Context, Draft, Rule, Sink};
use super::plant::Plant;
use super::wording;

/// The rule.
pub(super) static RULE: Rule = Rule {
    code: "T006",
    name: "table-not-durable",
    severity: Severity::Critical,
    summary: "the table's rows do not survive a crash or the end of a session",
    page: include_str!("table_not_durable.md"),
    check: Check::Table(check),
    plant: Plant::only(
        &[Dialect::Postgres],
        "a table that other sessions see is kept on disk, unless its engine says otherwise",
        |ground| ground.table().durability = Durability::Unlogged,
    ),
};

fn check(ctx: &Context<'_>, sink: &mut Sink<'_>) {
    let Some(table) = ctx.pair.table else {
        return;
    };
    let wanted = ctx.desired();
    let name = ctx.facts.quote(&wanted.name.value);
    let (severity, found, fate, help) = match table.durability {
        Durability::Permanent => return,
        Durability::Unlogged => (
            if wording::carries_events(wanted.role) {
                Severity::Critical
            } else {
                Severity::Error
            },
            "unlogged",
            "is emptied after a crash, and is empty on every replica",
            format!("Run `ALTER TABLE {name} SET LOGGED;`. It rewrites the table and blocks reads and writes meanwhile."),
        ),
        Durability::Temporary => (
            Severity::Critical,
            "temporary",
            "exists for one session only and is gone with it",
            "Run the service's migrations to create the table itself, and close the session that made the temporary one."
                .to_owned(),
        ),
    };
    sink.report(Draft {
        severity,
        object: ctx.path().clone(),
        at: wanted.name.at,
        expected: Some("permanent".to_owned()),
        found: Some(found.to_owned()),
        message: format!("table {} is {found}: it {fate}", wording::name(&wanted.name.value)),
        impact: wording::emptied(wanted.role).to_owned(),
        help,
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;
    use crate::rules::testing::Scene;
    use crate::spec::Role;

    fn durability(durability: Durability) -> Scene {
        Scene::ledger(Dialect::Postgres).table(|t| t.durability = durability)
    }

    #[test]
    fn quiet_for_permanent_tables() {
        durability(Durability::Permanent).run(&RULE).assert_quiet();
    }

    #[test]
    fn an_unlogged_ledger_is_critical_and_an_unlogged_read_model_an_error() {
        let unlogged = || durability(Durability::Unlogged);
        assert_eq!(unlogged().run(&RULE).severity(), Severity::Critical);
        assert_eq!(unlogged().role(Role::Projection).run(&RULE).severity(), Severity::Error);
    }

    #[test]
    fn a_temporary_table_is_critical_in_every_role() {
        let temporary = || durability(Durability::Temporary);
        assert_eq!(temporary().run(&RULE).severity(), Severity::Critical);
        assert_eq!(temporary().role(Role::Plain).run(&RULE).severity(), Severity::Critical);
    }
}
