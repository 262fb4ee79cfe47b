//! Players that are searches of this crate, in this process.

use std::panic::{self, AssertUnwindSafe};
use std::time::Instant;

use super::player::{
    Fault, FaultKind, GameSetup, MoveEvaluation, MoveReply, MoveRequest, Player, PlayerError,
    StartError,
};
use super::settings::{PlayerSettings, RANDOM_SEED};
use crate::engine::{DEFAULT_HASH, Engine, EngineOptions, set_option};
use crate::protocol::EngineScore;
use crate::search::{CENTISEEDS, Limits, SearchOptions, Variant};
use crate::stop::StopToken;

/// The name and version of this engine, as in its `id name` line.
pub(super) const ID_NAME: &str = concat!("Kalah ", env!("CARGO_PKG_VERSION"));

/// A search of this crate.
pub(super) struct BuiltinPlayer {
    thinker: Engine,
    preferences: EngineOptions,
    /// Whether the user has set the random seed.
    has_seed: bool,
    stop: StopToken,
}

/// The engine options and the MiB of the table that the settings of a player ask for.
fn search_settings(
    variant: &str,
    player: &PlayerSettings,
) -> Result<(EngineOptions, usize), StartError> {
    let wrong = |reason: String| StartError::CannotPlay { name: player.name.clone(), reason };
    let variant: Variant = variant.parse().map_err(|error| wrong(format!("{error}")))?;
    let search = SearchOptions { variant, ..SearchOptions::default() };
    let mut preferences = EngineOptions { search, ..EngineOptions::default() };
    let mut hash = DEFAULT_HASH;
    for (name, value) in &player.options {
        set_option(&mut preferences, &mut hash, name, value)
            .map_err(|error| wrong(error.to_string()))?;
    }
    if preferences.search.variant != variant {
        return Err(wrong("'builtin' sets the search, not the option Search".to_owned()));
    }
    let limits = Limits {
        depth: player.time_control.depth,
        iterations: player.time_control.iterations,
        ..Limits::default()
    };
    if let Some((limit, instead)) = variant.unsupported_limit(&limits) {
        let reason = format!("the search {variant} does not support '{limit}': use {instead}");
        return Err(wrong(reason));
    }
    Ok((preferences, hash))
}

impl BuiltinPlayer {
    pub(super) fn new(
        variant: &str,
        player: &PlayerSettings,
        stop: &StopToken,
    ) -> Result<BuiltinPlayer, StartError> {
        let (preferences, hash) = search_settings(variant, player)?;
        let out_of_memory = |error| StartError::OutOfResources {
            name: player.name.clone(),
            reason: format!("{error}"),
        };
        Ok(BuiltinPlayer {
            thinker: Engine::new(hash).map_err(out_of_memory)?,
            preferences,
            has_seed: player.has_option(RANDOM_SEED),
            stop: stop.clone(),
        })
    }
}

impl Player for BuiltinPlayer {
    fn new_game(&mut self, game: &GameSetup) -> Result<(), PlayerError> {
        self.thinker.clear();
        if !self.has_seed {
            self.preferences.search.depth_first.random_seed = game.random_seed;
        }
        Ok(())
    }

    fn choose_move(&mut self, request: &MoveRequest) -> Result<MoveReply, PlayerError> {
        let mut limits = request.go.limits_for(request.board.side());
        if request.forfeit_after.is_none() {
            limits.movetime = Some(request.deadline);
        }
        let BuiltinPlayer { thinker, preferences, stop, .. } = self;
        let start = Instant::now();
        // A panic loses the game, not the tournament. The referee then drops this player.
        let search = || thinker.think(request.board, &limits, preferences, stop, &mut ());
        let outcome = panic::catch_unwind(AssertUnwindSafe(search))
            .map_err(|_| Fault::new(FaultKind::Crashed, "the search panicked"))?;
        let time = start.elapsed();
        if self.stop.is_stopped() {
            return Err(PlayerError::Stopped);
        }
        request.check_time(time)?;
        let no_move = || Fault::new(FaultKind::IllegalMove, "no move");
        let line = outcome.lines.first();
        let evaluation = MoveEvaluation {
            score: line.map(|line| EngineScore {
                centiseeds: line.margin * CENTISEEDS,
                bound: line.bound,
                proven: line.proven,
            }),
            depth: line.map(|line| line.depth),
            nodes: Some(outcome.stats.nodes),
        };
        Ok(MoveReply { house: outcome.best.ok_or_else(no_move)?.house, evaluation, time })
    }
}
