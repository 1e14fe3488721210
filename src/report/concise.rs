//! One line per finding, `file:line:column: …`, as editors and grep want them.

use std::io::{self, Write};

use super::model::Report;
use super::{text, verdict};
use crate::text::Terminal;

/// Writes the lines, those about what could not be seen, and the verdict.
pub(super) fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    for finding in &report.findings {
        let at = &finding.location;
        let excused = if finding.is_open() { "" } else { ", excused" };
        writeln!(
            out,
            "{}:{}:{}: {}[{}] {}: {} ({}{excused})",
            Terminal(&at.file),
            at.line,
            at.column,
            finding.severity,
            Terminal(&finding.code),
            Terminal(&finding.rule),
            finding.message.terminal(),
            finding.target.terminal(),
        )?;
    }
    for target in &report.targets {
        let place = match target.spec.as_str() {
            "" => target.name.raw(),
            file => file,
        };
        for gap in target.gaps() {
            for fact in gap.facts {
                let (place, fact) = (Terminal(place), text::name_fact(fact));
                let (reason, name) = (gap.reason.terminal(), target.name.terminal());
                writeln!(out, "{place}: not verified: {fact}: {reason} ({name})")?;
            }
        }
    }
    let outcome = verdict::outcome(report);
    writeln!(out, "{}: {}", outcome.word, outcome.rest)
}
