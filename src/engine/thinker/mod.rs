//! Who finds moves: the search, and exact knowledge as soon as it can be had.
//!
//! Tables of exact gains answer inside the searches to a depth ([`tables`]). A search by time is done
//! in parts: the search goes first, so that there is a move in any case, and then the solver gets
//! the rest if it can be expected to use it ([`prospects`]). What it proves is the answer. Among
//! moves of the same exact value the one is played that leaves the opponent more to go wrong with
//! ([`traps`]).

mod hand_over;
mod preferences;
mod proof;
mod prospects;
mod skill;
mod tables;
mod told;
mod traps;

use self::hand_over::HandOver;
use self::proof::Prover;
use self::tables::{Need, Tables};
use crate::board::Board;
use crate::search::{
    Limits, Observer, SearchOptions, SearchResult, Searcher, TableTooLarge, TimeManager, Variant,
};
use crate::stop::StopToken;

pub(in crate::engine) use self::preferences::DEFAULT_SOLVER_HASH;
pub use self::preferences::EngineOptions;
pub(in crate::engine) use self::skill::{MAX_ELO, MIN_ELO};
pub use self::skill::{MAX_SKILL_LEVEL, Skill};

/// A search and a solver with all that they remember from one move to the next.
///
/// ```
/// use std::time::Duration;
///
/// use kalah::StopToken;
/// use kalah::board::{Board, Rules};
/// use kalah::engine::{EngineOptions, Engine};
/// use kalah::search::Limits;
///
/// let board = Board::start(Rules::default(), 2)?;
/// let mut thinker = Engine::new(16)?;
/// let stop = StopToken::new();
/// let limits = Limits { movetime: Some(Duration::from_secs(10)), ..Limits::default() };
/// let outcome = thinker.think(&board, &limits, &EngineOptions::default(), &stop, &mut ());
/// assert!(outcome.lines[0].proven);
/// assert_eq!(outcome.lines[0].margin, 6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Engine {
    searcher: Searcher,
    tables: Tables,
    prover: Prover,
    /// What the errors of weaker play are drawn from in this game, where no seed is given.
    errors_seed: u64,
}

/// Whether a search that is not limited by time may well come to positions that stand in tables: for a few
/// thousand nodes far from there none is built.
fn comes_to_few_seeds(board: &Board, limits: &Limits) -> bool {
    const FEW_SEEDS: u32 = 24;
    const NODES: u64 = 100_000;
    const DEPTH: u32 = 10;
    let is_large = limits.nodes.is_none_or(|nodes| nodes >= NODES)
        && limits.depth.is_none_or(|depth| depth >= DEPTH);
    is_large || board.seeds_in_play() <= FEW_SEEDS
}

impl Engine {
    /// A thinker whose search has a table of the given size.
    ///
    /// # Errors
    /// When the memory for the table cannot be had.
    pub fn new(hash_mebibytes: usize) -> Result<Engine, TableTooLarge> {
        let searcher = Searcher::new(hash_mebibytes)?;
        Ok(Engine {
            searcher,
            tables: Tables::default(),
            prover: Prover::default(),
            errors_seed: fastrand::u64(..),
        })
    }

    /// Replaces what the search remembers by empty tables of another size.
    ///
    /// # Errors
    /// When the memory cannot be had; the old ones are then kept.
    pub fn resize(&mut self, hash_mebibytes: usize) -> Result<(), TableTooLarge> {
        self.searcher.resize(hash_mebibytes)
    }

    /// Forgets all that was learned of positions. Tables of exact gains, which are the same for all
    /// games, stay.
    pub fn clear(&mut self) {
        self.searcher.clear();
        self.prover.clear();
        self.errors_seed = fastrand::u64(..);
    }

    /// Finds a move. Returns when a limit is reached or the value is proven, or, when the limits say
    /// to wait, after that and the stop or ponderhit.
    ///
    /// Searches with other limits than time are plain ones, in which no more than the small table and
    /// files answer: those of one thread are the same every time.
    pub fn think(
        &mut self,
        board: &Board,
        limits: &Limits,
        preferences: &EngineOptions,
        stop: &StopToken,
        observer: &mut dyn Observer,
    ) -> SearchResult {
        let overhead = preferences.search.move_overhead;
        let time = TimeManager::new(limits, board.seeds_in_play(), overhead, stop);
        self.think_timed(board, limits, preferences, &time, observer)
    }

    /// The same with a clock that runs already.
    pub(in crate::engine) fn think_timed(
        &mut self,
        board: &Board,
        limits: &Limits,
        preferences: &EngineOptions,
        time: &TimeManager,
        observer: &mut dyn Observer,
    ) -> SearchResult {
        let is_to_depth = matches!(preferences.search.variant, Variant::DepthFirst(_));
        // Weaker play is a search like others, less deep and by other preferences.
        let handicap = preferences.skill.handicap().filter(|_| is_to_depth);
        let weaker = handicap.map(|handicap| {
            (handicap.limits(limits), handicap.preferences(preferences, self.errors_seed))
        });
        let (limits, preferences) = match &weaker {
            Some((limits, preferences)) => (limits, preferences),
            None => (limits, preferences),
        };
        let EngineOptions { search, exact, .. } = preferences;
        if !exact || !is_to_depth || board.is_over() {
            let outcome = self.searcher.search_until(time.clone(), board, limits, search, observer);
            time.wait_to_answer(limits);
            return outcome;
        }
        let is_timed = limits.depth.is_none() && limits.nodes.is_none();
        let soft = time.budget().map(|budget| budget.soft);
        let need = if is_timed { Need::Within(soft) } else { Need::Same };
        let tables = if is_timed || comes_to_few_seeds(board, limits) {
            self.tables.for_search(board.rules(), need, preferences, observer)
        } else {
            None
        };
        let settings = SearchOptions { tables, ..search.clone() };
        let moves = board.moves().count();
        let is_forced = moves == 1 && limits.clock.is_some();
        // Lines besides the best, and the best of some of the moves, are left to the search.
        let is_whole = limits.searchmoves.is_empty() && search.multipv.get().min(moves) == 1;
        let outcome = if is_timed && is_whole && !is_forced {
            let Engine { searcher, tables, prover, .. } = self;
            let parts =
                HandOver { searcher, tables, prover, board, limits, settings, preferences, time };
            parts.think(observer)
        } else {
            self.searcher.search_until(time.clone(), board, limits, &settings, observer)
        };
        time.wait_to_answer(limits);
        outcome
    }
}
