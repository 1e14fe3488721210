//! `seadrift doctor`: why a check can or cannot be made.

use serde::Serialize;

use super::console::Console;
use super::database::{DatabaseArgs, refuse};
use super::error::{CliError, ErrorKind};
use super::fleet::{PaceArgs, Trouble};
use super::{exit, style};
use crate::catalog::{self, Ask, HEARTBEATS};
use crate::config::{Scheme, Target};
use crate::doctor::{Examination, Ground, State, Step, examine, given_up, grants};
use crate::report::wrap;

/// Examine the way into a database: what stands before a check, what the role sees, and what to do
///
/// One line per step, from the host's name to the jobs that the role can see. It stops where the next step makes no
/// sense. Nothing is changed. The exit code is 4 where a check cannot be made, or not of everything.
#[derive(Debug, clap::Args)]
pub(super) struct DoctorArgs {
    /// How to print what is found
    #[arg(long, value_enum, default_value_t, help_heading = "Output")]
    format: DoctorFormat,
    /// Print the script that makes a role with no more rights than a check needs, instead
    #[arg(long, conflicts_with = "format")]
    grants: bool,
    /// The role's name in the script
    #[arg(long, value_name = "NAME", default_value = "seadrift_check", requires = "grants",
        value_parser = clap::builder::NonEmptyStringValueParser::new())]
    role: String,
    #[command(flatten)]
    database: DatabaseArgs,
    #[command(flatten)]
    pace: PaceArgs,
}

/// Values of `--format`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum DoctorFormat {
    /// A line per step, for people
    #[default]
    Text,
    /// The same as JSON, for programs
    Json,
}

/// What is printed as JSON.
#[derive(Serialize)]
struct Document {
    schema_version: &'static str,
    healthy: bool,
    targets: Vec<Examination>,
}

/// Runs the command and returns the exit code.
pub(super) fn run(args: &DoctorArgs, console: &Console) -> Result<u8, CliError> {
    if args.grants {
        let target = args.database.resolve(console)?;
        let script = super::run::block_on(script(&target, &args.role))??;
        if !console.is_silent() {
            console.print(&script)?;
        }
        return Ok(exit::CLEAN);
    }
    let targets = args.database.resolve_all(console)?;
    let run = args.pace.settle(&args.database.defaults(console)?);
    let ran = run.over(&targets, console, describe, |target: Target| async move {
        (examine(&target).await, Trouble::default())
    })?;
    let ends = ran.ends.into_iter().zip(&targets);
    let mut found: Vec<Examination> = ends
        .map(|(end, target)| end.unwrap_or_else(|error| given_up(target, error)))
        .collect();
    // Before lines are wrapped: a secret may hold a blank.
    for examination in &mut found {
        examination.rewrite(|text| console.secrets().mask_parts(text));
    }
    let healthy = found.iter().all(|examination| examination.healthy);
    if !console.is_silent() {
        let text = match args.format {
            DoctorFormat::Text => found.iter().map(|found| render(found, console)).collect(),
            DoctorFormat::Json => json(found)?,
        };
        console.print(&text)?;
    }
    Ok(match healthy {
        _ if ran.has_defect => exit::INTERNAL,
        true => exit::CLEAN,
        false => exit::INCOMPLETE,
    })
}

/// Says in a few words what came out.
fn describe(found: &Examination) -> String {
    match found.steps.iter().find(|step| step.state == State::Problem) {
        Some(step) => format!("problem ({})", step.step.as_str()),
        None => "ok".to_owned(),
    }
}

fn json(targets: Vec<Examination>) -> Result<String, CliError> {
    let document = Document {
        schema_version: "1.0",
        healthy: targets.iter().all(|examination| examination.healthy),
        targets,
    };
    let text = serde_json::to_string_pretty(&document);
    text.map(|text| text + "\n")
        .map_err(|error| CliError::new(ErrorKind::Internal, "the result cannot be written as JSON").caused_by(&error))
}

/// Writes an examination for a terminal. With `-q` only what is not in order.
fn render(found: &Examination, console: &Console) -> String {
    let width = console.width().min(80);
    let heading = style::heading();
    let mut text = format!(
        "{heading}{}{heading:#}: {}\n",
        found.target.terminal(),
        found.database.terminal()
    );
    for step in &found.steps {
        if !console.is_quiet() || step.state != State::Ok {
            text.push_str(&line(step, width));
        }
    }
    let problems = found.steps.iter().filter(|step| step.state == State::Problem).count();
    text.push_str(match problems {
        0 => "A check can be made of everything that it needs.\n",
        _ => "A check cannot be made, or not of everything: see the problem.\n",
    });
    text
}

fn line(step: &Step, width: usize) -> String {
    /// Where sentences begin: behind the state and the topic.
    const INDENT: usize = 24;
    let (word, style) = match step.state {
        State::Ok => ("ok", style::added()),
        State::Note => ("note", style::warning()),
        State::Problem => ("problem", style::error()),
    };
    let found = wrap(&step.found.terminal().to_string(), width, INDENT, INDENT);
    let mut line = format!("  {style}{word:<8}{style:#} {:<13}{found}\n", step.step.as_str());
    if let Some(help) = &step.help {
        let help = wrap(&format!("-> {}", help.terminal()), width, INDENT, INDENT + 3);
        line.push_str(&format!("{:INDENT$}{help}\n", ""));
    }
    line
}

/// Writes the script for the server at hand.
async fn script(target: &Target, role: &str) -> Result<String, CliError> {
    let url = target.place.open().await.map_err(|error| refuse(target, error))?;
    let survey = catalog::survey(&url, target.namespace.as_deref(), target.limits).await;
    let survey = survey.map_err(|error| refuse(target, error))?;
    let ask = Ask {
        namespace: target.namespace.clone(),
        tables: Vec::new(),
        limits: target.limits,
    };
    let catalog = catalog::fetch(&url, &ask)
        .await
        .map_err(|error| refuse(target, error))?;
    let server = &catalog.server;
    let file = url.to_string();
    let name = match url.scheme() {
        Scheme::Sqlite => file.trim_start_matches("sqlite:").trim_start_matches("//"),
        _ => &server.database,
    };
    let ground = Ground {
        dialect: server.dialect,
        database: name,
        namespace: catalog.namespace.name.as_deref().unwrap_or_default(),
        has_cron: survey.has_cron,
        heartbeats: survey.has_heartbeats.then_some(HEARTBEATS),
    };
    grants(&ground, role).ok_or_else(|| {
        CliError::input("a name holds a character that does not show, so no script is printed")
            .hint("write the script by hand; README.md tells which rights are needed")
    })
}
