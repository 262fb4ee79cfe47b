//! `kalah tune`.

use std::collections::BTreeMap;
use std::io::Write;
use std::num::{NonZeroU16, NonZeroU32};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::anyhow;
use clap::Args;
use kalah::printable::{printable, spreadsheet_text};
use kalah_charts::{COLOURS, Chart, Panel, Series, short_name};
use kalah_command::exit::{Interrupted, stop_on_ctrl_c, wrong_usage};
use kalah_command::new_file::require_different;
use kalah_command::output::OutputOption;
use kalah_command::table::{grouped_count, plain_zero, table};
use serde::Serialize;

use super::game_options::GameOptions;
use super::play::explained;
use super::progress::ArenaProgress;
use crate::{Tuning, TuningEvent, TuningOutcome, TuningParameter};
use kalah_command::options::{number, svg_path};
use kalah_records::commands::{new_file, percent};
use kalah_records::statistics::Pentanomial;
use kalah_records::{PartialPlayerSettings, PlayerSettings};

/// Tune numeric options of an engine
///
/// In each iteration two copies of the engine play: every parameter is a step above its value for
/// one of them and a step below for the other, at random. The result moves all values towards the
/// winner (SPSA). At the end, or after Ctrl-C, a table of the values is printed, and the options to
/// play with them. With --record FILE the same command continues an interrupted run.
///
///   kalah tune --engine builtin=selective --each "nodes=2000 option.Exact=false" \
///              --parameter "name='Skill Level' start=5 min=0 max=20 step=2 rate=0.02" \
///              --iterations 500 --concurrency 2 --record level.jsonl
///
///   kalah tune --engine cmd=./engine --each nodes=5000 --openings "plies=6 margin=6" \
///              --parameter "name=Margin start=50 min=10 max=200 step=10" \
///              --parameter "name=Reduction start=3 min=0 max=8 step=1" \
///              --iterations 5000 --record tune.jsonl --plot tune.svg
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct TuneCommand {
    /// The engine, in words of key=value as in `kalah match`
    #[arg(long = "engine", value_name = "WORDS", required = true)]
    engine: PartialPlayerSettings,

    /// A parameter: name=OPTION start=N min=N max=N step=X rate=X
    ///
    /// OPTION takes whole numbers, at least all from min to max. step is the distance of the two
    /// players' values from the tuned one in the last iteration (a twentieth of the range), and each
    /// game won then moves the value by rate times step (0.002). Before, both are larger.
    #[arg(long = "parameter", value_name = "WORDS", required = true)]
    parameters: Vec<TuningParameter>,

    /// Iterations; the steps depend on their number
    #[arg(long, value_name = "N", default_value = "1000", value_parser = number::<NonZeroU32>(1..))]
    iterations: NonZeroU32,

    /// Pairs of games in each iteration
    #[arg(long, value_name = "N", default_value = "8", value_parser = number::<NonZeroU16>(1..))]
    pairs: NonZeroU16,

    #[command(flatten)]
    conditions: GameOptions,

    /// Record each iteration in this file, a line of JSON each; iterations that it contains are not
    /// played again
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,

    /// Write the values after each iteration to this file as CSV
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Draw the values by iteration; the name must end in .svg
    #[arg(long, value_name = "FILE", value_parser = svg_path())]
    plot: Option<PathBuf>,

    #[command(flatten)]
    output: OutputOption,
}

impl TuneCommand {
    pub fn run(self) -> anyhow::Result<()> {
        let usage = |error: &dyn std::fmt::Display| wrong_usage(&["tune"], error);
        let player = PlayerSettings::new(self.engine, &self.conditions.each);
        let tuning = Tuning {
            player: player.map_err(|error| usage(&error))?,
            parameters: self.parameters,
            iterations: self.iterations,
            pairs: self.pairs,
            games: self.conditions.tournament(vec![]).map_err(|error| usage(&error))?,
            record: self.record,
        };
        tuning.check().map_err(|error| explained(&["tune"], error))?;
        let record = tuning.record.as_slice();
        let new_file =
            |path: Option<PathBuf>| path.map(|path| new_file(&path, "output", record)).transpose();
        let csv = new_file(self.csv)?;
        let plot = new_file(self.plot)?;
        require_different(csv.iter().chain(&plot))?;
        let outcome = tune(&tuning)?;
        // If one of them cannot be written, the others are; whoever reads the output may close it early.
        let written = [
            csv.map(|file| file.write(|to| write_csv(to, &tuning, &outcome))),
            plot.map(|file| file.write_bytes(chart(&tuning, &outcome).svg())),
            Some(
                writeln!(self.output.text(), "{}", outcome_text(&tuning, &outcome))
                    .map_err(Into::into),
            ),
            Some(self.output.print("kalah-tune", &TunedJson::new(&tuning, &outcome))),
        ];
        written.into_iter().flatten().collect::<Result<(), _>>()?;
        if outcome.was_stopped {
            let record = tuning.record.as_deref();
            return Err(Interrupted::with_record("all finished iterations", record).into());
        }
        // The values do not follow from play alone.
        faults_text(&outcome).map_or(Ok(()), |faults| Err(anyhow!(faults)))
    }
}

fn tune(tuning: &Tuning) -> anyhow::Result<TuningOutcome> {
    let mut progress =
        ArenaProgress::new("iteration", tuning.iterations.get().into(), Arc::default());
    let outcome = tuning.run(&stop_on_ctrl_c()?, &mut |event| match event {
        TuningEvent::Started { recorded, was_torn } => {
            progress.begin((*recorded).into(), *was_torn);
        }
        TuningEvent::Crowded(crowding) => progress.say(crowding),
        TuningEvent::Game(game) => progress.say_fault(game),
        TuningEvent::Iteration(iteration) => {
            progress.advance(&values_text(tuning, &iteration.values));
        }
    });
    progress.end();
    outcome.map_err(|error| explained(&["tune"], error))
}

fn values_text(tuning: &Tuning, values: &[f64]) -> String {
    let values = tuning.parameters.iter().zip(values);
    let values =
        values.map(|(parameter, value)| format!("{} {:.2}", parameter.name, plain_zero(*value, 2)));
    values.collect::<Vec<_>>().join("  ")
}

/// The maximum number of steps from point to point of a line.
const MAX_STEPS: usize = 60;

/// The values that were found.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct TunedJson {
    /// Iterations done.
    iterations: usize,
    /// The number of games.
    games: u64,
    #[cfg_attr(test, schemars(schema_with = "pairs_schema"))]
    pairs: Pentanomial,
    /// The number of games lost by faults of the engine.
    faults: u64,
    /// The same by kind: time forfeit, illegal move, crashed, stalled.
    fault_kinds: BTreeMap<String, u64>,
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

#[cfg(test)]
fn pairs_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
    kalah_command::schemas::written(generator, "standing", Some("Pentanomial"))
}

impl TunedJson {
    fn new(tuning: &Tuning, outcome: &TuningOutcome) -> TunedJson {
        let (values, pairs, faults) = (outcome.values(), outcome.pairs(), outcome.faults());
        let parameters = tuning.parameters.iter().zip(values).map(|(parameter, &value)| {
            TunedParameter { name: parameter.name.clone(), start: parameter.start, value }
        });
        TunedJson {
            iterations: outcome.iterations.len(),
            games: 2 * pairs.pairs(),
            pairs,
            faults: faults.values().sum(),
            fault_kinds: faults.iter().map(|(kind, &games)| (kind.to_string(), games)).collect(),
            parameters: parameters.collect(),
            options: tuning.option_words(values),
        }
    }
}

/// The table of the values, what is known about the games, and the options.
fn outcome_text(tuning: &Tuning, outcome: &TuningOutcome) -> String {
    let done = outcome.iterations.len();
    let quarter = done.div_ceil(4);
    let (values, before) = (outcome.values(), outcome.values_after(done - quarter));
    let rows = tuning.parameters.iter().zip(values.iter().zip(before));
    let rows = rows.map(|(parameter, (value, before))| {
        let change = format!("{:+.2}", plain_zero(value - before, 2));
        let value = format!("{:.2}", plain_zero(*value, 2));
        [parameter.name.clone(), parameter.start.to_string(), value, change]
    });
    let table = table(["parameter", "start", "value", "change in the last quarter"], 1, rows);
    let pairs = outcome.pairs();
    let all = pairs.pairs();
    let iterations = grouped_count(done as u64, "iteration");
    let mut games = format!("{iterations}, {}", grouped_count(2 * all, "game"));
    if all > 0 {
        let uneven = (all - pairs.0[2]) as f64 / all as f64;
        games = format!("{games}, {} of the pairs uneven", percent(uneven));
    }
    let faults = faults_text(outcome).map_or(String::new(), |text| format!("\n{text}"));
    format!("{table}\n{games}{faults}\n{}", printable(&tuning.option_words(values)))
}

/// How many games were lost by faults, and which; `None` if there were none.
fn faults_text(outcome: &TuningOutcome) -> Option<String> {
    let faults = outcome.faults();
    let lost: u64 = faults.values().sum();
    let kinds: Vec<_> = faults.iter().map(|(kind, games)| format!("{kind}: {games}")).collect();
    let games = 2 * outcome.pairs().pairs();
    (lost > 0).then(|| format!("{lost} of {games} games lost by faults ({})", kinds.join(", ")))
}

/// Writes the score of the first player and the values by iteration.
fn write_csv(to: &mut dyn Write, tuning: &Tuning, outcome: &TuningOutcome) -> anyhow::Result<()> {
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
fn chart(tuning: &Tuning, outcome: &TuningOutcome) -> Chart {
    let numbered: Vec<_> = tuning.parameters.iter().enumerate().collect();
    // With more lines than colours they could not be told apart.
    let panels = numbered.chunks(COLOURS.len()).map(|parameters| {
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
