//! Servers that say what they should not, or ask for what they should not get.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::canary::{CANARY, IN_URL, SPELLINGS};
use crate::harness::case;
use crate::place::Fleet;

/// What a rogue does with a client: `true` if it has more to say to the next one.
type Play = dyn Fn(&mut TcpStream) -> std::io::Result<()> + Send + Sync;

/// Listens, and plays with each client on a thread of its own; returns the port.
fn listen(play: impl Fn(&mut TcpStream) -> std::io::Result<()> + Send + Sync + 'static) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let play: Arc<Play> = Arc::new(play);
    std::thread::spawn(move || {
        for client in listener.incoming() {
            let (mut client, play) = (client.unwrap(), Arc::clone(&play));
            std::thread::spawn(move || {
                client.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
                // A client may go at any time.
                let _ = play(&mut client);
            });
        }
    });
    port
}

/// PostgreSQL's side of the protocol, as far as a login goes.
mod postgres {
    use super::*;

    pub(super) fn message(kind: u8, body: &[u8]) -> Vec<u8> {
        let length = u32::try_from(body.len() + 4).unwrap().to_be_bytes();
        [&[kind], &length[..], body].concat()
    }

    pub(super) fn error(said: &str) -> Vec<u8> {
        let fields = format!("SFATAL\0VFATAL\0CXX000\0M{said}\0D{said}\0H{said}\0\0");
        message(b'E', fields.as_bytes())
    }

    fn receive(client: &mut TcpStream) -> std::io::Result<Vec<u8>> {
        let mut length = [0; 4];
        client.read_exact(&mut length)?;
        let mut body = vec![0; u32::from_be_bytes(length) as usize - 4];
        client.read_exact(&mut body)?;
        Ok(body)
    }

    /// Refuses TLS, and reads the wish for a session.
    pub(super) fn greet(client: &mut TcpStream) -> std::io::Result<()> {
        const WISH_FOR_TLS: [u8; 4] = 80_877_103_u32.to_be_bytes();
        while receive(client)?.starts_with(&WISH_FOR_TLS) {
            client.write_all(b"N")?;
        }
        Ok(())
    }

    /// Asks for the password in clear text.
    pub(super) fn ask_for_password(client: &mut TcpStream) -> std::io::Result<String> {
        client.write_all(&message(b'R', &3_u32.to_be_bytes()))?;
        let mut kind = [0];
        client.read_exact(&mut kind)?;
        let body = receive(client)?;
        Ok(String::from_utf8_lossy(&body).trim_end_matches('\0').to_owned())
    }
}

/// The same for MySQL, whose methods do not tell a server the password: this rogue knows it already.
mod mysql {
    use super::*;

    /// Protocol 4.1, a database with the login, logins by plugins, transactions.
    const OFFERED: u32 = 0x0000_0200 | 0x0000_8000 | 0x0008_0000 | 0x0000_2000 | 0x0000_0008 | 0x0100_0000;

    pub(super) fn packet(number: u8, payload: &[u8]) -> Vec<u8> {
        let length = u32::try_from(payload.len()).unwrap().to_le_bytes();
        [&[length[0], length[1], length[2], number], payload].concat()
    }

    pub(super) fn receive(client: &mut TcpStream) -> std::io::Result<Vec<u8>> {
        let mut head = [0; 4];
        client.read_exact(&mut head)?;
        let mut payload = vec![0; u32::from_le_bytes([head[0], head[1], head[2], 0]) as usize];
        client.read_exact(&mut payload)?;
        Ok(payload)
    }

    pub(super) fn error(number: u8, said: &str) -> Vec<u8> {
        packet(number, &[b"\xff\xcf\x07#HY000", said.as_bytes()].concat())
    }

    /// Greets without offering TLS.
    pub(super) fn greet(client: &mut TcpStream) -> std::io::Result<()> {
        let offered = OFFERED.to_le_bytes();
        let greeting = [
            b"\x0a10.11.6-MariaDB\0\x01\0\0\0abcdefgh\0",
            &[offered[0], offered[1], 45, 2, 0, offered[2], offered[3], 21][..],
            &[0; 10],
            b"ijklmnopqrst\0mysql_native_password\0",
        ];
        client.write_all(&packet(0, &greeting.concat()))
    }
}

const ENGINES: [&str; 2] = ["postgres", "mysql"];

/// A server that refuses every login in words that it makes of the password.
fn refuses(engine: &str, say: impl Fn(&str) -> String + Send + Sync + 'static) -> u16 {
    match engine {
        "postgres" => listen(move |client| {
            postgres::greet(client)?;
            let password = postgres::ask_for_password(client)?;
            assert_eq!(password, CANARY);
            client.write_all(&postgres::error(&say(&password)))
        }),
        _ => listen(move |client| {
            mysql::greet(client)?;
            mysql::receive(client)?;
            client.write_all(&mysql::error(2, &say(CANARY)))
        }),
    }
}

fn url(engine: &str, port: u16) -> String {
    format!("{engine}://app:{IN_URL}@127.0.0.1:{port}/ledger")
}

/// A fleet of rogues beside a good database, one for each engine and message.
fn fleet_of(messages: &[(String, String)]) -> Fleet {
    let mut fleet = Fleet::new();
    fleet.add_file("good");
    for engine in ENGINES {
        for (name, message) in messages {
            let message = message.clone();
            let port = refuses(engine, move |_| message.clone());
            fleet.add(&format!("{engine}/{name}"), &format!("url: \"{}\"", url(engine, port)));
        }
    }
    fleet
}

/// Checks a fleet of rogues, and asserts that each of their messages is told without what was in it.
#[track_caller]
fn assert_masked(messages: &[(String, String)]) {
    let fleet = fleet_of(messages);
    let ran = fleet.check(&["--retries", "0"]);
    assert_eq!(ran.code, Some(4), "{}", ran.said);
    assert_eq!(ran.target("good")["status"], "checked");
    for engine in ENGINES {
        for (name, _) in messages {
            let target = ran.target(&format!("{engine}/{name}"));
            assert_eq!(target["status"], "unreachable".to_owned(), "{target:#}");
            let reason = target["reason"].as_str().unwrap();
            assert!(reason.contains("***"), "{engine}/{name}: {reason}");
        }
    }
}

#[test]
fn a_server_that_repeats_the_password_is_not_repeated_in_whatever_spelling() {
    use base64::Engine as _;
    let base64 = ["", "u:", "us:", "user:"].map(|before| {
        let text = base64::engine::general_purpose::STANDARD.encode(format!("{before}{CANARY}"));
        (format!("base64-{}", before.len()), text)
    });
    let spelled = SPELLINGS
        .iter()
        .enumerate()
        .map(|(at, (_, text))| (at.to_string(), (*text).to_owned()));
    let messages: Vec<(String, String)> = spelled
        .chain(base64)
        .map(|(name, text)| (name, format!("the login with {text} is over")))
        .collect();
    assert_masked(&messages);
}

#[test]
fn a_message_that_is_cut_in_the_middle_of_the_password_tells_no_part_of_it() {
    let letters: Vec<char> = CANARY.chars().collect();
    let part = |from: usize, to: usize| letters[from..to].iter().collect::<String>();
    // Of the last one, three letters are left: fewer tell nothing.
    let mut messages: Vec<(String, String)> = (270..297)
        .map(|before| {
            (
                format!("ours-{before}"),
                format!("{} {CANARY} and so on", "x".repeat(before)),
            )
        })
        .collect();
    for length in 8..letters.len() {
        messages.push((format!("head-{length}"), format!("near \"{}\"", part(0, length))));
        let tail = part(letters.len() - length, letters.len());
        messages.push((format!("tail-{length}"), format!("near \"{tail}\"")));
    }
    assert_masked(&messages);
}

#[test]
fn no_command_repeats_what_a_server_repeats() {
    for engine in ENGINES {
        let port = refuses(engine, |password| {
            // A line breaks in the blank of the password.
            format!(
                "the login of the user with the very secret password {password} was refused, since {password} is over"
            )
        });
        let fleet = Fleet::with_broken(&format!("url: \"{}\"", url(engine, port)));
        let spec = case::root().join("../../specs/asset.yaml").display().to_string();
        let scheduler = if engine == "postgres" { "pg-cron" } else { "mysql-event" };
        for args in [
            &["doctor", "b/broken"][..],
            &["doctor", "b/broken", "--format", "json"],
            &["doctor", "--grants", "b/broken"],
            &["diff", "--verbose", "b/broken"],
            &["spec", "pull", "--service", "asset", "b/broken"],
        ] {
            let output = fleet.run(args);
            assert_eq!(output.status.code(), Some(4), "{args:?}: {output:?}");
            let said = [output.stdout, output.stderr].concat();
            assert!(String::from_utf8_lossy(&said).contains("***"), "{args:?}");
        }
        for args in [
            &["migrate", "status", "--service", "asset"][..],
            &["migrate", "up", "--service", "asset"],
            &["check", "--spec", &spec],
            &["retention", "status", "--spec", &spec],
            &["retention", "status", "--spec", &spec, "--format", "json"],
            &["retention", "trim", "--spec", &spec, "--horizon", "99d"],
            &[
                "retention",
                "install",
                "--spec",
                &spec,
                "--scheduler",
                scheduler,
                "--apply",
            ],
        ] {
            let output = Fleet::new().run_on(args, &url(engine, port));
            assert_eq!(output.status.code(), Some(4), "{args:?}: {output:?}");
            let said = [output.stdout, output.stderr].concat();
            assert!(String::from_utf8_lossy(&said).contains("***"), "{args:?}");
        }
        let output = fleet.run(&["config", "show", "--origin"]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
    }
}

#[test]
fn a_server_without_tls_is_not_even_told_who_asks_where_tls_is_demanded() {
    for (engine, wish) in [("postgres", "sslmode=require"), ("mysql", "ssl-mode=REQUIRED")] {
        let heard = Arc::new(Mutex::new(Vec::new()));
        let ear = Arc::clone(&heard);
        let port = match engine {
            "postgres" => listen(move |client| {
                postgres::greet(client)?;
                let password = postgres::ask_for_password(client)?;
                ear.lock().unwrap().push(password);
                Ok(())
            }),
            _ => listen(move |client| {
                mysql::greet(client)?;
                let login = mysql::receive(client)?;
                ear.lock().unwrap().push(String::from_utf8_lossy(&login).into_owned());
                Ok(())
            }),
        };
        let entry = format!("url: \"{}?{wish}\"", url(engine, port));
        let reason = Fleet::with_broken(&entry).check(&[]).assert_broken("unreachable", 8);
        assert!(reason.contains("TLS"), "{reason}");
        assert_eq!(*heard.lock().unwrap(), Vec::<String>::new(), "{engine}");
    }
}

#[test]
fn a_mysql_server_that_asks_for_the_password_in_clear_text_does_not_get_it() {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let ear = Arc::clone(&heard);
    let port = listen(move |client| {
        mysql::greet(client)?;
        mysql::receive(client)?;
        client.write_all(&mysql::packet(2, b"\xfemysql_clear_password\0"))?;
        let answer = mysql::receive(client)?;
        ear.lock().unwrap().push(String::from_utf8_lossy(&answer).into_owned());
        Ok(())
    });
    let entry = format!("url: \"{}\"", url("mysql", port));
    Fleet::with_broken(&entry).check(&[]).assert_broken("unreachable", 8);
    assert_eq!(*heard.lock().unwrap(), Vec::<String>::new());
}

#[test]
fn a_server_that_never_comes_to_an_end_is_given_up() {
    /// An answer without end, and not one that has all of the machine.
    const PAUSE: Duration = Duration::from_millis(1);
    let notices = listen(|client| {
        postgres::greet(client)?;
        let notice = postgres::message(b'N', b"SNOTICE\0VNOTICE\0C00000\0Mhello\0\0");
        loop {
            client.write_all(&notice)?;
            std::thread::sleep(PAUSE);
        }
    });
    let rows = listen(|client| {
        mysql::greet(client)?;
        mysql::receive(client)?;
        client.write_all(&mysql::packet(2, &[0, 0, 0, 2, 0, 0, 0]))?;
        mysql::receive(client)?;
        let column = b"\x03def\0\0\0\x01a\x01a\x0c\x2d\0\xe8\x03\0\0\xfd\0\0\0\0\0";
        client.write_all(&mysql::packet(1, &[1]))?;
        client.write_all(&mysql::packet(2, column))?;
        let row = mysql::packet(3, &[&[0xfc, 0xe8, 3], &[b'x'; 1000][..]].concat());
        loop {
            client.write_all(&row)?;
            std::thread::sleep(PAUSE);
        }
    });
    let flags = ["--connect-timeout", "1s", "--statement-timeout", "1s"];
    for (engine, port) in [("postgres", notices), ("mysql", rows)] {
        let ran = Fleet::with_broken(&format!("url: \"{}\"", url(engine, port))).check(&flags);
        let status = ran.target("b/broken")["status"].as_str().unwrap().to_owned();
        ran.assert_broken(&status, 15);
    }
}
