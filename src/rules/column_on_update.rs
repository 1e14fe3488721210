//! A column whose value changes with every update of its row.

use crate::compare::ColumnPair;
use crate::dialect::Dialect;
use crate::finding::Severity;

use super::engine::{Check, Context, Draft, Rule, Sink};
use super::plant::Plant;
use super::repair::{self, Change};
use super::wording;

/// The rule.
pub(super) static RULE: Rule = Rule {
    code: "C011",
    name: "column-on-update",
    severity: Severity::Error,
    summary: "every update of a row changes a column",
    page: include_str!("column_on_update.md"),
    check: Check::Column(check),
    plant: Plant::only(
        &[Dialect::MySql, Dialect::MariaDb],
        "columns have no ON UPDATE clause",
        |ground| {
            ground.column("ProcessedOnUtc").on_update = Some("current_timestamp(6)".to_owned());
        },
    ),
};

fn check(pair: &ColumnPair<'_>, ctx: &Context<'_>, sink: &mut Sink<'_>) {
    let ColumnPair::Both { desired, observed } = *pair else {
        return;
    };
    let Some(expression) = &observed.on_update else {
        return;
    };
    let name = desired.name.value.as_str();
    let (severity, impact) = if ctx.is_recorded_at(name) {
        (
            Severity::Error,
            "Any update of a row makes it look as if it had just been recorded, so retention by age never removes it, and \
             nobody can tell when its event was handled.",
        )
    } else {
        (
            Severity::Warning,
            "Any update of a row overwrites the value that the service stored.",
        )
    };
    sink.report(Draft {
        severity,
        object: ctx.path().column(name),
        at: desired.name.at,
        expected: Some("no ON UPDATE clause".to_owned()),
        found: Some(format!("ON UPDATE {expression}")),
        message: format!(
            "every update of a row sets column {} to {expression}",
            wording::name(name)
        ),
        impact: impact.to_owned(),
        help: repair::change_column(ctx, desired, Change::Restate),
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;
    use crate::rules::testing::Scene;

    fn on_update(column: &str) -> Scene {
        Scene::ledger(Dialect::MariaDb).column(column, |c| c.on_update = Some("current_timestamp()".to_owned()))
    }

    #[test]
    fn quiet_without_the_clause() {
        Scene::ledger(Dialect::MariaDb).run(&RULE).assert_quiet();
    }

    #[test]
    fn a_time_of_recording_that_moves_is_an_error() {
        let said = on_update("ProcessedOnUtc").run(&RULE);
        assert_eq!(said.severity(), Severity::Error);
        let help = said.finding().help.raw();
        assert!(help.contains("MODIFY COLUMN"), "{help}");
        assert!(!help.contains("ON UPDATE"), "{help}");
    }

    #[test]
    fn any_other_column_that_moves_is_a_warning() {
        assert_eq!(on_update("SourceService").run(&RULE).severity(), Severity::Warning);
    }
}
