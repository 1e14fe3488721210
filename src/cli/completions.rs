//! `seadrift completions` and `seadrift man`: what shells and `man` know of the command line.

use std::path::{Path, PathBuf};

use clap::CommandFactory as _;
use clap_complete::Shell;

use super::args::Cli;
use super::console::Console;
use super::error::{CliError, ErrorKind};
use super::exit;

/// Print what a shell needs to complete commands and options
///
/// Bash: seadrift completions bash > ~/.local/share/bash-completion/completions/seadrift
#[derive(Debug, clap::Args)]
pub(super) struct CompletionsArgs {
    /// Shell to print it for
    #[arg(value_name = "SHELL", value_enum)]
    shell: Shell,
}

/// Print the manual page, or write the pages of all commands
#[derive(Debug, clap::Args)]
pub(super) struct ManArgs {
    /// Write one page per command into this directory
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

/// Runs `seadrift completions` and returns the exit code.
pub(super) fn completions(args: &CompletionsArgs, console: &Console) -> Result<u8, CliError> {
    console.print(&script(args.shell))?;
    Ok(exit::CLEAN)
}

/// Runs `seadrift man` and returns the exit code.
pub(super) fn man(args: &ManArgs, console: &Console) -> Result<u8, CliError> {
    match &args.dir {
        Some(dir) => write_pages(dir)?,
        None => console.print_with(|out| clap_mangen::Man::new(Cli::command()).render(&mut &mut *out))?,
    }
    Ok(exit::CLEAN)
}

fn script(shell: Shell) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "seadrift", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

fn write_pages(dir: &Path) -> Result<(), CliError> {
    std::fs::create_dir_all(dir)
        .and_then(|()| clap_mangen::generate_to(Cli::command(), dir))
        .map_err(|error| {
            let what = format!("the manual pages cannot be written to `{}`", dir.display());
            CliError::new(ErrorKind::Output, what).caused_by(&error)
        })
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum as _;

    use super::*;

    #[test]
    fn every_shell_learns_every_command_and_option() {
        for shell in Shell::value_variants() {
            let script = script(*shell);
            for words in ["migrate", "retention", "explain", "fail-on", "allow-incomplete"] {
                assert!(script.contains(words), "{shell}: {words}");
            }
        }
    }

    #[test]
    fn every_command_has_a_manual_page() {
        let dir = tempfile::tempdir().unwrap();
        write_pages(&dir.path().join("man1")).unwrap();
        for command in Cli::command().get_subcommands() {
            let page = dir.path().join(format!("man1/seadrift-{}.1", command.get_name()));
            let text = std::fs::read_to_string(&page).unwrap();
            assert!(
                text.contains(".SH OPTIONS") || text.contains(".SH SUBCOMMANDS"),
                "{}",
                page.display()
            );
        }
        let file = dir.path().join("file");
        std::fs::write(&file, "").unwrap();
        assert_eq!(write_pages(&file).unwrap_err().kind, ErrorKind::Output);
    }
}
