//! The nodes that NegaScout and other searches save over alpha-beta on Kalah, all else being equal.

use serde::Serialize;

use super::experiment::{LabContext, LabError, geometric_mean, median};
use super::intervals::ConfidenceInterval;
use super::midgame::{Midgame, check_search, search_to_depth};
use kalah::search::{DepthFirst, MtdDriver, SearchOptions, Variant};

/// Searches positions of Kalah with the depth-first searches.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SavingsExperiment {
    /// The positions of games that differ in their seeds. The start of each is searched as well.
    pub games: Vec<Midgame>,
    /// Plies.
    pub depths: Vec<u32>,
    /// Size of the table in MiB.
    pub hash: usize,
}

/// One search of one position to one depth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SavingsRow {
    /// Seeds in each house at the start of the game.
    pub seeds: u16,
    /// The board.
    pub board: String,
    /// Whether it is the start of the game.
    pub is_start: bool,
    /// Plies.
    pub depth: u32,
    /// The search.
    pub search: &'static str,
    /// Node visits in all iterations up to the depth.
    pub nodes: u64,
    /// Leaf evaluations. This and the next two counts are of the greatest depth only.
    pub leaves: Option<u64>,
    /// Re-searches, those of the root included.
    pub researches: Option<u64>,
    /// Node visits cut off by the table.
    pub table_hits: Option<u64>,
}

/// One search of the middle-game positions of a game to one depth.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SavingsSummary {
    /// Seeds in each house at the start of the game.
    pub seeds: u16,
    /// Plies.
    pub depth: u32,
    /// The search.
    pub search: &'static str,
    /// Positions searched to this depth, by alpha-beta as well.
    pub positions: usize,
    /// Median of the nodes.
    pub nodes: f64,
    /// Median ratio of the nodes to those of alpha-beta on the same position.
    pub median_ratio: f64,
    /// The interval of the median ratio; `None` for less than six positions.
    pub interval: Option<ConfidenceInterval>,
    /// Geometric mean of these ratios.
    pub mean_ratio: f64,
}

/// Names, searches, and whether they use aspiration windows. The first is the baseline.
const SEARCHES: [(&str, DepthFirst, bool); 8] = [
    ("alphabeta", DepthFirst::AlphaBeta, false),
    ("negascout", DepthFirst::NegaScout, false),
    ("negascout+aspiration", DepthFirst::NegaScout, true),
    ("pvs", DepthFirst::Pvs, false),
    ("scout", DepthFirst::Scout, false),
    ("mtdf", DepthFirst::Mtd(MtdDriver::Guess), false),
    ("sss", DepthFirst::Mtd(MtdDriver::Above), false),
    ("dual", DepthFirst::Mtd(MtdDriver::Below), false),
];

impl SavingsExperiment {
    /// Searches all positions with all searches, with transposition table and dynamic move order.
    ///
    /// # Errors
    /// When a board or depth is invalid, a game has too few middle games, memory is short, or `stop`
    /// was stopped.
    pub fn run(&self, context: &LabContext) -> Result<Vec<SavingsRow>, LabError> {
        for midgame in &self.games {
            for &depth in &self.depths {
                check_search(midgame.houses, depth, 0.6)?;
            }
        }
        context.check_tables(self.hash)?;
        let deepest = self.depths.iter().copied().max().unwrap_or(0);
        let mut tasks = Vec::new();
        for midgame in &self.games {
            let mut boards = vec![(midgame.start()?, true)];
            boards.extend(midgame.draw()?.into_iter().map(|board| (board, false)));
            for board in boards {
                tasks.extend(SEARCHES.map(|search| (midgame.seeds, board, search)));
            }
        }
        let rows = context.in_parallel(&tasks, |&(seeds, (board, is_start), search)| {
            let (name, search, aspiration) = search;
            let variant = Variant::DepthFirst(search);
            let options = SearchOptions { variant, aspiration, ..SearchOptions::default() };
            let search = search_to_depth(&board, deepest, &options, self.hash, &context.stop)?;
            let iterations = search.nodes_to_depth.into_iter();
            let iterations = iterations.filter(|(depth, _)| self.depths.contains(depth));
            let counters = search.result.counters;
            let row = |(depth, nodes)| {
                let if_deepest = |count| (depth == deepest).then_some(count);
                SavingsRow {
                    seeds,
                    board: board.fen(),
                    is_start,
                    depth,
                    search: name,
                    nodes,
                    leaves: if_deepest(counters.leaves),
                    researches: if_deepest(counters.researches),
                    table_hits: if_deepest(counters.table_hits),
                }
            };
            Ok(iterations.map(row).collect::<Vec<_>>())
        })?;
        Ok(rows.into_iter().flatten().collect())
    }

    /// Summarises the middle-game positions, by seeds, then depth, then search.
    pub fn summarize(&self, rows: &[SavingsRow]) -> Vec<SavingsSummary> {
        let mut summary = Vec::new();
        for &Midgame { seeds, .. } in &self.games {
            for &depth in &self.depths {
                for (search, ..) in SEARCHES {
                    let alike = |row: &&SavingsRow| {
                        (row.seeds, row.depth, row.is_start) == (seeds, depth, false)
                    };
                    let of = |name| rows.iter().filter(alike).filter(move |row| row.search == name);
                    let pairs: Vec<(f64, f64)> = of(search)
                        .filter_map(|row| {
                            let other = of(SEARCHES[0].0).find(|other| other.board == row.board)?;
                            Some((row.nodes as f64, other.nodes as f64))
                        })
                        .collect();
                    let ratios =
                        || pairs.iter().map(|(nodes, of_alpha_beta)| nodes / of_alpha_beta);
                    // No search reached this depth before the end of the game.
                    let Some(median_ratio) = median(ratios()) else { continue };
                    summary.push(SavingsSummary {
                        seeds,
                        depth,
                        search,
                        positions: pairs.len(),
                        nodes: median(pairs.iter().map(|pair| pair.0)).unwrap_or(0.0),
                        median_ratio,
                        interval: ConfidenceInterval::of_median(ratios()),
                        mean_ratio: geometric_mean(ratios()).unwrap_or(0.0),
                    });
                }
            }
        }
        summary
    }
}
