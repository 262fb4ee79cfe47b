//! A fair start: its first moves, and how sharp it is; as a row of a CSV file and as JSON.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use kalah::StopToken;
use kalah::board::{Board, Move};
use kalah::solve::{FirstGuess, SolveError, SolveProgress, SolveRequest, Solver};
use kalah_command::new_file::NewFile;
use kalah_command::output::RuleMembers;
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
    pub moves: BTreeMap<char, i32>,
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
        let margins = solver.solve_with(board, request, stop, progress)?.moves;
        let holding: Vec<Move> =
            margins.iter().filter(|(_, margin)| *margin == 0).map(|(mv, _)| *mv).collect();
        let sharp = holding.iter().map(|&mv| single_moves(board, mv, solver, stop, progress));
        let sharp = sharp.collect::<Result<Vec<u32>, _>>()?;
        Ok(FairStart {
            fen: board.fen(),
            rules: board.rules().into(),
            moved,
            holding: holding.len(),
            sharp: sharp.into_iter().min().unwrap_or(0),
            moves: margins.iter().map(|(mv, margin)| (mv.letter(), *margin)).collect(),
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

const COLUMNS: [&str; 8] =
    ["houses", "seeds", "capture", "moved", "board", "holding", "sharp", "moves"];

/// Writes a CSV file of starts of games with `seeds` in each house.
pub(super) fn write_csv(
    file: NewFile,
    (houses, seeds, capture): (usize, u16, &str),
    starts: &[FairStart],
) -> anyhow::Result<()> {
    file.write(|file| {
        let mut csv = csv::Writer::from_writer(file);
        if !starts.is_empty() {
            csv.write_record(COLUMNS)?;
        }
        for start in starts {
            let &FairStart { ref fen, moved, holding, sharp, .. } = start;
            let moves = start.moves_text();
            csv.serialize((houses, seeds, capture, moved, fen, holding, sharp, moves))?;
        }
        Ok(csv.flush()?)
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::{env, fs};

    use anyhow::{Context, ensure};
    use kalah::board::{RuleSet, Side};

    use super::*;

    /// The pits that lose a seed, and those that get one.
    fn moved_seeds(board: &Board, seeds: u16) -> String {
        let (mut taken, mut added) = (String::new(), String::new());
        for (side, store) in Side::ALL.into_iter().zip(["+", "-"]) {
            for (lane, &found) in board.houses(side).iter().enumerate() {
                let letter = kalah::House::new(lane).map(|house| house.letter(side).to_string());
                let times = |count: u16| letter.clone().unwrap_or_default().repeat(count.into());
                taken += &times(seeds.saturating_sub(found));
                added += &times(found.saturating_sub(seeds));
            }
            added += &store.repeat(board.store(side).into());
        }
        format!("{taken}>{added}")
    }

    /// With the environment variable `WRITE_FAIR_STARTS` the file of the library is written.
    #[test]
    fn the_library_knows_the_starts_of_the_tables() -> anyhow::Result<()> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut games = Vec::new();
        for file in fs::read_dir(root.join("docs/fair-starts"))? {
            let path = file?.path();
            if path.extension().is_none_or(|extension| extension != "csv") {
                continue;
            }
            let mut game = None;
            let mut starts = String::new();
            for row in csv::Reader::from_path(&path)?.records() {
                let row = row?;
                let number = |column: usize| row[column].parse::<u16>();
                let rule_set = RuleSet::from_name(&row[2]).context("no such rules")?;
                let board = Board::from_fen(&row[4], rule_set)?;
                game = Some((number(0)?, number(1)?, rule_set.index(), row[2].to_owned()));
                starts.extend([" ", &moved_seeds(&board, number(1)?)]);
                let name = format!("{}-{}-{}.csv", &row[0], &row[1], &row[2]);
                ensure!(path.ends_with(&name), "'{}' has a row of {name}", path.display());
            }
            games.extend(game.map(|game| (game, starts)));
        }
        games.sort();
        let line = |((houses, seeds, _, rules), starts): &((u16, u16, _, String), String)| {
            format!("{houses} {seeds} {rules}{starts}\n")
        };
        let text: String = games.iter().map(line).collect();
        let path = root.join("crates/fair/src/starts.txt");
        if env::var_os("WRITE_FAIR_STARTS").is_some() {
            fs::write(&path, &text)?;
        }
        ensure!(fs::read_to_string(path)? == text, "WRITE_FAIR_STARTS=1 writes it");
        Ok(())
    }
}
