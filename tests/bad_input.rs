//! What people give by mistake, and what the program does about it: a message that says what is wrong and what to do
//! next, the right exit code, and no password.

#![allow(
    clippy::unwrap_used,
    reason = "a test that panics has failed, and its lint knows test functions only"
)]

use std::ffi::OsStr;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const PASSWORD: &str = "S3cr3t-canary";

const SPEC: &str = "version: 1
service: notification
tables:
  Events:
    columns:
      Id: { type: uuid }
    primary_key: [Id]
";

/// A directory with a spec, where the program is run.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("spec.yaml"), SPEC).unwrap();
        Self(dir)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), content).unwrap();
    }

    fn command<S: AsRef<OsStr>>(&self, url: &str, args: impl IntoIterator<Item = S>) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_seadrift"));
        command
            .current_dir(self.0.path())
            .env_clear()
            .env("DATABASE_URL", url)
            .args(args)
            .stdin(Stdio::null());
        command
    }

    #[track_caller]
    fn run(&self, url: &str, args: &[&str]) -> Run {
        Run::of(&mut self.command(url, args))
    }
}

/// What a run left behind. Every run is searched for the password and for traces of a panic.
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
        let all = run.all();
        for never in [
            PASSWORD,
            "S3cr3t%2Dcanary",
            "panicked",
            "RUST_BACKTRACE",
            "internal error",
            "\u{1b}",
        ] {
            assert!(!all.contains(never), "{never:?} is in:\n{all}");
        }
        run
    }

    fn all(&self) -> String {
        // Prose is wrapped; where, is not looked at here.
        let all = format!("{}\n{}", self.out, self.err);
        all.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[track_caller]
    fn ends(&self, code: i32, words: &[&str]) {
        assert_eq!(self.code, Some(code), "{}\n{}", self.out, self.err);
        for word in words {
            assert!(
                self.all().contains(word),
                "{word:?} is not in:\n{}\n{}",
                self.out,
                self.err
            );
        }
    }
}

const CHECK: &[&str] = &["check", "--spec", "spec.yaml"];
const DIFF: &[&str] = &["diff", "--spec", "spec.yaml"];
const STATUS: &[&str] = &["migrate", "status", "--service", "asset"];
const UP: &[&str] = &["migrate", "up", "--service", "asset"];

/// A port that nothing listens at.
fn free_port() -> u16 {
    TcpListener::bind(("127.0.0.1", 0))
        .unwrap()
        .local_addr()
        .unwrap()
        .port()
}

#[test]
fn a_server_that_is_down_is_named_without_its_password() {
    let place = Place::new();
    let reason = "Nothing accepts connections at this host and port";
    for scheme in ["postgres", "mysql"] {
        let address = format!("127.0.0.1:{}", free_port());
        let url = format!("{scheme}://app:{PASSWORD}@{address}/ledger");
        for command in [CHECK, DIFF, STATUS, UP] {
            place.run(&url, command).ends(4, &[reason, &address]);
        }
    }
}

#[test]
fn a_file_that_is_no_database_is_told_from_one_that_is_not_there() {
    let place = Place::new();
    place.write(
        "text.db",
        "this is a text, and quite a long one for a file without a database in it",
    );
    std::fs::create_dir(place.path("folder.db")).unwrap();
    for (file, reason) in [
        ("text.db", "`text.db` is not an SQLite database"),
        ("folder.db", "`folder.db` is a directory"),
    ] {
        for command in [CHECK, DIFF, STATUS, UP] {
            place.run(&format!("sqlite:{file}"), command).ends(4, &[reason]);
        }
    }
    for command in [CHECK, DIFF] {
        place
            .run("sqlite:absent.db", command)
            .ends(4, &["There is no file `absent.db`", "Correct the path"]);
    }
    place
        .run("sqlite:absent.db", STATUS)
        .ends(4, &["no database file", "sqlite:absent.db", "`migrate up` creates"]);
    for command in [CHECK, DIFF, STATUS, UP] {
        let run = place.run("sqlite:no/such/absent.db", command);
        assert_eq!(run.code, Some(4), "{}", run.all());
    }
    assert!(!place.path("absent.db").exists() && !place.path("no").exists());
}

#[test]
fn an_empty_file_is_an_empty_database_and_proves_nothing() {
    let place = Place::new();
    place.write("empty.db", "");
    place
        .run("sqlite:empty.db", CHECK)
        .ends(4, &["shows no table at all", "is the right database"]);
    assert_eq!(
        std::fs::read(place.path("empty.db")).unwrap(),
        b"",
        "the file is as it was"
    );
}

#[test]
fn a_quiet_report_still_says_why_a_target_was_not_checked() {
    let place = Place::new();
    let run = place.run("sqlite:absent.db", &["check", "--spec", "spec.yaml", "-q"]);
    run.ends(4, &["notification: There is no file `absent.db`."]);
    assert_eq!(run.err, "");
}

#[test]
fn a_spec_that_is_none_is_a_usage_error_at_its_place() {
    let place = Place::new();
    place.write("empty.yaml", "");
    place.write("comment.yaml", "# nothing\n");
    place.write("binary.yaml", [0xff, 0xfe, 0x00, 0x01]);
    place.write("huge.yaml", vec![b'a'; 1024 * 1024 + 1]);
    place.write("text.yaml", "hello");
    place.write(
        "later.yaml",
        "version: 2\nservice: x\ntables: { T: { columns: { C: { type: uuid } } } }\n",
    );
    std::fs::create_dir(place.path("folder.yaml")).unwrap();
    for (spec, words) in [
        ("empty.yaml", "the file is empty"),
        ("comment.yaml", "the file is empty"),
        ("binary.yaml", "not UTF-8"),
        ("huge.yaml", "larger than 1 MiB"),
        ("text.yaml", "must be a map, not `hello`"),
        ("later.yaml", "`version` must be 1"),
        ("folder.yaml", "holds no spec"),
        ("absent.yaml", "no such file"),
    ] {
        let checked = place.run("sqlite:absent.db", &["check", "--spec", spec]);
        checked.ends(2, &[words, spec]);
        assert_eq!(checked.out, "");
        place
            .run("", &["spec", "lint", spec])
            .ends(2, &[words, spec, "1 problem in 1 file"]);
    }
}

#[test]
fn names_with_control_characters_are_shown_by_their_code() {
    let place = Place::new();
    let name = "a\"b\n\u{1b}[31m";
    for args in [
        &["check", "--spec", "spec.yaml", "--service", name][..],
        &["check", "--spec", name],
        &["spec", "lint", name],
        &["migrate", "status", "--service", name],
        &["explain", name],
        &["verify", "--service", name],
    ] {
        place.run("sqlite:absent.db", args).ends(2, &["a\"b\\n\\u{1b}[31m"]);
    }
    // A file has one namespace, without a name.
    place
        .run("sqlite:absent.db", &["check", "--spec", "spec.yaml", "--schema", name])
        .ends(2, &["a SQLite file has no namespaces", "leave --schema out"]);
}

#[cfg(unix)]
#[test]
fn bytes_that_are_no_text_are_refused_without_repeating_them() {
    use std::os::unix::ffi::OsStrExt as _;
    let place = Place::new();
    let url = OsStr::from_bytes(b"postgres://app:S3cr3t-canary\xff@db/ledger");
    let arguments = [OsStr::new("check"), OsStr::new("--url"), url];
    Run::of(&mut place.command("", arguments)).ends(2, &["not valid UTF-8"]);
    Run::of(place.command("", CHECK).env("DATABASE_URL", url)).ends(2, &["DATABASE_URL, is not valid UTF-8"]);
}

#[test]
fn an_output_that_cannot_be_made_is_refused_with_its_reason() {
    let place = Place::new();
    std::fs::create_dir(place.path("folder")).unwrap();
    let run = |output: &str| {
        place.run(
            "sqlite:absent.db",
            &["check", "--spec", "spec.yaml", "--output", output],
        )
    };
    run("absent/report.txt").ends(2, &["absent/report.txt", "its directory does not exist"]);
    run("folder").ends(2, &["it is a directory"]);
    run(&"n".repeat(300)).ends(2, &["cannot be written"]);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("nowhere.txt", place.path("link")).unwrap();
        run("link").ends(2, &["a link to nothing"]);
        assert!(place.path("link").is_symlink(), "the link is still one");
        place.write("nowhere.txt", "");
        run("link").ends(4, &[]);
        assert!(place.path("link").is_symlink(), "what it points to is replaced");
        assert!(place.path("nowhere.txt").metadata().unwrap().len() > 0);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_result_that_cannot_be_written_is_an_error_of_every_command() {
    let place = Place::new();
    for args in [
        CHECK,
        &["spec", "lint", "spec.yaml"],
        &["spec", "schema"],
        &["rules"],
        &["explain", "table-missing"],
        &["demo"],
        &["verify"],
        &["--help"],
        &["--version"],
    ] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let mut command = place.command("sqlite:absent.db", args);
        let output = command.stdout(full).output().unwrap();
        assert_eq!(
            output.status.code(),
            Some(2),
            "{args:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

#[test]
fn a_reader_that_has_gone_away_changes_no_exit_code() {
    let place = Place::new();
    for (args, code) in [
        (&["spec", "lint", "absent.yaml"][..], 2),
        (&["spec", "lint", "spec.yaml"], 0),
        (&["rules"], 0),
        (CHECK, 4),
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = place.command("sqlite:absent.db", args);
        let status = command.stdout(writer).stderr(Stdio::null()).status().unwrap();
        assert_eq!(status.code(), Some(code), "{args:?}");
    }
}

/// A server that lets everybody connect and never says a word.
fn mute_server() -> TcpListener {
    TcpListener::bind(("127.0.0.1", 0)).unwrap()
}

#[test]
fn a_server_that_never_answers_is_given_up_in_time() {
    let place = Place::new();
    let server = mute_server();
    let port = server.local_addr().unwrap().port();
    for scheme in ["postgres", "mysql"] {
        let url = format!("{scheme}://app:{PASSWORD}@127.0.0.1:{port}/ledger");
        for command in [CHECK, STATUS] {
            let args = [command, &["--connect-timeout", "300ms"]].concat();
            let began = Instant::now();
            place
                .run(&url, &args)
                .ends(4, &["did not answer within 300 ms.", "--connect-timeout"]);
            assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
        }
    }
}

#[cfg(unix)]
#[test]
fn a_signal_ends_a_check_that_waits_with_what_is_known() {
    let place = Place::new();
    let server = mute_server();
    let port = server.local_addr().unwrap().port();
    for name in ["INT", "TERM"] {
        let url = format!("postgres://app:{PASSWORD}@127.0.0.1:{port}/ledger");
        let mut command = place.command(&url, CHECK);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // It is waiting as soon as it has connected.
        let _connection = server.accept().unwrap();
        let sent = Command::new("kill")
            .args(["-s", name, &child.id().to_string()])
            .status();
        assert!(sent.unwrap().success());
        let output = child.wait_with_output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(4), "{text}");
        assert!(text.contains("interrupted"), "{text}");
    }
}

#[test]
fn a_server_of_another_kind_is_recognized() {
    use std::io::Write as _;
    let place = Place::new();
    let server = mute_server();
    let port = server.local_addr().unwrap().port();
    let answering = std::thread::spawn(move || {
        let (mut connection, _) = server.accept().unwrap();
        // The greeting of a MySQL server begins like this.
        connection.write_all(b"d\0\0\0\x0a10.11.19-MariaDB\0").unwrap();
        std::thread::sleep(Duration::from_millis(200));
    });
    let url = format!("postgres://app:{PASSWORD}@127.0.0.1:{port}/ledger?sslmode=require");
    place
        .run(&url, CHECK)
        .ends(4, &["not the way a PostgreSQL server does", "host and port"]);
    answering.join().unwrap();
}

#[test]
fn a_result_about_nothing_is_a_whole_result() {
    let schema = include_str!("../docs/seadrift-result.schema.json");
    let validator = jsonschema::validator_for(&serde_json::from_str(schema).unwrap()).unwrap();
    let place = Place::new();
    place.write("empty.db", "");
    place.write(
        "text.db",
        "this is a text, and quite a long one for a file without a database in it",
    );
    for file in ["absent.db", "empty.db", "text.db"] {
        let run = place.run(
            &format!("sqlite:{file}"),
            &["check", "--spec", "spec.yaml", "--format", "json"],
        );
        let result: serde_json::Value = serde_json::from_str(&run.out).unwrap();
        let errors: Vec<String> = validator.iter_errors(&result).map(|e| e.to_string()).collect();
        assert_eq!(errors, Vec::<String>::new(), "{file}");
        assert_eq!(result["run"]["exit_code"], 4, "{file}");
        assert_eq!(result["targets"][0]["unverified"][0]["required"], true, "{file}");
        assert!(result["targets"][0]["reason"].is_string(), "{file}");
    }
}

#[test]
fn no_home_no_colour_and_no_writable_place_are_needed_for_a_check() {
    let place = Place::new();
    // `command` starts with an empty environment.
    let run = place.run("sqlite:absent.db", CHECK);
    run.ends(4, &["There is no file"]);
    for (name, value) in [
        ("TERM", "dumb"),
        ("NO_COLOR", "1"),
        ("CI", "true"),
        ("LANG", "C"),
        ("COLUMNS", "x"),
    ] {
        let other = Run::of(place.command("sqlite:absent.db", CHECK).env(name, value));
        assert_eq!((other.code, &other.out), (run.code, &run.out), "{name}={value}");
    }
}

#[test]
fn a_demo_refuses_a_directory_that_is_in_use() {
    let place = Place::new();
    place
        .run("", &["demo", "--keep", "."])
        .ends(2, &["is not empty", "name a new directory"]);
    place
        .run("", &["demo", "--keep", "spec.yaml"])
        .ends(2, &["cannot be used", "name a directory"]);
    assert_eq!(std::fs::read_to_string(place.path("spec.yaml")).unwrap(), SPEC);
    let kept = place.run("", &["demo", "--keep", "kept", "-q"]);
    kept.ends(0, &["drift: "]);
    assert!(Path::new(&place.path("kept/asset.db")).is_file());
}
