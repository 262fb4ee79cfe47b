//! Books of proofs: what a build reaches, in which order, and what it says of it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::num::NonZeroUsize;

use kalah::board::{Board, Capture, Next, Rules, Side};
use kalah::book::{
    Book, BookBuild, BookError, BookSample, BookScope, BookStep, merge_books, verify_book,
};
use kalah::solve::SolveError;
use kalah::{StopToken, Tablebase};
use tempfile::TempDir;

use crate::book_file::{BookFile, build, resources};

fn start(houses: usize, seeds: u16, capture: Capture) -> Board {
    Board::start(Rules::new(houses, capture).unwrap(), seeds).unwrap()
}

/// The houses from the mover's view.
type Houses = [Vec<u16>; 2];

fn houses(board: &Board) -> Houses {
    [board.side(), !board.side()].map(|side| board.houses(side).to_vec())
}

/// Every way to play from a board by the definition, with exact values of a table.
struct AllWays {
    table: Tablebase,
    scope: BookScope,
    /// By position, the least price: seeds given away by the better and by the other side, plies.
    reached: BTreeMap<Houses, (u32, u32, u32)>,
    /// What was visited, with all that the rest of the way depends on.
    visited: BTreeSet<(Houses, Side, [u32; 2], u32)>,
}

impl AllWays {
    fn new(start: &Board, scope: BookScope) -> AllWays {
        let seeds = start.seeds_in_play();
        let table = Tablebase::build(start.rules(), seeds, NonZeroUsize::MIN).unwrap();
        let (reached, visited) = (BTreeMap::new(), BTreeSet::new());
        let mut ways = AllWays { table, scope, reached, visited };
        ways.visit(start, [0, 0], 0);
        ways
    }

    fn margins(&self, board: &Board) -> Vec<(kalah::Move, i32)> {
        let margin = |mv| {
            let mut after = *board;
            let next = after.play(mv).unwrap();
            let difference =
                i32::from(after.store(board.side())) - i32::from(after.store(!board.side()));
            let gain = self.table.gain(&after).unwrap();
            (mv, difference + if next == Next::Other { -gain } else { gain })
        };
        board.moves().map(margin).collect()
    }

    fn visit(&mut self, board: &Board, given: [u32; 2], plies: u32) {
        const FEW_SEEDS: u32 = 8;
        let (lesser, greater) = (given[0].min(given[1]), given[0].max(given[1]));
        if board.is_over()
            || board.seeds_in_play() <= FEW_SEEDS
            || self.scope.plies.is_some_and(|most| plies >= most)
            || self.scope.margin.is_some_and(|most| lesser + greater > most)
            || (self.scope.one_sided && lesser > 0)
            || !self.visited.insert((houses(board), board.side(), given, plies))
        {
            return;
        }
        let price = (lesser, greater, plies);
        let least = self.reached.entry(houses(board)).or_insert(price);
        *least = price.min(*least);
        let margins = self.margins(board);
        let best = margins.iter().map(|of_move| of_move.1).max().unwrap();
        for (mv, margin) in margins {
            let mut given = given;
            given[board.side().index()] += best.abs_diff(margin);
            let mut after = *board;
            after.play(mv).unwrap();
            self.visit(&after, given, plies + 1);
        }
    }
}

const EVERYTHING: BookScope =
    BookScope { plies: None, positions: None, margin: None, one_sided: false };

#[test]
fn a_build_reaches_what_its_scope_says_and_every_margin_is_right() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("book.kbk");
    for (board, scope) in [
        (start(3, 2, Capture::Standard), EVERYTHING),
        (start(2, 4, Capture::Empty), EVERYTHING),
        (start(4, 3, Capture::Standard), BookScope { plies: Some(5), ..EVERYTHING }),
        (start(3, 3, Capture::Empty), BookScope { margin: Some(0), ..EVERYTHING }),
        (
            start(3, 4, Capture::Standard),
            BookScope { margin: Some(4), plies: Some(9), ..EVERYTHING },
        ),
        (start(4, 3, Capture::Empty), BookScope { one_sided: true, plies: Some(7), ..EVERYTHING }),
    ] {
        let book = build(&board, scope, None, &path);
        let ways = AllWays::new(&board, scope);
        let mut found = BTreeSet::new();
        for position in book.iter() {
            let (board, entry) = position.unwrap();
            assert_eq!(entry.moves, ways.margins(&board), "{}", board.fen());
            assert_eq!(Some(entry.margin), entry.moves.iter().map(|of_move| of_move.1).max());
            assert_eq!(book.probe(&board).unwrap(), Some(entry));
            found.insert(houses(&board));
        }
        assert!(found.len() > 10, "{}", found.len());
        assert!(found.iter().eq(ways.reached.keys()), "{scope:?}");
    }
}

#[test]
fn the_cheapest_ways_come_first() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("book.kbk");
    let board = start(3, 3, Capture::Standard);
    let scope = BookScope { plies: Some(8), ..EVERYTHING };
    let prices = AllWays::new(&board, scope).reached;
    let mut sorted: Vec<_> = prices.values().copied().collect();
    sorted.sort_unstable();
    for positions in [1, 2, 7, 30, 100] {
        let scope = BookScope { positions: Some(positions), ..scope };
        let book = build(&board, scope, None, &path);
        let mut found: Vec<_> =
            book.iter().map(|position| prices[&houses(&position.unwrap().0)]).collect();
        found.sort_unstable();
        assert_eq!(found, sorted[..positions as usize]);
    }
}

#[test]
fn stores_and_sides_shift_the_margins() {
    let folder = TempDir::new().unwrap();
    let board = start(3, 3, Capture::Standard);
    let scope = BookScope { plies: Some(3), ..EVERYTHING };
    let book = build(&board, scope, None, &folder.path().join("book.kbk"));
    let entry = book.probe(&board).unwrap().unwrap();
    let other = Board::new(board.rules(), [&[3; 3]; 2], [2, 7], Side::North).unwrap();
    let shifted = book.probe(&other).unwrap().unwrap();
    assert_eq!(shifted.margin, entry.margin + 5);
    for ((mv, margin), (other, shifted)) in entry.moves.into_iter().zip(shifted.moves) {
        assert_eq!((mv.house, Side::North, margin + 5), (other.house, other.side, shifted));
    }
    for board in [
        start(3, 3, Capture::Empty),
        start(3, 4, Capture::Standard),
        start(4, 3, Capture::Standard),
    ] {
        assert_eq!(book.probe(&board).unwrap(), None);
    }
}

#[test]
fn a_build_continues_what_it_has() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    let board = start(4, 3, Capture::Standard);
    let scope = |positions| BookScope { positions: Some(positions), ..EVERYTHING };
    let whole = build(&board, scope(120), None, &path("whole"));
    let part = build(&board, scope(50), None, &path("part"));
    let mut continued = BookBuild::new(&board, scope(120), Some(&part), resources()).unwrap();
    // Steps that are stopped can be repeated.
    let stopped = StopToken::new();
    stopped.stop();
    for _ in 0..60 {
        match continued.step(&stopped) {
            Ok(step) => assert_ne!(step, BookStep::Complete),
            Err(error) => assert!(matches!(error, BookError::Solve(SolveError::Stopped))),
        }
    }
    while continued.step(&StopToken::new()).unwrap() != BookStep::Complete {}
    assert_eq!((continued.solved(), continued.reached()), (70, 120));
    continued.save(&path("continued")).unwrap();
    assert_eq!(fs::read(path("continued")).unwrap(), fs::read(path("whole")).unwrap());
    assert_eq!(whole.positions(), 120);
    let other = start(4, 3, Capture::Empty);
    let other = BookBuild::new(&other, EVERYTHING, Some(&part), resources());
    assert!(matches!(other, Err(BookError::Rules { .. })));
}

#[test]
fn books_are_merged_unless_they_contradict_each_other() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    let scope = BookScope { plies: Some(3), ..EVERYTHING };
    let first = start(4, 3, Capture::Standard);
    let mut second = first;
    second.play("A".parse().unwrap()).unwrap();
    let books = || ["first", "second"].map(|name| Book::open(&path(name)).unwrap());
    build(&first, scope, None, &path("first"));
    build(&second, scope, None, &path("second"));
    let count = merge_books(&path("both"), &books()).unwrap();
    let both = Book::open(&path("both")).unwrap();
    assert_eq!(both.positions(), count);
    let mut union = BTreeMap::new();
    for book in books() {
        union.extend(book.iter().map(|position| {
            let (board, entry) = position.unwrap();
            (board.fen(), entry)
        }));
    }
    assert_eq!(union.len() as u64, count);
    for position in both.iter() {
        let (board, entry) = position.unwrap();
        assert_eq!(union[&board.fen()], entry);
    }
    // Into one of them.
    merge_books(&path("first"), &books()).unwrap();
    assert_eq!(fs::read(path("first")).unwrap(), fs::read(path("both")).unwrap());

    let mut wrong = BookFile(fs::read(path("second")).unwrap());
    let entry = wrong.entries()[3].clone();
    wrong.set_level(&entry, entry.level + 1);
    wrong.make_checksums_right();
    fs::write(path("second"), &wrong.0).unwrap();
    let error = merge_books(&path("none"), &books());
    assert!(matches!(error, Err(BookError::Contradiction(_))), "{error:?}");
    assert!(!path("none").exists());
    build(&start(3, 3, Capture::Standard), scope, None, &path("second"));
    assert!(matches!(merge_books(&path("none"), &books()), Err(BookError::Rules { .. })));
    assert_eq!(merge_books(&path("none"), &[]).unwrap(), 0);
}

#[test]
fn a_wrong_margin_is_found_by_itself_and_by_its_neighbours() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("book.kbk");
    let board = start(4, 3, Capture::Standard);
    let book = build(&board, BookScope { plies: Some(3), ..EVERYTHING }, None, &path);
    let verify = |book: &Book, sample| {
        verify_book(book, sample, resources(), &StopToken::new(), &|_, _| ()).unwrap()
    };
    let report = verify(&book, BookSample::All);
    assert_eq!((report.positions, report.solved), (book.positions(), book.positions()));
    assert!(report.compared > 10 && report.faults.is_empty(), "{report:?}");
    let some = BookSample::Random { positions: 5, seed: 1 };
    assert_eq!(verify(&book, some).solved, 5);

    let mut wrong = BookFile(fs::read(&path).unwrap());
    let first = crate::book_file::rank(&[3; 8]);
    let entry = wrong.entries().into_iter().find(|entry| entry.rank == first).unwrap();
    wrong.set_level(&entry, entry.level - 1);
    wrong.make_checksums_right();
    let wrong = Book::from_bytes(wrong.0).unwrap();
    let none = BookSample::Random { positions: 0, seed: 1 };
    let faults = verify(&wrong, none).faults;
    assert!(!faults.is_empty() && faults.iter().all(|fault| fault.expected == fault.found + 2));
    assert!(verify(&wrong, BookSample::All).faults.len() > faults.len());
}

#[test]
fn the_book_of_the_program_has_the_first_plies() {
    let book = Book::embedded().unwrap();
    assert!(book.bytes() <= 1 << 20);
    let mut board = Board::start(Rules::default(), 4).unwrap();
    let entry = book.probe(&board).unwrap().unwrap();
    assert_eq!(
        entry.moves.iter().map(|of_move| of_move.1).collect::<Vec<_>>(),
        [-14, -10, 8, -2, -8, 4]
    );
    // One side plays best, the other at random.
    let mut random = fastrand::Rng::with_seed(1);
    for game in 0..200 {
        let careful = Side::ALL[game % 2];
        board = Board::start(Rules::default(), 4).unwrap();
        for ply in 0..8 {
            let entry = book.probe(&board).unwrap().unwrap_or_else(|| panic!("{ply}: {board}"));
            let moves: Vec<_> = if board.side() == careful {
                entry.best().collect()
            } else {
                board.moves().collect()
            };
            board.play(*random.choice(&moves).unwrap()).unwrap();
        }
    }
    let none = BookSample::Random { positions: 0, seed: 1 };
    let report = verify_book(book, none, resources(), &StopToken::new(), &|_, _| ()).unwrap();
    assert!(report.faults.is_empty());
}
