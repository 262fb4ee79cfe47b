//! The tree of a Monte Carlo search, in a node pool of fixed capacity, and its reuse in the next search.

use std::ops::Range;

use arrayvec::ArrayVec;

use crate::board::{Board, House, Next, RowTables};
use crate::search::game::Game;
use crate::search::job::RootPosition;
use crate::search::kalah_game::{Houses, KalahGame};
use crate::search::transposition_table::memory_budget;
use crate::search::value::Transition;

/// A move of the tree. All gains are from the view of its player, counted from before the move.
#[derive(Clone, Copy, Debug)]
pub(super) struct MctsNode<M> {
    /// The sum of the gains of all games through this node.
    pub sum: i64,
    /// The number of these games.
    pub visits: u32,
    /// The index of the first child; 0 if the node has not been expanded.
    children: u32,
    /// The proven lower bound of the gain.
    pub lower: i32,
    /// The proven upper bound of the gain.
    pub upper: i32,
    gain: i32,
    next: Next,
    /// The move; `None` at the root and in unused nodes.
    pub mv: Option<M>,
}

const _: () = assert!(size_of::<MctsNode<House>>() == 32);

impl<M> MctsNode<M> {
    const UNUSED: MctsNode<M> = MctsNode {
        sum: 0,
        visits: 0,
        children: 0,
        lower: 0,
        upper: 0,
        gain: 0,
        next: Next::Again,
        mv: None,
    };

    /// A root without bounds, as a move that gains nothing and keeps the turn.
    const ROOT: MctsNode<M> = MctsNode { lower: i32::MIN, upper: i32::MAX, ..MctsNode::UNUSED };

    /// A move that leads to a position with this range of values.
    pub(super) fn new<P>(mv: M, transition: &Transition<P>, range: (i32, i32)) -> MctsNode<M> {
        let node = MctsNode { gain: transition.gain, next: transition.next, ..MctsNode::UNUSED };
        let (lower, upper) = node.range_before(range);
        MctsNode { lower, upper, mv: Some(mv), ..node }
    }

    /// Converts a gain after the move, as the next player sees it, to the gain before the move.
    #[inline]
    pub(super) fn gain_before(&self, after: i32) -> i32 {
        Transition { position: (), gain: self.gain, next: self.next }.gain_before(after)
    }

    /// Converts a range of gains after the move to the range before it.
    #[inline]
    pub(super) fn range_before(&self, (min, max): (i32, i32)) -> (i32, i32) {
        let (a, b) = (self.gain_before(min), self.gain_before(max));
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

    /// The mean gain of the games, limited to the proven bounds.
    #[inline]
    pub(super) fn mean(&self) -> f64 {
        let mean = self.sum as f64 / f64::from(self.visits.max(1));
        mean.clamp(f64::from(self.lower), f64::from(self.upper))
    }
}

/// A tree in a pool of nodes: the root, then blocks of equal size, each for the moves of one position.
pub(super) struct MctsTree<M> {
    pub nodes: Vec<MctsNode<M>>,
    /// The number of nodes in a block.
    width: usize,
    capacity: usize,
    /// Free blocks. The blocks below them are freed lazily, when they are reused, so that discarding a
    /// large tree takes no time (J. Weizenbaum, *Symmetric list processor*, 1963).
    discarded: Vec<u32>,
}

pub(super) const ROOT: usize = 0;

impl<M> Default for MctsTree<M> {
    fn default() -> Self {
        MctsTree { nodes: Vec::new(), width: 1, capacity: 0, discarded: Vec::new() }
    }
}

impl<M: Copy> MctsTree<M> {
    /// Resets the tree to a new root, for positions of at most `width` moves. The first call sets the capacity.
    pub(super) fn restart(&mut self, width: usize, mebibytes: usize) {
        self.nodes.clear();
        self.discarded.clear();
        self.width = width;
        if self.capacity == 0 {
            // Indices have 32 bits.
            self.capacity =
                (memory_budget(mebibytes) / size_of::<MctsNode<M>>()).min(u32::MAX as usize);
        }
        // Reserving everything now avoids reallocation; pages are allocated on first use.
        while self.nodes.try_reserve_exact(self.capacity).is_err() {
            self.capacity /= 2;
        }
        self.nodes.push(MctsNode::ROOT);
    }

    /// The indices of the children of a node.
    #[inline]
    pub(super) fn children(&self, index: usize) -> Range<usize> {
        let first = self.nodes[index].children as usize;
        if first == 0 {
            return 0..0;
        }
        let block = &self.nodes[first..first + self.width];
        let used = block.iter().take_while(|node| node.mv.is_some()).count();
        first..first + used
    }

    /// Allocates the children of a node; `None` if the pool is full.
    pub(super) fn expand(&mut self, index: usize) -> Option<&mut [MctsNode<M>]> {
        let first = self.allocate()?;
        self.nodes[index].children = first as u32;
        Some(&mut self.nodes[first..first + self.width])
    }

    fn allocate(&mut self) -> Option<usize> {
        if let Some(first) = self.discarded.pop() {
            let first = first as usize;
            let block = &mut self.nodes[first..first + self.width];
            let below = block.iter().map(|node| node.children).filter(|&children| children != 0);
            self.discarded.extend(below);
            block.fill(MctsNode::UNUSED);
            return Some(first);
        }
        let first = self.nodes.len();
        if first + self.width > self.capacity {
            return None;
        }
        self.nodes.resize(first + self.width, MctsNode::UNUSED);
        Some(first)
    }

    /// Makes a child of the root the new root. Its bounds must be recomputed from its children.
    pub(super) fn advance(&mut self, child: usize) {
        self.discarded.push(self.nodes[ROOT].children);
        let MctsNode { visits, children, .. } = self.nodes[child];
        // Keeps the subtree when its siblings are discarded.
        self.nodes[child].children = 0;
        self.nodes[ROOT] = MctsNode { visits, children, ..MctsNode::ROOT };
    }

    /// The part of the pool in use, including discarded nodes, in permille.
    pub(super) fn permille_full(&self) -> u32 {
        (self.nodes.len() * 1000 / self.capacity.max(1)) as u32
    }
}

/// The plies below the old root in which the new root is sought: most turns of both players are shorter.
const MAX_PLIES: usize = 6;

/// Subtrees with less than this fraction of all visits are not searched for the new root, to find it soon.
const MIN_FRACTION: u32 = 1024;

/// Nodes from the root downwards, without the root.
type Path = ArrayVec<usize, MAX_PLIES>;

/// A tree and the board it was grown for. It contains nothing but gains, which depend on the rules and
/// the houses alone, so it remains valid when other options change.
pub(in crate::search) struct ReusedTree {
    tree: MctsTree<House>,
    board: Option<Board>,
    mebibytes: usize,
}

impl ReusedTree {
    /// An empty tree that may grow to `mebibytes` MiB.
    pub(in crate::search) fn new(mebibytes: usize) -> ReusedTree {
        ReusedTree { tree: MctsTree::default(), board: None, mebibytes }
    }

    /// The tree for a root position: the matching subtree of the last search, or an empty tree.
    pub(super) fn advance_to<R: RowTables>(
        &mut self,
        game: &KalahGame<'_, R>,
        root: &RootPosition<'_, R>,
    ) -> &mut MctsTree<House> {
        match self.path_to(game, root) {
            Some(path) => path.into_iter().for_each(|child| self.tree.advance(child)),
            None => self.tree.restart(root.board.rules().houses(), self.mebibytes),
        }
        self.board = Some(*root.board);
        &mut self.tree
    }

    /// The path to the new root; if there are several, the most visited one.
    fn path_to<R: RowTables>(
        &self,
        game: &KalahGame<'_, R>,
        root: &RootPosition<'_, R>,
    ) -> Option<Path> {
        let board = self.board.as_ref().filter(|board| board.rules() == root.board.rules())?;
        let position = board.position_in(root.sowings)?;
        let mut finder = PositionFinder {
            tree: &self.tree,
            game,
            target: root.houses,
            min_visits: (self.tree.nodes[ROOT].visits / MIN_FRACTION).max(1),
            path: Path::new(),
            found: None,
        };
        finder.search(ROOT, &Houses::new(root.sowings, position));
        finder.found.map(|(_, path)| path)
    }
}

/// A depth-first search for a position in a tree.
struct PositionFinder<'a, R: RowTables> {
    tree: &'a MctsTree<House>,
    game: &'a KalahGame<'a, R>,
    target: Houses<R>,
    /// Nodes with fewer visits are skipped.
    min_visits: u32,
    path: Path,
    /// The most visited path to the position so far, with the number of visits.
    found: Option<(u32, Path)>,
}

impl<R: RowTables> PositionFinder<'_, R> {
    fn search(&mut self, index: usize, houses: &Houses<R>) {
        let visits = self.tree.nodes[index].visits;
        if houses.position == self.target.position {
            if self.found.as_ref().is_none_or(|(max_visits, _)| visits > *max_visits) {
                self.found = Some((visits, self.path.clone()));
            }
            return;
        }
        // Seeds never leave a store.
        if self.path.is_full() || houses.seeds < self.target.seeds {
            return;
        }
        for child in self.tree.children(index) {
            let node = &self.tree.nodes[child];
            if node.visits < self.min_visits {
                continue;
            }
            let transition = node.mv.and_then(|house| self.game.play(houses, house));
            if let Some(transition) = transition
                && transition.next != Next::Over
            {
                self.path.push(child);
                self.search(child, &transition.position);
                self.path.pop();
            }
        }
    }
}
