//! Positions from a file.

use std::fs;
use std::io::{self, ErrorKind};

use rustc_hash::FxHashSet;

use super::MOST_POSITIONS;
use super::compact::CompactBoard;
use super::error::{OpeningError, OpeningLineError};
use crate::board::{Board, Rules};

/// What some editors put before the first line.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// The different positions of a file, in its order; one at least. Each line is a board in the
/// form of [`Board::from_fen`]; empty lines and such that begin with `#` mean nothing.
pub(super) fn positions(path: &str, rules: Rules) -> Result<Vec<CompactBoard>, OpeningError> {
    let name = || path.to_owned();
    let bytes = read(path).map_err(|source| OpeningError::Unreadable { path: name(), source })?;
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&bytes);
    let mut known = FxHashSet::default();
    let mut boards = Vec::new();
    for (text, line) in bytes.split(|&byte| byte == b'\n').zip(1..) {
        let text = text.trim_ascii();
        if text.is_empty() || text.starts_with(b"#") {
            continue;
        }
        let board = position(&String::from_utf8_lossy(text), rules)
            .map_err(|source| OpeningError::Line { path: name(), line, source })?;
        let compact = CompactBoard::new(&board);
        if known.insert(compact) {
            boards.push(compact);
        }
        if boards.len() > MOST_POSITIONS {
            return Err(OpeningError::LongFile { path: name() });
        }
    }
    if boards.is_empty() { Err(OpeningError::EmptyFile { path: name() }) } else { Ok(boards) }
}

/// All of an ordinary file; others may have no end.
fn read(path: &str) -> io::Result<Vec<u8>> {
    if fs::metadata(path)?.is_file() {
        fs::read(path)
    } else {
        Err(io::Error::new(ErrorKind::InvalidInput, "it is not a regular file"))
    }
}

fn position(text: &str, rules: Rules) -> Result<Board, OpeningLineError> {
    let board = Board::from_fen(text, rules.capture())?;
    let (expected, found) = (rules.houses(), board.rules().houses());
    if found != expected {
        return Err(OpeningLineError::Houses { expected, found });
    }
    if board.is_over() {
        return Err(OpeningLineError::Over);
    }
    Ok(board)
}
