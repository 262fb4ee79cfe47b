//! Tables of exact gains that the searches probe.

use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use log::warn;

use crate::board::{Board, Move, Position, RowTables, Rules};
use crate::printable::with_causes;
use crate::tablebase::{Tablebase, TablebaseFiles, gains_of_moves};

/// Exact gains of positions with few seeds: a tablebase in memory, and files for positions with more.
#[derive(Debug)]
pub struct ExactTables {
    memory: Arc<Tablebase>,
    files: Option<Arc<TablebaseFiles>>,
    /// The greatest number of seeds in the houses of a position.
    seeds: u32,
    /// Whether the damaged file of a layer has been logged.
    warned: Box<[AtomicBool]>,
}

impl ExactTables {
    /// Combines a tablebase in memory with files. Files for other rules are ignored.
    pub fn new(memory: Arc<Tablebase>, files: Option<Arc<TablebaseFiles>>) -> ExactTables {
        let files = files.filter(|files| files.rules() == memory.rules());
        let seeds = files.as_ref().map_or(0, |files| files.seeds()).max(memory.seeds());
        let warned = (0..=seeds).map(|_| AtomicBool::new(false)).collect();
        ExactTables { memory, files, seeds, warned }
    }

    /// The rules of the positions.
    pub fn rules(&self) -> Rules {
        self.memory.rules()
    }

    /// The greatest number of seeds in the houses of a position.
    pub fn seeds(&self) -> u32 {
        self.seeds
    }

    /// Whether a probe may read from a file.
    pub(super) fn has_files(&self) -> bool {
        self.files.is_some()
    }

    /// Whether the tables are these very objects.
    pub(crate) fn is_of(
        &self,
        memory: &Arc<Tablebase>,
        files: Option<&Arc<TablebaseFiles>>,
    ) -> bool {
        let same_files = self.files.as_ref().map(Arc::as_ptr) == files.map(Arc::as_ptr);
        same_files && Arc::ptr_eq(&self.memory, memory)
    }

    /// The gain of the player to move in seeds; `None` if the board has too many seeds or its block of
    /// the file is damaged. The board must be of the same rules.
    pub fn gain(&self, board: &Board) -> Option<i32> {
        self.gain_of_any(&board.position().narrow()?, board.seeds_in_play())
    }

    /// A best move of a board of the same rules; `None` if the tables lack the gain of a move.
    pub(super) fn best_move(&self, board: &Board) -> Option<Move> {
        if board.seeds_in_play() > self.seeds {
            return None;
        }
        let gains = gains_of_moves(board, |after| self.gain(after).ok_or(())).ok()?;
        gains.into_iter().rev().max_by_key(|(_, gain)| *gain).map(|(mv, _)| mv)
    }

    /// The gain of a position with this number of seeds. There are no tables of wide positions.
    #[inline]
    pub(super) fn gain_of_any<R: RowTables>(
        &self,
        position: &Position<R>,
        seeds: u32,
    ) -> Option<i32> {
        if seeds > self.seeds {
            return None;
        }
        let position: &dyn Any = position;
        let position = position.downcast_ref()?;
        if seeds <= self.memory.seeds() {
            return Some(self.memory.gain_at(self.memory.index_of(position)));
        }
        self.gain_of_file(position, seeds)
    }

    #[cold]
    fn gain_of_file(&self, position: &Position<u64>, seeds: u32) -> Option<i32> {
        match self.files.as_ref()?.gain_of_position(position) {
            Ok(gain) => gain,
            Err(error) => {
                let warned = self.warned.get(seeds as usize);
                if warned.is_some_and(|warned| !warned.swap(true, Relaxed)) {
                    warn!("{}; searching the damaged part instead", with_causes(&error));
                }
                None
            }
        }
    }
}
