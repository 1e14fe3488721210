//! A broken database among good ones, on real servers: each fault is made, not played.

use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use url::Url;

use crate::canary::{CANARY, IN_URL};
use crate::harness::case;
use crate::harness::database::{Database, Holder, Kind, Session, block_on, server};
use crate::place::{Fleet, fill, ledger};
use crate::proxy::{self, Fault};

const LOCK: &str = "BEGIN; LOCK TABLE \"ProcessedIntegrationEvents\" IN ACCESS EXCLUSIVE MODE";

/// The engines that have servers.
const SERVERS: [Kind; 2] = [Kind::Postgres, Kind::Mariadb];

/// A text as a literal of SQL has it between its quotes.
fn in_sql(kind: Kind, text: &str) -> String {
    let text = text.replace('\'', "''");
    match kind {
        Kind::Mariadb => text.replace('\\', "\\\\"),
        _ => text,
    }
}

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

/// Starts a server of a test's own that asks everybody but its administrator for a password.
fn own_server(shell: &mut Shell, kind: Kind) -> Url {
    let order = match kind {
        Kind::Postgres => {
            "bin=$(find_postgres); init_postgres \"$bin\" \"$work/pg\"; \
             printf '%s\\n' 'host all postgres all trust' 'host all all all scram-sha-256' >\"$work/pg/data/pg_hba.conf\"; \
             start_postgres \"$bin\" \"$work/pg\"; echo \"$postgres_url\""
        }
        _ => "start_mariadb \"$work/maria\"; echo \"$mariadb_url\"",
    };
    Url::parse(&shell.ask(order)).unwrap()
}

/// Makes checks wait in the middle, until the holder is dropped or [`release`]d.
fn lock(database: &Database) -> Holder {
    if database.kind == Kind::Postgres {
        let holder = Holder::start(database, LOCK.to_owned());
        holder.wait_until_done().unwrap();
        return holder;
    }
    // A lock of the table alone lets the catalog answer.
    let rebuild = "DROP TABLE ProcessedIntegrationEvents;
        CREATE TABLE ProcessedIntegrationEvents (Id int PRIMARY KEY) SELECT 1 AS Id, sleep(60) AS x";
    let holder = Holder::start(database, rebuild.to_owned());
    let end = Instant::now() + Duration::from_secs(10);
    while rebuilder(database).is_empty() {
        assert!(Instant::now() < end, "the table is not being rebuilt");
        std::thread::sleep(Duration::from_millis(20));
    }
    holder
}

/// Returns the session that rebuilds the table, if there is one.
fn rebuilder(database: &Database) -> String {
    database.read(
        "SELECT CAST(coalesce(max(id), '') AS char) FROM information_schema.processlist
         WHERE db = database() AND state = 'User sleep'",
    )
}

/// Ends what makes checks wait.
fn release(database: &Database, holder: Holder) {
    if database.kind == Kind::Mariadb {
        database.administer(&format!("KILL {}", rebuilder(database))).unwrap();
    }
    drop(holder);
}

/// Its URL for its role, with the canary as its password.
fn url_of_role(database: &Database) -> String {
    database.url_as(&database.role(), IN_URL)
}

#[test]
fn a_server_that_is_killed_in_the_middle() {
    for kind in SERVERS {
        if !kind.is_here() {
            continue;
        }
        let mut shell = Shell::start();
        let server = own_server(&mut shell, kind);
        let database = Database::create_on(kind, Some(server));
        fill(&database);
        database.create_role();
        let grant = match kind {
            Kind::Postgres => format!("ALTER ROLE {} PASSWORD '{}'", database.role(), in_sql(kind, CANARY)),
            _ => format!(
                "SET PASSWORD FOR {0} = PASSWORD('{1}'); GRANT ALL ON {2}.* TO {0}",
                database.role(),
                in_sql(kind, CANARY),
                database.name
            ),
        };
        database.administer(&grant).unwrap();
        let _holder = lock(&database);
        let fleet = Fleet::with_broken(&entry(&url_of_role(&database)));
        let started = fleet.start(&["--lock-timeout", "1m", "--statement-timeout", "2m"]);
        database.wait_for_a_waiting_session().unwrap();
        shell.ask("kill -9 ${pids[-1]}; echo killed");
        let reason = fleet.finish(started).assert_broken("unreachable", 30);
        assert!(reason.contains("connection broke"), "{kind:?}: {reason}");
    }
}

#[test]
fn a_wrong_password_and_a_token_that_has_expired_are_not_tried_again() {
    for kind in SERVERS {
        if !kind.is_here() {
            continue;
        }
        let mut shell = Shell::start();
        let database = Database::create_on(kind, Some(own_server(&mut shell, kind)));
        fill(&database);
        database.create_role();
        let url = url_of_role(&database);
        // Ten new attempts would take hours.
        let ran = Fleet::with_broken(&entry(&url)).check(&["--retries", "10"]);
        let reason = ran.assert_broken("unreachable", 8);
        assert!(reason.contains("password"), "{kind:?}: {reason}");
        let port = Url::parse(&url).unwrap().port().unwrap();
        let engine = if kind == Kind::Postgres { "postgres" } else { "mariadb" };
        let fleet = Fleet::with_broken(&format!(
            "engine: {engine}, host: 127.0.0.1, port: {port}, user: {}, database: {}, password: {{ command: [./token] }}",
            database.role(),
            database.name
        ));
        std::fs::write(fleet.path("token"), "#!/bin/sh\nprintf '%s\\n' \"$CANARY\"\n").unwrap();
        std::fs::set_permissions(fleet.path("token"), std::fs::Permissions::from_mode(0o755)).unwrap();
        fleet.check(&["--retries", "10"]).assert_broken("unreachable", 8);
    }
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
    for kind in SERVERS {
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
    for kind in SERVERS {
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
    for kind in SERVERS {
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

/// A session of a role, on a thread of its own, for so long.
fn hold_session(kind: Kind, url: &str, time: Duration) -> std::thread::JoinHandle<()> {
    let url = url.to_owned();
    let (tell, told) = std::sync::mpsc::channel();
    let thread = std::thread::spawn(move || {
        block_on(async {
            // The server may not have noticed yet that whoever was there has gone.
            let end = Instant::now() + Duration::from_secs(10);
            let session = loop {
                match Session::connect(kind, &url).await {
                    Ok(session) => break session,
                    Err(error) => assert!(Instant::now() < end, "{error}"),
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            };
            tell.send(()).unwrap();
            tokio::time::sleep(time).await;
            drop(session);
        });
    });
    told.recv().unwrap();
    thread
}

#[test]
fn a_server_with_no_connection_left_is_asked_again() {
    for kind in SERVERS {
        let Some(database) = ledger(kind) else { continue };
        let url = database.create_role();
        let role = database.role();
        let limits = match kind {
            Kind::Postgres => vec![format!("ALTER ROLE {role} CONNECTION LIMIT 1")],
            _ => vec![
                format!("GRANT ALL ON {}.* TO {role}", database.name),
                format!("ALTER USER {role} WITH MAX_USER_CONNECTIONS 1"),
            ],
        };
        limits.iter().for_each(|limit| database.administer(limit).unwrap());
        let fleet = Fleet::with_broken(&entry(&url));
        let held = hold_session(kind, &url, Duration::from_secs(6));
        let reason = fleet.check(&["--retries", "1"]).assert_broken("unreachable", 5);
        assert!(reason.contains("no connection left"), "{kind:?}: {reason}");
        held.join().unwrap();
        // The session is over before the last attempt.
        let held = hold_session(kind, &url, Duration::from_secs(1));
        let ran = fleet.check(&["--retries", "4"]);
        assert_eq!(ran.target("b/broken")["status"], "checked", "{:#}", ran.report);
        held.join().unwrap();
    }
}

#[test]
fn a_catalog_that_somebody_has_locked() {
    for kind in SERVERS {
        let Some(database) = ledger(kind) else { continue };
        let holder = lock(&database);
        let ran = Fleet::with_broken(&entry(&database.url())).check(&["--lock-timeout", "500ms"]);
        release(&database, holder);
        let reason = ran.assert_broken("incomplete", 8);
        assert!(reason.contains("lock"), "{kind:?}: {reason}");
    }
}

#[test]
fn a_migration_history_behind_a_dead_connection_is_given_up() {
    for kind in SERVERS {
        // The login goes through, and then nothing does.
        for bytes in [400, 1_000, 2_000] {
            let Some((_database, url)) = through(kind, Fault::Silence(bytes)) else {
                continue;
            };
            let started = Instant::now();
            let args = [
                "migrate",
                "status",
                "--service",
                "asset",
                "--connect-timeout",
                "1s",
                "--lock-timeout",
                "1s",
            ];
            let output = Fleet::new().run_on(&args, &url);
            // More than enough bytes may have come for the whole answer.
            assert!(
                matches!(output.status.code(), Some(0 | 4)),
                "{kind:?} {bytes}: {output:?}"
            );
            assert!(
                started.elapsed() < Duration::from_secs(40),
                "{kind:?} {bytes}: {:?}",
                started.elapsed()
            );
        }
    }
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
