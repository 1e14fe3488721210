//! `seadrift diff`: spec and database in one text form.

use super::check::{look_at, name_unread, now};
use super::console::Console;
use super::error::CliError;
use super::target::TargetArgs;
use super::{exit, style};
use crate::catalog::Further;
use crate::compare::{self, canonical};
use crate::report::{self, Outcome, Policy, Times};
use crate::text::Terminal;

/// Show how a live database differs from its spec, as a unified diff
///
/// Only facts that the spec speaks of are compared: a line with `-` is what the spec wants, one with `+` what the
/// database has. Unlike `check` it judges nothing, so any difference counts.
#[derive(Debug, clap::Args)]
pub(super) struct DiffArgs {
    #[command(flatten)]
    target: TargetArgs,
    /// Do not fail because something could not be seen; it is still reported
    #[arg(long, help_heading = "Judgement")]
    allow_incomplete: bool,
}

/// Runs the command and returns the exit code.
pub(super) fn run(args: &DiffArgs, console: &Console) -> Result<u8, CliError> {
    let (target, spec) = args.target.resolve(console)?;
    let started_at = now();
    let result = super::run::block_on(look_at(&target, &spec, Further::default()))?;
    let catalog = result.as_ref().ok().map(|(catalog, _)| catalog.clone());
    let outcome = Outcome {
        target: &target,
        spec: &spec,
        result,
    };
    let policy = Policy {
        fail_on: None,
        allow_incomplete: args.allow_incomplete,
    };
    let times = Times {
        started_at,
        finished_at: now(),
    };
    let report = report::build(vec![outcome], policy, times);
    let seen = &report.targets[0];
    let mut code = report.run.exit_code;
    if let Some(catalog) = &catalog
        && seen.reason.is_none()
    {
        let dialect = catalog.server.dialect;
        let names = format!(
            "--- {}\n+++ {} ({dialect} {})\n",
            Terminal(&spec.file),
            Terminal(&target.name),
            Terminal(&catalog.server.version)
        );
        let mut text = String::new();
        for pair in &compare::pair(&spec, catalog).tables {
            let hunks = canonical(pair, dialect).hunks();
            if !hunks.is_empty() {
                text.push_str(&paint(&names));
                text.push_str(&paint(&hunks));
            }
        }
        if !text.is_empty() {
            code |= exit::DRIFT;
        }
        if !console.is_silent() {
            console.print(&text)?;
        }
    }
    if !console.is_quiet() {
        if !report.run.complete {
            console.say(&report::render_target(seen, &console.look()));
            name_unread(&report, &target, console);
        } else if code == exit::CLEAN {
            console.say("no difference in what the spec states\n");
        }
    }
    Ok(code)
}

/// Colours the lines of a unified diff.
fn paint(plain: &str) -> String {
    let mut text = String::new();
    for line in plain.lines() {
        let style = match line.as_bytes().first() {
            _ if line.starts_with("---") || line.starts_with("+++") => style::heading(),
            Some(b'-') => style::removed(),
            Some(b'+') => style::added(),
            Some(b'@') => style::code(),
            _ => anstyle::Style::new(),
        };
        text.push_str(&format!("{style}{line}{style:#}\n"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_change_no_word_of_a_diff() {
        let plain = "--- spec.yaml\n+++ ledger (sqlite 3.40)\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n";
        let text = paint(plain);
        assert_ne!(text, plain);
        assert_eq!(anstream::adapter::strip_str(&text).to_string(), plain);
    }
}
