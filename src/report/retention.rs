//! What is known of the retention of each ledger: `seadrift retention status`.

use std::fmt::Write as _;
use std::time::Duration;

use serde::Serialize;

use super::build::{Outcome, Policy, Times, build};
use super::layout::{Look, align, count, wrap};
use super::model::Report;
use super::verdict;
use crate::catalog::Catalog;
use crate::finding::{Finding, Severity};
use crate::retention::{self, JobReport, Ledger, Oldest, RowEvidence, Scheduler, State, Verdict, print_length, round};
use crate::rules::Unverified;
use crate::schema::{Aspect, ObjectPath};
use crate::spec::{RetentionSpec, Spec, TableSpec};
use crate::text::{Terminal, Text};

/// What is known of a target's retention: the result of a check that asked for nothing else, and its ledgers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RetentionReport {
    /// The result, as a check writes it: findings and unseen facts about retention alone.
    #[serde(flatten)]
    pub report: Report,
    /// One entry for each table whose spec states a retention, in the order of the spec.
    pub ledgers: Vec<LedgerReport>,
}

/// What is known of the retention of one table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LedgerReport {
    /// The table.
    pub object: ObjectPath,
    /// The column that holds a row's age, by the spec.
    pub column: Text,
    /// The age at which rows are to be removed.
    pub horizon_seconds: u64,
    /// The age that makes removing safe, where the spec's windows tell.
    pub safe_above_seconds: Option<u64>,
    /// Whether the spec stands by its retention; otherwise nothing about it fails.
    pub confirmed: bool,
    /// The answer: `effective`, `not-effective`, `unsafe`, `missing` or `not-visible`.
    pub verdict: &'static str,
    /// Why, unless the answer is `effective`.
    pub reason: Option<Text>,
    /// The jobs that have to do with the table, by scheduler and name.
    pub jobs: Vec<JobEntry>,
    /// Jobs that look like the table's and are not, as sentences.
    pub near_misses: Vec<Text>,
    /// What the rows say; absent unless they may be read.
    pub rows: Option<RowsEntry>,
}

/// What is known of one job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct JobEntry {
    /// Its name.
    pub name: Text,
    /// Who runs it.
    pub scheduler: Scheduler,
    /// What it does, as a clause.
    pub does: Text,
    /// What is known of its runs, as a clause.
    pub runs: Text,
    /// How it stands: `works`, `fails`, `harms` or `unclear`.
    pub state: &'static str,
    /// Why, unless it works.
    pub reason: Option<Text>,
}

/// What the rows say.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RowsEntry {
    /// The age of the oldest row; absent where there is none, or where it could not be told.
    pub oldest_seconds: Option<u64>,
    /// Why it could not be told.
    pub unknown: Option<Text>,
    /// The greatest age that a row may have, with room for the job's own schedule.
    pub allowed_seconds: u64,
    /// How many rows were ever deleted, as the server's statistics have it.
    pub deleted: Option<u64>,
}

impl RetentionReport {
    /// Changes what is said of its ledgers in words that a server may have written.
    pub fn rewrite(&mut self, change: impl Fn(&str) -> String) {
        for ledger in &mut self.ledgers {
            let LedgerReport {
                reason,
                jobs,
                near_misses,
                rows,
                ..
            } = ledger;
            let of_jobs = jobs.iter_mut().flat_map(|job| {
                [&mut job.name, &mut job.does, &mut job.runs]
                    .into_iter()
                    .chain(&mut job.reason)
            });
            let of_rows = rows.iter_mut().filter_map(|rows| rows.unknown.as_mut());
            let texts = reason.iter_mut().chain(of_jobs).chain(near_misses).chain(of_rows);
            texts.for_each(|text| *text = Text::new(change(text.raw())));
        }
    }
}

/// Builds the report of one target.
pub fn build_retention(mut outcome: Outcome<'_>, policy: Policy, times: Times) -> RetentionReport {
    let mut ledgers = Vec::new();
    if let Ok((catalog, said)) = &mut outcome.result {
        said.findings.retain(|finding| finding.code.starts_with('R'));
        said.unverified.retain(is_about_retention);
        said.unconfirmed
            .retain(|open| open.object.aspect == Some(Aspect::Retention));
        for (table, wanted) in retained(outcome.spec) {
            let ledger = ledger(table, catalog);
            if ledger.is_none() {
                said.unverified.extend(absent(table, catalog));
            }
            ledgers.push(entry(table, wanted, ledger.as_ref(), catalog));
        }
    }
    RetentionReport {
        report: build(vec![outcome], policy, times),
        ledgers,
    }
}

fn retained(spec: &Spec) -> impl Iterator<Item = (&TableSpec, &RetentionSpec)> {
    spec.tables
        .iter()
        .filter_map(|table| Some((table, table.retention.as_ref()?)))
}

fn is_about_retention(unverified: &Unverified) -> bool {
    matches!(
        unverified.object.aspect,
        Some(Aspect::Target | Aspect::Existence | Aspect::Retention | Aspect::Rows)
    )
}

fn ledger(table: &TableSpec, catalog: &Catalog) -> Option<Ledger> {
    let sighting = catalog.sightings.iter().find(|s| s.wanted == table.name.value)?;
    retention::judge(table, sighting, catalog)
}

/// Says that a table could not be judged at all; a hidden one is listed already.
fn absent(table: &TableSpec, catalog: &Catalog) -> Option<Unverified> {
    let sighting = catalog.sightings.iter().find(|s| s.wanted == table.name.value)?;
    if matches!(sighting.found, crate::catalog::Found::Hidden { .. }) {
        return None;
    }
    Some(Unverified {
        object: path(table, catalog).aspect(Aspect::Retention),
        reason: NO_TABLE.into(),
        help: "Run `seadrift check` for what is there instead.".into(),
        required: true,
    })
}

const NO_TABLE: &str = "There is no such table to judge.";

fn path(table: &TableSpec, catalog: &Catalog) -> ObjectPath {
    ObjectPath::table(catalog.namespace.name.as_deref(), &table.name.value)
}

fn entry(table: &TableSpec, wanted: &RetentionSpec, ledger: Option<&Ledger>, catalog: &Catalog) -> LedgerReport {
    let verdict = ledger.map_or_else(|| Verdict::NotVisible(NO_TABLE.to_owned()), |l| l.verdict.clone());
    let reason = match (&verdict, ledger) {
        (Verdict::Missing, Some(ledger)) => ledger.issues.first().map(|issue| issue.message.as_str()),
        _ => verdict.reason(),
    };
    let mut jobs: Vec<JobEntry> = ledger.iter().flat_map(|l| &l.jobs).map(job).collect();
    jobs.sort_by(|a, b| (a.scheduler, &a.name, &a.does).cmp(&(b.scheduler, &b.name, &b.does)));
    let near = ledger.iter().flat_map(|l| &l.near_misses);
    LedgerReport {
        object: path(table, catalog),
        column: Text::new(&wanted.column.value),
        horizon_seconds: wanted.horizon.value.as_secs(),
        safe_above_seconds: table
            .ledger
            .as_ref()
            .filter(|_| table.is_ledger())
            .and_then(retention::safe_bound)
            .map(|bound| bound.as_secs()),
        confirmed: table.confirmed && wanted.confirmed,
        verdict: match verdict {
            Verdict::Effective => "effective",
            Verdict::NotEffective(_) => "not-effective",
            Verdict::Unsafe(_) => "unsafe",
            Verdict::Missing => "missing",
            Verdict::NotVisible(_) => "not-visible",
        },
        reason: reason.map(Text::from),
        jobs,
        near_misses: near.map(Text::new).collect(),
        rows: ledger.and_then(|l| l.rows.as_ref()).map(rows),
    }
}

fn job(job: &JobReport) -> JobEntry {
    let (state, reason) = match &job.state {
        State::Works => ("works", None),
        State::Fails(why) => ("fails", Some(why)),
        State::Harms(why) => ("harms", Some(why)),
        State::Unclear(why) => ("unclear", Some(why)),
    };
    JobEntry {
        name: Text::new(&job.name),
        scheduler: job.scheduler,
        does: Text::new(&job.does),
        runs: Text::new(&job.runs),
        state,
        reason: reason.map(Text::new),
    }
}

fn rows(rows: &RowEvidence) -> RowsEntry {
    let (oldest_seconds, unknown) = match &rows.oldest {
        Oldest::Row(age) => (Some(age.as_secs()), None),
        Oldest::NoRow => (None, None),
        Oldest::Unknown { reason, .. } => (None, Some(Text::new(reason))),
    };
    RowsEntry {
        oldest_seconds,
        unknown,
        allowed_seconds: rows.allowed.as_secs(),
        deleted: rows.deleted,
    }
}

/// Where the text behind a label begins.
const INDENT: usize = 11;

/// Renders a report for a terminal: a table, how each verdict was reached, and the outcome. It is no wider than 80
/// columns.
pub fn render_retention(report: &RetentionReport, look: &Look) -> String {
    let look = &Look {
        width: look.width.min(80),
        ..*look
    };
    let mut out = String::new();
    if report.ledgers.is_empty() {
        for target in &report.report.targets {
            let why = match &target.reason {
                Some(reason) => {
                    let help = target.unverified.first().map(|entry| entry.help.terminal().to_string());
                    format!("{} {}", reason.terminal(), help.unwrap_or_default())
                }
                None => "the spec states no retention of any table, so nothing is asked".to_owned(),
            };
            let line = format!("{}: {}", target.name.terminal(), why.trim_end());
            let _ = writeln!(out, "{}\n", wrap(&line, look.width, 0, 2));
        }
    } else {
        write_table(&mut out, report);
    }
    for ledger in &report.ledgers {
        write_ledger(&mut out, ledger, report, look);
    }
    out.push_str(&verdict::render(&report.report, look));
    out
}

/// The name comes last, so that a long one moves nothing out of its place.
fn write_table(out: &mut String, report: &RetentionReport) {
    let head = ["VERDICT", "OLDEST ROW", "JOBS", "TABLE"].map(str::to_owned).to_vec();
    let lines = report.ledgers.iter().map(|ledger| {
        let oldest = match &ledger.rows {
            Some(rows) => match (rows.oldest_seconds, &rows.unknown) {
                (Some(seconds), _) => round(Duration::from_secs(seconds)),
                (None, Some(_)) => "unknown".to_owned(),
                (None, None) => "no row".to_owned(),
            },
            None => "not asked".to_owned(),
        };
        vec![
            words(ledger.verdict).to_owned(),
            oldest,
            ledger.jobs.len().to_string(),
            Terminal(&ledger.object.table).to_string(),
        ]
    });
    let rows: Vec<Vec<String>> = std::iter::once(head).chain(lines).collect();
    for line in align(&rows) {
        let _ = writeln!(out, "{line}");
    }
    out.push('\n');
}

/// The verdicts in the words that people read.
fn words(verdict: &str) -> &str {
    match verdict {
        "not-effective" => "present but not effective",
        "not-visible" => "not visible",
        other => other,
    }
}

fn write_ledger(out: &mut String, ledger: &LedgerReport, report: &RetentionReport, look: &Look) {
    let name = ledger.object.dotted();
    let bold = look.bold();
    let _ = writeln!(out, "{bold}{}: {}{bold:#}", name.terminal(), words(ledger.verdict));
    let mut line = |label: &str, text: String| {
        let text = wrap(&text, look.width, INDENT, INDENT);
        let _ = writeln!(out, "  {label:width$} {text}", width = INDENT - 3);
    };
    line("wanted", wish(ledger));
    for job in &ledger.jobs {
        line("job", sentence(job));
    }
    if let Some(rows) = &ledger.rows {
        line("rows", tell(rows));
    }
    for near in &ledger.near_misses {
        line("beside", near.terminal().to_string());
    }
    let about = |object: &ObjectPath| object.table == ledger.object.table;
    let findings: Vec<&Finding> = report.report.findings.iter().filter(|f| about(&f.object)).collect();
    let unverified = report.report.targets.iter().flat_map(|target| &target.unverified);
    let unverified: Vec<&Unverified> = unverified.filter(|entry| about(&entry.object)).collect();
    let is_said = |reason: &&Text| {
        findings.iter().any(|f| f.message == **reason) || unverified.iter().any(|u| u.reason == **reason)
    };
    if let Some(reason) = ledger.reason.as_ref().filter(|reason| !is_said(reason)) {
        line("because", reason.terminal().to_string());
    }
    for finding in &findings {
        let Finding {
            severity,
            code,
            rule,
            message,
            help,
            ..
        } = finding;
        line(
            severity.as_str(),
            format!("[{}] {}: {}", Terminal(code), Terminal(rule), message.terminal()),
        );
        if *severity > Severity::Info {
            line("help", help.terminal().to_string());
        }
    }
    for entry in unverified {
        line("unseen", entry.reason.terminal().to_string());
        line("help", entry.help.terminal().to_string());
    }
    if !ledger.confirmed {
        line(
            "open",
            "the spec does not confirm its retention, so nothing here fails".to_owned(),
        );
    }
    out.push('\n');
}

fn wish(ledger: &LedgerReport) -> String {
    let seconds = |seconds| print_length(Duration::from_secs(seconds));
    let safe = match ledger.safe_above_seconds {
        Some(bound) => format!("; safe above {}", seconds(bound)),
        None => String::new(),
    };
    format!(
        "rows older than {} by `{}` are removed{safe}",
        seconds(ledger.horizon_seconds),
        ledger.column.terminal()
    )
}

fn sentence(job: &JobEntry) -> String {
    format!(
        "`{}` ({}) {}; {}; {}",
        job.name.terminal(),
        job.scheduler.as_str(),
        job.does.terminal(),
        job.runs.terminal(),
        match job.state {
            "works" => "it works",
            "fails" => "it fails",
            "harms" => "it removes rows too early",
            _ => "whether it works is not known",
        }
    )
}

fn tell(rows: &RowsEntry) -> String {
    let age = |seconds| round(Duration::from_secs(seconds));
    let oldest = match (rows.oldest_seconds, &rows.unknown) {
        (Some(seconds), _) => format!("the oldest is {} old", age(seconds)),
        (None, Some(reason)) => return reason.terminal().to_string(),
        (None, None) => "none has an age".to_owned(),
    };
    let deleted = rows.deleted.map_or_else(String::new, |deleted| {
        format!(
            "; by the server's statistics, {} ever deleted",
            count(deleted, "row was", "rows were")
        )
    });
    format!("{oldest}, and {} is allowed{deleted}", age(rows.allowed_seconds))
}
