//! Statistics of small functions: move generation, keys, table and search.
#![allow(missing_docs)] // criterion's macros make undocumented items

use std::hint::black_box;
use std::num::NonZeroUsize;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use kalah::StopToken;
use kalah::board::{Board, House, Position, RowTables, Rules, Sowings};
use kalah::search::{
    Bound, Evaluation, HashTable, Limits, Score, SearchOptions, Searcher, TableEntry,
    TranspositionTable,
};
use kalah::tablebase::TablebaseFiles;

const SOUTH: [u16; 6] = [1, 0, 5, 5, 1, 6];
const NORTH: [u16; 6] = [5, 1, 5, 0, 5, 6];

fn position<R: RowTables>() -> (&'static Sowings<R>, Position<R>) {
    let sowings = Sowings::from_rules(Rules::default()).unwrap_or_else(|| unreachable!());
    let position = Position::new(sowings, &SOUTH, &NORTH).unwrap_or_else(|| unreachable!());
    (sowings, position)
}

fn moves<R: RowTables>(criterion: &mut Criterion, name: &str) {
    let (sowings, position) = position::<R>();
    let mut group = criterion.benchmark_group(format!("moves {name}"));
    group.throughput(Throughput::Elements(position.moves().count() as u64));
    group.bench_function("generate and play", |bencher| {
        bencher.iter(|| {
            let position = black_box(&position);
            for house in position.moves() {
                black_box(position.play(sowings, house));
            }
        });
    });
    group.finish();
}

fn board(criterion: &mut Criterion) {
    moves::<u64>(criterion, "u64");
    moves::<u128>(criterion, "u128");

    let start = Board::start(Rules::default(), 4);
    let start = start.unwrap_or_else(|_| unreachable!());
    let mut group = criterion.benchmark_group("perft");
    group.throughput(Throughput::Elements(114_430));
    group.bench_function("Kalah(6,4) depth 7", |bencher| {
        bencher.iter(|| assert_eq!(black_box(&start).perft(7), 114_430));
    });
    group.finish();
}

fn keys(criterion: &mut Criterion) {
    let (sowings, position) = position::<u64>();
    let mut group = criterion.benchmark_group("key");
    group.bench_function("kept up", |bencher| bencher.iter(|| black_box(&position).key()));
    group.bench_function("made afresh", |bencher| {
        bencher.iter(|| Position::new(sowings, black_box(&SOUTH), &NORTH).map(|p| p.key()));
    });
    group.finish();
}

fn table(criterion: &mut Criterion) {
    let table = HashTable::new(256).unwrap_or_else(|_| unreachable!());
    let entry = TableEntry {
        score: Score { gain: 4, proven: false },
        bound: Bound::Exact,
        depth: 5,
        best: House::new(3),
    };
    let mut random = fastrand::Rng::with_seed(1);
    (0..5_000_000).for_each(|_| table.store(random.u64(..), entry));
    let mut group = criterion.benchmark_group("table of 256 MiB");
    group.bench_function("probe", |bencher| bencher.iter(|| table.probe(random.u64(..))));
    group.bench_function("store", |bencher| bencher.iter(|| table.store(random.u64(..), entry)));
    group.bench_function("prefetch six, probe six", |bencher| {
        bencher.iter(|| {
            let keys: [u64; 6] = std::array::from_fn(|_| random.u64(..));
            for &key in &keys {
                table.prefetch(key);
            }
            keys.map(|key| table.probe(key))
        });
    });
    group.finish();
}

/// Random positions of the largest layer.
fn tablebase(criterion: &mut Criterion) {
    const SEEDS: u32 = 16;
    const THREADS: NonZeroUsize = NonZeroUsize::MIN;
    let (sowings, _) = position::<u64>();
    let mut random = fastrand::Rng::with_seed(1);
    let positions: Vec<Position<u64>> = std::iter::repeat_with(|| {
        let mut houses = [0; 12];
        (0..SEEDS).for_each(|_| houses[random.usize(..12)] += 1);
        Position::new(sowings, &houses[..6], &houses[6..]).unwrap_or_else(|| unreachable!())
    })
    .take(1 << 20)
    .collect();
    let directory = tempfile::tempdir().unwrap_or_else(|_| unreachable!());
    let files = TablebaseFiles::build(
        directory.path(),
        Rules::default(),
        SEEDS,
        THREADS,
        &StopToken::new(),
        &|_| (),
    );
    let files = files.unwrap_or_else(|_| unreachable!());
    let table = files.load(SEEDS, THREADS).unwrap_or_else(|_| unreachable!());
    let mut group = criterion.benchmark_group("tablebase");
    let mut each = positions.iter().cycle();
    group.bench_function("probe in memory", |bencher| {
        bencher.iter(|| each.next().map(|position| table.gain_of_position(position)));
    });
    group.bench_function("probe in files", |bencher| {
        bencher.iter(|| each.next().map(|position| files.gain_of_position(position)));
    });
    group.finish();
}

fn search(criterion: &mut Criterion) {
    let (_, position) = position::<u64>();
    let evaluation = Evaluation::default();
    let seeds = i32::from(SOUTH.iter().sum::<u16>() + NORTH.iter().sum::<u16>());
    criterion.bench_function("evaluation", |bencher| {
        bencher.iter(|| evaluation.gain(black_box(&position), 6, seeds));
    });

    let start = Board::start(Rules::default(), 4);
    let start = start.unwrap_or_else(|_| unreachable!());
    let limits = Limits { depth: Some(12), ..Limits::default() };
    let settings = SearchOptions::negascout();
    let mut searcher = Searcher::new(16).unwrap_or_else(|_| unreachable!());
    criterion.bench_function("search Kalah(6,4) to depth 12", |bencher| {
        bencher.iter_batched(
            StopToken::new,
            |stop| {
                searcher.clear();
                searcher.search(&start, &limits, &settings, &stop, &mut ())
            },
            BatchSize::PerIteration,
        );
    });
}

criterion_group!(benches, board, keys, table, tablebase, search);
criterion_main!(benches);
