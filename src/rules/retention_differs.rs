//! R006: a retention job does something else than the spec says.

use std::time::Duration;

use crate::finding::Severity;
use crate::retention::{Kind, Task};

use super::engine::{Check, Context, Rule, Sink};
use super::plant::Plant;
use super::retention;

/// The rule.
pub(super) static RULE: Rule = Rule {
    code: "R006",
    name: "retention-differs",
    severity: Severity::Warning,
    summary: "a retention job does something else than the spec says",
    page: include_str!("retention_differs.md"),
    check: Check::Table(check),
    plant: Plant::everywhere(|ground| {
        let horizon = Some(Duration::from_secs(90 * 24 * 60 * 60));
        ground.job().task = Task::Declared {
            table: "ProcessedIntegrationEvents".to_owned(),
            horizon,
        };
    }),
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    retention::report(Kind::Differs, context, sink);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::retention::{Schedule, Stop, StopKind};
    use crate::rules::testing::retention::{cron, ledger};

    #[test]
    fn quiet_about_the_same_horizon() {
        ledger(vec![cron("purge", 30)]).run(&RULE).assert_quiet();
    }

    #[test]
    fn longer_is_a_warning_and_shorter_but_safe_a_note() {
        assert_eq!(ledger(vec![cron("purge", 90)]).run(&RULE).severity(), Severity::Warning);
        assert_eq!(ledger(vec![cron("purge", 14)]).run(&RULE).severity(), Severity::Info);
    }

    #[test]
    fn a_yearly_run_lets_the_table_hold_a_year_more() {
        let mut job = cron("purge", 30);
        job.schedule = Schedule::Cron("0 0 1 1 *".to_owned());
        let said = ledger(vec![job]).run(&RULE);
        assert_eq!(said.severity(), Severity::Warning);
        assert!(
            said.finding().message.raw().contains("396d instead of 30d"),
            "{:?}",
            said.finding()
        );
    }

    #[test]
    fn another_column_is_another_age() {
        let mut job = cron("purge", 30);
        job.task = Task::Statements {
            sql: "DELETE FROM \"ProcessedIntegrationEvents\" WHERE \"TenantId\" < now() - interval '30 days'"
                .to_owned(),
            path: vec!["public".to_owned()],
        };
        let said = ledger(vec![job]).run(&RULE);
        assert!(
            said.finding()
                .message
                .raw()
                .contains("from `TenantId` instead of `ProcessedOnUtc`")
        );
    }

    #[test]
    fn a_dangerous_job_that_is_off_is_a_note() {
        let mut bad = cron("bad", 1);
        bad.stops.push(Stop {
            kind: StopKind::Disabled,
            reason: "it is not active".to_owned(),
            help: "Drop it.".to_owned(),
        });
        let said = ledger(vec![cron("good", 30), bad]).run(&RULE);
        assert_eq!(said.severity(), Severity::Info);
        assert!(said.finding().object.dotted().raw().ends_with("bad"));
    }
}
