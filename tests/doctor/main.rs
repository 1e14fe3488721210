//! `seadrift doctor`: each mistake that a newcomer makes on the way into a database has a step of its own that says what to
//! do, on real servers; and the script of `--grants` makes a role that is told what an administrator is told.
//!
//! Needs the servers of `SEADRIFT_TEST_POSTGRES_URL`, `…_POSTGRES_STANDBY_URL`, `…_POSTGRES_TLS_URL`, `…_PG_CRON_URL`,
//! `…_PGBOUNCER_URL`, `…_PGBOUNCER_STATEMENT_URL`, `…_MARIADB_URL` and `…_MARIADB_TLS_URL`, and the authority of
//! `SEADRIFT_TEST_TLS_CA`, see `tests/run`.

#![allow(
    clippy::disallowed_methods,
    reason = "the environment says where the servers are and what to rewrite"
)]
#![allow(
    clippy::unwrap_used,
    reason = "a test that panics has failed, and its lint knows test functions only"
)]

#[allow(dead_code, reason = "every test program uses a part of what they share")]
#[path = "../harness/mod.rs"]
mod harness;

mod grants;

use std::io::Write as _;
use std::net::TcpListener;
use std::process::Output;
use std::sync::{Arc, Barrier};

use harness::case::{End, Message};
use harness::database::{Database, Kind, server};
use harness::{drifted, program};
use serde_json::Value;
use url::Url;

const PASSWORD: &str = "S3cr3t-canary";

/// What an examination came to.
struct Seen {
    code: i32,
    steps: Vec<Value>,
}

impl Seen {
    #[track_caller]
    fn of(url: &str, flags: &[&str]) -> Self {
        let output = doctor(url, &[flags, &["--format", "json"]].concat());
        let document: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", said(&output)));
        Self {
            code: output.status.code().unwrap(),
            steps: document["targets"][0]["steps"].as_array().unwrap().clone(),
        }
    }

    /// Asserts that the examination ended at an obstacle, and with these words.
    #[track_caller]
    fn ends_at(&self, step: &str, found: &str, help: &str) {
        let last = self.steps.last().unwrap();
        let problems: Vec<&Value> = self.steps.iter().filter(|step| step["state"] == "problem").collect();
        assert_eq!(problems, [last], "{:#?}", self.steps);
        assert_eq!((self.code, text(&last["step"])), (4, step), "{last:#}");
        assert!(text(&last["found"]).contains(found), "{found:?} is not in {last:#}");
        assert!(text(&last["help"]).contains(help), "{help:?} is not in {last:#}");
    }

    /// Asserts how a step came out, and what was found.
    #[track_caller]
    fn says(&self, step: &str, state: &str, found: &str) {
        let mut steps = self.steps.iter().filter(|s| text(&s["step"]) == step);
        assert!(
            steps.any(|s| s["state"] == state && text(&s["found"]).contains(found)),
            "no step {step} is {state} with {found:?}: {:#?}",
            self.steps
        );
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

/// Runs the program; what it prints never holds the password.
#[track_caller]
fn doctor(url: &str, flags: &[&str]) -> Output {
    let output = program::seadrift()
        .env("DATABASE_URL", url)
        .arg("doctor")
        .args(flags)
        .output()
        .unwrap();
    assert!(!said(&output).contains(PASSWORD), "{}", said(&output));
    output
}

fn said(output: &Output) -> String {
    format!(
        "{}\n{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

fn with(url: &Url, change: impl FnOnce(&mut Url)) -> String {
    let mut url = url.clone();
    change(&mut url);
    url.into()
}

/// A port that nothing listens at.
fn free_port() -> u16 {
    TcpListener::bind(("127.0.0.1", 0))
        .unwrap()
        .local_addr()
        .unwrap()
        .port()
}

fn run(database: &Database, sql: &str) {
    let (sql, end) = (sql.to_owned(), End::Succeeds);
    database.run(&[Message { sql, end }]).unwrap();
}

#[test]
fn each_mistake_on_the_way_to_a_server_has_its_step() {
    let (Some(postgres), Some(mariadb)) = (
        server("SEADRIFT_TEST_POSTGRES_URL"),
        server("SEADRIFT_TEST_MARIADB_URL"),
    ) else {
        return;
    };
    let database = Database::create(Kind::Postgres);
    run(&database, "CREATE TABLE t (id int PRIMARY KEY)");
    let url: Url = database.url().parse().unwrap();
    let seen = |change: &dyn Fn(&mut Url)| Seen::of(&with(&url, change), &[]);

    let port = free_port();
    seen(&|url| url.set_port(Some(port)).unwrap()).ends_at(
        "tcp",
        "Nothing accepts connections",
        "correct host and port",
    );
    seen(&|url| url.set_host(Some("no-such-host.invalid")).unwrap()).ends_at("name", "cannot be resolved", "host");
    seen(&|url| url.set_port(mariadb.port()).unwrap()).ends_at("server", "A MariaDB server answers (1", "mysql://");
    seen(&|url| url.set_path("no_such_database")).ends_at("login", "no such database", "database's name");
    seen(&|url| url.set_username("no_such_role").unwrap()).ends_at("login", "no_such_role", "Create the role");
    seen(&|url| url.set_query(Some("sslmode=require"))).ends_at("tls", "does not support TLS", "Turn on ssl");

    let role = database.create_role();
    database
        .administer(&format!("REVOKE CONNECT ON DATABASE {} FROM PUBLIC", database.name))
        .unwrap();
    Seen::of(&role, &[]).ends_at("login", "may not use this database", "GRANT CONNECT");

    let wrong = Seen::of(&database.url(), &["--schema", "publik"]);
    wrong.says("tables", "problem", "has no namespace `publik`");
    Seen::of(&database.url(), &[]).says("routines", "ok", "are visible");
    assert_eq!(wrong.code, 4);
    // A database that holds something, but no table.
    Seen::of(postgres.as_str(), &["--schema", "pg_toast_temp_x"]).says("tables", "problem", "no namespace");
}

#[test]
fn each_mistake_on_the_way_to_mariadb_has_its_step() {
    let (Some(postgres), Some(_)) = (
        server("SEADRIFT_TEST_POSTGRES_URL"),
        server("SEADRIFT_TEST_MARIADB_URL"),
    ) else {
        return;
    };
    let database = Database::create(Kind::Mariadb);
    run(&database, "CREATE TABLE t (id int PRIMARY KEY)");
    let url: Url = database.url().parse().unwrap();
    let seen = |change: &dyn Fn(&mut Url)| Seen::of(&with(&url, change), &[]);

    let port = free_port();
    seen(&|url| url.set_port(Some(port)).unwrap()).ends_at(
        "tcp",
        "Nothing accepts connections",
        "correct host and port",
    );
    seen(&|url| url.set_host(Some("no-such-host.invalid")).unwrap()).ends_at(
        "name",
        "cannot be resolved",
        "Correct the host",
    );
    seen(&|url| url.set_port(postgres.port()).unwrap()).ends_at("server", "A PostgreSQL server answers", "postgres://");
    seen(&|url| url.set_password(Some(PASSWORD)).unwrap()).ends_at(
        "login",
        "password is wrong or missing (Access denied",
        "Correct user and password",
    );
    seen(&|url| url.set_query(Some("ssl-mode=REQUIRED"))).ends_at("tls", "does not support TLS", "Turn on ssl");

    let role = database.create_role();
    Seen::of(&role, &[]).ends_at("login", "may not use this database", "Grant REFERENCES");
    // Events show nothing of a table.
    database
        .administer(&format!("GRANT EVENT ON {}.* TO {}", database.name, database.role()))
        .unwrap();
    let blind = Seen::of(&role, &[]);
    assert_eq!(blind.code, 4);
    blind.says("tables", "problem", "");
    // The least that shows tables hides triggers and events, which is no obstacle.
    database
        .administer(&format!("REVOKE ALL ON {}.* FROM {}", database.name, database.role()))
        .unwrap();
    database
        .administer(&format!(
            "GRANT REFERENCES ON {}.* TO {}",
            database.name,
            database.role()
        ))
        .unwrap();
    let few = Seen::of(&role, &[]);
    assert_eq!(few.code, 0, "{:#?}", few.steps);
    few.says("tables", "ok", "1 table");
    few.says("triggers", "note", "does not show");
    let routines = few.steps.iter().find(|step| step["step"] == "routines").unwrap();
    assert!(
        text(&routines["help"]).contains("GRANT SELECT ON mysql.proc"),
        "{routines:#}"
    );
    let absent = Seen::of(&role, &["--schema", "no_such_schema"]);
    absent.says(
        "tables",
        "problem",
        "There is no database `no_such_schema`, or the server does not show it.",
    );
    few.says("jobs", "note", "EVENT");
    few.says("role", "ok", "no right");
    few.says("read-only", "ok", "transaction_read_only is on");
    few.says("limits", "ok", "lock_wait_timeout is 2 s");
    Seen::of(&database.url(), &[]).says("role", "note", "may change the rows of `t`");
}

#[test]
fn whoever_else_answers_is_told_by_the_first_word() {
    for (word, found) in [
        ("HTTP/1.1 400 Bad Request\r\n\r\n", "A web server answers"),
        ("-ERR unknown command\r\n", "no database known here"),
    ] {
        for scheme in ["postgres", "mysql"] {
            let port = stranger(word);
            let seen = Seen::of(&format!("{scheme}://app:{PASSWORD}@127.0.0.1:{port}/ledger"), &[]);
            seen.ends_at("server", found, "5432 is usual for PostgreSQL");
        }
    }
    for (scheme, help) in [("postgres", "--connect-timeout"), ("mysql", "--connect-timeout")] {
        let port = stranger("");
        let seen = Seen::of(
            &format!("{scheme}://app:{PASSWORD}@127.0.0.1:{port}/ledger"),
            &["--connect-timeout", "1s"],
        );
        seen.ends_at("server", "did not answer within 1 s", help);
    }
}

/// A port at which somebody takes every connection, says one word or none, and then keeps silent.
fn stranger(word: &'static str) -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        let mut guests = Vec::new();
        for guest in listener.incoming() {
            let mut guest = guest.unwrap();
            guest.write_all(word.as_bytes()).unwrap();
            guests.push(guest);
        }
    });
    port
}

#[test]
fn a_target_that_says_nothing_does_not_delay_the_others() {
    // Each of the two speaks only once the other one has a guest, too.
    let both = Arc::new(Barrier::new(2));
    let port = |both: Arc<Barrier>| {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        std::thread::spawn(move || {
            let (mut guest, _) = listener.accept().unwrap();
            both.wait();
            guest.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").unwrap();
            std::thread::park();
        });
        port
    };
    let target =
        |name: &str, port: u16| format!("  {name}: {{ service: s, url: \"postgres://u@127.0.0.1:{port}/x\" }}\n");
    let folder = tempfile::tempdir().unwrap();
    let targets = [("z", port(Arc::clone(&both))), ("b", stranger("")), ("a", port(both))];
    let targets: String = targets.iter().map(|(name, port)| target(name, *port)).collect();
    std::fs::write(
        folder.path().join("seadrift.yaml"),
        format!("version: 1\ntargets:\n{targets}"),
    )
    .unwrap();
    let run = |extra: &[&str]| {
        let mut command = program::seadrift();
        command
            .current_dir(folder.path())
            .env_remove("DATABASE_URL")
            .args(["doctor", "--format", "json"]);
        let output = command.args(extra).output().unwrap();
        assert_eq!(output.status.code(), Some(4), "{}", said(&output));
        serde_json::from_slice::<Value>(&output.stdout).unwrap()["targets"].clone()
    };
    let found = run(&["--connect-timeout", "1s"]);
    let last = |found: &Value| {
        let told = found.as_array().unwrap().iter().map(|target| {
            let step = target["steps"].as_array().unwrap().last().unwrap();
            (text(&target["target"]).to_owned(), text(&step["found"]).to_owned())
        });
        told.collect::<Vec<_>>()
    };
    let web = "A web server answers.".to_owned();
    let silent = "The server did not answer within 1 s.".to_owned();
    let wanted = [("z", web.clone()), ("b", silent), ("a", web)].map(|(name, words)| (name.to_owned(), words));
    assert_eq!(last(&found), wanted);
    // What takes too long is given up, and says so.
    let found = run(&["b", "--target-timeout", "100ms"]);
    assert_eq!(last(&found)[0].1, "Not checked: it took longer than 100 ms.");
}

#[test]
fn each_mistake_with_a_file_has_its_step() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(
        path("text.db"),
        "this is a text, and quite a long one for a file without a database in it",
    )
    .unwrap();
    std::fs::write(path("empty.db"), "").unwrap();
    let seen = |name: &str| Seen::of(&format!("sqlite:{}", path(name).display()), &[]);
    seen("absent.db").ends_at("file", "There is no file", "Correct the path");
    seen("").ends_at("file", "is a directory", "Name the database file");
    seen("text.db").ends_at("login", "is not an SQLite database", "encrypted");
    seen("empty.db").says("tables", "problem", "shows no table at all");
    assert!(!path("absent.db").exists());

    let database = Database::create(Kind::Sqlite);
    run(
        &database,
        "PRAGMA journal_mode = WAL; CREATE TABLE t (id INTEGER PRIMARY KEY)",
    );
    let whole = Seen::of(&database.url(), &[]);
    assert_eq!(whole.code, 0, "{:#?}", whole.steps);
    whole.says("journal", "ok", "write-ahead log");
    whole.says("tables", "ok", "1 table: `t`.");
    whole.says("read-only", "ok", "query_only is 1");
}

#[test]
fn what_is_no_url_is_bad_input_as_for_a_check() {
    for (url, words) in [
        ("oracle://db/x", "scheme is not supported"),
        ("postgres://app:x@db", "names no database"),
        ("", "database"),
    ] {
        let output = doctor(url, &[]);
        assert_eq!(output.status.code(), Some(2), "{}", said(&output));
        assert!(
            said(&output).contains(words) && said(&output).contains("hint:"),
            "{}",
            said(&output)
        );
    }
}

#[test]
fn a_server_that_demands_tls_is_told_from_one_that_nobody_vouches_for() {
    let (Some(tls), Ok(authority)) = (
        server("SEADRIFT_TEST_POSTGRES_TLS_URL"),
        std::env::var("SEADRIFT_TEST_TLS_CA"),
    ) else {
        return;
    };
    let seen = |query: &str| Seen::of(&with(&tls, |url| url.set_query(Some(query))), &[]);
    seen("sslmode=disable").ends_at("login", "without TLS", "sslmode=require");
    seen("sslmode=verify-full").ends_at("tls", "does not trust", "sslrootcert=FILE");
    let trusting = format!("sslmode=verify-full&sslrootcert={authority}");
    seen(&trusting).says("tls", "ok", "certificate and name were verified");
    seen("sslmode=verify-full&sslrootcert=no.pem").ends_at("tls", "no such file", "Correct the path");
    let elsewhere = with(&tls, |url| {
        url.set_host(Some("127.0.0.1")).unwrap();
        url.set_query(Some(&trusting));
    });
    Seen::of(&elsewhere, &[]).ends_at("tls", "another name", "verify-ca");
    let wrong = with(&tls, |url| {
        url.set_password(Some(PASSWORD)).unwrap();
        url.set_query(Some("sslmode=require"));
    });
    Seen::of(&wrong, &[]).ends_at("login", "password is wrong or missing", "Correct user and password");
}

#[test]
fn a_mariadb_that_demands_tls_is_told_from_one_that_nobody_vouches_for() {
    let (Some(tls), Ok(authority)) = (
        server("SEADRIFT_TEST_MARIADB_TLS_URL"),
        std::env::var("SEADRIFT_TEST_TLS_CA"),
    ) else {
        return;
    };
    let seen = |query: &str| Seen::of(&with(&tls, |url| url.set_query(Some(query))), &[]);
    seen("ssl-mode=DISABLED").ends_at("login", "Access denied", "ssl-mode=REQUIRED");
    seen("ssl-mode=VERIFY_IDENTITY").ends_at("tls", "does not trust", "ssl-ca=FILE");
    let trusting = seen(&format!("ssl-mode=VERIFY_IDENTITY&ssl-ca={authority}"));
    trusting.says("tls", "ok", "certificate and name were verified");
    trusting.says("tls", "ok", "The certificate ends");
}

#[test]
fn a_pooler_is_seen_and_one_in_statement_mode_is_an_obstacle() {
    let (Some(transaction), Some(statement)) = (
        server("SEADRIFT_TEST_PGBOUNCER_URL"),
        server("SEADRIFT_TEST_PGBOUNCER_STATEMENT_URL"),
    ) else {
        return;
    };
    let database = Database::create(Kind::Postgres);
    run(&database, "CREATE TABLE t (id int PRIMARY KEY)");
    let through = Seen::of(&database.url_on(&transaction), &[]);
    assert_eq!(through.code, 0, "{:#?}", through.steps);
    through.says("way", "note", "A pooler such as PgBouncer");
    Seen::of(&database.url_on(&statement), &[]).ends_at("read-only", "statement mode", "transaction or session mode");
    let direct = Seen::of(&database.url(), &[]);
    assert!(
        direct.steps.iter().all(|step| step["step"] != "way"),
        "{:#?}",
        direct.steps
    );
}

#[test]
fn a_standby_is_a_replica_and_says_how_far_it_is_behind() {
    let Some(standby) = server("SEADRIFT_TEST_POSTGRES_STANDBY_URL") else {
        return;
    };
    Seen::of(standby.as_str(), &[]).says("replica", "note", "s behind its primary");
}

#[test]
fn rights_that_a_check_does_not_need_are_named_here_and_in_a_check() {
    if !Kind::Postgres.is_here() {
        return;
    }
    let database = Database::create(Kind::Postgres);
    drifted::fill(&database);
    let (role, name) = (database.create_role(), database.role());
    let notes = |url: &str| {
        let ran = program::check(url, &drifted::spec(), &[]).unwrap();
        let notes = ran.report["targets"][0]["notes"].as_array().unwrap().clone();
        notes
            .iter()
            .filter(|note| text(note).contains("does not need"))
            .map(|note| text(note).to_owned())
            .collect::<Vec<_>>()
    };
    let says = |url: &str, words: &str| {
        Seen::of(url, &[]).says("role", "note", words);
        let notes = notes(url);
        assert!(
            notes.len() == 1 && notes[0].contains(words) && notes[0].contains("doctor --grants"),
            "{notes:?}"
        );
    };
    says(&database.url(), "a superuser");
    Seen::of(&role, &[]).says("role", "ok", "no right");
    assert_eq!(notes(&role), [""; 0]);
    for (give, take, words) in [
        (
            "GRANT INSERT ON \"ProcessedIntegrationEvents\" TO {role}",
            "REVOKE ALL ON \"ProcessedIntegrationEvents\" FROM {role}",
            "may change the rows of `ProcessedIntegrationEvents`",
        ),
        (
            "ALTER TABLE \"ProcessedIntegrationEvents\" OWNER TO {role}",
            "ALTER TABLE \"ProcessedIntegrationEvents\" OWNER TO CURRENT_USER",
            "owns `ProcessedIntegrationEvents`",
        ),
        (
            "ALTER ROLE {role} CREATEROLE",
            "ALTER ROLE {role} NOCREATEROLE",
            "allowed to make roles",
        ),
    ] {
        run(&database, &give.replace("{role}", &name));
        says(&role, words);
        run(&database, &take.replace("{role}", &name));
    }
}

#[test]
fn a_line_of_text_is_no_longer_than_a_narrow_terminal() {
    let database = Database::create(Kind::Sqlite);
    run(&database, "CREATE TABLE t (id INTEGER PRIMARY KEY)");
    let output = doctor(&database.url(), &[]);
    let text = String::from_utf8(output.stdout).unwrap();
    let body: Vec<&str> = text.lines().skip(1).collect();
    assert!(body.iter().all(|line| line.chars().count() <= 80), "{text}");
    assert!(
        body.iter()
            .any(|line| line.starts_with("  ok       tables       1 table")),
        "{text}"
    );
    assert!(
        text.ends_with("A check can be made of everything that it needs.\n"),
        "{text}"
    );
    // Quietly, only what is not in order.
    let quiet = String::from_utf8(doctor(&database.url(), &["-q"]).stdout).unwrap();
    assert!(!quiet.contains("  ok "), "{quiet}");
}

#[test]
fn targets_of_the_configuration_are_examined_and_pulled_without_a_spec() {
    let folder = tempfile::tempdir().unwrap();
    let target = |name: &str| format!("  {name}: {{ service: s, engine: sqlite, file: {name}.db }}\n");
    let config = format!("version: 1\ntargets:\n{}{}", target("one"), target("password-reset"));
    std::fs::write(folder.path().join("seadrift.yaml"), config).unwrap();
    let run = |args: &[&str]| {
        program::seadrift()
            .current_dir(folder.path())
            .args(args)
            .output()
            .unwrap()
    };
    let migrate = program::seadrift()
        .env(
            "DATABASE_URL",
            format!("sqlite:{}?mode=rwc", folder.path().join("one.db").display()),
        )
        .args(["migrate", "up", "--service", "asset"])
        .status();
    assert!(migrate.unwrap().success());

    let output = run(&["doctor", "--format", "json"]);
    let document: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", said(&output)));
    let seen: Vec<(&str, bool)> = document["targets"]
        .as_array()
        .unwrap()
        .iter()
        .map(|target| (text(&target["target"]), target["healthy"].as_bool().unwrap()))
        .collect();
    assert_eq!(
        (output.status.code(), seen),
        (Some(4), vec![("one", true), ("password-reset", false)])
    );
    assert_eq!(run(&["doctor", "o*"]).status.code(), Some(0));
    // A name may speak of passwords; a connection string is refused, and nothing of it is said.
    assert_eq!(run(&["doctor", "password-reset"]).status.code(), Some(4));
    assert_eq!(run(&["doctor", "three"]).status.code(), Some(2));
    let string = run(&["doctor", &format!("host=db password={PASSWORD}")]);
    assert_eq!(string.status.code(), Some(2));
    assert!(!said(&string).contains(PASSWORD), "{}", said(&string));

    let pulled = run(&["spec", "pull", "one", "--service", "s", "--table", "Processed*"]);
    assert_eq!(pulled.status.code(), Some(0), "{}", said(&pulled));
    assert!(
        said(&pulled).contains("ProcessedIntegrationEvents"),
        "{}",
        said(&pulled)
    );
    let many = run(&["spec", "pull", "--service", "s"]);
    assert_eq!(many.status.code(), Some(2));
    assert!(
        said(&many).contains("name one of them: one, password-reset"),
        "{}",
        said(&many)
    );
}
