//! What the experiments' subcommands share: options, the progress bar and output files.

use std::io::Write;
use std::path::{Path, PathBuf};

use crate::{ConfidenceInterval, LabContext, LabError, Midgame};
use clap::Args;
use clap::builder::RangedU64ValueParser;
use indicatif::ProgressBar;
use kalah::board::Capture;
use serde::Serialize;

use kalah_charts::{Chart, svg_path};
use kalah_command::exit::wrong_usage;
use kalah_command::new_file::{NewFile, require_different};
use kalah_command::options::capture_parser;
use kalah_command::output::{json_line, print_json, text_for_people};

/// Runs an experiment under a progress bar on stderr, if that is a terminal.
pub(super) fn run_experiment<T>(
    subcommand: &str,
    run: impl FnOnce(&LabContext) -> Result<T, LabError>,
) -> anyhow::Result<T> {
    let bar = ProgressBar::new(0);
    let progress = |tasks| {
        bar.set_length(tasks as u64);
        bar.inc(1);
    };
    // Never stopped: Ctrl-C may end the process at once, since files are written at the end.
    let result = run(&LabContext { progress: &progress, ..LabContext::default() });
    bar.finish_and_clear();
    result.map_err(|error| lab_error(subcommand, error))
}

/// Reports invalid sizes as wrong usage of the subcommand.
pub(super) fn lab_error(subcommand: &str, error: LabError) -> anyhow::Error {
    match error {
        LabError::Sizes(_) | LabError::TooLargeToDraw(_) | LabError::Board(_) => {
            wrong_usage(&["lab", subcommand], error).into()
        }
        error => error.into(),
    }
}

/// The ends of an interval, for charts.
pub(super) fn ends(interval: Option<ConfidenceInterval>) -> Option<(f64, f64)> {
    interval.map(|ConfidenceInterval { low, high }| (low, high))
}

/// Options for random middle-game positions and their searches.
#[derive(Args)]
pub(super) struct MidgameOptions {
    /// Houses a side, 1 to 12
    #[arg(long, value_name = "H", default_value_t = 6)]
    pub houses: usize,

    /// Capture rule: standard, or empty (captures also when the opposite house is empty)
    #[arg(long, value_name = "RULE", default_value_t = Capture::Standard, value_parser = capture_parser())]
    pub capture: Capture,

    /// Positions of each game
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = RangedU64ValueParser::<usize>::new().range(1..=10_000))]
    pub positions: usize,

    /// Memory of each search in MiB
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    pub hash: usize,

    /// Random seed
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

impl MidgameOptions {
    /// Middle games of the game with this number of seeds in each house at the start.
    pub(super) fn midgame(&self, seeds: u16) -> Midgame {
        Midgame {
            houses: self.houses,
            seeds,
            capture: self.capture,
            positions: self.positions,
            random_seed: self.seed,
        }
    }
}

/// The name of `--json` without a file.
const STDOUT: &str = "-";

/// Options for output files.
#[derive(Args)]
pub(super) struct OutputOptions {
    /// Write all measurements to this file as CSV with a header
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Print sizes, seed, all measurements and their summary as JSON, which docs/manual/machines.md
    /// describes, in place of text, or write them to this file
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = STDOUT)]
    json: Option<PathBuf>,

    /// Draw a chart; the name must end in .svg
    #[arg(long, value_name = "FILE", value_parser = svg_path)]
    plot: Option<PathBuf>,
}

/// Output files, known to be writable.
pub(super) struct OutputFiles {
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
    pub(super) fn prepare(&self) -> anyhow::Result<OutputFiles> {
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
    pub(super) fn text(&self) -> Box<dyn Write> {
        text_for_people(self.prints_json)
    }

    /// Writes the files that were asked for, then prints the JSON.
    pub(super) fn write(
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
            json.write(|file| Ok(file.write_all(json_line(&format, &document)?.as_bytes())?))?;
        }
        if let Some(plot) = self.plot {
            plot.write(|file| Ok(file.write_all(chart().svg().as_bytes())?))?;
        }
        if self.prints_json {
            print_json(&format, &document)?;
        }
        Ok(())
    }
}
