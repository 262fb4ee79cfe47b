//! How long a tournament takes, before it is played.

use std::time::Duration;

use crate::{PlayerSettings, Tournament, TournamentFormat};

/// Moves of both players in a game for each seed in the houses at the start, as measured.
const MOVES_PER_SEED: f64 = 0.65;

/// Nodes a second, for players that are limited by nodes.
const NODES_PER_SECOND: f64 = 5e6;

/// No time is longer, far from overflow.
const MAX_SECONDS: f64 = 1e9;

/// How long games take if players use all their time.
pub struct ExpectedTime {
    /// The time of all games.
    pub time: Duration,
    /// A player whose moves are limited neither in time nor in nodes, and count as none.
    pub unlimited: Option<String>,
}

impl ExpectedTime {
    /// The time of this number of games of a tournament.
    pub fn of(tournament: &Tournament, games: u64) -> ExpectedTime {
        let moves = moves_per_game(tournament) / 2.0;
        let players = &tournament.players;
        // In a gauntlet the first player has a seat in every game.
        let seats = |number: usize| match (tournament.format, number) {
            (TournamentFormat::RoundRobin, _) => 2.0 / players.len() as f64,
            (TournamentFormat::Gauntlet, 0) => 1.0,
            (TournamentFormat::Gauntlet, _) => 1.0 / (players.len() - 1) as f64,
        };
        let times = players.iter().map(|player| seconds_of(player, moves));
        let game: f64 =
            times.enumerate().map(|(number, time)| seats(number) * time.unwrap_or(0.0)).sum();
        let seconds = games as f64 * game / tournament.concurrency.get() as f64;
        let is_unlimited = |player: &&PlayerSettings| seconds_of(player, moves).is_none();
        ExpectedTime {
            time: Duration::from_secs_f64(seconds.min(MAX_SECONDS)),
            unlimited: players.iter().find(is_unlimited).map(|player| player.name.clone()),
        }
    }
}

/// The moves of both players in a game.
pub(super) fn moves_per_game(tournament: &Tournament) -> f64 {
    MOVES_PER_SEED * f64::from(tournament.start.seeds_in_play())
}

/// The seconds of a player for this number of moves of a game; `None` if nothing limits them.
fn seconds_of(player: &PlayerSettings, moves: f64) -> Option<f64> {
    let limits = &player.time_control;
    let clock = limits.tc.map(|clock| {
        let periods = clock.moves.map_or(1.0, |period| (moves / f64::from(period)).ceil());
        periods * clock.time.as_secs_f64() + moves * clock.increment.as_secs_f64()
    });
    let nodes = limits.nodes.map(|nodes| nodes as f64 / NODES_PER_SECOND);
    clock.or_else(|| limits.st.or(nodes).map(|seconds| seconds * moves))
}
