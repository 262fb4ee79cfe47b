//! The parts of a tournament that is split, and their games.

use std::fmt;
use std::str::FromStr;

use crate::Tournament;
use kalah::StopToken;
use kalah::board::Board;
use kalah_records::{OpeningError, SettingsError};

/// One part of a tournament that is split over several machines: as text `3/16`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// The number of the part, from 1.
    pub part: u64,
    /// The number of parts.
    pub of: u64,
}

impl Shard {
    /// The whole tournament.
    pub const WHOLE: Shard = Shard { part: 1, of: 1 };

    /// The numbers, from 0, of the games in this part of `games`. Both games of a pair are in the same part.
    pub fn games(self, games: u64) -> impl Iterator<Item = u64> + Send + use<> {
        let first_pair = self.part - 1;
        let pairs = (0..self.pairs(games)).map(move |nth| first_pair + nth * self.of);
        pairs.flat_map(|pair| [2 * pair, 2 * pair + 1])
    }

    /// Whether game `number`, from 0, belongs to this part.
    pub(super) fn contains(self, number: u64) -> bool {
        number / 2 % self.of == self.part - 1
    }

    /// The number of pairs in this part of a tournament of `games` games.
    pub(super) fn pairs(self, games: u64) -> u64 {
        let (each, rest) = (games / 2 / self.of, games / 2 % self.of);
        each + u64::from(self.part <= rest)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.part, self.of)
    }
}

impl FromStr for Shard {
    type Err = SettingsError;

    fn from_str(text: &str) -> Result<Shard, SettingsError> {
        let shard = text.split_once('/').and_then(|(part, of)| {
            let shard = Shard { part: part.parse().ok()?, of: of.parse().ok()? };
            (1..=shard.of).contains(&shard.part).then_some(shard)
        });
        shard.ok_or_else(|| SettingsError::new("expected PART/OF, for example 3/16"))
    }
}

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
    /// # use kalah_arena::Tournament;
    /// # use kalah::{Board, Rules};
    /// # use kalah_records::PlayerSettings;
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
        let (schedule, mut openings) = (self.schedule(), self.opening_book(&StopToken::new())?);
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
