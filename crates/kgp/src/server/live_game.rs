//! A game that is being played: what was asked of its agents, and until when.

use std::time::Instant;

use super::referee::RefereedGame;
use super::results::ScheduledGame;
use crate::line::Line;
use kalah::board::Side;

/// In place of a connection, for the player that is the server in an exam.
pub(super) const EXAMINER: u64 = u64::MAX;

#[derive(Debug)]
pub(super) struct LiveGame {
    pub scheduled: ScheduledGame,
    pub referee: RefereedGame,
    /// Of South and North; [`EXAMINER`] for the server.
    pub connections: [u64; 2],
    pub stage: Stage,
    /// When the stage is over.
    pub deadline: Instant,
}

/// What the referee waits for.
#[derive(Debug)]
pub(super) enum Stage {
    /// The pongs of South and North to pings of these numbers, before the first move.
    Pinging([Option<u64>; 2]),
    /// A move.
    Asked(Request),
    /// The pong of the side to move, whose time was over.
    LatePing { ping: u64, request: Request },
    /// Nothing: it is the server's turn.
    Due,
}

#[derive(Debug)]
pub(super) struct Request {
    /// The number of the line.
    pub id: u64,
    /// The last move, counted from 1.
    pub chosen: Option<u64>,
    pub comment: Option<String>,
}

impl LiveGame {
    pub(super) fn side_of(&self, connection: u64) -> Option<Side> {
        Side::ALL.into_iter().find(|&side| self.connection(side) == connection)
    }

    pub(super) fn connection(&self, side: Side) -> u64 {
        self.connections[side.index()]
    }

    /// The side that is asked for a move.
    pub(super) fn asked(&self) -> Option<Side> {
        match self.stage {
            Stage::Asked(_) | Stage::LatePing { .. } => Some(self.referee.board.side()),
            Stage::Pinging(_) | Stage::Due => None,
        }
    }

    /// The request that is open, which is over now, and the connection that was asked.
    pub(super) fn take_request(&mut self) -> Option<(u64, Request)> {
        let asked = self.connection(self.referee.board.side());
        match std::mem::replace(&mut self.stage, Stage::Due) {
            Stage::Asked(request) | Stage::LatePing { request, .. } => Some((asked, request)),
            Stage::Pinging(_) | Stage::Due => None,
        }
    }

    /// A line `pong`, `move` or `yield` of an agent. `comment` becomes that of a move. Returns whether the
    /// game goes on, since nothing is waited for any more; or what is wrong with the line.
    pub(super) fn handle_line(
        &mut self,
        side: Side,
        line: &Line,
        comment: &mut Option<String>,
    ) -> Result<bool, &'static str> {
        let is_asked = self.asked() == Some(side);
        match (&mut self.stage, line.command.as_str(), line.reference) {
            (Stage::Pinging(pings), "pong", Some(reference)) => {
                let is_answered = pings[side.index()].take_if(|ping| *ping == reference).is_some();
                Ok(is_answered && *pings == [None, None])
            }
            (Stage::LatePing { ping, .. }, "pong", reference) => {
                Ok(is_asked && reference == Some(*ping))
            }
            (_, "pong", _) => Ok(false),
            (_, _, None) => Err("No state associated with id"),
            (Stage::Asked(request), command, Some(id)) if is_asked && id == request.id => {
                if command == "yield" {
                    return Ok(true);
                }
                request.chosen = Some(line.number(0).ok_or("expected: move NUMBER")?);
                request.comment = comment.take();
                Ok(false)
            }
            // Of a request that is over.
            _ => Ok(false),
        }
    }
}
