//! `seadrift verify`: do specs, entities and migrations of the shipped services agree?

use super::console::Console;
use super::error::{CliError, ErrorKind};
use super::run::block_on;
use crate::config::{DatabaseUrl, Target};
use crate::services::Service;
use crate::spec;
use crate::text::Terminal;
use crate::verify::{VerifyError, entities_with_spec, migrations_with_both};

/// Verify that specs, entities and migrations of the shipped services agree
///
/// Compares the entities with the specs, migrates each service into a scratch database, checks it against its spec
/// and its entities, and rolls the migrations back. The scratch database is a temporary SQLite file; --url names an
/// empty one on a server instead.
#[derive(Debug, clap::Args)]
pub(super) struct VerifyArgs {
    /// Verify this service alone
    #[arg(long, value_name = "NAME")]
    service: Option<String>,
    /// Empty scratch database to migrate into; a database that holds the service's tables is refused
    #[arg(long, value_name = "URL")]
    url: Option<String>,
}

/// Runs the command and returns the exit code.
pub(super) fn run(args: &VerifyArgs, services: &[Service], console: &Console) -> Result<u8, CliError> {
    let chosen: Vec<&Service> = match &args.service {
        Some(name) => vec![super::migrate::resolve_service(name, services.iter())?],
        None => services.iter().collect(),
    };
    let url = args.url.as_deref().map(DatabaseUrl::parse).transpose()?;
    if let Some(url) = &url {
        console.guard(url);
    }
    let mut agree = true;
    for service in chosen {
        let problems = verify(service, url.as_ref())?;
        agree &= problems.is_empty();
        console.print(&render(service, &problems))?;
    }
    let verdict = if agree {
        "specs, entities and migrations agree"
    } else {
        "specs, entities and migrations disagree"
    };
    console.print(&format!("{verdict}\n"))?;
    Ok(if agree { super::exit::CLEAN } else { super::exit::DRIFT })
}

fn render(service: &Service, problems: &[String]) -> String {
    let mut text = match problems.len() {
        0 => format!("{}: agrees\n", service.name()),
        1 => format!("{}: 1 disagreement\n", service.name()),
        n => format!("{}: {n} disagreements\n", service.name()),
    };
    for problem in problems {
        text.push_str(&format!("  - {}\n", Terminal(problem)));
    }
    text
}

fn verify(service: &Service, url: Option<&DatabaseUrl>) -> Result<Vec<String>, CliError> {
    let name = service.name();
    let Some(text) = service.spec_text() else {
        return Ok(vec!["the service ships no spec".to_owned()]);
    };
    let spec = match spec::parse(&format!("specs/{name}.yaml"), text) {
        Ok(spec) => spec,
        Err(problems) => {
            return Ok(problems
                .iter()
                .map(|p| format!("the spec is not valid: {}", p.message.raw()))
                .collect());
        }
    };
    let mut problems = entities_with_spec(service, &spec);
    let scratch = tempfile::tempdir()
        .map_err(|e| CliError::new(ErrorKind::Output, "no temporary directory can be made").caused_by(&e))?;
    let url = match url {
        Some(url) => url.clone(),
        None => DatabaseUrl::of_file(&scratch.path().join("scratch.db"))?,
    };
    let target = Target::new(name, url);
    problems.extend(block_on(migrations_with_both(service, &spec, &target))??);
    Ok(problems)
}

impl From<VerifyError> for CliError {
    fn from(error: VerifyError) -> Self {
        match error {
            VerifyError::Migrate(error) => error.into(),
            VerifyError::Catalog(error) => Self::new(ErrorKind::Database, error.reason.clone()).hint(error.help),
        }
    }
}
