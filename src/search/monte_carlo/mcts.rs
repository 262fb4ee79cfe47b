//! Monte Carlo tree search.
//!
//! The tree grows by UCT (L. Kocsis and C. Szepesvári, *Bandit based Monte-Carlo planning*, 2006):
//! from the root down the move is taken whose value may be the greatest by UCB1, and where the
//! tree ends a random game is played. A position reached for the second time is expanded: its
//! moves become part of the tree.
//!
//! What the rules prove is proven for good: MCTS-Solver (M. Winands, Y. Björnsson and
//! J.-T. Saito, *Monte-Carlo tree search solver*, 2008) in its form for games with more than two
//! results, Score Bounded Monte Carlo tree search (T. Cazenave and A. Saffidine, 2010). Every
//! move has bounds on its gain. At first they come from what can be gained at all, and they
//! narrow from the moves that end games upwards. A move whose bounds meet, or that cannot be
//! better than what is proven for another, is visited no more; when the bounds of the root meet
//! the search is over.
//!
//! On its way up to the root a sample is moved to the nearest value that the bounds allow. So
//! games lost by moves that are known to be bad do not count against a position.

use super::confidence::{logarithm, radius};
use super::playout::Playouts;
use super::tree::{Node, ROOT, Tree};
use super::{Method, Verdict};
use crate::board::Next;
use crate::search::game::Game;

/// The factor of the radius in UCB1, for samples in `[0, 1]`: gains of random games lie in the
/// middle of their range, so √2 would make the search next to flat. Measured, see
/// `docs/measurements.md`.
const EXPLORATION: f64 = 0.2;

/// A tree and the way through it.
pub(super) struct Uct<'a, G: Game> {
    tree: &'a mut Tree<G::Move>,
    root: G::Position,
    /// Moves of the root that are not to be searched.
    excluded: &'a [G::Move],
    /// The factor of the radius in units of gain.
    exploration: f64,
    /// The nodes of the iteration under way, from the root down.
    path: Vec<usize>,
    seldepth: usize,
}

impl<'a, G: Game> Uct<'a, G> {
    /// Goes on with a tree that has this root.
    pub(super) fn new(
        game: &G,
        tree: &'a mut Tree<G::Move>,
        root: G::Position,
        excluded: &'a [G::Move],
    ) -> Self {
        let (least, most) = game.value_range(&root);
        let exploration = EXPLORATION * f64::from(most - least);
        let mut uct = Uct { tree, root, excluded, exploration, path: Vec::new(), seldepth: 0 };
        if uct.tree[ROOT].is_expanded() || uct.expand(game, ROOT, &root) {
            // An earlier search may have had other moves to choose from.
            uct.narrow(ROOT);
        }
        uct
    }

    /// Makes the moves of a position part of the tree, if there is room.
    fn expand(&mut self, game: &G, at: usize, position: &G::Position) -> bool {
        let Some(places) = self.tree.expand(at) else { return false };
        let mut places = places.iter_mut();
        game.for_each_move(position, |chosen, step| {
            let range = if step.next == Next::Over {
                (0, 0)
            } else if game.is_leaf(&step.position) {
                let value = game.evaluate(&step.position);
                (value, value)
            } else {
                game.value_range(&step.position)
            };
            if let Some(place) = places.next() {
                *place = Node::new(chosen, &step, range);
            }
        });
        true
    }

    /// The moves of a position that are to be searched.
    fn moves(&self, at: usize) -> impl Iterator<Item = (usize, &Node<G::Move>)> {
        let excluded = if at == ROOT { self.excluded } else { &[] };
        let moves = self.tree.children(at).map(|child| (child, &self.tree[child]));
        moves.filter(|(_, node)| node.chosen.is_some_and(|chosen| !excluded.contains(&chosen)))
    }

    /// The bounds on the gain of the player to move: the best of those of the moves.
    fn bounds(&self, at: usize) -> (i32, i32) {
        let worst = (i32::MIN, i32::MIN);
        self.moves(at)
            .fold(worst, |(lower, upper), (_, node)| (lower.max(node.lower), upper.max(node.upper)))
    }

    /// Brings the bounds of the move to a position up to what is known of the moves from there;
    /// tells whether that changed them.
    fn narrow(&mut self, at: usize) -> bool {
        let bounds = self.bounds(at);
        let node = &mut self.tree[at];
        let before = (node.lower, node.upper);
        (node.lower, node.upper) = node.range_before(bounds);
        (node.lower, node.upper) != before
    }

    /// The move whose value may be the greatest, of those that can still turn out better than
    /// what is proven; there is none when the position is solved.
    fn select(&self, at: usize) -> Option<usize> {
        let (proven, _) = self.bounds(at);
        let logarithm = logarithm(self.tree[at].visits);
        let (mut selected, mut greatest) = (None, f64::NEG_INFINITY);
        for (child, node) in self.moves(at) {
            if node.upper <= proven || node.is_solved() {
                continue;
            }
            if node.visits == 0 {
                return Some(child);
            }
            let worth = node.mean() + self.exploration * radius(logarithm, node.visits);
            if worth > greatest {
                (selected, greatest) = (Some(child), worth);
            }
        }
        selected
    }

    /// Takes what has been proven at the end of the path into the bounds of all nodes on it.
    fn prove(&mut self) {
        for i in (0..self.path.len()).rev() {
            if !self.narrow(self.path[i]) {
                return;
            }
        }
    }

    /// Takes a sample, seen by the player to move at the end of the path, into all nodes on it.
    fn back_up(&mut self, mut gain: i32) {
        while let Some(at) = self.path.pop() {
            let node = &mut self.tree[at];
            gain = node.before(gain).clamp(node.lower, node.upper);
            node.sum += i64::from(gain);
            node.visits += 1;
        }
    }

    /// The moves of a position, best first: by the worth that they have with confidence, the
    /// secure child of G. Chaslot and others (*Progressive strategies for Monte-Carlo tree
    /// search*, 2008). What is proven is certain; so no move is before one that is proven to be
    /// as good or better.
    fn ranking(&self, at: usize) -> Vec<usize> {
        let logarithm = logarithm(self.tree[at].visits);
        let worth = |node: &Node<G::Move>| {
            let lower = f64::from(node.lower);
            if node.visits == 0 || node.is_solved() {
                return lower;
            }
            lower.max(node.mean() - self.exploration * radius(logarithm, node.visits))
        };
        let mut moves: Vec<_> =
            self.moves(at).map(|(child, node)| (child, worth(node), node.lower)).collect();
        moves.sort_by(|(_, a, lower_a), (_, b, lower_b)| b.total_cmp(a).then(lower_b.cmp(lower_a)));
        moves.into_iter().map(|(child, ..)| child).collect()
    }

    /// What is thought of a move of the root, and the line of best moves that begins with it.
    fn verdict(&self, child: usize) -> Verdict<G::Move> {
        let node = &self.tree[child];
        let mut pv = Vec::new();
        let mut next = Some(child);
        while let Some(at) = next {
            pv.extend(self.tree[at].chosen);
            // Beyond what has been visited there is nothing to choose by.
            let known =
                |&child: &usize| self.tree[child].visits > 0 || self.tree[child].is_solved();
            next = self.ranking(at).first().copied().filter(known);
        }
        Verdict { gain: node.mean().round() as i32, proven: node.is_solved(), pv }
    }
}

impl<G: Game> Method<G> for Uct<'_, G> {
    fn iterate(&mut self, playouts: &mut Playouts<'_, G>) {
        let (mut at, mut position) = (ROOT, self.root);
        let gain = loop {
            self.path.push(at);
            let node = &self.tree[at];
            if !node.is_expanded() {
                if node.visits == 0 || !self.expand(playouts.game, at, &position) {
                    break playouts.play(&position);
                }
                playouts.counters.interior += 1;
                self.prove();
            }
            playouts.counters.nodes += 1;
            let selected = self.select(at);
            let chosen = selected.and_then(|child| self.tree[child].chosen);
            let step = chosen.and_then(|chosen| playouts.game.play(&position, chosen));
            let (Some(child), Some(step)) = (selected, step) else {
                // Solved as soon as it was expanded.
                break self.bounds(at).0;
            };
            (at, position) = (child, step.position);
        };
        self.seldepth = self.seldepth.max(self.path.len() - 1);
        self.back_up(gain);
    }

    /// Visits are counted in 32 bits, which takes an hour.
    fn is_done(&self) -> bool {
        let root = &self.tree[ROOT];
        root.is_solved() || root.visits == u32::MAX
    }

    fn verdicts(&self) -> Vec<Verdict<G::Move>> {
        let mut verdicts: Vec<_> =
            self.ranking(ROOT).into_iter().map(|child| self.verdict(child)).collect();
        if let Some(first) = verdicts.first_mut() {
            // The first line is about the position: no other move may be able to gain more.
            first.proven &= self.tree[ROOT].is_solved();
        }
        verdicts
    }

    fn seldepth(&self) -> usize {
        self.seldepth
    }

    fn permille_full(&self) -> u32 {
        self.tree.permille_full()
    }
}
