//! Invalid commands.

use super::check::Check;

pub(super) fn checks() -> Vec<Check> {
    vec![
        Check::refused("errors.unknown", &["hello", "1", "<3,0,0,1,1,1,1,1,1>", "bestmove A", "é"]),
        Check::refused(
            "errors.incomplete",
            &["debug", "position", "position fen", "go depth", "go searchmoves"],
        ),
        Check::refused("errors.extra-words", &EXTRA_WORDS),
        Check::refused("errors.go", &INVALID_GO),
        refused_while_searching("go.searching", &["go nodes 10", "go infinite", "go perft 1"]),
        refused_while_searching("ucinewgame.searching", &["ucinewgame"]),
        refused_while_searching(
            "errors.undisturbed",
            &["hello", "go depth 0", "position startpos moves X", "setoption"],
        ),
    ]
}

const EXTRA_WORDS: [&str; 8] = [
    "isready now",
    "uci 2",
    "d 3",
    "debug on off",
    "debug maybe",
    "position startpos C",
    "position moves C",
    "quit now",
];

const INVALID_GO: [&str; 15] = [
    "go quickly",
    "go depth 0",
    "go depth 256",
    "go depth x",
    "go depth 1 depth 2",
    "go nodes 0",
    "go nodes -1",
    "go movetime",
    "go movetime 1.5",
    "go movestogo 0",
    "go searchmoves A G nodes 100",
    "go searchmoves depth 3",
    "go perft 256",
    "go perft 2 nodes 100",
    "go nodes 100 3",
];

fn refused_while_searching(id: &'static str, commands: &'static [&'static str]) -> Check {
    Check::new(id, move |engine| {
        engine.send("go infinite");
        for command in commands {
            engine.expect_refused(command)?;
        }
        engine.stop().map(drop)
    })
}
