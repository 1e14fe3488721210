//! Where a database is, and how to get the password for it.

use std::fmt;
use std::sync::Arc;

use secrecy::ExposeSecret as _;

use super::passfile::{self, Found, Login};
use super::pem;
use super::relay::Relay;
use super::source::Source;
use super::{DatabaseUrl, Environment, Scheme, Secrets, Tls};
use crate::catalog::{Error, ErrorKind};

/// Where a database is. Its URL is made anew for each connection, since a password may have a short life.
#[derive(Clone, Debug)]
pub struct Place {
    way: Arc<Way>,
    environment: Environment,
    secrets: Secrets,
}

/// How a place is found.
#[derive(Debug)]
enum Way {
    /// By a URL, to which a source may add the password.
    Url { url: DatabaseUrl, password: Option<Source> },
    /// By a URL that is a secret as a whole.
    Kept {
        source: Source,
        tls: Tls,
        /// The database, if it is another than the URL's.
        database: Option<String>,
    },
    /// Not at all: a reason and what to do.
    Nowhere {
        shown: String,
        reason: String,
        help: String,
    },
}

impl Place {
    /// Makes a place of a URL. `secrets` are those of the run, to which its password is added.
    pub fn new(url: DatabaseUrl, password: Option<Source>, environment: &Environment, secrets: &Secrets) -> Self {
        secrets.learn(&url);
        Self::of(Way::Url { url, password }, environment, secrets)
    }

    /// Makes a place whose URL is obtained for each connection.
    pub fn kept(
        source: Source,
        tls: Tls,
        database: Option<String>,
        environment: &Environment,
        secrets: &Secrets,
    ) -> Self {
        let way = Way::Kept { source, tls, database };
        Self::of(way, environment, secrets)
    }

    /// Makes a place that cannot be found, so that its target is reported and not left out.
    pub fn nowhere(shown: &str, reason: String, help: String) -> Self {
        let shown = shown.to_owned();
        let way = Way::Nowhere { shown, reason, help };
        Self::of(way, &Environment::default(), &Secrets::default())
    }

    fn of(way: Way, environment: &Environment, secrets: &Secrets) -> Self {
        Self {
            way: Arc::new(way),
            environment: environment.clone(),
            secrets: secrets.clone(),
        }
    }

    /// Returns the URL for one connection, with its password.
    ///
    /// # Errors
    ///
    /// The password, or a file that TLS needs, cannot be obtained. No part of it is in the error.
    pub async fn open(&self) -> Result<DatabaseUrl, Error> {
        let url = self.unlock().await?;
        pem::check(url.pem_files()).await?;
        match url.server_name() {
            Some(name) => Ok(url.through(Relay::open(url.server()).await?, name)),
            None => Ok(url),
        }
    }

    /// Returns the URL with its password.
    async fn unlock(&self) -> Result<DatabaseUrl, Error> {
        match &*self.way {
            Way::Url {
                url,
                password: Some(source),
            } => {
                let password = source.read(&self.environment, &self.secrets).await?;
                Ok(self.keep(url.with_password(password.expose_secret())))
            }
            Way::Url { url, password: None } => match self.look_up(url) {
                Found::Password(password) => Ok(self.keep(url.with_password(&password))),
                Found::Nothing | Found::Open(_) => Ok(url.clone()),
            },
            Way::Kept { source, tls, database } => {
                let text = source.read(&self.environment, &self.secrets).await?;
                let url = DatabaseUrl::parse_with(text.expose_secret(), tls);
                let url = url.and_then(|url| match database {
                    Some(database) => url.with_database(database),
                    None => Ok(url),
                });
                url.map(|url| self.keep(url)).map_err(|error| {
                    Error::new(
                        ErrorKind::Credentials,
                        format!("The URL that was obtained is not usable: {}.", error.reason),
                        format!("Change where it comes from: {}.", error.help),
                    )
                })
            }
            Way::Nowhere { reason, help, .. } => Err(Error::new(ErrorKind::Unreachable, reason.clone(), help.clone())),
        }
    }

    /// Returns the place of another database of the same server, with the same login.
    ///
    /// # Errors
    ///
    /// There is none: it is a file.
    pub fn with_database(&self, name: &str) -> Result<Self, super::UrlError> {
        let way = match &*self.way {
            Way::Url { url, password } => Way::Url {
                url: url.with_database(name)?,
                password: password.clone(),
            },
            Way::Kept { source, tls, .. } => Way::Kept {
                source: source.clone(),
                tls: tls.clone(),
                database: Some(name.to_owned()),
            },
            Way::Nowhere { shown, reason, help } => Way::Nowhere {
                shown: shown.clone(),
                reason: reason.clone(),
                help: help.clone(),
            },
        };
        Ok(Self::of(way, &self.environment, &self.secrets))
    }

    /// Says what is unwise about how the password is kept, and what to do.
    pub fn warning(&self) -> Option<(String, String)> {
        match &*self.way {
            Way::Url {
                password: Some(source), ..
            }
            | Way::Kept { source, .. } => source.warning(),
            Way::Url { url, password: None } => match self.look_up(url) {
                Found::Open(file) => Some((
                    format!(
                        "`{}` is not used: other users of this machine can read it",
                        file.display()
                    ),
                    format!("chmod 600 {}", file.display()),
                )),
                Found::Password(_) | Found::Nothing => None,
            },
            Way::Nowhere { .. } => None,
        }
    }

    fn look_up(&self, url: &DatabaseUrl) -> Found {
        if url.has_password() {
            return Found::Nothing;
        }
        let (host, port) = url.server().rsplit_once(':').unwrap_or((url.server(), ""));
        let usual = || {
            self.environment
                .filled("PGUSER")
                .or_else(|| self.environment.filled("USER"))
        };
        let login = Login {
            host: host.trim_start_matches('[').trim_end_matches(']'),
            port,
            database: url.database(),
            user: Some(url.user())
                .filter(|user| !user.is_empty())
                .or_else(usual)
                .unwrap_or_default(),
        };
        passfile::look_up(url.scheme(), login, &self.environment)
    }

    /// Remembers the password of a URL before anybody is asked with it.
    fn keep(&self, url: DatabaseUrl) -> DatabaseUrl {
        self.secrets.learn(&url);
        url
    }

    /// Returns the protocol, if it is known before the place is opened.
    pub fn scheme(&self) -> Option<Scheme> {
        match &*self.way {
            Way::Url { url, .. } => Some(url.scheme()),
            Way::Kept { .. } | Way::Nowhere { .. } => None,
        }
    }

    /// Returns what tells servers apart: host and port, a socket, or a file. Places of which no server is known before
    /// they are opened are told apart by where their URL comes from.
    pub fn server_key(&self) -> String {
        match &*self.way {
            Way::Url { url, .. } => url.server().to_owned(),
            Way::Kept { source, .. } => format!("{source:?}"),
            Way::Nowhere { shown, .. } => shown.clone(),
        }
    }

    /// Returns the secrets of the run.
    pub fn secrets(&self) -> &Secrets {
        &self.secrets
    }
}

impl From<DatabaseUrl> for Place {
    fn from(url: DatabaseUrl) -> Self {
        Self::new(url, None, &Environment::default(), &Secrets::default())
    }
}

impl fmt::Display for Place {
    /// Prints the place without its secrets, safe on a terminal.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.way {
            Way::Url { url, .. } => url.fmt(f),
            Way::Kept { source, .. } => source.fmt(f),
            Way::Nowhere { shown, .. } => crate::text::Terminal(shown).fmt(f),
        }
    }
}
