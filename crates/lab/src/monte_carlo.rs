//! How often Monte Carlo searches find a best move, by the number of random games.

use std::num::NonZeroUsize;

use clap::Args;
use serde::Serialize;

use super::commands::screen::{Column, ScreenTable, ScreenText};
use super::experiment::{Experiment, LabContext, LabError, check_duration, require};
use super::intervals::ConfidenceInterval;
use super::midgame::Midgame;
use kalah::StopToken;
use kalah::board::{Board, MAX_HOUSES, Move};
use kalah::search::{DepthFirstOptions, Limits, SearchOptions, Searcher, Variant};
use kalah_charts::{Chart, Panel, Point, Series};
use kalah_command::options::number;
use kalah_command::table::grouped;

/// Searches positions with known best moves.
#[derive(Clone, Debug, Serialize, Args)]
#[command(mut_arg("seeds", |seeds| seeds.default_value("2")))]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MonteCarloExperiment {
    /// The positions, small enough for a proof of their best moves.
    #[command(flatten)]
    pub midgame: Midgame,
    /// Random games in each position.
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "100,1000,10000,100000",
          value_parser = number::<u64>(1..))]
    pub iterations: Vec<u64>,
    /// Memory of each search in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = number::<usize>(1..))]
    pub hash: usize,
}

/// One search of all positions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MonteCarloRow {
    /// The search.
    pub search: &'static str,
    /// Random games in each position.
    pub iterations: u64,
    /// Positions.
    pub positions: usize,
    /// Positions in which the search found a best move.
    pub best_moves: usize,
    /// Positions in which it proved the value of its move.
    pub proven: usize,
}

impl MonteCarloRow {
    /// The share of a number of positions, in per cent.
    fn per_cent(&self, count: usize) -> f64 {
        100.0 * count as f64 / self.positions as f64
    }
}

/// Node limit for the proof of the best moves of one position.
const MAX_PROOF_NODES: u64 = 100_000_000;

const SEARCHES: [Variant; 3] = [Variant::FlatMonteCarlo, Variant::FlatUcb, Variant::MonteCarloTree];

impl Experiment for MonteCarloExperiment {
    const NAME: &'static str = "chance";
    type Row = MonteCarloRow;
    type Summary = ();

    fn run(&self, context: &LabContext) -> Result<Vec<MonteCarloRow>, LabError> {
        let seeds = self.midgame.start()?.seeds_in_play();
        for &iterations in &self.iterations {
            // A random game has about as many plies as there are seeds.
            let nodes = iterations as f64 * f64::from(seeds);
            check_duration(|| format!("a search by {iterations} random games"), nodes)?;
        }
        context.check_tables(self.hash)?;
        let boards = self.midgame.draw()?;
        let best_moves = context.in_parallel(&boards, |board| self.best_moves(board))?;
        let tasks = SEARCHES.iter().flat_map(|&search| {
            self.iterations.iter().map(move |&iterations| (search, iterations))
        });
        let tasks: Vec<_> = tasks.collect();
        context.in_parallel(&tasks, |&(variant, iterations)| {
            let mut row = MonteCarloRow {
                search: variant.name(),
                iterations,
                positions: boards.len(),
                best_moves: 0,
                proven: 0,
            };
            let random_seed = self.midgame.random_seed;
            let depth_first = DepthFirstOptions { random_seed, ..DepthFirstOptions::default() };
            let options = SearchOptions { variant, depth_first, ..SearchOptions::default() };
            let limits = Limits { iterations: Some(iterations), ..Limits::default() };
            let mut searcher = Searcher::new(self.hash)?;
            for (board, best) in boards.iter().zip(&best_moves) {
                searcher.clear();
                let result =
                    searcher.search(board, &limits, &options, &StopToken::new(), &mut |_| {});
                let is_best = result.best.is_some_and(|found| best.contains(&found));
                row.best_moves += usize::from(is_best);
                row.proven += usize::from(result.lines.first().is_some_and(|line| line.proven));
            }
            Ok(row)
        })
    }

    fn summarize(&self, _: &[MonteCarloRow]) {}

    fn print(&self, rows: &[MonteCarloRow], (): &(), screen: &mut ScreenText) {
        let columns: [Column<MonteCarloRow>; 4] = [
            ("search", |row| row.search.to_owned()),
            ("games", |row| grouped(row.iterations)),
            ("best moves", |row| format!("{:.0} %", row.per_cent(row.best_moves))),
            ("proven", |row| format!("{:.0} %", row.per_cent(row.proven))),
        ];
        let title = format!("Best moves found in {}", self.midgame);
        screen.add_table(title, ScreenTable::of_items(rows, columns, 1, self.iterations.len()));
    }

    fn chart(&self, rows: &[MonteCarloRow], (): &()) -> Chart {
        let series = rows.chunk_by(|a, b| a.search == b.search).map(|rows| {
            let point = |row: &MonteCarloRow| {
                let interval = ConfidenceInterval::for_proportion(row.best_moves, row.positions);
                let interval = interval.map(|ends| (100.0 * ends.low, 100.0 * ends.high));
                Point::measured(row.iterations as f64, row.per_cent(row.best_moves), interval)
            };
            Series::line(rows[0].search, rows.iter().map(point))
        });
        let labels = ["random games in a position", "positions with a best move found, %"];
        let panel = Panel::new("", labels, series).with_logarithmic_x();
        Chart::new("Best moves found by random games", [panel])
    }
}

impl MonteCarloExperiment {
    /// The moves with the proven value of a board.
    fn best_moves(&self, board: &Board) -> Result<Vec<Move>, LabError> {
        let mut searcher = Searcher::new(self.hash)?;
        let multipv = NonZeroUsize::new(MAX_HOUSES).unwrap_or(NonZeroUsize::MIN);
        let options = SearchOptions { multipv, ..SearchOptions::negascout() };
        let limits = Limits { nodes: Some(MAX_PROOF_NODES), ..Limits::default() };
        let lines = searcher.search(board, &limits, &options, &StopToken::new(), &mut |_| {}).lines;
        require(lines.iter().all(|line| line.proven), || {
            let board = board.fen();
            format!(
                "{board}: best moves not proven within {MAX_PROOF_NODES} nodes; choose a smaller game"
            )
        })?;
        let max = lines.iter().map(|line| line.margin).max();
        let best = lines.iter().filter(|line| Some(line.margin) == max);
        Ok(best.filter_map(|line| line.pv.first()).copied().collect())
    }
}
