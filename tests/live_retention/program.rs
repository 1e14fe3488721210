//! The program itself: what it installs runs, and is then found effective.

use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::harness::*;

/// What a run of the program left behind.
#[derive(Debug)]
struct Ran {
    code: i32,
    out: String,
    err: String,
}

impl Ran {
    fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The only ledger of a status.
    fn ledger(&self) -> Value {
        self.json()["ledgers"][0].clone()
    }
}

/// The program with a spec of its own.
struct Program {
    folder: tempfile::TempDir,
    url: String,
    flags: Vec<String>,
}

impl Program {
    fn on(url: &str, flags: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("live.yaml"), SPEC).unwrap();
        Self {
            folder,
            url: url.to_owned(),
            flags: flags.iter().map(|&flag| flag.to_owned()).collect(),
        }
    }

    fn run(&self, args: &[&str]) -> Ran {
        let output = Command::new(env!("CARGO_BIN_EXE_seadrift"))
            .current_dir(self.folder.path())
            .env("DATABASE_URL", &self.url)
            .args(args)
            .args(["--spec", "live.yaml"])
            .args(&self.flags)
            .output()
            .unwrap();
        Ran {
            code: output.status.code().unwrap(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    fn status(&self, more: &[&str]) -> Ran {
        self.run(&[&["retention", "status", "--format", "json"], more].concat())
    }

    /// Waits until the job has run, and asserts that everything then agrees on it.
    async fn assert_becomes_effective(&self, scheduler: &str) {
        let started = Instant::now();
        let status = loop {
            let status = self.status(&["--data"]);
            let oldest = status.ledger()["rows"]["oldest_seconds"].as_u64();
            // The young row is all that is left, and the run is on record.
            if status.code == 0 && oldest.is_some_and(|seconds| seconds < 3_600) {
                break status;
            }
            assert!(started.elapsed() < PATIENCE, "{status:?}");
            tokio::time::sleep(Duration::from_millis(500)).await;
        };
        let ledger = status.ledger();
        assert_eq!(ledger["verdict"], "effective", "{ledger}");
        assert_eq!(ledger["jobs"][0]["scheduler"], scheduler);
        assert_eq!(ledger["jobs"][0]["state"], "works");
        let check = self.run(&["check", "--data", "--format", "json"]);
        assert_eq!(check.code, 0, "{check:?}");
        let findings = check.json()["findings"].clone();
        let about = |finding: &&Value| finding["rule"].as_str().unwrap().starts_with("retention-");
        assert_eq!(findings.as_array().unwrap().iter().find(about), None);
    }
}

#[tokio::test]
async fn what_is_installed_into_pg_cron_runs_and_is_effective() {
    let Some(cron) = Cron::namespace().await else { return };
    let program = Program::on(cron.home.as_str(), &["--schema", &cron.name]);
    let missing = program.status(&["--data"]);
    assert_eq!(
        (missing.code, &missing.ledger()["verdict"]),
        (1, &Value::from("missing")),
        "{missing:?}"
    );
    let rules: Vec<Value> = missing.json()["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|f| f["rule"].clone())
        .collect();
    assert_eq!(rules, ["retention-missing", "retention-overdue"]);
    let install = ["retention", "install", "--scheduler", "pg-cron", "--apply"];
    assert_eq!(program.run(&install).code, 0);
    program.assert_becomes_effective("pg-cron").await;
    let table = program.run(&["retention", "status"]);
    assert!(
        table
            .out
            .contains("effective  not asked   1     ProcessedIntegrationEvents"),
        "{}",
        table.out
    );
    cron.sql(&format!("DELETE FROM cron.job WHERE jobname LIKE '%{}%'", cron.name))
        .await;
    cron.drop().await;
}

#[tokio::test]
async fn what_is_installed_as_an_event_runs_and_is_effective() {
    let Some(events) = Events::database().await else { return };
    let program = Program::on(with_path(&events.root, &events.name).as_str(), &[]);
    let missing = program.status(&[]);
    assert_eq!(
        (missing.code, &missing.ledger()["verdict"]),
        (1, &Value::from("missing")),
        "{missing:?}"
    );
    let install = ["retention", "install", "--scheduler", "mysql-event", "--apply"];
    assert_eq!(program.run(&install).code, 0);
    program.assert_becomes_effective("events").await;
    events.drop().await;
}

#[tokio::test]
async fn what_a_trimming_run_leaves_in_a_file_is_effective() {
    let file = File::ledger().await;
    let program = Program::on(&file.url, &[]);
    let unseen = program.status(&[]);
    assert_eq!(
        (unseen.code, &unseen.ledger()["verdict"]),
        (4, &Value::from("not-visible")),
        "{unseen:?}"
    );
    // The rows tell what no job does.
    let overdue = program.status(&["--data"]);
    assert_eq!(
        (overdue.code, &overdue.ledger()["verdict"]),
        (1, &Value::from("not-effective")),
        "{overdue:?}"
    );
    let migrate = Command::new(env!("CARGO_BIN_EXE_seadrift"))
        .args(["migrate", "up", "--service", "retention", "--url", &file.url])
        .output()
        .unwrap();
    assert!(migrate.status.success(), "{migrate:?}");
    assert_eq!(program.run(&["retention", "trim"]).code, 0);
    program.assert_becomes_effective("outside").await;
}

#[tokio::test]
async fn a_status_fits_eighty_columns_and_says_how_it_was_reached() {
    let file = File::ledger().await;
    let program = Program::on(&file.url, &[]);
    let status = program.run(&["retention", "status", "--data"]);
    assert_eq!(status.code, 1, "{status:?}");
    for line in status.out.lines().take_while(|line| !line.starts_with("drift")) {
        assert!(line.chars().count() <= 80, "{line}");
    }
    for words in [
        "present but not effective  90d         0     ProcessedIntegrationEvents",
        "rows older than 14d by `ProcessedOnUtc` are removed; safe above 168h\n           25m",
        "the oldest is 90d old",
        "[R008] retention-overdue",
        "seadrift retention install",
    ] {
        assert!(status.out.contains(words), "{words:?} is not in:\n{}", status.out);
    }
    file.sql("DROP TABLE \"ProcessedIntegrationEvents\"; CREATE TABLE other (a)")
        .await;
    let gone = program.run(&["retention", "status"]);
    assert_eq!(gone.code, 4, "{gone:?}");
    assert!(gone.out.contains("There is no such table"), "{}", gone.out);
    let nowhere = Program::on("sqlite:no-such-file.db", &[]).run(&["retention", "status"]);
    assert_eq!(nowhere.code, 4, "{nowhere:?}");
    assert!(
        nowhere.err.contains("the database is") && nowhere.out.contains("live:"),
        "{nowhere:?}"
    );
}
