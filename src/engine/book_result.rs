//! The answer of the books of proofs to a `go`.

use log::warn;

use super::options::EngineOptions;
use crate::board::Board;
use crate::book::{Book, BookEntry, best_line, ranked};
use crate::printable::with_causes;
use crate::search::{
    Bound, Counters, Limits, MAX_DEPTH, PvLine, SearchObserver, SearchReport, SearchResult,
    SearchStats, TimeManager,
};

/// The books of an engine, and how often they had a position.
struct Books<'a> {
    books: [Option<&'a Book>; 2],
    hits: u64,
}

impl<'a> Books<'a> {
    /// The book of the option `Book`, then that of the program.
    fn new(options: &'a EngineOptions) -> Books<'a> {
        Books { books: [options.book.as_deref(), Book::embedded()], hits: 0 }
    }

    fn probe(&mut self, board: &Board) -> Option<BookEntry> {
        for place in &mut self.books {
            match place.map(|book| book.probe(board)) {
                Some(Ok(Some(entry))) => {
                    self.hits += 1;
                    return Some(entry);
                }
                Some(Ok(None)) | None => {}
                Some(Err(error)) => {
                    warn!("no book: {}", with_causes(&error));
                    // A damaged book is reported once for each answer.
                    *place = None;
                }
            }
        }
        None
    }
}

/// Answers from the books of the options, if one has the board. The lines are proven.
pub(super) fn book_result(
    board: &Board,
    limits: &Limits,
    options: &EngineOptions,
    time: &TimeManager,
    observer: SearchObserver<'_>,
) -> Option<SearchResult> {
    let mut books = Books::new(options);
    let mut moves = ranked(board, books.probe(board)?.moves);
    moves.retain(|(mv, _)| limits.searchmoves.is_empty() || limits.searchmoves.contains(mv));
    moves.truncate(options.search.multipv.get());
    let pvs: Vec<_> = moves
        .iter()
        .map(|&(mv, _)| best_line(board, mv, |after| Some(books.probe(after)?.moves)))
        .collect();
    // Clients expect lines of one iteration: all have the depth of the longest.
    let depth = pvs.iter().map(Vec::len).max().map_or(1, |depth| depth as u32).min(MAX_DEPTH);
    let (seldepth, bound, proven) = (depth, Bound::Exact, true);
    let line = |(((_, margin), pv), multipv)| PvLine {
        depth,
        seldepth,
        multipv,
        margin,
        bound,
        proven,
        pv,
    };
    let lines: Vec<PvLine> = moves.into_iter().zip(pvs).zip(1..).map(line).collect();
    let stats = SearchStats { tbhits: books.hits, time: time.elapsed(), ..SearchStats::default() };
    for line in &lines {
        observer(SearchReport::Line(line, &stats));
    }
    let first = lines.first()?;
    let (best, ponder) = (first.pv.first().copied(), first.pv.get(1).copied());
    Some(SearchResult { best, ponder, lines, stats, counters: Counters::default() })
}
