//! `seadrift waiver`: writes, lists and clears waivers.

use std::path::{Path, PathBuf};

use chrono::NaiveDate;
use serde::Serialize;

use super::console::Console;
use super::error::CliError;
use super::excuse::{DayArgs, WAIVERS, load_result, load_waivers, write_file};
use super::exit;
use crate::finding::Finding;
use crate::report::{Report, WaiverReport, WaiverState, describe_waiver};
use crate::spec::{At, Position, render_problems};
use crate::text::Terminal;
use crate::waivers::{self, EditError, Entry, Waiver, WaiverFile};

/// Write, list or clear waivers: exceptions with an owner, a reason and an end
///
/// A waiver excuses one observed value of one object. What it excuses stays in every report and does not count. When it
/// expires, the finding counts again.
#[derive(Debug, clap::Args)]
pub(super) struct WaiverArgs {
    #[command(subcommand)]
    command: WaiverCommand,
}

#[derive(Debug, clap::Subcommand)]
enum WaiverCommand {
    /// Add a waiver for one finding of a result
    Add(AddArgs),
    /// List the waivers and their states
    List(ListArgs),
    /// Take out the waivers that are stale by a result: their targets were fully checked, and nothing is as they say
    Prune(PruneArgs),
    /// Print the JSON Schema of files of waivers, for editors
    Schema,
}

#[derive(Debug, clap::Args)]
struct FileArgs {
    /// File of waivers
    #[arg(long = "waivers", value_name = "FILE", default_value = WAIVERS)]
    file: PathBuf,
    #[command(flatten)]
    day: DayArgs,
}

#[derive(Debug, clap::Args)]
struct AddArgs {
    /// Result of a run, as `check --format json` wrote it
    #[arg(value_name = "RESULT")]
    result: PathBuf,
    /// Fingerprint of the finding, or its beginning
    #[arg(long, value_name = "FINGERPRINT")]
    finding: String,
    /// Who answers for the exception
    #[arg(long)]
    owner: String,
    /// Why the drift may stay for now, in a sentence
    #[arg(long)]
    reason: String,
    /// Last day on which the waiver holds, in UTC
    #[arg(long, value_name = "YYYY-MM-DD")]
    expires: String,
    /// Where the repair is planned
    #[arg(long)]
    ticket: Option<String>,
    /// Name of the waiver [default: made from the finding]
    #[arg(long)]
    id: Option<String>,
    #[command(flatten)]
    file: FileArgs,
}

#[derive(Debug, clap::Args)]
struct ListArgs {
    /// Result of a run, which tells what is stale; without it, dates alone decide
    #[arg(value_name = "RESULT")]
    result: Option<PathBuf>,
    /// Only waivers in this state: active, expiring, expired, stale, invalid. Can be repeated
    #[arg(long, value_name = "STATE", value_enum, hide_possible_values = true)]
    state: Vec<WaiverState>,
    /// How to print the list
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    file: FileArgs,
}

#[derive(Debug, clap::Args)]
struct PruneArgs {
    /// Result of a run, as `check --format json` wrote it
    #[arg(value_name = "RESULT")]
    result: PathBuf,
    /// Say what would be taken out, and leave the file alone
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    file: FileArgs,
}

/// Values of `--format`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    #[default]
    Text,
    Json,
}

impl clap::ValueEnum for WaiverState {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        Some(clap::builder::PossibleValue::new(self.as_str()))
    }
}

/// Runs the command and returns the exit code.
pub(super) fn run(args: &WaiverArgs, console: &Console) -> Result<u8, CliError> {
    match &args.command {
        WaiverCommand::Add(args) => add(args, console),
        WaiverCommand::List(args) => list(args, console),
        WaiverCommand::Prune(args) => prune(args, console),
        WaiverCommand::Schema => {
            console.print(&format!("{:#}\n", waivers::json_schema()))?;
            Ok(exit::CLEAN)
        }
    }
}

fn add(args: &AddArgs, console: &Console) -> Result<u8, CliError> {
    let path = &args.file.file;
    let report = load_result(&args.result)?;
    let finding = find(&report, &args.finding)?;
    let file = match path.exists() {
        true => Some(load_waivers(path, console)?),
        false => None,
    };
    let today = args.file.day.day();
    let expires = NaiveDate::parse_from_str(&args.expires, "%Y-%m-%d").map_err(|_| {
        CliError::input(format!("--expires is not a date: `{}`", args.expires))
            .hint("write year, month and day: 2026-12-31")
    })?;
    if expires < today {
        return Err(CliError::input(format!(
            "--expires is over: {expires} is before {today}"
        )));
    }
    let id = args.id.clone().unwrap_or_else(|| name(finding, file.as_ref()));
    let waiver = Waiver {
        id: At::new(id, Position::default()),
        rule: finding.rule.clone(),
        target: finding.target.raw().to_owned(),
        object: finding.object.dotted().raw().to_owned(),
        found: finding.found.as_ref().map(|found| found.raw().to_owned()),
        owner: args.owner.clone(),
        reason: args.reason.clone(),
        ticket: args.ticket.clone(),
        expires,
    };
    let said = format!(
        "added {} to {}: excuses {} of {} until {expires}\n",
        Terminal(&waiver.id.value),
        Terminal(&path.to_string_lossy()),
        finding.rule,
        finding.object.dotted().terminal(),
    );
    let entry = Entry { waiver, created: today };
    let text = waivers::add(file.as_ref(), &path.to_string_lossy(), &entry).map_err(|error| refuse(error, console))?;
    write_file(path, &text, console)?;
    console.say(&said);
    Ok(exit::CLEAN)
}

/// Finds the one finding that a fingerprint, or its beginning, belongs to.
fn find<'a>(report: &'a Report, fingerprint: &str) -> Result<&'a Finding, CliError> {
    let begins = |finding: &&Finding| !fingerprint.is_empty() && finding.fingerprint.starts_with(fingerprint);
    let found: Vec<&Finding> = report.findings.iter().filter(begins).collect();
    let Some(first) = found.first() else {
        return Err(CliError::input(format!("the result holds no finding `{fingerprint}`"))
            .hint("each finding of the result has its `fingerprint`"));
    };
    // Findings of one place with one value are one to a waiver.
    let same = |finding: &&&Finding| {
        finding.fingerprint == first.fingerprint && finding.target == first.target && finding.found == first.found
    };
    if found.iter().filter(same).count() != found.len() {
        return Err(
            CliError::input(format!("`{fingerprint}` belongs to {} findings", found.len()))
                .hint("write the whole fingerprint; where that is not enough, write the entry into the file by hand"),
        );
    }
    if let Some(waiver) = &first.waiver {
        return Err(CliError::input(format!(
            "the finding is excused already, by {}",
            waiver.id.terminal()
        )));
    }
    Ok(first)
}

/// Makes a name that the file does not have.
fn name(finding: &Finding, file: Option<&WaiverFile>) -> String {
    let taken = |name: &str| file.is_some_and(|file| file.waivers.iter().any(|waiver| waiver.id.value == name));
    let short: String = finding.fingerprint.chars().take(8).collect();
    let base = format!("{}-{short}", finding.rule);
    let numbered = (2..).map(|number| format!("{base}-{number}"));
    std::iter::once(base.clone())
        .chain(numbered)
        .find(|name| !taken(name))
        .unwrap_or(base)
}

fn refuse(error: EditError, console: &Console) -> CliError {
    match error {
        EditError::Brackets => CliError::input("the waivers are written between brackets, so lines cannot be edited")
            .hint("write each waiver on lines of its own that begin with `- id:`"),
        EditError::Invalid(problems) => CliError {
            context: render_problems(&problems, true, console.width()),
            ..CliError::input("the file of waivers would not be valid; nothing was written")
        },
    }
}

/// Returns the state of each waiver: by a result, or else by its dates.
fn states(file: &WaiverFile, result: Option<&Path>, today: NaiveDate) -> Result<Vec<WaiverReport>, CliError> {
    let Some(path) = result else {
        return Ok(waivers::by_date(file, today));
    };
    let mut report = load_result(path)?;
    report.waivers.clear();
    for finding in &mut report.findings {
        finding.waiver = None;
    }
    waivers::apply(&mut report, file, today);
    Ok(report.waivers)
}

fn list(args: &ListArgs, console: &Console) -> Result<u8, CliError> {
    let file = load_waivers(&args.file.file, console)?;
    let mut states = states(&file, args.result.as_deref(), args.file.day.day())?;
    states.retain(|waiver| args.state.is_empty() || args.state.contains(&waiver.state));
    match args.format {
        Format::Text => {
            let lines: String = states.iter().map(|waiver| line(waiver, console.width())).collect();
            let none = "no waiver\n".to_owned();
            console.print(if lines.is_empty() { &none } else { &lines })?;
        }
        Format::Json => {
            /// What is printed.
            #[derive(Serialize)]
            struct List {
                waivers: Vec<WaiverReport>,
            }
            let json = crate::report::render_json(&List { waivers: states }).map_err(|error| {
                CliError::new(super::error::ErrorKind::Internal, "the list cannot be put into JSON").caused_by(&error)
            })?;
            console.print(&json)?;
        }
    }
    Ok(exit::CLEAN)
}

fn line(waiver: &WaiverReport, width: usize) -> String {
    let text = format!("{}; {}", describe_waiver(waiver), waiver.waiver.reason.terminal());
    format!("- {}\n", crate::report::wrap(&text, width, 2, 2))
}

fn prune(args: &PruneArgs, console: &Console) -> Result<u8, CliError> {
    let path = &args.file.file;
    let file = load_waivers(path, console)?;
    let states = states(&file, Some(&args.result), args.file.day.day())?;
    let stale: Vec<&WaiverReport> = states.iter().filter(|w| w.state == WaiverState::Stale).collect();
    let lines: String = stale.iter().map(|waiver| line(waiver, console.width())).collect();
    if stale.is_empty() {
        console.say("no waiver is stale; the file is as it was\n");
        return Ok(exit::CLEAN);
    }
    if args.dry_run {
        console.say("these would be taken out:\n");
    } else {
        let ids: Vec<&str> = stale.iter().map(|waiver| waiver.waiver.id.raw()).collect();
        let text = waivers::prune(&file, &ids).map_err(|error| refuse(error, console))?;
        write_file(path, &text, console)?;
        console.say("taken out:\n");
    }
    console.print(&lines)?;
    Ok(exit::CLEAN)
}
