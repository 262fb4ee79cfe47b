//! A board that was looked up, as text and JSON.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;

use kalah::board::{Board, Move};
use serde::Serialize;

use kalah_command::output::{OutputOption, RuleMembers};

/// The exact value of a position and of its moves. Members that `kalah solve --json` has too
/// have the same names.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct ProbedBoard {
    /// The board as FEN, with the side to move.
    fen: String,
    #[serde(flatten)]
    rules: RuleMembers,
    /// Seeds in the houses.
    seeds: u32,
    /// The final difference of the stores with best play, in seeds, from the view of the side
    /// to move.
    margin: i32,
    /// The part of the margin that the stores do not hold yet.
    gain: i32,
    /// The letters of the moves that reach the margin; empty when the game is over.
    best: Vec<char>,
    /// The margin after each move, from the same view, by its letter.
    #[cfg_attr(test, schemars(with = "kalah_command::schemas::MovesByLetter<i32>"))]
    moves: BTreeMap<char, i32>,
}

impl ProbedBoard {
    /// A board with its margin and those of its moves.
    pub(super) fn new(
        board: &Board,
        margin: i32,
        moves: impl IntoIterator<Item = (Move, i32)>,
    ) -> ProbedBoard {
        let moves: BTreeMap<char, i32> =
            moves.into_iter().map(|(mv, margin)| (mv.letter(), margin)).collect();
        ProbedBoard {
            fen: board.fen(),
            rules: board.rules().into(),
            seeds: board.seeds_in_play(),
            margin,
            gain: margin - board.store_difference(),
            best: moves.iter().filter(|of| *of.1 == margin).map(|of| *of.0).collect(),
            moves,
        }
    }

    /// Prints the text below a diagram of the board, or JSON.
    pub(super) fn print(&self, board: &Board, output: OutputOption) -> anyhow::Result<()> {
        writeln!(output.text(), "{board}\n\n{}", self.text())?;
        output.print("kalah-probe", self)
    }

    /// A line for each field and each move.
    fn text(&self) -> String {
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
