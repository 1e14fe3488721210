//! Why no connection came about: one kind of failure has the same words on every server. What the server itself said
//! stands in brackets behind them. No text of the URL reaches a message.

use std::io;
use std::time::Duration;

use super::{Error, ErrorKind, Stage, certificate, print_limit};
use crate::config::CUT;

/// What differs between the servers: who should answer, and the words that its driver has in URLs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Words {
    /// Who should answer.
    pub(super) server: &'static str,
    /// The parameter that names the certificate authority.
    pub(super) authority: &'static str,
    /// The mode that checks the authority and not the name.
    pub(super) any_name: &'static str,
    /// The mode that encrypts and checks nothing.
    pub(super) unchecked: &'static str,
    /// The mode that does not encrypt.
    pub(super) plain: &'static str,
    /// What else to do about a login that is refused.
    pub(super) login: &'static str,
    /// What lets a user into a database.
    pub(super) grant: &'static str,
    /// What lets a user in from an address.
    pub(super) address: &'static str,
}

/// Why a server refuses a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// The user, or the password.
    Login,
    /// This user, from this machine.
    Address,
    /// This user, without TLS.
    Plain,
    /// The database is not there.
    Database,
    /// This user, in this database.
    Right,
    /// Anybody, or this user, for now: there are too many sessions.
    Full,
}

impl Words {
    /// Explains a refusal; `said` is what the server said of it.
    pub(super) fn refused(&self, refusal: Refusal, said: &str) -> Error {
        let (reason, help) = match refusal {
            Refusal::Login => (
                "The user is unknown, or the password is wrong or missing",
                format!("Correct user and password. {}", self.login),
            ),
            Refusal::Address => (
                "The server does not accept this user from this machine",
                self.address.to_owned(),
            ),
            Refusal::Plain => (
                "The server does not accept this user without TLS",
                format!(
                    "Encrypt the connection: {} (better, verify the server).",
                    self.unchecked
                ),
            ),
            Refusal::Database => (
                "There is no such database on the server",
                "Correct the database's name; letter case counts.".to_owned(),
            ),
            Refusal::Right => ("The user may not use this database", self.grant.to_owned()),
            Refusal::Full => (
                "The server has no connection left",
                "Run the check again later, or raise the limit of connections, the server's or the user's.".to_owned(),
            ),
        };
        Error::new(ErrorKind::Refused, with_detail(reason, said), help)
    }

    /// Nobody answered in time.
    pub(super) fn silent(&self, limit: Duration) -> Error {
        Error::new(
            ErrorKind::Unreachable,
            format!("The server did not answer within {}.", print_limit(limit)),
            format!(
                "Check that host and port are those of a {}, that no firewall drops the packets, and that a pooler in \
                 between reaches its server; or raise --connect-timeout.",
                self.server
            ),
        )
        .at(Stage::Reach)
    }

    /// Explains why a socket did not become a connection.
    pub(super) fn io(&self, error: &io::Error) -> Error {
        use io::ErrorKind as Io;
        let text = error.to_string();
        let (reason, help) = match error.kind() {
            Io::ConnectionRefused => (
                "Nothing accepts connections at this host and port.".to_owned(),
                "Start the server, or correct host and port.".to_owned(),
            ),
            Io::ConnectionReset | Io::BrokenPipe | Io::UnexpectedEof | Io::ConnectionAborted => (
                "The server closed the connection before the login was done.".to_owned(),
                format!(
                    "Check that host and port are those of a {}, and whether it demands TLS ({}).",
                    self.server, self.unchecked
                ),
            ),
            Io::TimedOut | Io::HostUnreachable | Io::NetworkUnreachable => (
                "There is no route to the server.".to_owned(),
                "Check host, network and firewall.".to_owned(),
            ),
            Io::NotFound => (
                "There is no such socket.".to_owned(),
                "Start the server, or correct the socket's path.".to_owned(),
            ),
            Io::PermissionDenied => (
                "The socket may not be opened.".to_owned(),
                "Run the check as a user with rights on it.".to_owned(),
            ),
            _ if text.contains("lookup") || text.contains("resolve") => (
                "The host name cannot be resolved.".to_owned(),
                "Correct the host; in a URL, a `@` or `/` of the password must be percent-encoded.".to_owned(),
            ),
            _ if text.contains("certificate") || text.contains("handshake") => return self.tls(&text),
            _ => (
                with_detail("The server cannot be reached", &text),
                "Check host and port, and the network between.".to_owned(),
            ),
        };
        Error::new(ErrorKind::Unreachable, reason, help)
    }

    /// Explains why no encrypted connection came about.
    pub(super) fn tls(&self, message: &str) -> Error {
        if let Some(error) = certificate::explain(message, self) {
            return error;
        }
        let (reason, help) = match message.contains("does not support TLS") {
            true => (
                "The server does not support TLS, which is asked for unless the URL or `tls` says otherwise."
                    .to_owned(),
                format!(
                    "Turn on ssl at the server. Only on a network that nobody else can read: {}, or `tls.mode: disable` \
                     in seadrift.yaml.",
                    self.plain
                ),
            ),
            false => (
                with_detail("TLS could not be set up", message),
                "Check what the URL or `tls` says of it, and the server's certificate.".to_owned(),
            ),
        };
        Error::new(ErrorKind::Refused, reason, help)
    }
}

/// The longest part of somebody else's message that is shown.
const MESSAGE_CHARS: usize = 300;

/// Cuts a foreign message to one sentence of bearable length, without its final point. That it was cut shows, so that what
/// is left of a secret at its end can be told from a word.
pub(crate) fn brief(message: &str) -> String {
    let line = message.lines().next().unwrap_or_default().trim_end_matches('.');
    match line.char_indices().nth(MESSAGE_CHARS) {
        Some((end, _)) => format!("{}{CUT}", &line[..end]),
        None => line.to_owned(),
    }
}

/// Puts what somebody else said into brackets behind a reason.
pub(super) fn with_detail(reason: &str, said: &str) -> String {
    let reason = reason.trim_end_matches('.');
    match said.is_empty() {
        true => format!("{reason}."),
        false => format!("{reason} ({}).", brief(said)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::{mysql, postgres};

    fn explained(error: impl Fn() -> io::Error) -> [Error; 2] {
        [
            postgres::connecting(&sqlx::Error::Io(error())),
            mysql::connecting(&sqlx::Error::Io(error())),
        ]
    }

    #[test]
    fn a_failure_on_the_way_has_the_same_words_on_every_server() {
        for (kind, words) in [
            (
                io::ErrorKind::ConnectionRefused,
                "Nothing accepts connections at this host and port.",
            ),
            (
                io::ErrorKind::UnexpectedEof,
                "The server closed the connection before the login was done.",
            ),
            (io::ErrorKind::HostUnreachable, "There is no route to the server."),
            (io::ErrorKind::NotFound, "There is no such socket."),
            (io::ErrorKind::PermissionDenied, "The socket may not be opened."),
        ] {
            for error in explained(|| kind.into()) {
                assert_eq!(error.reason, words);
                assert_eq!((error.kind, error.stage), (ErrorKind::Unreachable, Stage::Reach));
            }
        }
        let unknown = "failed to lookup address information: Name or service not known";
        for error in explained(|| io::Error::other(unknown)) {
            assert_eq!(error.reason, "The host name cannot be resolved.");
        }
        for error in explained(|| io::Error::other("invalid peer certificate: UnknownIssuer")) {
            assert_eq!((error.kind, error.stage), (ErrorKind::Refused, Stage::Tls));
        }
    }

    #[test]
    fn a_foreign_message_stays_one_short_line() {
        assert_eq!(brief("first.\nsecond"), "first");
        assert_eq!(brief(&"ß".repeat(300)), "ß".repeat(300));
        assert_eq!(brief(&"ß".repeat(1000)), format!("{}…", "ß".repeat(300)));
        assert_eq!(with_detail("It failed.", "why.\nand more"), "It failed (why).");
        assert_eq!(with_detail("It failed", ""), "It failed.");
    }
}
