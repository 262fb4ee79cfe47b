//! A scripted server of the Kalah Game Protocol. Nothing here waits for ever.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

use kalah_kgp::{Line, WideBoard};

use crate::session::Session;

/// The start of the usual game.
pub(crate) const START: &str = "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>";

/// Far more than anything takes, for tests share their machine with others.
const DEADLINE: Duration = Duration::from_mins(1);

/// A server that listens.
pub(crate) struct KgpServer {
    listener: TcpListener,
}

/// A server's side of a connection to a client.
pub(crate) struct KgpPeer {
    input: BufReader<TcpStream>,
    output: TcpStream,
    next_id: u64,
}

impl KgpServer {
    pub(crate) fn new() -> KgpServer {
        KgpServer { listener: TcpListener::bind("127.0.0.1:0").unwrap() }
    }

    /// The server's address.
    pub(crate) fn address(&self) -> String {
        self.listener.local_addr().unwrap().to_string()
    }

    /// The client that plays here, with more arguments.
    pub(crate) fn client(&self, arguments: &[&str]) -> Session {
        let address = self.address();
        Session::program(|command| {
            command.args(["kgp", &address, "--name", "Ann"]).args(arguments);
            command.env("KALAH_KGP_TOKEN", "token of the environment");
        })
    }

    /// The stream of the next connection.
    pub(crate) fn accept(&self) -> TcpStream {
        // A client that does not come fails the test.
        self.listener.set_nonblocking(true).unwrap();
        let start = Instant::now();
        loop {
            match self.listener.accept() {
                Ok((stream, _)) => {
                    stream.set_nonblocking(false).unwrap();
                    stream.set_read_timeout(Some(DEADLINE)).unwrap();
                    return stream;
                }
                Err(_) if start.elapsed() < DEADLINE => {
                    std::thread::sleep(Duration::from_millis(1));
                }
                Err(error) => panic!("no client: {error}"),
            }
        }
    }

    /// The next connection, with nothing said.
    pub(crate) fn peer(&self) -> KgpPeer {
        let output = self.accept();
        let input = BufReader::new(output.try_clone().unwrap());
        KgpPeer { input, output, next_id: 2 }
    }

    /// The next connection after greeting, and what the client has set.
    pub(crate) fn greeted(&self) -> (KgpPeer, Vec<Line>) {
        let mut peer = self.peer();
        let set = peer.greet();
        (peer, set)
    }
}

impl KgpPeer {
    /// Sends bytes; a client that has gone does not matter.
    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        let _ = self.output.write_all(bytes);
    }

    pub(crate) fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\r\n").as_bytes());
    }

    /// Sends a command with a number of its own, which is returned.
    pub(crate) fn command(&mut self, command: &str) -> u64 {
        let id = self.next_id;
        self.next_id += 2;
        self.send(&format!("{id} {command}"));
        id
    }

    /// The next line; `None` at the end of the connection.
    fn next(&mut self) -> Option<Line> {
        let mut text = String::new();
        match self.input.read_line(&mut text) {
            Ok(0) => None,
            Ok(_) => Some(text.parse().unwrap_or_else(|error| panic!("{text:?}: {error}"))),
            Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => None,
            Err(error) => panic!("the client says nothing: {error}"),
        }
    }

    pub(crate) fn line(&mut self) -> Line {
        self.next().expect("a line of the client")
    }

    /// Greets, and answers the client's mode; returns what it has set before.
    pub(crate) fn greet(&mut self) -> Vec<Line> {
        self.command("kgp 1 0 1");
        let mut set = Vec::new();
        loop {
            let line = self.line();
            if line.command == "mode" {
                let id = line.id.unwrap();
                self.send(&format!("4@{id} ok"));
                self.next_id = 6;
                set.push(line);
                return set;
            }
            set.push(line);
        }
    }

    /// Asks for a move and returns the one that the client has made when it yields. Pings must be answered
    /// apart.
    pub(crate) fn ask(&mut self, board: &str) -> u64 {
        let id = self.command(&format!("state {board}"));
        self.answer_to(id)
    }

    /// The move of a request that is under way.
    pub(crate) fn answer_to(&mut self, id: u64) -> u64 {
        let mut mv = None;
        loop {
            let line = self.line();
            assert_eq!(line.reference, Some(id), "{line}");
            match line.command.as_str() {
                "move" => mv = line.number(0),
                "yield" => break,
                _ => panic!("{line}"),
            }
        }
        self.send(&format!("@{id} stop"));
        mv.expect("a move before 'yield'")
    }

    /// Sees whether the client still answers.
    pub(crate) fn ping(&mut self) {
        let id = self.command("ping");
        let line = self.line();
        assert_eq!((line.command.as_str(), line.reference), ("pong", Some(id)), "{line}");
    }

    /// Reads until the connection ends.
    pub(crate) fn until_end(&mut self) -> Vec<Line> {
        std::iter::from_fn(|| self.next()).collect()
    }
}

pub(crate) fn board(text: &str) -> WideBoard {
    text.parse().unwrap()
}

#[track_caller]
pub(crate) fn assert_legal(board: &WideBoard, mv: u64) {
    assert!(board.moves().any(|house| house as u64 + 1 == mv), "{mv} on {board}");
}

/// Ends a client that ends with its connection.
#[track_caller]
pub(crate) fn end(mut peer: KgpPeer, mut client: Session) -> String {
    peer.send("goodbye");
    let ended = client.wait();
    assert!(ended.status.success(), "{}", ended.errors);
    ended.errors
}
