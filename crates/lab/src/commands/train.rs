//! `kalah train`.

use std::fs;
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::training::{
    LearningCurve, MeanErrors, TrainingConfig, TrainingError, TrainingProgress,
    read_learning_curves,
};
use anyhow::bail;
use clap::Args;
use indicatif::ProgressBar;
use kalah::board::{Board, Rules, Side};
use kalah::lock::lock;
use kalah::printable::counted;
use kalah::search::Network;
use kalah_arena::Tournament;
use kalah_command::say;
use kalah_records::statistics::RatingModel;
use kalah_records::{PartialPlayerSettings, PlayerSettings};
use serde::Serialize;

use kalah_arena::commands::play;
use kalah_charts::{Chart, Panel, Series};
use kalah_command::exit::{interrupted, stop_on_ctrl_c, wrong_usage};
use kalah_command::new_file::{NewFile, require_different};
use kalah_command::options::{number, seconds, svg_path, thread_count};
use kalah_command::output::OutputOption;
use kalah_command::progress_bar::progress_bar;
use kalah_records::commands::{StandingsJson, print_standings};

/// Train a learned evaluation by self-play, from nothing but the rules
///
/// Each generation plays games against itself and fits a network to their positions and results;
/// the next generation plays with that network. A match against the current evaluation measures the
/// last one. The same command makes the same network, with any number of threads. Samples and
/// networks are kept in a folder: after Ctrl-C, the same command resumes from there. The engine
/// plays with the file that its option `EvalFile` names.
///
///   kalah train --out my.knn
///   kalah train --houses 8 --seeds 4,6,8 --out eight.knn --folder eight
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct Train {
    /// Write the network to this file
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Folder for samples and earlier networks [default: FILE.training]
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,

    /// Draw the learning curves of all generations; the name must end in .svg
    #[arg(long, value_name = "FILE", value_parser = svg_path())]
    curves: Option<PathBuf>,

    #[command(flatten)]
    config: TrainingConfig,

    /// Threads [default: all processors]
    #[arg(long, value_name = "N", value_parser = number::<NonZeroUsize>(1..))]
    threads: Option<NonZeroUsize>,

    /// Games of the match against the current evaluation, an even number
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = number::<u64>(..))]
    games: u64,

    /// Time per move in that match, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "0.02", value_parser = seconds)]
    st: Duration,

    #[command(flatten)]
    output: OutputOption,
}

/// A trained network and its match against the current evaluation.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct TrainingJson {
    /// The path of the network.
    network: String,
    /// The size of the file.
    bytes: usize,
    /// The time that it took, in seconds.
    seconds: f64,
    /// Mean errors of an estimate in the last epoch, in seeds; null if no epoch was needed.
    errors: Option<MeanErrors>,
    /// The standing of the match, as in standing.schema.json; null without one.
    #[cfg_attr(test, schemars(schema_with = "standing"))]
    standing: Option<StandingsJson>,
}

#[cfg(test)]
fn standing(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
    let mut schema = kalah_command::schemas::written(generator, "standing", None);
    schema.insert("type".to_owned(), serde_json::json!(["object", "null"]));
    schema
}

impl Train {
    pub fn run(self) -> anyhow::Result<()> {
        // Errors in the settings of the match are reported before the training.
        let tournament = self.tournament().map_err(|error| wrong_usage(&["train"], error))?;
        let file = NewFile::create(&self.out)?;
        let curves = self.curves.as_deref().map(NewFile::create).transpose()?;
        require_different([&file].into_iter().chain(&curves))?;
        let folder = self.folder.clone();
        let folder = folder.unwrap_or_else(|| self.out.with_added_extension("training"));
        let canonical = fs::canonicalize(&folder).ok();
        if canonical.is_some() && canonical.as_deref() == file.path().parent() {
            let path = self.out.display();
            bail!("'{path}' is in the folder of the training, which has its own files");
        }
        let threads = thread_count(self.threads);
        let stop = stop_on_ctrl_c()?;
        let start = Instant::now();
        let display = ProgressDisplay::new();
        let network = self.config.run(&folder, threads, &stop, &|progress| display.show(progress));
        display.bar.finish_and_clear();
        let network = network.map_err(|error| match error {
            TrainingError::Interrupted => interrupted(&format!(
                ": the same command resumes from the files in '{}'",
                folder.display()
            )),
            TrainingError::Config(_) | TrainingError::Board(_) => {
                wrong_usage(&["train"], error).into()
            }
            error => anyhow::Error::from(error),
        })?;
        let bytes = network.to_bytes();
        file.write_bytes(&bytes)?;
        let (rules, seeds) = (tournament.start.rules(), tournament.start.houses(Side::South)[0]);
        if let Some(file) = curves {
            file.write_bytes(chart(rules, &read_learning_curves(&folder)?).svg())?;
        }
        let seconds = start.elapsed().as_secs_f64();
        let (mut text, bytes) = (self.output.text(), bytes.len());
        let path = self.out.display();
        writeln!(text, "network     '{path}', {bytes} bytes, in {seconds:.0} s")?;
        let errors = lock(&display.state).1;
        if let Some(errors) = errors {
            writeln!(text, "errors      {}", errors_text(errors))?;
        }
        let network = path.to_string();
        let mut json = TrainingJson { network, bytes, seconds, errors, standing: None };
        if self.games == 0 {
            return self.output.print("kalah-train", &json);
        }
        let current = match Network::built_in(rules) {
            Some(_) => "the built-in network",
            None => "the plain evaluation",
        };
        let seeds = counted(seeds, "seed");
        writeln!(text, "match       {seeds} a house; current evaluation: {current}")?;
        play(
            &stop,
            &["train"],
            &tournament,
            |_| {},
            |outcome| {
                if self.output.is_json() {
                    json.standing =
                        Some(StandingsJson::new(&outcome.standings, RatingModel::default(), None));
                    return self.output.print("kalah-train", &json);
                }
                print_standings(self.output, &outcome.standings, RatingModel::default(), None)
            },
        )
    }

    /// The match of the new network against the engine's current evaluation.
    fn tournament(&self) -> anyhow::Result<Tournament> {
        let rules = self.config.rules()?;
        let seeds = self.config.seeds.iter().max().copied().unwrap_or(1);
        let each = PartialPlayerSettings::default();
        let player = |name: &str, options: &str| {
            // Generous, so that other work on the machine does not decide a game.
            let control = format!("st={} timemargin=1000", self.st.as_secs_f64());
            let words = format!("builtin=selective name={name} {control} {options}");
            PlayerSettings::new(words.parse()?, &each)
        };
        let file = format!("option.EvalFile={}", self.out.display());
        let players = vec![player("new", &shell_words::quote(&file))?, player("current", "")?];
        let tournament = Tournament {
            seed: self.config.seed,
            games: self.games,
            concurrency: thread_count(self.threads),
            ..Tournament::new(players, Board::start(rules, seeds)?)
        };
        tournament.check()?;
        Ok(tournament)
    }
}

/// The errors of each generation by epoch.
fn chart(rules: Rules, curves: &[LearningCurve]) -> Chart {
    let panel = |title: &str, error: fn(&MeanErrors) -> f64| {
        let series = curves.iter().map(|curve| {
            let points = curve
                .errors
                .iter()
                .zip(1_u32..)
                .map(|(errors, epoch)| (epoch.into(), error(errors)));
            Series::line(format!("generation {}", curve.generation), points)
        });
        Panel::new(title, ["epoch", "mean error of an estimate, in seeds"], series)
    };
    let title = format!("Learning Kalah, {rules}");
    let panels = [
        panel("training samples", |errors| errors.training),
        panel("validation samples", |errors| errors.validation),
    ];
    Chart::new(&title, panels)
}

fn errors_text(MeanErrors { training, validation }: MeanErrors) -> String {
    format!("training error {training:.2}, validation error {validation:.2} seeds")
}

/// Progress on stderr: a bar on a terminal, otherwise a line from time to time.
struct ProgressDisplay {
    bar: ProgressBar,
    /// The time of the last line, and the errors of the last epoch.
    state: Mutex<(Instant, Option<MeanErrors>)>,
}

/// Minimum time between progress lines.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

impl ProgressDisplay {
    fn new() -> ProgressDisplay {
        let bar = progress_bar(0, "{bar:30} {pos}/{len} {msg}, {eta} left");
        ProgressDisplay { bar, state: Mutex::new((Instant::now(), None)) }
    }

    fn show(&self, TrainingProgress { generation, done, total, errors }: TrainingProgress) {
        let mut state = lock(&self.state);
        let (last_line, last_errors) = &mut *state;
        *last_errors = errors.or(*last_errors);
        let text = match errors {
            Some(errors) => {
                format!("epochs of generation {generation}, {}", errors_text(errors))
            }
            None => format!("positions of generation {generation}"),
        };
        self.bar.set_length(total);
        self.bar.set_position(done);
        self.bar.set_message(text.clone());
        if self.bar.is_hidden() && last_line.elapsed() >= LINE_INTERVAL {
            *last_line = Instant::now();
            say!("{done}/{total} {text}");
        }
    }
}
