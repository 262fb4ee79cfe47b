//! Tunes numeric options of an engine by games between two copies of it with different values.

mod journal;
mod parameter;
mod spsa;

use std::num::{NonZeroU16, NonZeroU32};
use std::path::PathBuf;

use crate::players::start;
use crate::{ArenaError, Tournament, TournamentContext, play_all};
use journal::{TuningConditions, TuningJournal};
pub use journal::{TuningIteration, TuningOutcome};
use kalah::StopToken;
use kalah_records::{GameRecord, PlayerSettings, Standings};
pub use parameter::TuningParameter;
pub use spsa::{Spsa, SpsaTrial};

/// A tuning run: its parameters are tuned by [`Spsa`].
///
/// ```
/// use std::num::{NonZeroU16, NonZeroU32};
///
/// use kalah::{Board, Rules, StopToken};
/// use kalah_arena::{Tournament, Tuning};
/// use kalah_records::{PartialPlayerSettings, PlayerSettings};
///
/// let words = "builtin=selective nodes=100 option.Exact=false".parse()?;
/// let tuning = Tuning {
///     player: PlayerSettings::new(words, &PartialPlayerSettings::default())?,
///     parameters: vec!["name='Skill Level' start=5 min=0 max=20 step=3".parse()?],
///     iterations: NonZeroU32::MIN,
///     pairs: NonZeroU16::MIN,
///     games: Tournament::new(vec![], Board::start(Rules::default(), 4)?),
///     record: None,
/// };
/// let outcome = tuning.run(&StopToken::new(), &mut |_| {})?;
/// println!("{}", tuning.option_words(outcome.values()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Tuning {
    /// The engine and its limits; its options do not set the parameters.
    pub player: PlayerSettings,
    /// At least one, with different names.
    pub parameters: Vec<TuningParameter>,
    /// The number of iterations. The steps depend on it, so that it cannot be changed later.
    pub iterations: NonZeroU32,
    /// The pairs of games in each iteration.
    pub pairs: NonZeroU16,
    /// Start, openings, random seed, concurrency, resignation and adjudication of the games. Players and
    /// number of games are set by the run.
    pub games: Tournament,
    /// The file of the iterations; those that it contains are not played again.
    pub record: Option<PathBuf>,
}

/// An event during a tuning run.
#[derive(Debug)]
pub enum TuningEvent<'a> {
    /// Play begins.
    Started {
        /// How many iterations the record already contained.
        recorded: u32,
        /// Whether the record ended with an incomplete line.
        was_torn: bool,
    },
    /// Players with clocks have to share processors, which this says.
    Crowded(&'a str),
    /// A game has ended.
    Game(&'a GameRecord),
    /// An iteration has ended.
    Iteration(&'a TuningIteration),
}

/// Receives each event.
pub type TuningObserver<'a> = &'a mut dyn FnMut(&TuningEvent);

impl Tuning {
    /// Checks the settings, as [`Tuning::run`] does before it starts a player.
    ///
    /// # Errors
    /// When there are no parameters, when two are the same option, or when the engine sets one.
    pub fn check(&self) -> Result<(), ArenaError> {
        let names = || self.parameters.iter().map(|parameter| &parameter.name);
        let wrong = |why| Err(ArenaError::Settings(why));
        if self.parameters.is_empty() {
            return wrong("there is no parameter to tune".to_owned());
        }
        for (number, name) in names().enumerate() {
            if names().take(number).any(|earlier| earlier.eq_ignore_ascii_case(name)) {
                return wrong(format!("the parameter '{name}' is given twice"));
            }
            if self.player.has_option(name) {
                let why = "is a parameter to tune, so the engine cannot set it as an option";
                return wrong(format!("'{name}' {why}"));
            }
        }
        Ok(())
    }

    /// Plays all iterations that the record does not contain yet; one that was interrupted is not in it.
    ///
    /// # Errors
    /// When the settings are wrong, the engine cannot be started with the smallest or the largest
    /// values, there are no openings, or the record cannot be read or written.
    pub fn run(
        &self,
        stop: &StopToken,
        observer: TuningObserver,
    ) -> Result<TuningOutcome, ArenaError> {
        self.check()?;
        let tournament = self.tournament();
        let (id, threads) = self.start_at_the_bounds(stop)?;
        let (parameters, iterations) = (self.parameters.clone(), self.iterations.get());
        let spsa = Spsa { parameters, iterations, seed: self.games.seed };
        let mut context = TournamentContext::with(tournament, vec![id.clone(); 2], threads, stop)?;
        let conditions = TuningConditions {
            player: self.player.clone(),
            id,
            parameters: self.parameters.clone(),
            iterations,
            pairs: self.pairs.get(),
            conditions: context.conditions.clone(),
        };
        let mut journal = TuningJournal::open(self.record.as_deref(), conditions, &spsa)?;
        let recorded = journal.outcome.iterations.len() as u32;
        observer(&TuningEvent::Started { recorded, was_torn: journal.was_torn });
        if let Some(crowding) = &context.crowding {
            observer(&TuningEvent::Crowded(crowding));
        }
        for index in recorded..iterations {
            let trial = spsa.trial(index, journal.outcome.values());
            context.tournament.players = self.players(&trial.plus, &trial.minus);
            let standings = self.play(index, &context, observer)?;
            let pairs = standings.pairs(0, 1);
            if pairs.pairs() < u64::from(self.pairs.get()) {
                journal.outcome.was_stopped = true;
                break;
            }
            let faults = standings.all_faults();
            let points = TuningIteration::points(&pairs);
            let values = spsa.update(index, journal.outcome.values(), &trial, points);
            let number = index + 1;
            let SpsaTrial { plus, minus, .. } = trial;
            let iteration = TuningIteration { number, plus, minus, pairs, faults, values };
            journal.append(iteration)?;
            if let Some(iteration) = journal.outcome.iterations.last() {
                observer(&TuningEvent::Iteration(iteration));
            }
        }
        Ok(journal.outcome)
    }

    /// Starts the engine with the smallest and the largest values, to find out whether it takes
    /// them; returns its name, and the most threads with which it searches.
    fn start_at_the_bounds(&self, stop: &StopToken) -> Result<(String, usize), ArenaError> {
        let start_with = |value: fn(&TuningParameter) -> i32| {
            let values: Vec<i32> = self.parameters.iter().map(value).collect();
            let player = self.player_with("", &values);
            let started = start(&player, self.games.start.rules().rule_set(), stop);
            let started = started.map(|(started, id)| (id, started.threads()));
            started.map_err(|error| ArenaError::start(&player, error))
        };
        let (_, fewest) = start_with(|parameter| parameter.min)?;
        let (id, most) = start_with(|parameter| parameter.max)?;
        Ok((id, fewest.max(most)))
    }

    /// Plays the games of an iteration, from 0; fewer when it is stopped.
    fn play(
        &self,
        index: u32,
        context: &TournamentContext,
        observer: TuningObserver,
    ) -> Result<Standings, ArenaError> {
        let mut standings = Standings::new(context.conditions.players.clone());
        let first = u64::from(index) * self.games_per_iteration();
        let mut numbers = first..first + self.games_per_iteration();
        play_all(context, &mut numbers, |games| {
            for game in games {
                standings.add_record(game);
                observer(&TuningEvent::Game(game));
            }
            Ok(())
        })?;
        Ok(standings)
    }

    /// The rounded values as options in the settings of a player: `option.Hash=7 "option.Skill Level=3"`,
    /// with quotation marks that may stand between single quotes.
    pub fn option_words(&self, values: &[f64]) -> String {
        let words = self.parameters.iter().zip(values);
        let words = words.map(|(parameter, value)| parameter.option_word(value.round() as i32));
        words.collect::<Vec<_>>().join(" ")
    }

    /// The player with values of the parameters, under a name of its own.
    fn player_with(&self, mark: &str, values: &[i32]) -> PlayerSettings {
        let mut player = self.player.clone();
        player.name.push_str(mark);
        let names = self.parameters.iter().map(|parameter| parameter.name.clone());
        player.options.extend(names.zip(values.iter().map(i32::to_string)));
        player
    }

    fn games_per_iteration(&self) -> u64 {
        2 * u64::from(self.pairs.get())
    }

    /// The players of an iteration, with these values of the parameters.
    fn players(&self, plus: &[i32], minus: &[i32]) -> Vec<PlayerSettings> {
        vec![self.player_with("+", plus), self.player_with("-", minus)]
    }

    /// All games of the run as a match, in which their numbers determine openings and random seeds.
    fn tournament(&self) -> Tournament {
        Tournament {
            players: self.players(&[], &[]),
            games: self.games_per_iteration() * u64::from(self.iterations.get()),
            ..self.games.clone()
        }
    }
}
