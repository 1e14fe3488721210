//! `seadrift spec`: validates specs and prints their JSON Schema.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::spec::{Spec, json_schema, load_paths, render_problems};
use crate::text::Terminal;

/// Everything is valid.
const VALID: u8 = 0;

/// A spec is not.
const INVALID: u8 = 2;

/// The output could not be written.
const INTERNAL: u8 = 70;

/// Lines of a file are cut to this many columns.
const WIDTH: usize = 100;

/// Validate specs, or print their JSON Schema
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
            Ok(VALID)
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
