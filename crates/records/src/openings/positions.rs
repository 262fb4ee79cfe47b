//! Candidates for openings: all positions after some plies, random ones, or those of a file.

use std::iter;
use std::path::Path;

use fastrand::Rng;
use rustc_hash::FxHashSet;

use super::OpeningError;
use crate::games_from_text;
use kalah::StopToken;
use kalah::board::{Board, Rules, Side};
use kalah::printable::counted;
use kalah::text_file;
use kalah_fair::fair_starts;

/// The maximum number of positions of a source. Each takes 56 bytes, and 112 more while the list is made.
pub(super) const MAX_POSITIONS: usize = 5_000_000;

/// Random draws in a row without a new position before a source counts as exhausted.
pub(super) const MAX_DRAWS: u32 = 1_000;

const MAX_BYTES: u64 = 1 << 30;

/// The different positions of unfinished games after `plies` plies, at least one, by their first lines.
pub(super) fn positions_after(
    start: &Board,
    plies: u32,
    stop: &StopToken,
) -> Result<Vec<Board>, OpeningError> {
    let mut boards = if start.is_over() { vec![] } else { vec![*start] };
    for ply in 1..=plies {
        let mut seen = FxHashSet::default();
        let mut next = Vec::new();
        for board in &boards {
            stop.check(OpeningError::Interrupted)?;
            for (_, after) in board.successors() {
                if !after.is_over() && seen.insert(after) {
                    next.push(after);
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
        let over = format!(
            "all games are over after {} from this start: use fewer",
            counted(plies, "ply")
        );
        return Err(OpeningError::Unusable(over));
    }
    Ok(boards)
}

/// The known fair starts of a game from its usual start, at least one.
pub(super) fn fair_positions(start: &Board) -> Result<Vec<Board>, OpeningError> {
    let (rules, seeds) = (start.rules(), start.houses(Side::South)[0]);
    if Board::start(rules, seeds).as_ref() != Ok(start) {
        let why = "fair openings need the usual start, with the same number of seeds in each house";
        return Err(OpeningError::Unusable(why.to_owned()));
    }
    let boards = fair_starts(rules, seeds);
    if boards.is_empty() {
        let (houses, rule_set) = (rules.houses(), rules.rule_set());
        return Err(OpeningError::Unusable(format!(
            "no fair starts of Kalah({houses},{seeds}) are known, {rule_set}: 'kalah fair' may find some, \
             for file=PATH"
        )));
    }
    Ok(boards)
}

/// Draws positions of unfinished games after random plies, none twice, until the first `None`.
pub(super) fn random_positions(
    start: Board,
    plies: u32,
    mut random: Rng,
) -> impl Iterator<Item = Board> {
    let mut drawn = FxHashSet::default();
    iter::from_fn(move || {
        let attempts = if drawn.len() < MAX_POSITIONS { MAX_DRAWS } else { 0 };
        let draw = |_| random_position(start, plies, &mut random);
        (0..attempts).filter_map(draw).find(|&board| drawn.insert(board))
    })
}

/// The position after random plies; `None` when the game has ended.
fn random_position(mut board: Board, plies: u32, random: &mut Rng) -> Option<Board> {
    for _ in 0..plies {
        let moves = board.moves().count() as u64;
        if moves == 0 {
            return None;
        }
        let mv = board.moves().nth(random.u64(..moves) as usize)?;
        board.play(mv).ok()?;
    }
    (!board.is_over()).then_some(board)
}

/// The different positions of a file in its order, at least one. It has lines of boards in the form of
/// [`Board::from_fen`] or of moves from `start`, and empty ones and comments that begin with `#`; or games in
/// any form. Of moves and games the first `plies` count, else all; those that are over by then are left out
/// if `plies` are given.
pub(super) fn positions_of_file(
    path: &str,
    plies: Option<u32>,
    start: &Board,
    stop: &StopToken,
) -> Result<Vec<Board>, OpeningError> {
    let text = text_file::read(Path::new(path), MAX_BYTES)
        .map_err(|source| OpeningError::Unreadable { path: path.to_owned(), source })?;
    let rule_set = start.rules().rule_set();
    let last = plies.map_or(usize::MAX, |plies| plies as usize);
    let lines = text.lines().map(str::trim_ascii).zip(1..);
    let mut lines = lines.filter(|(line, _)| !line.is_empty() && !line.starts_with('#')).peekable();
    let mut seen = FxHashSet::default();
    let mut boards = Vec::new();
    let mut add = |place: String, opening: Result<Board, String>| {
        stop.check(OpeningError::Interrupted)?;
        let board = opening
            .and_then(|board| check(board, start.rules(), plies.is_some()))
            .map_err(|reason| OpeningError::Unusable(format!("{place} of '{path}': {reason}")))?;
        if !board.is_over() && seen.insert(board) {
            boards.push(board);
        }
        if boards.len() > MAX_POSITIONS {
            let long = format!("'{path}' has more than {MAX_POSITIONS} positions");
            return Err(OpeningError::Unusable(long));
        }
        Ok(())
    };
    if lines.peek().is_some_and(|(line, _)| !line.starts_with('<') && !is_moves(line)) {
        let games = games_from_text(&text, rule_set)
            .map_err(|error| OpeningError::Unusable(format!("'{path}', {error}")))?;
        for (game, number) in games.into_iter().zip(1..) {
            let opening = game.boards().take(last.saturating_add(1)).last();
            add(format!("game {number}"), opening.ok_or_else(|| "no position".to_owned()))?;
        }
    } else {
        for (line, number) in lines {
            let opening = if is_moves(line) {
                let moves = line.split_ascii_whitespace().collect::<String>();
                let mut board = *start;
                let played = board.play_moves(moves.get(..last).unwrap_or(&moves));
                played.map(|()| board).map_err(|error| error.to_string())
            } else {
                Board::from_fen(line, rule_set).map_err(|error| error.to_string())
            };
            add(format!("line {number}"), opening)?;
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

/// The board, if it is one of this game, which may be over.
fn check(board: Board, rules: Rules, may_be_over: bool) -> Result<Board, String> {
    let (expected, found) = (rules.houses(), board.rules().houses());
    if found != expected {
        return Err(format!("{} a side, but the game has {expected}", counted(found, "house")));
    }
    let (expected, found) = (rules.rule_set(), board.rules().rule_set());
    if found != expected {
        return Err(format!("{found}, but the game has {expected}"));
    }
    if board.is_over() && !may_be_over {
        return Err("the game is over in this position".to_owned());
    }
    Ok(board)
}
