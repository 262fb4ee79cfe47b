//! Games of one player against opponents that are chosen by the results so far.

use std::num::NonZeroUsize;

use crossbeam_channel::unbounded;
use kalah::StopToken;
use kalah_records::{Standings, TournamentFormat};
use rustc_hash::FxHashSet;

use crate::{
    ArenaError, Tournament, TournamentContext, TournamentObserver, TournamentOutcome,
    TournamentRun, play_all,
};

impl Tournament {
    /// Plays pairs of games, one after the other, of the first player against an opponent that `choose`
    /// names by its number, until it names none or there are as many pairs as rounds. Each pair has an opening
    /// of its own. Format and concurrency of the tournament do not matter. Games of the record count; a
    /// pair that it has half of is completed first.
    ///
    /// # Errors
    /// As for [`run`](Self::run).
    pub fn run_adaptively(
        &self,
        stop: &StopToken,
        mut choose: impl FnMut(&Standings) -> Option<usize>,
        observer: TournamentObserver,
    ) -> Result<TournamentOutcome, ArenaError> {
        let (format, concurrency) = (TournamentFormat::Gauntlet, NonZeroUsize::MIN);
        let tournament = Tournament { format, concurrency, ..self.clone() };
        tournament.check()?;
        let context = TournamentContext::new(tournament, stop)?;
        let (mut run, recorded) = TournamentRun::resume(&context, observer)?;
        let opponents = self.players.len() as u64 - 1;
        let rounds = self.rounds();
        // The pair of a round with the opponent that is chosen now.
        let mut next_pair = |run: &TournamentRun| {
            let round = run.standings.games().len() as u64 / 2;
            let opponent = choose(&run.standings).filter(|_| round < rounds)? as u64;
            let pair = round * opponents + opponent.clamp(1, opponents) - 1;
            Some(vec![2 * pair, 2 * pair + 1])
        };
        let (sender, numbers) = unbounded();
        let mut sender = Some(sender);
        let mut send = |numbers: Option<Vec<u64>>| match (numbers, &sender) {
            (Some(numbers), Some(sender)) => {
                let _ = sender.send(numbers);
            }
            // No games come any more when the sender is gone.
            _ => sender = None,
        };
        send(half_pair(&recorded).map(|missing| vec![missing]).or_else(|| next_pair(&run)));
        play_all(&context, &mut numbers.into_iter().flatten(), |games| {
            let added = run.add(games);
            let is_pair = run.standings.games().len().is_multiple_of(2);
            if is_pair || added.is_err() {
                send(added.as_ref().ok().and_then(|()| next_pair(&run)));
            }
            added
        })?;
        run.finish()
    }
}

/// The missing game of a pair of which the record has one.
fn half_pair(recorded: &FxHashSet<u64>) -> Option<u64> {
    recorded.iter().map(|number| number ^ 1).find(|other| !recorded.contains(other))
}
