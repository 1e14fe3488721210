//! Database URLs that cannot print themselves.

use std::fmt;
use std::net::Ipv6Addr;
use std::sync::Arc;

use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use secrecy::{ExposeSecret, SecretString};

use super::forms::forms;
use super::parameters;
use super::pem::{self, PemFile};
use super::relay::Relay;
use super::tls::Tls;
use crate::text::Terminal;

/// A database URL. `Debug` and `Display` hide the password and everything behind the `?`.
#[derive(Clone)]
pub struct DatabaseUrl {
    scheme: Scheme,
    secret: SecretString,
    redacted: String,
    server: String,
    has_password: bool,
    secrets: Vec<SecretString>,
    /// The name on the server's certificate, where that is another than the host.
    server_name: Option<String>,
    /// The files that TLS needs.
    pem_files: Vec<PemFile>,
    /// What leads to the server, as long as the URL is there.
    _relay: Option<Arc<Relay>>,
    /// Its parts that are shown, and so no secrets even if the password is spelled like one of them.
    public: Vec<String>,
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

impl UrlError {
    pub(super) fn new(reason: impl Into<String>, help: impl Into<String>) -> Self {
        Self {
            reason: reason.into(),
            help: help.into(),
        }
    }
}

/// What a URL should look like, for messages.
const SHAPE: &str = "write it as postgres://USER:PASSWORD@HOST:5432/DATABASE, mysql://… or sqlite:FILE";

const ENCODE: &str = "percent-encode the password: `@` as %40, `/` as %2F, `#` as %23, `?` as %3F, `%` as %25; \
                      an `@` anywhere else in the URL as %40, too";

impl DatabaseUrl {
    /// Parses a URL.
    ///
    /// # Errors
    ///
    /// A URL that does not parse, whose scheme is not supported, or that a driver would read in another way than it
    /// was meant. No part of it is in the error.
    pub fn parse(text: &str) -> Result<Self, UrlError> {
        Self::parse_with(text, &Tls::default())
    }

    /// Parses a URL beside which something is said of TLS.
    ///
    /// # Errors
    ///
    /// As [`DatabaseUrl::parse`]; also if both say the same thing.
    pub fn parse_with(text: &str, tls: &Tls) -> Result<Self, UrlError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(UrlError::new("the database URL is empty", SHAPE));
        }
        if text.chars().any(char::is_control) {
            return Err(UrlError::new("the database URL holds a control character", SHAPE));
        }
        let (word, rest) = split_scheme(text)?;
        match word.to_ascii_lowercase().as_str() {
            word @ ("postgres" | "postgresql") => network(Scheme::Postgres, word, rest, tls),
            word @ ("mysql" | "mariadb") => network(Scheme::MySql, word, rest, tls),
            "sqlite" => file(rest),
            "jdbc" => Err(UrlError::new("this is a JDBC URL", "leave out the `jdbc:` in front")),
            _ => Err(UrlError::new(
                "the URL's scheme is not supported",
                "use postgres://, mysql://, mariadb:// or sqlite:",
            )),
        }
    }

    /// Returns the URL with another password in it.
    #[must_use]
    pub fn with_password(&self, password: &str) -> Self {
        let (word, rest) = self.expose().split_once("://").unwrap_or_default();
        let end = rest.find('/').unwrap_or(rest.len());
        let (authority, path) = rest.split_at(end);
        let (login, host) = authority.rsplit_once('@').unwrap_or(("", authority));
        let user = login.split_once(':').map_or(login, |(user, _)| user);
        Self {
            secret: format!("{word}://{user}:{}@{host}{path}", encode(password)).into(),
            has_password: true,
            secrets: forms(password, &self.public),
            ..self.clone()
        }
    }

    /// Returns the name that the server's certificate must have, where that is not the host.
    pub(super) fn server_name(&self) -> Option<&str> {
        self.server_name.as_deref()
    }

    /// Returns the files that TLS needs.
    pub(super) fn pem_files(&self) -> &[PemFile] {
        &self.pem_files
    }

    /// Returns the URL by which a driver verifies a name and connects through a relay.
    pub(super) fn through(&self, relay: Relay, name: &str) -> Self {
        let (word, rest) = self.expose().split_once("://").unwrap_or_default();
        let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        let login = authority.rsplit_once('@').map_or("", |(login, _)| login);
        let port = self.server.rsplit_once(':').map_or("", |(_, port)| port);
        Self {
            secret: append(
                format!("{word}://{login}@{name}:{port}{path}"),
                &[relay.parameter(self.scheme)],
            )
            .into(),
            _relay: Some(Arc::new(relay)),
            ..self.clone()
        }
    }

    /// Returns the URL of another database of the same server.
    ///
    /// # Errors
    ///
    /// It is the URL of a file, or its database is named by a parameter.
    pub fn with_database(&self, database: &str) -> Result<Self, UrlError> {
        let (word, rest) = self.expose().split_once("://").unwrap_or_default();
        let (place, query) = rest
            .split_once('?')
            .map_or((rest, None), |(place, query)| (place, Some(query)));
        let (authority, _) = place.split_once('/').unwrap_or((place, ""));
        if self.scheme == Scheme::Sqlite || query.is_some_and(|query| query.contains("dbname=")) {
            return Err(UrlError::new(
                "the URL is not one of a server, or names its database by a parameter",
                "write it as postgres://HOST/DATABASE",
            ));
        }
        let query = query.map(|query| format!("?{query}")).unwrap_or_default();
        let (shown, _) = self.redacted.rsplit_once('/').unwrap_or_default();
        Ok(Self {
            secret: format!("{word}://{authority}/{}{query}", encode(database)).into(),
            redacted: format!("{shown}/{database}"),
            public: vec![self.user().to_owned(), database.to_owned()],
            ..self.clone()
        })
    }

    /// Makes the URL of an SQLite file.
    ///
    /// # Errors
    ///
    /// A path that is not Unicode, or that no URL can hold.
    pub fn of_file(path: &std::path::Path) -> Result<Self, UrlError> {
        const SET: &percent_encoding::AsciiSet = &percent_encoding::CONTROLS.add(b'%').add(b'?').add(b'#').add(b'@');
        let Some(path) = path.to_str() else {
            return Err(UrlError::new("the path is not Unicode", "name another directory"));
        };
        Self::parse(&format!("sqlite:{}", percent_encoding::utf8_percent_encode(path, SET)))
    }

    /// Returns the protocol.
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// Returns the URL with its password, for a driver.
    pub fn expose(&self) -> &str {
        self.secret.expose_secret()
    }

    /// Returns what tells servers apart: host and port, the path of a socket, or the file.
    pub fn server(&self) -> &str {
        &self.server
    }

    /// Returns the user; empty where the driver takes its own.
    pub fn user(&self) -> &str {
        self.public.first().map_or("", String::as_str)
    }

    /// Returns the database.
    pub fn database(&self) -> &str {
        self.public.last().map_or("", String::as_str)
    }

    /// Returns whether a password is written in the URL.
    pub fn has_password(&self) -> bool {
        self.has_password
    }

    /// Returns its parts that are shown, such as the user.
    pub(super) fn public(&self) -> &[String] {
        &self.public
    }

    /// Returns every form in which the password could turn up in somebody else's message, for [`super::redact`].
    pub fn secrets(&self) -> Vec<&str> {
        self.secrets.iter().map(ExposeSecret::expose_secret).collect()
    }
}

impl fmt::Display for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Terminal(&self.redacted).fmt(f)
    }
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DatabaseUrl({self})")
    }
}

fn split_scheme(text: &str) -> Result<(&str, &str), UrlError> {
    if text.starts_with(['"', '\'']) {
        return Err(UrlError::new("the database URL is in quotes", "leave out the quotes"));
    }
    match text.split_once(':') {
        Some((word, rest)) if !word.contains('=') => Ok((word, rest)),
        _ if text.contains('=') => Err(UrlError::new("this is a connection string, not a URL", SHAPE)),
        _ => Err(UrlError::new("the database URL has no scheme", SHAPE)),
    }
}

/// Parses what follows `sqlite:`.
fn file(rest: &str) -> Result<DatabaseUrl, UrlError> {
    let place = rest.strip_prefix("//").unwrap_or(rest);
    let (path, query) = place.split_once('?').unwrap_or((place, ""));
    if place.split_once('@').is_some_and(|(login, _)| login.contains(':')) {
        return Err(UrlError::new(
            "a SQLite URL has no user, password or host",
            "write it as sqlite:FILE; an `@` in the file's name as %40",
        ));
    }
    let parameters = parameters::parse(Scheme::Sqlite, query)?;
    if path.is_empty() && parameters.get("mode").is_none_or(|mode| mode != "memory") {
        return Err(UrlError::new("the URL names no file", "write it as sqlite:FILE"));
    }
    Ok(DatabaseUrl {
        scheme: Scheme::Sqlite,
        secret: format!("sqlite:{rest}").into(),
        redacted: format!("sqlite:{path}"),
        server: decode(path),
        has_password: false,
        secrets: Vec::new(),
        server_name: None,
        pem_files: Vec::new(),
        _relay: None,
        public: Vec::new(),
    })
}

/// Parses what follows the scheme of a server's URL.
fn network(scheme: Scheme, word: &str, rest: &str, tls: &Tls) -> Result<DatabaseUrl, UrlError> {
    let Some(rest) = rest.strip_prefix("//") else {
        return Err(UrlError::new("the URL lacks `//` behind its scheme", SHAPE));
    };
    if rest.chars().any(char::is_whitespace) {
        return Err(UrlError::new("the URL holds a blank", "write it as %20"));
    }
    // The last `@` ends the login, as browsers and drivers have it. Nothing before it may hold a character that
    // some parser takes for an end of its own, so that all parsers agree on where the password is.
    let (login, place) = match rest.rsplit_once('@') {
        Some((login, place)) => (Some(Login::parse(login)?), place),
        None => (None, rest),
    };
    if place.contains('#') {
        return Err(UrlError::new(
            "the URL holds a `#`, which cuts off what follows",
            "write it as %23",
        ));
    }
    let (before, query) = place.split_once('?').unwrap_or((place, ""));
    let (authority, path) = before.split_once('/').unwrap_or((before, ""));
    let parameters = parameters::parse(scheme, query)?;
    let get = |name: &str| parameters.get(name).map(String::as_str);

    let (host, port) = split_port(authority)?;
    check_host(scheme, host)?;
    let place = get("socket").or(get("host")).or(get("hostaddr")).unwrap_or(host);
    if place.is_empty() {
        return Err(UrlError::new("the URL names no host", no_host_help(scheme)));
    }
    let database = get("dbname").unwrap_or(path);
    check_database(database, path)?;

    let mut secrets: Vec<SecretString> = Vec::new();
    let user = get("user").or(login.as_ref().map(|l| l.user)).unwrap_or_default();
    let password = login.as_ref().and_then(|l| l.password);
    let public = [decode(user), decode(place), decode(database)];
    for raw in [password, raw_parameter(query, "password")].into_iter().flatten() {
        secrets.extend(forms(raw, &public));
        secrets.extend(forms(&decode(raw), &public));
    }
    if let Some(decoded) = get("password") {
        secrets.extend(forms(decoded, &public));
    }
    let port = get("port").or(port);
    let server = server(scheme, place, port);
    let driver_url = driver_url(scheme, rest, login.is_some() && host.is_empty());
    if tls.server_name.is_some() && (server.starts_with('/') || get("host").or(get("hostaddr")).is_some()) {
        return Err(UrlError::new(
            "a name for the server's certificate makes no sense beside a socket, or a host among the parameters",
            "write the host in front of the database, or leave `server_name` out",
        ));
    }
    let driver_url = append(driver_url, &tls.parameters(scheme, &parameters, &decode(place))?);
    if let Err(error) = url::Url::parse(&driver_url) {
        return Err(UrlError::new(format!("the URL is not valid: {error}"), SHAPE));
    }
    let query = driver_url.split_once('?').map_or("", |(_, query)| query);
    let pem_files = pem::named(scheme, &parameters::parse(scheme, query)?);
    let port = port.map(|port| format!(":{port}")).unwrap_or_default();
    let user = if user.is_empty() {
        String::new()
    } else {
        format!("{user}@")
    };
    Ok(DatabaseUrl {
        scheme,
        secret: driver_url.into(),
        redacted: format!("{word}://{user}{place}{port}/{database}"),
        server,
        has_password: password.is_some() || get("password").is_some(),
        secrets,
        server_name: tls.server_name.clone(),
        pem_files,
        _relay: None,
        public: public.into(),
    })
}

/// The part of a URL before its last `@`.
struct Login<'a> {
    user: &'a str,
    password: Option<&'a str>,
}

impl<'a> Login<'a> {
    fn parse(text: &'a str) -> Result<Self, UrlError> {
        if let Some(raw) = text.chars().find(|c| "@/#?".contains(*c)) {
            return Err(UrlError::new(
                format!("the URL's user or password holds a raw `{raw}`"),
                ENCODE,
            ));
        }
        let stray_percent = text.split('%').skip(1).any(|after| {
            let mut digits = after.chars();
            !(digits.next().is_some_and(|c| c.is_ascii_hexdigit())
                && digits.next().is_some_and(|c| c.is_ascii_hexdigit()))
        });
        if stray_percent {
            return Err(UrlError::new("the URL's user or password holds a raw `%`", ENCODE));
        }
        if percent_decode_str(text).decode_utf8().is_err() {
            return Err(UrlError::new(
                "the URL's user or password is not UTF-8 when it is decoded",
                ENCODE,
            ));
        }
        Ok(match text.split_once(':') {
            Some((user, password)) => Self {
                user,
                password: Some(password),
            },
            None => Self {
                user: text,
                password: None,
            },
        })
    }
}

/// Splits `host:port`, `[::1]:port` or `host`.
fn split_port(authority: &str) -> Result<(&str, Option<&str>), UrlError> {
    if authority.contains(',') {
        return Err(UrlError::new(
            "the URL names several hosts",
            "name one of them; check each host on its own",
        ));
    }
    let behind = match authority.rfind(']') {
        Some(end) => end + 1,
        None => authority.find(':').unwrap_or(authority.len()),
    };
    let (host, port) = authority.split_at(behind);
    if port.is_empty() {
        return Ok((host, None));
    }
    match port.strip_prefix(':') {
        Some(digits) if digits.parse::<u16>().is_ok_and(|port| port > 0) => Ok((host, Some(digits))),
        _ => Err(UrlError::new(
            "the URL's port is not a number from 1 to 65535",
            "write HOST:PORT, an IPv6 address as [ADDRESS]:PORT; with a password, write USER:PASSWORD@ before it",
        )),
    }
}

fn check_host(scheme: Scheme, host: &str) -> Result<(), UrlError> {
    if let Some(address) = host.strip_prefix('[') {
        return match address.strip_suffix(']').map(str::parse::<Ipv6Addr>) {
            Some(Ok(_)) => Ok(()),
            _ => Err(UrlError::new(
                "the URL's IPv6 address is not valid",
                "write it as [::1], without a zone",
            )),
        };
    }
    if scheme == Scheme::MySql && decode(host).starts_with('/') {
        return Err(UrlError::new("the URL's host is a path", no_host_help(scheme)));
    }
    Ok(())
}

fn no_host_help(scheme: Scheme) -> &'static str {
    match scheme {
        Scheme::Postgres => "write postgres://HOST/DATABASE, or for a socket postgres:///DATABASE?host=/DIRECTORY",
        Scheme::MySql => "write mysql://HOST/DATABASE, or for a socket mysql://localhost/DATABASE?socket=/FILE",
        Scheme::Sqlite => SHAPE,
    }
}

fn check_database(database: &str, path: &str) -> Result<(), UrlError> {
    if database.is_empty() {
        return Err(UrlError::new(
            "the URL names no database",
            "put the database behind the host: HOST/DATABASE",
        ));
    }
    if path.contains('/') {
        return Err(UrlError::new(
            "the URL has more than a database behind its host",
            "leave out what follows the database; a `/` in its name is written as %2F",
        ));
    }
    Ok(())
}

/// Returns the URL as the drivers want it: with their scheme, and with a host where there is a login, since their
/// parser refuses a login without one even if a socket is named.
fn driver_url(scheme: Scheme, rest: &str, lacks_host: bool) -> String {
    let word = match scheme {
        Scheme::Postgres => "postgres",
        Scheme::MySql => "mysql",
        Scheme::Sqlite => "sqlite",
    };
    match rest.rsplit_once('@') {
        Some((login, place)) if lacks_host => format!("{word}://{login}@localhost{place}"),
        _ => format!("{word}://{rest}"),
    }
}

/// Spells a server so that two URLs of one server have one spelling, as far as names tell.
fn server(scheme: Scheme, place: &str, port: Option<&str>) -> String {
    let usual = match scheme {
        Scheme::MySql => "3306",
        _ => "5432",
    };
    let place = decode(place).to_ascii_lowercase();
    // On PostgreSQL, a socket is named by its directory and the port.
    match scheme {
        Scheme::MySql if place.starts_with('/') => place,
        _ => format!("{place}:{}", port.unwrap_or(usual)),
    }
}

/// Appends parameters to a URL.
fn append(url: String, parameters: &[(&'static str, String)]) -> String {
    parameters.iter().fold(url, |mut url, (name, value)| {
        url.push(if url.contains('?') { '&' } else { '?' });
        url.push_str(&format!("{name}={}", encode(value)));
        url
    })
}

/// Encodes a text for any part of a URL.
pub(super) fn encode(text: &str) -> String {
    const SET: &percent_encoding::AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
    utf8_percent_encode(text, SET).to_string()
}

fn decode(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

/// Returns a parameter as it is written, without decoding.
fn raw_parameter<'a>(query: &'a str, name: &str) -> Option<&'a str> {
    query
        .split('&')
        .filter_map(|pair| pair.split_once('='))
        .find_map(|(key, value)| (key == name).then_some(value))
}

#[cfg(test)]
mod tests;
