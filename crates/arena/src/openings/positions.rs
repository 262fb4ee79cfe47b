//! Candidates for openings: all positions after some plies, random ones, or those of a file.

use std::array;
use std::path::Path;

use fastrand::Rng;
use rustc_hash::FxHashSet;

use super::OpeningError;
use crate::games_from_text;
use kalah::board::{Board, MAX_HOUSES, MAX_SEEDS, Rules, Side};
use kalah::text_file;

/// The maximum number of positions of a source. Each takes 36 bytes, and 72 more while the list is made.
pub(super) const MAX_POSITIONS: usize = 5_000_000;

/// Random draws in a row without a new position before a source counts as exhausted.
pub(super) const MAX_DRAWS: u32 = 1_000;

/// Most bytes of a file of positions.
const MAX_BYTES: u64 = 1 << 30;

const FIELD_BITS: u32 = 10;
const FIELDS_PER_WORD: usize = 3;
const _: () = assert!(MAX_SEEDS < 1 << FIELD_BITS);
const _: () = assert!(FIELDS_PER_WORD as u32 * FIELD_BITS <= u32::BITS);

/// South's houses, North's houses, both stores, the side to move.
const FIELDS: usize = 2 * MAX_HOUSES + 3;
const STORES: usize = 2 * MAX_HOUSES;
const SIDE_TO_MOVE: usize = STORES + 2;
const _: () = assert!(FIELDS.is_multiple_of(FIELDS_PER_WORD));

/// A board in half the memory, without its rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct PackedBoard([u32; FIELDS / FIELDS_PER_WORD]);

impl PackedBoard {
    fn new(board: &Board) -> PackedBoard {
        let mut fields = [0; FIELDS];
        for side in Side::ALL {
            let houses = board.houses(side);
            fields[side.index() * MAX_HOUSES..][..houses.len()].copy_from_slice(houses);
            fields[STORES + side.index()] = board.store(side);
        }
        fields[SIDE_TO_MOVE] = board.side().index() as u16;
        let (words, _) = fields.as_chunks::<FIELDS_PER_WORD>();
        let packed = |word: [u16; FIELDS_PER_WORD]| {
            word.into_iter().rev().fold(0, |word, field| word << FIELD_BITS | u32::from(field))
        };
        PackedBoard(array::from_fn(|word| packed(words[word])))
    }

    pub(super) fn words(&self) -> impl Iterator<Item = u32> + use<> {
        self.0.into_iter()
    }

    /// Unpacks the board; `rules` are those of the board that was packed.
    pub(super) fn board(&self, rules: Rules) -> Board {
        let fields: [u16; FIELDS] = array::from_fn(|field| {
            let shift = (field % FIELDS_PER_WORD) as u32 * FIELD_BITS;
            (self.0[field / FIELDS_PER_WORD] >> shift) as u16 & ((1 << FIELD_BITS) - 1)
        });
        let houses = Side::ALL.map(|side| &fields[side.index() * MAX_HOUSES..][..rules.houses()]);
        let stores = [fields[STORES], fields[STORES + 1]];
        let side = Side::ALL[usize::from(fields[SIDE_TO_MOVE])];
        match Board::new(rules, houses, stores, side) {
            Ok(board) => board,
            Err(_) => unreachable!("it was a board under these rules"),
        }
    }
}

/// The different positions of unfinished games after exactly `plies` plies, at least one. They
/// are sorted by the first line of moves that leads to them.
pub(super) fn positions_after(start: &Board, plies: u32) -> Result<Vec<PackedBoard>, OpeningError> {
    let rules = start.rules();
    let mut boards = if start.is_over() { vec![] } else { vec![PackedBoard::new(start)] };
    for ply in 1..=plies {
        let mut seen = FxHashSet::default();
        let mut next = Vec::new();
        for board in boards.iter().map(|board| board.board(rules)) {
            for mv in board.moves() {
                let mut after = board;
                // A legal move cannot fail.
                let _ = after.play(mv);
                let packed = PackedBoard::new(&after);
                if !after.is_over() && seen.insert(packed) {
                    next.push(packed);
                }
            }
            if next.len() > MAX_POSITIONS {
                return Err(OpeningError::TooMany { plies, ply });
            }
        }
        boards = next;
        if boards.is_empty() {
            break;
        }
    }
    if boards.is_empty() {
        let over = format!("all games are over after {plies} plies from this start: use fewer");
        return Err(OpeningError::Unusable(over));
    }
    Ok(boards)
}

/// Draws positions of unfinished games after random plies, none twice. Ends for good with the first `None`.
pub(super) struct RandomWalks {
    start: Board,
    plies: u32,
    random: Rng,
    drawn: FxHashSet<PackedBoard>,
}

impl RandomWalks {
    pub(super) fn new(start: &Board, plies: u32, random: Rng) -> RandomWalks {
        RandomWalks { start: *start, plies, random, drawn: FxHashSet::default() }
    }

    /// The position after random plies; `None` when the game has ended.
    fn draw(&mut self) -> Option<Board> {
        let mut board = self.start;
        for _ in 0..self.plies {
            let moves = board.moves().count() as u64;
            if moves == 0 {
                return None;
            }
            let mv = board.moves().nth(self.random.u64(..moves) as usize)?;
            board.play(mv).ok()?;
        }
        (!board.is_over()).then_some(board)
    }
}

impl Iterator for RandomWalks {
    type Item = PackedBoard;

    fn next(&mut self) -> Option<PackedBoard> {
        if self.drawn.len() == MAX_POSITIONS {
            return None;
        }
        for _ in 0..MAX_DRAWS {
            if let Some(board) = self.draw().map(|board| PackedBoard::new(&board))
                && self.drawn.insert(board)
            {
                return Some(board);
            }
        }
        None
    }
}

/// The different positions of a file in its order, at least one. It has lines of boards in the form of
/// [`Board::from_fen`] or of moves from `start`, and empty ones and comments that begin with `#`; or games in
/// any form. Of moves and games the first `plies` count, else all; those that are over by then are left out
/// if `plies` are given.
pub(super) fn positions_of_file(
    path: &str,
    plies: Option<u32>,
    start: &Board,
) -> Result<Vec<PackedBoard>, OpeningError> {
    let text = text_file::read(Path::new(path), MAX_BYTES)
        .map_err(|source| OpeningError::Unreadable { path: path.to_owned(), source })?;
    let wrong = |place: &str, reason: &str| {
        Err(OpeningError::Unusable(format!("{place} of '{path}': {reason}")))
    };
    let mut seen = FxHashSet::default();
    let mut boards = Vec::new();
    let mut add = |place: &str, opening: Result<Board, String>| {
        match opening.and_then(|board| check(board, start.rules())) {
            Ok(board) if board.is_over() && plies.is_some() => {}
            Ok(board) if board.is_over() => {
                return wrong(place, "the game is over in this position");
            }
            Ok(board) => {
                let packed = PackedBoard::new(&board);
                if seen.insert(packed) {
                    boards.push(packed);
                }
            }
            Err(reason) => return wrong(place, &reason),
        }
        if boards.len() > MAX_POSITIONS {
            let long = format!("'{path}' has more than {MAX_POSITIONS} positions");
            return Err(OpeningError::Unusable(long));
        }
        Ok(())
    };
    let lines = text.lines().map(str::trim_ascii).zip(1..);
    let mut lines = lines.filter(|(line, _)| !line.is_empty() && !line.starts_with('#')).peekable();
    let is_games = |(line, _): &(&str, i32)| !line.starts_with('<') && !is_moves(line);
    if lines.peek().is_some_and(is_games) {
        let games = games_from_text(&text, start.rules().capture());
        let games = games.map_err(|error| OpeningError::Unusable(format!("'{path}', {error}")))?;
        for (game, number) in games.iter().zip(1..) {
            let last = plies.map_or(usize::MAX, |plies| plies as usize);
            let opening = game.boards().take(last.saturating_add(1)).last();
            add(&format!("game {number}"), opening.ok_or_else(|| "no position".to_owned()))?;
        }
    } else {
        for (line, number) in lines {
            let opening = if is_moves(line) {
                let moves = line.split_ascii_whitespace().collect::<String>();
                let moves =
                    plies.map_or(&*moves, |plies| moves.get(..plies as usize).unwrap_or(&moves));
                let mut board = *start;
                board.play_moves(moves).map(|()| board).map_err(|error| error.to_string())
            } else {
                Board::from_fen(line, start.rules().capture()).map_err(|error| error.to_string())
            };
            add(&format!("line {number}"), opening)?;
        }
    }
    if boards.is_empty() {
        return Err(OpeningError::Unusable(format!("'{path}' has no positions")));
    }
    Ok(boards)
}

fn is_moves(line: &str) -> bool {
    line.bytes().all(|byte| byte.is_ascii_alphabetic() || byte.is_ascii_whitespace())
}

/// The board, if it is one of this game.
fn check(board: Board, rules: Rules) -> Result<Board, String> {
    let (expected, found) = (rules.houses(), board.rules().houses());
    if found != expected {
        return Err(format!("{found} houses a side, but the game has {expected}"));
    }
    let (expected, found) = (rules.capture(), board.rules().capture());
    if found != expected {
        return Err(format!("capture rule {found}, but the game has {expected}"));
    }
    Ok(board)
}
