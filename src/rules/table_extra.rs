//! A table beside the wanted one whose name is nearly the same.

use crate::catalog::{Found, Likeness, Lookalike};
use crate::finding::Severity;
use crate::schema::ObjectPath;

use super::engine::{Check, Context, Draft, Rule, Sink};
use super::plant::Plant;
use super::wording;

/// The rule.
pub(super) static RULE: Rule = Rule {
    code: "T009",
    name: "table-extra",
    severity: Severity::Info,
    summary: "a table has nearly the name of a wanted one",
    page: include_str!("table_extra.md"),
    check: Check::Table(check),
    plant: Plant::everywhere(|ground| {
        ground.sighting().lookalikes.push(Lookalike {
            namespace: None,
            name: "ProcessedIntegrationEvent".to_owned(),
            kind: "table".to_owned(),
            likeness: Likeness::Near,
        });
    }),
};

fn check(ctx: &Context<'_>, sink: &mut Sink<'_>) {
    let sighting = ctx.pair.sighting;
    if !matches!(sighting.found, Found::Object(_)) {
        return;
    }
    let wanted = ctx.desired();
    for other in sighting
        .lookalikes
        .iter()
        .filter(|other| other.likeness == Likeness::Near)
    {
        let name = wording::name(&other.name);
        sink.report(Draft {
            severity: Severity::Info,
            object: ObjectPath::table(other.namespace.as_deref(), &other.name),
            at: wanted.name.at,
            expected: None,
            found: Some(format!("{} {name}", other.kind)),
            message: format!(
                "the {} {name} has nearly the name of {}; it was not checked",
                other.kind,
                wording::name(&wanted.name.value)
            ),
            impact:
                "It may be what an older release wrote to, or a copy from a repair. A statement that hits the wrong \
                     one of the two works on different rows."
                    .to_owned(),
            help:
                "Nothing, if it is meant. Otherwise move the rows that are missing in the service's table, and drop it."
                    .to_owned(),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;
    use crate::rules::testing::{Scene, TABLE};

    fn singular() -> Scene {
        Scene::ledger(Dialect::Postgres).lookalike(Some("public"), "ProcessedIntegrationEvent", "table", Likeness::Near)
    }

    #[test]
    fn quiet_when_no_name_is_near() {
        Scene::ledger(Dialect::Postgres)
            .lookalike(Some("audit"), TABLE, "table", Likeness::OtherNamespace)
            .run(&RULE)
            .assert_quiet();
    }

    #[test]
    fn a_near_name_is_worth_a_line() {
        let said = singular().run(&RULE);
        assert_eq!(said.severity(), Severity::Info);
        assert_eq!(said.finding().object.table, "ProcessedIntegrationEvent");
    }

    #[test]
    fn quiet_when_the_table_itself_is_missing() {
        singular().without_table().run(&RULE).assert_quiet();
    }
}
