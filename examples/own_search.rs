//! A search of one's own over the public board: alpha-beta in thirty lines plays a game with itself.
//!
//! `cargo run --release --example own_search -- 10` (plies)

use std::env;
use std::error::Error;

use kalah::{Board, Move, Rules};

/// The value and the best move of a board, searched `depth` plies deep: the margin in seeds from
/// the view of the side to move. The evaluation is the difference of the stores.
fn alpha_beta(board: &Board, depth: u32, mut alpha: i32, beta: i32) -> (i32, Option<Move>) {
    if let Some(margin) = board.result_for(board.side()) {
        return (margin, None);
    }
    if depth == 0 {
        return (board.store_difference(), None);
    }
    let mut best = (i32::MIN, None);
    let mut successors: Vec<(Move, Board)> = board.successors().collect();
    // From the right: the houses near the store are the ones that earn extra turns.
    while let Some((mv, after)) = successors.pop() {
        // After an extra turn the same side moves again, and the value keeps its sign.
        let value = if after.side() == board.side() {
            alpha_beta(&after, depth - 1, alpha, beta).0
        } else {
            -alpha_beta(&after, depth - 1, -beta, -alpha).0
        };
        if value > best.0 {
            best = (value, Some(mv));
        }
        alpha = alpha.max(value);
        if alpha >= beta {
            break;
        }
    }
    best
}

fn main() -> Result<(), Box<dyn Error>> {
    let depth = env::args().nth(1).map_or(Ok(8), |depth| depth.parse::<u32>())?.max(1);
    let mut board = Board::start(Rules::default(), 4)?;
    while let (value, Some(mv)) = alpha_beta(&board, depth, -1000, 1000) {
        println!("{mv} expects {value:+}");
        board.play(mv)?;
    }
    println!("{board}");
    Ok(())
}
