//! A fair start: its first moves, and how sharp it is; as a row of a CSV file and as JSON.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use kalah::StopToken;
use kalah::board::{Board, Move};
use kalah::solve::{FirstGuess, SolveError, SolveProgress, SolveRequest, Solver};
use kalah_command::new_file::NewFile;
use kalah_command::output::{JsonOutput, RuleMembers};
use serde::Serialize;

/// A start that is a draw when both sides play best.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct FairStart {
    /// The board as FEN, with the side to move.
    pub fen: String,
    #[serde(flatten)]
    rules: RuleMembers,
    /// Seeds that are not where they are at the start of a game.
    pub moved: u16,
    /// First moves that hold the draw.
    pub holding: usize,
    /// After the first move that holds the draw and is easiest to go on with: how many plies follow one
    /// another in each of which a single move holds the draw.
    pub sharp: u32,
    /// The margin after each first move, by its letter.
    #[cfg_attr(test, schemars(with = "kalah_command::schemas::MovesByLetter<i32>"))]
    moves: BTreeMap<char, i32>,
}

impl JsonOutput for FairStart {
    const FORMAT: &'static str = "kalah-fair";
}

/// A row of a CSV file.
#[derive(Serialize)]
struct FairRow<'a> {
    houses: usize,
    seeds: u16,
    capture: &'a str,
    moved: u16,
    board: &'a str,
    holding: usize,
    sharp: u32,
    moves: String,
}

impl FairStart {
    /// Finds the first moves of a board whose margin is 0, from which `moved` seeds were moved.
    pub(super) fn find(
        board: &Board,
        moved: u16,
        solver: &mut Solver,
        stop: &StopToken,
        progress: &SolveProgress,
    ) -> Result<FairStart, SolveError> {
        let guess = Some(FirstGuess { margin: 0, best: None });
        let request = SolveRequest { moves: true, guess, ..SolveRequest::default() };
        let moves = solver.solve_with(board, request, stop, progress)?.moves;
        let holding: Vec<Move> =
            moves.iter().filter(|(_, margin)| *margin == 0).map(|(mv, _)| *mv).collect();
        let mut sharp = None;
        for &mv in &holding {
            let plies = single_moves(board, mv, solver, stop, progress)?;
            sharp = Some(sharp.map_or(plies, |least: u32| least.min(plies)));
        }
        Ok(FairStart {
            fen: board.fen(),
            rules: board.rules().into(),
            moved,
            holding: holding.len(),
            sharp: sharp.unwrap_or(0),
            moves: moves.iter().map(|(mv, margin)| (mv.letter(), *margin)).collect(),
        })
    }

    /// By this, those come first that are easiest to hold.
    pub(super) fn order(&self) -> (Reverse<usize>, u32, u16, String) {
        (Reverse(self.holding), self.sharp, self.moved, self.fen.clone())
    }

    /// The letters of the first moves and their margins.
    pub(super) fn moves_text(&self) -> String {
        let moves = self.moves.iter().map(|(letter, margin)| format!("{letter} {margin}"));
        moves.collect::<Vec<_>>().join(" ")
    }
}

/// After a move: the plies, one after the other, in each of which a single move holds the draw.
fn single_moves(
    board: &Board,
    first: Move,
    solver: &mut Solver,
    stop: &StopToken,
    progress: &SolveProgress,
) -> Result<u32, SolveError> {
    let (mut board, mut mv) = (*board, first);
    for plies in 0.. {
        // A move of the solver is legal.
        let _ = board.play(mv);
        let guess = Some(FirstGuess { margin: 0, best: None });
        let request = SolveRequest { best: true, guess, ..SolveRequest::default() };
        match solver.solve_with(&board, request, stop, progress)?.best[..] {
            [single] => mv = single,
            _ => return Ok(plies),
        }
    }
    Ok(0)
}

/// Writes a CSV file of starts of games with `seeds` in each house.
pub(super) fn write_csv(
    file: NewFile,
    (houses, seeds, capture): (usize, u16, &str),
    starts: &[FairStart],
) -> anyhow::Result<()> {
    file.write(|file| {
        let mut csv = csv::Writer::from_writer(file);
        for start in starts {
            let &FairStart { ref fen, moved, holding, sharp, .. } = start;
            let board = fen;
            let moves = start.moves_text();
            csv.serialize(FairRow { houses, seeds, capture, moved, board, holding, sharp, moves })?;
        }
        Ok(csv.flush()?)
    })
}
