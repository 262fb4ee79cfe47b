//! Whoever plays: what the referee asks for and hears.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::board::{Board, Capture, House, Move};
use crate::protocol::{Go, HeardScore};

/// A player at the board.
pub(crate) trait Player: Send {
    /// Gets ready for a game: nothing of earlier games is remembered.
    fn prepare(&mut self, game: &GameSetup) -> Result<(), Trouble>;

    /// Finds a move; the clock runs meanwhile.
    fn think(&mut self, task: &Task) -> Result<Answer, Trouble>;
}

/// What a player has to know of a game before it begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GameSetup {
    pub capture: Capture,
    /// What chance is drawn from in this game.
    pub random_seed: u64,
}

/// A move to be found.
pub(crate) struct Task<'a> {
    /// Where the game began.
    pub opening: &'a Board,
    /// What was played since.
    pub moves: &'a [Move],
    /// What has come of it.
    pub board: &'a Board,
    pub go: Go,
    /// After how long an answer comes too late.
    pub forfeit_after: Option<Duration>,
    /// After how long the player counts as stalled, where no clock says more.
    pub deadline: Duration,
}

/// A move, and what the player says of it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Answer {
    pub house: House,
    pub thought: Thought,
    /// Time from the question to the answer.
    pub time: Duration,
}

/// What a player says of a move it makes; nothing has to be true, or be said.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Thought {
    pub score: Option<HeardScore>,
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
}

/// Why there is no move.
#[derive(Clone, Debug, PartialEq, Error)]
pub(crate) enum Trouble {
    /// The player's fault.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// Nobody wants the game any more.
    #[error("interrupted")]
    Interrupted,
}

/// What loses a game other than the play.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{kind}: {detail}")]
pub struct Fault {
    /// What it is.
    pub kind: FaultKind,
    /// More of it, for people.
    pub detail: String,
}

/// The faults there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum FaultKind {
    /// The clock ran out.
    #[serde(rename = "time forfeit")]
    TimeForfeit,
    /// A move against the rules, or none.
    #[serde(rename = "illegal move")]
    IllegalMove,
    /// The program ended, or closed its output.
    #[serde(rename = "crashed")]
    Crashed,
    /// The program did not answer, where no clock was running.
    #[serde(rename = "stalled")]
    Stalled,
}

impl Fault {
    pub(crate) fn new(kind: FaultKind, detail: impl Into<String>) -> Fault {
        Fault { kind, detail: detail.into() }
    }
}

impl std::fmt::Display for FaultKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            FaultKind::TimeForfeit => "time forfeit",
            FaultKind::IllegalMove => "illegal move",
            FaultKind::Crashed => "crashed",
            FaultKind::Stalled => "stalled",
        })
    }
}

/// Whether an answer that took so long came too late.
pub(crate) fn is_overdue(task: &Task, time: Duration) -> bool {
    time > task.forfeit_after.unwrap_or(task.deadline)
}

/// The fault of a player who has thought for so long, which is too long.
pub(crate) fn overdue(task: &Task, time: Duration) -> Fault {
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    if let Some(limit) = task.forfeit_after {
        let (limit, time) = (milliseconds(limit), milliseconds(time));
        let detail = format!("no move within {limit:.1} ms, after {time:.1} ms");
        return Fault::new(FaultKind::TimeForfeit, detail);
    }
    let detail = format!("no move within {} s", task.deadline.as_secs_f64());
    Fault::new(FaultKind::Stalled, detail)
}
