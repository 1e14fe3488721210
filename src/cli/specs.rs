//! Which spec is meant.

use std::path::{Path, PathBuf};

use super::console::Console;
use super::error::CliError;
use super::input;
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
    pick(load(&path, console)?, service)
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

/// Loads one spec file, or every spec of a directory.
fn load(path: &Path, console: &Console) -> Result<Vec<Spec>, CliError> {
    load_all(path, &[path.to_owned()], console)
}

/// Loads spec files, and every spec of directories; `shown` stands for all of them in an error.
pub(super) fn load_all(shown: &Path, paths: &[PathBuf], console: &Console) -> Result<Vec<Spec>, CliError> {
    spec::load_paths(paths).map_err(|problems| input::refuse(shown, &problems, console))
}
