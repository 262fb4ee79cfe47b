//! The board against its rules, a slower implementation and pinned figures; the program against
//! its specification, as a process of its own; a file a subject.

// A test fails by panicking.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../support/book_file.rs"]
mod book_file;
#[cfg(unix)]
#[path = "../support/browser.rs"]
mod browser;
#[path = "../support/contest.rs"]
mod contest;
#[cfg(unix)]
#[path = "../support/gui.rs"]
mod gui;
#[path = "../support/kgp.rs"]
mod kgp;
#[path = "../support/markup.rs"]
mod markup;
#[cfg(unix)]
#[path = "../support/page.rs"]
mod page;
#[path = "../support/reference.rs"]
mod reference;
#[path = "../support/session.rs"]
mod session;
#[path = "../support/stockman.rs"]
mod stockman;
#[path = "../support/table_file.rs"]
mod table_file;
#[cfg(unix)]
#[path = "../support/terminal.rs"]
mod terminal;

mod arena_faults;
mod arena_play;
mod arena_records;
mod arena_usage;
mod book;
mod book_commands;
mod book_engine;
mod book_files;
mod command_line;
#[cfg(unix)]
mod compliance;
mod compliance_tiers;
mod davidson;
mod endings;
mod exact_data;
mod exact_play;
mod examples;
mod floors;
mod fuzz_targets;
mod game_text;
#[cfg(unix)]
mod gui_browser_games;
#[cfg(unix)]
mod gui_browser_views;
#[cfg(unix)]
mod gui_server;
mod hostile_files;
mod hostile_input;
mod imports;
#[cfg(target_os = "linux")]
mod injected_faults;
mod install;
mod job_tree;
mod keys;
mod kgp_client;
mod kgp_client_faults;
mod kgp_lines;
mod kgp_server;
mod lab;
mod lab_commands;
mod logging;
mod merging;
mod monte_carlo;
mod notation;
mod openings;
mod perft;
mod play;
#[cfg(unix)]
mod play_terminal;
mod proof_files;
mod proof_number;
mod protocol;
mod protocol_names;
mod protocol_texts;
mod random_input;
mod ratings;
mod records;
mod reference_games;
mod report;
mod review;
mod rules;
#[cfg(target_os = "linux")]
mod scarcity;
mod schemas;
mod search;
#[cfg(target_os = "linux")]
mod shard_runner;
mod signals;
mod skill;
mod solve_command;
mod solver;
mod statistics;
mod strangers;
mod tablebase;
mod tablebase_commands;
mod tablebase_files;
mod tiny_engine;
mod tournament_config;
mod training;
mod transcripts;
mod tuning;
mod valuable_files;
mod variants;
mod watch;

use kalah::board::{
    Board, Capture, House, MAX_HOUSES, MAX_SEEDS, Move, Position, RowTables, Rules, Side, Sowings,
};
use proptest::prelude::*;
use reference::Reference;

/// How often a test of faults runs: as often as `KALAH_FAULT_RUNS` says, else a few times.
fn fault_runs(default: usize) -> usize {
    std::env::var("KALAH_FAULT_RUNS").map_or(default, |runs| runs.parse().expect("a number"))
}

fn captures() -> impl Strategy<Value = Capture> {
    prop::sample::select(&Capture::ALL[..])
}

fn rules() -> impl Strategy<Value = Rules> {
    (1..=MAX_HOUSES, captures()).prop_map(|(houses, capture)| Rules::new(houses, capture).unwrap())
}

/// Starts of all sizes, most of them as small as people play.
fn starts() -> impl Strategy<Value = Board> {
    rules().prop_flat_map(|rules| {
        let most = MAX_SEEDS as u16 / (2 * rules.houses() as u16);
        prop_oneof![3 => 1..=8_u16, 1 => 1..=most]
            .prop_map(move |seeds| Board::start(rules, seeds).unwrap())
    })
}

/// Any boards, finished ones and ones that no game leads to among them.
fn boards() -> impl Strategy<Value = Board> {
    let seeds = prop_oneof![2 => Just(0), 4 => 1..=6_u16, 1 => 7..=40_u16];
    boards_with(seeds, Just(0))
}

/// Boards on which a single sowing runs round several times.
fn heavy_boards() -> impl Strategy<Value = Board> {
    boards_with(0..=3_u16, prop_oneof![100..=250_u16, 200..=950_u16])
}

/// Boards with `each` in every house and `heap` more in one of them.
fn boards_with(
    each: impl Strategy<Value = u16> + Clone,
    heap: impl Strategy<Value = u16> + Clone,
) -> impl Strategy<Value = Board> {
    let sides = prop::sample::select(&Side::ALL[..]);
    (rules(), sides)
        .prop_flat_map(move |(rules, side)| {
            let row = || prop::collection::vec(each.clone(), rules.houses());
            let rows = (row(), row(), heap.clone(), 0..2 * rules.houses());
            (Just(rules), Just(side), rows, any::<[prop::sample::Index; 2]>())
        })
        .prop_map(|(rules, side, (mut south, mut north, heap, heaped), stores)| {
            *south.iter_mut().chain(&mut north).nth(heaped).unwrap() += heap;
            let mut room = MAX_SEEDS as u16 - south.iter().chain(&north).sum::<u16>();
            let stores = stores.map(|store| {
                let seeds = store.index(usize::from(room) + 1) as u16;
                room -= seeds;
                seeds
            });
            Board::new(rules, [&south, &north], stores, side).unwrap()
        })
}

/// What chooses the houses in [`play_out`].
fn picks() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 1..64)
}

/// Plays a game to its end, showing each board before its move; returns the finished board.
fn play_out(mut board: Board, picks: &[u8], mut visit: impl FnMut(&Board, Move)) -> Board {
    // Far above what the largest board needs: a game that does not end is a failure, not a hang.
    const PLIES: usize = 100_000;
    for &pick in picks.iter().cycle().take(PLIES) {
        let moves: Vec<_> = board.moves().collect();
        if moves.is_empty() {
            return board;
        }
        let mv = moves[usize::from(pick) % moves.len()];
        visit(&board, mv);
        board.play(mv).unwrap();
    }
    panic!("no end after {PLIES} plies: {}", board.fen())
}

fn reference_of(board: &Board) -> Reference {
    Reference {
        capture: board.rules().capture(),
        side: board.side(),
        houses: Side::ALL.map(|side| board.houses(side).to_vec()),
        stores: Side::ALL.map(|side| board.store(side)),
    }
}

/// The position of a board in rows of a given width, if it fits.
fn in_rows<R: RowTables>(board: &Board) -> Option<(&'static Sowings<R>, Position<R>)> {
    let sowings = Sowings::from_rules(board.rules())?;
    let (own, opponent) = (board.houses(board.side()), board.houses(!board.side()));
    Some((sowings, Position::new(sowings, own, opponent)?))
}

/// Seeds by house, the mover's side first.
fn counts<R: RowTables>(position: &Position<R>, houses: usize) -> [Vec<u16>; 2] {
    let row = |seeds: &dyn Fn(House) -> u32| {
        (0..houses).map(|house| seeds(House::new(house).unwrap()) as u16).collect()
    };
    [row(&|house| position.own(house)), row(&|house| position.opponent(house))]
}
