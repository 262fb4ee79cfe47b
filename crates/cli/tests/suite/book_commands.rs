//! `kalah book` as people use it.

use std::fs;
use std::path::Path;

use kalah::file_lock::NameLock;
use tempfile::TempDir;

use crate::book_file::BookFile;
use crate::command_line::assert_refused;
use crate::session::{Ended, Session};

fn run(arguments: &[&str]) -> Ended {
    Session::run(&[&["book"], arguments].concat()).wait()
}

#[track_caller]
fn output(arguments: &[&str]) -> Vec<String> {
    Session::run(&[&["book"], arguments].concat()).wait_for_success()
}

const BOARD: [&str; 4] = ["--houses", "4", "--seeds", "3"];

/// A folder, and paths in it.
fn folder() -> (TempDir, impl Fn(&str) -> String) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().to_owned();
    (folder, move |name| path.join(name).to_str().unwrap().to_owned())
}

#[track_caller]
fn build(path: &str, more: &[&str]) -> String {
    let output =
        output(&[&["build", path, "--threads", "1", "--hash", "16"], &BOARD[..], more].concat());
    assert_eq!(output.len(), 1, "{output:#?}");
    output[0].clone()
}

#[test]
fn a_book_is_built_described_probed_and_verified() {
    let (_keep, path) = folder();
    let book = path("book.kbk");
    let built = build(&book, &["--plies", "2"]);
    assert!(
        built.starts_with("complete: 5 positions in 1,104 bytes; 5 reached, 5 solved"),
        "{built}"
    );
    let built = build(&book, &["--plies", "3"]);
    assert!(built.contains(" reached, ") && !built.contains(" 0 solved"), "{built}");
    let again = build(&book, &["--plies", "3"]);
    assert!(again.contains(" reached, 0 solved in"), "{again}");
    let info = output(&["info", &book]);
    assert_eq!(info[0], "rules     4 houses, standard capture");
    assert_eq!(info[1], "seeds     at most 24 in the houses");
    assert!(info[2].starts_with("positions "), "{info:#?}");

    let fen = "<4,0,0,3,3,3,3,3,3,3,3>";
    let text = output(&["probe", &book, fen]);
    let solved = Session::run(&["solve", "--fen", fen, "--moves", "--json"]).wait_for_success();
    let solved: serde_json::Value = serde_json::from_str(&solved[0]).unwrap();
    let json = output(&["probe", &book, fen, "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json[0]).unwrap();
    for field in ["fen", "capture", "margin", "moves"] {
        assert_eq!(json[field], solved[field], "{field}");
    }
    assert!(text.contains(&format!("margin {:+}", json["margin"].as_i64().unwrap())), "{text:#?}");

    let verified = output(&["verify", &book, "--threads", "1"]);
    assert!(verified[0].ends_with(", no errors"), "{verified:#?}");
    let verified = output(&["verify", &book, "--sample", "2", "--seed", "7"]);
    assert_eq!(verified[0], "seed 7");
    assert!(verified[1].contains(" 2 positions solved again in "), "{verified:#?}");
    // The book of the program.
    assert_eq!(output(&["info"])[0], "rules     6 houses, standard capture");
    assert!(output(&["verify", "--sample", "0"])[1].ends_with("no errors"));
}

#[test]
fn books_are_merged() {
    let (_keep, path) = folder();
    let (first, second, both) = (path("first"), path("second"), path("both"));
    build(&first, &["--positions", "10"]);
    build(&second, &["--plies", "3"]);
    let merged = output(&["merge", &both, &first, &second]);
    assert!(merged[0].ends_with(" in 2 books"), "{merged:#?}");
    let verified = output(&["verify", &both]);
    assert!(verified[0].ends_with(", no errors"), "{verified:#?}");
}

#[test]
fn wrong_books_are_named_and_left_as_they_are() {
    let (_keep, path) = folder();
    let (book, missing) = (path("book.kbk"), path("missing"));
    build(&book, &["--plies", "3"]);
    let whole = fs::read(&book).unwrap();
    let mut wrong = BookFile(whole.clone());
    let entry = wrong.entries()[1].clone();
    wrong.set_level(&entry, entry.level + 1);
    wrong.make_checksums_right();
    fs::write(&book, &wrong.0).unwrap();
    let Ended { status, errors, .. } = run(&["verify", &book]);
    assert_eq!(status.code(), Some(1), "{errors}");
    assert!(errors.contains(" instead of "), "{errors}");

    let torn = path("torn");
    fs::write(&torn, &whole[..whole.len() - 1]).unwrap();
    let text = path("text");
    fs::write(&text, "not a book").unwrap();
    for (file, why) in [(&torn, "bytes instead of"), (&text, "not a book file"), (&missing, "")] {
        for action in ["info", "verify"] {
            assert_refused(&["book", action, file], 1, why);
        }
        assert_refused(&["book", "probe", file, "<4,0,0,3,3,3,3,3,3,3,3>"], 1, why);
        assert_refused(&["book", "merge", &path("out"), file], 1, why);
        if file != &missing {
            let before = fs::read(file).unwrap();
            assert_refused(&["book", "build", file, "--seeds", "2"], 1, why);
            assert_eq!(fs::read(file).unwrap(), before);
        }
    }
    fs::write(&book, &whole).unwrap();
    let cases: [(&[&str], i32, &str); 8] = [
        (&["build", &book, "--seeds", "2"], 1, "the book is for 4 houses, standard capture"),
        (&["build", "/no/such/folder/book", "--seeds", "2"], 1, "/no/such/folder/book"),
        (&["build", &missing, "--houses", "13"], 2, "13"),
        (&["build", &missing, "--seeds", "80"], 1, "too many seeds"),
        (&["probe", &book, "garbage"], 2, "garbage"),
        (&["probe", &book, "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>"], 2, "4 houses"),
        (&["probe", &book, "<4,0,0,1,1,1,1,9,9,1,1>"], 1, "does not have"),
        (&["verify", &book, "--seed", "2"], 2, "--sample"),
    ];
    for (arguments, code, why) in cases {
        assert_refused(&[&["book"], arguments].concat(), code, why);
    }
    assert_eq!(fs::read(&book).unwrap(), whole);
}

#[test]
fn a_book_that_another_process_builds_is_left_alone() {
    let (folder, path) = folder();
    let book = path("book.kbk");
    let lock = NameLock::new(Path::new(&book)).unwrap();
    let words = ["book", "build", &book, "--seeds", "2"];
    assert_refused(&words, 1, "another process is writing to");
    drop(lock);
    build(&book, &["--plies", "2"]);
    let lock = NameLock::new(Path::new(&book)).unwrap();
    assert_refused(&["book", "merge", &book, &book], 1, "another process is writing to");
    drop(lock);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}
