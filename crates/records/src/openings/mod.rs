//! Opening books: the positions from which the games of a match begin.

mod positions;
mod settings;

use std::io;
use std::iter::Peekable;

use fastrand::Rng;
use thiserror::Error;

use self::positions::{
    MAX_DRAWS, MAX_POSITIONS, fair_positions, positions_after, positions_of_file, random_positions,
};
use kalah::StopToken;
use kalah::board::{Board, Side, splitmix64};
use kalah::printable::counted;
use kalah::search::{Limits, SearchOptions, Searcher, TableTooLarge};

pub use settings::{MarginFilter, OpeningOrder, OpeningSettings, OpeningSource};

/// Why there are no openings.
#[allow(missing_docs, reason = "the messages say what the fields are")]
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OpeningError {
    /// There are more positions than a list can hold.
    #[error(
        "more than {MAX_POSITIONS} positions after {}: use fewer plies, or draw some of them with \
         random={plies}",
        counted(*ply, "ply")
    )]
    TooMany { plies: u32, ply: u32 },
    /// There are no positions, or the file has others than those of unfinished games on this board.
    #[error("{0}")]
    Unusable(String),
    /// The file cannot be read.
    #[error("cannot read openings from '{path}'")]
    Unreadable { path: String, source: io::Error },
    /// It was stopped before all positions were listed.
    #[error("interrupted")]
    Interrupted,
    /// The table of the filter's searches does not fit in memory.
    #[error(transparent)]
    Table(#[from] TableTooLarge),
}

/// The openings of a match, numbered from 0.
///
/// Opening `n` depends only on the settings, the start position and the random seed, not on
/// earlier calls. No two openings are equal until all have been used; then they repeat from the
/// first.
///
/// ```
/// use kalah_records::{OpeningBook, OpeningSettings};
/// use kalah::{Board, Rules, StopToken};
///
/// let start = Board::start(Rules::default(), 4)?;
/// let settings: OpeningSettings = "plies=1 order=sequential".parse()?;
/// let mut book = OpeningBook::new(&settings, &start, 1, &StopToken::new())?;
/// assert_eq!(book.opening(2)?.fen(), "<6,1,0,4,4,0,5,5,5,4,4,4,4,4,4> S");
/// assert_eq!(book.distinct(), Some(6));
/// assert_eq!(book.opening(6)?, book.opening(0)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct OpeningBook {
    /// Of the positions of a file, or of the known fair starts.
    checksum: Option<u64>,
    /// Positions that were not examined yet, in a reproducible order.
    candidates: Peekable<Box<dyn Iterator<Item = Board> + Send>>,
    filter: Option<MarginSearch>,
    /// The openings found so far, in order.
    openings: Vec<Board>,
    /// The number of candidates examined.
    examined: u64,
    /// Candidates in a row that the filter has rejected, and the number that ends the book.
    rejected: u64,
    max_rejected: u64,
    /// Whether all openings have been found.
    is_exhausted: bool,
}

/// Random positions in a row that the filter rejects before the book counts as exhausted.
const MAX_REJECTED: u64 = 10_000;

/// Makes the random numbers of the openings independent of others from the same seed.
const STREAM: u64 = u64::from_le_bytes(*b"openings");

impl OpeningBook {
    /// The openings of games from `start`; random ones depend on `seed`. For the positions of a
    /// file `start` gives only the rules, for moves without a game the board before them. A long list
    /// takes seconds, which the token ends.
    ///
    /// # Errors
    /// When the source has no positions or too many, when the file cannot be read or has an
    /// invalid line, when there is no memory for the searches of the filter, or when it is stopped.
    pub fn new(
        settings: &OpeningSettings,
        start: &Board,
        seed: u64,
        stop: &StopToken,
    ) -> Result<OpeningBook, OpeningError> {
        let random = Rng::with_seed(splitmix64(seed ^ STREAM));
        let mut max_rejected = u64::MAX;
        let mut checksum = None;
        let in_order = |mut positions: Vec<Board>| -> Box<dyn Iterator<Item = Board> + Send> {
            if settings.order == OpeningOrder::Random {
                shuffle(&mut positions, &mut random.clone());
            }
            Box::new(positions.into_iter())
        };
        let mut with_checksum = |positions: Vec<Board>| {
            checksum = Some(checksum_of(&positions));
            in_order(positions)
        };
        let candidates = match &settings.source {
            &OpeningSource::Plies(plies) => in_order(positions_after(start, plies, stop)?),
            OpeningSource::File { path, plies } => {
                with_checksum(positions_of_file(path, *plies, start, stop)?)
            }
            OpeningSource::Fair => with_checksum(fair_positions(start)?),
            &OpeningSource::Random(plies) => {
                max_rejected = MAX_REJECTED;
                let mut positions = random_positions(*start, plies, random).peekable();
                if positions.peek().is_none() {
                    return Err(OpeningError::Unusable(format!(
                        "all {MAX_DRAWS} random games were over after {} from this start: use fewer",
                        counted(plies, "ply")
                    )));
                }
                Box::new(positions)
            }
        };
        let filter = settings.filter.map(MarginSearch::new).transpose()?;
        Ok(OpeningBook {
            checksum,
            candidates: candidates.peekable(),
            filter,
            openings: Vec::new(),
            examined: 0,
            rejected: 0,
            max_rejected,
            is_exhausted: false,
        })
    }

    /// The opening with this number. With a filter this may take many searches.
    ///
    /// # Errors
    /// When no position passes the filter.
    pub fn opening(&mut self, number: u64) -> Result<Board, OpeningError> {
        while !self.is_ready(number) {
            self.examine_next(&StopToken::new());
        }
        let Some(number) = number.checked_rem(self.openings.len() as u64) else {
            let none = "positions has an expected margin this small";
            return Err(OpeningError::Unusable(format!("none of {} {none}", self.examined)));
        };
        Ok(self.openings[number as usize])
    }

    /// A checksum of the positions of a file, or of the known fair starts; `None` for other sources, which
    /// the settings identify.
    pub fn checksum(&self) -> Option<u64> {
        self.checksum
    }

    /// The number of different openings: known at once of a list without a filter, of others at their end.
    pub fn distinct(&self) -> Option<u64> {
        let found = self.openings.len() as u64;
        match self.candidates.size_hint() {
            _ if self.is_exhausted => Some(found),
            (left, Some(max)) if left == max && self.filter.is_none() => Some(found + left as u64),
            _ => None,
        }
    }

    /// Whether the opening with this number needs no further search.
    pub fn is_ready(&self, number: u64) -> bool {
        self.is_exhausted || number < self.openings.len() as u64
    }

    /// Examines one more candidate, unless it is stopped.
    pub fn examine_next(&mut self, stop: &StopToken) {
        let Some(&candidate) = self.candidates.peek() else {
            self.is_exhausted = true;
            return;
        };
        let is_accepted =
            self.filter.as_mut().is_none_or(|filter| filter.accepts(&candidate, stop));
        if stop.is_stopped() {
            return;
        }
        self.candidates.next();
        self.examined += 1;
        if is_accepted {
            self.openings.push(candidate);
            self.rejected = 0;
        } else {
            self.rejected += 1;
            self.is_exhausted = self.rejected == self.max_rejected;
        }
    }
}

/// Depends on all positions and their order.
fn checksum_of(positions: &[Board]) -> u64 {
    let words = positions.iter().flat_map(|board| {
        let [south, north] = Side::ALL.map(|side| u64::from(board.store(side)));
        [board.key(), board.side().index() as u64, south, north]
    });
    words.fold(0, |sum, word| splitmix64(sum ^ word))
}

/// As `Rng::shuffle`, which depends on the size of a pointer.
pub fn shuffle<T>(list: &mut [T], random: &mut Rng) {
    for last in (1..list.len()).rev() {
        list.swap(last, random.u64(..=last as u64) as usize);
    }
}

/// The table of the filter's searches, in MiB: they are shallow.
const HASH_MEBIBYTES: usize = 1;

struct MarginSearch {
    filter: MarginFilter,
    searcher: Searcher,
}

impl MarginSearch {
    fn new(filter: MarginFilter) -> Result<MarginSearch, TableTooLarge> {
        Ok(MarginSearch { filter, searcher: Searcher::new(HASH_MEBIBYTES)? })
    }

    /// Whether a position passes, independently of earlier searches.
    fn accepts(&mut self, board: &Board, stop: &StopToken) -> bool {
        self.searcher.clear();
        let limits = Limits { depth: Some(self.filter.depth), ..Limits::default() };
        // With one thread, so that the margin is reproducible.
        let options = SearchOptions::negascout();
        let result = self.searcher.search(board, &limits, &options, stop, &mut |_| {});
        result.lines.first().is_some_and(|line| line.margin.unsigned_abs() <= self.filter.margin)
    }
}
