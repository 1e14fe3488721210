//! No byte of any output holds a password, whatever happens.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::process::{Command, Output};

use seadrift::report::Format;
use seadrift::services::Service;

use super::Place;

/// Every encoder changes something of it, and none its beginning.
const CANARY: &str = "S3cr3t-<&\">/ canary%";

/// What tells the canary in whatever encoding: as it begins, and the same in base64.
const TRACES: [&str; 2] = ["S3cr3t", "UzNjcjN0"];

#[track_caller]
fn assert_silent(what: &str, bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for trace in TRACES {
        assert!(!text.contains(trace), "{trace} is in {what}:\n{text}");
    }
}

#[track_caller]
fn assert_no_trace(place: &Place, output: &Output) {
    assert_silent("standard output", &output.stdout);
    assert_silent("standard error", &output.stderr);
    let folder = place.path("reports");
    for entry in std::fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        assert_silent(&path.display().to_string(), &std::fs::read(&path).unwrap());
    }
}

/// Checks one target with a report in every format, and looks through all of them.
#[track_caller]
fn check(place: &Place, extra: &[&str], variables: &[(&str, &str)]) -> Output {
    std::fs::create_dir_all(place.path("reports")).unwrap();
    let reports: Vec<String> = Format::ALL
        .iter()
        .map(|format| format!("{0}=reports/{0}", format.as_str()))
        .collect();
    let mut args = vec!["check", "-v"];
    for report in &reports {
        args.extend(["--report", report]);
    }
    args.extend(extra);
    let mut command = place.command(&args);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let output = command
        .envs(variables.iter().copied())
        .env("PATH", path)
        .output()
        .unwrap();
    assert_no_trace(place, &output);
    output
}

/// A target of PostgreSQL at a port of this machine, with the password from a source.
fn config(port: u16, password: &str, tls: &str) -> String {
    format!(
        "version: 1
specs: spec.yaml
targets:
  t:
    service: ledger
    engine: postgres
    host: 127.0.0.1
    port: {port}
    database: d
    user: app
    password: {password}
    tls: {{ mode: {tls} }}
"
    )
}

#[test]
fn a_check_that_succeeds_is_silent_about_a_password_that_the_database_itself_shows() {
    let place = Place::new(super::CONFIG);
    let literal = CANARY.replace('\'', "''");
    place.database(
        "leaky.db",
        &format!("CREATE TABLE Events (Id TEXT NOT NULL PRIMARY KEY, Extra TEXT NOT NULL DEFAULT '{literal}')"),
    );
    place.write(
        "spec.yaml",
        "version: 1\nservice: ledger\ntables:\n  Events:\n    columns: { Id: { type: text }, Extra: { type: text, default: none } }\n    primary_key: [Id]\n",
    );
    let output = check(
        &place,
        &["--url", "sqlite:leaky.db", "--format", "json"],
        &[("PGPASSWORD", CANARY)],
    );
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("column-default") && text.contains("***"), "{text}");
    // Without the secret the finding is there, so that the test above has looked for something.
    let plain = place
        .command(&["check", "--url", "sqlite:leaky.db", "--format", "json"])
        .output()
        .unwrap();
    assert!(String::from_utf8(plain.stdout).unwrap().contains("S3cr3t"));
}

#[test]
fn a_server_that_repeats_the_password_is_not_repeated() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut start = [0; 1024];
            let _ = stream.read(&mut start).unwrap();
            let fields = format!("SFATAL\0VFATAL\0CXX000\0Mpassword \"{CANARY}\" of user app is wrong\0\0");
            let length = u32::try_from(fields.len() + 4).unwrap().to_be_bytes();
            stream
                .write_all(&[b"E", &length[..], fields.as_bytes()].concat())
                .unwrap();
        }
    });
    let place = Place::new(&config(port, "{ env: DB_PASSWORD }", "disable"));
    let output = check(&place, &[], &[("DB_PASSWORD", CANARY)]);
    assert_eq!(output.status.code(), Some(4));
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains("***") && said.contains("user app"), "{said}");
}

#[test]
fn a_server_without_tls_is_sent_no_password() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut start = [0; 8];
            stream.read_exact(&mut start).unwrap();
            stream.write_all(b"N").unwrap();
        }
    });
    let place = Place::new(&config(port, "{ file: password }", "verify-full"));
    place.write("password", CANARY);
    let output = check(&place, &[], &[]);
    assert_eq!(output.status.code(), Some(4));
    assert!(String::from_utf8_lossy(&output.stdout).contains("TLS"), "{output:?}");
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("other users of this machine can read the password"),
        "{output:?}"
    );
}

#[test]
fn a_command_that_fails_or_prints_nonsense_is_not_quoted() {
    for (script, words) in [
        ("cat secret; cat secret >&2; exit 1", "ended with code 1"),
        ("cat secret secret", "more than one line"),
        ("exit 7", "ended with code 7"),
    ] {
        let place = Place::new(&config(1, &format!("{{ command: [sh, -c, \"{script}\"] }}"), "disable"));
        place.write("secret", &format!("{CANARY}\n"));
        let output = check(&place, &[], &[]);
        assert_eq!(output.status.code(), Some(4), "{output:?}");
        assert!(String::from_utf8_lossy(&output.stdout).contains(words), "{output:?}");
    }
}

#[test]
fn a_url_that_cannot_be_used_is_not_quoted() {
    let encoded = "S3cr3t-canary";
    for url in [
        format!("postgres://app:{encoded}@127.0.0.1:port/d"),
        format!("postgres://app:{encoded}@127.0.0.1"),
        format!("Host=127.0.0.1;Password={encoded}"),
        format!("postgres://app:{CANARY}@127.0.0.1/d"),
        format!("postgres://app:{encoded}@127.0.0.1:1/d"),
    ] {
        let kept = "version: 1\nspecs: spec.yaml\ntargets: { t: { service: ledger, url: { env: THE_URL } } }\n";
        let place = Place::new(kept);
        let output = check(&place, &[], &[("THE_URL", &url)]);
        assert_eq!(output.status.code(), Some(4), "{output:?}");
        let place = Place::new(&kept.replace("{ env: THE_URL }", "'${THE_URL}'"));
        let output = check(&place, &[], &[("THE_URL", &url)]);
        assert!(matches!(output.status.code(), Some(2 | 4)), "{output:?}");
        let place = Place::new(super::CONFIG);
        check(&place, &["--spec", "spec.yaml", "--url", &url], &[]);
    }
}

#[test]
fn a_password_that_is_written_out_is_not_shown_with_the_line_it_stands_in() {
    for password in [
        "S3cr3t-canary",
        "'S3cr3t-canary'",
        "S3cr3t-canary, prot: 1",
        "\"S3cr3t-canary",
        "@S3cr3t-canary",
    ] {
        let text = config(1, password, "disable");
        let place = Place::new(&text);
        for args in [&["config", "lint"][..], &["config", "show"], &["check"]] {
            let output = place.command(args).output().unwrap();
            assert_eq!(output.status.code(), Some(2), "{output:?}");
            assert_no_trace(&place, &output);
        }
    }
}

/// Migrations that fail in the worst way.
struct Panicking;

impl sea_orm_migration::MigratorTrait for Panicking {
    fn migrations() -> Vec<Box<dyn sea_orm_migration::MigrationTrait>> {
        panic!("the URL is postgres://app:S3cr3t-canary@db/d")
    }
}

/// Run as a process of its own by the test below.
#[test]
fn a_process_that_panics() {
    if std::env::var_os("SEADRIFT_PANIC").is_some() {
        let url = "sqlite:x.db".to_owned();
        let args = ["seadrift", "migrate", "up", "--service", "p", "--url", &url].map(Into::into);
        seadrift::cli::run(args, &[Service::new::<Panicking>("p")]);
        panic!("the program went on");
    }
}

#[test]
fn a_panic_says_where_it_was_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["canary::a_process_that_panics", "--exact", "--nocapture"])
        .current_dir(folder.path())
        .env("SEADRIFT_PANIC", "1")
        .env("RUST_BACKTRACE", "full")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(70), "{output:?}");
    assert_silent("standard output", &output.stdout);
    assert_silent("standard error", &output.stderr);
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("internal error"),
        "{output:?}"
    );
}
