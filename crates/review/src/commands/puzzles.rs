//! Puzzles: positions of random games in which one move holds the value, proven.

use std::collections::{HashMap, HashSet};
use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use fastrand::Rng;
use serde::{Deserialize, Serialize};

use crate::reviewer::{ReviewError, named_sowing};
use kalah::StopToken;
use kalah::board::{Board, Move, RuleSet, Rules, Side, Sowing};
use kalah::printable::counted;
use kalah::search::{Limits, SearchOptions, Searcher};
use kalah::solve::{SolveError, SolveProgress, SolveRequest, Solver, SolverResources};
use kalah_command::exit::{interrupted, stop_on_ctrl_c};
use kalah_command::new_file::NewFile;
use kalah_command::options::{number, sowing_parser};
use kalah_command::progress_bar::counting_bar;

/// What every other move loses at least.
const MIN_LOSS: i32 = 4;

/// The least margin that the move holds: nobody likes to look for the best way to lose.
const MIN_VALUE: i32 = 0;

/// Houses, and the seeds in each of them at the start. A game takes one of these; those that occur more often
/// are likelier.
const HOUSES: [usize; 12] = [3, 3, 4, 4, 6, 6, 6, 6, 6, 6, 6, 6];
const SEEDS: [u16; 12] = [3, 4, 3, 4, 3, 3, 4, 4, 4, 5, 5, 6];

/// Seeds in the houses of a puzzle.
const MIN_SEEDS: u32 = 5;
const MAX_SEEDS: u32 = 30;

/// Moves of a puzzle's line that are looked at, and that are kept if fewer are to be found.
const MAX_LINE: usize = 13;
const MIN_LINE: usize = 4;

/// The greatest depth of the search that measures how hard a puzzle is.
const MAX_DEPTH: u32 = 14;

const LEVELS: usize = 3;

/// The version of the JSON of [`Puzzles`].
const VERSION: u32 = 2;

/// Puzzles, easy ones first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Puzzles {
    /// The version of this form.
    pub version: u32,
    /// The puzzles.
    pub puzzles: Vec<Puzzle>,
}

/// A position in which exactly one move holds the value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Puzzle {
    /// The board, South to move.
    pub board: String,
    /// The capture rule.
    pub capture: String,
    /// The way of sowing, unless it is `single`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sowing: Option<String>,
    /// The letter of the move.
    pub best: String,
    /// The proven margin after this move, for South.
    pub value: i32,
    /// The proven margin after the next best move.
    pub second: i32,
    /// 1 (easy), 2 (medium) or 3 (hard): thirds of the puzzles.
    pub level: u32,
    /// The beginning of best play.
    pub line: String,
    /// The moves of this line that are to be found and answered: up to the last one of South that alone holds,
    /// or until South has more than half of all seeds.
    pub steps: usize,
}

/// Plays random games, under both capture rules or with relay sowing, and makes at most one puzzle of each. The same
/// seed gives the same puzzles.
/// `progress` is called with the number of games and of puzzles so far.
///
/// # Errors
/// Returns an error if a position cannot be solved, or `stop` was stopped first.
pub fn puzzles(
    games: u64,
    seed: u64,
    sowing: Sowing,
    stop: &StopToken,
    mut progress: impl FnMut(u64, usize),
) -> Result<Puzzles, ReviewError> {
    let mut rng = Rng::with_seed(seed);
    let rule_sets = RuleSet::ALL.into_iter().filter(|rule_set| rule_set.sowing() == sowing);
    let rule_sets: Vec<RuleSet> = rule_sets.collect();
    let mut maker = PuzzleMaker::default();
    let mut found: Vec<(u32, Puzzle)> = Vec::new();
    for game in 0..games {
        let start = rng.usize(..HOUSES.len());
        let (houses, seeds) = (HOUSES[start], SEEDS[start]);
        let rule_set = rule_sets[rng.usize(..rule_sets.len())];
        let start = Rules::new(houses, rule_set).ok();
        let start = start.and_then(|rules| Board::start(rules, seeds).ok());
        for board in start.map(|start| positions(start, &mut rng)).unwrap_or_default() {
            let made = maker.puzzle(&board, stop).map_err(|source| match source {
                SolveError::Stopped => ReviewError::Stopped,
                source => ReviewError::Puzzle { board: board.fen(), source },
            })?;
            if let Some(puzzle) = made {
                found.push(puzzle);
                break;
            }
        }
        progress(game + 1, found.len());
    }
    found.sort_by(|(a, left), (b, right)| (a, &left.board).cmp(&(b, &right.board)));
    let number = found.len();
    let puzzles = found.into_iter().enumerate().map(|(place, (_, puzzle))| Puzzle {
        level: (1 + place * LEVELS / number.max(1)) as u32,
        ..puzzle
    });
    Ok(Puzzles { version: VERSION, puzzles: puzzles.collect() })
}

/// The boards of a random game that could be puzzles, in random order, South to move.
fn positions(mut board: Board, rng: &mut Rng) -> Vec<Board> {
    let mut boards = Vec::new();
    loop {
        let moves: Vec<Move> = board.moves().collect();
        if moves.is_empty() {
            break;
        }
        if moves.len() > 1 && (MIN_SEEDS..=MAX_SEEDS).contains(&board.seeds_in_play()) {
            boards.extend(from_south(&board));
        }
        if board.play(moves[rng.usize(..moves.len())]).is_err() {
            break;
        }
    }
    rng.shuffle(&mut boards);
    boards
}

/// The board with the sides changed if North is to move.
fn from_south(board: &Board) -> Option<Board> {
    let (own, other) = (board.side(), !board.side());
    let houses = [board.houses(own), board.houses(other)];
    let stores = [board.store(own), board.store(other)];
    Board::new(board.rules(), houses, stores, Side::South).ok()
}

#[derive(Default)]
struct PuzzleMaker {
    solvers: HashMap<Rules, Solver>,
    searcher: Option<Searcher>,
    /// Houses of the puzzles so far: the stores do not make another position.
    known: HashSet<(Rules, Vec<u16>)>,
}

impl PuzzleMaker {
    /// The puzzle of a board, if it is one, and how hard it is.
    fn puzzle(
        &mut self,
        board: &Board,
        stop: &StopToken,
    ) -> Result<Option<(u32, Puzzle)>, SolveError> {
        let houses = [board.houses(Side::South), board.houses(Side::North)].concat();
        let key = (board.rules(), houses);
        if self.known.contains(&key) {
            return Ok(None);
        }
        let resources = SolverResources { mebibytes: 64, ..SolverResources::default() };
        let solver = self.solvers.entry(board.rules()).or_insert_with(|| Solver::new(resources));
        let request = SolveRequest { moves: true, ..SolveRequest::default() };
        let progress = SolveProgress::default();
        let solution = solver.solve_with(board, request, stop, &progress)?;
        let best: Vec<_> =
            solution.moves.iter().filter(|(_, margin)| *margin == solution.margin).collect();
        let others = solution.moves.iter().filter(|(_, margin)| *margin < solution.margin);
        let second = others.map(|(_, margin)| *margin).max();
        let ([(mv, value)], Some(second)) = (best.as_slice(), second) else { return Ok(None) };
        if value - second < MIN_LOSS || *value < MIN_VALUE {
            return Ok(None);
        }
        let request = SolveRequest { line: true, ..SolveRequest::default() };
        let mut line = solver.solve_with(board, request, stop, &progress)?.line;
        line.truncate(MAX_LINE);
        let steps = steps(solver, board, &line, stop)?;
        line.truncate(steps.max(MIN_LINE));
        let letters: Vec<String> = line.iter().map(Move::to_string).collect();
        let puzzle = Puzzle {
            board: board.fen(),
            capture: board.rules().capture().to_string(),
            sowing: named_sowing(board),
            best: mv.to_string(),
            value: *value,
            second,
            level: 1,
            line: letters.join(" "),
            steps,
        };
        let depth = self.depth(board, *mv, stop);
        if stop.is_stopped() {
            return Err(SolveError::Stopped);
        }
        self.known.insert(key);
        let difficulty = 4 * depth
            + 2 * solution.moves.len() as u32
            + board.seeds_in_play() / 2
            + 2 * (steps as u32 - 1);
        Ok(Some((difficulty, puzzle)))
    }

    /// The least depth at which a search finds the move, and at which a deeper one does, too.
    fn depth(&mut self, board: &Board, mv: Move, stop: &StopToken) -> u32 {
        if self.searcher.is_none() {
            self.searcher = Searcher::new(1).ok();
        }
        let Some(searcher) = &mut self.searcher else { return MAX_DEPTH };
        let mut found = MAX_DEPTH;
        for depth in (1..MAX_DEPTH).rev() {
            searcher.clear();
            let limits = Limits { depth: Some(depth), ..Limits::default() };
            let result =
                searcher.search(board, &limits, &SearchOptions::negascout(), stop, &mut |_| {});
            if result.best != Some(mv) {
                break;
            }
            found = depth;
        }
        found
    }
}

/// The moves of a line until South's own move is no longer the only one that holds, or the win is in hand.
fn steps(
    solver: &mut Solver,
    board: &Board,
    line: &[Move],
    stop: &StopToken,
) -> Result<usize, SolveError> {
    let (all, mut board, mut steps) = (board.seeds(), *board, 1);
    for (number, mv) in line.iter().enumerate() {
        if number > 0 && board.side() == Side::South {
            if 2 * u32::from(board.store(Side::South)) > all {
                break;
            }
            let request = SolveRequest { moves: true, ..SolveRequest::default() };
            let solution = solver.solve_with(&board, request, stop, &SolveProgress::default())?;
            let best = solution.moves.iter().filter(|(_, margin)| *margin == solution.margin);
            if solution.moves.len() > 1 {
                if best.count() > 1 {
                    break;
                }
                steps = number + 1;
            }
        }
        if board.play(*mv).is_err() {
            break;
        }
    }
    Ok(steps)
}

/// Make puzzles of random games
///
/// Plays random games on boards of 3, 4 and 6 houses with both capture rules, or with relay sowing, and keeps proven
/// positions in which one move holds and every other one loses at least 4 seeds. The page of `kalah gui` has
/// those that the commands below made.
///
///   kalah puzzles --games 300 --seed 21 --output puzzles.json
///   kalah puzzles --games 240 --seed 21 --sowing relay --output puzzles-relay.json
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct PuzzlesCommand {
    /// Random games, each of which gives at most one puzzle
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = number::<u64>(..))]
    games: u64,

    /// Random seed
    #[arg(long, value_name = "SEED", default_value_t = 1, value_parser = number::<u64>(..))]
    seed: u64,

    /// Way of sowing: single, under both capture rules, or relay
    #[arg(long, value_name = "WAY", default_value_t = Sowing::Single, value_parser = sowing_parser())]
    sowing: Sowing,

    /// Write the puzzles to this file
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
}

impl PuzzlesCommand {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let file = NewFile::create(&self.output)?;
        let stop = stop_on_ctrl_c()?;
        let bar = counting_bar(self.games as usize, "games");
        let progress = |games, _| bar.set_position(games);
        let made = puzzles(self.games, self.seed, self.sowing, &stop, progress);
        bar.finish_and_clear();
        let made = made.map_err(|error| match error {
            ReviewError::Stopped => interrupted(": no puzzles were written"),
            error => error.into(),
        })?;
        file.write(|output| {
            writeln!(output, "{{\"version\":{},\"puzzles\":[", made.version)?;
            for (number, puzzle) in made.puzzles.iter().enumerate() {
                let comma = if number + 1 < made.puzzles.len() { "," } else { "" };
                writeln!(output, "{}{comma}", serde_json::to_string(puzzle)?)?;
            }
            Ok(writeln!(output, "]}}")?)
        })?;
        let puzzles = counted(made.puzzles.len(), "puzzle");
        Ok(writeln!(io::stdout(), "{puzzles} of {}", counted(self.games, "game"))?)
    }
}
