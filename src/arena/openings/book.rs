//! Openings by their numbers.

use std::iter;

use fastrand::Rng;

use super::compact::CompactBoard;
use super::error::OpeningError;
use super::filter::Filtering;
use super::settings::{OpeningOrder, OpeningSettings, OpeningSource};
use super::walks::Walks;
use super::{file, reachable};
use crate::board::{Board, Rules};
use crate::search::splitmix64;

/// The openings of a match, numbered from 0.
///
/// Opening `n` follows from the settings, the start and the random seed alone, whatever was asked
/// for before. No two are the same until there are no more; then they begin again with the first.
///
/// ```
/// use kalah::arena::{OpeningBook, OpeningSettings};
/// use kalah::board::{Board, Rules};
///
/// let start = Board::start(Rules::default(), 4)?;
/// let settings: OpeningSettings = "plies=1 order=sequential".parse()?;
/// let mut book = OpeningBook::new(&settings, &start, 1)?;
/// assert_eq!(book.opening(2)?.fen(), "<6,1,0,4,4,0,5,5,5,4,4,4,4,4,4> S");
/// assert_eq!(book.distinct(), Some(6));
/// assert_eq!(book.opening(6)?, book.opening(0)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct OpeningBook {
    rules: Rules,
    /// Of the positions of a file.
    checksum: Option<u64>,
    /// What has not been looked at, in an order that is always the same.
    candidates: Box<dyn Iterator<Item = CompactBoard> + Send>,
    filtering: Option<Filtering>,
    /// Those found so far, in their order.
    openings: Vec<CompactBoard>,
    /// Candidates looked at.
    examined: u64,
    /// How many of the last ones the filter did not keep, and how many of those end the search
    /// for more.
    refused: u64,
    most_refused: u64,
    /// Whether there are no more.
    exhausted: bool,
}

/// Random positions in a row that the filter does not keep, after which there are taken to be no
/// others.
const MOST_REFUSED: u64 = 10_000;

/// Sets these draws apart from others that follow from the same seed.
const STREAM: u64 = u64::from_le_bytes(*b"openings");

/// Depends on all positions and their order, and on nothing else.
fn checksum_of(positions: &[CompactBoard]) -> u64 {
    let words = positions.iter().flat_map(CompactBoard::words);
    words.fold(0, |sum, word| splitmix64(sum ^ u64::from(word)))
}

impl OpeningBook {
    /// The openings of games from `start`, random ones drawn from `seed`. Of a file's positions
    /// `start` gives the rules alone.
    ///
    /// # Errors
    /// When the source has no positions or too many, when a file cannot be read or a line of it
    /// is no opening, or when there is no memory for the filter's searches.
    pub fn new(
        settings: &OpeningSettings,
        start: &Board,
        seed: u64,
    ) -> Result<OpeningBook, OpeningError> {
        let rules = start.rules();
        let random = Rng::with_seed(splitmix64(seed ^ STREAM));
        let mut most_refused = u64::MAX;
        let mut checksum = None;
        let candidates: Box<dyn Iterator<Item = CompactBoard> + Send> = match &settings.source {
            &OpeningSource::Plies { plies, order } => {
                Box::new(in_order(reachable::positions(start, plies)?, order, random))
            }
            OpeningSource::File { path, order } => {
                let positions = file::positions(path, rules)?;
                checksum = Some(checksum_of(&positions));
                Box::new(in_order(positions, *order, random))
            }
            &OpeningSource::Random { plies } => {
                most_refused = MOST_REFUSED;
                let mut walks = Walks::new(start, plies, random);
                let first = walks.next().ok_or(OpeningError::NoneDrawn { plies })?;
                Box::new(iter::once(first).chain(walks))
            }
        };
        let filtering = settings.filter.map(Filtering::new).transpose()?;
        Ok(OpeningBook {
            rules,
            checksum,
            candidates,
            filtering,
            openings: Vec::new(),
            examined: 0,
            refused: 0,
            most_refused,
            exhausted: false,
        })
    }

    /// The opening with this number. With a filter this may take many searches.
    ///
    /// # Errors
    /// When no position passes the filter.
    pub fn opening(&mut self, number: u64) -> Result<Board, OpeningError> {
        while !self.is_ready(number) {
            self.examine_next();
        }
        let number = number.checked_rem(self.openings.len() as u64);
        let number = number.ok_or(OpeningError::NoneWithin { examined: self.examined })?;
        Ok(self.openings[number as usize].board(self.rules))
    }

    /// What tells the positions of a file from those of another; `None` for other sources, which
    /// their settings tell apart.
    pub fn checksum(&self) -> Option<u64> {
        self.checksum
    }

    /// How many different openings there are, once that is known: at once for all positions of
    /// a list, else when they have run out.
    pub fn distinct(&self) -> Option<u64> {
        let found = self.openings.len() as u64;
        match self.candidates.size_hint() {
            _ if self.exhausted => Some(found),
            (left, Some(most)) if left == most && self.filtering.is_none() => {
                Some(found + left as u64)
            }
            _ => None,
        }
    }

    /// Whether the opening with this number is there without another search.
    pub(in crate::arena) fn is_ready(&self, number: u64) -> bool {
        self.exhausted || number < self.openings.len() as u64
    }

    /// Looks at one more position.
    pub(in crate::arena) fn examine_next(&mut self) {
        let Some(candidate) = self.candidates.next() else {
            self.exhausted = true;
            return;
        };
        self.examined += 1;
        let board = candidate.board(self.rules);
        if self.filtering.as_mut().is_none_or(|filtering| filtering.keeps(&board)) {
            self.openings.push(candidate);
            self.refused = 0;
        } else {
            self.refused += 1;
            self.exhausted = self.refused == self.most_refused;
        }
    }
}

fn in_order(
    mut boards: Vec<CompactBoard>,
    order: OpeningOrder,
    mut random: Rng,
) -> impl Iterator<Item = CompactBoard> {
    if order == OpeningOrder::Random {
        // Not by `Rng::shuffle`, whose numbers depend on the size of a pointer.
        for last in (1..boards.len()).rev() {
            boards.swap(last, random.u64(..=last as u64) as usize);
        }
    }
    boards.into_iter()
}
