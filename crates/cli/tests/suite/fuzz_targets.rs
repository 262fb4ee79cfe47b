//! The bodies of the fuzz targets, on their seeds and on random changes of them: cut off at each length,
//! changed at each byte, and at random.

use std::fs;
use std::path::PathBuf;

use fastrand::Rng;

use crate::runs::runs;

#[path = "../../../../fuzz/targets.rs"]
mod targets;

fn seeds(target: &str) -> Vec<Vec<u8>> {
    let folder =
        PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/seeds")).join(target);
    let mut paths: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let seeds: Vec<_> = paths.into_iter().map(|path| fs::read(path).unwrap()).collect();
    assert!(!seeds.is_empty());
    seeds
}

/// Some changes: bits flipped, parts cut out, repeated, moved or zeroed, bytes replaced or added.
fn change(bytes: &mut Vec<u8>, rng: &mut Rng) {
    for _ in 0..rng.usize(1..=4) {
        let start = rng.usize(..=bytes.len());
        let end = (start + rng.usize(..64)).min(bytes.len());
        let part = bytes[start..end].to_vec();
        match rng.u32(..7) {
            0 if start < bytes.len() => bytes[start] ^= 1 << rng.u32(..8),
            1 if start < bytes.len() => bytes[start] = rng.u8(..),
            2 => drop(bytes.drain(start..end)),
            3 => drop(bytes.splice(start..start, part)),
            4 => {
                let to = rng.usize(..=bytes.len());
                drop(bytes.splice(to..to, part));
            }
            5 => bytes[start..end].fill(0),
            6 => bytes.truncate(end),
            _ => bytes.insert(start, rng.u8(b' '..=b'~')),
        }
    }
}

/// Runs a target on its seeds and on changes of them.
fn run(name: &str, target: fn(&[u8])) {
    let seeds = seeds(name);
    for seed in &seeds {
        target(seed);
    }
    let mut rng = Rng::with_seed(20);
    for _ in 0..runs(40, 20_000) {
        let mut bytes = seeds[rng.usize(..seeds.len())].clone();
        change(&mut bytes, &mut rng);
        target(&bytes);
    }
}

/// Runs a target on a file cut off at each length and changed at each byte.
fn sweep(name: &str, target: fn(&[u8])) {
    let seed = &seeds(name)[0];
    // Few of them are spread over the file; a prime number of bytes apart, they meet each field sometime.
    let step = runs(97, 1);
    (0..seed.len()).step_by(step).for_each(|length| target(&seed[..length]));
    for place in (0..seed.len()).step_by(step) {
        let mut bytes = seed.clone();
        bytes[place] ^= 1 << (place % 8);
        target(&bytes);
    }
}

#[test]
fn sessions() {
    run("session", targets::session);
}

#[test]
fn texts() {
    run("text", targets::text);
    sweep("text", targets::text);
}

#[test]
fn tables() {
    run("table", targets::table);
    sweep("table", targets::table);
}

#[test]
fn networks() {
    run("network", targets::network);
    sweep("network", targets::network);
}

#[test]
fn checkpoints() {
    run("checkpoint", targets::checkpoint);
}

#[test]
fn records() {
    run("record", targets::record);
    sweep("record", targets::record);
}

#[test]
fn books() {
    run("book", targets::book);
    sweep("book", targets::book);
}

#[test]
fn proof_files() {
    run("proof_file", targets::proof_file);
    sweep("proof_file", targets::proof_file);
}
