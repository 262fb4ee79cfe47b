//! All positions so many plies from the start.

use rustc_hash::FxHashSet;

use super::MOST_POSITIONS;
use super::compact::CompactBoard;
use super::error::OpeningError;
use crate::board::Board;

/// The different positions of unfinished games after exactly so many plies; one at least. They
/// are in the order of the moves that lead there, by the first line that does.
pub(super) fn positions(start: &Board, plies: u32) -> Result<Vec<CompactBoard>, OpeningError> {
    let rules = start.rules();
    let mut boards = if start.is_over() { vec![] } else { vec![CompactBoard::new(start)] };
    for ply in 1..=plies {
        let mut known = FxHashSet::default();
        let mut next = Vec::new();
        for board in boards.iter().map(|board| board.board(rules)) {
            for house in board.moves() {
                let mut after = board;
                // One of its own moves.
                let _ = after.play(house);
                let compact = CompactBoard::new(&after);
                if !after.is_over() && known.insert(compact) {
                    next.push(compact);
                }
            }
            if next.len() > MOST_POSITIONS {
                return Err(OpeningError::TooMany { plies, ply });
            }
        }
        boards = next;
        if boards.is_empty() {
            break;
        }
    }
    if boards.is_empty() { Err(OpeningError::AllOver { plies }) } else { Ok(boards) }
}
