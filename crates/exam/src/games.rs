//! Rates a player by games against levels of the engine.

use kalah::StopToken;
use kalah::board::{Board, Rules, Side};
use kalah::engine::{MAX_SKILL_LEVEL, skill_elo};
use kalah_arena::{ArenaError, Tournament, TournamentEvent};
use kalah_command::new_file::NewFile;
use kalah_records::statistics::{Estimate, RatedPair, RatingPrior, Wdl, rating_against};
use kalah_records::{
    GameRecord, LinesFile, OpeningSettings, OpeningSource, PartialPlayerSettings, PlayerSettings,
    RecordError, SettingsError, Standings, TournamentFormat,
};
use serde::Serialize;
use std::path::{Path, PathBuf};

use crate::FaultCounts;

/// What is known of a player before its games: little.
const PRIOR: RatingPrior = RatingPrior { mean: 1600.0, deviation: 500.0 };

/// The conditions under which the ratings of the levels were measured.
const LEVEL: &str = "builtin=selective nodes=100000 option.Hash=4";

/// More games than any exam has time for.
const MAX_GAMES: u64 = 20_000;

/// The results of a player against levels of the engine.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GameResults {
    /// The rating on the scale of the levels, by complete pairs of games.
    #[cfg_attr(test, schemars(schema_with = "crate::schemas::estimate"))]
    pub rating: Estimate,
    /// Games played.
    pub games: u64,
    /// Games won, drawn and lost, by level.
    pub levels: Vec<LevelGames>,
    /// Games that the player lost by faults.
    pub faults: FaultCounts,
}

/// Games against a level.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LevelGames {
    /// The level, 0 to 20.
    pub level: u8,
    /// Its rating.
    pub rating: u16,
    /// Games won by the player.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost by the player.
    pub losses: u64,
}

/// The player and, in their order, the levels.
fn players(player: PlayerSettings) -> Result<Vec<PlayerSettings>, SettingsError> {
    let level = |level: u8| {
        let words = format!("{LEVEL} 'name=level {level} of kalah' 'option.Skill Level={level}'");
        PlayerSettings::new(words.parse()?, &PartialPlayerSettings::default())
    };
    std::iter::once(Ok(player)).chain((0..=MAX_SKILL_LEVEL).map(level)).collect()
}

/// The level of a number among the players.
pub(crate) fn level_of(player: usize) -> u8 {
    player.saturating_sub(1).min(usize::from(MAX_SKILL_LEVEL)) as u8
}

/// The rating of the first player by its complete pairs of games.
fn rating(standings: &Standings) -> Estimate {
    let mut pairs = Vec::new();
    for opponent in 1..standings.players.len() {
        let rating = f64::from(skill_elo(level_of(opponent)));
        for (count, half_points) in standings.pairs(0, opponent).0.into_iter().zip(0_u8..) {
            let pair = RatedPair { opponent: rating, points: f64::from(half_points) / 2.0 };
            pairs.extend((0..count).map(|_| pair));
        }
    }
    rating_against(&pairs, PRIOR)
}

/// The number of the opponent whose rating is nearest to this one.
pub(crate) fn nearest(rating: f64) -> usize {
    let distance = |level: u8| (f64::from(skill_elo(level)) - rating).abs();
    let levels = 0..=MAX_SKILL_LEVEL;
    let nearest = levels.min_by(|&a, &b| distance(a).total_cmp(&distance(b)));
    usize::from(nearest.unwrap_or(0)) + 1
}

/// All games of a player that an exam can have.
fn tournament(
    player: PlayerSettings,
    seed: u64,
    record: Option<PathBuf>,
) -> Result<Tournament, ArenaError> {
    let settings = |error: &dyn std::fmt::Display| ArenaError::Settings(error.to_string());
    let players = players(player).map_err(|error| settings(&error))?;
    let start = Board::start(Rules::default(), 4).map_err(|error| settings(&error))?;
    Ok(Tournament {
        // As adaptive games are recorded.
        format: TournamentFormat::Gauntlet,
        openings: OpeningSettings { source: OpeningSource::Fair, ..OpeningSettings::default() },
        seed,
        games: MAX_GAMES,
        record,
        ..Tournament::new(players, start)
    })
}

/// Requires that games can be recorded in a file, and that those that it has are of this player's exam.
pub(crate) fn check_record(player: PlayerSettings, seed: u64, record: &Path) -> anyhow::Result<()> {
    if !record.exists() {
        NewFile::create(record)?;
        return Ok(());
    }
    let tournament = tournament(player, seed, None)?;
    let conditions = tournament.common_conditions()?;
    LinesFile::open(record, |game: GameRecord, _| {
        let is_ours = |side| tournament.players.contains(&game.seat(side).player);
        if game.conditions == conditions && Side::ALL.into_iter().all(is_ours) {
            return Ok(());
        }
        let difference = format!("game {} is of other players or conditions", game.game);
        Err(RecordError::other_tournament(record, &difference))
    })?;
    Ok(())
}

/// Plays pairs of games of Kalah(6,4) from fair starts against the level whose rating is nearest to what is known
/// so far, until half the width of the interval is at most `precision` Elo, or until it is stopped. `on_game` gets the
/// number of games and the rating after each. The games of a record count.
///
/// # Errors
/// When the player cannot be started, or the record not be read or written.
pub fn play_levels(
    player: PlayerSettings,
    precision: f64,
    seed: u64,
    record: Option<PathBuf>,
    stop: &StopToken,
    mut on_game: impl FnMut(u64, Estimate),
) -> Result<GameResults, ArenaError> {
    let tournament = tournament(player, seed, record)?;
    let choose = |standings: &Standings| {
        let Estimate { value, low, high } = rating(standings);
        (high - low > 2.0 * precision).then(|| nearest(value))
    };
    let outcome = tournament.run_adaptively(stop, choose, &mut |event, standings| {
        if let TournamentEvent::Game(_) = event {
            on_game(standings.games().len() as u64, rating(standings));
        }
    })?;
    Ok(GameResults::new(&outcome.standings))
}

impl GameResults {
    fn new(standings: &Standings) -> GameResults {
        let games = |opponent: usize| {
            let Wdl { wins, draws, losses } = standings.results(0, opponent);
            let level = level_of(opponent);
            LevelGames { level, rating: skill_elo(level), wins, draws, losses }
        };
        let mut faults = FaultCounts::default();
        for (kind, games) in standings.fault_kinds(0) {
            faults.add(*kind, *games as usize);
        }
        GameResults {
            rating: rating(standings),
            games: standings.games().len() as u64,
            levels: (1..standings.players.len())
                .filter(|&opponent| standings.results(0, opponent).games() > 0)
                .map(games)
                .collect(),
            faults,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_opponent_is_the_nearest_level() {
        for level in 0..=MAX_SKILL_LEVEL {
            assert_eq!(level_of(nearest(skill_elo(level).into())), level);
        }
        assert_eq!([-1e6, 1e6].map(|elo| level_of(nearest(elo))), [0, MAX_SKILL_LEVEL]);
    }
}
