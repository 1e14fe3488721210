//! Reads spec files from disk.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::yaml::{self, Problem, SourceFile, display_name, shorten};

use super::{Spec, resolve};

/// Parses the text of a spec; `name` is the file as problems and findings name it.
///
/// # Errors
///
/// Returns every problem of the text, in the order of their places.
pub fn parse(name: &str, text: &str) -> Result<Spec, Vec<Problem>> {
    let (tree, problems) = yaml::parse_text(name, text)?;
    resolve::resolve(&tree, problems)
}

/// Loads one spec file.
///
/// # Errors
///
/// Returns every problem of the file; a file that cannot be read is one problem.
pub fn load(path: &Path) -> Result<Spec, Vec<Problem>> {
    let name = display_name(path);
    let text = yaml::read(path, &name, "a spec describes one service; is this the right file?")
        .map_err(|problem| vec![*problem])?;
    parse(&name, &text)
}

/// Loads every spec of a directory: its files named `*.yaml` or `*.yml`, in the order of their names.
///
/// # Errors
///
/// Returns every problem of every file, and one if there is no spec at all.
pub fn load_dir(path: &Path) -> Result<Vec<Spec>, Vec<Problem>> {
    load_paths(&[path.to_owned()])
}

/// Loads specs from files and directories. A file that is named twice is loaded once.
///
/// # Errors
///
/// Returns every problem of every file. Two specs of the same service are a problem too.
pub fn load_paths(paths: &[PathBuf]) -> Result<Vec<Spec>, Vec<Problem>> {
    let mut problems = Vec::new();
    let mut specs = Vec::new();
    let mut seen = BTreeMap::new();
    for path in paths {
        let files = if path.is_dir() {
            list(path).unwrap_or_else(|problem| {
                problems.push(*problem);
                Vec::new()
            })
        } else {
            vec![path.clone()]
        };
        for path in files {
            let identity = path.canonicalize().unwrap_or_else(|_| path.clone());
            if seen.insert(identity, ()).is_some() {
                continue;
            }
            match load(&path) {
                Ok(spec) => specs.push(spec),
                Err(found) => problems.extend(found),
            }
        }
    }
    problems.extend(same_services(&specs));
    if problems.is_empty() { Ok(specs) } else { Err(problems) }
}

/// Finds specs of one service.
fn same_services(specs: &[Spec]) -> Vec<Problem> {
    let mut first: BTreeMap<&str, &Spec> = BTreeMap::new();
    let mut problems = Vec::new();
    for spec in specs {
        let service = spec.service.value.as_str();
        let Some(other) = first.get(service) else {
            first.insert(service, spec);
            continue;
        };
        let source = |spec: &Spec| Arc::new(SourceFile::new(spec.file.as_str(), Arc::clone(&spec.text)));
        let message = format!("a second spec of service `{}`", shorten(service));
        let mut problem = Problem::at(&source(spec), spec.service.at, message);
        problem.set_related(&source(other), other.service.at, "the first one");
        problem.set_help("give each service one spec, or name one file instead of a directory");
        problems.push(problem);
    }
    problems
}

/// Lists the spec files of a directory.
fn list(path: &Path) -> Result<Vec<PathBuf>, Box<Problem>> {
    let name = display_name(path);
    let unreadable = |error: std::io::Error| {
        let message = format!("the directory cannot be read: {error}");
        Box::new(Problem::of_file(&name, message, "check the path and its permissions"))
    };
    let mut files = Vec::new();
    for entry in path.read_dir().map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let hidden = path
            .file_name()
            .is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
        let is_spec = path.extension().is_some_and(|ext| ext == "yaml" || ext == "yml");
        if is_spec && !hidden {
            files.push(path);
        }
    }
    files.sort();
    if files.is_empty() {
        return Err(Box::new(Problem::of_file(
            &name,
            "the directory holds no spec",
            "put a file named `<service>.yaml` into it, which `seadrift spec pull` drafts of a database; or name another directory",
        )));
    }
    Ok(files)
}
