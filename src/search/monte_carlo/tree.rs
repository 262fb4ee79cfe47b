//! The tree of a Monte Carlo search, in memory that does not grow.

use std::ops::{Index, IndexMut, Range};

use crate::board::{House, Next};
use crate::search::spare::bytes_to_spare;
use crate::search::step::Transition;

/// A move of the tree and what is known of it. All gains are those of the position that the move
/// is made in, as the player who makes it sees them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<M> {
    /// The sum of the gains of all games that went through here.
    pub sum: i64,
    /// The number of these games.
    pub visits: u32,
    /// Where the moves of the position reached begin; 0 when it has not been expanded.
    children: u32,
    /// The gain by the move is proven to be at least this.
    pub lower: i32,
    /// The gain by the move is proven to be at most this.
    pub upper: i32,
    /// What the move gains at once.
    gain: i32,
    /// Who moves after it.
    next: Next,
    /// The move; `None` at the root and in places not in use.
    pub chosen: Option<M>,
}

const _: () = assert!(size_of::<Node<House>>() == 32);

impl<M> Node<M> {
    const UNUSED: Node<M> = Node {
        sum: 0,
        visits: 0,
        children: 0,
        lower: 0,
        upper: 0,
        gain: 0,
        next: Next::Again,
        chosen: None,
    };

    /// The root, of whose value nothing is known. It counts as a move that gains nothing and
    /// leaves the turn where it is.
    const ROOT: Node<M> = Node { lower: i32::MIN, upper: i32::MAX, ..Node::UNUSED };

    /// A move that leads to a position with values in this range.
    pub(super) fn new<P>(chosen: M, step: &Transition<P>, range: (i32, i32)) -> Node<M> {
        let node = Node { gain: step.gain, next: step.next, ..Node::UNUSED };
        let (lower, upper) = node.range_before(range);
        Node { lower, upper, chosen: Some(chosen), ..node }
    }

    /// The gain by the move when this is the gain of the player to move after it.
    #[inline]
    pub(super) fn before(&self, after: i32) -> i32 {
        Transition { position: (), gain: self.gain, next: self.next }.before(after)
    }

    /// The range of the gain by the move when this is that of the player to move after it.
    #[inline]
    pub(super) fn range_before(&self, (least, most): (i32, i32)) -> (i32, i32) {
        let (a, b) = (self.before(least), self.before(most));
        (a.min(b), a.max(b))
    }

    #[inline]
    pub(super) fn is_solved(&self) -> bool {
        self.lower == self.upper
    }

    #[inline]
    pub(super) fn is_expanded(&self) -> bool {
        self.children != 0
    }

    /// The mean of the games, as far as it is not known better.
    #[inline]
    pub(super) fn mean(&self) -> f64 {
        let mean = self.sum as f64 / f64::from(self.visits.max(1));
        mean.clamp(f64::from(self.lower), f64::from(self.upper))
    }
}

/// Moves in a pool of nodes. The first is the root; after it come blocks of equal size, each for
/// the moves of one position.
pub(super) struct Tree<M> {
    nodes: Vec<Node<M>>,
    /// Nodes in a block.
    width: usize,
    /// Most nodes there can be.
    capacity: usize,
    /// Blocks that are no longer part of the tree. The blocks below them have not been looked at:
    /// they are when the memory is needed, so that throwing away a large tree takes no time
    /// (J. Weizenbaum, *Symmetric list processor*, 1963).
    discarded: Vec<u32>,
}

/// Where the root is.
pub(super) const ROOT: usize = 0;

impl<M> Default for Tree<M> {
    fn default() -> Self {
        Tree { nodes: Vec::new(), width: 1, capacity: 0, discarded: Vec::new() }
    }
}

impl<M> Index<usize> for Tree<M> {
    type Output = Node<M>;

    #[inline]
    fn index(&self, at: usize) -> &Node<M> {
        &self.nodes[at]
    }
}

impl<M> IndexMut<usize> for Tree<M> {
    #[inline]
    fn index_mut(&mut self, at: usize) -> &mut Node<M> {
        &mut self.nodes[at]
    }
}

impl<M: Copy> Tree<M> {
    /// A new root and nothing else, for positions of at most `width` moves, in a pool of at most
    /// so much memory, always the same.
    pub(super) fn restart(&mut self, width: usize, mebibytes: usize) {
        self.nodes.clear();
        self.discarded.clear();
        self.width = width;
        if self.capacity == 0 {
            // Places have numbers of 32 bits.
            self.capacity =
                (bytes_to_spare(mebibytes) / size_of::<Node<M>>()).min(u32::MAX as usize);
        }
        // What is reserved at once is never moved, and no memory is taken before it is used.
        while self.nodes.try_reserve_exact(self.capacity).is_err() {
            self.capacity /= 2;
        }
        self.nodes.push(Node::ROOT);
    }

    /// Places for the moves of a position.
    #[inline]
    pub(super) fn children(&self, at: usize) -> Range<usize> {
        let first = self.nodes[at].children as usize;
        if first == 0 {
            return 0..0;
        }
        let block = &self.nodes[first..first + self.width];
        let used = block.iter().take_while(|node| node.chosen.is_some()).count();
        first..first + used
    }

    /// Room for the moves of a position; `None` when there is none left.
    pub(super) fn expand(&mut self, at: usize) -> Option<&mut [Node<M>]> {
        let first = self.allocate()?;
        self.nodes[at].children = first as u32;
        Some(&mut self.nodes[first..first + self.width])
    }

    fn allocate(&mut self) -> Option<usize> {
        if let Some(first) = self.discarded.pop() {
            let first = first as usize;
            let block = &mut self.nodes[first..first + self.width];
            let below = block.iter().map(|node| node.children).filter(|&children| children != 0);
            self.discarded.extend(below);
            block.fill(Node::UNUSED);
            return Some(first);
        }
        let first = self.nodes.len();
        if first + self.width > self.capacity {
            return None;
        }
        self.nodes.resize(first + self.width, Node::UNUSED);
        Some(first)
    }

    /// Makes the position after one of the moves of the root the root. Its bounds are left to be
    /// found again from its moves.
    pub(super) fn advance(&mut self, child: usize) {
        self.discarded.push(self.nodes[ROOT].children);
        let Node { visits, children, .. } = self.nodes[child];
        // Not to be discarded with its siblings.
        self.nodes[child].children = 0;
        self.nodes[ROOT] = Node { visits, children, ..Node::ROOT };
    }

    /// Parts in a thousand of the pool in use, discarded nodes among them.
    pub(super) fn permille_full(&self) -> u32 {
        (self.nodes.len() * 1000 / self.capacity.max(1)) as u32
    }
}
