//! `uci`, `isready`, `ucinewgame` and `debug`.

use super::check::{Check, READY, START, UCI};
use super::session::{CheckError, CheckOutcome, EngineSession, ensure, failed};
use kalah::protocol::{EngineMessage, SPECIFICATION};
use kalah_client::OptionType;

pub(super) fn checks() -> Vec<Check> {
    vec![
        Check::new(UCI, |engine| uci_reply(engine).map(drop)),
        Check::new(READY, |engine| engine.sync().map(drop)),
        Check::new("uci.id", id_lines),
        Check::new("uci.options", |engine| list_options(engine).map(drop)),
        Check::new("options.types", option_types),
        Check::new("options.houses", |engine| {
            expect_option(engine, "Houses", &OptionType::Spin { default: 6, min: 1, max: 12 })
        }),
        Check::new("options.seeds", |engine| {
            expect_option(engine, "Seeds", &OptionType::Spin { default: 4, min: 1, max: 511 })
        }),
        Check::new("options.capture", |engine| {
            let values = ["standard", "empty"].map(str::to_owned).to_vec();
            let kind = OptionType::Combo { default: "standard".to_owned(), values };
            expect_option(engine, "Capture", &kind)
        }),
        Check::new("isready.searching", ready_while_searching),
        Check::new("uci.searching", |engine| {
            engine.send("go infinite");
            uci_reply(engine)?;
            engine.stop().map(drop)
        }),
        Check::with_display("ucinewgame.keeps", |engine| {
            engine.expect_ok("setoption name Seeds value 3")?;
            engine.expect_ok("position startpos moves A")?;
            engine.expect_ok("ucinewgame")?;
            engine.expect_fen("<6,0,0,0,4,4,4,3,3,3,3,3,3,3,3> N")?;
            engine.expect_ok("position startpos")?;
            engine.expect_fen("<6,0,0,3,3,3,3,3,3,3,3,3,3,3,3> S")
        }),
        Check::new("debug.accepted", |engine| {
            for command in ["debug on", "debug off"] {
                engine.expect_ok(command)?;
                engine.set_board(START, "")?;
                engine.go("nodes 100")?;
            }
            Ok(())
        }),
    ]
}

/// Sends `uci`; returns the lines up to `uciok`.
fn uci_reply(engine: &mut EngineSession) -> CheckOutcome<Vec<String>> {
    engine.send("uci");
    Ok(engine.read_until("uciok", engine.deadline)?.0)
}

fn id_lines(engine: &mut EngineSession) -> CheckOutcome {
    let lines = uci_reply(engine)?;
    for start in ["id name ", "id author "] {
        let is_sent = |line: &String| {
            line.strip_prefix(start).is_some_and(|name| !name.trim_ascii().is_empty())
        };
        ensure(lines.iter().any(is_sent), format!("a line '{start}…'"), "none before 'uciok'")?;
    }
    Ok(())
}

pub(super) fn list_options(engine: &mut EngineSession) -> CheckOutcome<Vec<(String, OptionType)>> {
    let mut options: Vec<(String, OptionType)> = Vec::new();
    for line in uci_reply(engine)? {
        if line.split_ascii_whitespace().next() != Some("option") {
            continue;
        }
        let expected = "lines 'option name NAME type TYPE …', as in UCI";
        let EngineMessage::Option { name, kind: text } = line.as_str().into() else {
            return Err(failed(expected, line));
        };
        let kind = OptionType::parse(&text)
            .map_err(|fault| failed(expected, format!("{fault}: {line}")))?;
        let is_new = !options.iter().any(|(earlier, _)| earlier.eq_ignore_ascii_case(&name));
        ensure(is_new, "each option once", format!("{name} twice"))?;
        options.push((name, kind));
    }
    Ok(options)
}

/// The type of an option; an error if the engine does not have it.
pub(super) fn find_option(engine: &mut EngineSession, name: &str) -> CheckOutcome<OptionType> {
    let options = list_options(engine)?;
    let found = options.into_iter().find(|(found, _)| found.eq_ignore_ascii_case(name));
    found.map(|(_, kind)| kind).ok_or_else(|| CheckError::Unsupported(format!("option {name}")))
}

fn expect_option(engine: &mut EngineSession, name: &str, expected: &OptionType) -> CheckOutcome {
    match find_option(engine, name) {
        Ok(found) => ensure(found == *expected, format!("{expected:?}"), format!("{found:?}")),
        Err(CheckError::Unsupported(_)) => Err(failed(format!("an option {name}"), "none")),
        Err(error) => Err(error),
    }
}

/// The options of `protocol.md` with the words of their types.
fn known_types() -> impl Iterator<Item = (&'static str, &'static str)> {
    const HEADING: &str = "| name | type | default | meaning |";
    let table = SPECIFICATION.lines().skip_while(|&line| line != HEADING).skip(2);
    table.map_while(|line| {
        let (name, rest) = line.strip_prefix("| `")?.split_once("` | ")?;
        let kind = match rest.split_once(" | ")?.0 {
            "button" => "button",
            "text" => "string",
            "true, false" => "check",
            range if range.starts_with(|c: char| c.is_ascii_digit()) => "spin",
            _ => "combo",
        };
        Some((name, kind))
    })
}

fn option_types(engine: &mut EngineSession) -> CheckOutcome {
    for (name, kind) in list_options(engine)? {
        let entry = known_types().find(|(option, _)| option.eq_ignore_ascii_case(&name));
        if let Some((option, expected)) = entry {
            let expected = format!("{option} of type {expected}");
            let actual = format!("{option} of type {kind}");
            ensure(expected == actual, expected, actual)?;
        }
    }
    Ok(())
}

fn ready_while_searching(engine: &mut EngineSession) -> CheckOutcome {
    engine.send("go infinite");
    for _ in 0..3 {
        engine.sync()?;
    }
    engine.stop().map(drop)
}
