//! R005: rows are removed with no margin over the staleness window.

use std::time::Duration;

use crate::finding::Severity;
use crate::retention::{Kind, Task};

use super::engine::{Check, Context, Rule, Sink};
use super::plant::Plant;
use super::retention;

/// The rule.
pub(super) static RULE: Rule = Rule {
    code: "R005",
    name: "retention-boundary",
    severity: Severity::Warning,
    summary: "rows are removed with no margin over the staleness window",
    page: include_str!("retention_boundary.md"),
    check: Check::Table(check),
    plant: Plant::everywhere(|ground| {
        let horizon = Some(Duration::from_secs(7 * 24 * 60 * 60));
        ground.job().task = Task::Declared {
            table: "ProcessedIntegrationEvents".to_owned(),
            horizon,
        };
    }),
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    retention::report(Kind::Boundary, context, sink);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::testing::retention::{cron, ledger};
    #[test]
    fn quiet_with_a_margin() {
        ledger(vec![cron("purge", 8)]).run(&RULE).assert_quiet();
    }

    #[test]
    fn the_window_itself_leaves_no_margin() {
        let said = ledger(vec![cron("purge", 7)]).run(&RULE);
        assert_eq!(said.severity(), Severity::Warning);
        assert_eq!(said.finding().expected.as_ref().unwrap().raw(), "more than 168h 25m");
    }

    #[test]
    fn a_local_clock_takes_the_margin_away() {
        let mut job = cron("purge", 8);
        job.task = Task::Statements {
            sql: "DELETE FROM \"ProcessedIntegrationEvents\" WHERE \"ProcessedOnUtc\" < localtimestamp - interval '7 days 5 hours'"
                .to_owned(),
            path: vec!["public".to_owned()],
        };
        ledger(vec![job.clone()]).run(&RULE).assert_quiet();
        let said = ledger(vec![job])
            .evidence(|e| e.local_ahead = Duration::from_secs(14 * 60 * 60))
            .run(&RULE);
        assert!(said.finding().message.raw().contains("local clock"));
    }
}
