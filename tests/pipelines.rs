//! Reports in pipelines: one pass and many files, what shows by itself, and what goes to which stream.

#![allow(
    clippy::unwrap_used,
    reason = "a test that panics has failed, and its lint knows test functions only"
)]

use std::path::PathBuf;
use std::process::{Command, Stdio};

use seadrift::report::Format;
use serde_json::Value;

/// A repository with a folder that holds a spec and a SQLite ledger which differs from it.
struct Place {
    dir: tempfile::TempDir,
}

/// What a run left behind.
struct Run {
    code: i32,
    out: String,
    err: String,
}

const SPEC: &str = "version: 1
service: asset
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

/// Nothing answers there but a refusal.
const DOWN: &str = "postgres://app@127.0.0.1:1/ledger";

/// The index is there, and refuses nothing.
const DRIFTED: &str = "sqlite:drift.db";

impl Place {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(dir.path().join(".git")).unwrap();
        let place = Self { dir };
        std::fs::create_dir_all(place.path("")).unwrap();
        std::fs::write(place.path("asset.yaml"), SPEC).unwrap();
        place.make_ledger();
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join("ledgers").join(name)
    }

    fn make_ledger(&self) {
        use sea_orm::ConnectionTrait as _;
        let url = format!("sqlite://{}?mode=rwc", self.path("drift.db").display());
        let sql = r#"CREATE TABLE "ProcessedIntegrationEvents" ("Id" TEXT NOT NULL PRIMARY KEY, "EventId" TEXT NOT NULL);
            CREATE INDEX "UX_ProcessedEvents_EventId" ON "ProcessedIntegrationEvents" ("EventId");"#;
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

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    fn run(&self, args: &[&str], env: &[(&str, &str)]) -> Run {
        let mut command = Command::new(env!("CARGO_BIN_EXE_seadrift"));
        command.current_dir(self.path("")).stdin(Stdio::null()).env_clear();
        let output = command.args(args).envs(env.iter().copied()).output().unwrap();
        Run {
            code: output.status.code().unwrap(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    fn check(&self, url: &str, args: &[&str], env: &[(&str, &str)]) -> Run {
        let args = [&["check", "--spec", "asset.yaml", "--url", url], args].concat();
        self.run(&args, env)
    }

    fn names(&self) -> Vec<String> {
        let entries = self.path("").read_dir().unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

#[test]
fn one_pass_writes_every_format_beside_the_report_on_the_screen() {
    let place = Place::new();
    let requests: Vec<String> = Format::ALL.iter().map(|f| format!("{0}=out.{0}", f.as_str())).collect();
    let args: Vec<&str> = requests.iter().flat_map(|request| ["--report", request]).collect();
    let run = place.check(DRIFTED, &args, &[]);
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
    assert!(run.out.starts_with("critical[I002] unique-missing: "), "{}", run.out);
    assert_eq!(run.err, "");
    for format in Format::ALL {
        let text = place.read(&format!("out.{}", format.as_str()));
        let is_named = ["unique-missing", "critical"].iter().any(|words| text.contains(words));
        assert!(is_named, "{}: {text}", format.as_str());
    }
    assert_eq!(place.read("out.text"), run.out);
    assert_eq!(place.names().len(), 2 + Format::ALL.len(), "no draft is left behind");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = |name: &str| place.path(name).metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!((mode("out.json"), mode("out.prometheus")), (0o600, 0o644));
    }
}

#[test]
fn the_stream_can_be_given_to_any_report_and_the_screen_to_none() {
    let place = Place::new();
    let run = place.check(DRIFTED, &["--report", "json=-", "--report", "text=t.txt"], &[]);
    assert_eq!(run.code, 1);
    let result: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(result["run"]["exit_code"], 1);
    assert!(place.read("t.txt").contains("unique-missing"));
    let run = place.check(DRIFTED, &["--output", "t.txt", "--report", "json=j.json"], &[]);
    assert_eq!((run.code, run.out.as_str()), (1, ""));
    assert_eq!(
        run.err,
        "drift: 1 finding at or above error (1 critical); 1 target checked\n"
    );
    let run = place.check(DRIFTED, &["-qq", "--report", "json=k.json"], &[]);
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (1, "", ""));
    assert!(place.read("k.json").contains("unique-missing"));
}

#[test]
fn a_report_that_cannot_be_written_stops_the_run_before_it_connects() {
    let place = Place::new();
    std::fs::create_dir(place.path("folder")).unwrap();
    for (args, words) in [
        (&["--report", "sarif=absent/x.sarif"][..], "absent/x.sarif"),
        (&["--report", "json=ok.json", "--report", "junit=folder"], "folder"),
        (&["--report", "json=x", "--report", "sarif=./x"], "two reports go to"),
        (&["--report", "json=x", "--output", "x"], "two reports go to"),
        (
            &["--report", "json=-", "--format", "text"],
            "two reports go to standard output",
        ),
        (&["--report", "pdf=x"], "there is no format `pdf`"),
        (&["--source-root", "absent"], "no directory"),
    ] {
        let run = place.check(DOWN, args, &[]);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{args:?}: {}", run.err);
        assert!(run.err.contains(words), "{words:?} is not in {}", run.err);
    }
    assert_eq!(
        place.names(),
        ["asset.yaml", "drift.db", "folder"],
        "and leaves nothing behind"
    );
}

#[test]
fn a_failed_report_does_not_take_the_others_along() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let place = Place::new();
    let run = place.check(DRIFTED, &["--report", "json=/dev/full", "--report", "junit=j.xml"], &[]);
    assert_eq!(run.code, 2, "{}", run.err);
    assert!(run.err.contains("`/dev/full`"), "{}", run.err);
    assert!(place.read("j.xml").contains("unique-missing"));
    assert!(run.out.contains("unique-missing"));
}

#[test]
fn github_shows_annotations_and_a_summary_by_itself() {
    let place = Place::new();
    let summary = place.path("summary.md");
    std::fs::write(&summary, "what ran before\n\n").unwrap();
    let github = [
        ("GITHUB_ACTIONS", "true"),
        ("GITHUB_STEP_SUMMARY", summary.to_str().unwrap()),
    ];
    let run = place.check(DRIFTED, &["--format", "json"], &github);
    assert_eq!(run.code, 1);
    assert!(
        serde_json::from_str::<Value>(&run.out).is_ok(),
        "standard output holds the report alone"
    );
    let expected = "::error file=ledgers/asset.yaml,line=11,endLine=11,";
    assert!(run.err.starts_with(expected), "{}", run.err);
    let text = std::fs::read_to_string(&summary).unwrap();
    assert!(text.starts_with("what ran before\n\n### seadrift: drift\n"), "{text}");

    let run = place.check(DRIFTED, &["--format", "github"], &github);
    assert!(run.out.starts_with("::error "), "{}", run.out);
    assert_eq!(run.err, "", "what was asked for is not said twice");

    let before = std::fs::read_to_string(&summary).unwrap();
    let run = place.check(DRIFTED, &["--ci", "none"], &github);
    assert_eq!((run.code, run.err.as_str()), (1, ""));
    assert_eq!(std::fs::read_to_string(&summary).unwrap(), before);
    assert!(
        place
            .check(DRIFTED, &["--ci", "github"], &[])
            .err
            .starts_with("::error ")
    );
}

#[test]
fn a_summary_that_cannot_be_written_is_a_warning() {
    let place = Place::new();
    let full = place.path("full.md");
    std::fs::write(&full, "x".repeat(900 * 1024)).unwrap();
    for (path, words) in [
        ("absent/summary.md", "cannot be written"),
        ("full.md", "have filled it"),
    ] {
        let github = [("GITHUB_ACTIONS", "true"), ("GITHUB_STEP_SUMMARY", path)];
        let run = place.check(DRIFTED, &[], &github);
        assert_eq!(run.code, 1);
        assert!(run.err.contains("warning: ") && run.err.contains(words), "{}", run.err);
    }
}

#[test]
fn azure_shows_issues_and_takes_a_summary() {
    let place = Place::new();
    let dir = place.path("agent");
    std::fs::create_dir(&dir).unwrap();
    let azure = [("TF_BUILD", "True"), ("AGENT_TEMPDIRECTORY", dir.to_str().unwrap())];
    let run = place.check(DRIFTED, &[], &azure);
    let mut lines = run.err.lines();
    let issue = lines.next().unwrap();
    assert!(
        issue.starts_with("##vso[task.logissue type=error;sourcepath=ledgers/asset.yaml;linenumber=11;"),
        "{issue}"
    );
    let mut files = lines.filter_map(|line| line.strip_prefix("##vso[task.uploadsummary]"));
    let file = files.next().unwrap();
    assert!(
        std::fs::read_to_string(file)
            .unwrap()
            .starts_with("### seadrift: drift\n")
    );
}

#[test]
fn files_are_named_from_the_root_of_the_repository_or_from_the_one_that_is_named() {
    let place = Place::new();
    let path = |args: &[&str]| {
        let run = place.check(DRIFTED, &[&["--format", "gitlab"], args].concat(), &[]);
        let entries: Value = serde_json::from_str(&run.out).unwrap();
        entries[0]["location"]["path"].as_str().unwrap().to_owned()
    };
    assert_eq!(path(&[]), "ledgers/asset.yaml");
    assert_eq!(path(&["--source-root", "."]), "asset.yaml");
}

#[test]
fn a_target_has_the_name_that_it_is_given() {
    let place = Place::new();
    let run = place.check(DRIFTED, &["--name", "prod/asset", "--format", "json"], &[]);
    let result: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(result["targets"][0]["name"], "prod/asset");
    assert_eq!(result["findings"][0]["target"], "prod/asset");
    assert_eq!(result["targets"][0]["spec"], "asset.yaml");
    assert_eq!(place.check(DRIFTED, &["--name", ""], &[]).code, 2);
}

#[test]
fn a_result_is_rendered_as_the_check_would_have_done_it() {
    let place = Place::new();
    let github = [("GITHUB_ACTIONS", "true")];
    let requests: Vec<String> = Format::ALL
        .iter()
        .map(|f| format!("{0}=check.{0}", f.as_str()))
        .collect();
    let args: Vec<&str> = requests.iter().flat_map(|request| ["--report", request]).collect();
    assert_eq!(place.check(DRIFTED, &args, &[]).code, 1);
    for format in Format::ALL {
        let request = format!("{0}=render.{0}", format.as_str());
        let run = place.run(&["render", "check.json", "--report", &request], &github);
        assert_eq!((run.code, run.err.as_str()), (0, ""));
        let of = |command: &str| place.read(&format!("{command}.{}", format.as_str()));
        assert_eq!(of("check"), of("render"), "{}", format.as_str());
    }
    let run = place.run(&["render", "check.json"], &github);
    assert!(run.out.starts_with("critical[I002] unique-missing: "), "{}", run.out);
    assert_eq!(run.err, "", "the check has told the pipeline already");
    let run = place.run(&["render", "check.json", "--ci", "github"], &[]);
    assert!(run.err.starts_with("::error "), "{}", run.err);
}

#[test]
fn what_is_no_result_is_refused_with_its_reason() {
    let place = Place::new();
    place.check(DRIFTED, &["--output", "good.json", "--format", "json"], &[]);
    let good: Value = serde_json::from_str(&place.read("good.json")).unwrap();
    let with = |pointer: &str, value: Value| {
        let mut result = good.clone();
        *result.pointer_mut(pointer).unwrap() = value;
        result.to_string()
    };
    for (text, words) in [
        (String::new(), "it is empty"),
        (good.to_string()[..1500].to_owned(), "it is cut off: it ends in line 1"),
        ("{\"findings\": []}".to_owned(), "not a result of seadrift"),
        (with("/schema_version", "2.0".into()), "version 2.0, made by seadrift"),
        (
            with("/findings", Value::Null).replace("\"1.0\"", "\"2.1\""),
            "version 2.1, made by seadrift",
        ),
        (with("/findings/0/severity", "fatal".into()), "unknown variant `fatal`"),
        (
            with("/findings/0/target", "other".into()),
            "a finding in `other`, but no such target",
        ),
        (with("/findings/0/location/line", 0.into()), "no place in a file"),
    ] {
        std::fs::write(place.path("bad.json"), text).unwrap();
        for command in ["render", "merge"] {
            let run = place.run(&[command, "bad.json"], &[]);
            assert_eq!((run.code, run.out.as_str()), (2, ""), "{words}: {}", run.err);
            assert!(run.err.contains(words), "{words:?} is not in {}", run.err);
        }
    }
    assert_eq!(place.run(&["render", "absent.json"], &[]).code, 2);
    assert_eq!(place.run(&["merge"], &[]).code, 2);
    let mut later = good.clone();
    later["schema_version"] = "1.9".into();
    later["of_the_future"] = true.into();
    later["findings"][0]["object"]["of_the_future"] = true.into();
    std::fs::write(place.path("later.json"), later.to_string()).unwrap();
    let run = place.run(&["render", "later.json"], &[]);
    assert_eq!(run.code, 0, "keys may be added within a major version: {}", run.err);
}

#[test]
fn results_are_joined_and_judged_anew() {
    let place = Place::new();
    let check = |url: &str, name: &str, args: &[&str]| {
        let output = format!("{name}.json");
        let args = [&["--name", name, "--format", "json", "--output", &output], args].concat();
        place.check(url, &args, &[]).code
    };
    assert_eq!(check(DRIFTED, "prod", &[]), 1);
    assert_eq!(check(DRIFTED, "test", &["--fail-on", "never"]), 0);
    assert_eq!(check(DOWN, "dr", &[]), 4);
    let merge = |args: &[&str]| {
        let run = place.run(&[&["merge"], args].concat(), &[]);
        (run.code, run.out, run.err)
    };
    assert_eq!(merge(&["test.json"]).0, 0);
    assert_eq!(merge(&["dr.json"]).0, 4);
    assert_eq!(merge(&["dr.json", "test.json"]).0, 5, "the strictest threshold holds");
    let (code, out, _) = merge(&["dr.json", "prod.json", "test.json", "--format", "json"]);
    assert_eq!(code, 5);
    let result: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(result["run"]["exit_code"], 5);
    assert_eq!(result["run"]["fail_on"], "error");
    let expected = serde_json::json!({ "critical": 2, "checked": 2, "incomplete": 1 });
    for (key, value) in expected.as_object().unwrap() {
        assert_eq!(&result["summary"][key], value, "{key}");
    }
    let other_order = merge(&["test.json", "prod.json", "dr.json", "--format", "json"]).1;
    assert_eq!(out, other_order, "the order of the files means nothing");
    std::fs::copy(place.path("prod.json"), place.path("again.json")).unwrap();
    let (code, _, err) = merge(&["prod.json", "again.json"]);
    assert_eq!(code, 2);
    assert!(
        err.contains("two results speak of the target `prod`") && err.contains("check --name"),
        "{err}"
    );
}

#[test]
fn what_one_run_excused_stays_excused_in_the_joined_report() {
    let place = Place::new();
    let check = |output: &str, args: &[&str]| {
        let name = output.trim_end_matches(".json");
        let args = [&["--name", name, "--format", "json", "--output", output], args].concat();
        let code = place.check(DRIFTED, &args, &[]).code;
        let result: Value = serde_json::from_str(&place.read(output)).unwrap();
        (code, result["findings"].as_array().unwrap().len())
    };
    let (code, all) = check("prod.json", &[]);
    assert_eq!(code, 1);
    let run = place.run(&["baseline", "create", "prod.json", "--baseline", "known.json"], &[]);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert_eq!(check("prod.json", &["--baseline", "known.json"]), (0, all));
    assert_eq!(check("test.json", &["--fail-on", "never"]), (0, all));
    let run = place.run(&["merge", "prod.json", "test.json", "--format", "json"], &[]);
    assert_eq!(run.code, 1, "the other one counts");
    let result: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(result["summary"]["critical"], 1);
    assert_eq!(result["summary"]["known"], all);
    assert_eq!(result["baseline"]["known"], all);
    assert_eq!(place.run(&["merge", "prod.json"], &[]).code, 0);
}

#[test]
fn a_result_comes_from_standard_input() {
    let place = Place::new();
    place.check(DRIFTED, &["--output", "good.json", "--format", "json"], &[]);
    let mut command = Command::new(env!("CARGO_BIN_EXE_seadrift"));
    command.args(["render", "-", "--format", "concise"]).env_clear();
    let file = std::fs::File::open(place.path("good.json")).unwrap();
    let output = command.stdin(file).output().unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    assert!(out.starts_with("asset.yaml:11:"), "{out}");
}

#[test]
fn sarif_of_very_many_targets_makes_files_that_code_scanning_takes() {
    let place = Place::new();
    place.check(DRIFTED, &["--report", "json=one.json"], &[]);
    let one: Value = serde_json::from_str(&place.read("one.json")).unwrap();
    let mut many = one.clone();
    let target = |i: usize| {
        let mut target = one["targets"][0].clone();
        target["name"] = format!("zone-{i:02}/asset").into();
        target
    };
    many["targets"] = (0..41).map(target).collect();
    many["findings"] = Value::Array(Vec::new());
    std::fs::write(place.path("many.json"), many.to_string()).unwrap();

    let run = place.run(&["render", "many.json", "--report", "sarif=drift.sarif"], &[]);
    assert_eq!(run.code, 0, "{}", run.err);
    for (name, runs) in [("drift.sarif", 20), ("drift-2.sarif", 20), ("drift-3.sarif", 1)] {
        let log: Value = serde_json::from_str(&place.read(name)).unwrap();
        assert_eq!(log["runs"].as_array().unwrap().len(), runs, "{name}");
        assert_eq!(run.err.contains(name), name != "drift.sarif", "{}", run.err);
    }
    // Nobody else's report is written over.
    let both = [
        "render",
        "many.json",
        "--report",
        "sarif=drift.sarif",
        "--report",
        "json=drift-2.sarif",
    ];
    let run = place.run(&both, &[]);
    assert_eq!(run.code, 2, "{}", run.err);
    assert!(run.err.contains("two reports go to"), "{}", run.err);

    let run = place.run(&["render", "many.json", "--format", "sarif"], &[]);
    let log: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(log["runs"].as_array().unwrap().len(), 41, "a stream has all of them");
    assert!(
        run.err.starts_with("warning: code scanning does not take so many"),
        "{}",
        run.err
    );
    let run = place.run(&["render", "one.json", "--format", "sarif"], &[]);
    assert_eq!(run.err, "");
}

#[test]
fn a_page_links_to_the_lines_of_the_commit_that_the_pipeline_runs_for() {
    let place = Place::new();
    let line = "/ledgers/asset.yaml#L11\"";
    let github = [
        ("GITHUB_SERVER_URL", "https://github.example"),
        ("GITHUB_REPOSITORY", "team/ledgers"),
        ("GITHUB_SHA", "c0ffee"),
    ];
    let page = |args: &[&str], env: &[(&str, &str)]| {
        let args = [&["--report", "html=drift.html"], args].concat();
        place.check(DRIFTED, &args, env);
        place.read("drift.html")
    };
    assert!(page(&[], &github).contains(&format!("href=\"https://github.example/team/ledgers/blob/c0ffee{line}")));
    let named = ["--source-url", "https://forge.example/src/{path}#L{line}"];
    assert!(page(&named, &github).contains(&format!("href=\"https://forge.example/src{line}")));
    for (args, env) in [(&["--ci", "none"][..], &github[..]), (&[], &[])] {
        let page = page(args, env);
        assert!(!page.contains("#L11") && page.contains("<code>ledgers/asset.yaml:11</code>"));
    }
    let run = place.check(DRIFTED, &["--source-url", "file:///{path}"], &[]);
    assert_eq!(run.code, 2, "{}", run.err);
}

#[test]
fn a_page_has_the_difference_with_and_without_a_database() {
    let place = Place::new();
    place.check(
        DRIFTED,
        &["--report", "html=drift.html", "--report", "json=drift.json"],
        &[],
    );
    let diff = place.run(&["diff", "--spec", "asset.yaml", "--url", DRIFTED], &[]).out;
    let index = "-  unique index UX_ProcessedEvents_EventId (EventId)\n+  index UX_ProcessedEvents_EventId (EventId)\n";
    assert!(diff.contains(index), "{diff}");
    let result: Value = serde_json::from_str(&place.read("drift.json")).unwrap();
    let hunks = result["targets"][0]["diffs"][0]["diff"].as_str().unwrap();
    let (_, without_names) = diff.split_once("@@").unwrap();
    assert_eq!(hunks, format!("@@{without_names}"));
    place.run(&["render", "drift.json", "--report", "html=again.html"], &[]);
    assert!(place.read("drift.html") == place.read("again.html"));
}

#[cfg(unix)]
#[test]
fn what_has_no_end_is_no_result_and_no_baseline() {
    let place = Place::new();
    let made = Command::new("mkfifo").arg(place.path("pipe")).status().unwrap();
    assert!(made.success());
    for path in ["pipe", "/dev/zero", "."] {
        for args in [
            &["render", path][..],
            &["merge", path],
            &["baseline", "create", path],
            &["check", "--spec", "asset.yaml", "--url", DRIFTED, "--baseline", path],
        ] {
            let run = place.run(args, &[]);
            assert_eq!(run.code, 2, "{args:?}: {}", run.err);
            let is_told = ["it is not a regular file", "it is a directory"]
                .iter()
                .any(|words| run.err.contains(words));
            assert!(is_told, "{args:?}: {}", run.err);
        }
    }
}
