//! A column that takes NULL and must not, or must and does not.

use crate::compare::ColumnPair;
use crate::dialect::Given;
use crate::finding::Severity;
use crate::schema::{Aspect, Column, Identity, NotNullBy, PrimaryKey};
use crate::spec::{ColumnSpec, Wanted};

use super::admission::{Admission, reaches};
use super::engine::{Check, Context, Draft, Rule, Sink};
use super::plant::Plant;
use super::repair::{self, Change};
use super::wording;

/// The rule.
pub(super) static RULE: Rule = Rule {
    code: "C007",
    name: "column-nullability",
    severity: Severity::Critical,
    summary: "a column takes NULL although the spec says it does not, or the reverse",
    page: include_str!("column_nullability.md"),
    check: Check::Column(check),
    plant: Plant::everywhere(|ground| ground.column("EventId").nullable = true),
};

fn check(pair: &ColumnPair<'_>, ctx: &Context<'_>, sink: &mut Sink<'_>) {
    let ColumnPair::Both { desired, observed } = *pair else {
        return;
    };
    let wanted = &desired.nullable;
    if !ctx.table().sees(Aspect::Nullability) {
        if wanted.value != Wanted::Silent {
            sink.unverified(
                ctx.path().aspect(Aspect::Nullability),
                "The server did not show which of the table's columns take NULL.",
                "Check again with a role that may read the table.",
                wanted.value.stated().is_some(),
            );
        }
        return;
    }
    sink.judge(
        &wanted.value,
        ctx.path().column(&desired.name.value).aspect(Aspect::Nullability),
        wanted.at,
        || word(observed.takes_null()).to_owned(),
        |&nullable| word(nullable).to_owned(),
        |&nullable| judge(nullable, desired, observed, ctx),
    );
}

fn word(nullable: bool) -> &'static str {
    if nullable { "nullable" } else { "not null" }
}

fn judge(nullable: bool, desired: &ColumnSpec, observed: &Column, ctx: &Context<'_>) -> Option<Draft> {
    let name = wording::name(&desired.name.value);
    let draft = |severity, found: &str, message, impact, help| Draft {
        severity,
        object: ctx.path().column(&desired.name.value),
        at: desired.nullable.at,
        expected: Some(word(nullable).to_owned()),
        found: Some(found.to_owned()),
        message,
        impact,
        help,
    };
    match nullable {
        false if observed.takes_null() => {
            let (severity, why, impact) = too_loose(desired, observed, ctx);
            let help = repair_loose(desired, observed, ctx);
            let message = format!("column {name} takes NULL although the spec says not null{why}");
            Some(draft(severity, "nullable", message, impact, help))
        }
        // A NULL that is inserted into a row number becomes the next number.
        true if observed.refuses_null() && observed.not_null_by != Some(NotNullBy::RowNumber) => Some(draft(
            Severity::Error,
            "not null",
            format!(
                "column {name} refuses NULL although the spec says nullable{}",
                held_by(observed)
            ),
            format!(
                "A row without a value for it is refused. {}",
                wording::refused(ctx.desired().role)
            ),
            repair_strict(desired, observed, ctx),
        )),
        false if matches!(observed.not_null_by, Some(NotNullBy::Check(_) | NotNullBy::Domain(_))) => Some(draft(
            Severity::Info,
            "not null",
            format!("column {name} is not declared NOT NULL{}", held_by(observed)),
            "NULL is kept out as the spec says, for as long as nobody drops what keeps it out.".to_owned(),
            repair::change_column(ctx, desired, Change::SetNotNull),
        )),
        true if !observed.refuses_null() => on_partitions(observed, ctx).map(|(partitions, help)| {
            draft(
                Severity::Error,
                "not null",
                format!("column {name}{partitions} refuses NULL although the spec says nullable"),
                format!(
                    "A row without a value for it is refused where it belongs there. {}",
                    wording::refused(ctx.desired().role)
                ),
                help,
            )
        }),
        _ => None,
    }
}

/// Returns the partitions that refuse NULL where the table does not, as the end of a name, and what to do about them.
/// One that no row without a value gets into refuses none.
fn on_partitions(observed: &Column, ctx: &Context<'_>) -> Option<(String, String)> {
    let table = ctx.table();
    let not_nulls = table.partition_not_nulls.iter();
    let not_nulls = not_nulls.filter(|held| held.column == observed.name);
    let not_nulls: Vec<&str> = not_nulls
        .filter(|held| reaches(&held.partition, observed, Given::Null, ctx))
        .map(|held| held.partition.name.as_str())
        .collect();
    let checks = table.partition_checks.iter();
    let checks = checks.filter(|held| held.check.enforced && held.check.columns.contains(&observed.name));
    let checks: Vec<&str> = checks
        .filter(|held| Admission::of_partition(held, observed, ctx).admits(Given::Null) == Some(false))
        .map(|held| held.partition.name.as_str())
        .collect();
    let help = match (not_nulls.is_empty(), checks.is_empty()) {
        (true, true) => return None,
        (false, _) => {
            "Run `ALTER TABLE … ALTER COLUMN … DROP NOT NULL;` for the partition, in a migration of the service."
        }
        (true, false) => "Drop the partition's check that keeps NULL out, in a migration of the service.",
    };
    let mut names = [not_nulls, checks].concat();
    names.sort_unstable();
    names.dedup();
    Some((wording::on_partitions(&names), help.to_owned()))
}

/// Returns what else than its own NOT NULL keeps NULL out of a column, as the end of a sentence.
fn held_by(observed: &Column) -> String {
    match (&observed.not_null_by, &observed.not_null_unproved) {
        (Some(NotNullBy::Domain(domain)), _) => format!("; the domain {} keeps NULL out", wording::name(domain)),
        (Some(NotNullBy::Check(check)), _) | (None, Some(check)) => {
            format!("; the check {} keeps NULL out", wording::name(check))
        }
        (Some(NotNullBy::RowNumber), _) | (None, None) => String::new(),
    }
}

/// Judges a column that takes NULL and must not: severity, the end of the message, and what follows.
fn too_loose(desired: &ColumnSpec, observed: &Column, ctx: &Context<'_>) -> (Severity, String, String) {
    let name = desired.name.value.as_str();
    if observed.generated.is_some() {
        let impact = "The value is computed and becomes NULL where its expression does.";
        return (Severity::Error, "; it is generated".to_owned(), impact.to_owned());
    }
    if let Some(check) = &observed.not_null_unproved {
        let why = format!("; the check {} is not validated", wording::name(check));
        let impact = "New rows are held to the check, but rows from before it may hold NULL, and reading one into a field \
                      that cannot be absent fails.";
        return (Severity::Error, why, impact.to_owned());
    }
    if ctx.is_event_id(name) {
        let impact = "A unique index lets any number of NULLs in, so an event without identity is recorded again with \
                      each delivery and never taken for a duplicate.";
        return (Severity::Critical, String::new(), impact.to_owned());
    }
    let impact = if ctx.is_recorded_at(name) {
        "A row without a time is never older than the retention horizon, so it is never removed, and a reader that expects \
         a value fails on it."
    } else {
        "Rows without a value can be stored, and a reader that expects one fails on them."
    };
    (Severity::Error, String::new(), impact.to_owned())
}

fn repair_loose(desired: &ColumnSpec, observed: &Column, ctx: &Context<'_>) -> String {
    if observed.not_null_unproved.is_some() {
        return "Fill or remove the rows that hold NULL, then validate the check and set the column NOT NULL."
            .to_owned();
    }
    let change = match &observed.generated {
        Some(generated) => Change::DropGenerated {
            stored: generated.stored,
        },
        None => Change::SetNotNull,
    };
    format!(
        "Fill or remove the rows that hold NULL first. {}",
        repair::change_column(ctx, desired, change)
    )
}

fn repair_strict(desired: &ColumnSpec, observed: &Column, ctx: &Context<'_>) -> String {
    match (&observed.not_null_by, &observed.not_null_unproved) {
        (Some(NotNullBy::Check(_)), _) | (None, Some(_)) => {
            "Drop the check that keeps NULL out, in a migration of the service.".to_owned()
        }
        (Some(NotNullBy::Domain(_)), _) => repair::change_column(ctx, desired, Change::Type(&observed.ty.data)),
        (Some(NotNullBy::RowNumber), _) | (None, None) => {
            let drop = repair::change_column(ctx, desired, Change::DropNotNull);
            let in_key = |key: &PrimaryKey| key.columns.contains(&observed.name);
            if ctx.table().primary_key.as_ref().is_some_and(in_key) {
                format!(
                    "The primary key keeps NULL out of each of its columns: take the column out of it first. {drop}"
                )
            } else if observed.identity.is_some_and(|identity| identity != Identity::Auto) {
                format!("The server numbers the column and keeps NULL out: take that away first. {drop}")
            } else {
                drop
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;
    use crate::rules::testing::Scene;
    use crate::schema::Generated;
    use crate::spec::Role;

    fn nullable(column: &str) -> Scene {
        Scene::ledger(Dialect::Postgres).column(column, |c| c.nullable = true)
    }

    #[test]
    fn quiet_when_both_say_the_same() {
        Scene::ledger(Dialect::Postgres).run(&RULE).assert_quiet();
    }

    #[test]
    fn a_nullable_event_identity_is_critical_in_a_ledger() {
        assert_eq!(nullable("EventId").run(&RULE).severity(), Severity::Critical);
        assert_eq!(
            nullable("EventId").role(Role::Projection).run(&RULE).severity(),
            Severity::Error
        );
    }

    #[test]
    fn any_other_nullable_column_is_an_error_at_its_nullability() {
        let scene = nullable("Outcome");
        let said = scene.run(&RULE);
        assert_eq!(said.severity(), Severity::Error);
        assert_eq!(
            said.finding().location.line,
            scene.spec_column("Outcome").nullable.at.line
        );
    }

    #[test]
    fn stricter_is_not_safer() {
        let said = Scene::ledger(Dialect::Postgres)
            .column("TenantId", |c| c.nullable = false)
            .run(&RULE);
        assert_eq!(said.severity(), Severity::Error);
        assert!(said.finding().help.raw().contains("DROP NOT NULL"));
    }

    #[test]
    fn a_validated_check_keeps_null_out_as_well() {
        let said = nullable("EventType")
            .column("EventType", |c| {
                c.not_null_by = Some(NotNullBy::Check("CK_nn".to_owned()))
            })
            .run(&RULE);
        assert_eq!(said.severity(), Severity::Info);
        assert!(said.finding().message.raw().contains("`CK_nn`"));
    }

    #[test]
    fn an_unvalidated_check_does_not() {
        let said = nullable("EventType")
            .column("EventType", |c| c.not_null_unproved = Some("CK_nn".to_owned()))
            .run(&RULE);
        assert_eq!(said.severity(), Severity::Error);
        assert!(said.finding().message.raw().contains("`CK_nn` is not validated"));
    }

    #[test]
    fn a_check_of_new_rows_alone_refuses_the_null_that_is_promised() {
        let said = Scene::ledger(Dialect::Postgres)
            .column("TenantId", |c| c.not_null_unproved = Some("CK_nn".to_owned()))
            .run(&RULE);
        assert_eq!(said.severity(), Severity::Error);
        assert!(
            said.finding()
                .message
                .raw()
                .ends_with("the check `CK_nn` keeps NULL out")
        );
    }

    #[test]
    fn a_generated_event_identity_is_an_error_here_and_critical_elsewhere() {
        let said = nullable("EventId")
            .column("EventId", |c| {
                c.generated = Some(Generated {
                    sql: "x".to_owned(),
                    stored: true,
                    reads: Vec::new(),
                });
            })
            .run(&RULE);
        assert_eq!(said.severity(), Severity::Error);
    }

    #[test]
    fn quiet_about_row_numbers_whatever_the_spec_says() {
        for nullable in [true, false] {
            Scene::ledger(Dialect::Sqlite)
                .wanted_column("TenantId", |c| c.nullable.value = Wanted::Is(nullable))
                .column("TenantId", |c| {
                    c.nullable = true;
                    c.not_null_by = Some(NotNullBy::RowNumber);
                })
                .run(&RULE)
                .assert_quiet();
        }
    }

    #[test]
    fn an_unconfirmed_nullability_is_listed_with_what_is_there() {
        let said = nullable("SourceService")
            .wanted_column("SourceService", |c| c.nullable.value = Wanted::Unconfirmed(None))
            .run(&RULE);
        assert_eq!(said.open().found.raw(), "nullable");
    }

    #[test]
    fn an_unseen_nullability_is_unverified() {
        let said = nullable("SourceService")
            .table(|t| {
                t.unseen.insert(Aspect::Nullability);
            })
            .run(&RULE);
        assert!(said.unverified().required);
    }
}
