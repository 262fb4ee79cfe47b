//! Players that are searches of this crate.

use std::panic::{self, AssertUnwindSafe};
use std::time::Instant;

use super::error::StartError;
use super::player::{
    Answer, Fault, FaultKind, GameSetup, Player, Task, Thought, Trouble, is_overdue, overdue,
};
use super::settings::{PlayerSettings, RANDOM_SEED};
use crate::engine::{DEFAULT_HASH, Preferences, Thinker, set_option};
use crate::protocol::HeardScore;
use crate::search::{CENTISEEDS, Limits, SearchOptions, Variant};
use crate::stop::StopToken;

/// What introduces a search of this crate, as `id name` introduces a program.
pub(crate) const INTRODUCTION: &str = concat!("Kalah ", env!("CARGO_PKG_VERSION"));

/// A search of this crate.
pub(crate) struct Builtin {
    thinker: Thinker,
    preferences: Preferences,
    /// Whether chance is drawn from a seed that was asked for.
    has_seed: bool,
    stop: StopToken,
}

/// Preferences and MiB of the table as the options say; options are named as in the protocol.
pub(crate) fn search_settings(
    variant: &str,
    player: &PlayerSettings,
) -> Result<(Preferences, usize), StartError> {
    let wrong = |reason: String| StartError::CannotPlay { name: player.name.clone(), reason };
    let variant: Variant = variant.parse().map_err(|error| wrong(format!("{error}")))?;
    let search = SearchOptions { variant, ..SearchOptions::default() };
    let mut preferences = Preferences { search, ..Preferences::default() };
    let mut hash = DEFAULT_HASH;
    for (name, value) in &player.options {
        set_option(&mut preferences, &mut hash, name, value)
            .map_err(|error| wrong(error.to_string()))?;
    }
    if preferences.search.variant != variant {
        return Err(wrong("'builtin' names the search, not the option Search".to_owned()));
    }
    let limits = Limits {
        depth: player.time_control.depth,
        iterations: player.time_control.iterations,
        ..Limits::default()
    };
    if let Some((limit, instead)) = variant.unsupported_limit(&limits) {
        let reason = format!("'{limit}' is no limit for the search {variant}: it takes {instead}");
        return Err(wrong(reason));
    }
    Ok((preferences, hash))
}

impl Builtin {
    pub(crate) fn new(
        variant: &str,
        player: &PlayerSettings,
        stop: &StopToken,
    ) -> Result<Builtin, StartError> {
        let (preferences, hash) = search_settings(variant, player)?;
        let out_of_memory =
            |error| StartError::NoMeans { name: player.name.clone(), reason: format!("{error}") };
        Ok(Builtin {
            thinker: Thinker::new(hash).map_err(out_of_memory)?,
            preferences,
            has_seed: player.has_option(RANDOM_SEED),
            stop: stop.clone(),
        })
    }
}

impl Player for Builtin {
    fn prepare(&mut self, game: &GameSetup) -> Result<(), Trouble> {
        self.thinker.clear();
        if !self.has_seed {
            self.preferences.search.depth_first.random_seed = game.random_seed;
        }
        Ok(())
    }

    fn think(&mut self, task: &Task) -> Result<Answer, Trouble> {
        let mut limits = task.go.limits_for(task.board.side());
        if task.forfeit_after.is_none() {
            limits.movetime = Some(task.deadline);
        }
        let Builtin { thinker, preferences, stop, .. } = self;
        let start = Instant::now();
        // A defect loses the game, not the tournament; what is left of the search is not used again.
        let search = || thinker.think(task.board, &limits, preferences, stop, &mut ());
        let outcome = panic::catch_unwind(AssertUnwindSafe(search))
            .map_err(|_| Fault::new(FaultKind::Crashed, "the search panicked"))?;
        let time = start.elapsed();
        if self.stop.is_stopped() {
            return Err(Trouble::Interrupted);
        }
        if is_overdue(task, time) {
            return Err(overdue(task, time).into());
        }
        let no_move = || Fault::new(FaultKind::IllegalMove, "no move");
        let score = outcome.lines.first().map(|line| HeardScore {
            centiseeds: line.margin * CENTISEEDS,
            bound: line.bound,
            proven: line.proven,
        });
        let thought = Thought {
            score,
            depth: outcome.lines.first().map(|line| line.depth),
            nodes: Some(outcome.stats.nodes),
        };
        Ok(Answer { house: outcome.best.ok_or_else(no_move)?.house, thought, time })
    }
}
