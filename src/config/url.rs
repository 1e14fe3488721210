//! Database URLs that cannot print themselves.

use std::fmt;
use std::net::Ipv6Addr;

use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use secrecy::{ExposeSecret, SecretString};

use super::parameters;
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
        let text = text.trim();
        if text.is_empty() {
            return Err(UrlError::new("the database URL is empty", SHAPE));
        }
        if text.chars().any(char::is_control) {
            return Err(UrlError::new("the database URL holds a control character", SHAPE));
        }
        let (word, rest) = split_scheme(text)?;
        match word.to_ascii_lowercase().as_str() {
            word @ ("postgres" | "postgresql") => network(Scheme::Postgres, word, rest),
            word @ ("mysql" | "mariadb") => network(Scheme::MySql, word, rest),
            "sqlite" => file(rest),
            "jdbc" => Err(UrlError::new("this is a JDBC URL", "leave out the `jdbc:` in front")),
            _ => Err(UrlError::new(
                "the URL's scheme is not supported",
                "use postgres://, mysql://, mariadb:// or sqlite:",
            )),
        }
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

    /// Returns whether a password is written in the URL.
    pub fn has_password(&self) -> bool {
        self.has_password
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
    })
}

/// Parses what follows the scheme of a server's URL.
fn network(scheme: Scheme, word: &str, rest: &str) -> Result<DatabaseUrl, UrlError> {
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
    }
    if let Some(decoded) = get("password") {
        secrets.extend(forms(decoded, &public));
    }
    let driver_url = driver_url(scheme, rest, login.is_some() && host.is_empty());
    if let Err(error) = url::Url::parse(&driver_url) {
        return Err(UrlError::new(format!("the URL is not valid: {error}"), SHAPE));
    }
    let port = get("port").or(port);
    let server = server(scheme, place, port);
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

/// Returns a password as written, decoded, and in the usual encodings. A form that equals a public part of the URL
/// (`postgres:postgres@`) is left out: masking it would mask the user's name and hide nothing.
fn forms(password: &str, public: &[String]) -> Vec<SecretString> {
    let decoded = decode(password);
    let mut forms = vec![
        password.to_owned(),
        utf8_percent_encode(&decoded, NON_ALPHANUMERIC).to_string(),
        url::form_urlencoded::byte_serialize(decoded.as_bytes()).collect(),
        format!("{decoded:?}").trim_matches('"').to_owned(),
        decoded,
    ];
    forms.sort();
    forms.dedup();
    forms.retain(|form| !form.is_empty() && !public.contains(form));
    forms.into_iter().map(SecretString::from).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shown(text: &str) -> String {
        DatabaseUrl::parse(text).unwrap().to_string()
    }

    fn refused(text: &str) -> UrlError {
        match DatabaseUrl::parse(text) {
            Ok(url) => panic!("{text} was taken as {url}"),
            Err(error) => error,
        }
    }

    #[test]
    fn a_url_shows_everything_but_its_password() {
        for (text, display) in [
            ("postgres://app:pw1@db:5432/ledger", "postgres://app@db:5432/ledger"),
            (
                "postgresql://app:pw1@db/ledger?sslmode=require",
                "postgresql://app@db/ledger",
            ),
            ("mariadb://app:p%40ss@db:3306/ledger", "mariadb://app@db:3306/ledger"),
            (
                "postgres://db/ledger?user=app&password=pw1&port=6432",
                "postgres://app@db:6432/ledger",
            ),
            (
                "postgres://app:pw1@[::1]:5432/ledger",
                "postgres://app@[::1]:5432/ledger",
            ),
            (
                "postgres:///ledger?host=/run/postgresql",
                "postgres:///run/postgresql/ledger",
            ),
            ("postgres://app@%2Frun%2Fpg/ledger", "postgres://app@%2Frun%2Fpg/ledger"),
            ("MySQL://db/ledger", "mysql://db/ledger"),
            ("sqlite:ledger.db", "sqlite:ledger.db"),
            ("sqlite://data/ledger.db?mode=ro", "sqlite:data/ledger.db"),
            ("sqlite:///var/lib/ledger.db", "sqlite:/var/lib/ledger.db"),
            ("sqlite:my ledger.db", "sqlite:my ledger.db"),
        ] {
            assert_eq!(shown(text), display, "{text}");
            assert_eq!(
                format!("{:?}", DatabaseUrl::parse(text).unwrap()),
                format!("DatabaseUrl({display})")
            );
        }
    }

    #[test]
    fn one_server_has_one_name() {
        for (text, server) in [
            ("postgres://app:pw1@DB/ledger", "db:5432"),
            ("postgres://other@db:5432/events?application_name=x", "db:5432"),
            ("postgres://db:6432/ledger", "db:6432"),
            ("postgres:///ledger?host=/run/postgresql", "/run/postgresql:5432"),
            ("mysql://db/ledger", "db:3306"),
            ("mysql://localhost/ledger?socket=/run/mysqld.sock", "/run/mysqld.sock"),
            ("sqlite://data/ledger.db?mode=ro", "data/ledger.db"),
        ] {
            assert_eq!(DatabaseUrl::parse(text).unwrap().server(), server, "{text}");
        }
    }

    #[test]
    fn drivers_get_their_own_scheme_and_a_host() {
        for (text, driver) in [
            ("mariadb://app:x@db/ledger", "mysql://app:x@db/ledger"),
            ("postgresql://db/ledger", "postgres://db/ledger"),
            (
                "postgres://app@/ledger?host=/run/postgresql",
                "postgres://app@localhost/ledger?host=/run/postgresql",
            ),
            (
                "mysql://app:x@/ledger?socket=/run/mysqld.sock",
                "mysql://app:x@localhost/ledger?socket=/run/mysqld.sock",
            ),
            ("SQLITE:ledger.db", "sqlite:ledger.db"),
            (" sqlite:ledger.db\n", "sqlite:ledger.db"),
        ] {
            let url = DatabaseUrl::parse(text).unwrap();
            assert_eq!(url.expose(), driver, "{text}");
        }
    }

    #[test]
    fn the_driver_reads_what_was_meant() {
        use sqlx::postgres::PgConnectOptions;
        for (text, host, database) in [
            ("postgres://app:x@db:5432/ledger", "db", "ledger"),
            ("postgres://app@db/ledger%2Fold", "db", "ledger/old"),
            ("postgres://app:p%40ss%2Fw%23rd@db/ledger", "db", "ledger"),
        ] {
            let url = DatabaseUrl::parse(text).unwrap();
            let options: PgConnectOptions = url.expose().parse().unwrap();
            assert_eq!(options.get_host(), host, "{text}");
            assert_eq!(options.get_database(), Some(database), "{text}");
        }
        for text in [
            "postgres:///ledger?host=/run/postgresql",
            "postgres://app@/ledger?host=/run/postgresql",
            "postgres://%2Frun%2Fpostgresql/ledger",
        ] {
            let url = DatabaseUrl::parse(text).unwrap();
            let options: PgConnectOptions = url.expose().parse().unwrap();
            let socket = options.get_socket().unwrap();
            assert!(socket.starts_with("/run/postgresql"), "{text}: {socket:?}");
        }
    }

    #[test]
    fn raw_separators_in_a_password_are_refused_with_the_way_to_write_them() {
        for text in [
            "postgres://app:p@ss/w#rd@db/ledger",
            "postgres://app:p/w@db/ledger",
            "postgres://app:p#w@db/ledger",
            "postgres://app:p?w@db/ledger",
            "postgres://app:p@w@db/ledger",
            "postgres://app:100%@db/ledger",
            "postgres://app:%zz@db/ledger",
            "mysql://app:p#w@rd@db/ledger",
        ] {
            let error = refused(text);
            assert!(error.help.contains("percent-encode the password"), "{text}: {error:?}");
        }
    }

    #[test]
    fn each_mistake_has_its_own_message() {
        for (text, reason) in [
            ("", "empty"),
            ("ledger.db", "no scheme"),
            ("Host=db;Username=app;Password=S3cr3t-canary", "connection string"),
            ("Server=tcp:db;Password=S3cr3t-canary", "connection string"),
            ("jdbc:postgresql://db/ledger", "JDBC"),
            ("\"postgres://db/ledger\"", "in quotes"),
            ("oracle://db/ledger", "scheme is not supported"),
            ("postgres:db/ledger", "lacks `//`"),
            ("postgres://app:x@db:port/ledger", "port"),
            ("postgres://app:x@db:0/ledger", "port"),
            ("postgres://app:x@db:70000/ledger", "port"),
            ("postgres://app:x@db:/ledger", "port"),
            ("postgres://app:S3cr3t-canary", "port"),
            ("postgres:///ledger", "no host"),
            ("mysql://app:x@/ledger", "no host"),
            ("postgres://app:x@db", "no database"),
            ("mysql://app:x@db/", "no database"),
            ("postgres://db/ledger/public", "more than a database"),
            ("postgres://a:1,b:2/ledger", "several hosts"),
            ("postgres://db/ledger#1", "`#`"),
            ("postgres://app:x@[::g]/ledger", "IPv6"),
            ("postgres://app:pass word@db/ledger", "blank"),
            ("mysql://%2Frun%2Fmysqld.sock/ledger", "host is a path"),
            ("sqlite:", "no file"),
            ("sqlite://app:S3cr3t-canary@db/ledger", "no user"),
            ("postgres://app:%ff@db/ledger", "UTF-8"),
        ] {
            let error = refused(text);
            assert!(error.reason.contains(reason), "{text}: {error:?}");
            assert!(!format!("{error:?}").contains("S3cr3t"), "{error:?}");
            assert!(!error.help.is_empty());
        }
    }

    #[test]
    fn a_password_that_equals_the_user_is_not_masked_away() {
        let url = DatabaseUrl::parse("postgres://postgres:postgres@db/ledger").unwrap();
        assert_eq!(url.secrets(), Vec::<&str>::new());
    }

    #[test]
    fn a_password_among_the_parameters_is_a_secret_too() {
        let url = DatabaseUrl::parse("postgres://db/ledger?password=S3cr3t%2Fcanary").unwrap();
        for form in ["S3cr3t%2Fcanary", "S3cr3t/canary"] {
            assert!(url.secrets().contains(&form), "{:?}", url.secrets());
        }
    }

    proptest! {
        #[test]
        fn an_encoded_password_is_never_shown(password in "[A-Z]{6}[ -~äß]{2,20}", scheme in "postgres|mysql|mariadb") {
            let encoded = utf8_percent_encode(&password, NON_ALPHANUMERIC).to_string();
            let url = DatabaseUrl::parse(&format!("{scheme}://user:{encoded}@host:5432/db")).unwrap();
            for text in [url.to_string(), format!("{url:?}")] {
                prop_assert!(!text.contains(&password) && !text.contains(&encoded), "{}", text);
            }
            prop_assert!(url.secrets().contains(&password.as_str()));
            prop_assert!(url.secrets().contains(&encoded.as_str()));
            prop_assert!(url.expose().contains(&encoded));
        }

        #[test]
        fn a_raw_password_is_never_shown_nor_repeated_in_an_error(
            password in "[A-Z]{6}[ -~]{2,20}",
            scheme in "postgres|mysql|mariadb|sqlite|postgress",
            tail in "@host/db|@host:5432/db\\?sslmod=x|@host|@/db",
        ) {
            let shown = match DatabaseUrl::parse(&format!("{scheme}://user:{password}{tail}")) {
                Ok(url) => format!("{url}{url:?}"),
                Err(error) => format!("{error}{error:?}"),
            };
            prop_assert!(!shown.contains(&password[..6]), "{}", shown);
        }
    }
}
