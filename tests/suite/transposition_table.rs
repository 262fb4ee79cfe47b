//! The transposition table of the engine: what is stored is found, and what is replaced first.

use kalah::board::{House, MAX_HOUSES};
use kalah::search::{
    Bound, HashTable, MAX_DEPTH, Score, TableEntry, TableTooLarge, TranspositionTable,
};
use proptest::prelude::*;

fn entries() -> impl Strategy<Value = TableEntry<House>> {
    let bounds = prop_oneof![Just(Bound::Upper), Just(Bound::Lower), Just(Bound::Exact)];
    let houses = prop::option::of((0..MAX_HOUSES).prop_map(|index| House::new(index).unwrap()));
    (-1023..=1023_i32, any::<bool>(), bounds, 0..=MAX_DEPTH, houses).prop_map(
        |(gain, proven, bound, depth, best)| TableEntry {
            score: Score { gain, proven },
            bound,
            depth,
            best,
        },
    )
}

fn table() -> HashTable {
    HashTable::new(1).unwrap()
}

fn entry(depth: u32) -> TableEntry<House> {
    let score = Score { gain: 2, proven: true };
    TableEntry { score, bound: Bound::Lower, depth, best: House::new(3) }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn entries_are_read_as_written(entry in entries(), key: u64, age in 0..20) {
        let mut table = table();
        (0..age).for_each(|_| table.new_age());
        table.store(key, entry);
        prop_assert_eq!(table.probe(key), Some(entry));
        // The bits that neither the tag nor the bucket of a small table has are ignored.
        for bit in (0..35).chain(55..u64::BITS) {
            prop_assert_eq!(table.probe(key ^ 1 << bit), None, "bit {}", bit);
        }
    }
}

#[test]
fn stored_entries_are_found_until_cleared() {
    // At both ends of each part of the table, and in between.
    let ends = (0..=4096_u64).flat_map(|part| [part << 52, (part << 52).wrapping_sub(1)]);
    let keys: Vec<u64> = ends.chain((0..4096_u64).map(|part| part << 52 | part << 40)).collect();
    let mut table = table();
    for _ in 0..2 {
        for &key in keys.iter().step_by(5) {
            assert_eq!(table.probe(key), None);
            table.store(key, entry(5));
            assert_eq!(table.probe(key), Some(entry(5)));
            assert_eq!(table.probe(key ^ 1), None);
        }
        table.clear();
        assert_eq!(table.permille_full(), 0);
        assert!(keys.iter().all(|&key| table.probe(key).is_none()));
    }
}

#[test]
fn a_proven_entry_is_replaced_only_by_more_information() {
    let table = table();
    let estimate = |gain| TableEntry { score: Score { gain, proven: false }, ..entry(9) };
    table.store(7, entry(5));
    table.store(7, estimate(2));
    assert_eq!(table.probe(7), Some(entry(5)));
    table.store(7, estimate(4));
    assert_eq!(table.probe(7), Some(estimate(4)));
    let exact = TableEntry { bound: Bound::Exact, ..entry(5) };
    table.store(7, exact);
    table.store(7, estimate(4));
    assert_eq!(table.probe(7), Some(exact));
}

#[test]
fn a_full_bucket_replaces_old_entries_before_shallow_ones() {
    let mut table = table();
    for (key, depth) in (0..).zip([9, 4, 3, 5, 6, 7, 8, 9]) {
        table.store(key, entry(depth));
    }
    table.store(100, entry(1));
    assert_eq!(table.probe(2), None, "the shallowest of one age");
    table.new_age();
    table.new_age();
    table.store(101, entry(0));
    assert_eq!(table.probe(100), None);
    for key in 200..207 {
        table.store(key, entry(1));
    }
    assert_eq!(table.probe(0).or(table.probe(7)), None, "deep but old");
    assert!(table.probe(101).is_some());
}

#[test]
fn an_age_that_comes_back_makes_no_entry_new() {
    // Far apart, so that all buckets get some.
    let keys = |number: u64| (0..number).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    for searches in (1..40).chain([64, 128, 256]) {
        let mut table = table();
        keys(1 << 18).for_each(|key| table.store(key, entry(9)));
        assert!(table.permille_full() > 900);
        for _ in 0..searches {
            table.new_age();
            assert_eq!(table.permille_full(), 0, "{searches}");
        }
        // What is stored now stays beside what was stored then, however shallow it is.
        let new = || keys(3 << 18).skip(1 << 18).step_by(32);
        new().for_each(|key| table.store(key, entry(2)));
        let kept = new().filter(|&key| table.probe(key).is_some()).count();
        assert!(kept * 1000 > new().count() * 998, "{searches}: {kept}");
    }
}

#[test]
fn impossible_sizes_are_refused() {
    for mebibytes in [usize::MAX, usize::MAX >> 20, 1 << 30] {
        assert_eq!(HashTable::new(mebibytes).err(), Some(TableTooLarge { mebibytes }));
    }
}
