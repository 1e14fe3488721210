//! Tests of the rule.

use super::*;
use crate::dialect::Dialect;
use crate::rules::testing::{CASE_SENSITIVE, Said, Scene};
use crate::schema::{Domain, Generated};

fn text(text: &str) -> DefaultExpr {
    DefaultExpr::Literal(Literal::Text(text.to_owned()))
}

fn now(clock: Clock, form: TimeForm) -> DefaultExpr {
    DefaultExpr::Now { clock, form }
}

fn found(column: &str, default: Option<DefaultExpr>) -> Scene {
    Scene::ledger(Dialect::Postgres).column(column, |c| {
        c.default_text = default.as_ref().map(ToString::to_string);
        c.default = default;
    })
}

fn wanted_sql(scene: Scene, column: &str, sql: &str) -> Scene {
    scene.wanted_column(column, |c| {
        c.default.value = Wanted::Is(DefaultSpec::Sql(sql.to_owned()))
    })
}

fn run(scene: &Scene) -> Said {
    scene.run_with(&RULE, &CASE_SENSITIVE)
}

#[test]
fn quiet_when_the_defaults_are_the_same() {
    run(&Scene::ledger(Dialect::Postgres)).assert_quiet();
    let scene = found("ProcessedOnUtc", Some(now(Clock::Statement, TimeForm::Native)));
    run(&wanted_sql(scene, "ProcessedOnUtc", "now()")).assert_quiet();
}

#[test]
fn quiet_when_the_spec_is_silent() {
    let scene =
        found("EventId", Some(DefaultExpr::FreshUuid)).wanted_column("EventId", |c| c.default.value = Wanted::Silent);
    run(&scene).assert_quiet();
}

#[test]
fn quiet_when_the_spec_s_null_meets_no_default() {
    run(&wanted_sql(found("TenantId", None), "TenantId", "NULL")).assert_quiet();
}

#[test]
fn a_missing_default_is_an_error_at_the_default() {
    let scene = found("Outcome", None);
    let said = run(&scene);
    assert_eq!(said.severity(), Severity::Error);
    assert_eq!(
        said.finding().location.line,
        scene.spec_column("Outcome").default.at.line
    );
    assert!(said.finding().help.raw().contains("SET DEFAULT 'Processed'"));
}

#[test]
fn letter_case_is_data() {
    let said = run(&found("Outcome", Some(text("processed"))));
    assert_eq!(said.severity(), Severity::Error);
    assert!(said.finding().message.raw().contains("letter case"));
}

#[test]
fn empty_text_is_a_default_and_not_the_wanted_one() {
    assert_eq!(run(&found("Outcome", Some(text("")))).severity(), Severity::Error);
}

#[test]
fn an_expression_for_a_constant_is_a_warning_since_nothing_is_evaluated() {
    let concat = DefaultExpr::Expression("'Pro' || 'cessed'".to_owned());
    assert_eq!(run(&found("Outcome", Some(concat))).severity(), Severity::Warning);
}

#[test]
fn times_cost_by_how_wrong_they_can_be() {
    for (default, severity) in [
        (now(Clock::Wall, TimeForm::Native), Severity::Info),
        (now(Clock::Statement, TimeForm::Formatted), Severity::Info),
        (now(Clock::Statement, TimeForm::ShiftedUtc), Severity::Error),
        (now(Clock::Statement, TimeForm::Midnight), Severity::Error),
        (now(Clock::Statement, TimeForm::Seconds), Severity::Error),
        (now(Clock::Statement, TimeForm::Days), Severity::Error),
        (text("2026-01-01"), Severity::Error),
    ] {
        let scene = wanted_sql(
            found("ProcessedOnUtc", Some(default.clone())),
            "ProcessedOnUtc",
            "now()",
        );
        assert_eq!(run(&scene).severity(), severity, "{default}");
    }
}

#[test]
fn the_start_of_the_day_is_not_the_present_time() {
    let scene = found("ProcessedOnUtc", Some(now(Clock::Statement, TimeForm::Native)));
    let said = wanted_sql(scene, "ProcessedOnUtc", "CURRENT_DATE").run(&RULE);
    assert_eq!(said.severity(), Severity::Error);
    let scene = found("ProcessedOnUtc", Some(now(Clock::Statement, TimeForm::Midnight)));
    wanted_sql(scene, "ProcessedOnUtc", "current_date")
        .run(&RULE)
        .assert_quiet();
}

#[test]
fn a_sequence_is_the_same_with_and_without_the_tables_namespace() {
    let of = |name: &str| found("TenantId", Some(DefaultExpr::NextValue(name.to_owned())));
    for (found, wanted) in [("public.s1", "s1"), ("s1", "public.s1"), ("public.s1", "public.s1")] {
        let scene = wanted_sql(of(found), "TenantId", &format!("nextval('{wanted}')"));
        scene.run(&RULE).assert_quiet();
    }
    for (found, wanted) in [("other.s1", "s1"), ("public.s2", "s1")] {
        let said = wanted_sql(of(found), "TenantId", &format!("nextval('{wanted}'::regclass)"));
        assert_eq!(said.run(&RULE).severity(), Severity::Error);
    }
}

#[test]
fn a_text_whose_characters_the_catalog_lost_is_not_judged() {
    let said = |dialect, shown: &str| {
        let scene = Scene::ledger(dialect)
            .column("Outcome", |c| c.default = Some(text(shown)))
            .wanted_column("Outcome", |c| {
                let wanted = Literal::Text("Gr\u{f6}\u{df}e \u{1f600}".to_owned());
                c.default.value = Wanted::Is(DefaultSpec::Value(wanted));
            });
        scene.run(&RULE)
    };
    assert!(said(Dialect::MariaDb, "Gr\u{f6}\u{df}e ?").unverified().required);
    assert!(said(Dialect::Postgres, "Gr\u{fffd}\u{fffd}e ").unverified().required);
    for (dialect, shown) in [
        (Dialect::Postgres, "Gr\u{f6}\u{df}e ?"),
        (Dialect::MariaDb, "Gr??e ?"),
        (Dialect::MariaDb, "Gr\u{f6}\u{df}e ??"),
    ] {
        assert_eq!(said(dialect, shown).severity(), Severity::Error, "{shown}");
    }
}

#[test]
fn two_expressions_are_equal_or_cannot_be_compared() {
    let call = |sql: &str| Some(DefaultExpr::Expression(sql.to_owned()));
    run(&wanted_sql(found("EventType", call("f( 1 )")), "EventType", "f(  1 )")).assert_quiet();
    let said = run(&wanted_sql(found("EventType", call("g(1)")), "EventType", "f(1)"));
    assert!(said.unverified().required);
}

#[test]
fn an_unexpected_default_costs_by_what_it_does() {
    for (column, default, severity) in [
        ("EventId", DefaultExpr::FreshUuid, Severity::Critical),
        ("Id", DefaultExpr::FreshUuid, Severity::Info),
        ("SourceService", text(""), Severity::Warning),
        ("SourceService", text("NULL"), Severity::Error),
        (
            "TenantId",
            DefaultExpr::Literal(Literal::Number("0".to_owned())),
            Severity::Warning,
        ),
        (
            "ProcessedOnUtc",
            now(Clock::Statement, TimeForm::Native),
            Severity::Warning,
        ),
    ] {
        assert_eq!(
            run(&found(column, Some(default.clone()))).severity(),
            severity,
            "{column} {default}"
        );
    }
}

#[test]
fn the_default_of_a_domain_is_hidden_and_not_dropped() {
    let help = |domains: Vec<Domain>| {
        let scene = found("TenantId", Some(DefaultExpr::Literal(Literal::Number("7".to_owned()))));
        let scene = scene.column("TenantId", |c| c.ty.domains = domains);
        scene.run(&RULE).finding().help.raw().to_owned()
    };
    assert!(help(vec![Domain::plain("tenant")]).contains("SET DEFAULT NULL"));
    assert!(help(Vec::new()).contains("DROP DEFAULT"));
}

#[test]
fn a_uuid_kept_as_text_is_still_read_as_a_uuid() {
    let nil = text("00000000-0000-0000-0000-000000000000");
    let said = Scene::ledger(Dialect::Sqlite)
        .column("Id", |c| c.default = Some(nil))
        .run_with(&RULE, &CASE_SENSITIVE);
    assert_eq!(said.severity(), Severity::Warning);
    assert!(said.finding().impact.raw().contains("EF Core"));
}

#[test]
fn quiet_about_generated_and_numbered_columns() {
    let generated = found("TenantId", Some(text("x"))).column("TenantId", |c| {
        c.generated = Some(Generated {
            sql: "x".to_owned(),
            stored: true,
            reads: Vec::new(),
        });
    });
    run(&generated).assert_quiet();
    let serial = found("TenantId", Some(DefaultExpr::NextValue("s".to_owned())))
        .wanted_column("TenantId", |c| c.identity.value = Wanted::Is(Identity::Auto));
    run(&serial).assert_quiet();
}

#[test]
fn an_unconfirmed_default_is_listed_with_what_is_there() {
    let scene = found("Outcome", None).wanted_column("Outcome", |c| {
        c.default.value = Wanted::Unconfirmed(Some(DefaultSpec::Value(Literal::Text("Processed".to_owned()))));
    });
    let said = run(&scene);
    assert_eq!(said.open().found.raw(), "no default");
    assert_eq!(said.open().expected.as_ref().unwrap().raw(), "'Processed'");
}

#[test]
fn defaults_that_could_not_be_seen_are_unverified_once() {
    let scene = found("Outcome", None).table(|t| {
        t.unseen.insert(Aspect::Default);
    });
    assert!(run(&scene).unverified().required);
}
