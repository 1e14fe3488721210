//! Where files are in their repository, which is how pipelines name them.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use super::error::CliError;
use crate::report::{Paths, Report};

/// The repository that the program runs in.
#[derive(Debug)]
pub(super) struct Repository {
    root: PathBuf,
    here: PathBuf,
}

impl Repository {
    /// Takes the directory that is named, else the nearest one above that is under version control.
    pub(super) fn find(named: Option<&Path>) -> Result<Option<Self>, CliError> {
        let here = Path::new(".").canonicalize().ok();
        let root = match named {
            Some(named) => Some(named.canonicalize().ok().filter(|root| root.is_dir()).ok_or_else(|| {
                CliError::input(format!("the source root `{}` is no directory", named.display()))
                    .hint("name the directory that the repository is checked out into")
            })?),
            None => here
                .iter()
                .flat_map(|here| here.ancestors())
                .find(|dir| dir.join(".git").exists())
                .map(Path::to_owned),
        };
        Ok(root.zip(here).map(|(root, here)| Self { root, here }))
    }

    /// Returns where the files that a report names are. Links are followed for files that this run has read alone: a
    /// result that somebody else made may name anything.
    pub(super) fn paths(&self, report: &Report, is_ours: bool) -> Paths {
        let specs = report.targets.iter().map(|target| target.spec.as_str());
        let places = report.findings.iter().map(|finding| finding.location.file.as_str());
        let waivers = report.waivers.iter().map(|waiver| waiver.location.file.as_str());
        let files: BTreeSet<&str> = specs
            .chain(places)
            .chain(waivers)
            .filter(|file| !file.is_empty())
            .collect();
        files
            .into_iter()
            .filter_map(|file| Some((file.to_owned(), self.path(file, is_ours)?)))
            .collect()
    }

    fn path(&self, file: &str, is_ours: bool) -> Option<String> {
        let whole = self.here.join(file);
        let real = match is_ours {
            true => whole.canonicalize().ok()?,
            false => tidy(&whole),
        };
        let parts = real.strip_prefix(&self.root).ok()?.components();
        let names: Option<Vec<&str>> = parts.map(|part| part.as_os_str().to_str()).collect();
        Some(names?.join("/"))
    }
}

/// Takes `.` and `..` out of a path without looking at any disk.
fn tidy(path: &Path) -> PathBuf {
    let mut tidied = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                tidied.pop();
            }
            part => tidied.push(part),
        }
    }
    tidied
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_named_from_the_root() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        std::fs::create_dir_all(root.join("services/asset")).unwrap();
        std::fs::write(root.join("services/a.yaml"), "").unwrap();
        let repository = Repository {
            here: root.join("services/asset"),
            root: root.clone(),
        };
        let absolute = root.join("services/a.yaml");
        for file in ["../a.yaml", "./.././a.yaml", absolute.to_str().unwrap()] {
            for is_ours in [true, false] {
                assert_eq!(
                    repository.path(file, is_ours).as_deref(),
                    Some("services/a.yaml"),
                    "{file}"
                );
            }
        }
        assert_eq!(
            repository.path("absent.yaml", false).as_deref(),
            Some("services/asset/absent.yaml")
        );
        assert_eq!(repository.path("../../../elsewhere.yaml", false), None);
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(root.join("services/a.yaml"), root.join("services/asset/link.yaml")).unwrap();
            assert_eq!(repository.path("link.yaml", true).as_deref(), Some("services/a.yaml"));
        }
    }

    #[test]
    fn a_root_must_be_there() {
        assert!(Repository::find(Some(Path::new("no/such/root"))).is_err());
    }
}
