//! A running `kalah serve`, and requests to it.

use std::fmt::Write as _;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::contest::Contest;
use crate::session::Session;

/// Far more than any reply takes.
const DEADLINE: Duration = Duration::from_mins(2);

/// A server with a folder of its own.
pub(crate) struct Serve {
    pub(crate) contest: Contest,
    pub(crate) session: Session,
    /// `127.0.0.1:PORT`.
    pub(crate) host: String,
}

/// A reply to a request.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    /// Status line and headers.
    head: String,
    pub(crate) body: String,
}

impl Reply {
    /// A header, if it is there; names are in lower case.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut pairs = self.head.lines().filter_map(|line| line.split_once(": "));
        pairs.find(|(other, _)| other.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        assert_eq!(self.header("content-type"), Some("application/json"), "{self:?}");
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The value of a position that was asked for with success.
    #[track_caller]
    pub(crate) fn value(&self) -> Value {
        assert_eq!(self.status, 200, "{self:?}");
        self.json()
    }
}

/// A path that asks about a board, with more members of the query.
pub(crate) fn position(fen: &str, more: &str) -> String {
    let mut path = "/v1/position?board=".to_owned();
    for byte in fen.bytes() {
        write!(path, "%{byte:02x}").unwrap();
    }
    path + more
}

impl Serve {
    /// A server with these arguments besides.
    pub(crate) fn start(arguments: &str) -> Serve {
        Serve::start_in(Contest::new(), arguments)
    }

    pub(crate) fn start_in(contest: Contest, arguments: &str) -> Serve {
        let mut session = contest.start(&format!("serve --listen 127.0.0.1:0 {arguments}"));
        let url = session.line();
        let host = url.strip_prefix("http://").and_then(|host| host.strip_suffix('/'));
        Serve { host: host.expect(&url).to_owned(), contest, session }
    }

    /// Sends a request without waiting for the reply.
    pub(crate) fn send(&self, request: &str, body: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(DEADLINE)).unwrap();
        let length = body.len();
        let head = format!("Host: {}\r\nConnection: close\r\nContent-Length: {length}", self.host);
        let (first, headers) = request.split_once('\n').unwrap_or((request, ""));
        let headers: Vec<&str> = [&*head].into_iter().chain(headers.lines()).collect();
        let text = format!("{first} HTTP/1.1\r\n{}\r\n\r\n{body}", headers.join("\r\n"));
        stream.write_all(text.as_bytes()).unwrap();
        stream
    }

    /// The reply to a request: method and path, and a line for each further header.
    #[track_caller]
    pub(crate) fn ask(&self, request: &str, body: &str) -> Reply {
        reply(self.send(request, body))
    }

    #[track_caller]
    pub(crate) fn get(&self, path: &str) -> Reply {
        self.ask(&format!("GET {path}"), "")
    }

    /// The number of a metric, with its labels.
    #[track_caller]
    pub(crate) fn metric(&self, name: &str) -> f64 {
        let text = self.get("/metrics").body;
        let mut lines = text.lines();
        let line = lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.unwrap_or_else(|| panic!("{name} is not in: {text}")).parse().unwrap()
    }

    /// Waits until a metric has this number.
    #[track_caller]
    pub(crate) fn wait_for(&self, name: &str, number: f64) {
        let start = Instant::now();
        while (self.metric(name) - number).abs() > 0.5 {
            assert!(start.elapsed() < DEADLINE, "{name} is {}", self.metric(name));
            thread::sleep(Duration::from_millis(5));
        }
    }
}

/// Reads a reply to its end.
#[track_caller]
pub(crate) fn reply(mut stream: TcpStream) -> Reply {
    let mut text = Vec::new();
    stream.read_to_end(&mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no reply: {text:?}"));
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    Reply { status, head: head.to_owned(), body: body.to_owned() }
}
