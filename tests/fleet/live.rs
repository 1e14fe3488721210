//! A broken database among good ones, on real servers: each fault is made, not played.

use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use sqlx::{Connection as _, PgConnection};
use url::Url;

use crate::harness::case;
use crate::harness::database::{Database, Holder, Kind, block_on, server};
use crate::place::{CANARY, Fleet, fill, ledger};
use crate::proxy::{self, Fault};

const LOCK: &str = "BEGIN; LOCK TABLE \"ProcessedIntegrationEvents\" IN ACCESS EXCLUSIVE MODE";

fn entry(url: &str) -> String {
    format!("url: \"{url}\"")
}

/// A shell with servers of its own, which it takes with it when it ends.
struct Shell {
    child: Child,
    orders: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Shell {
    fn start() -> Self {
        let mut child = Command::new("bash")
            .args([
                "-c",
                "program=tests/fleet; . tests/servers.sh; while read -r order; do eval \"$order\"; done",
            ])
            .current_dir(case::root().join("../.."))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        Self {
            orders: child.stdin.take().unwrap(),
            answers: BufReader::new(child.stdout.take().unwrap()),
            child,
        }
    }

    /// Runs a line, which ends by printing a line.
    fn ask(&mut self, order: &str) -> String {
        writeln!(self.orders, "{order}").unwrap();
        let mut answer = String::new();
        self.answers.read_line(&mut answer).unwrap();
        answer.trim_end().to_owned()
    }
}

impl Drop for Shell {
    fn drop(&mut self) {
        let _ = writeln!(self.orders, "exit");
        let _ = self.child.wait();
    }
}

#[test]
fn a_server_that_is_killed_in_the_middle() {
    if !Kind::Postgres.is_here() {
        return;
    }
    let mut shell = Shell::start();
    let url = shell.ask(
        "bin=$(find_postgres); init_postgres \"$bin\" \"$work/pg\"; start_postgres \"$bin\" \"$work/pg\"; echo \"$postgres_url\"",
    );
    let database = Database::create_on(Kind::Postgres, Some(Url::parse(&url).unwrap()));
    fill(&database);
    let holder = Holder::start(&database, LOCK.to_owned());
    holder.wait_until_done().unwrap();
    let fleet = Fleet::with_broken(&entry(&database.url()));
    let started = fleet.start(&["--lock-timeout", "1m", "--statement-timeout", "2m"]);
    database.wait_for_a_waiting_session().unwrap();
    shell.ask("kill -9 ${pids[-1]}; echo killed");
    let reason = fleet.finish(started).assert_broken("unreachable", 30);
    assert!(reason.contains("connection broke"), "{reason}");
}

/// A good database, and the way to its server through a broken network.
fn through(kind: Kind, fault: Fault) -> Option<(Database, String)> {
    let database = ledger(kind)?;
    let mut url = Url::parse(&database.url()).unwrap();
    let server = format!("{}:{}", url.host_str().unwrap(), url.port().unwrap());
    url.set_port(Some(proxy::start(&server, fault))).unwrap();
    Some((database, url.into()))
}

#[test]
fn a_connection_whose_other_end_is_gone_without_a_word() {
    for kind in [Kind::Postgres, Kind::Mariadb] {
        let Some((_database, url)) = through(kind, Fault::Silence(1_500)) else {
            continue;
        };
        let ran = Fleet::with_broken(&entry(&url)).check(&["--statement-timeout", "1s"]);
        let reason = ran.assert_broken("incomplete", 12);
        assert!(
            ["1 s", "answer", "in time"].iter().any(|word| reason.contains(word)),
            "{kind:?}: {reason}"
        );
    }
}

#[test]
fn a_connection_that_is_cut() {
    for kind in [Kind::Postgres, Kind::Mariadb] {
        let Some((_database, url)) = through(kind, Fault::Cut(1_500)) else {
            continue;
        };
        Fleet::with_broken(&entry(&url))
            .check(&[])
            .assert_broken("unreachable", 10);
    }
}

#[test]
fn a_slow_network_is_no_fault_until_the_targets_time_is_up() {
    for kind in [Kind::Postgres, Kind::Mariadb] {
        let Some((_database, url)) = through(kind, Fault::Slow(20)) else {
            continue;
        };
        let fleet = Fleet::with_broken(&entry(&url));
        let ran = fleet.check(&[]);
        assert_eq!(
            (ran.code, &ran.target("b/broken")["status"]),
            (Some(0), &"checked".into()),
            "{:#}",
            ran.report
        );
        let reason = fleet.check(&["--target-timeout", "60ms"]).target("b/broken")["reason"].to_string();
        assert!(reason.contains("longer than 60 ms"), "{reason}");
    }
}

#[test]
fn tls_that_the_server_does_not_have() {
    for (kind, wish) in [
        (Kind::Postgres, "sslmode=require"),
        (Kind::Mariadb, "ssl-mode=REQUIRED"),
    ] {
        let Some(database) = ledger(kind) else { continue };
        let ran = Fleet::with_broken(&entry(&format!("{}?{wish}", database.url()))).check(&[]);
        let reason = ran.assert_broken("unreachable", 5);
        assert!(reason.contains("TLS"), "{reason}");
    }
}

#[test]
fn a_wrong_password_is_not_tried_again() {
    let Some(database) = ledger(Kind::Mariadb) else { return };
    database.create_role();
    let url = database.url_as(&database.role(), CANARY);
    // Ten new attempts would take hours.
    let ran = Fleet::with_broken(&entry(&url)).check(&["--retries", "10"]);
    let reason = ran.assert_broken("unreachable", 8);
    assert!(reason.contains(&database.role()), "{reason}");
}

#[test]
fn a_token_that_has_expired() {
    let Some(database) = ledger(Kind::Mariadb) else { return };
    database.create_role();
    let url = Url::parse(&database.url()).unwrap();
    let entry = format!(
        "engine: mariadb, host: 127.0.0.1, port: {}, user: {}, database: {}, password: {{ command: [./token] }}",
        url.port().unwrap(),
        database.role(),
        database.name
    );
    let fleet = Fleet::with_broken(&entry);
    std::fs::write(fleet.path("token"), "#!/bin/sh\necho \"$CANARY\"\n").unwrap();
    std::fs::set_permissions(fleet.path("token"), std::fs::Permissions::from_mode(0o755)).unwrap();
    fleet.check(&["--retries", "10"]).assert_broken("unreachable", 8);
}

/// A session of a role, on a thread of its own, for so long.
fn hold_session(url: &str, time: Duration) -> std::thread::JoinHandle<()> {
    let url = url.to_owned();
    let (tell, told) = std::sync::mpsc::channel();
    let thread = std::thread::spawn(move || {
        block_on(async {
            let session = PgConnection::connect(&url).await.unwrap();
            tell.send(()).unwrap();
            tokio::time::sleep(time).await;
            session.close().await.unwrap();
        });
    });
    told.recv().unwrap();
    thread
}

#[test]
fn a_server_with_no_connection_left_is_asked_again() {
    let Some(database) = ledger(Kind::Postgres) else { return };
    let url = database.create_role();
    database
        .administer(&format!("ALTER ROLE {} CONNECTION LIMIT 1", database.role()))
        .unwrap();
    let fleet = Fleet::with_broken(&entry(&url));
    let held = hold_session(&url, Duration::from_secs(6));
    let reason = fleet.check(&["--retries", "1"]).assert_broken("unreachable", 5);
    assert!(reason.contains("no connection left"), "{reason}");
    held.join().unwrap();
    // The session is over before the last attempt.
    let held = hold_session(&url, Duration::from_secs(1));
    let ran = fleet.check(&["--retries", "4"]);
    assert_eq!(ran.target("b/broken")["status"], "checked", "{:#}", ran.report);
    held.join().unwrap();
}

#[test]
fn a_catalog_that_somebody_has_locked() {
    let Some(database) = ledger(Kind::Postgres) else { return };
    let holder = Holder::start(&database, LOCK.to_owned());
    holder.wait_until_done().unwrap();
    let ran = Fleet::with_broken(&entry(&database.url())).check(&["--lock-timeout", "500ms"]);
    let reason = ran.assert_broken("incomplete", 6);
    assert!(reason.contains("lock"), "{reason}");
}

#[test]
fn a_catalog_that_lets_nobody_in() {
    let Some(database) = ledger(Kind::Postgres) else { return };
    // Every new session reads it before it answers.
    let holder = Holder::start(
        &database,
        "BEGIN; LOCK TABLE pg_class IN ACCESS EXCLUSIVE MODE".to_owned(),
    );
    holder.wait_until_done().unwrap();
    let ran = Fleet::with_broken(&entry(&database.url())).check(&["--connect-timeout", "1s"]);
    let reason = ran.assert_broken("unreachable", 6);
    assert!(reason.contains("did not answer within 1 s"), "{reason}");
}

#[test]
fn a_replica_is_checked_and_named_so() {
    let Some(standby) = server("SEADRIFT_TEST_POSTGRES_STANDBY_URL") else {
        return;
    };
    let Some(database) = ledger(Kind::Postgres) else { return };
    let fleet = Fleet::with_broken(&entry(&database.url_on(&standby)));
    let end = Instant::now() + Duration::from_secs(20);
    loop {
        let ran = fleet.check(&[]);
        let target = ran.target("b/broken");
        // It may lag behind.
        if ran.code == Some(0) {
            assert!(target["notes"].to_string().contains("replica"), "{target:#}");
            return;
        }
        assert_ne!(target["status"], "checked", "{:#}", ran.report);
        assert!(Instant::now() < end, "{target:#}");
    }
}

#[test]
fn a_pooler_that_restarts_is_waited_for() {
    let Some(database) = ledger(Kind::Postgres) else { return };
    let mut shell = Shell::start();
    let order = format!(
        "start_pgbouncer \"$work/pooler\" transaction '{}'; echo \"$pgbouncer_url\"",
        database.url()
    );
    let pooler = Url::parse(&shell.ask(&order)).unwrap();
    let fleet = Fleet::with_broken(&entry(&database.url_on(&pooler)));
    assert_eq!(fleet.check(&[]).code, Some(0));
    shell.ask("kill -9 ${pids[-1]}; sleep 0.2; echo killed");
    let started = fleet.start(&["--retries", "4"]);
    std::thread::sleep(Duration::from_millis(500));
    shell.ask("rm -f \"$work/pooler.pid\"; start_server postgres \"$work/pooler.log\" \"$(find_pgbouncer)\" \"$work/pooler/pgbouncer.ini\"; echo started");
    let ran = fleet.finish(started);
    assert_eq!(ran.code, Some(0), "{:#} {}", ran.report, ran.said);
}

#[test]
fn no_server_gets_more_connections_than_it_may() {
    if !Kind::Postgres.is_here() {
        return;
    }
    let databases: Vec<Database> = (0..12).map(|_| ledger(Kind::Postgres).unwrap()).collect();
    let mut fleet = Fleet::new();
    for database in &databases {
        fleet.add(&database.name, &entry(&database.url()));
    }
    let names: Vec<String> = databases
        .iter()
        .map(|database| format!("'{}'", database.name))
        .collect();
    // Whoever has ended its transaction is about to go; the server takes some milliseconds to forget it.
    let query = format!(
        "SELECT count(*)::text FROM pg_stat_activity WHERE application_name LIKE 'seadrift/%'
            AND state IS DISTINCT FROM 'idle' AND datname IN ({})",
        names.join(", ")
    );
    let (mut child, started) = fleet.start(&["--jobs", "8", "--jobs-per-server", "2"]);
    let mut most = 0;
    while child.try_wait().unwrap().is_none() {
        most = most.max(databases[0].read(&query).parse::<u32>().unwrap());
    }
    let ran = fleet.finish((child, started));
    assert_eq!(ran.code, Some(0), "{:#}", ran.report);
    assert!((1..=2).contains(&most), "{most} connections at once");
}

#[test]
fn three_engines_have_one_report() {
    let kinds: Vec<Database> = Kind::ALL.into_iter().filter_map(ledger).collect();
    if kinds.len() < 3 {
        return;
    }
    let mut fleet = Fleet::new();
    for (database, name) in kinds.iter().zip(["dev/pg", "dev/maria", "dev/file"]) {
        fleet.add(name, &entry(&database.url()));
    }
    let ran = fleet.check(&[]);
    assert_eq!(ran.code, Some(0), "{:#}", ran.report);
    let dialects: Vec<&str> = ["dev/pg", "dev/maria", "dev/file"]
        .iter()
        .map(|name| ran.target(name)["dialect"].as_str().unwrap())
        .collect();
    assert_eq!(dialects, ["postgres", "mariadb", "sqlite"]);
    let standings = ran.report["fleet"]["standings"].as_array().unwrap();
    let stand = standings
        .iter()
        .map(|standing| standing["targets"].as_array().unwrap().len());
    assert_eq!(stand.sum::<usize>(), 3, "{standings:#?}");
}
