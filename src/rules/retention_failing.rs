//! R003: a retention job runs and does not get its work done.

use crate::finding::Severity;
use crate::retention::{Kind, Stop, StopKind};

use super::engine::{Check, Context, Rule, Sink};
use super::plant::Plant;
use super::retention;

/// The rule.
pub(super) static RULE: Rule = Rule {
    code: "R003",
    name: "retention-failing",
    severity: Severity::Error,
    summary: "a retention job runs and does not get its work done",
    page: include_str!("retention_failing.md"),
    check: Check::Table(check),
    plant: Plant::everywhere(|ground| {
        ground.job().stops.push(Stop {
            kind: StopKind::Failing,
            reason: "its last runs failed".to_owned(),
            help: "Read its log.".to_owned(),
        });
    }),
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    retention::report(Kind::Failing, context, sink);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::testing::retention::{cron, ledger, partman, statement};
    use std::collections::BTreeMap;
    use std::time::Duration;

    use crate::retention::{Evidence, Grants, Runs, TableGrant, Task};
    use crate::rules::retention_missing;
    use crate::schema::{Timing, Trigger};

    const DAY: u64 = 24 * 60 * 60;

    fn with_runs(change: impl FnOnce(&mut Runs)) -> crate::rules::testing::Said {
        let mut job = cron("purge", 30);
        change(&mut job.runs);
        ledger(vec![job]).run(&RULE)
    }

    #[test]
    fn quiet_after_a_good_run() {
        with_runs(|_| {}).assert_quiet();
    }

    #[test]
    fn failures_are_an_error_once_the_last_good_run_is_old() {
        let said = with_runs(|runs| {
            runs.failed_in_a_row = 5;
            runs.last_success = None;
            runs.message = Some("ERROR:  permission denied".to_owned());
        });
        assert_eq!(said.severity(), Severity::Error);
        assert!(
            said.finding()
                .message
                .raw()
                .contains("the last 5 runs failed: ERROR: permission denied")
        );
        let said = with_runs(|runs| runs.failed_in_a_row = 1);
        assert_eq!(said.severity(), Severity::Warning);
        let said = with_runs(|runs| runs.last_success = Some(Duration::from_secs(61 * DAY)));
        assert!(said.finding().message.raw().contains("its last good run was 61d ago"));
    }

    #[test]
    fn what_takes_its_deletions_back_gets_nothing_done() {
        let mut job = statement("BEGIN; DELETE FROM \"ProcessedIntegrationEvents\"; ROLLBACK");
        job.runs = Runs::default();
        let said = ledger(vec![job]).run(&RULE);
        assert!(said.finding().message.raw().ends_with("its transaction is rolled back"));
    }

    #[test]
    fn deletions_that_the_server_refuses_fail_each_time() {
        let mut job = cron("purge", 30);
        job.runs = Runs::default();
        let refused = |evidence: &mut Evidence| {
            let why = "the server refuses them".to_owned();
            evidence.refused.insert("ProcessedIntegrationEvents".to_owned(), why);
        };
        let scene = ledger(vec![job]).evidence(refused);
        // That no run is recorded leaves nothing open then.
        scene.run(&retention_missing::RULE).assert_quiet();
        let said = scene.run(&RULE);
        assert_eq!(
            said.finding().message.raw(),
            "the job `purge` removes nothing: the server refuses them"
        );
    }

    #[test]
    fn a_policy_fails_with_its_only_caller() {
        let mut call = statement("CALL partman.run_maintenance_proc()");
        call.runs.last_success = Some(Duration::from_secs(60 * DAY));
        let said = ledger(vec![partman(30), call.clone()]).run(&RULE);
        assert!(said.finding().message.raw().contains("its last good run was 60d ago"));
        call.runs.last_success = Some(Duration::from_secs(60));
        ledger(vec![partman(30), call.clone()]).run(&RULE).assert_quiet();
        let stranger = |evidence: &mut Evidence| {
            let may_not = TableGrant {
                delete: true,
                truncate: true,
                drop: false,
                rows_hidden: false,
            };
            evidence.grants.push(Grants {
                role: "app".to_owned(),
                tables: BTreeMap::from([("ProcessedIntegrationEvents".to_owned(), may_not)]),
            });
        };
        let said = ledger(vec![partman(30), call]).evidence(stranger).run(&RULE);
        assert!(
            said.finding()
                .message
                .raw()
                .contains("as `app`, which may not drop them")
        );
        // The maintenance itself records when it went well.
        let mut late = partman(30);
        late.runs.last_success = Some(Duration::from_secs(60 * DAY));
        let said = ledger(vec![late]).run(&RULE);
        assert!(said.finding().message.raw().contains("last maintained 60d ago"));
        let mut recent = partman(30);
        recent.runs.last_success = Some(Duration::from_secs(60));
        ledger(vec![recent]).run(&RULE).assert_quiet();
    }

    #[test]
    fn a_name_or_column_that_is_not_there_fails_each_time() {
        for (sql, words) in [
            ("DELETE FROM ProcessedIntegrationEvents", "processedintegrationevents"),
            (
                "DELETE FROM \"ProcessedIntegrationEvents\" WHERE ProcessedOnUtc < now() - interval '30 days'",
                "`processedonutc`",
            ),
        ] {
            let mut job = cron("purge", 30);
            job.task = Task::Statements {
                sql: sql.to_owned(),
                path: vec!["public".to_owned()],
            };
            let said = ledger(vec![job]).run(&RULE);
            assert!(said.finding().message.raw().contains(words), "{sql}");
        }
    }

    #[test]
    fn a_trigger_that_drops_deletions_is_named() {
        let keep = Trigger {
            name: "TR_keep".to_owned(),
            partition: None,
            timing: Timing::Before,
            events: vec!["DELETE".to_owned()],
            per_row: true,
            enabled: true,
            condition: None,
            body: Some("BEGIN RETURN NULL; END".to_owned()),
            function: Some("keep".to_owned()),
            failure: None,
        };
        let mut job = cron("purge", 30);
        job.runs.empty_in_a_row = job.runs.recorded;
        let said = ledger(vec![job]).table(|t| t.triggers.push(keep)).run(&RULE);
        assert!(
            said.finding()
                .message
                .raw()
                .contains("the trigger `TR_keep` drops deletions")
        );
    }
}
