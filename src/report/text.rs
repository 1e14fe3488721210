//! The report for people at a terminal, in the manner of a compiler: worst first, each with the line of the spec.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;

use super::layout::{Look, columns, count, table, wrap};
use super::model::{Coverage, Gap, Report, Status, TargetReport};
use super::snippet;
use super::verdict;
use super::{excuse, fleet};
use crate::finding::{Finding, Severity};
use crate::rules::Unconfirmed;
use crate::schema::{Aspect, ObjectPath, Part};
use crate::text::{Terminal, Text};

/// The title of what a spec leaves open.
pub(super) const OPEN: &str = "open facts (unconfirmed in the spec)";

/// Renders a report for a terminal. Everything that a spec or a database wrote is encoded here.
pub fn render(report: &Report, look: &Look) -> String {
    let mut out = String::new();
    // A string takes everything.
    let _ = hand_out(report, look, &mut |part| {
        out.push_str(part);
        Ok(())
    });
    out
}

/// Writes a report for a terminal, piece by piece.
pub(super) fn write(report: &Report, look: &Look, out: &mut dyn io::Write) -> io::Result<()> {
    hand_out(report, look, &mut |part| out.write_all(part.as_bytes()))
}

/// Renders the pieces of a report and hands each out.
fn hand_out(report: &Report, look: &Look, take: &mut dyn FnMut(&str) -> io::Result<()>) -> io::Result<()> {
    if let Some(groups) = fleet::gather(report) {
        return fleet::hand_out(report, &groups, look, take);
    }
    let names: BTreeMap<&Text, String> = report.targets.iter().map(|t| (&t.name, name_target(t))).collect();
    let mut out = String::new();
    for finding in report.findings.iter().filter(|finding| finding.is_open()) {
        let target = names.get(&finding.target).map_or("", String::as_str);
        write_finding(
            &mut out,
            finding,
            ("target", target),
            report.line(&finding.location),
            look,
        );
        out.push('\n');
        take(&out)?;
        out.clear();
    }
    if look.quiet {
        for target in &report.targets {
            write_reason(&mut out, target, &encode(&target.name), look);
        }
    } else {
        let mut excused = report.findings.iter().filter(|finding| !finding.is_open()).peekable();
        if excused.peek().is_some() {
            let bold = look.bold();
            let _ = writeln!(out, "{bold}excused findings, which do not count{bold:#}");
            for finding in excused {
                excuse::write_finding(&mut out, finding, &encode(&finding.target), look);
                take(&out)?;
                out.clear();
            }
            out.push('\n');
        }
        for target in &report.targets {
            write_target(&mut out, target, look);
            out.push('\n');
            take(&out)?;
            out.clear();
        }
        write_pointer(&mut out, report, look);
        excuse::write_section(&mut out, report, look);
        write_summary(&mut out, report, look);
    }
    out.push_str(&verdict::render(report, look));
    take(&out)
}

/// Says where more is told about the worst finding.
pub(super) fn write_pointer(out: &mut String, report: &Report, look: &Look) {
    if let Some(worst) = report.findings.iter().find(|finding| finding.is_open()) {
        let faint = look.faint();
        let rule = Terminal(&worst.rule);
        let text = format!("`seadrift explain {rule}` tells why a rule exists and what to do.");
        let text = wrap(&text, look.width, 0, 2);
        let _ = writeln!(out, "{faint}{text}{faint:#}\n");
    }
}

/// Renders the sections of the targets that were not fully checked: what was read, what was not, and what is open.
pub fn render_unchecked(report: &Report, look: &Look) -> String {
    let mut out = String::new();
    let unchecked = report.targets.iter().filter(|target| target.status != Status::Checked);
    for section in fleet::sections(unchecked, server, write_body) {
        fleet::write_section(&mut out, &section, look);
    }
    out
}

/// Says in one paragraph why a target was not checked, for those who asked for nothing else about it.
pub(super) fn write_reason(out: &mut String, target: &TargetReport, names: &str, look: &Look) {
    let Some(reason) = &target.reason else { return };
    let help = target.unverified.first().map(|entry| encode(&entry.help));
    let style = look.doubtful();
    let label = format!("{names}:");
    let text = format!("{} {}", reason.terminal(), help.unwrap_or_default());
    let text = wrap(text.trim_end(), look.width, columns(&label) + 1, 4);
    let _ = writeln!(out, "{style}{label}{style:#} {text}\n");
}

/// Writes a finding. `target` is the word for where it was found, and the place.
pub(super) fn write_finding(
    out: &mut String,
    finding: &Finding,
    target: (&'static str, &str),
    line: Option<&str>,
    look: &Look,
) {
    write_title(out, finding, look);
    let (place, gutter) = snippet::render(&finding.location, finding.severity, line, look);
    let frame = look.frame();
    let _ = writeln!(out, "{place}{:gutter$} {frame}|{frame:#}", "");
    let (kind, object) = describe(&finding.object);
    let mut lines: Vec<(&str, String)> = Vec::new();
    let facts = [("expected", &finding.expected), ("found", &finding.found)];
    for (label, text) in facts {
        lines.extend(text.as_ref().map(|text| (label, encode(text))));
    }
    lines.push(("impact", encode(&finding.impact)));
    lines.push(("help", encode(&finding.help)));
    lines.push((target.0, target.1.to_owned()));
    lines.extend(excuse::expired(finding));
    lines.retain(|(_, text)| !text.is_empty());
    let room = lines
        .iter()
        .map(|(label, _)| label.len())
        .max()
        .unwrap_or(0)
        .max(kind.len())
        + 1;
    let indent = gutter + " = ".len() + room + 1;
    // The name of the object is not prose, so it is not wrapped.
    let wrapped = lines
        .into_iter()
        .map(|(label, text)| (label, wrap(&text, look.width, indent, indent)));
    let bold = look.bold();
    for (label, text) in std::iter::once((kind, object)).chain(wrapped) {
        let label = format!("{label}:");
        let _ = writeln!(
            out,
            "{:gutter$} {frame}={frame:#} {bold}{label:room$}{bold:#} {text}",
            ""
        );
    }
}

fn write_title(out: &mut String, finding: &Finding, look: &Look) {
    let severity = look.severity(finding.severity);
    let head = format!("{}[{}]", finding.severity, Terminal(&finding.code));
    let rule = Terminal(&finding.rule).to_string();
    let used = columns(&head) + 1 + columns(&rule) + 2;
    let message = wrap(&encode(&finding.message), look.width, used, 4);
    let bold = look.bold();
    let _ = writeln!(out, "{severity}{head}{severity:#} {bold}{rule}: {message}{bold:#}");
}

/// Returns what kind of object a path is, and its whole name.
fn describe(object: &ObjectPath) -> (&'static str, String) {
    (object.kind(), encode(&object.dotted()))
}

pub(super) fn encode(text: &Text) -> String {
    text.terminal().to_string()
}

pub(super) fn name_target(target: &TargetReport) -> String {
    match server(target) {
        Some(server) => format!("{} ({server})", target.name.terminal()),
        None => encode(&target.name),
    }
}

/// Returns `postgres 15.18`, as far as it is known.
pub(super) fn server(target: &TargetReport) -> Option<String> {
    let dialect = target.dialect?;
    Some(match &target.server_version {
        Some(version) => format!("{dialect} {}", version.terminal()),
        None => dialect.to_string(),
    })
}

fn write_target(out: &mut String, target: &TargetReport, look: &Look) {
    write_place(out, target, look);
    write_body(out, target, look);
}

/// Names a target, and which database it is, as far as that is known.
pub(super) fn write_place(out: &mut String, target: &TargetReport, look: &Look) {
    let bold = look.bold();
    let mut place: Vec<String> = server(target).into_iter().collect();
    for (word, name) in [("database", &target.database), ("namespace", &target.namespace)] {
        place.extend(name.as_ref().map(|name| format!("{word} `{}`", name.terminal())));
    }
    let name = format!("target {}", target.name.terminal());
    let place = match place.is_empty() {
        true => String::new(),
        false => wrap(&format!(": {}", place.join(", ")), look.width, columns(&name), 4),
    };
    let _ = writeln!(out, "{bold}{name}{bold:#}{place}");
}

/// Writes what was read of a target, what was not, and what is open.
fn write_body(out: &mut String, target: &TargetReport, look: &Look) {
    write_seen(out, target, look);
    if !target.unconfirmed.is_empty() {
        let bold = look.bold();
        let _ = writeln!(out, "  {bold}{OPEN}{bold:#}");
        write_open(out, target, look);
    }
    write_notes(out, target, look);
}

/// Writes what was read of a target and what was not, and how the session was.
pub(super) fn write_seen(out: &mut String, target: &TargetReport, look: &Look) {
    write_item(out, look, 2, &describe_coverage(&target.coverage));
    write_unverified(out, look, "not verified", &target.gaps());
    write_unverified(out, look, "risks that could not be looked at", &target.risks());
    write_session(out, target, look);
}

fn write_notes(out: &mut String, target: &TargetReport, look: &Look) {
    if target.notes.is_empty() {
        return;
    }
    let bold = look.bold();
    let _ = writeln!(out, "  {bold}notes{bold:#}");
    for note in &target.notes {
        write_item(out, look, 4, &format!("- {}", note.terminal()));
    }
}

fn write_session(out: &mut String, target: &TargetReport, look: &Look) {
    if !look.verbose || target.settings.is_empty() {
        return;
    }
    let bold = look.bold();
    let _ = writeln!(out, "  {bold}session{bold:#}");
    let settings = target.settings.iter();
    let rows = settings.map(|(name, value)| vec![format!("    {}", Terminal(name)), encode(value)]);
    out.push_str(&table(&rows.collect::<Vec<_>>(), look.width));
}

fn write_item(out: &mut String, look: &Look, indent: usize, text: &str) {
    let _ = writeln!(out, "{:indent$}{}", "", wrap(text, look.width, indent, indent + 2));
}

/// Says in words what was read.
fn describe_coverage(coverage: &Coverage) -> String {
    if *coverage == Coverage::default() {
        return "nothing was read".to_owned();
    }
    let mut parts = vec![
        count(coverage.tables, "table", "tables"),
        count(coverage.columns, "column", "columns"),
        count(coverage.indexes, "index", "indexes"),
        count(coverage.constraints, "constraint", "constraints"),
    ];
    if coverage.retention_jobs > 0 {
        parts.push(count(coverage.retention_jobs, "retention job", "retention jobs"));
    }
    if coverage.row_tables > 0 {
        parts.push(format!("the rows of {}", count(coverage.row_tables, "table", "tables")));
    }
    let statements = count(coverage.queries, "statement", "statements");
    if coverage.tables == 0 {
        return format!("read none of the wanted tables in {statements}");
    }
    format!("read {} in {statements}", parts.join(", "))
}

/// Lists facts that were not seen; those with the same reason share it.
fn write_unverified(out: &mut String, look: &Look, title: &str, gaps: &[Gap<'_>]) {
    if gaps.is_empty() {
        return;
    }
    let style = look.doubtful();
    let _ = writeln!(out, "  {style}{title}{style:#}");
    for gap in gaps {
        for fact in &gap.facts {
            let _ = writeln!(out, "    {}", name_fact(fact));
        }
        for (label, text) in [("reason", gap.reason), ("help", gap.help)] {
            if !text.raw().is_empty() {
                let label = format!("{label}:");
                let text = wrap(&encode(text), look.width, 14, 14);
                let _ = writeln!(out, "      {label:7} {text}");
            }
        }
    }
}

/// Returns `table public.X, primary-key`; the object alone where all of it is meant.
pub(super) fn name_fact(object: &ObjectPath) -> String {
    let (kind, name) = describe(object);
    match object.aspect.filter(|aspect| *aspect != Aspect::Target) {
        Some(aspect) => format!("{kind} {name}, {}", aspect.as_str()),
        None => format!("{kind} {name}"),
    }
}

/// Writes the facts that a spec leaves open, with what a target shows, table by table.
pub(super) fn write_open(out: &mut String, target: &TargetReport, look: &Look) {
    let of = |open: &Unconfirmed| open.object.of_table();
    for facts in target.unconfirmed.chunk_by(|a, b| of(a) == of(b)) {
        let _ = writeln!(out, "    {}", of(&facts[0]).dotted().terminal());
        let rows = facts.iter().map(|open| {
            let name = open.object.part.as_ref().map_or("(table)", Part::name);
            let aspect = open.object.aspect.map_or("", |aspect| aspect.as_str());
            vec![
                format!("      {}", Terminal(name)),
                aspect.to_owned(),
                describe_open(open),
            ]
        });
        out.push_str(&table(&rows.collect::<Vec<_>>(), look.width));
    }
}

/// Says what the database shows, and what the spec makes of it.
fn describe_open(open: &Unconfirmed) -> String {
    let found = open.found.terminal();
    match &open.expected {
        Some(guess) if guess == &open.found => format!("{found}, as the spec guesses"),
        Some(guess) => format!("{found}; the spec guesses {}", guess.terminal()),
        None => found.to_string(),
    }
}

/// Writes a line for each target: where it runs, and what was found.
pub(super) fn write_summary(out: &mut String, report: &Report, look: &Look) {
    let rows: Vec<Vec<String>> = report
        .by_target()
        .into_iter()
        .map(|(target, findings)| {
            vec![
                encode(&target.name),
                server(target).unwrap_or_else(|| "-".to_owned()),
                sum_up(target, &findings),
            ]
        })
        .collect();
    out.push_str(&table(&rows, look.width));
}

pub(super) fn sum_up(target: &TargetReport, findings: &[&Finding]) -> String {
    let mut parts = Vec::new();
    for severity in Severity::ALL {
        let of = |f: &&&Finding| f.severity == severity && f.is_open();
        match findings.iter().filter(of).count() as u64 {
            0 => {}
            n => parts.push(verdict::words(severity, n)),
        }
    }
    let waived = findings.iter().filter(|f| f.waiver.is_some()).count();
    if waived > 0 {
        parts.push(format!("{waived} waived"));
    }
    let known = findings.iter().filter(|f| f.baseline.is_some()).count();
    if known > 0 {
        parts.push(format!("{known} known"));
    }
    if parts.is_empty() && target.status == Status::Checked {
        parts.push("no findings".to_owned());
    }
    match target.status {
        Status::Checked => {}
        Status::Unreachable => parts.push("unreachable".to_owned()),
        Status::Incomplete => parts.push("incomplete".to_owned()),
    }
    parts.join(", ")
}
