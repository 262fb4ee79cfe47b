//! Trees written as text, for worked examples, and their proof numbers.

use std::str::FromStr;

use thiserror::Error;

use super::uniform_tree::{INFINITY, MAX_WIDTH};
use kalah::board::{Next, splitmix64};
use kalah::search::{
    Game, LeafSelection, MAX_DEPTH, MinimaxPlayer, ProofNumbers, ProofTree, ScoredMove, Transition,
};

/// A tree with values at its leaves, from the view of MAX, the player to move at the root. For proof
/// numbers a leaf may be unknown: not evaluated yet, at a cost of 1.
///
/// As text it is its leaves in nested brackets, with names in front of brackets and leaves; `?` is an
/// unknown leaf:
///
/// ```
/// use kalah_lab::ExplicitTree;
///
/// let tree: ExplicitTree = "(5 K(8 x=15) ?)".parse()?;
/// let names: Vec<&str> = tree.nodes().map(|node| tree.name(node)).collect();
/// assert_eq!(names, ["root", "1", "K", "K.1", "x", "3"]);
/// # Ok::<(), kalah_lab::TreeParseError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ExplicitTree {
    /// Parents before children.
    nodes: Vec<ParsedNode>,
}

/// A position of an explicit tree: its index in [`ExplicitTree::nodes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExplicitNode(pub usize);

#[derive(Clone, Debug)]
struct ParsedNode {
    name: String,
    ply: u32,
    /// The value of a leaf that is known.
    value: Option<i32>,
    /// Empty at a leaf.
    children: Vec<ExplicitNode>,
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

impl ExplicitTree {
    /// The root.
    pub fn root(&self) -> ExplicitNode {
        ExplicitNode(0)
    }

    /// All positions in preorder, from left to right.
    pub fn nodes(&self) -> impl Iterator<Item = ExplicitNode> + use<> {
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

    /// The value of a leaf; `None` at an unknown leaf and at other positions.
    pub fn value(&self, node: ExplicitNode) -> Option<i32> {
        self.nodes[node.0].value
    }

    /// The positions after each move, from left to right; none after a leaf.
    pub fn children(&self, node: ExplicitNode) -> &[ExplicitNode] {
        &self.nodes[node.0].children
    }

    /// Plies from the root to the deepest leaf.
    pub fn depth(&self) -> u32 {
        self.nodes.iter().map(|node| node.ply).max().unwrap_or(0)
    }

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
            let value = match leaf {
                "?" => None,
                _ => Some(leaf.parse().map_err(|_| TreeParseError::Leaf(word.to_owned()))?),
            };
            let name = if name.is_empty() { place } else { name.to_owned() };
            self.nodes.push(ParsedNode { name, ply, value, children: Vec::new() });
            return Ok(rest.trim_start());
        };
        let name = if word.is_empty() { place } else { word.to_owned() };
        let mut children = Vec::new();
        self.nodes.push(ParsedNode { name: name.clone(), ply, value: None, children: Vec::new() });
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
        self.nodes[node].children = children;
        Ok(rest)
    }

    /// Proof and disproof numbers of all positions, in the order of [`ExplicitTree::nodes`], for the
    /// claim that the root's value is at least `v`, and the leaf that the lecture evaluates next;
    /// `None` when the root is proved or disproved.
    pub fn proof_numbers(&self, v: i32) -> (Vec<ProofNumbers>, Option<ExplicitNode>) {
        let is_unknown = |node| self.is_leaf(&node) && self.value(node).is_none();
        let mut tree = ProofTree::new(self, self.root(), v);
        let mut open = vec![tree.root()];
        while let Some(node) = open.pop() {
            if !is_unknown(*tree.position(node)) {
                tree.develop(node);
                open.extend(tree.children(node));
            }
        }
        let mut numbers = vec![ProofNumbers::UNKNOWN; self.nodes.len()];
        for node in tree.nodes() {
            numbers[tree.position(node).0] = tree.numbers(node);
        }
        let next = tree.most_proving(LeafSelection::NearerGoal);
        (numbers, next.map(|node| *tree.position(node)))
    }
}

impl FromStr for ExplicitTree {
    type Err = TreeParseError;

    fn from_str(text: &str) -> Result<ExplicitTree, TreeParseError> {
        let mut tree = ExplicitTree { nodes: Vec::new() };
        let rest = tree.parse_node(text, "root".to_owned(), 0)?;
        if rest.is_empty() { Ok(tree) } else { Err(TreeParseError::Brackets(rest.to_owned())) }
    }
}

/// Moves alternate, gains are zero, and the range of values is unknown.
impl Game for ExplicitTree {
    type Position = ExplicitNode;
    type Move = u32;
    type MoveList = Vec<ScoredMove<ExplicitNode, u32>>;

    const VALUE_STEP: i32 = 1;
    const ALTERNATES: bool = true;

    fn key(&self, node: &ExplicitNode) -> u64 {
        splitmix64(node.0 as u64)
    }

    fn is_leaf(&self, node: &ExplicitNode) -> bool {
        self.children(*node).is_empty()
    }

    fn evaluate(&self, node: &ExplicitNode) -> i32 {
        let value = self.value(*node).unwrap_or(0);
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

    fn value_range(&self, _: &ExplicitNode) -> (i32, i32) {
        (-INFINITY, INFINITY)
    }
}
