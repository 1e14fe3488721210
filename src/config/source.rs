//! Where a secret comes from: a variable, a file, or a command. It is obtained anew for each connection.

use std::fs::Metadata;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use secrecy::{ExposeSecret as _, SecretString};
use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::process::Command;
use tokio::time::timeout;

use super::{Environment, Secrets};
use crate::catalog::{Error, ErrorKind, print_limit};
use crate::text::Terminal;

/// How long a secret may take to come.
const PATIENCE: Duration = Duration::from_secs(10);

/// The longest secret, in bytes. Tokens of cloud providers have some thousands.
const MOST: u64 = 64 * 1024;

/// So much of what a command says about its failure is shown, in characters.
const SAID: usize = 300;

/// Where a secret comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A variable of the environment.
    Env(String),
    /// A file.
    File(PathBuf),
    /// What a command prints. No shell is asked.
    Command {
        /// The program and its arguments.
        argv: Vec<String>,
        /// Where it runs.
        folder: PathBuf,
    },
}

impl Source {
    /// Obtains the secret, and remembers it among those that are never shown.
    ///
    /// # Errors
    ///
    /// It cannot be had, or is no secret: empty, of several lines, or too long.
    pub async fn read(&self, environment: &Environment, secrets: &Secrets) -> Result<SecretString, Error> {
        let text = match self {
            Self::Env(name) => environment.get(name).map(str::to_owned).ok_or_else(|| {
                fail(
                    format!("The environment variable `{}` is not set.", Terminal(name)),
                    "Set it where seadrift runs.",
                )
            })?,
            Self::File(path) => read_file(path.clone()).await?,
            Self::Command { argv, folder } => run(argv, folder, secrets, PATIENCE).await?,
        };
        let secret: SecretString = self.trim(&text)?.into();
        secrets.add(secret.expose_secret());
        Ok(secret)
    }

    /// Says what is unwise about the source, if something is.
    pub fn warning(&self) -> Option<(String, String)> {
        let Self::File(path) = self else { return None };
        let metadata = path.metadata().ok().filter(Metadata::is_file)?;
        is_open_to_others(&metadata).then(|| {
            (
                format!(
                    "other users of this machine can read the password in `{}`",
                    path.display()
                ),
                format!("chmod 600 {}", path.display()),
            )
        })
    }

    /// Takes one end of a line away, and refuses what no password is.
    fn trim<'t>(&self, text: &'t str) -> Result<&'t str, Error> {
        let text = text.strip_suffix('\n').unwrap_or(text);
        let text = text.strip_suffix('\r').unwrap_or(text);
        // What some editors put before every text.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let flaw = if text.is_empty() {
            "gives nothing"
        } else if text.contains(['\n', '\r', '\0']) {
            "gives more than one line"
        } else {
            return Ok(text);
        };
        Err(fail(
            format!("{} {flaw} where a password or a URL is wanted.", self.describe()),
            "Let it give the password or URL alone, on one line.",
        ))
    }

    /// Names the source at the beginning of a sentence. Of a command only the program: its arguments may hold what is
    /// not for every reader.
    fn describe(&self) -> String {
        match self {
            Self::Env(name) => format!("The environment variable `{}`", Terminal(name)),
            Self::File(path) => format!("The file `{}`", Terminal(&path.to_string_lossy())),
            Self::Command { argv, .. } => program(argv),
        }
    }
}

impl std::fmt::Display for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Env(name) => write!(f, "the variable {}", Terminal(name)),
            Self::File(path) => write!(f, "the file {}", Terminal(&path.to_string_lossy())),
            Self::Command { argv, .. } => {
                let program = argv.first().map(String::as_str).unwrap_or_default();
                write!(f, "the command {}", Terminal(program))
            }
        }
    }
}

fn program(argv: &[String]) -> String {
    let program = argv.first().map(String::as_str).unwrap_or_default();
    format!("The command `{}`", Terminal(program))
}

fn fail(reason: String, help: &str) -> Error {
    Error::new(ErrorKind::Credentials, reason, help)
}

/// Reads a small file.
async fn read_file(path: PathBuf) -> Result<String, Error> {
    let shown = Terminal(&path.to_string_lossy()).to_string();
    let read = patiently(move || read_small(&path, MOST)).await;
    read.map_err(|why| fail(format!("The file `{shown}` cannot be read: {why}."), "Check the path."))
}

/// Reads a file away from this thread, and does not wait for it for ever: a share that hangs is given up.
pub(super) async fn patiently<T: Send + 'static>(
    read: impl FnOnce() -> Result<T, String> + Send + 'static,
) -> Result<T, String> {
    match timeout(PATIENCE, tokio::task::spawn_blocking(read)).await {
        Ok(Ok(read)) => read,
        Ok(Err(_)) | Err(_) => Err(format!("it did not answer within {} s", PATIENCE.as_secs())),
    }
}

/// Reads a regular file of at most so many bytes of text.
pub(super) fn read_small(path: &Path, most: u64) -> Result<String, String> {
    String::from_utf8(read_bytes(path, most)?).map_err(|_| "it is not UTF-8 text".to_owned())
}

/// Reads a regular file of at most so many bytes.
pub(super) fn read_bytes(path: &Path, most: u64) -> Result<Vec<u8>, String> {
    let said = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file".to_owned(),
        std::io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => error.to_string(),
    };
    // Asked before opening: opening a pipe waits for a writer.
    if !path.metadata().map_err(said)?.is_file() {
        return Err("it is no regular file".to_owned());
    }
    let mut bytes = Vec::new();
    std::fs::File::open(path)
        .and_then(|file| file.take(most + 1).read_to_end(&mut bytes))
        .map_err(said)?;
    if bytes.len() as u64 > most {
        return Err(format!("it is larger than {} KiB", most / 1024));
    }
    Ok(bytes)
}

/// Returns whether others than a file's owner may read or change it.
pub(super) fn is_open_to_others(metadata: &Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        metadata.permissions().mode() & 0o077 != 0
    }
    #[cfg(not(unix))]
    {
        let _ = metadata;
        false
    }
}

/// Runs a command and returns what it prints. All of that is a secret, whether it succeeds or not.
async fn run(argv: &[String], folder: &Path, secrets: &Secrets, patience: Duration) -> Result<String, Error> {
    let Some((name, arguments)) = argv.split_first() else {
        return Err(fail(
            "The command for the password is empty.".to_owned(),
            "Name a program.",
        ));
    };
    // A path is meant from the folder of the file that names it; a bare name is looked for where programs are.
    let program_path = match name.contains('/') {
        true => folder.join(name),
        false => PathBuf::from(name),
    };
    let started = Command::new(program_path)
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn();
    let mut child = started.map_err(|error| {
        fail(
            format!("{} cannot be started: {error}.", program(argv)),
            "Check that the program is installed, and that its path is right.",
        )
    })?;
    let (out, err) = (child.stdout.take(), child.stderr.take());
    let work = async { tokio::join!(collect(out), collect(err), child.wait()) };
    let Ok((out, err, status)) = timeout(patience, work).await else {
        // Waited for as well, so that nothing of it is left; one that cannot be killed is left to the system.
        let _ = timeout(PATIENCE, child.kill()).await;
        return Err(fail(
            format!("{} did not end within {}.", program(argv), print_limit(patience)),
            "Run it by hand, and see what it waits for.",
        ));
    };
    let printed = String::from_utf8_lossy(&out).into_owned();
    for line in printed.lines().filter(|line| !line.trim().is_empty()) {
        secrets.add(line);
        secrets.add(line.trim());
    }
    let status = status.map_err(|error| fail(format!("{} was lost: {error}.", program(argv)), "Run it again."))?;
    if !status.success() {
        return Err(failed(argv, status, &err, secrets));
    }
    if out.len() as u64 > MOST {
        return Err(fail(
            format!("{} printed more than {} KiB.", program(argv), MOST / 1024),
            "Let it print the password or URL alone, on one line.",
        ));
    }
    String::from_utf8(out).map_err(|_| {
        fail(
            format!("{} printed what is not UTF-8 text.", program(argv)),
            "Let it print the password or URL alone, on one line.",
        )
    })
}

fn failed(argv: &[String], status: ExitStatus, err: &[u8], secrets: &Secrets) -> Error {
    let said = secrets.mask_parts(&String::from_utf8_lossy(err));
    let said: Vec<&str> = said.split_whitespace().collect();
    let said: String = said.join(" ").chars().take(SAID).collect();
    let end = match status.code() {
        Some(code) => format!("ended with code {code}"),
        None => "was ended by a signal".to_owned(),
    };
    let said = match said.trim_end_matches('.') {
        "" => String::new(),
        said => format!(": {}", Terminal(said)),
    };
    fail(
        format!("{} {end}{said}.", program(argv)),
        "Run it by hand; a login that it depends on may have expired.",
    )
}

/// Reads to the end, and keeps only so much that it can be told to be too much.
async fn collect(from: Option<impl AsyncRead + Unpin>) -> Vec<u8> {
    let mut kept = Vec::new();
    let Some(mut from) = from else { return kept };
    // What a broken pipe leaves behind is judged by the command's own end.
    let _ = (&mut from).take(MOST + 1).read_to_end(&mut kept).await;
    let _ = tokio::io::copy(&mut from, &mut tokio::io::sink()).await;
    kept
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;
    use std::time::Instant;

    use super::*;

    const CANARY: &str = "S3cr3t-canary";

    fn command(argv: &[&str]) -> Source {
        Source::Command {
            argv: argv.iter().map(|&arg| arg.to_owned()).collect(),
            folder: std::env::temp_dir(),
        }
    }

    async fn read(source: &Source) -> Result<String, Error> {
        let environment: Environment = [
            ("SET".to_owned(), CANARY.to_owned()),
            ("EMPTY".to_owned(), String::new()),
        ]
        .into_iter()
        .collect();
        let secrets = Secrets::default();
        let read = source.read(&environment, &secrets).await;
        if let Ok(secret) = &read {
            assert_eq!(
                secrets.mask(secret.expose_secret()),
                "***",
                "what was read is known as a secret"
            );
        }
        if let Err(error) = &read {
            assert!(!format!("{error:?}").contains(CANARY), "{error:?}");
            assert_eq!(error.kind, ErrorKind::Credentials);
        }
        read.map(|secret| secret.expose_secret().to_owned())
    }

    #[tokio::test]
    async fn one_end_of_a_line_is_taken_away_and_nothing_else() {
        for (printed, secret) in [
            ("S3cr3t-canary", "S3cr3t-canary"),
            ("S3cr3t-canary\\n", "S3cr3t-canary"),
            ("S3cr3t-canary\\r\\n", "S3cr3t-canary"),
            (" S3cr3t-canary \\n", " S3cr3t-canary "),
            ("\\357\\273\\277S3cr3t-canary\\n", "S3cr3t-canary"),
        ] {
            assert_eq!(read(&command(&["printf", printed])).await.unwrap(), secret);
        }
        for printed in ["", "\\n", "S3cr3t-canary\\n\\n", "a\\nb"] {
            let error = read(&command(&["printf", printed])).await.unwrap_err();
            assert!(error.reason.starts_with("The command `printf` gives"), "{error:?}");
        }
    }

    #[tokio::test]
    async fn no_shell_reads_the_arguments() {
        assert_eq!(read(&command(&["echo", "$HOME; `id`"])).await.unwrap(), "$HOME; `id`");
    }

    #[tokio::test]
    async fn a_failed_command_says_what_it_said_but_not_what_it_printed() {
        let script = "echo S3cr3t-canary; echo 'token S3cr3t-canary\u{1b}[2J has expired' >&2; exit 3";
        let error = read(&command(&["sh", "-c", script])).await.unwrap_err();
        assert_eq!(
            error.reason,
            "The command `sh` ended with code 3: token ***\\u{1b}[2J has expired."
        );
        let error = read(&command(&["/nowhere/get-token"])).await.unwrap_err();
        assert!(error.reason.contains("cannot be started"), "{error:?}");
    }

    #[tokio::test]
    async fn a_command_that_hangs_is_given_up() {
        let argv = ["sleep".to_owned(), "1000".to_owned()];
        let patience = Duration::from_millis(200);
        let error = run(&argv, Path::new("/"), &Secrets::default(), patience)
            .await
            .unwrap_err();
        assert_eq!(error.reason, "The command `sleep` did not end within 200 ms.");
    }

    #[tokio::test]
    async fn a_command_that_prints_without_end_is_given_up() {
        let started = Instant::now();
        let error = read(&command(&["head", "-c", "3000000", "/dev/zero"]))
            .await
            .unwrap_err();
        assert!(error.reason.contains("more than 64 KiB"), "{error:?}");
        assert!(started.elapsed() < PATIENCE);
    }

    #[tokio::test]
    async fn a_variable_is_set_or_an_error() {
        assert_eq!(read(&Source::Env("SET".to_owned())).await.unwrap(), CANARY);
        for (name, words) in [("UNSET", "is not set"), ("EMPTY", "gives nothing")] {
            let error = read(&Source::Env(name.to_owned())).await.unwrap_err();
            assert!(error.reason.contains(words), "{error:?}");
        }
    }

    #[tokio::test]
    async fn a_file_is_small_and_regular() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("good"), "S3cr3t-canary\n").unwrap();
        std::fs::write(path("huge"), "S3cr3t-canary".repeat(10_000)).unwrap();
        std::fs::write(path("binary"), [0xff, 0xfe]).unwrap();
        let made = std::process::Command::new("mkfifo").arg(path("pipe")).status().unwrap();
        assert!(made.success());
        assert_eq!(read(&Source::File(path("good"))).await.unwrap(), CANARY);
        for (name, words) in [
            ("huge", "larger than 64 KiB"),
            ("binary", "not UTF-8"),
            ("pipe", "no regular file"),
            ("absent", "no such file"),
            ("", "no regular file"),
        ] {
            let error = read(&Source::File(path(name))).await.unwrap_err();
            assert!(error.reason.contains(words), "{error:?}");
        }
    }

    #[test]
    fn a_file_that_others_can_read_is_warned_of() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("password");
        std::fs::write(&path, CANARY).unwrap();
        let source = Source::File(path.clone());
        for (mode, warned) in [(0o644, true), (0o640, true), (0o600, false), (0o400, false)] {
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
            assert_eq!(source.warning().is_some(), warned, "{mode:o}");
        }
    }
}
