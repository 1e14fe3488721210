//! From evidence to an answer about one table. Pure.

use std::time::Duration;

use super::arithmetic::{Margin, margin, print_length, safe_bound};
use super::model::{Hidden, Job, Record, Schedule, Scheduler, Span, StopKind};
use super::reach::{Reach, View, is_elsewhere};
use super::runs::{describe_runs, judge_runs};
use super::schedule::{Recurrence, recurrence};
use super::statement::{Age, Means, Removal};
use super::verdict::{Basis, Gap, Issue, JobReport, Kind, Ledger, State, Verdict};
use super::{overdue, removal, span};
use crate::catalog::{Catalog, Found, Sighting};
use crate::finding::Severity;
use crate::schema::Kind as TableKind;
use crate::spec::{TableSpec, print_duration};

/// Judges the retention of a table that a spec asks for; nothing where the spec is silent about retention, the table
/// is not there, or jobs were not looked for.
///
/// `sighting` is the one of the table in `catalog`.
pub fn judge(desired: &TableSpec, sighting: &Sighting, catalog: &Catalog) -> Option<Ledger> {
    let evidence = &catalog.retention;
    let retention = desired.retention.as_ref().filter(|_| evidence.looked)?;
    let Found::Object(table) = &sighting.found else {
        return None;
    };
    if !matches!(table.kind, TableKind::Table | TableKind::SystemVersioned) {
        return None;
    }
    let view = View {
        desired,
        retention,
        sighting,
        table,
        namespace: catalog.namespace.name.as_deref(),
        dialect: catalog.server.dialect,
        evidence,
        data: catalog.data.get(&sighting.wanted),
    };
    Some(conclude(&view))
}

/// What was found about one job.
pub(super) struct Case<'a> {
    pub(super) job: &'a Job,
    pub(super) issues: Vec<Issue>,
    /// Why it is unclear, and whether it names the table, so that it could do harm.
    pub(super) gaps: Vec<(Gap, bool)>,
    pub(super) does: String,
    /// How old it lets a row become at most, by its own statement.
    pub(super) keeps: Option<Duration>,
    /// What is known of its runs, where another job makes it run.
    pub(super) runs: Option<String>,
}

impl<'a> Case<'a> {
    pub(super) fn new(job: &'a Job, does: String, keeps: Option<Duration>) -> Self {
        Self {
            job,
            issues: Vec::new(),
            gaps: Vec::new(),
            does,
            keeps,
            runs: None,
        }
    }
}

impl Case<'_> {
    pub(super) fn state(&self) -> State {
        let worst = self.issues.iter().max_by_key(|i| i.severity);
        if let Some(harm) = self.issues.iter().find(|i| i.kind == Kind::TooShort) {
            return State::Harms(harm.message.clone());
        }
        match (worst, self.gaps.first()) {
            (Some(issue), _) if issue.severity >= Severity::Error => State::Fails(issue.message.clone()),
            (_, Some((gap, _))) => State::Unclear(gap.reason.clone()),
            _ => State::Works,
        }
    }
}

fn conclude(view: &View<'_>) -> Ledger {
    let jobs = view.jobs();
    let mut cases = Vec::new();
    let mut near_misses = Vec::new();
    let mut vague = Vec::new();
    for job in &jobs {
        let reach = view.reach(job);
        if let Some(miss) = near_miss(job, &reach) {
            near_misses.push(miss);
        }
        if !is_elsewhere(job) {
            vague.extend(
                reach
                    .vague
                    .iter()
                    .map(|unread| gap_of(Some(&job.name), &unread.why, &unread.text)),
            );
            if reach.concerns() {
                cases.push(judge_job(view, job, &reach));
            }
        }
    }
    let works = cases.iter().any(|case| case.state() == State::Works);
    let mut ledger = Ledger {
        verdict: Verdict::Missing,
        issues: Vec::new(),
        gaps: Vec::new(),
        risks: Vec::new(),
        jobs: cases.iter().map(report).collect(),
        near_misses,
        rows: overdue::rows(view, &cases),
    };
    let overdue = overdue::judge(view, &cases, ledger.rows.as_ref());
    for case in cases {
        ledger
            .issues
            .extend(case.issues.into_iter().map(|issue| soften(issue, works)));
        let gaps = case.gaps.into_iter().filter(|(_, may_harm)| *may_harm || !works);
        ledger.gaps.extend(gaps.map(|(gap, _)| gap));
    }
    let unseen = |hidden: &Hidden| Gap {
        job: None,
        reason: hidden.reason.clone(),
        help: hidden.help.clone(),
    };
    let hidden = view.evidence.hidden.iter().map(unseen);
    if !ledger.jobs.is_empty() {
        ledger.risks = hidden.collect();
    } else {
        ledger.gaps.extend(vague);
        ledger.gaps.extend(hidden);
        ledger.gaps.extend(view.evidence.no_scheduler.iter().map(unseen));
        if ledger.gaps.is_empty() {
            let issue = missing(view, &ledger.near_misses);
            ledger.issues.push(issue);
        }
    }
    if let Some(issue) = overdue {
        // What the rows show needs no job to be seen: whatever there is, it does not do its work.
        ledger.gaps.retain(|gap| gap.job.is_some());
        ledger.issues.push(issue);
    }
    ledger.verdict = verdict(&ledger, works);
    ledger
}

fn verdict(ledger: &Ledger, works: bool) -> Verdict {
    let harm = ledger.issues.iter().find(|i| i.kind == Kind::TooShort);
    let unclear = ledger.gaps.first();
    let wrong = ledger.issues.iter().find(|i| i.severity >= Severity::Error);
    match (harm, wrong, unclear) {
        (Some(issue), ..) => Verdict::Unsafe(issue.message.clone()),
        (None, Some(issue), _) if issue.kind == Kind::Missing => Verdict::Missing,
        (None, Some(issue), _) => Verdict::NotEffective(issue.message.clone()),
        (None, None, Some(gap)) => Verdict::NotVisible(gap.reason.clone()),
        (None, None, None) if works => match ledger.issues.iter().find(|i| i.kind == Kind::Boundary) {
            Some(issue) => Verdict::Unsafe(issue.message.clone()),
            None => Verdict::Effective,
        },
        (None, None, None) => Verdict::Missing,
    }
}

/// A job that is off or fails costs nothing while another one does the work.
fn soften(mut issue: Issue, works: bool) -> Issue {
    if works
        && matches!(issue.kind, Kind::Disabled | Kind::Failing | Kind::Partial)
        && issue.severity >= Severity::Error
    {
        issue.severity = Severity::Info;
    }
    issue
}

fn report(case: &Case<'_>) -> JobReport {
    JobReport {
        name: case.job.name.clone(),
        scheduler: case.job.scheduler,
        does: case.does.clone(),
        runs: case.runs.clone().unwrap_or_else(|| describe_runs(case.job)),
        state: case.state(),
    }
}

pub(super) fn gap_of(job: Option<&str>, why: &str, text: &str) -> Gap {
    let who = job.map_or_else(|| "a job".to_owned(), |name| format!("the job `{name}`"));
    Gap {
        job: job.map(str::to_owned),
        reason: format!("What {who} removes cannot be judged, because {why}: {text}"),
        help: "Write the deletion as one statement with a constant age, or let the job keep its row of \
               `ledger_retention`."
            .to_owned(),
    }
}

fn near_miss(job: &Job, reach: &Reach<'_>) -> Option<String> {
    let name = &job.name;
    if is_elsewhere(job) && (reach.concerns() || reach.only_names) {
        let stop = job.stops.iter().find(|s| s.kind == StopKind::Elsewhere)?;
        return Some(format!("the job `{name}` names the table, but {}", stop.reason));
    }
    if let Some(routine) = reach.missing.first().filter(|_| !reach.concerns()) {
        return Some(format!(
            "the job `{name}` calls `{routine}`, which does not exist: each run fails"
        ));
    }
    reach
        .only_names
        .then(|| format!("the job `{name}` names the table, but removes no row of it"))
}

fn missing(view: &View<'_>, near: &[String]) -> Issue {
    let table = &view.desired.name.value;
    let horizon = print_duration(view.retention.horizon.value);
    let asleep = view.evidence.asleep.as_ref();
    let also: String = near
        .iter()
        .chain(asleep.map(|stop| &stop.reason))
        .map(|reason| format!("; {reason}"))
        .collect();
    Issue {
        kind: Kind::Missing,
        severity: Severity::Error,
        basis: Basis::Retention,
        job: None,
        is_trigger: false,
        expected: Some(format!("rows older than {horizon} are removed")),
        found: Some(format!("no job{also}")),
        message: format!("no job removes old rows of `{table}`{also}"),
        impact: "The table grows without bound, and with it every insert, backup and index.".to_owned(),
        help: format!(
            "{}Schedule a job that removes rows whose `{}` is older than {horizon}; one outside the database shows itself \
             by its row of `ledger_retention`.",
            asleep.map(|stop| format!("{} ", stop.help)).unwrap_or_default(),
            view.retention.column.value
        ),
    }
}

/// Judges one job that has to do with the table.
fn judge_job<'a>(view: &View<'_>, job: &'a Job, reach: &Reach<'_>) -> Case<'a> {
    let mut case = Case::new(job, removal::describe(reach), reach.longest());
    for unread in &reach.unread {
        let may_harm = job.stops.is_empty();
        case.gaps
            .push((gap_of(Some(&job.name), &unread.why, &unread.text), may_harm));
    }
    for name in &reach.broken {
        let issue = case.issue(Kind::Failing, Severity::Error, Basis::Retention);
        case.issues.push(Issue {
            found: Some(name.clone()),
            message: format!(
                "the job `{}` deletes from {name}, which does not exist: each run fails",
                job.name
            ),
            help: format!(
                "Quote the name as the table has it: {}.",
                view.dialect.facts().quote(&view.table.name)
            ),
            ..issue
        });
    }
    let stopped = stops(&mut case);
    for removal in &reach.removals {
        removal::judge(view, &mut case, removal, stopped);
    }
    if let Some(partitions) = &reach.partitions {
        removal::judge_partitions(view, &mut case, partitions, stopped);
    }
    if !stopped && reach.broken.is_empty() && (!reach.removals.is_empty()) {
        access(view, &mut case, &reach.removals);
        pace(view, &mut case);
        runs(&mut case);
    }
    case.issues
        .sort_by_key(|issue| (issue.kind, std::cmp::Reverse(issue.severity)));
    case
}

impl Case<'_> {
    /// Makes an issue about the job, to be filled in.
    pub(super) fn issue(&self, kind: Kind, severity: Severity, basis: Basis) -> Issue {
        Issue {
            kind,
            severity,
            basis,
            job: Some(self.job.name.clone()),
            is_trigger: self.job.scheduler == Scheduler::Trigger,
            expected: None,
            found: Some(self.does.clone()),
            message: String::new(),
            impact: "Old rows stay, and the table grows without bound.".to_owned(),
            help: String::new(),
        }
    }
}

/// Reports why a job does not run; answers whether there is such a reason.
pub(super) fn stops(case: &mut Case<'_>) -> bool {
    let mut stopped = false;
    for stop in &case.job.stops {
        let kind = match stop.kind {
            StopKind::Disabled => Kind::Disabled,
            StopKind::Failing => Kind::Failing,
            StopKind::Elsewhere => continue,
        };
        stopped = true;
        let issue = case.issue(kind, Severity::Error, Basis::Retention);
        case.issues.push(Issue {
            message: format!("the job `{}` does not do its work: {}", case.job.name, stop.reason),
            help: stop.help.clone(),
            ..issue
        });
    }
    let reason = match (&case.job.schedule, case_recurrence(case.job)) {
        (Schedule::Once, _) => Some("it is made to run once".to_owned()),
        (Schedule::Cron(text), Some(Recurrence::Never)) => Some(format!("its schedule `{text}` never comes")),
        (Schedule::Cron(text), Some(Recurrence::Unreadable)) => Some(format!("its schedule `{text}` cannot be read")),
        (Schedule::Cron(text), Some(Recurrence::AtStart)) => {
            Some(format!("its schedule `{text}` comes only when the server starts"))
        }
        _ => None,
    };
    if let Some(reason) = reason {
        stopped = true;
        let issue = case.issue(Kind::Disabled, Severity::Error, Basis::Retention);
        case.issues.push(Issue {
            message: format!("the job `{}` does not do its work: {reason}", case.job.name),
            help: "Give it a schedule that comes round, once a day for instance.".to_owned(),
            ..issue
        });
    }
    stopped
}

fn case_recurrence(job: &Job) -> Option<Recurrence> {
    match &job.schedule {
        Schedule::Cron(text) => Some(recurrence(text)),
        Schedule::Every(gap) => Some(Recurrence::Every(*gap)),
        Schedule::Once | Schedule::OnWrite | Schedule::Unknown => None,
    }
}

pub(super) fn gap_between_runs(job: &Job) -> Option<Duration> {
    match case_recurrence(job) {
        Some(Recurrence::Every(gap)) => Some(gap),
        _ => None,
    }
}

/// What is recorded of the runs. Where each of them must fail, nothing is open because none is recorded.
pub(super) fn runs(case: &mut Case<'_>) {
    let gaps = case.gaps.len();
    let mut issues = case.issues.iter();
    let fails = issues.any(|issue| issue.kind == Kind::Failing && issue.severity >= Severity::Error);
    judge_runs(case, gap_between_runs(case.job));
    if fails {
        case.gaps.truncate(gaps);
    }
}

/// A job that runs seldom lets the table hold more than the horizon.
pub(super) fn pace(view: &View<'_>, case: &mut Case<'_>) {
    /// A day more is no news to anybody.
    const SLACK: Duration = Duration::from_secs(24 * 60 * 60);
    let horizon = view.retention.horizon.value;
    let Some(gap) = gap_between_runs(case.job).filter(|gap| *gap > horizon.saturating_add(SLACK)) else {
        return;
    };
    let holds = print_duration(horizon.saturating_add(gap));
    let issue = case.issue(Kind::Differs, Severity::Warning, Basis::Retention);
    case.issues.push(Issue {
        expected: Some(print_duration(horizon)),
        found: Some(format!("a run every {}", print_duration(gap))),
        message: format!(
            "the job `{}` runs only every {}: the table may hold {holds} instead of {}",
            case.job.name,
            print_duration(gap),
            print_duration(horizon)
        ),
        impact: "Rows stay much longer than the spec says.".to_owned(),
        help: "Let it run at least once a day.".to_owned(),
        ..issue
    });
}

/// Whether the job's role can reach the rows, and whether something keeps them.
fn access(view: &View<'_>, case: &mut Case<'_>, removals: &[Removal]) {
    let runs = &case.job.runs;
    // Where only the time of the last run is kept, nobody knows what it did.
    let removed_some = runs.record == Record::Kept && runs.recorded > runs.empty_in_a_row;
    if let Some(keeper) = view
        .keeper()
        .filter(|_| removals.iter().any(|r| r.means == Means::Delete))
    {
        let (kind, severity, what) = match (keeper.certain, removed_some) {
            (true, _) => (Kind::Failing, Severity::Error, "removes nothing"),
            (false, false) => (Kind::Failing, Severity::Error, "may remove nothing"),
            (false, true) => (Kind::Partial, Severity::Warning, "may leave rows behind"),
        };
        let issue = case.issue(kind, severity, Basis::Retention);
        case.issues.push(Issue {
            message: format!("the job `{}` {what}: {}", case.job.name, keeper.what),
            found: Some(keeper.what),
            help: "Let deletions of old rows through.".to_owned(),
            ..issue
        });
    }
    for removal in removals {
        let own = case.job.role.as_ref();
        if let Some((role, routine)) = own
            .filter(|role| removal.closed_to.contains(role))
            .zip(removal.via.as_ref())
        {
            let issue = case.issue(Kind::Failing, Severity::Error, Basis::Retention);
            case.issues.push(Issue {
                found: Some(format!("`{role}` lacks the privilege")),
                message: format!(
                    "the job `{}` runs as `{role}`, which may not call what leads to `{routine}`",
                    case.job.name
                ),
                help: "Grant EXECUTE on the routine, and USAGE on its schema, to this role.".to_owned(),
                ..issue
            });
            continue;
        }
        let role = removal.role.as_ref().or(own);
        let Some((role, grant)) = role.zip(role.and_then(|role| view.grant(role))) else {
            continue;
        };
        let (allowed, what) = match removal.means {
            Means::Delete => (grant.delete, "DELETE and SELECT on"),
            Means::Truncate | Means::Cascade => (grant.truncate, "TRUNCATE"),
            Means::Drop | Means::Replace => (grant.drop, "drop or rename"),
        };
        if !allowed {
            let issue = case.issue(Kind::Failing, Severity::Error, Basis::Retention);
            case.issues.push(Issue {
                found: Some(format!("`{role}` lacks the privilege")),
                message: format!(
                    "the job `{}` runs as `{role}`, which may not {what} the table",
                    case.job.name
                ),
                help: "Grant the privilege to this role, or let the job run as another.".to_owned(),
                ..issue
            });
        } else if grant.rows_hidden && removal.means == Means::Delete {
            let (kind, how) = match removed_some && case.job.runs.recorded > 0 {
                true => (Kind::Partial, "may hide rows from it"),
                false => (Kind::Failing, "hides rows from it, perhaps all of them"),
            };
            let issue = case.issue(kind, Severity::Error, Basis::Retention);
            case.issues.push(Issue {
                found: Some("row security applies to the job's role".to_owned()),
                message: format!("the job `{}` runs as `{role}`, and row security {how}", case.job.name),
                help:
                    "Let the job run as the table's owner or as a role with BYPASSRLS, or disable row security on the \
                       ledger."
                        .to_owned(),
                ..issue
            });
        }
    }
}

/// Returns how a horizon stands to the table's windows.
pub(super) fn stand(view: &View<'_>, least: Duration) -> Margin {
    match view.desired.ledger.as_ref().filter(|_| view.desired.is_ledger()) {
        Some(ledger) => margin(least, ledger),
        None => Margin::Unknown,
    }
}

/// Returns the bound that a horizon must exceed, in words.
pub(super) fn bound(view: &View<'_>) -> Option<String> {
    let bound = safe_bound(view.desired.ledger.as_ref()?)?;
    Some(print_length(bound))
}

/// Returns a span made earlier by how far the local clock may be ahead.
pub(super) fn ahead(view: &View<'_>, age: &Age) -> Span {
    if !age.local {
        return age.span;
    }
    let ahead = i64::try_from(view.evidence.local_ahead.as_micros()).unwrap_or(i64::MAX);
    Span {
        least: age.span.least.saturating_sub(ahead),
        most: age.span.most,
    }
}

/// A day in microseconds.
pub(super) const DAY: i64 = span::DAY;
