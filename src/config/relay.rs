//! A way to a server whose certificate is made out to another name than the one that leads to it.

use std::io;
use std::time::Duration;

use tokio::net::TcpStream;
use tokio::task::{JoinHandle, JoinSet};

use super::Scheme;
use crate::catalog::{Error, ErrorKind};

/// How long the server may take to accept the first connection.
const PATIENCE: Duration = Duration::from_secs(10);

/// A socket of this process that leads to a server. The drivers verify the name that they are told to connect to; told
/// to use this socket, they verify the name without looking it up. It ends when it is dropped.
#[derive(Debug)]
pub(super) struct Relay {
    folder: tempfile::TempDir,
    port: u16,
    task: JoinHandle<()>,
}

impl Drop for Relay {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Relay {
    /// Connects to a server, `host:port`, and opens the socket.
    #[cfg(unix)]
    pub(super) async fn open(server: &str) -> Result<Self, Error> {
        let port = server
            .rsplit_once(':')
            .and_then(|(_, port)| port.parse().ok())
            .unwrap_or_default();
        let first = match tokio::time::timeout(PATIENCE, TcpStream::connect(server)).await {
            Ok(connected) => connected.map_err(|error| unreachable(&error.to_string()))?,
            Err(_) => {
                return Err(unreachable(&format!(
                    "it did not answer within {} s",
                    PATIENCE.as_secs()
                )));
            }
        };
        let failed = |error: io::Error| {
            Error::new(
                ErrorKind::Unreachable,
                format!("A socket that leads to the server cannot be made: {error}."),
                "Check that the directory for temporary files can be written to.",
            )
        };
        // Nobody else may use it: the directory is its owner's alone.
        let folder = tempfile::Builder::new().prefix("seadrift-").tempdir().map_err(failed)?;
        let listener = tokio::net::UnixListener::bind(folder.path().join(file_name(port))).map_err(failed)?;
        let server = server.to_owned();
        let task = tokio::spawn(async move {
            let mut first = Some(first);
            let mut open = JoinSet::new();
            while let Ok((mut near, _)) = listener.accept().await {
                let far = match first.take() {
                    Some(far) => Ok(far),
                    None => TcpStream::connect(&server).await,
                };
                let Ok(mut far) = far else { continue };
                open.spawn(async move {
                    // Either end may go at any time; the driver tells what that means.
                    let _ = tokio::io::copy_bidirectional(&mut near, &mut far).await;
                });
                while open.try_join_next().is_some() {}
            }
        });
        Ok(Self { folder, port, task })
    }

    /// Says that there are no sockets.
    #[cfg(not(unix))]
    pub(super) async fn open(_server: &str) -> Result<Self, Error> {
        Err(Error::new(
            ErrorKind::Unreachable,
            "`server_name` needs sockets, which this system does not have.",
            "Connect by a name that the server's certificate has.",
        ))
    }

    /// Returns the parameter of a URL that leads a driver here.
    pub(super) fn parameter(&self, scheme: Scheme) -> (&'static str, String) {
        let folder = self.folder.path();
        match scheme {
            Scheme::MySql => (
                "socket",
                folder.join(file_name(self.port)).to_string_lossy().into_owned(),
            ),
            _ => ("host", folder.to_string_lossy().into_owned()),
        }
    }
}

/// Names the socket as PostgreSQL's drivers expect it to be called.
fn file_name(port: u16) -> String {
    format!(".s.PGSQL.{port}")
}

fn unreachable(why: &str) -> Error {
    Error::new(
        ErrorKind::Unreachable,
        format!("The server cannot be reached: {why}."),
        "Check host and port, and that the server runs.",
    )
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::{TcpListener, UnixStream};

    use super::super::{DatabaseUrl, Place, Tls};
    use super::*;

    /// A server that answers each connection with what it was sent.
    async fn echo() -> u16 {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                tokio::spawn(async move {
                    let (mut from, mut to) = stream.split();
                    tokio::io::copy(&mut from, &mut to).await.unwrap();
                });
            }
        });
        port
    }

    #[tokio::test]
    async fn the_driver_is_told_the_name_and_led_to_the_server() {
        let port = echo().await;
        for (text, socket) in [
            (format!("postgres://u@127.0.0.1:{port}/d"), true),
            (format!("mysql://u@127.0.0.1:{port}/d"), false),
        ] {
            let tls = Tls {
                server_name: Some("ledger.example".to_owned()),
                ..Tls::default()
            };
            let place = Place::from(DatabaseUrl::parse_with(&text, &tls).unwrap());
            let url = place.open().await.unwrap();
            assert!(url.expose().contains("@ledger.example:"), "{}", url.expose());
            assert!(
                url.expose().contains("verify"),
                "the name is verified even on this machine: {}",
                url.expose()
            );
            let path = match socket {
                true => {
                    let options: sqlx::postgres::PgConnectOptions = url.expose().parse().unwrap();
                    assert_eq!(options.get_host(), "ledger.example");
                    format!("{}/.s.PGSQL.{port}", options.get_socket().unwrap().display())
                }
                false => {
                    let parsed = url::Url::parse(url.expose()).unwrap();
                    parsed
                        .query_pairs()
                        .find(|(key, _)| key == "socket")
                        .unwrap()
                        .1
                        .into_owned()
                }
            };
            for _ in 0..2 {
                let mut stream = UnixStream::connect(&path).await.unwrap();
                stream.write_all(b"hello").await.unwrap();
                let mut answer = [0; 5];
                stream.read_exact(&mut answer).await.unwrap();
                assert_eq!(&answer, b"hello");
            }
            drop(url);
            tokio::task::yield_now().await;
            assert!(
                UnixStream::connect(&path).await.is_err(),
                "the socket ends with the URL"
            );
        }
    }

    #[tokio::test]
    async fn a_server_that_is_not_there_is_said_before_the_driver_is_asked() {
        let error = Relay::open("127.0.0.1:1").await.unwrap_err();
        assert!(error.reason.contains("refused"), "{error:?}");
    }
}
