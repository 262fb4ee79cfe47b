//! What all games of a tournament have in common while they are played.

use std::sync::Mutex;

use super::error::ArenaError;
use super::openings::{OpeningBook, OpeningError};
use super::players::start;
use super::records::differ;
use super::records::{Conditions, GameRecord, Seat};
use super::schedule::Schedule;
use super::tournament::Tournament;
use crate::board::{Board, Side};
use crate::engine::lock;
use crate::stop::StopToken;

/// What everybody who plays a game has to know.
pub(super) struct TournamentContext<'a> {
    pub tournament: &'a Tournament,
    pub conditions: Conditions,
    pub schedule: Schedule,
    /// How the engines introduced themselves, by player.
    pub introductions: Vec<String>,
    pub openings: Mutex<OpeningBook>,
    /// Stops this tournament alone.
    pub stop: StopToken,
}

impl<'a> TournamentContext<'a> {
    /// Makes sure that there are openings, and that everybody can play.
    pub(super) fn open(
        tournament: &'a Tournament,
        stop: &StopToken,
    ) -> Result<TournamentContext<'a>, ArenaError> {
        let Tournament { format, players, start: board, openings, seed, .. } = tournament;
        let mut introductions = Vec::new();
        for player in players {
            introductions.push(start(player, board.rules().capture(), stop)?.1);
        }
        let openings = OpeningBook::new(openings, board, *seed)?;
        Ok(TournamentContext {
            tournament,
            conditions: tournament.conditions(openings.checksum()),
            schedule: Schedule::new(*format, players.len(), *seed),
            introductions,
            openings: Mutex::new(openings),
            stop: stop.child(),
        })
    }

    /// Games of the tournament, all shards together.
    pub(super) fn games(&self) -> u64 {
        self.tournament.rounds().saturating_mul(self.schedule.games_a_round())
    }

    /// Who sits where in game `number`, from 0.
    pub(super) fn seats(&self, number: u64) -> [Seat; 2] {
        let pairing = self.schedule.game(number);
        [0, 1].map(|side| Seat {
            player: self.tournament.players[pairing.players[side]].clone(),
            id: self.introductions[pairing.players[side]].clone(),
            random_seed: pairing.random_seeds[side],
        })
    }

    /// Where game `number`, from 0, begins. `None` when it was interrupted: a filter may refuse so
    /// many positions that nobody would wait for the end of it.
    pub(super) fn opening(&self, number: u64) -> Result<Option<Board>, OpeningError> {
        let round = self.schedule.game(number).round;
        loop {
            // Others may have their openings between two searches.
            let mut openings = lock(&self.openings);
            if openings.is_known(round) {
                return openings.opening(round).map(Some);
            }
            if self.stop.is_stopped() {
                return Ok(None);
            }
            openings.examine_next();
        }
    }

    /// What is wrong with a game that is said to be of this tournament.
    pub(super) fn check(&self, game: &GameRecord) -> Result<(), String> {
        differ(&self.conditions, &game.conditions)?;
        let number = game.game.checked_sub(1).ok_or("games are counted from 1")?;
        for (side, seat) in Side::ALL.into_iter().zip(self.seats(number)) {
            let in_seat = |difference| format!("{side}: {difference}");
            differ(&seat, game.seat(side)).map_err(in_seat)?;
        }
        let opening = lock(&self.openings).opening(self.schedule.game(number).round);
        let opening = opening.map_err(|error| error.to_string())?.fen();
        differ(&opening, &game.opening).map_err(|difference| format!("the opening {difference}"))
    }
}
