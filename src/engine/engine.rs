//! The engine inside a process: options, boards and limits in, moves and information out.

use std::sync::Arc;

use super::error::EngineError;
use super::game_solver::GameSolver;
use super::options::{Effect, EngineOptions, Setting, parse_engine_setting};
use super::tables::EngineTables;
use crate::board::{Board, Rules};
use crate::search::{Limits, SearchReport, SearchResult, Searcher, TimeManager};
use crate::solve::ProvenMargin;
use crate::stop::StopToken;

/// An engine that plays a game move by move, and remembers what helps with the next move.
pub struct Engine {
    /// Shared with the protocol thread, which reads them while the engine thinks.
    pub(super) options: Arc<EngineOptions>,
    pub(super) searcher: Searcher,
    pub(super) tables: EngineTables,
    pub(super) solver: GameSolver,
    /// Seed of the errors of weaker play in this game, unless the options have one.
    pub(super) noise_seed: u64,
}

impl Engine {
    /// An engine with the default options.
    ///
    /// # Errors
    /// Returns an error if there is no memory for the transposition table.
    pub fn new() -> Result<Engine, EngineError> {
        Engine::with_options(EngineOptions::default())
    }

    /// An engine with these options.
    ///
    /// # Errors
    /// Returns an error if there is no memory for the transposition table.
    pub fn with_options(options: EngineOptions) -> Result<Engine, EngineError> {
        Ok(Engine {
            searcher: Searcher::new(options.hash_mebibytes)?,
            options: Arc::new(options),
            tables: EngineTables::default(),
            solver: GameSolver::default(),
            noise_seed: fastrand::u64(..),
        })
    }

    /// The options.
    pub fn options(&self) -> &EngineOptions {
        &self.options
    }

    /// Replaces all options. The transposition table is cleared if its size changes.
    ///
    /// # Errors
    /// Returns an error, and changes nothing, if there is no memory for the transposition table.
    pub fn set_options(&mut self, options: EngineOptions) -> Result<(), EngineError> {
        if options.hash_mebibytes != self.options.hash_mebibytes {
            self.searcher.resize(options.hash_mebibytes)?;
        }
        self.options = Arc::new(options);
        Ok(())
    }

    /// Sets an option by its name and value in the protocol; the value of a button is empty.
    ///
    /// ```
    /// use kalah::Engine;
    ///
    /// let mut engine = Engine::new()?;
    /// engine.set_option("Hash", "4")?;
    /// engine.set_option("Search", "mtdf")?;
    /// assert!(engine.set_option("Hash", "many").is_err());
    /// # Ok::<(), kalah::engine::EngineError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error, and changes nothing, if there is no such option, if it is about the board or
    /// the log file of the program, if the value does not fit, or if there is no memory for it.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), EngineError> {
        self.apply(parse_engine_setting(name, value)?, None)
    }

    /// Applies a setting. Files of a tablebase are opened at once for `rules`, without them at the first move.
    pub(super) fn apply(
        &mut self,
        setting: Setting,
        rules: Option<Rules>,
    ) -> Result<(), EngineError> {
        if let Effect::ClearHash = setting.effect {
            self.new_game();
            return Ok(());
        }
        let mut options = (*self.options).clone();
        setting.change(&mut options)?;
        if let (Some(directory), Some(rules)) = (&options.tablebase, rules)
            && options.tablebase != self.options.tablebase
        {
            self.tables.open_files(directory, rules)?;
        }
        self.set_options(options)
    }

    /// Forgets everything found in earlier games. Endgame tables, which hold for all games, stay.
    pub fn new_game(&mut self) {
        self.searcher.clear();
        self.solver.clear();
        self.noise_seed = fastrand::u64(..);
    }

    /// What the exact solver has proven so far of the margin of a board in this game; `None` if nothing.
    pub fn proven_margin(&self, board: &Board) -> Option<ProvenMargin> {
        self.solver.probe(board)
    }

    /// Finds a move. Returns when a limit is reached or the margin is proven; an infinite search
    /// returns when stopped, one that ponders not before the ponderhit. `report` is called meanwhile.
    ///
    /// Any thread may stop the engine through a clone of the token. With one thread, full strength
    /// and a limit on depth or nodes, the same board after a [new game](Self::new_game) gives the same result.
    ///
    /// ```
    /// use kalah::search::SearchReport;
    /// use kalah::{Board, Engine, Limits, Rules, StopToken};
    ///
    /// let board = Board::start(Rules::default(), 4)?;
    /// let limits = Limits { infinite: true, ..Limits::default() };
    /// let stop = StopToken::new();
    /// let result = Engine::new()?.go(&board, &limits, &stop, |report| {
    ///     if let SearchReport::Line(line, stats) = report
    ///         && line.depth >= 8
    ///     {
    ///         println!("{} seeds after {} nodes", line.margin, stats.nodes);
    ///         stop.stop();
    ///     }
    /// })?;
    /// println!("{}", result.best.ok_or("the game is over")?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if `searchmoves` has an illegal move or the search does not support a limit.
    pub fn go(
        &mut self,
        board: &Board,
        limits: &Limits,
        stop: &StopToken,
        mut report: impl FnMut(SearchReport<'_>),
    ) -> Result<SearchResult, EngineError> {
        self.options.check_limits(board, limits)?;
        let overhead = self.options.search.move_overhead;
        let time = TimeManager::new(limits, board.seeds_in_play(), overhead, stop);
        Ok(self.think(board, limits, &time, &mut report))
    }
}
