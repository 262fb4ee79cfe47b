//! The openings of matches.

use std::collections::HashSet;
use std::fs;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use kalah::StopToken;
use kalah::board::{Board, Capture, Rules};
use kalah::printable::counted;
use kalah::search::{Limits, SearchOptions, Searcher};
use kalah_fair::fair_starts;
use kalah_records::{
    MarginFilter, OpeningBook, OpeningError, OpeningOrder, OpeningSettings, OpeningSource,
};
use proptest::prelude::*;
use tempfile::TempDir;

use crate::boards::{boards, reference_of, starts};
use crate::reference::Reference;
use crate::runs::runs;

fn start(houses: usize, seeds: u16) -> Board {
    Board::start(Rules::new(houses, Capture::Standard).unwrap(), seeds).unwrap()
}

fn book_of(settings: &str, start: &Board, seed: u64) -> OpeningBook {
    OpeningBook::new(&settings.parse().unwrap(), start, seed, &StopToken::new()).unwrap()
}

/// The first `count` openings.
fn openings(settings: &str, start: &Board, seed: u64, count: u64) -> Vec<Board> {
    let mut book = book_of(settings, start, seed);
    (0..count).map(|number| book.opening(number).unwrap()).collect()
}

/// All openings of a source that lists them, or that is small enough to run out.
fn all_openings(settings: &str, start: &Board, seed: u64) -> Vec<Board> {
    let mut book = book_of(settings, start, seed);
    book.opening(100_000).unwrap();
    (0..book.distinct().unwrap()).map(|number| book.opening(number).unwrap()).collect()
}

fn error_of(settings: &str, start: &Board) -> String {
    let book = OpeningBook::new(&settings.parse().unwrap(), start, 1, &StopToken::new());
    let error = book.and_then(|mut book| book.opening(0)).unwrap_err();
    format!("{:#}", anyhow::Error::new(error))
}

/// What the reference says of a board: side to move, houses, stores.
fn facts(board: &Reference) -> impl Eq + std::hash::Hash + std::fmt::Debug + use<> {
    (board.side, board.houses.clone(), board.stores)
}

/// The unfinished positions after every line of so many plies, in the order of the lines.
fn reached(board: &Reference, plies: u32, visit: &mut dyn FnMut(&Reference)) {
    if plies == 0 && !board.is_over() {
        visit(board);
    }
    for house in board.moves().into_iter().filter(|_| plies > 0) {
        let mut after = board.clone();
        after.play(house);
        reached(&after, plies - 1, visit);
    }
}

/// Sequential openings are the positions of the reference in the order of its lines.
fn check_against_reference(start: &Board, plies: u32) -> Result<(), TestCaseError> {
    let (mut known, mut expected) = (HashSet::new(), Vec::new());
    reached(&reference_of(start), plies, &mut |board| {
        if known.insert(facts(board)) {
            expected.push(facts(board));
        }
    });
    let settings = format!("plies={plies} order=sequential");
    if expected.is_empty() {
        let error = OpeningBook::new(&settings.parse().unwrap(), start, 1, &StopToken::new())
            .err()
            .unwrap();
        let plies = counted(plies, "ply");
        let over = format!("all games are over after {plies} from this start: use fewer");
        prop_assert_eq!(error.to_string(), over);
        return Ok(());
    }
    let book = book_of(&settings, start, 1);
    prop_assert_eq!(book.distinct(), Some(expected.len() as u64));
    let found = openings(&settings, start, 1, expected.len() as u64);
    prop_assert!(found.iter().all(|board| board.rules() == start.rules()));
    let found: Vec<_> = found.iter().map(|board| facts(&reference_of(board))).collect();
    prop_assert_eq!(found, expected);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn plies_from_any_start_are_those_of_the_reference(board in starts(), plies in 0..=3_u32) {
        check_against_reference(&board, plies)?;
    }

    #[test]
    fn plies_from_any_board_are_those_of_the_reference(board in boards(), plies in 0..=2_u32) {
        check_against_reference(&board, plies)?;
    }

    #[test]
    fn settings_read_what_they_write(settings in settings()) {
        prop_assert_eq!(settings.to_string().parse::<OpeningSettings>().unwrap(), settings);
    }

    #[test]
    fn settings_of_any_text_are_read_or_refused(text in "[a-z0-9=\"' \\\\-]{0,40}") {
        if let Err(error) = text.parse::<OpeningSettings>() {
            prop_assert!(!error.to_string().is_empty());
        }
    }
}

fn settings() -> impl Strategy<Value = OpeningSettings> {
    let order = || prop::sample::select(vec![OpeningOrder::Random, OpeningOrder::Sequential]);
    let source = prop_oneof![
        (any::<u32>().prop_map(OpeningSource::Plies), order()),
        (Just(OpeningSource::Fair), order()),
        any::<u32>().prop_map(|plies| (OpeningSource::Random(plies), OpeningOrder::Random)),
        (
            (any::<String>().prop_filter("a path", |path| !path.is_empty()), any::<Option<u32>>())
                .prop_map(|(path, plies)| OpeningSource::File { path, plies }),
            order()
        ),
    ];
    let filter = (any::<u32>(), 1..=60_u32);
    let filter = filter.prop_map(|(margin, depth)| MarginFilter { margin, depth });
    (source, prop::option::of(filter)).prop_map(|((source, order), filter)| OpeningSettings {
        source,
        order,
        filter,
    })
}

#[test]
fn the_default_is_four_plies() {
    let default = OpeningSettings::default();
    assert_eq!("plies=4".parse(), Ok(default.clone()));
    assert_eq!(default.to_string(), "plies=4 order=random");
    assert_eq!(
        "margin=3 plies=4".parse::<OpeningSettings>().unwrap().to_string(),
        "plies=4 order=random margin=3 depth=10"
    );
}

#[test]
fn wrong_settings_are_refused() {
    for (text, message) in [
        (
            "",
            "openings need plies=K, random=K, file=PATH or fair, of which only file goes with plies",
        ),
        (
            "margin=2",
            "openings need plies=K, random=K, file=PATH or fair, of which only file goes with plies",
        ),
        (
            "plies=2 random=2",
            "openings need plies=K, random=K, file=PATH or fair, of which only file goes with plies",
        ),
        (
            "random=2 file=a",
            "openings need plies=K, random=K, file=PATH or fair, of which only file goes with plies",
        ),
        (
            "random=2 order=random",
            "'order' does not go with 'random', whose openings are in the order in which they are drawn",
        ),
        ("plies=-1", "'plies' takes a number of plies, not '-1'"),
        ("random=", "'random' takes a number of plies, not ''"),
        ("file=", "'file' takes a path, not ''"),
        ("plies=2 order=any", "'order' takes random or sequential, not 'any'"),
        ("plies=2 margin=x", "'margin' takes a number of seeds, not 'x'"),
        ("plies=2 margin=-2", "'margin' takes a number of seeds, not '-2'"),
        (
            "plies=2 depth=8",
            "'depth' is the depth of the searches for 'margin', which is not given",
        ),
        ("plies=2 margin=2 depth=0", "'depth' takes 1 to 255 plies, not '0'"),
        ("plies=2 margin=2 depth=256", "'depth' takes 1 to 255 plies, not '256'"),
        ("plies=2 plies=2", "'plies' is given twice"),
        (
            "plies=2 ply=2",
            "unknown key 'ply', expected one of plies, random, file, fair, order, margin, depth",
        ),
        (
            "plies",
            "'plies' is not of the form key=value, expected one of plies, random, file, fair, order, margin, depth",
        ),
        ("file='a b", "a quotation mark is not closed"),
    ] {
        assert_eq!(text.parse::<OpeningSettings>().unwrap_err().to_string(), message, "{text}");
    }
}

#[test]
fn so_many_positions_of_kalah_have_been_counted() {
    for (seeds, counts) in [(4, [6, 35, 185, 942, 4678]), (6, [6, 35, 190, 1056, 5882])] {
        for (plies, count) in (1..).zip(counts) {
            let book = book_of(&format!("plies={plies}"), &start(6, seeds), 1);
            assert_eq!(book.distinct(), Some(count), "{seeds} seeds, {plies} plies");
            check_against_reference(&start(6, seeds), plies).unwrap();
        }
    }
}

#[test]
fn no_plies_are_the_start() {
    assert_eq!(all_openings("plies=0", &start(6, 4), 1), [start(6, 4)]);
    assert_eq!(all_openings("random=0", &start(6, 4), 1), [start(6, 4)]);
}

#[test]
fn an_opening_does_not_depend_on_those_before_it() {
    for settings in ["plies=4", "plies=3 order=sequential", "random=8", "random=6 margin=3 depth=4"]
    {
        let start = start(6, 4);
        let expected = openings(settings, &start, 7, 60);
        let mut book = book_of(settings, &start, 7);
        for number in [59, 0, 17, 3, 58, 17, 40] {
            assert_eq!(book.opening(number).unwrap(), expected[number as usize], "{settings}");
        }
        assert_eq!(openings(settings, &start, 7, 60), expected);
    }
}

#[test]
fn openings_are_different_until_they_begin_again() {
    for settings in ["plies=3", "plies=3 order=sequential", "random=3", "plies=3 margin=4 depth=3"]
    {
        let start = start(3, 2);
        let all = all_openings(settings, &start, 5);
        let distinct: HashSet<&Board> = all.iter().collect();
        assert!(distinct.len() == all.len() && all.len() > 2, "{settings}");
        let again = openings(settings, &start, 5, 3 * all.len() as u64);
        for (number, board) in again.iter().enumerate() {
            assert_eq!(*board, all[number % all.len()], "{settings}");
        }
        let last = book_of(settings, &start, 5).opening(u64::MAX).unwrap();
        assert_eq!(last, all[(u64::MAX % all.len() as u64) as usize], "{settings}");
    }
}

#[test]
fn the_number_of_openings_is_told_once_it_is_known() {
    let start = start(3, 2);
    assert!(book_of("plies=3", &start, 1).distinct().is_some());
    for settings in ["random=3", "plies=3 margin=4 depth=3"] {
        let mut book = book_of(settings, &start, 1);
        assert_eq!(book.distinct(), None);
        book.opening(0).unwrap();
        assert_eq!(book.distinct(), None);
        book.opening(1_000).unwrap();
        assert!(book.distinct().is_some());
    }
}

#[test]
fn random_openings_of_a_small_board_are_all_there_are() {
    for plies in 0..5 {
        let listed: HashSet<Board> =
            all_openings(&format!("plies={plies}"), &start(3, 2), 1).into_iter().collect();
        let drawn: HashSet<Board> =
            all_openings(&format!("random={plies}"), &start(3, 2), 1).into_iter().collect();
        assert_eq!(listed, drawn);
    }
}

#[test]
fn the_seed_draws_the_openings() {
    let start = start(6, 4);
    for settings in ["plies=4", "random=4"] {
        let [a, b] = [1, 2].map(|seed| openings(settings, &start, seed, 100));
        assert_ne!(a, b, "{settings}");
    }
    let [a, b] = [1, 2].map(|seed| openings("plies=4 order=sequential", &start, seed, 100));
    assert_eq!(a, b);
    // An order by chance is an order of the same.
    let sets = ["plies=4", "plies=4 order=sequential"]
        .map(|settings| all_openings(settings, &start, 3).into_iter().collect::<HashSet<_>>());
    assert_eq!(sets[0], sets[1]);
}

/// Pinned, for a seed is to mean the same on every machine and in every version.
#[test]
fn seeds_keep_their_meaning() {
    let start = start(6, 4);
    let fens =
        |settings| openings(settings, &start, 1, 3).iter().map(Board::fen).collect::<Vec<_>>();
    let expected = [
        "<6,2,0,0,5,1,2,7,6,5,0,5,5,5,5> N",
        "<6,2,0,4,4,4,0,5,1,0,7,6,5,5,5> S",
        "<6,1,2,6,2,6,6,0,6,5,5,5,4,0,0> S",
    ];
    assert_eq!(fens("plies=4"), expected);
    let expected = [
        "<6,2,2,1,0,0,8,8,6,5,5,4,0,0,7> N",
        "<6,3,4,7,2,0,1,0,8,1,8,6,6,2,0> N",
        "<6,10,3,2,1,8,7,0,7,1,0,1,0,7,1> S",
    ];
    assert_eq!(fens("random=8"), expected);
}

#[test]
fn a_long_list_ends_when_it_is_stopped() {
    static POLLS: AtomicU32 = AtomicU32::new(0);
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("openings");
    fs::write(&path, "A\nB\nC\n").unwrap();
    let start = start(6, 4);
    for (settings, polls) in [
        ("plies=12".to_owned(), 10_000),
        ("plies=12 margin=2".to_owned(), 10_000),
        (format!("file={}", path.display()), 2),
    ] {
        POLLS.store(polls, Relaxed);
        let stop = StopToken::with_poll(|| POLLS.fetch_sub(1, Relaxed) == 1);
        let book = OpeningBook::new(&settings.parse().unwrap(), &start, 1, &stop);
        assert!(matches!(book.err(), Some(OpeningError::Interrupted)), "{settings}");
        assert_eq!(POLLS.load(Relaxed), 0, "{settings}");
    }
}

/// The expected margin of a search that knows no other.
fn margin(board: &Board, depth: u32) -> u32 {
    let stop = StopToken::new();
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let mut searcher = Searcher::new(1).unwrap();
    let outcome = searcher.search(board, &limits, &SearchOptions::negascout(), &stop, &mut |_| {});
    outcome.lines[0].margin.unsigned_abs()
}

#[test]
fn the_filter_keeps_what_is_within_the_margin() {
    for (houses, seeds) in [(3, 2), (4, 3), (6, 4)] {
        let start = start(houses, seeds);
        for (largest, depth) in [(2, 1), (1, 5), (3, 5), (2, 40)] {
            let depth = if houses == 6 { depth.min(5) } else { depth };
            let all = all_openings("plies=3 order=sequential", &start, 1);
            let within = |board: &&Board| margin(board, depth) <= largest;
            let expected: Vec<Board> = all.iter().filter(within).copied().collect();
            let settings = format!("plies=3 order=sequential margin={largest} depth={depth}");
            assert!(!expected.is_empty() && expected.len() < all.len(), "{settings}");
            assert_eq!(all_openings(&settings, &start, 1), expected, "{settings}");
        }
    }
}

#[test]
fn a_file_can_have_moves_and_games() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("openings");
    let start = start(3, 2);
    let after = |moves: &str| {
        let mut board = start;
        board.play_moves(moves).unwrap();
        board
    };
    let read = |text: &str, more: &str| {
        fs::write(&path, text).unwrap();
        let path = shell_words::quote(path.to_str().unwrap()).into_owned();
        all_openings(&format!("file={path} order=sequential {more}"), &start, 1)
    };
    let moves = "# from a book\nA a\r\n\nC\nB\nA a";
    assert_eq!(read(moves, ""), [after("Aa"), after("C"), after("B")]);
    assert_eq!(read(moves, "plies=1"), [after("A"), after("C"), after("B")]);
    let mixed = format!("{}\nA a", after("C").fen());
    assert_eq!(read(&mixed, "plies=1"), [after("C"), after("A")]);
    let games = "[Board \"3x2\"]\n1. A a 2. C *\n[Board \"3x2\"]\n1. C {good} (1. A a) 1... b *\n";
    assert_eq!(read(games, ""), [after("AaC"), after("Cb")]);
    assert_eq!(read(games, "plies=2"), [after("Aa"), after("Cb")]);
    assert_eq!(read(games, "plies=0"), [start]);

    let wrong = |text: &str, more: &str| {
        fs::write(&path, text).unwrap();
        let quoted = shell_words::quote(path.to_str().unwrap()).into_owned();
        let error = error_of(&format!("file={quoted} {more}"), &start);
        error.replace(path.to_str().unwrap(), "PATH")
    };
    assert!(
        wrong("A a\nA a A", "").starts_with("line 2 of 'PATH': "),
        "{}",
        wrong("A a\nA a A", "")
    );
    let other = wrong("1. A a *", "");
    assert_eq!(other, "game 1 of 'PATH': 6 houses a side, but the game has 3");
    let other = wrong("[Board \"3x2\"]\n[Capture \"empty\"]\n1. A *", "");
    assert_eq!(other, "game 1 of 'PATH': empty capture, but the game has standard capture");
    assert!(wrong("[Board \"3x2\"]\n1. A A *", "").starts_with("'PATH', line 2"));

    // A game to its end is no opening, and a part of it is one.
    let mut played = start;
    let mut whole = String::new();
    while let Some(mv) = played.moves().next() {
        played.play(mv).unwrap();
        whole.push(mv.letter());
    }
    assert_eq!(wrong(&whole, ""), "line 1 of 'PATH': the game is over in this position");
    assert_eq!(read(&whole, "plies=1"), [after(&whole[..1])]);
    assert_eq!(wrong(&whole, "plies=1000"), "'PATH' has no positions");
}

#[test]
fn a_filter_that_keeps_nothing_is_an_error() {
    // An odd number of seeds is never shared out evenly.
    let odd = Board::from_fen("<2,0,0,2,2,2,1>", Capture::Standard).unwrap();
    let message = error_of("plies=1 margin=0", &odd);
    assert_eq!(message, "none of 2 positions has an expected margin this small");
    let message = error_of("random=1 margin=0", &odd);
    assert_eq!(message, "none of 2 positions has an expected margin this small");
    let odd = Board::from_fen("<6,1,0,4,4,4,4,4,4,4,4,4,4,4,4>", Capture::Standard).unwrap();
    let message = error_of("random=20 margin=0 depth=1", &odd);
    assert_eq!(message, "none of 10000 positions has an expected margin this small");
}

#[test]
fn a_game_that_is_over_has_no_openings() {
    let over = Board::from_fen("<2,1,0,0,0,2,1>", Capture::Standard).unwrap();
    let none = "all games are over after 0 plies from this start: use fewer";
    assert_eq!(error_of("plies=0", &over), none);
    let none = "all games are over after 4294967295 plies from this start: use fewer";
    assert_eq!(error_of("plies=4294967295", &start(2, 1)), none);
    let none = "all 1000 random games were over after 40 plies from this start: use fewer";
    assert_eq!(error_of("random=40", &start(2, 1)), none);
}

#[test]
fn too_many_positions_are_refused() {
    // Half a minute for one message.
    if runs(0, 1) == 0 {
        return;
    }
    let message = error_of("plies=30", &start(12, 42));
    let expected = "more than 5000000 positions after 7 plies: use fewer plies, or draw some of \
                    them with random=30";
    assert_eq!(message, expected);
}

/// A file of openings.
fn written(folder: &TempDir, contents: impl AsRef<[u8]>) -> String {
    let path = folder.path().join("some openings.txt");
    fs::write(&path, contents).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn positions_of_a_file_are_openings() {
    let folder = TempDir::new().unwrap();
    let lines = "\u{feff}# Two houses\r\n<2,0,0,2,2,2,2>\r\n\r\n  <2,1,0,0,3,2,2> N\r\n\
        # and the first again\n<2,0,0,2,2,2,2> S\n<2,1,1,1,2,2,1>";
    let path = written(&folder, lines);
    let fens = ["<2,0,0,2,2,2,2> S", "<2,1,0,0,3,2,2> N", "<2,1,1,1,2,2,1> S"];
    let found = all_openings(&format!("file='{path}' order=sequential"), &start(2, 2), 1);
    assert_eq!(found.iter().map(Board::fen).collect::<Vec<_>>(), fens);
    let found = all_openings(&format!("file='{path}'"), &start(2, 2), 1);
    assert_eq!(
        found.iter().map(Board::fen).collect::<HashSet<_>>(),
        HashSet::from(fens.map(str::to_owned))
    );
    assert_eq!(found[0].rules().capture(), Capture::Standard);
    let empty = Board::start(Rules::new(2, Capture::Empty).unwrap(), 2).unwrap();
    let found = all_openings(&format!("file='{path}'"), &empty, 1);
    assert!(found.iter().all(|board| board.rules().capture() == Capture::Empty));
}

#[test]
fn wrong_files_are_refused() {
    let folder = TempDir::new().unwrap();
    let start = start(2, 2);
    for (contents, why) in [
        (
            &b"<2,0,0,2,2,2,2>\n\n<2,0,0,2,2,2>"[..],
            "line 3 of 'PATH': a board of 2 houses a side has 7 fields, not 6",
        ),
        (
            b"#\r\nA\r\n<X>\r\n",
            "line 3 of 'PATH': field 1 of the board, 'X', is not a number of seeds",
        ),
        (b"\xff\xfe<\x002\x00", "cannot read openings from 'PATH': text in UTF-16, expected UTF-8"),
        (b"<2,0,0,2,2,2,2> X", "line 1 of 'PATH': unknown side 'X', expected S or N"),
        (b"<2,4,4,0,0,2,2>", "line 1 of 'PATH': the game is over in this position"),
        (b"\n<1,0,0,2,2>", "line 2 of 'PATH': 1 house a side, but the game has 2"),
        (b"", "'PATH' has no positions"),
        (b"# nothing\n\n", "'PATH' has no positions"),
    ] {
        let path = written(&folder, contents);
        let message = error_of(&format!("file='{path}'"), &start);
        assert_eq!(message.replace(&path, "PATH"), why);
    }
    let missing = folder.path().join("missing");
    for (path, why) in [(missing.as_path(), ""), (folder.path(), "a directory, not a regular file")]
    {
        let path = path.to_str().unwrap();
        let message = error_of(&format!("file='{path}'"), &start);
        let expected = format!("cannot read openings from '{path}': {why}");
        assert!(message.starts_with(&expected), "{message}");
    }
}

#[test]
fn a_book_can_be_shared_by_threads() {
    fn is_send<T: Send>(_: &T) {}
    is_send(&book_of("random=2 margin=2", &start(6, 4), 1));
}

#[test]
fn fair_openings_are_the_known_fair_starts() {
    let start = start(6, 4);
    let known = fair_starts(start.rules(), 4);
    assert_eq!(all_openings("fair order=sequential", &start, 1), known);
    let random = all_openings("fair", &start, 1);
    assert!(random != known && random.iter().collect::<HashSet<_>>() == known.iter().collect());
    assert_ne!(random, all_openings("fair", &start, 2));
    // They are others under the other rule.
    let empty = Board::start(Rules::new(6, Capture::Empty).unwrap(), 4).unwrap();
    assert!(all_openings("fair", &empty, 1).iter().all(|board| board.rules() == empty.rules()));
    let settings: OpeningSettings = "fair=true".parse().unwrap();
    assert_eq!(
        (&settings.source, settings.to_string().as_str()),
        (&OpeningSource::Fair, "fair order=random")
    );
    assert_eq!(settings.to_string().parse(), Ok(settings));
    // A table that has changed is noticed.
    assert!(book_of("fair", &start, 1).checksum() != book_of("fair", &empty, 1).checksum());
}

#[test]
fn fair_openings_need_a_start_whose_fair_starts_are_known() {
    let large = Board::start(Rules::new(12, Capture::Standard).unwrap(), 42).unwrap();
    let error = error_of("fair", &large);
    assert!(error.starts_with("no fair starts of Kalah(12,42) are known"), "{error}");
    let mut other = start(6, 4);
    other.play_moves("C").unwrap();
    assert!(error_of("fair", &other).contains("need the usual start"));
    for (settings, named) in [
        ("fair plies=2", "'fair' does not go with"),
        ("fair=maybe", "on or off"),
        ("fair=false", "openings need plies=K"),
        ("fair fair", "'fair' is given twice"),
        (
            "fairer",
            "'fairer' is not of the form key=value, expected one of plies, random, file, fair, order, margin, depth",
        ),
    ] {
        let error = settings.parse::<OpeningSettings>().unwrap_err().to_string();
        assert!(error.contains(named), "{settings}: {error}");
    }
}
