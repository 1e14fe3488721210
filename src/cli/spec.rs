//! `seadrift spec`: validates specs and prints their JSON Schema.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::retention::danger;
use crate::spec::{Spec, json_schema, load_paths, render_problems};
use crate::text::Terminal;

/// Everything is valid.
const VALID: u8 = 0;

/// Everything is valid, and the numbers of a retention are not safe.
const UNSAFE: u8 = 1;

/// A spec is not.
const INVALID: u8 = 2;

/// The output could not be written.
const INTERNAL: u8 = 70;

/// Lines of a file are cut to this many columns.
const WIDTH: usize = 100;

/// Arguments of `seadrift spec`.
#[derive(Debug, Args)]
pub(super) struct SpecArgs {
    #[command(subcommand)]
    command: SpecCommand,
}

#[derive(Debug, Subcommand)]
enum SpecCommand {
    /// Validate spec files: print every problem with its line, or that there is none
    Lint(LintArgs),
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
pub(super) fn run(args: SpecArgs) -> u8 {
    let stdout = io::stdout();
    let color = anstream::AutoStream::choice(&stdout) != anstream::ColorChoice::Never;
    let mut out = stdout.lock();
    let written = match args.command {
        SpecCommand::Lint(args) => lint(&args.files, color, &mut out),
        SpecCommand::Schema => write_schema(&mut out).map(|()| VALID),
    };
    match written {
        Ok(code) => code,
        // The reader has seen enough; that says nothing about the specs, and nobody is left to tell.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => VALID,
        Err(_) => INTERNAL,
    }
}

fn write_schema(out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{:#}", json_schema())
}

fn lint(files: &[PathBuf], color: bool, out: &mut impl Write) -> io::Result<u8> {
    match load_paths(files) {
        Ok(specs) => {
            for spec in &specs {
                writeln!(out, "{}", line(spec))?;
            }
            writeln!(out, "{} valid", are(specs.len(), "spec"))?;
            lint_numbers(&specs, out)
        }
        Err(problems) => {
            out.write_all(render_problems(&problems, color, WIDTH).as_bytes())?;
            let files: BTreeSet<&str> = problems.iter().map(|problem| problem.file.as_str()).collect();
            let (problems, files) = (count(problems.len(), "problem"), count(files.len(), "file"));
            writeln!(out, "{problems} in {files}")?;
            Ok(INVALID)
        }
    }
}

/// Judges the numbers of each retention, which need no database. Open ones are said and do not fail.
fn lint_numbers(specs: &[Spec], out: &mut impl Write) -> io::Result<u8> {
    let mut code = VALID;
    for spec in specs {
        for danger in spec.tables.iter().filter_map(danger) {
            let how = if danger.confirmed {
                code = UNSAFE;
                danger.severity.as_str()
            } else {
                "unconfirmed"
            };
            writeln!(
                out,
                "{how}: {}:{}:{}: retention-unsafe: {}\n  {}",
                Terminal(&spec.file),
                danger.at.line,
                danger.at.column,
                Terminal(&danger.message),
                Terminal(&danger.help)
            )?;
        }
    }
    Ok(code)
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
        let mut out = Vec::new();
        let code = lint(&[dir.path().to_owned()], false, &mut out).unwrap();
        let root = format!("{}/", dir.path().display());
        (code, String::from_utf8(out).unwrap().replace(&root, ""))
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
