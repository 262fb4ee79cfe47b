//! What each term of the static evaluation is worth: the default weights play against the same
//! weights with one term switched off, at equal nodes a move.
//!
//! `cargo run --release --example evaluation_terms -- --games 2000 --nodes 5000 --seeds 6`

use std::io::{self, Write};
use std::thread;

use anyhow::{Context, Result, ensure};
use clap::{Parser, value_parser};
use kalah::StopToken;
use kalah::board::{Board, Capture, Rules};
use kalah::parallel;
use kalah::search::{Evaluation, EvaluationChoice, Limits, SearchOptions, Searcher, Weights};
use kalah_records::statistics::{Estimate, Pentanomial};
use kalah_records::{OpeningBook, OpeningSettings, OpeningSource};

/// Plays the default evaluation against itself with one term switched off.
///
/// Every opening is played twice with sides changed, so that each pair of games is one
/// independent observation.
#[derive(Parser)]
struct Arguments {
    /// Games for each term, two an opening; fewer when the board has not as many openings
    #[arg(long, default_value_t = 1000, value_parser = value_parser!(u32).range(4..))]
    games: u32,
    /// Nodes a move
    #[arg(long, default_value_t = 5000)]
    nodes: u64,
    /// Random plies that make an opening
    #[arg(long, default_value_t = 4)]
    plies: u32,
    /// Houses a side
    #[arg(long, default_value_t = 6)]
    houses: usize,
    /// Seeds in each house at the start
    #[arg(long, default_value_t = 6)]
    seeds: u16,
    /// standard or empty
    #[arg(long, default_value_t)]
    capture: Capture,
    /// Seed of the random openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

const HASH_MEBIBYTES: usize = 8;

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let openings = openings(&arguments)?;
    ensure!(openings.len() > 1, "this board has too few openings for an interval");
    let mut out = io::stdout().lock();
    let Arguments { nodes, plies, houses, seeds, capture, seed, .. } = arguments;
    writeln!(out, "{houses}x{seeds} {capture}, {nodes} nodes a move")?;
    writeln!(out, "{} openings of {plies} plies from seed {seed}", openings.len())?;
    writeln!(out, "without    games   win  draw  loss   score   Elo [95 % interval]   margin")?;
    for (name, weights) in rivals() {
        let pairs = play_match(&arguments, &openings, weights)?;
        writeln!(out, "{name:<10} {}", summary(&pairs))?;
    }
    Ok(())
}

/// The default weights with something switched off.
fn rivals() -> [(&'static str, Weights); 5] {
    let all = Weights::DEFAULT;
    let none = Weights::NONE;
    [
        ("tempo", Weights { tempo: none.tempo, ..all }),
        ("seed", Weights { seed: none.seed, ..all }),
        ("empty", Weights { empty: none.empty, ..all }),
        ("overflow", Weights { overflow: none.overflow, ..all }),
        ("all", none),
    ]
}

/// Boards some random plies into the game, no two the same.
fn openings(arguments: &Arguments) -> Result<Vec<Board>> {
    let rules = Rules::new(arguments.houses, arguments.capture)?;
    let start = Board::start(rules, arguments.seeds)?;
    let source = OpeningSource::Random(arguments.plies);
    let settings = OpeningSettings { source, ..OpeningSettings::default() };
    let mut book = OpeningBook::new(&settings, &start, arguments.seed, &StopToken::new())?;
    let mut openings = Vec::new();
    for number in 0..u64::from(arguments.games.div_ceil(2)) {
        let opening = book.opening(number)?;
        if book.distinct().is_some_and(|distinct| number >= distinct) {
            break;
        }
        openings.push(opening);
    }
    Ok(openings)
}

/// The margins of the default weights over `weights` from every opening, playing South and
/// playing North.
fn play_match(
    arguments: &Arguments,
    openings: &[Board],
    weights: Weights,
) -> Result<Vec<[i32; 2]>> {
    let threads = thread::available_parallelism()?;
    parallel::try_map_with(
        threads,
        openings.iter(),
        || (),
        |(), opening| {
            let first = play_game(*opening, [Weights::DEFAULT, weights], arguments.nodes)?;
            let second = play_game(*opening, [weights, Weights::DEFAULT], arguments.nodes)?;
            Ok([first, -second])
        },
    )
}

/// The margin of a game from the view of South, with the weights of South and North.
fn play_game(mut board: Board, weights: [Weights; 2], nodes: u64) -> Result<i32> {
    let options = weights.map(|weights| SearchOptions {
        evaluation: EvaluationChoice::Given(Evaluation::new(weights)),
        ..SearchOptions::negascout()
    });
    let mut searchers = [Searcher::new(HASH_MEBIBYTES)?, Searcher::new(HASH_MEBIBYTES)?];
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    loop {
        if let Some(margin) = board.result() {
            return Ok(margin);
        }
        let (side, stop) = (board.side().index(), StopToken::new());
        let outcome = searchers[side].search(&board, &limits, &options[side], &stop, &mut |_| {});
        board.play(outcome.best.context("a game that goes on has a move")?)?;
    }
}

/// Games, results, score, Elo difference with its 95 % interval, and mean margin.
fn summary(pairs: &[[i32; 2]]) -> String {
    let half_points = |margin: i32| (margin.signum() + 1) as usize;
    let mut counts = Pentanomial::default();
    for &[first, second] in pairs {
        counts.0[half_points(first) + half_points(second)] += 1;
    }
    let Estimate { value, low, high } = counts.elo();
    let interval = format!("{value:+.0} [{low:.0}, {high:.0}]");
    let (margins, score) = (pairs.as_flattened(), 100.0 * counts.score());
    let games_with = |result: i32| margins.iter().filter(|it| it.signum() == result).count();
    let [wins, draws, losses] = [1, 0, -1].map(games_with);
    let games = margins.len();
    let margin = f64::from(margins.iter().sum::<i32>()) / games as f64;
    format!(
        "{games:>5} {wins:>5} {draws:>5} {losses:>5}  {score:>5.1} %  {interval:<21} {margin:+.1}"
    )
}
