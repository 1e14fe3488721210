//! Which spec is meant.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::console::Console;
use super::error::CliError;
use super::input;
use crate::config::file::Config;
use crate::spec::{self, Spec};
use crate::text::near_names;
use crate::yaml::Problem;

/// Where specs are if nothing else is said.
pub(super) const USUAL: &str = "specs";

/// Loads the specs at a path and picks the one that is meant.
pub(super) fn select(path: Option<&Path>, service: Option<&str>, console: &Console) -> Result<Spec, CliError> {
    pick(load(&usual(path)?, console)?, service)
}

fn usual(path: Option<&Path>) -> Result<PathBuf, CliError> {
    match path {
        Some(path) => Ok(path.to_owned()),
        None if Path::new(USUAL).is_dir() => Ok(PathBuf::from(USUAL)),
        None => Err(CliError::input("no spec is given")
            .hint("name one with --spec FILE_OR_DIR; without it, the directory `specs` is used if there is one")),
    }
}

/// Every spec that there is, for a run over many targets.
pub(super) struct Shelf(Vec<Arc<Spec>>);

impl Shelf {
    /// Loads the specs at a path.
    pub(super) fn load(path: Option<&Path>, console: &Console) -> Result<Self, CliError> {
        let specs = load(&usual(path)?, console)?;
        Ok(Self(specs.into_iter().map(Arc::new).collect()))
    }

    /// Refuses services of a configuration file, of those that are asked for, which no spec describes.
    pub(super) fn cover(
        &self,
        config: &Config,
        is_asked: impl Fn(&str) -> bool,
        console: &Console,
    ) -> Result<(), CliError> {
        let known = || self.0.iter().map(|spec| spec.service.value.as_str());
        let mut problems = Vec::new();
        for service in config.targets.iter().map(|entry| &entry.service) {
            if !is_asked(&service.value) || known().any(|known| known == service.value) {
                continue;
            }
            let message = format!("no spec describes a service `{}`", service.value);
            let mut problem = Problem::at(&config.source, service.at, message);
            problem.set_help(match near_names(&service.value, known()).first() {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("there are specs of: {}", known().collect::<Vec<_>>().join(", ")),
            });
            problems.push(problem);
        }
        match problems.is_empty() {
            true => Ok(()),
            false => Err(input::refuse(&config.path(), &problems, console)),
        }
    }

    /// Returns the spec of a service.
    pub(super) fn take(&self, service: &str) -> Result<Arc<Spec>, CliError> {
        match self.0.iter().find(|spec| spec.service.value == service) {
            Some(spec) => Ok(Arc::clone(spec)),
            None => Err(unknown(service, self.0.iter().map(|spec| spec.service.value.as_str()))),
        }
    }
}

fn unknown<'s>(service: &str, known: impl Iterator<Item = &'s str> + Clone) -> CliError {
    let list: Vec<&str> = known.clone().collect();
    CliError::input(format!("no spec describes a service `{service}`"))
        .did_you_mean(&near_names(service, known))
        .hint(format!("there are specs of: {}", list.join(", ")))
}

fn pick(mut specs: Vec<Spec>, service: Option<&str>) -> Result<Spec, CliError> {
    let names: Vec<String> = specs.iter().map(|spec| spec.service.value.clone()).collect();
    let list = names.join(", ");
    match service {
        Some(wanted) => match names.iter().position(|name| name == wanted) {
            Some(at) => Ok(specs.swap_remove(at)),
            None => Err(unknown(wanted, names.iter().map(String::as_str))),
        },
        None if specs.len() == 1 => Ok(specs.swap_remove(0)),
        None if specs.is_empty() => Err(CliError::input("there is no spec")),
        None => Err(
            CliError::input("there are specs of several services, so it is not clear which one to check")
                .hint(format!("pick one with --service: {list}")),
        ),
    }
}

/// Loads one spec file, or every spec of a directory.
fn load(path: &Path, console: &Console) -> Result<Vec<Spec>, CliError> {
    load_all(path, &[path.to_owned()], console)
}

/// Loads spec files, and every spec of directories; `shown` stands for all of them in an error.
pub(super) fn load_all(shown: &Path, paths: &[PathBuf], console: &Console) -> Result<Vec<Spec>, CliError> {
    spec::load_paths(paths).map_err(|problems| input::refuse(shown, &problems, console))
}
