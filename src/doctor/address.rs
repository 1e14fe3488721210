//! Where a URL leads, and how the way there is protected, as the driver reads it.

use std::path::PathBuf;

use sqlx::mysql::{MySqlConnectOptions, MySqlSslMode};
use sqlx::postgres::{PgConnectOptions, PgSslMode};

use crate::config::{DatabaseUrl, Scheme};

/// Where a URL leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// To a port of a host.
    Port(String, u16),
    /// To a socket of this machine.
    Socket(PathBuf),
    /// To a file.
    File,
}

/// How far a driver makes sure of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trust {
    /// Nothing is checked.
    Nobody,
    /// The certificate must be signed by a known authority.
    Authority,
    /// And be that of the host.
    Name,
}

/// What a URL says of the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Address {
    pub(super) place: Place,
    pub(super) trust: Trust,
    /// What to write into the URL so that the server is checked.
    pub(super) verify: &'static str,
}

impl Address {
    /// Reads a URL; nothing if the driver does not understand it.
    pub(super) fn of(url: &DatabaseUrl) -> Option<Self> {
        match url.scheme() {
            Scheme::Postgres => {
                let options: PgConnectOptions = url.expose().parse().ok()?;
                let trust = match options.get_ssl_mode() {
                    PgSslMode::VerifyFull => Trust::Name,
                    PgSslMode::VerifyCa => Trust::Authority,
                    _ => Trust::Nobody,
                };
                let place = place(options.get_socket(), options.get_host(), options.get_port());
                Some(Self {
                    place,
                    trust,
                    verify: "sslmode=verify-full",
                })
            }
            Scheme::MySql => {
                let options: MySqlConnectOptions = url.expose().parse().ok()?;
                let trust = match options.get_ssl_mode() {
                    MySqlSslMode::VerifyIdentity => Trust::Name,
                    MySqlSslMode::VerifyCa => Trust::Authority,
                    _ => Trust::Nobody,
                };
                let place = place(options.get_socket(), options.get_host(), options.get_port());
                Some(Self {
                    place,
                    trust,
                    verify: "ssl-mode=VERIFY_IDENTITY",
                })
            }
            Scheme::Sqlite => Some(Self {
                place: Place::File,
                trust: Trust::Nobody,
                verify: "",
            }),
        }
    }

    /// Returns whether nobody outside this machine is on the way.
    pub(super) fn is_local(&self) -> bool {
        match &self.place {
            Place::Socket(_) | Place::File => true,
            Place::Port(host, _) => {
                let address = host.trim_matches(['[', ']']).parse::<std::net::IpAddr>();
                host.eq_ignore_ascii_case("localhost") || address.is_ok_and(|address| address.is_loopback())
            }
        }
    }
}

fn place(socket: Option<&PathBuf>, host: &str, port: u16) -> Place {
    match socket {
        Some(path) => Place::Socket(path.clone()),
        None => Place::Port(host.to_owned(), port),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(url: &str) -> Address {
        Address::of(&DatabaseUrl::parse(url).unwrap()).unwrap()
    }

    #[test]
    fn a_url_leads_where_the_driver_goes() {
        for (url, place, local) in [
            ("postgres://db/x", Place::Port("db".to_owned(), 5432), false),
            (
                "postgres://127.0.0.1:6432/x",
                Place::Port("127.0.0.1".to_owned(), 6432),
                true,
            ),
            ("mysql://[::1]/x", Place::Port("[::1]".to_owned(), 3306), true),
            ("sqlite:x.db", Place::File, true),
        ] {
            let found = address(url);
            assert_eq!(found.place, place, "{url}");
            assert_eq!(found.is_local(), local, "{url}");
        }
    }

    #[test]
    fn only_a_verifying_mode_is_trust() {
        assert_eq!(address("postgres://db/x?sslmode=verify-full").trust, Trust::Name);
        assert_eq!(address("postgres://db/x?sslmode=verify-ca").trust, Trust::Authority);
        assert_eq!(address("postgres://db/x?sslmode=require").trust, Trust::Nobody);
        assert_eq!(address("mysql://db/x?ssl-mode=VERIFY_IDENTITY").trust, Trust::Name);
    }
}
