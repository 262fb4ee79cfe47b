//! Positions as the page needs them: the page never works out rules.

use serde_json::{Value, json};

use kalah::board::{Board, Move, MoveTrace, Next, Pit, Side};

/// A position with its legal moves, as JSON.
pub fn position_json(board: &Board) -> Value {
    let traces = board.moves().filter_map(|mv| Some(move_json(mv, &board.trace(mv).ok()?)));
    json!({
        "board": board.fen(),
        "houses": board.rules().houses(),
        "south": board.houses(Side::South),
        "north": board.houses(Side::North),
        "stores": Side::ALL.map(|side| board.store(side)),
        "turn": board.side().to_string(),
        // The margin for South of a game that is over.
        "result": board.result(),
        "seeds": board.seeds_in_play(),
        "moves": traces.collect::<Vec<_>>(),
    })
}

fn move_json(mv: Move, trace: &MoveTrace) -> Value {
    // A letter for each seed sown; `+` is South's store, `-` North's.
    let pit = |pit: &Pit| match pit {
        Pit::House(mv) => mv.letter(),
        Pit::Store(Side::South) => '+',
        Pit::Store(Side::North) => '-',
    };
    let letters = |houses: &[Move]| houses.iter().map(Move::to_string).collect::<Vec<_>>();
    let capture = trace.capture.as_ref();
    json!({
        "move": mv.to_string(),
        "path": trace.path.iter().map(pit).collect::<String>(),
        // The relay picks up the seeds of the house of the last of so many seeds.
        "pickUps": trace.pick_ups.iter().map(|pick_up| pick_up.after).collect::<Vec<_>>(),
        "capture": capture.map(|(from, seeds)| json!({"from": letters(from), "seeds": seeds})),
        "again": trace.next == Next::Again,
        "sweep": trace.sweep.map(|(side, seeds)| json!({"side": side.to_string(), "seeds": seeds})),
        "board": trace.board.fen(),
    })
}
