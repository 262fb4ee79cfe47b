//! `kalah book build` and `kalah book merge`.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::ProgressBar;
use kalah::book::{Book, BookBuild, BookError, BookScope, BookStep, merge_books};
use kalah::printable::counted;
use kalah::solve::SolveError;
use kalah_command::say;

use kalah_command::exit::{interrupted, stop_on_ctrl_c, wrong_usage};
use kalah_command::new_file::{BOOK, NewFile};
use kalah_command::options::{BoardOptions, SolverOptions, number};
use kalah_command::progress_bar::progress_bar;
use kalah_command::table::{grouped, grouped_count};

/// The time between two saves.
const SAVE_INTERVAL: Duration = Duration::from_secs(30);

/// Saves take about one part in this many of the time at most.
const SAVE_SHARE: u32 = 20;

/// Build a book, or continue one
///
/// Solves the positions that best play of both sides reaches, then those after mistakes of one side, the
/// cheapest first, then those after mistakes of both, until the limits are reached. An existing book is
/// continued: what it has is not solved again. Ctrl-C stops the build, which saves the book every half a
/// minute, and at the end.
///
///   kalah book build kalah.kbk --seeds 4 --plies 8
///   kalah book build kalah.kbk --seeds 4 --plies 10 --one-sided --time 3600
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct BuildBook {
    /// The file of the book
    #[arg(value_name = "FILE")]
    path: PathBuf,

    #[command(flatten)]
    board: BoardOptions,

    /// Only positions after fewer than N plies
    #[arg(long, value_name = "N", value_parser = number::<u32>(..))]
    plies: Option<u32>,

    /// Only the first N positions
    #[arg(long, value_name = "N", value_parser = number::<u64>(..))]
    positions: Option<u64>,

    /// End after this time, in seconds
    #[arg(long, value_name = "SECONDS", value_parser = number::<u32>(1..))]
    time: Option<u32>,

    /// Only positions for which both sides together have given away at most this many seeds
    #[arg(long, value_name = "SEEDS", value_parser = number::<u32>(..))]
    margin: Option<u32>,

    /// Only positions for which one of the sides has given away nothing
    #[arg(long)]
    one_sided: bool,

    #[command(flatten)]
    solver: SolverOptions,
}

impl BuildBook {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let start = self
            .board
            .board()
            .map_err(|error| wrong_usage(&["book", "build"], format!("{error:#}")))?;
        // Fails now, not after the work, if the file cannot be written.
        let file = NewFile::create_or_replace(&self.path, BOOK)?;
        let _lock = file.lock()?;
        let path = file.path().to_owned();
        let book = if path.exists() { Some(Book::open(&path)?) } else { None };
        let BuildBook { plies, positions, margin, one_sided, .. } = self;
        let scope = BookScope { plies, positions, margin, one_sided };
        let mut build = BookBuild::new(&start, scope, book.as_ref(), self.solver.resources())?;
        drop(book);
        let stop = stop_on_ctrl_c()?;
        let limit = match self.time {
            Some(seconds) => stop.child_with_timeout(Duration::from_secs(seconds.into())),
            None => stop.clone(),
        };

        let bar = progress_bar(0, "{spinner} {elapsed_precise} {msg}");
        let (begin, mut saved_at, mut interval) = (Instant::now(), Instant::now(), SAVE_INTERVAL);
        let mut saved = 0;
        let ended = loop {
            match build.step(&limit) {
                Ok(BookStep::Known | BookStep::Solved) => {}
                Ok(BookStep::Complete) | Err(BookError::Solve(SolveError::Stopped)) => {
                    break Ok(());
                }
                Err(error) => break Err(error),
            }
            show(&bar, &build);
            if limit.is_stopped() {
                break Ok(());
            }
            if saved_at.elapsed() >= interval && build.solved() > saved {
                let start = Instant::now();
                match build.save(&path) {
                    Ok(()) => saved = build.solved(),
                    Err(error) => say!("{:#}; the work continues", anyhow::Error::from(error)),
                }
                interval = SAVE_INTERVAL.max(start.elapsed() * SAVE_SHARE);
                saved_at = Instant::now();
            }
        };
        bar.finish_and_clear();
        // What is solved is kept, whatever has ended the build.
        build.save(&path)?;
        ended?;
        if stop.is_stopped() {
            let positions = grouped_count(build.positions(), "position");
            return Err(interrupted(&format!(
                ": '{}' has {positions}, the same command continues from there",
                path.display()
            )));
        }
        let state =
            place(&build).map_or("complete".to_owned(), |place| format!("out of time {place}"));
        writeln!(
            io::stdout(),
            "{state}: {} in {} bytes; {} reached, {} solved in {:.1} s",
            grouped_count(build.positions(), "position"),
            grouped(Book::open(&path)?.bytes()),
            grouped(build.reached()),
            grouped(build.solved()),
            begin.elapsed().as_secs_f64(),
        )?;
        Ok(())
    }
}

/// Join books
///
/// Writes a book with all positions of the given books, which must have the same rules: for example of
/// books that several machines have built from different boards. If two of them contradict each other
/// nothing is written, and `kalah book verify` tells which one is wrong.
///
///   kalah book merge all.kbk south.kbk north.kbk
///   kalah book merge all.kbk part-*.kbk
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct MergeBooks {
    /// The file to write; an existing one is replaced, and may be one of the books
    #[arg(value_name = "OUT")]
    out: PathBuf,

    /// The files of the books
    #[arg(value_name = "FILE", required = true)]
    books: Vec<PathBuf>,
}

impl MergeBooks {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let file = NewFile::create_or_replace(&self.out, BOOK)?;
        let _lock = file.lock()?;
        let path = file.path().to_owned();
        let books: Vec<Book> =
            self.books.iter().map(|path| Book::open(path)).collect::<Result<_, BookError>>()?;
        let positions = merge_books(&path, &books)?;
        let bytes = Book::open(&path)?.bytes();
        writeln!(
            io::stdout(),
            "{} in {} bytes, of {} in {}",
            grouped_count(positions, "position"),
            grouped(bytes),
            grouped(books.iter().map(Book::positions).sum()),
            counted(books.len(), "book"),
        )?;
        Ok(())
    }
}

fn show(bar: &ProgressBar, build: &BookBuild) {
    if bar.is_hidden() {
        return;
    }
    bar.set_message(format!(
        "{}, {} solved, {}",
        grouped_count(build.positions(), "position"),
        grouped(build.solved()),
        place(build).unwrap_or_default()
    ));
}

/// Where the next position is; `None` if there is none.
fn place(build: &BookBuild) -> Option<String> {
    let (lesser, greater, plies) = build.next_cost()?;
    let sides = if lesser == 0 { "one side" } else { "both sides" };
    Some(format!(
        "after mistakes of {sides} for {}, ply {plies}",
        counted(lesser + greater, "seed")
    ))
}
