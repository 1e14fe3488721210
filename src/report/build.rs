//! From what was seen and judged to a report: statuses, counts, one total order, the exit code.

use std::collections::BTreeSet;

use crate::catalog::{self, Catalog, ErrorKind, Found};
use crate::config::Target;
use crate::dialect::Dialect;
use crate::finding::{Finding, Severity};
use crate::fleet::Shard;
use crate::report::difference::differences;
use crate::report::fleet;
use crate::report::model::{Coverage, Report, Run, SCHEMA_VERSION, Status, Summary, TargetReport, Tool};
use crate::report::snippet::{self, Lines};
use crate::rules::{Unconfirmed, Unverified, Verdict};
use crate::schema::{Aspect, Kind, ObjectPath, Part};
use crate::spec::Spec;
use crate::text::{Terminal, Text};

/// One target, and how looking at it ended.
#[derive(Debug)]
pub struct Outcome<'a> {
    /// The target.
    pub target: &'a Target,
    /// What it was checked against.
    pub spec: &'a Spec,
    /// What was seen and judged, or why nothing could be.
    pub result: Result<(Catalog, Verdict), catalog::Error>,
}

/// What counts as a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    /// The least severity that counts as drift; none does where absent.
    pub fail_on: Option<Severity>,
    /// Whether targets that were not fully checked are let through.
    pub allow_incomplete: bool,
}

/// When a run began and ended, RFC 3339 in UTC.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Times {
    /// The beginning.
    pub started_at: String,
    /// The end.
    pub finished_at: String,
}

/// Bit of the exit code for drift.
const DRIFT: u8 = 1;
/// Bit of the exit code for targets that were not fully checked.
const INCOMPLETE: u8 = 4;

/// What the report of a run says of one target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// What was seen.
    pub target: TargetReport,
    /// What was found.
    pub findings: Vec<Finding>,
    /// The lines of the spec that the findings point at.
    pub lines: Lines,
}

impl Section {
    /// Makes the section of a target. What was seen and is not told is gone after that.
    pub fn new(outcome: Outcome<'_>) -> Self {
        let spec = outcome.spec;
        let (target, findings) = build_target(outcome);
        let lines = snippet::quote(&spec.text, &spec.file, findings.iter().map(|finding| &finding.location));
        Self {
            target,
            findings,
            lines,
        }
    }

    /// Says in a few words what was found: `2 errors`, `unreachable`.
    pub fn describe(&self) -> String {
        super::text::sum_up(&self.target, &self.findings.iter().collect::<Vec<_>>())
    }
}

/// Builds the report of a run.
pub fn build(outcomes: Vec<Outcome<'_>>, policy: Policy, times: Times) -> Report {
    join(outcomes.into_iter().map(Section::new), None, policy, times)
}

/// Makes one report of the sections of its targets, which are all that were chosen, or of a part of them.
pub fn join(sections: impl IntoIterator<Item = Section>, shard: Option<Shard>, policy: Policy, times: Times) -> Report {
    let (mut targets, mut findings, mut lines) = (Vec::new(), Vec::new(), Vec::new());
    for section in sections {
        targets.push(section.target);
        findings.extend(section.findings);
        lines.push(section.lines);
    }
    let mut report = conclude(targets, findings, shard, policy, times);
    report.lines = snippet::join(lines);
    report
}

/// Puts what was seen of each target into order, counts it, and draws the conclusion.
pub(super) fn conclude(
    mut targets: Vec<TargetReport>,
    findings: Vec<Finding>,
    shard: Option<Shard>,
    policy: Policy,
    times: Times,
) -> Report {
    targets.sort_by(|a, b| (&a.name, &a.service, &a.database).cmp(&(&b.name, &b.service, &b.database)));
    let findings = order(findings);
    let mut report = Report {
        schema_version: SCHEMA_VERSION.to_owned(),
        tool: Tool {
            name: "seadrift".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        },
        run: Run {
            started_at: times.started_at,
            finished_at: times.finished_at,
            complete: false,
            exit_code: 0,
            fail_on: policy.fail_on,
            allow_incomplete: policy.allow_incomplete,
            shard,
        },
        targets,
        findings,
        waivers: Vec::new(),
        baseline: None,
        lines: Lines::new(),
        fleet: None,
        summary: Summary::default(),
    };
    settle(&mut report);
    report
}

/// Counts what a report holds and draws the conclusion, anew after findings were excused.
pub(crate) fn settle(report: &mut Report) {
    report.summary = summarize(&report.targets, &report.findings);
    let is_nothing = report.targets.is_empty() && report.run.shard.is_none();
    report.run.complete = !is_nothing && report.summary.incomplete == 0;
    report.run.exit_code = 0;
    if report.drift() > 0 {
        report.run.exit_code |= DRIFT;
    }
    if !report.run.complete && !report.run.allow_incomplete {
        report.run.exit_code |= INCOMPLETE;
    }
    report.fleet = fleet::sum_up(report);
}

fn build_target(outcome: Outcome<'_>) -> (TargetReport, Vec<Finding>) {
    let Outcome { target, spec, result } = outcome;
    let mut report = TargetReport {
        name: Text::new(&target.name),
        service: Text::new(&target.service),
        spec: spec.file.clone(),
        dialect: None,
        server_version: None,
        database: None,
        namespace: target.namespace.as_deref().map(Text::from),
        settings: std::collections::BTreeMap::new(),
        status: Status::Checked,
        reason: None,
        coverage: Coverage::default(),
        unverified: Vec::new(),
        unconfirmed: Vec::new(),
        diffs: Vec::new(),
        notes: Vec::new(),
    };
    let (catalog, verdict) = match result {
        Ok(seen) => seen,
        Err(error) => {
            refuse(&mut report, target, spec, &error);
            return (report, Vec::new());
        }
    };
    report.dialect = Some(catalog.server.dialect);
    report.server_version = Some(Text::new(&catalog.server.version));
    report.database = Some(Text::new(&catalog.server.database));
    report.namespace = catalog.namespace.name.as_deref().map(Text::from);
    let settings = catalog.server.settings.iter();
    report.settings = settings.map(|(name, value)| (name.clone(), Text::new(value))).collect();
    report.coverage = cover(&catalog);
    report.notes = notes(&catalog);
    if let Some((reason, help)) = blindness(&catalog, spec) {
        blame_everything(&mut report, spec, &reason, &help);
        report.status = Status::Incomplete;
        report.reason = Some(Text::new(reason));
        return (report, Vec::new());
    }
    report.diffs = differences(spec, &catalog);
    report.unverified = verdict.unverified;
    report.unverified.extend(unanswered(&catalog, spec));
    report.unverified.sort_by(|a, b| {
        let key = |u: &Unverified| (!u.required, u.object.clone(), u.reason.clone(), u.help.clone());
        key(a).cmp(&key(b))
    });
    report.unverified.dedup();
    report.unconfirmed = verdict.unconfirmed;
    report.unconfirmed.sort_by(|a, b| {
        let key = |u: &Unconfirmed| {
            (
                u.location.clone(),
                u.object.clone(),
                u.found.clone(),
                u.expected.clone(),
            )
        };
        key(a).cmp(&key(b))
    });
    report.unconfirmed.dedup();
    report.notes.extend(doubt(&verdict.findings, spec));
    report.notes.extend(target.silenced().map(Text::new));
    if report.unverified.iter().any(|entry| entry.required) {
        report.status = Status::Incomplete;
    }
    (report, target.weigh(verdict.findings))
}

/// Describes a target of which nothing could be read.
fn refuse(report: &mut TargetReport, target: &Target, spec: &Spec, error: &catalog::Error) {
    let secrets = target.place.secrets();
    let reason = secrets.mask_parts(&error.reason);
    let help = secrets.mask_parts(&error.help);
    report.status = match error.kind {
        ErrorKind::Unreachable | ErrorKind::Refused | ErrorKind::Credentials => Status::Unreachable,
        ErrorKind::TimedOut
        | ErrorKind::NotADatabase
        | ErrorKind::Unsupported
        | ErrorKind::UnsafeSession
        | ErrorKind::Query
        | ErrorKind::NotLookedAt => Status::Incomplete,
    };
    blame_everything(report, spec, &reason, &help);
    report.reason = Some(Text::new(reason));
}

/// Lists every wanted table as not looked at. All of them are required: a target that was not seen is never clean,
/// even if its spec is unconfirmed throughout.
fn blame_everything(report: &mut TargetReport, spec: &Spec, reason: &str, help: &str) {
    let namespace = report.namespace.as_ref().map(Text::raw);
    report.unverified = spec
        .tables
        .iter()
        .map(|table| Unverified {
            object: ObjectPath::table(namespace, &table.name.value).aspect(Aspect::Target),
            reason: Text::new(reason),
            help: Text::new(help),
            required: true,
        })
        .collect();
}

/// Says why nothing can be concluded from a catalog, if that is so. An empty place is more often the wrong place
/// than one whose every table was dropped.
fn blindness(catalog: &Catalog, spec: &Spec) -> Option<(String, String)> {
    if spec.tables.is_empty() {
        return Some((
            "The spec names no table, so there is nothing to check.".to_owned(),
            "Add the service's tables to the spec.".to_owned(),
        ));
    }
    blind_place(catalog)
}

/// Says why nothing can be concluded from the place that was looked in, if that is so.
pub(crate) fn blind_place(catalog: &Catalog) -> Option<(String, String)> {
    let namespace = &catalog.namespace;
    let database = Terminal(&catalog.server.database);
    if namespace.exists && namespace.visible_tables > 0 {
        return None;
    }
    // On MySQL the namespace is the database itself.
    let is_database = matches!(catalog.server.dialect, Dialect::MySql | Dialect::MariaDb);
    let inner = namespace.name.as_ref().filter(|_| !is_database);
    let place = match inner {
        Some(name) => format!("namespace `{}`", Terminal(name)),
        None => "the database".to_owned(),
    };
    let reason = match (inner, namespace.exists) {
        (Some(_), false) => format!("Database `{database}` has no {place}, or does not show it."),
        (Some(_), true) => format!("Database `{database}` shows no table at all in {place}."),
        (None, false) => format!("There is no database `{database}`, or the server does not show it."),
        (None, true) => format!("Database `{database}` shows no table at all."),
    };
    let help = if namespace.alternatives.is_empty() {
        let role = match &catalog.server.role {
            Some(role) => format!(" and whether role `{}` may see {place}", Terminal(role)),
            None => String::new(),
        };
        let elsewhere = match &namespace.name {
            Some(_) => ", or name another namespace with --schema, in seadrift.yaml by `schema`",
            None => "",
        };
        format!("Check whether it is the right database{role}{elsewhere}.")
    } else {
        let others: Vec<String> = namespace
            .alternatives
            .iter()
            .map(|name| format!("`{}`", Terminal(name)))
            .collect();
        format!("Look in another namespace with --schema: {}.", others.join(", "))
    };
    Some((reason, help))
}

/// Lists wanted tables that a catalog does not speak of at all, so that a gap is never taken for a match.
fn unanswered(catalog: &Catalog, spec: &Spec) -> Vec<Unverified> {
    let namespace = catalog.namespace.name.as_deref();
    let answered: BTreeSet<&str> = catalog.sightings.iter().map(|s| s.wanted.as_str()).collect();
    let missing = spec.tables.iter().filter(|t| !answered.contains(t.name.value.as_str()));
    missing
        .map(|table| Unverified {
            object: ObjectPath::table(namespace, &table.name.value).aspect(Aspect::Existence),
            reason: "The catalog gave no answer about this table.".into(),
            help: "Report this as a bug of seadrift.".into(),
            required: true,
        })
        .collect()
}

fn cover(catalog: &Catalog) -> Coverage {
    let mut coverage = Coverage {
        queries: u64::from(catalog.queries),
        retention_jobs: catalog.retention.jobs.len() as u64,
        row_tables: catalog.data.len() as u64,
        ..Coverage::default()
    };
    for sighting in &catalog.sightings {
        let Found::Object(table) = &sighting.found else {
            continue;
        };
        if !matches!(table.kind, Kind::Table | Kind::SystemVersioned) {
            continue;
        }
        coverage.tables += 1;
        coverage.columns += table.columns.len() as u64;
        coverage.indexes += table.indexes.len() as u64;
        coverage.constraints += (table.checks.len() + table.foreign_keys.len()) as u64;
    }
    coverage
}

fn notes(catalog: &Catalog) -> Vec<Text> {
    let mut notes: Vec<Text> = catalog.server.remarks.iter().map(Text::new).collect();
    if catalog.server.replica {
        notes.push("The server is a replica: a change on its primary may not have arrived yet.".into());
    }
    let role = catalog.server.role.as_deref().unwrap_or_default();
    if let Some(excess) = catalog.server.rights.excess(role) {
        notes.push(Text::new(format!(
            "{excess} `seadrift doctor --grants` prints a role that has no more than it needs."
        )));
    }
    notes
}

/// Asks whether a database belongs to the service at all, where a table lacks or has columns that only another's would.
fn doubt(findings: &[Finding], spec: &Spec) -> Option<Text> {
    /// So many columns with errors are seldom one mistake.
    const MANY: usize = 3;
    let foreign = |f: &&Finding| matches!(f.rule.as_str(), "column-extra" | "column-missing");
    let errors = || findings.iter().filter(|f| f.severity >= Severity::Error);
    let suspect = errors().find(foreign)?;
    let columns: BTreeSet<&ObjectPath> = errors()
        .filter(|f| f.object.table == suspect.object.table && matches!(f.object.part, Some(Part::Column(_))))
        .map(|f| &f.object)
        .collect();
    (columns.len() >= MANY).then(|| {
        Text::new(format!(
            "{} columns of `{}` are not as the spec says: make sure that this database belongs to the service `{}`.",
            columns.len(),
            Terminal(&suspect.object.table),
            Terminal(&spec.service.value)
        ))
    })
}

/// Puts findings into one total order, worst first, and keeps the worst of those that say the same.
fn order(mut findings: Vec<Finding>) -> Vec<Finding> {
    findings.sort_by_cached_key(|f| {
        (
            std::cmp::Reverse(f.severity),
            f.target.clone(),
            f.object.dotted(),
            f.code.clone(),
            f.fingerprint.clone(),
            f.message.clone(),
            f.location.clone(),
            f.expected.clone(),
            f.found.clone(),
        )
    });
    let mut said = BTreeSet::new();
    findings.retain(|f| said.insert((f.target.clone(), f.fingerprint.clone(), f.message.clone())));
    findings
}

/// Counts findings and targets.
pub(super) fn summarize(targets: &[TargetReport], findings: &[Finding]) -> Summary {
    let mut summary = Summary::default();
    for finding in findings {
        let count = match finding.severity {
            _ if finding.waiver.is_some() => &mut summary.waived,
            _ if finding.baseline.is_some() => &mut summary.known,
            Severity::Critical => &mut summary.critical,
            Severity::Error => &mut summary.error,
            Severity::Warning => &mut summary.warning,
            Severity::Info => &mut summary.info,
        };
        *count += 1;
    }
    for target in targets {
        match target.status {
            Status::Checked => summary.checked += 1,
            Status::Incomplete | Status::Unreachable => summary.incomplete += 1,
        }
    }
    summary
}
