//! `kalah book info` and `kalah book probe`.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Args;
use kalah::board::Board;
use kalah::book::Book;
use serde::Serialize;

use super::super::probed_board::ProbedBoard;
use kalah_command::exit::wrong_usage;
use kalah_command::output::{OutputOption, RuleMembers};
use kalah_command::table::grouped;

/// Describe a book
///
/// Prints its rules, positions and bytes. The header, the length and the index are checked; `kalah book
/// verify` checks the rest.
///
///   kalah book info kalah.kbk
///   kalah book info
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct BookInfo {
    /// The file of the book [default: the book that is part of the program]
    #[arg(value_name = "FILE")]
    path: Option<PathBuf>,

    #[command(flatten)]
    output: OutputOption,
}

/// A book of exact margins.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct BookJson {
    /// Houses a side.
    houses: usize,
    #[serde(flatten)]
    rules: RuleMembers,
    /// The most seeds in the houses of its positions.
    seeds: u32,
    /// Its positions.
    positions: u64,
    /// The size of the file.
    bytes: u64,
}

impl BookInfo {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let opened = self.path.as_deref().map(Book::open).transpose()?;
        let book = or_embedded(opened.as_ref())?;
        let (rules, seeds) = (book.rules(), book.seeds());
        let (positions, bytes) = (book.positions(), book.bytes());
        writeln!(
            self.output.text(),
            "rules     {rules}\n\
             seeds     at most {seeds} in the houses\n\
             positions {}\n\
             bytes     {}, {:.1} for each position",
            grouped(positions),
            grouped(bytes),
            bytes as f64 / positions.max(1) as f64,
        )?;
        let (houses, rules) = (rules.houses(), rules.rule_set().into());
        let json = BookJson { houses, rules, seeds, positions, bytes };
        self.output.print("kalah-book-info", &json)
    }
}

/// Look up the exact value of a position and of its moves
///
/// The margin is the final store difference from the view of the player to move, with best play of
/// both sides; the gain is the part of it that is not in the stores yet. The exit status is 1 if the
/// book does not have the position.
///
///   kalah book probe kalah.kbk '<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S'
///   kalah book probe kalah.kbk '<6,1,0,4,4,0,5,5,5,4,4,4,4,4,4> S'
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct ProbeBook {
    /// The file of the book
    #[arg(value_name = "FILE")]
    path: PathBuf,

    /// The board, followed by S or N for the side to move [default: S]
    #[arg(value_name = "BOARD")]
    fen: String,

    #[command(flatten)]
    output: OutputOption,
}

impl ProbeBook {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let ProbeBook { path, fen, output } = self;
        let book = Book::open(&path)?;
        let rules = book.rules();
        let usage = |text: String| wrong_usage(&["book", "probe"], text);
        let board =
            Board::from_fen(&fen, rules).map_err(|error| usage(format!("'{fen}': {error}")))?;
        if board.rules() != rules {
            let text = format!("the book is for {rules}, not for {}", board.rules());
            return Err(usage(text).into());
        }
        let Some(entry) = book.probe(&board)? else {
            bail!("the book does not have {}", board.fen());
        };
        ProbedBoard::new(&board, entry.margin, entry.moves).print(&board, output)
    }
}

/// The book of a file, or that of the program.
pub(super) fn or_embedded(opened: Option<&Book>) -> anyhow::Result<&Book> {
    match opened {
        Some(book) => Ok(book),
        None => Book::embedded().context("the book that is part of the program is damaged"),
    }
}
