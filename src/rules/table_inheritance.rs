//! A table that others inherit from.

use crate::dialect::Dialect;
use crate::finding::Severity;
use crate::schema::Child;

use super::engine::{Check, Context, Draft, Rule, Sink};
use super::plant::Plant;
use super::wording;

/// The rule.
pub(super) static RULE: Rule = Rule {
    code: "T008",
    name: "table-inheritance",
    severity: Severity::Warning,
    summary: "other tables inherit from the table",
    page: include_str!("table_inheritance.md"),
    check: Check::Table(check),
    plant: Plant::only(
        &[Dialect::Postgres],
        "tables do not inherit from each other",
        |ground| {
            ground.table().children.push(Child {
                name: "archive.ProcessedIntegrationEvents".to_owned(),
                unique_keys: Vec::new(),
            });
        },
    )
    .brings(&["unique-weaker"]),
};

fn check(ctx: &Context<'_>, sink: &mut Sink<'_>) {
    let Some(table) = ctx.pair.table.filter(|table| !table.children.is_empty()) else {
        return;
    };
    let wanted = ctx.desired();
    let children: Vec<String> = table.children.iter().map(|child| wording::name(&child.name)).collect();
    let children = wording::list(&children);
    sink.report(Draft {
        severity: Severity::Warning,
        object: ctx.path().clone(),
        at: wanted.name.at,
        expected: Some("no inheriting table".to_owned()),
        found: Some(children.clone()),
        message: format!(
            "rows of {children} show up in table {}",
            wording::name(&wanted.name.value)
        ),
        impact: "A child's rows are read, updated and deleted with the table's own, but no key of the table holds for \
                 them, and an event in a child is not found by ON CONFLICT."
            .to_owned(),
        help: format!(
            "Detach each child with `ALTER TABLE … NO INHERIT {};` if its rows are not the service's own.",
            ctx.facts.quote(&wanted.name.value)
        ),
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;
    use crate::rules::testing::Scene;
    use crate::schema::Child;

    #[test]
    fn quiet_without_children() {
        Scene::ledger(Dialect::Postgres).run(&RULE).assert_quiet();
    }

    #[test]
    fn children_are_named_in_one_warning() {
        let child = |name: &str| Child {
            name: name.to_owned(),
            unique_keys: Vec::new(),
        };
        let said = Scene::ledger(Dialect::Postgres)
            .table(|t| t.children = vec![child("public.eu"), child("public.us")])
            .run(&RULE);
        assert_eq!(said.severity(), Severity::Warning);
        assert_eq!(
            said.finding().found.as_ref().unwrap().raw(),
            "`public.eu` and `public.us`"
        );
    }
}
