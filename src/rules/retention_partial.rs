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
    use crate::retention::{Caller, Fate, Scheduler, Span};
    use crate::rules::testing::retention::{cron, ledger};

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
    fn detached_partitions_stay_on_the_disk() {
        let mut job = cron("partman.part_config", 30);
        job.scheduler = Scheduler::PgPartman;
        job.task = Task::Partitions {
            namespace: Some("public".to_owned()),
            table: "ProcessedIntegrationEvents".to_owned(),
            column: None,
            after: Some(("30 days".to_owned(), Some(Span::exact(30 * 86_400_000_000)))),
            width: None,
            fate: Fate::Detached,
            caller: Caller::Seen("a job".to_owned()),
        };
        let said = ledger(vec![job]).run(&RULE);
        assert_eq!(said.severity(), Severity::Warning);
        assert!(said.finding().message.raw().contains("detached"));
    }
}
