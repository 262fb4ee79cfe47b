//! The nodes that NegaScout and other searches save over alpha-beta on Kalah, all else being equal.

use std::collections::{BTreeSet, HashMap};

use clap::Args;
use serde::Serialize;

use super::commands::screen::{ScreenTable, ScreenText};
use super::experiment::{
    Experiment, ExperimentOptions, LabContext, LabError, geometric_mean, median,
};
use super::intervals::ConfidenceInterval;
use super::midgame::{Midgame, check_search, search_to_depth};
use kalah::printable::counted;
use kalah::search::{DepthFirst, MtdDriver, SearchOptions, Variant};
use kalah_charts::{Chart, Panel, Point, Series, SeriesStyle};
use kalah_command::options::{RuleOptions, houses, number, seeds};
use kalah_command::table::{change, grouped};

#[derive(Args)]
pub struct SavingsOptions {
    /// Seeds in each house at the start; a game each
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "4,5,6", value_parser = seeds())]
    seeds: Vec<u16>,

    /// Plies
    #[arg(long, value_name = "L,…", value_delimiter = ',', default_value = "6,8,10,12,14", value_parser = number::<u32>(..))]
    depths: Vec<u32>,

    /// Houses a side, 1 to 12
    #[arg(long, value_name = "H", default_value_t = 6, value_parser = houses())]
    houses: usize,

    #[command(flatten)]
    rules: RuleOptions,

    /// Positions of each game
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = number::<usize>(1..=10_000))]
    positions: usize,

    /// Memory of each search in MiB
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = number::<usize>(1..))]
    hash: usize,

    /// Random seed
    #[arg(long, default_value_t = 1, value_parser = number::<u64>(..))]
    seed: u64,
}

impl ExperimentOptions for SavingsOptions {
    type Experiment = SavingsExperiment;

    fn experiment(self) -> Result<SavingsExperiment, LabError> {
        let SavingsOptions { seeds, depths, houses, rules, positions, hash, seed } = self;
        let game = |seeds| Midgame { houses, seeds, rules, positions, random_seed: seed };
        // A game twice would be twice the positions, with intervals that are too narrow.
        let (seeds, depths) = (BTreeSet::from_iter(seeds), BTreeSet::from_iter(depths));
        let (games, depths) = (seeds.into_iter().map(game).collect(), Vec::from_iter(depths));
        Ok(SavingsExperiment { games, depths, hash })
    }
}

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
    /// The interval of the median ratio; `None` for fewer than six positions.
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

/// Nodes of NegaScout for a node of alpha-beta in chess engines, as published.
const PUBLISHED_RATIO: f64 = 0.9;

/// Searches that visit the leaves best first.
const BEST_FIRST: [&str; 2] = ["sss", "dual"];

impl Experiment for SavingsExperiment {
    const NAME: &'static str = "savings";
    type Row = SavingsRow;
    type Summary = Vec<SavingsSummary>;

    /// Searches all positions with all searches, with transposition table and dynamic move order.
    fn run(&self, context: &LabContext) -> Result<Vec<SavingsRow>, LabError> {
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
            let (result, nodes) = search_to_depth(&board, deepest, &options, self.hash)?;
            let iterations = nodes.into_iter();
            let iterations = iterations.filter(|(depth, _)| self.depths.contains(depth));
            let counters = result.counters;
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
    fn summarize(&self, rows: &[SavingsRow]) -> Vec<SavingsSummary> {
        let mut summary = Vec::new();
        for &Midgame { seeds, .. } in &self.games {
            for &depth in &self.depths {
                let alike = |row: &&SavingsRow| {
                    (row.seeds, row.depth, row.is_start) == (seeds, depth, false)
                };
                let of = |name| rows.iter().filter(alike).filter(move |row| row.search == name);
                let alpha_beta =
                    of(SEARCHES[0].0).map(|row| (row.board.as_str(), row.nodes as f64));
                let alpha_beta: HashMap<&str, f64> = alpha_beta.collect();
                for (search, ..) in SEARCHES {
                    let pair = |row: &SavingsRow| {
                        Some((row.nodes as f64, *alpha_beta.get(row.board.as_str())?))
                    };
                    let pairs: Vec<(f64, f64)> = of(search).filter_map(pair).collect();
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
                        interval: ConfidenceInterval::for_median(ratios()),
                        mean_ratio: geometric_mean(ratios()).unwrap_or(0.0),
                    });
                }
            }
        }
        summary
    }

    fn print(&self, rows: &[SavingsRow], summary: &Vec<SavingsSummary>, screen: &mut ScreenText) {
        let Some(game) = self.games.first() else { return };
        let &Midgame { houses, positions, random_seed, .. } = game;
        let rule_set = game.rules.rule_set();
        let hash = self.hash;
        let title = format!(
            "{} of each game, {rule_set}, {hash} MiB, seed {random_seed}:\n\
             median nodes of alpha-beta, and the median differences of the others",
            counted(positions, "position")
        );
        screen.add_table(title, comparison(houses, summary));
        let kinds = "\nNodes at the greatest depth, medians: leaf evaluations, re-searches (those of the root \
            included), cutoffs by the table";
        screen.add_table(kinds, breakdown(houses, rows, summary));
    }

    /// Median ratios by depth, two panels for each game: SSS* and DUAL* are so far from the others that these
    /// could not be told apart.
    fn chart(&self, _: &[SavingsRow], summary: &Vec<SavingsSummary>) -> Chart {
        let houses = self.games.first().map_or(0, |game| game.houses);
        let panel = |game: &[SavingsSummary], is_best_first: bool| {
            let depth = |row: &SavingsSummary| f64::from(row.depth);
            let mut series: Vec<Series> = Vec::new();
            let searches = SEARCHES[1..].iter().map(|&(search, ..)| search);
            for search in searches.filter(|name| BEST_FIRST.contains(name) == is_best_first) {
                let rows = || game.iter().filter(move |row| row.search == search);
                let points =
                    rows().map(|row| Point::measured(depth(row), row.median_ratio, row.interval));
                series.push(Series::line(search, points));
                if search == "negascout" {
                    let chess = rows().map(|row| (depth(row), PUBLISHED_RATIO));
                    let name = "negascout, published for chess";
                    series.push(Series::new(name, SeriesStyle::Published, chess));
                }
            }
            let alpha_beta = game.iter().filter(|row| row.search == SEARCHES[0].0);
            let even = alpha_beta.map(|row| (depth(row), row.median_ratio));
            series.push(Series::new("alphabeta", SeriesStyle::Reference, even));
            let kind = if is_best_first { ", best first" } else { "" };
            let title = format!("Kalah({houses},{}){kind}", game[0].seeds);
            Panel::new(title, ["depth in plies", "nodes, alpha-beta = 1"], series)
        };
        let games = summary.chunk_by(|a, b| a.seeds == b.seeds);
        let panels =
            games.flat_map(|game| [false, true].map(|is_best_first| panel(game, is_best_first)));
        Chart::new("Median nodes against alpha-beta", panels)
    }
}

/// Whether two rows are of the same game and depth.
fn is_same_size(a: &SavingsSummary, b: &SavingsSummary) -> bool {
    (a.seeds, a.depth) == (b.seeds, b.depth)
}

fn comparison(houses: usize, summary: &[SavingsSummary]) -> ScreenTable {
    let searches = SEARCHES.iter().map(|&(search, ..)| search);
    let mut header: Vec<&str> =
        ["game", "depth", "positions"].into_iter().chain(searches).collect();
    header.insert(5, "published (chess)");
    let rows = summary.chunk_by(is_same_size).map(|size| {
        let mut cells = vec![
            format!("Kalah({houses},{})", size[0].seeds),
            size[0].depth.to_string(),
            size[0].positions.to_string(),
            grouped(size[0].nodes.round() as u64),
        ];
        cells.extend(size[1..].iter().map(|row| change(1.0, row.median_ratio)));
        cells.insert(5, change(1.0, PUBLISHED_RATIO));
        cells
    });
    let group = summary.chunk_by(|a, b| a.seeds == b.seeds).next();
    let group = group.map_or(1, |game| game.chunk_by(is_same_size).count());
    ScreenTable::new(header, 1, rows, group)
}

/// The kinds of nodes at the greatest depth: medians over the middle-game positions of each game.
fn breakdown(houses: usize, rows: &[SavingsRow], summary: &[SavingsSummary]) -> ScreenTable {
    let deepest = rows.iter().find(|row| row.leaves.is_some()).map(|row| row.depth);
    let summary: Vec<_> = summary.iter().filter(|row| Some(row.depth) == deepest).collect();
    let group = summary.chunk_by(|a, b| a.seeds == b.seeds).next().map_or(1, <[_]>::len);
    let cells = summary.iter().map(|&&SavingsSummary { seeds, depth, search, .. }| {
        let alike = |row: &&SavingsRow| {
            !row.is_start && (row.seeds, row.depth, row.search) == (seeds, depth, search)
        };
        let median_of = |count: fn(&SavingsRow) -> Option<u64>| {
            let counts = rows.iter().filter(alike).filter_map(count);
            grouped(median(counts.map(|count| count as f64)).unwrap_or(0.0).round() as u64)
        };
        [
            format!("Kalah({houses},{seeds})"),
            search.to_owned(),
            median_of(|row| Some(row.nodes)),
            median_of(|row| row.leaves),
            median_of(|row| row.researches),
            median_of(|row| row.table_hits),
        ]
    });
    let header = ["game", "search", "nodes", "leaves", "re-searches", "table"];
    ScreenTable::new(header, 2, cells, group)
}

#[cfg(test)]
mod tests {
    use kalah::board::{Capture, Sowing};

    use super::*;

    #[test]
    fn what_is_given_twice_counts_once() -> Result<(), LabError> {
        let rules = RuleOptions { capture: Capture::Standard, sowing: Sowing::Single };
        let (seeds, depths) = (vec![4, 3, 4], vec![6, 2, 6]);
        let options =
            SavingsOptions { seeds, depths, houses: 6, rules, positions: 1, hash: 1, seed: 1 };
        let SavingsExperiment { games, depths, .. } = options.experiment()?;
        assert_eq!((games.len(), depths), (2, vec![2, 6]));
        Ok(())
    }
}
