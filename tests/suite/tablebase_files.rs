//! Tables in files: what they hold, what of them is believed, and how they come to be.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use kalah::FileHeaderError;
use kalah::StopToken;
use kalah::board::{Capture, Position, RuleSet, Rules, Sowings};
use kalah::tablebase::{
    BuildNeeds, BuildProgress, Coverage, Tablebase, TablebaseError, TablebaseFileError,
    TablebaseFiles, VerifyReport, layer_bytes, memory_to_build, positions, survey, verify,
};
use tempfile::TempDir;

use crate::runs::runs;
use crate::table_file::{TableFile, entry};
use crate::tablebase::rows;

fn rules(houses: usize, rule_set: impl Into<RuleSet>) -> Rules {
    Rules::new(houses, rule_set).unwrap()
}

const THREADS: NonZeroUsize = NonZeroUsize::new(2).unwrap();

fn build(folder: &Path, rules: Rules, seeds: u32) -> Result<TablebaseFiles, TablebaseError> {
    TablebaseFiles::build(folder, rules, seeds, THREADS, &StopToken::new(), &|_| ())
}

fn file_of(folder: &Path, rules: Rules, seeds: u32) -> PathBuf {
    folder.join(format!("kalah-{}-{}-{seeds}.ktb", rules.houses(), rules.rule_set().name()))
}

/// All files of a folder, by name.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    let named = |entry: fs::DirEntry| {
        (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())
    };
    entries.map(named).collect()
}

/// All positions with just so many seeds, as the rows of the mover and the opponent.
fn layer(houses: usize, seeds: u16) -> Vec<(Vec<u16>, Vec<u16>)> {
    let all = rows(2 * houses, seeds).into_iter();
    all.map(|row| (row[..houses].to_vec(), row[houses..].to_vec())).collect()
}

fn position(rules: Rules, own: &[u16], opponent: &[u16]) -> Position<u64> {
    Position::new(Sowings::from_rules(rules).unwrap(), own, opponent).unwrap()
}

/// What is wrong with a file.
#[track_caller]
fn fault<T: std::fmt::Debug>(result: Result<T, TablebaseError>, path: &Path) -> TablebaseFileError {
    match result {
        Err(TablebaseError::File { path: named, source }) => {
            assert_eq!(named, path);
            source
        }
        other => panic!("{other:?}"),
    }
}

/// The bytes of the files of all positions with at most `seeds` seeds.
fn bytes_of_layers(houses: usize, seeds: u32) -> u64 {
    (0..=seeds).map(|seeds| layer_bytes(houses, seeds).unwrap()).sum()
}

#[test]
fn files_hold_what_tables_in_memory_do() {
    for (houses, seeds) in [(1, 100), (2, 17), (3, 10), (4, 8), (6, 6), (8, 4)] {
        for rule_set in RuleSet::ALL {
            let rules = rules(houses, rule_set);
            let folder = TempDir::new().unwrap();
            let files = build(folder.path(), rules, seeds).unwrap();
            let table = Tablebase::build(rules, seeds, THREADS).unwrap();
            let loaded = files.load(seeds, THREADS).unwrap();
            assert_eq!((files.rules(), files.seeds()), (rules, seeds));
            assert_eq!(Some(files.positions()), positions(houses, seeds));
            for total in 0..=seeds {
                let path = file_of(folder.path(), rules, total);
                let file = TableFile(fs::read(path).unwrap());
                file.assert_laid_out(houses, rule_set.index(), total as usize);
                assert_eq!(layer_bytes(houses, total), Some(file.0.len() as u64));
                for (own, opponent) in layer(houses, total as u16) {
                    let position = position(rules, &own, &opponent);
                    let gain = table.gain_of_position(&position);
                    assert_eq!(files.gain_of_position(&position).unwrap(), gain);
                    assert_eq!(loaded.gain_of_position(&position), gain);
                    assert_eq!(Some(file.gain(entry(&own, &opponent))), gain);
                }
            }
            let mut more = vec![0; houses];
            more[0] = seeds as u16 + 1;
            let more = position(rules, &more, &vec![0; houses]);
            assert_eq!(files.gain_of_position(&more).unwrap(), None);
            let few = files.load(2, THREADS).unwrap();
            assert_eq!((few.seeds(), few.gain_of_position(&more)), (2, None));
            assert!(matches!(
                files.load(seeds + 1, THREADS),
                Err(TablebaseError::MissingLayer { seeds: more, .. }) if more == seeds + 1
            ));
            let sizes = contents(folder.path());
            let bytes: u64 = sizes.values().map(|bytes| bytes.len() as u64).sum();
            assert_eq!(bytes_of_layers(houses, seeds), bytes);
        }
    }
}

#[test]
fn several_directories_have_layers_together() {
    let folder = TempDir::new().unwrap();
    let [one, other] = ["one", "other"].map(|name| folder.path().join(name));
    let rules = rules(3, Capture::Standard);
    build(&one, rules, 6).unwrap();
    fs::create_dir(&other).unwrap();
    for seeds in [2, 4, 5] {
        let path = file_of(&one, rules, seeds);
        fs::rename(&path, file_of(&other, rules, seeds)).unwrap();
    }
    let table = Tablebase::build(rules, 6, THREADS).unwrap();
    for paths in [[&one, &other], [&other, &one]] {
        let list = std::env::join_paths(paths).unwrap();
        let files = TablebaseFiles::open(list.as_ref(), rules).unwrap().unwrap();
        assert_eq!(files.seeds(), 6);
        for (own, opponent) in layer(3, 6) {
            let position = position(rules, &own, &opponent);
            let gain = files.gain_of_position(&position).unwrap();
            assert_eq!(gain, table.gain_of_position(&position));
        }
    }
    assert_eq!(TablebaseFiles::open(&one, rules).unwrap().unwrap().seeds(), 1);
    let missing = folder.path().join("missing");
    let list = std::env::join_paths([&one, &missing]).unwrap();
    let error = TablebaseFiles::open(list.as_ref(), rules).unwrap_err();
    assert!(matches!(error, TablebaseError::Directory { directory, .. } if directory == missing));
}

#[test]
fn many_threads_probe_at_once() {
    let folder = TempDir::new().unwrap();
    let rules = rules(4, Capture::Standard);
    let table = Tablebase::build(rules, 9, THREADS).unwrap();
    build(folder.path(), rules, 9).unwrap();
    let files = TablebaseFiles::open(folder.path(), rules).unwrap().unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for (own, opponent) in layer(4, 9) {
                    let position = position(rules, &own, &opponent);
                    assert_eq!(
                        files.gain_of_position(&position).unwrap(),
                        table.gain_of_position(&position)
                    );
                }
            });
        }
    });
}

#[test]
fn what_is_no_such_file_is_named_and_refused() {
    use FileHeaderError::{Damaged, Length, Magic, UnknownRules, Version};
    use TablebaseFileError::{Block, Checksums, Entry, Header, Io, Misnamed};

    let folder = TempDir::new().unwrap();
    let rules = rules(3, Capture::Standard);
    build(folder.path(), rules, 8).unwrap();
    let path = file_of(folder.path(), rules, 7);
    let good = fs::read(&path).unwrap();
    let open = || TablebaseFiles::open(folder.path(), rules);
    let with = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        let fault = fault(open(), &path);
        // A build does not believe it either, and leaves it as it is.
        assert!(build(folder.path(), rules, 9).is_err());
        assert!(fs::read(&path).unwrap() == bytes);
        fault
    };
    let changed = |at: usize, to: u8| {
        let mut bytes = good.clone();
        bytes[at] = to;
        bytes
    };
    let sealed = |at: usize, to: u8| {
        let mut file = TableFile(changed(at, to));
        file.seal();
        file.0
    };
    for length in [4096, 4097, good.len() - 1] {
        assert!(matches!(with(&good[..length]), Header(Length { .. })), "{length}");
    }
    assert!(matches!(with(&good[..100]), Header(Length { .. })));
    assert!(matches!(with(&[&good[..], &[0]].concat()), Header(Length { .. })));
    assert!(matches!(with(b""), Header(Magic(_))));
    assert!(matches!(with(b"PNG"), Header(Magic(_))));
    assert!(matches!(with(&vec![0; good.len()]), Header(Magic(_))));
    assert!(matches!(with(&changed(0, b'x')), Header(Magic(_))));
    assert!(matches!(with(&changed(8, 2)), Header(Damaged)));
    assert!(matches!(with(&sealed(8, 2)), Header(Version { found: 2, .. })));
    assert!(matches!(with(&sealed(9, 2)), Header(Version { found: 513, .. })));
    let misnamed = |bytes: &[u8]| matches!(with(bytes), Misnamed { .. });
    assert!(misnamed(&fs::read(file_of(folder.path(), rules, 6)).unwrap()));
    assert!(misnamed(&sealed(11, 1)));
    assert!(misnamed(&sealed(11, 2)));
    assert!(matches!(with(&sealed(11, 3)), Header(UnknownRules(3))));
    for (at, to) in [(10, 0), (10, 9), (10, 12), (12, 101), (13, 5), (14, 1), (16, 1)] {
        assert!(matches!(with(&sealed(at, to)), Header(Damaged)), "{at} {to}");
    }
    assert!(matches!(with(&sealed(24, 0)), Header(Damaged)));
    assert!(matches!(with(&sealed(4000, 1)), Header(Damaged)));
    assert!(matches!(with(&changed(4000, 1)), Header(Damaged)));
    assert!(matches!(with(&changed(good.len() - 1, 1)), Checksums));

    // What is wrong in a block is found when it is read.
    fs::write(&path, changed(4100, !good[4100])).unwrap();
    let files = open().unwrap().unwrap();
    let position = position(rules, &[0, 0, 0], &[0, 0, 7]);
    for _ in 0..2 {
        assert!(matches!(fault(files.gain_of_position(&position), &path), Block(0)));
    }
    assert!(matches!(fault(files.load(7, THREADS), &path), Block(0)));
    assert!(files.load(6, THREADS).is_ok());
    assert!(matches!(fault(build(folder.path(), rules, 8), &path), Block(0)));
    assert!(matches!(fault(build(folder.path(), rules, 9), &path), Block(0)));
    drop(files);
    // The entries of the highest four bits are greater than any gain of seven seeds.
    fs::write(&path, sealed(4097, 0xf0)).unwrap();
    let files = open().unwrap().unwrap();
    assert!(matches!(fault(files.load(7, THREADS), &path), Entry(3)));
    drop(files);

    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    assert!(matches!(fault(open(), &path), Io(_)));
    fs::remove_dir(&path).unwrap();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("nowhere", &path).unwrap();
        assert!(matches!(fault(open(), &path), Io(_)));
        assert!(matches!(fault(build(folder.path(), rules, 8), &path), Io(_)));
        let [found] =
            <[_; 1]>::try_from(verified(folder.path(), rules, Coverage::All).errors).unwrap();
        assert!(matches!(fault(Err::<(), _>(found), &path), Io(_)));
        fs::remove_file(&path).unwrap();
    }
    assert_eq!(open().unwrap().unwrap().seeds(), 6);
    let foreign = folder.path().join("nowhere");
    assert!(matches!(TablebaseFiles::open(&foreign, rules), Err(TablebaseError::Directory { .. })));
    assert!(
        TablebaseFiles::open(folder.path(), Rules::new(5, Capture::Standard).unwrap())
            .unwrap()
            .is_none()
    );
}

#[test]
fn wrong_bytes_are_found() {
    const SEEDS: u32 = 9;
    let folder = TempDir::new().unwrap();
    let rules = rules(4, Capture::Empty);
    build(folder.path(), rules, SEEDS).unwrap();
    let table = Tablebase::build(rules, SEEDS, THREADS).unwrap();
    let path = file_of(folder.path(), rules, SEEDS);
    let good = TableFile(fs::read(&path).unwrap());
    let all: BTreeMap<usize, Position<u64>> = layer(4, SEEDS as u16)
        .into_iter()
        .map(|(own, opponent)| (entry(&own, &opponent), position(rules, &own, &opponent)))
        .collect();
    let mut random = fastrand::Rng::with_seed(7);
    let mut file = OpenOptions::new().write(true).open(&path).unwrap();
    let mut put = |at: usize, byte: u8| {
        file.seek(SeekFrom::Start(at as u64)).unwrap();
        file.write_all(&[byte]).unwrap();
    };
    let mut in_blocks = 0;
    let wrong = runs(2_000, 10_000);
    for _ in 0..wrong {
        let at = random.usize(..good.0.len());
        put(at, good.0[at] ^ random.u8(1..));
        if let Ok(files) = TablebaseFiles::open(folder.path(), rules) {
            // All else is checked when a file is opened.
            in_blocks += 1;
            let files = files.unwrap();
            let bad = (at - 4096) / 4096;
            let there = good.entry_of_byte(at).into_iter();
            for entry in there.chain((0..8).map(|_| random.usize(..all.len()))) {
                match files.gain_of_position(&all[&entry]) {
                    Ok(gain) => {
                        assert_ne!(good.block(entry), bad);
                        assert_eq!(gain, table.gain_of_position(&all[&entry]));
                    }
                    Err(TablebaseError::File {
                        path: named,
                        source: TablebaseFileError::Block(block),
                    }) => {
                        assert_eq!((named, block as usize), (path.clone(), bad));
                        assert_eq!(good.block(entry), bad);
                    }
                    Err(error) => panic!("{error:?}"),
                }
            }
        }
        put(at, good.0[at]);
    }
    // The header and two blocks are as long as each other.
    assert!((wrong * 6 / 10..wrong * 73 / 100).contains(&in_blocks), "{in_blocks}");
    assert!(fs::read(&path).unwrap() == good.0);
}

#[test]
fn builds_go_on_where_they_were_broken_off() {
    const SEEDS: u32 = 11;
    let rules = rules(4, Capture::Standard);
    let [whole, broken] = [(); 2].map(|()| TempDir::new().unwrap());
    build(whole.path(), rules, SEEDS).unwrap();
    let whole = contents(whole.path());
    let mut most = 0;
    for round in 1.. {
        let left = AtomicU64::new(13);
        let stop = StopToken::new();
        let on_progress = |progress: BuildProgress| {
            assert!(progress.loaded + progress.built <= progress.total);
            assert!(progress.layer <= SEEDS);
            if left.fetch_sub(1, Relaxed) == 1 || left.load(Relaxed) > 13 {
                stop.stop();
            }
        };
        let result =
            TablebaseFiles::build(broken.path(), rules, SEEDS, THREADS, &stop, &on_progress);
        let there = contents(broken.path());
        assert!(there.iter().all(|(name, bytes)| whole[name] == *bytes), "whole or not there");
        // Loaded layers are reported, too: at some point their reports alone stop the build.
        if result.is_ok() {
            break;
        }
        assert!(matches!(result, Err(TablebaseError::Stopped)));
        if there.len() == most {
            assert!(round > 2, "{most}");
            build(broken.path(), rules, SEEDS).unwrap();
            break;
        }
        most = there.len();
    }
    assert!(contents(broken.path()) == whole);
}

#[test]
fn builds_fill_gaps_and_add_layers() {
    let rules = rules(3, Capture::Empty);
    let [whole, grown] = [(); 2].map(|()| TempDir::new().unwrap());
    build(whole.path(), rules, 12).unwrap();
    let inner = grown.path().join("new/and/deep");
    build(&inner, rules, 5).unwrap();
    build(&inner, rules, 12).unwrap();
    assert!(contents(&inner) == contents(whole.path()));
    // Fewer seeds than there are: nothing to do.
    assert_eq!(build(&inner, rules, 3).unwrap().seeds(), 12);
    for missing in [0, 7] {
        fs::remove_file(file_of(&inner, rules, missing)).unwrap();
    }
    assert!(TablebaseFiles::open(&inner, rules).unwrap().is_none());
    build(&inner, rules, 0).unwrap();
    assert_eq!(TablebaseFiles::open(&inner, rules).unwrap().unwrap().seeds(), 6);
    build(&inner, rules, 12).unwrap();
    assert!(contents(&inner) == contents(whole.path()));
}

#[cfg(unix)]
#[test]
fn builds_keep_out_of_each_others_way() {
    let folder = TempDir::new().unwrap();
    let rules = rules(3, Capture::Standard);
    let left_behind = folder.path().join(".kalah-1234.part");
    fs::write(&left_behind, "part").unwrap();
    let other = File::open(folder.path()).unwrap();
    other.lock().unwrap();
    let busy = build(folder.path(), rules, 4);
    assert!(matches!(busy, Err(TablebaseError::Busy(path)) if path == folder.path()));
    assert!(left_behind.exists());
    drop(other);
    build(folder.path(), rules, 4).unwrap();
    assert!(!left_behind.exists());
    assert_eq!(contents(folder.path()).len(), 5);
}

#[test]
fn what_cannot_fit_is_refused() {
    let rules = rules(6, Capture::Standard);
    let folder = TempDir::new().unwrap();
    assert_eq!(positions(6, 20), Some(225_792_840));
    assert!(
        memory_to_build(6, 20).unwrap() > positions(6, 20).unwrap() + positions(6, 19).unwrap()
    );
    let error = build(folder.path(), rules, 60);
    assert!(matches!(error, Err(TablebaseError::NotEnoughMemory { seeds: 60, .. })), "{error:?}");
    assert!(matches!(build(folder.path(), rules, 101), Err(TablebaseError::Seeds(101))));
    assert!(contents(folder.path()).is_empty());
    let path = folder.path().join("not/there/yet");
    let mut needs = BuildNeeds::new(rules, 10, Some(&path)).unwrap();
    assert_eq!(needs.disk_missing, bytes_of_layers(6, 10));
    needs.check().unwrap();
    needs.disk_available = Some(needs.disk_missing - 1);
    assert!(matches!(needs.check(), Err(TablebaseError::NotEnoughDisk { .. })));
    needs.disk_available = Some(needs.disk_missing);
    needs.check().unwrap();
    build(folder.path(), rules, 8).unwrap();
    let needs = BuildNeeds::new(rules, 8, Some(folder.path())).unwrap();
    assert_eq!((needs.memory, needs.disk_missing), (0, 0));
    assert_eq!(needs.present, needs.positions);
}

fn verified(folder: &Path, rules: Rules, amount: Coverage) -> VerifyReport {
    verify(folder, rules, amount, THREADS, &StopToken::new(), &|_| ()).unwrap()
}

#[test]
fn wrong_gains_are_found_whatever_the_checksums() {
    const SEEDS: u32 = 9;
    for rule_set in RuleSet::ALL {
        let folder = TempDir::new().unwrap();
        let rules = rules(4, rule_set);
        build(folder.path(), rules, SEEDS).unwrap();
        let all = verified(folder.path(), rules, Coverage::All);
        assert_eq!(Some(all.gains), positions(4, SEEDS));
        assert!(all.errors.is_empty() && all.unverified.is_empty());
        assert_eq!(all.layers, (0..=SEEDS).collect::<Vec<_>>());
        let some = Coverage::Samples { per_layer: 100, seed: 1 };
        let some = verified(folder.path(), rules, some);
        assert!(some.errors.is_empty());
        assert_eq!(some.gains, 1 + 8 + 36 + 7 * 100);

        // In the last layer, where no other gain depends on this one but those of a single turn.
        let (own, opponent) = ([1, 0, 2, 0], [3, 0, 2, 1]);
        let path = file_of(folder.path(), rules, SEEDS);
        let mut file = TableFile(fs::read(&path).unwrap());
        let entry = entry(&own, &opponent);
        let right = file.gain(entry);
        let wrong = if right == 9 { 7 } else { right + 2 };
        file.set_gain(entry, wrong);
        file.seal();
        fs::write(&path, &file.0).unwrap();
        for amount in [Coverage::All, Coverage::Samples { per_layer: 1 << 40, seed: 1 }] {
            let faults = verified(folder.path(), rules, amount).errors;
            let [TablebaseError::File { path: named, source }] = &faults[..] else {
                panic!("{faults:?}")
            };
            assert_eq!(*named, path);
            let TablebaseFileError::Gains { wrong: count, .. } = source else {
                panic!("{source:?}")
            };
            assert!((1..6).contains(count), "{source}");
            let text = format!("{wrong:+} instead of {right:+}");
            // Another one may come before it, whose moves lead to it.
            assert!(*count > 1 || source.to_string().contains(&text), "{source}");
            assert!(*count > 1 || source.to_string().contains("<4,0,0,1,0,2,0,3,0,2,1> S"));
        }
    }
}

#[test]
fn bits_that_belong_to_no_entry_are_zero() {
    let folder = TempDir::new().unwrap();
    let rules = rules(2, Capture::Standard);
    build(folder.path(), rules, 16).unwrap();
    // Four entries of 4 bits in a word, or three of 5 bits and one bit without an entry.
    for (seeds, bit) in [(15, None), (16, None), (16, Some(0x80))] {
        let path = file_of(folder.path(), rules, seeds);
        let whole = fs::read(&path).unwrap();
        let mut file = TableFile(whole.clone());
        match bit {
            // The second byte of the first word.
            Some(bit) => file.0[4097] |= bit,
            None => file.0[8191] |= 1,
        }
        file.seal();
        fs::write(&path, file.0).unwrap();
        let errors = verified(folder.path(), rules, Coverage::All).errors;
        let [error] = <[TablebaseError; 1]>::try_from(errors).unwrap();
        let damage = fault(Err::<(), _>(error), &path);
        assert!(matches!(damage, TablebaseFileError::Block(0)), "{seeds}: {damage:?}");
        fs::write(&path, whole).unwrap();
    }
    assert!(verified(folder.path(), rules, Coverage::All).errors.is_empty());
}

#[test]
fn a_gain_that_cannot_be_is_named_once() {
    let folder = TempDir::new().unwrap();
    let rules = rules(4, Capture::Standard);
    build(folder.path(), rules, 6).unwrap();
    let path = file_of(folder.path(), rules, 3);
    let mut file = TableFile(fs::read(&path).unwrap());
    file.set_gain(0, 5);
    file.seal();
    fs::write(&path, file.0).unwrap();
    let found = verified(folder.path(), rules, Coverage::All);
    assert_eq!(found.unverified, [4, 5, 6]);
    let [error] = <[TablebaseError; 1]>::try_from(found.errors).unwrap();
    assert!(matches!(fault(Err::<(), _>(error), &path), TablebaseFileError::Entry(0)));
}

#[test]
fn verification_names_all_that_is_wrong() {
    let folder = TempDir::new().unwrap();
    let rules = rules(4, Capture::Standard);
    build(folder.path(), rules, 10).unwrap();
    let path = |seeds| file_of(folder.path(), rules, seeds);
    let spoil = |seeds, at: usize| {
        let mut bytes = fs::read(path(seeds)).unwrap();
        bytes[at] ^= 1;
        fs::write(path(seeds), bytes).unwrap();
    };
    spoil(5, 0);
    spoil(7, 5000);
    fs::remove_file(path(9)).unwrap();
    for name in ["4-standard-07", "9-standard-3", "6-standard-101", "6-red-3", "6-standard"] {
        fs::write(folder.path().join(format!("kalah-{name}.ktb")), "?").unwrap();
    }
    let found = verified(folder.path(), rules, Coverage::All);
    assert_eq!(found.layers, [0, 1, 2, 3, 4, 5, 6, 7, 8, 10]);
    assert_eq!(found.unverified, [6, 8, 10]);
    assert_eq!(Some(found.gains), positions(4, 4));
    let [one, two, three] = <[TablebaseError; 3]>::try_from(found.errors).unwrap();
    assert!(matches!(three, TablebaseError::MissingLayer { seeds: 9, .. }));
    assert!(matches!(
        fault(Err::<(), _>(one), &path(5)),
        TablebaseFileError::Header(FileHeaderError::Magic(_))
    ));
    assert!(matches!(fault(Err::<(), _>(two), &path(7)), TablebaseFileError::Block(0)));

    let files = survey(folder.path()).unwrap();
    let state = |file: &kalah::tablebase::SurveyedFile| {
        (file.layer.map(|(_, seeds)| seeds), file.contents.is_ok())
    };
    let states: Vec<_> = files.iter().map(state).collect();
    let mut expected: Vec<_> =
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 10].map(|seeds| (Some(seeds), seeds != 5)).into();
    expected.extend([(None, false); 5]);
    assert_eq!(states, expected);

    let stop = StopToken::new();
    let stopped = verify(folder.path(), rules, Coverage::All, THREADS, &stop, &|_| stop.stop());
    assert!(matches!(stopped, Err(TablebaseError::Stopped)));
}
