//! A book that is read, from a file or from memory.

use std::borrow::Cow;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex};

use super::error::{BookError, BookFileError};
use super::layout::{
    BLOCK, BlockReader, BlockWriter, BookHeader, HEADER, INDEX_ENTRY, IndexEntry, MoveGains,
    gain_bits, ranks,
};
use crate::board::{Board, Move, Rules};
use crate::file_header::FileHeaderError;
use crate::host_files::{self, OpenFile};
use crate::lock::lock;
use crate::solve::RankedKeys;
use crate::tablebase::positions;

/// The exact margins of all moves of many positions, as the solver has proven them.
///
/// Positions are houses as seen by the player to move: the stores only shift the margins.
///
/// ```
/// use kalah::book::Book;
/// use kalah::{Board, Rules};
///
/// let board = Board::start(Rules::default(), 4)?;
/// let book = Book::embedded().ok_or("the program has no book")?;
/// let entry = book.probe(&board)?.ok_or("not in the book")?;
/// assert_eq!(entry.margin, 8); // South wins by 8 seeds …
/// assert_eq!(entry.best().next(), Some("C".parse()?)); // … if it begins with the third house
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Book {
    source: Source,
    header: BookHeader,
    index: Box<[IndexEntry]>,
    pub(super) keys: RankedKeys,
}

#[derive(Debug)]
enum Source {
    Memory(Cow<'static, [u8]>),
    /// Blocks are read when they are needed.
    File(PathBuf, Mutex<OpenFile>),
}

/// What a book has about a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookEntry {
    /// The final store difference with best play, in seeds, from the view of the player to move.
    pub margin: i32,
    /// The margin after each move, from the same view, from the mover's left.
    pub moves: Vec<(Move, i32)>,
}

impl BookEntry {
    /// The moves that reach the margin, from the mover's left.
    pub fn best(&self) -> impl Iterator<Item = Move> {
        self.moves.iter().filter(|of_move| of_move.1 == self.margin).map(|of_move| of_move.0)
    }
}

/// The book of Kalah(6,4) that is part of the program.
static EMBEDDED: LazyLock<Option<Book>> =
    LazyLock::new(|| Book::from_bytes(include_bytes!("books/6-standard.kbk").as_slice()).ok());

impl Book {
    /// The book of Kalah(6,4), `standard` capture, that is part of the program.
    pub fn embedded() -> Option<&'static Book> {
        EMBEDDED.as_ref()
    }

    /// Opens a book. Its blocks are checked when they are read, and everything else now.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, is not a book, or is damaged.
    pub fn open(path: &Path) -> Result<Book, BookError> {
        let with_path = |source| BookError::File { path: path.to_owned(), source };
        let read = || -> Result<Book, BookFileError> {
            let mut file = host_files::open(path)?;
            let found = file.length()?;
            let (header, index) = read_index(&mut file, found)?;
            let source = Source::File(path.to_owned(), Mutex::new(file));
            Book::new(source, header, index)
        };
        read().map_err(with_path)
    }

    /// A book in memory.
    ///
    /// # Errors
    /// Returns an error if the bytes are not those of a book, or are damaged.
    pub fn from_bytes(bytes: impl Into<Cow<'static, [u8]>>) -> Result<Book, BookFileError> {
        let bytes = bytes.into();
        let (header, index) = read_index(&mut &*bytes, bytes.len() as u64)?;
        Book::new(Source::Memory(bytes), header, index)
    }

    fn new(
        source: Source,
        header: BookHeader,
        index: Box<[IndexEntry]>,
    ) -> Result<Book, BookFileError> {
        let keys = ranks(header.rules, header.seeds).ok_or(FileHeaderError::Damaged)?;
        Ok(Book { source, header, index, keys })
    }

    /// The rules of its positions.
    pub fn rules(&self) -> Rules {
        self.header.rules
    }

    /// The number of positions.
    pub fn positions(&self) -> u64 {
        self.header.positions
    }

    /// The most seeds in the houses of a position.
    pub fn seeds(&self) -> u32 {
        self.header.seeds
    }

    /// The length of its file in bytes.
    pub fn bytes(&self) -> u64 {
        self.header.bytes()
    }

    /// Looks up the margins of all moves of a board; `None` if the book does not have it.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or is damaged.
    pub fn probe(&self, board: &Board) -> Result<Option<BookEntry>, BookError> {
        if board.rules() != self.rules() || board.seeds_in_play() > self.seeds() {
            return Ok(None);
        }
        Ok(self.gains(self.keys.rank(board))?.and_then(|gains| entry_of(board, &gains)))
    }

    /// All positions in the order of the file, with South to move and empty stores.
    pub fn iter(&self) -> impl Iterator<Item = Result<(Board, BookEntry), BookError>> {
        self.ranked().map(|position| {
            let (rank, gains) = position?;
            self.entry(rank, &gains)
        })
    }

    /// The board with this rank, and its entry.
    pub(super) fn entry(
        &self,
        rank: u64,
        gains: &MoveGains,
    ) -> Result<(Board, BookEntry), BookError> {
        let board = self.keys.board_of(rank);
        let entry = board.and_then(|board| Some((board, entry_of(&board, gains)?)));
        // The gains have been checked against the houses already.
        entry.ok_or_else(|| self.error(BookFileError::Index))
    }

    /// The ranks of all positions, with the gains of their moves.
    pub(super) fn ranked(&self) -> impl Iterator<Item = Result<(u64, MoveGains), BookError>> {
        let blocks = (0..self.index.len()).map(|block| self.unpack(block));
        blocks.flat_map(|block| match block {
            Ok(positions) => positions.into_iter().map(Ok).collect(),
            Err(error) => vec![Err(error)],
        })
    }

    fn unpack(&self, block: usize) -> Result<Vec<(u64, MoveGains)>, BookError> {
        let damaged = || self.error(BookFileError::Block(block));
        let bytes = self.read(block)?;
        let (first, gain_bits) = (self.index[block].first, gain_bits(self.header.seeds));
        let of_board = positions(self.rules().houses(), self.header.seeds).unwrap_or(0);
        let end = self.index.get(block + 1).map_or(of_board, |next| next.first);
        let mut written = BlockWriter::new(first, gain_bits);
        let mut positions = Vec::new();
        for packed in self.reader(block, &bytes) {
            let packed = packed.filter(|packed| packed.rank < end).ok_or_else(damaged)?;
            written.add(&packed);
            let (seeds, moves) = seeds_and_moves(&self.keys, self.rules(), packed.rank);
            let gains = packed.gains(seeds, moves).ok_or_else(damaged)?;
            positions.push((packed.rank, gains));
        }
        // The positions determine every bit, those behind the last one, too.
        if written.finish().1 == bytes { Ok(positions) } else { Err(damaged()) }
    }

    /// The gains of the moves of the position with this rank.
    pub(super) fn gains(&self, rank: u64) -> Result<Option<MoveGains>, BookError> {
        let after = self.index.partition_point(|entry| entry.first <= rank);
        let Some(block) = after.checked_sub(1) else { return Ok(None) };
        let bytes = self.read(block)?;
        let damaged = || self.error(BookFileError::Block(block));
        for packed in self.reader(block, &bytes) {
            let packed = packed.ok_or_else(damaged)?;
            if packed.rank == rank {
                let (seeds, moves) = seeds_and_moves(&self.keys, self.rules(), rank);
                return packed.gains(seeds, moves).map(Some).ok_or_else(damaged);
            }
            if packed.rank > rank {
                break;
            }
        }
        Ok(None)
    }

    fn reader<'a>(&self, block: usize, bytes: &'a [u8; BLOCK]) -> BlockReader<'a> {
        BlockReader::new(bytes, gain_bits(self.header.seeds), self.index[block])
    }

    /// Reads a block and verifies its checksum.
    fn read(&self, block: usize) -> Result<[u8; BLOCK], BookError> {
        let mut bytes = [0; BLOCK];
        let start = HEADER + self.index.len() * INDEX_ENTRY + block * BLOCK;
        match &self.source {
            Source::Memory(memory) => bytes.copy_from_slice(&memory[start..start + BLOCK]),
            Source::File(_, file) => {
                let read = lock(file).read_exact_at(start as u64, &mut bytes);
                read.map_err(|error| self.error(error.into()))?;
            }
        }
        if crc32fast::hash(&bytes) != self.index[block].checksum {
            return Err(self.error(BookFileError::Block(block)));
        }
        Ok(bytes)
    }

    #[cold]
    fn error(&self, source: BookFileError) -> BookError {
        let path = match &self.source {
            Source::Memory(_) => PathBuf::from("the book of the program"),
            Source::File(path, _) => path.clone(),
        };
        BookError::File { path, source }
    }
}

/// Reads the header and the index of a book that has this many bytes.
fn read_index(
    source: &mut impl Read,
    length: u64,
) -> Result<(BookHeader, Box<[IndexEntry]>), BookFileError> {
    let header = BookHeader::read(source, length)?;
    let size = header.blocks as usize * INDEX_ENTRY;
    let mut bytes = Vec::new();
    // The file has this length, but it may have holes.
    bytes.try_reserve_exact(size).map_err(io::Error::from)?;
    source.take(size as u64).read_to_end(&mut bytes)?;
    let index = IndexEntry::read_all(&header, &bytes)?;
    Ok((header, index))
}

/// The number of seeds and of moves of the position with this rank.
fn seeds_and_moves(keys: &RankedKeys, rules: Rules, rank: u64) -> (u32, usize) {
    let counts = keys.houses_of(rank);
    let moves = counts[..rules.houses()].iter().filter(|&&seeds| seeds > 0).count();
    (counts.iter().map(|&seeds| u32::from(seeds)).sum(), moves)
}

/// The margins of a board, given the gains of its moves; `None` if these are not as many.
fn entry_of(board: &Board, gains: &MoveGains) -> Option<BookEntry> {
    let difference = board.store_difference();
    let moves: Vec<(Move, i32)> =
        board.moves().zip(gains).map(|(mv, &gain)| (mv, difference + i32::from(gain))).collect();
    let margin = moves.iter().map(|of_move| of_move.1).max()?;
    (moves.len() == gains.len()).then_some(BookEntry { margin, moves })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;
    use tempfile::TempDir;

    use super::*;
    use crate::board::{Capture, RuleSet};
    use crate::book::positions::save_positions;
    use crate::tablebase::positions as count_positions;

    /// Positions with random gains, which no game needs to have.
    fn book() -> impl Strategy<Value = (Rules, u32, BTreeMap<u64, MoveGains>)> {
        let rules = (1_usize..=12, 0_usize..3, 0_u32..40, 0_u32..40);
        let chances = (0_usize..700, any::<u64>(), 0_u32..8);
        (rules, chances).prop_filter_map("no keys", |(rules, (count, seed, width))| {
            let (houses, rule_set, seeds, shift) = rules;
            let rules = Rules::new(houses, RuleSet::ALL[rule_set]).ok()?;
            let keys = ranks(rules, seeds)?;
            let end = count_positions(houses, seeds)?;
            let mut random = fastrand::Rng::with_seed(seed);
            let mut book = BTreeMap::new();
            for _ in 0..count {
                // Some books are dense.
                let rank = random.u64(..(end >> shift).max(1));
                let (seeds, moves) = seeds_and_moves(&keys, rules, rank);
                let mut gain = || seeds as i16 - 2 * random.i16(0..=(seeds as i16).min(1 << width));
                if moves > 0 {
                    book.insert(rank, (0..moves).map(|_| gain()).collect());
                }
            }
            Some((rules, seeds, book))
        })
    }

    #[test]
    fn a_rank_behind_the_last_position_is_damage() -> Result<(), Box<dyn std::error::Error>> {
        let (rules, seeds) = (Rules::new(3, Capture::Standard)?, 6);
        let keys = ranks(rules, seeds).ok_or("no keys")?;
        let end = count_positions(3, seeds).ok_or("too many")?;
        let folder = TempDir::new()?;
        let path = folder.path().join("book");
        let has_moves = |rank: &u64| seeds_and_moves(&keys, rules, *rank).1 > 0;
        let first = (0..end).find(has_moves).ok_or("no moves")?;
        let last = (0..end).rev().find(has_moves).ok_or("no moves")?;
        for rank in [last, end, u64::MAX >> 1] {
            let losing_all = |rank| {
                let (seeds, moves) = seeds_and_moves(&keys, rules, rank);
                (rank, std::iter::repeat_n(-(seeds as i16), moves).collect())
            };
            save_positions(&path, rules, seeds, &BTreeMap::from([first, rank].map(losing_all)))?;
            let read: Result<Vec<_>, _> = Book::open(&path)?.ranked().collect();
            assert_eq!(read.is_ok(), rank == last, "{rank}: {read:?}");
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn what_is_written_is_read((rules, seeds, positions) in book()) {
            let folder = TempDir::new()?;
            let path = folder.path().join("book");
            save_positions(&path, rules, seeds, &positions)?;
            let bytes = std::fs::read(&path)?;
            for book in [Book::open(&path)?, Book::from_bytes(bytes.clone())?] {
                prop_assert_eq!((book.rules(), book.seeds()), (rules, seeds));
                prop_assert_eq!(book.positions(), positions.len() as u64);
                prop_assert_eq!(book.bytes(), bytes.len() as u64);
                let read: Result<BTreeMap<_, _>, _> =
                    book.ranked().collect();
                prop_assert_eq!(&read?, &positions);
                for (&rank, gains) in &positions {
                    let found = book.gains(rank)?;
                    prop_assert_eq!(found.as_ref(), Some(gains));
                    for near in [rank.wrapping_sub(1), rank + 1] {
                        prop_assert_eq!(book.gains(near)?, positions.get(&near).cloned());
                    }
                }
            }
            // Packed tightly enough, whatever the positions.
            prop_assert!(bytes.len() <= 3000 + positions.len() * 25);
        }
    }
}
