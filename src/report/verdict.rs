//! The end of a report: the outcome in words.

use super::layout::{Look, columns, count, wrap};
use super::model::{Report, Status};
use crate::finding::Severity;

/// The outcome of a run.
pub(super) struct Outcome {
    tone: fn(Look) -> anstyle::Style,
    /// It in a word or a few. It says `clean` only if every fact was seen.
    pub(super) word: &'static str,
    /// What stands behind it, in one line.
    pub(super) rest: String,
}

/// Renders the verdict: one line, if the width allows.
pub fn render(report: &Report, look: &Look) -> String {
    let Outcome { tone, word, rest } = outcome(report);
    let style = tone(*look);
    let rest = wrap(&rest, look.width, columns(word) + 2, 4);
    format!("{style}{word}:{style:#} {rest}\n")
}

/// Returns the outcome of a run.
pub(super) fn outcome(report: &Report) -> Outcome {
    let made = |tone, word, rest| Outcome { tone, word, rest };
    if let (Some(shard), true) = (report.run.shard, report.targets.is_empty()) {
        let rest = format!("no target of the fleet is in part {shard}");
        return made(Look::good, "nothing to check", rest);
    }
    let drift = report.drift();
    let complete = report.run.complete;
    let (tone, word, rest): (fn(Look) -> _, _, _) = if drift > 0 {
        let word = if complete { "drift" } else { "drift, and incomplete" };
        (Look::bad, word, drift_words(report, drift))
    } else if !complete {
        let word = match report.run.allow_incomplete {
            true => "incomplete, but allowed",
            false => "incomplete",
        };
        (
            Look::doubtful,
            word,
            "not every fact of the spec could be seen".to_owned(),
        )
    } else if !report.findings.is_empty() {
        (Look::good, "no drift that counts", lesser(report))
    } else {
        let (word, rest) = clean(report);
        (Look::good, word, rest)
    };
    made(tone, word, format!("{rest}; {}", targets(report)))
}

fn drift_words(report: &Report, drift: usize) -> String {
    let found = count(drift as u64, "finding", "findings");
    match report.run.fail_on {
        Some(Severity::Critical) => format!("{found} of severity critical"),
        Some(least) => format!("{found} at or above {least} ({})", severities(report, least).join(", ")),
        None => found,
    }
}

/// Says what was found where none of it counts.
fn lesser(report: &Report) -> String {
    let counts = counts(report).join(", ");
    match report.run.fail_on {
        Some(least) => format!("nothing at or above {least}, but {counts}"),
        None => format!("no severity does, but there is {counts}"),
    }
}

fn clean(report: &Report) -> (&'static str, String) {
    let unseen = report.targets.iter().flat_map(|t| &t.unverified).count() as u64;
    let open = report.targets.iter().flat_map(|t| &t.unconfirmed).count() as u64;
    let facts = match open {
        0 => "every fact of the spec was seen and holds".to_owned(),
        1 => "every confirmed fact was seen and holds, 1 is open".to_owned(),
        n => format!("every confirmed fact was seen and holds, {n} are open"),
    };
    match unseen {
        0 => ("clean", facts),
        1 => (
            "clean as far as could be seen",
            format!("{facts}; 1 risk was not looked at"),
        ),
        n => (
            "clean as far as could be seen",
            format!("{facts}; {n} risks were not looked at"),
        ),
    }
}

/// Counts findings of so much severity at least, worst first, leaving out zeros.
fn severities(report: &Report, least: Severity) -> Vec<String> {
    let summary = &report.summary;
    Severity::ALL
        .into_iter()
        .filter(|severity| *severity >= least && summary.of(*severity) > 0)
        .map(|severity| words(severity, summary.of(severity)))
        .collect()
}

/// Counts findings by severity, and those that are excused.
fn counts(report: &Report) -> Vec<String> {
    let summary = &report.summary;
    let mut counts = severities(report, Severity::Info);
    if summary.waived > 0 {
        counts.push(format!("{} waived", summary.waived));
    }
    if summary.known > 0 {
        counts.push(format!("{} known", summary.known));
    }
    counts
}

/// Writes `2 errors`; critical and info have no plural.
pub(super) fn words(severity: Severity, number: u64) -> String {
    match severity {
        Severity::Critical | Severity::Info => format!("{number} {severity}"),
        Severity::Error => count(number, "error", "errors"),
        Severity::Warning => count(number, "warning", "warnings"),
    }
}

fn targets(report: &Report) -> String {
    let of = |status: Status| report.targets.iter().filter(|t| t.status == status).count() as u64;
    let mut parts = Vec::new();
    let checked = of(Status::Checked);
    if checked > 0 || report.targets.is_empty() {
        parts.push(format!("{} checked", count(checked, "target", "targets")));
    }
    for (status, word) in [(Status::Incomplete, "incomplete"), (Status::Unreachable, "unreachable")] {
        match (of(status), parts.is_empty()) {
            (0, _) => {}
            (n, true) => parts.push(format!("{} {word}", count(n, "target", "targets"))),
            (n, false) => parts.push(format!("{n} {word}")),
        }
    }
    parts.join(", ")
}
