//! The engine inside a process: options, boards and limits in, moves and information out.

use super::error::EngineError;
use super::game_solver::GameSolver;
use super::options::{EngineOptions, Setting, parse_engine_setting};
use super::tables::EngineTables;
use super::think::EngineParts;
use crate::board::Board;
use crate::search::{
    Limits, Observer, PvLine, SearchResult, SearchStats, Searcher, TableTooLarge, TimeManager,
    Variant,
};
use crate::stop::StopToken;

/// An engine that plays a game move by move, and remembers what helps with the next move.
///
/// ```
/// use std::time::Duration;
///
/// use kalah::{Board, Engine, Limits, Rules, StopToken};
///
/// let board = Board::start(Rules::default(), 2)?;
/// let mut engine = Engine::new()?;
/// let limits = Limits { movetime: Some(Duration::from_secs(10)), ..Limits::default() };
/// let result = engine.go(&board, &limits, &StopToken::new(), |_| {})?;
/// assert!(result.lines[0].proven);
/// assert_eq!(result.lines[0].margin, 6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Engine {
    options: EngineOptions,
    parts: EngineParts,
    /// Seed of the errors of weaker play in this game, unless the options have one.
    noise_seed: u64,
}

/// The table of weaker play. It is empty at every move, so that the move does not depend on what was
/// searched before.
const HANDICAP_MEBIBYTES: usize = 1;

/// What an engine reports while it thinks.
#[derive(Clone, Copy, Debug)]
pub enum EngineReport<'a> {
    /// A line of play was found or confirmed, with this work.
    Line(&'a PvLine, &'a SearchStats),
    /// A message for the user.
    Note(&'a str),
}

/// An observer that calls a function.
struct Callback<F>(F);

impl<F: FnMut(EngineReport<'_>)> Observer for Callback<F> {
    fn on_pv_line(&mut self, line: &PvLine, stats: &SearchStats) {
        (self.0)(EngineReport::Line(line, stats));
    }

    fn on_message(&mut self, text: &str) {
        (self.0)(EngineReport::Note(text));
    }
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
    /// ```
    /// use kalah::engine::EngineOptions;
    /// use kalah::Engine;
    ///
    /// let engine = Engine::with_options(EngineOptions { hash_mebibytes: 1, ..Default::default() })?;
    /// assert_eq!(engine.options().hash_mebibytes, 1);
    /// # Ok::<(), kalah::engine::EngineError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if there is no memory for the transposition table.
    pub fn with_options(options: EngineOptions) -> Result<Engine, EngineError> {
        let searcher = Searcher::new(options.hash_mebibytes)?;
        let (tables, solver) = (EngineTables::default(), GameSolver::default());
        let parts = EngineParts { searcher, tables, solver };
        Ok(Engine { options, parts, noise_seed: fastrand::u64(..) })
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
            self.resize(options.hash_mebibytes)?;
        }
        self.options = options;
        Ok(())
    }

    /// Sets an option by its name and value in the protocol.
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
        self.apply(parse_engine_setting(name, value)?)
    }

    pub(super) fn apply(&mut self, setting: Setting) -> Result<(), EngineError> {
        match setting {
            Setting::Hash(mebibytes) => self.resize(mebibytes)?,
            Setting::ClearHash => self.new_game(),
            setting => self.options.apply(setting)?,
        }
        Ok(())
    }

    /// Replaces the transposition table by an empty one.
    pub(super) fn resize(&mut self, hash_mebibytes: usize) -> Result<(), TableTooLarge> {
        self.parts.searcher.resize(hash_mebibytes)?;
        self.options.hash_mebibytes = hash_mebibytes;
        Ok(())
    }

    /// Forgets everything found in earlier games. Endgame tables, which hold for all games, stay.
    pub fn new_game(&mut self) {
        self.parts.searcher.clear();
        self.parts.solver.clear();
        self.noise_seed = fastrand::u64(..);
    }

    /// Finds a move. Returns when a limit is reached or the margin is proven; an infinite search
    /// returns when stopped, one that ponders not before the ponderhit. `report` is called meanwhile.
    ///
    /// Any thread may stop the engine through a clone of the token. With one thread and no limit on
    /// time, the same board after a [new game](Self::new_game) gives the same result every time.
    ///
    /// ```
    /// use kalah::engine::EngineReport;
    /// use kalah::{Board, Engine, Limits, Rules, StopToken};
    ///
    /// let board = Board::start(Rules::default(), 4)?;
    /// let limits = Limits { infinite: true, ..Limits::default() };
    /// let stop = StopToken::new();
    /// let result = Engine::new()?.go(&board, &limits, &stop, |report| {
    ///     if let EngineReport::Line(line, stats) = report
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
    /// Returns an error if `searchmoves` has an illegal move, or if the search of the options does
    /// not support a limit.
    pub fn go(
        &mut self,
        board: &Board,
        limits: &Limits,
        stop: &StopToken,
        report: impl FnMut(EngineReport<'_>),
    ) -> Result<SearchResult, EngineError> {
        check_limits(board, limits, self.options.search.variant)?;
        let overhead = self.options.search.move_overhead;
        let time = TimeManager::new(limits, board.seeds_in_play(), overhead, stop);
        Ok(self.think(board, limits, &time, report))
    }

    /// The same with limits that were checked and a clock that runs already.
    pub(super) fn think(
        &mut self,
        board: &Board,
        limits: &Limits,
        time: &TimeManager,
        report: impl FnMut(EngineReport<'_>),
    ) -> SearchResult {
        let Engine { options, parts, .. } = self;
        let observer = &mut Callback(report);
        let is_to_depth = matches!(options.search.variant, Variant::DepthFirst(_));
        let result = match options.skill.handicap().filter(|_| is_to_depth) {
            None => parts.think(board, limits, options, time, observer),
            Some(handicap) => {
                let seed = options.search.depth_first.random_seed;
                let seed = if seed == 0 { self.noise_seed } else { seed };
                let search = handicap.search(&options.search, seed);
                let limits = handicap.limits(board, limits, seed);
                let mut fresh = Searcher::new(HANDICAP_MEBIBYTES);
                // Without memory for another table, its own: then it is cleared at each move.
                let searcher = fresh.as_mut().unwrap_or_else(|_| {
                    parts.searcher.clear();
                    &mut parts.searcher
                });
                searcher.search_until(time.clone(), board, &limits, &search, observer)
            }
        };
        time.wait_to_answer(limits);
        result
    }
}

/// Checks that the limits suit the board and the search.
pub(super) fn check_limits(
    board: &Board,
    limits: &Limits,
    search: Variant,
) -> Result<(), EngineError> {
    let is_illegal = |mv: &&_| !board.moves().any(|legal| legal == **mv);
    if let Some(&mv) = limits.searchmoves.iter().find(is_illegal) {
        return Err(EngineError::SearchMove(mv));
    }
    match search.unsupported_limit(limits) {
        Some((limit, instead)) => Err(EngineError::Limit { search, limit, instead }),
        None => Ok(()),
    }
}
