//! Wishes to stop.

use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use crate::canary::IN_URL;
use crate::place::{Fleet, Ran, assert_ended};

/// A fleet whose second target never answers, and the listener that keeps it so.
fn hanging() -> (Fleet, TcpListener) {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = silent.local_addr().unwrap().port();
    let fleet = Fleet::with_broken(&format!("url: \"postgres://app:{IN_URL}@127.0.0.1:{port}/ledger\""));
    (fleet, silent)
}

/// Starts a check of one target after the other, and waits until it hangs at the second.
fn start(fleet: &Fleet, silent: &TcpListener) -> (Child, Instant) {
    let started = fleet.start(&["--jobs", "1", "--connect-timeout", "5m"]);
    // Whoever connects is the check.
    let (connection, _) = silent.accept().unwrap();
    std::mem::forget(connection);
    started
}

fn send(child: &Child, signal: &str) {
    let sent = Command::new("kill")
        .args([&format!("-{signal}"), &child.id().to_string()])
        .status();
    assert!(sent.unwrap().success());
}

fn assert_interrupted(ran: &Ran) {
    assert_eq!(ran.code, Some(4), "{} {:#}", ran.said, ran.report);
    assert!(ran.took < Duration::from_secs(10), "{:?}", ran.took);
    assert_eq!(ran.report["run"]["complete"], false);
    assert_eq!(ran.target("a/good")["status"], "checked", "what was done is told");
    for name in ["b/broken", "c/good"] {
        let target = ran.target(name);
        assert_eq!(target["status"], "incomplete");
        assert_eq!(target["reason"], "Not checked: the run was interrupted.");
    }
}

#[test]
fn the_first_signal_gives_the_report_of_what_is_done() {
    for signal in ["INT", "TERM"] {
        let (fleet, silent) = hanging();
        let (child, started) = start(&fleet, &silent);
        send(&child, signal);
        assert_interrupted(&fleet.finish((child, started)));
    }
}

#[test]
fn a_command_for_a_password_does_not_outlive_the_run() {
    for signal in ["INT", "TERM"] {
        let fleet = Fleet::with_broken(
            "engine: mariadb, host: 127.0.0.1, port: 1, user: app, database: d, password: { command: [./token] }",
        );
        std::fs::write(fleet.path("token"), "#!/bin/sh\necho $$ >pid\nexec sleep 60\n").unwrap();
        std::fs::set_permissions(fleet.path("token"), std::fs::Permissions::from_mode(0o755)).unwrap();
        let (child, started) = fleet.start(&["--jobs", "1"]);
        let end = Instant::now() + Duration::from_secs(10);
        let process = loop {
            let written = std::fs::read_to_string(fleet.path("pid")).unwrap_or_default();
            if written.ends_with('\n') {
                break written;
            }
            assert!(Instant::now() < end, "the command was not run");
            std::thread::sleep(Duration::from_millis(10));
        };
        send(&child, signal);
        assert_interrupted(&fleet.finish((child, started)));
        assert_ended(process.trim());
    }
}

#[test]
fn a_signal_does_not_cut_the_report_off_that_is_being_written() {
    for signal in ["INT", "TERM"] {
        let mut fleet = Fleet::new();
        for number in 0..200 {
            fleet.add(&format!("d/gone{number}"), "engine: sqlite, file: gone.db");
        }
        let (child, started) = fleet.start(&[]);
        // Files are written before standard output, which nobody reads yet.
        let end = Instant::now() + Duration::from_secs(60);
        while !fleet.path("reports/prometheus").exists() {
            assert!(Instant::now() < end, "no report was written");
            std::thread::sleep(Duration::from_millis(10));
        }
        send(&child, signal);
        std::thread::sleep(Duration::from_millis(300));
        let ran = fleet.finish((child, started));
        assert_eq!(ran.code, Some(4), "{}", ran.said);
        assert_eq!(ran.report["targets"].as_array().unwrap().len(), 200, "{}", ran.said);
        assert!(ran.said.contains("the report is being written"), "{}", ran.said);
    }
}

#[test]
fn the_second_signal_ends_the_program_at_once() {
    // The report cannot be written as long as nobody reads it, so that there is time for a second signal.
    for (signal, code) in [("INT", 130), ("TERM", 143)] {
        let (mut fleet, silent) = hanging();
        for number in 0..200 {
            fleet.add(&format!("d/more{number}"), "engine: sqlite, file: gone.db");
        }
        let (mut child, _) = start(&fleet, &silent);
        send(&child, signal);
        std::thread::sleep(Duration::from_secs(1));
        assert!(child.try_wait().unwrap().is_none(), "it waits for a reader");
        send(&child, signal);
        let asked = Instant::now();
        assert_eq!(child.wait().unwrap().code(), Some(code));
        assert!(asked.elapsed() < Duration::from_secs(2));
    }
}

#[test]
fn a_run_has_a_time_of_its_own() {
    let (fleet, _silent) = hanging();
    let ran = fleet.check(&["--jobs", "1", "--run-timeout", "1s"]);
    assert_eq!(ran.code, Some(4));
    assert!(ran.took < Duration::from_secs(4), "{:?}", ran.took);
    assert_eq!(ran.target("a/good")["status"], "checked");
    for name in ["b/broken", "c/good"] {
        assert_eq!(ran.target(name)["reason"], "Not checked: the run was over after 1 s.");
    }
}
