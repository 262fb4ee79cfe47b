//! What all games of a running tournament share.

use std::sync::{Arc, Mutex};

use super::players::start;
use crate::{ArenaError, GamesInProgress, Player, Tournament};
use kalah::StopToken;
use kalah::board::{Board, Side};
use kalah::lock::lock;
use kalah::sys::processors;
use kalah_records::{
    Conditions, GameRecord, OpeningBook, OpeningError, Schedule, Seat, require_equal,
};

/// Players that any thread can go on with, by their numbers; `None` where one has to be started.
pub(super) type PlayerSet = Vec<Option<Box<dyn Player + Send>>>;

/// Says so if players with clocks, each of whom searches with up to so many threads, have to share processors.
fn crowding(tournament: &Tournament, threads: usize) -> Option<String> {
    // Both players search at once if one ponders.
    let is_pondering = tournament.players.iter().any(|player| player.ponder);
    let threads = if is_pondering { 2 * threads } else { threads };
    let (games, processors) = (tournament.concurrency.get(), processors().get());
    let is_timed = tournament.players.iter().any(|player| player.time_control.is_timed());
    let is_crowded = is_timed && games.saturating_mul(threads) > processors;
    let needed = match threads {
        1 => "more games at a time than processors".to_owned(),
        _ => format!(
            "games at a time: {games}, threads in each: {threads}, processors: {processors}"
        ),
    };
    is_crowded.then(|| format!("{needed}: the clocks will not be fair"))
}

/// What all games of a running tournament share.
pub(super) struct TournamentContext {
    pub tournament: Tournament,
    pub conditions: Conditions,
    pub schedule: Schedule,
    /// The engine names of the players.
    pub ids: Vec<String>,
    pub openings: Mutex<OpeningBook>,
    /// Stops this tournament alone.
    pub stop: StopToken,
    /// Players that wait for a thread. If `None`, each thread ends its own.
    pub idle: Option<Mutex<Vec<PlayerSet>>>,
    /// Why clocks will be unfair, if they will, and the players were started to find out.
    pub crowding: Option<String>,
    /// Where the games in progress are shown.
    pub live: Arc<GamesInProgress>,
}

impl TournamentContext {
    /// Starts each player once, to find out whether it can play, and opens the opening book.
    pub(super) fn new(
        tournament: Tournament,
        stop: &StopToken,
    ) -> Result<TournamentContext, ArenaError> {
        let mut ids = Vec::new();
        let mut threads = 1;
        for player in &tournament.players {
            let started = start(player, tournament.start.rules().rule_set(), stop);
            let (started, id) = started.map_err(|error| ArenaError::start(player, error))?;
            ids.push(id);
            threads = threads.max(started.threads());
        }
        TournamentContext::with(tournament, ids, threads, stop)
    }

    /// The context of players that can play, with their engine names and the most threads of one.
    pub(super) fn with(
        tournament: Tournament,
        ids: Vec<String>,
        threads: usize,
        stop: &StopToken,
    ) -> Result<TournamentContext, ArenaError> {
        let openings = tournament.opening_book(stop)?;
        Ok(TournamentContext {
            crowding: crowding(&tournament, threads),
            conditions: tournament.conditions(&openings),
            schedule: tournament.schedule(),
            tournament,
            ids,
            openings: Mutex::new(openings),
            stop: stop.child(),
            idle: None,
            live: Arc::default(),
        })
    }

    /// The two players of game `number`, from 0, South first.
    pub(super) fn seats(&self, number: u64) -> [Seat; 2] {
        let pairing = self.schedule.pairing(number);
        [0, 1].map(|side| {
            let (number, random_seed) = (pairing.players[side], pairing.random_seeds[side]);
            let (player, id) = (&self.tournament.players[number], &self.ids[number]);
            Seat { player: player.clone(), id: id.clone(), random_seed }
        })
    }

    /// The opening of game `number`, from 0; `None` when stopped, as a strict filter may search for hours.
    pub(super) fn opening(&self, number: u64) -> Result<Option<Board>, OpeningError> {
        let round = self.schedule.pairing(number).round;
        loop {
            // Locked for one search at a time, so that other games get their openings meanwhile.
            let mut openings = lock(&self.openings);
            if openings.is_ready(round) {
                return openings.opening(round).map(Some);
            }
            if self.stop.is_stopped() {
                return Ok(None);
            }
            openings.examine_next(&self.stop);
        }
    }

    /// Checks that a recorded game belongs to this tournament; the error says what differs.
    pub(super) fn check(&self, game: &GameRecord) -> Result<(), String> {
        require_equal(&self.conditions, &game.conditions)?;
        let number = game.game.checked_sub(1).ok_or("game numbers begin with 1")?;
        require_equal(&(self.schedule.pairing(number).round + 1), &game.round)
            .map_err(|difference| format!("the round {difference}"))?;
        for (side, seat) in Side::ALL.into_iter().zip(self.seats(number)) {
            require_equal(&seat, game.seat(side))
                .map_err(|difference| format!("{side}: {difference}"))?;
        }
        // After a stop no game is played, so that the opening need not be known.
        let opening = self.opening(number).map_err(|error| error.to_string())?;
        let Some(opening) = opening else { return Ok(()) };
        require_equal(&opening.fen(), &game.opening)
            .map_err(|difference| format!("the opening {difference}"))
    }
}
