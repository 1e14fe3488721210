//! What a pipeline shows beside a line of a file: few, and the worst of them.

use super::fleet::{self, DriftGroup, StandingGroup};
use super::format::Setting;
use super::model::{Report, Status};
use super::text::name_fact;
use crate::finding::Severity;
use crate::text::Terminal;

/// Pipelines drop what is more than this of one level, without a word.
const MOST: usize = 10;

/// How loud an annotation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    Error,
    Warning,
    Notice,
}

impl Level {
    const ALL: [Self; 3] = [Self::Error, Self::Warning, Self::Notice];

    /// Returns the level of a severity.
    pub(super) fn of(severity: Severity) -> Self {
        match severity {
            Severity::Critical | Severity::Error => Self::Error,
            Severity::Warning => Self::Warning,
            Severity::Info => Self::Notice,
        }
    }
}

/// One annotation. Its texts are single lines that are safe on a terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Annotation {
    pub(super) level: Level,
    /// The file in its repository; the line and the columns in it, where they are known.
    pub(super) file: Option<String>,
    pub(super) span: Option<Span>,
    /// The rule's code; none for what is not about a rule.
    pub(super) code: Option<String>,
    pub(super) title: String,
    pub(super) lines: Vec<String>,
}

/// A part of a line, counted from 1; `end` is the last column that is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) line: u32,
    pub(super) column: u32,
    pub(super) end: u32,
}

/// Chooses the annotations of a report, what is equal over targets once: what was not checked, then findings, worst
/// first. No level has more than pipelines show; the last of it says how many are left out.
pub(super) fn annotate(report: &Report, setting: &Setting<'_>) -> Vec<Annotation> {
    let groups = fleet::group(report);
    let unchecked = || groups.standings.iter().filter(|g| g.first().status != Status::Checked);
    let loudness = match report.run.allow_incomplete {
        true => Level::Warning,
        false => Level::Error,
    };
    let mut shown = Vec::new();
    for level in Level::ALL {
        let targets = || unchecked().filter(|_| loudness == level);
        let of_level = |g: &&DriftGroup<'_>| g.first().is_open() && Level::of(g.first().severity) == level;
        let findings = || groups.drifts.iter().filter(of_level);
        let (unseen, found) = (targets().count(), findings().count());
        let room = if unseen + found > MOST { MOST - 1 } else { MOST };
        // Neither leaves the other without a word.
        let unseen = unseen.min(room.saturating_sub(found).max(room / 2));
        let found_shown = found.min(room - unseen);
        shown.extend(targets().take(unseen).map(|group| of_targets(group, level, setting)));
        shown.extend(findings().take(found_shown).map(|group| of_drift(group, setting)));
        let rest = targets().count() + found - unseen - found_shown;
        if rest > 0 {
            shown.push(remainder(level, rest));
        }
    }
    shown
}

fn of_drift(group: &DriftGroup<'_>, setting: &Setting<'_>) -> Annotation {
    let finding = group.first();
    let at = &finding.location;
    let mut lines = vec![finding.message.terminal().to_string()];
    let object = finding.object.dotted();
    lines.push(format!(
        "{}: {} in {}",
        finding.object.kind(),
        object.terminal(),
        fleet::name_some(group.names())
    ));
    if !group.says_one_thing() {
        lines.push(format!("what is said here is for {}", finding.target.terminal()));
    }
    for (label, text) in [("expected", &finding.expected), ("found", &finding.found)] {
        lines.extend(text.as_ref().map(|text| format!("{label}: {}", text.terminal())));
    }
    lines.extend(finding.lapse().map(|text| format!("waiver: {}", text.terminal())));
    for (label, text) in [("impact", &finding.impact), ("help", &finding.help)] {
        if !text.raw().is_empty() {
            lines.push(format!("{label}: {}", text.terminal()));
        }
    }
    let number = match group.findings.len() {
        1 => String::new(),
        number => format!(" in {number} targets"),
    };
    Annotation {
        level: Level::of(finding.severity),
        file: Some(Terminal(setting.path(&at.file)).to_string()),
        span: Some(Span {
            line: at.line,
            column: at.column,
            end: at.end_column.saturating_sub(1).max(at.column),
        }),
        code: Some(Terminal(&finding.code).to_string()),
        title: format!(
            "{}[{}] {}{number}",
            finding.severity,
            Terminal(&finding.code),
            Terminal(&finding.rule)
        ),
        lines,
    }
}

fn of_targets(group: &StandingGroup<'_>, level: Level, setting: &Setting<'_>) -> Annotation {
    let target = fleet::generalize_if_many(group);
    let (name, are) = match group.targets.len() {
        1 => (target.name.terminal().to_string(), "is"),
        number => (format!("{number} targets"), "are"),
    };
    let mut lines = Vec::new();
    if group.targets.len() > 1 {
        lines.push(fleet::name_some(group.names()));
    }
    let gaps = target.gaps();
    for gap in gaps.iter().take(MOST) {
        lines.push(format!("{} {}", gap.reason.terminal(), gap.help.terminal()));
        lines.extend(gap.facts.iter().take(MOST).map(|fact| format!("- {}", name_fact(fact))));
        if gap.facts.len() > MOST {
            lines.push(format!("- and {} more", gap.facts.len() - MOST));
        }
    }
    if gaps.len() > MOST {
        lines.push(format!("and {} more reasons", gaps.len() - MOST));
    }
    let file = setting.path(&target.spec);
    Annotation {
        level,
        file: (!file.is_empty()).then(|| Terminal(file).to_string()),
        span: None,
        code: None,
        title: match target.status {
            Status::Unreachable => format!("not checked: {name} {are} unreachable"),
            _ => format!("not fully checked: {name}"),
        },
        lines,
    }
}

fn remainder(level: Level, rest: usize) -> Annotation {
    Annotation {
        level,
        file: None,
        span: None,
        code: None,
        title: format!("and {rest} more"),
        lines: vec![format!("{rest} more are in the other reports of this run")],
    }
}
