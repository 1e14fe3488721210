//! Where a report goes: standard output, or a file that is there as a whole or not at all.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::console::Console;
use super::error::{CliError, ErrorKind};

/// A place for a report, made sure of before the work begins.
#[derive(Debug)]
pub(super) enum Output {
    /// Standard output.
    Screen,
    /// A new file beside the wanted one, which takes its place at the end. Only its owner can read it, unless it is
    /// made public.
    File {
        /// The new file.
        draft: NamedTempFile,
        /// The wanted one.
        path: PathBuf,
    },
    /// A pipe or device that is there already.
    Device {
        /// The open device.
        file: File,
        /// Its name.
        path: PathBuf,
    },
}

impl Output {
    /// Prepares the place.
    pub(super) fn prepare(path: Option<&Path>) -> Result<Self, CliError> {
        let Some(path) = path else {
            return Ok(Self::Screen);
        };
        let fail = |error: &io::Error| refuse(path).caused_by(error);
        // A link is followed, so that the link stays and what it points to is replaced.
        let path = match path.canonicalize() {
            Ok(real) => real,
            Err(error) if error.kind() == io::ErrorKind::NotFound && path.is_symlink() => {
                return Err(refuse(path).hint("it is a link to nothing; make what it points to, or name another file"));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => path.to_owned(),
            Err(error) => return Err(fail(&error)),
        };
        if path.is_dir() {
            return Err(refuse(&path).hint("it is a directory; name a file in it"));
        }
        if path.exists() && !path.is_file() {
            let file = File::options().write(true).open(&path).map_err(|e| fail(&e))?;
            return Ok(Self::Device { file, path });
        }
        let draft = tempfile::Builder::new()
            .prefix(".seadrift-")
            .tempfile_in(folder_of(&path))
            // The error's own text names the draft, which nobody asked for.
            .map_err(|error| match error.kind() {
                io::ErrorKind::NotFound => refuse(&path).hint("its directory does not exist; make it first"),
                kind => fail(&kind.into()).hint("check that its directory can be written to"),
            })?;
        Ok(Self::File { draft, path })
    }

    /// Returns whether the report goes elsewhere than to standard output.
    pub(super) fn is_file(&self) -> bool {
        !matches!(self, Self::Screen)
    }

    /// Returns the file that is made or replaced, if one is.
    pub(super) fn file(&self) -> Option<PathBuf> {
        let Self::File { path, .. } = self else {
            return None;
        };
        // The file itself may not be there yet.
        let folder = folder_of(path).canonicalize().ok()?;
        Some(folder.join(path.file_name()?))
    }

    /// Lets everybody read the file.
    pub(super) fn make_public(&self) -> Result<(), CliError> {
        #[cfg(unix)]
        if let Self::File { draft, path } = self {
            use std::os::unix::fs::PermissionsExt as _;
            draft
                .as_file()
                .set_permissions(std::fs::Permissions::from_mode(0o644))
                .map_err(|error| refuse(path).caused_by(&error))?;
        }
        Ok(())
    }

    /// Lets something write the report, piece by piece.
    pub(super) fn write(
        self,
        console: &Console,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), CliError> {
        match self {
            Self::Screen => console.print_with(write),
            Self::File { draft, path } => fill(draft.as_file(), console, write)
                .and_then(|()| draft.as_file().sync_all())
                .and_then(|()| draft.persist(&path).map_err(|error| error.error))
                .map(drop)
                .map_err(|error| refuse(&path).caused_by(&error)),
            Self::Device { file, path } => match fill(&file, console, write) {
                Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(refuse(&path).caused_by(&error)),
                _ => Ok(()),
            },
        }
    }
}

fn fill(file: &File, console: &Console, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::new(file);
    console.secrets().filter(&mut out, write)?;
    out.flush()
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

fn refuse(path: &Path) -> CliError {
    CliError::new(ErrorKind::Output, format!("`{}` cannot be written", path.display()))
}
