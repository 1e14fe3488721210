//! A server that wants more than it is given: MySQL's protocol lets a server ask a client for any of its files.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc;
use std::time::Duration;

use super::Place;

/// What the file holds that the server asks for.
const TREASURE: &str = "TREASURE-of-the-client";

/// The flag by which a client says that it hands out files.
const LOCAL_FILES: u32 = 0x80;

/// What the server offers: protocol 4.1, a login by plugins, transactions, and files.
const OFFERED: u32 = 0x0000_0200 | 0x0000_8000 | 0x0008_0000 | 0x0000_2000 | 0x0000_0008 | 0x0100_0000 | LOCAL_FILES;

fn send(stream: &mut TcpStream, number: u8, payload: &[u8]) {
    let length = u32::try_from(payload.len()).unwrap().to_le_bytes();
    let mut packet = vec![length[0], length[1], length[2], number];
    packet.extend_from_slice(payload);
    stream.write_all(&packet).unwrap();
}

fn receive(stream: &mut TcpStream) -> Option<Vec<u8>> {
    let mut head = [0; 4];
    stream.read_exact(&mut head).ok()?;
    let length = u32::from_le_bytes([head[0], head[1], head[2], 0]) as usize;
    let mut payload = vec![0; length];
    stream.read_exact(&mut payload).ok()?;
    Some(payload)
}

fn greeting() -> Vec<u8> {
    let offered = OFFERED.to_le_bytes();
    let mut packet = vec![10];
    packet.extend_from_slice(b"8.0.36\0");
    packet.extend_from_slice(&[1, 0, 0, 0]);
    packet.extend_from_slice(b"abcdefgh\0");
    packet.extend_from_slice(&[offered[0], offered[1], 45, 2, 0, offered[2], offered[3], 21]);
    packet.extend_from_slice(&[0; 10]);
    packet.extend_from_slice(b"ijklmnopqrst\0mysql_native_password\0");
    packet
}

/// Lets a client in, answers its first statement with the wish for a file, and takes down all that it then says.
fn rob(listener: &TcpListener, wanted: &str) -> (u32, Vec<u8>) {
    let (mut stream, _) = listener.accept().unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(3))).unwrap();
    send(&mut stream, 0, &greeting());
    let login = receive(&mut stream).unwrap();
    let flags = u32::from_le_bytes([login[0], login[1], login[2], login[3]]);
    send(&mut stream, 2, &[0, 0, 0, 2, 0, 0, 0]);
    let statement = receive(&mut stream).unwrap();
    assert_eq!(statement[0], 3, "a statement follows the login");
    send(&mut stream, 1, &[&[0xfb], wanted.as_bytes()].concat());
    let mut said = Vec::new();
    // Ends when the client is gone, or says no more.
    let _ = stream.read_to_end(&mut said);
    (flags, said)
}

#[test]
fn a_server_that_asks_for_a_file_gets_none() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let place = Place::new(&format!(
        "version: 1
specs: spec.yaml
targets:
  rogue:
    service: ledger
    engine: mysql
    host: 127.0.0.1
    port: {port}
    database: d
    user: u
    tls: {{ mode: disable }}
"
    ));
    place.write("treasure", TREASURE);
    let wanted = place.path("treasure").display().to_string();
    let (tell, told) = mpsc::channel();
    std::thread::spawn(move || tell.send(rob(&listener, &wanted)));
    let run = place.run(&["check", "rogue"]);
    run.ends(4, &["rogue"]);
    let (flags, said) = told.recv_timeout(Duration::from_secs(10)).unwrap();
    assert_eq!(flags & LOCAL_FILES, 0, "the client offers files");
    let said = String::from_utf8_lossy(&said);
    assert!(!said.contains(TREASURE), "the client sent {said:?}");
}
