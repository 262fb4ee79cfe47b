//! `kalah train`.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use clap::{Args, value_parser};
use indicatif::{ProgressBar, ProgressStyle};
use kalah::StopToken;
use kalah::arena::{
    OpeningSettings, PartialPlayerSettings, PlayerSettings, Shard, Tournament, TournamentFormat,
};
use kalah::board::{Board, Capture, Rules, Side};
use kalah::search::Network;
use kalah::training::{Course, CourseProgress, Errors, TrainingError};

use super::arena::play_unless;
use super::interrupt::{Interrupted, stop_on_ctrl_c};
use super::new_file::NewFile;
use super::{processors, wrong_usage};

/// Make a learned evaluation from nothing but the rules
///
/// Plays games against itself, fits a network to the positions met and what became of them, plays
/// with that network, and so on. Then a match against the present evaluation says what it is worth.
/// The same call makes the same network, whatever the number of threads. All that is done is kept in
/// the folder: broken off by Ctrl-C, the same call goes on from there. The engine plays with the
/// file that its option `EvalFile` names.
///
///   kalah train --out my.knn
///   kalah train --houses 8 --seeds 4,6,8 --out eight.knn --folder eight
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Train {
    /// Where the network goes
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Where positions and earlier networks are kept; FILE.training if it is not given
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,

    /// Houses a side, 1 to 12
    #[arg(long, value_name = "H", default_value_t = 6)]
    houses: usize,

    /// What a last seed captures: standard, or empty (also when the opposite house is empty)
    #[arg(long, value_name = "RULE", default_value_t = Capture::Standard)]
    capture: Capture,

    /// Seeds in each house at the starts of games
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "3,4,5,6,7",
          value_parser = value_parser!(u16).range(1..))]
    seeds: Vec<u16>,

    /// Positions of each generation
    #[arg(long, value_name = "N", default_value_t = 250_000,
          value_parser = value_parser!(u64).range(1..))]
    positions: u64,

    /// Nodes of each search
    #[arg(long, value_name = "N", default_value_t = 3_000,
          value_parser = value_parser!(u64).range(1..))]
    nodes: u64,

    /// Times that games are played and learned from
    #[arg(long, value_name = "N", default_value_t = 3,
          value_parser = value_parser!(u32).range(1..))]
    generations: u32,

    /// What all chance is drawn from
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Threads; all processors if it is not given
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,

    /// Games of the match against the present evaluation, an even number
    #[arg(long, value_name = "N", default_value_t = 200)]
    games: u64,

    /// Time for a move in that match, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 0.02)]
    st: f64,
}

impl Train {
    pub(super) fn run(self) -> anyhow::Result<()> {
        kalah::engine::init_logging();
        let course = Course {
            houses: self.houses,
            capture: self.capture.to_string(),
            seeds: self.seeds.clone(),
            positions: self.positions,
            nodes: self.nodes,
            generations: self.generations,
            seed: self.seed,
        };
        let explained = |error| match error {
            TrainingError::Course(_) | TrainingError::Board(_) => {
                wrong_usage(&["train"], error).into()
            }
            error => anyhow::Error::from(error),
        };
        // What is wrong with the match is not to be found out after the work.
        let tournament = self.tournament()?;
        let file = NewFile::create(&self.out)?;
        let folder = self.folder.clone().unwrap_or_else(|| {
            let mut name = self.out.clone().into_os_string();
            name.push(".training");
            name.into()
        });
        let threads = processors(self.threads);
        let stop = stop_on_ctrl_c()?;
        let begun = Instant::now();
        let progress = Progress::new();
        let trained = course.run(&folder, threads, &|| !stop.is_stopped(), &|event| {
            progress.hear(event);
        });
        progress.bar.finish_and_clear();
        let network = match trained {
            Ok(network) => network,
            Err(TrainingError::Interrupted) => {
                say!(
                    "interrupted: what was done is in '{}', the same call goes on from there",
                    folder.display()
                );
                return Err(Interrupted.into());
            }
            Err(error) => return Err(explained(error)),
        };
        let bytes = network.to_bytes();
        file.write(|to| Ok(to.write_all(&bytes)?))?;
        writeln!(
            io::stdout(),
            "network     '{}', {} bytes, in {:.0} s",
            self.out.display(),
            bytes.len(),
            begun.elapsed().as_secs_f64()
        )?;
        if let Some(Errors { learned, tested }) = *lock(&progress.errors) {
            writeln!(
                io::stdout(),
                "errors      {learned:.2} seeds on average, {tested:.2} where it has not learned"
            )?;
        }
        if self.games > 0 { judge(&tournament, &stop) } else { Ok(()) }
    }

    /// The match of the new network against what the engine plays with now.
    fn tournament(&self) -> anyhow::Result<Tournament> {
        let usage = |error: &dyn Display| wrong_usage(&["train"], error);
        let rules = Rules::new(self.houses, self.capture).map_err(|error| usage(&error))?;
        let seeds = self.seeds.iter().max().copied().unwrap_or(1);
        let each = PartialPlayerSettings::default();
        let player = |name: &str, options: &str| {
            // Other work on the machine does not decide it.
            let control = format!("st={} timemargin=1000", self.st);
            let words = format!("builtin=selective name={name} {control} {options}");
            PlayerSettings::new(words.parse()?, &each)
        };
        let file = format!("option.EvalFile={}", self.out.display());
        let new = player("new", &shell_words::quote(&file));
        let players = [new, player("present", "")].into_iter().collect::<Result<_, _>>();
        let tournament = Tournament {
            format: TournamentFormat::default(),
            players: players.map_err(|error| usage(&error))?,
            start: Board::start(rules, seeds).map_err(|error| usage(&error))?,
            openings: OpeningSettings::default(),
            seed: self.seed,
            games: self.games,
            shard: Shard::WHOLE,
            concurrency: processors(self.threads),
            resign: None,
            adjudicate: None,
            sprt: None,
            record: None,
        };
        tournament.check().map_err(|error| usage(&error))?;
        Ok(tournament)
    }
}

/// Lets the new network play.
fn judge(tournament: &Tournament, stop: &StopToken) -> anyhow::Result<()> {
    let (rules, seeds) = (tournament.start.rules(), tournament.start.houses(Side::South)[0]);
    let present = match Network::built_in(rules) {
        Some(_) => "the one that comes with the program",
        None => "the plain evaluation",
    };
    writeln!(io::stdout(), "verdict     {seeds} seeds a house; present: {present}")?;
    play_unless(stop, "train", tournament, None)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A bar at a terminal, else a line now and then; on stderr.
struct Progress {
    bar: ProgressBar,
    is_terminal: bool,
    last_line: Mutex<Instant>,
    /// How far the estimates of the last pass were off.
    errors: Mutex<Option<Errors>>,
}

/// Lines about the progress are no nearer to each other.
const BETWEEN_LINES: Duration = Duration::from_secs(10);

impl Progress {
    fn new() -> Progress {
        let bar = ProgressBar::new(0);
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}, {eta} left");
        if let Ok(style) = style {
            bar.set_style(style);
        }
        let last_line = Mutex::new(Instant::now());
        Progress {
            bar,
            is_terminal: io::stderr().is_terminal(),
            last_line,
            errors: Mutex::new(None),
        }
    }

    fn hear(&self, event: CourseProgress) {
        let (done, total, text) = match event {
            CourseProgress::Positions { generation, done, total } => {
                (done, total, format!("positions of generation {generation}"))
            }
            CourseProgress::Learning { generation, passes, total, errors } => {
                *lock(&self.errors) = Some(errors);
                let text = format!(
                    "passes of generation {generation}, {:.2} seeds off on average, {:.2} where it \
                     has not learned",
                    errors.learned, errors.tested
                );
                (passes as u64, total as u64, text)
            }
        };
        self.bar.set_length(total);
        self.bar.set_position(done);
        self.bar.set_message(text.clone());
        if self.is_terminal {
            return;
        }
        let mut last_line = lock(&self.last_line);
        if last_line.elapsed() >= BETWEEN_LINES {
            *last_line = Instant::now();
            say!("{done}/{total} {text}");
        }
    }
}
