//! A solved board as text and JSON.

use std::fmt::Write as _;
use std::time::Duration;

use kalah::board::{Board, Move};
use kalah::solve::Solution;
use serde::ser::{Serialize, SerializeMap, SerializeStruct, Serializer};

use super::super::table::grouped;

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
    fn moves(&self) -> impl Iterator<Item = (char, i32)> {
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
}

impl Serialize for SolvedBoard {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("SolvedBoard", 7)?;
        fields.serialize_field("fen", &self.board.fen())?;
        fields.serialize_field("capture", &self.board.rules().capture().to_string())?;
        fields.serialize_field("margin", &self.solution.margin)?;
        if self.has_moves {
            fields.serialize_field("moves", &MoveMargins(self))?;
        }
        fields.serialize_field("pv", &self.principal_variation())?;
        fields.serialize_field("nodes", &self.nodes)?;
        fields.serialize_field("seconds", &self.time.as_secs_f64())?;
        fields.end()
    }
}

/// A map from letters to margins, in the order of the houses.
struct MoveMargins<'a>(&'a SolvedBoard);

impl Serialize for MoveMargins<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut moves = serializer.serialize_map(None)?;
        for (letter, margin) in self.0.moves() {
            moves.serialize_entry(&letter, &margin)?;
        }
        moves.end()
    }
}
