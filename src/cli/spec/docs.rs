//! `seadrift spec docs`: specs as pages for people.

use std::path::{Path, PathBuf};

use crate::cli::console::Console;
use crate::cli::error::CliError;
use crate::cli::exit;
use crate::cli::specs;
use crate::describe::describe;

/// Print specs as Markdown: tables with a diagram, the retention's arithmetic, and the open points
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct DocsArgs {
    /// Spec files, or directories of them [default: specs]
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// Runs the command and returns the exit code.
pub(super) fn run(args: &DocsArgs, console: &Console) -> Result<u8, CliError> {
    let usual = [PathBuf::from(specs::USUAL)];
    let files = match &args.files[..] {
        [] if Path::new(specs::USUAL).is_dir() => &usual[..],
        [] => return Err(CliError::input("no spec is given").hint("name spec files, or directories of them")),
        files => files,
    };
    let specs = specs::load_all(&files[0], files, console)?;
    let pages: Vec<String> = specs.iter().map(describe).collect();
    if !console.is_silent() {
        console.print(&pages.join("\n"))?;
    }
    Ok(exit::CLEAN)
}
