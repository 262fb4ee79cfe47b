//! Games by schedule, several at a time, recorded as they end.

use std::sync::Mutex;
use std::thread;

use crossbeam_channel::{Receiver, Sender, unbounded};
use rustc_hash::FxHashSet;

use super::context::TournamentContext;
use super::error::ArenaError;
use super::recorded::Entrant;
use super::records::RecordFile;
use super::records::{Conditions, GameRecord};
use super::sequential_test::SequentialTest;
use super::slot::Slot;
use super::standing::{GameSummary, Standings};
use super::statistics::Hypothesis;
use super::tournament::Tournament;
use crate::engine::lock;
use crate::stop::StopToken;

/// What there is to tell while games are played.
#[derive(Debug)]
pub enum TournamentEvent<'a> {
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
pub type TournamentObserver<'a> =
    &'a mut dyn FnMut(&TournamentEvent, &Standings, Option<&SequentialTest>);

/// How a tournament ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TournamentEnd {
    /// All games were played.
    Complete,
    /// The test came to a verdict.
    Decided(Hypothesis),
    /// Somebody wanted it to end.
    Interrupted,
}

/// How a tournament went.
#[derive(Clone, Debug)]
pub struct TournamentOutcome {
    /// What holds for all games.
    pub conditions: Conditions,
    /// Who took part.
    pub entrants: Vec<Entrant>,
    /// All games of the record, those played before among them.
    pub standing: Standings,
    /// The state of the test, if there is one.
    pub test: Option<SequentialTest>,
    /// How it ended.
    pub ending: TournamentEnd,
}

impl Tournament {
    /// Plays all games that are not in the record yet.
    ///
    /// # Errors
    /// When players, openings or record are not what they should be, or can no longer be used.
    pub fn run(
        &self,
        stop: &StopToken,
        watch: TournamentObserver,
    ) -> Result<TournamentOutcome, ArenaError> {
        self.check()?;
        let context = TournamentContext::open(self, stop)?;
        let (mut run, recorded) = Run::resume(&context, watch)?;
        if run.verdict().is_none() {
            let numbers = self.shard.games(run.games);
            let numbers = numbers.filter(|number| !recorded.contains(number));
            let mut left = numbers.take((run.total - run.played) as usize);
            play_all(&context, &mut left, |games| run.take(games))?;
        }
        run.finish()
    }
}

/// A tournament under way.
struct Run<'a> {
    context: &'a TournamentContext<'a>,
    watch: TournamentObserver<'a>,
    standing: Standings,
    test: Option<SequentialTest>,
    file: Option<RecordFile>,
    /// Games of the tournament, all shards together.
    games: u64,
    /// Games that are to be played here, and how many of them have been.
    total: u64,
    played: u64,
    /// Whether it was said that openings repeat.
    warned: bool,
}

impl<'a> Run<'a> {
    /// Goes on from the record; tells the numbers, from 0, of the games that are in it.
    fn resume(
        context: &'a TournamentContext,
        watch: TournamentObserver<'a>,
    ) -> Result<(Run<'a>, FxHashSet<u64>), ArenaError> {
        let Tournament { shard, sprt, record, .. } = context.tournament;
        let mut standing = Standings::new(context.conditions.players.clone());
        let mut test = sprt.clone().map(SequentialTest::new);
        let mut recorded = FxHashSet::default();
        let (mut file, mut was_torn) = (None, false);
        if let Some(path) = record {
            let (opened, torn) = RecordFile::open(path, |game| {
                context.check(game)?;
                if !recorded.insert(game.game - 1) {
                    return Err("it is there twice".to_owned());
                }
                count(game, &mut standing, &mut test);
                Ok(())
            })?;
            (file, was_torn) = (Some(opened), torn);
        }
        let games = context.games();
        let is_here = |&&number: &&u64| number < games && shard.has(number);
        let played = recorded.iter().filter(is_here).count() as u64;
        let total = 2 * shard.pairs(games);
        let mut run =
            Run { context, watch, standing, test, file, games, total, played, warned: false };
        run.tell(&TournamentEvent::Begun { total, recorded: played, was_torn });
        run.tell_of_repeats();
        Ok((run, recorded))
    }

    fn tell(&mut self, event: &TournamentEvent) {
        (self.watch)(event, &self.standing, self.test.as_ref());
    }

    /// How many openings there are may be known only when they have run out.
    fn tell_of_repeats(&mut self) {
        let needed = self.context.tournament.rounds();
        // Games are not kept waiting while openings are looked for: whoever does will play one more.
        let Ok(openings) = self.context.openings.try_lock() else { return };
        let distinct = openings.distinct();
        drop(openings);
        if let Some(distinct) = distinct.filter(|&distinct| distinct < needed && !self.warned) {
            self.warned = true;
            self.tell(&TournamentEvent::OpeningsRepeat { distinct, needed });
        }
    }

    fn verdict(&self) -> Option<Hypothesis> {
        self.test.as_ref().and_then(SequentialTest::verdict)
    }

    /// Keeps and counts games that have ended.
    fn take(&mut self, games: &[GameRecord]) -> Result<(), ArenaError> {
        if let Some(file) = &mut self.file {
            file.append(games)?;
        }
        for game in games {
            self.played += 1;
            count(game, &mut self.standing, &mut self.test);
            self.tell(&TournamentEvent::Game(game));
        }
        if self.verdict().is_some() {
            self.context.stop.stop();
        }
        self.tell_of_repeats();
        Ok(())
    }

    fn finish(self) -> Result<TournamentOutcome, ArenaError> {
        let ending = match self.verdict() {
            Some(hypothesis) => TournamentEnd::Decided(hypothesis),
            None if self.played < self.total => TournamentEnd::Interrupted,
            None => TournamentEnd::Complete,
        };
        if let Some(file) = self.file
            && ending != TournamentEnd::Interrupted
        {
            file.put_in_order()?;
        }
        let TournamentContext { tournament, introductions, conditions, .. } = self.context;
        let entrants = tournament.players.iter().cloned().zip(introductions.iter().cloned());
        Ok(TournamentOutcome {
            conditions: conditions.clone(),
            entrants: entrants.map(|(player, id)| Entrant { player, id }).collect(),
            standing: self.standing,
            test: self.test,
            ending,
        })
    }
}

fn count(game: &GameRecord, standing: &mut Standings, test: &mut Option<SequentialTest>) {
    if let Some(summary) = GameSummary::of(game, &standing.players) {
        standing.add(summary);
        if let Some(test) = test {
            test.add(&summary);
        }
    }
}

/// Plays the games whose numbers are left, several at a time; shows those that have ended to
/// `ended`, in whatever order they end.
fn play_all(
    context: &TournamentContext,
    left: &mut (dyn Iterator<Item = u64> + Send),
    mut ended: impl FnMut(&[GameRecord]) -> Result<(), ArenaError>,
) -> Result<(), ArenaError> {
    let slots = context.tournament.concurrency.get().min(left.size_hint().1.unwrap_or(usize::MAX));
    let left = Mutex::new(left);
    let next = || if context.stop.is_stopped() { None } else { lock(&left).next() };
    let (sender, games) = unbounded();
    thread::scope(|scope| {
        for number in 0..slots {
            let (sender, next) = (sender.clone(), &next);
            let play = move || {
                // Whoever would want to know of an error that cannot be sent is gone.
                if let Err(error) = play_in_slot(context, next, &sender) {
                    let _ = sender.send(Err(error));
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
        let mut result = Ok(());
        while let Some(batch) = batch(&games) {
            let (mut games, mut errors) = (Vec::new(), Ok(()));
            for game in batch {
                match game {
                    Ok(game) => games.push(game),
                    Err(error) => errors = Err(error),
                }
            }
            result = result.and(ended(&games)).and(errors);
            if result.is_err() {
                context.stop.stop();
            }
        }
        result
    })
}

/// Plays one game after the other, as long as there are any.
fn play_in_slot(
    context: &TournamentContext,
    next: &impl Fn() -> Option<u64>,
    sender: &Sender<Result<GameRecord, ArenaError>>,
) -> Result<(), ArenaError> {
    let mut slot = Slot::new(context)?;
    while let Some(number) = next() {
        let Some(game) = slot.play(number)? else { break };
        if sender.send(Ok(game)).is_err() {
            break;
        }
    }
    Ok(())
}

/// All that has come, once something has.
fn batch<T>(games: &Receiver<T>) -> Option<Vec<T>> {
    let first = games.recv().ok()?;
    Some(std::iter::once(first).chain(games.try_iter()).collect())
}
