//! Random middle-game positions of Kalah, and searches of them to a fixed depth.

use std::fmt;

use clap::Args;
use serde::Serialize;

use super::experiment::{LabError, check_depth, check_duration, require};
use kalah::StopToken;
use kalah::board::{Board, BoardError, Rules, splitmix64};
use kalah::printable::counted;
use kalah::search::{Bound, Limits, SearchOptions, SearchReport, SearchResult, Searcher};
use kalah_command::options::{RuleOptions, houses, number, seeds};

/// The game that positions are drawn from, and their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Args)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Midgame {
    /// Houses a side, 1 to 12.
    #[arg(long, value_name = "H", default_value_t = 6, value_parser = houses())]
    pub houses: usize,
    /// Seeds in each house at the start.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = seeds())]
    pub seeds: u16,
    /// The rules.
    #[command(flatten)]
    #[serde(flatten)]
    #[cfg_attr(test, schemars(with = "kalah_command::output::RuleMembers"))]
    pub rules: RuleOptions,
    /// Positions of each game.
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = number::<usize>(1..=10_000))]
    pub positions: usize,
    /// Random seed.
    #[arg(long = "seed", value_name = "SEED", default_value_t = 1, value_parser = number::<u64>(..))]
    pub random_seed: u64,
}

impl fmt::Display for Midgame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Midgame { houses, seeds, random_seed, .. } = self;
        let (positions, rule_set) = (counted(self.positions, "position"), self.rules.rule_set());
        write!(f, "{positions} of Kalah({houses},{seeds}), {rule_set}, seed {random_seed}")
    }
}

/// Random plies that lead to a position: this minimum, and fewer than that many more.
const MIN_PLIES: u64 = 8;
const MORE_PLIES: u64 = 13;

/// Maximum number of random games for each position.
const MAX_TRIES: usize = 100;

impl Midgame {
    /// The start of the game.
    ///
    /// # Errors
    /// When there is no such board.
    pub fn start(&self) -> Result<Board, LabError> {
        let rules = Rules::new(self.houses, self.rules.rule_set()).map_err(BoardError::from)?;
        Ok(Board::start(rules, self.seeds)?)
    }

    /// Draws different positions after 8 to 20 random plies, with at least half of the seeds in
    /// play and more than one move.
    ///
    /// # Errors
    /// When there is no such board, or its games reach too few such positions.
    pub fn draw(&self) -> Result<Vec<Board>, LabError> {
        let start = self.start()?;
        let mut state = splitmix64(self.random_seed);
        let mut random_below = |limit: u64| {
            state = state.wrapping_add(1);
            ((u128::from(splitmix64(state)) * u128::from(limit)) >> 64) as u64
        };
        let mut boards: Vec<Board> = Vec::new();
        for _ in 0..self.positions.saturating_mul(MAX_TRIES) {
            if boards.len() == self.positions {
                break;
            }
            let mut board = start;
            for _ in 0..MIN_PLIES + random_below(MORE_PLIES) {
                let after: Vec<_> = board.successors().collect();
                if let Some(&(_, after)) = after.get(random_below(after.len() as u64) as usize) {
                    board = after;
                }
            }
            let is_midgame =
                2 * board.seeds_in_play() >= start.seeds_in_play() && board.moves().count() > 1;
            if is_midgame && !boards.contains(&board) {
                boards.push(board);
            }
        }
        require(boards.len() == self.positions, || {
            let positions = self.positions;
            format!(
                "games from this start are too short: they do not reach {positions} middle-game positions"
            )
        })?;
        Ok(boards)
    }
}

/// Searches by iterative deepening, with a new table. Returns the result, and each depth with the nodes of all
/// iterations up to it.
pub(super) fn search_to_depth(
    board: &Board,
    depth: u32,
    options: &SearchOptions,
    hash_mebibytes: usize,
) -> Result<(SearchResult, Vec<(u32, u64)>), LabError> {
    let mut searcher = Searcher::new(hash_mebibytes)?;
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let mut nodes = Vec::new();
    let result = searcher.search(board, &limits, options, &StopToken::new(), &mut |report| {
        // A bound is reported while an iteration is still running.
        if let SearchReport::Line(line, stats) = report
            && line.bound == Bound::Exact
        {
            nodes.push((line.depth, stats.nodes));
        }
    });
    Ok((result, nodes))
}

/// Refuses depths that cannot be searched or would take too long, by an effective branching factor
/// of `houses` to the power of `exponent`.
pub(super) fn check_search(houses: usize, depth: u32, exponent: f64) -> Result<(), LabError> {
    check_depth(depth)?;
    let nodes = (houses as f64).powf(exponent * f64::from(depth));
    check_duration(|| format!("a search of {houses} houses to depth {depth}"), nodes)
}
