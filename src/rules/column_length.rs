//! A text column of another length.

use crate::compare::ColumnPair;
use crate::dialect::{Dialect, TypeAspect};
use crate::finding::Severity;
use crate::schema::{DataType, NativeType};

use super::engine::{Check, Context, Rule, Sink};
use super::plant::Plant;
use super::type_fit;

/// The rule.
pub(super) static RULE: Rule = Rule {
    code: "C005",
    name: "column-length",
    severity: Severity::Error,
    summary: "a text column takes another number of characters than the spec says",
    page: include_str!("column_length.md"),
    check: Check::Column(check),
    plant: Plant::only(
        &[Dialect::Postgres, Dialect::MySql, Dialect::MariaDb],
        "declared lengths are not enforced",
        |ground| ground.column("EventType").ty = NativeType::plain(DataType::Varchar(Some(100))),
    ),
};

fn check(pair: &ColumnPair<'_>, ctx: &Context<'_>, sink: &mut Sink<'_>) {
    type_fit::check(TypeAspect::Length, pair, ctx, sink);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;
    use crate::rules::testing::{CASE_SENSITIVE, Said, Scene};
    use crate::schema::{DataType, NativeType};

    fn run(scene: &Scene) -> Said {
        scene.run_with(&RULE, &CASE_SENSITIVE)
    }

    fn observed(length: Option<u32>) -> Scene {
        Scene::ledger(Dialect::Postgres).column("EventType", |c| c.ty = NativeType::plain(DataType::Varchar(length)))
    }

    #[test]
    fn quiet_when_the_lengths_are_the_same() {
        run(&observed(Some(160))).assert_quiet();
    }

    #[test]
    fn quiet_when_the_type_is_another_one_altogether() {
        run(&Scene::ledger(Dialect::Postgres).column("EventType", |c| c.ty = NativeType::plain(DataType::Bytes)))
            .assert_quiet();
    }

    #[test]
    fn shorter_is_an_error_and_longer_a_warning() {
        assert_eq!(run(&observed(Some(120))).severity(), Severity::Error);
        assert_eq!(run(&observed(Some(200))).severity(), Severity::Warning);
    }

    #[test]
    fn the_message_names_both_lengths() {
        let said = run(&observed(Some(100)));
        let message = said.finding().message.raw();
        assert_eq!(message, "column `EventType` is varchar(100) instead of varchar(160)");
    }
}
