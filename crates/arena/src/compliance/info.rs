//! The content of `info` lines.

use std::time::Instant;

use super::bestmove::{expect_case, play};
use super::check::{Check, LARGE, SMALL};
use super::handshake::find_option;
use super::session::{CheckOutcome, EngineSession, board_after, ensure, failed};
use kalah::StopToken;
use kalah::board::{Board, Capture};
use kalah::printable::counted;
use kalah::protocol::EngineInfo;
use kalah::search::{Bound, CENTISEEDS, Limits, SearchOptions, Searcher};
use kalah_client::OptionType;

/// Limits that give every search more than one `info` line.
const SEARCH: &str = "nodes 3000";

pub(super) fn checks() -> Vec<Check> {
    vec![
        Check::new("info.before-stop", |engine| {
            engine.set_board(LARGE, "")?;
            engine.send("go infinite");
            let deadline = Instant::now() + engine.deadline;
            while Instant::now() < deadline {
                let (lines, _) = engine.read_until("info", engine.deadline)?;
                if lines.last().is_some_and(|line| line.contains(" pv ")) {
                    return engine.stop().map(drop);
                }
            }
            Err(failed("an info line with a 'pv'", "only others"))
        }),
        Check::new("info.members", |engine| {
            for info in pv_infos_of(engine, LARGE)?.1 {
                let EngineInfo { depth, score, nodes, time, .. } = &info;
                let complete =
                    depth.is_some() && score.is_some() && nodes.is_some() && time.is_some();
                ensure(complete, "'depth', 'score cp', 'nodes' and 'time'", format!("{info:?}"))?;
            }
            Ok(())
        }),
        Check::new("info.pv-legal", |engine| {
            for fen in [LARGE, "<6,1,0,4,4,0,5,5,5,4,4,4,4,4,4> S", NORTH, SMALL] {
                let (before, infos) = pv_infos_of(engine, fen)?;
                for info in infos {
                    let mut board = before;
                    play(&mut board, &info.pv)?;
                }
            }
            Ok(())
        }),
        Check::new("info.pv-case", |engine| {
            for fen in [LARGE, NORTH, SMALL] {
                let (before, infos) = pv_infos_of(engine, fen)?;
                for info in infos {
                    expect_case(before, &info.pv)?;
                }
            }
            Ok(())
        }),
        Check::new("info.pv-searchmoves", |engine| {
            engine.set_board(LARGE, "")?;
            let reply = engine.go(&format!("searchmoves B D {SEARCH}"))?;
            for info in reply.pv_infos() {
                let first = info.pv.first().map(|text| text.to_ascii_uppercase());
                let is_allowed = first.as_deref().is_some_and(|first| ["B", "D"].contains(&first));
                ensure(is_allowed, "a 'pv' that begins with B or D", info.pv.join(" "))?;
            }
            Ok(())
        }),
        Check::new("options.multipv", multi_pv),
        Check::new("info.proven", proven_scores),
    ]
}

const NORTH: &str = "<6,0,1,5,4,4,4,4,4,4,0,5,5,5,4> N";

/// Searches a board; returns it with the `info` lines that have a principal variation, at least one.
fn pv_infos_of(engine: &mut EngineSession, fen: &str) -> CheckOutcome<(Board, Vec<EngineInfo>)> {
    let board = engine.set_board(fen, "")?;
    let infos: Vec<EngineInfo> = engine.go(SEARCH)?.pv_infos().collect();
    ensure(!infos.is_empty(), "info lines with a 'pv' before bestmove", "none")?;
    Ok((board, infos))
}

fn multi_pv(engine: &mut EngineSession) -> CheckOutcome {
    let OptionType::Spin { max, .. } = find_option(engine, "MultiPV")? else { return Ok(()) };
    for (fen, multi_pv, legal) in [(LARGE, 1, 6), (LARGE, 3, 6), (SMALL, 12, 3)] {
        if max < i128::from(multi_pv) {
            continue;
        }
        engine.expect_ok(&format!("setoption name MultiPV value {multi_pv}"))?;
        let (_, infos) = pv_infos_of(engine, fen)?;
        let expected = multi_pv.min(legal);
        // The lines of the current iteration; the last one may be incomplete.
        let mut first_moves: Vec<&String> = Vec::new();
        let mut max_rank = 0;
        for info in &infos {
            let rank = info.multipv.unwrap_or(1);
            if rank == 1 {
                first_moves.clear();
            }
            let Some(first) = info.pv.first() else { continue };
            let is_new = !first_moves.contains(&first);
            ensure(is_new, "lines that begin with different moves", first.clone())?;
            let next = first_moves.len() as u32 + 1;
            ensure(rank == next, format!("rank {next}"), format!("rank {rank}"))?;
            first_moves.push(first);
            max_rank = max_rank.max(rank);
        }
        let expected_lines = format!("{} for MultiPV {multi_pv}", counted(expected, "line"));
        ensure(max_rank == expected, expected_lines, format!("{max_rank}"))?;
    }
    Ok(())
}

fn proven_scores(engine: &mut EngineSession) -> CheckOutcome {
    let mut searcher = Searcher::new(1).map_err(|error| failed("a search", error.to_string()))?;
    for capture in Capture::ALL {
        engine.expect_ok(&format!("setoption name Capture value {capture}"))?;
        for fen in [
            SMALL,
            "<6,0,0,1,0,0,0,0,1,1,1,1,1,0,1> S",
            "<6,0,0,1,0,0,0,0,1,1,1,1,1,0,1> N",
            "<4,1,2,1,1,1,1,0,0,3,0> N",
            "<3,0,0,2,2,2,2,2,2> S",
            "<3,4,0,0,3,1,1,2,2> N",
            "<2,0,0,3,3,3,3> S",
        ] {
            let before = board_after(fen, "", capture)?;
            engine.send(&format!("position fen {fen}"));
            let reply = engine.go("nodes 20000")?;
            for info in reply.pv_infos() {
                let Some(score) = info.score.filter(|score| score.proven) else { continue };
                let first = info.pv.first().and_then(|text| before.parse_move(text).ok());
                let Some(first) = first else { continue };
                let limits = Limits { searchmoves: vec![first], ..Limits::default() };
                let stop = StopToken::new();
                let result = searcher.search(
                    &before,
                    &limits,
                    &SearchOptions::negascout(),
                    &stop,
                    &mut |_| {},
                );
                let Some(line) = result.lines.first().filter(|line| line.proven) else { continue };
                let exact = line.margin * CENTISEEDS;
                let is_correct = match score.bound {
                    Bound::Exact => score.centiseeds == exact,
                    Bound::Lower => score.centiseeds <= exact,
                    Bound::Upper => score.centiseeds >= exact,
                };
                let expected = format!("score cp {exact} for {} on {fen} ({capture})", info.pv[0]);
                ensure(is_correct, expected, format!("score cp {} proven", score.centiseeds))?;
            }
        }
    }
    Ok(())
}
