//! A broken database among good ones, for which no server is needed.

use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;

use crate::canary::{self, IN_URL};
use crate::place::{Fleet, assert_ended};

fn url(scheme: &str, port: u16) -> String {
    format!("url: \"{scheme}://app:{IN_URL}@127.0.0.1:{port}/ledger\"")
}

/// A port at which nothing listens any more.
fn closed_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

#[test]
fn a_server_that_is_down_is_unreachable_and_nobody_else_is() {
    for scheme in ["postgres", "mysql"] {
        let ran = Fleet::with_broken(&url(scheme, closed_port())).check(&[]);
        ran.assert_broken("unreachable", 8);
    }
}

#[test]
fn connecting_is_tried_again_and_a_server_that_comes_back_is_not_called_down() {
    // Without a new attempt, the answer comes at once.
    let fleet = Fleet::with_broken(&url("postgres", closed_port()));
    let (once, again) = (fleet.check(&["--retries", "0"]), fleet.check(&["--retries", "2"]));
    once.assert_broken("unreachable", 5);
    again.assert_broken("unreachable", 8);
    // 0.2 s and 0.6 s.
    assert!(
        again.took.as_millis() >= once.took.as_millis() + 700,
        "{:?} and {:?}",
        once.took,
        again.took
    );
}

#[test]
fn a_server_that_accepts_and_says_nothing_is_given_up() {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = silent.local_addr().unwrap().port();
    for scheme in ["postgres", "mysql"] {
        let ran = Fleet::with_broken(&url(scheme, port)).check(&["--connect-timeout", "1s"]);
        // Silence is no reason to ask again: there is one wait.
        let reason = ran.assert_broken("unreachable", 4);
        assert!(reason.contains("did not answer"), "{reason}");
    }
}

#[test]
fn an_address_that_swallows_everything_is_given_up() {
    // Kept for documentation: no packet to it is ever answered, or the network says at once that it knows no way.
    for scheme in ["postgres", "mysql"] {
        let entry = format!("url: \"{scheme}://app:{IN_URL}@192.0.2.1/ledger\"");
        let ran = Fleet::with_broken(&entry).check(&["--connect-timeout", "1s"]);
        ran.assert_broken("unreachable", 8);
    }
}

#[test]
fn a_target_has_a_time_of_its_own() {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = silent.local_addr().unwrap().port();
    for scheme in ["postgres", "mysql"] {
        let ran = Fleet::with_broken(&url(scheme, port)).check(&["--target-timeout", "500ms"]);
        let reason = ran.assert_broken("incomplete", 4);
        assert!(reason.contains("longer than 500 ms"), "{reason}");
    }
}

#[test]
fn a_server_that_speaks_another_protocol_is_told() {
    let babbler = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = babbler.local_addr().unwrap().port();
    std::thread::spawn(move || {
        use std::io::Write as _;
        for client in babbler.incoming() {
            let _ = client.unwrap().write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n");
        }
    });
    for scheme in ["postgres", "mysql"] {
        Fleet::with_broken(&url(scheme, port))
            .check(&[])
            .assert_broken("unreachable", 8);
    }
}

#[test]
fn a_file_that_is_no_database_is_incomplete() {
    let fleet = Fleet::with_broken("engine: sqlite, file: notes.txt");
    std::fs::write(fleet.path("notes.txt"), "These are words, and no database.").unwrap();
    fleet.check(&[]).assert_broken("incomplete", 5);
}

#[test]
fn a_command_that_gives_no_password_breaks_its_own_target_alone() {
    let fleet = |engine: &str, script: &str| {
        let fleet = Fleet::with_broken(&format!(
            "engine: {engine}, host: 127.0.0.1, port: 1, user: app, database: d, password: {{ command: [./token] }}"
        ));
        std::fs::write(fleet.path("token"), format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(fleet.path("token"), std::fs::Permissions::from_mode(0o755)).unwrap();
        fleet
    };
    for engine in ["postgres", "mariadb"] {
        // What it complains of may be the very token.
        let tells = "printf '%s\\n' \"$CANARY\"; echo \"the lease of $CANARY is over\" >&2; exit 3";
        let ran = fleet(engine, tells).check(&[]);
        let reason = ran.assert_broken("unreachable", 8);
        assert!(reason.contains("the lease of *** is over"), "{reason}");
        let hangs = fleet(engine, "echo $$ >pid; exec sleep 60");
        let ran = hangs.check(&["--target-timeout", "1s"]);
        ran.assert_broken("incomplete", 6);
        let process = std::fs::read_to_string(hangs.path("pid")).unwrap();
        assert_ended(process.trim());
    }
}

#[test]
fn a_full_disk_costs_one_report_and_no_other() {
    let fleet = Fleet::with_broken(&url("postgres", closed_port()));
    let junit = fleet.path("reports/drift.xml");
    let ran = fleet.check(&[
        "--report",
        "html=/dev/full",
        "--report",
        &format!("junit={}", junit.display()),
    ]);
    assert_eq!(ran.code, Some(2), "{}", ran.said);
    assert!(ran.said.contains("/dev/full"), "{}", ran.said);
    assert_eq!(
        ran.target("a/good")["status"],
        "checked",
        "the report on standard output is whole"
    );
    let written = std::fs::read_to_string(junit).unwrap();
    assert!(written.contains("b/broken"), "and so is the other file");
}

#[test]
fn a_standard_output_that_is_full_or_closed_costs_no_file() {
    let fleet = Fleet::with_broken(&url("mysql", closed_port()));
    for (way, code) in [(">/dev/full", 2), (">&-", 4)] {
        let (ran, written) = fleet.check_in_shell(way, "json=reports/whole.json");
        assert_eq!(ran.status.code(), Some(code), "{way}: {ran:?}");
        let report: serde_json::Value = serde_json::from_slice(&written).unwrap();
        assert_eq!(report["targets"].as_array().unwrap().len(), 3, "{way}");
    }
    // A reader that has seen enough is no error.
    let (ran, written) = fleet.check_in_shell("| true", "json=reports/whole.json");
    assert_eq!(ran.status.code(), Some(0), "{ran:?}");
    assert!(!written.is_empty());
}

#[test]
fn a_folder_that_is_not_there_is_said_before_anybody_is_asked() {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let fleet = Fleet::with_broken(&url("postgres", silent.local_addr().unwrap().port()));
    let output = fleet.run(&["check", "--report", "json=nowhere/out.json"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("nowhere/out.json"), "{said}");
    silent.set_nonblocking(true).unwrap();
    assert!(silent.accept().is_err(), "the database was asked");
}

#[test]
fn every_format_tells_of_the_target_that_was_not_read() {
    let fleet = Fleet::with_broken(&url("postgres", closed_port()));
    fleet.check(&["--retries", "0"]);
    for format in seadrift::report::Format::ALL {
        let written = std::fs::read(fleet.path(&format!("reports/{}", format.as_str()))).unwrap();
        let text = String::from_utf8_lossy(&written);
        // A run of SARIF would say that the target was checked.
        assert!(
            text.contains("broken") || format.as_str() == "sarif",
            "{format:?}: {text}"
        );
    }
    canary::assert_none_below(&fleet.path("reports"));
}
