//! Whole games and faults without sockets and without waiting.

use std::time::{Duration, Instant};

use clap::{Args, Command, FromArgMatches};
use tokio::sync::mpsc::{Receiver, channel};

use super::super::agent::MAX_UNSENT;
use super::super::settings::HostSettings;
use super::Host;
use crate::Line;
use kalah_arena::RecordError;

type Tested = Result<(), Box<dyn std::error::Error>>;

/// A host and its clients, in a time of their own.
struct Hall {
    host: Host,
    clients: Vec<Receiver<String>>,
    now: Instant,
}

impl Hall {
    /// With the arguments of `kalah kgp serve`.
    fn new(arguments: &str) -> Result<Hall, Box<dyn std::error::Error>> {
        let command = HostSettings::augment_args(Command::new("serve").no_binary_name(true));
        let matches = command.try_get_matches_from(arguments.split_whitespace())?;
        let settings = HostSettings::from_arg_matches(&matches)?;
        let (start, format) = (settings.start()?, settings.format()?);
        let host = Host::new(settings, start, format)?;
        Ok(Hall { host, clients: Vec::new(), now: Instant::now() })
    }

    /// A client that wants to play; its number.
    fn join(&mut self, token: &str) -> Result<usize, RecordError> {
        let (outbox, lines) = channel(MAX_UNSENT);
        self.clients.push(lines);
        let client = self.clients.len() - 1;
        self.host.connected(client as u64, outbox, self.now);
        self.say(client, &format!("set auth:token \"{token}\""))?;
        self.say(client, &format!("set info:name \"{token}\""))?;
        self.say(client, "mode freeplay")?;
        Ok(client)
    }

    fn say(&mut self, client: usize, line: &str) -> Result<(), RecordError> {
        let Ok(line) = line.parse::<Line>() else { return Ok(()) };
        self.host.line(client as u64, &line, self.now)
    }

    /// The lines that a client has received.
    fn heard(&mut self, client: usize) -> Vec<Line> {
        let lines = &mut self.clients[client];
        std::iter::from_fn(|| lines.try_recv().ok()).filter_map(|line| line.parse().ok()).collect()
    }

    /// Lets clients answer until nothing is said. The clients in `mute` play no moves, those in `dead`
    /// answer nothing at all.
    fn play(&mut self, mute: &[usize], dead: &[usize]) -> Result<(), RecordError> {
        loop {
            let mut is_quiet = true;
            for client in 0..self.clients.len() {
                for line in self.heard(client) {
                    let Some(id) = line.id.filter(|_| !dead.contains(&client)) else { continue };
                    match (line.command.as_str(), line.board(0)) {
                        ("ping", _) => self.say(client, &format!("@{id} pong"))?,
                        ("state", Some(board)) if !mute.contains(&client) => {
                            let house = board.greedy_move().map_or(0, |house| house + 1);
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

    fn pass(&mut self, seconds: u64) -> Result<(), RecordError> {
        self.now += Duration::from_secs(seconds);
        self.host.tick(self.now)
    }

    fn finished(&mut self) -> Vec<String> {
        let events = self.host.take_events().into_iter();
        events.filter(|event| event.starts_with("game ")).collect()
    }
}

#[test]
fn a_round_robin_is_played_to_its_end() -> Tested {
    let mut hall = Hall::new("--round-robin --players 3 --rounds 2")?;
    for token in ["a", "b"] {
        hall.join(token)?;
    }
    hall.play(&[], &[])?;
    assert_eq!(hall.finished(), [""; 0]);
    hall.join("c")?;
    hall.play(&[], &[])?;
    assert!(hall.host.is_complete());
    assert_eq!(hall.finished().len(), 12);
    let standings = hall.host.standings();
    assert!((0..3).all(|player| standings.total(player).games() == 8));
    assert!((1..3).all(|player| standings.pairs(0, player).pairs() == 2));
    Ok(())
}

#[test]
fn freeplay_exchanges_the_sides_and_pairs_no_token_with_itself() -> Tested {
    let mut hall = Hall::new("--games 20")?;
    hall.join("a")?;
    hall.join("a")?;
    hall.play(&[], &[])?;
    assert_eq!(hall.finished(), [""; 0]);
    hall.join("b")?;
    hall.join("c")?;
    hall.play(&[], &[])?;
    assert!(hall.host.is_complete());
    let standings = hall.host.standings();
    assert_eq!(standings.games().len(), 20);
    for game in standings.games() {
        assert_ne!(game.players[0], game.players[1]);
        let other = if game.game % 2 == 1 { game.game + 1 } else { game.game - 1 };
        let other =
            standings.games().iter().find(|found| found.game == other).ok_or("no return game")?;
        assert_eq!([other.players[1], other.players[0]], game.players);
    }
    Ok(())
}

#[test]
fn who_sends_no_move_plays_random_ones_and_who_is_silent_loses() -> Tested {
    let mut hall = Hall::new("--games 2")?;
    let (mute, _) = (hall.join("a")?, hall.join("b")?);
    while !hall.host.is_complete() {
        hall.play(&[mute], &[])?;
        hall.pass(5)?;
    }
    assert!(hall.finished().iter().all(|game| game.ends_with("played out")));

    let mut hall = Hall::new("--games 1")?;
    let (dead, alive) = (hall.join("a")?, hall.join("b")?);
    hall.play(&[], &[dead])?;
    hall.pass(20)?;
    assert_eq!(hall.finished(), ["game 1: a - b 0-1, no pong"]);
    assert!(hall.clients[dead].is_closed(), "the connection has ended");
    hall.play(&[], &[])?;
    assert!(!hall.clients[alive].is_closed());
    Ok(())
}

#[test]
fn a_lost_connection_loses_the_game_and_after_the_grace_time_all_others() -> Tested {
    let mut hall = Hall::new("--round-robin --rounds 2")?;
    let (first, second) = (hall.join("a")?, hall.join("b")?);
    hall.play(&[first, second], &[])?;
    hall.host.disconnect(second as u64, "gone", hall.now)?;
    assert_eq!(hall.finished().len(), 1);
    // Who was asked for a move is told that it is not wanted any more.
    assert_eq!(hall.heard(first).last().map(|line| line.command.clone()), Some("stop".into()));
    let second = hall.join("b")?;
    hall.play(&[first, second], &[])?;
    hall.host.disconnect(first as u64, "gone", hall.now)?;
    assert_eq!(hall.finished().len(), 1);
    let again = hall.join("a")?;
    hall.play(&[again, second], &[])?;
    // A third client takes no place.
    let stranger = hall.join("c")?;
    assert_eq!(
        hall.heard(stranger).last().map(|line| line.command.clone()),
        Some("goodbye".into())
    );
    hall.host.disconnect(again as u64, "gone", hall.now)?;
    assert_eq!(hall.finished().len(), 1);
    hall.pass(59)?;
    assert!(!hall.host.is_complete());
    hall.pass(1)?;
    assert!(hall.host.is_complete());
    assert_eq!(hall.host.standings().total(1).wins, 3);
    Ok(())
}

#[test]
fn late_and_wrong_introductions_are_refused() -> Tested {
    let mut hall = Hall::new("")?;
    let client = hall.join("a")?;
    hall.heard(client);
    hall.say(client, "7 mode freeplay")?;
    hall.say(client, "9 move 3")?;
    hall.say(client, "11 nonsense 3")?;
    let heard: Vec<String> = hall.heard(client).iter().map(Line::to_string).collect();
    assert!(heard.len() == 3 && heard.iter().all(|line| line.contains("error")), "{heard:?}");
    let (outbox, mut lines) = channel(MAX_UNSENT);
    hall.host.connected(9, outbox, hall.now);
    hall.pass(20)?;
    let mut last = None;
    while let Ok(line) = lines.try_recv() {
        last = Some(line);
    }
    assert_eq!(last.as_deref(), Some("goodbye"));
    assert!(!hall.clients[client].is_closed());
    Ok(())
}
