//! Questions about a position, answered by tests.

use super::bounds::{Bounds, gain_after, target_after};
use super::keys::Keys;
use super::leaves::Leaves;
use super::progress::SolveProgress;
use super::table::{Hash, Known};
use super::team::{Team, Test};
use crate::board::{House, Next, Played, Position, RowTables};

/// A position with so many seeds in the houses.
#[derive(Clone, Copy)]
pub(super) struct Root<R> {
    pub position: Position<R>,
    pub seeds: u32,
}

impl<R: RowTables, K: Keys<R>, L: Leaves<R>> Team<'_, R, K, L> {
    /// What is known without a search.
    fn known(&self, root: &Root<R>) -> Bounds {
        if root.position.is_over() {
            let seeds = root.position.own_seeds() as i32 - root.position.opponent_seeds() as i32;
            return Bounds::exactly(seeds);
        }
        if self.tree.leaves.seeds().is_some_and(|seeds| root.seeds <= seeds) {
            let leaves = self.tree.leaves;
            return Bounds::exactly(leaves.gain(leaves.prefetched(&root.position)));
        }
        let hash = self.tree.keys.key(&root.position).map(Hash::of);
        let known = hash.and_then(|hash| self.tree.table.probe(hash, root.seeds));
        known.map_or(Bounds::of_seeds(root.seeds), |known| known.bounds)
    }

    /// The gain of a position by MTD(f) (A. Plaat, J. Schaeffer, W. Pijls and A. de Bruin,
    /// *Best-first fixed-depth minimax algorithms*, 1996): tests that close in on it, from a guess.
    /// Each test begins with a move, if one is said to be the best. `None` when it was stopped before.
    /// What is proven on the way is told.
    pub(super) fn gain(
        &self,
        root: &Root<R>,
        guess: i32,
        first: Option<House>,
        mut tell: impl FnMut(Bounds),
    ) -> Option<i32> {
        let mut bounds = self.known(root);
        let of_seeds = Bounds::of_seeds(root.seeds);
        let guess = guess.clamp(of_seeds.lower, of_seeds.upper);
        let mut guess = guess + ((guess ^ root.seeds as i32) & 1);
        while !bounds.is_exact() {
            tell(bounds);
            let target = guess.clamp(bounds.lower + 2, bounds.upper);
            if let Some(house) = first {
                bounds = bounds.and(self.reaches_with(root, house, target)?);
            }
            if !bounds.settle(target) {
                bounds = bounds.and(self.reaches(root, target)?);
            }
            // A value that is at least so much is tested for a little more, and the contrary.
            guess = if bounds.lower >= target { bounds.lower + 2 } else { bounds.upper };
        }
        tell(bounds);
        Some(bounds.lower)
    }

    /// Bounds that are known when one move has been tested.
    fn reaches_with(&self, root: &Root<R>, house: House, target: i32) -> Option<Bounds> {
        let played = root.position.play(self.tree.sowings, house);
        let (won, next) = (played.won(), played.next);
        let after = Root::after(root, &played);
        let of_move = self.reaches(&after, target_after(target, won, next))?.before(won, next);
        let bounds = Bounds { lower: of_move.lower, upper: root.seeds as i32 };
        let known = Known { bounds, best: Some(house) };
        let hash = self.tree.keys.key(&root.position).map(Hash::of);
        if let Some(hash) = hash.filter(|_| bounds.lower >= target) {
            self.tree.table.learn(hash, root.seeds, known);
        }
        Some(bounds)
    }

    /// Bounds that the target does not lie between.
    fn reaches(&self, root: &Root<R>, target: i32) -> Option<Bounds> {
        let known = self.known(root);
        if known.settle(target) {
            return Some(known);
        }
        self.answer(Test { position: &root.position, seeds: root.seeds, target })
    }

    /// What every move is worth, from the view of the player to move, who gains `best` by the
    /// best of them; `guess` has an idea of that.
    pub(super) fn moves(
        &self,
        root: &Root<R>,
        best: i32,
        guess: impl Fn(House) -> i32,
    ) -> Option<Vec<(House, i32)>> {
        let value = |(house, played): (House, Played<R>)| {
            let won = played.won();
            // No move is worth more than the best.
            let guess = gain_after(guess(house).min(best), won, played.next);
            let gain = self.gain(&Root::after(root, &played), guess, None, |_| {})?;
            Some((house, Bounds::exactly(gain).before(won, played.next).lower))
        };
        self.played(root).map(value).collect()
    }

    /// The best moves of both sides from a position that the player to move gains `gain` in, to
    /// the end of the game.
    pub(super) fn line(&self, root: &Root<R>, gain: i32) -> Option<Vec<House>> {
        let (mut root, mut gain) = (*root, gain);
        let mut line = Vec::new();
        while !root.position.is_over() {
            let (house, played) = self.best(&root, gain)?;
            line.push(house);
            if played.next == Next::Over {
                break;
            }
            gain = gain_after(gain, played.won(), played.next);
            root = Root::after(&root, &played);
        }
        Some(line)
    }

    /// A move that gains so much, which is the most that can be gained.
    fn best(&self, root: &Root<R>, gain: i32) -> Option<(House, Played<R>)> {
        let hash = self.tree.keys.key(&root.position).map(Hash::of);
        let known = hash.and_then(|hash| self.tree.table.probe(hash, root.seeds));
        let first = known.and_then(|known| known.best);
        let mut moves: Vec<_> = self.played(root).collect();
        // First the one that was best when it was searched, then those that cost no search.
        moves.sort_by_cached_key(|(house, played)| {
            (Some(*house) != first, !self.known(&Root::after(root, played)).is_exact())
        });
        for (house, played) in moves {
            let won = played.won();
            let after = Root::after(root, &played);
            let bounds = self.reaches(&after, target_after(gain, won, played.next))?;
            if bounds.before(won, played.next).lower >= gain {
                return Some((house, played));
            }
        }
        None
    }

    fn played(&self, root: &Root<R>) -> impl Iterator<Item = (House, Played<R>)> {
        let Root { position, .. } = *root;
        let sowings = self.tree.sowings;
        let over = position.is_over();
        position
            .moves()
            .filter(move |_| !over)
            .map(move |house| (house, position.play(sowings, house)))
    }
}

impl<R: RowTables> Root<R> {
    fn after(root: &Root<R>, played: &Played<R>) -> Root<R> {
        let seeds = match played.next {
            Next::Over => 0,
            Next::Again | Next::Other => root.seeds - played.banked,
        };
        Root { position: played.position, seeds }
    }
}

/// The bounds of a margin, as others see them.
pub(super) fn show(progress: &SolveProgress, difference: i32, bounds: Bounds) {
    progress.set_bounds(difference + bounds.lower, difference + bounds.upper);
}
