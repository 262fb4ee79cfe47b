//! `uci`, `isready`, `ucinewgame` and `debug`.

use super::Check;
use super::conversation::Conversation;
use super::form::{Kind, kind};
use super::outcome::{Outcome, Trouble, ensure, failed};
use super::positions::START;
use crate::protocol::EngineMessage;

pub(super) const INTRODUCTION: &str = "'uci' is answered up to 'uciok'";
pub(super) const READY: &str = "'isready' is answered by 'readyok'";

pub(super) fn checks() -> Vec<Check> {
    vec![
        Check::new("uci", INTRODUCTION, |engine| introduction(engine).map(drop)),
        Check::new("isready", READY, |engine| engine.sync().map(drop)),
        Check::new("uci", "'id name' and 'id author' are said", identity),
        Check::new("uci", "options are described as in UCI", |engine| offered(engine).map(drop)),
        Check::new("Options", "options of the page are of its types", types),
        Check::new("Options", "Houses is there: 1 to 12, 6 by default", |engine| {
            expect_option(engine, "Houses", &Kind::Spin { default: 6, min: 1, max: 12 })
        }),
        Check::new("Options", "Seeds is there: 1 to 511, 4 by default", |engine| {
            expect_option(engine, "Seeds", &Kind::Spin { default: 4, min: 1, max: 511 })
        }),
        Check::new("Options", "Capture is there: standard, the default, or empty", |engine| {
            let values = ["standard", "empty"].map(str::to_owned).to_vec();
            let kind = Kind::Combo { default: "standard".to_owned(), values };
            expect_option(engine, "Capture", &kind)
        }),
        Check::new("isready", "'isready' is answered while searching", ready_while_searching),
        Check::new("uci", "'uci' is answered while searching", |engine| {
            engine.say("go infinite");
            introduction(engine)?;
            engine.stop().map(drop)
        }),
        Check::on_boards("ucinewgame", "settings and position stay", |engine| {
            engine.obeyed("setoption name Seeds value 3")?;
            engine.obeyed("position startpos moves A")?;
            engine.obeyed("ucinewgame")?;
            engine.expect_fen("<6,0,0,0,4,4,4,3,3,3,3,3,3,3,3> N")?;
            engine.obeyed("position startpos")?;
            engine.expect_fen("<6,0,0,3,3,3,3,3,3,3,3,3,3,3,3> S")
        }),
        Check::new("debug on / debug off", "both are obeyed, and searches answered", |engine| {
            for command in ["debug on", "debug off"] {
                engine.obeyed(command)?;
                engine.set_board(START, "")?;
                engine.go("nodes 100")?;
            }
            Ok(())
        }),
    ]
}

/// The replies to `uci`.
fn introduction(engine: &mut Conversation<'_>) -> Outcome<Vec<String>> {
    engine.say("uci");
    Ok(engine.until("uciok", engine.deadline)?.0)
}

fn identity(engine: &mut Conversation<'_>) -> Outcome {
    let lines = introduction(engine)?;
    for start in ["id name ", "id author "] {
        let is_said = |line: &String| {
            line.strip_prefix(start).is_some_and(|name| !name.trim_ascii().is_empty())
        };
        ensure(lines.iter().any(is_said), format!("a line '{start}…'"), "none before 'uciok'")?;
    }
    Ok(())
}

/// The options of the engine.
pub(super) fn offered(engine: &mut Conversation<'_>) -> Outcome<Vec<(String, Kind)>> {
    let mut options: Vec<(String, Kind)> = Vec::new();
    for line in introduction(engine)? {
        if line.split_ascii_whitespace().next() != Some("option") {
            continue;
        }
        let expected = "lines 'option name NAME type TYPE …', as in UCI";
        let EngineMessage::Option { name, kind: text } = line.as_str().into() else {
            return Err(failed(expected, line));
        };
        let kind = kind(&text).map_err(|fault| failed(expected, format!("{fault}: {line}")))?;
        let is_new = !options.iter().any(|(known, _)| known.eq_ignore_ascii_case(&name));
        ensure(is_new, "each option once", format!("{name} twice"))?;
        options.push((name, kind));
    }
    Ok(options)
}

/// An option that the engine need not have.
pub(super) fn option(engine: &mut Conversation<'_>, name: &str) -> Outcome<Kind> {
    let options = offered(engine)?;
    let found = options.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
    found.map(|(_, kind)| kind).ok_or_else(|| Trouble::Absent(format!("option {name}")))
}

fn expect_option(engine: &mut Conversation<'_>, name: &str, expected: &Kind) -> Outcome {
    match option(engine, name) {
        Ok(found) => ensure(found == *expected, format!("{expected:?}"), format!("{found:?}")),
        Err(Trouble::Absent(_)) => Err(failed(format!("an option {name}"), "none")),
        Err(trouble) => Err(trouble),
    }
}

fn types(engine: &mut Conversation<'_>) -> Outcome {
    const TYPES: [(&str, &str); 14] = [
        ("Hash", "spin"),
        ("Clear Hash", "button"),
        ("Threads", "spin"),
        ("MultiPV", "spin"),
        ("Ponder", "check"),
        ("Move Overhead", "spin"),
        ("Houses", "spin"),
        ("Seeds", "spin"),
        ("Capture", "combo"),
        ("Search", "combo"),
        ("Table", "combo"),
        ("Ordering", "combo"),
        ("Random Seed", "spin"),
        ("Log File", "string"),
    ];
    for (name, kind) in offered(engine)? {
        let known = TYPES.iter().find(|(known, _)| known.eq_ignore_ascii_case(&name));
        if let Some((known, expected)) = known {
            let expected = format!("{known} of type {expected}");
            let heard = format!("{known} of type {}", kind.word());
            ensure(expected == heard, expected, heard)?;
        }
    }
    Ok(())
}

fn ready_while_searching(engine: &mut Conversation<'_>) -> Outcome {
    engine.say("go infinite");
    for _ in 0..3 {
        engine.sync()?;
    }
    engine.stop().map(drop)
}
