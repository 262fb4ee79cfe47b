//! `go` with limits, searches that wait for `stop` or `ponderhit`, and `perft`.

use std::time::{Duration, Instant};

use kalah::StopToken;
use kalah::board::{Board, Capture};
use kalah::protocol::EngineInfo;
use kalah::search::divide;

use super::check::{Check, FINISHED, LARGE, SMALL, START};
use super::handshake::find_option;
use super::session::{
    AT_ONCE, CheckError, CheckOutcome, EngineSession, SearchReply, bestmoves, board_after, ensure,
    errors, with_retries,
};

/// One legal move, far from the end of the game.
const FORCED: &str = "<6,3,3,0,0,0,0,0,9,8,8,8,8,8,8> S";

/// The clock of the side to move.
const CLOCK: Duration = Duration::from_millis(400);

/// For a search that is not over at once.
const SOON: Duration = Duration::from_secs(1);

pub(super) fn checks() -> Vec<Check> {
    vec![
        Check::new("go.depth", depth),
        Check::new("go.nodes", nodes),
        Check::new("go.movetime", |engine| with_retries(|| movetime(engine).map(drop))),
        Check::new("go.movetime-used", used_movetime),
        in_time("go.clock-south", CLOCK, &[["", "stime 400 ntime 3600000"]]),
        in_time("go.clock-north", CLOCK, &[["B", "stime 3600000 ntime 400"]]),
        in_time(
            "go.clock-uci",
            CLOCK,
            &[["", "wtime 400 btime 3600000"], ["B", "wtime 3600000 btime 400"]],
        ),
        in_time(
            "go.increment",
            CLOCK,
            &[
                ["", "stime 400 ntime 400 sinc 10 ninc 10"],
                ["B", "wtime 400 btime 400 winc 10 binc 10"],
            ],
        ),
        in_time(
            "go.movestogo",
            CLOCK,
            &[["", "stime 400 ntime 400 movestogo 2"], ["", "movestogo 20 ntime 400 stime 400"]],
        ),
        in_time("go.no-time", AT_ONCE, &[["", "stime -5 ntime -5"], ["", "stime 0 ntime 0"]]),
        in_time(
            "go.first-limit",
            SOON,
            &[
                ["", "nodes 300 movetime 3600000"],
                ["", "movetime 3600000 nodes 300"],
                ["", "nodes 999999999999 movetime 50"],
            ],
        ),
        Check::new("go.forced", |engine| {
            engine.expect_in_time(FORCED, "", &["go stime 3600000 ntime 3600000"], AT_ONCE)
        }),
        Check::new("go.searchmoves", search_moves),
        Check::new("go.perft", |engine| {
            let start = board_after(START, "", Capture::Standard)?;
            for (depth, leaves) in [(0, 1), (1, 6), (2, 35), (3, 185), (4, 942), (5, 4690)] {
                perft(engine, &start, depth, leaves)?;
            }
            engine.send("go perft 200");
            engine.send("stop");
            engine.bestmove_within(AT_ONCE).map(drop)
        }),
        Check::new("go.perft-everywhere", |engine| {
            for fen in [
                "<6,24,24,0,0,0,0,0,0,0,0,0,0,0,0> S",
                "<6,9,17,0,3,0,1,4,0,1,0,0,0,0,1> S",
                "<4,1,2,1,1,1,1,0,0,3,0> N",
                "<3,0,0,14,0,0,1,1,1> S",
                "<12,0,0,1,1,1,1,1,1,1,1,1,1,1,1,2,2,2,2,2,2,2,2,2,2,2,2> N",
            ] {
                let board = board_after(fen, "", Capture::Standard)?;
                for depth in 0..4 {
                    perft(engine, &board, depth, board.perft(depth))?;
                }
            }
            Ok(())
        }),
    ]
}

/// Searches that wait for `stop` or `ponderhit`.
pub(super) fn waiting_checks() -> Vec<Check> {
    vec![
        until_stop("go.infinite", &[[START, "infinite"], [SMALL, "infinite"]]),
        until_stop(
            "go.infinite-limits",
            &[[START, "infinite nodes 10"], [START, "movetime 1 infinite"]],
        ),
        until_stop("go.infinite-over", &[[FINISHED, "infinite"]]),
        until_stop(
            "go.ponder",
            &[
                [START, "ponder"],
                [SMALL, "ponder movetime 1"],
                [START, "ponder stime 20 ntime 20"],
                [START, "nodes 10 ponder"],
            ],
        ),
        Check::new("ponderhit.limits", |engine| {
            for words in ["movetime 50", "nodes 10", "stime 400 ntime 400"] {
                with_retries(|| {
                    engine.set_board(START, "")?;
                    engine.send(&format!("go ponder {words}"));
                    engine.sync()?;
                    engine.send("ponderhit");
                    engine.bestmove_within(AT_ONCE).map(drop)
                })?;
            }
            Ok(())
        }),
        Check::new("ponderhit.stop", |engine| {
            engine.send("go ponder movetime 3600000");
            engine.send("ponderhit");
            engine.stop().map(drop)
        }),
        Check::new("errors.ponderhit", |engine| {
            engine.expect_refused("ponderhit")?;
            engine.send("go infinite");
            engine.expect_refused("ponderhit")?;
            engine.stop().map(drop)
        }),
        Check::new("stop.at-once", |engine| {
            for words in ["infinite", "", "movetime 3600000"] {
                engine.expect_in_time(START, "", &[&format!("go {words}"), "stop"], AT_ONCE)?;
            }
            Ok(())
        }),
    ]
}

/// Requires `bestmove` in time for each `go` after these moves on a large board.
fn in_time(id: &'static str, limit: Duration, searches: &'static [[&'static str; 2]]) -> Check {
    Check::new(id, move |engine| {
        for [moves, words] in searches {
            engine.expect_in_time(LARGE, moves, &[&format!("go {words}")], limit)?;
        }
        Ok(())
    })
}

/// Requires that each `go` on these boards ends only after `stop`.
fn until_stop(id: &'static str, searches: &'static [[&'static str; 2]]) -> Check {
    Check::new(id, move |engine| {
        for [fen, words] in searches {
            engine.set_board(fen, "")?;
            engine.send(&format!("go {words}"));
            engine.expect_no_bestmove()?;
            engine.stop()?;
        }
        Ok(())
    })
}

fn max_info<T: Ord>(reply: &SearchReply, number: impl Fn(&EngineInfo) -> Option<T>) -> Option<T> {
    reply.infos().filter_map(|info| number(&info)).max()
}

fn depth(engine: &mut EngineSession) -> CheckOutcome {
    // A search without depths refuses the limit, and the `stop` after it.
    engine.set_board(LARGE, "")?;
    engine.send("go depth 1");
    engine.send("stop");
    let lines = engine.sync()?;
    if bestmoves(&lines) == 0 && errors(&lines).count() == 2 {
        return Err(CheckError::Unsupported("limit 'depth'".to_owned()));
    }
    for depth in [1, 2, 4] {
        let reply = engine.go(&format!("depth {depth}"))?;
        let actual = max_info(&reply, |info| info.depth).unwrap_or(0);
        ensure(actual <= depth, format!("no depth beyond {depth}"), format!("depth {actual}"))?;
    }
    Ok(())
}

/// Sets one thread if the engine has the option.
fn nodes(engine: &mut EngineSession) -> CheckOutcome {
    const TOLERANCE: u64 = 1000;
    match find_option(engine, "Threads") {
        Ok(_) => engine.expect_ok("setoption name Threads value 1").map(drop),
        Err(CheckError::Unsupported(_)) => Ok(()),
        Err(error) => Err(error),
    }?;
    for nodes in [1, 100, 3000] {
        engine.set_board(LARGE, "")?;
        let reply = engine.go(&format!("nodes {nodes}"))?;
        let actual = max_info(&reply, |info| info.nodes).unwrap_or(0);
        let expected = format!("at most {} nodes", nodes + TOLERANCE);
        ensure(actual <= nodes + TOLERANCE, expected, format!("{actual} nodes"))?;
    }
    Ok(())
}

const MOVE_TIME: Duration = Duration::from_millis(100);

/// Searches for [`MOVE_TIME`]; returns the time that it took as well.
fn movetime(engine: &mut EngineSession) -> CheckOutcome<(SearchReply, Duration)> {
    engine.set_board(LARGE, "")?;
    let start = Instant::now();
    engine.send(&format!("go movetime {}", MOVE_TIME.as_millis()));
    let reply = engine.bestmove_within(MOVE_TIME + AT_ONCE)?;
    let taken = reply.at.saturating_duration_since(start);
    Ok((reply, taken))
}

fn used_movetime(engine: &mut EngineSession) -> CheckOutcome {
    // The clocks of two processes may differ a little.
    const EARLY: Duration = Duration::from_millis(5);
    let (reply, taken) = movetime(engine)?;
    let proven = max_info(&reply, |info| info.score.map(|score| score.proven));
    let is_used = taken + EARLY >= MOVE_TIME || proven == Some(true);
    let expected = format!("a search of {} ms", MOVE_TIME.as_millis());
    ensure(is_used, expected, format!("bestmove after {} ms", taken.as_millis()))
}

fn search_moves(engine: &mut EngineSession) -> CheckOutcome {
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

fn perft(engine: &mut EngineSession, board: &Board, depth: u32, leaves: u64) -> CheckOutcome {
    engine.set_board(&board.fen(), "")?;
    let reply = engine.go(&format!("perft {depth}"))?;
    ensure(reply.best.is_none(), "bestmove 0000 after 'go perft'", "a move")?;
    let mut expected = Vec::new();
    divide(board, depth, &StopToken::new(), |mv, leaves| {
        expected.push(format!("info string perft {mv} {leaves}"));
    });
    let actual = reply.lines.iter().map(|line| line.trim_ascii_end());
    let mut actual: Vec<&str> =
        actual.filter(|line| line.starts_with("info string perft ")).collect();
    actual.sort_unstable();
    expected.sort_unstable();
    ensure(actual == expected, format!("{expected:?}"), format!("{actual:?}"))?;
    let nodes = max_info(&reply, |info| info.nodes);
    let actual = || format!("nodes {nodes:?}");
    ensure(nodes == Some(leaves), format!("info nodes {leaves} … for perft {depth}"), actual())
}
