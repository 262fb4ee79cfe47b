//! Files that change under a running program, and files that are none.

use std::fs::{self, OpenOptions};
use std::num::NonZeroUsize;
use std::path::Path;

use kalah::StopToken;
use kalah::board::{Capture, Position, Rules, Sowings};
use kalah::tablebase::{TablebaseError, TablebaseFileError, TablebaseFiles};
use tempfile::TempDir;

use crate::session::Session;

const TABLE_SEEDS: u32 = 13;

/// Builds tables with more seeds than an engine has in memory.
fn built(folder: &Path) -> TablebaseFiles {
    let threads = NonZeroUsize::new(2).unwrap();
    let stop = StopToken::new();
    TablebaseFiles::build(folder, Rules::default(), TABLE_SEEDS, threads, &stop, &|_| ()).unwrap()
}

fn layer_name(seeds: u32) -> String {
    format!("kalah-6-standard-{seeds}.ktb")
}

fn truncate(path: &Path) {
    OpenOptions::new().write(true).open(path).unwrap().set_len(5000).unwrap();
}

#[test]
fn an_open_table_may_be_truncated_or_removed() {
    let folder = TempDir::new().unwrap();
    let files = built(folder.path());
    let sowings = Sowings::<u64>::of(Rules::new(6, Capture::Standard).unwrap()).unwrap();
    // The first and the last position of a layer: the mover has no seeds, or all of them.
    let gain = |seeds: u16, is_last: bool| {
        let mut rows = [[0; 6], [0, 0, 0, 0, 0, seeds]];
        rows.rotate_left(is_last.into());
        files.gain_of_position(&Position::new(sowings, &rows[0], &rows[1]).unwrap())
    };
    assert_eq!(gain(13, false).unwrap(), Some(-13));
    for seeds in [12, 13] {
        truncate(&folder.path().join(layer_name(seeds)));
    }
    // What has been read stays.
    assert_eq!(gain(13, false).unwrap(), Some(-13));
    for seeds in [12, 13] {
        match gain(seeds, true) {
            Err(TablebaseError::File {
                path,
                source: TablebaseFileError::Length { found: 5000, .. },
            }) => assert_eq!(path, folder.path().join(layer_name(seeds.into()))),
            other => panic!("{other:?}"),
        }
        assert!(gain(seeds, true).is_err());
    }
    fs::remove_file(folder.path().join(layer_name(11))).unwrap();
    assert!(gain(11, true).is_err());
    assert_eq!(gain(10, true).unwrap(), Some(10));
}

#[test]
fn an_engine_goes_on_without_tables_that_shrink() {
    let folder = TempDir::new().unwrap();
    built(folder.path());
    let mut session = Session::start();
    session.send(&format!("setoption name Tablebase value {}", folder.path().display()));
    // A seed more than in the table in memory, and moves that win none.
    let fen = "position fen <6,0,0,1,2,3,1,0,0,0,2,1,3,0,0>";
    session.send(fen);
    let proven = session.go("depth 1");
    assert!(proven.last().is_proven());
    for seeds in [12, 13] {
        truncate(&folder.path().join(layer_name(seeds)));
    }
    // Of another part of the file.
    session.send("position fen <6,0,0,1,1,0,0,0,0,2,2,2,2,2,1>");
    let answer = session.go("depth 1");
    assert!(!answer.last().is_proven(), "{answer:?}");
    session.send("position startpos");
    assert_eq!(session.go("depth 12").last().number("depth"), 12);
    session.send("quit");
    let ended = session.wait();
    assert!(ended.status.success());
    let of_layer = |seeds| {
        let name = folder.path().join(layer_name(seeds)).display().to_string();
        ended.errors.lines().filter(|line| line.contains(&format!("'{name}': "))).count()
    };
    assert_eq!(of_layer(13), 1, "{}", ended.errors);
    assert!(of_layer(12) <= 1, "{}", ended.errors);
}
