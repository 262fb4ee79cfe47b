//! The measurements that the README quotes: `cargo bench --bench thresholds -- WORD`.
//!
//! They time whole tasks, most of them against whole processes, and print distributions; the
//! statistics of small functions are in `micro`.
#![allow(missing_docs)] // a program, not a library

use std::io::{BufRead, BufReader, Write};
use std::num::NonZeroUsize;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use clap::{Parser, ValueEnum};
use kalah::StopToken;
use kalah::board::{Board, Capture, Rules};
use kalah::search::{
    Bound, EvaluationChoice, Limits, PvLine, SearchOptions, SearchReport, Searcher, Variant,
};
use kalah::tablebase::Tablebase;
use kalah_arena::{Tournament, TournamentEvent};
use kalah_records::{GameRecord, PartialPlayerSettings, PlayerSettings, Termination};

#[path = "../../../tests/support/exact_values.rs"]
#[allow(clippy::unwrap_used, clippy::panic)] // as in the tests, which share it
mod exact_values;
#[path = "../../../tests/support/reference.rs"]
mod reference;
#[allow(dead_code)] // each measurement needs a part of it
mod support;

use exact_values::{Exact, exact_values};
use support::{Result, bar, play_randomly, print_times, quantile};

#[derive(Parser)]
struct Arguments {
    /// What to measure
    #[arg(value_enum)]
    what: Measurement,
    /// Passed by cargo
    #[arg(long, hide = true)]
    bench: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Measurement {
    /// Leaves a second of perft, and the ratio to a reference that sows seed by seed
    Perft,
    /// Best moves found at 100 ms in positions with known values
    Accuracy,
    /// Time from start to `uciok`
    Startup,
    /// Time from `stop` to `bestmove`
    Stop,
    /// Time from `isready` to `readyok` while searching
    Isready,
    /// Time to a fixed depth with 1 and 2 threads
    Threads,
    /// Nodes in which proof-number search proves who wins, and by how much
    Pns,
    /// Best moves found by random games in positions with known values
    Mcts,
    /// Nodes a second with the learned and with the plain evaluation
    Evaluation,
    /// Positions a second in the building of tables
    Tables,
    /// Time for 1,000 games of two built-in searches at depth 4
    Games,
    /// What a program costs more than a built-in search, a move
    Programs,
    /// Answers of programs that have 20 ms a move, on all processors
    Lateness,
}

fn main() -> Result<()> {
    match Arguments::parse().what {
        Measurement::Perft => perft(),
        Measurement::Accuracy => accuracy(),
        Measurement::Startup => startup(),
        Measurement::Stop => stop(),
        Measurement::Isready => isready(),
        Measurement::Threads => threads(),
        Measurement::Pns => pns(),
        Measurement::Mcts => mcts(),
        Measurement::Evaluation => evaluation(),
        Measurement::Tables => tables(),
        Measurement::Games => games(),
        Measurement::Programs => programs(),
        Measurement::Lateness => lateness(),
    }
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed())
}

fn perft() -> Result<()> {
    const DEPTH: u32 = 11;
    const LEAVES: u64 = 65_870_790;
    let board = Board::start(Rules::default(), 4)?;
    let mut ratios = Vec::new();
    let mut rates = Vec::new();
    for _ in 0..5 {
        let (leaves, time) = timed(|| board.perft(DEPTH));
        assert_eq!(leaves, LEAVES);
        // The reference plays shallower trees, many of them.
        let reference = reference::Reference::start(6, 4, Capture::Standard);
        let (slow_leaves, slow_time) = timed(|| reference.perft(DEPTH - 3));
        let rate = leaves as f64 / time.as_secs_f64();
        let slow_rate = slow_leaves as f64 / slow_time.as_secs_f64();
        println!("board {:.1} M leaves/s, reference {:.2} M leaves/s", rate / 1e6, slow_rate / 1e6);
        rates.push(rate / 1e6);
        ratios.push(rate / slow_rate);
    }
    let (rate, ratio) = (quantile(&mut rates, 0.5), quantile(&mut ratios, 0.5));
    println!(
        "perft of Kalah(6,4) at depth {DEPTH}: median {rate:.1} M leaves/s, {ratio:.1} times the reference"
    );
    bar("100 M leaves/s and 8 times the reference", rate >= 100.0 && ratio >= 8.0)
}

fn evaluation() -> Result<()> {
    const NODES: u64 = 4_000_000;
    let board = Board::start(Rules::default(), 6)?;
    let rate = |evaluation: &EvaluationChoice| -> Result<f64> {
        let settings = SearchOptions { evaluation: evaluation.clone(), ..SearchOptions::default() };
        let limits = Limits { nodes: Some(NODES), ..Limits::default() };
        let stop = StopToken::new();
        let outcome = Searcher::new(64)?.search(&board, &limits, &settings, &stop, &mut |_| {});
        Ok(outcome.stats.nps() as f64 / 1e6)
    };
    // Each once before it counts.
    let choices = [EvaluationChoice::Learned, EvaluationChoice::Plain];
    choices.iter().try_for_each(|choice| rate(choice).map(drop))?;
    let mut ratios = Vec::new();
    for _ in 0..9 {
        let (learned, plain) = (rate(&choices[0])?, rate(&choices[1])?);
        println!("learned {learned:.2} M nodes/s, plain {plain:.2} M nodes/s");
        ratios.push(learned / plain);
    }
    let ratio = quantile(&mut ratios, 0.5);
    println!("{NODES} nodes on Kalah(6,6): learned / plain, median {ratio:.3}");
    // It wins more by its better estimates: see docs/notebook/strength.md.
    bar("at least 75 %", ratio >= 0.75)
}

/// What a search made of the positions with known values under one rule.
#[derive(Default)]
struct Accuracy {
    count: u32,
    best_moves: u32,
    proven: u32,
    playouts: u64,
    time: Duration,
}

impl Accuracy {
    fn measure(capture: Capture, limits: &Limits, settings: &SearchOptions) -> Result<Accuracy> {
        let mut searcher = Searcher::new(16)?;
        let mut accuracy = Accuracy::default();
        for Exact { fen, value, moves, .. } in
            exact_values().into_iter().filter(|exact| exact.capture == capture)
        {
            let board = Board::from_fen(&fen, capture)?;
            searcher.clear();
            let stop = StopToken::new();
            let outcome = searcher.search(&board, limits, settings, &stop, &mut |_| {});
            let best = outcome.best.ok_or("no move")?;
            let of_best = moves[&best.letter().to_ascii_lowercase()];
            accuracy.count += 1;
            accuracy.best_moves += u32::from(of_best == value);
            accuracy.playouts += outcome.counters.leaves;
            accuracy.time += outcome.stats.time;
            if let Some(line) = outcome.lines.first().filter(|line| line.proven) {
                accuracy.proven += 1;
                assert_eq!(of_best, line.margin, "a wrong proof of {fen}");
            }
        }
        Ok(accuracy)
    }

    fn permille(&self) -> u32 {
        self.best_moves * 1000 / self.count
    }
}

fn accuracy() -> Result<()> {
    let limits = Limits { movetime: Some(Duration::from_millis(100)), ..Limits::default() };
    for capture in Capture::ALL {
        let accuracy = Accuracy::measure(capture, &limits, &SearchOptions::default())?;
        let Accuracy { count, best_moves, proven, time, .. } = accuracy;
        println!(
            "{capture}: a best move in {best_moves} of {count}, {proven} proven, {:.2} s in all",
            time.as_secs_f64()
        );
        bar("99 %", accuracy.permille() >= 990)?;
    }
    Ok(())
}

fn mcts() -> Result<()> {
    for variant in [Variant::FlatMonteCarlo, Variant::FlatUcb, Variant::MonteCarloTree] {
        for iterations in [2_000, 20_000, 200_000] {
            for capture in Capture::ALL {
                let limits = Limits { iterations: Some(iterations), ..Limits::default() };
                let settings = SearchOptions { variant, ..SearchOptions::default() };
                let accuracy = Accuracy::measure(capture, &limits, &settings)?;
                let Accuracy { count, best_moves, proven, playouts, time } = accuracy;
                println!(
                    "{variant} at {iterations}, {capture}: a best move in {best_moves} of {count}, \
                     {proven} proven, {:.2} M random games a second",
                    playouts as f64 / time.as_secs_f64() / 1e6
                );
                if variant == Variant::MonteCarloTree && iterations == 200_000 {
                    bar("80 %", accuracy.permille() >= 800)?;
                }
            }
        }
    }
    Ok(())
}

/// The engine as a process.
struct Engine {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn start() -> Result<Engine> {
        let mut process = Command::new(env!("CARGO_BIN_EXE_kalah"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let input = process.stdin.take().ok_or("no input")?;
        let output = BufReader::new(process.stdout.take().ok_or("no output")?);
        Ok(Engine { process, input, output })
    }

    fn say(&mut self, line: &str) -> Result<()> {
        Ok(writeln!(self.input, "{line}")?)
    }

    fn wait_for(&mut self, word: &str) -> Result<()> {
        let mut line = String::new();
        while self.output.read_line(&mut line)? > 0 {
            if line.starts_with(word) {
                return Ok(());
            }
            line.clear();
        }
        Err(format!("the engine ended before '{word}'").into())
    }

    fn quit(mut self) -> Result<()> {
        self.say("quit")?;
        self.process.wait()?;
        Ok(())
    }
}

fn startup() -> Result<()> {
    let mut times = Vec::new();
    for _ in 0..200 {
        let start = Instant::now();
        let mut engine = Engine::start()?;
        engine.say("uci")?;
        engine.wait_for("uciok")?;
        times.push(start.elapsed());
        engine.quit()?;
    }
    print_times("start to uciok", &mut times);
    bar("median at most 30 ms", quantile(&mut times, 0.5) <= Duration::from_millis(30))
}

/// The time from `command` to `answer`, `count` times, each at a random moment of a search that
/// goes on.
fn answers(
    engine: &mut Engine,
    command: &str,
    answer: &str,
    count: usize,
) -> Result<Vec<Duration>> {
    let mut random = fastrand::Rng::with_seed(1);
    (0..count)
        .map(|_| {
            engine.say("go infinite")?;
            std::thread::sleep(Duration::from_micros(random.u64(0..30_000)));
            let start = Instant::now();
            engine.say(command)?;
            engine.wait_for(answer)?;
            let time = start.elapsed();
            if command != "stop" {
                engine.say("stop")?;
                engine.wait_for("bestmove")?;
            }
            Ok(time)
        })
        .collect()
}

fn stop() -> Result<()> {
    for mebibytes in [1, 16, 1024, 4096] {
        let mut engine = Engine::start()?;
        engine.say(&format!("setoption name Hash value {mebibytes}"))?;
        engine.say("setoption name Seeds value 6")?;
        engine.say("isready")?;
        engine.wait_for("readyok")?;
        let mut times = answers(&mut engine, "stop", "bestmove", 1000)?;
        print_times(&format!("stop to bestmove with {mebibytes} MiB"), &mut times);
        bar("99 % within 10 ms", quantile(&mut times, 0.99) <= Duration::from_millis(10))?;
        engine.quit()?;
    }
    Ok(())
}

fn isready() -> Result<()> {
    let mut engine = Engine::start()?;
    engine.say("setoption name Seeds value 6")?;
    let mut times = answers(&mut engine, "isready", "readyok", 1000)?;
    print_times("isready to readyok while searching", &mut times);
    bar("99 % within 10 ms", quantile(&mut times, 0.99) <= Duration::from_millis(10))?;
    engine.quit()
}

fn threads() -> Result<()> {
    const DEPTH: u32 = 19;
    let mut random = fastrand::Rng::with_seed(1);
    let limits = Limits { depth: Some(DEPTH), ..Limits::default() };
    let mut searcher = Searcher::new(256)?;
    let mut ratios = Vec::new();
    while ratios.len() < 21 {
        let mut board = Board::start(Rules::default(), 6)?;
        play_randomly(&mut board, random.usize(2..=8), &mut random)?;
        let mut times = [Duration::ZERO; 2];
        for (time, threads) in times.iter_mut().zip(1..) {
            let threads = NonZeroUsize::new(threads).ok_or("no threads")?;
            let settings = SearchOptions { threads, ..SearchOptions::negascout() };
            searcher.clear();
            let stop = StopToken::new();
            *time = searcher.search(&board, &limits, &settings, &stop, &mut |_| {}).stats.time;
        }
        let ratio = times[0].as_secs_f64() / times[1].as_secs_f64();
        println!("{} {:.2?} {:.2?} {ratio:.2}", board.fen(), times[0], times[1]);
        ratios.push(ratio);
    }
    let median = quantile(&mut ratios, 0.5);
    println!("2 threads reach depth {DEPTH} {median:.2} times as fast as 1 (median)");
    bar("1.4 times", median >= 1.4)
}

/// Whether a line says who wins.
fn is_decided(line: &PvLine) -> bool {
    match line.bound {
        Bound::Exact => true,
        Bound::Lower => line.margin > 0,
        Bound::Upper => line.margin < 0,
    }
}

/// Positions of random games with so many seeds in play, from games with 4 and with 6 seeds a
/// house by turns.
fn endings(
    random: &mut fastrand::Rng,
    seeds: std::ops::RangeInclusive<u32>,
    capture: Capture,
    count: usize,
) -> Result<Vec<Board>> {
    let mut boards = Vec::new();
    while boards.len() < count {
        let each = if boards.len() % 2 == 0 { 4 } else { 6 };
        let mut board = Board::start(Rules::new(6, capture)?, each)?;
        let wanted = random.u32(seeds.clone());
        while board.seeds_in_play() > wanted {
            let moves: Vec<_> = board.moves().collect();
            board.play(*random.choice(&moves).ok_or("no move")?)?;
        }
        if seeds.contains(&board.seeds_in_play()) {
            boards.push(board);
        }
    }
    Ok(boards)
}

fn pns() -> Result<()> {
    const LIMIT: u64 = 5_000_000;
    let mut random = fastrand::Rng::with_seed(1);
    let mut searcher = Searcher::new(64)?;
    let prove = SearchOptions { variant: Variant::ProofNumber, ..SearchOptions::default() };
    for capture in Capture::ALL {
        let (mut to_winner, mut to_value, mut time) = (Vec::new(), Vec::new(), Duration::ZERO);
        let mut by_negascout = Vec::new();
        for board in endings(&mut random, 16..=20, capture, 50)? {
            let limits = Limits { nodes: Some(10 * LIMIT), ..Limits::default() };
            let mut nodes_to_winner = None;
            let stop = StopToken::new();
            searcher.clear();
            let outcome = searcher.search(&board, &limits, &prove, &stop, &mut |report| {
                if let SearchReport::Line(line, effort) = report
                    && is_decided(line)
                {
                    nodes_to_winner.get_or_insert(effort.nodes);
                }
            });
            to_winner.push(nodes_to_winner.unwrap_or(u64::MAX));
            let proven = outcome.lines.first().is_some_and(|line| line.proven);
            to_value.push(if proven { outcome.stats.nodes } else { u64::MAX });
            time += outcome.stats.time;
            if proven {
                let stop = StopToken::new();
                let settings = SearchOptions::negascout();
                let exact =
                    searcher.search(&board, &Limits::default(), &settings, &stop, &mut |_| {});
                by_negascout.push(exact.stats.nodes);
                assert_eq!(outcome.lines[0].margin, exact.lines[0].margin, "{}", board.fen());
            }
        }
        for (what, nodes) in [
            ("the winner", &mut to_winner),
            ("the exact value", &mut to_value),
            ("the exact value with negascout", &mut by_negascout),
        ] {
            let (median, most) = (quantile(nodes, 0.5), quantile(nodes, 1.0));
            println!("{capture}: nodes to prove {what}: median {median}, most {most}");
        }
        println!("{capture}: {:.2} s in all", time.as_secs_f64());
        let all_exact = quantile(&mut to_value, 1.0) < u64::MAX;
        let reached = quantile(&mut to_winner, 1.0) <= LIMIT && all_exact;
        bar("the winner within 5 M nodes, and values that are exact", reached)?;
    }
    Ok(())
}

fn tables() -> Result<()> {
    const RUNS: usize = 5;
    let build = |seeds, threads| -> Result<f64> {
        let count = NonZeroUsize::new(threads).ok_or("no thread")?;
        let mut rates = Vec::new();
        let mut times = Vec::new();
        for _ in 0..RUNS {
            let (table, time) = timed(|| Tablebase::build(Rules::default(), seeds, count));
            rates.push(table?.positions() as f64 / time.as_secs_f64() / 1e6);
            times.push(time.as_secs_f64());
        }
        let (rate, time) = (quantile(&mut rates, 0.5), quantile(&mut times, 0.5));
        println!("{seeds} seeds, threads {threads}: {rate:.0} M positions/s, {time:.2} s");
        Ok(rate)
    };
    let rate = build(20, 1)?;
    build(20, 2)?;
    build(24, 2)?;
    bar("150 M positions a second and core at 20 seeds", rate >= 150.0)
}

/// Plays a match of Kalah(6,4) between two players in words, from openings of six plies; shows
/// every game to `each`, and tells how long it took.
fn play(
    players: [&str; 2],
    games: u64,
    concurrency: NonZeroUsize,
    each: &mut dyn FnMut(&GameRecord),
) -> Result<Duration> {
    let nobody = PartialPlayerSettings::default();
    let player = |words: &str| PlayerSettings::new(words.parse()?, &nobody);
    let players = players.into_iter().map(player).collect::<Result<_, _>>()?;
    let openings = "plies=6".parse()?;
    let start = Board::start(Rules::default(), 4)?;
    let tournament = Tournament { openings, games, concurrency, ..Tournament::new(players, start) };
    let (outcome, time) = timed(|| {
        tournament.run(&StopToken::new(), &mut |event, _| {
            if let TournamentEvent::Game(game) = event {
                each(game);
            }
        })
    });
    outcome?;
    Ok(time)
}

fn program() -> String {
    format!("cmd={}", env!("CARGO_BIN_EXE_kalah"))
}

fn games() -> Result<()> {
    const GAMES: u64 = 1000;
    let players = ["builtin=negascout name=a depth=4", "builtin=mtdf name=b depth=4"];
    let time = play(players, GAMES, std::thread::available_parallelism()?, &mut |_| {})?;
    println!("{GAMES} games at depth 4: {:.1} s", time.as_secs_f64());
    bar("60 s", time < Duration::from_mins(1))
}

fn programs() -> Result<()> {
    const GAMES: u64 = 200;
    let mut costs = Vec::new();
    for _ in 0..5 {
        let a_move = |engine: &str| -> Result<f64> {
            let mut moves = 0;
            let players = ["a", "b"].map(|name| format!("{engine} name={name} depth=2"));
            let players = players.each_ref().map(String::as_str);
            let one = NonZeroUsize::MIN;
            let time = play(players, GAMES, one, &mut |game| moves += game.moves.len())?;
            Ok(time.as_secs_f64() * 1e3 / moves as f64)
        };
        let (search, program) = (a_move("builtin=negascout")?, a_move(&program())?);
        println!("a move of a search {search:.3} ms, of a program {program:.3} ms");
        costs.push(program - search);
    }
    let cost = quantile(&mut costs, 0.5);
    println!("a program costs {cost:.3} ms a move more, games, starts and all");
    bar("0.3 ms", cost <= 0.3)
}

fn lateness() -> Result<()> {
    const GAMES: u64 = 500;
    const TIME: f64 = 20.0;
    let (mut late, mut forfeits) = (Vec::new(), 0);
    let players = ["a", "b"].map(|name| format!("{} name={name} st=0.02", program()));
    let players = players.each_ref().map(String::as_str);
    let time = play(players, GAMES, std::thread::available_parallelism()?, &mut |game| {
        forfeits += usize::from(matches!(game.reason, Termination::Fault(_)));
        // Moves that were proven came early.
        let times = game.moves.iter().map(|ply| ply.time).filter(|&time| time > TIME);
        late.extend(times.map(|time| Duration::from_secs_f64((time - TIME) / 1e3)));
    })?;
    println!("{GAMES} games in {:.0} s, {forfeits} lost by faults", time.as_secs_f64());
    print_times("later than the 20 ms", &mut late);
    bar("no time forfeit", forfeits == 0)
}
