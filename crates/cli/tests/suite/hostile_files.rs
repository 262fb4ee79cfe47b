//! Files that change under a running program, and files that are none.

use std::fs::{self, File, OpenOptions};
use std::num::NonZeroUsize;
use std::path::Path;

use kalah::FileHeaderError;
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
    let sowings = Sowings::<u64>::from_rules(Rules::new(6, Capture::Standard).unwrap()).unwrap();
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
                source: TablebaseFileError::Header(FileHeaderError::Length { found: 5000, .. }),
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

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;
    use std::path::PathBuf;
    use std::process::Command;

    use rustix::process::Signal;

    use super::*;

    fn make_fifo(path: &Path) {
        assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
    }

    /// A FIFO, a socket, a device, a directory and a link to itself, with what is said of each.
    fn not_files(folder: &Path) -> Vec<(PathBuf, &'static str)> {
        let path = |name: &str| folder.join(name);
        make_fifo(&path("fifo"));
        drop(UnixListener::bind(path("socket")).unwrap());
        fs::create_dir(path("directory")).unwrap();
        symlink("loop", path("loop")).unwrap();
        vec![
            (path("fifo"), "a FIFO, not a regular file"),
            (path("socket"), "a socket, not a regular file"),
            (PathBuf::from("/dev/zero"), "a device, not a regular file"),
            (path("directory"), "a directory, not a regular file"),
            (path("loop"), "symbolic link"),
        ]
    }

    fn run(arguments: &str, folder: &Path, file: &Path) -> Session {
        let arguments = arguments.replace("DIR", &folder.display().to_string());
        let arguments = arguments.replace("FILE", &file.display().to_string());
        Session::run(&arguments.split(' ').collect::<Vec<_>>())
    }

    #[test]
    fn what_is_no_file_is_refused_at_once() {
        const PLAYERS: &str = "match --engine builtin=negascout --engine builtin=minimax \
                               --each depth=1 --games 2 --record";
        let players = |rest: &str| format!("{PLAYERS} {rest}");
        let commands = [
            "solve --seeds 2 --checkpoint FILE".to_owned(),
            "solve --seeds 2 --proof FILE".to_owned(),
            "verify-proof FILE".to_owned(),
            "solve --table 2 2 --csv FILE".to_owned(),
            "fair --houses 1 --csv FILE".to_owned(),
            "fair --houses 1 --checkpoint FILE".to_owned(),
            "lab values FILE DIR/values.svg".to_owned(),
            "book build FILE --seeds 1".to_owned(),
            "book merge DIR/none FILE".to_owned(),
            "book info FILE".to_owned(),
            "book verify FILE".to_owned(),
            "train --out FILE --houses 4 --seeds 3".to_owned(),
            "lab ordering --positions 1 --depth 3 --csv FILE".to_owned(),
            players("FILE"),
            players("DIR/games --report FILE"),
            "merge DIR/none --output FILE".to_owned(),
            "serve --listen 127.0.0.1:0 --store FILE".to_owned(),
            "serve --listen 127.0.0.1:0 --book FILE".to_owned(),
        ];
        let folder = TempDir::new().unwrap();
        for (file, why) in not_files(folder.path()) {
            for command in &commands {
                let ended = run(command, folder.path(), &file).wait();
                let story = format!("{command} with {}: {}", file.display(), ended.errors);
                assert_eq!(ended.status.code(), Some(1), "{story}");
                assert!(ended.errors.contains(why), "{story}");
            }
            let mut session = Session::start();
            for option in ["EvalFile", "Log File", "Book"] {
                let reason =
                    session.refused(&format!("setoption name {option} value {}", file.display()));
                assert!(reason.contains(why), "{option}: {reason}");
            }
            let tables = TempDir::new().unwrap();
            symlink(&file, tables.path().join(layer_name(0))).unwrap();
            let tables = tables.path();
            let reason =
                session.refused(&format!("setoption name Tablebase value {}", tables.display()));
            assert!(reason.contains(why), "{reason}");
            session.quit();
            for command in [
                "info FILE",
                "verify FILE",
                "build FILE --seeds 2",
                "probe FILE --fen <6,0,0,0,0,0,0,0,1,0,0,0,0,0,1>",
            ] {
                let ended = run(&format!("tablebase {command}"), folder.path(), tables).wait();
                assert_eq!(ended.status.code(), Some(1), "{command}");
                assert!(ended.errors.contains(why), "{command}: {}", ended.errors);
            }
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 4, "nothing was written");
    }

    #[test]
    fn a_signal_ends_the_wait_for_a_pipe() {
        let folder = TempDir::new().unwrap();
        let fifo = folder.path().join("fifo");
        make_fifo(&fifo);
        let terminate = |session: &mut Session| {
            session.signal(Signal::TERM);
            assert!(!session.wait().status.success());
        };
        terminate(&mut run("solve --input FILE", folder.path(), &fifo));
        terminate(&mut run("standing FILE", folder.path(), &fifo));
        let mut session = run("solve --input -", folder.path(), &fifo);
        session.send("<6,0,0,0,0,0,0,0,1,0,0,0,0,0,1>");
        session.line();
        terminate(&mut session);
        terminate(&mut run("games FILE", folder.path(), &fifo));
        // A pipe with a writer is as good as a file.
        let mut session = run("games FILE", folder.path(), &fifo);
        fs::write(&fifo, "CF a E").unwrap();
        assert_eq!(session.wait_for_success().len(), 2);
        let words = "match --engine builtin=pvs --engine builtin=mtdf --each depth=1 --games 2 \
                     --openings file=FILE --json";
        let mut session = run(words, folder.path(), &fifo);
        fs::write(&fifo, "\u{feff}# a board\r<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S\r").unwrap();
        session.wait_for_success();
        let mut session = run("solve --input FILE", folder.path(), &fifo);
        fs::write(&fifo, "<6,0,0,0,0,0,0,0,1,0,0,0,0,0,1>\n").unwrap();
        assert_eq!(session.wait_for_success().len(), 1);
    }

    #[test]
    fn lines_and_files_without_end_are_refused() {
        let folder = TempDir::new().unwrap();
        for command in ["solve --input FILE", "standing FILE", "merge FILE --output DIR/out"] {
            let ended = run(command, folder.path(), Path::new("/dev/zero")).wait();
            assert_eq!(ended.status.code(), Some(1), "{command}: {}", ended.errors);
            assert!(ended.errors.contains("line 1: longer than "), "{command}: {}", ended.errors);
        }
        let file = folder.path().join("large");
        File::create(&file).unwrap().set_len(1 << 40).unwrap();
        let mut session = Session::start();
        let reason = session.refused(&format!("setoption name EvalFile value {}", file.display()));
        assert!(reason.contains("has 1099511627776 bytes, but no more than "), "{reason}");
        session.quit();
    }
}
