//! `kalah exam`.

#![allow(clippy::missing_errors_doc, reason = "the errors of commands are sentences for people")]
#![allow(missing_docs, reason = "what a command does is the text of its help")]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail};
use clap::Args;
use kalah::StopToken;
use kalah::board::Capture;
use kalah::solve::{SolveError, SolverResources};
use kalah::text_file;
use kalah_arena::{ArenaError, SingleMoves};
use kalah_command::exit::{interrupted, stop_on_ctrl_c, wrong_usage};
use kalah_command::new_file::{NewFile, require_different};
use kalah_command::options::{capture_parser, houses, number, seconds};
use kalah_command::output::OutputOption;
use kalah_command::progress_bar::{counting_bar, progress_bar};
use kalah_records::commands::new_file;
use kalah_records::{PartialPlayerSettings, PlayerSettings};

use crate::anchors::{self, Anchor, checksum, with_anchor};
use crate::exam_json::{ExamJson, Examinee, SetJson};
use crate::games::check_record;
use crate::make::MakeError;
use crate::{
    Boards, ExamPosition, GameResults, PositionResults, PositionSet, ask, html, make, play_levels,
    text,
};

/// The most bytes of a set of positions, or of a file of anchors.
const MAX_BYTES: u64 = 1 << 24;

/// Examine an engine: how good is it?
///
/// First it gets positions whose moves all have known exact values: openings, fair starts, middle games, endings
/// and traps, of several boards and both capture rules. The answers tell its regret, the seeds that it gives
/// away a move, by phase and by theme. Then it plays games from fair starts against levels of this engine,
/// always the one nearest to what is known of it, until its rating is known to --precision or the time is
/// over. Illegal moves, crashes and late answers are counted and end nothing.
///
///   kalah exam cmd=./my-engine --time 600 --html exam.html
///   kalah exam "cmd=python3 args=bot.py name='my bot'" --movetime 0.5 --json
///   kalah exam "builtin=selective 'option.Skill Level=8'" --time 60
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct ExamCommand {
    /// The engine, in words of key=value as for `kalah match --engine`: cmd=PROGRAM with args="…", or
    /// builtin=SEARCH; name=TEXT, limits, option.NAME=VALUE
    #[arg(value_name = "ENGINE", required_unless_present = "make")]
    engine: Option<PartialPlayerSettings>,

    /// Seconds for the whole exam; the positions have at most half of them
    #[arg(long, value_name = "SECONDS", default_value = "300", value_parser = seconds)]
    time: Duration,

    /// Seconds for each move, unless ENGINE has limits of its own
    #[arg(long, value_name = "SECONDS", default_value = "0.1", value_parser = seconds)]
    movetime: Duration,

    /// End the games when half the width of the rating's 95 % interval is this many Elo or less
    #[arg(long, value_name = "ELO", default_value_t = 40, value_parser = number::<u32>(1..=1000))]
    precision: u32,

    /// Only the positions, without games
    #[arg(long)]
    no_games: bool,

    /// Only positions with this many houses a side, for engines that know no others
    #[arg(long, value_name = "H", value_parser = houses())]
    houses: Option<usize>,

    /// Only positions with this capture rule
    #[arg(long, value_name = "RULE", value_parser = capture_parser())]
    capture: Option<Capture>,

    /// Random seed of the games and the players
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<u64>(..))]
    seed: u64,

    /// Record each game in this file, a line of JSON each; games that it contains count and are not played
    /// again
    #[arg(long, value_name = "FILE", conflicts_with = "no_games")]
    record: Option<PathBuf>,

    /// Write the results as a page in HTML
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    /// Take the positions from this file in place of those of the program
    #[arg(long, value_name = "FILE", hide = true)]
    positions: Option<PathBuf>,

    /// Add the results to this file of anchors
    #[arg(long, value_name = "FILE", hide = true)]
    anchor: Option<PathBuf>,

    /// Make a set of positions from --seed and write it to this file
    #[arg(long, value_name = "FILE", hide = true, conflicts_with_all = ["engine", "record", "html", "positions", "anchor"])]
    make: Option<PathBuf>,

    /// Of the boards of --make, those with this many seeds in each house
    #[arg(long, value_name = "N", hide = true, requires = "make", requires = "houses")]
    seeds: Option<u16>,

    #[command(flatten)]
    output: OutputOption,
}

/// Turns the errors that come from wrong arguments into usage errors.
fn explained(error: ArenaError) -> anyhow::Error {
    match error {
        ArenaError::Settings(_) => wrong_usage(&["exam"], error).into(),
        ArenaError::Stopped => interrupted(""),
        error => error.into(),
    }
}

impl ExamCommand {
    pub fn run(self) -> anyhow::Result<()> {
        match (&self.make, &self.engine) {
            (Some(path), _) => self.make(path),
            (None, Some(engine)) => self.examine(engine),
            (None, None) => Ok(()),
        }
    }

    fn make(&self, path: &Path) -> anyhow::Result<()> {
        let file = NewFile::create(path)?;
        let stop = stop_on_ctrl_c()?;
        let boards = match (self.houses, self.seeds) {
            (Some(houses), Some(seeds)) => vec![Boards { houses, seeds, each: 1 }],
            _ => Boards::BUILT_IN.to_vec(),
        };
        let resources =
            SolverResources { threads: kalah::sys::processors(), ..SolverResources::default() };
        let bar = counting_bar(0, "positions");
        let set = make(&boards, self.seed, resources, &stop, |found, most| {
            bar.set_length(most as u64);
            bar.set_position(found as u64);
        });
        bar.finish_and_clear();
        let set = set.map_err(|error| match error {
            MakeError::Solve(SolveError::Stopped) => interrupted(""),
            error => anyhow::Error::from(error),
        })?;
        file.write(|file| Ok(write!(file, "{set}")?))
    }

    fn set(&self) -> anyhow::Result<PositionSet> {
        let Some(path) = &self.positions else { return Ok(PositionSet::built_in()?) };
        let name = || format!("'{}'", path.display());
        let text = text_file::read(path, MAX_BYTES).with_context(name)?;
        text.parse().with_context(|| format!("{} is not a set of positions", name()))
    }

    fn is_chosen(&self, position: &ExamPosition) -> bool {
        let rules = position.board.rules();
        self.houses.is_none_or(|houses| houses == rules.houses())
            && self.capture.is_none_or(|capture| capture == rules.capture())
    }

    fn examine(&self, engine: &PartialPlayerSettings) -> anyhow::Result<()> {
        let begun = Instant::now();
        let usage = |error: &dyn std::fmt::Display| wrong_usage(&["exam"], error);
        let limit = format!("st={}", self.movetime.as_secs_f64());
        let each = if engine.is_limited() { "" } else { &limit };
        let each = each.parse().map_err(|error| usage(&error))?;
        let settings = PlayerSettings::new(engine.clone(), &each).map_err(|error| usage(&error))?;
        let set = self.set()?;
        let chosen: Vec<(usize, &ExamPosition)> =
            (1..).zip(&set.positions).filter(|(_, position)| self.is_chosen(position)).collect();
        if chosen.is_empty() {
            return Err(usage(&"there are no positions with these rules").into());
        }
        let page = self.html.as_deref().map(|path| self.new_file(path, "page")).transpose()?;
        let anchors = self.anchor.as_deref().map(|path| self.anchor_file(path)).transpose()?;
        require_different(page.iter().chain(anchors.iter().map(|(file, _)| file)))?;
        if let Some(record) = &self.record {
            check_record(settings.clone(), self.seed, record)?;
        }
        let stop = stop_on_ctrl_c()?;

        let for_positions = if self.no_games { self.time } else { self.time / 2 };
        let asking = stop.child_with_timeout(for_positions);
        let mut player =
            SingleMoves::start(settings.clone(), &asking).map_err(|error| match error {
                ArenaError::Stopped if !stop.is_stopped() => {
                    anyhow!("the engine did not start within {} s", for_positions.as_secs_f64())
                }
                error => explained(error),
            })?;
        let id = player.id().to_owned();
        let bar = counting_bar(chosen.len(), "positions");
        let count = chosen.len();
        let asked = ask(&mut player, chosen, self.seed, |_| bar.inc(1));
        bar.finish_and_clear();
        // Its program ends, and another one plays the games.
        drop(player);
        let (answers, left_out) = asked.map_err(explained)?;
        let positions = PositionResults::new(&set, &answers, left_out);

        let games = if self.no_games || stop.is_stopped() {
            Ok(None)
        } else {
            let left = self.time.saturating_sub(begun.elapsed());
            self.games(&settings, &stop.child_with_timeout(left))
        };
        let (games, failed) = match games {
            Ok(games) => (games, Ok(())),
            Err(error) => (None, Err(error)),
        };
        let examinee = Examinee {
            name: settings.name.clone(),
            id,
            settings: settings.to_string(),
            limits: settings.time_control.words().join(" "),
        };
        let set_json = SetJson {
            version: set.version,
            checksum: checksum(&set),
            positions: set.positions.len(),
            chosen: count,
        };
        let anchored = anchors.map(|(file, before)| {
            let anchor = Anchor::new(&settings, &set, &positions, games.as_ref());
            file.write_bytes(with_anchor(before, anchor)?)
        });
        let anchors = Anchor::known(&set)?;
        let results = ExamJson {
            player: examinee,
            set: set_json,
            positions,
            games,
            anchors,
            answers,
            seconds: (begun.elapsed().as_secs_f64() * 1e3).round() / 1e3,
        };
        let page = page.map(|file| file.write_bytes(html::page(&results, &set)));
        // If one of them cannot be written, the others are; whoever reads the output may close it early.
        let written = [anchored, page, Some(self.print(&results)), Some(failed)];
        written.into_iter().flatten().collect::<anyhow::Result<()>>()?;
        if stop.is_stopped() {
            return Err(interrupted(": the results are those until then"));
        }
        Ok(())
    }

    fn print(&self, results: &ExamJson) -> anyhow::Result<()> {
        write!(self.output.text(), "{}", text::text(results))?;
        self.output.print("kalah-exam", results)
    }

    fn games(
        &self,
        settings: &PlayerSettings,
        stop: &StopToken,
    ) -> anyhow::Result<Option<GameResults>> {
        let bar = progress_bar(0, "{elapsed_precise} {spinner} {pos} games, {msg}");
        let games = play_levels(
            settings.clone(),
            f64::from(self.precision),
            self.seed,
            self.record.clone(),
            stop,
            |games, rating| {
                bar.set_position(games);
                bar.set_message(format!("rating {}", text::rating(&rating)));
            },
        );
        bar.finish_and_clear();
        match games {
            // The time can be over before a game is.
            Ok(games) => Ok(Some(games).filter(|games| games.games > 0)),
            Err(ArenaError::Stopped) => Ok(None),
            Err(error) => Err(explained(error)),
        }
    }

    /// A file of anchors, with what it has.
    fn anchor_file(&self, path: &Path) -> anyhow::Result<(NewFile, Vec<Anchor>)> {
        let file = self.new_file(path, "file of anchors")?;
        let name = || format!("'{}'", path.display());
        let text = if path.exists() {
            text_file::read(path, MAX_BYTES).with_context(name)?
        } else {
            String::new()
        };
        Ok((file, anchors::read(&text).with_context(name)?))
    }

    /// A file that is written at the end, and is none that is read.
    fn new_file(&self, path: &Path, what: &str) -> anyhow::Result<NewFile> {
        let file = new_file(path, what, self.record.as_slice())?;
        if self.positions.as_ref().is_some_and(|positions| file.is(positions)) {
            bail!("'{}' cannot be both set of positions and {what}", path.display());
        }
        Ok(file)
    }
}
