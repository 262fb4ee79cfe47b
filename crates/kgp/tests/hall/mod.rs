//! A host and its clients without sockets and without waiting.

use std::time::{Duration, Instant};

use clap::{Args, Command, FromArgMatches};
use tokio::sync::mpsc::{Receiver, channel};

use kalah_kgp::{Host, HostSettings, Line};
use kalah_records::RecordError;

pub(crate) type Tested = Result<(), Box<dyn std::error::Error>>;

/// A host and its clients, in a time of their own.
pub(crate) struct Hall {
    pub(crate) host: Host,
    pub(crate) clients: Vec<Receiver<String>>,
    pub(crate) now: Instant,
}

impl Hall {
    /// With the arguments of `kalah kgp serve`.
    pub(crate) fn new(arguments: &str) -> Result<Hall, Box<dyn std::error::Error>> {
        let command = HostSettings::augment_args(Command::new("serve").no_binary_name(true));
        let matches = command.try_get_matches_from(shell_words::split(arguments)?)?;
        let host = Host::new(HostSettings::from_arg_matches(&matches)?)?;
        Ok(Hall { host, clients: Vec::new(), now: Instant::now() })
    }

    /// What is wrong with these arguments.
    pub(crate) fn refusal(arguments: &str) -> String {
        let refused = Hall::new(arguments).err().map(|error| error.to_string());
        refused.unwrap_or_default()
    }

    /// Lets clients answer until nothing is said. The clients in `mute` play no moves, those in `dead`
    /// answer nothing at all.
    pub(crate) fn play(&mut self, mute: &[usize], dead: &[usize]) -> Result<(), RecordError> {
        self.play_as(mute, dead, &[])
    }

    /// A client that can be sent so many lines before it reads; its number.
    pub(crate) fn connect(&mut self, room: usize) -> usize {
        let (outbox, lines) = channel(room);
        self.clients.push(lines);
        let client = self.clients.len() - 1;
        self.host.connected(client as u64, outbox, self.now);
        client
    }

    /// A client that wants to play; its number.
    pub(crate) fn join(&mut self, token: &str) -> Result<usize, RecordError> {
        self.join_as(token, token)
    }

    pub(crate) fn join_as(&mut self, token: &str, name: &str) -> Result<usize, RecordError> {
        let client = self.connect(64);
        self.say(client, &format!("set auth:token \"{token}\""))?;
        self.say(client, &format!("set info:name \"{name}\""))?;
        self.say(client, "mode freeplay")?;
        Ok(client)
    }

    /// A game of two, South first, in which South was asked; the number of the request.
    pub(crate) fn begin(arguments: &str) -> Result<(Hall, u64), Box<dyn std::error::Error>> {
        let mut hall = Hall::new(arguments)?;
        for client in [hall.join("a")?, hall.join("b")?] {
            let ping = hall.last(client)?.id.ok_or("no ping")?;
            hall.say(client, &format!("@{ping} pong"))?;
        }
        let id = hall.last(0)?.id.ok_or("no request")?;
        Ok((hall, id))
    }

    /// The last of the lines that a client has received.
    pub(crate) fn last(&mut self, client: usize) -> Result<Line, &'static str> {
        self.heard(client).pop().ok_or("nothing was heard")
    }

    pub(crate) fn say(&mut self, client: usize, line: &str) -> Result<(), RecordError> {
        let Ok(line) = line.parse::<Line>() else { return Ok(()) };
        self.host.line(client as u64, &line, self.now)
    }

    /// The lines that a client has received.
    pub(crate) fn heard(&mut self, client: usize) -> Vec<Line> {
        let lines = &mut self.clients[client];
        std::iter::from_fn(|| lines.try_recv().ok()).filter_map(|line| line.parse().ok()).collect()
    }

    /// The same; the clients in `wrong` play illegal moves.
    pub(crate) fn play_as(
        &mut self,
        mute: &[usize],
        dead: &[usize],
        wrong: &[usize],
    ) -> Result<(), RecordError> {
        loop {
            let mut is_quiet = true;
            self.now += Duration::from_millis(1);
            for client in 0..self.clients.len() {
                for line in self.heard(client) {
                    let Some(id) = line.id.filter(|_| !dead.contains(&client)) else { continue };
                    match (line.command.as_str(), line.board(0)) {
                        ("ping", _) => self.say(client, &format!("@{id} pong"))?,
                        ("state", Some(board)) if !mute.contains(&client) => {
                            assert!(board.moves().count() > 1, "a single move was sent");
                            let house = board.greedy_move().map_or(0, |house| house + 1);
                            let house = if wrong.contains(&client) { 99 } else { house };
                            self.say(client, &format!("@{id} move {house}"))?;
                            self.say(client, &format!("@{id} yield"))?;
                        }
                        _ => continue,
                    }
                    is_quiet = false;
                }
            }
            if is_quiet {
                return Ok(());
            }
        }
    }

    pub(crate) fn pass(&mut self, seconds: u64) -> Result<(), RecordError> {
        self.now += Duration::from_secs(seconds);
        self.host.tick(self.now)
    }

    pub(crate) fn finished(&mut self) -> Vec<String> {
        let events = self.host.take_events().into_iter();
        events.filter(|event| event.starts_with("game ")).collect()
    }
}
