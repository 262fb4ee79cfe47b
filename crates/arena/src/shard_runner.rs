//! Plays shards of a tournament one after the other, with the same players.

use crate::{
    ArenaError, Entrant, OpeningBook, PlayerSet, Shard, Tournament, TournamentContext,
    TournamentEnd, TournamentObserver, TournamentOutcome, play_tournament,
};
use kalah::StopToken;

/// Plays shards of a tournament one after the other. Searches of this crate, their tables and the openings
/// are kept from one shard to the next: with short games much of the time would go into making them anew.
/// Programs are started for each shard. The games are those of [`Tournament::run`].
///
/// ```
/// # use kalah_arena::{PlayerSettings, ShardRunner, Tournament};
/// # use kalah::{Board, Rules, StopToken};
/// # let player = |words: &str| PlayerSettings::new(words.parse()?, &"depth=2".parse()?);
/// # let players = vec![player("builtin=negascout")?, player("builtin=minimax")?];
/// # let start = Board::start(Rules::default(), 4)?;
/// # let tournament = Tournament { games: 12, ..Tournament::new(players, start) };
/// let mut runner = ShardRunner::new(tournament, StopToken::new());
/// let first = runner.play("1/3".parse()?, &mut |_, _, _| {})?;
/// let last = runner.play("3/3".parse()?, &mut |_, _, _| {})?;
/// assert_eq!(first.standings.results(0, 1).games() + last.standings.results(0, 1).games(), 8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ShardRunner {
    tournament: Tournament,
    stop: StopToken,
    /// The parts of the last context, for the next shard.
    kept: Option<(Vec<Entrant>, OpeningBook, Vec<PlayerSet>)>,
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
        let (context, idle) = match self.kept.take() {
            Some((entrants, openings, idle)) => {
                (TournamentContext::with(&self.tournament, entrants, openings, &self.stop), idle)
            }
            None => (TournamentContext::new(&self.tournament, &self.stop)?, Vec::new()),
        };
        let context = TournamentContext { idle: idle.into(), ..context };
        let outcome = play_tournament(&context, observer)?;
        // What a verdict has stopped stays stopped.
        if outcome.end == TournamentEnd::Complete {
            self.kept = Some(context.into_parts());
        }
        Ok(outcome)
    }
}
