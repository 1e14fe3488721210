//! What `seadrift.yaml` says, as it is written: variables are not put in yet.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::config::{DatabaseUrl, Scheme, TlsMode};
use crate::finding::Severity;
use crate::yaml::{At, Position, SourceFile};

/// A configuration file.
#[derive(Clone, Debug)]
pub struct Config {
    /// The file as the user named it, with its text.
    pub(crate) source: Arc<SourceFile>,
    /// Its folder, from which the paths in it are meant.
    pub folder: PathBuf,
    /// Where the specs are.
    pub specs: Option<At<String>>,
    /// What holds for all.
    pub defaults: Defaults,
    /// What rules count as.
    pub levels: Levels,
    /// The targets in the order of the file.
    pub targets: Vec<Entry>,
}

impl Config {
    /// Returns the file as the user named it.
    pub fn path(&self) -> PathBuf {
        PathBuf::from(self.source.name())
    }

    /// Returns where the specs are: what is written, or else the folder `specs` beside the file if there is one.
    pub fn specs(&self) -> Option<PathBuf> {
        let written = self.specs.as_ref().map(|specs| self.folder.join(&specs.value));
        let usual = || Some(self.folder.join("specs")).filter(|path| path.is_dir());
        let path = written.or_else(usual)?;
        Some(path.strip_prefix(".").map_or_else(|_| path.clone(), Path::to_owned))
    }

    /// Returns the first target whose URL is written out with a password, and where.
    pub fn written_password(&self) -> Option<(&str, Position)> {
        self.targets.iter().find_map(|entry| match &entry.way {
            WayEntry::Url(url) if !url.value.contains('$') => {
                let has_password = DatabaseUrl::parse(&url.value).is_ok_and(|url| url.has_password());
                has_password.then_some((entry.name.value.as_str(), url.at))
            }
            _ => None,
        })
    }
}

/// What holds for every target that says nothing itself, and for the run.
#[derive(Clone, Debug, Default)]
pub struct Defaults {
    /// The least severity that counts as drift; none does where it is `never`.
    pub fail_on: Option<At<Option<Severity>>>,
    /// Whether what could not be seen is let through.
    pub allow_incomplete: Option<At<bool>>,
    /// How many targets are looked at at once.
    pub jobs: Option<At<usize>>,
    /// How many connections one server gets at once.
    pub jobs_per_server: Option<At<usize>>,
    /// How long the whole run may take.
    pub deadline: Option<At<Duration>>,
    /// The namespace.
    pub schema: Option<At<String>>,
    /// Limits of time.
    pub timeouts: Timeouts,
    /// Encryption.
    pub tls: TlsEntry,
}

/// What rules count as; `None` is off.
pub type Levels = BTreeMap<&'static str, Option<Severity>>;

/// Limits of time.
#[derive(Clone, Debug, Default)]
pub struct Timeouts {
    /// Connecting and logging in.
    pub connect: Option<At<Duration>>,
    /// Somebody else's lock.
    pub lock: Option<At<Duration>>,
    /// One statement.
    pub statement: Option<At<Duration>>,
    /// One target.
    pub target: Option<At<Duration>>,
}

/// Encryption.
#[derive(Clone, Debug, Default)]
pub struct TlsEntry {
    /// How much is proved.
    pub mode: Option<At<TlsMode>>,
    /// File of authorities.
    pub ca: Option<At<String>>,
    /// File of the client's certificate.
    pub cert: Option<At<String>>,
    /// File of its key.
    pub key: Option<At<String>>,
    /// The name on the server's certificate.
    pub server_name: Option<At<String>>,
}

impl TlsEntry {
    /// Returns whether nothing is said.
    pub fn is_empty(&self) -> bool {
        let texts = [&self.ca, &self.cert, &self.key, &self.server_name];
        self.mode.is_none() && texts.iter().all(|text| text.is_none())
    }
}

/// The kind of a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// PostgreSQL.
    Postgres,
    /// MySQL.
    MySql,
    /// MariaDB.
    MariaDb,
    /// SQLite.
    Sqlite,
}

impl Engine {
    /// Returns its name, which is also the scheme of its URLs.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Postgres => "postgres",
            Self::MySql => "mysql",
            Self::MariaDb => "mariadb",
            Self::Sqlite => "sqlite",
        }
    }

    /// Returns the protocol that it speaks.
    pub fn scheme(self) -> Scheme {
        match self {
            Self::Postgres => Scheme::Postgres,
            Self::MySql | Self::MariaDb => Scheme::MySql,
            Self::Sqlite => Scheme::Sqlite,
        }
    }
}

/// A target, or a pattern of many.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its name; of a pattern, with `{database}` in it.
    pub name: At<String>,
    /// The service.
    pub service: At<String>,
    /// Where it is.
    pub way: WayEntry,
    /// Which databases a pattern stands for.
    pub many: Option<Many>,
    /// The namespace.
    pub schema: Option<At<String>>,
    /// The database of pg_cron.
    pub scheduler: Option<At<String>>,
    /// Limits of time.
    pub timeouts: Timeouts,
    /// Encryption.
    pub tls: TlsEntry,
    /// Labels.
    pub labels: BTreeMap<String, At<String>>,
}

/// Where a target is.
#[derive(Clone, Debug)]
pub enum WayEntry {
    /// A URL that is written.
    Url(At<String>),
    /// A URL that is kept elsewhere.
    Kept(At<SourceEntry>),
    /// An SQLite file.
    File(At<String>),
    /// A server.
    Server(Box<ServerEntry>),
}

/// A server, and how to log in.
#[derive(Clone, Debug)]
pub struct ServerEntry {
    /// What it is.
    pub engine: At<Engine>,
    /// Its host, or else its socket.
    pub host: Option<At<String>>,
    /// Its socket.
    pub socket: Option<At<String>>,
    /// Its port.
    pub port: Option<At<String>>,
    /// The database.
    pub database: Option<At<String>>,
    /// The user.
    pub user: Option<At<String>>,
    /// Where the password comes from.
    pub password: Option<At<SourceEntry>>,
}

/// Where a secret comes from.
#[derive(Clone, Debug)]
pub enum SourceEntry {
    /// A variable.
    Env(String),
    /// A file.
    File(At<String>),
    /// A command.
    Command(Vec<At<String>>),
}

/// The databases that a pattern stands for.
#[derive(Clone, Debug)]
pub enum Many {
    /// Those of the server that match.
    Patterns(Vec<At<String>>),
    /// Those that a file names.
    File(At<String>),
}

/// What the name of a pattern of targets holds.
pub(crate) const DATABASE: &str = "{database}";

impl Entry {
    /// Returns the pattern that the names of its targets match; the name itself where it is one target.
    pub(crate) fn names(&self) -> String {
        match self.many {
            Some(_) => self.name.value.replace(DATABASE, "*"),
            None => self.name.value.clone(),
        }
    }

    /// Returns where it is written.
    pub fn at(&self) -> Position {
        self.name.at
    }
}
