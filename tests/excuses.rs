//! Waivers and baselines as a team uses them: what counts, what does not, and what is said about it.

#![allow(
    clippy::unwrap_used,
    reason = "a test that panics has failed, and its lint knows test functions only"
)]

use std::process::{Command, Output, Stdio};

use sea_orm::{ConnectionTrait as _, Database};
use serde_json::Value;

const SPEC: &str = "version: 1
service: orders
tables:
  Ledger:
    role: ledger
    columns:
      Id: { type: uuid }
      EventId: { type: uuid }
      Amount: { type: integer }
    primary_key: [Id]
    indexes:
      UX_EventId: { columns: [EventId], unique: true }
    ledger: { event_id: EventId }
";

/// A ledger whose number is a text and whose event ids may be NULL.
const DIRTY: &str = "CREATE TABLE Ledger (Id TEXT NOT NULL PRIMARY KEY, EventId TEXT, Amount TEXT NOT NULL);
     CREATE UNIQUE INDEX UX_EventId ON Ledger (EventId);";

/// The same, with a number that is a blob.
const WORSE: &str = "DROP TABLE Ledger;
     CREATE TABLE Ledger (Id TEXT NOT NULL PRIMARY KEY, EventId TEXT, Amount BLOB NOT NULL);
     CREATE UNIQUE INDEX UX_EventId ON Ledger (EventId);";

const CLEAN: &str = "DROP TABLE Ledger;
     CREATE TABLE Ledger (Id TEXT NOT NULL PRIMARY KEY, EventId TEXT NOT NULL, Amount INTEGER NOT NULL);
     CREATE UNIQUE INDEX UX_EventId ON Ledger (EventId);";

/// A directory with a database and its spec, where the program is run.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        std::fs::write(place.path("spec.yaml"), SPEC).unwrap();
        place.sql(DIRTY);
        place
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join(name)
    }

    fn sql(&self, text: &str) {
        let url = format!("sqlite:{}?mode=rwc", self.path("ledger.db").display());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime.unwrap().block_on(async {
            let db = Database::connect(url).await.unwrap();
            db.execute_unprepared(text).await.unwrap();
            db.close().await.unwrap();
        });
    }

    fn run(&self, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_seadrift"));
        command.current_dir(self.0.path()).stdin(Stdio::null());
        command.env_remove("DATABASE_URL");
        command.args(args).output().unwrap()
    }

    /// Runs a command that must succeed.
    fn must(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert!(output.status.success(), "{args:?}: {}", err(&output));
        err(&output) + &String::from_utf8_lossy(&output.stdout)
    }

    /// Checks the database; the exit code and the report.
    fn check(&self, flags: &[&str]) -> (i32, Value) {
        let args = [
            "check",
            "--url",
            "sqlite:ledger.db",
            "--spec",
            "spec.yaml",
            "--format",
            "json",
        ];
        let args = if flags.contains(&"--url") {
            [&args[..1], &args[3..]].concat()
        } else {
            args.to_vec()
        };
        let output = self.run(&[&args[..], flags].concat());
        let report = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", err(&output)));
        (output.status.code().unwrap(), report)
    }

    /// Checks the database and reads the report as a person does.
    fn read(&self, flags: &[&str]) -> (i32, String) {
        let args = ["check", "--url", "sqlite:ledger.db", "--spec", "spec.yaml"];
        let output = self.run(&[&args[..], flags].concat());
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        (output.status.code().unwrap(), text)
    }

    /// Writes the result of a check to `result.json`.
    fn keep(&self, flags: &[&str]) -> Value {
        let (_, report) = self.check(flags);
        std::fs::write(self.path("result.json"), report.to_string()).unwrap();
        report
    }

    fn waive(&self, report: &Value, rule: &str, expires: &str) -> Output {
        let fingerprint = finding(report, rule)["fingerprint"].as_str().unwrap().to_owned();
        self.run(&[
            "waiver",
            "add",
            "result.json",
            "--finding",
            &fingerprint,
            "--owner",
            "@team-orders",
            "--reason",
            "the writer is rebuilt in the next release",
            "--expires",
            expires,
            "--today",
            "2026-11-30",
        ])
    }
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn finding<'a>(report: &'a Value, rule: &str) -> &'a Value {
    let mut findings = report["findings"].as_array().unwrap().iter();
    findings
        .find(|finding| finding["rule"] == rule)
        .unwrap_or_else(|| panic!("no {rule} in {report:#}"))
}

#[test]
fn a_first_day_on_a_dirty_database_goes_from_a_baseline_over_a_waiver_to_new_drift() {
    let place = Place::new();
    let report = place.keep(&[]);
    assert_eq!(report["run"]["exit_code"], 1);
    place.must(&["baseline", "create", "result.json", "--today", "2026-11-30"]);

    let (code, report) = place.check(&["--baseline", "--today", "2026-12-05"]);
    assert_eq!(code, 0, "{report:#}");
    let known = &finding(&report, "column-type")["baseline"];
    assert_eq!(
        (&known["first_seen"], &known["age_days"]),
        (&"2026-11-30".into(), &5.into())
    );
    assert_eq!(report["summary"]["error"], 0);
    assert!(report["summary"]["known"].as_u64().unwrap() >= 2, "{report:#}");
    let (_, text) = place.read(&["--baseline", "--today", "2026-12-05"]);
    assert!(text.contains("known since 2026-11-30, 5 days"), "{text}");

    // A finding of that day gets an owner and an end instead.
    let added = place.waive(&report, "column-type", "2027-01-31");
    assert!(added.status.success(), "{}", err(&added));
    let (code, report) = place.check(&["--baseline", "--today", "2026-12-05"]);
    assert_eq!(code, 0, "{report:#}");
    assert_eq!(finding(&report, "column-type")["waiver"]["owner"], "@team-orders");
    assert!(finding(&report, "column-type")["baseline"].is_null());
    assert_eq!(report["summary"]["waived"], 1);

    place.sql("DROP INDEX UX_EventId");
    let (code, report) = place.check(&["--baseline", "--today", "2026-12-05"]);
    assert_eq!(code, 1, "{report:#}");
    assert!(finding(&report, "unique-missing")["baseline"].is_null());
    assert_eq!(report["baseline"]["new"], 1, "{report:#}");
}

#[test]
fn a_waiver_excuses_the_value_that_it_names_and_no_other() {
    let place = Place::new();
    let report = place.keep(&[]);
    assert!(place.waive(&report, "column-type", "2027-01-31").status.success());
    let (_, report) = place.check(&["--today", "2026-12-01"]);
    assert_eq!(report["waivers"][0]["state"], "active");
    assert_eq!(report["waivers"][0]["matched"], 1);

    place.sql(WORSE);
    let (code, report) = place.check(&["--today", "2026-12-01"]);
    assert_eq!(code, 1);
    assert!(finding(&report, "column-type")["waiver"].is_null());
    assert_eq!(report["waivers"][0]["state"], "stale");
    let note = report["waivers"][0]["note"].as_str().unwrap();
    assert!(note.contains("another value is found now"), "{note}");

    // Without a value it would excuse whatever comes.
    let file = std::fs::read_to_string(place.path("seadrift.waivers.yaml")).unwrap();
    let open: String = file
        .lines()
        .filter(|line| !line.contains("found:"))
        .map(|line| format!("{line}\n"))
        .collect();
    std::fs::write(place.path("seadrift.waivers.yaml"), open).unwrap();
    let (code, report) = place.check(&["--today", "2026-12-01"]);
    assert_eq!((code, &report["waivers"][0]["state"]), (1, &"invalid".into()));
}

#[test]
fn a_waiver_holds_on_its_last_day_and_says_loudly_that_it_expired() {
    let place = Place::new();
    let report = place.keep(&[]);
    assert!(place.waive(&report, "column-type", "2026-12-31").status.success());
    for (today, state, days_left) in [
        ("2026-12-16", "active", 15),
        ("2026-12-17", "expiring", 14),
        ("2026-12-31", "expiring", 0),
        ("2027-01-01", "expired", -1),
    ] {
        let (_, report) = place.check(&["--today", today]);
        let waiver = &report["waivers"][0];
        assert_eq!(
            (&waiver["state"], &waiver["days_left"]),
            (&state.into(), &days_left.into()),
            "{today}"
        );
        let excused = !finding(&report, "column-type")["waiver"].is_null();
        assert_eq!(excused, state != "expired", "{today}");
        assert_eq!(
            finding(&report, "column-type")["expired_waiver"].is_null(),
            excused,
            "{today}"
        );
    }
    let (code, text) = place.read(&["--today", "2027-01-03"]);
    assert_eq!(code, 1);
    assert!(
        text.contains("expired 3 days ago, on 2026-12-31 (owner @team-orders)"),
        "{text}"
    );
    let (_, text) = place.read(&["--today", "2026-12-20"]);
    assert!(text.contains("waived by column-type-"), "{text}");
    assert!(text.contains("11 days left"), "{text}");
}

#[test]
fn what_matches_nothing_is_stale_only_where_everything_was_seen() {
    let place = Place::new();
    let report = place.keep(&[]);
    assert!(place.waive(&report, "column-type", "2027-01-31").status.success());
    place.must(&["baseline", "create", "result.json", "--today", "2026-11-30"]);
    place.sql(CLEAN);
    let lost = place.keep(&["--url", "sqlite:none.db", "--baseline", "--today", "2026-12-01"]);
    assert_eq!(lost["waivers"][0]["state"], "active", "{lost:#}");
    assert_eq!(lost["baseline"]["gone"], 0);
    assert!(
        place
            .must(&["waiver", "prune", "result.json"])
            .contains("no waiver is stale")
    );
    assert!(
        place
            .must(&["baseline", "prune", "result.json"])
            .contains("findings taken out: 0,")
    );

    let seen = place.keep(&["--baseline", "--today", "2026-12-01"]);
    assert_eq!(seen["run"]["exit_code"], 0, "{seen:#}");
    assert_eq!(seen["waivers"][0]["state"], "stale");
    assert!(seen["baseline"]["gone"].as_u64().unwrap() >= 2);
    let listed = place.must(&["waiver", "list", "result.json", "--state", "stale"]);
    assert!(listed.contains("is stale"), "{listed}");
    place.must(&["waiver", "prune", "result.json", "--dry-run"]);
    assert!(
        std::fs::read_to_string(place.path("seadrift.waivers.yaml"))
            .unwrap()
            .contains("column-type")
    );
    place.must(&["waiver", "prune", "result.json"]);
    assert_eq!(place.must(&["waiver", "list"]), "no waiver\n");
    place.must(&["baseline", "prune", "result.json"]);
    let baseline = std::fs::read_to_string(place.path("seadrift.baseline.json")).unwrap();
    let baseline: Value = serde_json::from_str(&baseline).unwrap();
    let rules: Vec<&Value> = baseline["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| &entry["rule"])
        .collect();
    assert!(!rules.contains(&&"column-type".into()), "{rules:?}");
    assert!(!rules.contains(&&"column-nullability".into()), "{rules:?}");
}

#[test]
fn a_drift_that_costs_more_than_the_baseline_knew_is_new() {
    let place = Place::new();
    place.keep(&[]);
    place.must(&["baseline", "create", "result.json"]);
    let file = place.path("seadrift.baseline.json");
    let known = std::fs::read_to_string(&file).unwrap();
    for (severity, code) in [("critical", 0), ("warning", 1)] {
        let lines = known.lines().map(|line| match line.split_once("\"severity\": ") {
            Some((before, after)) => {
                let comma = if after.ends_with(',') { "," } else { "" };
                format!("{before}\"severity\": \"{severity}\"{comma}\n")
            }
            None => format!("{line}\n"),
        });
        let changed: String = lines.collect();
        assert!(changed.contains(severity), "{changed}");
        std::fs::write(&file, changed).unwrap();
        let (came, report) = place.check(&["--baseline"]);
        assert_eq!(came, code, "{severity}: {report:#}");
    }
}

#[test]
fn a_baseline_is_made_of_everything_or_not_at_all_and_never_by_accident() {
    let place = Place::new();
    place.keep(&["--url", "sqlite:none.db"]);
    let refused = place.run(&["baseline", "create", "result.json"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(err(&refused).contains("incomplete"), "{}", err(&refused));
    assert!(!place.path("seadrift.baseline.json").exists());

    place.keep(&[]);
    place.must(&["baseline", "create", "result.json", "--today", "2026-11-01"]);
    place.sql("DROP INDEX UX_EventId");
    place.keep(&[]);
    let refused = place.run(&["baseline", "create", "result.json"]);
    assert_eq!(refused.status.code(), Some(2));
    place.must(&[
        "baseline",
        "create",
        "result.json",
        "--replace",
        "--today",
        "2026-11-30",
    ]);
    let (code, report) = place.check(&["--baseline", "--today", "2026-11-30"]);
    assert_eq!(code, 0);
    assert_eq!(finding(&report, "column-type")["baseline"]["first_seen"], "2026-11-01");
    assert_eq!(
        finding(&report, "unique-missing")["baseline"]["first_seen"],
        "2026-11-30"
    );
}

#[test]
fn a_file_that_says_nothing_certain_is_refused_before_the_database_is_asked() {
    let place = Place::new();
    let waiver = |change: &str| {
        let [key, value] = change.splitn(2, '=').collect::<Vec<_>>()[..] else {
            panic!("no change")
        };
        let fields = [
            ("id", "W-1"),
            ("rule", "column-type"),
            ("target", "orders"),
            ("object", "Ledger.Amount"),
            ("found", "TEXT"),
            ("owner", "Ann"),
            ("reason", "it waits for the next release"),
            ("expires", "2026-12-31"),
        ];
        let lines: String = fields
            .iter()
            .map(|(name, old)| (name, if *name == key { value } else { old }))
            .filter(|(_, value)| !value.is_empty())
            .enumerate()
            .map(|(i, (name, value))| format!("  {} {name}: {value}\n", if i == 0 { "-" } else { " " }))
            .collect();
        format!("version: 1\nwaivers:\n{lines}")
    };
    for (change, words) in [
        ("expires=2026-13-01", "is not a date"),
        ("expires=soon", "is not a date"),
        ("expires=2026-1-1", "is not a date"),
        ("expires=", "has no `expires`"),
        ("owner=", "has no `owner`"),
        ("reason=", "has no `reason`"),
        ("reason=TODO write a reason", "explains nothing"),
        ("reason=short", "explains nothing"),
        ("rule=column-typ", "did you mean `column-type`?"),
        ("rule=C004", "write the rule's name: `column-type`"),
        ("rule=column-*", "write one waiver for each rule"),
        ("target=\"*\"", "is a pattern"),
        ("target=prod/*", "is a pattern"),
        ("object=\"Ledger.*\"", "is a pattern"),
    ] {
        std::fs::write(place.path("w.yaml"), waiver(change)).unwrap();
        let output = place.run(&[
            "check",
            "--url",
            "postgres://a:S3cr3t@127.0.0.1:1/x",
            "--spec",
            "spec.yaml",
            "--waivers",
            "w.yaml",
        ]);
        assert_eq!(output.status.code(), Some(2), "{change}: {}", err(&output));
        assert!(err(&output).contains(words), "{change}: {}", err(&output));
        assert!(err(&output).contains("w.yaml:"), "{change}: {}", err(&output));
        assert!(!err(&output).contains("S3cr3t"), "{change}");
    }
    for flags in [
        ["--waivers", "none.yaml"],
        ["--baseline", "none.json"],
        ["--baseline", "spec.yaml"],
        ["--today", "x"],
    ] {
        let output = place.run(
            &[
                &["check", "--url", "sqlite:ledger.db", "--spec", "spec.yaml"][..],
                &flags,
            ]
            .concat(),
        );
        assert_eq!(output.status.code(), Some(2), "{flags:?}: {}", err(&output));
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the run that rewrites expectations says so")]
fn the_published_schema_of_waivers_is_the_one_that_the_program_prints() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/seadrift-waivers.schema.json");
    let printed = Place::new().must(&["waiver", "schema"]);
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(path, &printed).unwrap();
    }
    assert_eq!(
        std::fs::read_to_string(path).unwrap(),
        printed,
        "run it with UPDATE_EXPECT=1"
    );
}
