//! What `kalah tune` prints and writes: a table, CSV, and a chart.

use std::io::Write;

use super::standings_text::percent;
use crate::statistics::Pentanomial;
use crate::{Tuning, TuningOutcome, TuningParameter};
use kalah::printable::{printable, spreadsheet_text};
use serde::Serialize;

use kalah_charts::{Chart, Panel, Series, short_name};
use kalah_command::output::JsonOutput;
use kalah_command::table::{grouped, table};

/// The maximum number of steps from point to point of a line.
const MAX_STEPS: usize = 60;

/// The number of colours: more lines in a panel could not be told apart.
const MAX_LINES: usize = 8;

/// The values that were found.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct TunedJson {
    /// Iterations done.
    iterations: usize,
    /// The number of games.
    games: u64,
    pairs: Pentanomial,
    /// The tuned parameters.
    parameters: Vec<TunedParameter>,
    /// The options to play with, in words of a player.
    options: String,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct TunedParameter {
    /// The name of the option.
    name: String,
    /// The value to begin with.
    start: i32,
    /// The tuned value.
    value: f64,
}

impl JsonOutput for TunedJson {
    const FORMAT: &'static str = "kalah-tune";
}

impl TunedJson {
    pub(super) fn new(tuning: &Tuning, outcome: &TuningOutcome) -> TunedJson {
        let (values, pairs) = (outcome.values(), outcome.pairs());
        let parameters = tuning.parameters.iter().zip(values).map(|(parameter, &value)| {
            TunedParameter { name: parameter.name.clone(), start: parameter.start, value }
        });
        TunedJson {
            iterations: outcome.iterations.len(),
            games: 2 * pairs.pairs(),
            pairs,
            parameters: parameters.collect(),
            options: tuning.option_words(values),
        }
    }
}

/// The table of the values, what is known about the games, and the options.
pub(super) fn outcome_text(tuning: &Tuning, outcome: &TuningOutcome) -> String {
    let done = outcome.iterations.len();
    let quarter = done.div_ceil(4);
    let (values, before) = (outcome.values(), outcome.values_after(done - quarter));
    let rows = tuning.parameters.iter().zip(values.iter().zip(before));
    let rows = rows.map(|(parameter, (value, before))| {
        let change = format!("{:+.2}", value - before);
        [parameter.name.clone(), parameter.start.to_string(), format!("{value:.2}"), change]
    });
    let table = table(["parameter", "start", "value", "change in the last quarter"], 1, rows);
    let pairs = outcome.pairs();
    let all = pairs.pairs();
    let mut games = format!("{} iterations, {} games", grouped(done as u64), grouped(2 * all));
    if all > 0 {
        let uneven = (all - pairs.0[2]) as f64 / all as f64;
        games = format!("{games}, {} of the pairs uneven", percent(uneven));
    }
    format!("{table}\n{games}\n{}", printable(&tuning.option_words(values)))
}

/// Writes the score of the first player and the values by iteration.
pub(super) fn write_csv(
    to: &mut dyn Write,
    tuning: &Tuning,
    outcome: &TuningOutcome,
) -> anyhow::Result<()> {
    let mut csv = csv::Writer::from_writer(to);
    let names = tuning.parameters.iter().map(|parameter| spreadsheet_text(&parameter.name));
    let header = ["iteration", "score"].map(str::to_owned).into_iter();
    csv.write_record(header.chain(names.map(String::from)))?;
    for iteration in &outcome.iterations {
        let figures = [iteration.number.to_string(), iteration.pairs.score().to_string()];
        let values = iteration.values.iter().map(f64::to_string);
        csv.write_record(figures.into_iter().chain(values))?;
    }
    Ok(csv.flush()?)
}

/// The values of all parameters by iteration, as a share of their ranges.
pub(super) fn chart(tuning: &Tuning, outcome: &TuningOutcome) -> Chart {
    let numbered: Vec<_> = tuning.parameters.iter().enumerate().collect();
    let panels = numbered.chunks(MAX_LINES).map(|parameters| {
        let title = match parameters {
            [(_, only)] => label(only),
            _ => "Values by iteration".to_owned(),
        };
        let lines = parameters.iter().map(|&(number, parameter)| line(number, parameter, outcome));
        Panel::new(title, ["iterations", "share of the range, %"], lines)
    });
    Chart::new(&format!("Tuning of {}", short_name(&tuning.player.name)), panels)
}

fn label(parameter: &TuningParameter) -> String {
    format!("{}, {} to {}", short_name(&parameter.name), parameter.min, parameter.max)
}

fn line(number: usize, parameter: &TuningParameter, outcome: &TuningOutcome) -> Series {
    let done = outcome.iterations.len();
    let at = (0..done).step_by(done.div_ceil(MAX_STEPS).max(1)).chain([done]);
    let points = at.map(|iteration| {
        let above = outcome.values_after(iteration)[number] - f64::from(parameter.min);
        (iteration as f64, 100.0 * above / parameter.range())
    });
    Series::line(label(parameter), points)
}
