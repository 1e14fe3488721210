//! From arguments to an exit code.

use std::ffi::OsString;
use std::io::Write as _;
use std::process::ExitCode;

use anstream::AutoStream;
use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory as _, FromArgMatches as _};

use super::args::{Cli, Command};
use super::console::{Console, Typed};
use super::error::{CliError, ErrorKind};
use super::{
    baseline, check, completions, config, demo, diff, doctor, exit, explain, migrate, render, retention, rules,
};
use super::{spec, verify, waiver};
use crate::services::Service;

/// Runs the program with the given arguments, the program's own name first.
///
/// `services` are the ones whose migrations and specs the program ships: [`crate::services::shipped`], or an
/// organisation's own.
pub fn run(args: impl IntoIterator<Item = OsString>, services: &[Service]) -> ExitCode {
    exit::end_on_panic();
    let args: Vec<OsString> = args.into_iter().collect();
    let parsed = Cli::command()
        .try_get_matches_from(&args)
        .and_then(|matches| Ok((Cli::from_arg_matches(&matches)?, Typed::of(&matches))));
    let (cli, typed) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => return ExitCode::from(answer(&error, &args)),
    };
    let console = Console::new(&cli.screen, typed);
    let code = dispatch(cli.command, services, &console).unwrap_or_else(|error| {
        console.complain(&error);
        error.kind.code()
    });
    ExitCode::from(code)
}

fn dispatch(command: Command, services: &[Service], console: &Console) -> Result<u8, CliError> {
    match command {
        Command::Demo(args) => demo::run(&args, services, console),
        Command::Check(args) => check::run(&args, console),
        Command::Diff(args) => diff::run(&args, console),
        Command::Doctor(args) => doctor::run(&args, console),
        Command::Render(args) => render::render(&args, console),
        Command::Merge(args) => render::merge(&args, console),
        Command::Explain(args) => explain::run(&args, console),
        Command::Rules(args) => rules::run(&args, console),
        Command::Migrate(args) => migrate::run(&args, services, console),
        Command::Retention(args) => retention::run(&args, console),
        Command::Spec(args) => spec::run(&args, console),
        Command::Config(args) => config::run(&args, console),
        Command::Waiver(args) => waiver::run(&args, console),
        Command::Baseline(args) => baseline::run(&args, console),
        Command::Verify(args) => verify::run(&args, services, console),
        Command::Completions(args) => completions::completions(&args, console),
        Command::Man(args) => completions::man(&args, console),
    }
}

/// Runs one future to its end on this thread.
pub(super) fn block_on<T>(future: impl Future<Output = T>) -> Result<T, CliError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| {
            CliError::new(ErrorKind::Internal, "the asynchronous runtime cannot be started").caused_by(&error)
        })?;
    let result = runtime.block_on(future);
    // A driver's thread that hangs in a system call must not keep the process alive.
    runtime.shutdown_background();
    Ok(result)
}

impl Typed {
    /// Looks at the options of whatever command.
    fn of(matches: &ArgMatches) -> Self {
        let is_typed = |id: &str| {
            matches.try_contains_id(id).unwrap_or(false) && matches.value_source(id) == Some(ValueSource::CommandLine)
        };
        let inner = matches
            .subcommand()
            .map(|(_, inner)| Self::of(inner))
            .unwrap_or_default();
        let database = inner.database || is_typed("url");
        Self {
            database,
            any: inner.any || database || is_typed("scheduler_url"),
        }
    }
}

/// Prints help, the version, or what is wrong with the arguments.
///
/// The parser repeats an argument that it does not expect, which may be a URL with a password.
fn answer(error: &clap::Error, args: &[OsString]) -> u8 {
    let text = match error.kind() {
        // The parser does not say where; variables of the environment are read as arguments, too.
        clap::error::ErrorKind::InvalidUtf8 => CliError::input("an argument, or DATABASE_URL, is not valid UTF-8")
            .hint("set the terminal and the shell to UTF-8, and write the argument anew")
            .render(),
        _ => hide_urls(error.render().ansi().to_string(), args),
    };
    // The parser's own choice: standard output for help, standard error for mistakes.
    let written = if error.use_stderr() {
        AutoStream::auto(std::io::stderr()).write_all(text.as_bytes())
    } else {
        AutoStream::auto(std::io::stdout()).write_all(text.as_bytes())
    };
    match written {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => exit::USAGE,
        _ if error.use_stderr() => exit::USAGE,
        _ => exit::CLEAN,
    }
}

fn hide_urls(text: String, args: &[OsString]) -> String {
    let urls = args.iter().filter_map(|arg| {
        let arg = arg.to_string_lossy();
        let start = match arg.strip_prefix("--").and_then(|option| option.split_once('=')) {
            Some((_, value)) => arg.len() - value.len(),
            None => 0,
        };
        let value = &arg[start..];
        (value.contains("://") || value.to_lowercase().contains("password")).then(|| value.to_owned())
    });
    urls.fold(text, |text, url| text.replace(&url, "(URL)"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unexpected_url_is_not_repeated() {
        for args in [
            ["seadrift", "rules", "postgres://a:S3cr3t-canary@h/d"],
            ["seadrift", "check", "--ulr=postgres://a:S3cr3t-canary@h/d"],
            ["seadrift", "rules", "--format=postgres://a:S3cr3t-canary@h/d"],
            ["seadrift", "rules", "Host=h;Password=S3cr3t-canary"],
            ["seadrift", "postgres://a:S3cr3t-canary@h/d", "check"],
        ] {
            let args = args.map(OsString::from);
            let error = Cli::command().try_get_matches_from(&args).unwrap_err();
            let text = hide_urls(error.render().ansi().to_string(), &args);
            assert!(!text.contains("S3cr3t"), "{text}");
        }
    }

    #[test]
    fn only_a_typed_url_counts_as_typed() {
        let parse = |args: &[&str]| Typed::of(&Cli::command().get_matches_from(args)).any;
        assert!(parse(&["seadrift", "check", "--url", "sqlite:x"]));
        assert!(!parse(&["seadrift", "check"]));
        assert!(!parse(&["seadrift", "rules"]));
    }
}
