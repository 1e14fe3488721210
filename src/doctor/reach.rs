//! From a name to somebody who answers.

use std::io::{self, ErrorKind, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream, ToSocketAddrs as _};
use std::time::Duration;

use super::address::{Address, Place};
use super::greeting::{Greeting, POSTGRES_REQUEST};
use super::model::{Step, Topic};
use crate::catalog::{Limits, explain_opening, explain_silence};
use crate::config::{DatabaseUrl, Scheme};

/// How long a server may take for its first word, which is the only thing that is waited for here.
const FIRST_WORD: Duration = Duration::from_secs(2);

/// The longest greeting that is read.
const GREETING_BYTES: usize = 512;

/// Walks as far as the server; an error is the step at which the way ends.
pub(super) async fn reach(
    url: &DatabaseUrl,
    address: &Address,
    limits: Limits,
    steps: &mut Vec<Step>,
) -> Result<(), Step> {
    let Place::Port(host, port) = &address.place else {
        return Ok(());
    };
    let failed = |topic, error: io::Error| {
        let error = match error.kind() {
            ErrorKind::TimedOut => explain_silence(url, limits.connect),
            _ => explain_opening(url, sqlx::Error::Io(error)),
        };
        Step::failed(topic, error)
    };
    let addresses = lookup(host, *port, limits.connect)
        .await
        .map_err(|error| failed(Topic::Name, error))?;
    let list: Vec<String> = addresses.iter().map(|address| address.ip().to_string()).collect();
    if list != [host.trim_matches(['[', ']'])] {
        steps.push(Step::ok(Topic::Name, format!("{host} is {}.", list.join(", "))));
    }
    let scheme = url.scheme();
    let (place, greeting) = blocking(limits.connect + 2 * FIRST_WORD, move || {
        greet(&addresses, scheme, limits.connect)
    })
    .await
    .map_err(|error| failed(Topic::Tcp, error))?;
    steps.push(Step::ok(Topic::Tcp, format!("{place} takes connections.")));
    judge(scheme, &greeting).map(|step| steps.extend(step))
}

async fn lookup(host: &str, port: u16, limit: Duration) -> io::Result<Vec<SocketAddr>> {
    let name = host.trim_matches(['[', ']']).to_owned();
    let mut found: Vec<SocketAddr> =
        blocking(limit, move || Ok((name.as_str(), port).to_socket_addrs()?.collect())).await?;
    found.dedup();
    match found.is_empty() {
        true => Err(io::Error::other("failed to lookup address information: no address")),
        false => Ok(found),
    }
}

/// Runs something that blocks, and gives it up after a time.
async fn blocking<T: Send + 'static>(
    limit: Duration,
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    match tokio::time::timeout(limit, tokio::task::spawn_blocking(work)).await {
        Ok(Ok(answer)) => answer,
        Ok(Err(_)) | Err(_) => Err(ErrorKind::TimedOut.into()),
    }
}

/// Connects to the first address that takes a connection, and reads who is there.
fn greet(addresses: &[SocketAddr], scheme: Scheme, limit: Duration) -> io::Result<(SocketAddr, Greeting)> {
    let mut failure = io::Error::from(ErrorKind::TimedOut);
    for address in addresses {
        let asks = scheme == Scheme::Postgres;
        match first_bytes(address, asks, limit).map(|bytes| Greeting::read(&bytes)) {
            // A PostgreSQL server waits for its client to speak first.
            Ok(Greeting::Silence) if !asks => {
                let bytes = first_bytes(address, true, limit).unwrap_or_default();
                return Ok((*address, Greeting::read(&bytes)));
            }
            Ok(greeting) => return Ok((*address, greeting)),
            Err(error) => failure = error,
        }
    }
    Err(failure)
}

fn first_bytes(address: &SocketAddr, asks: bool, limit: Duration) -> io::Result<Vec<u8>> {
    let mut stream = TcpStream::connect_timeout(address, limit)?;
    stream.set_read_timeout(Some(FIRST_WORD))?;
    if asks {
        stream.write_all(&POSTGRES_REQUEST)?;
    }
    let mut bytes = vec![0; GREETING_BYTES];
    // Whoever closes the connection or says nothing is there, and silent.
    let read = stream.read(&mut bytes).unwrap_or(0);
    bytes.truncate(read);
    Ok(bytes)
}

/// Judges who answers by who should.
fn judge(scheme: Scheme, greeting: &Greeting) -> Result<Option<Step>, Step> {
    let words = format!("{}.", greeting.words());
    match (scheme, greeting) {
        (Scheme::Postgres, Greeting::Postgres { .. }) | (Scheme::MySql, Greeting::MySql { .. }) => {
            Ok(Some(Step::ok(Topic::Server, words)))
        }
        (Scheme::Postgres, Greeting::MySql { .. }) => Err(Step::problem(
            Topic::Server,
            format!("{words} A PostgreSQL server is wanted."),
            "Write `engine: mariadb` (in a URL, mysql://), or correct host and port.",
        )),
        (Scheme::MySql, Greeting::Postgres { .. }) => Err(Step::problem(
            Topic::Server,
            format!("{words} A MySQL or MariaDB server is wanted."),
            "Write `engine: postgres` (in a URL, postgres://), or correct host and port.",
        )),
        (_, Greeting::Web | Greeting::Stranger) => Err(Step::problem(
            Topic::Server,
            words,
            "Correct host and port: 5432 is usual for PostgreSQL, 3306 for MySQL and MariaDB.",
        )),
        // The login will tell more: a pooler may wait for its server.
        (_, Greeting::Silence) | (Scheme::Sqlite, _) => Ok(None),
    }
}
