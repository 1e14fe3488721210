//! `seadrift config`: what the configuration file comes to.

use std::fmt::Write as _;

use super::console::Console;
use super::database::{ConfigFileArgs, explain};
use super::error::CliError;
use super::{exit, specs};
use crate::config::file::{self, Config, Entry};
use crate::config::{Choice, ChoiceError, Fact, Origin, Overrides, Settled, scalar};
use crate::text::Terminal;
use crate::yaml::Position;

/// Show what seadrift.yaml comes to, check it, or print its JSON Schema
#[derive(Debug, clap::Args)]
pub(super) struct ConfigArgs {
    #[command(subcommand)]
    command: ConfigCommand,
}

#[derive(Debug, clap::Subcommand)]
enum ConfigCommand {
    /// Print the targets with everything merged: file, defaults and environment; secrets are not read, nor shown
    Show(ShowArgs),
    /// Check the file and the specs that it needs, without connecting to anything
    Lint(LintArgs),
    /// Print the JSON Schema of the file, for editors
    Schema,
}

#[derive(Debug, clap::Args)]
struct ShowArgs {
    /// Targets by name or pattern [default: all of them]
    #[arg(value_name = "TARGET")]
    targets: Vec<String>,
    /// Print beside each value where it comes from
    #[arg(long)]
    origin: bool,
    #[command(flatten)]
    config: ConfigFileArgs,
}

#[derive(Debug, clap::Args)]
struct LintArgs {
    #[command(flatten)]
    config: ConfigFileArgs,
}

/// Runs the command and returns the exit code.
pub(super) fn run(args: &ConfigArgs, console: &Console) -> Result<u8, CliError> {
    let text = match &args.command {
        ConfigCommand::Show(args) => show(args, console)?,
        ConfigCommand::Lint(args) => lint(args, console)?,
        ConfigCommand::Schema => format!("{:#}\n", file::json_schema()),
    };
    if !console.is_silent() {
        console.print(&text)?;
    }
    Ok(exit::CLEAN)
}

fn lint(args: &LintArgs, console: &Console) -> Result<String, CliError> {
    let config = load(&args.config, console)?;
    settle(&config, &[], console)?;
    let shelf = specs::Shelf::load(config.specs().as_deref(), console)?;
    shelf.cover(&config, |_| true, console)?;
    let count = match config.targets.len() {
        1 => "1 target".to_owned(),
        n => format!("{n} targets"),
    };
    Ok(format!(
        "{}: {count}, valid\n",
        Terminal(&config.path().to_string_lossy())
    ))
}

fn load(args: &ConfigFileArgs, console: &Console) -> Result<std::sync::Arc<Config>, CliError> {
    args.load(console)?.ok_or_else(|| {
        CliError::input("there is no configuration file").hint("write a seadrift.yaml, or name one by --config")
    })
}

fn settle<'c>(config: &'c Config, names: &[String], console: &Console) -> Result<Vec<(&'c Entry, Settled)>, CliError> {
    let choice = Choice {
        names,
        ..Choice::default()
    };
    let entries = match config.entries(choice) {
        Err(ChoiceError::Nothing(_)) if names.is_empty() => Vec::new(),
        entries => entries.map_err(|error| explain(error, config, console))?,
    };
    let settled = config.settle_all(entries, &Overrides::default(), console.environment(), console.secrets());
    settled.map_err(|error| explain(error, config, console))
}

fn show(args: &ShowArgs, console: &Console) -> Result<String, CliError> {
    let config = load(&args.config, console)?;
    let settled = settle(&config, &args.targets, console)?;
    let mut page = Page {
        lines: Vec::new(),
        file: Terminal(&config.path().to_string_lossy()).to_string(),
    };
    page.line(0, "version: 1", None);
    match config.specs() {
        Some(path) => {
            let value = scalar(&path.to_string_lossy());
            let origin = config.specs.as_ref().map_or(Origin::Default, |at| written(at.at));
            page.line(0, &format!("specs: {value}"), Some(&origin));
        }
        None => page.line(0, "specs: specs", Some(&Origin::Default)),
    }
    page.defaults(&config);
    if !config.levels.is_empty() {
        page.line(0, "rules:", None);
        for (rule, level) in &config.levels {
            let level = level.map_or("off", |severity| severity.as_str());
            page.line(1, &format!("{rule}: {level}"), None);
        }
    }
    if !settled.is_empty() {
        page.line(0, "targets:", None);
    }
    for (entry, settled) in &settled {
        page.line(
            1,
            &format!("{}:", scalar(&entry.name.value)),
            Some(&written(entry.at())),
        );
        if let Some(many) = &entry.many {
            let (key, value) = many.fact();
            page.line(2, &format!("{key}: {value}"), None);
        }
        page.facts(&settled.facts);
    }
    Ok(page.print(args.origin))
}

fn written(at: Position) -> Origin {
    Origin::File(at, Vec::new())
}

/// Lines of YAML, each with where its value comes from.
struct Page {
    lines: Vec<(String, String)>,
    file: String,
}

impl Page {
    fn line(&mut self, depth: usize, text: &str, origin: Option<&Origin>) {
        let origin = match origin {
            None => String::new(),
            Some(Origin::Default) => "default".to_owned(),
            Some(Origin::Option(option)) => (*option).to_owned(),
            Some(Origin::File(at, variables)) => {
                let mut place = format!("{}:{}:{}", self.file, at.line, at.column);
                if !variables.is_empty() {
                    let _ = write!(place, ", ${}", variables.join(", $"));
                }
                place
            }
        };
        self.lines
            .push(("  ".repeat(depth) + &Terminal(text).to_string(), origin));
    }

    fn defaults(&mut self, config: &Config) {
        let defaults = &config.defaults;
        let (fail_on, origin) = match &defaults.fail_on {
            Some(at) => (at.value.map_or("never", |severity| severity.as_str()), written(at.at)),
            None => ("error", Origin::Default),
        };
        self.line(0, "defaults:", None);
        self.line(1, &format!("fail_on: {fail_on}"), Some(&origin));
        let (allow, origin) = match &defaults.allow_incomplete {
            Some(at) => (at.value, written(at.at)),
            None => (false, Origin::Default),
        };
        self.line(1, &format!("allow_incomplete: {allow}"), Some(&origin));
        for (key, count) in [("jobs", &defaults.jobs), ("jobs_per_server", &defaults.jobs_per_server)] {
            if let Some(at) = count {
                self.line(1, &format!("{key}: {}", at.value), Some(&written(at.at)));
            }
        }
    }

    /// Prints the values of a target; those of one level below stand together.
    fn facts(&mut self, facts: &[Fact]) {
        let mut above = "";
        for fact in facts {
            let (group, key) = fact.key.split_once('.').unwrap_or(("", &fact.key));
            if !group.is_empty() && group != above {
                self.line(2, &format!("{group}:"), None);
            }
            above = group;
            let depth = if group.is_empty() { 2 } else { 3 };
            self.line(depth, &format!("{}: {}", scalar(key), fact.value), Some(&fact.origin));
        }
    }

    fn print(&self, origin: bool) -> String {
        let widest = self
            .lines
            .iter()
            .map(|(text, _)| text.chars().count())
            .max()
            .unwrap_or_default();
        let mut printed = String::new();
        for (text, from) in &self.lines {
            match origin && !from.is_empty() {
                true => {
                    let gap = " ".repeat(widest.min(60).saturating_sub(text.chars().count()));
                    let _ = writeln!(printed, "{text}{gap}  # {from}");
                }
                false => {
                    let _ = writeln!(printed, "{text}");
                }
            }
        }
        printed
    }
}
