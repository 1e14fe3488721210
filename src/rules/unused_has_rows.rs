//! D004: a table that is expected to be empty holds rows.

use crate::catalog::{Answer, DataFact};
use crate::finding::Severity;
use crate::spec::Status;

use super::data;
use super::engine::{Check, Context, Draft, Rule, Sink};
use super::plant::Plant;

/// The rule. It speaks only where the rows may be read.
pub(super) static RULE: Rule = Rule {
    code: "D004",
    name: "unused-has-rows",
    severity: Severity::Warning,
    summary: "a table that the spec calls unused holds rows",
    page: include_str!("unused_has_rows.md"),
    check: Check::Table(check),
    plant: Plant::everywhere(|ground| ground.data().set(DataFact::AnyRow, Answer::Known(Some(1)))).with_spec(|spec| {
        if let Some(table) = spec.tables.first_mut() {
            table.status = Status::Unused;
        }
    }),
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let table = context.desired();
    if table.status != Status::Unused || data::counted(&DataFact::AnyRow, context.path(), true, context, sink).is_none()
    {
        return;
    }
    sink.report(Draft {
        severity: Severity::Warning,
        object: context.path().clone(),
        at: table.name.at,
        expected: Some("no rows".to_owned()),
        found: Some("rows".to_owned()),
        message: format!("`{}` holds rows, although the spec calls it unused", table.name.value),
        impact:
            "Somebody writes to a ledger whose spec nobody has reviewed for use: its windows and its retention may be \
                 guesses."
                .to_owned(),
        help:
            "Find out who writes. If it is the service, review the spec and take `status: unused` away; otherwise stop \
               the writer and remove the rows."
                .to_owned(),
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;
    use crate::rules::testing::Scene;

    fn unused(rows: i64) -> Scene {
        Scene::ledger(Dialect::Postgres)
            .wanted(|table| table.status = Status::Unused)
            .data(|data| data.set(DataFact::AnyRow, Answer::Known(Some(rows))))
    }

    #[test]
    fn quiet_while_it_is_empty_or_in_use() {
        unused(0).run(&RULE).assert_quiet();
        unused(1)
            .wanted(|table| table.status = Status::Implemented)
            .run(&RULE)
            .assert_quiet();
        Scene::ledger(Dialect::Postgres)
            .wanted(|table| table.status = Status::Unused)
            .run(&RULE)
            .assert_quiet();
    }

    #[test]
    fn a_row_is_a_warning_about_the_table() {
        assert_eq!(unused(1).run(&RULE).severity(), Severity::Warning);
    }
}
