//! One JSON object per line, for log pipelines: the run, the targets, the findings, what excuses some, the summary.

use std::io::{self, Write};

use serde::Serialize;

use super::json::write_line;
use super::model::{Report, Run, Tool};

/// One line: what it is, and then the keys that the thing has in the JSON result.
#[derive(Serialize)]
struct Line<'a, T> {
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(flatten)]
    body: &'a T,
}

/// The first line.
#[derive(Serialize)]
struct Head<'a> {
    schema_version: &'a str,
    tool: &'a Tool,
    #[serde(flatten)]
    run: &'a Run,
}

/// Writes the lines.
pub(super) fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let head = Head {
        schema_version: &report.schema_version,
        tool: &report.tool,
        run: &report.run,
    };
    write_one("run", &head, out)?;
    for target in &report.targets {
        write_one("target", target, out)?;
    }
    for finding in &report.findings {
        write_one("finding", finding, out)?;
    }
    for waiver in &report.waivers {
        write_one("waiver", waiver, out)?;
    }
    if let Some(baseline) = &report.baseline {
        write_one("baseline", baseline, out)?;
    }
    write_one("summary", &report.summary, out)
}

fn write_one<T: Serialize>(kind: &'static str, body: &T, out: &mut dyn Write) -> io::Result<()> {
    write_line(&Line { kind, body }, out)
}
