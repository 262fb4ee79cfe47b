//! Runs a tournament: plays its games several at a time and records them as they end.

use std::sync::{Arc, Mutex};
use std::{io, iter, thread};

use crossbeam_channel::{Sender, unbounded};
use kalah::StopToken;
use kalah::lock::lock;
use kalah_records::statistics::Hypothesis;
use kalah_records::{
    Conditions, Entrant, GameRecord, LinesFile, PlayerSettings, RecordError, Standings,
};
use rustc_hash::FxHashSet;

use crate::{
    ArenaError, GameRunner, GamesInProgress, Shard, Tournament, TournamentContext, UNLIMITED_GAMES,
};

/// An event during a tournament.
#[derive(Debug)]
pub enum TournamentEvent<'a> {
    /// Play begins.
    Started {
        /// How many of the games to play here the record already contained.
        recorded: u64,
        /// Whether the record ended with an incomplete line.
        was_torn: bool,
    },
    /// Players with clocks have to share processors, which this says; after `Started`.
    Crowded(&'a str),
    /// There are fewer openings than rounds, so some are played more than twice.
    OpeningsRepeat {
        /// The number of different openings.
        distinct: u64,
        /// The number of rounds.
        needed: u64,
    },
    /// A game that the record contained; before play begins.
    Recorded(&'a GameRecord),
    /// A game has ended.
    Game(&'a GameRecord),
}

/// Receives each event with the standings after it.
pub type TournamentObserver<'a> = &'a mut dyn FnMut(&TournamentEvent, &Standings);

/// Why a tournament ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TournamentEnd {
    /// All games were played.
    Complete,
    /// The sequential test accepted a hypothesis.
    Decided(Hypothesis),
    /// It was stopped.
    Stopped,
}

/// The result of a tournament.
#[derive(Clone, Debug)]
pub struct TournamentOutcome {
    /// The conditions of all games.
    pub conditions: Conditions,
    /// The players, with the names of their engines.
    pub entrants: Vec<Entrant>,
    /// The standings after all games, those read from the record included.
    pub standings: Standings,
    /// Why it ended.
    pub end: TournamentEnd,
}

impl Tournament {
    /// Plays all games that the record does not contain yet.
    ///
    /// # Errors
    /// When the settings are wrong, a player cannot be started, there are no openings, or the
    /// record cannot be read or written.
    pub fn run(
        &self,
        stop: &StopToken,
        observer: TournamentObserver,
    ) -> Result<TournamentOutcome, ArenaError> {
        self.run_live(stop, Arc::default(), observer)
    }

    /// The same, and shows the games in progress.
    ///
    /// # Errors
    /// As for [`run`](Self::run).
    pub fn run_live(
        &self,
        stop: &StopToken,
        live: Arc<GamesInProgress>,
        observer: TournamentObserver,
    ) -> Result<TournamentOutcome, ArenaError> {
        self.check()?;
        let context = TournamentContext { live, ..TournamentContext::new(self.clone(), stop)? };
        play_tournament(&context, observer)
    }
}

/// Plays all games that the record does not contain yet.
pub(super) fn play_tournament(
    context: &TournamentContext,
    observer: TournamentObserver,
) -> Result<TournamentOutcome, ArenaError> {
    let (mut run, recorded) = TournamentRun::resume(context, observer)?;
    if run.standings.verdict().is_none() {
        let tournament = &context.tournament;
        let numbers = tournament.shard.games(tournament.total_games());
        let numbers = numbers.filter(|number| !recorded.contains(number));
        let mut numbers = numbers.take((run.total - run.played) as usize);
        play_all(context, &mut numbers, |games| run.add(games))?;
    }
    run.finish()
}

pub(super) struct TournamentRun<'a> {
    context: &'a TournamentContext,
    observer: TournamentObserver<'a>,
    pub(super) standings: Standings,
    file: Option<LinesFile>,
    /// Games to play here, and how many of them have been played.
    total: u64,
    played: u64,
    /// Whether `OpeningsRepeat` was reported.
    warned: bool,
}

impl<'a> TournamentRun<'a> {
    /// Reads the record; returns the numbers, from 0, of the games in it as well.
    pub(super) fn resume(
        context: &'a TournamentContext,
        observer: TournamentObserver<'a>,
    ) -> Result<(TournamentRun<'a>, FxHashSet<u64>), ArenaError> {
        let Tournament { shard, sprt, record, .. } = &context.tournament;
        let mut standings = Standings::new(context.conditions.players.clone());
        if let Some(sprt) = sprt {
            standings.start_test(sprt.clone());
        }
        let mut recorded = FxHashSet::default();
        let (mut file, mut was_torn) = (None, false);
        if let Some(path) = record {
            let (opened, torn) = LinesFile::open(path, |game: GameRecord, games| {
                context.check(&game).map_err(|difference| {
                    let place = format!("line {}, game {}", games.line(), game.game);
                    RecordError::other_tournament(path, &format!("{place}: {difference}"))
                })?;
                let checked = game.check_result().and_then(|()| {
                    let is_new = recorded.insert(game.game - 1);
                    if is_new { Ok(()) } else { Err("it is recorded twice".to_owned()) }
                });
                checked.map_err(|reason| {
                    let reason = format!("game {}: {reason}", game.game);
                    RecordError::line(path, games.line(), &reason)
                })?;
                standings.add_record(&game);
                observer(&TournamentEvent::Recorded(&game), &standings);
                Ok(())
            })?;
            (file, was_torn) = (Some(opened), torn);
        }
        let games = context.tournament.total_games();
        let is_here = |&&number: &&u64| number < games && shard.contains(number);
        let played = recorded.iter().filter(is_here).count() as u64;
        let (total, warned) = (context.tournament.shard_games(), false);
        let mut run = TournamentRun { context, observer, standings, file, total, played, warned };
        run.report(&TournamentEvent::Started { recorded: played, was_torn });
        if let Some(crowding) = &context.crowding {
            run.report(&TournamentEvent::Crowded(crowding));
        }
        run.report_repeated_openings();
        Ok((run, recorded))
    }

    fn report(&mut self, event: &TournamentEvent) {
        (self.observer)(event, &self.standings);
    }

    /// Reports once that openings repeat. With a filter this is known only when no more are found.
    fn report_repeated_openings(&mut self) {
        let needed = match self.total {
            UNLIMITED_GAMES => self.played / 2 + 1,
            _ => self.context.tournament.rounds(),
        };
        // A game that searches for its opening holds the lock; this is called again after it.
        let Ok(openings) = self.context.openings.try_lock() else { return };
        let distinct = openings.distinct();
        drop(openings);
        if let Some(distinct) = distinct.filter(|&distinct| distinct < needed && !self.warned) {
            self.warned = true;
            self.report(&TournamentEvent::OpeningsRepeat { distinct, needed });
        }
    }

    pub(super) fn add(&mut self, games: &[GameRecord]) -> Result<(), ArenaError> {
        if let Some(file) = &mut self.file {
            file.append(games)?;
        }
        for game in games {
            self.played += 1;
            self.standings.add_record(game);
            self.report(&TournamentEvent::Game(game));
        }
        if self.standings.verdict().is_some() {
            self.context.stop.stop();
        }
        self.report_repeated_openings();
        Ok(())
    }

    pub(super) fn finish(self) -> Result<TournamentOutcome, ArenaError> {
        let end = match self.standings.verdict() {
            Some(hypothesis) => TournamentEnd::Decided(hypothesis),
            // One whose opponents are chosen may be complete with fewer games.
            None if self.played < self.total && self.context.stop.is_stopped() => {
                TournamentEnd::Stopped
            }
            None => TournamentEnd::Complete,
        };
        if let Some(file) = self.file
            && end != TournamentEnd::Stopped
        {
            file.sort_games()?;
        }
        let TournamentContext { tournament, ids, conditions, .. } = self.context;
        let entrant = |(player, id): (&PlayerSettings, &String)| Entrant {
            player: player.clone(),
            id: id.clone(),
        };
        Ok(TournamentOutcome {
            conditions: conditions.clone(),
            entrants: tournament.players.iter().zip(ids).map(entrant).collect(),
            standings: self.standings,
            end,
        })
    }
}

/// Plays the games with these numbers, several at a time, and passes them on in the order of their ends.
pub(super) fn play_all(
    context: &TournamentContext,
    numbers: &mut (dyn Iterator<Item = u64> + Send),
    mut on_games: impl FnMut(&[GameRecord]) -> Result<(), ArenaError>,
) -> Result<(), ArenaError> {
    let max_threads = numbers.size_hint().1.unwrap_or(usize::MAX);
    let threads = context.tournament.concurrency.get().min(max_threads);
    let numbers = Mutex::new(numbers);
    let next = || if context.stop.is_stopped() { None } else { lock(&numbers).next() };
    let (sender, games) = unbounded();
    thread::scope(|scope| {
        for number in 0..threads {
            let (sender, next) = (sender.clone(), &next);
            let play = move || {
                // Sending fails only when the receiving loop below has ended by a panic.
                if let Err(error) = play_in_sequence(context, number, next, &sender) {
                    let _ = sender.send(Err(error));
                }
            };
            let thread = thread::Builder::new().name(format!("game {number}"));
            if let Err(error) = thread.spawn_scoped(scope, play) {
                // Fewer threads than asked for will do, but there must be one.
                if number == 0 {
                    return Err(ArenaError::Thread(error));
                }
                break;
            }
        }
        drop(sender);
        let mut result = Ok(());
        while let Ok(first) = games.recv() {
            // All games that have ended meanwhile are written to the record at once.
            let mut error = Ok(());
            let ended = iter::once(first).chain(games.try_iter());
            let ended: Vec<_> =
                ended.filter_map(|game| game.map_err(|cause| error = Err(cause)).ok()).collect();
            result = result.and(on_games(&ended)).and(error);
            if result.is_err() {
                context.stop.stop();
            }
        }
        result
    })
}

/// Plays one game after the other until there is no next number.
fn play_in_sequence(
    context: &TournamentContext,
    thread: usize,
    next: &impl Fn() -> Option<u64>,
    sender: &Sender<Result<GameRecord, ArenaError>>,
) -> Result<(), ArenaError> {
    let Tournament { affinity, concurrency, .. } = &context.tournament;
    if *affinity {
        bind_to_processors(thread, concurrency.get()).map_err(ArenaError::Affinity)?;
    }
    let mut runner = GameRunner::new(context)?;
    while let Some(number) = next() {
        let Some(game) = runner.play(number)? else { break };
        if sender.send(Ok(game)).is_err() {
            break;
        }
    }
    runner.end();
    Ok(())
}

/// Binds the calling thread, and all threads and programs that it starts, to its share of the processors that it
/// may use: the share of this game, from 0, of `games` at a time.
#[cfg(target_os = "linux")]
fn bind_to_processors(game: usize, games: usize) -> io::Result<()> {
    use kalah::printable::counted;
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

    let allowed = sched_getaffinity(None)?;
    let allowed: Vec<usize> = (0..CpuSet::MAX_CPU).filter(|&cpu| allowed.is_set(cpu)).collect();
    let share = allowed.len() / games;
    if share == 0 {
        let (processors, games) = (counted(allowed.len(), "processor"), counted(games, "game"));
        let few = format!("{processors} for {games} at a time");
        return Err(io::Error::other(few));
    }
    let mut own = CpuSet::new();
    allowed[game * share..][..share].iter().for_each(|&cpu| own.set(cpu));
    Ok(sched_setaffinity(None, &own)?)
}

/// Not supported by this system.
#[cfg(not(target_os = "linux"))]
fn bind_to_processors(_: usize, _: usize) -> io::Result<()> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "it needs Linux"))
}

/// Plays shards of a tournament one after the other. Built-in searches, their tables and the openings
/// are kept from one shard to the next: with short games much of the time would go into making them anew.
/// Programs are started for each shard. The games are those of [`Tournament::run`].
///
/// ```
/// # use kalah::{Board, Rules, StopToken};
/// # use kalah_arena::{ShardRunner, Tournament};
/// # use kalah_records::PlayerSettings;
/// # let player = |words: &str| PlayerSettings::new(words.parse()?, &"depth=2".parse()?);
/// # let players = vec![player("builtin=negascout")?, player("builtin=minimax")?];
/// # let start = Board::start(Rules::default(), 4)?;
/// # let tournament = Tournament { games: 12, ..Tournament::new(players, start) };
/// let mut runner = ShardRunner::new(tournament, StopToken::new());
/// let first = runner.play("1/3".parse()?, &mut |_, _| {})?;
/// let last = runner.play("3/3".parse()?, &mut |_, _| {})?;
/// assert_eq!(first.standings.results(0, 1).games() + last.standings.results(0, 1).games(), 8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ShardRunner {
    tournament: Tournament,
    stop: StopToken,
    /// The context of the last shard, for the next one.
    kept: Option<TournamentContext>,
}

impl ShardRunner {
    /// A runner for a tournament, whose own `shard` does not matter. It ends for good when `stop` is stopped.
    pub fn new(tournament: Tournament, stop: StopToken) -> ShardRunner {
        ShardRunner { tournament, stop, kept: None }
    }

    /// The token that stops it.
    pub fn stop(&self) -> &StopToken {
        &self.stop
    }

    /// Plays the games of a shard that the record does not contain yet.
    ///
    /// # Errors
    /// As for [`Tournament::run`].
    pub fn play(
        &mut self,
        shard: Shard,
        observer: TournamentObserver,
    ) -> Result<TournamentOutcome, ArenaError> {
        self.tournament.shard = shard;
        self.tournament.check()?;
        let tournament = self.tournament.clone();
        let context = if let Some(kept) = self.kept.take() {
            TournamentContext { tournament, crowding: None, ..kept }
        } else {
            let idle = Some(Mutex::default());
            TournamentContext { idle, ..TournamentContext::new(tournament, &self.stop)? }
        };
        let outcome = play_tournament(&context, observer)?;
        // What a verdict has stopped stays stopped.
        if outcome.end == TournamentEnd::Complete {
            self.kept = Some(context);
        }
        Ok(outcome)
    }
}
