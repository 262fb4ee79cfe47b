//! `kalah lab uniform`.

use std::io::Write;
use std::ops::RangeInclusive;

use crate::experiment::check_width;
use crate::{
    BranchingFactor, INFINITY, UNIFORM_SEARCHES, UniformExperiment, UniformRow, branching_factors,
    optimal_rate,
};
use clap::Args;
use kalah::search::{DepthFirst, MAX_DEPTH};

use super::experiment::{OutputOptions, lab_error, run_experiment};
use super::screen::{ScreenOptions, ScreenTable};
use kalah_charts::{Chart, Panel, Point, Series, SeriesStyle};
use kalah_command::exit::wrong_usage;
use kalah_command::table::{MISSING, change, grouped};

/// Search uniform random trees: leaf evaluations against alpha-beta's, and branching factors.
///
/// A leaf's value is a hash of its path. Moves are searched from left to right. Alpha-beta,
/// NegaScout, PVS and SCOUT use no transposition table, as they were published; MTD(f), SSS* and
/// DUAL* use one of unlimited size. The first guess of MTD(f) is the median value of trees of this
/// size, which can be calculated. A repeated evaluation of a leaf counts again.
///
/// The first table compares the searches on wide trees, where A. Reinefeld (1983) found NegaScout
/// 10 to 20 % better than alpha-beta. The second compares branching factors with the limit for
/// infinite depth, P*/(1 - P*) for leaves that are all different (J. Pearl, 1980). They are fitted
/// by least squares, ln(leaves) over depth, to the mean leaf evaluations at all even depths from 4
/// to the greatest at which an optimal search takes at most --leaves. At finite depths a search may
/// lie on either side of the limit.
///
///   kalah lab uniform
///   kalah lab uniform --plot uniform.svg
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(super) struct UniformCommand {
    /// Moves at every position
    #[arg(long, value_name = "B,…", value_delimiter = ',', default_value = "20,30,40,50,60")]
    widths: Vec<u32>,

    /// Plies
    #[arg(long, value_name = "L,…", value_delimiter = ',', default_value = "3,4")]
    depths: Vec<u32>,

    /// Moves at every position of the trees for branching factors
    #[arg(long, value_name = "B,…", value_delimiter = ',', default_value = "2,3,4,5,8")]
    branching: Vec<u32>,

    /// Leaf evaluations of an optimal search on the deepest of these trees
    #[arg(long, value_name = "N", default_value_t = 120_000)]
    leaves: u32,

    /// Number of leaf values; with the default, hardly two leaves are equal
    #[arg(long, value_name = "N", default_value_t = INFINITY as u32, value_parser = clap::value_parser!(u32).range(1..=i64::from(INFINITY)))]
    values: u32,

    /// Trees of each size
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    trees: u32,

    /// Random seed
    #[arg(long, default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    screen: ScreenOptions,

    #[command(flatten)]
    outputs: OutputOptions,
}

/// The widths for which A. Reinefeld found NegaScout better than alpha-beta, and the ratios of their leaf
/// evaluations.
const PUBLISHED_WIDTHS: RangeInclusive<u32> = 20..=60;
const PUBLISHED_RATIOS: [f64; 2] = [0.8, 0.9];

impl UniformCommand {
    /// Even depths from 4 to the greatest at which an optimal search takes at most `leaves`.
    fn depths_of(&self, width: u32) -> impl Iterator<Item = u32> {
        let rate = if width < 2 { 1.0 } else { optimal_rate(width) };
        let max = f64::from(self.leaves);
        (4..=MAX_DEPTH)
            .step_by(2)
            .take_while(move |&depth| width < 2 || rate.powf(f64::from(depth)) <= max)
    }

    /// Requires at least two depths, the minimum for a fit.
    fn check_branching(&self, width: u32) -> anyhow::Result<()> {
        check_width(width).map_err(|error| lab_error("uniform", error))?;
        if self.depths_of(width).take(2).count() < 2 {
            let message = format!(
                "branching {width}: an optimal search takes more than {} leaves at depth 6, but a \
                 fit needs the depths 4 and 6",
                self.leaves
            );
            return Err(wrong_usage(&["lab", "uniform"], message).into());
        }
        Ok(())
    }

    pub(super) fn run(self) -> anyhow::Result<()> {
        let files = self.outputs.prepare()?;
        let wide = self.widths.iter().flat_map(|&b| self.depths.iter().map(move |&l| (b, l)));
        let mut sizes: Vec<(u32, u32)> = wide.collect();
        let wide = sizes.len() * UNIFORM_SEARCHES.len();
        for &width in &self.branching {
            self.check_branching(width)?;
        }
        sizes.extend(self.branching.iter().flat_map(|&b| self.depths_of(b).map(move |l| (b, l))));
        let UniformCommand { values, trees, seed, screen, .. } = self;
        let experiment = UniformExperiment { sizes, values, trees, seed };
        let rows = run_experiment("uniform", |context| experiment.run(context))?;
        let (wide, deep) = rows.split_at(wide);
        let fits = branching_factors(deep);

        let mut screen = screen.screen();
        let values = grouped(u64::from(values));
        let title = format!(
            "Uniform random trees, {trees} of each size, leaves with {values} values, seed {seed}\n\
             Leaf evaluations in a tree: the minimum, those of alpha-beta, and the differences of the others"
        );
        screen.add_table(title, comparison(wide));
        let limits = "\nBranching factors: the limits for leaves that are all different (P*/(1 - P*), \
            published) and of few values, and the fits";
        screen.add_table(limits, factors(&fits));
        write!(files.text(), "{screen}")?;
        files.write("uniform", &experiment, &rows, &fits, || chart(wide, &fits))
    }
}

/// Leaf evaluations of alpha-beta, and the differences of the other searches in per cent.
fn comparison(rows: &[UniformRow]) -> ScreenTable {
    let header = ["width", "depth", "least", "alphabeta", "negascout", "published"];
    let others = UNIFORM_SEARCHES[2..].iter().map(|&search| search.name());
    let header = header.into_iter().chain(others);
    let rows = rows.chunks(UNIFORM_SEARCHES.len()).map(|size| {
        let alpha_beta = &size[0];
        let per_tree = |leaves: u64| grouped(leaves / u64::from(alpha_beta.trees));
        let mut cells = vec![
            alpha_beta.width.to_string(),
            alpha_beta.depth.to_string(),
            per_tree(alpha_beta.least_leaves),
            per_tree(alpha_beta.leaves),
        ];
        let change = |row: &UniformRow| change(alpha_beta.leaves as f64, row.leaves as f64);
        cells.extend(size[1..].iter().map(change));
        let is_published = PUBLISHED_WIDTHS.contains(&alpha_beta.width);
        cells.insert(5, if is_published { "-10 to -20 %" } else { MISSING }.to_owned());
        cells
    });
    ScreenTable::new(header, 0, rows, 1)
}

fn factors(fits: &[BranchingFactor]) -> ScreenTable {
    let header = ["width", "depths", "P*/(1 - P*)", "sqrt(width)"].into_iter();
    let header = header.chain(UNIFORM_SEARCHES.map(DepthFirst::name));
    let rows = fits.chunk_by(|a, b| a.width == b.width).map(|fits| {
        let mut cells = vec![
            fits[0].width.to_string(),
            format!("{} to {}", fits[0].depths.0, fits[0].depths.1),
            format!("{:.3}", fits[0].continuous),
            format!("{:.3}", fits[0].discrete),
        ];
        cells.extend(fits.iter().map(|fit| format!("{:.3}", fit.fitted)));
        cells
    });
    ScreenTable::new(header, 0, rows, 1)
}

/// Leaf evaluations against alpha-beta by width at the greatest depth, and branching factors against their
/// limit by width.
fn chart(wide: &[UniformRow], fits: &[BranchingFactor]) -> Chart {
    let deepest = wide.iter().map(|row| row.depth).max().unwrap_or(0);
    let sizes = wide.chunks(UNIFORM_SEARCHES.len()).filter(|size| size[0].depth == deepest);
    let sizes: Vec<&[UniformRow]> = sizes.collect();
    let ratios = (0..).zip(UNIFORM_SEARCHES).map(|(number, search)| {
        let points = sizes.iter().map(move |size| {
            let row = &size[number];
            let ratio = row.leaves as f64 / size[0].leaves as f64;
            let interval = row.ratio_low.zip(row.ratio_high).filter(|_| number > 0);
            Point::measured(f64::from(row.width), ratio, interval)
        });
        Series::line(search.name(), points)
    });
    let mut ratios: Vec<Series> = ratios.collect();
    let published = sizes.iter().map(|size| size[0].width);
    let published = published.filter(|width| PUBLISHED_WIDTHS.contains(width)).map(f64::from);
    let widths: Vec<f64> = published.collect();
    if let [first, .., last] = widths[..] {
        let [low, high] = PUBLISHED_RATIOS;
        let outline = [(first, low), (last, low), (last, high), (first, high)];
        // Before NegaScout, whose colour it has.
        ratios.insert(1, Series::new("negascout, Reinefeld 1983", SeriesStyle::Area, outline));
    }
    let factors = UNIFORM_SEARCHES.map(|search| {
        let fits = fits.iter().filter(|fit| fit.search == search.name());
        let points = fits.map(|fit| (f64::from(fit.width), fit.fitted / fit.continuous));
        Series::line(search.name(), points)
    });
    let widths = || fits.iter().map(|fit| f64::from(fit.width));
    let limit = widths().reduce(f64::min).zip(widths().reduce(f64::max));
    let limit = limit.into_iter().flat_map(|(first, last)| [(first, 1.0), (last, 1.0)]);
    let limit = Series::new("limit P*/(1 − P*)", SeriesStyle::Reference, limit);
    let title = format!("trees of depth {deepest}");
    let width = "moves at every position";
    let ratios = Panel::new(title, [width, "leaf evaluations, alpha-beta = 1"], ratios);
    let labels = [width, "branching factor, P*/(1 − P*) = 1"];
    let factors = Panel::new("growth with each ply", labels, factors.into_iter().chain([limit]));
    Chart::new("Uniform random trees", [ratios, factors])
}
