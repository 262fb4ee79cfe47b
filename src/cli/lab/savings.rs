//! `kalah lab savings`.

use std::io::{self, Write};

use clap::Args;
use kalah::lab::{self, SavingsBreakdown, SavingsSummary};

use super::super::chart::{Axis, Chart, Kind, Panel, Scale, Series};
use super::super::table::{change, flexible_table, grouped, table};
use super::explained;
use super::middle_games::MiddleGames;
use super::outputs::Outputs;
use super::progress::watched;

/// Search Kalah: how many nodes do NegaScout and the others save over alpha-beta?
///
/// Middle-game positions, drawn by 8 to 20 random plies, and the start are searched by iterative
/// deepening with table and dynamic order of moves. Of each position the nodes of all iterations
/// up to a depth are held against those of alpha-beta; the table has the medians over the
/// middle-game positions. In chess engines NegaScout is said to save about 10 % (the encyclopaedia
/// article on NegaScout).
///
/// The median over 50 positions of Kalah(6,6) at depth 12 alone:
///
///   kalah lab savings --seeds 6 --depths 12 --positions 50
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
    middle_games: MiddleGames,

    #[command(flatten)]
    outputs: Outputs,
}

impl SavingsCommand {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let files = self.outputs.prepare()?;
        let experiment = lab::SavingsExperiment {
            games: self.seeds.iter().map(|&seeds| self.middle_games.of_game(seeds)).collect(),
            depths: self.depths,
            hash: self.middle_games.hash(),
        };
        let rows = watched(|stop, progress| experiment.run(stop, progress));
        let rows = rows.map_err(|error| explained("savings", error))?;
        let summary = experiment.summarize(&rows);

        let mut output = io::stdout();
        let MiddleGames { houses, capture, positions, hash, seed } = self.middle_games;
        writeln!(
            output,
            "{positions} positions of each game, {capture} capture, {hash} MiB, seed {seed}: \
             median nodes of alpha-beta, and the medians of more or fewer than those\n\n{}",
            comparison(houses, &summary)
        )?;
        writeln!(
            output,
            "\nWhat the nodes are at the greatest depth, medians: leaves evaluated, positions \
             searched again (the root among them), visits settled by the table\n\n{}",
            reasons(houses, &experiment.breakdown(&rows))
        )?;
        files.write("savings", &experiment, &rows, &summary, || chart(houses, &summary))
    }
}

/// What one game at one depth has in common.
fn of_one_size(a: &SavingsSummary, b: &SavingsSummary) -> bool {
    (a.seeds, a.depth) == (b.seeds, b.depth)
}

fn comparison(houses: usize, summary: &[SavingsSummary]) -> comfy_table::Table {
    let of_first_size = summary.chunk_by(of_one_size).next().unwrap_or_default();
    let searches = of_first_size.iter().skip(1).map(|row| row.search);
    let header = ["game", "depth", "positions", "alphabeta"].into_iter().chain(searches);
    let mut header: Vec<String> = header.map(str::to_owned).collect();
    header.insert(5, "published (chess)".to_owned());
    let rows = summary.chunk_by(of_one_size).map(|size| {
        let mut cells = vec![
            format!("Kalah({houses},{})", size[0].seeds),
            size[0].depth.to_string(),
            size[0].positions.to_string(),
            grouped(size[0].nodes.round() as u64),
        ];
        cells.extend(size[1..].iter().map(|row| change(1.0, row.median_ratio)));
        cells.insert(5, "-10 %".to_owned());
        cells
    });
    flexible_table(header, 1, rows)
}

fn reasons(houses: usize, reasons: &[SavingsBreakdown]) -> comfy_table::Table {
    let header = ["game", "search", "nodes", "leaves", "searched again", "table"];
    let rows = reasons.iter().map(|row| {
        let number = |count: f64| grouped(count.round() as u64);
        [
            format!("Kalah({houses},{})", row.seeds),
            row.search.to_owned(),
            number(row.nodes),
            number(row.leaves),
            number(row.researches),
            number(row.table_hits),
        ]
    });
    table(header, 2, rows)
}

/// Median ratios by depth, a panel a game.
fn chart(houses: usize, summary: &[SavingsSummary]) -> Chart {
    let panel = |game: &[SavingsSummary]| {
        let mut searches: Vec<&str> = game.iter().map(|row| row.search).collect();
        // The first are those of the first depth, and all.
        searches.truncate(game.chunk_by(of_one_size).next().map_or(0, <[_]>::len));
        let series = searches.into_iter().map(|search| Series {
            name: search.to_owned(),
            kind: Kind::Line,
            points: game
                .iter()
                .filter(|row| row.search == search)
                .map(|row| (f64::from(row.depth), row.median_ratio))
                .collect(),
        });
        Panel {
            title: format!("Kalah({houses},{})", game[0].seeds),
            x: Axis::new("depth", Scale::Linear),
            y: Axis::new("nodes, alpha-beta = 1", Scale::Linear),
            series: series.collect(),
        }
    };
    Chart {
        title: "Median nodes against alpha-beta".to_owned(),
        panels: summary.chunk_by(|a, b| a.seeds == b.seeds).map(panel).collect(),
    }
}
