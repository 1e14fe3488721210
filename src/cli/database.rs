//! The options that choose databases: by name in the configuration file, or one by its URL.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use super::console::Console;
use super::error::{CliError, ErrorKind};
use super::input;
use super::run::block_on;
use crate::catalog::{self, Limits};
use crate::config::file::{self, Config, Defaults};
use crate::config::{Choice, ChoiceError, Overrides, Scheme, Target, parse_limit};

/// Which databases, and how long it may take.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Target")]
pub(super) struct DatabaseArgs {
    /// Targets of seadrift.yaml by name or pattern, such as prod/notification or 'prod/*' [default: all of them]
    #[arg(value_name = "TARGET")]
    targets: Vec<String>,
    /// Choose targets of seadrift.yaml that have this label. Can be repeated: they must have every one
    #[arg(long = "label", value_name = "NAME=VALUE", value_parser = parse_label)]
    labels: Vec<(String, String)>,
    #[command(flatten)]
    config: ConfigFileArgs,
    /// Database instead of targets: postgres://, mysql://, mariadb:// or sqlite:FILE
    #[arg(long, env = "DATABASE_URL", hide_env_values = true, value_name = "URL")]
    url: Option<String>,
    /// Namespace to look in: an SQL schema, on MySQL a database [default: public; on MySQL the URL's database]
    #[arg(long, value_name = "NAMESPACE")]
    schema: Option<String>,
    #[command(flatten)]
    limits: LimitArgs,
}

/// Which configuration file.
#[derive(Debug, clap::Args)]
pub(super) struct ConfigFileArgs {
    /// Configuration file [default: seadrift.yaml here, or above up to the root of the repository]
    #[arg(long, env = "SEADRIFT_CONFIG", value_name = "FILE", help_heading = "Target")]
    config: Option<PathBuf>,
    #[arg(skip)]
    loaded: OnceLock<Option<Arc<Config>>>,
}

/// How long a check may take.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Limits")]
struct LimitArgs {
    /// How long connecting and logging in may take [default: 10s]
    #[arg(long, value_name = "TIME", value_parser = parse_limit)]
    connect_timeout: Option<Duration>,
    /// How long to wait for somebody else's lock [default: 2s]
    #[arg(long, value_name = "TIME", value_parser = parse_limit)]
    lock_timeout: Option<Duration>,
    /// How long one statement may take [default: 30s]
    #[arg(long, value_name = "TIME", value_parser = parse_limit)]
    statement_timeout: Option<Duration>,
}

impl ConfigFileArgs {
    /// Loads the file, if there is one. It is read once.
    pub(super) fn load(&self, console: &Console) -> Result<Option<Arc<Config>>, CliError> {
        if let Some(loaded) = self.loaded.get() {
            return Ok(loaded.clone());
        }
        let path = self.config.clone().or_else(|| file::find(Path::new(".")));
        let config = match path {
            None => None,
            Some(path) => {
                let loaded = file::load(&path, console.secrets());
                Some(Arc::new(
                    loaded.map_err(|problems| input::refuse(&path, &problems, console))?,
                ))
            }
        };
        let written = config
            .as_ref()
            .and_then(|config| Some((config.path(), config.written_password()?)));
        if let Some((path, (name, at))) = written {
            let place = format!("{}:{}:{}", path.display(), at.line, at.column);
            console.warn(
                &format!("{place}: the URL of `{name}` holds a password, which everybody who reads the file can read"),
                "use `engine`, `host` and `password: { env: VARIABLE }`, or `url: { env: VARIABLE }`",
            );
        }
        Ok(self.loaded.get_or_init(|| config).clone())
    }
}

impl DatabaseArgs {
    /// Returns what the configuration file says of the run; nothing where there is none.
    pub(super) fn defaults(&self, console: &Console) -> Result<Defaults, CliError> {
        let config = self.config.load(console)?;
        Ok(config.map(|config| config.defaults.clone()).unwrap_or_default())
    }

    /// Returns the configuration file, if there is one.
    pub(super) fn config(&self, console: &Console) -> Result<Option<Arc<Config>>, CliError> {
        self.config.load(console)
    }

    /// Returns the names and patterns of targets.
    pub(super) fn names(&self) -> &[String] {
        &self.targets
    }

    /// Returns the namespace that is named.
    pub(super) fn namespace(&self) -> Option<&str> {
        self.schema.as_deref()
    }

    /// Resolves the options to every database that is chosen, for commands that need no spec.
    pub(super) fn resolve_all(&self, console: &Console) -> Result<Vec<Target>, CliError> {
        match self.file(console)? {
            Some(config) => self.choose(&config, None, console),
            None => Ok(vec![self.resolve_url(console)?]),
        }
    }

    /// Resolves the options to one database.
    pub(super) fn resolve(&self, console: &Console) -> Result<Target, CliError> {
        the_only(self.resolve_all(console)?, |target| &target.name)
    }

    /// Returns the file if targets are chosen from it, and not by a URL.
    pub(super) fn file(&self, console: &Console) -> Result<Option<Arc<Config>>, CliError> {
        self.check_schema()?;
        self.refuse_urls()?;
        let is_chosen = !self.targets.is_empty() || !self.labels.is_empty();
        if console.typed().database {
            return match is_chosen {
                false => Ok(None),
                true => Err(
                    CliError::input("there is a --url, and names or labels of targets as well")
                        .hint("name targets of seadrift.yaml, or a database by --url"),
                ),
            };
        }
        match self.config.load(console)? {
            Some(config) if is_chosen || !config.targets.is_empty() => Ok(Some(config)),
            None if is_chosen => Err(CliError::input("targets are named, and there is no configuration file")
                .hint("write a seadrift.yaml, name it by --config, or name a database by --url")),
            _ => Ok(None),
        }
    }

    /// Chooses targets of the file.
    pub(super) fn choose(
        &self,
        config: &Config,
        service: Option<&str>,
        console: &Console,
    ) -> Result<Vec<Target>, CliError> {
        let choice = Choice {
            names: &self.targets,
            labels: &self.labels,
            service,
        };
        let overrides = self.overrides();
        let chosen = config.choose(choice, &overrides, console.environment(), console.secrets());
        let targets = block_on(chosen)?.map_err(|error| explain(error, config, console))?;
        let mut warned = BTreeSet::new();
        for warning in targets.iter().filter_map(|target| target.place.warning()) {
            if warned.insert(warning.clone()) {
                console.warn(&warning.0, &warning.1);
            }
        }
        Ok(targets)
    }

    /// Takes the database that the URL names, with what the file says of all targets.
    pub(super) fn resolve_url(&self, console: &Console) -> Result<Target, CliError> {
        let Some(url) = &self.url else {
            return Err(CliError::input("no database is given")
                .hint("set DATABASE_URL, name one with --url, or write a seadrift.yaml"));
        };
        let place = console.place(url)?;
        let is_file = place.scheme() == Some(Scheme::Sqlite);
        if self.schema.is_some() && is_file {
            return Err(CliError::input("a SQLite file has no namespaces").hint("leave --schema out"));
        }
        let config = self.config(console)?;
        let defaults = self.defaults(console)?;
        let written = defaults.schema.filter(|_| !is_file).map(|schema| schema.value);
        let (said, usual) = (&self.limits, Limits::default());
        let pick = |said: Option<Duration>, written: Option<Duration>, usual| said.or(written).unwrap_or(usual);
        let timeouts = defaults.timeouts;
        Ok(Target {
            namespace: self.schema.clone().or(written),
            limits: Limits {
                connect: pick(said.connect_timeout, timeouts.connect.map(|at| at.value), usual.connect),
                lock: pick(said.lock_timeout, timeouts.lock.map(|at| at.value), usual.lock),
                statement: pick(
                    said.statement_timeout,
                    timeouts.statement.map(|at| at.value),
                    usual.statement,
                ),
            },
            deadline: timeouts.target.map(|at| at.value),
            levels: config.map(|config| config.levels.clone()).unwrap_or_default(),
            ..Target::new("database", place)
        })
    }

    /// Refuses a URL where a name is wanted, without repeating it: it may hold a password.
    fn refuse_urls(&self) -> Result<(), CliError> {
        let is_url = |name: &String| name.contains("://") || name.to_lowercase().contains("password=");
        match self.targets.iter().any(is_url) {
            true => Err(
                CliError::input("a database stands where the name of a target is wanted")
                    .hint("set DATABASE_URL in the environment, or name the database by --url"),
            ),
            false => Ok(()),
        }
    }

    fn check_schema(&self) -> Result<(), CliError> {
        match self.schema.as_deref().is_some_and(|schema| schema.trim().is_empty()) {
            true => Err(CliError::input("the namespace is empty").hint("leave --schema out, or give it a name")),
            false => Ok(()),
        }
    }

    fn overrides(&self) -> Overrides {
        Overrides {
            namespace: self.schema.clone(),
            connect: self.limits.connect_timeout,
            lock: self.limits.lock_timeout,
            statement: self.limits.statement_timeout,
        }
    }
}

/// Returns the one that is chosen, or names those to choose from.
pub(super) fn the_only<T>(mut chosen: Vec<T>, name: impl Fn(&T) -> &str) -> Result<T, CliError> {
    match chosen.pop() {
        Some(only) if chosen.is_empty() => Ok(only),
        last => {
            let names: Vec<&str> = chosen.iter().chain(&last).map(name).take(10).collect();
            let count = chosen.len() + usize::from(last.is_some());
            Err(
                CliError::input(format!("{count} targets are chosen, and this command takes one"))
                    .hint(format!("name one of them: {}", names.join(", "))),
            )
        }
    }
}

/// Makes an error of what a catalog says of a target.
pub(super) fn refuse(target: &Target, error: catalog::Error) -> CliError {
    let reason = error.reason.trim_end_matches('.');
    CliError::new(ErrorKind::Database, format!("{reason} (database {})", target.place)).hint(error.help)
}

pub(super) fn explain(error: ChoiceError, config: &Config, console: &Console) -> CliError {
    match error {
        ChoiceError::Problems(problems) => input::refuse(&config.path(), &problems, console),
        ChoiceError::Unknown { name, near } => {
            let near: Vec<&str> = near.iter().map(String::as_str).collect();
            CliError::input(format!("there is no target `{name}` in `{}`", config.path().display()))
                .did_you_mean(&near)
                .hint("`seadrift config show` lists them")
        }
        // Nothing was checked, so nothing is known.
        ChoiceError::Nothing(reason) => CliError::new(ErrorKind::Database, format!("nothing is chosen: {reason}"))
            .hint("`seadrift config show` lists the targets with their labels"),
    }
}

fn parse_label(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("write it as NAME=VALUE, such as env=prod".to_owned()),
    }
}
