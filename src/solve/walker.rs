//! One of several searches of the same tree that take turns on a processor.

use super::bounds::{Bounds, target_after};
use super::frame::{Answer, Asked, Child, Frame, Step, most_promising};
use super::keys::Keys;
use super::leaves::Leaves;
use super::look_ahead::LookAhead;
use super::ordering::Ordering;
use super::table::{BoundsTable, Hash, Known};
use super::team::Test;
use crate::board::{Next, Position, RowTables, Sowings};
use crate::search::InFlightTable;

/// What all walkers of a test share.
pub(super) struct Tree<'a, R, K, L> {
    pub sowings: &'a Sowings<R>,
    pub keys: &'a K,
    pub leaves: &'a L,
    pub table: &'a BoundsTable,
    pub busy: &'a InFlightTable,
    pub ordering: Ordering<R>,
    pub look_ahead: Option<LookAhead>,
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
        let answer =
            self.enter(position.own_row(), position.opponent_row(), seeds, target, hash)?;
        self.go_on(answer)
    }

    /// Goes on until memory has to be waited for. Tells the answer when it is found.
    pub(super) fn step(&mut self) -> Option<Bounds> {
        let answer = self.look_up()?;
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
                        self.tree.busy.remove(hash.bits());
                    }
                }
                self.depth = depth;
                return self.go_on(Answer { bounds, best });
            }
        }
        None
    }

    /// Hands answers up, and goes down to the next position that has none.
    fn go_on(&mut self, mut answer: Answer) -> Option<Bounds> {
        loop {
            let bounds = self.leave(answer);
            if self.depth == 0 {
                return Some(bounds);
            }
            answer = match self.frames[self.depth - 1].note_searched(bounds) {
                Some(answer) => answer,
                None => self.descend()?,
            };
        }
    }

    /// Plays all moves of a position, and asks for what may answer its question.
    fn enter(
        &mut self,
        own: R,
        opponent: R,
        seeds: u32,
        target: i32,
        hash: Option<Hash>,
    ) -> Option<Answer> {
        let Tree { sowings, leaves, busy, ordering, .. } = self.tree;
        self.nodes += 1;
        if self.depth == self.frames.len() {
            self.frames.push(Frame::default());
        }
        let frame = &mut self.frames[self.depth];
        self.depth += 1;
        frame.begin(hash, seeds, target);
        if let Some(hash) = hash {
            busy.insert(hash.bits());
        }
        let leaf_seeds = leaves.seeds();
        let position = Position::of_rows(sowings, own, opponent);
        for house in position.moves() {
            let played = position.play(sowings, house);
            let won = played.won();
            let left = match played.next {
                Next::Over => 0,
                _ => seeds - played.banked,
            };
            let bounds = Bounds::of_seeds(left).before(won, played.next);
            if bounds.settle(target) {
                let answer = frame.note(bounds, house);
                if answer.is_some() {
                    return answer;
                }
                continue;
            }
            let (own, opponent) = (played.position.own_row(), played.position.opponent_row());
            let step = Step { house, won, next: played.next };
            let rank = ordering.rank(house, seeds - left, played.next, own, opponent);
            let child = Child { own, opponent, seeds: left, step, rank };
            if leaf_seeds.is_some_and(|seeds| left <= seeds) {
                frame.leaves.push(child);
            } else {
                frame.children.push(child);
            }
        }
        if frame.leaves.is_empty() && frame.children.is_empty() {
            return Some(frame.refuted());
        }
        if let Some(first) = most_promising(&frame.leaves) {
            let last = frame.leaves.len() - 1;
            frame.leaves.swap(first, last);
            frame.places.push(leaves.prefetched(&frame.leaves[last].position(sowings)));
            frame.asked = Asked::FirstLeaf;
        } else {
            self.ask_for_the_rest();
        }
        None
    }

    fn ask_for_the_rest(&mut self) {
        let Tree { sowings, leaves, table, .. } = self.tree;
        let frame = &mut self.frames[self.depth - 1];
        for leaf in &frame.leaves {
            frame.places.push(leaves.prefetched(&leaf.position(sowings)));
        }
        if let Some(hash) = frame.hash {
            table.prefetch(hash);
        }
        frame.asked = Asked::TheRest;
    }

    /// Looks up what the position at hand has asked for, and asks for more if that is no answer. The
    /// answer, if there is one, is that of the position then at hand.
    fn look_up(&mut self) -> Option<Answer> {
        let frame = &mut self.frames[self.depth - 1];
        if frame.asked == Asked::FirstLeaf {
            let answer = frame.note_leaf(self.tree.leaves);
            if answer.is_none() {
                self.ask_for_the_rest();
            }
            return answer;
        }
        let known = frame.hash.and_then(|hash| self.tree.table.probe(hash, frame.seeds));
        if let Some(Known { bounds, best }) = known
            && bounds.settle(frame.target)
        {
            return Some(Answer { bounds, best });
        }
        while !frame.leaves.is_empty() {
            let answer = frame.note_leaf(self.tree.leaves);
            if answer.is_some() {
                return answer;
            }
        }
        self.descend()
    }

    /// Enters the most promising child of the position at hand. The answer, if there is one, is
    /// that of the position then at hand.
    fn descend(&mut self) -> Option<Answer> {
        let Tree { sowings, keys, busy, look_ahead, .. } = self.tree;
        let frame = &mut self.frames[self.depth - 1];
        // Others may be done by now with what was put off before.
        frame.children.iter_mut().for_each(Child::put_back);
        loop {
            let Some(index) = most_promising(&frame.children) else {
                return Some(frame.refuted());
            };
            // Extra turns come first whatever they lead to: as long as there are any, this can wait.
            if frame.children[index].step.next == Next::Other && !frame.looked_ahead {
                frame.looked_ahead = true;
                if look_ahead.as_ref().is_some_and(|ahead| ahead.rank(sowings, frame)) {
                    continue;
                }
            }
            let child = &mut frame.children[index];
            let hash = keys.key(&child.position(sowings)).map(Hash::of);
            if hash.is_some_and(|hash| busy.contains(hash.bits())) && child.put_off() {
                continue;
            }
            let child = frame.children.swap_remove(index);
            frame.step = Some(child.step);
            let target = target_after(frame.target, child.step.won, child.step.next);
            return self.enter(child.own, child.opponent, child.seeds, target, hash);
        }
    }

    /// Remembers the answer of the position at hand and leaves it.
    fn leave(&mut self, answer: Answer) -> Bounds {
        self.depth -= 1;
        let frame = &self.frames[self.depth];
        let Some(hash) = frame.hash else { return answer.bounds };
        self.tree.busy.remove(hash.bits());
        if frame.step.is_none() {
            // It is as soon found out again, and room in the table is dear.
            return answer.bounds;
        }
        let known = Known { bounds: answer.bounds, best: answer.best };
        self.tree.table.learn(hash, frame.seeds, known).bounds
    }
}
