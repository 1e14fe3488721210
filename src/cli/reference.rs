//! The documents that are made from the program itself: `docs/cli.md` and `docs/rules.md`.
//!
//! `UPDATE_EXPECT=1 cargo test --lib reference` rewrites them.

use std::path::Path;

use clap::{Command, CommandFactory as _};

use super::args::Cli;
use crate::rules::RULES;

/// Compares a document with what it must be, or rewrites it.
#[expect(clippy::disallowed_methods, reason = "the environment says what to rewrite")]
fn keep(name: &str, wanted: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, wanted).unwrap();
        return;
    }
    let there = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    snapbox::assert_data_eq!(wanted, snapbox::Data::text(there).raw());
}

/// Adds the help of a command and of those below it.
fn describe(command: &mut Command, level: usize, text: &mut String) {
    let name = command.get_bin_name().unwrap_or_else(|| command.get_name()).to_owned();
    let help = command.render_long_help().to_string();
    let help: Vec<&str> = help.lines().map(str::trim_end).collect();
    let hashes = "#".repeat(level);
    text.push_str(&format!(
        "\n{hashes} {name}\n\n```text\n{}\n```\n",
        help.join("\n").trim_end()
    ));
    for inner in command.get_subcommands_mut() {
        describe(inner, 2, text);
    }
}

#[test]
fn the_page_of_the_command_line_is_true() {
    let mut command = Cli::command().term_width(100);
    command.build();
    let mut text =
        "# Commands\n\nWhat `--help` says of each command. A test holds this page to the program.\n".to_owned();
    describe(&mut command, 2, &mut text);
    keep("docs/cli.md", &text);
}

#[test]
fn the_page_of_the_rules_is_true() {
    keep("docs/rules.md", &super::rules::markdown(RULES));
}
