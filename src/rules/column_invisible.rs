//! A column that `SELECT *` and inserts without a column list leave out.

use crate::compare::ColumnPair;
use crate::dialect::Dialect;
use crate::finding::Severity;

use super::engine::{Check, Context, Draft, Rule, Sink};
use super::plant::Plant;
use super::repair::{self, Change};
use super::wording;

/// The rule.
pub(super) static RULE: Rule = Rule {
    code: "C013",
    name: "column-invisible",
    severity: Severity::Warning,
    summary: "a column is invisible to SELECT * and to inserts without a column list",
    page: include_str!("column_invisible.md"),
    check: Check::Column(check),
    plant: Plant::only(
        &[Dialect::MySql, Dialect::MariaDb],
        "columns cannot be hidden",
        |ground| ground.column("SourceService").invisible = true,
    ),
};

fn check(pair: &ColumnPair<'_>, ctx: &Context<'_>, sink: &mut Sink<'_>) {
    let ColumnPair::Both { desired, observed } = *pair else {
        return;
    };
    if !observed.invisible {
        return;
    }
    let name = desired.name.value.as_str();
    sink.report(Draft {
        severity: Severity::Warning,
        object: ctx.path().column(name),
        at: desired.name.at,
        expected: Some("visible".to_owned()),
        found: Some("invisible".to_owned()),
        message: format!("column {} is invisible", wording::name(name)),
        impact: "Statements that name the column work. SELECT * leaves it out, and so does an insert without a column list: \
                 copies and archives of the table lose it without an error."
            .to_owned(),
        help: repair::change_column(ctx, desired, Change::Restate),
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;
    use crate::rules::testing::Scene;

    #[test]
    fn quiet_for_visible_columns() {
        Scene::ledger(Dialect::MariaDb).run(&RULE).assert_quiet();
    }

    #[test]
    fn an_invisible_column_is_a_warning() {
        let said = Scene::ledger(Dialect::MariaDb)
            .column("EventId", |c| c.invisible = true)
            .run(&RULE);
        assert_eq!(said.severity(), Severity::Warning);
    }

    #[test]
    fn quiet_about_invisible_columns_that_the_spec_does_not_have() {
        Scene::ledger(Dialect::MariaDb)
            .extra_column("row_end", |c| c.invisible = true)
            .run(&RULE)
            .assert_quiet();
    }
}
