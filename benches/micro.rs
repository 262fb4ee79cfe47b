//! Instructions of small functions, counted by Callgrind: a machine that does other work tells one
//! percent as well as an idle one. Needs Valgrind and `cargo install gungraun-runner`, of the version
//! of `gungraun` in `Cargo.lock`.
#![allow(missing_docs)] // gungraun's macros make undocumented items

use std::hint::black_box;
use std::num::NonZeroUsize;

use gungraun::{library_benchmark, library_benchmark_group, main};
use kalah::board::{Board, House, Position, RowTables, Rules, Sowings};
use kalah::search::{
    Bound, Evaluation, HashTable, Limits, Score, SearchOptions, Searcher, TableEntry,
    TranspositionTable,
};
use kalah::solve::SolverResources;
use kalah::tablebase::{Tablebase, TablebaseFiles};
use kalah::{Solver, StopToken};
use tempfile::TempDir;

const SOUTH: [u16; 6] = [1, 0, 5, 5, 1, 6];
const NORTH: [u16; 6] = [5, 1, 5, 0, 5, 6];
const TABLEBASE_SEEDS: u32 = 10;
/// Calls of functions that take few instructions.
const CALLS: usize = 1000;

fn position<R: RowTables>() -> (&'static Sowings<R>, Position<R>) {
    let sowings = Sowings::from_rules(Rules::default()).unwrap_or_else(|| unreachable!());
    let position = Position::new(sowings, &SOUTH, &NORTH).unwrap_or_else(|| unreachable!());
    (sowings, position)
}

fn start(seeds: u16) -> Board {
    Board::start(Rules::default(), seeds).unwrap_or_else(|_| unreachable!())
}

#[library_benchmark]
#[bench::u64(position::<u64>())]
#[bench::u128(position::<u128>())]
fn generate_and_play<R: RowTables>((sowings, position): (&Sowings<R>, Position<R>)) {
    for house in black_box(&position).moves() {
        black_box(position.play(sowings, house));
    }
}

#[library_benchmark]
#[bench::depth_7(start(4))]
fn perft(start: Board) -> u64 {
    black_box(&start).perft(7)
}

#[library_benchmark]
#[bench::from_seeds(position::<u64>())]
fn key((sowings, _): (&Sowings<u64>, Position<u64>)) -> Option<u64> {
    Position::new(sowings, black_box(&SOUTH), &NORTH).map(|position| position.key(sowings))
}

fn entry() -> TableEntry<House> {
    TableEntry {
        score: Score { gain: 4, proven: false },
        bound: Bound::Exact,
        depth: 5,
        best: House::new(3),
    }
}

/// A full table, and keys of which it has some.
fn full_table() -> (HashTable, Vec<u64>) {
    let table = HashTable::new(4).unwrap_or_else(|_| unreachable!());
    let mut random = fastrand::Rng::with_seed(1);
    let stored: Vec<u64> = std::iter::repeat_with(|| random.u64(..)).take(1 << 19).collect();
    for &key in &stored {
        table.store(key, entry());
    }
    let keys = stored.into_iter().rev().step_by(7).take(CALLS).collect();
    (table, keys)
}

#[library_benchmark]
#[bench::full_table(full_table())]
fn probe_table((table, keys): (HashTable, Vec<u64>)) -> (HashTable, usize) {
    let found = keys.iter().filter(|&&key| table.probe(black_box(key)).is_some()).count();
    (table, found)
}

#[library_benchmark]
#[bench::full_table(full_table())]
fn store_in_table((table, keys): (HashTable, Vec<u64>)) -> HashTable {
    for &key in &keys {
        table.store(black_box(!key), entry());
    }
    table
}

/// Random positions of the largest layer of a tablebase.
fn tablebase_positions() -> Vec<Position<u64>> {
    let (sowings, _) = position::<u64>();
    let mut random = fastrand::Rng::with_seed(1);
    std::iter::repeat_with(|| {
        let mut houses = [0; 12];
        (0..TABLEBASE_SEEDS).for_each(|_| houses[random.usize(..12)] += 1);
        Position::new(sowings, &houses[..6], &houses[6..]).unwrap_or_else(|| unreachable!())
    })
    .take(CALLS)
    .collect()
}

fn tablebase_files() -> (TempDir, TablebaseFiles, Vec<Position<u64>>) {
    let directory = tempfile::tempdir().unwrap_or_else(|_| unreachable!());
    let files = TablebaseFiles::build(
        directory.path(),
        Rules::default(),
        TABLEBASE_SEEDS,
        NonZeroUsize::MIN,
        &StopToken::new(),
        &|_| (),
    );
    (directory, files.unwrap_or_else(|_| unreachable!()), tablebase_positions())
}

fn tablebase() -> (Tablebase, Vec<Position<u64>>) {
    let (_directory, files, positions) = tablebase_files();
    let table = files.load(TABLEBASE_SEEDS, NonZeroUsize::MIN);
    (table.unwrap_or_else(|_| unreachable!()), positions)
}

#[library_benchmark]
#[bench::of_10_seeds(tablebase())]
fn probe_tablebase((table, positions): (Tablebase, Vec<Position<u64>>)) -> Tablebase {
    for position in &positions {
        black_box(table.gain_of_position(position));
    }
    table
}

#[library_benchmark]
#[bench::of_10_seeds(tablebase_files())]
fn probe_tablebase_files(
    (directory, files, positions): (TempDir, TablebaseFiles, Vec<Position<u64>>),
) -> TempDir {
    for position in &positions {
        let _ = black_box(files.gain_of_position(position));
    }
    directory
}

#[library_benchmark]
#[bench::plain((Evaluation::default(), position::<u64>().1))]
fn evaluation((evaluation, position): (Evaluation, Position<u64>)) -> i32 {
    let seeds = SOUTH.iter().chain(&NORTH).copied().map(i32::from).sum();
    evaluation.gain(black_box(&position), 6, seeds)
}

#[library_benchmark]
#[bench::negascout_depth_10((Searcher::new(1).unwrap_or_else(|_| unreachable!()), start(4)))]
fn search((mut searcher, start): (Searcher, Board)) -> Searcher {
    let limits = Limits { depth: Some(10), ..Limits::default() };
    black_box(searcher.search(
        &start,
        &limits,
        &SearchOptions::negascout(),
        &StopToken::new(),
        &mut |_| {},
    ));
    searcher
}

fn solver() -> Solver {
    Solver::new(SolverResources { mebibytes: 16, ..SolverResources::default() })
}

#[library_benchmark]
#[bench::kalah_6_2((solver(), start(2)))]
fn solve((mut solver, start): (Solver, Board)) -> Solver {
    let _ = black_box(solver.solve(&start));
    solver
}

library_benchmark_group!(
    name = micro,
    benchmarks = [
        generate_and_play,
        perft,
        key,
        probe_table,
        store_in_table,
        probe_tablebase,
        probe_tablebase_files,
        evaluation,
        search,
        solve,
    ]
);
main!(library_benchmark_groups = micro);
