//! `kalah book verify`.

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::bail;
use clap::Args;
use kalah::book::{Book, BookError, BookFault, BookReport, BookSample, verify_book};
use kalah::solve::SolveError;
use kalah_command::say;
use serde::Serialize;

use super::contents::or_embedded;
use kalah_command::exit::{interrupted, stop_on_ctrl_c};
use kalah_command::options::{SolverOptions, number};
use kalah_command::output::OutputOption;
use kalah_command::progress_bar::counting_bar;
use kalah_command::table::grouped_count;

/// The most wrong margins that are printed.
const MAX_FAULTS: usize = 20;

/// Verify a book
///
/// Verifies all checksums, and the margin of each move against those of the position after it, where the
/// book has that. Then solves positions again from nothing: all of them, which takes about as long as
/// they took to build, or a sample. Prints wrong margins; the exit status is 1 if there is one.
///
///   kalah book verify kalah.kbk
///   kalah book verify kalah.kbk --sample 100
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct VerifyBook {
    /// The file of the book [default: the book that is part of the program]
    #[arg(value_name = "FILE")]
    path: Option<PathBuf>,

    /// Positions to solve again, drawn at random; 0 solves none [default: all]
    #[arg(long, value_name = "N", value_parser = number::<u64>(..))]
    sample: Option<u64>,

    /// Random seed of the sample [default: a new one each time]
    #[arg(long, value_name = "SEED", requires = "sample", value_parser = number::<u64>(..))]
    seed: Option<u64>,

    #[command(flatten)]
    solver: SolverOptions,

    #[command(flatten)]
    output: OutputOption,
}

/// The verification of a book.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct VerifiedBookJson {
    /// The random seed of the sample; null if all positions are solved again.
    seed: Option<u64>,
    /// Positions read.
    positions: u64,
    /// Moves whose margins were compared with those of the position after the move.
    compared: u64,
    /// Positions solved again.
    solved: u64,
    /// All wrong margins.
    faults: Vec<BookFaultJson>,
    /// The time that it took, in seconds.
    seconds: f64,
}

/// A wrong margin.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct BookFaultJson {
    /// The board as FEN, with the side to move.
    fen: String,
    /// The letter of the move.
    r#move: char,
    /// The margin in the book, in seeds.
    found: i32,
    /// The margin that is right.
    expected: i32,
}

impl From<&BookFault> for BookFaultJson {
    fn from(fault: &BookFault) -> BookFaultJson {
        let &BookFault { board, mv, found, expected } = fault;
        BookFaultJson { fen: board.fen(), r#move: mv.letter(), found, expected }
    }
}

impl VerifyBook {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let mut out = self.output.text();
        let (sample, seed) = match self.sample {
            None => (BookSample::All, None),
            Some(positions) => {
                // Small enough to be typed.
                let seed = self.seed.unwrap_or_else(|| fastrand::u64(..1_000_000_000));
                writeln!(out, "seed {seed}")?;
                (BookSample::Random { positions, seed }, Some(seed))
            }
        };
        let stop = stop_on_ctrl_c()?;
        let opened = self.path.as_deref().map(Book::open).transpose()?;
        let book = or_embedded(opened.as_ref())?;
        let bar = counting_bar(0, "positions solved again");
        let start = Instant::now();
        let resources = self.solver.resources();
        let report = verify_book(book, sample, resources, &stop, &|solved, all| {
            bar.set_length(all);
            bar.set_position(solved);
        });
        bar.finish_and_clear();
        let BookReport { positions, compared, solved, faults: wrong } = match report {
            Err(BookError::Solve(SolveError::Stopped)) => return Err(interrupted("")),
            report => report?,
        };
        let seconds = start.elapsed().as_secs_f64();
        writeln!(
            out,
            "{} read, {} compared, {} solved again in {seconds:.1} s, {}",
            grouped_count(positions, "position"),
            grouped_count(compared, "move"),
            grouped_count(solved, "position"),
            if wrong.is_empty() { "no errors" } else { "errors found" },
        )?;
        let faults = wrong.iter().map(BookFaultJson::from).collect();
        let json = VerifiedBookJson { seed, positions, compared, solved, faults, seconds };
        self.output.print("kalah-book-verify", &json)?;
        for fault in wrong.iter().take(MAX_FAULTS) {
            say!("{fault}");
        }
        match wrong.len() {
            0 => Ok(()),
            1 => bail!("a margin is wrong"),
            count => bail!("{count} margins are wrong"),
        }
    }
}
