//! Reads the moves of a game and says which of them gave seeds away, and how many, by exact values.
//!
//! `cargo run --release --example analyse_game -- 3 C F b e f B` (seeds in each house, then moves)

use std::env;
use std::error::Error;

use kalah::solve::{SolveProgress, SolveRequest, SolverResources};
use kalah::{Board, Rules, Solver, StopToken};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let seeds = arguments.next().map_or(Ok(3), |seeds| seeds.parse())?;
    let mut board = Board::start(Rules::default(), seeds)?;
    let mut solver = Solver::new(SolverResources::default());
    let request = SolveRequest { moves: true, ..SolveRequest::default() };
    for (letter, number) in arguments.zip(1..) {
        let mv = board.parse_move(&letter)?;
        let mut after = board;
        after.play(mv).map_err(|error| format!("move {number}: {error}"))?;

        let (stop, progress) = (StopToken::new(), SolveProgress::default());
        let solution = solver.solve_with(&board, request, &stop, &progress)?;
        let played = solution.moves.iter().find(|(legal, _)| *legal == mv);
        let (_, margin) = played.ok_or("the solver left out a legal move")?;
        let best = solution.moves.iter().filter(|(_, margin)| *margin == solution.margin);
        let best: String = best.map(|(mv, _)| mv.letter()).collect();
        match solution.margin - margin {
            0 => println!("{mv}  {margin:+}  best"),
            lost => println!("{mv}  {margin:+}  gives away {lost}: {best} was best"),
        }
        board = after;
    }
    println!("{board}");
    Ok(())
}
