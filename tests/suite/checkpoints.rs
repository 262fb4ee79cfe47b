//! The files of checkpoints: their owner, and what a crash leaves of them.

use std::fs;

use kalah::board::Rules;
use kalah::solve::{Checkpoint, CheckpointError};

const HEADER: usize = 16;
const RECORD: usize = 16;

/// Bytes with their checksum.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

/// A record of a position with four seeds, and bounds that say nothing.
fn record(hash: u64) -> Vec<u8> {
    sealed([&hash.to_le_bytes()[..], &[4, 0, 4, 0]].concat())
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_its_owner_removes_is_not_written_to() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("checkpoint");
    let open = || Checkpoint::open(&path, Rules::default());
    let handles = || {
        let all = fs::read_dir("/proc/self/fd").into_iter().flatten().flatten();
        all.filter(|handle| fs::read_link(handle.path()).is_ok_and(|file| file == path)).count()
    };
    let first = open().unwrap();
    std::thread::scope(|scope| {
        let second = scope.spawn(|| open().map(|_checkpoint| path.exists()));
        while handles() < 2 && !second.is_finished() {
            std::thread::yield_now();
        }
        drop(first);
        // On a slow machine it may have given up before.
        assert!(matches!(second.join(), Ok(Ok(true) | Err(CheckpointError::Busy))));
    });
}

#[test]
fn what_a_crash_has_not_written_is_cut_off() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("checkpoint");
    let header = sealed([&b"\x89KBD\r\n\x1a\n"[..], &[4, 0, 6, 0]].concat());
    let whole = [header, record(1)].concat();
    let hole = [&whole[..], &[0; 3 * RECORD], &record(2)].concat();
    let mut wrong = [&whole[..], &record(2), &record(3)].concat();
    wrong[HEADER + RECORD] ^= 1;
    for (bytes, is_read) in [(hole, true), (wrong, false)] {
        fs::write(&path, &bytes).unwrap();
        assert_eq!(Checkpoint::open(&path, Rules::default()).is_ok(), is_read);
        let expected = if is_read { &whole } else { &bytes };
        assert_eq!(fs::read(&path).unwrap(), *expected);
    }
}
