//! Database URLs that cannot print themselves.

use std::fmt;

use secrecy::{ExposeSecret, SecretString};

/// A database URL. `Debug` and `Display` hide the password.
#[derive(Clone)]
pub struct DatabaseUrl {
    scheme: Scheme,
    secret: SecretString,
    redacted: String,
}

/// The protocol that a URL asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// `postgres://`, `postgresql://`
    Postgres,
    /// `mysql://`, `mariadb://`
    MySql,
    /// `sqlite://`, `sqlite:`
    Sqlite,
}

/// Why a URL was refused. The text holds no part of the URL.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct UrlError {
    /// What is wrong.
    pub reason: String,
    /// What to do.
    pub help: String,
}

impl DatabaseUrl {
    /// Parses a URL.
    ///
    /// # Errors
    ///
    /// A URL that does not parse or whose scheme is not supported. No part of it is in the error.
    pub fn parse(text: &str) -> Result<Self, UrlError> {
        let scheme = match text.split(':').next() {
            Some("postgres" | "postgresql") => Scheme::Postgres,
            Some("mysql" | "mariadb") => Scheme::MySql,
            Some("sqlite") => Scheme::Sqlite,
            _ => {
                return Err(UrlError {
                    reason: "the URL's scheme is not supported".to_owned(),
                    help: "use postgres://, mysql://, mariadb:// or sqlite://".to_owned(),
                });
            }
        };
        Ok(Self {
            scheme,
            secret: text.to_owned().into(),
            redacted: format!("{scheme:?}"),
        })
    }

    /// Returns the protocol.
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// Returns the URL with its password, for a driver.
    pub fn expose(&self) -> &str {
        self.secret.expose_secret()
    }
}

impl fmt::Display for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.redacted)
    }
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DatabaseUrl({})", self.redacted)
    }
}
