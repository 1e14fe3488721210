//! The program as a user runs it: exit codes, what goes to which stream, and what never goes anywhere.

#![allow(
    clippy::unwrap_used,
    reason = "a test that panics has failed, and its lint knows test functions only"
)]

use std::path::Path;
use std::process::{Command, Stdio};

const SPEC: &str = "version: 1
service: notification
tables:
  ProcessedIntegrationEvents:
    role: ledger
    columns:
      Id: { type: uuid }
      EventId: { type: uuid }
    primary_key: [Id]
    indexes:
      UX_ProcessedEvents_EventId: { columns: [EventId], unique: true }
    ledger: { event_id: EventId }
";

const PASSWORD: &str = "S3cr3t-canary";

/// Port 1 of this machine answers nothing but a refusal.
const DOWN: &str = "postgres://app:S3cr3t-canary@127.0.0.1:1/ledger";

/// A directory with spec files, and the program run in it.
struct Place {
    dir: tempfile::TempDir,
}

impl Place {
    fn new(files: &[(&str, &str)]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = dir.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        Self { dir }
    }

    fn with_spec() -> Self {
        Self::new(&[("notification.yaml", SPEC)])
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.dir.path().join(name)
    }

    /// The program without whatever the environment of the tests says.
    fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_seadrift"));
        command.current_dir(self.dir.path()).stdin(Stdio::null());
        for name in [
            "DATABASE_URL",
            "NO_COLOR",
            "FORCE_COLOR",
            "CLICOLOR",
            "CLICOLOR_FORCE",
            "PGPASSWORD",
            "GITHUB_ACTIONS",
            "TF_BUILD",
        ] {
            command.env_remove(name);
        }
        command
    }

    #[track_caller]
    fn run<const N: usize>(&self, args: [&str; N]) -> Run {
        Run::of(self.command().args(args))
    }

    #[track_caller]
    fn run_on<const N: usize>(&self, url: &str, args: [&str; N]) -> Run {
        Run::of(self.command().env("DATABASE_URL", url).args(args))
    }
}

/// What a run left behind. Every run is searched for the password.
struct Run {
    code: i32,
    out: String,
    err: String,
}

impl Run {
    #[track_caller]
    fn of(command: &mut Command) -> Self {
        let output = command.output().unwrap();
        let run = Self {
            code: output.status.code().unwrap(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        };
        for form in [PASSWORD, "S3cr3t%2Dcanary"] {
            assert!(
                !run.out.contains(form) && !run.err.contains(form),
                "{}{}",
                run.out,
                run.err
            );
        }
        run
    }

    #[track_caller]
    fn fails_with(self, words: &[&str]) -> Self {
        assert_eq!(self.code, 2, "{}{}", self.out, self.err);
        assert_eq!(self.out, "", "a usage error leaves standard output empty");
        for word in words {
            assert!(self.err.contains(word), "{word:?} is not in:\n{}", self.err);
        }
        self
    }
}

#[test]
fn help_lists_what_works_and_shows_no_value_of_the_environment() {
    let place = Place::new(&[]);
    let run = place.run(["--help"]);
    assert_eq!(run.code, 0);
    for command in ["check", "diff", "explain", "rules"] {
        assert!(run.out.contains(&format!("\n  {command} ")), "{}", run.out);
    }
    let run = place.run_on(DOWN, ["check", "--help"]);
    assert_eq!(run.code, 0);
    assert!(run.out.contains("DATABASE_URL"), "{}", run.out);
}

#[test]
fn no_arguments_at_all_is_a_usage_error_that_shows_the_help() {
    let run = Place::new(&[]).run([]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("Usage:"), "{}", run.err);
}

#[test]
fn a_missing_database_is_a_usage_error() {
    let place = Place::with_spec();
    place
        .run(["check", "--spec", "notification.yaml"])
        .fails_with(&["no database is given", "DATABASE_URL"]);
    place.run_on("", ["check"]).fails_with(&["URL is empty"]);
}

#[test]
fn a_bad_url_is_refused_without_repeating_it() {
    let place = Place::with_spec();
    for (url, words) in [
        (
            "postgres://app:S3cr3t-canary/x@db/ledger",
            "percent-encode the password",
        ),
        (
            "postgres://app:S3cr3t-canary@db/ledger?sslmod=verify-full",
            "did you mean `sslmode`?",
        ),
        ("postgres://app:S3cr3t-canary@db:99999/ledger", "port"),
        ("postgres://app:S3cr3t-canary@db", "no database"),
        ("postgres://app:S3cr3t-canary", "port"),
        ("oracle://app:S3cr3t-canary@db/ledger", "not supported"),
        ("Host=db;Password=S3cr3t-canary", "connection string"),
        ("S3cr3t-canary", "no scheme"),
    ] {
        for command in ["check", "diff"] {
            place
                .run_on(url, [command, "--spec", "notification.yaml"])
                .fails_with(&["error: ", words]);
            place
                .run([command, "--spec", "notification.yaml", "--url", url])
                .fails_with(&[words]);
        }
    }
}

#[test]
fn a_url_in_the_wrong_place_is_not_repeated() {
    let place = Place::with_spec();
    place
        .run(["check", DOWN])
        .fails_with(&["the name of a target is wanted"]);
    place.run([DOWN]).fails_with(&["unrecognized subcommand"]);
    place.run(["explain", "x", DOWN]).fails_with(&["unexpected argument"]);
}

#[test]
fn a_password_on_the_command_line_is_warned_about() {
    let place = Place::with_spec();
    let typed = place.run(["check", "--spec", "notification.yaml", "--url", DOWN]);
    assert!(
        typed.err.contains("warning: a password on the command line"),
        "{}",
        typed.err
    );
    let quiet = place.run(["check", "--spec", "notification.yaml", "--url", DOWN, "-q"]);
    assert_eq!(quiet.err, "");
    let from_environment = place.run_on(DOWN, ["check", "--spec", "notification.yaml"]);
    assert_eq!(
        from_environment.err, "note: the database is postgres://app@127.0.0.1:1/ledger\n",
        "what did not answer is named without its password"
    );
}

#[test]
fn an_unreachable_server_is_incomplete_and_names_what_was_not_checked() {
    let place = Place::with_spec();
    let run = place.run_on(DOWN, ["check", "--spec", "notification.yaml"]);
    assert_eq!(run.code, 4, "{}{}", run.out, run.err);
    assert!(run.out.contains("ProcessedIntegrationEvents"), "{}", run.out);
    assert!(
        run.out.trim_end().lines().last().unwrap().starts_with("incomplete: "),
        "{}",
        run.out
    );

    let run = place.run_on(DOWN, ["check", "--spec", "notification.yaml", "--format", "json"]);
    assert_eq!(run.code, 4);
    let json: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(json["run"]["exit_code"], 4);
    assert_eq!(json["run"]["complete"], false);
    assert_eq!(json["targets"][0]["unverified"][0]["object"]["aspect"], "target");

    let run = place.run_on(DOWN, ["check", "--spec", "notification.yaml", "--allow-incomplete"]);
    assert_eq!(run.code, 0);
    assert!(run.out.contains("incomplete, but allowed"), "{}", run.out);

    assert_eq!(place.run_on(DOWN, ["diff", "--spec", "notification.yaml"]).code, 4);
}

#[test]
fn a_missing_sqlite_file_is_incomplete_and_is_not_created() {
    let place = Place::with_spec();
    let run = place.run_on("sqlite:absent.db", ["check", "--spec", "notification.yaml"]);
    assert_eq!(run.code, 4, "{}{}", run.out, run.err);
    assert!(!place.path("absent.db").exists());
}

/// Makes a SQLite file with the given statements.
fn make_sqlite(path: &Path, sql: &str) {
    use sea_orm::ConnectionTrait as _;
    let url = format!("sqlite://{}?mode=rwc", path.display());
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let database = sea_orm::Database::connect(url).await.unwrap();
        database.execute_unprepared(sql).await.unwrap();
        database.close().await.unwrap();
    });
}

#[test]
fn a_ledger_is_checked_and_diffed() {
    let good =
        "CREATE TABLE \"ProcessedIntegrationEvents\" (\"Id\" TEXT NOT NULL PRIMARY KEY, \"EventId\" TEXT NOT NULL);
        CREATE UNIQUE INDEX \"UX_ProcessedEvents_EventId\" ON \"ProcessedIntegrationEvents\" (\"EventId\");";
    let place = Place::with_spec();
    make_sqlite(&place.path("good.db"), good);
    make_sqlite(
        &place.path("drift.db"),
        &good.replace("\"EventId\" TEXT NOT NULL", "\"EventId\" TEXT"),
    );
    make_sqlite(&place.path("other.db"), "CREATE TABLE unrelated (x INTEGER)");
    make_sqlite(&place.path("empty.db"), "PRAGMA user_version = 1");

    for (file, check, diff) in [("good", 0, 0), ("drift", 1, 1), ("other", 1, 1), ("empty", 4, 4)] {
        let url = format!("sqlite:{file}.db");
        let run = place.run_on(&url, ["check", "--spec", "notification.yaml"]);
        assert_eq!(run.code, check, "{file}: {}{}", run.out, run.err);
        let run = place.run_on(&url, ["diff", "--spec", "notification.yaml"]);
        assert_eq!(run.code, diff, "{file}: {}{}", run.out, run.err);
        assert_eq!(run.out.is_empty(), diff != 1, "{file}: {}", run.out);
    }
    let run = place.run_on("sqlite:drift.db", ["diff", "--spec", "notification.yaml"]);
    let removed: Vec<&str> = run.out.lines().filter(|line| line.starts_with("-  ")).collect();
    let added: Vec<&str> = run.out.lines().filter(|line| line.starts_with("+  ")).collect();
    assert_eq!(removed, ["-  EventId uuid not null"]);
    assert_eq!(added, ["+  EventId uuid null"]);
}

#[test]
fn bad_specs_are_usage_errors() {
    let other = SPEC.replace("notification", "asset");
    let place = Place::new(&[
        ("notification.yaml", SPEC),
        ("broken.yaml", "version: 1\nservice: [\n"),
        ("many/notification.yaml", SPEC),
        ("many/asset.yaml", &other),
        ("empty/readme.md", ""),
    ]);
    for (spec, words) in [
        ("absent.yaml", &["absent.yaml"][..]),
        ("broken.yaml", &["broken.yaml:"][..]),
        ("empty", &["empty"][..]),
        (
            "many",
            &["several services", "pick one with --service: asset, notification"][..],
        ),
    ] {
        place.run_on(DOWN, ["check", "--spec", spec]).fails_with(words);
    }
    place
        .run_on(DOWN, ["check", "--spec", "many", "--service", "notifcation"])
        .fails_with(&["did you mean `notification`?", "asset, notification"]);
    place
        .run_on(DOWN, ["check"])
        .fails_with(&["no spec is given", "--spec"]);
    assert_eq!(
        place
            .run_on(DOWN, ["check", "--spec", "many", "--service", "asset"])
            .code,
        4
    );
}

#[test]
fn the_directory_specs_is_used_where_it_is() {
    let place = Place::new(&[("specs/notification.yaml", SPEC)]);
    assert_eq!(place.run_on(DOWN, ["check"]).code, 4);
}

#[test]
fn limits_are_checked_before_anything_else() {
    let place = Place::with_spec();
    for (option, value) in [
        ("--connect-timeout", "0s"),
        ("--lock-timeout", "2"),
        ("--statement-timeout", "soon"),
    ] {
        place.run(["check", option, value]).fails_with(&[option]);
    }
}

#[test]
fn a_report_goes_to_a_file_that_only_its_owner_can_read() {
    let place = Place::with_spec();
    let run = place.run_on(
        DOWN,
        [
            "check",
            "--spec",
            "notification.yaml",
            "--format",
            "json",
            "--output",
            "out.json",
        ],
    );
    assert_eq!(run.code, 4);
    assert_eq!(run.out, "");
    assert!(run.err.starts_with("incomplete: "), "{}", run.err);
    let json = std::fs::read_to_string(place.path("out.json")).unwrap();
    assert!(serde_json::from_str::<serde_json::Value>(&json).is_ok());
    assert!(!json.contains(PASSWORD));
    assert_eq!(
        names(place.dir.path()),
        ["notification.yaml", "out.json"],
        "no draft is left behind"
    );
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = place.path("out.json").metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}

fn names(dir: &Path) -> Vec<String> {
    let mut names: Vec<String> = dir
        .read_dir()
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_report_that_cannot_be_written_is_an_error_before_the_work_begins() {
    let place = Place::new(&[("notification.yaml", SPEC), ("folder/x", "")]);
    for output in ["absent/out.json", "folder"] {
        let run = place.run_on(DOWN, ["check", "--spec", "notification.yaml", "--output", output]);
        run.fails_with(&["cannot be written", output]);
    }
}

#[test]
fn quiet_twice_leaves_the_exit_code_alone() {
    let place = Place::with_spec();
    let run = place.run_on(DOWN, ["check", "--spec", "notification.yaml", "-qq"]);
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (4, "", ""));
}

#[test]
fn colours_follow_the_option_and_the_environment() {
    let place = Place::with_spec();
    let colored = |args: &[&str], env: &[(&str, &str)]| {
        let mut command = place.command();
        command.env("DATABASE_URL", DOWN).envs(env.iter().copied());
        let run = Run::of(command.args(["check", "--spec", "notification.yaml"]).args(args));
        run.out.contains('\u{1b}')
    };
    assert!(!colored(&[], &[]), "a pipe has no colours");
    assert!(colored(&["--color", "always"], &[("NO_COLOR", "1")]));
    assert!(colored(&[], &[("FORCE_COLOR", "1")]));
    assert!(colored(&[], &[("CLICOLOR_FORCE", "1")]));
    assert!(!colored(&[], &[("FORCE_COLOR", "1"), ("NO_COLOR", "1")]));
    assert!(!colored(&[], &[("FORCE_COLOR", "0")]));
    assert!(!colored(&["--color", "never"], &[("FORCE_COLOR", "1")]));
}

#[test]
fn an_unknown_rule_is_a_usage_error_that_points_to_the_list() {
    let place = Place::new(&[]);
    place
        .run(["explain", "no-such-rule-at-all"])
        .fails_with(&["there is no rule `no-such-rule-at-all`", "seadrift rules"]);
    place.run(["explain", "evil\u{1b}[2J"]).fails_with(&["evil\\u{1b}[2J"]);
}

#[test]
fn every_rule_can_be_explained_by_name_and_code_and_is_listed() {
    let place = Place::new(&[]);
    let list = place.run(["rules"]);
    let json = place.run(["rules", "--format", "json"]);
    let markdown = place.run(["rules", "--format", "markdown"]);
    assert_eq!((list.code, json.code, markdown.code), (0, 0, 0));
    let json: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(json.as_array().unwrap().len(), seadrift::rules::RULES.len());
    for rule in seadrift::rules::RULES {
        assert!(list.out.contains(rule.code) && list.out.contains(rule.name));
        assert!(markdown.out.contains(&format!("\n## {} ({})\n", rule.name, rule.code)));
    }
    // One process for each would take long and tell no more.
    for rule in seadrift::rules::RULES.iter().take(2) {
        let by_name = place.run(["explain", rule.name]);
        let by_code = place.run(["explain", &rule.code.to_lowercase()]);
        assert_eq!(by_name.code, 0);
        assert_eq!(by_name.out, by_code.out);
        assert!(by_name.out.starts_with(&format!("# {} ({})\n", rule.name, rule.code)));
    }
}

#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_is_no_error() {
    let place = Place::with_spec();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = place.command();
    command
        .args(["check", "--spec", "notification.yaml", "-q"])
        .env("DATABASE_URL", DOWN);
    let mut child = command.stdout(writer).stderr(Stdio::piped()).spawn().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(4));
    let mut err = String::new();
    std::io::Read::read_to_string(&mut child.stderr.take().unwrap(), &mut err).unwrap();
    assert_eq!(err, "");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let place = Place::with_spec();
    let run = place.run_on(DOWN, ["check", "--spec", "notification.yaml", "--output", "/dev/full"]);
    run.fails_with(&["`/dev/full` cannot be written", "caused by: "]);
}

#[test]
fn a_demo_shows_a_missing_retention_job_its_explanation_and_its_repair() {
    let place = Place::with_spec();
    let run = place.run(["demo"]);
    assert_eq!(run.code, 0, "{}", run.err);
    for words in [
        "notification: rows of last spring are still there",
        "error[R008] retention-overdue: rows of `ProcessedIntegrationEvents` that are 120d old",
        "no job was seen",
        "  seadrift explain retention-overdue\n",
        "  seadrift retention install --scheduler pg-cron",
    ] {
        let said = run.out.replace("\n    ", " ");
        assert!(said.contains(words), "{words:?} is not in:\n{}", run.out);
    }
    // What it tells to type works, on what it keeps.
    let kept = place.run(["demo", "--keep", "kept"]);
    let spec = place.path("kept/notification.yaml");
    let url = format!("sqlite:{}", place.path("kept/notification.db").display());
    let status = ["retention", "status", "--data", "--spec", spec.to_str().unwrap()];
    assert_eq!((kept.code, place.run_on(&url, status).code), (0, 1));
    let install = [
        "retention",
        "install",
        "--scheduler",
        "pg-cron",
        "--spec",
        spec.to_str().unwrap(),
    ];
    assert!(place.run(install).out.contains("cron.schedule("));
}

#[test]
fn a_status_without_evidence_is_incomplete_and_one_without_retention_says_so() {
    let place = Place::with_spec();
    place
        .run(["retention", "status", "--spec", "notification.yaml"])
        .fails_with(&["DATABASE_URL"]);
    let status = ["retention", "status", "--spec", "notification.yaml"];
    let down = place.run_on(DOWN, status);
    assert_eq!(down.code, 4, "{}", down.out);
    assert!(
        down.out.contains("Nothing accepts connections") && down.out.contains("incomplete: "),
        "{}",
        down.out
    );
    let json = place.run_on(
        DOWN,
        ["retention", "status", "--spec", "notification.yaml", "--format", "json"],
    );
    let json: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(
        (&json["ledgers"], &json["run"]["exit_code"]),
        (&serde_json::json!([]), &serde_json::json!(4))
    );
    let help = place.run(["retention", "status", "--help"]).out;
    for word in [
        "--data",
        "--scheduler-url",
        "--schema",
        "--service",
        "--statement-timeout",
        "never called missing",
    ] {
        assert!(help.contains(word), "{word} is not in:\n{help}");
    }
}
