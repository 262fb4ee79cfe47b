//! Commands as text: what a client writes. The engine reads it back as the same command.

use std::fmt;

use super::command::{Command, Go, PositionBase, PositionCommand};
use crate::board::Side;

impl fmt::Display for Command {
    /// A line without its end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Uci => f.write_str("uci"),
            Command::IsReady => f.write_str("isready"),
            Command::UciNewGame => f.write_str("ucinewgame"),
            Command::SetOption { name, value: None } => write!(f, "setoption name {name}"),
            Command::SetOption { name, value: Some(value) } => {
                write!(f, "setoption name {name} value {value}")
            }
            Command::Position(position) => write!(f, "position {position}"),
            Command::Go(go) => write!(f, "go{go}"),
            Command::Stop => f.write_str("stop"),
            Command::PonderHit => f.write_str("ponderhit"),
            Command::Debug(true) => f.write_str("debug on"),
            Command::Debug(false) => f.write_str("debug off"),
            Command::Display => f.write_str("d"),
            Command::Eval => f.write_str("eval"),
            Command::Quit => f.write_str("quit"),
        }
    }
}

impl fmt::Display for PositionCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.base {
            PositionBase::Start => f.write_str("startpos")?,
            PositionBase::Fen(fen) => write!(f, "fen {fen}")?,
        }
        if self.moves.is_empty() { Ok(()) } else { write!(f, " moves {}", self.moves) }
    }
}

impl fmt::Display for Go {
    /// The words after `go`, each after a space.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let limits = &self.limits;
        let clocks = ["stime", "ntime"].into_iter().zip(self.time);
        let increments = ["sinc", "ninc"].into_iter().zip(self.increment);
        let times = clocks.chain(increments).chain([("movetime", limits.movetime)]);
        let times = times.map(|(name, time)| (name, time.map(|time| time.as_millis())));
        let numbers = [
            ("movestogo", self.moves_to_go.map(u128::from)),
            ("depth", limits.depth.map(u128::from)),
            ("nodes", limits.nodes.map(u128::from)),
            ("iterations", limits.iterations.map(u128::from)),
            ("perft", self.perft.map(u128::from)),
        ];
        for (name, number) in times.chain(numbers) {
            if let Some(number) = number {
                write!(f, " {name} {number}")?;
            }
        }
        for (name, is_set) in [("infinite", limits.infinite), ("ponder", self.ponder)] {
            if is_set {
                write!(f, " {name}")?;
            }
        }
        if !limits.searchmoves.is_empty() {
            f.write_str(" searchmoves")?;
        }
        // Letters are read in either case.
        limits.searchmoves.iter().try_for_each(|house| write!(f, " {}", house.letter(Side::South)))
    }
}
