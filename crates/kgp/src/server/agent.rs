//! An agent: a client that is connected, what it has said about itself, what it is doing.

use std::time::Instant;

use rustc_hash::FxHashMap;
use sha2::{Digest, Sha256};
use tokio::sync::mpsc::Sender;

use super::problems::Problem;
use crate::line::Line;

/// Lines that wait for a client which is slow to read them.
pub(super) const MAX_UNSENT: usize = 64;

/// Characters of a name, and of other texts.
const MAX_NAME: usize = 40;
const MAX_TEXT: usize = 300;

#[derive(Debug)]
pub(super) enum Activity {
    /// It has not chosen a mode.
    Introducing,
    Waiting,
    /// It plays the game of this number.
    Playing(u64),
    /// It solves the problem of the request with this number.
    Solving(u64, Problem),
}

#[derive(Debug)]
pub(super) struct Agent {
    outbox: Sender<String>,
    /// Set when the outbox is full or closed: the client does not read, or is gone.
    pub is_lost: bool,
    next_id: u64,
    token: Option<String>,
    name: Option<String>,
    /// Whether the server has started it, and named it.
    is_started: bool,
    /// Of the connection, for an agent without token and name.
    number: u64,
    /// Tells this connection from those of other runs with the same number.
    nonce: u64,
    pub authors: Option<String>,
    pub description: Option<String>,
    /// For the next move.
    pub comment: Option<String>,
    pub activity: Activity,
    /// Since when it is doing that.
    pub since: Instant,
}

impl Agent {
    /// A client that has just connected, and is greeted.
    pub(super) fn new(number: u64, outbox: Sender<String>, now: Instant) -> Agent {
        let mut agent = Agent {
            outbox,
            is_lost: false,
            next_id: 2,
            token: None,
            name: None,
            is_started: false,
            number,
            nonce: fastrand::u64(..),
            authors: None,
            description: None,
            comment: None,
            activity: Activity::Introducing,
            since: now,
        };
        agent.command(Line::command("kgp").with(1).with(0).with(1));
        agent
    }

    /// Sends a command with a number of its own, which is returned.
    pub(super) fn command(&mut self, line: Line) -> u64 {
        let id = self.next_id;
        // The server's numbers are even.
        self.next_id += 2;
        self.send(&line.with_id(id));
        id
    }

    /// Answers a line with this number, if it has one.
    pub(super) fn reply(&mut self, reference: Option<u64>, line: Line) {
        self.command(Line { reference, ..line });
    }

    pub(super) fn error(&mut self, reference: Option<u64>, text: &str) {
        self.reply(reference, Line::command("error").with_text(text));
    }

    pub(super) fn goodbye(&mut self) {
        self.send(&Line::command("goodbye"));
    }

    fn send(&mut self, line: &Line) {
        self.is_lost |= self.outbox.try_send(line.to_string()).is_err();
    }

    pub(super) fn is_introducing(&self) -> bool {
        matches!(self.activity, Activity::Introducing)
    }

    pub(super) fn begin(&mut self, activity: Activity, now: Instant) {
        (self.activity, self.since) = (activity, now);
    }

    /// An option that the client sets. Who it is cannot change once it has chosen a mode.
    pub(super) fn set(&mut self, option: &str, value: &str) {
        let text = || Some(cut(value, MAX_TEXT)).filter(|text| !text.is_empty());
        match option {
            "info:comment" => self.comment = text(),
            _ if !self.is_introducing() => {}
            "auth:token" => self.token = Some(value.to_owned()).filter(|token| !token.is_empty()),
            "auth:forget" => self.token = None,
            "info:name" => self.name = Some(cut(value, MAX_NAME)).filter(|name| !name.is_empty()),
            "info:authors" => self.authors = text(),
            "info:description" => self.description = text(),
            _ => {}
        }
    }

    /// Has an agent that the server has started known by its name there.
    pub(super) fn recognize(&mut self, started: &FxHashMap<String, String>) {
        if let Some(name) = self.token.as_ref().and_then(|token| started.get(token)) {
            (self.is_started, self.name) = (true, Some(name.clone()));
        }
    }

    /// What the agent is known by: a digest of the name that the server has started it with, else of its token,
    /// else of its name, else of its connection.
    pub(super) fn identity(&self) -> String {
        let own = match (&self.token, &self.name) {
            _ if self.is_started => return identity_of_started(&self.name()),
            (Some(token), _) => format!("token {token}"),
            (None, Some(name)) => format!("name {name}"),
            (None, None) => format!("connection {} {}", self.number, self.nonce),
        };
        digest(&own)
    }

    /// The name that the server or itself has given it, or one for it.
    pub(super) fn name(&self) -> String {
        self.name.clone().unwrap_or_else(|| format!("anonymous {}", self.number))
    }
}

/// What an agent is known by that the server has started with this name.
pub(super) fn identity_of_started(name: &str) -> String {
    digest(&format!("agent {name}"))
}

fn digest(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    // 16 bytes stand for it.
    let first = digest.first_chunk().copied().unwrap_or_default();
    format!("{:032x}", u128::from_be_bytes(first))
}

/// Text of a client on one line and of a limited length.
fn cut(text: &str, max_chars: usize) -> String {
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    let text: String = text.chars().map(plain).take(max_chars).collect();
    text.trim().to_owned()
}
