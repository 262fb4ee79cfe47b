//! The tree of one search for the next.

use arrayvec::ArrayVec;

use super::tree::{ROOT, Tree};
use crate::board::{Board, House, Next, Position, RowTables};
use crate::search::game::Game;
use crate::search::kalah_game::{Houses, Kalah};
use crate::search::root::Root;

/// Plies below the old root that the new one is looked for in: most turns of two players are
/// shorter.
const PLIES: usize = 6;

/// Parts of a tree with less than one in so many of its visits are not worth keeping, so not
/// worth looking at: the way is soon found, however large the tree.
const PART: u32 = 1024;

/// Nodes from the root down, the root left out.
type Path = ArrayVec<usize, PLIES>;

/// A tree, and the board that it was grown for. It knows nothing but gains, which depend on the
/// rules and the houses alone: no other setting makes it worthless.
pub(in crate::search) struct KeptTree {
    tree: Tree<House>,
    board: Option<Board>,
    mebibytes: usize,
}

impl KeptTree {
    /// No tree yet, and so much memory for one.
    pub(in crate::search) fn new(mebibytes: usize) -> KeptTree {
        KeptTree { tree: Tree::default(), board: None, mebibytes }
    }

    /// Forgets the tree.
    pub(in crate::search) fn clear(&mut self) {
        *self = KeptTree::new(self.mebibytes);
    }

    /// The tree for a root: what the last search knew of it, or an empty one.
    pub(super) fn begin<R: RowTables>(
        &mut self,
        game: &Kalah<'_, R>,
        root: &Root<'_, R>,
    ) -> &mut Tree<House> {
        match self.path_to(game, root) {
            Some(path) => path.into_iter().for_each(|child| self.tree.advance(child)),
            None => self.tree.restart(root.board.rules().houses(), self.mebibytes),
        }
        self.board = Some(*root.board);
        &mut self.tree
    }

    /// The way to the new root; of several the one taken most often.
    fn path_to<R: RowTables>(&self, game: &Kalah<'_, R>, root: &Root<'_, R>) -> Option<Path> {
        let board = self.board.as_ref().filter(|board| board.rules() == root.board.rules())?;
        let side = board.side();
        let position = Position::new(root.sowings, board.houses(side), board.houses(!side))?;
        let seeds = board.seeds_in_play() as i32;
        let mut lookout = Lookout {
            tree: &self.tree,
            game,
            wanted: root.houses,
            least: (self.tree[ROOT].visits / PART).max(1),
            path: Path::new(),
            found: None,
        };
        lookout.look(ROOT, &Houses { position, seeds });
        lookout.found.map(|(_, path)| path)
    }
}

/// On the lookout for a position in a tree.
struct Lookout<'a, R: RowTables> {
    tree: &'a Tree<House>,
    game: &'a Kalah<'a, R>,
    wanted: Houses<R>,
    /// Visits that make a node worth a look.
    least: u32,
    path: Path,
    /// The way to the position with the most visits so far, and their number.
    found: Option<(u32, Path)>,
}

impl<R: RowTables> Lookout<'_, R> {
    fn look(&mut self, at: usize, houses: &Houses<R>) {
        let visits = self.tree[at].visits;
        if houses.position == self.wanted.position {
            if self.found.as_ref().is_none_or(|(most, _)| visits > *most) {
                self.found = Some((visits, self.path.clone()));
            }
            return;
        }
        // Seeds do not come back from a store.
        if self.path.is_full() || houses.seeds < self.wanted.seeds {
            return;
        }
        for child in self.tree.children(at) {
            let node = &self.tree[child];
            if node.visits < self.least {
                continue;
            }
            let step = node.chosen.and_then(|house| self.game.play(houses, house));
            if let Some(step) = step
                && step.next != Next::Over
            {
                self.path.push(child);
                self.look(child, &step.position);
                self.path.pop();
            }
        }
    }
}
