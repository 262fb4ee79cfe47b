//! What the products share with the library: threads, stops, locks of files and text from outside.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};
use std::{fs, io};

use kalah::board::Capture;
use kalah::engine::Engine;
use kalah::file_lock::{FileLock, NameLock};
use kalah::parallel::{for_each, map, try_map_with};
use kalah::printable::{
    is_printable, printable, printable_json, printable_lines, spreadsheet_text,
};
use kalah::search::{Limits, PonderHit};
use kalah::{Board, StopToken};

fn threads(number: usize) -> NonZeroUsize {
    NonZeroUsize::new(number).unwrap()
}

#[test]
fn every_item_is_worked_on_once_and_results_keep_their_order() {
    for number in [1, 2, 7] {
        for items in [0, 1, 2, 1000] {
            let mut seen = vec![0; items];
            for_each(threads(number), seen.iter_mut(), |count| *count += 1);
            assert!(seen.iter().all(|&count| count == 1));
            let squares = map(threads(number), 0..items, |i| i * i);
            assert!(squares.iter().enumerate().all(|(i, &square)| square == i * i));
            assert_eq!(squares.len(), items);
        }
    }
}

#[test]
fn the_first_failure_in_order_is_returned() {
    for number in [1, 3] {
        let odd = |(): &mut (), i: i32| if i % 100 == 57 { Err(i) } else { Ok(i) };
        assert_eq!(try_map_with(threads(number), 0..1000, || (), odd), Err(57));
    }
}

#[test]
fn a_thread_keeps_its_state() {
    let count = |state: &mut u32, _| {
        *state += 1;
        Ok::<u32, ()>(*state)
    };
    assert_eq!(try_map_with(threads(1), 0..3, || 0, count), Ok(vec![1, 2, 3]));
}

#[test]
fn a_stop_reaches_descendants_but_not_the_parent() {
    let root = StopToken::new();
    let (first, second) = (root.child(), root.child());
    let grandchild = first.child();
    first.stop();
    assert!(first.is_stopped() && grandchild.is_stopped());
    assert!(!root.is_stopped() && !second.is_stopped());
    root.stop();
    assert!(second.is_stopped());
    assert!(root.child().is_stopped(), "a child of a stopped token is stopped");
}

#[test]
fn a_deadline_holds_for_children_and_stays() {
    let root = StopToken::new();
    let child = root.child();
    root.set_deadline(Instant::now());
    root.set_deadline(Instant::now() + Duration::from_hours(1));
    assert!(child.is_stopped() && !child.was_stopped());
    assert_eq!(child.remaining(), Some(Duration::ZERO));
    child.wait();
    assert!(StopToken::new().child_with_timeout(Duration::ZERO).is_stopped());
    assert!(!StopToken::new().child_with_timeout(Duration::MAX).is_stopped());
}

#[test]
fn a_waiting_thread_wakes() {
    let root = StopToken::new();
    let child = root.child();
    std::thread::scope(|scope| {
        scope.spawn(|| child.wait());
        root.stop();
    });
    assert!(child.signal().recv().is_err());
}

/// An infinite and a pondering search whose position is proven at once wait for a stop that only a poll tells.
#[test]
fn what_is_polled_ends_a_wait() -> Result<(), Box<dyn std::error::Error>> {
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    let board = Board::from_fen("<2,0,0,1,1,1,1> S", Capture::Standard)?;
    let ponder = Some(PonderHit::new());
    for limits in
        [Limits { infinite: true, ..Limits::default() }, Limits { ponder, ..Limits::default() }]
    {
        CALLS.store(0, Relaxed);
        let stop = StopToken::with_poll(|| CALLS.fetch_add(1, Relaxed) >= 20);
        Engine::new()?.go(&board, &limits, &stop, |_| {})?;
        assert!(stop.was_stopped());
    }
    Ok(())
}

#[cfg(unix)]
#[test]
fn a_copy_of_the_open_file_in_another_process_does_not_keep_the_lock() -> io::Result<()> {
    let file = tempfile::NamedTempFile::new()?;
    let lock = || Ok::<_, io::Error>(FileLock::new(file.reopen()?));
    let locked = lock()?.ok_or(io::ErrorKind::WouldBlock)?;
    // As a process has it between `fork` and `exec`.
    let copy = locked.try_clone()?;
    assert!(lock()?.is_none());
    drop(locked);
    assert!(lock()?.is_some());
    drop(copy);
    Ok(())
}

#[test]
fn a_locked_name_is_refused_until_it_is_released_and_leaves_no_file() -> io::Result<()> {
    let folder = tempfile::tempdir()?;
    let files = || fs::read_dir(folder.path())?.map(|entry| Ok(entry?.path())).collect();
    let files = || -> io::Result<Vec<_>> { files() };
    // As long as names may be.
    let path = folder.path().join("b".repeat(255));
    let locked = NameLock::new(&path)?.ok_or(io::ErrorKind::WouldBlock)?;
    let stale = files()?;
    assert!(NameLock::new(&path)?.is_none());
    assert!(NameLock::new(&folder.path().join("other.kbk"))?.is_some());
    drop(locked);
    assert!(files()?.is_empty());
    // A process that was killed leaves its file, which is no lock.
    fs::write(&stale[0], "")?;
    assert!(NameLock::new(&path)?.is_some());
    assert!(files()?.is_empty());
    Ok(())
}

#[test]
fn nothing_that_a_terminal_obeys_is_left() {
    for c in '\0'..=char::MAX {
        let shown = printable(c.encode_utf8(&mut [0; 4])).into_owned();
        assert!(shown.chars().all(is_printable) && !shown.is_empty(), "{shown:?}");
        assert_eq!(shown.chars().eq([c]), is_printable(c), "{shown:?}");
    }
    assert_eq!(
        printable("é 中 '\"\\ \u{1b}[2J\u{9b}\u{202e}\n"),
        "é 中 '\"\\ \\u{1b}[2J\\u{9b}\\u{202e}\\n"
    );
    assert_eq!(printable_lines("a\nb\r"), "a\nb\\r");
}

#[test]
fn escaped_json_has_the_same_value() {
    let json = "[\"\u{7f}\u{9b}\u{202e}\u{e0001}é\",\t1]\n";
    let escaped = printable_json(json);
    assert_eq!(escaped, "[\"\\u007f\\u009b\\u202e\\udb40\\udc01é\",\t1]\n");
}

#[test]
fn a_cell_is_no_formula() {
    for text in ["=1+1", "+1", "-1", "@x", "\t=1", "\r=1"] {
        assert!(spreadsheet_text(text).starts_with('\''), "{text:?}");
    }
    assert_eq!(spreadsheet_text("a=b"), "a=b");
}
