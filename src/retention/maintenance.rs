//! Who calls the maintenance of partitions, and whether that works: a policy that nobody carries out removes nothing.

use std::time::Duration;

use super::judge::{Case, gap_between_runs, pace, runs, stops};
use super::model::{Caller, Job, Scheduler};
use super::reach::{Partitions, View};
use super::runs::{describe_runs, patience, round};
use super::verdict::{Basis, Gap, Issue, Kind, State};
use crate::finding::Severity;

/// A job that calls the maintenance.
#[derive(Clone, Debug)]
pub(super) struct Call<'a> {
    pub(super) job: &'a Job,
    /// The role it happens as, if a routine has its own.
    pub(super) role: Option<String>,
    /// Why it is not certain that the table is maintained, as a clause.
    pub(super) unclear: Option<&'static str>,
}

/// Judges who carries a policy out.
pub(super) fn judge(view: &View<'_>, case: &mut Case<'_>, partitions: &Partitions<'_>) {
    let reason = match &partitions.caller {
        Caller::Itself => {
            pace(view, case);
            return runs(case);
        }
        Caller::Others(reason) => reason,
    };
    let mut callers: Vec<Case<'_>> = partitions.calls.iter().map(|call| judge_call(view, call)).collect();
    let gap = callers.iter().filter_map(|caller| gap_between_runs(caller.job)).min();
    let last = case.job.runs.last_success;
    let is_recent = last.is_some_and(|age| age <= patience(gap));
    if let Some(age) = last.filter(|_| !is_recent) {
        case.issues.push(late(case, age));
    }
    if let Some(works) = callers.iter().position(|caller| caller.state() == State::Works) {
        let works = callers.swap_remove(works);
        case.runs = Some(format!("called by `{}`: {}", works.job.name, describe_runs(works.job)));
        case.issues.extend(works.issues);
        return;
    }
    if callers.is_empty() && partitions.only_by_name && !is_recent {
        case.issues.push(passed_over(case));
    } else if callers.is_empty() && !is_recent {
        case.gaps.push((uncalled(case, reason), false));
    }
    for caller in callers {
        // Somebody else does the work where the maintenance is seen to run.
        case.gaps.extend(caller.gaps.into_iter().filter(|_| !is_recent));
        case.issues.extend(caller.issues);
    }
}

/// Judges one job that calls the maintenance, as any other job.
fn judge_call<'a>(view: &View<'_>, call: &Call<'a>) -> Case<'a> {
    let mut case = Case::new(call.job, "calls the maintenance of partitions".to_owned(), None);
    if stops(&mut case) {
        return case;
    }
    if let Some(why) = call.unclear {
        let gap = Gap {
            job: Some(call.job.name.clone()),
            reason: format!(
                "Whether the job `{}` maintains the partitions of the table cannot be told: {why}.",
                call.job.name
            ),
            help: "Call run_maintenance with the table's name as a constant, or without one.".to_owned(),
        };
        case.gaps.push((gap, false));
    }
    let role = call.role.as_ref().or(call.job.role.as_ref());
    if let Some((role, false)) = role.zip(role.and_then(|role| view.grant(role)).map(|grant| grant.drop)) {
        let issue = case.issue(Kind::Failing, Severity::Error, Basis::Retention);
        case.issues.push(Issue {
            found: Some(format!("`{role}` does not own the table")),
            message: format!(
                "the job `{}` calls the maintenance of partitions as `{role}`, which may not drop them",
                call.job.name
            ),
            help: "Let it run as the owner of the table, or as a member of that role.".to_owned(),
            ..issue
        });
    }
    pace(view, &mut case);
    // The background worker keeps no record; that the server starts it is all that can be seen.
    if call.job.scheduler != Scheduler::PgPartman {
        runs(&mut case);
    }
    case
}

fn late(case: &Case<'_>, age: Duration) -> Issue {
    Issue {
        found: Some(format!("the last good maintenance was {} ago", round(age))),
        message: format!(
            "the partitions of the table were last maintained {} ago (`{}`)",
            round(age),
            case.job.name
        ),
        help: "Run run_maintenance by hand for the table, and mend what the server says.".to_owned(),
        ..case.issue(Kind::Failing, Severity::Error, Basis::Retention)
    }
}

fn passed_over(case: &Case<'_>) -> Issue {
    Issue {
        message: format!(
            "the job `{}` does not do its work: automatic_maintenance is off, so that run_maintenance() passes the table \
             over, and nothing calls it with the table's name",
            case.job.name
        ),
        help: "Set automatic_maintenance to 'on' in part_config, or schedule run_maintenance('namespace.table')."
            .to_owned(),
        ..case.issue(Kind::Disabled, Severity::Error, Basis::Retention)
    }
}

fn uncalled(case: &Case<'_>, reason: &str) -> Gap {
    Gap {
        job: Some(case.job.name.clone()),
        reason: reason.to_owned(),
        help: "Let pg_cron or the background worker call run_maintenance, or let the runner outside keep its row of \
               `ledger_retention`."
            .to_owned(),
    }
}
