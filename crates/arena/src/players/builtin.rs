//! Players that are built-in searches, in this process.

use std::panic::{self, AssertUnwindSafe};
use std::time::Instant;

use log::debug;

use super::{MoveEvaluation, MoveReply, MoveRequest, Player, PlayerError};
use kalah::StopToken;
use kalah::board::{RuleSet, Rules};
use kalah::engine::{Engine, EngineError, EngineOptions};
use kalah::printable::with_causes;
use kalah::protocol::EngineScore;
use kalah::search::{Bound, CENTISEEDS, Limits, PvLine, SearchOptions, SearchReport, Variant};
use kalah::tablebase::TablebaseFiles;
use kalah_records::PlayerSettings;

/// The name and version of this engine, as in its `id name` line.
pub(super) const ID_NAME: &str = concat!("Kalah ", env!("CARGO_PKG_VERSION"));

pub(super) struct BuiltinPlayer {
    engine: Engine,
    stop: StopToken,
}

fn engine_options(variant: &str, player: &PlayerSettings) -> Result<EngineOptions, String> {
    let variant: Variant = variant.parse().map_err(|error| format!("{error}"))?;
    let search = SearchOptions { variant, ..SearchOptions::default() };
    let mut options = EngineOptions { search, ..EngineOptions::default() };
    for (name, value) in &player.options {
        options.set(name, value).map_err(|error| error.to_string())?;
    }
    if options.search.variant != variant {
        return Err("'builtin' sets the search, not the option Search".to_owned());
    }
    let limits = Limits {
        depth: player.time_control.depth,
        iterations: player.time_control.iterations,
        ..Limits::default()
    };
    if let Some((limit, instead)) = variant.unsupported_limit(&limits) {
        return Err(format!("the search {variant} does not support '{limit}': use {instead}"));
    }
    Ok(options)
}

/// Requires that the directory of tables can be read, which a search would play without. A program
/// checks it when the option is set: before it knows the board, but after the capture rule.
fn check_tables(options: &EngineOptions, rules: RuleSet) -> Result<(), String> {
    let Some(directory) = &options.tablebase else { return Ok(()) };
    let rules = Rules::new(Rules::default().houses(), rules).map_err(|error| error.to_string())?;
    let files = TablebaseFiles::open(directory, rules).map(drop);
    files.map_err(|error| format!("option Tablebase: {}", with_causes(&error)))
}

fn failed(error: &EngineError) -> PlayerError {
    PlayerError::Failed(error.to_string())
}

impl BuiltinPlayer {
    pub(super) fn new(
        variant: &str,
        player: &PlayerSettings,
        rules: RuleSet,
        stop: &StopToken,
    ) -> Result<BuiltinPlayer, PlayerError> {
        let options = engine_options(variant, player).map_err(PlayerError::Failed)?;
        check_tables(&options, rules).map_err(PlayerError::Failed)?;
        let out_of_memory = |error| PlayerError::OutOfResources(format!("{error}"));
        Ok(BuiltinPlayer {
            engine: Engine::with_options(options).map_err(out_of_memory)?,
            stop: stop.clone(),
        })
    }
}

fn score(line: &PvLine) -> EngineScore {
    let &PvLine { margin, bound, proven, .. } = line;
    EngineScore { centiseeds: margin * CENTISEEDS, bound, proven }
}

impl Player for BuiltinPlayer {
    fn threads(&self) -> usize {
        self.engine.options().search.threads.get()
    }

    fn for_other_thread(self: Box<Self>) -> Option<Box<dyn Player + Send>> {
        Some(self)
    }

    fn new_game(&mut self, _: RuleSet, random_seed: Option<u64>) -> Result<(), PlayerError> {
        self.engine.new_game();
        if let Some(random_seed) = random_seed {
            let mut options = self.engine.options().clone();
            options.search.depth_first.random_seed = random_seed;
            self.engine.set_options(options).map_err(|error| failed(&error))?;
        }
        Ok(())
    }

    fn choose_move(&mut self, request: &MoveRequest) -> Result<MoveReply, PlayerError> {
        let mut limits = request.go.limits_for(request.board.side());
        if request.forfeit_after.is_none() {
            limits.movetime = Some(request.deadline);
        }
        let BuiltinPlayer { engine, stop, .. } = self;
        let start = Instant::now();
        let mut exact = None;
        let is_exact = |line: &&PvLine| line.multipv == 1 && line.bound == Bound::Exact;
        let search = || {
            engine.go(request.board, &limits, stop, |report| match report {
                SearchReport::Line(line, _) => {
                    exact = Some(line).filter(is_exact).map(score).or(exact);
                }
                SearchReport::Note(note) => debug!("{note}"),
            })
        };
        let result = panic::catch_unwind(AssertUnwindSafe(search))
            .map_err(|_| PlayerError::Failed("the search panicked".to_owned()))?
            .map_err(|error| failed(&error))?;
        let time = start.elapsed();
        if self.stop.is_stopped() {
            return Err(PlayerError::Stopped);
        }
        request.check_time(time)?;
        let no_move = || PlayerError::Failed("the search found no move".to_owned());
        let line = result.lines.first();
        let evaluation = MoveEvaluation {
            score: line.map(score),
            exact: line.filter(is_exact).map(score).or(exact),
            depth: line.map(|line| line.depth),
            nodes: Some(result.stats.nodes),
        };
        Ok(MoveReply { mv: result.best.ok_or_else(no_move)?, evaluation, time })
    }
}
