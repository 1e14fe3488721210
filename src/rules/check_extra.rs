//! W001: a check constraint that the spec does not speak of.

use crate::finding::Severity;
use crate::schema::{Check as CheckConstraint, Part};
use crate::spec::{ColumnSpec, Position};

use super::{Check, Context, Draft, Rule, Sink, repair};

/// The rule.
pub(super) static RULE: Rule = Rule {
    code: "W001",
    name: "check-extra",
    severity: Severity::Error,
    summary: "a check constraint that the spec does not speak of can refuse rows",
    page: include_str!("check_extra.md"),
    check: Check::Table(check),
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
        message: format!("the check constraint `{}` is not in the spec", constraint.name),
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
            "If it is meant, write it under `checks` in the spec. {}",
            repair::drop_constraint(context)
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
            message: format!(
                "the check constraint `{name}` lists the values of `{}`",
                column.name.value
            ),
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
            "the check constraint `{name}` refuses values of `{}` that the spec allows: {}",
            column.name.value,
            refused.join(", ")
        ),
        impact: "Rows with these values cannot be recorded, and their events are judged and processed anew on each redelivery.",
        expected,
    })
}
