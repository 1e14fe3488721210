//! `seadrift migrate`: progress on standard error, results on standard output.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "commands are where the program prints"
)]

use std::convert::Infallible;
use std::str::FromStr;
use std::time::Duration;

use secrecy::{ExposeSecret, SecretString};

use crate::config::{DatabaseUrl, UrlError};
use crate::migrate::{self, Adoption, Event, Existing, MigrateError, Options, State, Status};
use crate::services::Service;
use crate::text::Terminal;

/// Migrate a service's ledger, or show what was migrated.
#[derive(Clone, Debug, clap::Args)]
pub struct MigrateArgs {
    #[command(subcommand)]
    command: Command,
}

#[derive(Clone, Debug, clap::Subcommand)]
enum Command {
    /// Show which migrations were applied. Never writes.
    Status(TargetArgs),
    /// Apply the pending migrations. Safe beside another run; adopts existing tables that match the spec.
    Up(TargetArgs),
    /// Roll back the newest migrations. Drops their tables, with all rows.
    Down(DownArgs),
}

#[derive(Clone, Debug, clap::Args)]
struct TargetArgs {
    /// The service whose migrations to use.
    #[arg(long)]
    service: String,
    /// The database. Prefer the environment: arguments are visible to other users of the machine.
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    url: UrlArg,
    /// The PostgreSQL schema to work in [default: the first of the role's search_path].
    #[arg(long, value_name = "NAMESPACE")]
    schema: Option<String>,
    /// How long to wait for another run and for locks on tables.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    lock_timeout: u64,
}

#[derive(Clone, Debug, clap::Args)]
struct DownArgs {
    #[command(flatten)]
    target: TargetArgs,
    /// Confirm that the rows may be lost.
    #[arg(long)]
    yes: bool,
    /// How many migrations to roll back.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    steps: u32,
}

/// A URL as it was given. It is parsed later: the parser of arguments would print a URL that it refuses.
#[derive(Clone, Debug)]
struct UrlArg(SecretString);

impl FromStr for UrlArg {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self(text.into()))
    }
}

/// Why `seadrift migrate` failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no such service.
    #[error("there is no service `{}`", Terminal(.name))]
    UnknownService {
        /// The name that was given.
        name: String,
        /// The names that there are.
        known: Vec<&'static str>,
    },
    /// The URL cannot be used.
    #[error("{}", .0.reason)]
    Url(UrlError),
    /// Rolling back was not confirmed.
    #[error("rolling back `{service}` drops its tables with all rows; a consumer would then process old events again")]
    NotConfirmed {
        /// The service.
        service: &'static str,
    },
    /// The run failed.
    #[error(transparent)]
    Migrate(#[from] MigrateError),
}

impl Error {
    /// Returns what to do next.
    pub fn help(&self) -> String {
        match self {
            Self::UnknownService { known, .. } => format!("use one of: {}", known.join(", ")),
            Self::Url(error) => error.help.clone(),
            Self::NotConfirmed { .. } => "add --yes if that is what you want".to_owned(),
            Self::Migrate(error) => error.help().to_owned(),
        }
    }

    /// Returns the exit code.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::UnknownService { .. } | Self::Url(_) | Self::NotConfirmed { .. } => 2,
            Self::Migrate(error) => error.exit_code(),
        }
    }
}

/// Runs the command and returns the exit code.
///
/// `compare` judges tables that exist without a history; see [`migrate::up`].
///
/// # Errors
///
/// The arguments make no sense, or the run failed. A refused adoption prints its report first.
pub async fn run(
    args: MigrateArgs,
    services: &[Service],
    compare: impl AsyncFnOnce(Existing<'_>) -> Adoption,
) -> Result<u8, Error> {
    let (Command::Status(target) | Command::Up(target) | Command::Down(DownArgs { target, .. })) = &args.command;
    let service = resolve_service(&target.service, services)?;
    let url = DatabaseUrl::parse(target.url.0.expose_secret()).map_err(Error::Url)?;
    let options = Options {
        namespace: target.schema.clone(),
        lock_timeout: Duration::from_secs(target.lock_timeout),
        ..Options::default()
    };
    match &args.command {
        Command::Status(_) => {
            let status = migrate::status(service, &url, &options).await?;
            anstream::print!("{}", render_status(service, &status));
        }
        Command::Up(_) => {
            let run = migrate::up(service, &url, &options, compare, &mut print_event).await;
            if let Err(MigrateError::Drift { report }) = &run {
                anstream::println!("{}", report.trim_end());
            }
            anstream::println!("{}", render_applied(service, &run?));
        }
        Command::Down(DownArgs { yes: false, .. }) => {
            return Err(Error::NotConfirmed {
                service: service.name(),
            });
        }
        Command::Down(DownArgs { steps, .. }) => {
            let names = migrate::down(service, &url, &options, Some(*steps), &mut print_event).await?;
            anstream::println!("{}: {}", service.name(), render_count(names.len(), "rolled back"));
        }
    }
    Ok(0)
}

fn resolve_service<'a>(name: &str, services: &'a [Service]) -> Result<&'a Service, Error> {
    services
        .iter()
        .find(|service| service.name() == name)
        .ok_or_else(|| Error::UnknownService {
            name: name.to_owned(),
            known: services.iter().map(Service::name).collect(),
        })
}

fn print_event(event: Event) {
    match event {
        Event::Waiting { at_most } => {
            anstream::eprintln!("waiting for another migration run, at most {} s", at_most.as_secs());
        }
        Event::Comparing { tables } => {
            let tables: Vec<String> = tables.iter().map(|table| Terminal(table).to_string()).collect();
            anstream::eprintln!("comparing existing tables with the spec: {}", tables.join(", "));
        }
        Event::Adopted(name) => anstream::eprintln!("adopted {name}"),
        Event::Applying(name) => anstream::eprintln!("applying {name}"),
        Event::RollingBack(name) => anstream::eprintln!("rolling back {name}"),
    }
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
    format!("{}: {what}", service.name())
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
    use clap::Parser;

    use super::*;
    use crate::migrate::MigrationState;
    use crate::services;

    #[derive(Debug, Parser)]
    struct Program {
        #[command(flatten)]
        migrate: MigrateArgs,
    }

    async fn run_with(args: &[&str]) -> Result<u8, Error> {
        let args = std::iter::once(&"seadrift").chain(args);
        let program = Program::try_parse_from(args).unwrap();
        run(program.migrate, &services::shipped(), async |_| Adoption::Clean).await
    }

    #[test]
    fn a_url_is_never_repeated() {
        let url = "postgres://u:Sup3rS3cret@h/d";
        let program = Program::try_parse_from(["seadrift", "up", "--service", "asset", "--url", url]).unwrap();
        assert!(!format!("{program:?}").contains("Sup3rS3cret"));
        let error = Program::try_parse_from(["seadrift", "up", "--url", url]).unwrap_err();
        assert!(!error.to_string().contains("Sup3rS3cret"));
    }

    #[tokio::test]
    async fn a_url_of_an_unknown_kind_is_a_usage_error() {
        let error = run_with(&["up", "--service", "asset", "--url", "mssql://u:Sup3rS3cret@h/d"])
            .await
            .unwrap_err();
        assert_eq!(error.exit_code(), 2);
        assert!(!format!("{error} {error:?} {}", error.help()).contains("Sup3rS3cret"));
    }

    #[tokio::test]
    async fn rolling_back_needs_a_confirmation() {
        // The file does not exist: it must not even be looked for.
        let error = run_with(&["down", "--service", "asset", "--url", "sqlite:///nowhere/a.db"])
            .await
            .unwrap_err();
        assert!(matches!(error, Error::NotConfirmed { service: "asset" }), "{error}");
        let error = run_with(&["down", "--yes", "--service", "asset", "--url", "sqlite:///nowhere/a.db"])
            .await
            .unwrap_err();
        assert!(matches!(error, Error::Migrate(MigrateError::NoFile)), "{error}");
    }

    #[tokio::test]
    async fn an_unknown_service_is_named_with_the_known_ones() {
        let error = run_with(&["status", "--service", "billing", "--url", "sqlite://a.db"])
            .await
            .unwrap_err();
        assert_eq!(error.to_string(), "there is no service `billing`");
        assert_eq!(error.help(), "use one of: asset, notification, payroll");
    }

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
