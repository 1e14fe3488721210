//! A number or time of another precision.

use crate::compare::ColumnPair;
use crate::dialect::{Dialect, TypeAspect};
use crate::finding::Severity;
use crate::schema::{DataType, NativeType};

use super::engine::{Check, Context, Rule, Sink};
use super::plant::Plant;
use super::type_fit;

/// The rule.
pub(super) static RULE: Rule = Rule {
    code: "C006",
    name: "column-precision",
    severity: Severity::Error,
    summary: "a number or time column keeps another precision than the spec says",
    page: include_str!("column_precision.md"),
    check: Check::Column(check),
    plant: Plant::only(
        &[Dialect::Postgres, Dialect::MySql, Dialect::MariaDb],
        "declared precisions are not enforced",
        |ground| {
            ground.column("Cost").ty = NativeType::plain(DataType::Numeric {
                precision: Some(12),
                scale: Some(0),
            });
        },
    ),
};

fn check(pair: &ColumnPair<'_>, ctx: &Context<'_>, sink: &mut Sink<'_>) {
    type_fit::check(TypeAspect::Precision, pair, ctx, sink);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;
    use crate::rules::testing::{CASE_SENSITIVE, Said, Scene};
    use crate::schema::{DataType, NativeType};
    use crate::spec::{TypeSpec, Wanted};

    fn run(scene: &Scene) -> Said {
        scene.run_with(&RULE, &CASE_SENSITIVE)
    }

    fn amount(precision: Option<u32>, scale: Option<u32>) -> Scene {
        let wanted = DataType::Numeric {
            precision: Some(18),
            scale: Some(2),
        };
        Scene::ledger(Dialect::Postgres)
            .wanted_column("TenantId", |c| {
                c.ty.value = Wanted::Is(TypeSpec {
                    any: Some(wanted),
                    pins: std::collections::BTreeMap::new(),
                });
            })
            .column("TenantId", |c| {
                c.ty = NativeType::plain(DataType::Numeric { precision, scale })
            })
    }

    #[test]
    fn quiet_when_precision_and_scale_are_the_same() {
        run(&amount(Some(18), Some(2))).assert_quiet();
    }

    #[test]
    fn an_unconstrained_number_is_not_the_promised_one() {
        let said = run(&amount(None, None));
        assert_eq!(said.severity(), Severity::Error);
        let message = said.finding().message.raw();
        assert_eq!(message, "column `TenantId` is numeric instead of numeric(18,2)");
    }

    #[test]
    fn an_open_type_is_listed_by_column_type_alone() {
        let scene = amount(None, None).wanted_column("TenantId", |c| c.ty.value = Wanted::Unconfirmed(None));
        run(&scene).assert_quiet();
    }
}
