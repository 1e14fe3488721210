//! What a report for people says of waivers and of the baseline.

use std::fmt::Write as _;

use super::layout::{Look, columns, count, wrap};
use super::model::{Report, WaiverReport, WaiverState};
use crate::finding::{Finding, Known, Waived};
use crate::text::Terminal;

/// Returns the lines of a finding that counts which say that a waiver excused it until lately.
pub(super) fn lines(finding: &Finding) -> Option<(&'static str, String)> {
    finding
        .expired_waiver
        .as_ref()
        .map(|waiver| ("waiver", expired(waiver)))
}

/// Lists the findings that do not count because a waiver or the baseline excuses them.
pub(super) fn write_findings(out: &mut String, report: &Report, look: &Look) {
    let excused = || report.findings.iter().filter(|finding| !finding.is_open());
    if excused().next().is_none() {
        return;
    }
    let bold = look.bold();
    let _ = writeln!(out, "{bold}excused findings, which do not count{bold:#}");
    for finding in excused() {
        let style = look.severity(finding.severity);
        let head = format!("{}[{}]", finding.severity, Terminal(&finding.code));
        let found = match &finding.found {
            Some(found) => format!(": found {}", found.terminal()),
            None => String::new(),
        };
        let text = format!(
            "{} of {} ({}){found}",
            Terminal(&finding.rule),
            finding.object.dotted().terminal(),
            finding.target.terminal()
        );
        let text = wrap(&text, look.width, columns(&head) + 3, 6);
        let _ = writeln!(out, "  {style}{head}{style:#} {text}");
        let waived = finding
            .waiver
            .as_ref()
            .map(|waiver| format!("waived {}", waived(waiver)));
        let known = finding.baseline.as_ref().map(since);
        for why in [waived, known].into_iter().flatten() {
            let _ = writeln!(out, "      {}", wrap(&why, look.width, 6, 6));
        }
    }
    out.push('\n');
}

/// Says who excuses a finding, until when and why.
pub(super) fn waived(waiver: &Waived) -> String {
    let ticket = match &waiver.ticket {
        Some(ticket) => format!(" ({})", ticket.terminal()),
        None => String::new(),
    };
    format!(
        "by {} until {}, {}; {}: {}{ticket}",
        waiver.id.terminal(),
        waiver.expires,
        remaining(waiver.days_left),
        waiver.owner.terminal(),
        waiver.reason.terminal(),
    )
}

/// Says which waiver expired.
pub(super) fn expired(waiver: &Waived) -> String {
    format!(
        "{} expired {} ago, on {} (owner {}); the finding counts again",
        waiver.id.terminal(),
        days(-waiver.days_left),
        waiver.expires,
        waiver.owner.terminal()
    )
}

/// Says since when a finding is known.
pub(super) fn since(known: &Known) -> String {
    format!(
        "in the baseline; first seen {}, {} ago",
        known.first_seen,
        days(known.age_days)
    )
}

fn remaining(days_left: i64) -> String {
    match days_left {
        ..0 => format!("{} ago", days(-days_left)),
        0 => "its last day".to_owned(),
        n => format!("{} left", days(n)),
    }
}

fn days(number: i64) -> String {
    count(number.unsigned_abs(), "day", "days")
}

/// Writes the section on waivers and on the baseline. Waivers that simply hold are told by the findings themselves.
pub(super) fn write_section(out: &mut String, report: &Report, look: &Look) {
    let told: Vec<&WaiverReport> = report
        .waivers
        .iter()
        .filter(|waiver| waiver.state != WaiverState::Active || waiver.note.is_some())
        .collect();
    if told.is_empty() && report.baseline.is_none() {
        return;
    }
    if !told.is_empty() {
        let style = look.doubtful();
        let _ = writeln!(out, "{style}waivers to look at{style:#}");
        for waiver in told {
            write_item(out, &describe(waiver), look);
        }
    }
    if let Some(baseline) = &report.baseline {
        let bold = look.bold();
        let _ = writeln!(out, "{bold}baseline{bold:#}");
        let gone = match baseline.gone {
            0 => String::new(),
            1 => "; 1 entry is gone: `seadrift baseline prune` takes it out".to_owned(),
            n => format!("; {n} entries are gone: `seadrift baseline prune` takes them out"),
        };
        let text = format!(
            "{} of {}: {} known, {} new or worse{gone}",
            Terminal(&baseline.file),
            Terminal(&baseline.created),
            baseline.known,
            baseline.new
        );
        write_item(out, &text, look);
    }
    out.push('\n');
}

/// Says in one paragraph what became of a waiver.
pub fn describe(report: &WaiverReport) -> String {
    let waiver = &report.waiver;
    let note = match (&report.note, report.state) {
        (Some(note), _) => format!(": {}", note.terminal()),
        (None, WaiverState::Expired) => format!(" {} ago; what it excused counts again", days(-waiver.days_left)),
        (None, WaiverState::Expiring) if waiver.days_left == 0 => "; this is its last day".to_owned(),
        (None, WaiverState::Expiring) => format!(" in {}", days(waiver.days_left)),
        (None, _) => String::new(),
    };
    format!(
        "{} {}{note} ({} of {}, owner {})",
        waiver.id.terminal(),
        match report.state {
            WaiverState::Active => "holds",
            WaiverState::Expiring => "expires",
            WaiverState::Expired => "expired",
            WaiverState::Stale => "is stale",
            WaiverState::Invalid => "is invalid",
        },
        report.rule.terminal(),
        report.object.terminal(),
        waiver.owner.terminal(),
    )
}

fn write_item(out: &mut String, text: &str, look: &Look) {
    let _ = writeln!(out, "  - {}", wrap(text, look.width, 4, 4));
}
