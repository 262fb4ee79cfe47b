//! How many nodes NegaScout and the others save over alpha-beta on Kalah, everything else being
//! the same.

use serde::Serialize;

use super::error::{LabError, check_tables};
use super::kalah_search::{check_search, searched};
use super::midgame::Midgame;
use super::progress::{Watch, in_parallel};
use super::statistics::{geometric_mean, median};
use crate::search::{DepthFirst, MtdDriver, SearchOptions, Variant};

/// Which positions to search, and how deep.
#[derive(Clone, Debug, Serialize)]
pub struct Savings {
    /// The positions, of one game or several that differ in their seeds; the start of each is
    /// searched besides.
    pub games: Vec<Midgame>,
    /// Plies.
    pub depths: Vec<u32>,
    /// Size of the table in MiB.
    pub hash: usize,
}

/// One search of one position to one depth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SavingsRow {
    /// Seeds in each house at the start of the game.
    pub seeds: u16,
    /// The board.
    pub board: String,
    /// Whether it is the start.
    pub is_start: bool,
    /// Plies.
    pub depth: u32,
    /// The search.
    pub search: &'static str,
    /// Visits to positions, of all iterations up to the depth.
    pub nodes: u64,
    /// Positions evaluated; known for the greatest depth only, as are the next two.
    pub leaves: Option<u64>,
    /// Positions searched again, the root among them.
    pub researches: Option<u64>,
    /// Visits settled by the table.
    pub table_hits: Option<u64>,
}

/// What the nodes of a search to the greatest depth are: medians over the middle-game positions
/// of a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SavingsReason {
    /// Seeds in each house at the start of the game.
    pub seeds: u16,
    /// The search.
    pub search: &'static str,
    /// Visits to positions.
    pub nodes: f64,
    /// Positions evaluated.
    pub leaves: f64,
    /// Positions searched again, the root among them.
    pub researches: f64,
    /// Visits settled by the table.
    pub table_hits: f64,
}

/// What the middle-game positions of a game say together about one search and one depth.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SavingsSummary {
    /// Seeds in each house at the start of the game.
    pub seeds: u16,
    /// Plies.
    pub depth: u32,
    /// The search.
    pub search: &'static str,
    /// Positions searched to this depth by both.
    pub positions: usize,
    /// The median number of nodes.
    pub nodes: f64,
    /// The median of the nodes as parts of those of alpha-beta on the same position.
    pub median_ratio: f64,
    /// Their geometric mean.
    pub mean_ratio: f64,
}

/// The searches by name, and whether they begin their iterations with a narrow window. The first
/// is what the others are held against.
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

impl Savings {
    /// Searches all positions with all searches, with table and dynamic order of moves.
    ///
    /// # Errors
    /// When the positions cannot be had, a depth is none or too great, a table does not fit in
    /// memory, and when whoever watches has seen enough.
    pub fn run(&self, watch: Watch) -> Result<Vec<SavingsRow>, LabError> {
        for midgame in &self.games {
            for &depth in &self.depths {
                check_search(midgame.houses, depth, 0.6)?;
            }
        }
        check_tables(self.hash)?;
        let deepest = self.depths.iter().copied().max().unwrap_or(0);
        let mut work = Vec::new();
        for midgame in &self.games {
            let mut boards = vec![(midgame.start()?, true)];
            boards.extend(midgame.draw()?.into_iter().map(|board| (board, false)));
            for board in boards {
                work.extend(SEARCHES.map(|search| (midgame.seeds, board, search)));
            }
        }
        let rows = in_parallel(&work, watch, |&(seeds, (board, is_start), search)| {
            let (name, search, aspiration) = search;
            let variant = Variant::DepthFirst(search);
            let settings = SearchOptions { variant, aspiration, ..SearchOptions::default() };
            let found = searched(&board, deepest, &settings, self.hash)?;
            let iterations = found.nodes_to_depth.into_iter();
            let wanted = iterations.filter(|(depth, _)| self.depths.contains(depth));
            let counters = found.outcome.counters;
            let row = |(depth, nodes)| {
                let in_all = |count| (depth == deepest).then_some(count);
                SavingsRow {
                    seeds,
                    board: board.fen(),
                    is_start,
                    depth,
                    search: name,
                    nodes,
                    leaves: in_all(counters.leaves),
                    researches: in_all(counters.researches),
                    table_hits: in_all(counters.table_hits),
                }
            };
            Ok(wanted.map(row).collect::<Vec<_>>())
        })?;
        Ok(rows.into_iter().flatten().collect())
    }

    /// What the nodes at the greatest depth are: by seeds, then search.
    pub fn reasons(&self, rows: &[SavingsRow]) -> Vec<SavingsReason> {
        let games = self.games.iter();
        let games = games.flat_map(|game| SEARCHES.map(|(name, ..)| (game.seeds, name)));
        let reason = |(seeds, search)| {
            let alike =
                |row: &&SavingsRow| (row.seeds, row.search, row.is_start) == (seeds, search, false);
            let median_of = |count: fn(&SavingsRow) -> Option<u64>| {
                let counts = rows.iter().filter(alike).filter_map(count);
                median(counts.map(|count| count as f64))
            };
            Some(SavingsReason {
                seeds,
                search,
                nodes: median_of(|row| row.leaves.and(Some(row.nodes)))?,
                leaves: median_of(|row| row.leaves)?,
                researches: median_of(|row| row.researches)?,
                table_hits: median_of(|row| row.table_hits)?,
            })
        };
        games.filter_map(reason).collect()
    }

    /// Takes the middle-game positions together: by seeds, then depth, then search.
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
                    // A game can be over before it gets so deep.
                    let Some(median_ratio) = median(ratios()) else { continue };
                    summary.push(SavingsSummary {
                        seeds,
                        depth,
                        search,
                        positions: pairs.len(),
                        nodes: median(pairs.iter().map(|pair| pair.0)).unwrap_or(0.0),
                        median_ratio,
                        mean_ratio: geometric_mean(ratios()).unwrap_or(0.0),
                    });
                }
            }
        }
        summary
    }
}
