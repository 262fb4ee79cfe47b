//! Lines, whatever is in them.

use std::thread;
use std::time::Duration;

use super::Check;
use super::conversation::Conversation;
use super::outcome::{Outcome, ensure};
use super::positions::START;
use crate::engine::MAX_LINE;

pub(super) fn checks() -> Vec<Check> {
    vec![
        Check::new("Lines", "a carriage return before the line feed is ignored", |engine| {
            engine.say_bytes("position startpos moves C\r\nisready\r\n", "lines that end in CR LF");
            engine.until("readyok", engine.deadline)?;
            engine.obeyed("go nodes 50\r").map(drop)
        }),
        Check::new("Lines", "empty lines are ignored", |engine| {
            engine.say_bytes("\n\r\n   \n\t\r\n \t \n", "empty lines");
            let lines = engine.sync()?;
            ensure(lines.is_empty(), "nothing", format!("{lines:?}"))
        }),
        Check::on_boards(
            "Lines",
            "words are separated by any number of spaces and tabs",
            |engine| {
                engine.obeyed("\t position \t startpos   moves  C\tF  ")?;
                engine.expect_fen("<6,2,0,4,4,0,5,5,0,5,5,5,5,4,4> N")
            },
        ),
        Check::new("Lines", "command words are lower case", |engine| {
            for command in ["ISREADY", "Uci", "GO nodes 10", "go Nodes 10", "position STARTPOS"] {
                engine.refused(command)?;
            }
            Ok(())
        }),
        Check::on_boards("Lines", "a line of 1 MiB is read", |engine| {
            let command = "position startpos moves CF";
            let line = format!("{command}{}\n", " ".repeat(MAX_LINE - command.len()));
            engine.say_bytes(line, "that and spaces, 1 MiB in all");
            engine.expect_fen("<6,2,0,4,4,0,5,5,0,5,5,5,5,4,4> N")
        }),
        Check::on_boards("Lines", "a line of more than 1 MiB is answered by an error", |engine| {
            for line in [
                "x".repeat(MAX_LINE + 1),
                format!("position startpos moves {}", "A ".repeat(MAX_LINE)),
            ] {
                engine.say_bytes(line + "\n", "a line of more than 1 MiB");
                engine.expect_error("it")?;
                engine.expect_fen(START)?;
            }
            Ok(())
        }),
        Check::on_boards("Lines", "a line that is not UTF-8 is answered by an error", |engine| {
            for line in [
                &b"\xff\n"[..],
                b"isready \xc3\n",
                b"position startpos moves \xe9\n",
                b"\xed\xa0\x80\n",
            ] {
                engine.say_bytes(line, "a line that is not UTF-8");
                engine.expect_error("it")?;
                engine.expect_fen(START)?;
            }
            Ok(())
        }),
        Check::new("Lines", "a line may come in pieces", |engine| {
            for piece in ["is", "rea", "dy", "\n"] {
                engine.say_bytes(piece, piece.trim_end());
                // So that it does not come whole after all, on a busy machine either.
                thread::sleep(Duration::from_millis(50));
            }
            engine.until("readyok", engine.deadline).map(drop)
        }),
        Check::on_boards("Lines", "replies come in the order of the commands", in_order),
        Check::new("Lines", "no empty line was sent in all of this", |engine| {
            never("no empty line", engine.noted.empty_line.as_deref())
        }),
        Check::new("Lines", "all lines sent in all of this were UTF-8", |engine| {
            never("lines of UTF-8", engine.noted.no_text.as_deref())
        }),
        Check::new(
            "info",
            "all lines heard in all of this were of the form of the page",
            |engine| never("info lines of the form of the page", engine.noted.bad_info.as_deref()),
        ),
    ]
}

fn never(expected: &str, noted: Option<&str>) -> Outcome {
    noted.map_or(Ok(()), |noted| ensure(false, expected, noted))
}

fn in_order(engine: &mut Conversation<'_>) -> Outcome {
    engine.say_bytes(
        "hello\nd\nisready\nhello\nuci\nisready\n",
        "hello, d, isready, hello, uci, isready",
    );
    let mut lines = engine.until("readyok", engine.deadline)?.0;
    lines.extend(engine.until("readyok", engine.deadline)?.0);
    let known = |line: &String| {
        ["info string error:", "Fen:", "readyok", "uciok"]
            .into_iter()
            .find(|start| line.starts_with(start))
    };
    let heard: Vec<&str> = lines.iter().filter_map(known).collect();
    let expected =
        ["info string error:", "Fen:", "readyok", "info string error:", "uciok", "readyok"];
    ensure(heard == expected, format!("{expected:?}"), format!("{heard:?}"))
}
