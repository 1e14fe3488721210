//! A fleet of a test's own: a configuration, and the files that it names.

use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::harness::case::{self, End, Message};
use crate::harness::database::{Database, Kind};
use crate::harness::program;

/// The password that no byte of any output may hold.
pub(crate) const CANARY: &str = "S3cr3t-canary";

/// A folder with a configuration, and the databases behind it.
pub(crate) struct Fleet {
    folder: tempfile::TempDir,
    targets: String,
    /// Kept until the test is over.
    databases: Vec<Database>,
}

/// What a run left behind.
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) report: Value,
    pub(crate) said: String,
    pub(crate) took: Duration,
}

impl Fleet {
    /// A fleet of no database.
    pub(crate) fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            targets: String::new(),
            databases: Vec::new(),
        }
    }

    /// A fleet of three: two databases in files are well, and `broken` is between them, its part of the configuration.
    pub(crate) fn with_broken(broken: &str) -> Self {
        let mut fleet = Self::new();
        fleet.add_file("a/good");
        fleet.add("b/broken", broken);
        fleet.add_file("c/good");
        fleet
    }

    /// Adds a target by its part of the configuration.
    pub(crate) fn add(&mut self, name: &str, entry: &str) {
        self.targets
            .push_str(&format!("  {name}: {{ service: asset, {entry} }}\n"));
    }

    /// Adds a file with a ledger in it.
    pub(crate) fn add_file(&mut self, name: &str) {
        let database = ledger(Kind::Sqlite).unwrap();
        self.add(name, &format!("url: \"{}\"", database.url()));
        self.databases.push(database);
    }

    /// Breaks the promise that the file added last keeps an event from being recorded twice.
    pub(crate) fn break_last(&mut self) {
        let sql = "DROP INDEX \"UX_ProcessedEvents_EventId\"".to_owned();
        let end = End::Succeeds;
        self.databases.last().unwrap().run(&[Message { sql, end }]).unwrap();
    }

    /// The path of a file in the folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, args: &[&str]) -> std::process::Command {
        let specs = case::root().join("specs/asset.yaml");
        let text = format!("version: 1\nspecs: \"{}\"\ntargets:\n{}", specs.display(), self.targets);
        std::fs::write(self.path("seadrift.yaml"), text).unwrap();
        let mut command = program::seadrift();
        command.current_dir(self.folder.path()).args(args).env("CANARY", CANARY);
        command
    }

    /// Runs the program to its end, and returns everything that it printed and its exit code.
    pub(crate) fn run(&self, args: &[&str]) -> std::process::Output {
        let output = self.command(args).output().unwrap();
        for (stream, bytes) in [("output", &output.stdout), ("error", &output.stderr)] {
            assert!(!has_canary(bytes), "standard {stream} holds the password");
        }
        output
    }

    /// Checks the fleet.
    pub(crate) fn check(&self, flags: &[&str]) -> Ran {
        self.finish(self.start(flags))
    }

    /// Starts a check.
    pub(crate) fn start(&self, flags: &[&str]) -> (Child, Instant) {
        let args = [&["check", "--format", "json"], flags].concat();
        let mut command = self.command(&args);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        (child.unwrap(), Instant::now())
    }

    /// Waits for the end of a check.
    pub(crate) fn finish(&self, (child, started): (Child, Instant)) -> Ran {
        let output = child.wait_with_output().unwrap();
        let took = started.elapsed();
        assert!(
            !has_canary(&output.stdout) && !has_canary(&output.stderr),
            "a password is told"
        );
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let report = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
        Ran {
            code: output.status.code(),
            report,
            said,
            took,
        }
    }
}

impl Ran {
    /// Returns what the report says of a target.
    pub(crate) fn target(&self, name: &str) -> &Value {
        let targets = self.report["targets"]
            .as_array()
            .unwrap_or_else(|| panic!("no report: {}", self.said));
        let target = targets.iter().find(|target| target["name"] == name);
        target.unwrap_or_else(|| panic!("{name} is not in {:#}", self.report))
    }

    /// Asserts that the two good databases have their answer and the broken one has this status, within so many seconds;
    /// returns why it was not checked.
    #[track_caller]
    pub(crate) fn assert_broken(&self, status: &str, seconds: u64) -> String {
        for name in ["a/good", "c/good"] {
            assert_eq!(self.target(name)["status"], "checked", "{:#}", self.report);
        }
        let broken = self.target("b/broken");
        assert_eq!(broken["status"], status, "{:#}", self.report);
        assert_eq!(self.code, Some(4), "{:#}", self.report);
        let findings = self.report["findings"].as_array().unwrap();
        assert!(findings.iter().all(|finding| finding["target"] != "b/broken"));
        assert!(self.took < Duration::from_secs(seconds), "it took {:?}", self.took);
        assert!(self.said.contains("b/broken"), "the progress names it: {}", self.said);
        broken["reason"].as_str().unwrap().to_owned()
    }
}

/// A database with the asset ledger in it, or nothing where there is no server.
pub(crate) fn ledger(kind: Kind) -> Option<Database> {
    kind.is_here().then(|| {
        let database = Database::create(kind);
        fill(&database);
        database
    })
}

/// Puts the asset ledger into an empty database.
pub(crate) fn fill(database: &Database) {
    let base = case::root().join(database.kind.folder()).join("asset.sql");
    let sql = std::fs::read_to_string(base).unwrap();
    let end = End::Succeeds;
    database.run(&[Message { sql, end }]).unwrap();
}

/// Returns whether bytes hold the password, as it is or as a URL writes it.
pub(crate) fn has_canary(bytes: &[u8]) -> bool {
    let encoded = "S3cr3t%2Dcanary";
    [CANARY, encoded]
        .iter()
        .any(|word| bytes.windows(word.len()).any(|at| at == word.as_bytes()))
}
