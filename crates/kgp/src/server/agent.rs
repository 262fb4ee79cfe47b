//! An agent: a client that is connected, what it has said about itself, what it is doing.

use std::time::Instant;

use sha2::{Digest, Sha256};
use tokio::sync::mpsc::Sender;

use super::problems::Problem;
use crate::line::Line;

/// Lines that wait for a client which is slow to read them.
pub(super) const MAX_UNSENT: usize = 64;

/// Characters of a name, and of other texts.
const MAX_NAME: usize = 40;
const MAX_TEXT: usize = 300;

/// Bytes of the digest that stands for a token.
const IDENTITY_BYTES: usize = 16;

/// What an agent is doing.
#[derive(Debug)]
pub(super) enum Activity {
    /// It has not chosen a mode.
    Introducing,
    /// It waits for a game.
    Waiting,
    /// It plays the game of this number.
    Playing(u64),
    /// It solves the problem of the request with this number.
    Solving(u64, Problem),
}

/// A client that is connected.
#[derive(Debug)]
pub(super) struct Agent {
    outbox: Sender<String>,
    /// Set when the outbox is full or closed: the client does not read, or is gone.
    pub is_lost: bool,
    next_id: u64,
    token: Option<String>,
    name: Option<String>,
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

    pub(super) fn is_waiting(&self) -> bool {
        matches!(self.activity, Activity::Waiting)
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

    /// What the agent is known by: a digest of its token, else of its name, else of its connection.
    pub(super) fn identity(&self) -> String {
        let own = match (&self.token, &self.name) {
            (Some(token), _) => format!("token {token}"),
            (None, Some(name)) => format!("name {name}"),
            (None, None) => format!("connection {} {}", self.number, self.nonce),
        };
        let digest = Sha256::digest(own.as_bytes());
        let hexadecimal = |text: String, byte| text + &format!("{byte:02x}");
        digest.iter().take(IDENTITY_BYTES).fold(String::new(), hexadecimal)
    }

    /// The name that it has given itself, or one for it.
    pub(super) fn name(&self) -> String {
        self.name.clone().unwrap_or_else(|| format!("anonymous {}", self.number))
    }
}

/// Text of a client on one line and of a limited length.
fn cut(text: &str, max_chars: usize) -> String {
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    let text: String = text.chars().map(plain).take(max_chars).collect();
    text.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use tokio::sync::mpsc::channel;

    use super::*;

    fn agent(options: &[(&str, &str)]) -> Agent {
        let mut agent = Agent::new(7, channel(MAX_UNSENT).0, Instant::now());
        for (option, value) in options {
            agent.set(option, value);
        }
        agent
    }

    #[test]
    fn a_token_is_the_identity_and_does_not_appear_in_it() {
        let ann = agent(&[("auth:token", "secret"), ("info:name", "Ann")]);
        let other = agent(&[("info:name", "Ann")]);
        let again = agent(&[("info:name", "Ben"), ("auth:token", "secret")]);
        assert_eq!(ann.identity(), again.identity());
        assert_ne!(ann.identity(), other.identity());
        assert_ne!(other.identity(), agent(&[("auth:token", "Ann")]).identity());
        assert!(!ann.identity().contains("secret"));
    }

    #[test]
    fn texts_are_cut_and_names_stay_once_the_mode_is_set() {
        let long = "x\u{1b}\n".repeat(10_000);
        let mut ann = agent(&[("info:name", &long), ("info:authors", &long), ("no:such", &long)]);
        assert!(ann.name().chars().count() <= MAX_NAME && !ann.name().contains('\u{1b}'));
        assert!(ann.authors.as_ref().is_some_and(|text| text.chars().count() <= MAX_TEXT));
        let name = ann.name();
        ann.begin(Activity::Waiting, Instant::now());
        ann.set("info:name", "other");
        ann.set("info:comment", "good");
        assert_eq!((ann.name(), ann.comment.as_deref()), (name, Some("good")));
        assert_eq!(agent(&[("info:name", " ")]).name(), "anonymous 7");
    }

    #[test]
    fn a_client_that_does_not_read_is_lost() {
        let (sender, _receiver) = channel(2);
        let mut ann = Agent::new(1, sender, Instant::now());
        ann.command(Line::command("ping"));
        assert!(!ann.is_lost);
        ann.command(Line::command("ping"));
        assert!(ann.is_lost);
    }
}
