//! A solved board as text and JSON.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use kalah::board::{Board, Move};
use kalah::solve::Solution;
use serde::Serialize;

use kalah_command::output::JsonOutput;
use kalah_command::table::grouped;

/// A solved board, with the nodes and time that it took.
pub(super) struct SolvedBoard {
    pub board: Board,
    pub solution: Solution,
    pub nodes: u64,
    pub time: Duration,
    /// Whether the solution has the margins of the moves.
    pub has_moves: bool,
}

impl SolvedBoard {
    /// The letters of the moves and their margins.
    pub(super) fn moves(&self) -> impl Iterator<Item = (char, i32)> {
        self.solution.moves.iter().map(|(mv, margin)| (mv.letter(), *margin))
    }

    /// The letters of the principal variation.
    fn principal_variation(&self) -> Vec<String> {
        self.solution.line.iter().map(Move::to_string).collect()
    }

    /// A line for each field.
    pub(super) fn text(&self) -> String {
        let SolvedBoard { board, solution, nodes, time, .. } = self;
        let mut text = format!("board   {}\nmargin  {}\n", board.fen(), solution.margin);
        if self.has_moves {
            let moves: Vec<_> =
                self.moves().map(|(letter, margin)| format!("{letter} {margin}")).collect();
            let _ = writeln!(text, "moves   {}", moves.join("  "));
        }
        let _ = writeln!(text, "pv      {}", self.principal_variation().join(" "));
        let _ = write!(text, "nodes   {} in {:.2} s", grouped(*nodes), time.as_secs_f64());
        text
    }

    /// All on one line, without the principal variation.
    pub(super) fn line(&self) -> String {
        let mut line = format!("{} margin {}", self.board.fen(), self.solution.margin);
        if self.has_moves {
            line.push_str(" moves");
            for (letter, margin) in self.moves() {
                let _ = write!(line, " {letter} {margin}");
            }
        }
        line
    }

    pub(super) fn json(&self) -> SolvedJson {
        SolvedJson {
            fen: self.board.fen(),
            capture: self.board.rules().capture().to_string(),
            margin: self.solution.margin,
            moves: self.has_moves.then(|| self.moves().collect()),
            pv: self.principal_variation(),
            nodes: self.nodes,
            seconds: self.time.as_secs_f64(),
        }
    }
}

/// The exact margin of a position.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct SolvedJson {
    /// The board as FEN, with the side to move.
    fen: String,
    /// The capture rule.
    #[cfg_attr(test, schemars(with = "kalah_command::schemas::CaptureRule"))]
    capture: String,
    /// The final difference of the stores with best play, in seeds, from the view of the side
    /// to move.
    margin: i32,
    /// The margin after each move, from the same view, by its letter; absent without --moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Option<kalah_command::schemas::MovesByLetter<i32>>"))]
    moves: Option<BTreeMap<char, i32>>,
    /// The letters of best play of both sides, to the end of the game.
    pv: Vec<String>,
    /// Positions searched.
    nodes: u64,
    /// The time that it took, in seconds.
    seconds: f64,
}

impl JsonOutput for SolvedJson {
    const FORMAT: &'static str = "kalah-solve";
}
