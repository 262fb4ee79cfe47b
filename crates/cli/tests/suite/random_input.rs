//! Input made by chance, most of it nearly right.

use proptest::prelude::*;

use crate::hostile_input::session;
use crate::runs::runs;
use crate::session::Session;

/// Commands that can be obeyed, to be bent. None names a Hash: tables of all sizes are lawful.
const COMMANDS: [&str; 19] = [
    "uci",
    "ucinewgame",
    "stop",
    "ponderhit",
    "d",
    "eval",
    "debug off",
    "setoption name Threads value 2",
    "setoption name MultiPV value 4",
    "setoption name Move Overhead value 7",
    "setoption name Houses value 3",
    "setoption name Seeds value 5",
    "setoption name Capture value standard",
    "position startpos moves C F b",
    "position startpos moves CFb",
    "position fen <6,1,0,4,4,0,5,5,5,4,4,4,4,4,4> S moves Fb",
    "go depth 5 nodes 1000 movetime 10 searchmoves A B",
    "go stime 10 ntime 20 sinc 1 ninc 2 movestogo 3 ponder",
    "go perft 3",
];

/// A change to a line, at a place of it.
#[derive(Clone, Debug)]
enum Change {
    Drop,
    Insert(char),
    DropWord,
    RepeatWord,
    ReplaceWord(&'static str),
}

fn changes() -> impl Strategy<Value = Change> {
    const WORDS: [&str; 12] = [
        "0",
        "-1",
        "255",
        "1e9",
        "99999999999999999999",
        "infinite",
        "value",
        "moves",
        "<1,0,0,1,1>",
        "A",
        "N",
        "name",
    ];
    prop_oneof![
        Just(Change::Drop),
        any::<char>().prop_map(Change::Insert),
        prop::char::range(' ', '~').prop_map(Change::Insert),
        Just(Change::DropWord),
        Just(Change::RepeatWord),
        prop::sample::select(&WORDS[..]).prop_map(Change::ReplaceWord),
    ]
}

fn changed(line: &str, change: &Change, place: prop::sample::Index) -> String {
    let mut letters: Vec<char> = line.chars().collect();
    let mut words: Vec<&str> = line.split(' ').collect();
    let (letter, word) = (place.index(letters.len().max(1)), place.index(words.len()));
    match *change {
        Change::Drop if letters.is_empty() => {}
        Change::Drop => drop(letters.remove(letter)),
        Change::Insert(new) => letters.insert(letter, new),
        Change::DropWord => drop(words.remove(word)),
        Change::RepeatWord => words.insert(word, words[word]),
        Change::ReplaceWord(new) => words[word] = new,
    }
    match change {
        Change::Drop | Change::Insert(_) => letters.into_iter().collect(),
        _ => words.join(" "),
    }
}

/// Lines that are nearly commands.
fn bent_commands() -> impl Strategy<Value = Vec<u8>> {
    let changes = prop::collection::vec((changes(), any::<prop::sample::Index>()), 0..4);
    (prop::sample::select(&COMMANDS[..]), changes).prop_map(|(line, changes)| {
        let bent = changes
            .iter()
            .fold(line.to_owned(), |line, (change, place)| changed(&line, change, *place));
        bent.into_bytes()
    })
}

fn lines() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        8 => bent_commands(),
        1 => any::<String>().prop_map(String::into_bytes),
        1 => prop::collection::vec(any::<u8>(), 0..80),
    ]
    .prop_map(|line| line.into_iter().filter(|&byte| !matches!(byte, b'\n' | b'\r')).collect())
}

/// Sends a line, stops what it may have begun, and checks what was said and done.
fn hear_one(session: &mut Session, line: &[u8]) {
    let count =
        |lines: &[String], start: &str| lines.iter().filter(|line| line.starts_with(start)).count();
    let before = session.display();
    session.send_bytes(line);
    session.send_bytes(b"\n");
    let mut heard = session.sync();
    let errors = count(&heard, "info string error: ");
    session.send("stop");
    heard.extend(session.sync());
    let answers = count(&heard, "bestmove ");
    let text = String::from_utf8_lossy(line);
    let is_go = text.split_ascii_whitespace().next() == Some("go");
    assert!(errors <= 1, "{text:?}: {heard:#?}");
    assert_eq!(answers, usize::from(is_go && errors == 0), "{text:?}: {heard:#?}");
    if errors > 0 {
        assert_eq!(session.display(), before, "{text:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: runs(8, 2_000) as u32, ..ProptestConfig::default() })]

    #[test]
    fn anything_at_all(lines in prop::collection::vec(lines(), 1..100)) {
        let mut session = session();
        for line in &lines {
            hear_one(&mut session, line);
        }
        session.quit();
    }
}
