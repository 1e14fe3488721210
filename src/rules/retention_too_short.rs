//! R004: rows are removed while copies of their events are still let in.

use std::time::Duration;

use crate::finding::Severity;
use crate::retention::{Kind, Task};

use super::engine::{Check, Context, Rule, Sink};
use super::plant::Plant;
use super::retention;

/// The rule.
pub(super) static RULE: Rule = Rule {
    code: "R004",
    name: "retention-too-short",
    severity: Severity::Critical,
    summary: "rows are removed while copies of their events are still let in",
    page: include_str!("retention_too_short.md"),
    check: Check::Table(check),
    plant: Plant::everywhere(|ground| {
        let horizon = Some(Duration::from_secs(3 * 24 * 60 * 60));
        ground.job().task = Task::Declared {
            table: "ProcessedIntegrationEvents".to_owned(),
            horizon,
        };
    }),
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    retention::report(Kind::TooShort, context, sink);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::testing::retention::{cron, ledger, statement};
    use crate::schema::{ForeignKey, Table};
    use crate::spec::Role;

    fn job(condition: &str) -> crate::retention::Job {
        let mut job = cron("purge", 30);
        job.task = Task::Statements {
            sql: format!("DELETE FROM \"ProcessedIntegrationEvents\" {condition}"),
            path: vec!["public".to_owned()],
        };
        job
    }

    #[test]
    fn quiet_above_the_staleness_window() {
        for days in [7, 30, 365] {
            ledger(vec![cron("purge", days)]).run(&RULE).assert_quiet();
        }
    }

    #[test]
    fn below_the_window_an_event_is_forgotten_too_early() {
        let said = ledger(vec![cron("purge", 1)]).run(&RULE);
        assert_eq!(said.severity(), Severity::Critical);
        assert_eq!(
            said.finding().message.raw(),
            "the job `purge` removes rows older than 24h by `ProcessedOnUtc`, which is below the staleness window of 168h"
        );
    }

    #[test]
    fn a_condition_without_an_age_forgets_everything() {
        for condition in [
            "",
            "WHERE true",
            "WHERE \"Outcome\" = 'Stale'",
            "WHERE \"ProcessedOnUtc\" > now() - interval '30 days'",
            "WHERE \"ProcessedOnUtc\" < now() - interval '30 days' OR \"TenantId\" IS NULL",
        ] {
            let said = ledger(vec![job(condition)]).run(&RULE);
            assert_eq!(said.severity(), Severity::Critical, "{condition}");
        }
    }

    #[test]
    fn a_table_that_goes_as_a_whole_forgets_everything() {
        for (sql, words) in [
            ("DROP TABLE \"ProcessedIntegrationEvents\"", "drops the table"),
            ("TRUNCATE par CASCADE", "TRUNCATE par CASCADE"),
            (
                "CREATE TABLE n (LIKE \"ProcessedIntegrationEvents\"); \
                 ALTER TABLE \"ProcessedIntegrationEvents\" RENAME TO o; ALTER TABLE n RENAME TO \"ProcessedIntegrationEvents\"",
                "puts an empty table in its place",
            ),
            (
                "EXPLAIN ANALYZE DELETE FROM \"ProcessedIntegrationEvents\"",
                "removes every row",
            ),
        ] {
            let parent = |table: &mut Table| {
                table.foreign_keys.push(ForeignKey {
                    name: "fk".to_owned(),
                    partition: None,
                    columns: vec!["Id".to_owned()],
                    referenced_table: "par".to_owned(),
                    referenced_columns: vec!["id".to_owned()],
                    on_delete: "NO ACTION".to_owned(),
                    enforced: true,
                });
            };
            let said = ledger(vec![cron("good", 30), statement(sql)]).table(parent).run(&RULE);
            assert_eq!(said.severity(), Severity::Critical, "{sql}");
            assert!(said.finding().message.raw().contains(words), "{:?}", said.finding());
        }
        ledger(vec![cron("good", 30), statement("TRUNCATE par CASCADE")])
            .run(&RULE)
            .assert_quiet();
    }

    #[test]
    fn a_good_job_does_not_excuse_a_bad_one() {
        let said = ledger(vec![cron("good", 30), cron("bad", 1)]).run(&RULE);
        assert!(said.finding().object.dotted().raw().ends_with("bad"));
    }

    #[test]
    fn without_windows_the_spec_is_the_measure_and_no_event_is_lost() {
        let said = ledger(vec![cron("purge", 1)]).role(Role::Audit).run(&RULE);
        assert_eq!(said.severity(), Severity::Error);
    }

    #[test]
    fn open_windows_never_fail() {
        let said = ledger(vec![cron("purge", 1)])
            .wanted(|t| t.ledger.as_mut().unwrap().confirmed = false)
            .run(&RULE);
        assert!(said.open().found.raw().contains("24h"));
    }
}
