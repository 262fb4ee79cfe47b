//! Invalid commands.

use super::check::Check;
use super::session::{CheckOutcome, EngineSession};

pub(super) fn checks() -> Vec<Check> {
    vec![
        Check::with_display("errors.unknown", |engine| {
            engine.expect_all_refused(&["hello", "1", "<3,0,0,1,1,1,1,1,1>", "bestmove A", "é"])
        }),
        Check::with_display("errors.incomplete", |engine| {
            engine.expect_all_refused(&[
                "debug",
                "position",
                "position fen",
                "go depth",
                "go searchmoves",
            ])
        }),
        Check::with_display("errors.extra-words", |engine| {
            engine.expect_all_refused(&[
                "isready now",
                "uci 2",
                "d 3",
                "debug on off",
                "debug maybe",
                "position startpos C",
                "position moves C",
                "quit now",
            ])
        }),
        Check::with_display("errors.go", |engine| engine.expect_all_refused(&INVALID_GO)),
        Check::new("go.searching", |engine| {
            expect_refused_while_searching(engine, &["go nodes 10", "go infinite", "go perft 1"])
        }),
        Check::new("ucinewgame.searching", |engine| {
            expect_refused_while_searching(engine, &["ucinewgame"])
        }),
        Check::new("errors.undisturbed", |engine| {
            expect_refused_while_searching(
                engine,
                &["hello", "go depth 0", "position startpos moves X", "setoption"],
            )
        }),
    ]
}

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

fn expect_refused_while_searching(engine: &mut EngineSession, commands: &[&str]) -> CheckOutcome {
    engine.send("go infinite");
    for command in commands {
        engine.expect_refused(command)?;
    }
    engine.stop().map(drop)
}
