//! `seadrift diff`: spec and database in one text form.

use std::collections::BTreeMap;

use super::check::{look_at, name_unread, now};
use super::console::Console;
use super::error::CliError;
use super::fleet::{Chosen, FleetArgs, Trouble};
use super::target::TargetArgs;
use super::{exit, style};
use crate::catalog::{self, Catalog, Further};
use crate::compare::{self, canonical};
use crate::config::Target;
use crate::dialect::Dialect;
use crate::report::{self, Outcome, Policy, Section, Times};
use crate::rules::Verdict;
use crate::spec::Spec;
use crate::text::{Terminal, Text};

/// Show how a live database differs from its spec, as a unified diff
///
/// Only facts that the spec speaks of are compared: a line with `-` is what the spec wants, one with `+` what the
/// database has. Unlike `check` it judges nothing, so any difference counts.
#[derive(Debug, clap::Args)]
pub(super) struct DiffArgs {
    #[command(flatten)]
    target: TargetArgs,
    #[command(flatten)]
    run: FleetArgs,
    /// Do not fail because something could not be seen; it is still reported
    #[arg(long, help_heading = "Judgement")]
    allow_incomplete: bool,
}

/// Runs the command and returns the exit code.
pub(super) fn run(args: &DiffArgs, console: &Console) -> Result<u8, CliError> {
    let run = args.run.settle(&args.target.defaults(console)?);
    let mut targets = args.target.resolve_all(console)?;
    let is_nothing = targets.is_empty();
    args.run.keep(&mut targets);
    let started_at = now();
    let describe = |seen: &Seen| match seen.differs() {
        true => "differs".to_owned(),
        false => seen.section.describe(),
    };
    let ran = run.over(&targets, console, describe, |(target, spec): Chosen| async move {
        let result = look_at(&target, &spec, Further::default()).await;
        let trouble = Trouble::of(&result);
        (Seen::new(&target, &spec, result), trouble)
    })?;
    let seen = ran
        .ends
        .into_iter()
        .zip(&targets)
        .map(|(end, (target, spec))| match end {
            Ok(seen) => seen,
            Err(error) => Seen::new(target, spec, Err(error)),
        });
    let mut seen: Vec<Seen> = seen.collect();
    seen.sort_by(|a, b| a.section.target.name.cmp(&b.section.target.name));
    let policy = Policy {
        fail_on: None,
        allow_incomplete: args.allow_incomplete,
    };
    let times = Times {
        started_at,
        finished_at: now(),
    };
    let shard = args.run.shard.filter(|_| !is_nothing);
    let report = report::join(seen.iter().map(|seen| seen.section.clone()), shard, policy, times);
    let report = console.secrets().scrub(&report).unwrap_or(report);
    let mut code = report.run.exit_code;
    if seen.iter().any(Seen::differs) {
        code |= exit::DRIFT;
    }
    if !console.is_silent() {
        console.print(&print(&seen))?;
    }
    if !console.is_quiet() {
        if !report.run.complete {
            console.say(&report::render_unchecked(&report, &console.look()));
            name_unread(&report, &targets, console);
        } else if code == exit::CLEAN {
            console.say("no difference in what the spec states\n");
        }
    }
    Ok(if ran.has_defect { exit::INTERNAL } else { code })
}

/// What was seen of one target.
struct Seen {
    section: Section,
    /// The spec's file.
    spec: String,
    /// The differences of each table that differs.
    tables: Vec<String>,
}

impl Seen {
    fn new(target: &Target, spec: &Spec, result: Result<(Catalog, Verdict), catalog::Error>) -> Self {
        let pairs = result.as_ref().ok().map(|(catalog, _)| {
            let pairs = compare::pair(spec, catalog).tables;
            let hunks = pairs.iter().map(|pair| canonical(pair, catalog.server.dialect).hunks());
            hunks.filter(|hunks| !hunks.is_empty()).collect()
        });
        let section = Section::new(Outcome { target, spec, result });
        // Where nothing can be concluded, no table differs.
        let tables = pairs.filter(|_| section.target.reason.is_none()).unwrap_or_default();
        Self {
            section,
            spec: spec.file.clone(),
            tables,
        }
    }

    fn differs(&self) -> bool {
        !self.tables.is_empty()
    }

    /// Returns the database's dialect and version.
    fn server(&self) -> String {
        let target = &self.section.target;
        let version = target.server_version.as_ref().map_or("", Text::raw);
        let dialect = target.dialect.map_or("", Dialect::as_str);
        format!("{dialect} {}", Terminal(version))
    }
}

/// Prints what differs; targets that differ in the same way share one text.
fn print(seen: &[Seen]) -> String {
    let mut groups: Vec<Vec<&Seen>> = Vec::new();
    let mut places = BTreeMap::new();
    for one in seen.iter().filter(|seen| seen.differs()) {
        let place = *places
            .entry((&one.spec, one.server(), &one.tables))
            .or_insert(groups.len());
        match groups.get_mut(place) {
            Some(group) => group.push(one),
            None => groups.push(vec![one]),
        }
    }
    let mut text = String::new();
    for group in groups {
        let names = report::name_some(group.iter().map(|seen| &seen.section.target.name));
        let header = format!(
            "--- {}\n+++ {names} ({})\n",
            Terminal(&group[0].spec),
            group[0].server()
        );
        for hunks in &group[0].tables {
            text.push_str(&paint(&header));
            text.push_str(&paint(hunks));
        }
    }
    text
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
