//! A solved board as text and JSON.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use kalah::board::{Board, Move};
use kalah::solve::Solution;
use serde::Serialize;

use kalah_command::output::RuleMembers;
use kalah_command::table::grouped;

/// The exact margin of a position.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct SolvedBoard {
    /// The board as FEN, with the side to move.
    pub fen: String,
    #[serde(flatten)]
    rules: RuleMembers,
    /// The final difference of the stores with best play, in seeds, from the view of the side
    /// to move.
    pub margin: i32,
    /// The margin after each move, from the same view, by its letter; absent without --moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Option<kalah_command::schemas::MovesByLetter<i32>>"))]
    moves: Option<BTreeMap<char, i32>>,
    /// The letters of best play of both sides, to the end of the game.
    pv: Vec<String>,
    /// Positions searched.
    pub nodes: u64,
    /// The time that it took, in seconds.
    pub seconds: f64,
}

impl SolvedBoard {
    /// A board with its solution, which has the margins of the moves if they were asked for, and the nodes and
    /// time that it took.
    pub(super) fn new(
        board: &Board,
        solution: &Solution,
        has_moves: bool,
        nodes: u64,
        time: Duration,
    ) -> SolvedBoard {
        let moves = solution.moves.iter().map(|(mv, margin)| (mv.letter(), *margin));
        SolvedBoard {
            fen: board.fen(),
            rules: board.rules().into(),
            margin: solution.margin,
            moves: has_moves.then(|| moves.collect()),
            pv: solution.line.iter().map(Move::to_string).collect(),
            nodes,
            seconds: time.as_secs_f64(),
        }
    }

    /// The letters of the moves and their margins; none without --moves.
    pub(super) fn moves_text(&self, separator: &str) -> String {
        let moves = self.moves.iter().flatten();
        let moves: Vec<_> = moves.map(|(letter, margin)| format!("{letter} {margin}")).collect();
        moves.join(separator)
    }

    /// A line for each field.
    pub(super) fn text(&self) -> String {
        let SolvedBoard { fen, margin, nodes, seconds, pv, .. } = self;
        let mut text = format!("board   {fen}\nmargin  {margin}\n");
        if self.moves.is_some() {
            let _ = writeln!(text, "moves   {}", self.moves_text("  "));
        }
        let _ = writeln!(text, "pv      {}", pv.join(" "));
        let _ = write!(text, "nodes   {} in {seconds:.2} s", grouped(*nodes));
        text
    }

    /// All on one line, without the principal variation.
    pub(super) fn line(&self) -> String {
        let mut line = format!("{} margin {}", self.fen, self.margin);
        if self.moves.is_some() {
            let _ = write!(line, " moves {}", self.moves_text(" "));
        }
        line.trim_end().to_owned()
    }
}
