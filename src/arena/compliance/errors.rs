//! Commands that cannot be obeyed.

use super::Check;
use super::conversation::Conversation;
use super::outcome::Outcome;

pub(super) fn checks() -> Vec<Check> {
    vec![
        Check::on_boards("Errors", "commands that are not known are refused", |engine| {
            refuse(engine, &["hello", "1", "<3,0,0,1,1,1,1,1,1>", "bestmove A", "é"])
        }),
        Check::on_boards("Errors", "commands that are not complete are refused", |engine| {
            refuse(engine, &["debug", "position", "position fen", "go depth", "go searchmoves"])
        }),
        Check::on_boards("Errors", "words too many are refused", |engine| {
            refuse(
                engine,
                &[
                    "isready now",
                    "uci 2",
                    "d 3",
                    "debug on off",
                    "debug maybe",
                    "position startpos C",
                    "position moves C",
                    "quit now",
                ],
            )
        }),
        Check::on_boards(
            "Errors",
            "wrong words of 'go' are refused and nothing is searched",
            |engine| refuse(engine, &GO),
        ),
        Check::new("go", "it is refused while searching", |engine| {
            refuse_while_searching(engine, &["go nodes 10", "go infinite", "go perft 1"])
        }),
        Check::new("ucinewgame", "it is refused while searching", |engine| {
            refuse_while_searching(engine, &["ucinewgame"])
        }),
        Check::new("Errors", "they do not disturb a search", |engine| {
            refuse_while_searching(
                engine,
                &["hello", "go depth 0", "position startpos moves X", "setoption"],
            )
        }),
    ]
}

const GO: [&str; 15] = [
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

fn refuse(engine: &mut Conversation<'_>, commands: &[&str]) -> Outcome {
    engine.obeyed("position startpos moves CF")?;
    let before = engine.fen()?;
    for command in commands {
        engine.refused(command)?;
        engine.expect_fen(&before)?;
    }
    Ok(())
}

fn refuse_while_searching(engine: &mut Conversation<'_>, commands: &[&str]) -> Outcome {
    engine.say("go infinite");
    for command in commands {
        engine.refused(command)?;
    }
    engine.stop().map(drop)
}
