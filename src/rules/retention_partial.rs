//! R007: a retention job leaves some rows behind for ever.

use crate::dialect::Dialect;
use crate::finding::Severity;
use crate::retention::{Kind, Task};

use super::engine::{Check, Context, Rule, Sink};
use super::plant::Plant;
use super::retention;

/// The rule.
pub(super) static RULE: Rule = Rule {
    code: "R007",
    name: "retention-partial",
    severity: Severity::Error,
    summary: "a retention job leaves some rows behind for ever",
    page: include_str!("retention_partial.md"),
    check: Check::Table(check),
    plant: Plant::only(
        &[Dialect::Postgres],
        "its job is written in PostgreSQL's words",
        |ground| {
            ground.job().task = Task::Statements {
                sql: r#"DELETE FROM "ProcessedIntegrationEvents"
                    WHERE "ProcessedOnUtc" < now() - interval '14 days' AND "TenantId" = 1"#
                    .to_owned(),
                path: vec!["public".to_owned()],
            };
        },
    ),
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    retention::report(Kind::Partial, context, sink);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::retention::Fate;
    use crate::rules::testing::retention::{cron, ledger, partman};
    use crate::schema::Equality;
    use crate::spec::Wanted;

    fn job(condition: &str) -> crate::retention::Job {
        let mut job = cron("purge", 30);
        job.task = Task::Statements {
            sql: format!(
                "DELETE FROM \"ProcessedIntegrationEvents\" WHERE \"ProcessedOnUtc\" < now() - interval '30 days' {condition}"
            ),
            path: vec!["public".to_owned()],
        };
        job
    }

    #[test]
    fn quiet_about_batches() {
        ledger(vec![job("")]).run(&RULE).assert_quiet();
    }

    #[test]
    fn a_condition_that_picks_rows_leaves_the_others() {
        let said = ledger(vec![job("AND \"Outcome\" = 'stale'")]).run(&RULE);
        assert_eq!(said.severity(), Severity::Error);
        let said = ledger(vec![job("AND \"Outcome\" <> 'Failed'")]).run(&RULE);
        assert_eq!(said.severity(), Severity::Warning);
        let said = ledger(vec![job("AND \"ProcessedOnUtc\" > now() - interval '60 days'")]).run(&RULE);
        assert!(said.finding().message.raw().contains("older than 60d behind"));
    }

    #[test]
    fn a_condition_that_every_allowed_row_passes_leaves_none() {
        let scene = |condition: &str| {
            ledger(vec![job(condition)])
                .wanted_column("Outcome", |c| {
                    c.values.value = Wanted::Is(vec!["Processed".to_owned(), "Stale".to_owned()]);
                })
                .column("Outcome", |c| c.nullable = false)
        };
        for condition in [
            "AND \"Outcome\" IN ('Stale', 'Processed')",
            "AND (\"Outcome\" = 'Processed' OR \"Outcome\" = 'Stale')",
            "AND \"Outcome\" <> 'Failed'",
            "AND (\"TenantId\" IS NULL OR \"TenantId\" IS NOT NULL)",
            "AND \"EventId\" IS NOT NULL",
        ] {
            scene(condition).run(&RULE).assert_quiet();
        }
        for condition in [
            "AND \"Outcome\" IN ('stale', 'processed')",
            "AND (\"Outcome\" = 'Processed' OR \"Outcome\" = 'Failed')",
            "AND (\"TenantId\" IS NULL OR \"TenantId\" > 0)",
            // NULL is not different from a value, so such a row is not removed.
            "AND \"CorrelationId\" <> 'x'",
        ] {
            assert_eq!(scene(condition).run(&RULE).finding().rule, RULE.name, "{condition}");
        }
        // Where letter case makes no difference, it spares nothing either.
        scene("AND \"Outcome\" IN ('stale', 'processed')")
            .column("Outcome", |c| {
                c.collation.as_mut().expect("a text has one").equality = Equality::CaseInsensitive;
            })
            .run(&RULE)
            .assert_quiet();
    }

    #[test]
    fn a_lower_limit_that_never_moves_is_told_as_it_is() {
        let said = ledger(vec![job("AND \"ProcessedOnUtc\" > '2000-01-01'")]).run(&RULE);
        assert_eq!(said.severity(), Severity::Warning);
        assert!(
            said.finding().message.raw().contains("> '2000-01-01'"),
            "{:?}",
            said.finding()
        );
    }

    #[test]
    fn detached_partitions_stay_on_the_disk() {
        let mut job = partman(30);
        if let Task::Partitions { fate, .. } = &mut job.task {
            *fate = Fate::Detached;
        }
        let said = ledger(vec![job]).run(&RULE);
        assert_eq!(said.severity(), Severity::Warning);
        assert!(said.finding().message.raw().contains("detached"));
    }
}
