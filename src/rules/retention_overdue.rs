//! R008: rows older than the horizon are still there.

use crate::catalog::{Answer, DataFact};
use crate::finding::Severity;
use crate::retention::{Kind, Oldest};
use crate::schema::Aspect;

use super::engine::{Check, Context, Rule, Sink};
use super::plant::Plant;
use super::retention;

/// The rule. It speaks only where the rows may be read.
pub(super) static RULE: Rule = Rule {
    code: "R008",
    name: "retention-overdue",
    severity: Severity::Error,
    summary: "rows that should have been removed are still there",
    page: include_str!("retention_overdue.md"),
    check: Check::Table(check),
    plant: Plant::everywhere(|ground| {
        const YEAR: i64 = 365 * 24 * 60 * 60;
        ground.data().set(DataFact::Oldest, Answer::Known(Some(YEAR)));
    }),
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Some((wanted, ledger)) = retention::judged(context) else {
        return;
    };
    if let Some(Oldest::Unknown { reason, help }) = ledger.rows.as_ref().map(|rows| &rows.oldest)
        && wanted.confirmed
    {
        sink.unverified(context.path().aspect(Aspect::Rows), reason, help, true);
    }
    retention::report(Kind::Overdue, context, sink);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::retention::{Hidden, Job, Runs};
    use crate::rules::testing::retention::{cron, ledger};
    use crate::rules::testing::{Said, Scene};

    const DAY: i64 = 24 * 60 * 60;

    /// The ledger of 30 days, whose oldest row has this age.
    fn aged(jobs: Vec<Job>, oldest: Option<i64>) -> Scene {
        ledger(jobs).data(|data| data.set(DataFact::Oldest, Answer::Known(oldest)))
    }

    fn message(said: &Said) -> String {
        said.finding().message.raw().to_owned()
    }

    #[test]
    fn quiet_while_the_oldest_row_is_within_the_horizon_and_the_schedule() {
        // A daily job may miss two turns: 30 days, two and a half, and an hour.
        for oldest in [None, Some(-5), Some(29 * DAY), Some(32 * DAY)] {
            aged(vec![cron("purge", 30)], oldest).run(&RULE).assert_quiet();
        }
        ledger(vec![]).run(&RULE).assert_quiet();
        aged(vec![], Some(400 * DAY))
            .wanted(|t| t.retention = None)
            .run(&RULE)
            .assert_quiet();
    }

    #[test]
    fn the_schedule_of_the_job_makes_room() {
        let said = aged(vec![cron("purge", 30)], Some(33 * DAY)).run(&RULE);
        assert_eq!(said.severity(), Severity::Error);
        let mut weekly = cron("purge", 30);
        weekly.schedule = crate::retention::Schedule::Cron("0 3 * * 0".to_owned());
        aged(vec![weekly], Some(33 * DAY)).run(&RULE).assert_quiet();
    }

    #[test]
    fn a_job_that_keeps_rows_longer_is_not_held_against_the_rows_as_well() {
        aged(vec![cron("purge", 90)], Some(91 * DAY)).run(&RULE).assert_quiet();
        assert!(message(&aged(vec![cron("purge", 90)], Some(99 * DAY)).run(&RULE)).contains("99d"));
    }

    #[test]
    fn a_job_that_removes_nothing_is_named() {
        let mut idle = cron("purge", 30);
        idle.runs = Runs {
            empty_in_a_row: 5,
            ..idle.runs
        };
        let said = aged(vec![idle], Some(90 * DAY)).run(&RULE);
        assert!(message(&said).contains("`purge` ran well 5 times in a row and removed nothing"));
    }

    #[test]
    fn rows_decide_where_no_job_can_be_seen() {
        let hidden = |scene: Scene| {
            scene.evidence(|e| {
                e.hidden.push(Hidden {
                    reason: "cron.job cannot be read.".to_owned(),
                    help: "Grant it.".to_owned(),
                });
            })
        };
        let missing = crate::rules::find("retention-missing").unwrap();
        let said = hidden(aged(vec![], Some(90 * DAY)));
        assert!(message(&said.run(&RULE)).contains("no job was seen"));
        said.run(missing).assert_quiet();
        let young = hidden(aged(vec![], Some(DAY)));
        young.run(&RULE).assert_quiet();
        assert!(young.run(missing).unverified().required);
    }

    #[test]
    fn an_age_that_could_not_be_told_is_unverified() {
        let unknown = |scene: Scene| {
            scene.data(|data| {
                let (reason, help) = ("This role may not read it.".to_owned(), "Grant SELECT.".to_owned());
                data.set(DataFact::Oldest, Answer::Unknown { reason, help });
            })
        };
        let said = unknown(ledger(vec![cron("purge", 30)])).run(&RULE);
        assert!(said.unverified().required);
        unknown(ledger(vec![]))
            .wanted(|t| t.retention.as_mut().unwrap().confirmed = false)
            .run(&RULE)
            .assert_quiet();
    }
}
