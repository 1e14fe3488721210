//! `seadrift migrate`: progress on standard error, results on standard output.

use std::time::Duration;

use super::check::look_at;
use super::console::Console;
use super::error::{CliError, ErrorKind};
use crate::catalog::{Further, Limits};
use crate::config::parse_limit;
use crate::config::{DatabaseUrl, Target};
use crate::finding::Severity;
use crate::migrate::{self, Adoption, Event, Existing, MigrateError, Options, State, Status};
use crate::report::{self, Look, Outcome, Policy, Times};
use crate::services::{self, Service};
use crate::spec;
use crate::text::{Terminal, near_names};

/// Migrate a service's ledger, or show what was migrated
#[derive(Clone, Debug, clap::Args)]
pub(super) struct MigrateArgs {
    #[command(subcommand)]
    command: Command,
}

#[derive(Clone, Debug, clap::Subcommand)]
enum Command {
    /// Show which migrations were applied; never writes
    Status(TargetArgs),
    /// Apply the pending migrations; safe beside another run, adopts existing tables that match the spec
    Up(TargetArgs),
    /// Roll back the newest migrations; drops their tables, with all rows
    Down(DownArgs),
}

#[derive(Clone, Debug, clap::Args)]
struct TargetArgs {
    /// Service whose migrations to use; `retention` for the table in which trimming runs leave their evidence
    #[arg(long, value_name = "NAME")]
    service: String,
    /// Database: postgres://, mysql://, mariadb:// or sqlite:FILE
    #[arg(long, env = "DATABASE_URL", hide_env_values = true, value_name = "URL")]
    url: Option<String>,
    /// PostgreSQL schema to work in [default: the first of the role's search_path]
    #[arg(long, value_name = "NAMESPACE")]
    schema: Option<String>,
    /// How long to wait for another run and for locks on tables
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = parse_limit)]
    lock_timeout: Duration,
    /// How long connecting and logging in may take
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = parse_limit)]
    connect_timeout: Duration,
}

#[derive(Clone, Debug, clap::Args)]
struct DownArgs {
    #[command(flatten)]
    target: TargetArgs,
    /// Confirm that the rows may be lost
    #[arg(long)]
    yes: bool,
    /// How many migrations to roll back
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    steps: u32,
}

/// Runs the command and returns the exit code.
pub(super) fn run(args: &MigrateArgs, services: &[Service], console: &Console) -> Result<u8, CliError> {
    let (Command::Status(target) | Command::Up(target) | Command::Down(DownArgs { target, .. })) = &args.command;
    let retention = services::retention();
    let service = resolve_service(&target.service, services.iter().chain([&retention]))?;
    if let Command::Down(DownArgs { yes: false, .. }) = &args.command {
        return Err(CliError::input(format!(
            "rolling back `{}` drops its tables with all rows; a consumer would then process old events again",
            service.name()
        ))
        .hint("add --yes if that is what you want"));
    }
    let Some(url) = &target.url else {
        return Err(CliError::input("no database is given").hint("set DATABASE_URL, or name one with --url"));
    };
    let url = console.url(url)?;
    let options = Options {
        namespace: target.schema.clone(),
        lock_timeout: target.lock_timeout,
        connect_timeout: target.connect_timeout,
    };
    let ended = super::run::block_on(migrate_with(&args.command, service, &url, &options, console))?;
    ended.map_err(|error| match error.kind {
        ErrorKind::Database => error.about(&url),
        _ => error,
    })
}

async fn migrate_with(
    command: &Command,
    service: &Service,
    url: &DatabaseUrl,
    options: &Options,
    console: &Console,
) -> Result<u8, CliError> {
    let mut events = |event: Event| {
        if !console.is_quiet() {
            console.say(&print_event(&event));
        }
    };
    let said = match command {
        Command::Status(_) => {
            let status = migrate::status(service, url, options).await?;
            render_status(service, &status)
        }
        Command::Up(_) => {
            let compare = async |existing: Existing<'_>| compare(&existing, options, console).await;
            let run = migrate::up(service, url, options, compare, &mut events).await;
            if let Err(MigrateError::Drift { report }) = &run {
                console.print(report)?;
            }
            render_applied(service, &run?)
        }
        Command::Down(DownArgs { steps, .. }) => {
            let names = migrate::down(service, url, options, Some(*steps), &mut events).await?;
            format!("{}: {}\n", service.name(), render_count(names.len(), "rolled back"))
        }
    };
    console.print(&said)?;
    Ok(super::exit::CLEAN)
}

/// Judges tables that exist without a history. They are taken over only if nothing at all speaks against them: a
/// warning is no drift for a service that runs, but it is for a migration that claims to have made the table.
async fn compare(existing: &Existing<'_>, options: &Options, console: &Console) -> Adoption {
    let service = existing.service;
    let Some(Ok(spec)) = service
        .spec_text()
        .map(|text| spec::parse(&format!("{}.yaml", service.name()), text))
    else {
        return Adoption::Unknown("the service has no valid spec to compare them with".into());
    };
    let target = Target {
        namespace: existing.namespace.map(str::to_owned),
        limits: Limits {
            connect: options.connect_timeout,
            ..Limits::default()
        },
        ..Target::new(service.name(), existing.url.clone())
    };
    let started_at = super::check::now();
    let result = look_at(&target, &spec, Further::default()).await;
    let outcome = Outcome {
        target: &target,
        spec: &spec,
        result,
    };
    let policy = Policy {
        fail_on: Some(Severity::Warning),
        allow_incomplete: false,
    };
    let times = Times {
        finished_at: super::check::now(),
        started_at,
    };
    let report = report::build(vec![outcome], policy, times);
    if report.run.exit_code == super::exit::CLEAN {
        return Adoption::Clean;
    }
    if report.drift() > 0 {
        let look = Look {
            quiet: true,
            ..console.look()
        };
        return Adoption::Drift(report::render_text(&report, &look));
    }
    let unseen = report.targets.iter().flat_map(|t| &t.unverified).find(|u| u.required);
    let reason = report
        .targets
        .iter()
        .find_map(|t| t.reason.clone())
        .or(unseen.map(|u| u.reason.clone()));
    Adoption::Unknown(reason.unwrap_or_else(|| "not every fact could be seen".into()))
}

/// Finds a service by its name.
pub(super) fn resolve_service<'a>(
    name: &str,
    services: impl Iterator<Item = &'a Service> + Clone,
) -> Result<&'a Service, CliError> {
    services.clone().find(|service| service.name() == name).ok_or_else(|| {
        let known: Vec<&str> = services.map(Service::name).collect();
        CliError::input(format!("there is no service `{}`", Terminal(name)))
            .did_you_mean(&near_names(name, known.iter().copied()))
            .hint(format!("use one of: {}", known.join(", ")))
    })
}

impl From<MigrateError> for CliError {
    fn from(error: MigrateError) -> Self {
        let kind = match error.exit_code() {
            super::exit::DRIFT => ErrorKind::Drift,
            super::exit::USAGE => ErrorKind::Input,
            _ => ErrorKind::Database,
        };
        let said = Self::new(kind, error.to_string());
        let said = match std::error::Error::source(&error) {
            Some(source) => said.caused_by(source),
            None => said,
        };
        said.hint(error.help())
    }
}

fn print_event(event: &Event) -> String {
    let said = match event {
        Event::Waiting { at_most } => format!("waiting for another migration run, at most {} s", at_most.as_secs()),
        Event::Comparing { tables } => {
            let tables: Vec<String> = tables.iter().map(|table| Terminal(table).to_string()).collect();
            format!("comparing existing tables with the spec: {}", tables.join(", "))
        }
        Event::Adopted(name) => format!("adopted {name}"),
        Event::Applying(name) => format!("applying {name}"),
        Event::RollingBack(name) => format!("rolling back {name}"),
    };
    said + "\n"
}

fn render_status(service: &Service, status: &Status) -> String {
    let mut lines = vec![format!(
        "{}: history {}{}{}",
        service.name(),
        status.history_table,
        status
            .namespace
            .as_ref()
            .map_or_else(String::new, |name| format!(" in schema {}", name.terminal())),
        if status.has_history { "" } else { " (absent)" },
    )];
    for migration in &status.migrations {
        lines.push(match migration.state {
            State::Applied(Some(time)) => {
                format!("  applied  {}  {}", time.format("%Y-%m-%dT%H:%M:%SZ"), migration.name)
            }
            State::Applied(None) => format!("  applied  at an unknown time   {}", migration.name),
            State::Pending => format!("  pending  {:20}  {}", "", migration.name),
        });
    }
    for version in &status.unknown {
        lines.push(format!("  unknown  {:20}  {}", "", version.terminal()));
    }
    for table in &status.unmanaged {
        lines.push(format!(
            "  the table {} exists without a history; `up` compares before it adopts",
            table.terminal()
        ));
    }
    lines.join("\n") + "\n"
}

fn render_applied(service: &Service, run: &migrate::Applied) -> String {
    let what = match (run.adopted.len(), run.applied.len()) {
        (0, 0) => "nothing to do".to_owned(),
        (0, applied) => render_count(applied, "applied"),
        (adopted, _) => render_count(adopted, "adopted"),
    };
    format!("{}: {what}\n", service.name())
}

fn render_count(count: usize, done: &str) -> String {
    match count {
        0 => "nothing to do".to_owned(),
        1 => format!("1 migration {done}"),
        n => format!("{n} migrations {done}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::migrate::MigrationState;

    #[test]
    fn a_status_shows_what_was_applied_and_what_was_not() {
        let time = chrono::DateTime::from_timestamp(1_785_000_000, 0);
        let state = |name: &str, state| MigrationState {
            name: name.to_owned(),
            state,
        };
        let status = Status {
            namespace: Some("audit".into()),
            history_table: "seaql_migrations_asset".to_owned(),
            has_history: true,
            migrations: vec![state("m1", State::Applied(time)), state("m2", State::Pending)],
            unknown: vec!["m\u{1b}3".into()],
            unmanaged: Vec::new(),
        };
        assert_eq!(
            render_status(&services::shipped()[0], &status),
            "asset: history seaql_migrations_asset in schema audit\n\
             \x20 applied  2026-07-25T17:20:00Z  m1\n\
             \x20 pending                        m2\n\
             \x20 unknown                        m\\u{1b}3\n"
        );
    }
}
