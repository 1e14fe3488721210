//! A bare name that stands for another table than the one that was checked.

use crate::catalog::Found;
use crate::dialect::Dialect;
use crate::finding::Severity;

use super::engine::{Check, Context, Draft, Rule, Sink};
use super::plant::Plant;
use super::wording;

/// The rule.
pub(super) static RULE: Rule = Rule {
    code: "T003",
    name: "table-shadowed",
    severity: Severity::Warning,
    summary: "for the checking role the bare table name means another table",
    page: include_str!("table_shadowed.md"),
    check: Check::Table(check),
    plant: Plant::only(
        &[Dialect::Postgres],
        "there is no search path: a bare name has one meaning",
        |ground| {
            ground.sighting().shadowed_by = Some("app.ProcessedIntegrationEvents".to_owned());
        },
    ),
};

fn check(ctx: &Context<'_>, sink: &mut Sink<'_>) {
    let sighting = ctx.pair.sighting;
    let (Found::Object(_), Some(other)) = (&sighting.found, &sighting.shadowed_by) else {
        return;
    };
    let wanted = ctx.desired();
    let checked = ctx.path().dotted();
    let role = match &ctx.server.role {
        Some(role) => format!("role {}", wording::name(role)),
        None => "the checking role".to_owned(),
    };
    sink.report(Draft {
        severity: Severity::Warning,
        object: ctx.path().clone(),
        at: wanted.name.at,
        expected: Some(checked.raw().to_owned()),
        found: Some(other.clone()),
        message: format!(
            "{} was checked, but for {role} the bare name {} means {}",
            wording::name(checked.raw()),
            wording::name(&wanted.name.value),
            wording::name(other)
        ),
        impact:
            "A service that connects with the same search path reads and writes the other table, whose keys nobody \
                 has checked. Events recorded in one table are unknown in the other."
                .to_owned(),
        help: "Find out which table the service uses. Check that one by its namespace, and drop the other or set the \
               search path of the service's role."
            .to_owned(),
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;
    use crate::rules::testing::Scene;

    fn shadowed() -> Scene {
        Scene::ledger(Dialect::Postgres)
            .sighting(|s| s.shadowed_by = Some("ledger_app.ProcessedIntegrationEvents".to_owned()))
    }

    #[test]
    fn quiet_when_the_bare_name_means_the_checked_table() {
        Scene::ledger(Dialect::Postgres).run(&RULE).assert_quiet();
    }

    #[test]
    fn quiet_when_the_checked_table_is_missing_anyway() {
        shadowed().without_table().run(&RULE).assert_quiet();
    }

    #[test]
    fn both_tables_are_named() {
        let said = shadowed().run(&RULE);
        assert_eq!(said.severity(), Severity::Warning);
        let message = said.finding().message.raw();
        assert!(message.contains("`public.ProcessedIntegrationEvents`"), "{message}");
        assert!(message.contains("`ledger_app.ProcessedIntegrationEvents`"), "{message}");
    }
}
