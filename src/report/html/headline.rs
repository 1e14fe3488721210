//! The head of a page: the outcome in words, the counts, and the run.

use chrono::{DateTime, FixedOffset};

use super::chapter::{Chapter, Standing};
use super::encode::{Content, Number};
use super::sentence::{capitalise, join};
use super::{Icon, code};
use crate::finding::Severity;
use crate::report::layout::count;
use crate::report::{Report, Status, WaiverState, verdict};

/// Returns the outcome as one or a few words, and what follows: the same as the last line of the report for terminals.
pub(super) fn outcome(report: &Report) -> (String, String) {
    let outcome = verdict::outcome(report);
    (capitalise(outcome.word), capitalise(&outcome.rest))
}

/// Writes the head.
pub(super) fn write(out: &mut String, report: &Report, chapters: &[Chapter<'_>]) {
    let (word, rest) = outcome(report);
    let worst = chapters.iter().filter_map(Chapter::worst).max();
    let (class, icon) = match worst.map(Severity::as_str) {
        Some(worst) => (worst, worst),
        None if report.run.complete && report.findings.is_empty() => ("clean", "clean"),
        None if report.run.complete => ("lesser", "info"),
        None => ("incomplete", "unseen"),
    };
    put!(
        out,
        "<header class=\"head {class}\">\n<p class=\"kicker\">seadrift report</p>\n"
    );
    put!(out, "<h1>{}{}</h1>\n", Icon(icon), Content(&word));
    put!(out, "<p class=\"lede\">{}</p>\n", sentence(chapters));
    put!(out, "<p class=\"exact\">{}.</p>\n", Content(&rest));
    write_tally(out, report);
    write_run(out, report);
    put!(out, "</header>\n");
}

/// Says how many databases stand where. What was not checked is said as plainly as what has drifted.
fn sentence(chapters: &[Chapter<'_>]) -> String {
    if chapters.is_empty() {
        return "No database was checked.".to_owned();
    }
    let of = |standing: Standing| chapters.iter().filter(|c| c.standing() == standing).count() as u64;
    let phrases = [
        (Standing::Drifted, "drifted", "drifted"),
        (Standing::Unreachable, "could not be reached", "could not be reached"),
        (Standing::Incomplete, "was not fully checked", "were not fully checked"),
        (
            Standing::Lesser,
            "has only findings that do not count",
            "have only findings that do not count",
        ),
        (Standing::Clean, "is clean", "are clean"),
    ];
    let mut parts: Vec<String> = Vec::new();
    for (standing, one, many) in phrases {
        let n = of(standing);
        if n == 0 {
            continue;
        }
        let number = match parts.is_empty() {
            true => count(n, "database", "databases"),
            false => n.to_string(),
        };
        let rest = if n == 1 { one } else { many };
        parts.push(format!("<b class=\"{}\">{number} {rest}</b>", standing.as_str()));
    }
    let mut text = join(&parts);
    text.push('.');
    let half = |c: &&Chapter<'_>| c.standing() == Standing::Drifted && c.status() != Status::Checked;
    match (chapters.iter().filter(half).count(), of(Standing::Drifted)) {
        (0, _) => {}
        (1, 1) => text.push_str(" <b class=\"incomplete\">The drifted one was not fully checked either.</b>"),
        (1, _) => text.push_str(" <b class=\"incomplete\">1 of the drifted ones was not fully checked either.</b>"),
        (n, _) => put!(
            text,
            " <b class=\"incomplete\">{n} of the drifted ones were not fully checked either.</b>"
        ),
    }
    text
}

fn write_tally(out: &mut String, report: &Report) {
    let unseen = report.targets.iter().flat_map(|t| &t.unverified).filter(|u| u.required);
    let open = report.targets.iter().flat_map(|t| &t.unconfirmed);
    let severities = Severity::ALL.map(|severity| (severity.as_str(), report.summary.of(severity)));
    let others = [
        ("waived", report.summary.waived),
        ("known", report.summary.known),
        ("not verified", unseen.count() as u64),
        ("open facts", open.count() as u64),
    ];
    put!(out, "<dl class=\"tally\">\n");
    for (word, n) in severities.into_iter().chain(others) {
        let class = if n == 0 {
            "zero"
        } else {
            word.split(' ').next().unwrap_or(word)
        };
        put!(
            out,
            "<div class=\"{class}\"><dt>{word}</dt><dd>{}</dd></div>\n",
            Number(n)
        );
    }
    put!(out, "</dl>\n");
}

fn write_run(out: &mut String, report: &Report) {
    let run = &report.run;
    let counts = match run.fail_on {
        Some(Severity::Critical) => "severity critical".to_owned(),
        Some(least) => format!("severity {least} and worse"),
        None => "no severity".to_owned(),
    };
    put!(out, "<dl class=\"run\">\n");
    put!(
        out,
        "<div><dt>Checked</dt><dd>{}</dd></div>\n",
        when(&run.started_at, &run.finished_at)
    );
    put!(out, "<div><dt>Counts as drift</dt><dd>{counts}</dd></div>\n");
    write_excuses(out, report);
    if run.allow_incomplete {
        put!(out, "<div><dt>Not fully checked</dt><dd>let through</dd></div>\n");
    }
    put!(out, "<div><dt>Exit code</dt><dd>{}</dd></div>\n", run.exit_code);
    let tool = format!("{} {}", report.tool.name, report.tool.version);
    put!(out, "<div><dt>Made by</dt><dd>{}</dd></div>\n</dl>\n", Content(&tool));
}

/// Counts the waivers by state, and says what the baseline did.
fn write_excuses(out: &mut String, report: &Report) {
    let of = |state: WaiverState| report.waivers.iter().filter(|waiver| waiver.state == state).count();
    let states = WaiverState::ALL.map(|state| (of(state), state.as_str()));
    let states: Vec<String> = states
        .into_iter()
        .filter(|(n, _)| *n > 0)
        .map(|(n, word)| format!("{n} {word}"))
        .collect();
    if !states.is_empty() {
        put!(
            out,
            "<div><dt>Waivers</dt><dd><a href=\"#excuses\">{}</a></dd></div>\n",
            states.join(", ")
        );
    }
    if let Some(baseline) = &report.baseline {
        let (known, new) = (Number(baseline.known), Number(baseline.new));
        put!(
            out,
            "<div><dt>Baseline</dt><dd><a href=\"#excuses\">{known} known, {new} new or worse</a></dd></div>\n"
        );
    }
}

/// Returns when a run began and how long it took.
fn when(started: &str, finished: &str) -> String {
    let Ok(start) = DateTime::parse_from_rfc3339(started) else {
        return code(started);
    };
    let shown = start.to_utc().format("%-d %B %Y, %H:%M:%S UTC");
    let time = format!("<time datetime=\"{}\">{shown}</time>", start.to_rfc3339());
    match DateTime::parse_from_rfc3339(finished) {
        Ok(end) => format!("{time}, in {}", took(start, end)),
        Err(_) => time,
    }
}

fn took(start: DateTime<FixedOffset>, end: DateTime<FixedOffset>) -> String {
    let ms = (end - start).num_milliseconds().max(0);
    match ms {
        0..1_000 => format!("{ms} ms"),
        1_000..60_000 => format!("{}.{} s", ms / 1_000, ms % 1_000 / 100),
        _ => format!("{} min {} s", ms / 60_000, ms % 60_000 / 1_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_for_people_and_never_raw() {
        assert_eq!(
            when("2026-01-02T03:04:05.678Z", "2026-01-02T03:05:15Z"),
            "<time datetime=\"2026-01-02T03:04:05.678+00:00\">2 January 2026, 03:04:05 UTC</time>, in 1 min 9 s"
        );
        assert!(when("2026-01-02T03:04:05Z", "2026-01-02T03:04:06.25Z").ends_with(", in 1.2 s"));
        assert_eq!(when("<b>", "x"), "<code>&lt;b&gt;</code>");
    }
}
