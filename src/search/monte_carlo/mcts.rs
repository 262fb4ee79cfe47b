//! Monte Carlo tree search.
//!
//! The tree grows by UCT (L. Kocsis and C. Szepesvári, *Bandit based Monte-Carlo planning*, 2006):
//! selection follows the greatest upper confidence bound (UCB1) from the root to a leaf of the tree,
//! where a random game is played. A leaf that is visited for the second time is expanded: its moves
//! become nodes of the tree.
//!
//! Proven values are backed up as well: MCTS-Solver (M. Winands, Y. Björnsson and J.-T. Saito,
//! *Monte-Carlo tree search solver*, 2008) in its form for games with more than two results, Score
//! Bounded Monte Carlo tree search (T. Cazenave and A. Saffidine, 2010). Every move has bounds on its
//! gain, at first those of the range of possible gains, which narrow from the ends of games upwards. A
//! move that is solved, or that cannot be better than the proven bound of another, is not selected any
//! more; when the root is solved the search ends.
//!
//! During backup a sample is clamped to the bounds of each node: games lost by bad moves do not count.

use super::bandit::{logarithm, ucb1_radius};
use super::run::{MonteCarloMethod, MoveEstimate, Playouts};
use super::tree::{MctsNode, MctsTree, ROOT};
use crate::board::Next;
use crate::search::game::Game;

/// The exploration factor of UCB1 for samples in `[0, 1]`. It is measured (see
/// `docs/notebook/search.md`): the gains of random games lie in the middle of their range, so with √2 the
/// search would be nearly flat.
const EXPLORATION: f64 = 0.2;

/// UCT search of one root position.
pub(super) struct Uct<'a, G: Game> {
    tree: &'a mut MctsTree<G::Move>,
    root: G::Position,
    /// Moves of the root that are not searched.
    excluded: &'a [G::Move],
    /// The exploration factor in units of gain.
    exploration: f64,
    /// The nodes of the current iteration, from the root downwards.
    path: Vec<usize>,
    seldepth: usize,
}

impl<'a, G: Game> Uct<'a, G> {
    /// Continues with a tree that has this root.
    pub(super) fn new(
        game: &G,
        tree: &'a mut MctsTree<G::Move>,
        root: G::Position,
        excluded: &'a [G::Move],
    ) -> Self {
        let (min, max) = game.value_range(&root);
        let exploration = EXPLORATION * f64::from(max - min);
        let mut uct = Uct { tree, root, excluded, exploration, path: Vec::new(), seldepth: 0 };
        if uct.tree.nodes[ROOT].is_expanded() || uct.expand(game, ROOT, &root) {
            // An earlier search may have excluded other moves.
            uct.update_bounds(ROOT);
        }
        uct
    }

    /// Adds the moves of a position to the tree. Returns false if the pool is full.
    fn expand(&mut self, game: &G, at: usize, position: &G::Position) -> bool {
        let Some(nodes) = self.tree.expand(at) else { return false };
        let mut nodes = nodes.iter_mut();
        game.for_each_move(position, |mv, transition| {
            let range = if transition.next == Next::Over {
                (0, 0)
            } else if game.is_leaf(&transition.position) {
                let value = game.evaluate(&transition.position);
                (value, value)
            } else {
                game.value_range(&transition.position)
            };
            if let Some(node) = nodes.next() {
                *node = MctsNode::new(mv, &transition, range);
            }
        });
        true
    }

    /// The moves of a position that are searched, with their indices.
    fn moves(&self, at: usize) -> impl Iterator<Item = (usize, &MctsNode<G::Move>)> {
        let excluded = if at == ROOT { self.excluded } else { &[] };
        let moves = self.tree.children(at).map(|child| (child, &self.tree.nodes[child]));
        moves.filter(|(_, node)| node.mv.is_some_and(|mv| !excluded.contains(&mv)))
    }

    /// The bounds on the gain of the player to move: the maxima of those of the moves.
    fn bounds(&self, at: usize) -> (i32, i32) {
        let worst = (i32::MIN, i32::MIN);
        self.moves(at)
            .fold(worst, |(lower, upper), (_, node)| (lower.max(node.lower), upper.max(node.upper)))
    }

    /// Updates the bounds of a node from those of its children. Returns whether they changed.
    fn update_bounds(&mut self, at: usize) -> bool {
        let bounds = self.bounds(at);
        let node = &mut self.tree.nodes[at];
        let before = (node.lower, node.upper);
        (node.lower, node.upper) = node.range_before(bounds);
        (node.lower, node.upper) != before
    }

    /// Selects the move with the greatest upper confidence bound, among those that are not solved and
    /// may be better than the proven lower bound; `None` if the position is solved.
    fn select(&self, at: usize) -> Option<usize> {
        let (proven, _) = self.bounds(at);
        let ln_visits = logarithm(self.tree.nodes[at].visits);
        let (mut selected, mut max_bound) = (None, f64::NEG_INFINITY);
        for (child, node) in self.moves(at) {
            if node.upper <= proven || node.is_solved() {
                continue;
            }
            if node.visits == 0 {
                return Some(child);
            }
            let bound = node.mean() + self.exploration * ucb1_radius(ln_visits, node.visits);
            if bound > max_bound {
                (selected, max_bound) = (Some(child), bound);
            }
        }
        selected
    }

    /// Backs up the bounds from the end of the path until they no longer change.
    fn back_up_bounds(&mut self) {
        for i in (0..self.path.len()).rev() {
            if !self.update_bounds(self.path[i]) {
                return;
            }
        }
    }

    /// Backs up a sample, from the view of the player to move at the end of the path.
    fn back_up(&mut self, mut gain: i32) {
        while let Some(at) = self.path.pop() {
            let node = &mut self.tree.nodes[at];
            gain = node.gain_before(gain).clamp(node.lower, node.upper);
            node.sum += i64::from(gain);
            node.visits += 1;
        }
    }

    /// The moves of a position, best first, by their lower confidence bounds: the secure child of
    /// G. Chaslot and others (*Progressive strategies for Monte-Carlo tree search*, 2008). Proven
    /// bounds are certain, so no move precedes one that is proven to be at least as good.
    fn ranking(&self, at: usize) -> Vec<usize> {
        let ln_visits = logarithm(self.tree.nodes[at].visits);
        let lower_bound = |node: &MctsNode<G::Move>| {
            let lower = f64::from(node.lower);
            if node.visits == 0 || node.is_solved() {
                return lower;
            }
            lower.max(node.mean() - self.exploration * ucb1_radius(ln_visits, node.visits))
        };
        let mut moves: Vec<_> =
            self.moves(at).map(|(child, node)| (child, lower_bound(node), node.lower)).collect();
        moves.sort_by(|(_, a, lower_a), (_, b, lower_b)| b.total_cmp(a).then(lower_b.cmp(lower_a)));
        moves.into_iter().map(|(child, ..)| child).collect()
    }

    /// The estimate of a root move, with the line of best moves that begins with it.
    fn estimate(&self, child: usize) -> MoveEstimate<G::Move> {
        let node = &self.tree.nodes[child];
        let mut pv = Vec::new();
        let mut next = Some(child);
        while let Some(at) = next {
            pv.extend(self.tree.nodes[at].mv);
            // The line ends where no move has been visited.
            let is_known = |&child: &usize| {
                self.tree.nodes[child].visits > 0 || self.tree.nodes[child].is_solved()
            };
            next = self.ranking(at).first().copied().filter(is_known);
        }
        MoveEstimate { gain: node.mean().round() as i32, proven: node.is_solved(), pv }
    }
}

impl<G: Game> MonteCarloMethod<G> for Uct<'_, G> {
    fn iterate(&mut self, playouts: &mut Playouts<'_, G>) {
        let (mut at, mut position) = (ROOT, self.root);
        let gain = loop {
            self.path.push(at);
            let node = &self.tree.nodes[at];
            if !node.is_expanded() {
                if node.visits == 0 || !self.expand(playouts.game, at, &position) {
                    break playouts.play(&position);
                }
                playouts.counters.interior += 1;
                self.back_up_bounds();
            }
            playouts.counters.nodes += 1;
            let selected = self.select(at);
            let mv = selected.and_then(|child| self.tree.nodes[child].mv);
            let transition = mv.and_then(|mv| playouts.game.play(&position, mv));
            let (Some(child), Some(transition)) = (selected, transition) else {
                // Expanding the node has solved it.
                break self.bounds(at).0;
            };
            (at, position) = (child, transition.position);
        };
        self.seldepth = self.seldepth.max(self.path.len() - 1);
        self.back_up(gain);
    }

    /// The 32-bit visit counter is full after about an hour.
    fn is_done(&self) -> bool {
        let root = &self.tree.nodes[ROOT];
        root.is_solved() || root.visits == u32::MAX
    }

    fn estimates(&self) -> Vec<MoveEstimate<G::Move>> {
        let mut estimates: Vec<_> =
            self.ranking(ROOT).into_iter().map(|child| self.estimate(child)).collect();
        if let Some(first) = estimates.first_mut() {
            // The first line is about the position: no other move may be able to gain more.
            first.proven &= self.tree.nodes[ROOT].is_solved();
        }
        estimates
    }

    fn seldepth(&self) -> usize {
        self.seldepth
    }

    fn permille_full(&self) -> u32 {
        self.tree.permille_full()
    }
}
