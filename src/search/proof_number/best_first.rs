//! Proof-number search as it was published: L. V. Allis, M. van der Meulen and H. J. van den
//! Herik, *Proof-Number Search* (Artificial Intelligence 66, 1994), on a tree in memory.
//!
//! The claim that MAX reaches at least v makes a game tree an AND/OR tree: one move proves it where
//! MAX is to move, all moves are needed where MIN is to move. The tree grows at the most-proving
//! node, the leaf that contributes most to deciding the claim at the root.

use super::numbers::{ProofNumbers, align_claim, claim};
use crate::board::Next;
use crate::search::game::Game;
use crate::search::value::{MinimaxPlayer, Query, Window};

/// The index of a node of a [`ProofTree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ProofNode(usize);

/// How the next leaf is chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LeafSelection {
    /// The most-proving node of the paper, which contributes most to proof and disproof; the leftmost of several.
    #[default]
    MostProving,
    /// The leftmost leaf that contributes to the nearer of the two goals, proof and disproof: as in
    /// T.-s. Hsu's lecture *Scout, NegaScout and Proof-Number Search* (2014).
    NearerGoal,
}

struct TreeNode<G: Game> {
    parent: Option<ProofNode>,
    position: G::Position,
    player: MinimaxPlayer,
    /// The claim from the view of the player to move.
    window: Window,
    /// From MAX's view.
    numbers: ProofNumbers,
    children: std::ops::Range<usize>,
}

/// A partly expanded game tree with the proof and disproof numbers of the claim that its root is
/// worth at least a given value to the player to move there, MAX.
pub struct ProofTree<'a, G: Game> {
    game: &'a G,
    nodes: Vec<TreeNode<G>>,
}

impl<'a, G: Game> ProofTree<'a, G> {
    /// A tree of the root alone, with the claim that it is worth at least `value`.
    pub fn new(game: &'a G, root: G::Position, value: i32) -> ProofTree<'a, G> {
        let mut tree = ProofTree { game, nodes: Vec::new() };
        let node = tree.node(root, MinimaxPlayer::Max, claim(value));
        tree.nodes.push(node);
        tree
    }

    /// The root.
    pub fn root(&self) -> ProofNode {
        ProofNode(0)
    }

    /// All nodes, the root first.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = ProofNode> + use<G> {
        (0..self.nodes.len()).map(ProofNode)
    }

    /// The numbers of a node.
    pub fn numbers(&self, node: ProofNode) -> ProofNumbers {
        self.nodes[node.0].numbers
    }

    /// The position of a node, from the view of the player to move; not playable after the end of the game.
    pub fn position(&self, node: ProofNode) -> &G::Position {
        &self.nodes[node.0].position
    }

    /// The children of a node, from the left; none before it is developed.
    pub fn children(&self, node: ProofNode) -> impl Iterator<Item = ProofNode> + use<G> {
        self.nodes[node.0].children.clone().map(ProofNode)
    }

    /// The leaf to develop next; `None` when the claim is decided.
    pub fn most_proving(&self, selection: LeafSelection) -> Option<ProofNode> {
        let mut node = self.root();
        let root = self.numbers(node);
        if root.answer().is_some() {
            return None;
        }
        let nearest = |of: fn(ProofNumbers) -> u32| {
            move |&child: &ProofNode| match of(self.numbers(child)) {
                0 => ProofNumbers::INFINITE,
                number => number,
            }
        };
        let proof = |numbers: ProofNumbers| numbers.proof;
        let disproof = |numbers: ProofNumbers| numbers.disproof;
        let proving = root.proof <= root.disproof;
        while let Some(first) = self.children(node).next() {
            let mut children = self.children(node);
            // At least one child is undecided: its numbers are neither 0 nor infinite.
            let next = match (self.nodes[node.0].player, selection, proving) {
                (MinimaxPlayer::Max, LeafSelection::MostProving, _)
                | (MinimaxPlayer::Max, _, true) => children.min_by_key(nearest(proof)),
                (MinimaxPlayer::Min, LeafSelection::MostProving, _)
                | (MinimaxPlayer::Min, _, false) => children.min_by_key(nearest(disproof)),
                (MinimaxPlayer::Min, LeafSelection::NearerGoal, true) => {
                    children.find(|&child| self.numbers(child).proof != 0)
                }
                (MinimaxPlayer::Max, LeafSelection::NearerGoal, false) => {
                    children.find(|&child| self.numbers(child).disproof != 0)
                }
            };
            node = next.unwrap_or(first);
        }
        Some(node)
    }

    /// Develops a leaf of the tree: evaluates it or adds its children, and updates the numbers up to the root.
    pub fn develop(&mut self, leaf: ProofNode) {
        let TreeNode { position, player, window, .. } = self.nodes[leaf.0];
        self.game.on_enter(&position, Query::Window(window));
        if self.game.is_leaf(&position) {
            self.nodes[leaf.0].numbers =
                convert(player, ProofNumbers::from_value(self.game.evaluate(&position), window));
        } else if self.nodes[leaf.0].children.is_empty() {
            let first = self.nodes.len();
            let game = self.game;
            game.for_each_move(&position, |_, transition| {
                let window = window.after(&transition);
                let next = player.after(transition.next);
                let mut node = self.node(transition.position, next, window);
                node.parent = Some(leaf);
                if transition.next == Next::Over {
                    node.numbers = convert(next, ProofNumbers::from_value(0, window));
                }
                self.nodes.push(node);
            });
            self.nodes[leaf.0].children = first..self.nodes.len();
        }
        self.update(leaf);
    }

    /// Develops leaves until the claim is decided or the tree has `nodes` nodes; returns whether it holds.
    pub fn search(&mut self, selection: LeafSelection, nodes: usize) -> Option<bool> {
        while self.nodes.len() < nodes
            && let Some(leaf) = self.most_proving(selection)
        {
            self.develop(leaf);
        }
        self.numbers(self.root()).answer()
    }

    /// A new leaf without a parent.
    fn node(&self, position: G::Position, player: MinimaxPlayer, window: Window) -> TreeNode<G> {
        let (window, numbers) = match align_claim(self.game, &position, window) {
            Ok(window) => (window, ProofNumbers::UNKNOWN),
            Err(numbers) => (window, numbers),
        };
        let numbers = convert(player, numbers);
        TreeNode { parent: None, position, player, window, numbers, children: 0..0 }
    }

    /// Updates the numbers of a node and of all its ancestors.
    fn update(&mut self, node: ProofNode) {
        let mut next = Some(node);
        while let Some(node) = next {
            let TreeNode { player, .. } = self.nodes[node.0];
            let mut children = self.children(node).peekable();
            if children.peek().is_some() {
                let numbers = children.map(|child| convert(player, self.numbers(child)));
                self.nodes[node.0].numbers = convert(player, ProofNumbers::from_moves(numbers));
            }
            next = self.nodes[node.0].parent;
        }
    }
}

/// Converts numbers between a player's view and MAX's view; the conversion is its own inverse.
fn convert(player: MinimaxPlayer, numbers: ProofNumbers) -> ProofNumbers {
    match player {
        MinimaxPlayer::Max => numbers,
        MinimaxPlayer::Min => numbers.negated(),
    }
}
