//! Which spec is meant.

use std::path::{Path, PathBuf};

use super::console::Console;
use super::error::CliError;
use crate::spec::{self, Spec};
use crate::text::near_names;

/// Where specs are if nothing else is said.
pub(super) const USUAL: &str = "specs";

/// Loads the specs at a path and picks the one that is meant.
pub(super) fn select(path: Option<&Path>, service: Option<&str>, console: &Console) -> Result<Spec, CliError> {
    let path = match path {
        Some(path) => path.to_owned(),
        None if Path::new(USUAL).is_dir() => PathBuf::from(USUAL),
        None => {
            return Err(CliError::input("no spec is given")
                .hint("name one with --spec FILE_OR_DIR; without it, the directory `specs` is used if there is one"));
        }
    };
    pick(load(&[path], console)?, service)
}

fn pick(mut specs: Vec<Spec>, service: Option<&str>) -> Result<Spec, CliError> {
    let names: Vec<String> = specs.iter().map(|spec| spec.service.value.clone()).collect();
    let list = names.join(", ");
    match service {
        Some(wanted) => match names.iter().position(|name| name == wanted) {
            Some(at) => Ok(specs.swap_remove(at)),
            None => Err(CliError::input(format!("no spec describes a service `{wanted}`"))
                .did_you_mean(&near_names(wanted, names.iter().map(String::as_str)))
                .hint(format!("there are specs of: {list}"))),
        },
        None if specs.len() == 1 => Ok(specs.swap_remove(0)),
        None if specs.is_empty() => Err(CliError::input("there is no spec")),
        None => Err(
            CliError::input("there are specs of several services, so it is not clear which one to check")
                .hint(format!("pick one with --service: {list}")),
        ),
    }
}

/// Loads spec files, and every spec of directories.
pub(super) fn load(paths: &[PathBuf], console: &Console) -> Result<Vec<Spec>, CliError> {
    spec::load_paths(paths).map_err(|problems| {
        let names: Vec<String> = paths.iter().map(|path| format!("`{}`", path.display())).collect();
        let count = match problems.len() {
            1 => "there is a problem".to_owned(),
            n => format!("there are {n} problems"),
        };
        CliError {
            // Standard error takes the colours away where they are not wanted.
            context: spec::render_problems(&problems, true, console.width()),
            ..CliError::input(format!("{count} in {}", names.join(", ")))
        }
    })
}
