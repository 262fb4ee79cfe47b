//! Prints the exact margin of a position and of every move.
//!
//! `cargo run --release --example solve -- '<6,20,14,1,0,2,1,3,2,0,1,2,0,1,1> N'`

use std::env;
use std::error::Error;

use kalah::solve::{SolveProgress, SolveRequest, SolverResources};
use kalah::{Board, Capture, Solver, StopToken};

fn main() -> Result<(), Box<dyn Error>> {
    let fen = env::args().nth(1).unwrap_or("<6,0,0,3,3,3,3,3,3,3,3,3,3,3,3> S".to_owned());
    let board = Board::from_fen(&fen, Capture::Standard)?;
    println!("{board}");

    let mut solver = Solver::new(SolverResources::default());
    let request = SolveRequest { moves: true, line: true, ..SolveRequest::default() };
    let (stop, progress) = (StopToken::new(), SolveProgress::default());
    let solution = solver.solve_with(&board, request, &stop, &progress)?;
    println!("margin {:+} for the side to move, {} positions", solution.margin, progress.nodes());
    for (mv, margin) in solution.moves {
        println!("{mv}  {margin:+}");
    }
    print!("best play:");
    for mv in solution.line {
        print!(" {mv}");
    }
    println!();
    Ok(())
}
