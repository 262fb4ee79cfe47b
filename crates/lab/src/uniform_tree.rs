//! Uniform trees: the same number of moves at every position and all leaves at the same depth. They
//! are not stored; a position is identified by a hash of its path.

use kalah::board::{Next, splitmix64};
use kalah::search::{Game, MAX_MOVE_SCORE, ScoredMove, Transition};

/// The bound of the root window, beyond all values. As in the papers, the searches do not know the
/// range of the leaf values. Twice as much still fits in the type.
pub const INFINITY: i32 = 1 << 29;

/// Maximum number of moves at a position.
pub const MAX_WIDTH: u32 = 4096;
const _: () = assert!(MAX_WIDTH < MAX_MOVE_SCORE as u32);

/// The leaf values, from the view of MAX, the player to move at the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeafValues {
    /// Independent and uniform from 0 to this number, exclusive. It is at most [`INFINITY`]: then
    /// hardly two leaves are equal.
    Random(u32),
    /// Perfectly ordered: the first move of every position is the best, and every other one costs
    /// the player who makes it some of the root's value, [`UniformTree::BEST_FIRST`].
    BestFirst,
}

/// A uniform tree.
#[derive(Clone, Copy, Debug)]
pub struct UniformTree {
    width: u32,
    depth: u32,
    leaves: LeafValues,
    root: u64,
}

/// A position of a uniform tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UniformNode {
    /// Hash of the path.
    path: u64,
    /// Moves from the root.
    pub ply: u32,
    /// The costs of the moves that were not the best, from MAX's view.
    cost: i32,
}

impl UniformTree {
    /// The root value of perfectly ordered trees.
    pub const BEST_FIRST: i32 = 0;

    /// Multiplied into a path before a move is added, so that children of different positions do not
    /// collide.
    const SPREAD: u64 = 0xd134_2543_de82_ef95;

    /// The maximum cost of a move in a perfectly ordered tree.
    const MAX_COST: u64 = 1000;

    /// A tree with `width` moves at every position, at most [`MAX_WIDTH`], and `depth` plies. The
    /// leaf values depend on `seed` only.
    pub fn new(width: u32, depth: u32, leaves: LeafValues, seed: u64) -> UniformTree {
        UniformTree { width: width.min(MAX_WIDTH), depth, leaves, root: splitmix64(seed) }
    }

    /// The root position.
    pub fn root(&self) -> UniformNode {
        UniformNode { path: self.root, ply: 0, cost: 0 }
    }

    /// Moves at every position.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Plies from the root to the leaves.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    fn child(&self, node: &UniformNode, number: u32) -> UniformNode {
        let path = splitmix64(node.path.wrapping_mul(Self::SPREAD).wrapping_add(u64::from(number)));
        let own = match self.leaves {
            LeafValues::BestFirst if number > 0 => 1 + (path % Self::MAX_COST) as i32,
            LeafValues::BestFirst | LeafValues::Random(_) => 0,
        };
        let cost = node.cost + if node.ply.is_multiple_of(2) { -own } else { own };
        UniformNode { path, ply: node.ply + 1, cost }
    }

    /// The value of a leaf from MAX's view.
    fn value(&self, leaf: &UniformNode) -> i32 {
        match self.leaves {
            LeafValues::Random(values) => {
                let values = u64::from(values.clamp(1, INFINITY as u32));
                (((splitmix64(leaf.path) >> 32) * values) >> 32) as i32
            }
            LeafValues::BestFirst => Self::BEST_FIRST + leaf.cost,
        }
    }
}

impl Game for UniformTree {
    type Position = UniformNode;
    type Move = u32;
    type MoveList = Vec<ScoredMove<UniformNode, u32>>;

    const VALUE_STEP: i32 = 1;
    const ALTERNATES: bool = true;

    fn key(&self, node: &UniformNode) -> u64 {
        node.path
    }

    fn is_leaf(&self, node: &UniformNode) -> bool {
        node.ply >= self.depth || self.width == 0
    }

    fn evaluate(&self, node: &UniformNode) -> i32 {
        let value = self.value(node);
        if node.ply.is_multiple_of(2) { value } else { -value }
    }

    fn for_each_move(
        &self,
        node: &UniformNode,
        mut visit: impl FnMut(u32, Transition<UniformNode>),
    ) {
        for number in 0..self.width {
            let position = self.child(node, number);
            visit(number, Transition { position, gain: 0, next: Next::Other });
        }
    }

    /// From left to right.
    fn move_score(&self, _: &UniformNode, number: u32, _: &Transition<UniformNode>) -> i32 {
        (MAX_WIDTH - number) as i32
    }

    fn value_range(&self, _: &UniformNode) -> (i32, i32) {
        (-INFINITY, INFINITY)
    }
}
