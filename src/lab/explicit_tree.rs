//! Trees drawn by hand.

use std::str::FromStr;

use thiserror::Error;

use super::uniform_tree::{INFINITY, MAX_WIDTH};
use crate::board::Next;
use crate::search::{Game, MAX_DEPTH, MinimaxPlayer, ScoredMove, Transition, splitmix64};

/// A tree with a value of kind `L` at every leaf, as MAX, the player to move at the root, sees it.
///
/// It is written as its leaves in nested brackets; names stand before brackets and leaves:
///
/// ```
/// use kalah::lab::ExplicitTree;
///
/// let tree: ExplicitTree<i32> = "(5 K(8 x=15) 10)".parse()?;
/// let names: Vec<&str> = tree.nodes().map(|node| tree.name(node)).collect();
/// assert_eq!(names, ["root", "1", "K", "K.1", "x", "3"]);
/// # Ok::<(), kalah::lab::TreeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ExplicitTree<L> {
    /// Parents before children.
    nodes: Vec<Drawn<L>>,
}

/// A position of an explicit tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExplicitNode(usize);

impl ExplicitNode {
    /// Its place among [`ExplicitTree::nodes`].
    pub fn index(self) -> usize {
        self.0
    }
}

#[derive(Clone, Debug)]
struct Drawn<L> {
    name: String,
    ply: u32,
    kind: Kind<L>,
}

#[derive(Clone, Debug)]
enum Kind<L> {
    Leaf(L),
    Inner(Vec<ExplicitNode>),
}

/// What is wrong with the text of a tree.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TreeError {
    /// A leaf that is no value.
    #[error("'{0}' is no leaf")]
    Leaf(String),
    /// Brackets that do not pair, or that hold nothing or too much.
    #[error("brackets around from 1 to {MAX_WIDTH} nodes are missing before '{0}'")]
    Brackets(String),
    /// Brackets in brackets, too many times over.
    #[error("a tree can be {MAX_DEPTH} plies deep")]
    Depth,
}

impl<L> ExplicitTree<L> {
    /// Where the tree begins.
    pub fn root(&self) -> ExplicitNode {
        ExplicitNode(0)
    }

    /// All positions, each before those below it, and from left to right.
    pub fn nodes(&self) -> impl Iterator<Item = ExplicitNode> + use<L> {
        (0..self.nodes.len()).map(ExplicitNode)
    }

    /// The name of a position. Those that were given none are named by their place below the
    /// nearest position that was.
    pub fn name(&self, node: ExplicitNode) -> &str {
        &self.nodes[node.0].name
    }

    /// Moves from the root.
    pub fn ply(&self, node: ExplicitNode) -> u32 {
        self.nodes[node.0].ply
    }

    /// Who is to move.
    pub fn player(&self, node: ExplicitNode) -> MinimaxPlayer {
        if self.ply(node).is_multiple_of(2) { MinimaxPlayer::Max } else { MinimaxPlayer::Min }
    }

    /// What stands at a leaf; `None` at other positions.
    pub fn leaf(&self, node: ExplicitNode) -> Option<&L> {
        match &self.nodes[node.0].kind {
            Kind::Leaf(leaf) => Some(leaf),
            Kind::Inner(_) => None,
        }
    }

    /// The positions one move on, from left to right.
    pub fn children(&self, node: ExplicitNode) -> &[ExplicitNode] {
        match &self.nodes[node.0].kind {
            Kind::Leaf(_) => &[],
            Kind::Inner(children) => children,
        }
    }

    /// The same tree with other things at its leaves.
    pub(super) fn with_leaves<T>(&self, leaf: impl Fn(&L) -> T) -> ExplicitTree<T> {
        let node = |node: &Drawn<L>| Drawn {
            name: node.name.clone(),
            ply: node.ply,
            kind: match &node.kind {
                Kind::Leaf(known) => Kind::Leaf(leaf(known)),
                Kind::Inner(children) => Kind::Inner(children.clone()),
            },
        };
        ExplicitTree { nodes: self.nodes.iter().map(node).collect() }
    }

    /// Plies from the root to the leaf that is farthest away.
    pub fn depth(&self) -> u32 {
        self.nodes.iter().map(|node| node.ply).max().unwrap_or(0)
    }
}

impl<L: FromStr> FromStr for ExplicitTree<L> {
    type Err = TreeError;

    fn from_str(text: &str) -> Result<ExplicitTree<L>, TreeError> {
        let mut tree = ExplicitTree { nodes: Vec::new() };
        let rest = tree.read(text, "root".to_owned(), 0)?;
        if rest.is_empty() { Ok(tree) } else { Err(TreeError::Brackets(rest.to_owned())) }
    }
}

impl<L: FromStr> ExplicitTree<L> {
    /// Adds the node that a text begins with and all below; returns the rest of the text.
    fn read<'t>(&mut self, text: &'t str, place: String, ply: u32) -> Result<&'t str, TreeError> {
        if ply > MAX_DEPTH {
            return Err(TreeError::Depth);
        }
        let end = text.find(|c: char| c.is_whitespace() || "()".contains(c)).unwrap_or(text.len());
        let (word, rest) = text.split_at(end);
        let node = self.nodes.len();
        let Some(mut rest) = rest.strip_prefix('(') else {
            let (name, leaf) = word.split_once('=').unwrap_or(("", word));
            let leaf = leaf.parse().map_err(|_| TreeError::Leaf(word.to_owned()))?;
            self.nodes.push(Drawn { name: named(name, place), ply, kind: Kind::Leaf(leaf) });
            return Ok(rest.trim_start());
        };
        let name = named(word, place);
        self.nodes.push(Drawn { name: name.clone(), ply, kind: Kind::Inner(Vec::new()) });
        let mut children = Vec::new();
        rest = rest.trim_start();
        loop {
            let number = children.len() + 1;
            let place = if ply == 0 { number.to_string() } else { format!("{name}.{number}") };
            children.push(ExplicitNode(self.nodes.len()));
            rest = self.read(rest, place, ply + 1)?;
            if let Some(after) = rest.strip_prefix(')') {
                rest = after.trim_start();
                break;
            }
            if rest.is_empty() || children.len() == MAX_WIDTH as usize {
                return Err(TreeError::Brackets(rest.to_owned()));
            }
        }
        self.nodes[node].kind = Kind::Inner(children);
        Ok(rest)
    }
}

fn named(name: &str, place: String) -> String {
    if name.is_empty() { place } else { name.to_owned() }
}

/// All plies count, and no values are known before they are seen.
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
        mut see: impl FnMut(u32, Transition<ExplicitNode>),
    ) {
        for (&position, number) in self.children(*node).iter().zip(0..) {
            see(number, Transition { position, gain: 0, next: Next::Other });
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
