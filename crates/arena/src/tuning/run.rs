//! Runs a tuning run: plays its iterations one after the other.

use super::journal::{TuningConditions, TuningIteration, TuningJournal};
use super::parameter::TuningParameter;
use super::{SpsaTrial, Tuning, TuningEvent, TuningObserver, TuningOutcome};
use crate::players::start;
use crate::{ArenaError, Crowding, Standings, Tournament, TournamentContext, play_all};
use kalah::StopToken;

impl Tuning {
    /// Plays all iterations that the record does not contain yet. An iteration that is interrupted is
    /// played again.
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
        let (id, crowding) = self.start_at_the_bounds(&tournament, stop)?;
        let (book, spsa) = (tournament.opening_book()?, self.spsa());
        let mut context = TournamentContext::with(tournament, vec![id.clone(); 2], book, stop);
        let conditions = TuningConditions {
            player: self.player.clone(),
            id,
            parameters: self.parameters.clone(),
            iterations: self.iterations.get(),
            pairs: self.pairs.get(),
            conditions: context.conditions.clone(),
        };
        let mut journal = TuningJournal::open(self.record.as_deref(), conditions, &spsa)?;
        let recorded = journal.iterations.len() as u32;
        observer(&TuningEvent::Started { recorded, was_torn: journal.was_torn });
        if let Some(crowding) = crowding {
            observer(&TuningEvent::Crowded(crowding));
        }
        let mut was_stopped = false;
        for index in recorded..self.iterations.get() {
            let trial = spsa.trial(index, &journal.values);
            context.tournament.players = self.players(&trial.plus, &trial.minus);
            let standings = self.play(index, &context, observer)?;
            let pairs = standings.pairs(0, 1);
            if pairs.pairs() < u64::from(self.pairs.get()) {
                was_stopped = true;
                break;
            }
            let faults = standings.all_faults();
            let points = TuningIteration::points(&pairs);
            let values = spsa.update(index, &journal.values, &trial, points);
            let number = index + 1;
            let SpsaTrial { plus, minus, .. } = trial;
            let iteration = TuningIteration { number, plus, minus, pairs, faults, values };
            journal.append(iteration)?;
            if let Some(iteration) = journal.iterations.last() {
                observer(&TuningEvent::Iteration(iteration));
            }
        }
        Ok(TuningOutcome { start: spsa.start(), iterations: journal.iterations, was_stopped })
    }

    /// Starts the engine with the smallest and the largest values, to find out whether it takes
    /// them; returns its name, and whether its copies have to share processors.
    fn start_at_the_bounds(
        &self,
        tournament: &Tournament,
        stop: &StopToken,
    ) -> Result<(String, Option<Crowding>), ArenaError> {
        let start_with = |value: fn(&TuningParameter) -> i32| {
            let values: Vec<i32> = self.parameters.iter().map(value).collect();
            let player = self.player_with("", &values);
            let started = start(&player, self.games.start.rules().capture(), stop);
            let started = started.map(|(started, id)| (id, started.threads()));
            started.map_err(|error| ArenaError::start(&player, error))
        };
        let (_, fewest) = start_with(|parameter| parameter.min)?;
        let (id, most) = start_with(|parameter| parameter.max)?;
        Ok((id, Crowding::new(tournament, fewest.max(most))))
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
}
