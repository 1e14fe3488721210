//! What a server of MySQL's protocol is sent. The driver lets several statements stand in one message, so it matters that
//! nothing here ever makes use of it: what is sent as text is one statement and holds no name, and everything else is
//! prepared, which takes no second statement.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use sqlx::{Connection as _, MySqlConnection};
use url::Url;

use crate::harness::case::{self, End, Message};
use crate::harness::database::{Kind, block_on};
use crate::place::{Fleet, ledger};

/// A name that would be a second statement wherever it is not a value, or not quoted.
const HOSTILE: &str = "x`; DROP TABLE Victim; --";

#[derive(Debug, Default)]
struct Sent {
    /// Statements that were sent as text.
    texts: Vec<String>,
    /// Statements that were prepared.
    prepared: Vec<String>,
}

/// Listens, passes on to a server, and takes down what clients send it; returns the port.
fn listen_in(server: &str, sent: &Arc<Mutex<Sent>>) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (server, sent) = (server.to_owned(), Arc::clone(sent));
    std::thread::spawn(move || {
        for client in listener.incoming() {
            let (client, server) = (client.unwrap(), TcpStream::connect(&server).unwrap());
            let (mut from, mut to) = (server.try_clone().unwrap(), client.try_clone().unwrap());
            std::thread::spawn(move || {
                let _ = std::io::copy(&mut from, &mut to);
                let _ = to.shutdown(Shutdown::Both);
            });
            let sent = Arc::clone(&sent);
            std::thread::spawn(move || {
                let _ = pass(client, &server, &sent);
                let _ = server.shutdown(Shutdown::Both);
            });
        }
    });
    port
}

/// Passes a client's packets on until it is gone.
fn pass(mut client: TcpStream, mut server: &TcpStream, sent: &Mutex<Sent>) -> std::io::Result<()> {
    const TEXT: u8 = 3;
    const PREPARE: u8 = 0x16;
    loop {
        let mut head = [0; 4];
        client.read_exact(&mut head)?;
        let mut payload = vec![0; u32::from_le_bytes([head[0], head[1], head[2], 0]) as usize];
        client.read_exact(&mut payload)?;
        server.write_all(&[&head[..], &payload].concat())?;
        // Packets of a login have other numbers.
        if head[3] != 0 {
            continue;
        }
        let statement = String::from_utf8_lossy(payload.get(1..).unwrap_or_default()).into_owned();
        let mut sent = sent.lock().unwrap();
        match payload.first() {
            Some(&TEXT) => sent.texts.push(statement),
            Some(&PREPARE) => sent.prepared.push(statement),
            _ => {}
        }
    }
}

#[test]
fn what_is_sent_as_text_is_one_statement_without_a_name() {
    let Some(database) = ledger(Kind::Mariadb) else { return };
    let quoted = HOSTILE.replace('`', "``");
    for sql in [
        "CREATE TABLE Victim (id int PRIMARY KEY)".to_owned(),
        format!(
            "CREATE TABLE `{quoted}` (`{quoted}` int PRIMARY KEY, note varchar(9) COMMENT '; DROP TABLE Victim; --')"
        ),
        format!(
            "CREATE TRIGGER `{quoted}` BEFORE INSERT ON ProcessedIntegrationEvents FOR EACH ROW SET NEW.Id = NEW.Id"
        ),
    ] {
        let end = End::Succeeds;
        database.run(&[Message { sql, end }]).unwrap();
    }
    let sent = Arc::new(Mutex::new(Sent::default()));
    let mut url = Url::parse(&database.url()).unwrap();
    let server = format!("{}:{}", url.host_str().unwrap(), url.port().unwrap());
    url.set_port(Some(listen_in(&server, &sent))).unwrap();
    let fleet = Fleet::new();
    let spec = case::root().join("../../specs/asset.yaml").display().to_string();
    for args in [
        &["check", "--spec", &spec, "--data"][..],
        &["diff", "--spec", &spec],
        &["doctor"],
        &["doctor", "--grants"],
        &["retention", "status", "--spec", &spec, "--data"],
        &["spec", "pull", "--service", "asset"],
        &["migrate", "status", "--service", "asset"],
    ] {
        let output = fleet.run_on(args, url.as_str());
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(matches!(output.status.code(), Some(0 | 1 | 4 | 5)), "{args:?}: {said}");
        let sent = std::mem::take(&mut *sent.lock().unwrap());
        assert!(
            !sent.texts.is_empty() && !sent.prepared.is_empty(),
            "{args:?}: {sent:?}"
        );
        for text in &sent.texts {
            let statement = text.trim_end().trim_end_matches(';');
            assert!(
                !statement.contains(';'),
                "{args:?} sends more than one statement: {text}"
            );
            for name in ["Victim", "ProcessedIntegrationEvents", database.name.as_str()] {
                assert!(!statement.contains(name), "{args:?} sends a name as text: {text}");
            }
        }
    }
    let victim = "SELECT CAST(count(*) AS char) FROM information_schema.tables WHERE table_schema = database()
        AND table_name = 'Victim'";
    assert_eq!(database.read(victim), "1");
}

#[test]
fn what_is_prepared_takes_no_second_statement() {
    let Some(database) = ledger(Kind::Mariadb) else { return };
    block_on(async {
        let mut session = MySqlConnection::connect(&database.url()).await.unwrap();
        let both = "DO 1; CREATE TABLE Second (id int)";
        let error = sqlx::query(both).execute(&mut session).await.unwrap_err();
        assert!(
            error
                .as_database_error()
                .is_some_and(|e| e.code().as_deref() == Some("42000")),
            "{error:?}"
        );
        // As text they are two, which is why the test above is there.
        sqlx::raw_sql(both).execute(&mut session).await.unwrap();
        session.close().await.unwrap();
    });
}
