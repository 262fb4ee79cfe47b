//! A board that was looked up, as text and JSON.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use kalah::board::{Board, Move};
use serde::Serialize;

use kalah_command::output::JsonOutput;

/// A board with its exact value. Fields that `kalah solve --json` has too have the same names.
#[derive(Serialize)]
pub(super) struct ProbedBoard {
    fen: String,
    capture: String,
    /// Seeds in the houses.
    seeds: u32,
    /// All values are from the view of the player to move, in seeds.
    margin: i32,
    gain: i32,
    best: Vec<char>,
    /// Margins by letter.
    moves: BTreeMap<char, i32>,
}

impl ProbedBoard {
    /// A board with its gain and those of its moves.
    pub(super) fn new(board: &Board, gain: i32, moves: &[(Move, i32)]) -> ProbedBoard {
        let stores = board.store_difference();
        let margin = stores + gain;
        let margin_of = |&(mv, gain): &(Move, i32)| (mv.letter(), stores + gain);
        let moves: BTreeMap<char, i32> = moves.iter().map(margin_of).collect();
        let is_best = |of_move: &(&char, &i32)| *of_move.1 == margin;
        ProbedBoard {
            fen: board.fen(),
            capture: board.rules().capture().to_string(),
            seeds: board.seeds_in_play(),
            margin,
            gain,
            best: moves.iter().filter(is_best).map(|(letter, _)| *letter).collect(),
            moves,
        }
    }

    /// A line for each field and each move.
    pub(super) fn text(&self) -> String {
        let ProbedBoard { margin, gain, .. } = self;
        let letters: Vec<String> = self.best.iter().map(char::to_string).collect();
        let best = if letters.is_empty() {
            "none, the game is over".to_owned()
        } else {
            letters.join(" ")
        };
        let mut text = format!("margin {margin:+}\ngain   {gain:+}\nbest   {best}");
        for (letter, of_move) in &self.moves {
            let gain = gain + of_move - margin;
            let _ = write!(text, "\n{letter}      margin {of_move:+}, gain {gain:+}");
        }
        text
    }
}

impl JsonOutput for ProbedBoard {
    const FORMAT: &'static str = "kalah-probe";
}
