//! W001: a check constraint that the spec does not speak of.

use crate::finding::Severity;
use crate::schema::{Check as CheckConstraint, Part};
use crate::spec::{ColumnSpec, Position};

use super::{Check, Context, Draft, Plant, Rule, Sink};

/// The rule.
pub(super) static RULE: Rule = Rule {
    code: "W001",
    name: "check-extra",
    severity: Severity::Error,
    summary: "a check constraint that the spec does not speak of can refuse rows",
    page: include_str!("check_extra.md"),
    check: Check::Table(check),
    plant: Plant::everywhere(|ground| {
        ground.table().checks.push(CheckConstraint {
            name: "CK_Tenant".to_owned(),
            sql: "\"TenantId\" > 0".to_owned(),
            columns: vec!["TenantId".to_owned()],
            validated: true,
            enforced: true,
        });
    }),
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Some(table) = context.pair.table else { return };
    for constraint in &table.checks {
        let wanted = context
            .desired()
            .checks
            .iter()
            .any(|c| context.facts.same_name(&constraint.name, &c.name.value));
        if !wanted && constraint.enforced && !only_keeps_null_out(constraint, context) {
            judge(constraint, context, sink);
        }
    }
}

/// A check that is a NOT NULL by another name is judged with the column.
fn only_keeps_null_out(constraint: &CheckConstraint, context: &Context<'_>) -> bool {
    use crate::schema::NotNullBy;
    context.table().columns.iter().any(|column| {
        let by_check = matches!(&column.not_null_by, Some(NotNullBy::Check(name)) if *name == constraint.name);
        by_check || column.not_null_unproved.as_ref() == Some(&constraint.name)
    })
}

fn judge(constraint: &CheckConstraint, context: &Context<'_>, sink: &mut Sink<'_>) {
    let verdict = context
        .desired()
        .columns
        .iter()
        .find_map(|column| about_values(constraint, column, context));
    let unknown = Judgement {
        severity: Severity::Warning,
        at: context.desired().name.at,
        message: format!(
            "the check constraint {} is not in the spec: {}",
            constraint.name, constraint.sql
        ),
        impact: "Rows that it refuses cannot be recorded, and their events are processed again on each redelivery.",
        expected: None,
    };
    let verdict = verdict.unwrap_or(unknown);
    sink.report(Draft {
        severity: verdict.severity,
        object: context.path().with(Part::Constraint(constraint.name.clone())),
        at: verdict.at,
        expected: verdict.expected,
        found: Some(constraint.sql.clone()),
        message: verdict.message,
        impact: verdict.impact.to_owned(),
        help: format!(
            "Drop it (ALTER TABLE {} DROP CONSTRAINT …) or write it under `checks:` in the spec if it is meant.",
            context.facts.quote(&context.desired().name.value)
        ),
    });
}

struct Judgement {
    severity: Severity,
    at: Position,
    message: String,
    impact: &'static str,
    expected: Option<String>,
}

/// Judges a check that lists the values of a column whose values the spec knows.
fn about_values(constraint: &CheckConstraint, column: &ColumnSpec, context: &Context<'_>) -> Option<Judgement> {
    let wanted = column.values.value.guess()?;
    let allowed = context.facts.listed_values(&constraint.sql, &column.name.value)?;
    let refused: Vec<&str> = wanted
        .iter()
        .filter(|v| !allowed.contains(*v))
        .map(String::as_str)
        .collect();
    let expected = Some(wanted.join(", "));
    let name = &constraint.name;
    if refused.is_empty() {
        return Some(Judgement {
            severity: Severity::Info,
            at: column.values.at,
            message: format!("the check constraint {name} lists the values of {}", column.name.value),
            impact: "Every value of the spec is allowed; a new one would need the constraint changed first.",
            expected,
        });
    }
    // A guess of the spec proves nothing: what is unconfirmed cannot fail.
    let severity = if column.values.value.is_unconfirmed() {
        Severity::Warning
    } else {
        Severity::Error
    };
    Some(Judgement {
        severity,
        at: column.values.at,
        message: format!(
            "the check constraint {name} refuses values of {} that the spec allows: {}",
            column.name.value,
            refused.join(", ")
        ),
        impact: "Rows with these values cannot be recorded, and their events are judged and processed anew on each redelivery.",
        expected,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;
    use crate::rules::testing::Scene;
    use crate::schema::NotNullBy;
    use crate::spec::Wanted;

    fn values() -> Vec<String> {
        ["Processed", "Duplicate", "Stale"].map(str::to_owned).to_vec()
    }

    fn listing(list: &str) -> Scene {
        Scene::ledger(Dialect::Postgres)
            .wanted_column("Outcome", |c| c.values.value = Wanted::Is(values()))
            .check("CK_Outcome", &format!("\"Outcome\" IN ({list})"), |_| {})
    }

    #[test]
    fn a_list_that_lacks_a_value_of_the_spec_is_an_error() {
        let scene = listing("'Processed', 'Duplicate'");
        let said = scene.run(&RULE);
        assert_eq!(said.severity(), Severity::Error);
        assert_eq!(
            said.finding().message.raw(),
            "the check constraint CK_Outcome refuses values of Outcome that the spec allows: Stale"
        );
        assert_eq!(
            said.finding().location.line,
            scene.spec_column("Outcome").values.at.line
        );
    }

    #[test]
    fn a_list_that_lacks_a_guessed_value_is_a_warning() {
        let scene = listing("'Processed'").wanted_column("Outcome", |c| {
            c.values.value = Wanted::Unconfirmed(Some(values()));
        });
        assert_eq!(scene.run(&RULE).severity(), Severity::Warning);
    }

    #[test]
    fn a_list_of_all_values_is_worth_a_line() {
        let said = listing("'Stale', 'Duplicate', 'Processed', 'Failed'").run(&RULE);
        assert_eq!(said.severity(), Severity::Info);
    }

    #[test]
    fn what_another_check_refuses_is_not_known() {
        for dialect in Dialect::ALL {
            let said = Scene::ledger(dialect).check("CK_Tenant", "x > 0", |_| {}).run(&RULE);
            assert_eq!(said.severity(), Severity::Warning);
            assert_eq!(
                said.finding().message.raw(),
                "the check constraint CK_Tenant is not in the spec: x > 0"
            );
        }
        let silent = Scene::ledger(Dialect::Postgres).check("CK_Outcome", "\"Outcome\" IN ('Processed')", |_| {});
        assert_eq!(
            silent.run(&RULE).severity(),
            Severity::Warning,
            "the spec lists no values"
        );
    }

    #[test]
    fn wanted_checks_and_those_that_hold_for_nobody_are_quiet() {
        Scene::ledger(Dialect::Postgres)
            .wanted_check("CK_Outcome", "true")
            .check("CK_Outcome", "false", |_| {})
            .check("CK_off", "false", |c| c.enforced = false)
            .run(&RULE)
            .assert_quiet();
    }

    #[test]
    fn a_wanted_name_is_compared_as_the_server_stores_it() {
        let long = "CK_".to_owned() + &"x".repeat(80);
        let stored = Dialect::Postgres.facts().stored_name(&long).to_owned();
        Scene::ledger(Dialect::Postgres)
            .wanted_check(&long, "true")
            .check(&stored, "true", |_| {})
            .run(&RULE)
            .assert_quiet();
    }

    #[test]
    fn a_check_that_only_keeps_null_out_is_judged_with_the_column() {
        for held in [true, false] {
            Scene::ledger(Dialect::Postgres)
                .check("CK_nn", "\"TenantId\" IS NOT NULL", |_| {})
                .column("TenantId", |c| {
                    if held {
                        c.not_null_by = Some(NotNullBy::Check("CK_nn".to_owned()));
                    } else {
                        c.not_null_unproved = Some("CK_nn".to_owned());
                    }
                })
                .run(&RULE)
                .assert_quiet();
        }
    }
}
