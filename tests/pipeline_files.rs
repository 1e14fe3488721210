//! The files that pipelines take over: what they say to the program must be what the program understands.

#![allow(
    clippy::unwrap_used,
    reason = "a test that panics has failed, and its lint knows test functions only"
)]

use std::path::Path;
use std::process::{Command, Output, Stdio};

const FILES: [&str; 7] = [
    "pipelines/action.sh",
    "pipelines/gitlab.yml",
    "pipelines/azure.yml",
    "pipelines/Jenkinsfile",
    "pipelines/kubernetes.yaml",
    ".pre-commit-hooks.yaml",
    "docs/pipelines.md",
];

fn read(name: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap()
}

fn seadrift(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_seadrift"));
    command.args(args).stdin(Stdio::null()).env_remove("DATABASE_URL");
    command.output().unwrap()
}

#[test]
fn every_flag_and_format_in_a_pipeline_file_exists() {
    let help = seadrift(&["check", "--help"]).stdout;
    let help = String::from_utf8(help).unwrap();
    let mut seen = 0;
    for file in FILES {
        let text = read(file);
        for word in text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-')) {
            if let Some(name) = word.strip_prefix("--").filter(|name| !name.is_empty()) {
                assert!(
                    help.contains(&format!("--{name} ")) || help.contains(&format!("--{name}\n")),
                    "{file}: {word}"
                );
                seen += 1;
            }
        }
        for report in text.split("--report ").skip(1) {
            let format = report.split('=').next().unwrap();
            if format.starts_with(|c: char| c.is_ascii_lowercase()) {
                assert!(
                    help.contains(&format!("- {format}:")) || help.contains(format),
                    "{file}: {format}"
                );
            }
        }
    }
    assert!(seen > 20, "only {seen} flags were found");
}

#[test]
fn the_action_keeps_the_exit_code_and_passes_its_inputs_on_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let kept = seadrift(&["demo", "--keep", folder.path().to_str().unwrap()]);
    assert!(kept.status.success());
    let run = |service: &str, reports: &str, url: &str| {
        let outputs = folder.path().join("outputs");
        let _ = std::fs::remove_file(&outputs);
        let status = Command::new("bash")
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("pipelines/action.sh"))
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .env("SEADRIFT", env!("CARGO_BIN_EXE_seadrift"))
            .env("DATABASE_URL", url)
            .env("GITHUB_OUTPUT", &outputs)
            .env("INPUT_SPEC", Path::new(env!("CARGO_MANIFEST_DIR")).join("specs"))
            .env("INPUT_FAIL_ON", "error")
            .env("INPUT_SERVICE", service)
            .env("INPUT_REPORTS", reports)
            .status()
            .unwrap();
        let said = std::fs::read_to_string(&outputs).unwrap();
        assert_eq!(said, format!("exit-code={}\n", status.code().unwrap()));
        status.code().unwrap()
    };
    let drifted = format!("sqlite:{}", folder.path().join("asset.db").display());
    assert_eq!(run("asset", "sarif=a b.sarif\njson=$(id).json\n", &drifted), 1);
    assert!(folder.path().join("a b.sarif").exists());
    assert!(folder.path().join("$(id).json").exists());
    assert_eq!(run("asset", "", "postgres://a@127.0.0.1:1/x"), 4);
    assert_eq!(run("nobody", "", &drifted), 2);
}
