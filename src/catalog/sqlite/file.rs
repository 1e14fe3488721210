//! The file behind a URL: where it is, whether it can be read, and how to open it without leaving a trace.

use std::fs::{self, File};
use std::io::{ErrorKind as IoKind, Read as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use sqlx::sqlite::SqliteConnectOptions;

use crate::catalog::{Error, ErrorKind};
use crate::text::Terminal;

/// A database file that a URL names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DatabaseFile {
    /// The path as the URL has it.
    pub(super) path: PathBuf,
    /// Whether the URL says `immutable=1`.
    immutable: bool,
}

/// How a file lies there: what two looks at it must agree on if nobody changed it in between.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Condition {
    size: u64,
    modified: Option<SystemTime>,
    /// Whether the header says that changes go through a write-ahead log.
    pub(super) uses_wal: bool,
    /// The size of the write-ahead log, if it is there.
    pub(super) wal: Option<u64>,
    /// Whether the write-ahead log's index is there.
    shm: bool,
    /// The size of the rollback journal, if it is there.
    journal: Option<u64>,
}

impl Condition {
    /// Returns whether all changes are in the file itself.
    fn is_at_rest(&self) -> bool {
        self.uses_wal && self.wal.unwrap_or(0) == 0
    }

    /// Returns whether a rollback journal with content lies beside the file: a writer is at work, or died.
    pub(super) fn has_journal(&self) -> bool {
        self.journal.unwrap_or(0) > 0
    }

    /// Returns whether opening the file in the ordinary way would make the files that a write-ahead log needs.
    fn would_create_files(&self) -> bool {
        self.uses_wal && !(self.wal.is_some() && self.shm)
    }
}

impl DatabaseFile {
    /// Reads a URL: `sqlite://path`, `sqlite:path`, `sqlite:///absolute/path`, with `%20` and the like decoded.
    ///
    /// # Errors
    ///
    /// A URL of a database in memory, without path, or with a parameter that is not understood.
    pub(super) fn locate(url: &str) -> Result<Self, Error> {
        let (base, parameters) = url.split_once('?').unwrap_or((url, ""));
        let mut immutable = false;
        for (key, value) in url::form_urlencoded::parse(parameters.as_bytes()) {
            match (&*key, &*value) {
                // The file is opened read-only whatever the URL allows.
                ("mode", "ro" | "rw" | "rwc") | ("cache", "private" | "shared") => {}
                ("mode", "memory") => return Err(in_memory()),
                ("immutable", "0" | "false") => {}
                ("immutable", "1" | "true") => immutable = true,
                _ => {
                    return Err(Error::new(
                        ErrorKind::Refused,
                        format!("The URL's parameter `{}` is not understood.", Terminal(&key)),
                        "Leave it out; `mode` and `immutable=1` are the parameters that a check knows.",
                    ));
                }
            }
        }
        let path = match base.trim_start_matches("sqlite://").trim_start_matches("sqlite:") {
            ":memory:" => return Err(in_memory()),
            // The driver's own reading of the path, so that every command means the same file.
            _ => base
                .parse::<SqliteConnectOptions>()
                .map(|o| o.get_filename().to_owned()),
        };
        match path {
            Ok(path) if path.as_os_str() == ":memory:" => Err(in_memory()),
            // SQLite reads parameters of its own out of names that begin like this.
            Ok(path) if path.to_string_lossy().starts_with("file:") => Ok(Self {
                path: Path::new(".").join(path),
                immutable,
            }),
            Ok(path) if !path.as_os_str().is_empty() && !path.to_string_lossy().contains('\0') => {
                Ok(Self { path, immutable })
            }
            _ => Err(Error::new(
                ErrorKind::NotADatabase,
                "The URL names no file.",
                "Write the path behind `sqlite://`: `sqlite://ledger.db` or `sqlite:///var/lib/app/ledger.db`.",
            )),
        }
    }

    /// Returns the path for people.
    pub(super) fn shown(&self) -> String {
        Terminal(&self.path.to_string_lossy()).to_string()
    }

    /// Returns the file's name without its folders.
    pub(super) fn name(&self) -> String {
        let name = self.path.file_name().unwrap_or(self.path.as_os_str());
        name.to_string_lossy().into_owned()
    }

    /// Looks at the file without opening it as a database. Blocks.
    ///
    /// # Errors
    ///
    /// A file that is missing, no ordinary file, or not readable.
    pub(super) fn inspect(&self) -> Result<Condition, Error> {
        let metadata = fs::metadata(&self.path).map_err(|error| self.unreadable(&error))?;
        if !metadata.is_file() {
            let what = if metadata.is_dir() {
                "a directory"
            } else {
                "no ordinary file"
            };
            return Err(Error::new(
                ErrorKind::NotADatabase,
                format!("`{}` is {what}.", self.shown()),
                "Name the database file itself.",
            ));
        }
        let mut header = [0_u8; 20];
        let mut file = File::open(&self.path).map_err(|error| self.unreadable(&error))?;
        let has_header = match file.read_exact(&mut header) {
            Ok(()) => header.starts_with(b"SQLite format 3\0"),
            Err(error) if error.kind() == IoKind::UnexpectedEof => false,
            Err(error) => return Err(self.unreadable(&error)),
        };
        // The companions lie beside the file itself, not beside a link to it.
        let real = fs::canonicalize(&self.path).unwrap_or_else(|_| self.path.clone());
        let companion = |suffix: &str| {
            let mut name = real.clone().into_os_string();
            name.push(suffix);
            fs::metadata(name).ok().map(|m| m.len())
        };
        Ok(Condition {
            size: metadata.len(),
            modified: metadata.modified().ok(),
            // Bytes 18 and 19 are the versions for writers and readers; 2 stands for a write-ahead log.
            uses_wal: has_header && header[19] == 2,
            wal: companion("-wal"),
            shm: companion("-shm").is_some(),
            journal: companion("-journal"),
        })
    }

    /// Decides whether the file is opened as one that nobody changes.
    ///
    /// A database with a write-ahead log that is at rest must be: an ordinary reader makes a log and an index beside
    /// it, leaves both behind, and fails where it may not. Nothing is missed, because the log is empty; the caller
    /// looks again after reading to be sure that it stayed so.
    ///
    /// # Errors
    ///
    /// A URL that asks for `immutable=1` while a log holds changes.
    pub(super) fn opens_immutable(&self, condition: &Condition) -> Result<bool, Error> {
        let pending = if condition.uses_wal && !condition.is_at_rest() {
            Some("-wal")
        } else {
            condition.has_journal().then_some("-journal")
        };
        if let Some(suffix) = pending.filter(|_| self.immutable) {
            return Err(Error::new(
                ErrorKind::Refused,
                format!(
                    "The URL says `immutable=1`, but `{}{suffix}` shows that the file is being changed.",
                    self.shown()
                ),
                "Leave `immutable=1` out, or let the service close the database first.",
            ));
        }
        Ok(self.immutable || (condition.is_at_rest() && condition.would_create_files()))
    }

    fn unreadable(&self, error: &std::io::Error) -> Error {
        let path = self.shown();
        match error.kind() {
            IoKind::NotFound => Error::new(
                ErrorKind::NotADatabase,
                format!("There is no file `{path}`."),
                "Correct the path; a relative one starts at the working directory, in seadrift.yaml at its folder. Nothing was \
                 created.",
            ),
            IoKind::NotADirectory => Error::new(
                ErrorKind::NotADatabase,
                format!("A part of the path `{path}` is no directory."),
                "Correct the path.",
            ),
            IoKind::PermissionDenied => Error::new(
                ErrorKind::Refused,
                format!("`{path}` may not be read by this user."),
                "Run the check as a user who may read the file and enter its directories.",
            ),
            _ => Error::new(
                ErrorKind::Unreachable,
                format!("`{path}` cannot be read: {error}."),
                "Check the disk or the share that the file is on.",
            ),
        }
    }
}

fn in_memory() -> Error {
    Error::new(
        ErrorKind::NotADatabase,
        "A database in memory is empty when it is opened, so there is nothing to check.",
        "Name a database file: `sqlite://ledger.db`.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path_of(url: &str) -> String {
        DatabaseFile::locate(url).unwrap().path.to_string_lossy().into_owned()
    }

    #[test]
    fn every_form_of_url_names_its_file() {
        for (url, path) in [
            ("sqlite://ledger.db", "ledger.db"),
            ("sqlite:ledger.db", "ledger.db"),
            ("sqlite:///var/lib/ledger.db", "/var/lib/ledger.db"),
            ("sqlite:/var/lib/ledger.db", "/var/lib/ledger.db"),
            ("sqlite://a%20b%3f.db?mode=rwc", "a b?.db"),
            ("sqlite:file:x.db", "./file:x.db"),
            ("sqlite://Größe.db", "Größe.db"),
        ] {
            assert_eq!(path_of(url), path, "{url}");
        }
    }

    #[test]
    fn a_url_without_a_file_is_refused() {
        for (url, kind) in [
            ("sqlite::memory:", ErrorKind::NotADatabase),
            ("sqlite://:memory:", ErrorKind::NotADatabase),
            ("sqlite:%3Amemory%3A", ErrorKind::NotADatabase),
            ("sqlite:x.db?mode=memory", ErrorKind::NotADatabase),
            ("sqlite:", ErrorKind::NotADatabase),
            ("sqlite://", ErrorKind::NotADatabase),
            ("sqlite:a%00b", ErrorKind::NotADatabase),
            ("sqlite:x.db?vfs=unix-none", ErrorKind::Refused),
            ("sqlite:x.db?immutable=maybe", ErrorKind::Refused),
        ] {
            assert_eq!(DatabaseFile::locate(url).unwrap_err().kind, kind, "{url}");
        }
    }

    #[test]
    fn a_database_at_rest_is_opened_without_making_files() {
        let file = DatabaseFile::locate("sqlite:x.db").unwrap();
        let condition = |uses_wal, wal, shm| Condition {
            size: 8192,
            modified: None,
            uses_wal,
            wal,
            shm,
            journal: None,
        };
        for (uses_wal, wal, shm, immutable) in [
            (false, None, false, false),
            (true, None, false, true),
            (true, Some(0), false, true),
            (true, Some(0), true, false),
            (true, Some(4152), true, false),
            (true, Some(4152), false, false),
        ] {
            let condition = condition(uses_wal, wal, shm);
            assert_eq!(file.opens_immutable(&condition).unwrap(), immutable, "{condition:?}");
        }
        let asked = DatabaseFile::locate("sqlite:x.db?immutable=1").unwrap();
        assert!(asked.opens_immutable(&condition(false, None, false)).unwrap());
        assert!(asked.opens_immutable(&condition(true, Some(4152), true)).is_err());
        let written = Condition {
            journal: Some(512),
            ..condition(false, None, false)
        };
        assert!(asked.opens_immutable(&written).is_err());
        assert!(!file.opens_immutable(&written).unwrap());
    }
}
