//! `kalah book merge`.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use kalah::book::{Book, BookError, merge_books};

use super::super::new_file::NewFile;
use super::super::table::grouped;

/// Join books
///
/// Writes a book with all positions of the given books, which must have the same rules: for example of
/// books that several machines have built from different boards. If two of them contradict each other
/// nothing is written, and `kalah book verify` tells which one is wrong.
///
///   kalah book merge all.kbk south.kbk north.kbk
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(super) struct MergeBooks {
    /// The file to write; an existing one is replaced, and may be one of the books
    #[arg(value_name = "OUT")]
    out: PathBuf,

    /// The files of the books
    #[arg(value_name = "FILE", required = true)]
    books: Vec<PathBuf>,
}

impl MergeBooks {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let path = NewFile::create(&self.out)?.path().to_owned();
        let books: Vec<Book> =
            self.books.iter().map(|path| Book::open(path)).collect::<Result<_, BookError>>()?;
        let positions = merge_books(&path, &books)?;
        let bytes = Book::open(&path)?.bytes();
        writeln!(
            io::stdout(),
            "{} positions in {} bytes, of {} in {} books",
            grouped(positions),
            grouped(bytes),
            grouped(books.iter().map(Book::positions).sum()),
            books.len(),
        )?;
        Ok(())
    }
}
