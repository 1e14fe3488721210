//! How a connection is encrypted, and who may answer.

use std::collections::BTreeMap;
use std::net::IpAddr;

use super::{Scheme, UrlError};

/// How much TLS has to prove.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TlsMode {
    /// No TLS.
    Disable,
    /// TLS if the server offers it; nothing is verified.
    Prefer,
    /// TLS; who answers is not verified.
    Require,
    /// The server's certificate is signed by a known authority.
    VerifyCa,
    /// It is also made out to the host.
    VerifyFull,
}

impl TlsMode {
    /// Every mode, the weakest first.
    pub const ALL: [Self; 5] = [
        Self::Disable,
        Self::Prefer,
        Self::Require,
        Self::VerifyCa,
        Self::VerifyFull,
    ];

    /// Returns its name in configuration files, which is PostgreSQL's.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Disable => "disable",
            Self::Prefer => "prefer",
            Self::Require => "require",
            Self::VerifyCa => "verify-ca",
            Self::VerifyFull => "verify-full",
        }
    }

    fn in_url(self, scheme: Scheme) -> &'static str {
        match (scheme, self) {
            (Scheme::MySql, Self::Disable) => "disabled",
            (Scheme::MySql, Self::Prefer) => "preferred",
            (Scheme::MySql, Self::Require) => "required",
            (Scheme::MySql, Self::VerifyCa) => "verify_ca",
            (Scheme::MySql, Self::VerifyFull) => "verify_identity",
            (_, mode) => mode.as_str(),
        }
    }
}

/// What is said of TLS beside a URL.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tls {
    /// How much has to be proved. Where nothing is said, everything, except on this machine.
    pub mode: Option<TlsMode>,
    /// File of certificate authorities that are trusted beside the system's.
    pub ca: Option<String>,
    /// File of the certificate to log in with.
    pub cert: Option<String>,
    /// File of its key.
    pub key: Option<String>,
    /// The name that the server's certificate must have, where that is not the host.
    pub server_name: Option<String>,
    /// Whether the URL counts more where both say something; otherwise that is a mistake.
    pub yields: bool,
}

impl Tls {
    /// Returns what a URL lacks, as parameters: what is said here, and the mode for those that say nothing.
    pub(super) fn parameters(
        &self,
        scheme: Scheme,
        written: &BTreeMap<&'static str, String>,
        host: &str,
    ) -> Result<Vec<(&'static str, String)>, UrlError> {
        let [mode, ca, cert, key] = names(scheme);
        let usual = (!written.contains_key(mode) && (!is_local(host) || self.server_name.is_some()))
            .then_some(TlsMode::VerifyFull);
        let wanted = self.mode.or(usual).map(|mode| mode.in_url(scheme).to_owned());
        let mut lacking = Vec::new();
        for (name, value) in [
            (mode, wanted),
            (ca, self.ca.clone()),
            (cert, self.cert.clone()),
            (key, self.key.clone()),
        ] {
            let Some(value) = value else { continue };
            if written.contains_key(name) && self.yields {
                continue;
            }
            if written.contains_key(name) {
                return Err(UrlError::new(
                    format!("the URL has `{name}`, and `tls` beside it says the same thing again"),
                    "keep one of the two",
                ));
            }
            lacking.push((name, value));
        }
        Ok(lacking)
    }
}

/// Returns what mode, authorities, certificate and key are called in URLs.
pub(super) fn names(scheme: Scheme) -> [&'static str; 4] {
    match scheme {
        Scheme::MySql => ["ssl-mode", "ssl-ca", "ssl-cert", "ssl-key"],
        _ => ["sslmode", "sslrootcert", "sslcert", "sslkey"],
    }
}

/// Returns whether a host is this machine, where nobody can listen in between.
pub(super) fn is_local(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let address: Option<IpAddr> = bare.parse().ok();
    host.starts_with('/') || host.eq_ignore_ascii_case("localhost") || address.is_some_and(|ip| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::super::DatabaseUrl;
    use super::*;

    fn driver(text: &str, tls: &Tls) -> String {
        DatabaseUrl::parse_with(text, tls).unwrap().expose().to_owned()
    }

    #[test]
    fn everything_is_verified_unless_somebody_says_otherwise_or_the_server_is_on_this_machine() {
        for (text, mode) in [
            ("postgres://db/x", Some("sslmode=verify-full")),
            ("mysql://db/x", Some("ssl-mode=verify_identity")),
            ("mariadb://10.0.0.1:3307/x", Some("ssl-mode=verify_identity")),
            ("postgres://db/x?sslmode=require", None),
            ("mysql://db/x?ssl-mode=PREFERRED", None),
            ("postgres://localhost/x", None),
            ("postgres://127.1.2.3/x", None),
            ("postgres://[::1]/x", None),
            ("postgres://127.example.org/x", Some("sslmode=verify-full")),
            ("postgres://localhost.example.org/x", Some("sslmode=verify-full")),
            ("postgres://u@/x?host=/run/postgresql", None),
            ("postgres://%2Frun%2Fpostgresql/x", None),
            ("postgres://localhost/x?host=db", Some("sslmode=verify-full")),
            ("mysql://localhost/x?socket=/run/mysqld.sock", None),
        ] {
            let url = driver(text, &Tls::default());
            match mode {
                Some(mode) => assert!(url.ends_with(mode), "{url}"),
                None => assert!(!url.contains("verify"), "{url}"),
            }
        }
    }

    #[test]
    fn what_is_said_beside_the_url_reaches_the_driver() {
        let tls = Tls {
            mode: Some(TlsMode::VerifyCa),
            ca: Some("/etc/a b.pem".to_owned()),
            cert: Some("c".to_owned()),
            key: Some("k".to_owned()),
            ..Tls::default()
        };
        assert_eq!(
            driver("postgres://localhost/x?application_name=a", &tls),
            "postgres://localhost/x?application_name=a&sslmode=verify-ca&sslrootcert=%2Fetc%2Fa%20b.pem&sslcert=c&sslkey=k"
        );
        assert_eq!(
            driver("mysql://db/x", &tls),
            "mysql://db/x?ssl-mode=verify_ca&ssl-ca=%2Fetc%2Fa%20b.pem&ssl-cert=c&ssl-key=k"
        );
        for twice in ["postgres://db/x?sslmode=require", "mysql://db/x?ssl-ca=y"] {
            let error = DatabaseUrl::parse_with(twice, &tls).unwrap_err();
            assert!(error.reason.contains("again"), "{error:?}");
            let yielding = Tls {
                yields: true,
                ..tls.clone()
            };
            let url = driver(twice, &yielding);
            assert!(url.contains(twice) && url.contains("cert=c"), "{url}");
        }
    }
}
