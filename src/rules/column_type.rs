//! A column of another type.

use crate::compare::ColumnPair;
use crate::dialect::TypeAspect;
use crate::finding::Severity;
use crate::schema::{DataType, NativeType};

use super::engine::{Check, Context, Rule, Sink};
use super::plant::Plant;
use super::type_fit;

/// The rule.
pub(super) static RULE: Rule = Rule {
    code: "C004",
    name: "column-type",
    severity: Severity::Critical,
    summary: "a column has another type than the spec says",
    page: include_str!("column_type.md"),
    check: Check::Column(check),
    plant: Plant::everywhere(|ground| ground.column("TenantId").ty = NativeType::plain(DataType::Varchar(Some(80)))),
};

fn check(pair: &ColumnPair<'_>, ctx: &Context<'_>, sink: &mut Sink<'_>) {
    type_fit::check(TypeAspect::Type, pair, ctx, sink);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;
    use crate::rules::testing::{CASE_SENSITIVE, Said, Scene};
    use crate::schema::{DataType, Domain, NativeType};
    use crate::spec::{Role, TypeSpec, Wanted};

    fn run(scene: &Scene) -> Said {
        scene.run_with(&RULE, &CASE_SENSITIVE)
    }

    fn observed(column: &str, data: DataType) -> Scene {
        Scene::ledger(Dialect::Postgres).column(column, |c| c.ty = NativeType::plain(data))
    }

    #[test]
    fn quiet_when_the_types_are_the_same() {
        run(&Scene::ledger(Dialect::Postgres)).assert_quiet();
    }

    #[test]
    fn quiet_when_only_the_length_differs() {
        run(&observed("EventType", DataType::Varchar(Some(100)))).assert_quiet();
    }

    #[test]
    fn a_narrower_type_is_an_error_and_a_wider_one_a_warning() {
        assert_eq!(
            run(&observed("TenantId", DataType::SmallInt)).severity(),
            Severity::Error
        );
        assert_eq!(
            run(&observed("TenantId", DataType::BigInt)).severity(),
            Severity::Warning
        );
    }

    #[test]
    fn two_forms_of_one_identity_are_critical_for_ledgers_only() {
        let bytes = || observed("EventId", DataType::Bytes);
        assert_eq!(run(&bytes()).severity(), Severity::Critical);
        assert_eq!(run(&bytes().role(Role::Audit)).severity(), Severity::Error);
        assert_eq!(run(&observed("Id", DataType::Bytes)).severity(), Severity::Error);
    }

    #[test]
    fn a_validated_check_keeps_the_limit_that_the_type_does_not() {
        let said = |sql: &str, validated| {
            Scene::ledger(Dialect::Postgres)
                .column("EventType", |c| c.ty = NativeType::plain(DataType::Text))
                .check("CK_length", &sql.replace('x', "\"EventType\""), |c| {
                    c.validated = validated
                })
                .run(&RULE)
                .severity()
        };
        assert_eq!(said("char_length(x) <= 160", true), Severity::Warning);
        assert_eq!(said("char_length(x) <= 160", false), Severity::Error);
        for other in [
            "char_length(x) <= 100",
            "char_length(x) <= 200",
            "octet_length(x) <= 160",
            "char_length(x) <> 161",
            "char_length(btrim(x)) <= 160",
            "char_length(x) <= 160 OR x = lower(x)",
        ] {
            assert_eq!(said(other, true), Severity::Error, "{other}");
        }
    }

    #[test]
    fn a_domain_is_worth_a_line() {
        let scene = Scene::ledger(Dialect::Postgres).column("EventType", |c| {
            c.ty.domains = vec![Domain::plain("event_type")];
        });
        assert_eq!(run(&scene).severity(), Severity::Info);
    }

    #[test]
    fn the_finding_points_at_the_type_and_gives_both() {
        let scene = observed("ProcessedOnUtc", DataType::Text);
        let said = run(&scene);
        let finding = said.finding();
        assert_eq!(finding.location.line, scene.spec_column("ProcessedOnUtc").ty.at.line);
        assert_eq!(finding.expected.as_ref().unwrap().raw(), "timestamptz");
        assert_eq!(finding.found.as_ref().unwrap().raw(), "text");
        assert!(
            finding
                .help
                .raw()
                .contains("ALTER COLUMN \"ProcessedOnUtc\" TYPE timestamptz")
        );
    }

    #[test]
    fn a_name_that_says_nothing_of_the_storage_is_explained() {
        let scene = Scene::ledger(Dialect::Sqlite)
            .wanted_column("Outcome", |c| {
                c.ty.value = Wanted::Is(TypeSpec {
                    any: Some(DataType::Json),
                    pins: std::collections::BTreeMap::new(),
                });
            })
            .column("Outcome", |c| c.ty = crate::dialect::sqlite::native("JSON", false));
        let said = scene.run(&RULE);
        let message = said.finding().message.raw();
        assert_eq!(message, "column `Outcome` is JSON (NUMERIC affinity) instead of json");
    }

    #[test]
    fn help_holds_nothing_of_the_live_spelling() {
        let hostile = "evil\"; DROP TABLE x; --";
        let scene = observed("TenantId", DataType::Other(hostile.to_owned()));
        assert!(!run(&scene).finding().help.raw().contains("DROP TABLE x"));
    }

    #[test]
    fn an_unconfirmed_type_is_listed_with_the_server_s_spelling() {
        let scene = observed("TenantId", DataType::BigInt).wanted_column("TenantId", |c| {
            c.ty.value = Wanted::Unconfirmed(None);
        });
        assert_eq!(run(&scene).open().found.raw(), "bigint");
    }

    #[test]
    fn a_missing_declaration_is_put_into_words() {
        let scene = Scene::ledger(Dialect::Postgres).column("EventType", |c| {
            c.ty = NativeType {
                spelling: String::new(),
                ..NativeType::plain(DataType::Other(String::new()))
            };
        });
        assert_eq!(run(&scene).finding().found.as_ref().unwrap().raw(), "no declared type");
    }
}
