//! Reads the moves of a game and says which of them gave seeds away, and how many, by exact values.
//!
//! `cargo run --release --example analyse_game -- 3 C F b e f B` (seeds in each house, then moves)

use std::env;
use std::error::Error;

use kalah::StopToken;
use kalah::board::{Board, Rules};
use kalah::solve::{SolveProgress, SolveRequest, Solver, SolverResources};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let seeds = arguments.next().map_or(Ok(3), |seeds| seeds.parse())?;
    let mut board = Board::start(Rules::default(), seeds)?;
    let mut game = board;
    let moves = arguments.collect::<Vec<_>>().join(" ");
    game.play_moves(&moves)?; // one clear error for a game that is not legal

    let mut solver = Solver::new(SolverResources::default());
    let request = SolveRequest { moves: true, ..SolveRequest::default() };
    for letter in moves.chars().filter(|letter| letter.is_alphabetic()) {
        let (stop, progress) = (StopToken::new(), SolveProgress::default());
        let solution = solver.solve_with(&board, request, &stop, &progress)?;
        let letter_of = |house: kalah::board::House| house.letter(board.side());
        let played = |&&(house, _): &&_| letter_of(house).eq_ignore_ascii_case(&letter);
        let &(house, margin) = solution.moves.iter().find(played).ok_or("not a move")?;
        let best = solution.moves.iter().filter(|(_, value)| *value == solution.margin);
        let best: String = best.map(|&(house, _)| letter_of(house)).collect();
        match solution.margin - margin {
            0 => println!("{}  {margin:+}  best", letter_of(house)),
            lost => {
                println!("{}  {margin:+}  gives away {lost}: {best} was best", letter_of(house));
            }
        }
        board.play(house)?;
    }
    println!("{board}");
    Ok(())
}
