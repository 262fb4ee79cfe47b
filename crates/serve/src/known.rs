//! What is known without a search: finished games, books, tablebases, and the store.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use kalah::board::{Board, Move, Rules};
use kalah::book::{Book, best_line};
use kalah::lock::lock;
use kalah::printable::with_causes;
use kalah::tablebase::{MAX_TABLE_HOUSES, TablebaseError, TablebaseFiles, gains_of_moves};
use log::warn;

use crate::answer::{MoveValue, PositionValue, Source};
use crate::store::Store;

/// Where exact values are looked up, in this order: books, tablebases, the store.
#[derive(Default)]
pub(crate) struct ExactSources {
    /// A book besides the one of the program.
    pub book: Option<Arc<Book>>,
    /// The directory of tablebases.
    pub tablebase: Option<PathBuf>,
    /// Those that were opened; none for rules of which there are none, or whose files are damaged.
    pub files: Mutex<HashMap<Rules, Option<Arc<TablebaseFiles>>>>,
    pub store: Option<Store>,
}

impl ExactSources {
    /// The values of a board, if they are known.
    pub(crate) fn value(&self, board: &Board) -> Option<PositionValue> {
        if board.is_over() {
            return Some(PositionValue::new(board, Source::Over, Vec::new()));
        }
        if let Some((source, moves)) = self.margins(board) {
            let line = |mv| best_line(board, mv, |after| Some(self.margins(after)?.1));
            let moves = moves.into_iter();
            let moves = moves.map(|(mv, margin)| MoveValue::proven(mv, margin, line(mv)));
            return Some(PositionValue::new(board, source, moves.collect()));
        }
        let moves = self.store.as_ref()?.moves(board)?;
        Some(PositionValue::new(board, Source::Store, moves))
    }

    /// The margins of the moves of a board that a book or a tablebase has.
    fn margins(&self, board: &Board) -> Option<(Source, Vec<(Move, i32)>)> {
        if board.is_over() {
            return None;
        }
        let mut books = [self.book.as_deref(), Book::embedded()].into_iter().flatten();
        let in_book = books.find_map(|book| {
            let probed = book.probe(board);
            probed.inspect_err(|error| warn!("no book: {}", with_causes(error))).ok().flatten()
        });
        if let Some(entry) = in_book {
            return Some((Source::Book, entry.moves));
        }
        let (seeds, stores) = (board.seeds_in_play(), board.store_difference());
        let files = self.files(board.rules()).filter(|files| seeds <= files.seeds())?;
        let gain = |board: &Board| {
            files.gain(board)?.ok_or_else(|| TablebaseError::Seeds(board.seeds_in_play()))
        };
        let gains = gains_of_moves(board, gain);
        let gains = gains.inspect_err(|error| warn!("no tables: {}", with_causes(error))).ok()?;
        let margins = gains.into_iter().map(|(mv, gain)| (mv, stores + gain));
        Some((Source::Tablebase, margins.collect()))
    }

    /// The tablebases of these rules.
    fn files(&self, rules: Rules) -> Option<Arc<TablebaseFiles>> {
        let directory = self.tablebase.as_deref()?;
        if rules.houses() > MAX_TABLE_HOUSES {
            return None;
        }
        let open = || {
            let files = TablebaseFiles::open(directory, rules);
            let files = files.inspect_err(|error| warn!("no tables: {}", with_causes(error)));
            files.ok().flatten().map(Arc::new)
        };
        lock(&self.files).entry(rules).or_insert_with(open).clone()
    }
}
