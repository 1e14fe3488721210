//! `seadrift spec pull`: a first spec of a database that is there.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::count;
use crate::catalog::{self, Ask, AskTable, Catalog, Found};
use crate::cli::console::Console;
use crate::cli::database::{DatabaseArgs, refuse};
use crate::cli::error::{CliError, ErrorKind};
use crate::cli::exit;
use crate::cli::output::Output;
use crate::cli::run::block_on;
use crate::config::{Target, glob};
use crate::draft::{Draft, draft};
use crate::text::{Terminal, near_names};

/// Draft a spec from a live database: what is there, for a reviewer to correct
///
/// Reads the catalog as a check does, and writes a spec that the database is clean against. What a database cannot tell,
/// such as how long rows must be kept, stays open or is a TODO in a comment; what is guessed by a name says so.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct PullArgs {
    /// Service that the spec is of
    #[arg(long, value_name = "NAME", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    service: String,
    /// Tables to take: names with * and ?, in their exact letter case. Can be repeated [default: all]
    #[arg(long = "table", value_name = "GLOB")]
    tables: Vec<String>,
    /// Write the spec to a new file instead of standard output
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
    /// Replace the file if it is there
    #[arg(long, requires = "output", help_heading = "Output")]
    force: bool,
    #[command(flatten)]
    database: DatabaseArgs,
}

/// Runs the command and returns the exit code.
pub(super) fn run(args: &PullArgs, console: &Console) -> Result<u8, CliError> {
    let target = args.database.resolve(console)?;
    if let Some(path) = args.output.as_ref().filter(|path| path.exists() && !args.force) {
        return Err(CliError::input(format!("`{}` is there already", path.display()))
            .hint("name another file, or replace it with --force"));
    }
    let output = Output::prepare(args.output.as_deref())?;
    if output.is_file() {
        output.make_public()?;
    }
    let catalog = block_on(read(&target, &args.tables))??;
    let draft = draft(&args.service, &catalog).map_err(|problems| {
        let reason = problems.first().map(ToString::to_string).unwrap_or_default();
        CliError::input(format!("the tables make no spec: {reason}")).hint("take fewer tables with --table")
    })?;
    if output.is_file() || !console.is_silent() {
        output.write(console, |out| out.write_all(draft.yaml.as_bytes()))?;
    }
    if !console.is_quiet() {
        console.say(&summary(&draft, &catalog));
    }
    let is_whole = unseen(&catalog).next().is_none();
    Ok(if is_whole { exit::CLEAN } else { exit::INCOMPLETE })
}

async fn read(target: &Target, globs: &[String]) -> Result<Catalog, CliError> {
    let url = target.place.open().await.map_err(|error| refuse(target, error))?;
    let survey = catalog::survey(&url, target.namespace.as_deref(), target.limits).await;
    let survey = survey.map_err(|error| refuse(target, error))?;
    if survey.tables.is_empty() {
        let reason = format!("no table can be seen (database {})", target.place);
        return Err(CliError::new(ErrorKind::Database, reason)
            .hint("check database and --schema, and what the role may see: `seadrift doctor` tells"));
    }
    let wanted = |name: &&String| globs.is_empty() || globs.iter().any(|glob| glob::matches(glob, name));
    let tables: Vec<AskTable> = survey
        .tables
        .iter()
        .filter(wanted)
        .map(|name| AskTable {
            name: name.clone(),
            indexes: Vec::new(),
        })
        .collect();
    if tables.is_empty() {
        let near = globs
            .iter()
            .flat_map(|glob| near_names(glob, survey.tables.iter().map(String::as_str)));
        return Err(CliError::input("no table has such a name").did_you_mean(&near.collect::<Vec<_>>()));
    }
    let ask = Ask {
        namespace: target.namespace.clone(),
        tables,
        limits: target.limits,
    };
    catalog::fetch(&url, &ask).await.map_err(|error| refuse(target, error))
}

/// Says what was drafted, what of it is open, and what no spec can say.
fn summary(draft: &Draft, catalog: &Catalog) -> String {
    let tables = &draft.spec.tables;
    let columns: usize = tables.iter().map(|table| table.columns.len()).sum();
    let mut text = format!(
        "drafted {} with {}\n",
        count(tables.len(), "table"),
        count(columns, "column")
    );
    for flaw in &draft.flaws {
        text.push_str(&format!(
            "note: a check will report {}: {}\n",
            flaw.rule,
            Terminal(flaw.message.raw())
        ));
    }
    for name in &draft.left_out {
        text.push_str(&format!(
            "note: `{}` is left out: no spec can ask for it\n",
            Terminal(name)
        ));
    }
    let mut told = BTreeSet::new();
    for reason in unseen(catalog).filter(|reason| told.insert(*reason)) {
        text.push_str(&format!("note: {}\n", Terminal(reason)));
    }
    text
}

/// Returns why something of a table could not be seen.
fn unseen(catalog: &Catalog) -> impl Iterator<Item = &str> {
    let hidden = catalog.sightings.iter().filter_map(|sighting| match &sighting.found {
        Found::Hidden { reason, .. } => Some(reason.as_str()),
        _ => None,
    });
    hidden.chain(catalog.unseen.iter().map(|unseen| unseen.reason.as_str()))
}
