//! A game that is being played: what was asked of its agents, and until when.

use std::time::Instant;

use super::referee::RefereedGame;
use super::results::Table;
use kalah::board::Side;

/// A game that is being played.
#[derive(Debug)]
pub(super) struct LiveGame {
    pub table: Table,
    pub referee: RefereedGame,
    /// Of South and North.
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

/// A request for a move.
#[derive(Debug)]
pub(super) struct Request {
    /// The number of the line.
    pub id: u64,
    /// The last move, counted from 1.
    pub chosen: Option<u64>,
    pub comment: Option<String>,
}

/// What a line of an agent means for its game.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Consequence {
    /// Nothing.
    None,
    /// Both agents are there: the game begins.
    Begins,
    /// The request is answered.
    Answered,
    /// The line is wrong.
    Wrong(&'static str),
}

/// A line about a game.
#[derive(Clone, Copy, Debug)]
pub(super) enum ClientLine {
    Pong,
    /// With the house, counted from 1.
    Move(Option<u64>),
    Yield,
}

impl LiveGame {
    /// The side of an agent.
    pub(super) fn side_of(&self, connection: u64) -> Option<Side> {
        Side::ALL.into_iter().find(|&side| self.connection(side) == connection)
    }

    pub(super) fn connection(&self, side: Side) -> u64 {
        self.connections[side as usize]
    }

    /// The side that is asked for a move.
    pub(super) fn asked(&self) -> Option<Side> {
        match self.stage {
            Stage::Asked(_) | Stage::LatePing { .. } => Some(self.referee.mover()),
            Stage::Pinging(_) | Stage::Due => None,
        }
    }

    /// The request that is open, which is over now.
    pub(super) fn take_request(&mut self) -> Option<Request> {
        match std::mem::replace(&mut self.stage, Stage::Due) {
            Stage::Asked(request) | Stage::LatePing { request, .. } => Some(request),
            Stage::Pinging(_) | Stage::Due => None,
        }
    }

    /// A line of an agent that refers to `reference`. `comment` becomes that of a move.
    pub(super) fn hear(
        &mut self,
        side: Side,
        line: ClientLine,
        reference: Option<u64>,
        comment: &mut Option<String>,
    ) -> Consequence {
        let is_asked = self.asked() == Some(side);
        match (&mut self.stage, line) {
            (Stage::Pinging(pings), ClientLine::Pong) => {
                let ping = &mut pings[side as usize];
                if ping.is_none() || *ping != reference {
                    return Consequence::None;
                }
                *ping = None;
                if *pings == [None, None] { Consequence::Begins } else { Consequence::None }
            }
            (Stage::LatePing { ping, .. }, ClientLine::Pong)
                if is_asked && reference == Some(*ping) =>
            {
                Consequence::Answered
            }
            (_, ClientLine::Pong) => Consequence::None,
            (_, _) if reference.is_none() => Consequence::Wrong("No state associated with id"),
            (Stage::Asked(request), line) if is_asked && reference == Some(request.id) => {
                match line {
                    ClientLine::Move(None) => Consequence::Wrong("expected: move NUMBER"),
                    ClientLine::Move(chosen) => {
                        request.chosen = chosen;
                        request.comment = comment.take();
                        Consequence::None
                    }
                    ClientLine::Yield | ClientLine::Pong => Consequence::Answered,
                }
            }
            // Of a request that is over.
            _ => Consequence::None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::wide_board::WideBoard;
    use super::*;
    use kalah::board::{Board, Rules};

    fn game(stage: Stage) -> Option<LiveGame> {
        let start = Board::start(Rules::default(), 4).ok()?;
        Some(LiveGame {
            table: Table { number: 1, round: 1, players: [0, 1] },
            referee: RefereedGame::new(start, WideBoard::start(6, 4), &[]),
            connections: [5, 6],
            stage,
            deadline: Instant::now(),
        })
    }

    #[test]
    fn only_the_pong_to_the_own_ping_counts() -> Result<(), &'static str> {
        let mut game = game(Stage::Pinging([Some(2), Some(4)])).ok_or("no game")?;
        let mut hear = |side, reference| game.hear(side, ClientLine::Pong, reference, &mut None);
        assert_eq!(hear(Side::South, Some(4)), Consequence::None);
        assert_eq!(hear(Side::South, None), Consequence::None);
        assert_eq!(hear(Side::South, Some(2)), Consequence::None);
        assert_eq!(hear(Side::South, Some(2)), Consequence::None);
        assert_eq!(hear(Side::North, Some(4)), Consequence::Begins);
        Ok(())
    }

    #[test]
    fn the_last_move_before_the_yield_counts() -> Result<(), &'static str> {
        let request = Request { id: 8, chosen: None, comment: None };
        let mut game = game(Stage::Asked(request)).ok_or("no game")?;
        let mut comment = Some("good".to_owned());
        let mut hear = |side, line, reference| game.hear(side, line, reference, &mut comment);
        let south = Side::South;
        assert!(matches!(hear(south, ClientLine::Move(Some(1)), None), Consequence::Wrong(_)));
        assert!(matches!(hear(south, ClientLine::Move(None), Some(8)), Consequence::Wrong(_)));
        assert_eq!(hear(south, ClientLine::Move(Some(9)), Some(8)), Consequence::None);
        assert_eq!(hear(south, ClientLine::Move(Some(2)), Some(8)), Consequence::None);
        assert_eq!(hear(south, ClientLine::Move(Some(3)), Some(6)), Consequence::None);
        assert_eq!(hear(Side::North, ClientLine::Move(Some(4)), Some(8)), Consequence::None);
        assert_eq!(hear(Side::North, ClientLine::Yield, Some(8)), Consequence::None);
        assert_eq!(hear(south, ClientLine::Yield, Some(8)), Consequence::Answered);
        assert_eq!(game.take_request().and_then(|request| request.chosen), Some(2));
        Ok(())
    }

    #[test]
    fn nothing_counts_once_the_time_is_over() -> Result<(), &'static str> {
        let request = Request { id: 8, chosen: Some(2), comment: None };
        let mut game = game(Stage::LatePing { ping: 10, request }).ok_or("no game")?;
        let mut hear = |line, reference| game.hear(Side::South, line, reference, &mut None);
        assert_eq!(hear(ClientLine::Move(Some(3)), Some(8)), Consequence::None);
        assert_eq!(hear(ClientLine::Yield, Some(8)), Consequence::None);
        assert_eq!(hear(ClientLine::Pong, Some(10)), Consequence::Answered);
        assert_eq!(game.take_request().and_then(|request| request.chosen), Some(2));
        Ok(())
    }
}
