//! `info` lines: what they have to tell, and whether it is true.

use std::time::Instant;

use super::Check;
use super::answers::play;
use super::conversation::{Answer, Conversation, board};
use super::form::{Kind, house};
use super::handshake::option;
use super::outcome::{Outcome, ensure, failed};
use crate::board::{Board, Capture};
use crate::protocol::{EngineInfo, EngineMessage};
use crate::search::{Bound, CENTISEEDS, Limits, SearchOptions, Searcher};
use crate::stop::StopToken;

/// Enough for more than one line of any search.
const SEARCH: &str = "nodes 3000";

const LARGE: &str = "<6,0,0,6,6,6,6,6,6,6,6,6,6,6,6> S";

pub(super) fn checks() -> Vec<Check> {
    vec![
        Check::new("info", "a line with a 'pv' comes before 'stop'", |engine| {
            engine.set_board(LARGE, "")?;
            engine.say("go infinite");
            let deadline = Instant::now() + engine.deadline;
            while Instant::now() < deadline {
                let (lines, _) = engine.until("info", engine.deadline)?;
                if lines.last().is_some_and(|line| line.contains(" pv ")) {
                    return engine.stop().map(drop);
                }
            }
            Err(failed("an info line with a 'pv'", "others only"))
        }),
        Check::new("info", "lines with a 'pv' have depth, score, nodes and time", |engine| {
            for info in lines_of(engine, LARGE)?.1 {
                let EngineInfo { depth, score, nodes, time, .. } = &info;
                let complete =
                    depth.is_some() && score.is_some() && nodes.is_some() && time.is_some();
                ensure(complete, "'depth', 'score cp', 'nodes' and 'time'", format!("{info:?}"))?;
            }
            Ok(())
        }),
        Check::new("info", "the moves of the 'pv' can be played one after the other", |engine| {
            for fen in [LARGE, "<6,1,0,4,4,0,5,5,5,4,4,4,4,4,4> S", NORTH, SMALL] {
                let (mut board, infos) = lines_of(engine, fen)?;
                let before = board;
                for info in infos {
                    board = before;
                    play(&mut board, &info.pv)?;
                }
            }
            Ok(())
        }),
        Check::new(
            "info",
            "the moves of the 'pv' are written in the case of their player",
            |engine| {
                for fen in [LARGE, NORTH, SMALL] {
                    let (before, infos) = lines_of(engine, fen)?;
                    for info in infos {
                        expect_case(before, &info.pv)?;
                    }
                }
                Ok(())
            },
        ),
        Check::new("info", "'searchmoves' begin every 'pv'", |engine| {
            engine.set_board(LARGE, "")?;
            let answer = engine.go(&format!("searchmoves B D {SEARCH}"))?;
            for info in with_line(&answer) {
                let first = info.pv.first().map(|text| text.to_ascii_uppercase());
                let is_allowed = first.as_deref().is_some_and(|first| ["B", "D"].contains(&first));
                ensure(is_allowed, "a 'pv' that begins with B or D", info.pv.join(" "))?;
            }
            Ok(())
        }),
        Check::new(
            "Options",
            "MultiPV is the number of lines, and moves are their limit",
            multi_pv,
        ),
        Check::new("info", "scores that are 'proven' are true", proven_scores),
    ]
}

const NORTH: &str = "<6,0,1,5,4,4,4,4,4,4,0,5,5,5,4> N";
const SMALL: &str = "<6,9,17,0,3,0,1,4,0,1,0,0,0,0,1> S";

/// The infos with a line of play.
fn with_line(answer: &Answer) -> Vec<EngineInfo> {
    let infos = answer.lines.iter().filter_map(|line| match line.as_str().into() {
        EngineMessage::Info(info) if !info.pv.is_empty() => Some(info),
        _ => None,
    });
    infos.collect()
}

/// What a search of a board tells; one line at least.
fn lines_of(engine: &mut Conversation<'_>, fen: &str) -> Outcome<(Board, Vec<EngineInfo>)> {
    let board = engine.set_board(fen, "")?;
    let infos = with_line(&engine.go(SEARCH)?);
    ensure(!infos.is_empty(), "info lines with a 'pv' before bestmove", "none")?;
    Ok((board, infos))
}

fn expect_case(mut board: Board, pv: &[String]) -> Outcome {
    for text in pv {
        // What cannot be played is another point's matter.
        let Some(house) = house(text) else { break };
        let written = house.letter(board.side()).to_string();
        ensure(*text == written, format!("{written} in '{}'", pv.join(" ")), text.clone())?;
        if board.play(house).is_err() {
            break;
        }
    }
    Ok(())
}

fn multi_pv(engine: &mut Conversation<'_>) -> Outcome {
    let Kind::Spin { max, .. } = option(engine, "MultiPV")? else { return Ok(()) };
    for (fen, asked, legal) in [(LARGE, 1, 6), (LARGE, 3, 6), (SMALL, 12, 3)] {
        if max < i128::from(asked) {
            continue;
        }
        engine.obeyed(&format!("setoption name MultiPV value {asked}"))?;
        let (_, infos) = lines_of(engine, fen)?;
        let expected = asked.min(legal);
        // The last iteration may have been broken off.
        let mut ranks = Vec::new();
        let mut firsts: Vec<&String> = Vec::new();
        let mut most = 0;
        for info in &infos {
            let rank = info.multipv.unwrap_or(1);
            if rank == 1 {
                firsts.clear();
                ranks.clear();
            }
            let Some(first) = info.pv.first() else { continue };
            ensure(
                !firsts.contains(&first),
                "lines that begin with different moves",
                first.clone(),
            )?;
            firsts.push(first);
            ranks.push(rank);
            let told = format!("ranks {ranks:?}");
            ensure(ranks.iter().copied().eq(1..=ranks.len() as u32), "ranks from 1 on", told)?;
            most = most.max(rank);
        }
        let expected_lines = format!("{expected} lines for MultiPV {asked}");
        ensure(most == expected, expected_lines, format!("{most}"))?;
    }
    Ok(())
}

fn proven_scores(engine: &mut Conversation<'_>) -> Outcome {
    let mut judge = Searcher::new(1).map_err(|error| failed("a search", error.to_string()))?;
    for capture in Capture::ALL {
        engine.obeyed(&format!("setoption name Capture value {capture}"))?;
        for fen in [
            SMALL,
            "<6,0,0,1,0,0,0,0,1,1,1,1,1,0,1> S",
            "<6,0,0,1,0,0,0,0,1,1,1,1,1,0,1> N",
            "<4,1,2,1,1,1,1,0,0,3,0> N",
            "<3,0,0,2,2,2,2,2,2> S",
            "<3,4,0,0,3,1,1,2,2> N",
            "<2,0,0,3,3,3,3> S",
        ] {
            let before = board(fen, "", capture)?;
            engine.say(&format!("position fen {fen}"));
            let answer = engine.go("nodes 20000")?;
            for info in with_line(&answer) {
                let Some(score) = info.score.filter(|score| score.proven) else { continue };
                let Some(first) = info.pv.first().and_then(|text| house(text)) else { continue };
                let limits = Limits { searchmoves: vec![first], ..Limits::default() };
                let stop = StopToken::new();
                let truth =
                    judge.search(&before, &limits, &SearchOptions::negascout(), &stop, &mut ());
                let Some(line) = truth.lines.first().filter(|line| line.proven) else { continue };
                let exact = line.margin * CENTISEEDS;
                let is_true = match score.bound {
                    Bound::Exact => score.centiseeds == exact,
                    Bound::Lower => score.centiseeds <= exact,
                    Bound::Upper => score.centiseeds >= exact,
                };
                let expected = format!("score cp {exact} for {} on {fen} ({capture})", info.pv[0]);
                ensure(is_true, expected, format!("score cp {} proven", score.centiseeds))?;
            }
        }
    }
    Ok(())
}
