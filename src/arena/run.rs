//! Games by schedule, several at a time, recorded as they end.

use std::sync::Mutex;
use std::thread;

use crossbeam_channel::{Receiver, unbounded};
use rustc_hash::FxHashSet;

use super::error::ArenaError;
use super::hall::Hall;
use super::interrupt::Interrupt;
use super::lock::lock;
use super::openings::OpeningBook;
use super::players::start;
use super::recorded::Entrant;
use super::records::RecordFile;
use super::records::{Conditions, GameRecord};
use super::schedule::Schedule;
use super::sequential_test::SequentialTest;
use super::slot::Slot;
use super::standing::{GameSummary, Standing};
use super::statistics::Hypothesis;
use super::tournament::Tournament;

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
    /// What holds for all games.
    pub conditions: Conditions,
    /// Who took part.
    pub entrants: Vec<Entrant>,
    /// All games of the record, those played before among them.
    pub standing: Standing,
    /// The state of the test, if there is one.
    pub test: Option<SequentialTest>,
    /// How it ended.
    pub ending: Ending,
}

impl Tournament {
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
        let games = rounds.saturating_mul(hall.schedule.games_a_round());
        let total = 2 * self.shard.pairs(games);
        let is_mine = |&&number: &&u64| number < games && self.shard.has(number);
        let played_before = recorded.iter().filter(is_mine).count() as u64;
        let begun = Event::Begun { total, recorded: played_before, was_torn };
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

        let mut played = played_before;
        if verdict(test.as_ref()).is_none() {
            let numbers = self.shard.games(games).filter(|number| !recorded.contains(number));
            let mut left = numbers.take((total - played_before) as usize);
            play_all(&hall, &mut left, |games| {
                played += games.len() as u64;
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
            None if played < total => Ending::Interrupted,
            None => Ending::Complete,
        };
        if let Some(file) = file
            && ending != Ending::Interrupted
        {
            file.put_in_order()?;
        }
        let entrants = self.players.iter().cloned().zip(hall.introductions);
        let entrants = entrants.map(|(player, id)| Entrant { player, id }).collect();
        Ok(Outcome { conditions: hall.conditions, entrants, standing, test, ending })
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
    left: &mut (dyn Iterator<Item = u64> + Send),
    mut ended: impl FnMut(&[GameRecord]) -> Result<(), ArenaError>,
) -> Result<(), ArenaError> {
    let slots = hall.tournament.concurrency.get().min(left.size_hint().1.unwrap_or(usize::MAX));
    let left = Mutex::new(left);
    let (sender, games) = unbounded();
    thread::scope(|scope| {
        let mut result = Ok(());
        for number in 0..slots {
            let (sender, left) = (sender.clone(), &left);
            let play = move || {
                let mut slot = match Slot::new(hall) {
                    Ok(slot) => slot,
                    Err(error) => {
                        let _ = sender.send(Err(error));
                        return;
                    }
                };
                while let Some(number) = next(left, hall.interrupt) {
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

fn next(
    left: &Mutex<&mut (dyn Iterator<Item = u64> + Send)>,
    interrupt: &Interrupt,
) -> Option<u64> {
    if interrupt.is_raised() { None } else { lock(left).next() }
}

/// All that has come, once something has.
fn batch<T>(games: &Receiver<T>) -> Option<Vec<T>> {
    let first = games.recv().ok()?;
    Some(std::iter::once(first).chain(games.try_iter()).collect())
}
