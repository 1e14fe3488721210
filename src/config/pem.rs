//! The files that TLS needs, looked at before anybody is asked: a driver does not tell them from a server that is not there.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::source::{patiently, read_bytes};
use super::{Scheme, tls};
use crate::catalog::{Error, ErrorKind, Stage};
use crate::text::Terminal;

/// The largest file, in bytes. A system's bundle of authorities has some hundred thousand.
const MOST: u64 = 16 << 20;

/// A file that a driver reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PemFile {
    path: PathBuf,
    holds: &'static str,
    /// What is in the line in which it begins.
    mark: &'static str,
}

/// Returns the files that a URL names, by its parameters. What is written into the URL itself is none.
pub(super) fn named(scheme: Scheme, parameters: &BTreeMap<&'static str, String>) -> Vec<PemFile> {
    let [mode, ca, cert, key] = tls::names(scheme);
    if parameters
        .get(mode)
        .is_some_and(|mode| mode.to_ascii_lowercase().starts_with("disable"))
    {
        return Vec::new();
    }
    let kinds = [
        (ca, "certificate authority", "CERTIFICATE-----"),
        (cert, "client's certificate", "CERTIFICATE-----"),
        (key, "client's key", "PRIVATE KEY-----"),
    ];
    let file = |(name, holds, mark): (&str, _, _)| {
        let value = parameters
            .get(name)
            .filter(|value| !value.trim().starts_with("-----BEGIN"))?;
        let path = PathBuf::from(value);
        Some(PemFile { path, holds, mark })
    };
    kinds.into_iter().filter_map(file).collect()
}

/// Looks whether the files are there, and hold what they should.
pub(super) async fn check(files: &[PemFile]) -> Result<(), Error> {
    for file in files {
        let (path, mark) = (file.path.clone(), file.mark);
        let shown = Terminal(&file.path.to_string_lossy()).to_string();
        let holds = file.holds;
        let failed = |reason: String, help: &str| Error {
            stage: Stage::Tls,
            ..Error::new(ErrorKind::Credentials, reason, help)
        };
        match patiently(move || read(&path, mark)).await {
            Ok(true) => {}
            Ok(false) => {
                return Err(failed(
                    format!("The file `{shown}` holds no {holds} in PEM form."),
                    &format!("Name a file with the line -----BEGIN {mark}."),
                ));
            }
            Err(why) => {
                return Err(failed(
                    format!("The file `{shown}` of the {holds} cannot be read: {why}."),
                    "Correct the path; in seadrift.yaml, a relative one starts at its folder.",
                ));
            }
        }
    }
    Ok(())
}

fn read(path: &Path, mark: &str) -> Result<bool, String> {
    let bytes = read_bytes(path, MOST)?;
    // Notes between the certificates may be in any encoding.
    let text = String::from_utf8_lossy(&bytes);
    let is_begin = |line: &str| line.starts_with("-----BEGIN ") && line.trim_end().ends_with(mark);
    Ok(text.lines().any(is_begin))
}

#[cfg(test)]
mod tests {
    use super::super::{DatabaseUrl, Tls};
    use super::*;

    async fn reason(url: &str) -> Option<String> {
        let url = DatabaseUrl::parse_with(url, &Tls::default()).unwrap();
        check(url.pem_files()).await.err().map(|error| error.reason)
    }

    #[tokio::test]
    async fn a_file_that_is_not_what_tls_needs_is_told_before_anybody_is_asked() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
        let write = |name: &str, text: &[u8]| std::fs::write(path(name), text).unwrap();
        write(
            "ca.pem",
            b"caf\xe9\r\n-----BEGIN CERTIFICATE-----\r\nx\r\n-----END CERTIFICATE-----\r\n",
        );
        write(
            "key.pem",
            b"-----BEGIN RSA PRIVATE KEY-----\nx\n-----END RSA PRIVATE KEY-----\n",
        );
        for (scheme, [ca, cert, key]) in [
            ("postgres", ["sslrootcert", "sslcert", "sslkey"]),
            ("mysql", ["ssl-ca", "ssl-cert", "ssl-key"]),
        ] {
            let with = |name: &str, file: &str| format!("{scheme}://u@db/x?{name}={}", path(file));
            for (url, wanted) in [
                (with(ca, "ca.pem"), None),
                (with(cert, "ca.pem"), None),
                (with(key, "key.pem"), None),
                (
                    with(ca, "no.pem"),
                    Some("authority cannot be read: there is no such file"),
                ),
                (with(ca, ""), Some("authority cannot be read: it is no regular file")),
                (with(ca, "key.pem"), Some("holds no certificate authority in PEM form")),
                (with(cert, "key.pem"), Some("holds no client's certificate in PEM form")),
                (with(key, "ca.pem"), Some("holds no client's key in PEM form")),
            ] {
                let said = reason(&url).await;
                match wanted {
                    None => assert_eq!(said, None, "{url}"),
                    Some(words) => assert!(
                        said.as_ref().is_some_and(|said| said.contains(words)),
                        "{url}: {said:?}"
                    ),
                }
            }
        }
        assert_eq!(
            reason("postgres://u@db/x?sslmode=disable&sslrootcert=no.pem").await,
            None
        );
    }
}
