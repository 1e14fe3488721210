//! The program, run as a user runs it.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// What a run of the program left behind.
pub(crate) struct Ran {
    /// Its exit code.
    pub(crate) code: i32,
    /// Its report.
    pub(crate) report: Value,
    /// How long it took.
    pub(crate) took: Duration,
}

/// Runs `seadrift check` against a database; the answer tells what came instead of a report.
pub(crate) fn check(url: &str, spec: &Path, flags: &[String]) -> Result<Ran, String> {
    let started = Instant::now();
    let output = print(url, spec, "json", flags)?;
    let took = started.elapsed();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let code = output.status.code().ok_or_else(|| format!("it was killed: {said}"))?;
    let report = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("exit {code} without a report ({error}): {said}"))?;
    Ok(Ran { code, report, took })
}

/// Runs `seadrift check` and returns what it prints.
pub(crate) fn print(url: &str, spec: &Path, format: &str, flags: &[String]) -> Result<Output, String> {
    seadrift()
        .args(["check", "--format", format, "--url", url, "--spec"])
        .arg(spec)
        .args(flags)
        .output()
        .map_err(|error| format!("the program does not start: {error}"))
}

/// Makes a database as a service's own migrations make it.
pub(crate) fn migrate(url: &str, service: &str) -> Result<(), String> {
    let output = seadrift()
        .args(["migrate", "up", "--service", service, "--url", url])
        .output()
        .map_err(|error| format!("the program does not start: {error}"))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(format!("migrate up: {}", String::from_utf8_lossy(&output.stderr))),
    }
}

/// The program in a directory without files, and without what the environment of the tests says.
pub(crate) fn seadrift() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_seadrift"));
    command.current_dir(env!("CARGO_TARGET_TMPDIR")).stdin(Stdio::null());
    for (name, _) in std::env::vars() {
        let is_pipeline = name == "GITHUB_ACTIONS" || name == "TF_BUILD";
        if is_pipeline || name.starts_with("PG") || name.starts_with("SEADRIFT_") || name == "DATABASE_URL" {
            command.env_remove(name);
        }
    }
    command
}
