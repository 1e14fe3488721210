//! The network between a check and its server, with something wrong in it.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// What is wrong.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Fault {
    /// After so many bytes of the server, nothing passes any more, and both ends believe that the other is there.
    Silence(usize),
    /// After so many bytes of the server, the connection is cut.
    Cut(usize),
    /// Each piece of what the server says comes late by so many milliseconds.
    Slow(u64),
}

/// Listens on a port of its own and passes on to a server; returns the port.
pub(crate) fn start(server: &str, fault: Fault) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let server = server.to_owned();
    std::thread::spawn(move || {
        for client in listener.incoming() {
            let (Ok(client), Ok(server)) = (client, TcpStream::connect(&server)) else {
                return;
            };
            std::thread::spawn(move || pass(&client, &server, fault));
        }
    });
    port
}

fn pass(client: &TcpStream, server: &TcpStream, fault: Fault) {
    let said = Arc::new(AtomicUsize::new(0));
    let (mut from, mut to) = (client.try_clone().unwrap(), server.try_clone().unwrap());
    std::thread::spawn(move || {
        let _ = std::io::copy(&mut from, &mut to);
        let _ = to.shutdown(Shutdown::Write);
    });
    let (mut from, mut to) = (server.try_clone().unwrap(), client.try_clone().unwrap());
    let mut buffer = [0; 512];
    while let Ok(read @ 1..) = from.read(&mut buffer) {
        let before = said.fetch_add(read, Ordering::SeqCst);
        match fault {
            Fault::Silence(most) if before + read > most => loop {
                std::thread::park();
            },
            Fault::Cut(most) if before + read > most => {
                let _ = to.shutdown(Shutdown::Both);
                let _ = from.shutdown(Shutdown::Both);
                return;
            }
            Fault::Slow(milliseconds) => std::thread::sleep(Duration::from_millis(milliseconds)),
            Fault::Silence(_) | Fault::Cut(_) => {}
        }
        if to.write_all(&buffer[..read]).is_err() {
            return;
        }
    }
}
