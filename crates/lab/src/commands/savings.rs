//! `kalah lab savings`.

use std::io::Write;

use crate::experiment::median;
use crate::{SavingsExperiment, SavingsRow, SavingsSummary};
use clap::Args;

use super::experiment::{MidgameOptions, OutputOptions, ends, run_experiment};
use super::screen::{ScreenOptions, ScreenTable};
use kalah_charts::{Chart, Panel, Point, Series, SeriesStyle};
use kalah_command::table::{change, grouped};

/// Measure the nodes that NegaScout and other searches save over alpha-beta on Kalah.
///
/// Middle-game positions, drawn by 8 to 20 random plies, and the start are searched by iterative
/// deepening with transposition table and dynamic move order. The nodes of all iterations up to a
/// depth are compared with those of alpha-beta on the same position; the table shows medians over
/// the middle-game positions. In chess engines NegaScout is said to save about 10 %
/// (Wikipedia's article on it).
///
/// The median over 50 positions of Kalah(6,6) at depth 12 alone:
///
///   kalah lab savings --seeds 6 --depths 12 --positions 50
///   kalah lab savings --plot savings.svg
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(super) struct SavingsCommand {
    /// Seeds in each house at the start; a game each
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "4,5,6")]
    seeds: Vec<u16>,

    /// Plies
    #[arg(long, value_name = "L,…", value_delimiter = ',', default_value = "6,8,10,12,14")]
    depths: Vec<u32>,

    #[command(flatten)]
    midgame: MidgameOptions,

    #[command(flatten)]
    screen: ScreenOptions,

    #[command(flatten)]
    outputs: OutputOptions,
}

/// Nodes of NegaScout for a node of alpha-beta in chess engines, as published.
const PUBLISHED_RATIO: f64 = 0.9;

/// Searches that visit the leaves best first.
const BEST_FIRST: [&str; 2] = ["sss", "dual"];

impl SavingsCommand {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let files = self.outputs.prepare()?;
        let experiment = SavingsExperiment {
            games: self.seeds.iter().map(|&seeds| self.midgame.midgame(seeds)).collect(),
            depths: self.depths,
            hash: self.midgame.hash,
        };
        let rows = run_experiment("savings", |context| experiment.run(context))?;
        let summary = experiment.summarize(&rows);

        let mut screen = self.screen.screen();
        let MidgameOptions { houses, capture, positions, hash, seed } = self.midgame;
        let title = format!(
            "{positions} positions of each game, {capture} capture, {hash} MiB, seed {seed}:\n\
             median nodes of alpha-beta, and the median differences of the others"
        );
        screen.add_table(title, comparison(houses, &summary));
        let kinds = "\nNodes at the greatest depth, medians: leaf evaluations, re-searches (those of the root \
            included), cutoffs by the table";
        screen.add_table(kinds, breakdown(houses, &rows, &summary));
        write!(files.text(), "{screen}")?;
        files.write("savings", &experiment, &rows, &summary, || chart(houses, &summary))
    }
}

/// Whether two rows are of the same game and depth.
fn is_same_size(a: &SavingsSummary, b: &SavingsSummary) -> bool {
    (a.seeds, a.depth) == (b.seeds, b.depth)
}

fn comparison(houses: usize, summary: &[SavingsSummary]) -> ScreenTable {
    let of_first_size = summary.chunk_by(is_same_size).next().unwrap_or_default();
    let searches = of_first_size.iter().skip(1).map(|row| row.search);
    let header = ["game", "depth", "positions", "alphabeta"].into_iter().chain(searches);
    let mut header: Vec<&str> = header.collect();
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

/// Median ratios by depth, two panels for each game: SSS* and DUAL* are so far from the others that these could
/// not be told apart.
fn chart(houses: usize, summary: &[SavingsSummary]) -> Chart {
    let panel = |game: &[SavingsSummary], is_best_first: bool| {
        let is_shown = |row: &&SavingsSummary| BEST_FIRST.contains(&row.search) == is_best_first;
        let of_first_size = game.chunk_by(is_same_size).next().unwrap_or_default();
        let searches = of_first_size[1..].iter().filter(is_shown).map(|row| row.search);
        let depth = |row: &SavingsSummary| f64::from(row.depth);
        let mut series: Vec<Series> = Vec::new();
        for search in searches {
            let rows = || game.iter().filter(move |row| row.search == search);
            let points =
                rows().map(|row| Point::measured(depth(row), row.median_ratio, ends(row.interval)));
            series.push(Series::line(search, points));
            if search == "negascout" {
                let chess = rows().map(|row| (depth(row), PUBLISHED_RATIO));
                let name = "negascout, published for chess";
                series.push(Series::new(name, SeriesStyle::Published, chess));
            }
        }
        let alpha_beta = game.iter().filter(|row| row.search == of_first_size[0].search);
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
