//! Another table of the same name, elsewhere or in another letter case.

use crate::catalog::{Found, Likeness, Lookalike};
use crate::dialect::Dialect;
use crate::finding::Severity;
use crate::schema::ObjectPath;

use super::engine::{Check, Context, Draft, Rule, Sink};
use super::plant::Plant;
use super::wording;

/// The rule.
pub(super) static RULE: Rule = Rule {
    code: "T004",
    name: "same-name-elsewhere",
    severity: Severity::Info,
    summary: "a second table has the same name, in another namespace or letter case",
    page: include_str!("same_name_elsewhere.md"),
    check: Check::Table(check),
    plant: Plant::only(
        &[Dialect::Postgres, Dialect::MySql, Dialect::MariaDb],
        "a file has one namespace, and its names differ in more than letter case",
        |ground| {
            ground.sighting().lookalikes.push(Lookalike {
                namespace: Some("archive".to_owned()),
                name: "ProcessedIntegrationEvents".to_owned(),
                kind: "table".to_owned(),
                likeness: Likeness::OtherNamespace,
            });
        },
    ),
};

fn check(ctx: &Context<'_>, sink: &mut Sink<'_>) {
    let sighting = ctx.pair.sighting;
    if !matches!(sighting.found, Found::Object(_)) {
        // The missing table's own finding names what could be meant.
        return;
    }
    for other in &sighting.lookalikes {
        let object = ObjectPath::table(other.namespace.as_deref(), &other.name);
        let difference = match other.likeness {
            Likeness::OtherNamespace => "in another namespace",
            Likeness::OtherCase => "in another letter case",
            Likeness::SameNameOtherKind | Likeness::Near => continue,
        };
        if sighting.shadowed_by.as_deref() != Some(object.dotted().raw()) {
            sink.report(draft(other, object, difference, ctx));
        }
    }
}

fn draft(other: &Lookalike, object: ObjectPath, difference: &str, ctx: &Context<'_>) -> Draft {
    let wanted = ctx.desired();
    let name = wording::name(object.dotted().raw());
    Draft {
        severity: Severity::Info,
        at: wanted.name.at,
        expected: None,
        found: Some(format!("{} {name}", other.kind)),
        message: format!(
            "there is also the {} {name}, the name of {} {difference}; it was not checked",
            other.kind,
            wording::name(ctx.path().dotted().raw())
        ),
        object,
        impact: "A tool or a search path that picks the other one works on different rows: what is recorded there is \
                 unknown here."
            .to_owned(),
        help:
            "Nothing, if both are meant. Otherwise find out which one the service uses, and rename or drop the other."
                .to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;
    use crate::rules::testing::{Scene, TABLE};

    #[test]
    fn quiet_when_the_name_is_unique() {
        Scene::ledger(Dialect::Postgres).run(&RULE).assert_quiet();
    }

    #[test]
    fn a_namesake_is_worth_a_line_about_the_namesake() {
        let said = Scene::ledger(Dialect::Postgres)
            .lookalike(Some("audit"), TABLE, "table", Likeness::OtherNamespace)
            .run(&RULE);
        assert_eq!(said.severity(), Severity::Info);
        assert_eq!(said.finding().object.dotted().raw(), "audit.ProcessedIntegrationEvents");
    }

    #[test]
    fn each_namesake_gets_its_own_line() {
        let said = Scene::ledger(Dialect::Postgres)
            .lookalike(Some("audit"), TABLE, "table", Likeness::OtherNamespace)
            .lookalike(
                Some("public"),
                "processedintegrationevents",
                "table",
                Likeness::OtherCase,
            )
            .lookalike(Some("public"), "ProcessedIntegrationEvent", "table", Likeness::Near)
            .run(&RULE);
        let objects: Vec<&str> = said.findings().iter().map(|f| f.object.table.as_str()).collect();
        assert_eq!(objects, [TABLE, "processedintegrationevents"]);
    }

    #[test]
    fn quiet_about_the_table_that_shadows_this_one() {
        Scene::ledger(Dialect::Postgres)
            .lookalike(Some("app"), TABLE, "table", Likeness::OtherNamespace)
            .sighting(|s| s.shadowed_by = Some(format!("app.{TABLE}")))
            .run(&RULE)
            .assert_quiet();
    }

    #[test]
    fn quiet_when_the_table_itself_is_missing() {
        Scene::ledger(Dialect::Postgres)
            .without_table()
            .lookalike(Some("audit"), TABLE, "table", Likeness::OtherNamespace)
            .run(&RULE)
            .assert_quiet();
    }
}
