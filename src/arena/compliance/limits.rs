//! `go` with limits, and `perft`.

use std::time::{Duration, Instant};

use super::Check;
use super::conversation::{AT_ONCE, Answer, Conversation, board};
use super::form::{answers, errors};
use super::handshake::option;
use super::outcome::{Outcome, Trouble, ensure, in_time};
use super::positions::START;
use crate::board::{Board, Capture};
use crate::protocol::{EngineInfo, EngineMessage};

/// Far from its end, with every house to choose from.
const LARGE: &str = "<6,0,0,6,6,6,6,6,6,6,6,6,6,6,6> S";

/// Only one legal move, and far from its end.
const FORCED: &str = "<6,3,3,0,0,0,0,0,9,8,8,8,8,8,8> S";

const HOUR: &str = "3600000";

pub(super) fn checks() -> Vec<Check> {
    vec![
        Check::new("go", "'depth' is the last depth", depth),
        Check::new("go", "'nodes' is the last node, or some 1,000 more", nodes),
        Check::new("go", "'movetime' is not passed", |engine| {
            in_time(|| movetime(engine).map(drop))
        }),
        Check::new("go", "'movetime' is taken, unless the score is proven before", used_movetime),
        Check::new("go", "South's clock is kept when South moves", |engine| {
            in_time(|| clock(engine, "", &format!("stime 400 ntime {HOUR}"), 400))
        }),
        Check::new("go", "North's clock is kept when North moves", |engine| {
            in_time(|| clock(engine, "B", &format!("stime {HOUR} ntime 400"), 400))
        }),
        Check::new("go", "'wtime' and 'btime' are South's and North's clock", |engine| {
            in_time(|| clock(engine, "", &format!("wtime 400 btime {HOUR}"), 400))?;
            in_time(|| clock(engine, "B", &format!("wtime {HOUR} btime 400"), 400))
        }),
        Check::new("go", "'sinc', 'ninc', 'winc' and 'binc' go with the clocks", |engine| {
            in_time(|| clock(engine, "", "stime 400 ntime 400 sinc 10 ninc 10", 400))?;
            in_time(|| clock(engine, "B", "wtime 400 btime 400 winc 10 binc 10", 400))
        }),
        Check::new("go", "'movestogo' goes with the clocks", |engine| {
            in_time(|| clock(engine, "", "stime 400 ntime 400 movestogo 2", 400))?;
            in_time(|| clock(engine, "", "movestogo 20 ntime 400 stime 400", 400))
        }),
        Check::new("go", "a clock of less than nothing is answered at once", |engine| {
            let at_once = AT_ONCE.as_millis() as u64;
            in_time(|| clock(engine, "", "stime -5 ntime -5", at_once))?;
            in_time(|| clock(engine, "", "stime 0 ntime 0", at_once))
        }),
        Check::new("go", "with a clock an only move is answered at once", |engine| {
            in_time(|| {
                engine.set_board(FORCED, "")?;
                engine.say(&format!("go stime {HOUR} ntime {HOUR}"));
                engine.answer_within(AT_ONCE).map(drop)
            })
        }),
        Check::new("go", "the first limit reached ends the search", |engine| {
            for words in [
                "nodes 300 movetime 3600000",
                "movetime 3600000 nodes 300",
                "nodes 999999999999 movetime 50",
            ] {
                in_time(|| {
                    engine.set_board(LARGE, "")?;
                    engine.say(&format!("go {words}"));
                    engine.answer_within(2 * AT_ONCE).map(drop)
                })?;
            }
            Ok(())
        }),
        Check::new("go", "'searchmoves' are the only moves considered", search_moves),
        Check::new("go", "'perft' counts the leaves below each move", |engine| {
            let start = board(START, "", Capture::Standard)?;
            // Known totals.
            for (depth, leaves) in [(0, 1), (1, 6), (2, 35), (3, 185), (4, 942), (5, 4690)] {
                perft(engine, &start, depth, leaves)?;
            }
            Ok(())
        }),
        Check::new(
            "go",
            "'perft' counts at the end of games, for North, and on other boards",
            |engine| {
                for fen in [
                    "<6,24,24,0,0,0,0,0,0,0,0,0,0,0,0> S",
                    "<6,9,17,0,3,0,1,4,0,1,0,0,0,0,1> S",
                    "<4,1,2,1,1,1,1,0,0,3,0> N",
                    "<3,0,0,14,0,0,1,1,1> S",
                    "<12,0,0,1,1,1,1,1,1,1,1,1,1,1,1,2,2,2,2,2,2,2,2,2,2,2,2> N",
                ] {
                    let board = board(fen, "", Capture::Standard)?;
                    for depth in 0..4 {
                        perft(engine, &board, depth, board.perft(depth))?;
                    }
                }
                Ok(())
            },
        ),
    ]
}

/// The greatest of the numbers that `info` lines tell.
fn greatest<T: Ord>(answer: &Answer, number: impl Fn(&EngineInfo) -> Option<T>) -> Option<T> {
    let numbers = answer.lines.iter().filter_map(|line| match line.as_str().into() {
        EngineMessage::Info(info) => number(&info),
        _ => None,
    });
    numbers.max()
}

fn depth(engine: &mut Conversation<'_>) -> Outcome {
    // Not all searches know depths, and a limit that is not known is an error.
    engine.set_board(LARGE, "")?;
    engine.say("go depth 1");
    engine.say("stop");
    let lines = engine.sync()?;
    if answers(&lines) == 0 && errors(&lines).count() == 2 {
        return Err(Trouble::Absent("limit 'depth'".to_owned()));
    }
    for depth in [1, 2, 4] {
        let answer = engine.go(&format!("depth {depth}"))?;
        let heard = greatest(&answer, |info| info.depth).unwrap_or(0);
        ensure(heard <= depth, format!("no depth past {depth}"), format!("depth {heard}"))?;
    }
    Ok(())
}

/// Without a thread more than one, where that can be said.
fn nodes(engine: &mut Conversation<'_>) -> Outcome {
    const MORE: u64 = 1000;
    match option(engine, "Threads") {
        Ok(_) => engine.obeyed("setoption name Threads value 1").map(drop),
        Err(Trouble::Absent(_)) => Ok(()),
        Err(trouble) => Err(trouble),
    }?;
    for nodes in [1, 100, 3000] {
        engine.set_board(LARGE, "")?;
        let answer = engine.go(&format!("nodes {nodes}"))?;
        let heard = greatest(&answer, |info| info.nodes).unwrap_or(0);
        let expected = format!("at most {} nodes", nodes + MORE);
        ensure(heard <= nodes + MORE, expected, format!("{heard} nodes"))?;
    }
    Ok(())
}

const MOVE_TIME: Duration = Duration::from_millis(100);

/// A search of that time, and what it took.
fn movetime(engine: &mut Conversation<'_>) -> Outcome<(Answer, Duration)> {
    engine.set_board(LARGE, "")?;
    let start = Instant::now();
    engine.say(&format!("go movetime {}", MOVE_TIME.as_millis()));
    let answer = engine.answer_within(MOVE_TIME + AT_ONCE)?;
    let taken = answer.at.saturating_duration_since(start);
    Ok((answer, taken))
}

fn used_movetime(engine: &mut Conversation<'_>) -> Outcome {
    // Clocks need not agree to the millisecond.
    const EARLY: Duration = Duration::from_millis(5);
    let (answer, taken) = movetime(engine)?;
    let proven = greatest(&answer, |info| info.score.map(|score| score.proven));
    let is_used = taken + EARLY >= MOVE_TIME || proven == Some(true);
    let expected = format!("a search of {} ms", MOVE_TIME.as_millis());
    ensure(is_used, expected, format!("bestmove after {} ms", taken.as_millis()))
}

/// Requires an answer in so many milliseconds.
fn clock(engine: &mut Conversation<'_>, moves: &str, words: &str, limit: u64) -> Outcome {
    engine.set_board(LARGE, moves)?;
    engine.say(&format!("go {words}"));
    engine.answer_within(Duration::from_millis(limit)).map(drop)
}

fn search_moves(engine: &mut Conversation<'_>) -> Outcome {
    for (fen, words, allowed) in [
        (LARGE, "searchmoves A", "A"),
        (LARGE, "searchmoves b", "B"),
        (LARGE, "searchmoves D F", "DF"),
        (LARGE, "searchmoves CE", "CE"),
        ("<6,0,0,6,6,6,6,6,6,6,6,6,6,6,6> N", "searchmoves c E", "CE"),
    ] {
        engine.set_board(fen, "")?;
        let words = format!("{words} nodes 300");
        let best = engine.go(&words)?.best.unwrap_or_default();
        let is_allowed = best.len() == 1 && allowed.contains(&best.to_ascii_uppercase());
        ensure(is_allowed, format!("one of {allowed} for 'go {words}'"), format!("'{best}'"))?;
    }
    Ok(())
}

fn perft(engine: &mut Conversation<'_>, board: &Board, depth: u32, leaves: u64) -> Outcome {
    engine.set_board(&board.fen(), "")?;
    let answer = engine.go(&format!("perft {depth}"))?;
    ensure(answer.best.is_none(), "bestmove 0000 after 'go perft'", "a move")?;
    let mut expected = Vec::new();
    board.divide(depth, &|| false, &mut |ply, leaves| {
        expected.push(format!("info string perft {ply} {leaves}"));
    });
    let told = answer.lines.iter().map(|line| line.trim_ascii_end());
    let mut told: Vec<&str> = told.filter(|line| line.starts_with("info string perft ")).collect();
    told.sort_unstable();
    expected.sort_unstable();
    ensure(told == expected, format!("{expected:?}"), format!("{told:?}"))?;
    let nodes = greatest(&answer, |info| info.nodes);
    let heard = || format!("nodes {nodes:?}");
    ensure(nodes == Some(leaves), format!("info nodes {leaves} … for perft {depth}"), heard())
}
