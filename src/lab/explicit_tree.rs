//! Trees written as text, for worked examples, and their proof numbers.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::uniform_tree::{INFINITY, MAX_WIDTH};
use crate::board::Next;
use crate::search::{
    Game, LeafSelection, MAX_DEPTH, MinimaxPlayer, ProofNumbers, ProofTree, ScoredMove, Transition,
    splitmix64,
};

/// A tree with a value of type `L` at every leaf, from the view of MAX, the player to move at the
/// root.
///
/// As text it is its leaves in nested brackets, with names in front of brackets and leaves:
///
/// ```
/// use kalah::lab::ExplicitTree;
///
/// let tree: ExplicitTree<i32> = "(5 K(8 x=15) 10)".parse()?;
/// let names: Vec<&str> = tree.nodes().map(|node| tree.name(node)).collect();
/// assert_eq!(names, ["root", "1", "K", "K.1", "x", "3"]);
/// # Ok::<(), kalah::lab::TreeParseError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ExplicitTree<L> {
    /// Parents before children.
    nodes: Vec<ParsedNode<L>>,
}

/// A position of an explicit tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExplicitNode(usize);

impl ExplicitNode {
    /// Its index in [`ExplicitTree::nodes`].
    pub fn index(self) -> usize {
        self.0
    }
}

#[derive(Clone, Debug)]
struct ParsedNode<L> {
    name: String,
    ply: u32,
    content: NodeContent<L>,
}

#[derive(Clone, Debug)]
enum NodeContent<L> {
    Leaf(L),
    Inner(Vec<ExplicitNode>),
}

/// Why a text is not a tree.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TreeParseError {
    /// A leaf is not a value.
    #[error("'{0}' is not a leaf value")]
    Leaf(String),
    /// Brackets are unbalanced, empty or too full.
    #[error("expected brackets around 1 to {MAX_WIDTH} nodes before '{0}'")]
    Brackets(String),
    /// Brackets are nested too deep.
    #[error("a tree has at most {MAX_DEPTH} plies")]
    Depth,
}

impl<L> ExplicitTree<L> {
    /// The root.
    pub fn root(&self) -> ExplicitNode {
        ExplicitNode(0)
    }

    /// All positions in preorder, from left to right.
    pub fn nodes(&self) -> impl Iterator<Item = ExplicitNode> + use<L> {
        (0..self.nodes.len()).map(ExplicitNode)
    }

    /// The name of a position. One without a name is numbered below its nearest named ancestor.
    pub fn name(&self, node: ExplicitNode) -> &str {
        &self.nodes[node.0].name
    }

    /// Moves from the root.
    pub fn ply(&self, node: ExplicitNode) -> u32 {
        self.nodes[node.0].ply
    }

    /// The player to move.
    pub fn player(&self, node: ExplicitNode) -> MinimaxPlayer {
        if self.ply(node).is_multiple_of(2) { MinimaxPlayer::Max } else { MinimaxPlayer::Min }
    }

    /// The value of a leaf; `None` at other positions.
    pub fn leaf(&self, node: ExplicitNode) -> Option<&L> {
        match &self.nodes[node.0].content {
            NodeContent::Leaf(leaf) => Some(leaf),
            NodeContent::Inner(_) => None,
        }
    }

    /// The positions after each move, from left to right.
    pub fn children(&self, node: ExplicitNode) -> &[ExplicitNode] {
        match &self.nodes[node.0].content {
            NodeContent::Leaf(_) => &[],
            NodeContent::Inner(children) => children,
        }
    }

    /// The same tree with other leaf values.
    fn map_leaves<T>(&self, leaf: impl Fn(&L) -> T) -> ExplicitTree<T> {
        let node = |node: &ParsedNode<L>| ParsedNode {
            name: node.name.clone(),
            ply: node.ply,
            content: match &node.content {
                NodeContent::Leaf(value) => NodeContent::Leaf(leaf(value)),
                NodeContent::Inner(children) => NodeContent::Inner(children.clone()),
            },
        };
        ExplicitTree { nodes: self.nodes.iter().map(node).collect() }
    }

    /// Plies from the root to the deepest leaf.
    pub fn depth(&self) -> u32 {
        self.nodes.iter().map(|node| node.ply).max().unwrap_or(0)
    }
}

impl<L: FromStr> FromStr for ExplicitTree<L> {
    type Err = TreeParseError;

    fn from_str(text: &str) -> Result<ExplicitTree<L>, TreeParseError> {
        let mut tree = ExplicitTree { nodes: Vec::new() };
        let rest = tree.parse_node(text, "root".to_owned(), 0)?;
        if rest.is_empty() { Ok(tree) } else { Err(TreeParseError::Brackets(rest.to_owned())) }
    }
}

impl<L: FromStr> ExplicitTree<L> {
    /// Adds the node at the start of a text, with its subtree. Returns the rest of the text.
    fn parse_node<'t>(
        &mut self,
        text: &'t str,
        place: String,
        ply: u32,
    ) -> Result<&'t str, TreeParseError> {
        if ply > MAX_DEPTH {
            return Err(TreeParseError::Depth);
        }
        let end = text.find(|c: char| c.is_whitespace() || "()".contains(c)).unwrap_or(text.len());
        let (word, rest) = text.split_at(end);
        let node = self.nodes.len();
        let Some(mut rest) = rest.strip_prefix('(') else {
            let (name, leaf) = word.split_once('=').unwrap_or(("", word));
            let leaf = leaf.parse().map_err(|_| TreeParseError::Leaf(word.to_owned()))?;
            self.nodes.push(ParsedNode {
                name: named(name, place),
                ply,
                content: NodeContent::Leaf(leaf),
            });
            return Ok(rest.trim_start());
        };
        let name = named(word, place);
        self.nodes.push(ParsedNode {
            name: name.clone(),
            ply,
            content: NodeContent::Inner(Vec::new()),
        });
        let mut children = Vec::new();
        rest = rest.trim_start();
        loop {
            let number = children.len() + 1;
            let place = if ply == 0 { number.to_string() } else { format!("{name}.{number}") };
            children.push(ExplicitNode(self.nodes.len()));
            rest = self.parse_node(rest, place, ply + 1)?;
            if let Some(after) = rest.strip_prefix(')') {
                rest = after.trim_start();
                break;
            }
            if rest.is_empty() || children.len() == MAX_WIDTH as usize {
                return Err(TreeParseError::Brackets(rest.to_owned()));
            }
        }
        self.nodes[node].content = NodeContent::Inner(children);
        Ok(rest)
    }
}

fn named(name: &str, place: String) -> String {
    if name.is_empty() { place } else { name.to_owned() }
}

/// Moves alternate, gains are zero, and the range of values is unknown.
impl Game for ExplicitTree<i32> {
    type Position = ExplicitNode;
    type Move = u32;
    type MoveList = Vec<ScoredMove<ExplicitNode, u32>>;

    const VALUE_STEP: i32 = 1;
    const ALTERNATES: bool = true;
    const HISTORY_SIZE: usize = MAX_WIDTH as usize;

    fn key(&self, node: &ExplicitNode) -> u64 {
        splitmix64(node.0 as u64)
    }

    fn is_leaf(&self, node: &ExplicitNode) -> bool {
        self.leaf(*node).is_some()
    }

    fn evaluate(&self, node: &ExplicitNode) -> i32 {
        let value = self.leaf(*node).copied().unwrap_or(0);
        match self.player(*node) {
            MinimaxPlayer::Max => value,
            MinimaxPlayer::Min => -value,
        }
    }

    fn for_each_move(
        &self,
        node: &ExplicitNode,
        mut visit: impl FnMut(u32, Transition<ExplicitNode>),
    ) {
        for (&position, number) in self.children(*node).iter().zip(0..) {
            visit(number, Transition { position, gain: 0, next: Next::Other });
        }
    }

    /// From left to right.
    fn move_score(&self, _: &ExplicitNode, number: u32, _: &Transition<ExplicitNode>) -> i32 {
        (MAX_WIDTH - number) as i32
    }

    fn history_index(&self, _: &ExplicitNode, number: u32) -> usize {
        number as usize
    }

    fn value_range(&self, _: &ExplicitNode) -> (i32, i32) {
        (-INFINITY, INFINITY)
    }
}

/// A leaf of a partly evaluated tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofLeaf {
    /// Evaluated.
    Known(i32),
    /// Not evaluated yet, at a cost of 1.
    Unknown,
}

/// Parses a value, or `?`.
impl FromStr for ProofLeaf {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<ProofLeaf, Self::Err> {
        if text == "?" { Ok(ProofLeaf::Unknown) } else { text.parse().map(ProofLeaf::Known) }
    }
}

impl fmt::Display for ProofLeaf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProofLeaf::Known(value) => value.fmt(f),
            ProofLeaf::Unknown => f.write_str("?"),
        }
    }
}

/// The proof numbers of a partly evaluated tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberedTree {
    /// Proof and disproof numbers of all positions, in the order of [`ExplicitTree::nodes`].
    pub numbers: Vec<ProofNumbers>,
    /// The leaf that the lecture evaluates next; `None` when the root is proved or disproved.
    pub next: Option<ExplicitNode>,
}

impl ExplicitTree<ProofLeaf> {
    /// The numbers for the claim that the root's value is at least `v`.
    pub fn proof_numbers(&self, v: i32) -> NumberedTree {
        // Unknown leaves are never expanded, so their value is arbitrary.
        let game = self.map_leaves(|leaf| match leaf {
            ProofLeaf::Known(value) => *value,
            ProofLeaf::Unknown => 0,
        });
        let mut tree = ProofTree::new(&game, game.root(), v);
        let mut open = vec![tree.root()];
        while let Some(node) = open.pop() {
            if self.leaf(*tree.position(node)) != Some(&ProofLeaf::Unknown) {
                tree.develop(node);
                open.extend(tree.children(node));
            }
        }
        let mut numbers = vec![ProofNumbers::UNKNOWN; self.nodes().count()];
        open.push(tree.root());
        while let Some(node) = open.pop() {
            numbers[tree.position(node).index()] = tree.numbers(node);
            open.extend(tree.children(node));
        }
        let next = tree.most_proving(LeafSelection::NearerGoal);
        NumberedTree { numbers, next: next.map(|node| *tree.position(node)) }
    }
}
