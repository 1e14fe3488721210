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
    for (likeness, difference) in [
        (Likeness::OtherNamespace, "in another namespace"),
        (Likeness::OtherCase, "in another letter case"),
    ] {
        let others: Vec<(&Lookalike, ObjectPath)> = sighting
            .lookalikes
            .iter()
            .filter(|other| other.likeness == likeness)
            .map(|other| (other, ObjectPath::table(other.namespace.as_deref(), &other.name)))
            .filter(|(_, object)| sighting.shadowed_by.as_deref() != Some(object.dotted().raw()))
            .collect();
        if !others.is_empty() {
            sink.report(draft(&others, difference, ctx));
        }
    }
}

/// Reports all namesakes of one kind together: where each service has a database of its own on one server, there are many.
fn draft(others: &[(&Lookalike, ObjectPath)], difference: &str, ctx: &Context<'_>) -> Draft {
    let wanted = ctx.desired();
    let (object, kind, checked) = match others {
        [(only, object)] => (object.clone(), format!("the {} ", only.kind), "it was"),
        _ => (ctx.path().clone(), String::new(), "they were"),
    };
    let found: Vec<String> = others.iter().map(|(_, o)| o.dotted().raw().to_owned()).collect();
    let names: Vec<String> = found.iter().map(|name| wording::name(name)).collect();
    Draft {
        severity: Severity::Info,
        object,
        at: wanted.name.at,
        expected: None,
        found: Some(wording::list(&found)),
        message: format!(
            "there is also {kind}{}, the name of {} {difference}; {checked} not checked",
            wording::list(&names),
            wording::name(ctx.path().dotted().raw())
        ),
        impact: "A tool or a search path that picks another one works on different rows: what is recorded there is \
                 unknown here."
            .to_owned(),
        help:
            "Nothing, if all are meant. Otherwise find out which one the service uses, and rename or drop the others."
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
