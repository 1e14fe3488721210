//! Reads `seadrift.yaml`, with everything that is wrong on the way.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::grammar::{BLOCKS, DEFAULTS, ENGINES, FAIL_ON, FILE, LEVELS, SOURCE, TARGET, TIMEOUTS, TLS, TLS_MODES};
use super::model::{Config, DATABASE, Defaults, Engine, Entry, Levels, Many, ServerEntry, SourceEntry};
use super::model::{Timeouts, TlsEntry, WayEntry};
use crate::config::{Secrets, parse_limit};
use crate::rules::RULES;
use crate::text::near_names;
use crate::yaml::{self, At, Fields, Kind, Node, Position, Problem, Reader, describe, display_name, shorten};

/// The keys of servers that make no sense beside a URL.
const OF_SERVERS: [&str; 7] = ["host", "port", "socket", "file", "database", "user", "password"];

/// Loads a configuration file. Passwords that are written in it against the rules are added to the secrets of the run.
///
/// # Errors
///
/// Returns every problem of the file; a file that cannot be read is one problem.
pub fn load(path: &Path, secrets: &Secrets) -> Result<Config, Vec<Problem>> {
    let name = display_name(path);
    let text = yaml::read(path, &name, "is this the right file?").map_err(|problem| vec![*problem])?;
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    };
    parse(&name, &text, folder, secrets)
}

/// Parses the text of a configuration file; `name` is the file as problems name it, and `folder` where its paths begin.
///
/// # Errors
///
/// Returns every problem of the text, in the order of their places.
pub fn parse(name: &str, text: &str, folder: PathBuf, secrets: &Secrets) -> Result<Config, Vec<Problem>> {
    // Problems show the lines that they are about.
    text.lines()
        .flat_map(written_secrets)
        .for_each(|secret| secrets.add(secret));
    let (tree, problems) = yaml::parse_text(name, text)?;
    let mut reader = Reader {
        problems,
        blocks: &BLOCKS,
    };
    let config = reader.config(&tree, folder);
    match config {
        Some(config) if reader.problems.is_empty() => Ok(config),
        _ => Err(reader.problems.finish()),
    }
}

/// Returns what in a line could be a password that is written out.
fn written_secrets(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    if let Some((_, value)) = line.split_once("password:") {
        let value = value.trim();
        if !value.starts_with(['{', '#']) {
            let first = value.split([',', '}', '#']).next().unwrap_or_default();
            found.extend([value, first].map(|text| text.trim().trim_matches(['"', '\''])));
        }
    }
    if let Some((_, rest)) = line.split_once("://")
        && let Some((login, _)) = rest.rsplit_once('@')
        && let Some((_, password)) = login.split_once(':')
        && !password.starts_with("${")
    {
        found.push(password);
    }
    found.retain(|secret| !secret.is_empty());
    found
}

impl Reader {
    fn config(&mut self, tree: &Node, folder: PathBuf) -> Option<Config> {
        let fields = self.fields(tree, &FILE, "the file", tree.at)?;
        if let Some(entry) = fields.get("version") {
            self.version(&entry.value);
        }
        let specs = self.plain(&fields, "specs");
        let defaults = self.defaults(&fields);
        let levels = self.levels(&fields);
        let entries = self.named(fields.get("targets"), "a target");
        let targets: Vec<Entry> = entries
            .iter()
            .filter_map(|entry| self.target(&entry.key, &entry.value))
            .collect();
        Some(Config {
            source: Arc::clone(&self.problems.source),
            folder,
            specs,
            defaults,
            levels,
            targets,
        })
    }

    fn defaults(&mut self, fields: &Fields<'_>) -> Defaults {
        let Some(entry) = fields.get("defaults") else {
            return Defaults::default();
        };
        let Some(fields) = self.fields(&entry.value, &DEFAULTS, "`defaults`", entry.key.at) else {
            return Defaults::default();
        };
        Defaults {
            fail_on: self.read(&fields, "fail_on", |r, what, node| r.word(what, node, &FAIL_ON)),
            allow_incomplete: self.read(&fields, "allow_incomplete", Self::boolean),
            jobs: self.read(&fields, "jobs", Self::count),
            jobs_per_server: self.read(&fields, "jobs_per_server", Self::count),
            deadline: self.read(&fields, "deadline", Self::limit),
            schema: self.at_text(&fields, "schema"),
            timeouts: self.timeouts(&fields),
            tls: self.tls(&fields),
        }
    }

    fn levels(&mut self, fields: &Fields<'_>) -> Levels {
        let mut levels = Levels::new();
        for entry in self.named(fields.get("rules"), "a rule") {
            let name = &entry.key;
            match RULES.iter().find(|rule| rule.name == name.value) {
                Some(rule) => {
                    let level = self.word(&format!("`{}`", rule.name), &entry.value, &LEVELS);
                    levels.extend(level.map(|level| (rule.name, level)));
                }
                None => self.refuse_rule(name),
            }
        }
        levels
    }

    fn refuse_rule(&mut self, name: &At<String>) {
        let word = shorten(&name.value);
        let help = match RULES.iter().find(|rule| rule.code == name.value) {
            Some(rule) => format!("write the rule's name: `{}`", rule.name),
            None => match near_names(&word, RULES.iter().map(|rule| rule.name)).first() {
                Some(near) => format!("did you mean `{near}`?"),
                None => "`seadrift rules` lists them".to_owned(),
            },
        };
        self.add(name.at, format!("there is no rule `{word}`")).set_help(help);
    }

    fn timeouts(&mut self, fields: &Fields<'_>) -> Timeouts {
        let entry = fields.get("timeouts");
        let fields = entry.and_then(|entry| self.fields(&entry.value, &TIMEOUTS, "`timeouts`", entry.key.at));
        let Some(fields) = fields else {
            return Timeouts::default();
        };
        Timeouts {
            connect: self.read(&fields, "connect", Self::limit),
            lock: self.read(&fields, "lock", Self::limit),
            statement: self.read(&fields, "statement", Self::limit),
            target: self.read(&fields, "target", Self::limit),
        }
    }

    fn tls(&mut self, fields: &Fields<'_>) -> TlsEntry {
        let Some(entry) = fields.get("tls") else {
            return TlsEntry::default();
        };
        let Some(fields) = self.fields(&entry.value, &TLS, "`tls`", entry.key.at) else {
            return TlsEntry::default();
        };
        for (one, other) in [("cert", "key"), ("key", "cert")] {
            if let (Some(entry), None) = (fields.get(one), fields.get(other)) {
                self.add(entry.key.at, format!("`{one}` needs `{other}` beside it"));
            }
        }
        TlsEntry {
            mode: self.read(&fields, "mode", |r, what, node| r.word(what, node, &TLS_MODES)),
            ca: self.at_text(&fields, "ca"),
            cert: self.at_text(&fields, "cert"),
            key: self.at_text(&fields, "key"),
            server_name: self.at_text(&fields, "server_name"),
        }
    }

    fn target(&mut self, name: &At<String>, node: &Node) -> Option<Entry> {
        let what = format!("the target `{}`", shorten(&name.value));
        let fields = self.fields(node, &TARGET, &what, name.at)?;
        let service = self.plain(&fields, "service");
        self.refuse_variables("the name of a target", name);
        let many = self.many(&fields);
        self.check_target_name(name, many.is_some());
        let way = self.way(&fields, &what, name.at, many.is_some());
        let schema = self.at_text(&fields, "schema");
        let scheduler = self.at_text(&fields, "scheduler");
        let timeouts = self.timeouts(&fields);
        let tls = self.tls(&fields);
        let labels = self.labels(&fields);
        Some(Entry {
            name: name.clone(),
            service: service?,
            way: way?,
            many,
            schema,
            scheduler,
            timeouts,
            tls,
            labels,
        })
    }

    /// Refuses names that could not be typed to choose the target.
    fn check_target_name(&mut self, name: &At<String>, is_pattern: bool) {
        let has_place = name.value.contains(DATABASE);
        if is_pattern && !has_place {
            self.add(
                name.at,
                format!("the name stands for many targets and does not hold `{DATABASE}`"),
            )
            .set_help(format!(
                "write it as `prod/{DATABASE}`, so that each target has a name of its own"
            ));
        } else if !is_pattern && has_place {
            self.add(
                name.at,
                format!("the name holds `{DATABASE}`, and the target is one database"),
            )
            .set_help("add `databases` or `databases_file`, or name the target");
        } else if crate::config::glob::is_pattern(&name.value) {
            self.add(name.at, "the name of a target holds `*` or `?`".to_owned())
                .set_help(format!(
                    "patterns choose targets; many alike are written with `databases` and `{DATABASE}`"
                ));
        }
    }

    fn way(&mut self, fields: &Fields<'_>, what: &str, at: Position, is_pattern: bool) -> Option<WayEntry> {
        if let Some(url) = fields.get("url") {
            self.refuse_beside(fields, &OF_SERVERS, "`url`, which says it already");
            return match &url.value.kind {
                Kind::Map(_) => {
                    let source = self.source("`url`", &url.value)?;
                    Some(WayEntry::Kept(At::new(source, url.value.at)))
                }
                _ => self.at_text(fields, "url").map(WayEntry::Url),
            };
        }
        let engine = self.read(fields, "engine", |r, what, node| r.word(what, node, &ENGINES))?;
        if engine.value == Engine::Sqlite {
            self.refuse_beside(
                fields,
                &[
                    "host",
                    "port",
                    "socket",
                    "database",
                    "user",
                    "password",
                    "scheduler",
                    "tls",
                    "databases",
                    "databases_file",
                ],
                "`engine: sqlite`, which is a file",
            );
            if fields.get("file").is_none() {
                self.add(at, format!("{what} has no `file`"))
                    .set_help("add `file:`, the path of the database");
            }
            return self.at_text(fields, "file").map(WayEntry::File);
        }
        self.refuse_beside(fields, &["file"], "an engine that is a server");
        self.check_server(fields, what, at, engine.value, is_pattern);
        let password = fields.get("password").and_then(|entry| {
            let source = self.source("`password`", &entry.value)?;
            Some(At::new(source, entry.value.at))
        });
        Some(WayEntry::Server(Box::new(ServerEntry {
            engine,
            host: self.at_text(fields, "host"),
            socket: self.at_text(fields, "socket"),
            port: self.at_text(fields, "port"),
            database: self.at_text(fields, "database"),
            user: self.at_text(fields, "user"),
            password,
        })))
    }

    fn refuse_beside(&mut self, fields: &Fields<'_>, keys: &[&'static str], beside: &str) {
        for name in keys {
            if let Some(entry) = fields.get(name) {
                self.add(entry.key.at, format!("`{name}` makes no sense beside {beside}"))
                    .set_help("remove one of the two");
            }
        }
    }

    /// Records what a server lacks, or has twice.
    fn check_server(&mut self, fields: &Fields<'_>, what: &str, at: Position, engine: Engine, is_pattern: bool) {
        match (fields.get("host"), fields.get("socket")) {
            (None, None) => self
                .add(at, format!("{what} has neither `host` nor `socket`"))
                .set_help("add `host:`, the server's name or address"),
            (Some(host), Some(socket)) => {
                self.problems
                    .add_pair(
                        socket.key.at,
                        format!("{what} has both `host` and `socket`"),
                        host.key.at,
                        "the other one",
                    )
                    .set_help("keep one of the two");
            }
            _ => {}
        }
        if fields.get("database").is_none() && !is_pattern {
            self.add(at, format!("{what} has no `database`"))
                .set_help("add `database:`, or `databases:` for many of the server");
        }
        if fields.get("user").is_none() && engine != Engine::Postgres {
            self.add(at, format!("{what} has no `user`"))
                .set_help("add `user:`, the one to log in with; a user that can only read is enough");
        }
        if let (Engine::MySql | Engine::MariaDb, Some(scheduler)) = (engine, fields.get("scheduler")) {
            self.add(scheduler.key.at, "`scheduler` is for PostgreSQL alone".to_owned())
                .set_help("remove it: events are found in the server itself");
        }
    }

    fn many(&mut self, fields: &Fields<'_>) -> Option<Many> {
        let (list, file) = (fields.get("databases"), fields.get("databases_file"));
        if let (Some(list), Some(file)) = (list, file) {
            let message = "`databases` and `databases_file` say the same thing".to_owned();
            self.problems
                .add_pair(file.key.at, message, list.key.at, "the other one")
                .set_help("keep one of the two");
        }
        if let Some(entry) = list {
            let patterns = match &entry.value.kind {
                Kind::List(_) => self.names("`databases`", "a pattern of databases", &entry.value)?,
                _ => vec![self.at_text(fields, "databases")?],
            };
            for pattern in &patterns {
                self.refuse_variables("`databases`", pattern);
            }
            return Some(Many::Patterns(patterns));
        }
        self.at_text(fields, "databases_file").map(Many::File)
    }

    fn labels(&mut self, fields: &Fields<'_>) -> BTreeMap<String, At<String>> {
        let mut labels = BTreeMap::new();
        for entry in self.named(fields.get("labels"), "a label") {
            if entry.key.value.contains('=') {
                self.add(entry.key.at, "the name of a label holds `=`".to_owned())
                    .set_help("a label is chosen by --label NAME=VALUE");
            }
            if let Some(value) = self.text("the value of a label", &entry.value) {
                let value = At::new(value, entry.value.at);
                self.refuse_variables("a label", &entry.key);
                self.refuse_variables("a label", &value);
                labels.insert(entry.key.value.clone(), value);
            }
        }
        labels
    }

    /// Reads where a secret comes from. The secret itself is refused, without being repeated.
    fn source(&mut self, what: &str, node: &Node) -> Option<SourceEntry> {
        if matches!(node.kind, Kind::Scalar { .. }) {
            let flaw = if node.is_null() {
                "says nothing"
            } else {
                "is written out"
            };
            self.add(node.at, format!("{what} {flaw}")).set_help(
                "say where it comes from: `{ env: VARIABLE }`, `{ file: PATH }` or `{ command: [PROGRAM, ARGUMENT] }`",
            );
            return None;
        }
        let fields = self.fields(node, &SOURCE, what, node.at)?;
        if let Some(entry) = fields.get("command") {
            let argv = self.list("`command`", &entry.value, |reader, item| {
                let text = reader.name("an argument", item)?;
                Some(At::new(text, item.at))
            })?;
            return Some(SourceEntry::Command(argv));
        }
        if let Some(file) = self.at_text(&fields, "file") {
            return Some(SourceEntry::File(file));
        }
        Some(SourceEntry::Env(self.plain(&fields, "env")?.value))
    }

    fn limit(&mut self, what: &str, node: &Node) -> Option<Duration> {
        let text = self.text(what, node)?;
        match parse_limit(&text) {
            Ok(limit) => Some(limit),
            Err(help) => {
                self.add(node.at, format!("{what} is not a limit: {}", describe(node)))
                    .set_help(help);
                None
            }
        }
    }

    /// Reads a text in which no variable stands.
    fn plain(&mut self, fields: &Fields<'_>, name: &str) -> Option<At<String>> {
        let text = self.at_text(fields, name)?;
        self.refuse_variables(&format!("`{name}`"), &text);
        Some(text)
    }

    /// Says that a variable is not put in where somebody expects it to be.
    fn refuse_variables(&mut self, what: &str, text: &At<String>) {
        if text.value.contains("${") {
            self.add(text.at, format!("no variable is put into {what}")).set_help(
                "write the text itself; variables stand for what leads to a database: its URL, host, port, user, …",
            );
        }
    }

    fn at_text(&mut self, fields: &Fields<'_>, name: &str) -> Option<At<String>> {
        self.read(fields, name, Self::text)
    }

    /// Reads the value of a key together with its place.
    fn read<T>(
        &mut self,
        fields: &Fields<'_>,
        name: &str,
        read: impl FnOnce(&mut Self, &str, &Node) -> Option<T>,
    ) -> Option<At<T>> {
        let entry = fields.get(name)?;
        let value = read(self, &format!("`{name}`"), &entry.value)?;
        Some(At::new(value, entry.value.at))
    }
}
