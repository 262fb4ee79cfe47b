//! The workers of a solver: what they share, the exact gains that end their searches, and MTD(f).

use std::cmp::Ordering;
use std::num::NonZeroUsize;

use super::bounds::{BoundsEntry, BoundsTable, GainBounds, PositionHash, gain_after, target_after};
use super::checkpoint::Checkpoint;
use super::expected_work::WorkEstimator;
use super::keys::UniqueKeys;
use super::ordering::MoveScores;
use super::request::SolveProgress;
use crate::board::{House, MoveResult, Next, Position, RowTables, Sowings};
use crate::stop::StopToken;
use crate::tablebase::Tablebase;

/// The shared state of a search on rows of type `R`, with keys `K` and endgames `E`.
pub(super) struct SolveContext<'a, R, K, E> {
    pub sowings: &'a Sowings<R>,
    pub keys: &'a K,
    pub endgames: &'a E,
    pub table: &'a BoundsTable,
    pub move_scores: MoveScores<R>,
    pub work: WorkEstimator,
    pub checkpoint: Option<&'a Checkpoint>,
}

impl<R, K, E> SolveContext<'_, R, K, E> {
    /// Keeps the bounds of a position in the table and in the checkpoint.
    pub(super) fn keep(&self, hash: PositionHash, seeds: u32, bounds: GainBounds) {
        self.table.update(hash, seeds, BoundsEntry { bounds, best: None });
        if let Some(checkpoint) = self.checkpoint {
            checkpoint.keep(hash, seeds, bounds);
        }
    }
}

/// How a best-first search divides its work.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchLimits {
    /// Positions of the whole search.
    pub max_nodes: u64,
    /// Positions of a depth-first search, after which its leaf is expanded.
    pub job_nodes: u64,
    /// Nodes of the proof-number DAG, beyond which decided ones are dropped and jobs become larger.
    pub dag_nodes: usize,
    /// Rounds of the first thread before others are started.
    pub single_threaded_rounds: usize,
}

impl SearchLimits {
    /// The limits of one of several searches that run at the same time.
    pub(super) fn shared_by(self, searches: NonZeroUsize) -> SearchLimits {
        SearchLimits { dag_nodes: (self.dag_nodes / searches).max(1), ..self }
    }
}

/// Positions for a test that the table almost decides.
const NODES_FOR_KNOWN_MOVE: u64 = 1000;

/// The threads that work on the same tests.
pub(super) struct WorkerGroup<'a, R, K, E> {
    pub context: &'a SolveContext<'a, R, K, E>,
    pub limits: SearchLimits,
    pub threads: NonZeroUsize,
    pub stop: &'a StopToken,
    pub progress: &'a SolveProgress,
}

/// Looks up the exact gains of positions with few seeds, in two steps, between which the cache miss is served.
pub(super) trait EndgameProbe<R>: Sync {
    /// The most seeds in the houses of a position that can be probed; `None` if none can.
    fn max_seeds(&self) -> Option<u32>;

    /// Prefetches the gain of a position, and returns its index.
    fn prefetch(&self, position: &Position<R>) -> u64;

    fn gain(&self, index: u64) -> i32;
}

impl EndgameProbe<u64> for Tablebase {
    #[inline]
    fn max_seeds(&self) -> Option<u32> {
        Some(Tablebase::seeds(self))
    }

    #[inline]
    fn prefetch(&self, position: &Position<u64>) -> u64 {
        let index = self.index_of(position);
        Tablebase::prefetch(self, index);
        index as u64
    }

    #[inline]
    fn gain(&self, index: u64) -> i32 {
        self.gain_at(index as usize)
    }
}

/// The probe of a board without a tablebase.
pub(super) struct NoEndgames;

impl<R> EndgameProbe<R> for NoEndgames {
    #[inline]
    fn max_seeds(&self) -> Option<u32> {
        None
    }

    #[inline]
    fn prefetch(&self, _: &Position<R>) -> u64 {
        0
    }

    #[inline]
    fn gain(&self, _: u64) -> i32 {
        0
    }
}

impl<R: RowTables, K: UniqueKeys<R>, E: EndgameProbe<R>> WorkerGroup<'_, R, K, E> {
    /// The hash of the key of a position, if it has one.
    pub(super) fn hash(&self, root: &Position<R>) -> Option<PositionHash> {
        self.context.keys.key(root).map(PositionHash::from_key)
    }

    /// The bounds of a position that are known without a search.
    pub(super) fn initial_bounds(&self, root: &Position<R>) -> GainBounds {
        if root.is_over() {
            return GainBounds::exact(root.final_gain());
        }
        let endgames = self.context.endgames;
        if endgames.max_seeds() >= Some(root.seeds()) {
            return GainBounds::exact(endgames.gain(endgames.prefetch(root)));
        }
        let entry = self.hash(root).and_then(|hash| self.context.table.probe(hash, root.seeds()));
        entry.map_or(GainBounds::from_seeds(root.seeds()), |entry| entry.bounds)
    }

    /// The gain of a position by MTD(f) (A. Plaat, J. Schaeffer, W. Pijls and A. de Bruin, *Best-first fixed-depth
    /// minimax algorithms*, 1996): null-window tests that converge on it, from a guess and perhaps a `first` move
    /// to test. `report` gets the proven bounds as they improve. `None` if the group was stopped, or if bounds
    /// contradict each other.
    pub(super) fn gain(
        &self,
        root: &Position<R>,
        guess: i32,
        mut first: Option<House>,
        mut report: impl FnMut(GainBounds),
    ) -> Option<i32> {
        let mut bounds = self.initial_bounds(root);
        let was_known = bounds.is_exact();
        let possible = GainBounds::from_seeds(root.seeds());
        let guess = guess.clamp(possible.lower, possible.upper);
        let mut guess = guess + ((guess ^ root.seeds() as i32) & 1);
        while bounds.lower < bounds.upper {
            report(bounds);
            let target = guess.clamp(bounds.lower + 2, bounds.upper);
            if let Some(house) = first.take() {
                bounds = bounds.intersection(self.test_move(root, house, target)?);
            }
            if !bounds.decide(target) {
                bounds = bounds.intersection(self.test(root, target)?);
            }
            // After a fail high the next target is one step higher, after a fail low one step lower.
            guess = if bounds.lower >= target { bounds.lower + 2 } else { bounds.upper };
        }
        // A checkpoint can be wrong, and contradict itself or what is found.
        if bounds.lower > bounds.upper {
            return None;
        }
        if let Some(hash) = self.hash(root).filter(|_| !was_known) {
            // Each test stores its bound, but others may have replaced the entry since.
            self.context.keep(hash, root.seeds(), bounds);
        }
        report(bounds);
        Some(bounds.lower)
    }

    /// Tests whether the gain of a position reaches the target. Returns bounds that decide it.
    pub(super) fn test(&self, root: &Position<R>, target: i32) -> Option<GainBounds> {
        let bounds = self.initial_bounds(root);
        // A gain is odd where the number of seeds is.
        let target = target.saturating_add((target ^ root.seeds() as i32) & 1);
        if bounds.decide(target) { Some(bounds) } else { self.search(root, target) }
    }

    /// Compares the gain of a position with a number; `guess` decides which side is tested first. `None` if stopped.
    pub(super) fn compare(&self, root: &Position<R>, gain: i32, guess: i32) -> Option<Ordering> {
        let (at_least, above) = (gain, gain + 1);
        let reaches = |target: i32| Some(self.test(root, target)?.lower >= target);
        let is_above_first = guess > gain;
        if is_above_first && reaches(above)? {
            return Some(Ordering::Greater);
        }
        if !reaches(at_least)? {
            return Some(Ordering::Less);
        }
        if !is_above_first && reaches(above)? {
            return Some(Ordering::Greater);
        }
        Some(Ordering::Equal)
    }

    /// Tests whether the gain by a move reaches the target. Returns a lower bound of it that decides that.
    fn test_played(&self, played: &MoveResult<Position<R>>, target: i32) -> Option<i32> {
        let (won, next) = (played.won(), played.next);
        let after = self.test(&played.position, target_after(target, won, next))?;
        Some(after.before_move(won, next).lower)
    }

    /// The same for one move of a position. Returns bounds of the position, whose other moves may gain more.
    fn test_move(&self, root: &Position<R>, house: House, target: i32) -> Option<GainBounds> {
        let lower = self.test_played(&root.play(self.context.sowings, house), target)?;
        let bounds = GainBounds { lower, upper: root.seeds() as i32 };
        if let Some(hash) = self.hash(root).filter(|_| bounds.lower >= target) {
            let entry = BoundsEntry { bounds, best: Some(house) };
            self.context.table.update(hash, root.seeds(), entry);
        }
        Some(bounds)
    }

    /// The gain by each move. `best` is the gain by the best one, and `guess` returns a first guess.
    pub(super) fn move_gains(
        &self,
        root: &Position<R>,
        best: i32,
        guess: impl Fn(House) -> i32,
    ) -> Option<Vec<(House, i32)>> {
        let gain = |(house, played): (House, MoveResult<Position<R>>)| {
            let (won, next) = (played.won(), played.next);
            let guess = gain_after(guess(house).min(best), won, next);
            let after = self.gain(&played.position, guess, None, |_| {})?;
            Some((house, GainBounds::exact(after).before_move(won, next).lower))
        };
        self.moves(root).map(gain).collect()
    }

    /// The moves that reach the gain of a position.
    pub(super) fn best_moves(&self, root: &Position<R>, gain: i32) -> Option<Vec<House>> {
        let mut best = Vec::new();
        for (house, played) in self.moves(root) {
            if self.test_played(&played, gain)? >= gain {
                best.push(house);
            }
        }
        Some(best)
    }

    /// The principal variation from a position with this gain to the end of the game.
    pub(super) fn line(&self, root: &Position<R>, gain: i32) -> Option<Vec<House>> {
        let (mut root, mut gain) = (*root, gain);
        let mut line = Vec::new();
        while !root.is_over() {
            let (house, played) = self.best_move(&root, gain)?;
            line.push(house);
            if played.next == Next::Over {
                break;
            }
            gain = gain_after(gain, played.won(), played.next);
            root = played.position;
        }
        Some(line)
    }

    /// A move that reaches the gain of the position.
    fn best_move(&self, root: &Position<R>, gain: i32) -> Option<(House, MoveResult<Position<R>>)> {
        // What the table knows, if not of the move itself, a short search finds out.
        for (house, played) in self.known_moves_first(root, gain) {
            let max_nodes = self.progress.nodes() + NODES_FOR_KNOWN_MOVE;
            let limits = SearchLimits { max_nodes, ..self.limits };
            let reached = WorkerGroup { limits, ..*self }.test_played(&played, gain);
            if reached.is_some_and(|lower| lower >= gain) {
                return Some((house, played));
            }
        }
        self.search_moves(root, gain)?;
        for (house, played) in self.known_moves_first(root, gain) {
            if self.test_played(&played, gain)? >= gain {
                return Some((house, played));
            }
        }
        None
    }

    /// The legal moves, those first that are known to gain so much.
    fn known_moves_first(
        &self,
        root: &Position<R>,
        gain: i32,
    ) -> Vec<(House, MoveResult<Position<R>>)> {
        let mut moves: Vec<_> = self.moves(root).collect();
        moves.sort_by_cached_key(|(_, played)| {
            let bounds = self.initial_bounds(&played.position);
            bounds.before_move(played.won(), played.next).lower < gain
        });
        moves
    }

    /// The legal moves with what they lead to.
    pub(super) fn moves(
        &self,
        root: &Position<R>,
    ) -> impl Iterator<Item = (House, MoveResult<Position<R>>)> {
        let (root, sowings) = (*root, self.context.sowings);
        let moves = root.moves().filter(move |_| !root.is_over());
        moves.map(move |house| (house, root.play(sowings, house)))
    }
}
