//! `seadrift spec`: validates, drafts and documents specs, and prints their JSON Schema.

mod docs;
mod pull;

use std::collections::BTreeSet;
use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::cli::console::Console;
use crate::cli::error::CliError;
use crate::cli::exit;
use crate::retention::danger;
use crate::spec::{Spec, json_schema, load_paths, render_problems};
use crate::text::Terminal;

/// Validate, draft or document specs, or print their JSON Schema
#[derive(Debug, Args)]
pub(in crate::cli) struct SpecArgs {
    #[command(subcommand)]
    command: SpecCommand,
}

#[derive(Debug, Subcommand)]
enum SpecCommand {
    /// Validate spec files: print every problem with its line, or that there is none
    Lint(LintArgs),
    Pull(Box<pull::PullArgs>),
    Docs(docs::DocsArgs),
    /// Print the JSON Schema of spec files, for editors
    Schema,
}

#[derive(Debug, Args)]
struct LintArgs {
    /// Spec files, or directories of them
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// Runs `seadrift spec` and returns the exit code.
pub(in crate::cli) fn run(args: &SpecArgs, console: &Console) -> Result<u8, CliError> {
    let (code, text) = match &args.command {
        SpecCommand::Lint(args) => lint(&args.files, console.width()),
        SpecCommand::Pull(args) => return pull::run(args, console),
        SpecCommand::Docs(args) => return docs::run(args, console),
        SpecCommand::Schema => (exit::CLEAN, format!("{:#}\n", json_schema())),
    };
    if !console.is_silent() {
        console.print(&text)?;
    }
    Ok(code)
}

/// Returns the exit code, and what to print. Standard output takes the colours away where they are not wanted.
fn lint(files: &[PathBuf], width: usize) -> (u8, String) {
    match load_paths(files) {
        Ok(specs) => {
            let lines: String = specs.iter().map(|spec| line(spec) + "\n").collect();
            let (code, dangers) = lint_numbers(&specs);
            (code, format!("{lines}{} valid\n{dangers}", are(specs.len(), "spec")))
        }
        Err(problems) => {
            let rendered = render_problems(&problems, true, width);
            let files: BTreeSet<&str> = problems.iter().map(|problem| problem.file.as_str()).collect();
            let (problems, files) = (count(problems.len(), "problem"), count(files.len(), "file"));
            (exit::USAGE, format!("{rendered}{problems} in {files}\n"))
        }
    }
}

/// Judges the numbers of each retention, which need no database. Open ones are said and do not fail.
fn lint_numbers(specs: &[Spec]) -> (u8, String) {
    let mut code = exit::CLEAN;
    let mut text = String::new();
    for spec in specs {
        for danger in spec.tables.iter().filter_map(danger) {
            let how = if danger.confirmed {
                code = exit::DRIFT;
                danger.severity.as_str()
            } else {
                "unconfirmed"
            };
            text.push_str(&format!(
                "{how}: {}:{}:{}: retention-unsafe: {}\n  {}\n",
                Terminal(&spec.file),
                danger.at.line,
                danger.at.column,
                Terminal(&danger.message),
                Terminal(&danger.help)
            ));
        }
    }
    (code, text)
}

/// Says what a valid spec holds: `specs/asset.yaml: service asset, 1 table, 8 columns`.
fn line(spec: &Spec) -> String {
    let columns = spec.tables.iter().map(|table| table.columns.len()).sum();
    format!(
        "{}: service {}, {}, {}",
        Terminal(&spec.file),
        Terminal(&spec.service.value),
        count(spec.tables.len(), "table"),
        count(columns, "column")
    )
}

fn count(number: usize, thing: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {thing}{plural}")
}

fn are(number: usize, thing: &str) -> String {
    let verb = if number == 1 { "is" } else { "are" };
    format!("{} {verb}", count(number, thing))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lint_text(files: &[(&str, &str)]) -> (u8, String) {
        let dir = tempfile::tempdir().unwrap();
        for (name, text) in files {
            std::fs::write(dir.path().join(name), text).unwrap();
        }
        let (code, out) = lint(&[dir.path().to_owned()], 100);
        let root = format!("{}/", dir.path().display());
        (code, anstream::adapter::strip_str(&out).to_string().replace(&root, ""))
    }

    const GOOD: &str = "version: 1\nservice: a\ntables:\n  T:\n    columns:\n      C: { type: uuid }\n";

    #[test]
    fn valid_specs_are_one_line_each() {
        let other = GOOD.replace("service: a", "service: b");
        assert_eq!(
            lint_text(&[("b.yml", &other), ("a.yaml", GOOD), ("readme.md", "no spec")]),
            (
                0,
                "a.yaml: service a, 1 table, 1 column\nb.yml: service b, 1 table, 1 column\n2 specs are valid\n"
                    .to_owned()
            )
        );
    }

    #[test]
    fn numbers_that_are_not_safe_fail_unless_they_are_open() {
        let ledger = |horizon: &str, window: &str, more: &str| {
            format!(
                "version: 1\nservice: a\ntables:\n  T:\n    role: ledger\n    columns:\n      C: {{ type: uuid }}\n      \
                 At: {{ type: timestamptz }}\n    primary_key: [C]\n    indexes:\n      U: {{ columns: [C], unique: true }}\n    \
                 ledger: {{ event_id: C, staleness_window: {window}, clock_skew: 5m, future_dating: 5m }}\n    \
                 retention: {{ horizon: {horizon}, column: At{more} }}\n"
            )
        };
        for (horizon, window, more, code, words) in [
            ("14d", "168h", "", 0, ""),
            ("7d", "168h", "", 1, "error: a.yaml:13:27: retention-unsafe"),
            ("1d", "168h", "", 1, "critical: "),
            ("90d", "0s", "", 1, "guard is off"),
            ("1d", "168h", ", confirmed: false", 0, "unconfirmed: "),
        ] {
            let (found, out) = lint_text(&[("a.yaml", &ledger(horizon, window, more))]);
            assert_eq!(found, code, "{horizon} {window}: {out}");
            assert!(out.contains(words), "{words:?} is not in:\n{out}");
        }
    }

    #[test]
    fn every_problem_of_every_file_is_printed_and_the_code_is_2() {
        let wrong = GOOD.replace("uuid", "uid, nulable: no");
        let (code, out) = lint_text(&[("a.yaml", &wrong), ("b.yaml", ""), ("c.yaml", GOOD)]);
        assert_eq!(code, 2);
        for words in [
            "did you mean `uuid`?",
            "did you mean `nullable`?",
            "a.yaml:6:18",
            "b.yaml:1:1",
            "the file is empty",
            "3 problems in 2 files",
        ] {
            assert!(out.contains(words), "{words:?} is not in:\n{out}");
        }
    }
}
