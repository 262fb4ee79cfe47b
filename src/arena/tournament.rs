//! A tournament: games by schedule, several at a time, recorded as they end.

use std::io;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use crossbeam_channel::{Receiver, unbounded};
use rustc_hash::FxHashSet;
use thiserror::Error;

use super::adjudication::Resign;
use super::game_record::{Conditions, GameRecord, Seat};
use super::interrupt::Interrupt;
use super::openings::{OpeningBook, OpeningError, OpeningSettings};
use super::player_settings::PlayerSettings;
use super::record_file::{RecordError, RecordFile};
use super::schedule::{Format, Schedule, Shard};
use super::sequential_test::SequentialTest;
use super::slot::{Slot, start};
use super::standing::{GameSummary, Standing};
use super::statistics::{Hypothesis, Sprt};
use crate::board::{Board, Side};

/// What is to be played.
#[derive(Clone, Debug)]
pub struct Tournament {
    /// Who meets whom.
    pub format: Format,
    /// Two at least, no two of the same name.
    pub players: Vec<PlayerSettings>,
    /// The start of the game; it gives rules and size, and openings lead on from it.
    pub start: Board,
    /// Where the games begin.
    pub openings: OpeningSettings,
    /// What openings and the seeds of players are drawn from.
    pub seed: u64,
    /// Games of every two players that meet; an even number, for each opening is played twice.
    pub games: u64,
    /// The part of the games that is played here.
    pub shard: Shard,
    /// Games at a time.
    pub concurrency: NonZeroUsize,
    /// When players resign.
    pub resign: Option<Resign>,
    /// With how many seeds in the houses the referee ends games at their proven margin.
    pub adjudicate: Option<u32>,
    /// What ends a match as soon as it is decided.
    pub sprt: Option<Sprt>,
    /// The file for the records; games that are in it are not played again.
    pub record: Option<PathBuf>,
}

/// Why a tournament cannot be held, or cannot go on.
#[derive(Debug, Error)]
pub enum ArenaError {
    /// There are not two players.
    #[error("a tournament takes two players or more, not {0}")]
    Players(usize),
    /// Two players have the same name.
    #[error("two players are called '{0}': give one of them another 'name'")]
    SameName(String),
    /// An opening would be played once only.
    #[error("{0} games: it takes an even number of them, as each opening is played twice")]
    OddGames(u64),
    /// A test that the tournament does not allow for.
    #[error("a sequential test takes a match of two players that is played in one piece")]
    NoMatch,
    /// A player cannot play.
    #[error("player '{name}': {reason}")]
    Player {
        /// The player.
        name: String,
        /// Why not.
        reason: String,
    },
    /// There are no openings.
    #[error(transparent)]
    Opening(#[from] OpeningError),
    /// The record cannot be used.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The referee has no memory to prove positions in.
    #[error(transparent)]
    Memory(#[from] crate::search::TableTooLarge),
    /// No thread is to be had.
    #[error("cannot start a thread")]
    Thread(#[source] io::Error),
    /// Somebody had enough of it before it began.
    #[error("interrupted")]
    Interrupted,
}

/// What there is to tell while games are played.
#[derive(Debug)]
pub enum Event<'a> {
    /// Play begins.
    Begun {
        /// Games that are to be played in all, here.
        total: u64,
        /// Games that were in the record.
        recorded: u64,
        /// Whether the record ended with a game that was written in part only.
        was_torn: bool,
    },
    /// Openings are going to be played more than twice.
    OpeningsRepeat {
        /// How many there are.
        distinct: u64,
        /// How many would be needed.
        needed: u64,
    },
    /// A game has ended.
    Game(&'a GameRecord),
}

/// Hears what happens, how the tournament stands then, and how its test does.
pub type Watch<'a> = &'a mut dyn FnMut(&Event, &Standing, Option<&SequentialTest>);

/// How a tournament ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// All games were played.
    Complete,
    /// The test came to a verdict.
    Decided(Hypothesis),
    /// Somebody wanted it to end.
    Interrupted,
}

/// How a tournament went.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// All games of the record, those played before among them.
    pub standing: Standing,
    /// The state of the test, if there is one.
    pub test: Option<SequentialTest>,
    /// How it ended.
    pub ending: Ending,
}

/// What everybody who plays a game has to know.
pub(super) struct Hall<'a> {
    pub tournament: &'a Tournament,
    pub conditions: Conditions,
    pub schedule: Schedule,
    /// How the engines introduced themselves, by player.
    pub introductions: Vec<String>,
    pub openings: Mutex<OpeningBook>,
    pub interrupt: &'a Interrupt,
}

/// Whoever panicked while holding the lock left nothing half done.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Hall<'_> {
    /// Who sits where in game `number`, from 0.
    pub(super) fn seats(&self, number: u64) -> [Seat; 2] {
        let pairing = self.schedule.game(number);
        [0, 1].map(|side| Seat {
            player: self.tournament.players[pairing.players[side]].clone(),
            id: self.introductions[pairing.players[side]].clone(),
            random_seed: pairing.random_seeds[side],
        })
    }

    /// Where game `number`, from 0, begins.
    pub(super) fn opening(&self, number: u64) -> Result<Board, OpeningError> {
        lock(&self.openings).opening(self.schedule.game(number).round)
    }

    /// What is wrong with a game that is said to be of this tournament.
    fn check(&self, game: &GameRecord) -> Result<(), String> {
        differ(&self.conditions, &game.conditions)?;
        let number = game.game.checked_sub(1).ok_or("games are counted from 1")?;
        for (side, seat) in Side::ALL.into_iter().zip(self.seats(number)) {
            let in_seat = |difference| format!("{side}: {difference}");
            differ(&seat, game.seat(side)).map_err(in_seat)?;
        }
        let opening = self.opening(number).map_err(|error| error.to_string())?.fen();
        differ(&opening, &game.opening).map_err(|difference| format!("the opening {difference}"))
    }
}

/// Says in what a record differs from what is expected.
fn differ<T: serde::Serialize + PartialEq>(here: &T, there: &T) -> Result<(), String> {
    if here == there {
        return Ok(());
    }
    let value = |value| serde_json::to_value(value).unwrap_or_default();
    let (here, there) = (value(here), value(there));
    let text =
        |value: Option<&serde_json::Value>| value.map_or("nothing".to_owned(), ToString::to_string);
    if let (Some(here), Some(there)) = (here.as_object(), there.as_object()) {
        let mut keys = here.keys().chain(there.keys());
        if let Some(key) = keys.find(|&key| here.get(key) != there.get(key)) {
            let (here, there) = (text(here.get(key)), text(there.get(key)));
            return Err(format!("'{key}' is {there} there and {here} here"));
        }
    }
    Err(format!("is {there} there and {here} here"))
}

impl Tournament {
    /// Checks what can be known to be wrong before anybody plays.
    fn check(&self) -> Result<(), ArenaError> {
        if self.players.len() < 2 {
            return Err(ArenaError::Players(self.players.len()));
        }
        let mut names = FxHashSet::default();
        if let Some(player) = self.players.iter().find(|player| !names.insert(&player.name)) {
            return Err(ArenaError::SameName(player.name.clone()));
        }
        if !self.games.is_multiple_of(2) {
            return Err(ArenaError::OddGames(self.games));
        }
        if self.sprt.is_some() && (self.players.len() > 2 || self.shard != Shard::WHOLE) {
            return Err(ArenaError::NoMatch);
        }
        Ok(())
    }

    fn conditions(&self) -> Conditions {
        let rules = self.start.rules();
        Conditions {
            kalah: env!("CARGO_PKG_VERSION").to_owned(),
            format: self.format,
            players: self.players.iter().map(|player| player.name.clone()).collect(),
            houses: rules.houses(),
            seeds: self.start.houses(Side::South)[0],
            capture: rules.capture(),
            openings: self.openings.clone(),
            seed: self.seed,
            resign: self.resign,
            adjudicate: self.adjudicate,
        }
    }

    /// Plays all games that are not in the record yet.
    ///
    /// # Errors
    /// When players, openings or record are not what they should be, or can no longer be used.
    pub fn run(&self, interrupt: &Interrupt, watch: Watch) -> Result<Outcome, ArenaError> {
        self.check()?;
        let mut introductions = Vec::new();
        for player in &self.players {
            introductions.push(start(player, self.start.rules().capture(), interrupt)?.1);
        }
        let hall = Hall {
            tournament: self,
            conditions: self.conditions(),
            schedule: Schedule::new(self.format, self.players.len(), self.seed),
            introductions,
            openings: Mutex::new(OpeningBook::new(&self.openings, &self.start, self.seed)?),
            interrupt,
        };
        let mut standing = Standing::new(hall.conditions.players.clone());
        let mut test = self.sprt.clone().map(SequentialTest::new);
        let mut recorded = FxHashSet::default();
        let mut was_torn = false;
        let mut file = None;
        if let Some(path) = &self.record {
            let (opened, torn) = RecordFile::open(path, |game| {
                hall.check(game)?;
                if !recorded.insert(game.game - 1) {
                    return Err("it is there twice".to_owned());
                }
                count(game, &mut standing, &mut test);
                Ok(())
            })?;
            (file, was_torn) = (Some(opened), torn);
        }
        let rounds = self.games / 2;
        let total = self.shard.games(rounds.saturating_mul(hall.schedule.games_a_round()));
        let shard = self.shard;
        let numbers = (0..total).map(move |index| shard.game(index));
        let already = recorded.clone();
        let pending = numbers.filter(move |number| !already.contains(number));
        let begun = Event::Begun { total, recorded: recorded.len() as u64, was_torn };
        watch(&begun, &standing, test.as_ref());
        let mut warned = false;
        let mut warn_of_repeats = |standing: &Standing, watch: Watch| {
            let distinct = lock(&hall.openings).distinct();
            if let Some(distinct) = distinct.filter(|&distinct| distinct < rounds && !warned) {
                warned = true;
                watch(&Event::OpeningsRepeat { distinct, needed: rounds }, standing, None);
            }
        };
        warn_of_repeats(&standing, watch);

        if verdict(test.as_ref()).is_none() {
            let slots = usize::try_from(total).unwrap_or(usize::MAX);
            let slots = self.concurrency.get().min(slots);
            play_all(&hall, slots, pending, |games| {
                if let Some(file) = &mut file {
                    file.append(games)?;
                }
                for game in games {
                    count(game, &mut standing, &mut test);
                    watch(&Event::Game(game), &standing, test.as_ref());
                    if verdict(test.as_ref()).is_some() {
                        interrupt.raise();
                    }
                }
                warn_of_repeats(&standing, watch);
                Ok(())
            })?;
        }
        let ending = match verdict(test.as_ref()) {
            Some(hypothesis) => Ending::Decided(hypothesis),
            None if interrupt.is_raised() => Ending::Interrupted,
            None => Ending::Complete,
        };
        if let Some(file) = file
            && ending != Ending::Interrupted
        {
            file.put_in_order()?;
        }
        Ok(Outcome { standing, test, ending })
    }
}

fn verdict(test: Option<&SequentialTest>) -> Option<Hypothesis> {
    test.and_then(SequentialTest::verdict)
}

fn count(game: &GameRecord, standing: &mut Standing, test: &mut Option<SequentialTest>) {
    if let Some(summary) = GameSummary::of(game, &standing.players) {
        standing.add(summary);
        if let Some(test) = test {
            test.add(&summary);
        }
    }
}

/// Plays games, several at a time; shows those that have ended to `ended`, in which order they
/// may.
fn play_all(
    hall: &Hall,
    slots: usize,
    pending: impl Iterator<Item = u64> + Send,
    mut ended: impl FnMut(&[GameRecord]) -> Result<(), ArenaError>,
) -> Result<(), ArenaError> {
    let mut pending = pending.peekable();
    let slots = if pending.peek().is_some() { slots } else { 0 };
    let pending = Mutex::new(pending);
    let (sender, games) = unbounded();
    thread::scope(|scope| {
        let mut result = Ok(());
        for number in 0..slots {
            let (sender, pending) = (sender.clone(), &pending);
            let play = move || {
                let mut slot = match Slot::new(hall) {
                    Ok(slot) => slot,
                    Err(error) => {
                        let _ = sender.send(Err(error));
                        return;
                    }
                };
                while let Some(number) = next(pending, hall.interrupt) {
                    let game = slot.play(number).transpose();
                    // Interrupted, or nobody is left who wants to know.
                    let Some(game) = game else { return };
                    if sender.send(game).is_err() {
                        return;
                    }
                }
            };
            let thread = thread::Builder::new().name(format!("game {number}"));
            if let Err(error) = thread.spawn_scoped(scope, play) {
                // With fewer at a time it takes longer; with none it takes for ever.
                if number == 0 {
                    return Err(ArenaError::Thread(error));
                }
                break;
            }
        }
        drop(sender);
        while let Some(games) = batch(&games) {
            let games = games.into_iter().collect::<Result<Vec<_>, _>>();
            result = result.and(games.and_then(|games| ended(&games)));
            if result.is_err() {
                hall.interrupt.raise();
            }
        }
        result
    })
}

fn next(pending: &Mutex<impl Iterator<Item = u64>>, interrupt: &Interrupt) -> Option<u64> {
    if interrupt.is_raised() { None } else { lock(pending).next() }
}

/// All that has come, once something has.
fn batch<T>(games: &Receiver<T>) -> Option<Vec<T>> {
    let first = games.recv().ok()?;
    Some(std::iter::once(first).chain(games.try_iter()).collect())
}
