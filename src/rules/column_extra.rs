//! A column that the spec does not have.

use crate::compare::ColumnPair;
use crate::finding::Severity;
use crate::schema::{Column, DataType, NativeType};

use super::engine::{Check, Context, Draft, Rule, Sink};
use super::plant::Plant;
use super::wording;

/// The rule.
pub(super) static RULE: Rule = Rule {
    code: "C002",
    name: "column-extra",
    severity: Severity::Error,
    summary: "a column is not in the spec",
    page: include_str!("column_extra.md"),
    check: Check::Column(check),
    plant: Plant::everywhere(|ground| {
        let required = Column::plain("Legacy", NativeType::plain(DataType::Integer));
        ground.table().columns.push(required);
    }),
};

fn check(pair: &ColumnPair<'_>, ctx: &Context<'_>, sink: &mut Sink<'_>) {
    let ColumnPair::Extra { observed } = *pair else {
        return;
    };
    if !is_named_by_missing(observed, ctx) {
        sink.report(draft(observed, ctx));
    }
}

/// Returns whether the finding about a missing column names this one already: one cause, one finding.
fn is_named_by_missing(observed: &Column, ctx: &Context<'_>) -> bool {
    ctx.pair
        .columns
        .iter()
        .any(|pair| matches!(pair, ColumnPair::Missing { near: Some(near), .. } if std::ptr::eq(*near, observed)))
}

fn draft(observed: &Column, ctx: &Context<'_>) -> Draft {
    let table = ctx.desired();
    let name = wording::name(&observed.name);
    let filled = filled_by(observed);
    let (severity, because, impact, help) = match filled {
        Some(because) => (
            Severity::Info,
            because,
            "Inserts that do not know the column go on working.".to_owned(),
            "Add the column to the spec if it is meant to be there, or drop it in a migration.",
        ),
        None => (
            Severity::Error,
            "it is NOT NULL and has no default",
            format!(
                "Every insert of the service leaves the column out and is refused. {}",
                wording::refused(table.role)
            ),
            "Drop the column, let it be NULL or give it a default in a migration. If the service does write it, add it to \
             the spec; if the database belongs to another service, check it with that one's spec.",
        ),
    };
    Draft {
        severity,
        object: ctx.path().column(&observed.name),
        at: table.columns_at,
        expected: None,
        found: Some(observed.ty.spelling.clone()),
        message: format!("column {name} is not in the spec; {because}"),
        impact,
        help: help.to_owned(),
    }
}

/// Returns what the column gets from an insert that leaves it out, or nothing if such an insert is refused.
fn filled_by(observed: &Column) -> Option<&'static str> {
    if observed.generated.is_some() {
        Some("its value is generated")
    } else if observed.identity.is_some() {
        Some("the server numbers it")
    } else if observed.default.is_some() {
        Some("it has a default")
    } else if observed.refuses_null() {
        None
    } else {
        Some("it may be NULL")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;
    use crate::rules::testing::Scene;
    use crate::schema::{DefaultExpr, Generated, Identity, Literal, NotNullBy};

    fn region(change: impl FnOnce(&mut Column)) -> Scene {
        Scene::ledger(Dialect::Postgres).extra_column("Region", change)
    }

    #[test]
    fn quiet_when_every_column_is_in_the_spec() {
        Scene::ledger(Dialect::Postgres).run(&RULE).assert_quiet();
    }

    #[test]
    fn a_column_that_inserts_may_leave_out_is_worth_a_line() {
        let nullable = region(|_| {});
        let defaulted = region(|c| {
            c.nullable = false;
            c.default = Some(DefaultExpr::Literal(Literal::Text(String::new())));
        });
        let generated = region(|c| {
            c.nullable = false;
            c.generated = Some(Generated {
                sql: "upper(\"Outcome\")".to_owned(),
                stored: true,
            });
        });
        let numbered = region(|c| {
            c.nullable = false;
            c.identity = Some(Identity::Auto);
        });
        for scene in [nullable, defaulted, generated, numbered] {
            assert_eq!(scene.run(&RULE).severity(), Severity::Info);
        }
    }

    #[test]
    fn a_required_column_that_nobody_fills_is_an_error_at_the_columns() {
        let scene = region(|c| c.nullable = false);
        let said = scene.run(&RULE);
        assert_eq!(said.severity(), Severity::Error);
        assert_eq!(said.finding().location.line, scene.spec_table().columns_at.line);
    }

    #[test]
    fn a_check_that_keeps_null_out_makes_the_column_required() {
        let scene = region(|c| c.not_null_by = Some(NotNullBy::Check("CK_Region".to_owned())));
        assert_eq!(scene.run(&RULE).severity(), Severity::Error);
    }

    #[test]
    fn a_check_that_was_never_validated_refuses_new_rows_all_the_same() {
        let scene = region(|c| c.not_null_unproved = Some("CK_Region".to_owned()));
        assert_eq!(scene.run(&RULE).severity(), Severity::Error);
    }

    #[test]
    fn quiet_when_the_finding_about_a_missing_column_names_it() {
        Scene::ledger(Dialect::Postgres)
            .column("CorrelationId", |c| c.name = "correlationid".to_owned())
            .run(&RULE)
            .assert_quiet();
    }
}
