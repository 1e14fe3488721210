//! A wanted column that does not exist.

use crate::compare::ColumnPair;
use crate::finding::Severity;
use crate::schema::{Aspect, Column};
use crate::spec::ColumnSpec;

use super::engine::{Check, Context, Draft, Rule, Sink};
use super::plant::Plant;
use super::{repair, wording};

/// The rule.
pub(super) static RULE: Rule = Rule {
    code: "C001",
    name: "column-missing",
    severity: Severity::Critical,
    summary: "a column of the spec does not exist",
    page: include_str!("column_missing.md"),
    check: Check::Column(check),
    plant: Plant::everywhere(|ground| ground.table().columns.retain(|c| c.name != "SourceService")),
};

fn check(pair: &ColumnPair<'_>, ctx: &Context<'_>, sink: &mut Sink<'_>) {
    match *pair {
        ColumnPair::Both { .. } | ColumnPair::Extra { .. } => {}
        ColumnPair::Unseen { desired } => sink.unverified(
            ctx.path().column(&desired.name.value).aspect(Aspect::Existence),
            "The checking role sees only some of the table's columns, and not this one.",
            "Grant the role SELECT on the whole table, then check again.",
            true,
        ),
        ColumnPair::Missing { desired, near } => sink.report(draft(desired, near, ctx)),
    }
}

fn draft(desired: &ColumnSpec, near: Option<&Column>, ctx: &Context<'_>) -> Draft {
    let name = desired.name.value.as_str();
    let event_id = ctx.is_event_id(name);
    let impact = if event_id {
        "No event can be told from another, so none is recorded and every redelivery runs its effects again.".to_owned()
    } else {
        format!(
            "Every statement of the service that names the column fails. {}",
            wording::refused(ctx.desired().role)
        )
    };
    let help = match near {
        Some(_) => format!(
            "If that is the column, rename it to {} in a migration or correct the spec; otherwise run the service's \
             migrations.",
            wording::name(name)
        ),
        None => repair::add_column(ctx, desired),
    };
    Draft {
        severity: if event_id { Severity::Critical } else { Severity::Error },
        object: ctx.path().column(name),
        at: desired.name.at,
        expected: Some(name.to_owned()),
        found: Some(near.map_or_else(|| "nothing".to_owned(), |column| column.name.clone())),
        message: message(name, near),
        impact,
        help,
    }
}

fn message(name: &str, near: Option<&Column>) -> String {
    let missing = format!("column {} does not exist", wording::name(name));
    let Some(near) = near else {
        return missing;
    };
    let other = &near.name;
    // Two spellings of one accented letter print alike; only their code points tell them apart.
    let spelled_out = !(name.is_ascii() && other.is_ascii()) && name.to_lowercase() != other.to_lowercase();
    if spelled_out {
        return format!(
            "{missing}; a column that looks like it is spelled {}, not {}",
            wording::name(&wording::code_points(other)),
            wording::name(&wording::code_points(name)),
        );
    }
    if name.to_lowercase() == other.to_lowercase() {
        format!(
            "{missing}; {} differs in letter case, which counts here",
            wording::name(other)
        )
    } else {
        format!("{missing}; there is {}", wording::name(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;
    use crate::rules::testing::Scene;
    use crate::spec::Role;

    #[test]
    fn quiet_when_every_column_is_there() {
        Scene::ledger(Dialect::Postgres).run(&RULE).assert_quiet();
    }

    #[test]
    fn a_missing_column_is_an_error_at_its_name() {
        let scene = Scene::ledger(Dialect::Postgres).without_column("CorrelationId");
        let said = scene.run(&RULE);
        let finding = said.finding();
        assert_eq!(finding.severity, Severity::Error);
        assert_eq!(
            finding.object.dotted().raw(),
            "public.ProcessedIntegrationEvents.CorrelationId"
        );
        assert_eq!(finding.location.line, scene.spec_column("CorrelationId").name.at.line);
    }

    #[test]
    fn a_ledger_without_event_identity_is_unusable() {
        let scene = Scene::ledger(Dialect::Postgres).without_column("EventId");
        assert_eq!(scene.run(&RULE).severity(), Severity::Critical);
        assert_eq!(scene.role(Role::Audit).run(&RULE).severity(), Severity::Error);
    }

    #[test]
    fn another_letter_case_is_named() {
        let said = Scene::ledger(Dialect::Postgres)
            .column("CorrelationId", |c| c.name = "correlationid".to_owned())
            .run(&RULE);
        assert!(
            said.finding()
                .message
                .raw()
                .contains("`correlationid` differs in letter case")
        );
    }

    #[test]
    fn a_decomposed_spelling_is_told_by_its_code_points() {
        let said = Scene::ledger(Dialect::Postgres)
            .wanted_column("TenantId", |c| c.name.value = "Gr\u{f6}\u{df}e".to_owned())
            .column("TenantId", |c| c.name = "Gro\u{308}\u{df}e".to_owned())
            .run(&RULE);
        let message = said.finding().message.raw();
        assert!(
            message.contains("`Gro\\u{308}\\u{df}e`, not `Gr\\u{f6}\\u{df}e`"),
            "{message}"
        );
    }

    #[test]
    fn a_column_that_may_be_hidden_is_not_called_missing() {
        let said = Scene::ledger(Dialect::MariaDb)
            .without_column("TenantId")
            .table(|t| {
                t.unseen.insert(Aspect::Columns);
            })
            .run(&RULE);
        let unverified = said.unverified();
        assert!(unverified.required);
        assert_eq!(unverified.object.aspect, Some(Aspect::Existence));
    }

    #[test]
    fn an_unconfirmed_column_is_listed_as_open() {
        let said = Scene::ledger(Dialect::Postgres)
            .wanted_column("CorrelationId", |c| c.confirmed = false)
            .without_column("CorrelationId")
            .run(&RULE);
        assert_eq!(said.open().found.raw(), "nothing");
    }
}
