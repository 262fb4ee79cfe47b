//! Reusing the tree of one Monte Carlo search in the next.

use arrayvec::ArrayVec;

use super::tree::{MctsTree, ROOT};
use crate::board::{Board, House, Next, Position, RowTables};
use crate::search::game::Game;
use crate::search::job::RootPosition;
use crate::search::kalah_game::{Houses, KalahGame};

/// The plies below the old root in which the new root is searched for: most turns of two players are
/// shorter.
const MAX_PLIES: usize = 6;

/// Subtrees with less than this fraction of all visits are not searched for the new root, so that it
/// is found quickly however large the tree is.
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

    /// Discards the tree.
    pub(in crate::search) fn clear(&mut self) {
        *self = ReusedTree::new(self.mebibytes);
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
        let side = board.side();
        let position = Position::new(root.sowings, board.houses(side), board.houses(!side))?;
        let seeds = board.seeds_in_play() as i32;
        let mut finder = PositionFinder {
            tree: &self.tree,
            game,
            target: root.houses,
            min_visits: (self.tree.nodes[ROOT].visits / MIN_FRACTION).max(1),
            path: Path::new(),
            found: None,
        };
        finder.search(ROOT, &Houses { position, seeds });
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
