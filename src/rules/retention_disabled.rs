//! R002: a retention job is there and does not run.

use crate::finding::Severity;
use crate::retention::{Kind, Stop, StopKind};

use super::engine::{Check, Context, Rule, Sink};
use super::plant::Plant;
use super::retention;

/// The rule.
pub(super) static RULE: Rule = Rule {
    code: "R002",
    name: "retention-disabled",
    severity: Severity::Error,
    summary: "a retention job is there and does not run",
    page: include_str!("retention_disabled.md"),
    check: Check::Table(check),
    plant: Plant::everywhere(|ground| {
        ground.job().stops.push(Stop {
            kind: StopKind::Disabled,
            reason: "it is switched off".to_owned(),
            help: "Switch it on.".to_owned(),
        });
    }),
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    retention::report(Kind::Disabled, context, sink);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::retention::{Schedule, Task};
    use crate::rules::testing::retention::{cron, ledger, partman, statement};

    #[test]
    fn quiet_about_a_job_that_runs() {
        ledger(vec![cron("purge", 30)]).run(&RULE).assert_quiet();
    }

    #[test]
    fn a_job_that_is_off_is_an_error_unless_another_one_works() {
        let mut off = cron("purge", 30);
        off.stops.push(Stop {
            kind: StopKind::Disabled,
            reason: "it is not active".to_owned(),
            help: "Switch it on.".to_owned(),
        });
        let said = ledger(vec![off.clone()]).run(&RULE);
        assert_eq!(said.severity(), Severity::Error);
        assert_eq!(
            said.finding().message.raw(),
            "the job `purge` does not do its work: it is not active"
        );
        let said = ledger(vec![off, cron("other", 30)]).run(&RULE);
        assert_eq!(said.severity(), Severity::Info);
    }

    #[test]
    fn a_policy_is_off_where_its_only_caller_is() {
        let call = |sql: &str| {
            let mut job = statement(sql);
            job.name = "maintenance".to_owned();
            job
        };
        let all = call("CALL partman.run_maintenance_proc()");
        ledger(vec![partman(30), all.clone()]).run(&RULE).assert_quiet();
        let mut never = all.clone();
        never.schedule = Schedule::Cron("0 0 30 2 *".to_owned());
        let said = ledger(vec![partman(30), never.clone()]).run(&RULE);
        assert_eq!(said.severity(), Severity::Error);
        assert!(said.finding().object.dotted().raw().ends_with("maintenance"));
        // Another one does the work.
        ledger(vec![partman(30), never, all.clone()]).run(&RULE).assert_quiet();
        // Without its name the table is passed over.
        let mut by_name = partman(30);
        if let Task::Partitions { only_by_name, .. } = &mut by_name.task {
            *only_by_name = true;
        }
        let said = ledger(vec![by_name.clone(), all]).run(&RULE);
        assert!(said.finding().message.raw().contains("automatic_maintenance is off"));
        let named = call("SELECT partman.run_maintenance('public.ProcessedIntegrationEvents')");
        ledger(vec![by_name.clone(), named]).run(&RULE).assert_quiet();
        let other = call("SELECT partman.run_maintenance('public.Other')");
        assert_eq!(ledger(vec![by_name, other]).run(&RULE).severity(), Severity::Error);
    }

    #[test]
    fn a_schedule_that_never_comes_is_off() {
        for schedule in ["0 0 30 2 *", "every night", "@reboot"] {
            let mut job = cron("purge", 30);
            job.schedule = Schedule::Cron(schedule.to_owned());
            assert_eq!(ledger(vec![job]).run(&RULE).severity(), Severity::Error, "{schedule}");
        }
        let mut once = cron("purge", 30);
        once.schedule = Schedule::Once;
        assert!(
            ledger(vec![once])
                .run(&RULE)
                .finding()
                .message
                .raw()
                .contains("run once")
        );
    }
}
