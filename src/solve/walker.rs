//! One of several searches of the same tree that take turns on a processor.

use arrayvec::ArrayVec;

use super::bounds::{Bounds, target_after};
use super::keys::Keys;
use super::leaves::Leaves;
use super::ordering::{Ordering, RANKS};
use super::table::{BoundsTable, Hash, Known};
use super::team::Test;
use crate::board::{House, MAX_HOUSES, Next, Position, RowTables, Sowings};
use crate::search::Busy;

/// What all walkers of a test share.
pub(super) struct Tree<'a, R, K, L> {
    pub sowings: &'a Sowings<R>,
    pub keys: &'a K,
    pub leaves: &'a L,
    pub table: &'a BoundsTable,
    pub busy: &'a Busy,
    pub ordering: Ordering<R>,
}

/// Where something is known about a child.
#[derive(Clone, Copy)]
enum Source {
    Nowhere,
    Table(Hash),
    Leaves(u64),
}

/// A move that the answer may depend on.
#[derive(Clone, Copy)]
struct Child<R> {
    position: Position<R>,
    source: Source,
    seeds: u32,
    step: Step,
    rank: i32,
}

#[derive(Clone, Copy)]
struct Step {
    house: House,
    /// Seeds that the move won.
    won: i32,
    next: Next,
}

/// A position with the question whether its gain reaches the target.
struct Frame<R> {
    hash: Option<Hash>,
    seeds: u32,
    target: i32,
    /// The most that the moves already done with can be worth.
    most: i32,
    /// The moves to be looked into.
    children: ArrayVec<Child<R>, MAX_HOUSES>,
    /// The move looked into last.
    step: Option<Step>,
}

/// Bounds that the target does not lie between, so that they answer the question.
#[derive(Clone, Copy)]
struct Answer {
    bounds: Bounds,
    best: Option<House>,
}

impl<R> Frame<R> {
    /// Takes note of a move's bounds. They may be the answer.
    #[inline]
    fn note(&mut self, bounds: Bounds, house: House) -> Option<Answer> {
        if bounds.lower >= self.target {
            let bounds = Bounds { lower: bounds.lower, upper: self.seeds as i32 };
            return Some(Answer { bounds, best: Some(house) });
        }
        self.most = self.most.max(bounds.upper);
        None
    }

    /// The answer when no move is left.
    #[inline]
    fn refuted(&self) -> Answer {
        let bounds = Bounds { lower: -(self.seeds as i32), upper: self.most };
        Answer { bounds, best: None }
    }
}

/// A depth-first search whose stack is spelled out, so that it can wait for memory while others
/// work.
pub(super) struct Walker<'a, R, K, L> {
    tree: &'a Tree<'a, R, K, L>,
    frames: Vec<Frame<R>>,
    depth: usize,
    pub nodes: u64,
}

impl<'a, R: RowTables, K: Keys<R>, L: Leaves<R>> Walker<'a, R, K, L> {
    pub(super) fn new(tree: &'a Tree<'a, R, K, L>) -> Self {
        Walker { tree, frames: Vec::new(), depth: 0, nodes: 0 }
    }

    /// Begins to test whether the gain of a position reaches the target.
    pub(super) fn begin(&mut self, test: Test<'_, R>) -> Option<Bounds> {
        let Test { position, seeds, target } = test;
        let hash = self.tree.keys.key(position).map(Hash::of);
        let answer = self.enter(position, seeds, target, hash);
        answer.and_then(|answer| self.go_on(Some(answer)))
    }

    /// Goes on until memory has to be waited for. Tells the answer when it is found.
    pub(super) fn step(&mut self) -> Option<Bounds> {
        let answer = self.probe();
        self.go_on(answer)
    }

    /// Gives up what has been answered by others meanwhile.
    pub(super) fn catch_up(&mut self) -> Option<Bounds> {
        for depth in 1..=self.depth {
            let frame = &self.frames[depth - 1];
            let known = frame.hash.and_then(|hash| self.tree.table.probe(hash, frame.seeds));
            if let Some(Known { bounds, best }) = known
                && bounds.settle(frame.target)
            {
                for frame in &self.frames[depth..self.depth] {
                    if let Some(hash) = frame.hash {
                        self.tree.busy.leave(hash.bits());
                    }
                }
                self.depth = depth;
                return self.go_on(Some(Answer { bounds, best }));
            }
        }
        None
    }

    /// Hands answers up, and goes down to the next position that has none.
    fn go_on(&mut self, mut answer: Option<Answer>) -> Option<Bounds> {
        loop {
            let found = match answer {
                Some(found) => found,
                None => self.descend()?,
            };
            let bounds = self.leave(found);
            if self.depth == 0 {
                return Some(bounds);
            }
            let frame = &mut self.frames[self.depth - 1];
            answer = frame
                .step
                .and_then(|step| frame.note(bounds.before(step.won, step.next), step.house));
        }
    }

    /// Plays all moves of a position, and asks for what is known about them.
    fn enter(
        &mut self,
        position: &Position<R>,
        seeds: u32,
        target: i32,
        hash: Option<Hash>,
    ) -> Option<Answer> {
        self.nodes += 1;
        if let Some(hash) = hash {
            self.tree.busy.enter(hash.bits());
        }
        if self.depth == self.frames.len() {
            let children = ArrayVec::new();
            self.frames.push(Frame { hash, seeds, target, most: 0, children, step: None });
        }
        let frame = &mut self.frames[self.depth];
        self.depth += 1;
        (frame.hash, frame.seeds, frame.target) = (hash, seeds, target);
        frame.most = -(seeds as i32);
        frame.step = None;
        frame.children.clear();
        let leaf_seeds = self.tree.leaves.seeds();
        for house in position.moves() {
            let played = position.play(self.tree.sowings, house);
            let won = played.won();
            let left = match played.next {
                Next::Over => 0,
                _ => seeds - played.banked,
            };
            let step = Step { house, won, next: played.next };
            let bounds = Bounds::of_seeds(left).before(won, played.next);
            if bounds.settle(target) {
                if let Some(answer) = frame.note(bounds, house) {
                    return Some(answer);
                }
                continue;
            }
            let source = if leaf_seeds.is_some_and(|seeds| left <= seeds) {
                Source::Leaves(self.tree.leaves.prefetched(&played.position))
            } else if let Some(key) = self.tree.keys.key(&played.position) {
                let hash = Hash::of(key);
                self.tree.table.prefetch(hash);
                Source::Table(hash)
            } else {
                Source::Nowhere
            };
            let position = played.position;
            frame.children.push(Child { position, source, seeds: left, step, rank: 0 });
        }
        frame.children.is_empty().then(|| frame.refuted())
    }

    /// Looks up what is known of the moves of the position entered last.
    fn probe(&mut self) -> Option<Answer> {
        let frame = &mut self.frames[self.depth - 1];
        let mut index = 0;
        while index < frame.children.len() {
            let child = &mut frame.children[index];
            let bounds = match child.source {
                Source::Nowhere => None,
                Source::Leaves(place) => Some(Bounds::exactly(self.tree.leaves.gain(place))),
                Source::Table(hash) => {
                    self.tree.table.probe(hash, child.seeds).map(|known| known.bounds)
                }
            };
            if let Some(bounds) = bounds {
                let step = child.step;
                let bounds = bounds.before(step.won, step.next);
                if bounds.settle(frame.target) {
                    if let Some(answer) = frame.note(bounds, step.house) {
                        return Some(answer);
                    }
                    frame.children.swap_remove(index);
                    continue;
                }
            }
            let Step { house, next, .. } = child.step;
            let banked = frame.seeds - child.seeds;
            child.rank = self.tree.ordering.rank(house, banked, next, &child.position);
            index += 1;
        }
        None
    }

    /// Enters the most promising child of the position at hand. The answer, if there is one, is
    /// that of the position then at hand.
    fn descend(&mut self) -> Option<Answer> {
        loop {
            let frame = &mut self.frames[self.depth - 1];
            let Some(index) = most_promising(&frame.children, self.tree.busy) else {
                return Some(frame.refuted());
            };
            let child = frame.children.swap_remove(index);
            let Step { won, next, house } = child.step;
            let hash = match child.source {
                Source::Table(hash) => Some(hash),
                _ => None,
            };
            if let Some(known) = hash.and_then(|hash| self.tree.table.probe(hash, child.seeds)) {
                let bounds = known.bounds.before(won, next);
                if bounds.settle(frame.target) {
                    if let Some(answer) = frame.note(bounds, house) {
                        return Some(answer);
                    }
                    continue;
                }
            }
            frame.step = Some(child.step);
            let target = target_after(frame.target, won, next);
            return self.enter(&child.position, child.seeds, target, hash);
        }
    }

    /// Remembers the answer of the position at hand and leaves it.
    fn leave(&mut self, answer: Answer) -> Bounds {
        self.depth -= 1;
        let frame = &self.frames[self.depth];
        let Some(hash) = frame.hash else { return answer.bounds };
        self.tree.busy.leave(hash.bits());
        if frame.step.is_none() {
            // It is as soon found out again, and room in the table is dear.
            return answer.bounds;
        }
        let mut known = Known { bounds: answer.bounds, best: answer.best };
        if let Some(before) = self.tree.table.probe(hash, frame.seeds) {
            known.bounds = known.bounds.and(before.bounds);
            known.best = known.best.or(before.best);
        }
        self.tree.table.store(hash, frame.seeds, known);
        known.bounds
    }
}

/// The first by rank that nobody else is busy with, or else the first.
#[inline]
fn most_promising<R>(children: &[Child<R>], busy: &Busy) -> Option<usize> {
    let rank = |child: &Child<R>| match child.source {
        Source::Table(hash) if busy.contains(hash.bits()) => child.rank - RANKS,
        _ => child.rank,
    };
    let ranks = children.iter().map(rank).enumerate();
    ranks.max_by_key(|&(_, rank)| rank).map(|(index, _)| index)
}
