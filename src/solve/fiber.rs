//! One of several interleaved searches on a thread.

use arrayvec::ArrayVec;

use super::bounds::{BoundsEntry, GainBounds, PositionHash, target_after};
use super::keys::UniqueKeys;
use super::ordering::{MoveEffect, Successor, best_index};
use super::own_turn::gain_by_one_turn;
use super::proof_dag::GainTest;
use super::workers::{EndgameProbe, SolveContext};
use crate::board::{House, MAX_HOUSES, Next, Position, RowTables};

/// A depth-first search with an explicit stack. It pauses after each prefetch, so that others can
/// work while the cache miss is served (O. Kocberber, B. Falsafi and B. Grot, *Asynchronous memory access
/// chaining*, PVLDB 9(4), 2015).
pub(super) struct Fiber<'a, R, K, E> {
    context: &'a SolveContext<'a, R, K, E>,
    frames: Vec<StackFrame<R>>,
    depth: usize,
    /// Positions entered since the count was last [taken](Self::take_nodes).
    nodes: u64,
    /// The count of `nodes` when the present test began; it wraps around.
    nodes_before: u64,
}

impl<'a, R: RowTables, K: UniqueKeys<R>, E: EndgameProbe<R>> Fiber<'a, R, K, E> {
    pub(super) fn new(context: &'a SolveContext<'a, R, K, E>) -> Self {
        Fiber { context, frames: Vec::new(), depth: 0, nodes: 0, nodes_before: 0 }
    }

    /// Begins a test. Returns bounds if it is decided at once.
    pub(super) fn begin(&mut self, test: &GainTest<R>) -> Option<GainBounds> {
        self.nodes_before = self.nodes;
        let GainTest { ref position, seeds, target, hash } = *test;
        let result = self.enter(position, seeds, target, hash)?;
        self.ascend(result)
    }

    /// Searches until the next prefetch. Returns bounds of the root if the test is decided.
    pub(super) fn resume(&mut self) -> Option<GainBounds> {
        let result = self.probe()?;
        self.ascend(result)
    }

    /// Positions entered since the test began.
    #[inline]
    pub(super) fn nodes_of_test(&self) -> u64 {
        self.nodes.wrapping_sub(self.nodes_before)
    }

    /// Positions entered since the last call.
    pub(super) fn take_nodes(&mut self) -> u64 {
        self.nodes_before = self.nodes_before.wrapping_sub(self.nodes);
        std::mem::take(&mut self.nodes)
    }

    pub(super) fn abandon(&mut self) {
        self.depth = 0;
    }

    /// Drops all frames below the first one that another search has decided meanwhile, and returns
    /// from that frame.
    pub(super) fn unwind_decided(&mut self) -> Option<GainBounds> {
        for depth in 1..=self.depth {
            let frame = &self.frames[depth - 1];
            let stored = frame.hash.and_then(|hash| self.context.table.probe(hash, frame.seeds));
            if let Some(entry) = stored
                && entry.bounds.decide(frame.target)
            {
                self.depth = depth;
                return self.ascend(entry);
            }
        }
        None
    }

    /// Returns from frames that are decided, and descends into the next move of one that is not.
    fn ascend(&mut self, mut result: BoundsEntry) -> Option<GainBounds> {
        loop {
            let bounds = self.leave(result);
            if self.depth == 0 {
                return Some(bounds);
            }
            result = match self.frames[self.depth - 1].record_searched(bounds) {
                Some(result) => result,
                None => self.descend()?,
            };
        }
    }

    /// Pushes the frame of a position, makes all moves and prefetches what may decide the test.
    fn enter(
        &mut self,
        position: &Position<R>,
        seeds: u32,
        target: i32,
        hash: Option<PositionHash>,
    ) -> Option<BoundsEntry> {
        let SolveContext { sowings, endgames, move_scores, .. } = self.context;
        self.nodes += 1;
        if self.depth == self.frames.len() {
            self.frames.push(StackFrame::default());
        }
        let frame = &mut self.frames[self.depth];
        self.depth += 1;
        frame.reset(hash, seeds, target);
        let endgame_seeds = endgames.max_seeds();
        for house in position.moves() {
            let played = position.play(sowings, house);
            let won = played.won();
            let left = match played.next {
                Next::Over => 0,
                _ => seeds - played.banked,
            };
            let bounds = GainBounds::from_seeds(left).before_move(won, played.next);
            if bounds.decide(target) {
                let result = frame.record(bounds, house);
                if result.is_some() {
                    return result;
                }
                continue;
            }
            let position = played.position;
            let is_left_to_search = endgame_seeds.is_none_or(|seeds| left > seeds);
            if is_left_to_search && played.next == Next::Other {
                let target = target_after(target, won, played.next);
                if let Some(lower) = gain_by_one_turn(sowings, &position, left, target) {
                    let bounds = GainBounds { lower, upper: left as i32 };
                    // A refutation decides no test by itself.
                    frame.record(bounds.before_move(won, played.next), house);
                    continue;
                }
            }
            let effect = MoveEffect { house, won, next: played.next };
            let score = move_scores.score(house, seeds - left, played.next, &position);
            let successor = Successor { position, seeds: left, effect, score };
            if is_left_to_search {
                frame.moves.push(successor);
            } else {
                frame.endgame_moves.push(successor);
            }
        }
        if frame.endgame_moves.is_empty() && frame.moves.is_empty() {
            return Some(frame.fail_low());
        }
        if let Some(best) = best_index(&frame.endgame_moves) {
            let last = frame.endgame_moves.len() - 1;
            frame.endgame_moves.swap(best, last);
            let best = &frame.endgame_moves[last].position;
            frame.endgame_indices.push(endgames.prefetch(best));
            frame.prefetched = Prefetched::BestEndgame;
        } else {
            self.prefetch_rest();
        }
        None
    }

    fn prefetch_rest(&mut self) {
        let SolveContext { endgames, table, .. } = self.context;
        let frame = &mut self.frames[self.depth - 1];
        for successor in &frame.endgame_moves {
            frame.endgame_indices.push(endgames.prefetch(&successor.position));
        }
        if let Some(hash) = frame.hash {
            table.prefetch(hash);
        }
        frame.prefetched = Prefetched::Rest;
    }

    /// Reads what the top frame has prefetched. Continues with the next prefetch, or with the first
    /// move, if that does not decide the test. Returns the result of the frame that is on top then.
    fn probe(&mut self) -> Option<BoundsEntry> {
        let SolveContext { endgames, table, .. } = self.context;
        let frame = &mut self.frames[self.depth - 1];
        if frame.prefetched == Prefetched::BestEndgame {
            let result = frame.record_endgame(|index| endgames.gain(index));
            if result.is_none() {
                self.prefetch_rest();
            }
            return result;
        }
        let stored = frame.hash.and_then(|hash| table.probe(hash, frame.seeds));
        if let Some(entry) = stored
            && entry.bounds.decide(frame.target)
        {
            return Some(entry);
        }
        while !frame.endgame_moves.is_empty() {
            let result = frame.record_endgame(|index| endgames.gain(index));
            if result.is_some() {
                return result;
            }
        }
        self.descend()
    }

    /// Enters the position after the best move of the top frame. Returns the result of the frame
    /// that is on top then.
    fn descend(&mut self) -> Option<BoundsEntry> {
        let SolveContext { sowings, keys, move_scores, .. } = self.context;
        let frame = &mut self.frames[self.depth - 1];
        loop {
            let Some(index) = best_index(&frame.moves) else {
                return Some(frame.fail_low());
            };
            // Extra turns come first anyway: the shallow search can wait until they have failed.
            if frame.moves[index].effect.next == Next::Other && !frame.has_shallow_scores {
                frame.has_shallow_scores = true;
                if move_scores.add_shallow_scores(sowings, frame.seeds, &mut frame.moves) {
                    continue;
                }
            }
            let Successor { position, seeds, effect, .. } = frame.moves.swap_remove(index);
            frame.last_move = Some(effect);
            let target = target_after(frame.target, effect.won, effect.next);
            let hash = keys.key(&position).map(PositionHash::from_key);
            return self.enter(&position, seeds, target, hash);
        }
    }

    /// Pops the top frame and stores its result.
    fn leave(&mut self, result: BoundsEntry) -> GainBounds {
        self.depth -= 1;
        let frame = &self.frames[self.depth];
        let Some(hash) = frame.hash else { return result.bounds };
        if frame.last_move.is_none() {
            // Cheaper to compute again than to keep in the table.
            return result.bounds;
        }
        self.context.table.update(hash, frame.seeds, result).bounds
    }
}

/// What a frame has prefetched.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Prefetched {
    /// The gain after the best of the endgame moves, which nearly always decides the test if any of
    /// them does.
    BestEndgame,
    /// The gains after all other endgame moves, and the table entry of the position.
    #[default]
    Rest,
}

/// A position under a null-window test: does its gain reach the target?
#[derive(Default)]
struct StackFrame<R> {
    hash: Option<PositionHash>,
    seeds: u32,
    target: i32,
    prefetched: Prefetched,
    /// Moves to positions of the tablebase.
    endgame_moves: ArrayVec<Successor<R>, MAX_HOUSES>,
    /// The indices of the gains after the last endgame moves, in their order.
    endgame_indices: ArrayVec<u64, MAX_HOUSES>,
    /// Moves that have to be searched.
    moves: ArrayVec<Successor<R>, MAX_HOUSES>,
    /// Whether a shallow search has already scored `moves`.
    has_shallow_scores: bool,
    last_move: Option<MoveEffect>,
    /// An upper bound of the gain by any of the moves that are done.
    upper: i32,
}

impl<R> StackFrame<R> {
    /// Begins a test without any moves yet.
    #[inline]
    fn reset(&mut self, hash: Option<PositionHash>, seeds: u32, target: i32) {
        (self.hash, self.seeds, self.target) = (hash, seeds, target);
        self.upper = -(seeds as i32);
        self.last_move = None;
        self.has_shallow_scores = false;
        self.endgame_moves.clear();
        self.endgame_indices.clear();
        self.moves.clear();
    }

    /// Records the bounds of a move. Returns the result of the test if they decide it.
    #[inline]
    fn record(&mut self, bounds: GainBounds, house: House) -> Option<BoundsEntry> {
        if bounds.lower >= self.target {
            let bounds = GainBounds { lower: bounds.lower, upper: self.seeds as i32 };
            return Some(BoundsEntry { bounds, best: Some(house) });
        }
        self.upper = self.upper.max(bounds.upper);
        None
    }

    /// Records the bounds of the position after the move that was searched last.
    #[inline]
    fn record_searched(&mut self, bounds: GainBounds) -> Option<BoundsEntry> {
        let MoveEffect { house, won, next } = self.last_move?;
        self.record(bounds.before_move(won, next), house)
    }

    /// Removes and records the last endgame move, whose gain has been prefetched.
    #[inline]
    fn record_endgame(&mut self, gain: impl FnOnce(u64) -> i32) -> Option<BoundsEntry> {
        let (successor, index) = self.endgame_moves.pop().zip(self.endgame_indices.pop())?;
        let MoveEffect { house, won, next } = successor.effect;
        self.record(GainBounds::exact(gain(index)).before_move(won, next), house)
    }

    /// The result when all moves are recorded and none has reached the target: a fail low.
    #[inline]
    fn fail_low(&self) -> BoundsEntry {
        let bounds = GainBounds { lower: -(self.seeds as i32), upper: self.upper };
        BoundsEntry { bounds, best: None }
    }
}
