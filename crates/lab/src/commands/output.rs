//! What the experiments' subcommands share: the run under a progress bar, and output files.

use std::io::Write;
use std::path::{Path, PathBuf};

use crate::experiment::ExperimentOptions;
use crate::{Experiment, LabContext, LabError};
use clap::Args;
use indicatif::ProgressBar;
use serde::Serialize;

use super::screen::ScreenText;
use kalah_charts::Chart;
use kalah_command::exit::wrong_usage;
use kalah_command::new_file::{NewFile, require_different};
use kalah_command::options::svg_path;
use kalah_command::output::{human_output, json_line, print_json};

/// The subcommand of an experiment.
#[derive(Args)]
pub struct ExperimentCommand<O: Args> {
    #[command(flatten)]
    options: O,

    #[command(flatten)]
    screen: ScreenOptions,

    #[command(flatten)]
    outputs: OutputOptions,
}

impl<O: ExperimentOptions> ExperimentCommand<O> {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let name = O::Experiment::NAME;
        let usage = |error| lab_error(name, error);
        let files = self.outputs.prepare()?;
        let experiment = self.options.experiment().map_err(usage)?;
        let bar = ProgressBar::new(0);
        let progress = |tasks| {
            bar.set_length(tasks as u64);
            bar.inc(1);
        };
        let context = LabContext { progress: &progress, ..LabContext::default() };
        let rows = experiment.run(&context);
        bar.finish_and_clear();
        let rows = rows.map_err(usage)?;
        let summary = experiment.summarize(&rows);
        let mut screen = ScreenText::new(self.screen.all);
        experiment.print(&rows, &summary, &mut screen);
        write!(files.text(), "{screen}")?;
        files.write(name, &experiment, &rows, &summary, || experiment.chart(&rows, &summary))?;
        experiment.check(&rows)
    }
}

/// Reports invalid sizes as wrong usage of the subcommand.
pub(super) fn lab_error(subcommand: &str, error: LabError) -> anyhow::Error {
    match error {
        LabError::Sizes(_) | LabError::Board(_) => wrong_usage(&["lab", subcommand], error).into(),
        error => error.into(),
    }
}

/// Options of experiments with more rows than a screen has.
#[derive(Args)]
pub(super) struct ScreenOptions {
    /// Print all rows, also more than a screen of them; CSV and JSON always have all
    #[arg(long)]
    pub all: bool,
}

/// The name of `--json` without a file.
const STDOUT: &str = "-";

/// Options for output files.
#[derive(Args)]
pub(crate) struct OutputOptions {
    /// Write all measurements to this file as CSV with a header
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Print sizes, seed, all measurements and their summary as JSON, which docs/manual/machines.md
    /// describes, in place of text, or write them to this file
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = STDOUT)]
    json: Option<PathBuf>,

    /// Draw a chart; the name must end in .svg
    #[arg(long, value_name = "FILE", value_parser = svg_path())]
    plot: Option<PathBuf>,
}

/// Output files, known to be writable.
pub(crate) struct OutputFiles {
    csv: Option<NewFile>,
    json: Option<NewFile>,
    plot: Option<NewFile>,
    prints_json: bool,
}

/// The JSON of an experiment. Its format is `kalah-lab-` and the name of the experiment.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct JsonDocument<'a, S, R, T> {
    /// The name of the experiment.
    experiment: &'a str,
    /// The sizes and the random seed.
    setup: &'a S,
    /// All measurements.
    rows: &'a [R],
    /// What was computed from the measurements; null if there is nothing.
    summary: &'a T,
}

impl OutputOptions {
    /// Checks that the files can be written, before the experiment runs.
    pub(crate) fn prepare(&self) -> anyhow::Result<OutputFiles> {
        let create = |path: &Option<PathBuf>| path.as_deref().map(NewFile::create).transpose();
        let prints_json = self.json.as_deref() == Some(Path::new(STDOUT));
        let files = OutputFiles {
            csv: create(&self.csv)?,
            json: if prints_json { None } else { create(&self.json)? },
            plot: create(&self.plot)?,
            prints_json,
        };
        require_different(files.all())?;
        Ok(files)
    }
}

impl OutputFiles {
    /// The files that were asked for.
    pub(super) fn all(&self) -> impl Iterator<Item = &NewFile> {
        [&self.csv, &self.json, &self.plot].into_iter().flatten()
    }

    /// Where text for people goes: nowhere if JSON is printed.
    pub(crate) fn text(&self) -> Box<dyn Write> {
        human_output(self.prints_json)
    }

    /// Writes the files that were asked for, then prints the JSON.
    pub(crate) fn write(
        self,
        experiment: &str,
        setup: &impl Serialize,
        rows: &[impl Serialize],
        summary: &impl Serialize,
        chart: impl FnOnce() -> Chart,
    ) -> anyhow::Result<()> {
        if let Some(csv) = self.csv {
            csv.write(|file| {
                let mut csv = csv::Writer::from_writer(file);
                rows.iter().try_for_each(|row| csv.serialize(row))?;
                Ok(csv.flush()?)
            })?;
        }
        let format = format!("kalah-lab-{experiment}");
        let document = JsonDocument { experiment, setup, rows, summary };
        if let Some(json) = self.json {
            json.write_bytes(json_line(&format, &document)?)?;
        }
        if let Some(plot) = self.plot {
            plot.write_bytes(chart().svg())?;
        }
        if self.prints_json {
            print_json(&format, &document)?;
        }
        Ok(())
    }
}
