//! From an entry of the file to a target: variables put in, defaults and options merged, the origin of each value kept.

use std::net::Ipv6Addr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::file::{Config, Entry, Many, ServerEntry, SourceEntry, WayEntry};
use super::interpolate::fill;
use super::tls::is_local;
use super::{DatabaseUrl, Environment, Place, Scheme, Secrets, Source, Target, Tls, UrlError, url};
use crate::catalog::{Limits, print_limit};
use crate::yaml::{At, Position, Problem};

/// What is said on the command line, which counts more than the file.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    /// The namespace.
    pub namespace: Option<String>,
    /// The limit of connecting.
    pub connect: Option<Duration>,
    /// The limit of waiting for locks.
    pub lock: Option<Duration>,
    /// The limit of one statement.
    pub statement: Option<Duration>,
}

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The file, with the variables that were put in.
    File(Position, Vec<String>),
    /// An option.
    Option(&'static str),
    /// Nobody said anything.
    Default,
}

/// A value of a target, fit to be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// Its key, with dots between the levels.
    pub key: String,
    /// The value as YAML; of a secret, where it is kept.
    pub value: String,
    /// Where it comes from.
    pub origin: Origin,
}

/// An entry of the file with everything merged.
#[derive(Clone, Debug)]
pub struct Settled {
    /// The target; of many alike, the place where their list is asked for.
    pub target: Target,
    /// Every value of it.
    pub facts: Vec<Fact>,
}

impl Config {
    /// Merges an entry with the defaults and the options.
    ///
    /// # Errors
    ///
    /// Returns every problem: a variable that is not set, a value that cannot be.
    pub fn settle(
        &self,
        entry: &Entry,
        overrides: &Overrides,
        environment: &Environment,
        secrets: &Secrets,
    ) -> Result<Settled, Vec<Problem>> {
        let mut settler = Settler {
            config: self,
            entry,
            environment,
            secrets,
            facts: Vec::new(),
            problems: Vec::new(),
        };
        match settler.target(overrides) {
            Some(target) if settler.problems.is_empty() => Ok(Settled {
                target,
                facts: settler.facts,
            }),
            _ => Err(settler.problems),
        }
    }
}

struct Settler<'a> {
    config: &'a Config,
    entry: &'a Entry,
    environment: &'a Environment,
    secrets: &'a Secrets,
    facts: Vec<Fact>,
    problems: Vec<Problem>,
}

impl Settler<'_> {
    fn target(&mut self, overrides: &Overrides) -> Option<Target> {
        let entry = self.entry;
        self.say("service", &entry.service.value, file(entry.service.at));
        let place = self.place();
        let defaults = &self.config.defaults;
        let namespace = match &overrides.namespace {
            Some(namespace) => {
                self.say("schema", namespace, Origin::Option("--schema"));
                Some(namespace.clone())
            }
            None => {
                let is_file = matches!(entry.way, WayEntry::File(_));
                let written = entry.schema.as_ref().or(defaults.schema.as_ref().filter(|_| !is_file));
                self.text("schema", written)?
            }
        };
        let limits = self.limits(overrides);
        let deadline = entry.timeouts.target.as_ref().or(defaults.timeouts.target.as_ref());
        if let Some(deadline) = deadline {
            self.say("timeouts.target", &written_limit(deadline.value), file(deadline.at));
        }
        let place = place?;
        let scheduler = match (self.text("scheduler", entry.scheduler.as_ref())?, &entry.scheduler) {
            (Some(name), Some(written)) => {
                let scheduler = place.with_database(&name);
                scheduler.map_err(|error| self.refuse(written.at, &error)).ok()
            }
            _ => None,
        };
        for (name, value) in &entry.labels {
            self.say(&format!("labels.{name}"), &value.value, file(value.at));
        }
        Some(Target {
            name: entry.name.value.clone(),
            namespace,
            scheduler,
            limits,
            deadline: deadline.map(|deadline| deadline.value),
            labels: entry
                .labels
                .iter()
                .map(|(name, at)| (name.clone(), at.value.clone()))
                .collect(),
            levels: self.config.levels.clone(),
            ..Target::new(&entry.service.value, place)
        })
    }

    fn limits(&mut self, overrides: &Overrides) -> Limits {
        let (own, all) = (&self.entry.timeouts, &self.config.defaults.timeouts);
        let usual = Limits::default();
        let mut pick =
            |key, option, said: Option<Duration>, own: &Option<At<Duration>>, all: &Option<At<Duration>>, usual| {
                let (value, origin) = match (said, own.as_ref().or(all.as_ref())) {
                    (Some(said), _) => (said, Origin::Option(option)),
                    (None, Some(written)) => (written.value, file(written.at)),
                    (None, None) => (usual, Origin::Default),
                };
                self.say(key, &written_limit(value), origin);
                value
            };
        Limits {
            connect: pick(
                "timeouts.connect",
                "--connect-timeout",
                overrides.connect,
                &own.connect,
                &all.connect,
                usual.connect,
            ),
            lock: pick(
                "timeouts.lock",
                "--lock-timeout",
                overrides.lock,
                &own.lock,
                &all.lock,
                usual.lock,
            ),
            statement: pick(
                "timeouts.statement",
                "--statement-timeout",
                overrides.statement,
                &own.statement,
                &all.statement,
                usual.statement,
            ),
        }
    }

    fn place(&mut self) -> Option<Place> {
        match &self.entry.way {
            WayEntry::Url(written) => self.place_of_url(written),
            WayEntry::Kept(source) => {
                let tls = self.tls(None);
                let read = self.source("url", source)?;
                Some(Place::kept(read, tls?, None, self.environment, self.secrets))
            }
            WayEntry::File(written) => {
                self.say("engine", "sqlite", Origin::Default);
                let path = self.path("file", written)?;
                let url = DatabaseUrl::of_file(Path::new(&path));
                let url = url.map_err(|error| self.refuse(written.at, &error)).ok()?;
                Some(Place::new(url, None, self.environment, self.secrets))
            }
            WayEntry::Server(server) => self.place_of_server(server),
        }
    }

    fn place_of_url(&mut self, written: &At<String>) -> Option<Place> {
        let text = self.fill_silently(written)?;
        let text = self.in_folder(&text);
        let url = DatabaseUrl::parse(&text)
            .map_err(|error| self.refuse(written.at, &error))
            .ok()?;
        self.say("url", &url.to_string(), self.origin(written));
        let url = match url.scheme() {
            Scheme::Sqlite => url,
            _ => {
                let host = url.server().rsplit_once(':').map_or(url.server(), |(host, _)| host);
                let mut tls = self.tls(None)?;
                if is_local(host) && self.entry.tls.mode.is_none() && tls.server_name.is_none() {
                    tls.mode = None;
                }
                let parsed = DatabaseUrl::parse_with(&text, &tls);
                parsed.map_err(|error| self.refuse(written.at, &error)).ok()?
            }
        };
        Some(Place::new(url, None, self.environment, self.secrets))
    }

    /// Reads the path of an SQLite URL from the folder of the file, as every other path in it.
    fn in_folder(&self, text: &str) -> String {
        let Some(place) = text.trim().strip_prefix("sqlite:") else {
            return text.to_owned();
        };
        let place = place.strip_prefix("//").unwrap_or(place);
        if place.starts_with('/') || place.is_empty() || place.starts_with('?') || place.starts_with(":memory:") {
            return text.to_owned();
        }
        match DatabaseUrl::of_file(&self.config.folder) {
            Ok(folder) if self.config.folder != Path::new(".") => format!("{}/{place}", folder.expose()),
            _ => text.to_owned(),
        }
    }

    fn place_of_server(&mut self, server: &ServerEntry) -> Option<Place> {
        let engine = server.engine.value;
        self.say("engine", engine.as_str(), file(server.engine.at));
        let host = self.text("host", server.host.as_ref());
        let socket = self.text("socket", server.socket.as_ref());
        let port = self.text("port", server.port.as_ref());
        let database = self.text("database", server.database.as_ref());
        let user = self.text("user", server.user.as_ref());
        let password = server.password.as_ref().map(|source| self.source("password", source));
        let local = socket?.is_some() || host.as_ref()?.as_deref().is_some_and(is_local);
        let tls = self.tls(Some(local));
        let (host, socket) = (host?, self.text_again(server.socket.as_ref()));
        // An IPv6 address is often written as in a URL.
        let host = host.map(
            |host| match host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
                Some(address) if address.parse::<Ipv6Addr>().is_ok() => address.to_owned(),
                _ => host,
            },
        );
        self.check_host(server, host.as_deref());
        self.check_socket(server, socket.as_deref());
        self.check_port(server, port.as_ref()?.as_deref());
        let database = database?.unwrap_or_else(|| {
            // Where the list of databases is asked for.
            match engine.scheme() {
                Scheme::Postgres => "postgres".to_owned(),
                _ => "information_schema".to_owned(),
            }
        });
        let mut text = format!("{}://", engine.as_str());
        if let Some(user) = user? {
            text.push_str(&format!("{}@", url::encode(&user)));
        }
        match &host {
            Some(host) if host.contains(':') => text.push_str(&format!("[{host}]")),
            Some(host) => text.push_str(host),
            None => text.push_str("localhost"),
        }
        if let Some(port) = port? {
            text.push_str(&format!(":{port}"));
        }
        text.push_str(&format!("/{}", url::encode(&database)));
        if let Some(socket) = &socket {
            let name = if engine.scheme() == Scheme::Postgres {
                "host"
            } else {
                "socket"
            };
            text.push_str(&format!("?{name}={}", url::encode(socket)));
        }
        let tls = tls?;
        if !self.problems.is_empty() {
            return None;
        }
        let url = DatabaseUrl::parse_with(&text, &tls);
        let url = url.map_err(|error| self.refuse(server.engine.at, &error)).ok()?;
        let password = match password {
            Some(source) => Some(source?),
            None => None,
        };
        Some(Place::new(url, password, self.environment, self.secrets))
    }

    fn check_host(&mut self, server: &ServerEntry, host: Option<&str>) {
        let is_fine = |c: char| c.is_alphanumeric() || ".-_".contains(c);
        if let (Some(host), Some(written)) = (host, &server.host)
            && !host.chars().all(is_fine)
            && host.parse::<Ipv6Addr>().is_err()
        {
            self.problem(
                written.at,
                "`host` is no name or address of a server",
                "write the name alone: `port`, `user` and `database` are keys of their own",
            );
        }
    }

    fn check_socket(&mut self, server: &ServerEntry, socket: Option<&str>) {
        if let (Some(socket), Some(written)) = (socket, &server.socket)
            && !socket.starts_with('/')
        {
            self.problem(
                written.at,
                "`socket` is no absolute path",
                "write it from the root: `/run/postgresql`, `/run/mysqld/mysqld.sock`",
            );
        }
    }

    fn check_port(&mut self, server: &ServerEntry, port: Option<&str>) {
        if let (Some(port), Some(written)) = (port, &server.port)
            && !port.parse::<u16>().is_ok_and(|port| port > 0)
        {
            self.problem(
                written.at,
                "`port` is not a number from 1 to 65535",
                "write the number alone",
            );
        }
    }

    /// Merges what is said of TLS. `local` tells whether the server is on this machine, if that is known.
    fn tls(&mut self, local: Option<bool>) -> Option<Tls> {
        let (own, all) = (&self.entry.tls, &self.config.defaults.tls);
        // A name to verify is a reason to verify, even where the way leads through this machine.
        let is_named = own.server_name.as_ref().or(all.server_name.as_ref()).is_some();
        let local = local.map(|local| local && !is_named);
        let mode = own.mode.as_ref().or(all.mode.as_ref().filter(|_| local != Some(true)));
        match (mode, local) {
            (Some(mode), _) => self.say("tls.mode", mode.value.as_str(), file(mode.at)),
            (None, Some(true)) => self.say("tls.mode", "prefer", Origin::Default),
            (None, Some(false)) => self.say("tls.mode", "verify-full", Origin::Default),
            (None, None) => {}
        }
        let ca = self.optional_path("tls.ca", own.ca.as_ref().or(all.ca.as_ref()));
        let cert = self.optional_path("tls.cert", own.cert.as_ref().or(all.cert.as_ref()));
        let key = self.optional_path("tls.key", own.key.as_ref().or(all.key.as_ref()));
        let server_name = self.text("tls.server_name", own.server_name.as_ref().or(all.server_name.as_ref()));
        Some(Tls {
            mode: mode.map(|mode| mode.value),
            ca: ca?,
            cert: cert?,
            key: key?,
            server_name: server_name?,
            yields: own.is_empty(),
        })
    }

    /// Reads where a secret comes from.
    fn source(&mut self, key: &str, written: &At<SourceEntry>) -> Option<Source> {
        let source = match &written.value {
            SourceEntry::Env(name) => Source::Env(name.clone()),
            SourceEntry::File(path) => {
                let path = self.fill_silently(path)?;
                Source::File(self.in_place(&path))
            }
            SourceEntry::Command(argv) => {
                let filled: Vec<Option<String>> = argv.iter().map(|arg| self.fill_silently(arg)).collect();
                Source::Command {
                    argv: filled.into_iter().collect::<Option<Vec<String>>>()?,
                    folder: self.config.folder.clone(),
                }
            }
        };
        let value = match &source {
            Source::Env(name) => format!("{{ env: {} }}", scalar(name)),
            Source::File(path) => format!("{{ file: {} }}", scalar(&path.to_string_lossy())),
            // The arguments may hold what is not for every reader.
            Source::Command { argv, .. } => {
                let program = scalar(argv.first().map(String::as_str).unwrap_or_default());
                let rest = if argv.len() > 1 { ", \"…\"" } else { "" };
                format!("{{ command: [{program}{rest}] }}")
            }
        };
        self.facts.push(Fact {
            key: key.to_owned(),
            value,
            origin: file(written.at),
        });
        Some(source)
    }

    /// Fills in a value and says it; `None` is a problem, `Some(None)` an absent key.
    #[expect(clippy::option_option, reason = "one is a problem, the other an answer")]
    fn text(&mut self, key: &str, written: Option<&At<String>>) -> Option<Option<String>> {
        let Some(written) = written else { return Some(None) };
        let text = self.fill_silently(written)?;
        self.say(key, &text, self.origin(written));
        Some(Some(text))
    }

    /// Fills in a value that was said already.
    fn text_again(&self, written: Option<&At<String>>) -> Option<String> {
        Some(fill(&written?.value, self.environment).ok()?.text)
    }

    fn path(&mut self, key: &str, written: &At<String>) -> Option<String> {
        let text = self.fill_silently(written)?;
        let path = self.in_place(&text).to_string_lossy().into_owned();
        self.say(key, &path, self.origin(written));
        Some(path)
    }

    /// Returns a path of the file, from here.
    fn in_place(&self, path: &str) -> PathBuf {
        let path = self.config.folder.join(path);
        path.strip_prefix(".").map_or_else(|_| path.clone(), Path::to_owned)
    }

    #[expect(clippy::option_option, reason = "one is a problem, the other an answer")]
    fn optional_path(&mut self, key: &str, written: Option<&At<String>>) -> Option<Option<String>> {
        let Some(written) = written else { return Some(None) };
        self.path(key, written).map(Some)
    }

    fn fill_silently(&mut self, written: &At<String>) -> Option<String> {
        match fill(&written.value, self.environment) {
            Ok(filled) => Some(filled.text),
            Err(error) => {
                self.problem(written.at, &error.reason, &error.help);
                None
            }
        }
    }

    fn origin(&self, written: &At<String>) -> Origin {
        let variables = fill(&written.value, self.environment).map(|filled| filled.variables);
        Origin::File(written.at, variables.unwrap_or_default())
    }

    fn say(&mut self, key: &str, value: &str, origin: Origin) {
        self.facts.push(Fact {
            key: key.to_owned(),
            value: scalar(value),
            origin,
        });
    }

    fn refuse(&mut self, at: Position, error: &UrlError) {
        self.problem(at, &error.reason, &error.help);
    }

    fn problem(&mut self, at: Position, reason: &str, help: &str) {
        let mut problem = Problem::at(&self.config.source, at, reason);
        problem.set_help(help);
        self.problems.push(problem);
    }
}

/// Writes a text as a YAML value, in quotes unless it is plainly a word.
pub(crate) fn scalar(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./@".contains(c);
    let is_word = ["true", "false", "null", "yes", "no", "on", "off"];
    match text.chars().all(is_plain)
        && text.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '/' || c == '_')
        && !is_word.contains(&text.to_ascii_lowercase().as_str())
    {
        true => text.to_owned(),
        false => serde_json::Value::from(text).to_string(),
    }
}

/// Writes a limit as a file has it: `2s`, `300ms`.
fn written_limit(limit: Duration) -> String {
    print_limit(limit).replace(' ', "")
}

fn file(at: Position) -> Origin {
    Origin::File(at, Vec::new())
}

impl Many {
    /// Returns the key that says which databases are meant, and its value as YAML.
    pub fn fact(&self) -> (&'static str, String) {
        match self {
            Self::Patterns(patterns) => {
                let patterns: Vec<String> = patterns.iter().map(|pattern| scalar(&pattern.value)).collect();
                ("databases", format!("[{}]", patterns.join(", ")))
            }
            Self::File(file) => ("databases_file", scalar(&file.value)),
        }
    }
}
