//! A column whose value the server computes although the spec says otherwise, or the reverse.

use crate::compare::ColumnPair;
use crate::finding::Severity;
use crate::schema::{Aspect, Column, Generated};
use crate::spec::{ColumnSpec, Wanted};

use super::engine::{Check, Context, Draft, Rule, Sink};
use super::plant::Plant;
use super::repair::{self, Change};
use super::wording;

/// The rule.
pub(super) static RULE: Rule = Rule {
    code: "C009",
    name: "column-generated",
    severity: Severity::Critical,
    summary: "a column is generated although the spec says otherwise, or the reverse",
    page: include_str!("column_generated.md"),
    check: Check::Column(check),
    plant: Plant::everywhere(|ground| {
        ground.column("EventType").generated = Some(Generated {
            sql: "'x'".to_owned(),
            stored: true,
            reads: Vec::new(),
        });
    }),
};

fn check(pair: &ColumnPair<'_>, ctx: &Context<'_>, sink: &mut Sink<'_>) {
    let ColumnPair::Both { desired, observed } = *pair else {
        return;
    };
    let object = ctx.path().column(&desired.name.value).aspect(Aspect::Generation);
    let found = observed.generated.as_ref();
    match (&desired.generated.value, found) {
        (Wanted::Unconfirmed(guess), _) => {
            let found = found.map_or_else(|| "not generated".to_owned(), |generated| generated.sql.clone());
            sink.open(object, guess.clone(), found, desired.generated.at);
        }
        (Wanted::Is(_), _) if !ctx.table().sees(Aspect::Generation) => sink.unverified(
            ctx.path().aspect(Aspect::Generation),
            "The server did not show how the table's generated columns are computed.",
            "Check again when nobody holds a lock on the table, with a role that may read it.",
            true,
        ),
        (Wanted::Silent, Some(generated)) => sink.report(unexpected(desired, generated, ctx)),
        (Wanted::Is(wanted), None) => sink.report(ordinary(desired, wanted, observed, ctx)),
        (Wanted::Is(wanted), Some(generated)) => {
            if ctx.facts.expression(wanted) != ctx.facts.expression(&generated.sql) {
                sink.unverified(
                    object,
                    format!(
                        "The column is generated as {}, which this program cannot compare with the spec's {wanted}.",
                        generated.sql
                    ),
                    "Compare the two by hand. If they mean the same, write the spec's as the server prints it.",
                    true,
                );
            }
        }
        (Wanted::Silent, None) => {}
    }
}

fn unexpected(desired: &ColumnSpec, generated: &Generated, ctx: &Context<'_>) -> Draft {
    let name = desired.name.value.as_str();
    let event_id = ctx.is_event_id(name);
    let impact = if event_id {
        "The service cannot write the event's identity: its inserts are refused, and if a row gets in some other way, what \
         identifies it is computed from its other values."
            .to_owned()
    } else {
        format!(
            "An insert that gives the column a value is refused. {}",
            wording::refused(ctx.desired().role)
        )
    };
    Draft {
        severity: if event_id { Severity::Critical } else { Severity::Error },
        object: ctx.path().column(name),
        at: desired.name.at,
        expected: Some("a column that the service writes".to_owned()),
        found: Some(format!("generated as {}", generated.sql)),
        message: format!(
            "column {} is generated, so the service cannot write it",
            wording::name(name)
        ),
        impact,
        help: repair::change_column(
            ctx,
            desired,
            Change::DropGenerated {
                stored: generated.stored,
            },
        ),
    }
}

fn ordinary(desired: &ColumnSpec, wanted: &str, observed: &Column, ctx: &Context<'_>) -> Draft {
    let name = desired.name.value.as_str();
    let gap = if observed.default.is_some() {
        "gets its default"
    } else if observed.takes_null() {
        "stays NULL"
    } else {
        "makes the insert fail"
    };
    Draft {
        severity: Severity::Error,
        object: ctx.path().column(name),
        at: desired.generated.at,
        expected: Some(format!("generated as {wanted}")),
        found: Some("not generated".to_owned()),
        message: format!(
            "column {} is not generated although the spec says so",
            wording::name(name)
        ),
        impact: format!("The service leaves the column to the server, so it {gap}."),
        help: "Drop the column and add it anew as generated, in a migration of the service.".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;
    use crate::rules::testing::{CASE_SENSITIVE, Scene};
    use crate::spec::Role;

    fn generated(column: &str, sql: &str) -> Scene {
        Scene::ledger(Dialect::Postgres).column(column, |c| {
            c.generated = Some(Generated {
                sql: sql.to_owned(),
                stored: true,
                reads: Vec::new(),
            });
        })
    }

    fn wanted(scene: Scene, column: &str, sql: &str) -> Scene {
        scene.wanted_column(column, |c| c.generated.value = Wanted::Is(sql.to_owned()))
    }

    #[test]
    fn quiet_for_ordinary_columns() {
        Scene::ledger(Dialect::Postgres).run(&RULE).assert_quiet();
    }

    #[test]
    fn a_generated_event_identity_is_critical_in_a_ledger() {
        assert_eq!(generated("EventId", "x").run(&RULE).severity(), Severity::Critical);
        assert_eq!(
            generated("EventId", "x").role(Role::Plain).run(&RULE).severity(),
            Severity::Error
        );
        assert_eq!(generated("Outcome", "x").run(&RULE).severity(), Severity::Error);
    }

    #[test]
    fn quiet_when_the_expression_is_the_wanted_one() {
        wanted(generated("Outcome", "lower( x )"), "Outcome", "lower(  x  )")
            .run_with(&RULE, &CASE_SENSITIVE)
            .assert_quiet();
    }

    #[test]
    fn another_expression_cannot_be_compared() {
        let said = wanted(generated("Outcome", "lower(x)"), "Outcome", "upper(x)").run_with(&RULE, &CASE_SENSITIVE);
        assert!(said.unverified().required);
    }

    #[test]
    fn a_column_that_should_be_generated_and_is_not_is_an_error_at_the_expression() {
        let scene = wanted(Scene::ledger(Dialect::Postgres), "Outcome", "upper(x)");
        let said = scene.run(&RULE);
        assert_eq!(said.severity(), Severity::Error);
        assert_eq!(
            said.finding().location.line,
            scene.spec_column("Outcome").generated.at.line
        );
    }

    #[test]
    fn an_unconfirmed_expression_is_listed() {
        let said = generated("Outcome", "lower(x)")
            .wanted_column("Outcome", |c| c.generated.value = Wanted::Unconfirmed(None))
            .run(&RULE);
        assert_eq!(said.open().found.raw(), "lower(x)");
    }
}
