//! Cases on disk: a folder with a setup, and what a perfect checker says of it. `tests/cases/README.md` is the format.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::database::Kind;

/// One case.
#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) kind: Kind,
    /// The folder above it: a rule's name, or a topic.
    pub(crate) topic: String,
    /// The path below `tests/cases`, with slashes.
    pub(crate) path: String,
    /// Its folder.
    pub(crate) folder: PathBuf,
    /// Messages to the database, in order.
    pub(crate) setup: Vec<Message>,
    /// Further sessions, which stay open while the check runs.
    pub(crate) hold: Vec<Message>,
    /// A file to take as the database.
    pub(crate) file: Option<PathBuf>,
    /// What is said in comments of `expect.txt`.
    pub(crate) ways: Ways,
    /// The lines that the check must come to.
    pub(crate) expected: Vec<String>,
}

/// How a case is run, if not in the usual way.
#[derive(Debug, Default)]
pub(crate) struct Ways {
    /// The spec file.
    pub(crate) spec: PathBuf,
    /// Services whose migrations run before the setup.
    pub(crate) migrated: Vec<String>,
    /// Whether the checker connects as the case's role.
    pub(crate) as_role: bool,
    /// Whether the database is to be absent.
    pub(crate) no_file: bool,
    /// Further flags of the checker.
    pub(crate) flags: Vec<String>,
    /// A server's setting and its value while the check runs; nothing else runs meanwhile.
    pub(crate) setting: Option<(String, String)>,
    /// The encoding of the database (PostgreSQL).
    pub(crate) encoding: Option<String>,
}

/// SQL that is sent as one message.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Message {
    pub(crate) sql: String,
    pub(crate) end: End,
}

/// What is expected of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Succeeds,
    Fails,
    /// It does not come to an end while the check runs.
    Waits,
}

/// Reads all cases of a kind of database, or says what is wrong with them.
pub(crate) fn load_all(kind: Kind) -> Result<Vec<Case>, String> {
    let root = root().join(kind.folder());
    let mut cases = Vec::new();
    let mut problems = Vec::new();
    for topic in folders(&root) {
        let inside = folders(&topic);
        if inside.is_empty() {
            problems.push(format!("{}: no case in it", topic.display()));
        }
        for folder in inside {
            match load(kind, &folder) {
                Ok(case) => cases.push(case),
                Err(problem) => problems.push(format!("{}: {problem}", folder.display())),
            }
        }
    }
    match problems.is_empty() {
        true => Ok(cases),
        false => Err(problems.join("\n")),
    }
}

/// The folder of all cases.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases")
}

fn folders(root: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root).unwrap_or_else(|error| panic!("{}: {error}", root.display()));
    let mut found: Vec<PathBuf> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .collect();
    found.sort();
    found
}

fn load(kind: Kind, folder: &Path) -> Result<Case, String> {
    const KNOWN: [&str; 5] = ["setup.sql", "expect.txt", "spec.yaml", "hold.sql", "database"];
    let files: BTreeSet<String> = std::fs::read_dir(folder)
        .map_err(|error| error.to_string())?
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    if let Some(stray) = files.iter().find(|name| !KNOWN.contains(&name.as_str())) {
        return Err(format!("{stray} is no part of a case"));
    }
    let read = |name: &str| match files.contains(name) {
        true => std::fs::read_to_string(folder.join(name)).map_err(|error| format!("{name}: {error}")),
        false => Ok(String::new()),
    };
    if !files.contains("expect.txt") {
        return Err("it has no expect.txt".to_owned());
    }
    let (ways, expected) = parse_expectation(&read("expect.txt")?, folder, files.contains("spec.yaml"))?;
    let file = files.contains("database").then(|| folder.join("database"));
    let made_otherwise = file.is_some() || ways.no_file;
    let has_setup = files.contains("setup.sql");
    if has_setup && made_otherwise || !has_setup && !made_otherwise && ways.migrated.is_empty() {
        return Err("it needs setup.sql, or database, or `# file: none`, or `# migrated: SERVICE`".to_owned());
    }
    let inner = folder.strip_prefix(root()).map_err(|error| error.to_string())?;
    let topic = folder.parent().and_then(Path::file_name).unwrap_or_default();
    Ok(Case {
        kind,
        topic: topic.to_string_lossy().into_owned(),
        path: inner.to_string_lossy().replace('\\', "/"),
        folder: folder.to_owned(),
        setup: with_base(kind, &read("setup.sql")?)?,
        hold: split(&read("hold.sql")?)?,
        file,
        ways,
        expected,
    })
}

/// Reads `expect.txt`: comments, of which some say how the case is run, and one line per thing that is said.
fn parse_expectation(text: &str, folder: &Path, own_spec: bool) -> Result<(Ways, Vec<String>), String> {
    let mut ways = Ways::default();
    let mut spec = None;
    let mut lines = Vec::new();
    for line in text.lines() {
        let Some(comment) = line.strip_prefix('#') else {
            lines.push(line.to_owned());
            continue;
        };
        let Some((key, value)) = comment.trim().split_once(": ") else {
            continue;
        };
        match key {
            "spec" => spec = Some(value.to_owned()),
            "migrated" => ways.migrated = value.split(' ').map(str::to_owned).collect(),
            "connect as" if value == "{role}" => ways.as_role = true,
            "file" if value == "none" => ways.no_file = true,
            "flags" => ways.flags = value.split(' ').map(str::to_owned).collect(),
            "encoding" => ways.encoding = Some(value.to_owned()),
            "setting" => {
                let (name, value) = value.split_once('=').ok_or("a setting is NAME=VALUE")?;
                ways.setting = Some((name.to_owned(), value.to_owned()));
            }
            _ => return Err(format!("`{key}: {value}` says nothing; write comments without a colon")),
        }
    }
    if !lines.first().is_some_and(|line| line.starts_with("exit ")) {
        return Err("the first line of expect.txt is not `exit CODE`".to_owned());
    }
    ways.spec = match spec {
        Some(_) if own_spec => return Err("it has a spec.yaml and names another one".to_owned()),
        None if own_spec => folder.join("spec.yaml"),
        // Specs that are shipped are named by their path in the repository.
        Some(path) if path.contains('/') => Path::new(env!("CARGO_MANIFEST_DIR")).join(path),
        name => root()
            .join("specs")
            .join(format!("{}.yaml", name.as_deref().unwrap_or("asset"))),
    };
    match ways.spec.exists() {
        true => Ok((ways, lines)),
        false => Err(format!("there is no spec {}", ways.spec.display())),
    }
}

/// Splits a setup into messages, and puts the base in front of it that its first line names.
fn with_base(kind: Kind, text: &str) -> Result<Vec<Message>, String> {
    let Some((name, rest)) = text
        .strip_prefix("-- after: ")
        .map(|t| t.split_once('\n').unwrap_or((t, "")))
    else {
        return split(text);
    };
    let base = root().join(kind.folder()).join(format!("{name}.sql"));
    let base = std::fs::read_to_string(&base).map_err(|error| format!("{}: {error}", base.display()))?;
    let mut messages = split(&base)?;
    messages.extend(split(rest)?);
    Ok(messages)
}

/// Splits SQL at lines that say `-- next`.
fn split(text: &str) -> Result<Vec<Message>, String> {
    let mut messages = Vec::new();
    let mut sql = String::new();
    let mut end = End::Succeeds;
    for line in text.lines() {
        let Some(how) = line.strip_prefix("-- next") else {
            sql.push_str(line);
            sql.push('\n');
            continue;
        };
        push(&mut messages, std::mem::take(&mut sql), end);
        end = match how {
            "" => End::Succeeds,
            ", which fails" => End::Fails,
            ", which waits" => End::Waits,
            _ => return Err(format!("`{line}`: unknown ending")),
        };
    }
    push(&mut messages, sql, end);
    Ok(messages)
}

fn push(messages: &mut Vec<Message>, sql: String, end: End) {
    let says_something = |line: &str| !line.trim().is_empty() && !line.trim_start().starts_with("--");
    if sql.lines().any(says_something) {
        messages.push(Message { sql, end });
    }
}
