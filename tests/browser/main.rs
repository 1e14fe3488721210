//! The HTML report: its structure, and how it behaves in a real browser.
//!
//! The browser tests are in `report.test.mjs`. They need Chromium, Node and what `package.json` names; `tests/run` installs
//! all of it. Where something is missing they say `SKIPPED`; with `SEADRIFT_REQUIRE_LIVE=1` they fail.

#![allow(
    clippy::disallowed_methods,
    reason = "the environment says where the browser is and what to rewrite"
)]
#![allow(
    clippy::unwrap_used,
    reason = "a test that panics has failed, and its lint knows test functions only"
)]

mod sample;
mod structure;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use seadrift::report::{Report, render_html};

/// Folder of the browser tests.
fn home() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser")
}

/// What the program itself finds in a database with drift: the first ledger of `seadrift demo`.
fn demo() -> Report {
    let dir = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_seadrift"));
        command
            .current_dir(dir.path())
            .env_remove("DATABASE_URL")
            .args(arguments)
            .output()
            .unwrap()
    };
    assert!(run(&["demo", "--keep", "demo"]).status.success());
    let check = [
        "check",
        "--url",
        "sqlite:demo/asset.db",
        "--spec",
        "demo/asset.yaml",
        "--format",
        "json",
    ];
    serde_json::from_slice(&run(&check).stdout).unwrap()
}

fn write_pages(folder: &Path) {
    for (name, report) in [
        ("clean", sample::clean()),
        ("demo", demo()),
        ("fleet", sample::fleet()),
        ("hostile", sample::hostile()),
        ("long", sample::long(5_000)),
    ] {
        std::fs::write(folder.join(format!("{name}.html")), render_html(&report)).unwrap();
    }
    let shown = seadrift::text::Terminal(sample::HOSTILE).to_string();
    std::fs::write(folder.join("hostile.json"), serde_json::to_string(&shown).unwrap()).unwrap();
}

/// Returns what the browser tests lack on this machine.
fn missing(chromium: &Path) -> Option<String> {
    let node = Command::new("node")
        .arg("--version")
        .output()
        .is_ok_and(|out| out.status.success());
    let modules = home().join("node_modules");
    if !node {
        Some("Node is not installed".to_owned())
    } else if !chromium.exists() {
        Some(format!("{} does not exist", chromium.display()))
    } else if ["axe-core", "playwright-core"]
        .iter()
        .any(|name| !modules.join(name).exists())
    {
        Some("`npm ci` was not run in tests/browser".to_owned())
    } else {
        None
    }
}

#[test]
fn the_report_works_in_a_browser() {
    let temporary = tempfile::tempdir().unwrap();
    // A folder named by hand is kept, to look at the pages.
    let folder = std::env::var_os("SEADRIFT_PAGES").map_or_else(|| temporary.path().to_owned(), PathBuf::from);
    write_pages(&folder);
    let chromium =
        std::env::var_os("SEADRIFT_CHROMIUM").map_or_else(|| PathBuf::from("/usr/bin/chromium"), PathBuf::from);
    if let Some(missing) = missing(&chromium) {
        assert!(
            std::env::var_os("SEADRIFT_REQUIRE_LIVE").is_none(),
            "{missing}, and SEADRIFT_REQUIRE_LIVE asks for the browser tests"
        );
        // Not by a macro, whose output the test runner keeps to itself.
        let _ = writeln!(std::io::stderr(), "SKIPPED: the browser tests, since {missing}");
        return;
    }
    let out = Command::new("node")
        .args(["--test", "report.test.mjs"])
        .current_dir(home())
        .env("SEADRIFT_PAGES", &folder)
        .env("SEADRIFT_CHROMIUM", &chromium)
        .output()
        .unwrap();
    let (told, errors) = (
        String::from_utf8_lossy(&out.stdout),
        String::from_utf8_lossy(&out.stderr),
    );
    assert!(out.status.success(), "{told}\n{errors}");
    assert!(told.contains("fail 0") && !told.contains("pass 0"), "{told}");
    println!("{told}");
}
