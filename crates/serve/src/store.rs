//! Positions that were solved, in a file of lines that outlives the process.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use kalah::board::{Board, Capture, Move, RuleSet, Rules, Sowing};
use kalah::lock::lock;
use kalah_command::say;
use kalah_records::{JsonLine, LinesFile, RecordError, read_lines};
use log::warn;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::answer::{MoveValue, PositionValue};

/// A line of the file: a line of `kalah solve --moves --json`, of which it has some members, with a line of play for
/// each move besides.
#[derive(Serialize, Deserialize)]
struct SolvedLine {
    fen: String,
    capture: String,
    sowing: String,
    moves: BTreeMap<char, i32>,
    #[serde(default)]
    lines: BTreeMap<char, String>,
}

impl JsonLine for SolvedLine {
    const NAME: &'static str = "a position with the margins of its moves";
    const BEGINNINGS: &'static [&'static [u8]] = &[br#"{"fen":"#, br#"{"format":"kalah-solve""#];
}

/// A position and the margins of its moves, as a line of a file has them.
#[derive(Clone)]
pub(crate) struct Claim {
    pub file: PathBuf,
    /// From 1.
    pub line: u64,
    pub board: Board,
    pub moves: BTreeMap<char, i32>,
    lines: BTreeMap<char, String>,
}

impl Claim {
    /// The line of play after a move with this margin: that of the file if it is one to the end of a game with the
    /// margin, else the move alone.
    pub(crate) fn line_of_play(&self, mv: Move, margin: i32) -> Vec<Move> {
        let letters = self.lines.get(&mv.letter()).map_or("", String::as_str);
        let played: Vec<(Move, Board)> =
            self.board.replay(letters.chars()).map_while(Result::ok).collect();
        let end = played.last().and_then(|(_, end)| end.result_for(self.board.side()));
        let begins_with_it = played.first().is_some_and(|(first, _)| *first == mv);
        if begins_with_it && end == Some(margin) {
            played.into_iter().map(|(mv, _)| mv).collect()
        } else {
            vec![mv]
        }
    }
}

/// Reads a file of such lines. An incomplete last line is told and left out.
pub(crate) fn claims_of(path: &Path) -> Result<Vec<Claim>, RecordError> {
    let mut lines = read_lines::<SolvedLine>(path)?;
    let mut claims = Vec::new();
    while let Some(solved) = lines.next().transpose()? {
        let (file, line) = (path.to_owned(), lines.line());
        let board = solved.board().map_err(|problem| RecordError::line(path, line, &problem))?;
        claims.push(Claim { file, line, board, moves: solved.moves, lines: solved.lines });
    }
    if lines.was_torn() {
        say!("'{}' ends with an incomplete line, which is ignored", path.display());
    }
    Ok(claims)
}

/// The place of a line in the file.
#[derive(Clone, Copy)]
struct LinePlace {
    start: u64,
    length: u32,
}

/// A position as the player to move sees it; different ones of the same key are told apart by their lines.
type Key = (Rules, u64);

/// The file, and where in it each position is. What it has of a position serves every board with the same houses
/// as seen by the player to move, for the stores only shift the margins.
pub(crate) struct Store {
    path: PathBuf,
    max_positions: usize,
    places: Mutex<FxHashMap<Key, LinePlace>>,
    reader: Mutex<File>,
    writer: Mutex<LinesFile>,
}

impl Store {
    /// Opens or creates the file, and cuts off a line that a kill has left incomplete. It keeps at most so many
    /// positions.
    pub(crate) fn open(path: &Path, max_positions: usize) -> Result<Store, RecordError> {
        let mut places = FxHashMap::default();
        let (file, was_torn) = LinesFile::open(path, |line: SolvedLine, lines| {
            let board =
                line.board().map_err(|problem| RecordError::line(path, lines.line(), &problem))?;
            let length = lines.text().len() as u32;
            if places.len() < max_positions {
                let start = lines.end() - u64::from(length);
                places.insert(key_of(&board), LinePlace { start, length });
            }
            Ok(())
        })?;
        if was_torn {
            warn!("'{}': the last line was incomplete, and is gone", path.display());
        }
        let reader = File::open(path).map_err(RecordError::io("open", path))?;
        Ok(Store {
            path: path.to_owned(),
            max_positions,
            places: Mutex::new(places),
            reader: Mutex::new(reader),
            writer: Mutex::new(file),
        })
    }

    /// The number of positions.
    pub(crate) fn positions(&self) -> usize {
        lock(&self.places).len()
    }

    /// The moves of a board, if the file has it.
    pub(crate) fn moves(&self, board: &Board) -> Option<Vec<MoveValue>> {
        let place = *lock(&self.places).get(&key_of(board))?;
        let mut text = vec![0; place.length as usize];
        let read = |text: &mut [u8]| {
            let mut file = lock(&self.reader);
            file.seek(SeekFrom::Start(place.start))?;
            file.read_exact(text)
        };
        if let Err(error) = read(&mut text) {
            warn!("cannot read '{}': {error}", self.path.display());
            return None;
        }
        let line: SolvedLine = serde_json::from_slice(&text).ok()?;
        let solved = line.board().ok().filter(|solved| is_same_position(solved, board))?;
        let shift = board.store_difference() - solved.store_difference();
        let of_move = |(letter, margin): (&char, &i32)| {
            let mv = board.legal_move(&letter.to_string())?;
            let played = |pv: &String| -> Vec<Move> {
                board.replay(pv.chars()).map_while(Result::ok).map(|(mv, _)| mv).collect()
            };
            // A line of another move says nothing of this one.
            let pv = line.lines.get(letter).map(played).filter(|pv| pv.first() == Some(&mv));
            let pv = pv.unwrap_or_else(|| vec![mv]);
            Some(MoveValue::proven(mv, margin + shift, pv))
        };
        line.moves.iter().map(of_move).collect()
    }

    /// Appends positions whose moves are all proven, as far as the file has room for them and has them not yet.
    /// Returns how many those were.
    pub(crate) fn keep(&self, solved: &[(Board, PositionValue)]) -> Result<usize, RecordError> {
        let (mut writer, mut kept) = (lock(&self.writer), 0);
        for (board, value) in solved {
            let key = key_of(board);
            let is_new = {
                let places = lock(&self.places);
                places.len() < self.max_positions && !places.contains_key(&key)
            };
            if !is_new {
                continue;
            }
            let start = writer.end();
            // Readers are not held up while the line is brought to the disk.
            writer.append(&[SolvedLine::new(board, value)])?;
            let length = (writer.end() - start) as u32;
            lock(&self.places).insert(key, LinePlace { start, length });
            kept += 1;
        }
        Ok(kept)
    }
}

impl SolvedLine {
    fn new(board: &Board, value: &PositionValue) -> SolvedLine {
        let text = |pv: &[Move]| pv.iter().map(Move::to_string).collect::<String>();
        SolvedLine {
            fen: board.fen(),
            capture: board.rules().capture().to_string(),
            sowing: board.rules().sowing().to_string(),
            moves: value.moves.iter().map(|of| (of.mv.letter(), of.margin)).collect(),
            lines: value.moves.iter().map(|of| (of.mv.letter(), text(&of.pv))).collect(),
        }
    }

    /// The board of a line that has all of its moves.
    fn board(&self) -> Result<Board, String> {
        let capture = self.capture.parse::<Capture>().map_err(|error| error.to_string())?;
        let sowing = self.sowing.parse::<Sowing>().map_err(|error| error.to_string())?;
        let board = Board::from_fen(&self.fen, RuleSet::new(capture, sowing));
        let board = board.map_err(|error| error.to_string())?;
        let mut letters: Vec<char> = board.moves().map(Move::letter).collect();
        letters.sort_unstable();
        if !self.moves.keys().eq(&letters) {
            return Err("these are not the moves of the board".to_owned());
        }
        let possible = board.possible_margins(board.side());
        // A seed that changes sides changes the margin by two.
        let is_possible =
            |margin: &i32| possible.contains(margin) && (margin - possible.start()) % 2 == 0;
        if let Some(margin) = self.moves.values().find(|margin| !is_possible(margin)) {
            return Err(format!("no play from the board ends with the margin {margin}"));
        }
        Ok(board)
    }
}

fn key_of(board: &Board) -> Key {
    (board.rules(), board.key())
}

/// Whether the players to move see the same houses.
fn is_same_position(one: &Board, other: &Board) -> bool {
    let houses =
        |board: &Board| [board.side(), !board.side()].map(|side| board.houses(side).to_vec());
    one.rules() == other.rules() && houses(one) == houses(other)
}
