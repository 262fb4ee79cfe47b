//! `bestmove`: how many, and which moves.

use super::check::{Check, FINISHED, START};
use super::session::{CheckOutcome, EngineSession, SearchReply, bestmoves, ensure, errors, failed};
use kalah::board::{Board, Move, Side};

pub(super) fn checks() -> Vec<Check> {
    vec![
        Check::new("go.one-bestmove", |engine| {
            for words in ["nodes 50", "movetime 10", "stime 50 ntime 50"] {
                engine.go(words)?;
                expect_no_more_bestmoves(engine)?;
            }
            Ok(())
        }),
        Check::new("go.one-bestmove-stopped", |engine| {
            for words in ["infinite", ""] {
                engine.send(&format!("go {words}"));
                // From a book, a search without limits may be answered at once.
                match bestmoves(&engine.sync()?) {
                    0 => drop(engine.stop()?),
                    count => ensure(count == 1, "exactly one bestmove", format!("{count}"))?,
                }
                expect_no_more_bestmoves(engine)?;
            }
            Ok(())
        }),
        Check::new("go.many", |engine| {
            const SEARCHES: usize = 30;
            for _ in 0..SEARCHES {
                engine.send("go infinite");
                engine.send("stop");
            }
            let count = bestmoves(&engine.sync()?);
            ensure(count == SEARCHES, format!("{SEARCHES} bestmoves"), format!("{count}"))
        }),
        Check::new("stop.order", |engine| {
            engine.send("go infinite");
            engine.send("stop");
            engine.send("hello");
            let (lines, _) = engine.read_until("bestmove", engine.deadline)?;
            let expected = "bestmove before the reply to the command after 'stop'";
            ensure(errors(&lines).next().is_none(), expected, "the reply first")
        }),
        Check::new("errors.stop", |engine| {
            engine.expect_refused("stop")?;
            engine.go("nodes 50")?;
            engine.expect_refused("stop")?;
            engine.send("go infinite");
            engine.stop()?;
            engine.expect_refused("stop")
        }),
        Check::new("bestmove.legal", |engine| {
            for moves in MOVES {
                let board = engine.set_board(START, moves)?;
                let SearchReply { best, .. } = engine.go("nodes 100")?;
                expect_legal(&board, best.as_deref())?;
            }
            Ok(())
        }),
        Check::new("bestmove.capital", |engine| expect_case_for(engine, Side::South)),
        Check::new("bestmove.small", |engine| expect_case_for(engine, Side::North)),
        Check::new("bestmove.ponder", |engine| {
            for moves in MOVES {
                let mut board = engine.set_board(START, moves)?;
                let SearchReply { best, ponder, .. } = engine.go("nodes 1000")?;
                if let Some(ponder) = ponder {
                    play(&mut board, best.as_slice())?;
                    play(&mut board, &[ponder])?;
                }
            }
            Ok(())
        }),
        Check::new("bestmove.extra-turn", |engine| {
            // An engine that gives the turn to the opponent moves in another house.
            for (fen, best) in
                [("<3,0,0,0,1,1,3,3,3> S moves C", "B"), ("<3,0,0,3,3,3,0,1,1> N moves c", "b")]
            {
                engine.send(&format!("position fen {fen}"));
                let actual = engine.go("nodes 100")?.best.unwrap_or_default();
                let expected = format!("bestmove {best} after 'position fen {fen}'");
                ensure(actual.eq_ignore_ascii_case(best), expected, format!("bestmove {actual}"))?;
            }
            Ok(())
        }),
        Check::new("bestmove.over", |engine| {
            for words in ["nodes 100", "movetime 1000", "stime 100 ntime 100"] {
                for fen in [FINISHED, "<3,5,2,0,0,0,2,2,2> S", "<3,5,2,2,2,2,0,0,0> S"] {
                    engine.set_board(fen, "")?;
                    let best = engine.go(words)?.best;
                    let actual = || format!("bestmove {}", best.as_deref().unwrap_or_default());
                    ensure(best.is_none(), "bestmove 0000", actual())?;
                }
            }
            Ok(())
        }),
    ]
}

/// Moves that lead to positions for both sides, some after extra turns.
const MOVES: [&str; 6] = ["", "A", "C", "Ca", "CF", "Acd"];

fn expect_no_more_bestmoves(engine: &mut EngineSession) -> CheckOutcome {
    let more = bestmoves(&engine.sync()?);
    ensure(more == 0, "exactly one bestmove", format!("{more} more"))
}

fn expect_legal(board: &Board, text: Option<&str>) -> CheckOutcome<Move> {
    let expected = || format!("a legal move on {}", board.fen());
    let text = text.ok_or_else(|| failed(expected(), "none"))?;
    board.legal_move(text).ok_or_else(|| failed(expected(), format!("'{text}'")))
}

/// Plays moves, written in either case, and requires that they are legal.
pub(super) fn play(board: &mut Board, moves: &[String]) -> CheckOutcome {
    for text in moves {
        // A legal move cannot fail.
        let _ = board.play(expect_legal(board, Some(text))?);
    }
    Ok(())
}

/// Requires that moves are written in the case of their players.
pub(super) fn expect_case(mut board: Board, moves: &[String]) -> CheckOutcome {
    for text in moves {
        // Illegal moves fail another check.
        let Ok(mv) = board.parse_move(text) else { break };
        let required = mv.to_string();
        let expected = format!("'{required}', the case of its player");
        ensure(*text == required, expected, format!("'{text}'"))?;
        if board.play(mv).is_err() {
            break;
        }
    }
    Ok(())
}

fn expect_case_for(engine: &mut EngineSession, side: Side) -> CheckOutcome {
    for moves in MOVES {
        let board = engine.set_board(START, moves)?;
        if board.side() == side {
            expect_case(board, engine.go("nodes 100")?.best.as_slice())?;
        }
    }
    Ok(())
}
