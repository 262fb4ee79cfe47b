//! Proof-number search as it was published: L. V. Allis, M. van der Meulen and H. J. van den
//! Herik, *Proof-Number Search* (Artificial Intelligence 66, 1994), on a tree in memory.
//!
//! A claim "MAX reaches v or more" makes an AND/OR tree of a game tree: one move is enough to
//! prove it where MAX is to move, and it takes all of them where MIN is. Node by node the tree is
//! grown where the least is missing to decide the claim at the root.

use super::numbers::{ProofNumbers, claim, settle};
use crate::board::Next;
use crate::search::game::Game;
use crate::search::question::{MinimaxPlayer, Query};
use crate::search::value::Window;

/// A node of a [`ProofTree`], by its place in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ProofNode(usize);

/// How the next leaf is chosen, when there is a choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LeafSelection {
    /// The leaf that helps most to prove the claim, and to disprove it, at once: the paper's
    /// most-proving node, the leftmost when there are several.
    #[default]
    MostProving,
    /// Of the two aims the one that is nearer, and the leftmost leaf that helps to reach it: as in
    /// T.-s. Hsu's lecture *Scout, NegaScout and Proof-Number Search* (2014).
    NearerGoal,
}

struct Node<G: Game> {
    parent: Option<ProofNode>,
    /// The move that leads here; the root has none.
    chosen: Option<G::Move>,
    position: G::Position,
    player: MinimaxPlayer,
    /// The claim, as the player to move sees it.
    window: Window,
    /// As MAX sees them.
    numbers: ProofNumbers,
    /// The moves made here are those from the first of these nodes to before the last.
    children: std::ops::Range<usize>,
}

/// A partly known game tree with the proof and disproof numbers of the claim that its root is
/// worth so much or more to the player to move there, MAX.
pub struct ProofTree<'a, G: Game> {
    game: &'a G,
    nodes: Vec<Node<G>>,
}

impl<'a, G: Game> ProofTree<'a, G> {
    /// A tree of which nothing but the root is known, with the claim that it is worth `value` or
    /// more.
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

    /// Nodes of the tree.
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    /// The numbers of a node.
    pub fn numbers(&self, node: ProofNode) -> ProofNumbers {
        self.nodes[node.0].numbers
    }

    /// Who is to move at a node.
    pub fn player(&self, node: ProofNode) -> MinimaxPlayer {
        self.nodes[node.0].player
    }

    /// The position of a node, seen from the player to move; what follows a move that ended the
    /// game is none.
    pub fn position(&self, node: ProofNode) -> &G::Position {
        &self.nodes[node.0].position
    }

    /// The move that led to a node; `None` at the root.
    pub fn chosen(&self, node: ProofNode) -> Option<G::Move> {
        self.nodes[node.0].chosen
    }

    /// What the moves of a node lead to, from the left; nothing as long as it is not developed.
    pub fn children(&self, node: ProofNode) -> impl Iterator<Item = ProofNode> + use<G> {
        self.nodes[node.0].children.clone().map(ProofNode)
    }

    /// The leaf to develop next; `None` when the claim is settled.
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
            // An open child is there: it has numbers that are neither 0 nor infinite.
            let next = match (self.player(node), selection, proving) {
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

    /// Finds the value of a leaf of the game, or makes the moves of any other leaf of the tree,
    /// and takes what that tells to the root.
    pub fn develop(&mut self, leaf: ProofNode) {
        let Node { position, player, window, .. } = self.nodes[leaf.0];
        self.game.on_enter(&position, Query::Window(window));
        if self.game.is_leaf(&position) {
            self.nodes[leaf.0].numbers =
                player_sees(player, ProofNumbers::of(self.game.evaluate(&position), window));
        } else if self.nodes[leaf.0].children.is_empty() {
            let first = self.nodes.len();
            let game = self.game;
            game.for_each_move(&position, |chosen, step| {
                let window = window.after(&step);
                let next = player.after(step.next);
                let node = if step.next == Next::Over {
                    let numbers = player_sees(next, ProofNumbers::of(0, window));
                    Node { numbers, ..self.node(step.position, next, window) }
                } else {
                    self.node(step.position, next, window)
                };
                self.nodes.push(Node { parent: Some(leaf), chosen: Some(chosen), ..node });
            });
            self.nodes[leaf.0].children = first..self.nodes.len();
        }
        self.update(leaf);
    }

    /// Develops one leaf after the other until the claim is settled, which it tells, or the tree
    /// has as many nodes as given.
    pub fn search(&mut self, selection: LeafSelection, nodes: usize) -> Option<bool> {
        while self.size() < nodes
            && let Some(leaf) = self.most_proving(selection)
        {
            self.develop(leaf);
        }
        self.numbers(self.root()).answer()
    }

    /// A leaf of the tree, the root of another as yet.
    fn node(&self, position: G::Position, player: MinimaxPlayer, window: Window) -> Node<G> {
        let (window, numbers) = match settle(self.game, &position, window) {
            Ok(window) => (window, ProofNumbers::UNKNOWN),
            Err(numbers) => (window, numbers),
        };
        let numbers = player_sees(player, numbers);
        Node { parent: None, chosen: None, position, player, window, numbers, children: 0..0 }
    }

    /// Brings the numbers of a node and of all above it up to date.
    fn update(&mut self, node: ProofNode) {
        let mut next = Some(node);
        while let Some(node) = next {
            let Node { player, .. } = self.nodes[node.0];
            let mut children = self.children(node).peekable();
            if children.peek().is_some() {
                let numbers = children.map(|child| player_sees(player, self.numbers(child)));
                self.nodes[node.0].numbers = player_sees(player, ProofNumbers::of_choice(numbers));
            }
            next = self.nodes[node.0].parent;
        }
    }
}

/// The numbers that MAX sees as this player does, and the other way round.
fn player_sees(player: MinimaxPlayer, numbers: ProofNumbers) -> ProofNumbers {
    match player {
        MinimaxPlayer::Max => numbers,
        MinimaxPlayer::Min => numbers.contrary(),
    }
}
