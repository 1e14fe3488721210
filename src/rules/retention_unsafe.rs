//! R009: the spec's own numbers are not safe together.

use std::time::Duration;

use crate::finding::Severity;
use crate::retention::danger;

use super::engine::{Check, Context, Draft, Rule, Sink};
use super::plant::Plant;

/// The rule.
pub(super) static RULE: Rule = Rule {
    code: "R009",
    name: "retention-unsafe",
    severity: Severity::Critical,
    summary: "the spec's own horizon is not safe for its staleness window",
    page: include_str!("retention_unsafe.md"),
    check: Check::Table(check),
    plant: Plant::in_spec(|spec| {
        let ledger = spec.tables.first_mut().and_then(|table| table.ledger.as_mut());
        if let Some(window) = ledger.and_then(|ledger| ledger.staleness_window.as_mut()) {
            window.value = Duration::ZERO;
        }
    })
    .brings(&["retention-too-short"]),
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Some(danger) = danger(context.desired()) else {
        return;
    };
    sink.resting_on(danger.confirmed, |sink| {
        sink.report(Draft {
            severity: danger.severity,
            object: context.path().clone(),
            at: danger.at,
            expected: Some(danger.expected),
            found: Some(danger.found),
            message: danger.message,
            impact: danger.impact,
            help: danger.help,
        });
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::testing::Scene;
    use crate::rules::testing::retention::ledger;

    fn with(horizon_minutes: u64, window_hours: u64) -> Scene {
        ledger(vec![]).wanted(|table| {
            table.retention.as_mut().unwrap().horizon.value = Duration::from_secs(horizon_minutes * 60);
            let window = table.ledger.as_mut().unwrap().staleness_window.as_mut().unwrap();
            window.value = Duration::from_secs(window_hours * 3600);
        })
    }

    #[test]
    fn quiet_above_the_bound_and_without_windows() {
        with(168 * 60 + 26, 168).run(&RULE).assert_quiet();
        with(60, 168)
            .wanted(|t| t.ledger.as_mut().unwrap().staleness_window = None)
            .run(&RULE)
            .assert_quiet();
        with(60, 168).wanted(|t| t.retention = None).run(&RULE).assert_quiet();
    }

    #[test]
    fn the_bound_itself_is_not_enough() {
        let said = with(168 * 60 + 25, 168).run(&RULE);
        assert_eq!(said.severity(), Severity::Error);
        assert_eq!(with(168 * 60, 168).run(&RULE).severity(), Severity::Error);
        assert_eq!(with(167 * 60, 168).run(&RULE).severity(), Severity::Critical);
    }

    #[test]
    fn without_a_guard_no_horizon_is_safe() {
        let said = with(365 * 24 * 60, 0).run(&RULE);
        assert_eq!(said.severity(), Severity::Critical);
        assert!(said.finding().message.raw().contains("guard is off"));
    }

    #[test]
    fn open_numbers_are_listed() {
        let said = with(60, 168)
            .wanted(|t| t.retention.as_mut().unwrap().confirmed = false)
            .run(&RULE);
        assert_eq!(said.open().found.raw(), "1h");
    }
}
