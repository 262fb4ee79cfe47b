//! The measurements of exact play that the README quotes: `cargo bench --bench exact -- WORD`.
#![allow(missing_docs)] // a program, not a library

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use clap::{Parser, ValueEnum};
use kalah::StopToken;
use kalah::board::{Board, Capture, Move, Rules, Side};
use kalah::book::Book;
use kalah::engine::{Engine, EngineOptions};
use kalah::search::{Limits, SearchOptions, SearchResult};
use kalah::solve::{SolveProgress, SolveRequest, Solver, SolverResources};
use serde::Deserialize;

#[path = "../../../tests/support/exact_values.rs"]
#[allow(clippy::unwrap_used, clippy::panic)] // as in the tests, which share it
mod exact_values;
#[allow(dead_code)] // each measurement needs a part of it
mod support;

use exact_values::{Exact, exact_values};
use support::{Result, bar, play_randomly, quantile};

#[derive(Parser)]
struct Arguments {
    /// What to measure
    #[arg(value_enum)]
    what: Measurement,
    /// Games, or early positions of each start and rule; each measurement has a number of its own
    #[arg(long)]
    games: Option<u32>,
    /// Milliseconds for a move; each measurement has a number of its own
    #[arg(long)]
    movetime: Option<u64>,
    /// Threads of the engine
    #[arg(long, default_value_t = NonZeroUsize::MIN)]
    threads: NonZeroUsize,
    /// Memory of its solver in MiB
    #[arg(long, default_value_t = EngineOptions::default().solver_mebibytes)]
    hash: usize,
    /// Passed by cargo
    #[arg(long, hide = true)]
    bench: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Measurement {
    /// Whole processes of `kalah solve`, from start to exit
    Solve,
    /// The ply at which the engine proves the value of Kalah(6,4), at 1 s a move
    Proof,
    /// Seeds given away in games against perfect play, at 1 s a move
    Games,
    /// Best moves found in positions with known values, at 100 ms a move
    Positions,
    /// Time to a proof of early positions of Kalah(6,4), (6,5) and (6,6), at most 60 s
    Early,
    /// Best moves, seeds given away and proofs with and without the solver in early positions of four
    /// boards, at 10 ms to 1 s a move
    Share,
    /// Seeds given away with the book in games against random and weak replies, at 20 ms a move
    Book,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    match arguments.what {
        Measurement::Solve => solve(),
        Measurement::Proof => proof(&arguments),
        Measurement::Games => games(&arguments),
        Measurement::Positions => positions(&arguments),
        Measurement::Early => early(&arguments),
        Measurement::Share => share(&arguments),
        Measurement::Book => book(&arguments),
    }
}

/// Seconds that a process takes, in the median of some.
fn seconds(arguments: &str) -> Result<f64> {
    const RUNS: usize = 5;
    let mut times = Vec::new();
    for _ in 0..RUNS {
        let start = Instant::now();
        let mut command = Command::new(env!("CARGO_BIN_EXE_kalah"));
        let status = command.args(arguments.split(' ')).stdout(Stdio::null()).status()?;
        times.push(start.elapsed().as_secs_f64());
        if !status.success() {
            return Err(format!("kalah {arguments}: {status}").into());
        }
    }
    let [least, median, most] = [0.0, 0.5, 1.0].map(|part| quantile(&mut times, part));
    println!("kalah {arguments}: {median:.2} s, {least:.2} to {most:.2}");
    Ok(median)
}

fn solve() -> Result<()> {
    let mut reached = true;
    for (arguments, most) in [
        ("solve --seeds 3 --threads 1", 0.15),
        ("solve --seeds 4 --threads 1", 1.5),
        ("solve --seeds 4 --threads 2", 0.9),
        ("solve --seeds 4 --threads 2 --moves", 3.0),
        ("solve --seeds 5 --threads 2 --hash 8000", 12.0),
    ] {
        let within = seconds(arguments)? <= most;
        println!("bar: at most {most} s: {}", if within { "reached" } else { "missed" });
        reached &= within;
    }
    bar("all of them", reached)
}

/// The engine with so much time a move, by default without the book.
struct Player {
    engine: Engine,
    limits: Limits,
}

impl Player {
    fn new(arguments: &Arguments, milliseconds: u64) -> Result<Player> {
        let milliseconds = arguments.movetime.unwrap_or(milliseconds);
        let movetime = Some(Duration::from_millis(milliseconds));
        let search = SearchOptions { threads: arguments.threads, ..SearchOptions::default() };
        let solver_mebibytes = arguments.hash;
        let options =
            EngineOptions { search, solver_mebibytes, own_book: false, ..EngineOptions::default() };
        Ok(Player {
            engine: Engine::with_options(options)?,
            limits: Limits { movetime, ..Limits::default() },
        })
    }

    fn think(&mut self, board: &Board) -> Result<SearchResult> {
        Ok(self.engine.go(board, &self.limits, &StopToken::new(), |_| {})?)
    }
}

fn is_proven(outcome: &SearchResult) -> bool {
    outcome.lines.first().is_some_and(|line| line.proven)
}

fn late(outcome: &SearchResult, player: &Player) -> bool {
    outcome.stats.time > player.limits.movetime.unwrap_or_default() + Duration::from_millis(20)
}

fn proof(arguments: &Arguments) -> Result<()> {
    let mut last = 0;
    for capture in Capture::ALL {
        let mut player = Player::new(arguments, 1000)?;
        let mut board = Board::start(Rules::new(6, capture)?, 4)?;
        for ply in 0.. {
            let outcome = player.think(&board)?;
            let line = outcome.lines.first().ok_or("no line")?;
            let best = outcome.best.ok_or("no move")?;
            println!(
                "{capture}, ply {ply}, {} seeds: {best} {:+}{} depth {}, {:.1} M nodes, {:.2} s",
                board.seeds_in_play(),
                line.margin,
                if line.proven { " proven," } else { "," },
                line.depth,
                outcome.stats.nodes as f64 / 1e6,
                outcome.stats.time.as_secs_f64()
            );
            if line.proven {
                last = last.max(ply);
                break;
            }
            board.play(best)?;
        }
    }
    bar("the value is proven four plies into the game at the latest", last <= 4)
}

/// The exact margins of a board and of its moves.
fn exact_margins(solver: &mut Solver, board: &Board) -> Result<(i32, Vec<(Move, i32)>)> {
    let wanted = SolveRequest { moves: true, ..SolveRequest::default() };
    let (stop, progress) = (StopToken::new(), SolveProgress::default());
    let solution = solver.solve_with(board, wanted, &stop, &progress)?;
    Ok((solution.margin, solution.moves))
}

fn games(arguments: &Arguments) -> Result<()> {
    let resources = SolverResources { mebibytes: 1024, threads: NonZeroUsize::MIN };
    let mut judge = Solver::new(resources);
    let mut random = fastrand::Rng::with_seed(1);
    let mut player = Player::new(arguments, 1000)?;
    let (mut lost, mut errors, mut moves, mut lates) = (0, 0, 0, 0);
    let games = arguments.games.unwrap_or(100);
    for game in 0..games {
        let mut board = Board::start(Rules::default(), 4)?;
        play_randomly(&mut board, 4, &mut random)?;
        let side = if game % 2 == 0 { Side::South } else { Side::North };
        let opening = board.fen();
        player.engine.new_game();
        let mut given = 0;
        while !board.is_over() {
            let (margin, values) = exact_margins(&mut judge, &board)?;
            let mv = if board.side() == side {
                let outcome = player.think(&board)?;
                let mv = outcome.best.ok_or("no move")?;
                let of_move = values.iter().find(|value| value.0 == mv).ok_or("no value")?.1;
                moves += 1;
                lates += u32::from(late(&outcome, &player));
                if of_move < margin {
                    given += margin - of_move;
                    errors += 1;
                    assert!(!is_proven(&outcome), "a wrong proof of {}", board.fen());
                    println!("  {}: {mv} {of_move:+}, best {margin:+}", board.fen());
                }
                mv
            } else {
                values.iter().find(|value| value.1 == margin).ok_or("no move")?.0
            };
            board.play(mv)?;
        }
        lost += given;
        println!("game {game}: {opening} {side:?} gave {given}; {lost} in all, {errors} errors");
    }
    let mean = f64::from(lost) / f64::from(games);
    println!("{mean:.3} seeds a game, {errors} errors in {moves} moves, {lates} of them late");
    bar("less than 0.1 seed a game", mean < 0.1)
}

/// The exact margin of a board, from the view of South.
fn margin_of_south(solver: &mut Solver, board: &Board) -> Result<i32> {
    let margin = solver.solve(board)?.margin;
    Ok(if board.side() == Side::South { margin } else { -margin })
}

fn book(arguments: &Arguments) -> Result<()> {
    /// The plies of a game that the book is to have.
    const PLIES: usize = 8;
    const LEVELS: [&str; 4] = ["0", "5", "10", "15"];
    let book = Book::embedded().ok_or("no book")?;
    let resources = SolverResources { mebibytes: 1024, threads: NonZeroUsize::MIN };
    let mut judge = Solver::new(resources);
    let mut random = fastrand::Rng::with_seed(1);
    let mut player = Player::new(arguments, 20)?;
    player.engine.set_option("OwnBook", "true")?;
    let mut weak = Player::new(arguments, 20)?;
    let (mut missing, mut early, mut lost, mut errors, mut moves) = (0, 0, 0, 0, 0);
    let games = arguments.games.unwrap_or(200);
    for game in 0..games {
        let mut board = Board::start(Rules::default(), 4)?;
        let side = if game % 2 == 0 { Side::South } else { Side::North };
        let level = (game / 2 % 2 == 1).then(|| LEVELS[(game / 4 % 4) as usize]);
        weak.engine.set_option("Skill Level", level.unwrap_or("0"))?;
        for engine in [&mut player.engine, &mut weak.engine] {
            engine.new_game();
        }
        let mut given = 0;
        for ply in 0.. {
            if board.is_over() {
                break;
            }
            if board.side() != side {
                let legal: Vec<_> = board.moves().collect();
                let drawn = random.choice(&legal).copied();
                let mv = if level.is_some() { weak.think(&board)?.best } else { drawn };
                board.play(mv.ok_or("no move")?)?;
                continue;
            }
            missing += u32::from(ply < PLIES && book.probe(&board)?.is_none());
            let outcome = player.think(&board)?;
            let before = board;
            board.play(outcome.best.ok_or("no move")?)?;
            let margin = margin_of_south(&mut judge, &before)?;
            let less = (margin - margin_of_south(&mut judge, &board)?).abs();
            moves += 1;
            if less != 0 {
                assert!(!is_proven(&outcome), "a wrong proof of {}", before.fen());
                println!("  ply {ply}: {} gave away {less}", before.fen());
                errors += 1;
                given += less;
                early += if ply < PLIES { less } else { 0 };
            }
        }
        lost += given;
        let opponent = level.map_or("random moves".to_owned(), |level| format!("level {level}"));
        println!("game {game}: {side:?} against {opponent} gave {given}; {lost} in all");
    }
    println!(
        "{early} seeds in the first {PLIES} plies, {missing} of their positions not in the book; \
         {lost} seeds in all, {errors} errors in {moves} moves"
    );
    bar("no seeds in the first plies, all of them in the book", early == 0 && missing == 0)
}

fn positions(arguments: &Arguments) -> Result<()> {
    let (mut count, mut best_moves, mut proven, mut lates) = (0, 0, 0, 0);
    let mut time = Duration::ZERO;
    let mut player = Player::new(arguments, 100)?;
    for Exact { fen, capture, value, moves } in exact_values() {
        let board = Board::from_fen(&fen, capture)?;
        player.engine.new_game();
        let outcome = player.think(&board)?;
        let best = outcome.best.ok_or("no move")?;
        count += 1;
        best_moves += u32::from(moves[&best.letter().to_ascii_lowercase()] == value);
        lates += u32::from(late(&outcome, &player));
        time += outcome.stats.time;
        if is_proven(&outcome) {
            proven += 1;
            assert_eq!(value, outcome.lines[0].margin, "a wrong proof of {fen}");
        }
    }
    let time = time.as_secs_f64();
    println!("a best move in {best_moves} of {count}, {proven} proven, {lates} late, {time:.2} s");
    bar("99.9 %", best_moves * 1000 >= count * 999)
}

/// After 1 to 16 random plies, with 34 to 66 seeds left in the houses.
fn early_position(rules: Rules, seeds: u16, random: &mut fastrand::Rng) -> Result<Board> {
    loop {
        let mut board = Board::start(rules, seeds)?;
        play_randomly(&mut board, random.u32(1..=16) as usize, random)?;
        if !board.is_over() && (34..=66).contains(&board.seeds_in_play()) {
            return Ok(board);
        }
    }
}

fn early(arguments: &Arguments) -> Result<()> {
    let mut random = fastrand::Rng::with_seed(22);
    for seeds in 4..=6 {
        for capture in Capture::ALL {
            let rules = Rules::new(6, capture)?;
            let mut player = Player::new(arguments, 60_000)?;
            let mut times = Vec::new();
            for _ in 0..arguments.games.unwrap_or(100) {
                let board = early_position(rules, seeds, &mut random)?;
                player.engine.new_game();
                let outcome = player.think(&board)?;
                let time = outcome.stats.time.as_secs_f64();
                times.push(if is_proven(&outcome) { time } else { f64::INFINITY });
            }
            let [half, most, last] = [0.5, 0.9, 1.0].map(|part| quantile(&mut times, part));
            println!(
                "Kalah(6,{seeds}), {capture}: {} of {} proven; half within {half:.2} s, 90 % within {most:.2} s, \
                 the last after {last:.2} s",
                times.iter().filter(|time| time.is_finite()).count(),
                times.len(),
            );
        }
    }
    Ok(())
}

/// An early position with the margins after its moves.
#[derive(Deserialize)]
struct EarlyPosition {
    fen: String,
    capture: String,
    moves: BTreeMap<char, i64>,
    margin: i64,
}

fn early_positions() -> Result<Vec<EarlyPosition>> {
    let lines = include_str!("early-positions.jsonl").lines();
    lines.map(|line| Ok(serde_json::from_str(line)?)).collect()
}

/// What an engine did in all early positions.
#[derive(Default)]
struct ShareRow {
    best: usize,
    given: i64,
    proven: usize,
}

fn share_row(exact: bool, milliseconds: u64, arguments: &Arguments) -> Result<ShareRow> {
    let mut row = ShareRow::default();
    let mut player = Player::new(arguments, milliseconds)?;
    player.engine.set_option("Exact", if exact { "true" } else { "false" })?;
    for EarlyPosition { fen, capture, moves, margin } in early_positions()? {
        let board = Board::from_fen(&fen, capture.parse::<Capture>()?)?;
        player.engine.new_game();
        let outcome = player.think(&board)?;
        let given = margin - moves[&outcome.best.ok_or("no move")?.letter().to_ascii_uppercase()];
        row.best += usize::from(given == 0);
        row.given += given;
        if is_proven(&outcome) {
            row.proven += 1;
            assert_eq!(given, 0, "a wrong proof of {fen}");
        }
    }
    Ok(row)
}

fn share(arguments: &Arguments) -> Result<()> {
    let times = arguments.movetime.map_or(vec![10, 20, 50, 100, 200, 500, 1000], |time| vec![time]);
    let count = early_positions()?.len();
    println!(
        "{count} positions: best moves, seeds given away and proofs with the solver; without it"
    );
    let mut is_never_worse = true;
    for milliseconds in times {
        let on = share_row(true, milliseconds, arguments)?;
        let off = share_row(false, milliseconds, arguments)?;
        println!(
            "{milliseconds:5} ms: {:4} {:4} {:4}; {:4} {:4} {:4}",
            on.best, on.given, on.proven, off.best, off.given, off.proven
        );
        is_never_worse &= on.best >= off.best && on.given <= off.given;
    }
    bar("with the solver never worse than without it", is_never_worse)
}
