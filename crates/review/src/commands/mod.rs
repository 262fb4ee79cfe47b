//! `kalah review` and `kalah puzzles`.

#![allow(clippy::missing_errors_doc, reason = "the errors of commands are sentences for people")]
#![allow(missing_docs, reason = "what a command does is the text of its help")]

mod html;
mod puzzles;
mod record;
mod text;

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use crate::{Review, ReviewError, ReviewLimit, Reviewer};
use anyhow::{Context, anyhow, bail};
use clap::{Args, Subcommand};
use kalah::lock::lock;
use kalah::parallel;
use kalah::printable::{printable_json, printable_lines};
use kalah::search::MAX_DEPTH;
use kalah::solve::SolverResources;
use kalah_games::{AnnotatedGame, GameOutcome};
use serde::Serialize;

use self::puzzles::PuzzlesCommand;
pub use self::puzzles::{Puzzle, Puzzles, puzzles};
use self::record::ReviewRecord;
use self::text::ReviewedGame;
use kalah_command::exit::{Interrupted, stop_on_ctrl_c, wrong_usage};
use kalah_command::new_file::NewFile;
use kalah_command::options::{BoardOptions, number};
use kalah_command::progress_bar::counting_bar;
use kalah_records::commands::{TextGames, fail_if_left_out, read_whole_games};

/// The commands of this crate.
#[derive(Subcommand)]
pub enum ReviewCommands {
    Review(ReviewCommand),
    Puzzles(PuzzlesCommand),
}

kalah_command::run_subcommands!(ReviewCommands { Review, Puzzles });

/// Show what each move of a game gave away
///
/// Values every position, from the last to the first: what each move was worth, which was the best, and
/// how many seeds each side gave away. Positions with up to 48 seeds in the houses are solved, so that
/// their values are proven; the others are searched for a second.
/// docs/manual/review.md describes the output.
///
///   kalah review game.txt
///   kalah review games.jsonl --jobs 2 --record reviews.jsonl --html reviews.html
///   kalah review --moves 'C F a e' --json
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct ReviewCommand {
    /// Games as text, as JSON, or records of matches; '-' is standard input
    #[arg(value_name = "FILE", required_unless_present = "moves", conflicts_with_all = ["moves", "houses", "seeds", "fen", "capture", "sowing"])]
    files: Vec<PathBuf>,

    /// Review these moves from the start of the board
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,

    #[command(flatten)]
    board: BoardOptions,

    /// Search every position for this many milliseconds, or until it is proven
    #[arg(long, value_name = "MS", value_parser = number::<u64>(1..), conflicts_with_all = ["depth", "exact"])]
    movetime: Option<u64>,

    /// Search every position to this depth, or until it is proven
    #[arg(long, value_name = "N", value_parser = number::<u32>(1..=u64::from(MAX_DEPTH)), conflicts_with = "exact")]
    depth: Option<u32>,

    /// Solve every position, however long that takes
    #[arg(long)]
    exact: bool,

    /// Print JSON, one line per game, which docs/manual/machines.md describes
    #[arg(long)]
    json: bool,

    /// Write a page in HTML
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    /// Write the games as text, with comments and the best lines as variations
    #[arg(long, value_name = "FILE")]
    annotate: Option<PathBuf>,

    /// Append each review to this file when it is finished, and do not review again what it holds
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,

    /// Games at a time [default: 1 for a single game, else as many as processors]
    #[arg(long, value_name = "N", value_parser = number::<NonZeroUsize>(1..))]
    jobs: Option<NonZeroUsize>,

    /// Upper limit of the memory for all tables together, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = number::<u32>(1..))]
    hash: u32,
}

/// A line of `--json`. The review has its version.
#[derive(Serialize)]
struct ReviewLine<'a> {
    format: &'static str,
    #[serde(flatten)]
    review: &'a Review,
}

impl ReviewCommand {
    pub fn run(self) -> anyhow::Result<()> {
        let TextGames { games, left_out } = self.games()?;
        let html = self.html.as_deref().map(|path| self.new_file(path)).transpose()?;
        let annotate = self.annotate.as_deref().map(|path| self.new_file(path)).transpose()?;
        if let (Some(html), Some(path)) = (&html, &self.annotate)
            && html.is(path)
        {
            let error = format!("--html and --annotate both name '{}'", path.display());
            return Err(wrong_usage(&["review"], error).into());
        }
        let reviewed = self.reviewed(games)?;
        if let Some(file) = annotate {
            let texts: Vec<String> =
                reviewed.iter().map(|reviewed| text::annotated(reviewed).to_string()).collect();
            file.write_bytes(texts.join("\n"))?;
        }
        if let Some(file) = html {
            file.write_bytes(html::page(&reviewed))?;
        }
        let mut output = io::stdout().lock();
        let is_one = reviewed.len() == 1;
        for (number, reviewed) in reviewed.iter().enumerate() {
            if self.json {
                let line = ReviewLine { format: "kalah-review", review: &reviewed.review };
                let line = serde_json::to_string(&line)?;
                writeln!(output, "{}", printable_json(&line))?;
            } else {
                let number = (!is_one).then_some(number + 1);
                // Marks and lines can come from a record that somebody else has written.
                write!(output, "{}", printable_lines(&text::text(number, reviewed)))?;
            }
        }
        output.flush()?;
        fail_if_left_out(left_out)
    }

    /// A file that is written at the end, and is none of those that are read.
    fn new_file(&self, path: &Path) -> anyhow::Result<NewFile> {
        let file = NewFile::create(path)?;
        if self.files.iter().chain(&self.record).any(|other| file.is(other)) {
            bail!("'{}' is read or recorded to: it would be replaced", path.display());
        }
        Ok(file)
    }

    fn games(&self) -> anyhow::Result<TextGames> {
        if let Some(moves) = &self.moves {
            let usage = |error: anyhow::Error| wrong_usage(&["review"], format!("{error:#}"));
            let mut game = AnnotatedGame::new(self.board.board().map_err(usage)?);
            let with_moves = |error| usage(anyhow!("--moves '{moves}': {error}"));
            for played in game.start.replay(moves.chars().filter(|c| !c.is_ascii_whitespace())) {
                let (mv, _) = played.map_err(with_moves)?;
                game.moves.push(mv.into());
            }
            game.result = GameOutcome::from_board(&game.end());
            return Ok(TextGames { games: vec![game], ..TextGames::default() });
        }
        let mut all = TextGames::default();
        for path in &self.files {
            let TextGames { games, left_out } = read_whole_games(path)?;
            all.games.extend(games);
            all.left_out.extend(left_out);
        }
        if all.games.is_empty() {
            fail_if_left_out(all.left_out)?;
            bail!("there are no games to review");
        }
        Ok(all)
    }

    fn limit(&self) -> ReviewLimit {
        match (self.movetime, self.depth) {
            _ if self.exact => ReviewLimit::Exact,
            (Some(time), _) => ReviewLimit::MoveTime(Duration::from_millis(time)),
            (None, Some(depth)) => ReviewLimit::Depth(depth),
            (None, None) => ReviewLimit::Auto,
        }
    }

    /// Reviews all games, several at a time, except those that the record has.
    fn reviewed(&self, games: Vec<AnnotatedGame>) -> anyhow::Result<Vec<ReviewedGame>> {
        let stop = stop_on_ctrl_c()?;
        let limit = self.limit();
        let record =
            self.record.as_deref().map(|path| ReviewRecord::open(path, limit)).transpose()?;
        let known = |game: &AnnotatedGame| {
            record.as_ref().and_then(|record| record.review_of(game)).cloned()
        };
        let games: Vec<_> = games.into_iter().map(|game| (known(&game), game)).collect();
        let left = || games.iter().filter(|(known, _)| known.is_none());

        let processors = kalah::sys::processors();
        let jobs = self.jobs.unwrap_or(processors);
        let jobs = jobs.min(NonZeroUsize::new(left().count()).unwrap_or(NonZeroUsize::MIN));
        let resources = SolverResources {
            threads: NonZeroUsize::new(processors.get() / jobs).unwrap_or(NonZeroUsize::MIN),
            mebibytes: (self.hash as usize / jobs).max(1),
        };
        let plies = left().map(|(_, game)| game.moves.len()).sum();
        let (bar, record) = (counting_bar(plies, "moves"), Mutex::new(record));
        let reviewer = || Reviewer::new(limit, resources);
        let review =
            |reviewer: &mut Reviewer,
             (number, (known, game)): (usize, &(Option<Review>, AnnotatedGame))| {
                if let Some(review) = known {
                    return Ok(review.clone());
                }
                let mut done = 0;
                let review = reviewer.review(game, &stop, |now, _| {
                    bar.inc((now - done) as u64);
                    done = now;
                });
                let review = review.map_err(anyhow::Error::from).and_then(|review| {
                    if let Some(record) = &mut *lock(&record) {
                        record.append(&review)?;
                    }
                    Ok(review)
                });
                review.with_context(|| format!("game {number}"))
            };
        let reviews = parallel::try_map_with(jobs, (1..).zip(&games), reviewer, review);
        bar.finish_and_clear();
        let reviews = reviews.map_err(|error| match error.downcast_ref() {
            Some(ReviewError::Stopped) => {
                Interrupted::with_record("finished reviews", self.record.as_deref()).into()
            }
            _ => error,
        })?;
        let games = games.into_iter().zip(reviews);
        Ok(games.map(|((_, game), review)| ReviewedGame { game, review }).collect())
    }
}
