//! Books and tablebases whose files a host reads, beside the same files of the system.

use std::fs;
use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use kalah::book::{Book, BookScope};
use kalah::host_files::{self, HostFile};
use kalah::printable::with_causes;
use kalah::tablebase::{TablebaseFiles, survey_file};
use kalah::{Board, Capture, Rules, Side, StopToken};
use tempfile::TempDir;

use crate::book_file::build;
use crate::tablebase::rows;

/// What the host has, by number.
static CONTENTS: Mutex<Vec<Vec<u8>>> = Mutex::new(Vec::new());

fn read(number: u32, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
    let contents = CONTENTS.lock().unwrap();
    let file = contents.get(number as usize).ok_or(io::ErrorKind::NotFound)?;
    buffer.copy_from_slice(&file[offset as usize..][..buffer.len()]);
    Ok(())
}

/// Gives bytes to the host as a file with this path.
fn register(path: &Path, bytes: Vec<u8>) {
    let mut contents = CONTENTS.lock().unwrap();
    let (number, length) = (contents.len() as u32, bytes.len() as u64);
    contents.push(bytes);
    host_files::register(path, HostFile { number, length, read });
}

/// What is wrong, without the path.
fn fault<T, E: std::error::Error>(result: Result<T, E>, path: &Path) -> Option<String> {
    let error = result.err().map(|error| with_causes(&error))?;
    Some(error.strip_prefix(&format!("'{}': ", path.display())).unwrap().to_owned())
}

/// The bytes; the same with one changed in the middle; and the first half of them.
fn damaged(bytes: &[u8], place: usize) -> [Vec<u8>; 3] {
    let mut changed = bytes.to_vec();
    changed[place] ^= 4;
    [bytes.to_vec(), changed, bytes[..bytes.len() / 2].to_vec()]
}

#[test]
fn a_book_of_the_host_is_that_of_the_file() {
    let folder = TempDir::new().unwrap();
    let board = Board::start(Rules::new(4, Capture::Standard).unwrap(), 3).unwrap();
    let path = folder.path().join("book.kbk");
    build(&board, BookScope { plies: Some(5), ..BookScope::default() }, None, &path);
    let bytes = fs::read(&path).unwrap();
    let check = |path: &Path| {
        let book = Book::open(path)?;
        book.iter().collect::<Result<Vec<_>, _>>()
    };
    for (i, bytes) in damaged(&bytes, bytes.len() - 100).into_iter().enumerate() {
        fs::write(&path, &bytes).unwrap();
        let hosted = PathBuf::from(format!("host of books/{i}.kbk"));
        register(&hosted, bytes);
        let (expected, found) = (check(&path), check(&hosted));
        assert_eq!(found.is_ok(), i == 0);
        assert_eq!(found.as_ref().ok(), expected.as_ref().ok());
        assert_eq!(fault(found, &hosted), fault(expected, &path));
    }
}

#[test]
fn a_tablebase_of_the_host_is_that_of_the_files() {
    let folder = TempDir::new().unwrap();
    let rules = Rules::new(3, Capture::Empty).unwrap();
    let (threads, stop) = (NonZeroUsize::MIN, StopToken::new());
    let files = TablebaseFiles::build(folder.path(), rules, 9, threads, &stop, &|_| ()).unwrap();
    let host = Path::new("host of tables");
    let name = |seeds: u32| format!("kalah-3-empty-{seeds}.ktb");
    for seeds in 0..=9 {
        let bytes = fs::read(folder.path().join(name(seeds))).unwrap();
        for (i, bytes) in damaged(&bytes, 4096 + 1).into_iter().enumerate() {
            let path = Path::new("host of layers").join(i.to_string()).join(name(seeds));
            register(&path, bytes.clone());
            fs::write(folder.path().join(name(seeds)), bytes).unwrap();
            let surveyed = survey_file(path.clone(), true);
            assert_eq!(surveyed.layer, Some((rules, seeds)));
            assert_eq!(surveyed.contents.is_ok(), i == 0);
            let expected = survey_file(folder.path().join(name(seeds)), true);
            assert_eq!(surveyed.bytes, expected.bytes);
            assert_eq!(fault(surveyed.contents, &path), fault(expected.contents, &expected.path));
        }
        fs::write(folder.path().join(name(seeds)), &bytes).unwrap();
        // A layer above a gap is not used.
        if seeds != 8 {
            register(&host.join(name(seeds)), bytes);
        }
    }
    let hosted = TablebaseFiles::open(host, rules).unwrap().unwrap();
    assert_eq!(hosted.seeds(), 7);
    let other = Rules::new(3, Capture::Standard).unwrap();
    assert!(TablebaseFiles::open(host, other).unwrap().is_none());
    let table = files.load(7, threads).unwrap();
    assert_eq!(hosted.load(7, threads).unwrap().positions(), table.positions());
    for seeds in 0..=9 {
        for row in rows(6, seeds) {
            let board = Board::new(rules, [&row[..3], &row[3..]], [0, 0], Side::South).unwrap();
            let expected = files.gain(&board).unwrap().filter(|_| seeds <= 7);
            assert_eq!(hosted.gain(&board).unwrap(), expected, "{}", board.fen());
        }
    }
}
