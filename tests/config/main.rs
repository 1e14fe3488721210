//! `seadrift.yaml`: which targets it names, what it says of them, and how targets are chosen. Few of these tests need a
//! server.

#![allow(
    clippy::disallowed_methods,
    reason = "the environment says where the servers are and what to rewrite"
)]
#![allow(
    clippy::unwrap_used,
    reason = "a test that panics has failed, and its lint knows test functions only"
)]

mod canary;
#[allow(dead_code, reason = "every test program uses a part of what they share")]
#[path = "../harness/mod.rs"]
mod harness;
mod live;
mod rogue;
mod tls;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const SPEC: &str = "version: 1
service: ledger
tables:
  Events:
    columns: { Id: { type: text } }
    primary_key: [Id]
";

/// Three targets: one is clean, one has drifted, one is nowhere.
const CONFIG: &str = "version: 1
specs: spec.yaml
targets:
  prod/clean:
    service: ledger
    engine: sqlite
    file: clean.db
    labels: { env: prod, tier: gold }
  prod/drifted:
    service: ledger
    url: sqlite:drifted.db
    labels: { env: prod }
  lab/nowhere:
    service: ledger
    engine: postgres
    host: 127.0.0.1
    port: 1
    database: ledger
    user: app
    password: { env: LAB_PASSWORD }
    labels: { env: lab }
";

/// A directory with a configuration, a spec and two databases.
struct Place(tempfile::TempDir);

impl Place {
    fn new(config: &str) -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        place.write("seadrift.yaml", config);
        place.write("spec.yaml", SPEC);
        place.database("clean.db", "CREATE TABLE Events (Id TEXT NOT NULL PRIMARY KEY)");
        place.database("drifted.db", "CREATE TABLE Events (Id BLOB NOT NULL)");
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    fn database(&self, name: &str, sql: &str) {
        use sqlx::Connection as _;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(async {
            let options = sqlx::sqlite::SqliteConnectOptions::new()
                .filename(self.path(name))
                .create_if_missing(true);
            let mut session = sqlx::SqliteConnection::connect_with(&options).await.unwrap();
            sqlx::raw_sql(sqlx::AssertSqlSafe(sql.to_owned()))
                .execute(&mut session)
                .await
                .unwrap();
            session.close().await.unwrap();
        });
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_seadrift"));
        command
            .current_dir(self.0.path())
            .env_clear()
            .args(args)
            .stdin(Stdio::null());
        command
    }

    #[track_caller]
    fn run(&self, args: &[&str]) -> Run {
        Run::of(&mut self.command(args))
    }
}

struct Run {
    code: Option<i32>,
    out: String,
    err: String,
}

impl Run {
    #[track_caller]
    fn of(command: &mut Command) -> Self {
        let output = command.output().unwrap();
        let run = Self {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        };
        for never in ["S3cr3t-canary", "internal error"] {
            assert!(
                !run.out.contains(never) && !run.err.contains(never),
                "{}\n{}",
                run.out,
                run.err
            );
        }
        run
    }

    #[track_caller]
    fn ends(&self, code: i32, words: &[&str]) {
        assert_eq!(self.code, Some(code), "{}\n{}", self.out, self.err);
        let all = format!("{}\n{}", self.out, self.err);
        let all = all.split_whitespace().collect::<Vec<_>>().join(" ");
        for word in words {
            assert!(all.contains(word), "{word:?} is not in:\n{}\n{}", self.out, self.err);
        }
    }
}

#[test]
fn a_target_is_chosen_by_its_name() {
    let place = Place::new(CONFIG);
    place.run(&["diff", "prod/clean"]).ends(0, &[]);
    place.run(&["diff", "prod/drifted"]).ends(1, &["text"]);
    place
        .run(&["diff", "lab/nowhere"])
        .ends(4, &["The environment variable `LAB_PASSWORD` is not set"]);
}

#[test]
fn what_is_chosen_in_vain_is_said() {
    let place = Place::new(CONFIG);
    for (args, code, words) in [
        (&["diff", "prod/claen"][..], 2, "did you mean `prod/clean`"),
        (&["diff", "staging/*"], 4, "no target matches `staging/*`"),
        (&["diff", "--label", "env=staging"], 4, "the label env=staging"),
        (&["diff", "--label", "env=lab", "prod/*"], 4, "nothing is chosen"),
        (
            &["diff", "--label", "evn=lab"],
            4,
            "no target has a label `evn`; there are `env`, `tier`",
        ),
        (&["diff", "--service", "orders"], 4, "the service `orders`"),
        (&["retention", "trim"], 2, "3 targets are chosen"),
        (&["diff", "--label", "env=prod", "--label", "tier=gold"], 0, ""),
        (&["diff", "*/clean"], 0, ""),
        (&["diff", "--label", "env"], 2, "NAME=VALUE"),
        (
            &["diff", "prod/clean", "--url", "sqlite:clean.db"],
            2,
            "names or labels of targets as well",
        ),
        (
            &["diff", "postgres://a:S3cr3t-canary@h/d"],
            2,
            "the name of a target is wanted",
        ),
        (
            &["diff", "Host=h;Password=S3cr3t-canary"],
            2,
            "the name of a target is wanted",
        ),
    ] {
        place.run(args).ends(code, &[words]);
    }
    let empty = Place::new(CONFIG);
    std::fs::remove_file(empty.path("seadrift.yaml")).unwrap();
    empty
        .run(&["diff", "prod/clean"])
        .ends(2, &["there is no configuration file"]);
}

#[test]
fn a_url_on_the_command_line_counts_more_than_the_file_and_one_in_the_environment_less() {
    let place = Place::new(CONFIG);
    place
        .run(&["diff", "--url", "sqlite:drifted.db", "--spec", "spec.yaml"])
        .ends(1, &[]);
    let mut command = place.command(&["diff", "prod/clean"]);
    Run::of(command.env("DATABASE_URL", "sqlite:drifted.db")).ends(0, &[]);
    place.write("seadrift.yaml", "version: 1\nspecs: spec.yaml\n");
    let mut command = place.command(&["diff"]);
    Run::of(command.env("DATABASE_URL", "sqlite:drifted.db")).ends(1, &[]);
}

#[test]
fn the_file_is_found_above_and_its_paths_begin_where_it_is() {
    let place = Place::new(CONFIG);
    let deep = place.path("deep/er");
    std::fs::create_dir_all(&deep).unwrap();
    let diff = |extra: &[&str]| {
        let mut command = place.command(&[&["diff", "prod/drifted"], extra].concat());
        Run::of(command.current_dir(&deep))
    };
    diff(&[]).ends(2, &["there is no configuration file"]);
    diff(&["--config", "../../seadrift.yaml"]).ends(1, &[]);
    std::fs::create_dir(place.path(".git")).unwrap();
    diff(&[]).ends(1, &[]);
    let mut command = place.command(&["diff", "prod/drifted"]);
    Run::of(
        command
            .current_dir("/")
            .env("SEADRIFT_CONFIG", place.path("seadrift.yaml")),
    )
    .ends(1, &[]);
    place
        .run(&["diff", "--config", "other.yaml"])
        .ends(2, &["there is no such file"]);
}

#[test]
fn every_problem_of_the_file_is_said_with_its_place() {
    let place = Place::new(
        "version: 1
specz: specs
defaults: { fail_on: eror, timeouts: { connect: 10 } }
rules: { colum-type: off, index-extra: no }
targets:
  a: { service: s, engine: postgres, hots: x, database: d }
  b: { service: s }
  c: { service: s, url: sqlite:x, host: y }
  d: { service: s, engine: sqlite }
  e: { service: s, engine: mysql, host: h, socket: /s, database: d, tls: { cert: c } }
  f: { service: s, engine: postgres, host: h, databases: tenant_* }
  'g/{database}': { service: s, engine: postgres, host: h, database: d }
  'h*': { service: s, engine: sqlite, file: x }
  i: { service: s, engine: postgres, host: h, database: d, password: S3cr3t-canary }
  i: { service: s, engine: sqlite, file: x }
  j: { service: s, engine: postgres, host: h, database: d, password: }
  k: { service: s, engine: postgres, host: h, database: d, password: { file: a, env: b } }
",
    );
    let run = place.run(&["config", "lint"]);
    run.ends(
        2,
        &[
            "unknown key `specz`",
            "did you mean `specs`?",
            "`fail_on` must be",
            "did you mean `error`?",
            "`connect` is not a limit",
            "there is no rule `colum-type`",
            "did you mean `column-type`?",
            "`index-extra` must be `off`",
            "unknown key `hots`",
            "did you mean `host`?",
            "the target `b` has neither `url` nor `engine`",
            "`host` makes no sense beside `url`",
            "the target `d` has no `file`",
            "both `host` and `socket`",
            "the target `e` has no `user`",
            "`cert` needs `key`",
            "does not hold `{database}`",
            "the target is one database",
            "holds `*` or `?`",
            "`password` is written out",
            "`password` says nothing",
            "the key `i` is written twice",
            "`password` has both `env` and `file`",
            "seadrift.yaml:2:1",
            "seadrift.yaml:14:",
        ],
    );
}

#[test]
fn show_merges_everything_and_says_where_it_comes_from() {
    let place = Place::new(
        "version: 1
specs: spec.yaml
defaults: { timeouts: { lock: 5s } }
rules: { index-extra: off }
targets:
  prod/ledger:
    service: ledger
    engine: postgres
    host: ${HOST:-db}.internal
    database: ledger
    user: app
    password: { command: [get-token, S3cr3t-canary] }
    timeouts: { connect: 3s }
  prod/url:
    service: ledger
    url: postgres://app:${PASSWORD}@localhost/ledger
",
    );
    let mut command = place.command(&["config", "show", "--origin"]);
    let run = Run::of(command.env("PASSWORD", "S3cr3t-canary").env("HOST", "primary"));
    run.ends(
        0,
        &[
            "index-extra: off",
            "host: primary.internal # seadrift.yaml:9:11, $HOST",
            "mode: verify-full # default",
            "password: { command: [get-token, \"…\"] }",
            "connect: 3s # seadrift.yaml:13:26",
            "lock: 5s # seadrift.yaml:3:31",
            "statement: 30s # default",
            "url: \"postgres://app@localhost/ledger\" # seadrift.yaml:16:10, $PASSWORD",
        ],
    );
    let run = place.run(&["config", "show", "prod/url"]);
    run.ends(2, &["`PASSWORD` is not set", "seadrift.yaml:16:10"]);
    place
        .run(&["config", "show", "prod/ledger"])
        .ends(0, &["host: db.internal"]);
}

#[test]
fn what_a_url_says_of_tls_counts_more_than_the_defaults_and_twice_is_a_mistake() {
    let text = "version: 1
specs: spec.yaml
defaults: { tls: { mode: require } }
targets:
  t: { service: ledger, url: 'postgres://app@db.example/ledger?sslmode=verify-ca' }
";
    Place::new(text).run(&["config", "lint"]).ends(0, &["1 target, valid"]);
    let twice = text.replace("verify-ca' }", "verify-ca', tls: { mode: require } }");
    Place::new(&twice)
        .run(&["config", "lint"])
        .ends(2, &["the URL has `sslmode`", "seadrift.yaml:5:"]);
}

#[test]
fn one_target_that_cannot_be_filled_in_hides_no_other() {
    let place = Place::new(&CONFIG.replace("host: 127.0.0.1", "host: ${LAB_HOST}"));
    place.run(&["diff", "prod/clean"]).ends(0, &[]);
    place.run(&["diff", "lab/nowhere"]).ends(2, &["`LAB_HOST` is not set"]);
}

#[test]
fn rules_count_as_what_the_file_says() {
    let place = Place::new(CONFIG);
    let count = |level: &str, code: i32, words: &[&str]| {
        let rules = format!("rules: {{ column-type: {level}, primary-key: {level} }}\ntargets:");
        place.write("seadrift.yaml", &CONFIG.replace("targets:", &rules));
        place.run(&["check", "prod/drifted"]).ends(code, words);
    };
    count("critical", 1, &["critical[C004] column-type"]);
    count("warning", 0, &["warning[C004] column-type"]);
    count("off", 0, &["Rules that are off say nothing: column-type, primary-key"]);
}

#[test]
fn a_service_without_a_spec_is_no_target() {
    let place = Place::new(&CONFIG.replace("service: ledger\n    url", "service: legder\n    url"));
    place.run(&["config", "lint"]).ends(
        2,
        &[
            "no spec describes a service `legder`",
            "seadrift.yaml:10:14",
            "did you mean `ledger`?",
        ],
    );
    place.run(&["check", "prod/drifted"]).ends(2, &["seadrift.yaml:10:14"]);
    place.run(&["diff", "prod/clean"]).ends(0, &[]);
}

#[test]
fn a_key_that_is_misspelt_is_one_problem() {
    let place = Place::new(
        "version: 1
targets:
  a: { servce: ledger, enigne: postgres, host: h, database: d }
  b: { service: ledger, engine: postgres, host: h, database: d, password: { fil: x } }
",
    );
    let run = place.run(&["config", "lint"]);
    run.ends(
        2,
        &[
            "unknown key `servce`",
            "unknown key `enigne`",
            "unknown key `fil`",
            "3 problems",
        ],
    );
}

#[test]
fn variables_stand_in_what_leads_to_a_database_and_elsewhere_are_refused() {
    let text = "version: 1
specs: spec.yaml
targets:
  t: { service: ledger, engine: postgres, host: h, database: d, schema: '${SCHEMA}', scheduler: '${CRON:-cron}' }
";
    let place = Place::new(text);
    let show = |schema: Option<&str>| {
        let mut command = place.command(&["config", "show"]);
        Run::of(command.envs(schema.map(|schema| ("SCHEMA", schema))))
    };
    show(Some("app")).ends(0, &["schema: app", "scheduler: cron"]);
    show(None).ends(2, &["`SCHEMA` is not set", "seadrift.yaml:4:73"]);
    for (key, text) in [
        ("`specs`", text.replace("spec.yaml", "'${X}'")),
        ("`service`", text.replace("service: ledger", "service: '${X}'")),
        ("the name of a target", text.replace("  t:", "  '${X}':")),
        ("a label", text.replace("host: h", "host: h, labels: { env: '${X}' }")),
        ("`env`", text.replace("host: h", "host: h, password: { env: '${X}' }")),
    ] {
        let place = Place::new(&text);
        place
            .run(&["config", "lint"])
            .ends(2, &[&format!("no variable is put into {key}")]);
    }
}

#[test]
fn a_host_is_a_name_or_an_address_and_nothing_else() {
    let lint = |host: &str| {
        let text = format!(
            "version: 1\nspecs: spec.yaml\ntargets:\n  t: {{ service: ledger, engine: postgres, host: '{host}', database: d }}\n"
        );
        Place::new(&text).run(&["config", "lint"])
    };
    for host in ["db", "db.example.org", "10.0.0.1", "::1", "[::1]", "bücher.example"] {
        lint(host).ends(0, &["valid"]);
    }
    for host in ["db:5432", "[db]", "db/x", "postgres://db", "u@db", "a b", "::1:5432x"] {
        lint(host).ends(2, &["`host` is no name or address of a server", "seadrift.yaml:4:49"]);
    }
}

#[test]
fn what_is_shown_is_a_file_that_comes_to_the_same() {
    let place = Place::new(&format!(
        "{CONFIG}  'many/{{database}}': {{ service: ledger, engine: postgres, host: h, databases: ['t_*', demo] }}
  'file/{{database}}': {{ service: ledger, engine: mysql, socket: /s, user: u, databases_file: names.txt, password: {{ file: secret }} }}
"
    ));
    let shown = place.run(&["config", "show"]).out;
    assert!(shown.contains("engine: sqlite\n    file: clean.db"), "{shown}");
    place.write("seadrift.yaml", &shown);
    assert_eq!(place.run(&["config", "show"]).out, shown);
    place.run(&["config", "lint"]).ends(0, &["5 targets, valid"]);
}

#[test]
fn the_published_schema_is_that_of_the_format() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/seadrift-config.schema.json");
    let generated = format!("{:#}\n", seadrift::config::file::json_schema());
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(path, &generated).unwrap();
    }
    assert_eq!(
        std::fs::read_to_string(path).unwrap(),
        generated,
        "run with UPDATE_EXPECT=1"
    );
    let place = Place::new(CONFIG);
    assert_eq!(place.run(&["config", "schema"]).out, generated);
}

#[test]
fn the_schema_takes_what_the_program_takes() {
    let validator = jsonschema::validator_for(&seadrift::config::file::json_schema()).unwrap();
    let as_json = |text: &str| -> serde_json::Value { serde_yaml::from_str(text).unwrap() };
    assert!(
        validator.is_valid(&as_json(CONFIG)),
        "{:?}",
        validator.iter_errors(&as_json(CONFIG)).next()
    );
    for wrong in [
        "password: S3cr3t",
        "password: { env: A, file: b }",
        "prot: 1",
        "tls: { mode: on }",
    ] {
        let text = CONFIG.replace("password: { env: LAB_PASSWORD }", wrong);
        assert!(!validator.is_valid(&as_json(&text)), "{wrong}");
    }
}

#[test]
fn the_example_of_the_documentation_is_valid() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let secrets = seadrift::config::Secrets::default();
    let config = seadrift::config::file::load(&root.join("docs/seadrift.example.yaml"), &secrets).unwrap();
    assert_eq!(config.targets.len(), 4);
}
