//! W001: a check that the spec does not speak of, of the table or of a column's domain.

use crate::compare::ColumnPair;
use crate::dialect::{Given, Row, is_text};
use crate::finding::Severity;
use crate::schema::{
    Check as CheckConstraint, Column, DataType, DefaultExpr, Domain, Literal, ObjectPath, Part, PartitionCheck,
};
use crate::spec::{ColumnSpec, DefaultSpec, Position};

use super::admission::{Admission, is_of_bounds};
use super::repair::{self, Change};
use super::{Check, Context, Draft, Plant, Rule, Sink, wording};

/// The rule.
pub(super) static RULE: Rule = Rule {
    code: "W001",
    name: "check-extra",
    severity: Severity::Critical,
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
        if !wanted
            && matters(constraint, context)
            && let Some(verdict) = verdict(constraint, context, |column| {
                Admission::of_table(constraint, column, context)
            })
        {
            sink.report(constraint_draft(verdict, constraint, &[], context));
        }
    }
    of_partitions(&table.partition_checks, context, sink);
    for (desired, observed) in columns(context) {
        if let Some(draft) = of_domains(desired, observed, context) {
            sink.report(draft);
        }
    }
}

/// A check that is a NOT NULL by another name is judged with the column.
fn matters(check: &CheckConstraint, context: &Context<'_>) -> bool {
    check.enforced && !context.facts.only_keeps_null_out(&check.sql)
}

fn columns<'a>(context: &'a Context<'_>) -> impl Iterator<Item = (&'a ColumnSpec, &'a Column)> {
    context.pair.columns.iter().filter_map(|pair| match *pair {
        ColumnPair::Both { desired, observed } => Some((desired, observed)),
        _ => None,
    })
}

/// What is known of the rows that a check refuses.
#[derive(PartialEq)]
enum Verdict<'a> {
    /// Every row.
    Everything,
    /// Those with these values of a column.
    Values(&'a ColumnSpec, Vec<String>),
    /// Some of those whose text is no longer than the spec says.
    Length(&'a ColumnSpec, u32),
    /// None that the spec promises for this column.
    NothingPromised(&'a ColumnSpec),
    /// Nothing.
    Unknown,
}

/// Judges the checks of single partitions. Many partitions have the same one; that is said once.
fn of_partitions(held: &[PartitionCheck], context: &Context<'_>, sink: &mut Sink<'_>) {
    let normal = |sql: &str| context.facts.expression(sql);
    let wanted: Vec<String> = context.desired().checks.iter().map(|c| normal(&c.sql.value)).collect();
    let mut groups: Vec<(Verdict<'_>, &CheckConstraint, Vec<&str>)> = Vec::new();
    for held in held {
        let check = &held.check;
        if !matters(check, context) || wanted.contains(&normal(&check.sql)) || is_of_bounds(held, context) {
            continue;
        }
        let Some(verdict) = verdict(check, context, |column| Admission::of_partition(held, column, context)) else {
            continue;
        };
        let group = groups
            .iter_mut()
            .find(|(other, first, _)| first.sql == check.sql && *other == verdict);
        match group {
            Some((.., names)) => names.push(&held.partition.name),
            None => groups.push((verdict, check, vec![&held.partition.name])),
        }
    }
    for (verdict, check, names) in groups {
        sink.report(constraint_draft(verdict, check, &names, context));
    }
}

/// Judges a check constraint; nothing where it refuses nothing.
fn verdict<'a>(
    constraint: &'a CheckConstraint,
    context: &'a Context<'a>,
    admission: impl Fn(&Column) -> Admission<'a>,
) -> Option<Verdict<'a>> {
    let rows = &context.table().columns;
    let any_row = Row {
        columns: rows,
        known: None,
    };
    let mut verdict = match context.facts.admits(&constraint.sql, &any_row) {
        Some(true) => return None,
        Some(false) => Verdict::Everything,
        None => Verdict::Unknown,
    };
    if let Some(admitted) = admits_what_nobody_writes(constraint, context, &admission) {
        return (!admitted).then_some(Verdict::Everything);
    }
    for (desired, observed) in columns(context).filter(|(_, c)| constraint.columns.contains(&c.name)) {
        if matches!(verdict, Verdict::Unknown | Verdict::NothingPromised(_)) {
            verdict = match about(&admission(observed), desired, observed, context) {
                Verdict::Unknown => verdict,
                known => known,
            };
        }
    }
    Some(verdict)
}

/// Asks a check about one column that the service does not write: each row has the default there, or NULL.
fn admits_what_nobody_writes<'a>(
    constraint: &CheckConstraint,
    context: &'a Context<'a>,
    admission: &impl Fn(&Column) -> Admission<'a>,
) -> Option<bool> {
    let [name] = &constraint.columns[..] else { return None };
    let column = context.table().columns.iter().find(|c| c.name == *name)?;
    let is_written = columns(context).any(|(_, observed)| observed.name == *name);
    if is_written || column.generated.is_some() || column.identity.is_some() {
        return None;
    }
    match &column.default {
        None if column.takes_null() => admission(column).admits(Given::Null),
        Some(DefaultExpr::Literal(Literal::Text(text) | Literal::Number(text))) => {
            admission(column).admits(Given::Text(text))
        }
        _ => None,
    }
}

/// Says what a check constraint refuses, of the table or of some partitions.
fn constraint_draft(
    verdict: Verdict<'_>,
    constraint: &CheckConstraint,
    partitions: &[&str],
    context: &Context<'_>,
) -> Draft {
    let object = context.path().with(Part::Constraint(constraint.name.clone()));
    let subject = format!(
        "the check constraint {}{}",
        wording::name(&constraint.name),
        wording::on_partitions(partitions)
    );
    let help = if partitions.is_empty() {
        format!(
            "If it is meant, write it under `checks` in the spec. {}",
            repair::drop_check(context, &constraint.name)
        )
    } else {
        "Drop it from the partition; a check that is meant belongs on the whole table and into the spec.".to_owned()
    };
    draft(verdict, &subject, object, &constraint.sql, help, context)
}

/// Judges the checks of a column's domains; quiet where they refuse nothing that the spec promises.
fn of_domains(desired: &ColumnSpec, observed: &Column, context: &Context<'_>) -> Option<Draft> {
    let mut worst: Option<(Verdict<'_>, &Domain, &CheckConstraint)> = None;
    for domain in &observed.ty.domains {
        for check in domain.checks.iter().filter(|check| matters(check, context)) {
            let any_value = Row {
                columns: &[],
                known: None,
            };
            let verdict = match context.facts.admits(&check.sql, &any_value) {
                Some(true) => continue,
                Some(false) => Verdict::Everything,
                None => about(
                    &Admission::of_domain(check, observed, context),
                    desired,
                    observed,
                    context,
                ),
            };
            let worse = match verdict {
                Verdict::NothingPromised(_) => false,
                Verdict::Unknown => worst.is_none(),
                Verdict::Everything => true,
                Verdict::Values(..) | Verdict::Length(..) => {
                    matches!(worst, None | Some((Verdict::Unknown, ..)))
                }
            };
            if worse {
                worst = Some((verdict, domain, check));
            }
        }
    }
    let (verdict, domain, check) = worst?;
    let subject = format!("a check of the domain {}", wording::name(&domain.name));
    let object = context.path().column(&desired.name.value);
    let help = format!(
        "Change the domain's check {} in a migration, or give the column the type itself. {}",
        wording::name(&check.name),
        repair::change_column(context, desired, Change::Type(&observed.ty.data))
    );
    Some(draft(verdict, &subject, object, &check.sql, help, context))
}

/// Judges a check by what the spec knows of the values of one column.
fn about<'a>(
    admission: &Admission<'_>,
    desired: &'a ColumnSpec,
    observed: &Column,
    context: &Context<'_>,
) -> Verdict<'a> {
    let listed = desired.values.value.guess();
    let mut promised = listed.cloned().unwrap_or_default();
    if listed.is_none()
        && let Some(DefaultSpec::Value(Literal::Text(text) | Literal::Number(text))) = desired.default.value.stated()
    {
        promised.push(text.clone());
    }
    let refused: Vec<String> = promised
        .iter()
        .filter(|value| admission.admits(Given::Text(value)) == Some(false))
        .cloned()
        .collect();
    if !refused.is_empty() {
        return Verdict::Values(desired, refused);
    }
    let length = promised_length(desired, context).filter(|_| listed.is_none());
    if let Some(length) = length.filter(|length| admission.is_shorter_than(*length)) {
        return Verdict::Length(desired, length);
    }
    let takes_null = desired.nullable.value.guess() != Some(&false);
    let admits_null = !takes_null || admission.admits(Given::Null) == Some(true);
    let admits_values = match listed {
        Some(values) => values
            .iter()
            .all(|value| admission.admits(Given::Text(value)) == Some(true)),
        None => {
            // A blank text is no value that a service means.
            let words = (is_text(&observed.ty.data) || observed.ty.data == DataType::Uuid)
                && admission.admits(Given::Words) == Some(true);
            words
                || length.is_some_and(|length| [0, 1, length].iter().all(|n| admission.admits_all_of(*n)))
                || admits_uuids(admission, desired, observed)
                || admits_whole_numbers(admission, desired, context)
        }
    };
    if admits_null && admits_values {
        Verdict::NothingPromised(desired)
    } else {
        Verdict::Unknown
    }
}

/// Returns whether every UUID gets in that is kept as text. All have the same form, in letters of either case.
fn admits_uuids(admission: &Admission<'_>, desired: &ColumnSpec, observed: &Column) -> bool {
    const EACH_DIGIT: [&str; 4] = [
        "01234567-89ab-4cde-8f01-23456789abcd",
        "fedcba98-7654-7321-bfed-cba987654321",
        "89ABCDEF-0123-4567-89AB-CDEF01234567",
        "76543210-FEDC-4BA9-A765-43210FEDCBA9",
    ];
    let is_uuid = desired
        .ty
        .value
        .guess()
        .is_some_and(|ty| ty.any == Some(DataType::Uuid));
    is_uuid
        && is_text(&observed.ty.data)
        && EACH_DIGIT
            .iter()
            .all(|text| admission.admits(Given::Text(text)) == Some(true))
}

/// Returns whether every whole number gets in that the spec has room for.
fn admits_whole_numbers(admission: &Admission<'_>, desired: &ColumnSpec, context: &Context<'_>) -> bool {
    let wanted = desired.ty.value.stated().and_then(|ty| ty.on(context.dialect()));
    let most = match wanted.map(|ty| ty.data) {
        Some(DataType::SmallInt) => i64::from(i16::MAX),
        Some(DataType::Integer) => i64::from(i32::MAX),
        Some(DataType::BigInt) => i64::MAX,
        _ => return false,
    };
    admission.admits(Given::Whole { most }) == Some(true)
}

/// Returns how many characters the spec has room for.
fn promised_length(desired: &ColumnSpec, context: &Context<'_>) -> Option<u32> {
    match desired.ty.value.stated()?.on(context.dialect())?.data {
        DataType::Varchar(length) => length,
        _ => None,
    }
}

fn draft(
    verdict: Verdict<'_>,
    subject: &str,
    object: ObjectPath,
    sql: &str,
    help: String,
    context: &Context<'_>,
) -> Draft {
    let table = context.desired();
    let refused = wording::refused(table.role);
    let (severity, at, message, impact): (Severity, Position, String, String) = match &verdict {
        Verdict::Everything => (
            if wording::carries_events(table.role) {
                Severity::Critical
            } else {
                Severity::Error
            },
            table.name.at,
            format!("{subject} refuses every row"),
            refused.to_owned(),
        ),
        Verdict::Values(column, values) => (
            // A guess of the spec proves nothing: what is unconfirmed cannot fail.
            if column.values.value.is_unconfirmed() {
                Severity::Warning
            } else {
                Severity::Error
            },
            column.values.at,
            format!(
                "{subject} refuses values of {} that the spec allows: {}",
                wording::name(&column.name.value),
                values.join(", ")
            ),
            "Rows with these values cannot be recorded, and their events are judged and processed anew on each \
             redelivery."
                .to_owned(),
        ),
        Verdict::Length(column, length) => (
            Severity::Error,
            column.ty.at,
            format!(
                "{subject} refuses texts of {} that are no longer than the {length} characters of the spec",
                wording::name(&column.name.value)
            ),
            refused.to_owned(),
        ),
        Verdict::NothingPromised(column) => (
            Severity::Info,
            column.values.at,
            format!(
                "{subject} refuses no value of {} that the spec speaks of",
                wording::name(&column.name.value)
            ),
            "Nothing, for as long as the service writes no other value; a new one may need the constraint changed first."
                .to_owned(),
        ),
        Verdict::Unknown => (
            Severity::Warning,
            table.name.at,
            format!("{subject} is not in the spec"),
            "Rows that it refuses cannot be recorded, and their events are processed again on each redelivery."
                .to_owned(),
        ),
    };
    let expected = match verdict {
        Verdict::Values(column, _) | Verdict::NothingPromised(column) => {
            column.values.value.guess().map(|values| values.join(", "))
        }
        Verdict::Length(_, length) => Some(format!("varchar({length})")),
        Verdict::Everything | Verdict::Unknown => None,
    };
    Draft {
        severity,
        object,
        at,
        expected,
        found: Some(sql.to_owned()),
        message,
        impact,
        help,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;
    use crate::rules::testing::{Said, Scene};
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
            "the check constraint `CK_Outcome` refuses values of `Outcome` that the spec allows: Stale"
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
                "the check constraint `CK_Tenant` is not in the spec"
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
    fn wanted_checks_and_those_that_refuse_nobody_are_quiet() {
        Scene::ledger(Dialect::Postgres)
            .wanted_check("CK_Outcome", "true")
            .check("CK_Outcome", "false", |_| {})
            .check("CK_off", "false", |c| c.enforced = false)
            .check("CK_all", "\"EventType\" IS NOT NULL OR \"TenantId\" > 0", |_| {})
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
        for dialect in Dialect::ALL {
            let keeping = |sql| {
                Scene::ledger(dialect)
                    .check("CK_nn", sql, |c| c.validated = false)
                    .run(&RULE)
            };
            for sql in [
                "TenantId IS NOT NULL",
                "NOT (TenantId IS NULL) AND (EventType IS NOT NULL)",
            ] {
                keeping(sql).assert_quiet();
            }
            for sql in [
                "TenantId IS NOT NULL AND TenantId > 0",
                "TenantId IS NOT NULL OR CorrelationId IS NOT NULL",
            ] {
                assert_eq!(keeping(sql).severity(), Severity::Warning, "{dialect}: {sql}");
            }
        }
    }

    #[test]
    fn a_check_that_nothing_passes_refuses_every_event() {
        for dialect in Dialect::ALL {
            let said = Scene::ledger(dialect)
                .check("CK_closed", "1 = 0", |c| c.validated = false)
                .run(&RULE);
            assert_eq!(said.severity(), Severity::Critical);
        }
    }

    #[test]
    fn the_default_of_the_spec_is_a_value_that_it_allows() {
        let scene = |sql| {
            Scene::ledger(Dialect::Postgres)
                .wanted_column("Outcome", |c| {
                    c.default.value = Wanted::Is(DefaultSpec::Value(Literal::Text("Processed".to_owned())));
                })
                .check("CK_Outcome", sql, |_| {})
                .run(&RULE)
        };
        assert_eq!(
            scene("\"Outcome\" IN ('processed', 'duplicate')").severity(),
            Severity::Error
        );
        assert_eq!(scene("\"Outcome\" IN ('Processed')").severity(), Severity::Warning);
        assert_eq!(
            scene("btrim((\"Outcome\")::text) <> ''::text").severity(),
            Severity::Info
        );
    }

    #[test]
    fn a_check_of_the_length_is_measured_by_the_length_of_the_spec() {
        let said = |sql: &str| {
            Scene::ledger(Dialect::Postgres)
                .check("CK_length", &sql.replace('x', "(\"EventType\")::text"), |_| {})
                .run(&RULE)
        };
        for (sql, severity) in [
            ("char_length(x) <= 100", Severity::Error),
            ("char_length(x) BETWEEN 8 AND 100", Severity::Error),
            // Letters of several bytes reach a limit in bytes before.
            ("octet_length(x) <= 160", Severity::Error),
            ("char_length(x) <= 160", Severity::Info),
            ("octet_length(x) <= 640", Severity::Info),
            ("char_length(x) > 2", Severity::Warning),
            ("x <> 'a value that the service may write'", Severity::Warning),
            ("x IN ('a', 'b')", Severity::Warning),
        ] {
            assert_eq!(said(sql).severity(), severity, "{sql}");
        }
        assert_eq!(
            said("char_length(x) <= 100").finding().message.raw(),
            "the check constraint `CK_length` refuses texts of `EventType` that are no longer than the 160 characters of \
             the spec"
        );
    }

    fn under_domains(checks: &[&str]) -> Said {
        let domain = |(at, sql): (usize, &&str)| Domain {
            checks: vec![CheckConstraint {
                name: format!("check{at}"),
                sql: (*sql).to_owned(),
                columns: Vec::new(),
                validated: false,
                enforced: true,
            }],
            ..Domain::plain(&format!("domain{at}"))
        };
        Scene::ledger(Dialect::Postgres)
            .wanted_column("Outcome", |c| c.values.value = Wanted::Is(values()))
            .column("Outcome", |c| {
                c.ty.domains = checks.iter().enumerate().map(domain).collect()
            })
            .run(&RULE)
    }

    #[test]
    fn the_checks_of_every_domain_are_checks_of_the_column() {
        let list = "(VALUE)::text = ANY (ARRAY['Processed'::text, 'Duplicate'::text])";
        let all = "VALUE <> 'Failed'";
        under_domains(&[all, "VALUE IS NOT NULL"]).assert_quiet();
        assert_eq!(under_domains(&[all, "VALUE ~ '^P'"]).severity(), Severity::Warning);
        let said = under_domains(&["VALUE ~ '^P'", all, list]);
        assert_eq!(said.severity(), Severity::Error);
        assert_eq!(
            said.finding().message.raw(),
            "a check of the domain `domain2` refuses values of `Outcome` that the spec allows: Stale"
        );
        assert_eq!(said.finding().object.part, Some(Part::Column("Outcome".to_owned())));
    }
}
