//! Where the configuration file is.

use std::path::{Path, PathBuf};

/// What it is called.
pub const NAME: &str = "seadrift.yaml";

/// Looks for the file in a directory, then in those above it up to the root of the repository. Outside of a repository
/// only the directory itself counts: what is above belongs to others.
pub fn find(here: &Path) -> Option<PathBuf> {
    let real = here.canonicalize().ok()?;
    let root = real.ancestors().find(|folder| folder.join(".git").exists());
    let mut path = PathBuf::from(here);
    for folder in real.ancestors() {
        if folder.join(NAME).is_file() {
            // As a person would name it from here.
            return Some(
                path.join(NAME)
                    .strip_prefix(".")
                    .map_or_else(|_| path.join(NAME), Path::to_owned),
            );
        }
        if root.is_none_or(|root| root == folder) {
            return None;
        }
        path.push("..");
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_looked_for_up_to_the_root_of_the_repository_and_no_further() {
        let folder = tempfile::tempdir().unwrap();
        let (outer, root) = (folder.path(), folder.path().join("repository"));
        let deep = root.join("a/b");
        std::fs::create_dir_all(&deep).unwrap();
        std::fs::write(outer.join(NAME), "").unwrap();
        assert_eq!(find(outer), Some(outer.join(NAME)));
        assert_eq!(find(&deep), None, "outside of a repository nothing above counts");
        std::fs::create_dir(root.join(".git")).unwrap();
        assert_eq!(find(&deep), None, "what is above the repository does not count");
        std::fs::write(root.join(NAME), "").unwrap();
        assert_eq!(find(&deep), Some(deep.join("../..").join(NAME)));
        assert_eq!(find(&root), Some(root.join(NAME)));
    }
}
