//! R001: nothing removes old rows.

use crate::finding::Severity;
use crate::retention::Kind;
use crate::schema::{Aspect, Part};

use super::engine::{Check, Context, Rule, Sink};
use super::plant::Plant;
use super::retention;

/// The rule. It also says what of the retention could not be seen, and lists a retention that is open.
pub(super) static RULE: Rule = Rule {
    code: "R001",
    name: "retention-missing",
    severity: Severity::Error,
    summary: "nothing removes old rows, although the spec says so",
    page: include_str!("retention_missing.md"),
    check: Check::Table(check),
    plant: Plant::everywhere(|ground| ground.jobs().clear()),
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Some((wanted, ledger)) = retention::judged(context) else {
        return;
    };
    if !wanted.confirmed {
        let object = context.path().aspect(Aspect::Retention);
        sink.open(
            object,
            Some(retention::wish(wanted)),
            retention::summary(ledger),
            wanted.at,
        );
        return;
    }
    let gaps = ledger.gaps.iter().map(|gap| (gap, true));
    let risks = ledger.risks.iter().map(|risk| (risk, false));
    for (gap, required) in gaps.chain(risks) {
        let object = match &gap.job {
            Some(job) => context.path().with(Part::Job(job.clone())),
            None => context.path().clone(),
        };
        sink.unverified(
            object.aspect(Aspect::Retention),
            gap.reason.clone(),
            gap.help.clone(),
            required,
        );
    }
    retention::report(Kind::Missing, context, sink);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::retention::{Hidden, Runs};
    use crate::rules::testing::retention::{cron, ledger, partman, statement};

    #[test]
    fn quiet_where_the_spec_is_silent_or_a_job_works() {
        ledger(vec![cron("purge", 30)]).run(&RULE).assert_quiet();
        ledger(vec![]).wanted(|t| t.retention = None).run(&RULE).assert_quiet();
        ledger(vec![]).without_table().run(&RULE).assert_quiet();
    }

    #[test]
    fn a_policy_that_nothing_is_seen_to_carry_out_is_unverified() {
        let said = ledger(vec![partman(30)]).run(&RULE);
        assert_eq!(said.unverified().reason.raw(), "Nothing was seen that calls it.");
        let mut call = statement("CALL partman.run_maintenance_proc()");
        ledger(vec![partman(30), call.clone()]).run(&RULE).assert_quiet();
        call.runs = Runs::default();
        let said = ledger(vec![partman(30), call]).run(&RULE);
        assert!(said.unverified().reason.raw().contains("no run of it is recorded"));
        let vague = statement("SELECT partman.run_maintenance(parent_table) FROM partman.part_config");
        let said = ledger(vec![partman(30), vague]).run(&RULE);
        assert!(said.unverified().reason.raw().contains("a value that is not known"));
    }

    #[test]
    fn no_job_is_an_error_about_the_table() {
        let said = ledger(vec![]).run(&RULE);
        assert_eq!(said.severity(), Severity::Error);
        assert!(
            said.finding()
                .object
                .dotted()
                .raw()
                .ends_with("ProcessedIntegrationEvents")
        );
    }

    #[test]
    fn jobs_for_other_tables_are_none_of_ours() {
        for sql in [
            "DELETE FROM \"OutboxMessages\" /* \"ProcessedIntegrationEvents\" */ WHERE true",
            "SELECT 'DELETE FROM \"ProcessedIntegrationEvents\"'",
            "DELETE FROM archive.\"ProcessedIntegrationEvents\"",
            "VACUUM",
        ] {
            assert_eq!(
                ledger(vec![statement(sql)]).run(&RULE).severity(),
                Severity::Error,
                "{sql}"
            );
        }
    }

    #[test]
    fn what_is_not_visible_is_never_missing() {
        let said = ledger(vec![])
            .evidence(|e| {
                e.hidden.push(Hidden {
                    reason: "cron.job cannot be read.".to_owned(),
                    help: "Grant it.".to_owned(),
                });
            })
            .run(&RULE);
        assert!(said.unverified().required);
    }

    #[test]
    fn a_place_that_is_not_visible_is_a_risk_where_another_job_works() {
        let said = ledger(vec![cron("purge", 30)])
            .evidence(|e| {
                e.hidden.push(Hidden {
                    reason: "cron.job cannot be read.".to_owned(),
                    help: "Grant it.".to_owned(),
                });
            })
            .run(&RULE);
        assert!(!said.unverified().required);
    }

    #[test]
    fn what_is_not_understood_is_neither_missing_nor_fine() {
        for sql in [
            "DO $$ BEGIN EXECUTE format('DELETE FROM %I', t); END $$",
            "SELECT app.purge_everything()",
            "DELETE FROM \"ProcessedIntegrationEvents\" WHERE is_old(\"ProcessedOnUtc\")",
        ] {
            let said = ledger(vec![statement(sql)]).run(&RULE);
            assert!(said.unverified().required, "{sql}");
        }
    }

    #[test]
    fn a_job_without_a_recorded_run_is_not_known_to_run() {
        let mut job = cron("purge", 30);
        job.runs = crate::retention::Runs::default();
        let said = ledger(vec![job.clone()]).run(&RULE);
        assert!(said.unverified().reason.raw().contains("no run of it is recorded"));
        // Another one that is known to run makes up for it.
        ledger(vec![job, cron("other", 30)]).run(&RULE).assert_quiet();
    }

    #[test]
    fn an_open_retention_is_listed_and_never_fails() {
        let said = ledger(vec![])
            .wanted(|t| t.retention.as_mut().unwrap().confirmed = false)
            .run(&RULE);
        assert_eq!(said.open().found.raw(), "no job removes old rows");
    }
}
