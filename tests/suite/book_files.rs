//! Book files as docs/formats/books.md describes them, and files that are not.

use std::fs;

use kalah::FileHeaderError;
use kalah::board::{Board, Capture, Rules};
use kalah::book::{Book, BookFileError, BookScope};
use tempfile::TempDir;

use crate::book_file::{BookFile, build, rank};
use crate::runs::runs;

/// A small book with several blocks.
fn bytes() -> Vec<u8> {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("book.kbk");
    let board = Board::start(Rules::new(4, Capture::Standard).unwrap(), 3).unwrap();
    build(&board, BookScope { plies: Some(5), ..BookScope::default() }, None, &path);
    fs::read(path).unwrap()
}

/// Reads everything.
fn read(bytes: Vec<u8>) -> Result<u64, String> {
    let book = Book::from_bytes(bytes).map_err(|error| error.to_string())?;
    for position in book.iter() {
        let (board, entry) = position.map_err(|error| error.to_string())?;
        assert_eq!(book.probe(&board).unwrap(), Some(entry));
    }
    Ok(book.positions())
}

#[test]
fn a_file_is_as_the_page_says() {
    let file = BookFile(bytes());
    assert!(file.blocks() > 1);
    let book = Book::from_bytes(file.0.clone()).unwrap();
    let entries = file.entries();
    assert_eq!(entries.len() as u64, book.positions());
    for (found, position) in entries.iter().zip(book.iter()) {
        let (board, entry) = position.unwrap();
        let houses = [board.houses(board.side()), board.houses(!board.side())].concat();
        assert_eq!(found.rank, rank(&houses));
        let level = |margin: i32| (margin + board.seeds_in_play() as i32) as u64 / 2;
        assert_eq!(found.level, level(entry.margin));
        let losses = entry.moves.iter().map(|of_move| (entry.margin - of_move.1) as u64 / 2);
        assert!(losses.eq(found.losses.iter().copied()));
    }
    let mut same = file.clone();
    same.make_checksums_right();
    assert_eq!(same.0, file.0);
}

#[test]
fn every_damage_is_found() {
    let bytes = bytes();
    assert!(read(bytes.clone()).is_ok());
    // The whole header, and some of the rest.
    let places = || (0..64).chain((64..bytes.len()).step_by(runs(5, 1)));
    for length in places() {
        assert!(read(bytes[..length].to_vec()).is_err(), "{length}");
    }
    assert!(read([&bytes[..], b"\0"].concat()).is_err());
    for place in places() {
        let mut damaged = bytes.clone();
        damaged[place] ^= 1 << (place % 8);
        assert!(read(damaged).is_err(), "{place}");
    }
}

#[test]
fn foreign_files_are_told_apart() {
    let error = |bytes: &[u8]| Book::from_bytes(bytes.to_vec()).unwrap_err();
    assert!(matches!(error(b""), BookFileError::Header(FileHeaderError::Magic(_))));
    assert!(matches!(error(&[b'x'; 5000]), BookFileError::Header(FileHeaderError::Magic(_))));
    let mut file = BookFile(bytes());
    assert!(matches!(
        error(&file.0[..40]),
        BookFileError::Header(FileHeaderError::Length { expected: 64, found: 40 })
    ));
    let short = &file.0[..file.0.len() - 1];
    assert!(matches!(error(short), BookFileError::Header(FileHeaderError::Length { .. })));
    // Contents without sense whose checksums are right: a level above all seeds.
    let entry = file.entries()[5].clone();
    let mut other = file.clone();
    other.set_level(&entry, 31);
    other.make_checksums_right();
    assert!(read(other.0).is_err());
    // Bits behind the last position.
    let mut other = file.clone();
    other.spoil_padding(0);
    other.make_checksums_right();
    assert!(read(other.0).is_err());
    for place in 10..36 {
        let mut other = file.clone();
        other.0[place] ^= 1;
        other.make_header_right();
        // The other capture rule and one seed more are right headers.
        assert!(read(other.0).is_err() || [11, 12].contains(&place), "{place}");
    }
    file.0[8] = 2;
    file.make_header_right();
    assert!(matches!(
        error(&file.0),
        BookFileError::Header(FileHeaderError::Version { found: 2, expected: 1 })
    ));
}
