//! What a pipeline shows beside a line of a file: few, and the worst of them.

use super::format::Setting;
use super::model::{Report, Status, TargetReport};
use super::text::name_fact;
use crate::finding::{Finding, Severity};
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

/// Chooses the annotations of a report: targets that were not checked, then findings, worst first. No level has more
/// than pipelines show; the last of it says how many are left out.
pub(super) fn annotate(report: &Report, setting: &Setting<'_>) -> Vec<Annotation> {
    let unchecked: Vec<&TargetReport> = report.targets.iter().filter(|t| t.status != Status::Checked).collect();
    let loudness = match report.run.allow_incomplete {
        true => Level::Warning,
        false => Level::Error,
    };
    let mut shown = Vec::new();
    for level in Level::ALL {
        let targets = unchecked.iter().filter(|_| loudness == level);
        let of_level = |f: &&Finding| f.is_open() && Level::of(f.severity) == level;
        let findings = || report.findings.iter().filter(of_level);
        let all = targets.clone().count() + findings().count();
        let room = if all > MOST { MOST - 1 } else { MOST };
        let before = shown.len();
        shown.extend(targets.take(room).map(|target| of_target(target, level, setting)));
        let room = room - (shown.len() - before);
        shown.extend(findings().take(room).map(|finding| of_finding(finding, setting)));
        let rest = all - (shown.len() - before);
        if rest > 0 {
            shown.push(remainder(level, rest));
        }
    }
    shown
}

fn of_finding(finding: &Finding, setting: &Setting<'_>) -> Annotation {
    let at = &finding.location;
    let mut lines = vec![finding.message.terminal().to_string()];
    let object = finding.object.dotted();
    let target = finding.target.terminal();
    lines.push(format!("{}: {} in {target}", finding.object.kind(), object.terminal()));
    for (label, text) in [("expected", &finding.expected), ("found", &finding.found)] {
        lines.extend(text.as_ref().map(|text| format!("{label}: {}", text.terminal())));
    }
    lines.extend(finding.lapse().map(|text| format!("waiver: {}", text.terminal())));
    for (label, text) in [("impact", &finding.impact), ("help", &finding.help)] {
        if !text.raw().is_empty() {
            lines.push(format!("{label}: {}", text.terminal()));
        }
    }
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
            "{}[{}] {}",
            finding.severity,
            Terminal(&finding.code),
            Terminal(&finding.rule)
        ),
        lines,
    }
}

fn of_target(target: &TargetReport, level: Level, setting: &Setting<'_>) -> Annotation {
    let mut lines = Vec::new();
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
            Status::Unreachable => format!("not checked: {} is unreachable", target.name.terminal()),
            _ => format!("not fully checked: {}", target.name.terminal()),
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
