//! `kalah tune`.

use std::io::Write;
use std::num::{NonZeroU16, NonZeroU32};
use std::path::{Path, PathBuf};

use super::game_options::GameOptions;
use super::play::{explained, warn_if_crowded};
use super::progress::ArenaProgress;
use super::tune_output::{TunedJson, chart, outcome_text, write_csv};
use crate::{
    PartialPlayerSettings, PlayerSettings, Tuning, TuningEvent, TuningOutcome, TuningParameter,
};
use anyhow::bail;
use clap::Args;

use kalah_charts::svg_path;
use kalah_command::exit::{Interrupted, stop_on_ctrl_c, wrong_usage};
use kalah_command::new_file::{NewFile, require_different};
use kalah_command::output::OutputOption;

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
    #[arg(long, value_name = "N", default_value = "1000")]
    iterations: NonZeroU32,

    /// Pairs of games in each iteration
    #[arg(long, value_name = "N", default_value = "8")]
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
    #[arg(long, value_name = "FILE", value_parser = svg_path)]
    plot: Option<PathBuf>,

    #[command(flatten)]
    output: OutputOption,
}

impl TuneCommand {
    /// Runs the command.
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
        let record = tuning.record.as_deref();
        let new_file = |path: Option<PathBuf>| path.map(|path| prepare(&path, record)).transpose();
        let csv = new_file(self.csv)?;
        let plot = new_file(self.plot)?;
        require_different(csv.iter().chain(&plot))?;
        let outcome = tune(&tuning)?;
        // If one of them cannot be written, the others are.
        let written = [
            csv.map(|file| file.write(|to| write_csv(to, &tuning, &outcome))),
            plot.map(|file| {
                let svg = chart(&tuning, &outcome).svg();
                file.write(|to| Ok(to.write_all(svg.as_bytes())?))
            }),
        ];
        writeln!(self.output.text(), "{}", outcome_text(&tuning, &outcome))?;
        self.output.print(&TunedJson::new(&tuning, &outcome))?;
        written.into_iter().flatten().collect::<Result<(), _>>()?;
        if outcome.was_stopped {
            let record = tuning.record.as_deref();
            return Err(Interrupted::with_record("all finished iterations", record).into());
        }
        Ok(())
    }
}

/// Checks that an output can be written, and that it would not replace the record.
fn prepare(path: &Path, record: Option<&Path>) -> anyhow::Result<NewFile> {
    let file = NewFile::create(path)?;
    if record.is_some_and(|record| file.is(record)) {
        bail!("'{}' cannot be both record and output", path.display());
    }
    Ok(file)
}

/// Runs the tuning with its progress on stderr.
fn tune(tuning: &Tuning) -> anyhow::Result<TuningOutcome> {
    warn_if_crowded(std::slice::from_ref(&tuning.player), tuning.games.concurrency);
    let mut progress = ArenaProgress::new("iteration");
    let outcome = tuning.run(&stop_on_ctrl_c()?, &mut |event| match event {
        TuningEvent::Started { recorded, was_torn } => {
            progress.begin(tuning.iterations.get().into(), (*recorded).into(), *was_torn);
        }
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
    let values = values.map(|(parameter, value)| format!("{} {value:.2}", parameter.name));
    values.collect::<Vec<_>>().join("  ")
}
