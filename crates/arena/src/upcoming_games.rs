//! The games that a tournament is going to play, before it does.

use super::openings::{OpeningBook, OpeningError};
use super::schedule::Schedule;
use super::tournament::Tournament;
use kalah::board::Board;

/// A game that a tournament is going to play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpcomingGame {
    /// The number of the game, from 1, by which its record is known.
    pub game: u64,
    /// The round, from 1.
    pub round: u64,
    /// The numbers of the players, from 0, South first.
    pub players: [usize; 2],
    /// The position from which the game begins.
    pub opening: Board,
}

impl Tournament {
    /// The games of this shard, in the order in which they begin, those of the record included. No
    /// player is started. A filter of the openings takes searches.
    ///
    /// ```
    /// # use kalah_arena::{PlayerSettings, Tournament};
    /// # use kalah::{Board, Rules};
    /// # let player = |words: &str| PlayerSettings::new(words.parse()?, &"depth=4".parse()?);
    /// # let players = vec![player("builtin=negascout")?, player("builtin=minimax")?];
    /// # let start = Board::start(Rules::default(), 4)?;
    /// # let mut tournament = Tournament { games: 10, ..Tournament::new(players, start) };
    /// tournament.openings = "plies=1 order=sequential".parse()?;
    /// let games = tournament.upcoming_games()?.collect::<Result<Vec<_>, _>>()?;
    /// assert_eq!(games.len(), 10);
    /// assert_eq!((games[2].round, games[2].players), (2, [0, 1]));
    /// assert_eq!(games[3].players, [1, 0]);
    /// assert_eq!(games[3].opening, games[2].opening);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When there are no openings, or too many, or their file cannot be read.
    pub fn upcoming_games(
        &self,
    ) -> Result<impl Iterator<Item = Result<UpcomingGame, OpeningError>>, OpeningError> {
        let schedule = Schedule::new(self.format, self.players.len(), self.seed);
        let mut openings = OpeningBook::new(&self.openings, &self.start, self.seed)?;
        Ok(self.shard.games(self.total_games()).map(move |number| {
            let pairing = schedule.pairing(number);
            Ok(UpcomingGame {
                game: number + 1,
                round: pairing.round + 1,
                players: pairing.players,
                opening: openings.opening(pairing.round)?,
            })
        }))
    }
}
