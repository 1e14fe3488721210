//! The options that choose databases, and the specs to compare them with.

use std::path::PathBuf;
use std::sync::Arc;

use super::console::Console;
use super::database::{DatabaseArgs, the_only};
use super::error::CliError;
use super::specs;
use crate::config::Target;
use crate::config::file::{Config, Defaults};
use crate::spec::Spec;

/// Which databases, and the specs to compare them with.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Target")]
pub(super) struct TargetArgs {
    #[command(flatten)]
    database: DatabaseArgs,
    /// Spec of the service, or a directory of specs [default: specs]
    #[arg(long, value_name = "FILE_OR_DIR", help_heading = "Target")]
    spec: Option<PathBuf>,
    /// Service to check, where there are specs of several; chooses among the targets of seadrift.yaml, too
    #[arg(long, value_name = "NAME", help_heading = "Target")]
    service: Option<String>,
}

impl TargetArgs {
    /// Returns what the configuration file says of the run; nothing where there is none.
    pub(super) fn defaults(&self, console: &Console) -> Result<Defaults, CliError> {
        self.database.defaults(console)
    }

    /// Returns the namespace that is named.
    pub(super) fn namespace(&self) -> Option<&str> {
        self.database.namespace()
    }

    /// Resolves the options to every target that is chosen, each with its spec.
    pub(super) fn resolve_all(&self, console: &Console) -> Result<Vec<(Target, Arc<Spec>)>, CliError> {
        let Some(config) = self.database.file(console)? else {
            let target = self.database.resolve_url(console)?;
            let spec = self.resolve_spec(console)?;
            let (name, service) = (spec.service.value.clone(), spec.service.value.clone());
            return Ok(vec![(
                Target {
                    name,
                    service,
                    ..target
                },
                Arc::new(spec),
            )]);
        };
        let targets = self.database.choose(&config, self.service.as_deref(), console)?;
        let shelf = specs::Shelf::load(self.spec_path(Some(&config)).as_deref(), console)?;
        let is_chosen = |service: &str| targets.iter().any(|target| target.service == service);
        shelf.cover(&config, is_chosen, console)?;
        let with_spec = |target: Target| {
            let spec = shelf.take(&target.service)?;
            Ok((target, spec))
        };
        targets.into_iter().map(with_spec).collect()
    }

    /// Resolves the options to the spec alone, for commands that need no database.
    pub(super) fn resolve_spec(&self, console: &Console) -> Result<Spec, CliError> {
        let config = self.database.config(console)?;
        let entry = match self.database.names() {
            [name] => config
                .iter()
                .flat_map(|config| &config.targets)
                .find(|entry| entry.name.value == *name),
            _ => None,
        };
        let service = self
            .service
            .as_deref()
            .or(entry.map(|entry| entry.service.value.as_str()));
        specs::select(self.spec_path(config.as_deref()).as_deref(), service, console)
    }

    /// Resolves the options to one target and its spec.
    pub(super) fn resolve(&self, console: &Console) -> Result<(Target, Spec), CliError> {
        let (target, spec) = the_only(self.resolve_all(console)?, |(target, _)| &target.name)?;
        Ok((target, Arc::unwrap_or_clone(spec)))
    }

    /// Returns where specs are, if anybody says so.
    fn spec_path(&self, config: Option<&Config>) -> Option<PathBuf> {
        self.spec.clone().or_else(|| config?.specs())
    }
}
