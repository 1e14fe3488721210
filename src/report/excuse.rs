//! What a report for people says of waivers and of the baseline.

use std::fmt::Write as _;

use super::layout::{Look, columns, count, wrap};
use super::model::{BaselineReport, Report, WaiverReport, WaiverState};
use crate::finding::Finding;
use crate::text::Terminal;

/// Returns the line of a finding that says which waiver excused it until lately.
pub(super) fn expired(finding: &Finding) -> Option<(&'static str, String)> {
    Some(("waiver", finding.lapse()?.terminal().to_string()))
}

/// Writes a finding that does not count, and why, in a few lines.
pub(super) fn write_finding(out: &mut String, finding: &Finding, target: &str, look: &Look) {
    let style = look.severity(finding.severity);
    let head = format!("{}[{}]", finding.severity, Terminal(&finding.code));
    let found = match &finding.found {
        Some(found) => format!(": found {}", found.terminal()),
        None => String::new(),
    };
    let text = format!(
        "{} of {} ({target}){found}",
        Terminal(&finding.rule),
        finding.object.dotted().terminal()
    );
    let text = wrap(&text, look.width, columns(&head) + 3, 6);
    let _ = writeln!(out, "  {style}{head}{style:#} {text}");
    if let Some(why) = finding.excuse() {
        let why = why.terminal().to_string();
        let _ = writeln!(out, "      {}", wrap(&why, look.width, 6, 6));
    }
}

/// Writes the section on waivers and on the baseline. Waivers that simply hold are told by the findings themselves.
pub(super) fn write_section(out: &mut String, report: &Report, look: &Look) {
    let told = to_look_at(report);
    if !told.is_empty() {
        let style = look.doubtful();
        let _ = writeln!(out, "{style}waivers to look at{style:#}");
        for waiver in &told {
            write_item(out, &describe(waiver), look);
        }
    }
    if let Some(baseline) = &report.baseline {
        let bold = look.bold();
        let _ = writeln!(out, "{bold}baseline{bold:#}");
        write_item(out, &describe_baseline(baseline), look);
    }
    if !told.is_empty() || report.baseline.is_some() {
        out.push('\n');
    }
}

/// Returns the waivers that somebody has to look at: all that do not simply hold.
pub(super) fn to_look_at(report: &Report) -> Vec<&WaiverReport> {
    let simply_holds = |waiver: &&WaiverReport| waiver.state == WaiverState::Active && waiver.note.is_none();
    report.waivers.iter().filter(|waiver| !simply_holds(waiver)).collect()
}

fn write_item(out: &mut String, text: &str, look: &Look) {
    let _ = writeln!(out, "  - {}", wrap(text, look.width, 4, 4));
}

/// Says in one sentence what became of a waiver, encoded for a terminal.
pub fn describe(report: &WaiverReport) -> String {
    let waiver = &report.waiver;
    let state = match report.state {
        WaiverState::Active => "holds",
        WaiverState::Expiring => "expires",
        WaiverState::Expired => "expired",
        WaiverState::Stale => "is stale",
        WaiverState::Invalid => "is invalid",
    };
    let when = match (report.state, waiver.days_left) {
        (WaiverState::Expired, n) => format!(" {} ago: what it excused counts again", days(-n)),
        (WaiverState::Expiring, 0) => " today".to_owned(),
        (WaiverState::Expiring, n) => format!(" in {}", days(n)),
        (WaiverState::Active, _) => format!(" until {}", waiver.expires),
        (WaiverState::Stale | WaiverState::Invalid, _) => String::new(),
    };
    let note = match &report.note {
        Some(note) => format!(": {}", note.terminal()),
        None => String::new(),
    };
    format!(
        "{} {state}{when}{note} ({} of {} in {}, owner {})",
        waiver.id.terminal(),
        report.rule.terminal(),
        report.object.terminal(),
        report.target.terminal(),
        waiver.owner.terminal(),
    )
}

/// Says in one sentence what a comparison with a baseline showed, encoded for a terminal.
pub(super) fn describe_baseline(baseline: &BaselineReport) -> String {
    let gone = match baseline.gone {
        0 => String::new(),
        1 => "; 1 entry is gone: `seadrift baseline prune` takes it out".to_owned(),
        n => format!("; {n} entries are gone: `seadrift baseline prune` takes them out"),
    };
    format!(
        "{} of {}: {} known, {} new or worse{gone}",
        Terminal(&baseline.file),
        Terminal(&baseline.created),
        baseline.known,
        baseline.new
    )
}

fn days(number: i64) -> String {
    count(number.unsigned_abs(), "day", "days")
}
