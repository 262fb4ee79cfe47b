//! `setoption`, and the effects of the options.

use super::check::{Check, START};
use super::handshake::{find_option, list_options};
use super::session::{CheckOutcome, EngineSession, ensure};
use kalah_client::OptionType;

pub(super) fn checks() -> Vec<Check> {
    vec![
        Check::with_display("setoption.case", |engine| {
            for (name, houses) in [("houses", 3), ("HOUSES", 4), ("hOuSeS", 5)] {
                engine.expect_ok(&format!("setoption name {name} value {houses}"))?;
                engine.expect_ok("position startpos")?;
                engine.expect_fen(&format!("<{houses},0,0{}> S", ",4".repeat(2 * houses)))?;
            }
            Ok(())
        }),
        Check::new("setoption.defaults", defaults),
        Check::new("setoption.range", invalid_values),
        Check::with_display("setoption.invalid", |engine| {
            engine.expect_all_refused(&[
                "setoption",
                "setoption name",
                "setoption Houses 3",
                "setoption name Houses",
                "setoption name value 3",
                "setoption name Colour of the Board value red",
            ])
        }),
        Check::with_display("options.startpos", start_positions),
        Check::with_display("options.no-startpos", |engine| {
            engine.expect_ok("setoption name Houses value 12")?;
            engine.expect_ok("setoption name Seeds value 42")?;
            engine.expect_refused("setoption name Seeds value 43")?;
            engine.expect_fen(&format!("<12,0,0{}> S", ",42".repeat(24)))
        }),
        Check::with_display("options.capture-rule", |engine| {
            engine.expect_ok("position fen <6,0,0,1,0,0,0,0,1,1,1,1,1,0,1> moves A")?;
            let moved = ("standard", "<6,0,0,0,1,0,0,0,1,1,1,1,1,0,1> N");
            let captured = ("empty", "<6,1,0,0,0,0,0,0,1,1,1,1,1,0,1> N");
            boards_by_rule(engine, "Capture", [captured, moved, captured])
        }),
        Check::with_display("options.sowing", |engine| {
            find_option(engine, "Sowing")?;
            engine.expect_ok("position fen <3,0,0,1,0,2,2,1,0> moves C")?;
            let single = ("single", "<3,1,0,1,0,0,3,1,0> N");
            let relay = ("relay", "<3,1,0,0,1,1,0,2,1> N");
            boards_by_rule(engine, "Sowing", [relay, single, relay])
        }),
        Check::with_display("position.option-change", |engine| {
            engine.expect_ok("setoption name Houses value 3")?;
            engine.expect_ok("setoption name Seeds value 3")?;
            engine.expect_ok("position startpos moves A")?;
            engine.expect_fen("<3,1,0,0,4,4,3,3,3> S")?;
            engine.expect_ok("setoption name Seeds value 1")?;
            engine.expect_fen("<3,0,0,0,2,1,1,1,1> N")
        }),
        Check::with_display("position.option-misfit", |engine| {
            engine.expect_ok("setoption name Houses value 3")?;
            engine.expect_ok("setoption name Seeds value 1")?;
            engine.expect_ok("position startpos moves Ac")?;
            let lines = engine.expect_ok("setoption name Houses value 2")?;
            engine.expect_fen("<2,0,0,1,1,1,1> S")?;
            let is_reported = lines.iter().any(|line| line.starts_with("info string "));
            ensure(is_reported, "an 'info string' about it", "none")
        }),
        Check::with_display("setoption.searching", |engine| {
            engine.send("go infinite");
            engine.expect_refused("setoption name Houses value 3")?;
            engine.stop()?;
            engine.expect_fen(START)
        }),
        Check::new("options.threads-determinism", deterministic),
    ]
}

/// The last position is another board under each value of an option of the rules.
fn boards_by_rule(
    engine: &mut EngineSession,
    option: &str,
    boards: [(&str, &str); 3],
) -> CheckOutcome {
    for (value, fen) in boards {
        engine.expect_ok(&format!("setoption name {option} value {value}"))?;
        engine.expect_fen(fen)?;
    }
    Ok(())
}

fn defaults(engine: &mut EngineSession) -> CheckOutcome {
    for (name, kind) in list_options(engine)? {
        let default = match kind {
            OptionType::Spin { default, .. } => default.to_string(),
            OptionType::Combo { default, .. } => default,
            OptionType::Check => "false".to_owned(),
            OptionType::Button | OptionType::Text => continue,
        };
        engine.expect_ok(&format!("setoption name {name} value {default}"))?;
    }
    Ok(())
}

fn invalid_values(engine: &mut EngineSession) -> CheckOutcome {
    for (name, kind) in list_options(engine)? {
        let values = match kind {
            OptionType::Spin { min, max, .. } => {
                vec![
                    min.saturating_sub(1).to_string(),
                    max.saturating_add(1).to_string(),
                    "x".to_owned(),
                ]
            }
            OptionType::Combo { .. } | OptionType::Check => vec!["no such value".to_owned()],
            OptionType::Button | OptionType::Text => Vec::new(),
        };
        for value in values {
            engine.expect_refused(&format!("setoption name {name} value {value}"))?;
        }
    }
    Ok(())
}

fn start_positions(engine: &mut EngineSession) -> CheckOutcome {
    for (option, value, fen) in [
        ("Houses", 3, "<3,0,0,4,4,4,4,4,4> S"),
        ("Seeds", 6, "<3,0,0,6,6,6,6,6,6> S"),
        ("Houses", 1, "<1,0,0,6,6> S"),
        ("Seeds", 511, "<1,0,0,511,511> S"),
    ] {
        engine.expect_ok(&format!("setoption name {option} value {value}"))?;
        engine.expect_ok("position startpos")?;
        engine.expect_fen(fen)?;
    }
    Ok(())
}

fn deterministic(engine: &mut EngineSession) -> CheckOutcome {
    find_option(engine, "Threads")?;
    engine.expect_ok("setoption name Threads value 1")?;
    let mut first = None;
    for _ in 0..2 {
        engine.expect_ok("ucinewgame")?;
        let reply = engine.go("nodes 3000")?;
        let infos = reply.pv_infos().map(|info| (info.depth, info.nodes, info.pv));
        let result = (infos.collect::<Vec<_>>(), reply.best);
        let first = first.get_or_insert_with(|| result.clone());
        ensure(*first == result, "the same nodes and moves again", "others")?;
    }
    Ok(())
}
