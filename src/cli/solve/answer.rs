//! What is told of a solved board.

use std::fmt::Write as _;
use std::time::Duration;

use kalah::board::{Board, House};
use kalah::solve::Solution;
use serde::ser::{Serialize, SerializeMap, SerializeStruct, Serializer};

use super::super::table::grouped;

/// A solved board with the work that it took.
pub(super) struct Answer {
    pub board: Board,
    pub solution: Solution,
    pub nodes: u64,
    pub time: Duration,
    pub moves_wanted: bool,
}

impl Answer {
    /// Letters of the houses, with the margins.
    fn moves(&self) -> impl Iterator<Item = (char, i32)> {
        let side = self.board.side();
        self.solution.moves.iter().map(move |(house, margin)| (house.letter(side), *margin))
    }

    /// The moves of the line.
    fn line_of_play(&self) -> Vec<String> {
        let mut board = self.board;
        let play = |house| {
            let letter = House::letter(house, board.side());
            board.play(house).is_ok().then(|| letter.to_string())
        };
        self.solution.line.iter().copied().map_while(play).collect()
    }

    /// For people: a line for each thing to know.
    pub(super) fn text(&self) -> String {
        let Answer { board, solution, nodes, time, .. } = self;
        let mut text = format!("board   {}\nmargin  {}\n", board.fen(), solution.margin);
        if self.moves_wanted {
            let moves: Vec<_> =
                self.moves().map(|(letter, margin)| format!("{letter} {margin}")).collect();
            let _ = writeln!(text, "moves   {}", moves.join("  "));
        }
        let _ = writeln!(text, "pv      {}", self.line_of_play().join(" "));
        let _ = write!(text, "nodes   {} in {:.2} s", grouped(*nodes), time.as_secs_f64());
        text
    }

    /// All on one line, the board first.
    pub(super) fn line(&self) -> String {
        let mut line = format!("{} margin {}", self.board.fen(), self.solution.margin);
        if self.moves_wanted {
            line.push_str(" moves");
            for (letter, margin) in self.moves() {
                let _ = write!(line, " {letter} {margin}");
            }
        }
        line
    }
}

impl Serialize for Answer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut answer = serializer.serialize_struct("Answer", 7)?;
        answer.serialize_field("fen", &self.board.fen())?;
        answer.serialize_field("capture", &self.board.rules().capture().to_string())?;
        answer.serialize_field("margin", &self.solution.margin)?;
        if self.moves_wanted {
            answer.serialize_field("moves", &Moves(self))?;
        }
        answer.serialize_field("pv", &self.line_of_play())?;
        answer.serialize_field("nodes", &self.nodes)?;
        answer.serialize_field("seconds", &self.time.as_secs_f64())?;
        answer.end()
    }
}

/// Moves in the order of the houses.
struct Moves<'a>(&'a Answer);

impl Serialize for Moves<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut moves = serializer.serialize_map(None)?;
        for (letter, margin) in self.0.moves() {
            moves.serialize_entry(&letter, &margin)?;
        }
        moves.end()
    }
}
