//! A running `kalah gui`, and pages that speak to it.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest;
use tungstenite::http::StatusCode;
use tungstenite::{Error, Message, WebSocket};

use crate::contest::Contest;
use crate::session::Session;

/// Far more than any reply takes.
const DEADLINE: Duration = Duration::from_mins(2);

/// A server with a folder of its own.
pub(crate) struct Gui {
    pub(crate) contest: Contest,
    pub(crate) session: Session,
    /// `127.0.0.1:PORT`.
    pub(crate) host: String,
    pub(crate) token: String,
}

impl Gui {
    /// A server with these arguments besides.
    pub(crate) fn start(arguments: &str) -> Gui {
        let contest = Contest::new();
        Gui::start_in(contest, &format!("--port 0 {arguments}"))
    }

    pub(crate) fn start_in(contest: Contest, arguments: &str) -> Gui {
        Gui::start_with_environment(contest, &format!("gui --no-open {arguments}"), &[])
    }

    pub(crate) fn start_with_environment(
        contest: Contest,
        words: &str,
        variables: &[(&str, &str)],
    ) -> Gui {
        let mut session = contest.start_with(words, variables);
        let url = session.line();
        let (host, token) =
            url.strip_prefix("http://").unwrap().split_once("/?token=").expect(&url);
        Gui { host: host.to_owned(), token: token.to_owned(), contest, session }
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(DEADLINE)).unwrap();
        stream
    }

    /// The status and the whole reply to a request line with headers, which are sent as they are.
    pub(crate) fn get(&self, path: &str, headers: &[(&str, &str)]) -> (u16, String) {
        let reply = String::from_utf8_lossy(&self.get_bytes(path, headers)).into_owned();
        let status = reply.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        (status, reply)
    }

    /// The bytes of a reply.
    pub(crate) fn get_bytes(&self, path: &str, headers: &[(&str, &str)]) -> Vec<u8> {
        let mut stream = self.connect();
        let mut request = format!("GET {path} HTTP/1.1\r\nConnection: close\r\n");
        for (name, value) in headers {
            let _ = write!(request, "{name}: {value}\r\n");
        }
        request.push_str("\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut reply = Vec::new();
        stream.read_to_end(&mut reply).unwrap();
        reply
    }

    /// A page of this server.
    pub(crate) fn page(&self) -> Page {
        let origin = format!("http://{}", self.host);
        let mut page = self.try_page(&self.token, Some(&origin)).unwrap();
        let hello = page.next();
        assert_eq!(hello["event"], "hello");
        page.hello = hello;
        page
    }

    /// A page that may be refused: with which status.
    pub(crate) fn try_page(&self, token: &str, origin: Option<&str>) -> Result<Page, StatusCode> {
        let url = format!("ws://{}/socket?token={token}", self.host);
        let mut request = url.into_client_request().unwrap();
        if let Some(origin) = origin {
            request.headers_mut().insert("Origin", origin.parse().unwrap());
        }
        match tungstenite::client(request, self.connect()) {
            Ok((socket, _)) => {
                let lines = VecDeque::new();
                Ok(Page { socket, hello: Value::Null, next: 1, lines, rooms: VecDeque::new() })
            }
            Err(tungstenite::HandshakeError::Failure(Error::Http(reply))) => Err(reply.status()),
            Err(error) => panic!("{error}"),
        }
    }
}

/// The side of the page in a conversation.
pub(crate) struct Page {
    pub(crate) socket: WebSocket<TcpStream>,
    pub(crate) hello: Value,
    next: u64,
    /// Lines that nobody has waited for yet, with the names of their engines.
    lines: VecDeque<(String, String)>,
    /// What was said of the room.
    rooms: VecDeque<Value>,
}

impl Page {
    /// The next message of the server.
    #[track_caller]
    pub(crate) fn next(&mut self) -> Value {
        loop {
            match self.socket.read().unwrap() {
                Message::Text(text) => return serde_json::from_str(&text).unwrap(),
                Message::Close(_) => panic!("the server has closed the socket"),
                _ => {}
            }
        }
    }

    pub(crate) fn send(&mut self, text: &str) {
        self.socket.send(Message::text(text)).unwrap();
    }

    /// The reply to a request; of the events before it, lines of engines and news of the room are kept.
    #[track_caller]
    pub(crate) fn ask(&mut self, verb: &str, mut fields: Value) -> Result<Value, String> {
        let id = self.next;
        self.next += 1;
        fields["id"] = json!(id);
        fields["do"] = json!(verb);
        self.send(&fields.to_string());
        loop {
            let mut message = self.next();
            if message["id"] != json!(id) {
                self.keep_lines(&message);
                continue;
            }
            return match message["error"].take() {
                Value::Null => Ok(message["ok"].take()),
                error => Err(error.as_str().unwrap().to_owned()),
            };
        }
    }

    /// What the room is like next.
    #[track_caller]
    pub(crate) fn room(&mut self) -> Value {
        self.room_until(|_| true)
    }

    /// What the room is like when this is true. What it was like before is dropped.
    #[track_caller]
    pub(crate) fn room_until(&mut self, is_so: impl Fn(&Value) -> bool) -> Value {
        loop {
            while let Some(view) = self.rooms.pop_front() {
                if is_so(&view) {
                    return view;
                }
            }
            let message = self.next();
            self.keep_lines(&message);
        }
    }

    fn keep_lines(&mut self, message: &Value) {
        if message["event"] == "room" {
            self.rooms.push_back(message.clone());
        }
        if message["event"] == "lines" {
            let text = |value: &Value| value.as_str().unwrap().to_owned();
            let lines = message["lines"].as_array().unwrap().iter();
            self.lines.extend(lines.map(|line| (text(&message["name"]), text(line))));
        }
    }

    /// Waits for a line of an engine that begins with this. Lines before it are dropped.
    #[track_caller]
    pub(crate) fn line(&mut self, name: &str, start: &str) -> String {
        loop {
            while let Some((from, line)) = self.lines.pop_front() {
                if from == name && line.starts_with(start) {
                    return line;
                }
            }
            let message = self.next();
            assert_ne!(message["event"], "ended", "{message}");
            self.keep_lines(&message);
        }
    }

    /// Waits for the end of an engine; returns the reason.
    #[track_caller]
    pub(crate) fn ended(&mut self, name: &str) -> String {
        loop {
            let message = self.next();
            if message["event"] == "ended" && message["name"] == name {
                return message["reason"].as_str().unwrap().to_owned();
            }
        }
    }
}
