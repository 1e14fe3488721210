//! Metrics for the textfile collector of Prometheus: gauges without times of their own, and no names of objects.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Write};

use chrono::DateTime;

use super::model::{Report, Status, TargetReport};
use crate::finding::{Finding, Severity};
use crate::text::Terminal;

/// Writes the metrics.
pub(super) fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let groups = report.by_target();
    write_findings(&groups, out)?;
    write_rules(&groups, out)?;
    head(out, "seadrift_waived_findings", "Findings that a waiver excuses.")?;
    for (target, findings) in &groups {
        let waived = findings.iter().filter(|finding| finding.waiver.is_some()).count();
        sample(out, "seadrift_waived_findings", target, &[], waived)?;
    }
    head(out, "seadrift_target_checked", "1 if every fact of the spec was seen.")?;
    for (target, _) in &groups {
        let checked = usize::from(target.status == Status::Checked);
        sample(out, "seadrift_target_checked", target, &[], checked)?;
    }
    head(
        out,
        "seadrift_unverified_facts",
        "Facts of the spec that could not be seen.",
    )?;
    for (target, _) in &groups {
        let unseen = target.unverified.iter().filter(|entry| entry.required).count();
        sample(out, "seadrift_unverified_facts", target, &[], unseen)?;
    }
    head(
        out,
        "seadrift_objects_compared",
        "Objects that were read, by their kind.",
    )?;
    for (target, _) in &groups {
        let read = &target.coverage;
        let kinds = [
            ("table", read.tables),
            ("column", read.columns),
            ("index", read.indexes),
            ("constraint", read.constraints),
            ("retention_job", read.retention_jobs),
        ];
        for (kind, number) in kinds {
            sample(out, "seadrift_objects_compared", target, &[("kind", kind)], number)?;
        }
    }
    write_run(report, out)
}

type Group<'a> = (&'a TargetReport, Vec<&'a Finding>);

/// A zero is a claim, so it is written for targets that were fully checked alone.
fn write_findings(groups: &[Group<'_>], out: &mut dyn Write) -> io::Result<()> {
    head(out, "seadrift_findings", "Findings by severity, without waived ones.")?;
    for (target, findings) in groups {
        for severity in Severity::ALL {
            let of = |f: &&&Finding| f.severity == severity && f.is_open();
            let number = findings.iter().filter(of).count();
            if number > 0 || target.status == Status::Checked {
                sample(
                    out,
                    "seadrift_findings",
                    target,
                    &[("severity", severity.as_str())],
                    number,
                )?;
            }
        }
    }
    Ok(())
}

fn write_rules(groups: &[Group<'_>], out: &mut dyn Write) -> io::Result<()> {
    head(out, "seadrift_rule_findings", "Findings by rule, without waived ones.")?;
    for (target, findings) in groups {
        let mut numbers: BTreeMap<(&str, &str, Severity), usize> = BTreeMap::new();
        for finding in findings.iter().filter(|finding| finding.is_open()) {
            *numbers
                .entry((&finding.code, &finding.rule, finding.severity))
                .or_default() += 1;
        }
        for ((code, rule, severity), number) in numbers {
            let labels = [("code", code), ("rule", rule), ("severity", severity.as_str())];
            sample(out, "seadrift_rule_findings", target, &labels, number)?;
        }
    }
    Ok(())
}

fn write_run(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    head(out, "seadrift_build_info", "The program's version.")?;
    writeln!(
        out,
        "seadrift_build_info{{version=\"{}\"}} 1",
        Label(&report.tool.version)
    )?;
    let time = |text: &str| {
        DateTime::parse_from_rfc3339(text)
            .map(|time| time.timestamp_millis())
            .ok()
    };
    let (Some(start), Some(end)) = (time(&report.run.started_at), time(&report.run.finished_at)) else {
        return Ok(());
    };
    let seconds = |milliseconds: i64| milliseconds as f64 / 1000.0;
    head(out, "seadrift_run_duration_seconds", "How long the run took.")?;
    writeln!(out, "seadrift_run_duration_seconds {}", seconds(end - start))?;
    head(out, "seadrift_last_run_timestamp_seconds", "When the run ended.")?;
    writeln!(out, "seadrift_last_run_timestamp_seconds {}", seconds(end))?;
    if report.run.complete {
        let name = "seadrift_last_complete_run_timestamp_seconds";
        head(out, name, "When a run that checked every target ended.")?;
        writeln!(out, "{name} {}", seconds(end))?;
    }
    Ok(())
}

fn head(out: &mut dyn Write, name: &str, help: &str) -> io::Result<()> {
    writeln!(out, "# HELP {name} {help}\n# TYPE {name} gauge")
}

fn sample(
    out: &mut dyn Write,
    name: &str,
    target: &TargetReport,
    labels: &[(&str, &str)],
    value: impl fmt::Display,
) -> io::Result<()> {
    let database = target.database.as_ref().map_or("", |database| database.raw());
    let (place, service) = (Label(target.name.raw()), Label(target.service.raw()));
    write!(
        out,
        "{name}{{target=\"{place}\",service=\"{service}\",database=\"{}\"",
        Label(database)
    )?;
    for (label, value) in labels {
        write!(out, ",{label}=\"{}\"", Label(value))?;
    }
    writeln!(out, "}} {value}")
}

/// The value of a label.
struct Label<'a>(&'a str);

impl fmt::Display for Label<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write as _;
        for c in Terminal(self.0).to_string().chars() {
            match c {
                '\\' | '"' => write!(f, "\\{c}")?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_ends_a_label() {
        assert_eq!(Label("a\"} 1\n\\").to_string(), "a\\\"} 1\\\\n\\\\");
    }
}
