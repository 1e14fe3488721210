//! What the first bytes of a server tell of it.

/// The request with which a client of PostgreSQL asks for TLS, which the server answers by one letter.
pub(super) const POSTGRES_REQUEST: [u8; 8] = [0, 0, 0, 8, 4, 210, 22, 47];

/// Who answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Greeting {
    /// A PostgreSQL server, or a pooler before one.
    Postgres {
        /// Whether it speaks TLS.
        tls: bool,
    },
    /// A MySQL or MariaDB server.
    MySql {
        /// Its version; absent where it refuses this machine.
        version: Option<String>,
    },
    /// A web server.
    Web,
    /// Nobody said a word.
    Silence,
    /// Something else.
    Stranger,
}

impl Greeting {
    /// Reads what came first from a server, or after [`POSTGRES_REQUEST`].
    pub(super) fn read(bytes: &[u8]) -> Self {
        match bytes {
            [] => Self::Silence,
            b"S" => Self::Postgres { tls: true },
            b"N" => Self::Postgres { tls: false },
            [_, _, _, 0, 10, rest @ ..] => {
                let end = rest.iter().position(|byte| *byte == 0).unwrap_or(rest.len());
                let version = String::from_utf8_lossy(&rest[..end]);
                // MariaDB puts this before its own version, for old clients.
                let version = version.strip_prefix("5.5.5-").unwrap_or(&version).to_owned();
                Self::MySql { version: Some(version) }
            }
            [_, _, _, 0, 0xff, ..] => Self::MySql { version: None },
            _ if bytes.starts_with(b"HTTP/") || bytes.starts_with(b"<!DOCTYPE") => Self::Web,
            _ => Self::Stranger,
        }
    }

    /// Returns what answers, in words.
    pub(super) fn words(&self) -> String {
        match self {
            Self::Postgres { .. } => "A PostgreSQL server answers".to_owned(),
            Self::MySql { version: Some(version) } if version.contains("MariaDB") => {
                format!("A MariaDB server answers ({version})")
            }
            Self::MySql { version: Some(version) } => format!("A MySQL server answers ({version})"),
            Self::MySql { version: None } => "A MySQL or MariaDB server answers".to_owned(),
            Self::Web => "A web server answers".to_owned(),
            Self::Silence => "Something takes the connection and says nothing".to_owned(),
            Self::Stranger => "Something answers that is no database known here".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_are_told_by_their_first_bytes() {
        let mariadb = b"\x5a\0\0\0\x0a5.5.5-10.11.6-MariaDB\0rest";
        for (bytes, words) in [
            (&b"S"[..], "A PostgreSQL server answers"),
            (b"N", "A PostgreSQL server answers"),
            (mariadb, "A MariaDB server answers (10.11.6-MariaDB)"),
            (b"\x4a\0\0\0\x0a8.0.36\0", "A MySQL server answers (8.0.36)"),
            (b"\x45\0\0\0\xff\x6a\x04Host", "A MySQL or MariaDB server answers"),
            (b"HTTP/1.1 400 Bad Request", "A web server answers"),
            (b"", "Something takes the connection and says nothing"),
            (b"-ERR", "Something answers that is no database known here"),
        ] {
            assert_eq!(Greeting::read(bytes).words(), words);
        }
    }
}
