//! JUnit XML, for test reports: a suite per target, a case per finding, and a passing case per rule that is kept.
//!
//! A case fails if it counts for the exit code. What could not be seen is an error, or skipped if the spec does not
//! depend on it; nothing passes in its place.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io::{self, Write};

use super::format::Setting;
use super::model::{Report, Status, TargetReport};
use super::text::name_fact;
use crate::finding::Finding;
use crate::rules::{RULES, Unverified};
use crate::schema::Aspect;
use crate::text::Terminal;

/// GitLab takes files of 30 MB; with texts no longer than [`LONGEST`], so many cases of findings stay far below it.
const MOST: usize = 5_000;
/// The longest text of a case, in characters.
const LONGEST: usize = 2_000;

/// Writes the document.
pub(super) fn write(report: &Report, setting: &Setting<'_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"seadrift\">"
    )?;
    let mut room = MOST;
    for (target, findings) in report.by_target() {
        let shown = findings.len().min(room);
        room -= shown;
        let suite = Suite {
            report,
            target,
            findings: &findings[..shown],
            rest: findings.len() - shown,
        };
        suite.write(setting, out)?;
    }
    writeln!(out, "</testsuites>")
}

/// One target.
struct Suite<'a> {
    report: &'a Report,
    target: &'a TargetReport,
    findings: &'a [&'a Finding],
    /// How many findings are left out.
    rest: usize,
}

impl Suite<'_> {
    fn write(&self, setting: &Setting<'_>, out: &mut dyn Write) -> io::Result<()> {
        let kept = self.kept();
        let failures = self.findings.iter().filter(|f| self.report.counts(f)).count();
        let waived = self.findings.iter().filter(|f| !f.is_open()).count();
        let is_checked = self.target.status == Status::Checked;
        let lenient = self.report.run.allow_incomplete;
        let rest = usize::from(self.rest > 0);
        writeln!(
            out,
            "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" timestamp=\"{}\" file=\"{}\">",
            Xml(self.target.name.raw()),
            1 + self.findings.len() + self.risks().count() + kept.len() + rest,
            failures,
            usize::from(!is_checked && !lenient) + rest,
            usize::from(!is_checked && lenient) + waived + self.risks().count(),
            Xml(&self.report.run.started_at),
            Xml(setting.path(&self.target.spec)),
        )?;
        self.write_coverage(out)?;
        let mut names = BTreeMap::new();
        for finding in self.findings {
            self.write_finding(finding, &mut names, setting, out)?;
        }
        if self.rest > 0 {
            let text = format!("{} more findings are in the other reports of this run", self.rest);
            self.open("more findings", out)?;
            writeln!(out, ">\n      <error message=\"{text}\"/>\n    </testcase>")?;
        }
        for risk in self.risks() {
            self.open(&format!("risk: {}", name_fact(&risk.object)), out)?;
            let text = Body(&format!("{} {}", risk.reason.terminal(), risk.help.terminal())).to_string();
            writeln!(
                out,
                ">\n      <skipped message=\"it could not be looked at\">{text}</skipped>\n    </testcase>"
            )?;
        }
        for (code, name) in kept {
            self.open(&format!("{code} {name}"), out)?;
            writeln!(out, "/>")?;
        }
        writeln!(out, "  </testsuite>")
    }

    /// Returns the rules that are known to be kept: those that say nothing of a target that was fully checked, and
    /// that nothing unseen belongs to.
    fn kept(&self) -> Vec<(&'static str, &'static str)> {
        if self.target.status != Status::Checked || self.rest > 0 {
            return Vec::new();
        }
        let broken: BTreeSet<&str> = self.findings.iter().map(|finding| finding.code.as_str()).collect();
        let unseen: String = self
            .target
            .unverified
            .iter()
            .map(|entry| groups(entry.object.aspect))
            .collect();
        let kept = RULES
            .iter()
            .filter(|rule| !broken.contains(rule.code) && !rule.code.starts_with(|group| unseen.contains(group)));
        kept.map(|rule| (rule.code, rule.name)).collect()
    }

    /// Returns the risks that could not be looked at, and that no fact of the spec depends on.
    fn risks(&self) -> impl Iterator<Item = &Unverified> {
        self.target.unverified.iter().filter(|entry| !entry.required)
    }

    fn open(&self, name: &str, out: &mut dyn Write) -> io::Result<()> {
        let suite = Xml(self.target.name.raw());
        write!(out, "    <testcase classname=\"{suite}\" name=\"{}\"", Xml(name))
    }

    /// Writes the case that stands for having seen everything.
    fn write_coverage(&self, out: &mut dyn Write) -> io::Result<()> {
        self.open("coverage: every fact of the spec was seen", out)?;
        if self.target.status == Status::Checked {
            return writeln!(out, "/>");
        }
        let mut text = String::new();
        for gap in self.target.gaps() {
            text.push_str(&format!("{} {}\n", gap.reason.terminal(), gap.help.terminal()));
            for fact in gap.facts {
                text.push_str(&format!("- {}\n", name_fact(fact)));
            }
        }
        let message = match self.target.status {
            Status::Unreachable => "nothing could be seen",
            _ => "not everything that the spec states could be seen",
        };
        match self.report.run.allow_incomplete {
            true => writeln!(
                out,
                ">\n      <skipped message=\"{message}\">{}</skipped>\n    </testcase>",
                Body(&text)
            ),
            false => writeln!(
                out,
                ">\n      <error message=\"{message}\">{}</error>\n    </testcase>",
                Body(&text)
            ),
        }
    }

    fn write_finding(
        &self,
        finding: &Finding,
        names: &mut BTreeMap<String, u32>,
        setting: &Setting<'_>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let (kind, object) = (finding.object.kind(), finding.object.dotted());
        let name = format!("{} {} {kind} {}", finding.code, finding.rule, object.raw());
        // Readers keep the first of two cases with one name.
        let count = names.entry(Xml(&name).to_string()).or_default();
        *count += 1;
        match *count {
            1 => self.open(&name, out)?,
            count => self.open(&format!("{name} #{count}"), out)?,
        }
        let message = Xml(finding.message.raw());
        let text = text(finding, setting);
        let text = Body(&text);
        if let Some(excuse) = finding.excuse() {
            let excuse = Xml(excuse.raw());
            writeln!(out, ">\n      <skipped message=\"{excuse}\">{message}</skipped>")?;
        } else if self.report.counts(finding) {
            let severity = finding.severity;
            writeln!(
                out,
                ">\n      <failure type=\"{severity}\" message=\"{message}\">{text}</failure>"
            )?;
        } else {
            writeln!(
                out,
                ">\n      <system-out>{}: {message}\n{text}</system-out>",
                finding.severity
            )?;
        }
        writeln!(out, "    </testcase>")
    }
}

/// Returns the groups of rules that look at a kind of fact.
fn groups(aspect: Option<Aspect>) -> &'static str {
    match aspect {
        Some(Aspect::WritePath | Aspect::Checks | Aspect::ForeignKeys) => "W",
        Some(Aspect::Retention) => "R",
        Some(Aspect::PrimaryKey | Aspect::Indexes | Aspect::Definition) => "I",
        _ => "CDHIRTW",
    }
}

/// Tells everything about a finding.
fn text(finding: &Finding, setting: &Setting<'_>) -> String {
    let at = &finding.location;
    let mut text = format!("{}:{}:{}\n", Terminal(setting.path(&at.file)), at.line, at.column);
    for (label, fact) in [("expected", &finding.expected), ("found", &finding.found)] {
        if let Some(fact) = fact {
            text.push_str(&format!("{label}: {}\n", fact.terminal()));
        }
    }
    for (label, fact) in [("impact", &finding.impact), ("help", &finding.help)] {
        if !fact.raw().is_empty() {
            text.push_str(&format!("{label}: {}\n", fact.terminal()));
        }
    }
    text
}

/// A text of unknown origin, as one line.
struct Xml<'a>(&'a str);

/// A text of several lines, each of which is safe on a terminal.
struct Body<'a>(&'a str);

impl fmt::Display for Xml<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        escape(&Terminal(self.0).to_string(), f)
    }
}

impl fmt::Display for Body<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        escape(self.0, f)
    }
}

fn escape(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    use fmt::Write as _;
    for (i, c) in text.chars().enumerate() {
        match c {
            _ if i == LONGEST => return f.write_str(" [cut]"),
            '&' => f.write_str("&amp;")?,
            '<' => f.write_str("&lt;")?,
            '>' => f.write_str("&gt;")?,
            '"' => f.write_str("&quot;")?,
            '\'' => f.write_str("&apos;")?,
            // XML has no place for them, escaped or not.
            '\u{fffe}' | '\u{ffff}' => write!(f, "\\u{{{:x}}}", u32::from(c))?,
            c => f.write_char(c)?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_ends_an_element_or_an_attribute() {
        assert_eq!(
            Xml("a\" b='c' <d> & ]]>\n\u{0}\u{ffff}").to_string(),
            "a&quot; b=&apos;c&apos; &lt;d&gt; &amp; ]]&gt;\\n\\u{0}\\u{ffff}"
        );
    }

    #[test]
    fn a_long_text_is_cut_and_says_so() {
        let text = Xml(&"é".repeat(LONGEST + 1)).to_string();
        assert_eq!(text.chars().count(), LONGEST + " [cut]".len());
        assert!(text.ends_with("é [cut]"));
    }
}
