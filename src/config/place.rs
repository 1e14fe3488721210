//! Where a database is, and how to get the password for it.

use std::fmt;

use super::{DatabaseUrl, Scheme, Secrets};
use crate::catalog;

/// Where a database is. Its URL is made anew for each connection, since a password may have a short life.
#[derive(Clone, Debug)]
pub struct Place {
    url: DatabaseUrl,
    secrets: Secrets,
}

impl Place {
    /// Makes a place of a URL; `secrets` are those of the run.
    pub fn new(url: DatabaseUrl, secrets: Secrets) -> Self {
        secrets.extend(url.secrets());
        Self { url, secrets }
    }

    /// Returns the URL for one connection, with its password.
    ///
    /// # Errors
    ///
    /// The password cannot be obtained. No part of it is in the error.
    pub async fn open(&self) -> Result<DatabaseUrl, catalog::Error> {
        Ok(self.url.clone())
    }

    /// Returns the protocol, if it is known before the place is opened.
    pub fn scheme(&self) -> Option<Scheme> {
        Some(self.url.scheme())
    }

    /// Returns what tells servers apart: host and port, a socket, or a file.
    pub fn server_key(&self) -> String {
        self.url.server().to_owned()
    }

    /// Returns the secrets of the run.
    pub fn secrets(&self) -> &Secrets {
        &self.secrets
    }
}

impl From<DatabaseUrl> for Place {
    fn from(url: DatabaseUrl) -> Self {
        Self::new(url, Secrets::default())
    }
}

impl fmt::Display for Place {
    /// Prints the place without its secrets, safe on a terminal.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.url.fmt(f)
    }
}
