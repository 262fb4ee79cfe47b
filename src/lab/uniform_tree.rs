//! Uniform trees: the same number of moves at every position, the same depth everywhere. Nothing
//! of them is stored; a position is known by a hash of the path that leads there.

use crate::board::Next;
use crate::search::{Game, MAX_MOVE_SCORE, ScoredMove, Transition, splitmix64};

/// What the searches take for infinity: no value reaches it. What values there are is not told
/// to them, as it is not in the papers. Twice as much is still a number.
pub const INFINITY: i32 = 1 << 29;

/// The most moves that a position can have.
pub const MAX_WIDTH: u32 = 4096;
const _: () = assert!(MAX_WIDTH < MAX_MOVE_SCORE as u32);

/// The values of the leaves, as MAX, the player to move at the root, sees them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaves {
    /// Each drawn for itself, every value from 0 up to `values`, exclusive, as likely as any
    /// other. Near [`INFINITY`], the most there can be, hardly two leaves are alike.
    Random {
        /// How many values there are.
        values: u32,
    },
    /// Perfectly ordered: the first move of every position is its best. Every other move costs
    /// who makes it something of the value of the root, which is [`UniformTree::BEST_FIRST`].
    BestFirst,
}

/// A uniform tree.
#[derive(Clone, Copy, Debug)]
pub struct UniformTree {
    width: u32,
    depth: u32,
    leaves: Leaves,
    root: u64,
}

/// A position of a uniform tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UniformNode {
    /// The hash of the path.
    path: u64,
    /// Moves from the root.
    ply: u32,
    /// What the moves that were not the first have cost, as MAX sees it.
    lost: i32,
}

impl UniformNode {
    /// Moves from the root.
    pub fn ply(&self) -> u32 {
        self.ply
    }
}

impl UniformTree {
    /// The value of perfectly ordered trees.
    pub const BEST_FIRST: i32 = 0;

    /// Takes paths apart before numbers are added to them, lest siblings of one position meet
    /// those of another.
    const SPREAD: u64 = 0xd134_2543_de82_ef95;

    /// The greatest cost of a move in a perfectly ordered tree.
    const MOST_LOST: u64 = 1000;

    /// The tree with `width` moves a position, up to [`MAX_WIDTH`], and `depth` plies. Its leaves
    /// follow from the seed.
    pub fn new(width: u32, depth: u32, leaves: Leaves, seed: u64) -> UniformTree {
        UniformTree { width: width.min(MAX_WIDTH), depth, leaves, root: splitmix64(seed) }
    }

    /// Where the tree begins.
    pub fn root(&self) -> UniformNode {
        UniformNode { path: self.root, ply: 0, lost: 0 }
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
        let cost = match self.leaves {
            Leaves::BestFirst if number > 0 => 1 + (path % Self::MOST_LOST) as i32,
            Leaves::BestFirst | Leaves::Random { .. } => 0,
        };
        let lost = node.lost + if node.ply.is_multiple_of(2) { -cost } else { cost };
        UniformNode { path, ply: node.ply + 1, lost }
    }

    /// As MAX sees it.
    fn value(&self, leaf: &UniformNode) -> i32 {
        match self.leaves {
            Leaves::Random { values } => {
                let values = u64::from(values.clamp(1, INFINITY as u32));
                (((splitmix64(leaf.path) >> 32) * values) >> 32) as i32
            }
            Leaves::BestFirst => Self::BEST_FIRST + leaf.lost,
        }
    }
}

impl Game for UniformTree {
    type Position = UniformNode;
    type Move = u32;
    type MoveList = Vec<ScoredMove<UniformNode, u32>>;

    const VALUE_STEP: i32 = 1;
    const ALTERNATES: bool = true;
    const HISTORY_SIZE: usize = MAX_WIDTH as usize;

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

    fn for_each_move(&self, node: &UniformNode, mut see: impl FnMut(u32, Transition<UniformNode>)) {
        for number in 0..self.width {
            let position = self.child(node, number);
            see(number, Transition { position, gain: 0, next: Next::Other });
        }
    }

    /// From left to right.
    fn move_score(&self, _: &UniformNode, number: u32, _: &Transition<UniformNode>) -> i32 {
        (MAX_WIDTH - number) as i32
    }

    fn history_index(&self, _: &UniformNode, number: u32) -> usize {
        number as usize
    }

    fn value_range(&self, _: &UniformNode) -> (i32, i32) {
        (-INFINITY, INFINITY)
    }
}
