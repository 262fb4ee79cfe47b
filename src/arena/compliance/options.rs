//! `setoption`, and what the options of boards do.

use super::Check;
use super::conversation::Conversation;
use super::form::Kind;
use super::handshake::{offered, option};
use super::outcome::{Outcome, ensure};
use super::positions::START;
use crate::protocol::EngineMessage;

pub(super) fn checks() -> Vec<Check> {
    vec![
        Check::on_boards("setoption", "names are read in any case", |engine| {
            for (name, houses) in [("houses", 3), ("HOUSES", 4), ("hOuSeS", 5)] {
                engine.obeyed(&format!("setoption name {name} value {houses}"))?;
                expect_houses(engine, houses)?;
            }
            Ok(())
        }),
        Check::new("setoption", "each option takes its own default", defaults),
        Check::new("setoption", "values that an option does not take are refused", wrong_values),
        Check::on_boards("setoption", "wrong options are refused and change nothing", |engine| {
            for command in [
                "setoption",
                "setoption name",
                "setoption Houses 3",
                "setoption name Houses",
                "setoption name value 3",
                "setoption name Colour of the Board value red",
            ] {
                engine.refused(command)?;
                engine.expect_fen(START)?;
            }
            Ok(())
        }),
        Check::on_boards("Options", "Houses and Seeds make 'startpos'", start_positions),
        Check::on_boards("Options", "Houses and Seeds that make no board are refused", |engine| {
            engine.obeyed("setoption name Houses value 12")?;
            engine.obeyed("setoption name Seeds value 42")?;
            engine.refused("setoption name Seeds value 43")?;
            engine.expect_fen(&format!("<12,0,0{}> S", ",42".repeat(24)))
        }),
        Check::on_boards("Options", "Capture is the rule of all boards", |engine| {
            // The position is read again by each rule.
            engine.obeyed("position fen <6,0,0,1,0,0,0,0,1,1,1,1,1,0,1> moves A")?;
            let moved = "<6,0,0,0,1,0,0,0,1,1,1,1,1,0,1> N";
            let captured = "<6,1,0,0,0,0,0,0,1,1,1,1,1,0,1> N";
            for (capture, fen) in [("empty", captured), ("standard", moved), ("empty", captured)] {
                engine.obeyed(&format!("setoption name Capture value {capture}"))?;
                engine.expect_fen(fen)?;
            }
            Ok(())
        }),
        Check::on_boards("position", "it is read again when an option changes", |engine| {
            engine.obeyed("setoption name Houses value 3")?;
            engine.obeyed("setoption name Seeds value 3")?;
            engine.obeyed("position startpos moves A")?;
            engine.expect_fen("<3,1,0,0,4,4,3,3,3> S")?;
            engine.obeyed("setoption name Seeds value 1")?;
            engine.expect_fen("<3,0,0,0,2,1,1,1,1> N")
        }),
        Check::on_boards(
            "position",
            "it becomes 'startpos' when it makes no sense any more",
            |engine| {
                engine.obeyed("setoption name Houses value 3")?;
                engine.obeyed("setoption name Seeds value 1")?;
                engine.obeyed("position startpos moves Ac")?;
                let lines = engine.obeyed("setoption name Houses value 2")?;
                engine.expect_fen("<2,0,0,1,1,1,1> S")?;
                let is_told = lines.iter().any(|line| line.starts_with("info string "));
                ensure(is_told, "an 'info string' that says so", "none")
            },
        ),
        Check::on_boards(
            "setoption",
            "it is refused while searching and changes nothing",
            |engine| {
                engine.say("go infinite");
                engine.refused("setoption name Houses value 3")?;
                engine.stop()?;
                engine.expect_fen(START)
            },
        ),
        Check::new(
            "Options",
            "one thread gives the same nodes and moves every time",
            deterministic,
        ),
    ]
}

fn expect_houses(engine: &mut Conversation<'_>, houses: usize) -> Outcome {
    engine.obeyed("position startpos")?;
    engine.expect_fen(&format!("<{houses},0,0{}> S", ",4".repeat(2 * houses)))
}

fn defaults(engine: &mut Conversation<'_>) -> Outcome {
    for (name, kind) in offered(engine)? {
        let default = match kind {
            Kind::Spin { default, .. } => default.to_string(),
            Kind::Combo { default, .. } => default,
            Kind::Check => "false".to_owned(),
            Kind::Button | Kind::Text => continue,
        };
        engine.obeyed(&format!("setoption name {name} value {default}"))?;
    }
    Ok(())
}

fn wrong_values(engine: &mut Conversation<'_>) -> Outcome {
    for (name, kind) in offered(engine)? {
        let values = match kind {
            Kind::Spin { min, max, .. } => {
                vec![
                    min.saturating_sub(1).to_string(),
                    max.saturating_add(1).to_string(),
                    "x".to_owned(),
                ]
            }
            Kind::Combo { .. } | Kind::Check => vec!["no such value".to_owned()],
            Kind::Button | Kind::Text => Vec::new(),
        };
        for value in values {
            engine.refused(&format!("setoption name {name} value {value}"))?;
        }
    }
    Ok(())
}

fn start_positions(engine: &mut Conversation<'_>) -> Outcome {
    for (option, value, fen) in [
        ("Houses", 3, "<3,0,0,4,4,4,4,4,4> S"),
        ("Seeds", 6, "<3,0,0,6,6,6,6,6,6> S"),
        ("Houses", 1, "<1,0,0,6,6> S"),
        ("Seeds", 511, "<1,0,0,511,511> S"),
    ] {
        engine.obeyed(&format!("setoption name {option} value {value}"))?;
        engine.obeyed("position startpos")?;
        engine.expect_fen(fen)?;
    }
    Ok(())
}

fn deterministic(engine: &mut Conversation<'_>) -> Outcome {
    option(engine, "Threads")?;
    engine.obeyed("setoption name Threads value 1")?;
    let mut first = None;
    for _ in 0..2 {
        engine.obeyed("ucinewgame")?;
        let answer = engine.go("nodes 3000")?;
        let infos = answer.lines.iter().filter_map(|line| match line.as_str().into() {
            EngineMessage::Info(info) if !info.pv.is_empty() => {
                Some((info.depth, info.nodes, info.pv))
            }
            _ => None,
        });
        let told = (infos.collect::<Vec<_>>(), answer.best);
        let first = first.get_or_insert_with(|| told.clone());
        ensure(*first == told, "the same nodes and moves again", "others")?;
    }
    Ok(())
}
