//! How good the searches by random games are: how often they find a best move, by the number of
//! games.

use std::num::NonZeroUsize;

use serde::Serialize;

use super::error::{LabError, check_effort, check_tables};
use super::midgame::Midgame;
use super::progress::{Watch, in_parallel};
use crate::board::{Board, House, MAX_HOUSES};
use crate::search::{DepthFirstOptions, Limits, SearchOptions, Searcher, Variant};
use crate::stop::StopToken;

/// The positions and how many games to play in each.
#[derive(Clone, Debug, Serialize)]
pub struct Chance {
    /// The positions. They have to be small enough to be proven.
    pub midgame: Midgame,
    /// Numbers of random games.
    pub iterations: Vec<u64>,
    /// Size of table and tree in MiB.
    pub hash: usize,
}

/// What one search finds with so many games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChanceRow {
    /// The search.
    pub search: &'static str,
    /// Random games in each position.
    pub iterations: u64,
    /// Positions.
    pub positions: usize,
    /// Those in which the move found is a best one.
    pub best_moves: usize,
    /// Those in which it is proven to be.
    pub proven: usize,
}

/// The searches by random games.
const SEARCHES: [Variant; 3] = [Variant::FlatMonteCarlo, Variant::FlatUcb, Variant::MonteCarloTree];

impl Chance {
    /// Finds the best moves of all positions by proof, then has every search look for them.
    ///
    /// # Errors
    /// When the positions cannot be had, memory is not there, or whoever watches has seen enough.
    pub fn run(&self, watch: Watch) -> Result<Vec<ChanceRow>, LabError> {
        let seeds = self.midgame.start()?.seeds_in_play();
        for &iterations in &self.iterations {
            // A random game takes about as many plies as there are seeds.
            let nodes = iterations as f64 * f64::from(seeds);
            check_effort(|| format!("a search by {iterations} random games"), nodes, 0)?;
        }
        check_tables(self.hash)?;
        let boards = self.midgame.draw()?;
        let truth = in_parallel(&boards, watch, |board| self.best_moves(board))?;
        let ways = SEARCHES.iter().flat_map(|&search| {
            self.iterations.iter().map(move |&iterations| (search, iterations))
        });
        let ways: Vec<_> = ways.collect();
        in_parallel(&ways, watch, |&(search, iterations)| {
            let mut row = ChanceRow {
                search: search.name(),
                iterations,
                positions: boards.len(),
                best_moves: 0,
                proven: 0,
            };
            let mut searcher = Searcher::new(self.hash)?;
            for (board, best) in boards.iter().zip(&truth) {
                searcher.clear();
                let stop = StopToken::new();
                let limits = Limits { iterations: Some(iterations), ..Limits::default() };
                let depth_first = DepthFirstOptions {
                    random_seed: self.midgame.random_seed,
                    ..DepthFirstOptions::default()
                };
                let settings =
                    SearchOptions { variant: search, depth_first, ..SearchOptions::default() };
                let outcome = searcher.search(board, &limits, &settings, &stop, &mut ());
                let found = outcome.best.is_some_and(|found| best.contains(&found.house));
                row.best_moves += usize::from(found);
                row.proven += usize::from(outcome.lines.first().is_some_and(|line| line.proven));
            }
            Ok(row)
        })
    }

    /// The moves that reach the value of a board, proven.
    fn best_moves(&self, board: &Board) -> Result<Vec<House>, LabError> {
        let mut searcher = Searcher::new(self.hash)?;
        let stop = StopToken::new();
        let multipv = NonZeroUsize::new(MAX_HOUSES).unwrap_or(NonZeroUsize::MIN);
        let settings = SearchOptions { multipv, ..SearchOptions::negascout() };
        let limits = Limits { nodes: Some(MOST_NODES), ..Limits::default() };
        let lines = searcher.search(board, &limits, &settings, &stop, &mut ()).lines;
        if !lines.iter().all(|line| line.proven) {
            return Err(LabError::NotProven { board: board.fen(), nodes: MOST_NODES });
        }
        let best = lines.iter().map(|line| line.margin).max();
        let reaching = lines.iter().filter(|line| Some(line.margin) == best);
        Ok(reaching.filter_map(|line| line.pv.first()).map(|first| first.house).collect())
    }
}

/// Nodes that the proof of one position may take.
const MOST_NODES: u64 = 100_000_000;
