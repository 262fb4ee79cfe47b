//! Commands of the protocol, and their text.

use std::fmt;
use std::time::Duration;

use crate::board::Side;
use crate::search::{Clock, Limits};

/// A command of the protocol: `parse` reads it from a line, and `Display` writes the line.
///
/// ```
/// use kalah::protocol::Command;
///
/// let Ok(Command::Go(go)) = "go depth 8".parse() else { panic!("a search") };
/// assert_eq!(go.limits.depth, Some(8));
/// assert_eq!(Command::Go(go).to_string(), "go depth 8");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `uci`: asks for the name and the options.
    Uci,
    /// `isready`: asks for an answer once all earlier commands have taken effect.
    IsReady,
    /// `ucinewgame`: forgets earlier games.
    UciNewGame,
    /// `setoption`: sets an option.
    SetOption {
        /// Name of the option, words separated by single spaces.
        name: String,
        /// Value; buttons have none.
        value: Option<String>,
    },
    /// `position`: sets the position to search.
    Position(PositionCommand),
    /// `go`: starts a search.
    Go(Box<Go>),
    /// `stop`: ends the search, which answers.
    Stop,
    /// `ponderhit`: the opponent has played the expected move.
    PonderHit,
    /// `debug on` or `debug off`: whether lines of the protocol are logged.
    Debug(bool),
    /// `d`: prints the board.
    Display,
    /// `eval`: prints the evaluation.
    Eval,
    /// `quit`: ends the engine.
    Quit,
}

/// The text of a position. The board that it names depends on the options, too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionCommand {
    /// The board before the moves.
    pub base: PositionBase,
    /// Letters of the moves, with or without spaces between them.
    pub moves: String,
}

impl Default for PositionCommand {
    /// The start of a game.
    fn default() -> Self {
        PositionCommand { base: PositionBase::Start, moves: String::new() }
    }
}

/// The board before the moves of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PositionBase {
    /// `startpos`: the start of a game.
    Start,
    /// `fen`: a board in the notation of [`crate::board::Board::from_fen`].
    Fen(String),
}

/// The words of `go`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// The limits except the clock and the ponderhit, which `go` gives for both sides.
    pub limits: Limits,
    /// Time left on the clocks of South and North.
    pub time: [Option<Duration>; 2],
    /// Time added to the clocks of South and North after each move.
    pub increment: [Option<Duration>; 2],
    /// Moves to the next time control.
    pub moves_to_go: Option<u32>,
    /// Whether the search ponders until the ponderhit.
    pub ponder: bool,
    /// Counts the leaves to this depth instead of searching.
    pub perft: Option<u32>,
}

impl Go {
    /// The limits with the clock of the side to move, and with the houses of `searchmoves` as that
    /// side's moves: their letters may be in either case.
    pub fn limits_for(&self, side: Side) -> Limits {
        let clock = self.time[side.index()].map(|remaining| Clock {
            remaining,
            increment: self.increment[side.index()].unwrap_or_default(),
            moves_to_go: self.moves_to_go,
        });
        let mut limits = Limits { clock, ..self.limits.clone() };
        for mv in &mut limits.searchmoves {
            mv.side = side;
        }
        limits
    }

    /// Whether the search ends without a stop when `side` is to move and its clock runs.
    pub fn is_limited_for(&self, side: Side) -> bool {
        let limits = &self.limits;
        let limited = limits.depth.is_some()
            || limits.nodes.is_some()
            || limits.iterations.is_some()
            || limits.movetime.is_some()
            || self.time[side.index()].is_some()
            || self.perft.is_some();
        limited && !limits.infinite
    }
}

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
        limits.searchmoves.iter().try_for_each(|mv| write!(f, " {mv}"))
    }
}
