//! A fleet of a test's own: a configuration, and the files that it names.

use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use seadrift::report::Format;
use serde_json::Value;

use crate::canary::{self, CANARY};
use crate::harness::case::{self, End, Message};
use crate::harness::database::{Database, Kind};
use crate::harness::program;

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
        if !self.targets.is_empty() {
            std::fs::write(self.path("seadrift.yaml"), text).unwrap();
        }
        std::fs::create_dir_all(self.path("temporary")).unwrap();
        let mut command = program::seadrift();
        command
            .current_dir(self.folder.path())
            .args(args)
            .env("CANARY", CANARY)
            .env("TMPDIR", self.path("temporary"))
            // What libraries say for developers is searched, too.
            .env("RUST_LOG", "trace")
            .env("RUST_BACKTRACE", "full");
        command
    }

    /// Runs the program to its end, and returns everything that it printed and its exit code.
    pub(crate) fn run(&self, args: &[&str]) -> std::process::Output {
        let output = self.command(args).output().unwrap();
        self.search(&output);
        output
    }

    /// Looks for the password in everything that a run has left, and for what it should not have left at all.
    #[track_caller]
    fn search(&self, output: &std::process::Output) {
        canary::assert_none("standard output", &output.stdout);
        canary::assert_none("standard error", &output.stderr);
        canary::assert_none_below(&self.path("reports"));
        let left: Vec<_> = std::fs::read_dir(self.path("temporary")).unwrap().collect();
        assert!(left.is_empty(), "temporary files are left: {left:?}");
    }

    /// Checks the fleet.
    pub(crate) fn check(&self, flags: &[&str]) -> Ran {
        self.finish(self.start(flags))
    }

    /// Starts a check with a report in every format, all of which are searched for the password at the end.
    pub(crate) fn start(&self, flags: &[&str]) -> (Child, Instant) {
        std::fs::create_dir_all(self.path("reports")).unwrap();
        let reports: Vec<String> = Format::ALL
            .iter()
            .map(|format| format!("--report={0}=reports/{0}", format.as_str()))
            .collect();
        let mut args = vec!["check", "--verbose", "--format", "json"];
        args.extend(reports.iter().map(String::as_str));
        args.extend(flags);
        let mut command = self.command(&args);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        (child.unwrap(), Instant::now())
    }

    /// Runs a check in a shell that does something to its standard output, with one more report, which is returned.
    pub(crate) fn check_in_shell(&self, way: &str, report: &str) -> (std::process::Output, Vec<u8>) {
        let check = self.command(&["check", "--retries", "0", "--report", report]);
        std::fs::create_dir_all(self.path("reports")).unwrap();
        let quoted = |word: &std::ffi::OsStr| format!("'{}'", word.to_str().unwrap());
        let words: Vec<String> = [check.get_program()]
            .into_iter()
            .chain(check.get_args())
            .map(quoted)
            .collect();
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", &format!("{} {way}", words.join(" "))]);
        shell.current_dir(self.folder.path());
        for (name, value) in check.get_envs() {
            match value {
                Some(value) => shell.env(name, value),
                None => shell.env_remove(name),
            };
        }
        let output = shell.output().unwrap();
        self.search(&output);
        let (_, file) = report.split_once('=').unwrap();
        (output, std::fs::read(self.path(file)).unwrap())
    }

    /// Runs the program with a database in its environment.
    pub(crate) fn run_on(&self, args: &[&str], url: &str) -> std::process::Output {
        let output = self.command(args).env("DATABASE_URL", url).output().unwrap();
        self.search(&output);
        output
    }

    /// Waits for the end of a check.
    pub(crate) fn finish(&self, (child, started): (Child, Instant)) -> Ran {
        let output = child.wait_with_output().unwrap();
        let took = started.elapsed();
        self.search(&output);
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

/// Asserts that a process is no more.
#[track_caller]
pub(crate) fn assert_ended(process: &str) {
    let stand = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // Whoever has taken it over may not have noticed its end yet.
    assert!(stand.is_empty() || stand.contains(") Z "), "it still runs: {stand}");
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
