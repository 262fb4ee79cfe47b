//! Positions as the page needs them: the page never works out rules.

use serde::Serialize;

use kalah::board::{Board, Move, MoveTrace, Next, Pit, Side};

/// A position with its legal moves.
#[derive(Debug, Serialize)]
pub struct PositionReply {
    board: String,
    houses: usize,
    south: Vec<u16>,
    north: Vec<u16>,
    stores: [u16; 2],
    turn: String,
    /// The margin for South of a game that is over.
    result: Option<i32>,
    seeds: u32,
    moves: Vec<MoveReply>,
}

#[derive(Debug, Serialize)]
struct MoveReply {
    r#move: String,
    /// A letter for each seed sown; `+` is South's store, `-` North's.
    path: String,
    capture: Option<CaptureReply>,
    again: bool,
    sweep: Option<SweepReply>,
    board: String,
}

#[derive(Debug, Serialize)]
struct CaptureReply {
    from: Vec<String>,
    seeds: u16,
}

#[derive(Debug, Serialize)]
struct SweepReply {
    side: String,
    seeds: u16,
}

impl From<&Board> for PositionReply {
    fn from(board: &Board) -> PositionReply {
        let stores = Side::ALL.map(|side| board.store(side));
        let traces = board.moves().filter_map(|mv| Some((mv, board.trace(mv).ok()?)));
        PositionReply {
            board: board.fen(),
            houses: board.rules().houses(),
            south: board.houses(Side::South).to_vec(),
            north: board.houses(Side::North).to_vec(),
            stores,
            turn: board.side().to_string(),
            result: board.result(),
            seeds: board.seeds_in_play(),
            moves: traces.map(|(mv, trace)| MoveReply::new(mv, &trace)).collect(),
        }
    }
}

impl MoveReply {
    fn new(mv: Move, trace: &MoveTrace) -> MoveReply {
        let pit = |pit: &Pit| match pit {
            Pit::House(mv) => mv.letter(),
            Pit::Store(Side::South) => '+',
            Pit::Store(Side::North) => '-',
        };
        let capture = trace.capture.as_ref().map(|(from, seeds)| CaptureReply {
            from: from.iter().map(Move::to_string).collect(),
            seeds: *seeds,
        });
        MoveReply {
            r#move: mv.to_string(),
            path: trace.path.iter().map(pit).collect(),
            capture,
            again: trace.next == Next::Again,
            sweep: trace.sweep.map(|(side, seeds)| SweepReply { side: side.to_string(), seeds }),
            board: trace.board.fen(),
        }
    }
}
