//! The form of lines: line ends, blanks, length, encoding and order.

use std::thread;
use std::time::Duration;

use super::check::{Check, START};
use super::session::{CheckOutcome, EngineSession, ensure, failed};
use kalah::protocol::MAX_LINE;

pub(super) fn checks() -> Vec<Check> {
    vec![
        Check::new("lines.carriage-return", |engine| {
            engine
                .send_bytes("position startpos moves C\r\nisready\r\n", "lines that end in CR LF");
            engine.read_until("readyok", engine.deadline)?;
            engine.expect_ok("go nodes 50\r").map(drop)
        }),
        Check::new("lines.empty", |engine| {
            engine.send_bytes("\n\r\n   \n\t\r\n \t \n", "empty lines");
            let lines = engine.sync()?;
            ensure(lines.is_empty(), "nothing", format!("{lines:?}"))
        }),
        Check::with_display("lines.spaces", |engine| {
            engine.expect_ok("\t position \t startpos   moves  C\tF  ")?;
            engine.expect_fen("<6,2,0,4,4,0,5,5,0,5,5,5,5,4,4> N")
        }),
        Check::new("lines.lower-case", |engine| {
            for command in ["ISREADY", "Uci", "GO nodes 10", "go Nodes 10", "position STARTPOS"] {
                engine.expect_refused(command)?;
            }
            Ok(())
        }),
        Check::with_display("lines.longest", |engine| {
            let command = "position startpos moves CF";
            let line = format!("{command}{}\n", " ".repeat(MAX_LINE - command.len()));
            engine.send_bytes(line, "position startpos moves CF, with blanks up to 1 MiB");
            engine.expect_fen("<6,2,0,4,4,0,5,5,0,5,5,5,5,4,4> N")
        }),
        Check::with_display("lines.too-long", |engine| {
            for line in [
                "x".repeat(MAX_LINE + 1),
                format!("position startpos moves {}", "A ".repeat(MAX_LINE)),
            ] {
                engine.send_bytes(line + "\n", "a line of more than 1 MiB");
                engine.expect_error("this line")?;
                engine.expect_fen(START)?;
            }
            Ok(())
        }),
        Check::with_display("lines.not-utf8", |engine| {
            for line in [
                &b"\xff\n"[..],
                b"isready \xc3\n",
                b"position startpos moves \xe9\n",
                b"\xed\xa0\x80\n",
            ] {
                engine.send_bytes(line, "a line that is not UTF-8");
                engine.expect_error("this line")?;
                engine.expect_fen(START)?;
            }
            Ok(())
        }),
        Check::new("lines.pieces", |engine| {
            for piece in ["is", "rea", "dy", "\n"] {
                engine.send_bytes(piece, piece.trim_end());
                // Longer than a busy machine needs to read each piece alone.
                thread::sleep(Duration::from_millis(50));
            }
            engine.read_until("readyok", engine.deadline).map(drop)
        }),
        Check::with_display("lines.order", in_order),
        in_all_sessions("lines.none-empty", "no empty line"),
        in_all_sessions("lines.utf8", "lines of UTF-8"),
        in_all_sessions("info.form", "info lines of the form of protocol.md"),
    ]
}

/// Requires that no line of any session has broken this requirement.
fn in_all_sessions(id: &'static str, expected: &'static str) -> Check {
    Check::new(id, move |engine| {
        engine.faults.get(id).map_or(Ok(()), |fault| Err(failed(expected, fault)))
    })
}

fn in_order(engine: &mut EngineSession) -> CheckOutcome {
    engine.send_bytes(
        "hello\nd\nisready\nhello\nuci\nisready\n",
        "hello, d, isready, hello, uci, isready",
    );
    let mut lines = engine.read_until("readyok", engine.deadline)?.0;
    lines.extend(engine.read_until("readyok", engine.deadline)?.0);
    let expected =
        ["info string error:", "Fen:", "readyok", "info string error:", "uciok", "readyok"];
    let reply_start = |line: &String| expected.into_iter().find(|start| line.starts_with(start));
    let actual: Vec<&str> = lines.iter().filter_map(reply_start).collect();
    ensure(actual == expected, format!("{expected:?}"), format!("{actual:?}"))
}
