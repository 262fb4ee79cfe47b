//! The work that the solver's tests take, beside the work that it expects.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::Arc;

use clap::Args;
use nalgebra::{DMatrix, DVector};
use serde::Serialize;
use statrs::statistics::Statistics;

use super::commands::screen::{ScreenTable, ScreenText};
use super::experiment::{Experiment, LabContext, LabError, geometric_mean, root_of};
use super::intervals::ConfidenceInterval;
use super::midgame::Midgame;
use kalah::StopToken;
use kalah::board::Board;
use kalah::solve::{MeasuredTest, SolveError, Solver, SolverResources};
use kalah::tablebase::{MAX_TABLE_HOUSES, MAX_TABLE_SEEDS, Tablebase};
use kalah_charts::{Chart, Panel, Point, Series};
use kalah_command::options::number;
use kalah_command::table::grouped;

/// Tests random positions with targets around their margins.
#[derive(Clone, Debug, Serialize, Args)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct WorkExperiment {
    /// The positions.
    #[command(flatten)]
    pub midgame: Midgame,
    /// Seeds of the tablebase in which the tests end; boards of more than 8 houses have none.
    #[arg(long, value_name = "N", default_value_t = 16,
          value_parser = number::<u32>(0..=u64::from(MAX_TABLE_SEEDS)))]
    pub table_seeds: u32,
    /// Memory of each search in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = number::<usize>(1..))]
    pub hash: usize,
}

/// One test of one position.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct WorkRow {
    /// The board.
    pub board: String,
    /// Seeds in the houses.
    pub seeds: u32,
    /// The margin of the board, from the view of the player to move.
    pub margin: i32,
    /// The target of the test: reached if it is not above the margin.
    pub target: i32,
    /// The estimated margin, in seeds above the middle between the target and the margin below it.
    pub distance: f64,
    /// The positions expected if the distance were 0.
    pub expected_at_zero: f64,
    /// The positions expected.
    pub expected: f64,
    /// The positions searched.
    pub nodes: u64,
}

/// The formula of the expected work, fitted to tests. A test of a position with an estimated margin x seeds
/// above the target takes W positions, W = factor * (expected at zero)^power * e^(-ease |x|), and reaches the
/// target with the probability 1 / (1 + e^(-slope x)).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct WorkFit {
    /// In use: 1.
    #[cfg_attr(test, schemars(with = "Option<f64>"))]
    pub factor: f64,
    /// In use: 1.
    #[cfg_attr(test, schemars(with = "Option<f64>"))]
    pub power: f64,
    /// In use: 0.25 for each seed.
    #[cfg_attr(test, schemars(with = "Option<f64>"))]
    pub ease: f64,
    /// In use: 1 for each seed.
    #[cfg_attr(test, schemars(with = "Option<f64>"))]
    pub slope: f64,
    /// How far the positions searched are from W: the standard deviation of their logarithm.
    #[cfg_attr(test, schemars(with = "Option<f64>"))]
    pub deviation: f64,
}

impl WorkFit {
    /// The formula in use, without its deviation.
    const IN_USE: WorkFit = WorkFit {
        factor: 1.0,
        power: 1.0,
        ease: MeasuredTest::EASE_PER_SEED,
        slope: 1.0,
        deviation: 0.0,
    };

    fn with_deviation(self, rows: &[WorkRow]) -> WorkFit {
        let error = |row: &WorkRow| {
            let at_zero = self.factor.ln() + self.power * row.expected_at_zero.ln();
            row.log_nodes() - (at_zero - self.ease * row.distance.abs())
        };
        WorkFit { deviation: rows.iter().map(error).population_std_dev(), ..self }
    }
}

/// Tests are made of targets up to this far from the margin, in seeds, on both sides.
const MAX_OFFSET: i32 = 8;

/// Estimates that decide every test have no slope of their own.
const MAX_SLOPE: f64 = 8.0;

impl Experiment for WorkExperiment {
    const NAME: &'static str = "work";
    type Row = WorkRow;
    /// By the target less the margin; the formula fitted, and in use.
    type Summary = (Vec<WorkSummary>, [WorkFit; 2]);

    fn run(&self, context: &LabContext) -> Result<Vec<WorkRow>, LabError> {
        context.check_tables(self.hash)?;
        let boards = self.midgame.draw()?;
        let rules = self.midgame.start()?.rules();
        let tablebase = (rules.houses() <= MAX_TABLE_HOUSES)
            .then(|| Tablebase::build(rules, self.table_seeds, context.threads))
            .transpose()?
            .map(Arc::new);
        let tests = context.in_parallel(&boards, |board| {
            let threads = NonZeroUsize::MIN;
            let mut solver = Solver::new(SolverResources { threads, mebibytes: self.hash });
            if let Some(tablebase) = &tablebase {
                solver.set_tablebase(Arc::clone(tablebase));
            }
            Ok(tests_of(board, &mut solver)?)
        })?;
        Ok(tests.concat())
    }

    fn summarize(&self, rows: &[WorkRow]) -> Self::Summary {
        let mut offsets = BTreeMap::<i32, Vec<&WorkRow>>::new();
        for row in rows {
            offsets.entry(row.target - row.margin).or_default().push(row);
        }
        let summary = |(offset, rows): (i32, Vec<&WorkRow>)| {
            let numbers =
                |number: fn(&WorkRow) -> f64| rows.iter().map(move |row| number(row).max(1.0));
            let mean = |number| geometric_mean(numbers(number)).unwrap_or(0.0);
            let searched: fn(&WorkRow) -> f64 = |row| row.nodes as f64;
            let (expected, nodes) = (mean(|row| row.expected), mean(searched));
            let interval = ConfidenceInterval::for_geometric_mean(numbers(searched));
            WorkSummary { offset, expected, nodes, interval }
        };
        (offsets.into_iter().map(summary).collect(), fit_work(rows))
    }

    fn print(
        &self,
        _: &[WorkRow],
        (summary, [fitted, in_use]): &Self::Summary,
        screen: &mut ScreenText,
    ) {
        let header = ["target less margin", "expected, geometric mean", "searched, geometric mean"];
        let rows = summary.iter().map(|&WorkSummary { offset, expected, nodes, .. }| {
            let offset = if offset > 0 { format!("+{offset}") } else { offset.to_string() };
            [offset, grouped(expected.round() as u64), grouped(nodes.round() as u64)]
        });
        let WorkExperiment { midgame, table_seeds, hash } = self;
        let title = format!("{midgame}, tablebase of {table_seeds} seeds, {hash} MiB");
        screen.add_table(title, ScreenTable::new(header, 0, rows, 1));

        let row = |name: &str, fit: &WorkFit| {
            let &WorkFit { factor, power, ease, slope, deviation } = fit;
            let [power, ease, slope] = [power, ease, slope].map(|number| format!("{number:.3}"));
            let error = format!("x {:.2}", deviation.exp());
            [name.to_owned(), format!("{factor:.5}"), power, ease, slope, error]
        };
        let header = ["formula", "factor", "power", "ease", "slope", "standard deviation"];
        let rows = [row("in use", in_use), row("fitted", fitted)];
        screen
            .add_table("\nThe formula of the expected work", ScreenTable::new(header, 1, rows, 1));
    }

    fn chart(&self, _: &[WorkRow], (summary, _): &Self::Summary) -> Chart {
        let expected = summary.iter().map(|row| (f64::from(row.offset), row.expected));
        let measured =
            |row: &WorkSummary| Point::measured(f64::from(row.offset), row.nodes, row.interval);
        let searched = Series::line("searched", summary.iter().map(measured));
        let labels = ["target less margin, in seeds", "positions, geometric mean"];
        let panel = Panel::new("", labels, [Series::line("expected", expected), searched]);
        Chart::new("Work for null-window tests", [panel.with_logarithmic_y()])
    }
}

fn tests_of(board: &Board, solver: &mut Solver) -> Result<Vec<WorkRow>, SolveError> {
    let margin = solver.solve(board)?.margin;
    let targets = (margin - MAX_OFFSET..=margin + MAX_OFFSET).step_by(2);
    let test = |target| {
        let test = solver.measure_test(board, target, &StopToken::new())?;
        let MeasuredTest { distance, expected_at_zero, expected, nodes, .. } = test;
        let (seeds, board) = (board.seeds_in_play(), board.fen());
        Ok(WorkRow { board, seeds, margin, target, distance, expected_at_zero, expected, nodes })
    };
    targets.map(test).collect()
}

impl WorkRow {
    /// Whether the target is reached.
    pub fn is_reached(&self) -> bool {
        self.target <= self.margin
    }

    fn log_nodes(&self) -> f64 {
        (self.nodes.max(1) as f64).ln()
    }
}

/// The tests with the same distance of target and margin.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct WorkSummary {
    /// The target less the margin, in seeds.
    pub offset: i32,
    /// Geometric mean of the positions expected.
    pub expected: f64,
    /// Geometric mean of the positions searched.
    pub nodes: f64,
    /// The interval of this mean; `None` for a single test.
    pub interval: Option<ConfidenceInterval>,
}

/// Fits the formula to tests; the second is the formula in use. W is fitted by least squares of the
/// logarithms, the slope by maximum likelihood.
pub fn fit_work(rows: &[WorkRow]) -> [WorkFit; 2] {
    let terms = DMatrix::from_fn(rows.len(), 3, |row, term| match term {
        0 => 1.0,
        1 => rows[row].expected_at_zero.ln(),
        _ => -rows[row].distance.abs(),
    });
    let work = DVector::from_iterator(rows.len(), rows.iter().map(WorkRow::log_nodes));
    // A singular value below this belongs to terms that are proportional in all rows.
    let fit = terms.svd(true, true).solve(&work, 1e-9).unwrap_or_else(|_| DVector::zeros(3));
    let (factor, power, ease, slope) = (fit[0].exp(), fit[1], fit[2], fit_slope(rows));
    let fitted = WorkFit { factor, power, ease, slope, deviation: 0.0 };
    [fitted, WorkFit::IN_USE].map(|fit| fit.with_deviation(rows))
}

/// The slope with the greatest likelihood: the derivative of its logarithm decreases.
fn fit_slope(rows: &[WorkRow]) -> f64 {
    let derivative = |slope: f64| -> f64 {
        let of_row = |row: &WorkRow| {
            let reached = f64::from(u8::from(row.is_reached()));
            row.distance * (reached - 1.0 / (1.0 + (-slope * row.distance).exp()))
        };
        rows.iter().map(of_row).sum()
    };
    MAX_SLOPE * root_of(|share| -derivative(MAX_SLOPE * share))
}
